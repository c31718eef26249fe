"""A flow with an evolution domain is spoken of up to the moment at which it leaves the domain, and not beyond.

The domain may be used in proofs about the moments that are reached, and in nothing that says that a moment is reached.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sympy import And, Eq, Expr, Interval, Or, Rational, S, symbols
from sympy.logic.boolalg import Boolean

from numerics import integrate
from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.enclosure.search import decide as enclosed
from proofs_check.engines.motion.search import decide
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from proofs_check.verdict import Outcome
from theory import (
    After,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    Flow,
    LemmascopeError,
    Statement,
    Vectors,
    norm,
    vector,
)
from theory.trees import content_hash, decode_statement, encode, encode_statement

x, y, a, b, t = symbols("x y a b t")
UNIT = Interval(0, 1)
PATIENT = replace(Budget.of("standard"), seconds=6.0)


def line(rule: Expr, domain: Boolean, then: Boolean, **more: Any) -> Statement:
    chosen = {"variables": {a: UNIT}} | more
    return Statement(dynamics=Flow((x,), (rule,), domain=domain), start={x: a}, then=then, **chosen)


PROVED = {
    "the domain itself": line(S.One, x <= 2, Always(x <= 2)),
    "what the domain makes true": line(x**2, x <= 2, Always(x**2 <= 4)),
    "a barrier inside of the domain": line(x * (x - 2), x <= Rational(3, 2), Always(x <= 1)),
    "a slope inside of the domain": line(-x * (2 - x), And(x > 0, x < 2), Decreasing(x)),
    "a limit of a flow that stays": line(-x, x <= 2, ConvergesTo(x, 0)),
    "at the start": line(S.One, x <= 2, Eventually(x <= 1)),
    "one of two": line(S.One, Or(x <= 2, x >= 3), Always(Or(x <= 2, x >= 3))),
}

NOT_PROVED = {
    "below the end of the domain": line(S.One, x <= 2, Always(x <= Rational(3, 2))),
    "a moment after the end": line(S.One, x <= 2, After(3, x <= 2)),
    "all that follows a moment after the end": line(S.One, x <= 2, After(3, Always(x <= 2))),
    "a place outside of the domain": line(S.One, x <= 2, Eventually(x >= 3)),
    "a limit that the domain cuts off": line(3 - x, x <= 2, ConvergesTo(x, 3)),
    "a limit inside of a domain that is left": line(x - 2 * x**2, x < Rational(1, 4), ConvergesTo(x, 0)),
    "a domain for the start only": line(S.One, x <= 2, Always(x <= 1)),
}


@pytest.mark.parametrize("name", PROVED)
def test_the_domain_is_known_while_it_lasts(name: str) -> None:
    verdict = decide(PROVED[name], PATIENT)
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    assert isinstance(accept(PROVED[name], Sense.HOLDS, verdict.certificate), Theorem)


@pytest.mark.parametrize("start", [lambda v: norm(v) ** 2 <= 1, lambda v: norm(v) ** 2 >= 1], ids=["inside", "border"])
def test_vectors_that_leave_their_domain_break_no_claim_about_it(start: Callable[[Any], Boolean]) -> None:
    """Every trajectory grows, and it ends when it leaves the ball: the claim about the ball is true."""
    w, w0 = vector("w"), vector("w0")
    ball = norm(w) ** 2 <= 1
    lemma = Statement(
        variables={w0: Vectors()},
        given=(start(w0),),
        dynamics=Flow((w,), (w,), domain=ball),
        start={w: w0},
        then=Always(ball),
    )
    assert verify(lemma).outcome is not Outcome.REFUTED


@pytest.mark.parametrize("name", NOT_PROVED)
def test_nothing_is_said_of_what_comes_after_the_domain(name: str) -> None:
    verdict = decide(NOT_PROVED[name], replace(Budget.of("quick"), seconds=1.0))
    assert verdict is None or verdict.outcome is not Outcome.PROVED


def test_a_proof_for_the_free_flow_is_none_of_a_limit_inside_of_a_domain() -> None:
    """The certificate says that the free flow converges, which it does: outside of the domain."""
    free = line(3 - x, S.true, ConvergesTo(x, 3))
    verdict = decide(free, PATIENT)
    assert verdict is not None
    assert isinstance(accept(free, Sense.HOLDS, verdict.certificate), Theorem)
    cut = line(3 - x, x <= 2, ConvergesTo(x, 3))
    assert isinstance(accept(cut, Sense.HOLDS, verdict.certificate), Rejection)


def test_a_domain_that_is_left_does_not_count_as_kept() -> None:
    """`inside` needs a proof that the domain holds at all times, without assuming it."""
    stays = line(-x, x <= 2, ConvergesTo(x, 0))
    verdict = decide(stays, PATIENT)
    assert verdict is not None
    assert verdict.certificate is not None
    assert verdict.certificate["argument"]["rule"] == "inside"
    leaves = stays.but(dynamics=Flow((x,), (-x,), domain=x >= Rational(1, 2)))
    assert isinstance(accept(leaves, Sense.HOLDS, verdict.certificate), Rejection)


def test_a_violation_after_the_end_of_the_domain_is_none() -> None:
    bounded, free = (line(S.One, domain, Always(x <= 2)) for domain in (x <= 2, S.true))
    one = {a: S.One}
    found = confirm_violation(free, one, 60)
    assert found is not None
    assert isinstance(accept(free, Sense.FAILS, found.certificate), Theorem)
    assert isinstance(accept(bounded, Sense.FAILS, found.certificate), Rejection)
    assert confirm_violation(bounded, one, 60) is None


def test_a_violation_inside_of_the_domain_is_one() -> None:
    low = line(S.One, x <= 2, Always(x <= Rational(3, 2)))
    found = confirm_violation(low, {a: S.One}, 60)
    assert found is not None
    assert isinstance(accept(low, Sense.FAILS, found.certificate), Theorem)


LATE = line(S.One, x <= 2, After(5, x >= 5))
"""From one the flow leaves at the time one."""


@pytest.mark.parametrize("then", [After(5, x >= 5), After(2, x > 0), After(3, Always(x > 0)), ConvergesTo(x, 2)])
def test_a_moment_after_the_end_of_the_domain_is_not_reached(then: Boolean) -> None:
    late = line(S.One, x <= 2, then)
    found = enclosed(late, PATIENT)
    assert found is not None
    assert isinstance(accept(late, Sense.FAILS, found.certificate), Theorem)


@pytest.mark.parametrize(
    "twin",
    [
        line(S.One, x <= 2, After(Rational(1, 2), x > 0)),
        line(S.One, x <= 2, Or(After(5, x >= 5), Always(x <= 2))),
        line(S.One, x <= 9, After(5, x >= 5)),
        line(S.One, S.true, After(5, x >= 5)),
        line(1 - x, x <= 2, After(5, x <= 1)),
        line(S.One, x <= 2, Eventually(x >= Rational(3, 2))),
    ],
)
def test_a_moment_before_the_end_or_without_one_is_reached(twin: Statement) -> None:
    """The certificate of the late moment is none of a statement in which the moment is reached, or need not be."""
    late = enclosed(LATE, PATIENT)
    assert late is not None
    assert isinstance(accept(twin, Sense.FAILS, late.certificate), Rejection)
    assert enclosed(twin, PATIENT) is None


@pytest.mark.parametrize("reason", ["rising", "unstable", "not a cycle"])
def test_reasons_about_later_moments_do_not_refute_inside_of_a_domain(reason: str) -> None:
    rising = line(S.One, x <= 2, Decreasing(x))
    certificate = {"kind": "induction", "refutation": reason, "point": [[encode(a), encode(S.One)]]}
    assert isinstance(accept(rising, Sense.FAILS, certificate), Rejection)


def test_a_trajectory_starts_in_the_domain() -> None:
    statement = line(S.One, x <= Rational(1, 2), Always(x <= 1))
    assert (a <= Rational(1, 2)) in statement.hypotheses
    clocked = Statement(dynamics=Flow((x,), (S.One,), t, domain=x <= 1 + t), start={x: a}, variables={a: UNIT},
                        then=Always(x <= 1 + t))  # fmt: skip
    assert (a <= 1) in clocked.hypotheses


def test_the_domain_is_part_of_the_statement() -> None:
    bounded, free = (line(S.One, domain, Always(x <= 2)) for domain in (x <= 2, S.true))
    assert content_hash(bounded) != content_hash(free)
    assert decode_statement(encode_statement(bounded)).dynamics == bounded.dynamics
    assert r"\text{ as long as }x \leq 2" in bounded.latex()
    assert Flow((x,), (b * x,), domain=x <= b).parameters == (b,)
    assert Flow((x,), (b * x,), domain=x <= b).substitute({b: S(3)}).domain == (x <= 3)
    assert Flow((x,), (-x,), domain=x <= 1).rename({x: y}).domain == (y <= 1)


def test_a_domain_is_made_of_inequalities() -> None:
    with pytest.raises(LemmascopeError, match="not made of inequalities"):
        Flow((x,), (-x,), domain=Eq(x, 1))


def test_a_run_stops_where_it_leaves_the_domain() -> None:
    done = integrate(Flow((x, y), (S.One, S.Zero), domain=Or(x <= 2, y >= 1)), {x: [0.0, 0.0], y: [0.0, 1.0]}, 5.0)
    assert done.final_time.round(9).tolist() == [2.0, 5.0]


OUTSIDE = {a: Interval(4, 5)}
NOWHERE = {
    "a bound": line(-x, x <= 2, Always(x >= 3), variables=OUTSIDE),
    "the domain itself": line(-x, x <= 2, Always(x <= 2), variables=OUTSIDE),
    "two bounds": line(-x, And(x >= 0, x <= 1), Eventually(x >= 3), variables=OUTSIDE),
    "one of two": line(-x, Or(x <= 1, x >= 9), Always(x >= 3), variables=OUTSIDE),
    "a parameter": line(-x, x <= b, Always(x <= b), variables=OUTSIDE | {b: UNIT}),
    "a hypothesis": line(-x, x <= 2, Always(x <= 2), variables={a: Interval(0, 5)}, given=(a >= 3,)),
}


@pytest.mark.parametrize("name", NOWHERE)
def test_where_nothing_starts_in_the_domain_nothing_is_said(name: str) -> None:
    assert verify(NOWHERE[name], effort="quick").outcome is Outcome.VACUOUS
