"""Where a map of the line decreases, every orbit settles on a fixed point or on two points; almost every one elsewhere.

The example is the logistic map at 16/5: its 2-cycle is (21 +- sqrt(21))/32, its fixed point 11/16 repels.
"""

from __future__ import annotations

import copy
import json
from functools import cache

import pytest
from sympy import And, FiniteSet, Implies, Interval, Or, Rational, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from proofs_check import as_property_test
from proofs_check.budget import Budget
from proofs_check.engines.motion import search as motion
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Evidence, Outcome
from theory import AlmostEvery, Always, ConvergesTo, LemmascopeError, Map, Statement
from theory.trees import decode_statement, encode_statement

x, x0, y0 = Symbol("x"), Symbol("x_0"), Symbol("y_0")
CYCLE = ConvergesTo(x, (21 - sqrt(21)) / 32, (21 + sqrt(21)) / 32)
MIDDLE = ConvergesTo(x, Rational(11, 16))


def logistic(then: Boolean, rate: object = Rational(16, 5), **more: object) -> Statement:
    given = {"variables": {x0: Interval.open(0, Rational(4, 5))}, **more}
    return Statement(dynamics=Map((x,), (rate * x * (1 - x),)), start={x: x0}, then=then, **given)


def found(statement: Statement) -> Evidence | None:
    return motion.decide(statement, Budget.of("standard").start())


def accepted(statement: Statement, certificate: object) -> bool:
    return isinstance(accept(statement, Sense.HOLDS, json.loads(json.dumps(certificate))), Theorem)


@cache
def everywhere() -> tuple[Statement, Evidence]:
    statement = logistic(Or(CYCLE, MIDDLE))
    evidence = found(statement)
    assert evidence is not None
    return statement, evidence


@cache
def both() -> tuple[Statement, Evidence]:
    statement = logistic(And(AlmostEvery(x0, CYCLE), Or(CYCLE, MIDDLE)))
    evidence = found(statement)
    assert evidence is not None
    return statement, evidence


def test_every_start_leads_to_the_cycle_or_to_the_fixed_point() -> None:
    statement, evidence = everywhere()
    assert evidence.outcome is Outcome.PROVED
    assert accepted(statement, evidence.certificate)


def test_almost_every_start_leads_to_the_cycle_and_every_other_one_to_the_fixed_point() -> None:
    statement, evidence = both()
    assert evidence.outcome is Outcome.PROVED
    assert accepted(statement, evidence.certificate)


@pytest.mark.parametrize(
    "then",
    [
        CYCLE,
        Or(CYCLE, ConvergesTo(x, Rational(1, 2))),
        And(AlmostEvery(x0, MIDDLE), Or(CYCLE, MIDDLE)),
        And(AlmostEvery(x0, CYCLE), CYCLE),
    ],
)
def test_what_is_false_of_some_starts_is_never_proved(then: Boolean) -> None:
    evidence = found(logistic(then))
    assert evidence is None or evidence.outcome is not Outcome.PROVED
    assert not accepted(logistic(then), everywhere()[1].certificate)
    assert not accepted(logistic(then), both()[1].certificate)


def test_the_argument_is_about_this_map_and_these_starts() -> None:
    """At 7/2 the image of the end lies below the turn, and almost every start leads to four points.

    At 14/5 the fixed point 9/14 attracts, so that it is no exception that repels.
    """
    then = Or(CYCLE, MIDDLE)
    certificate = everywhere()[1].certificate
    assert not accepted(logistic(then, Rational(7, 2)), certificate)
    assert not accepted(logistic(then, variables={x0: Interval(0, 1)}), certificate)
    almost = json.loads(json.dumps(both()[1].certificate))
    assert not accepted(logistic(And(AlmostEvery(x0, CYCLE), then), Rational(14, 5)), almost)


@pytest.mark.parametrize("name", ["ends", "rises", "falls", "no other", "return"])
def test_without_one_of_its_obligations_the_argument_is_rejected(name: str) -> None:
    statement, evidence = both()
    forged = copy.deepcopy(json.loads(json.dumps(evidence.certificate)))
    dropped = []

    def drop(node: dict[str, list[dict[str, object]]]) -> None:
        kept = [item for item in node["obligations"] if item["name"] != name]
        dropped.extend(node["obligations"][len(kept) :])
        node["obligations"] = kept
        for below in node["parts"]:
            drop(below)

    drop(forged["argument"])
    assert dropped
    assert not accepted(statement, forged)


def test_no_exceptions_are_taken_where_none_are_allowed() -> None:
    almost = logistic(CYCLE, almost_all=(x0,))
    evidence = found(almost)
    assert evidence is not None
    assert accepted(almost, evidence.certificate)
    assert not accepted(almost.but(almost_all=()), evidence.certificate)


def test_almost_every_value_stands_alone_and_is_of_a_variable_with_room() -> None:
    with pytest.raises(LemmascopeError, match="say it alone"):
        logistic(Implies(x0 > 0, AlmostEvery(x0, CYCLE)))
    with pytest.raises(LemmascopeError, match="say it alone"):
        logistic(Always(AlmostEvery(x0, CYCLE)))
    with pytest.raises(LemmascopeError, match="no variable"):
        logistic(AlmostEvery(y0, CYCLE))
    with pytest.raises(LemmascopeError, match="every point counts"):
        logistic(AlmostEvery(x0, CYCLE), variables={x0: FiniteSet(Rational(1, 3), Rational(1, 2))})


def test_it_is_read_back_as_it_was_written() -> None:
    statement = both()[0]
    assert decode_statement(encode_statement(statement)).then == statement.then
    assert "for almost every" in statement.latex()


def test_the_property_test_looks_at_parts_with_exceptions() -> None:
    as_property_test(both()[0], max_examples=5)()
    with pytest.raises(AssertionError):
        as_property_test(logistic(AlmostEvery(x0, MIDDLE)), max_examples=5)()
