"""After every number of steps of a map: claims about N are claims about every moment, and only those."""

from __future__ import annotations

from typing import Any

import pytest
from forgeries import require_rejections
from sympy import Eq, Expr, Interval, Range, Rational, S, oo, symbols

from proofs_check import verify
from proofs_check.kernel.after_every_number import NotEveryNumberError, at_every_moment
from proofs_check.kernel.theorem import Rejection, Sense, accept
from theory import After, Always, Expectation, Flow, Map, Noise, Statement

x, x0, xi, N, a, b, k, t = symbols("x x0 xi N a b k t")
FRACTION, POSITIVE = Interval.open(0, 1), Interval.open(0, oo)


def claim(step: Expr, then: Any, *given: Any, steps: Any = S.Naturals0, time: Any = None, **domains: Any) -> Statement:
    known = {x0: S.Reals, N: steps} | {symbols(name): domain for name, domain in domains.items()}
    return Statement(
        variables=known, given=given, dynamics=Map((x,), (step,), time), start={x: x0}, then=After(N, then)
    )


TRUE = {
    "counting": claim(x + 1, Eq(x, x0 + N)),
    "a power": claim(a * x, Eq(x, a**N * x0), a=FRACTION),
    "a bound with a rest": claim(a * x + b, x <= a**N * x0 + b / (1 - a), a=FRACTION, b=POSITIVE),
    "from the first step on": claim(x**2, x >= 0, steps=S.Naturals),
    "with a clock": claim(x + 2 * k + 1, Eq(x, x0 + N**2), time=k),
    "from the first step on, with a clock": claim(x + 2 * k + 1, Eq(x, x0 + N * k), time=k, steps=S.Naturals),
    "a random walk": Statement(
        variables={x0: S.Reals, N: S.Naturals0}, noise={xi: Noise(values=(-1, 1))}, dynamics=Map((x,), (x + xi,)),
        start={x: x0}, then=After(N, Eq(Expectation(x**2), x0**2 + N)),
    ),
}  # fmt: skip
FALSE = {
    "counting twice": claim(x + 1, Eq(x, x0 + 2 * N)),
    "a larger power": claim(a * x, Eq(x, a ** (2 * N) * x0), a=FRACTION),
    "a bound with too small a rest": claim(a * x + b, x <= a**N * x0 + b / 2, a=FRACTION, b=POSITIVE),
    "from the start on": claim(x**2, x >= 0),
    "with a clock, one behind": claim(x + 2 * k + 1, Eq(x, x0 + N**2 + 1), time=k),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved(name: str) -> None:
    verdict = verify(TRUE[name])
    assert verdict.outcome == "proved", verdict.notes


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted(name: str) -> None:
    verdict = verify(FALSE[name])
    assert verdict.outcome == "refuted", verdict.notes


FEWER = {
    "a bound": claim(x + 1, x <= x0 + 3, steps=Range(0, 4)),
    "a hypothesis": claim(x + 1, x <= x0 + 3, N <= 3),
    "the start": Statement(
        variables={N: S.Naturals0}, dynamics=Map((x,), (x + 1,)), start={x: N}, then=After(N, Eq(x, 2 * N))
    ),
    "a step": claim(x + N, x >= x0),
    "a domain": claim(x + 1, x >= b, b=Interval(0, N)),
    "a flow": Statement(
        variables={x0: S.Reals, N: S.Naturals0}, dynamics=Flow((x,), (-x,), t), start={x: x0}, then=After(N, x <= 1)
    ),
    "one number": claim(x + 1, x > x0).but(then=After(3, x > x0)),
    "a first step without a value": claim(1 / x, x**2 >= 0, steps=S.Naturals),
}


@pytest.mark.parametrize("name", FEWER)
def test_where_the_number_is_bound_to_something_else_nothing_is_said_of_every_moment(name: str) -> None:
    with pytest.raises(NotEveryNumberError):
        at_every_moment(FEWER[name])


def test_the_first_step_is_not_the_start() -> None:
    """x^2 >= 0 after one step, and nothing of the start: a proof for N >= 1 is none for N >= 0."""
    certificate = verify(TRUE["from the first step on"]).certificate
    assert isinstance(accept(FALSE["from the start on"], Sense.HOLDS, certificate), Rejection)
    assert at_every_moment(TRUE["from the first step on"]).start == {x: x0**2}
    assert isinstance(at_every_moment(TRUE["counting"]).then, Always)


TWINS = {
    "counting": {"then": After(N, Eq(x, x0 + N + Rational(1, 9)))},
    "a power": {"variables": {x0: S.Reals, N: S.Naturals0, a: POSITIVE}, "then": After(N, x <= x0)},
    "from the first step on": {"variables": {x0: S.Reals, N: S.Naturals0}},
    "with a clock": {"then": After(N, Eq(x, x0 + N))},
}


def test_four_hundred_changed_certificates_prove_no_false_twin() -> None:
    assert sum(require_rejections(TRUE[name], TRUE[name].but(**change), name) for name, change in TWINS.items()) == 400
