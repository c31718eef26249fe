"""A conclusion without a value somewhere in the hypothesis set is neither proved nor refuted, however it cancels."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import (
    Abs,
    Add,
    And,
    Derivative,
    Eq,
    Expr,
    Implies,
    Integral,
    Interval,
    Max,
    Mul,
    Ne,
    Or,
    Piecewise,
    Pow,
    Rational,
    S,
    Sum,
    acos,
    atan,
    atanh,
    exp,
    log,
    oo,
    sign,
    sqrt,
    symbols,
    tan,
    true,
)
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.cover.goals import packed
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome
from theory import Always, ConvergesTo, Decreasing, Eventually, Exists, Flow, ForAll, ForSmall, Map, Scaling, Statement
from theory.language.definedness import or_undefined, undefined
from theory.trees import encode

x, y, e, x0 = symbols("x y e x0")
R, HALF = S.Reals, S.Half
PROVERS = ("identity", "polynomial", "cover", "asymptotics", "motion", "falsify")

UNDEFINED = {
    "terms cancel": 1 + 1 / x > 1 / x,
    "logarithms cancel": log(x) + 1 > log(x),
    "quotients cancel": exp(x) / x + 1 > exp(x) / x,
    "unevaluated product": Mul(exp(x), log(x), exp(-x), evaluate=False) >= log(x),
    "a bracket cancels": x * (exp(x) + 1 / x) >= x * exp(x) + 1,
    "a factor cancels": (x**2 * exp(x) - exp(x)) / (x - 1) >= (x + 1) * exp(x),
    "x over x": Eq(Mul(x, Pow(x, -1), evaluate=False), 1, evaluate=False),
    "absolute value": x / Abs(x) <= 1,
    "absolute value below": Abs(x) / x <= 1,
    "sign": sign(x) / x >= 0,
    "maximum": Max(0, x) / x <= 1,
    "implication": Implies(x >= 0, x / Abs(x) <= 1),
    "alternative": Or(x < 0, x / Abs(x) <= 1),
    "inner": ForAll(y, Interval(0, 1), y / Abs(y) <= 1),
    "root": sqrt(x) * exp(x) >= sqrt(x) * (x + 1),
    "arc": acos(x) >= 0,
    "tangent": tan(x) ** 2 >= 0,
    "bounded": atan(1 / x) < 2,
    "small": ForSmall(e, log(x) + e > log(x)),
    "small inside": ForSmall(e, ForAll(y, Interval(0, 1), e / y >= 0)),
    "scaling": Scaling(Add(log(x), e, -log(x), evaluate=False), e, 1),
    "a crossing": Exists(y, Interval(0, 1), Eq(y**3 + exp(y) + log(x), 2 + log(x))),
    "a crossing of a pole": Exists(y, Interval(0, 1), Eq(y**3 + exp(y) + 1 / x, 2 + 1 / x)),
    "a small crossing": ForSmall(e, Exists(y, Interval(0, 1), Eq(y + log(x), HALF + e + log(x)))),
    "a small crossing of a pole": ForSmall(e, Exists(y, Interval(0, 1), Eq(y + e + y * (1 - y) / x, HALF))),
    "a premise before an existence": Implies(1 / x > 0, Exists(y, R, y * x > 1)),
    "a premise before another": Implies(x < 5, Implies(1 / x > 0, Exists(y, R, y * x > 1))),
    "a premise before a universal claim": Implies(1 / x > 1, ForAll(y, Interval(1, 2), y * x > 0)),
    "a premise of logarithms": Implies(log(x) ** 2 >= 0, Exists(y, R, y**2 < x)),
    "premises that cancel": Implies(1 / x + 1 > 1 / x, Exists(y, R, y * x > 1)),
    "a premise of a root": And(x**2 >= 0, Implies(sqrt(x) > 0, Exists(y, R, y**2 < x))),
    "a small crossing that is nowhere": ForSmall(
        e, Exists(y, Interval(0, 1), Eq(y + y * (1 - y) * log(-1 - e) + x, HALF + x))
    ),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_has_no_value_somewhere_is_not_decided(name: str) -> None:
    statement = Statement(variables={x: R}, then=UNDEFINED[name])
    for prover in PROVERS:
        verdict = engine(prover).decide(statement, Budget.of("quick").start())
        assert verdict is None or not verdict.decided, prover


@pytest.mark.parametrize("name", ["terms cancel", "logarithms cancel", "absolute value", "sign", "maximum", "small"])
def test_the_same_is_proved_where_it_has_a_value(name: str) -> None:
    statement = Statement(variables={x: Interval.open(0, oo)}, then=UNDEFINED[name])
    verdicts = [
        engine(prover).decide(statement, Budget.of("standard").start())
        for prover in ("polynomial", "cover", "asymptotics")
    ]
    assert any(verdict is not None and verdict.outcome == "proved" for verdict in verdicts)


@pytest.mark.parametrize("domain", [Interval.open(0, oo), Interval(1, 2)], ids=str)
def test_premises_that_have_values_are_used(domain: object) -> None:
    for name in ("a premise before an existence", "a premise before another", "a premise before a universal claim"):
        statement = Statement(variables={x: domain}, then=UNDEFINED[name])
        verdict = engine("cover").decide(statement, Budget.of("standard").start())
        assert verdict is not None
        assert verdict.outcome is Outcome.PROVED, name
        assert check(statement, verdict.certificate)[0] == "accepted"
        assert check(statement.but(variables={x: R}), verdict.certificate)[0] == "rejected"


def test_an_invariant_without_a_value_at_the_start_is_not_proved() -> None:
    halving = Statement(
        variables={x0: Interval(0, 1)}, dynamics=Map((x,), (x / 2,)), start={x: x0}, then=Always(log(x) <= 0)
    )
    verdict = engine("motion").decide(halving, Budget.of("standard").start())
    assert verdict is None or not verdict.decided


def test_the_places_without_a_value_are_named_and_branches_guard_theirs() -> None:
    assert or_undefined(And(log(x) >= y, 1 / x > 2)) == And(Or(log(x) >= y, x <= 0), Or(1 / x > 2, Eq(x, 0)))
    guarded = Piecewise((log(x), x > 0), (sqrt(y), True)) > 0
    assert or_undefined(guarded) == Or(guarded, And(x <= 0, y < 0))
    assert or_undefined(Derivative(log(x), x) ** 2 >= 0).has(x <= 0)
    inside = exp(1 / Piecewise((log(x), x > y), (atanh(x), y > 0))) < Abs(x)
    nowhere = undefined(inside)
    for point, expected in (((-1, -2), True), ((2, 3), True), ((1, 0), True), ((2, 1), False), ((HALF, 1), False)):
        found = [place.subs({x: point[0], y: point[1]}) for place in nowhere]
        assert (true in found) is expected, point
    assert or_undefined(Integral(y, (y, 0, x)) >= 0) == true
    pieces = Piecewise((y, y > 0), (1, True))
    assert true in undefined(Integral(pieces, (y, 0, x)) >= 0)
    assert true in undefined(Derivative(pieces, y) >= 0)


HIDDEN = {
    "an equation is put in": (y / x >= 1, Eq(y, x)),
    "an equation of a logarithm": (log(y) - log(x) + exp(x) > 0, Eq(y, x)),
    "a factor becomes zero": (y * log(x) >= 0, Eq(y, 0)),
    "a wedge": (exp(y / x) <= 3, (x >= 0) & (y >= 0) & (y <= x)),
    "signs of factors": (x / (x + y) <= 1, (x >= 0) & (y >= 0)),
    "an even power": (atanh(x) ** 2 >= 0, (x >= -1) & (x <= 1)),
    "opposite demands": (Or(exp(1 / x) > 1, exp(1 / x) < 2), x < 5),
    "an equation denied": (Or(Ne(y, 1 / x), y * x >= 1), x < 5),
    "a derivative": (Derivative(log(x), x) ** 2 >= 0, x < 5),
    "a kinked derivative": (Derivative(Max(x, 0), x) >= 0, x < 5),
    "an integral over a pole": (Integral(1 / y**2, (y, -1, x)) <= -1 / x, (x >= 1) & (x <= 2)),
    "a sum up to a half": (Sum(y, (y, 1, x)) >= 3, (x >= 2) & (x <= 3)),
}
"""True wherever they have values, which is not everywhere: each was once proved, and most replayed."""


@pytest.mark.parametrize("name", HIDDEN)
def test_no_step_of_a_proof_hides_that_there_is_no_value(name: str) -> None:
    then, given = HIDDEN[name]
    statement = Statement(variables={x: R, y: R}, given=(given,), then=then)
    for prover in ("identity", "polynomial", "cover"):
        verdict = engine(prover).decide(statement, Budget.of("glance").start())
        assert verdict is None or not verdict.decided, prover


@pytest.mark.parametrize("step", [{"do": "opposite", "at": [0, 1]}, {"do": "opposite", "at": [1, 0]}, {"do": "false"}])
def test_a_forged_contradiction_of_demands_without_values_is_rejected(step: dict[str, Any]) -> None:
    statement = Statement(variables={x: R}, then=Or(exp(1 / x) > 1, exp(1 / x) < 2))
    assert check(statement, {"kind": "cover", "boxes": 0, "argument": packed(step)})[0] == "rejected"


EMPTY = {"target": encode(S.Zero), "generators": [], "cofactors": [], "origins": {}}


@pytest.mark.parametrize("name", ["a factor becomes zero", "signs of factors", "opposite demands"])
@pytest.mark.parametrize("forged", [{"kind": "oracle"}, {"kind": "identity", "combinations": [EMPTY]}], ids=str)
def test_solvers_asked_anew_do_not_overlook_it_either(name: str, forged: dict[str, Any]) -> None:
    then, given = HIDDEN[name]
    assert check(Statement(variables={x: R, y: R}, given=(given,), then=then), forged)[0] == "rejected"


def test_an_unmoved_start_of_a_flow_that_may_leave_it_refutes_nothing() -> None:
    for rule in (sqrt(x), 3 * Abs(x) ** Rational(2, 3)):
        leaving = Statement(dynamics=Flow((x,), (rule,)), start={x: S.Zero}, then=Eventually(x > 1))
        verdict = engine("motion").decide(leaving, Budget.of("quick").start())
        assert verdict is None or not verdict.decided
        forged = {"kind": "induction", "refutation": "equilibrium", "claim": encode(leaving.then), "point": []}
        assert check(leaving, forged)[0] == "rejected"


def moving(then: Boolean, dynamics: Map | Flow, *given: Boolean, start: Expr = x0) -> Statement:
    return Statement(variables={x0: R, y: R}, given=given, dynamics=dynamics, start={x: start}, then=then)


HALVING, DECAY = Map((x,), (x / 2,)), Flow((x,), (-x,))
ALONG = {
    "a ratio to the start": moving(ConvergesTo(x / x0, 0), HALVING),
    "a ratio to the start of a flow": moving(ConvergesTo(x / x0, 0), DECAY),
    "a ratio that falls": moving(Eventually(x / x0 < Rational(1, 4)), HALVING),
    "a factor of the target": moving(ConvergesTo(x * log(y), 0), HALVING),
    "a logarithm that falls": moving(Decreasing(log(x)), DECAY),
    "an equation is put in": moving(Always(x * y / x0 >= 1), Map((x,), (x,)), Eq(y, x0), start=S.One),
    "an equation is put into the map": moving(Always(x <= 1), Map((x,), (x * y / (2 * x0),)), Eq(y, x0), start=S.One),
    "an equation is put into the flow": moving(Always(x <= 1), Flow((x,), (-x * y / x0,)), Eq(y, x0), start=S.One),
    "a level without a value": moving(ConvergesTo(log(x) ** 2, 5), Map((x,), (x,)), start=S.NegativeOne),
    "a logarithm at rest": moving(Decreasing(log(x)), Map((x,), (x,)), start=S.NegativeOne),
    "a logarithm at last": moving(Eventually(log(x) > 5), Map((x,), (-x,)), start=S.NegativeOne),
    "a rule": moving(Always(x <= 3), Map((x,), (1 / (x - 1),)), start=S(2)),
    "a root": moving(Always(x <= 3), Map((x,), (sqrt(x) - 1,)), start=S.One),
}


@pytest.mark.parametrize("name", ALONG)
def test_no_value_along_a_trajectory_is_neither_proved_nor_refuted(name: str) -> None:
    verdict = engine("motion").decide(ALONG[name], Budget.of("quick").start())
    assert verdict is None or not verdict.decided


def test_a_local_claim_is_not_refuted_where_it_has_no_value() -> None:
    squared = Statement(variables={x: R}, then=ForSmall(e, log(x) ** 2 + e > 0))
    verdict = engine("asymptotics").decide(squared, Budget.of("quick").start())
    assert verdict is None or not verdict.decided
    forged = {"kind": "series", "point": [[encode(x), encode(S.NegativeOne)]], "part": 0, "obligations": []}
    assert check(squared, forged)[0] == "rejected"


@pytest.mark.parametrize("body", [y > 1 / x, y * log(x) ** 2 > 0, y > log(x)], ids=str)
def test_nothing_is_said_to_be_missing_where_there_is_no_value(body: Boolean) -> None:
    statement = Statement(variables={x: Interval(-1, 0)}, then=Exists(y, Interval(0, 1), body))
    verdict = engine("falsify").decide(statement, Budget.of("quick").start())
    assert verdict is None or verdict.outcome is not Outcome.REFUTED
