"""Means over the unit ball of R^d, for every d: true claims are proved, twins and forged certificates are not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sympy import Abs, Eq, Ge, Interval, Max, S, Sum, oo, sign, symbols

from proofs_check import verify
from proofs_check.kernel.ball_means import at_points
from proofs_check.kernel.families import Desk, NotShownError
from proofs_check.kernel.indexed import NotIndexedError
from proofs_check.kernel.theorem import Rejection, Sense, accept
from theory import BallMean, ForEach, LemmascopeError, Statement, family
from theory.proofs import with_premises
from theory.trees import decode_statement, encode, encode_statement

n, d, i, k, t, r, xi = symbols("n d i k t r xi")
v, z, x = family("v", d), family("z", d), family("x", n, d)
R, POSITIVE, NONNEGATIVE = S.Reals, Interval.open(0, oo), Interval(0, oo)


def over(summand: Any) -> Sum:
    return Sum(summand, (k, 1, d))


def mean(of: Any) -> BallMean:
    return BallMean(of, z)


def claim(then: Any, *given: Any, **more: Any) -> Statement:
    domains = {v: R, t: R, xi: POSITIVE, r: NONNEGATIVE, x: R}
    spoken = set().union(*(part.free_symbols for part in (then, *given)))
    return Statement(
        variables={of: set_ for of, set_ in domains.items() if of in spoken}, then=then, given=given, **more
    )


ALONG = over(v[k] * z[k])
RECTIFIED = mean(Max(t + xi * ALONG, 0))
SHORT = over(v[k] ** 2) <= r**2
TRUE = {
    "a mean of what is not negative": claim(RECTIFIED >= 0),
    "a mean of a bounded number": claim(Abs(mean(ALONG)) <= r, SHORT),
    "a linear mean": claim(Eq(mean(t + ALONG), t + mean(ALONG))),
    "opposite points": claim(Eq(mean(ALONG), 0)),
    "a rectifier and its opposite": claim(Eq(RECTIFIED + mean(Max(-t + xi * ALONG, 0)), mean(Abs(t + xi * ALONG)))),
    "equal means are equal": claim(Eq(RECTIFIED * r - r * RECTIFIED, 0, evaluate=False)),
    "one for every point": claim(ForEach(i, n, mean(Max(over((x[i, k] + z[k]) * v[k]), 0)) >= 0)),
}
NOT_SHOWN = {
    "a mean of what has no sign": claim(mean(ALONG) >= r, SHORT),
    "a mean beyond the ball": claim(mean(Abs(ALONG)) <= r / 2, SHORT),
    "one rectifier for two": claim(Eq(2 * RECTIFIED, mean(Abs(t + xi * ALONG)))),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_for_every_dimension(name: str) -> None:
    verdict = verify(TRUE[name], effort="standard")
    assert verdict.outcome == "proved"
    certificate = json.loads(json.dumps(verdict.certificate))
    assert not isinstance(accept(TRUE[name], Sense.HOLDS, certificate), Rejection)
    for other in NOT_SHOWN.values():
        assert isinstance(accept(other, Sense.HOLDS, certificate), Rejection)


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_false_twins_are_not_proved(name: str) -> None:
    assert verify(NOT_SHOWN[name], effort="quick").outcome not in ("proved", "vacuous")


def test_strict_and_discontinuous_claims_do_not_pass_to_the_limit() -> None:
    for bold in (RECTIFIED > 0, Ge(sign(mean(ALONG)), 0), Eq(mean(ALONG), 0) | Eq(t, 1)):
        with pytest.raises(NotIndexedError):
            at_points(claim(bold), both=False)


def test_hypotheses_about_means_are_not_assumed_of_averages() -> None:
    given = at_points(claim(t <= RECTIFIED, mean(ALONG) >= t, SHORT), both=False).given
    assert SHORT in given
    assert not any(part.has(BallMean) for part in given)
    assert len(given) == 2  # the points lie in the ball, and nothing else is said of them


def test_a_counterexample_for_averages_is_none_for_the_mean() -> None:
    one_point = {"kind": "families", "sizes": {"K": 1, "d": 1}, "certificate": {"kind": "point", "point": []}}
    forged = {"kind": "families", "points": "single", "certificate": one_point}
    assert isinstance(accept(TRUE["opposite points"], Sense.FAILS, forged), Rejection)
    assert isinstance(accept(TRUE["opposite points"], Sense.HOLDS, forged), Rejection)


def test_what_is_averaged_has_a_value_and_a_bound() -> None:
    for wild in (1 / (1 + ALONG), mean(ALONG) + ALONG, ALONG**t):
        with pytest.raises(LemmascopeError):
            mean(wild)


def test_lengths_bound_inner_products_only_if_they_are_not_negative() -> None:
    """Twin of Cauchy and Schwarz: of -1 and 1 the squares are bounds as well, and the product is negative."""
    unit = claim(over(v[k] ** 2) >= 0, over(v[k] ** 2) <= 1)
    fact = {"rule": "cauchy", "context": [], "indices": [[encode(k), encode(d)]]}
    fact |= {"first": encode(v[k]), "second": encode(v[k])}
    desk = Desk(unit, lambda goal: verify(goal, effort="quick").outcome == "proved")
    desk.learn(fact | {"a": encode(S.One), "b": encode(S.One)})
    for a, b in ((S.One, S.NegativeOne), (S.NegativeOne, S.One), (S.One, S.Half)):
        with pytest.raises(NotShownError):
            desk.learn(fact | {"a": encode(a), "b": encode(b)})


def test_premises_about_families_hold_for_their_domains_only() -> None:
    """A step about positive families says nothing of others, and a premise may rest on the premises before it."""
    total = over(v[k]) >= 0
    step = Statement(variables={v: POSITIVE}, then=total)
    assert total in with_premises(Statement(variables={v: POSITIVE}, then=over(v[k]) >= -1), [step]).given
    assert total not in with_premises(Statement(variables={v: R}, then=over(v[k]) >= -1), [step]).given
    further = Statement(variables={v: POSITIVE}, given=(total,), then=over(v[k]) >= -2)
    goal = Statement(variables={v: POSITIVE}, then=over(v[k]) >= -3)
    assert further.then in with_premises(goal, [step, further]).given
    assert further.then not in with_premises(goal, [further]).given


def test_statements_about_balls_are_written_and_read_back() -> None:
    statement = TRUE["one for every point"]
    assert decode_statement(json.loads(json.dumps(encode_statement(statement)))).then == statement.then
    assert r"\mathbb{D}^{d}" in statement.latex()
