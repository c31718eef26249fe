"""What exists for every parameter is proved by terms and intermediate values; where nothing exists, it is refuted."""

from __future__ import annotations

import pytest
from sympy import Abs, And, Eq, Implies, Interval, Ne, S, cos, exp, log, oo, symbols, tanh
from sympy.logic.boolalg import Boolean

from proofs_check import verify
from proofs_check.engines.cover.goals import packed
from proofs_check.kernel import cover, cover_charts
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from proofs_check.verdict import Outcome
from theory import Exists, ForAll, Statement
from theory.trees import encode

x, y, z, a, b = symbols("x y z a b")
REALS, POSITIVE = S.Reals, Interval.open(0, oo)


def statement(variables: dict, then: Boolean, *given: Boolean) -> Statement:
    return Statement(variables=variables, given=given, then=then)


TRUE = {
    "monotone and onto": statement({x: REALS}, Exists(y, REALS, Eq(y**3 + y, x))),
    "onto from the left end": statement({x: Interval(0, oo)}, Exists(y, Interval(0, oo), Eq(y * exp(y), x))),
    "logistic inverse": statement({x: Interval.open(0, 1)}, Exists(y, REALS, Eq(1 / (1 + exp(-y)), x))),
    "rational witness": statement({x: Interval.open(0, 1)}, Exists(y, POSITIVE, Eq(y / (1 + y), x))),
    "radical witness": statement({a: REALS, b: REALS}, Exists(y, REALS, Eq(y**2 + a * y + b, 0)), a**2 >= 4 * b),
    "fixed point beside zero": statement({a: Interval.open(2, oo)}, Exists(x, POSITIVE, Eq(a * x / (1 + x**2), x))),
    "between": statement({x: REALS, y: REALS}, Exists(z, REALS, And(x < z, z < y)), x < y),
    "a bound for each parabola": statement({a: REALS}, Exists(y, REALS, ForAll(x, REALS, x**2 + a * x + y >= 0))),
    "a best point": statement({a: REALS}, Exists(y, REALS, ForAll(x, REALS, a * x - x**2 <= a * y - y**2))),
    "continuity": statement(
        {x: POSITIVE, a: REALS}, Exists(y, POSITIVE, ForAll(z, REALS, Implies(Abs(z - a) < y, Abs(2 * z - 2 * a) < x)))
    ),
    "two equations": statement({x: REALS}, Exists(y, REALS, Exists(z, REALS, And(Eq(y + z, x), Eq(y - z, 1))))),
}

