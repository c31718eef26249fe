"""Assumptions of symbols, sets with gaps, and names used twice: what a variable may be is neither more nor less."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sympy import (
    Abs,
    Complement,
    Derivative,
    Eq,
    FiniteSet,
    Function,
    Integer,
    Interval,
    Ne,
    Or,
    Range,
    Rational,
    S,
    Set,
    Symbol,
    Union,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean

from proofs_check import verify
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome
from theory import Always, Constant, ForAll, ForSmall, LemmascopeError, Map, Scaling, Statement
from theory.trees import encode

x, z, a, b, c = symbols("x z a b c")
f = Function("f")
R, P = S.Reals, Interval.open(0, oo)
HALF = Rational(1, 2)


@pytest.mark.parametrize(
    "fact", ["even", "odd", "prime", "composite", "rational", "irrational", "noninteger", "extended_nonnegative"]
)
def test_an_assumption_that_no_domain_describes_is_refused(fact: str) -> None:
    number = Symbol("m", **{fact: True})
    with pytest.raises(LemmascopeError, match="which no domain describes"):
        Statement(variables={number: R}, then=Ne(number**3 + number, 10, evaluate=False))
    with pytest.raises(LemmascopeError, match="which no domain describes"):
        ForAll(number, R, Ne(number**3 + number, 10, evaluate=False))


positive, whole, small = Symbol("p", positive=True), Symbol("n", integer=True), Symbol("e", integer=True)

REFUSED: dict[str, tuple[str, Callable[[], object]]] = {
    "ends decide about the sign": (
        "depends on the ends",
        lambda: Statement(variables={a: Interval(-2, 2), positive: Interval(a, 2)}, then=positive**3 + a**2 > 0),
    ),
    "ends decide which integers": (
        "depends on the ends",
        lambda: Statement(variables={a: Interval(1, 2), whole: Interval(0, a)}, then=whole**2 >= whole),
    ),
    "bound by ends": ("depends on the ends", lambda: ForAll(whole, Interval(0, a), Ne(2 * whole, 1))),
    "a constant": ("is not what the symbol is assumed", lambda: Constant(positive, -2, best="largest")),
    "a small integer": ("all small positive numbers", lambda: ForSmall(small, sin(pi * small) < small)),
    "a small integer that scales": ("all small positive numbers", lambda: Scaling(sin(pi * small) + small, small, 1)),
    "almost all integers": (
        "where every point counts",
        lambda: Statement(variables={x: Range(0, 5)}, almost_all=(x,), then=x < 2),
    ),
    "almost all of nothing": (
        "which is none of its variables",
        lambda: Statement(variables={x: R}, almost_all=(z,), then=x > 2),
    ),
    "infinity": ("compares with infinity", lambda: Statement(variables={x: R}, given=(x < oo,), then=x**2 >= 0)),
    "a state that leaves": (
        "nothing keeps the trajectory",
        lambda: Statement(
            dynamics=Map((positive,), (positive - 2,)), start={positive: Integer(1)}, then=Always(Abs(positive) <= 1)
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_assumption_that_may_not_hold_is_refused(name: str) -> None:
    sentence, build = REFUSED[name]
    with pytest.raises(LemmascopeError, match=sentence):
        build()


def test_ends_that_keep_an_assumption_are_allowed() -> None:
    bound = Symbol("q", positive=True)
    statement = Statement(variables={bound: P, positive: Interval.open(0, bound)}, then=sqrt(positive**2) < bound)
    assert statement.variables[Symbol("p")] == Interval.open(0, Symbol("q"))
    assert verify(statement, effort="quick").outcome is Outcome.PROVED


GAPS: dict[str, tuple[Set, Boolean, Boolean]] = {
    "integers and an interval": (Union(Range(0, 3), Interval(10, 11)), Ne(2 * x, 1), Ne(2 * x, 21)),
    "integers and a fraction": (Union(S.Naturals, FiniteSet(HALF)), Or(x <= 1, x >= 2), x >= 1),
    "reals without integers": (Complement(R, S.Integers), Ne(x, 7), Ne(x, 7 * HALF)),
    "an interval without integers": (Complement(Interval(0, 2), S.Integers), Or(x < 1, x > 1), x < 1),
    "integers without some": (Complement(S.Integers, FiniteSet(0)), x**2 >= 1, x**2 > 1),
    "integers without an interval": (Complement(S.Integers, Interval(-1, 1)), x**2 >= 4, x**2 > 4),
}


@pytest.mark.parametrize("name", GAPS)
def test_sets_with_gaps_are_what_they_are(name: str) -> None:
    domain, right, wrong = GAPS[name]
    for conclusion, outcome in ((right, Outcome.PROVED), (wrong, Outcome.REFUTED)):
        statement = Statement(variables={x: domain}, then=conclusion)
        verdict = verify(statement, effort="quick")
        assert verdict.outcome is outcome
        assert check(statement, verdict.certificate)[0] == "accepted"
        if verdict.counterexample is not None:
            assert domain.contains(Rational(verdict.counterexample["x"])) == True  # noqa: E712 - SymPy's true


SCALES = ForAll(c, P, ForAll(z, R, Eq(f(c * z), c * f(z))))
LAWS = {
    "a variable named like a bound symbol": ({z: R}, SCALES, Eq(f(z), z * f(1))),
    "the other one": ({c: R}, SCALES, Eq(f(c), c * f(1))),
    "a law on a line": ({x: R}, ForAll(c, R, ForAll(z, FiniteSet(c), Eq(f(z), c))), Eq(Derivative(f(x), x), 2)),
    "another law on a line": (
        {x: R},
        ForAll(z, R, ForAll(c, FiniteSet(2 * z), Eq(f(c), z))),
        Eq(Derivative(f(x), x), 2),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_is_used_only_where_it_holds(name: str) -> None:
    variables, law, conclusion = LAWS[name]
    statement = Statement(variables=variables, given=(law,), then=conclusion)
    assert not verify(statement, effort="quick").decided
    nothing = {"target": encode(S.Zero), "generators": [], "cofactors": [], "origins": {}}
    for certificate in ({"kind": "oracle"}, {"kind": "identity", "combinations": [nothing]}):
        assert check(statement, certificate)[0] == "rejected"
