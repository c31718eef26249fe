"""A conclusion without a value somewhere in the hypothesis set is neither proved nor refuted, however it cancels."""

from __future__ import annotations

import pytest
from sympy import (
    Abs,
    Add,
    And,
    Eq,
    Implies,
    Interval,
    Max,
    Mul,
    Or,
    Pow,
    Rational,
    S,
    Symbol,
    acos,
    atan,
    exp,
    log,
    oo,
    sign,
    sqrt,
    symbols,
    tan,
)

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.regularity import or_undefined
from theory import Always, ForAll, ForSmall, Map, Scaling, Statement

x, y, e, x0 = symbols("x y e x0")
R = S.Reals
PROVERS = ("identity", "real", "ball", "series", "induction", "falsify")

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
        engine(prover).decide(statement, Budget.of("standard").start()) for prover in ("real", "ball", "series")
    ]
    assert any(verdict is not None and verdict.outcome == "proved" for verdict in verdicts)


def test_an_invariant_without_a_value_at_the_start_is_not_proved() -> None:
    halving = Statement(
        variables={x0: Interval(0, 1)}, dynamics=Map((x,), (x / 2,)), start={x: x0}, then=Always(log(x) <= 0)
    )
    verdict = engine("induction").decide(halving, Budget.of("standard").start())
    assert verdict is None or not verdict.decided


def test_only_what_may_be_hidden_is_added() -> None:
    z = Symbol("z")
    assert or_undefined(And(log(z) >= z, 1 / z > 2)) == And(log(z) >= z, 1 / z > 2)
    assert or_undefined(1 / z >= 1 / z + Rational(1, 2)) == Or(1 / z >= 1 / z + Rational(1, 2), Eq(z, 0))