FALSE = {
    "not onto": (statement({x: REALS}, Exists(y, REALS, Eq(exp(y), x))), {"x": "0"}),
    "beyond the supremum": (statement({x: Interval(-1, 1)}, Exists(y, REALS, Eq(tanh(y), x))), None),
    "no slope": (statement({a: REALS, b: REALS}, Exists(y, REALS, Eq(a * y + b, 0))), {"a": "0", "b": "1"}),
    "no room": (statement({x: REALS, y: REALS}, Exists(z, REALS, And(x < z, z < y)), x <= y), None),
    "no greatest number": (Statement(variables={}, then=Exists(y, REALS, ForAll(x, REALS, x <= y))), {}),
    "no least value": (Statement(variables={}, then=Exists(y, REALS, ForAll(x, REALS, exp(y) <= exp(x)))), {}),
    "flat parabola": (statement({a: REALS}, Exists(y, REALS, ForAll(x, REALS, a * x**2 + x + y >= 0))), None),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_exists_is_proved(name: str) -> None:
    assert verify(TRUE[name]).outcome is Outcome.PROVED


@pytest.mark.parametrize("name", FALSE)
def test_where_nothing_exists_is_told(name: str) -> None:
    claim, place = FALSE[name]
    verdict = verify(claim)
    assert verdict.outcome is Outcome.REFUTED
    assert place is None or dict(verdict.counterexample or {}) == place


NOT_TRUE = {
    "the domain has a gap": statement({x: REALS}, Exists(y, REALS - {0}, Eq(y, x))),
    "the domain ends too early": statement({x: Interval(0, 2)}, Exists(y, Interval(0, 1), Eq(y**3, x))),
    "an end that is open": statement({x: Interval(0, 1)}, Exists(y, Interval.open(0, 1), Eq(y**3, x))),
    "a pole on the way": statement({x: Interval(-1, 1)}, Exists(y, Interval(-1, 1), Eq(1 / y, x / 2))),
    "whole numbers": statement({x: Interval(0, 1)}, Exists(y, S.Integers, Eq(3 * y, 3 * x))),
    "a value that depends on what comes later": statement({}, Exists(y, REALS, ForAll(x, REALS, Eq(y, x)))),
    "the rest of the body": statement({x: REALS}, Exists(y, REALS, And(Eq(y**3 + y, x), y > 0))),
    "a witness without a value": statement({x: REALS}, Exists(y, REALS, Eq(x * y, 1))),
    "different at some places": statement({x: REALS}, Exists(y, REALS, And(Eq(y, x), Ne(y * x, 1)))),
}


@pytest.mark.parametrize("name", NOT_TRUE)
def test_false_twins_are_not_proved(name: str) -> None:
    assert verify(NOT_TRUE[name], effort="quick").outcome is not Outcome.PROVED


def by_values_between(claim: Statement, low: object, high: object, rising: bool = True) -> Theorem | Rejection:
    """What the kernel says when signs at the ends, continuity and the rest are claimed to be evident."""
    evident = {"do": "false"}
    step = {
        "do": "intermediate",
        "low": encode(S(low)),
        "high": encode(S(high)),
        "rising": rising,
        "parts": [evident] * 3,
    }
    return accept(claim, Sense.HOLDS, {"kind": "cover", "boxes": 0, "argument": packed(step)})


def test_the_rule_for_intermediate_values_accepts_what_is_evident() -> None:
    assert isinstance(by_values_between(statement({}, Exists(y, REALS, Eq(y, S.Half))), 0, 1), Theorem)


@pytest.mark.parametrize(
    ("claim", "low", "high", "rising"),
    [
        (Exists(y, REALS, Eq(y, 2)), 0, 1, True),  # no change of sign
        (Exists(y, REALS, Eq(y, S.Half)), 1, 0, False),  # the ends are in the wrong order
        (Exists(y, Interval(2, 3), Eq(y, S.Half)), 0, 1, True),  # outside of the domain
        (Exists(y, S.Integers, Eq(y, S.Half)), 0, 1, True),  # a domain with gaps
        (Exists(y, REALS, Eq(1 / y, 0)), -1, 1, True),  # a pole
        (Exists(y, REALS, And(Eq(y, S.Half), y > 2)), 0, 1, True),  # the rest of the body
        (Exists(y, REALS, And(Eq(y, S.Half), Eq(y, S.One / 3))), 0, 1, True),  # two equations
        (Exists(y, REALS, Eq(log(y), 0)), -1, 2, True),  # an end without a value
        (Exists(y, REALS, Eq(cos(y), 3)), x, 1, True),  # an end that is no term of the variables
    ],
)
def test_the_rule_for_intermediate_values_needs_each_hypothesis(
    claim: Boolean, low: object, high: object, rising: bool
) -> None:
    assert isinstance(by_values_between(Statement(variables={}, then=claim), low, high, rising), Rejection)


def test_a_proof_of_something_else_shows_nothing() -> None:
    proved = verify(Statement(variables={x: Interval(0, 1)}, then=x**2 <= x))
    step = {"do": "shown", "kept": [], "certificate": dict(proved.certificate or {})}
    false = Statement(variables={x: REALS}, then=Exists(y, REALS, And(Eq(y, x), y**2 <= y)))
    argument = packed({"do": "witness", "value": encode(x), "parts": [step]})
    assert isinstance(accept(false, Sense.HOLDS, {"kind": "cover", "boxes": 0, "argument": argument}), Rejection)


def test_above_everywhere_is_needed_to_differ() -> None:
    claim = Statement(variables={x: REALS}, then=Ne(x**2, 1))
    argument = packed({"do": "apart", "above": True, "parts": [{"do": "false"}]})
    assert isinstance(accept(claim, Sense.HOLDS, {"kind": "cover", "boxes": 0, "argument": argument}), Rejection)


def test_rules_about_quantifiers_and_about_boxes_have_different_names() -> None:
    """A step is followed by the rule of its name: one name for two rules would lose the proofs of one of them."""
    assert not cover._RULES.keys() & cover_charts._CHARTS.keys()
