"""Families and sums of every length: true statements are proved, false ones refuted at a size, twins are not proved."""

from __future__ import annotations

import json
from typing import Any

import pytest
from forgeries import require_rejections
from sympy import Abs, Eq, Implies, Interval, KroneckerDelta, Ne, Rational, S, Sum, Symbol, exp, log, oo, sqrt, symbols

from proofs_check import as_property_test, verify
from proofs_check.kernel.families import Desk, NotShownError
from proofs_check.kernel.indexed import Names, NotIndexedError
from proofs_check.kernel.theorem import Rejection, Sense, accept
from proofs_check.kernel.written_out import at_sizes
from proofs_check.referee.judge import Case, judge
from theory import ForEach, LemmascopeError, Statement, family
from theory.trees import content_hash, decode_statement, encode, encode_statement

n, m, d, N, k, r, i, j, a, B, M, eta = symbols("n m d N k r i j a B M eta")
u, v, w, z, p, x, y = (family(name, n) for name in "uvwzpxy")
A, C, W, X = family("A", m, d), family("C", d, n), family("W", d, d), family("X", N, n)
R, POSITIVE, NONNEGATIVE, UNIT = S.Reals, Interval.open(0, oo), Interval(0, oo), Interval(0, 1)


def over(summand: Any, *limits: Any) -> Sum:
    return Sum(summand, *((index, 1, size) for index, size in (limits or ((k, n),))))


def claim(then: Any, *given: Any, **domains: Any) -> Statement:
    known = {"u": u, "v": v, "w": w, "z": z, "p": p, "x": x, "y": y, "A": A, "C": C, "W": W, "X": X}
    return Statement(
        variables={known.get(name, Symbol(name)): domain for name, domain in domains.items()}, then=then, given=given
    )


SUM_OF_WEIGHTS = Eq(over(p[k]), 1)
RESIDUAL = over(X[a, k] * u[k] * v[k]) - Symbol("c")
BOUNDED = ForEach(i, d, ForEach(j, d, Abs(W[i, j]) <= B))
SOFTMAX = exp(z[i]) / over(exp(z[k]))
ROW = exp(C[k, i]) / over(exp(C[j, i]), (j, d))

FORM = over(u[k] * x[k] ** 2)
SPEED_I, SPEED_J = (u[at] * x[at] - FORM * x[at] for at in (i, j))

TRUE = {
    "Gibbs": claim(over(p[k] * log(p[k] / x[k])) >= 0, SUM_OF_WEIGHTS, Eq(over(x[k]), 1), p=POSITIVE, x=POSITIVE),
    "shares that add up to a": claim(over(p[k] ** 2) >= a**2 / n, Eq(over(p[k]), a), p=R, a=R),
    "chi squared": claim(over(p[k] ** 2 / x[k]) >= 1, SUM_OF_WEIGHTS, Eq(over(x[k]), 1), p=POSITIVE, x=POSITIVE),
    "the geometric mean": claim(over(log(x[k])) / n <= log(over(x[k]) / n), x=POSITIVE),
    "the spread of a mixture": claim(
        Eq(
            over(p[k] * u[k] ** 2) - over(p[k] * u[k]) ** 2,
            over(p[i] * p[j] * (u[i] - u[j]) ** 2, (i, n), (j, n)) / 2,
        ),
        SUM_OF_WEIGHTS, p=NONNEGATIVE, u=R,
    ),
    "the ratio of two parts of Oja's rule": claim(
        ForEach(i, n, ForEach(j, n, Eq((SPEED_J * x[i] - x[j] * SPEED_I) / x[i] ** 2, (u[j] - u[i]) * x[j] / x[i]))),
        u=R, x=POSITIVE,
    ),
    "squares": claim(over(u[k] ** 2) >= 0, u=R),
    "a positive sum": claim(over(u[k]) > 0, u=POSITIVE),
    "the parallelogram": claim(
        Eq(over((u[k] + v[k]) ** 2) + over((u[j] - v[j]) ** 2, (j, n)), 2 * over(u[k] ** 2) + 2 * over(v[k] ** 2)),
        u=R, v=R,
    ),
    "a product of sums": claim(Eq(over(u[k]) * over(v[j], (j, n)), over(u[k] * v[j], (k, n), (j, n))), u=R, v=R),
    "a renamed index": claim(Eq(over(u[k]) - over(u[j], (j, n)), 0, evaluate=False), u=R),
    "Cauchy and Schwarz": claim(over(u[k] * v[k]) ** 2 <= over(u[k] ** 2) * over(v[k] ** 2), u=R, v=R),
    "the square of a sum": claim(over(u[k]) ** 2 <= n * over(u[k] ** 2), u=R),
    "Titu": claim(over(u[k]) ** 2 / over(w[k]) <= over(u[k] ** 2 / w[k]), u=R, w=POSITIVE),
    "the harmonic mean": claim(n**2 <= over(x[k]) * over(1 / x[k]), x=POSITIVE),
    "the variance": claim(
        Eq(over((u[k] - over(u[j], (j, n)) / n) ** 2), over(u[k] ** 2) - over(u[k]) ** 2 / n), u=R
    ),
    "the power mean of degree 4": claim(over(x[k]) ** 4 / n**4 <= over(x[k] ** 4) / n, x=R),
    "the power mean of degree 3": claim(over(x[k]) ** 3 / n**3 <= over(x[k] ** 3) / n, x=NONNEGATIVE),
    "arithmetic and geometric mean": claim(over(log(x[k])) <= n * log(over(x[k]) / n), x=POSITIVE),
    "Jensen with weights": claim(
        over(p[k] * x[k]) ** 2 <= over(p[k] * x[k] ** 2), SUM_OF_WEIGHTS, p=NONNEGATIVE, x=R
    ),
    "a weighted mean": claim(
        over(p[k] * x[k]) <= M, SUM_OF_WEIGHTS, ForEach(i, n, x[i] <= M), p=NONNEGATIVE, x=R, M=R
    ),
    "softmax adds up to one": claim(Eq(over(exp(z[i]) / over(exp(z[k])), (i, n)), 1), z=R),
    "softmax is positive": claim(ForEach(i, n, SOFTMAX > 0), z=R),
    "a mean under the softmax of every row": claim(
        Eq(
            over(u[i] * over(exp(C[k, i]) * (C[k, i] - v[i]), (k, d)) / over(exp(C[j, i]), (j, d)), (i, n)),
            over(u[i] * ROW * (C[k, i] - v[i]), (i, n), (k, d)),
        ),
        u=R, v=R, C=R,
    ),
    "a sum inside a function, renamed": claim(
        Eq(
            over(u[i] * exp(over(A[j, k], (j, m))), (i, n), (k, d)),
            over(u[i] * over(exp(over(A[r, j], (r, m))), (j, d)), (i, n)),
        ),
        u=R, A=R,
    ),
    "softmax is at most one": claim(ForEach(i, n, SOFTMAX <= 1), z=R),
    "rows of the Jacobian of softmax": claim(
        ForEach(i, n, Eq(over(p[i] * (KroneckerDelta(i, j) - p[j]), (j, n)), 0)), SUM_OF_WEIGHTS, p=R
    ),
    "softmax of shifted scores": claim(
        ForEach(i, n, Eq(exp(z[i] + B) / over(exp(z[k] + B)), SOFTMAX)), z=R, B=R
    ),
    "log-sum-exp from above": claim(log(over(exp(z[k]))) <= M + log(n), ForEach(i, n, z[i] <= M), z=R, M=R),
    "log-sum-exp from below": claim(ForEach(j, n, z[j] <= log(over(exp(z[k])))), z=R),
    "one term": claim(ForEach(j, n, u[j] <= over(u[k])), u=NONNEGATIVE),
    "one square": claim(ForEach(j, n, u[j] ** 2 <= over(u[k] ** 2)), u=R),
    "entries of a square matrix": claim(
        ForEach(i, d, ForEach(j, d, over(W[i, k] * W[k, j], (k, d)) <= d * B**2)), BOUNDED, W=R, B=POSITIVE
    ),
    "entries of a square matrix from below": claim(
        ForEach(i, d, ForEach(j, d, over(W[i, k] * W[k, j], (k, d)) >= -d * B**2)), BOUNDED, W=R, B=POSITIVE
    ),
    "the triangle": claim(Abs(over(u[k])) <= over(Abs(u[k])), u=R),
    "the absolute value of every entry": claim(
        ForEach(i, d, ForEach(j, d, Abs(over(W[i, k] * W[k, j], (k, d))) <= d * B**2)), BOUNDED, W=R, B=POSITIVE
    ),
    "a step of every entry": claim(
        ForEach(i, n, u[i] - eta * u[i] <= M), ForEach(i, n, u[i] <= M), ForEach(i, n, u[i] >= 0),
        u=R, M=R, eta=UNIT,
    ),
    "Frobenius of a product": claim(
        over(over(A[i, k] * C[k, j], (k, d)) ** 2, (i, m), (j, n))
        <= over(A[i, k] ** 2, (i, m), (k, d)) * over(C[k, j] ** 2, (k, d), (j, n)),
        A=R, C=R,
    ),
    "a diagonal network is balanced": claim(
        ForEach(
            i, n,
            Eq(
                u[i] * over(X[a, i] * v[i] * RESIDUAL, (a, N)) - v[i] * over(X[a, i] * u[i] * RESIDUAL, (a, N)),
                0,
            ),
        ),
        u=R, v=R, X=R, c=R,
    ),
    "the first numbers": claim(Eq(over(k), n * (n + 1) / 2), n=S.Naturals),
    "the first squares": claim(Eq(over(k**2), n * (n + 1) * (2 * n + 1) / 6), n=S.Naturals),
    "inverse squares": claim(over(1 / k**2) <= 2 - 1 / n, n=S.Naturals),
    "the root of a sum of squares": claim(over(Abs(u[k])) <= sqrt(n) * sqrt(over(u[k] ** 2)), u=R),
    "a sum of squares": claim(over(u[k] ** 2) <= over(Abs(u[k])) ** 2, u=R),
    "a sum of products": claim(over(u[k] * v[k]) <= over(u[k]) * over(v[k]), u=NONNEGATIVE, v=NONNEGATIVE),
    "the variance of bounded numbers": claim(over(u[k] ** 2) / n - (over(u[k]) / n) ** 2 <= Rational(1, 4), u=UNIT),
    "a divergence": claim(
        over(p[k] * log(p[k] / w[k])) >= 0, SUM_OF_WEIGHTS, Eq(over(w[k]), 1), p=POSITIVE, w=POSITIVE
    ),
    "a chain of bounds": claim(
        ForEach(i, n, u[i] <= w[i]), ForEach(i, n, u[i] <= v[i]), ForEach(j, n, v[j] <= w[j]), u=R, v=R, w=R
    ),
    "sums of a chain": claim(over(u[k]) <= over(v[k]), ForEach(i, n, u[i] <= v[i]), u=R, v=R),
}  # fmt: skip
FALSE = {
    "Gibbs with one total only": claim(
        over(p[k] * log(p[k] / x[k])) >= 0, SUM_OF_WEIGHTS, p=POSITIVE, x=POSITIVE
    ),
    "shares with a number too large": claim(over(p[k] ** 2) >= 2 * a**2 / n, Eq(over(p[k]), a), p=R, a=POSITIVE),
    "the geometric mean above": claim(over(log(x[k])) / n >= log(over(x[k]) / n), x=POSITIVE),
    "the whole spread of a mixture": claim(
        Eq(
            over(p[k] * u[k] ** 2) - over(p[k] * u[k]) ** 2,
            over(p[i] * p[j] * (u[i] - u[j]) ** 2, (i, n), (j, n)),
        ),
        SUM_OF_WEIGHTS, p=NONNEGATIVE, u=R,
    ),
    "softmax of every row adds up to a number": claim(
        Eq(over(u[i] * over(ROW**2, (k, d)), (i, n)), over(u[i], (i, n))), u=R, C=R
    ),
    "a sum inside a function, over the other index": claim(
        Eq(over(exp(over(W[i, j], (j, d))), (i, d)), over(exp(over(W[i, j], (i, d))), (j, d))), W=R
    ),
    "a sum of products of any sign": claim(over(u[k] * v[k]) <= over(u[k]) * over(v[k]), u=R, v=R),
    "the variance of bounded numbers, too small": claim(
        over(u[k] ** 2) / n - (over(u[k]) / n) ** 2 <= Rational(1, 8), u=UNIT
    ),
    "a sum has a sign": claim(over(u[k]) >= 0, u=R),
    "the square of a sum without n": claim(over(u[k]) ** 2 <= over(u[k] ** 2), u=R),
    "a cube is convex": claim(over(x[k]) ** 3 / n**3 <= over(x[k] ** 3) / n, x=R),
    "log-sum-exp is at most each": claim(ForEach(j, n, z[j] >= log(over(exp(z[k])))), z=R),
    "log-sum-exp without log n": claim(log(over(exp(z[k]))) <= M, ForEach(i, n, z[i] <= M), z=R, M=R),
    "inverse squares, too small": claim(over(1 / k**2) <= Rational(3, 2) - 1 / (2 * n), n=S.Naturals),
    "a sum that is small for three terms": claim(over(u[k]) <= 4, u=UNIT),
    "one term of any sign": claim(ForEach(j, n, u[j] <= over(u[k])), u=R),
    "entries without the size": claim(
        ForEach(i, d, ForEach(j, d, over(W[i, k] * W[k, j], (k, d)) <= B**2)), BOUNDED, W=R, B=POSITIVE
    ),
    "weights that do not add up": claim(
        over(p[k] * x[k]) <= M, ForEach(i, n, x[i] <= M), p=NONNEGATIVE, x=R, M=R
    ),
    "weights of any sign": claim(over(p[k] * x[k]) <= M, SUM_OF_WEIGHTS, ForEach(i, n, x[i] <= M), p=R, x=R, M=R),
    "a diagonal network with the wrong sign": claim(
        ForEach(
            i, n,
            Eq(
                u[i] * over(X[a, i] * v[i] * RESIDUAL, (a, N)) + v[i] * over(X[a, i] * u[i] * RESIDUAL, (a, N)),
                0,
            ),
        ),
        u=R, v=R, X=R, c=R,
    ),
    "softmax is less than one": claim(ForEach(i, n, SOFTMAX < 1), z=R),
    "softmax is at most a half": claim(ForEach(i, n, Rational(1, 2) >= SOFTMAX), z=R),
    "the variance without the mean": claim(
        Eq(over((u[k] - over(u[j], (j, n)) / n) ** 2), over(u[k] ** 2) - over(u[k]) ** 2), u=R
    ),
    "Cauchy and Schwarz the other way": claim(over(u[k] * v[k]) ** 2 >= over(u[k] ** 2) * over(v[k] ** 2), u=R, v=R),
    "the first cubes": claim(Eq(over(k**3), n * (n + 1) / 2), n=S.Naturals),
    "a mean of squares is the square of the mean": claim(Eq(n * over(u[k] ** 2), over(u[k]) ** 2), u=R),
    "numbers are below their mean": claim(ForEach(j, n, n * u[j] <= over(u[k])), u=UNIT),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved(name: str) -> None:
    verdict = judge(Case(TRUE[name], "standard", correct=False))
    assert verdict.outcome == "proved", verdict.notes
    assert verdict.engine == "families" or not TRUE[name].speaks_of_families


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_at_a_size(name: str) -> None:
    verdict = judge(Case(FALSE[name], "standard", correct=False))
    assert verdict.outcome == "refuted", verdict.notes
    assert verdict.counterexample


def test_equal_sums_have_one_name_and_different_ones_two() -> None:
    names = Names(())
    assert names.number(over(u[k] * v[k]), ()) == names.number(over(v[r] * u[r], (r, n)), ())
    assert names.number(over(u[k]) ** 2, ()) == names.number(over(u[k] * u[j], (k, n), (j, n)), ())
    assert names.number(over(u[k] ** 2), ()) != names.number(over(u[k]) ** 2, ())
    assert names.number(over(X[a, k], (a, N), (k, n)), ()) == names.number(over(over(X[a, k], (a, N))), ())
    assert names.number(over(S(3)), ()) == 3 * n


def test_deltas_that_run_differently_far_have_no_normal_form() -> None:
    with pytest.raises(NotIndexedError):
        Names(()).number(over(u[k] * KroneckerDelta(k, a), (k, n), (a, N)), ())


def shown(statement: Statement) -> Desk:
    """A desk on which only true conditions are shown, as the engines show them."""
    return Desk(statement, lambda goal: judge(Case(goal, "quick", correct=False)).outcome == "proved")


def fact(rule: str, summand: Any, relation: str = ">=", index: Any = r, size: Any = n, **more: Any) -> dict[str, Any]:
    return {
        "rule": rule, "context": [], "indices": [[encode(index), encode(size)]], "summand": encode(summand),
        "relation": relation, **{key: encode(value) for key, value in more.items()},
    }  # fmt: skip


UNSHOWN = {
    "terms of any sign": (TRUE["squares"], fact("termwise", u[r])),
    "a zero term is not positive": (TRUE["squares"], fact("termwise", u[r] ** 2, ">")),
    "one term of a sum with negative ones": (TRUE["squares"], fact("single", u[r])),
    "a summand without a value": (TRUE["squares"], fact("termwise", 1 / u[r] ** 2)),
    "a false base": (TRUE["inverse squares"], fact("induction", 1 / r**2, "<=", bound=1 - 1 / n)),
    "a false step": (TRUE["inverse squares"], fact("induction", 1 / r**2, "<=", bound=S(1))),
    "a curve that is not convex": (
        TRUE["the power mean of degree 4"],
        fact("jensen", S(1), entry=x[r], weight=S(1), name=Symbol("t"), curve=Symbol("t") ** 3),
    ),
    "weights that do not add up": (
        FALSE["weights that do not add up"],
        fact("jensen", S(1), entry=x[r], weight=p[r], name=Symbol("t"), curve=Symbol("t") ** 2),
    ),
    "weights of any sign": (
        FALSE["weights of any sign"],
        fact("jensen", S(1), entry=x[r], weight=p[r], name=Symbol("t"), curve=Symbol("t") ** 2),
    ),
}


@pytest.mark.parametrize("name", UNSHOWN)
def test_a_rule_without_one_of_its_hypotheses_gives_nothing(name: str) -> None:
    statement, offered = UNSHOWN[name]
    with pytest.raises((NotShownError, NotIndexedError)):
        shown(statement).learn(offered)


MALFORMED = {
    "an index that runs too far": (TRUE["squares"], fact("termwise", u[r] ** 2, size=Symbol("M"))),
    "an index that is bound twice": (TRUE["squares"], fact("termwise", u[r] ** 2 + over(u[r] ** 2, (r, n)))),
    "a reserved name": (TRUE["squares"], fact("termwise", u[Symbol("_i0")] ** 2, index=Symbol("_i0"))),
    "no such rule": (TRUE["squares"], fact("wishful", u[r] ** 2)),
    "a curve with a kink": (
        TRUE["the power mean of degree 4"],
        fact("jensen", S(1), entry=x[r], weight=S(1), name=Symbol("t"), curve=Abs(Symbol("t"))),
    ),
    "the size inside of the summand": (TRUE["inverse squares"], fact("induction", r / n, "<=", bound=n)),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_fact_is_refused_whatever_is_shown(name: str) -> None:
    statement, offered = MALFORMED[name]
    with pytest.raises((NotIndexedError, LemmascopeError)):
        Desk(statement, lambda _: True).learn(offered)


def test_induction_does_not_use_what_is_assumed_of_the_size() -> None:
    """For n >= 5 the bound holds at the end; before, it does not: the base may not use n >= 5."""
    late = claim(over(1 / k) >= 2, n >= 5, n=S.Naturals)
    goals: list[Statement] = []
    desk = Desk(late, lambda goal: goals.append(goal) or True)
    desk.learn(fact("induction", 1 / r, ">=", bound=S(1)))
    assert goals
    assert all((n >= 5) not in goal.given for goal in goals)


def test_a_size_that_bounds_a_variable_allows_no_induction() -> None:
    statement = claim(over(k * B) >= B, n=S.Naturals, B=Interval(0, n))
    with pytest.raises(NotIndexedError, match="nothing else bounded by it"):
        Desk(statement, lambda _: True).learn(fact("induction", r * B, ">=", bound=B))


def test_an_alternative_without_a_value_says_nothing() -> None:
    """A disjunction may hold because of its other part: that the sum has a value does not follow."""
    either = claim(ForEach(i, n, Ne(u[i], 0)), (over(1 / u[k]) > 0) | (B > 0), u=R, B=R)
    assert verify(either).outcome != "proved"
    assert verify(claim(ForEach(i, n, Ne(u[i], 0)), over(1 / u[k]) > 0, u=R)).outcome == "proved"


def test_what_has_no_value_is_not_proved() -> None:
    lost = claim(Eq(over(u[k] / B) - over(u[j] / B, (j, n)), 0, evaluate=False), u=R, B=R)
    assert verify(lost).outcome != "proved"
    assert verify(claim(Eq(over(1 / u[k]) - over(1 / u[j], (j, n)), 0, evaluate=False), u=R)).outcome != "proved"
    found = claim(Eq(over(u[k] / B) - over(u[j] / B, (j, n)), 0, evaluate=False), u=R, B=POSITIVE)
    assert verify(found).outcome == "proved"


def test_a_statement_at_a_size_is_written_out() -> None:
    two = at_sizes(TRUE["the square of a sum"], {"n": 2})
    first, second = Symbol("u_1"), Symbol("u_2")
    assert two.then == ((first + second) ** 2 <= 2 * (first**2 + second**2))
    with pytest.raises(NotIndexedError):
        at_sizes(TRUE["the square of a sum"], {"n": 0})


TWINS = {
    "the square of a sum": {"then": over(u[k]) ** 2 <= over(u[k] ** 2)},
    "one term": {"variables": {u: R}},
    "inverse squares": {"then": over(1 / k**2) <= Rational(3, 2) - 1 / (2 * n)},
    "the power mean of degree 3": {"variables": {x: R}},
}


def test_four_hundred_changed_certificates_prove_no_false_twin() -> None:
    tried = (require_rejections(TRUE[name], TRUE[name].but(**change), name) for name, change in TWINS.items())
    assert sum(tried) == 400


def test_a_size_is_a_counterexample_and_never_a_proof() -> None:
    inner = verify(at_sizes(TRUE["squares"], {"n": 2})).certificate
    forged = {"kind": "families", "sizes": {"n": 2}, "certificate": inner}
    assert isinstance(accept(TRUE["squares"], Sense.HOLDS, forged), Rejection)


@pytest.mark.parametrize(
    ("then", "truth"),
    [
        (Eq(over(KroneckerDelta(u[k], 1)), n), "holds"),
        (over(KroneckerDelta(u[k], v[k])) >= n, "holds"),
        (over(KroneckerDelta(u[k], B)) > 0, "holds"),
        (over(v[k] * KroneckerDelta(u[k], v[k])) > 0, "holds"),
        (ForEach(i, n, Eq(KroneckerDelta(u[i], v[i]), 1)), "holds"),
        (over(KroneckerDelta(u[k], v[k])) > n, "fails"),
    ],
    ids=str,
)
def test_a_delta_of_entries_asks_for_their_values(then: Any, truth: str) -> None:
    """Entries with different names may be equal; here all of them are 1."""
    ones = (ForEach(i, n, Eq(u[i], 1)), ForEach(i, n, Eq(v[i], 1)), Eq(B, 1))
    two = at_sizes(claim(then, *ones, u=R, v=R, B=R), {"n": 2})
    assert verify(two, effort="quick").outcome == ("refuted" if truth == "fails" else "proved")


def test_an_index_may_be_equal_to_another() -> None:
    """Entries at two indices are not different because the indices have different names."""
    apart = claim(ForEach(i, n, ForEach(j, n, Implies(Eq(u[i], u[j]), Eq(u[i] - u[j], 0)))), u=R)
    assert verify(apart).outcome == "proved"
    different = claim(ForEach(i, n, ForEach(j, n, u[i] ** 2 + u[j] ** 2 > 2 * u[i] * u[j])), u=R)
    assert verify(different).outcome == "refuted"


@pytest.mark.parametrize("name", [*TRUE, *FALSE])
def test_a_statement_is_stored_and_read_back(name: str) -> None:
    statement = (TRUE | FALSE)[name]
    again = decode_statement(json.loads(json.dumps(encode_statement(statement))))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()


def test_a_property_test_draws_sizes_and_points() -> None:
    as_property_test(TRUE["the square of a sum"], max_examples=20)()
    with pytest.raises(AssertionError, match="u_2"):
        as_property_test(FALSE["the square of a sum without n"], max_examples=60)()


BAD = {
    "is no symbol: bind one": lambda: u[1],
    "is free: write ForEach": lambda: claim(u[i] > 0, u=R),
    "runs to m, not to n": lambda: claim(over(u[k], (k, m)) > 0, u=R, m=S.Naturals),
    "runs from 1 to a size": lambda: claim(Sum(u[k], (k, 0, n)) > 0, u=R),
    "also means something else": lambda: claim(ForEach(k, n, over(u[k]) > u[k]), u=R),
    "is a positive whole number": lambda: claim(over(u[k]) > 0, u=R, n=R),
    "has no domain: add it": lambda: claim(over(u[k]) > 0),
    "lie in a set such as Reals": lambda: claim(over(u[k]) > 0, u=3),
    "needs a size": lambda: family("u"),
    "needs a name": lambda: family("2u", n),
    "has 1 indices, not 2": lambda: u[i, j],
    "needs an index": lambda: ForEach(2, n, u[i] > 0),
    "for one size write it out": lambda: family("u", 3),
}


@pytest.mark.parametrize("sentence", BAD)
def test_misuse_is_said_in_words(sentence: str) -> None:
    with pytest.raises(LemmascopeError, match=sentence):
        BAD[sentence]()


def test_an_index_with_a_name_of_the_normal_form_is_not_caught_by_another_sum() -> None:
    """The inner sum runs over an index that the normal form would also choose for the sum around it."""
    own = Symbol("_s0")
    names = Names(["n"])
    nested = over(u[i] * over(v[k] * u[i] * over(w[k] * z[own], (own, n))), (i, n))
    apart = over(u[i] ** 2, (i, n)) * over(v[k]) * over(w[k] * z[k])
    assert names.number(nested, ()) == names.number(nested.xreplace({own: j}), ())
    assert names.number(nested, ()) != names.number(apart, ())
    place = Symbol("_b0")
    with pytest.raises(NotIndexedError, match="rename"):
        names.number(over(u[k] * exp(v[k] * v[place])), ((place, n),))
