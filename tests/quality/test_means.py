"""Means over noise: true statements are proved, false ones refuted, twins without a hypothesis are not proved."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from forgeries import require_rejections
from sympy import Eq, Expr, Interval, Rational, S, Symbol, oo, symbols

from numerics.noise import means_along
from proofs_check import as_property_test, verify
from proofs_check.kernel.means import realisable, translation
from proofs_check.kernel.moments import NotClosedError
from proofs_check.kernel.theorem import Rejection, Sense, accept
from proofs_check.referee.judge import Case, judge
from theory import (
    Always,
    AtStart,
    ConvergesTo,
    Decreasing,
    Expectation,
    Flow,
    HasPeriod,
    LemmascopeError,
    Map,
    Noise,
    Statement,
    Vectors,
    inner,
    norm,
    vector,
)
from theory.proofs import with_premises
from theory.trees import content_hash, decode_statement, encode_statement

x, v, xi, eps, eta, a, b, s, x0, v0, d, p = symbols("x v xi epsilon eta a b s x0 v0 d p")
X, X0, W, feature, shock = vector("x"), vector("x0"), vector("w"), vector("a"), vector("z")
POSITIVE, R = Interval.open(0, oo), S.Reals
HALF, QUARTER = Rational(1, 2), Rational(1, 4)


def claim(then: Any, step: Any, noise: Any, start: Any = None, given: Any = (), **variables: Any) -> Statement:
    domains = {Symbol(name): domain for name, domain in variables.items()}
    state = (x,) if not isinstance(step, dict) else tuple(step)
    update = (step,) if not isinstance(step, dict) else tuple(step.values())
    begin = start or dict(zip(state, (x0, v0), strict=False))
    domains |= {value: R for value in begin.values() if value in (x0, v0)}
    return Statement(then=then, variables=domains, noise=noise, dynamics=Map(state, update), start=begin, given=given)


BATCH = {(a, b): Noise(values=((1, 3), (2, 1)))}
TWO, SPREAD = {xi: Noise(mean=0, variance=2)}, {xi: Noise(mean=0, variance=s)}
ADDITIVE, UNIT = {xi: Noise(mean=0, variance=s**2)}, {xi: Noise(mean=0, variance=1)}
SGD = x - eta * (a * x + xi)
RATES = {"a": POSITIVE, "eta": POSITIVE, "s": POSITIVE}
SECOND = Expectation(x**2)
MOMENTUM = {x: x + v / 2 - (x + xi) / 4, v: v / 2 - (x + xi) / 4}
LABELS = {feature: Noise(mean=0, variance=1, law="normal"), eps: Noise(mean=0, variance=s)}


def in_space(then: Any, step: Any, noise: Any, *given: Any, **variables: Any) -> Statement:
    domains = {Symbol(name): domain for name, domain in variables.items()} | {X0: Vectors(d)}
    return Statement(then=then, variables=domains, noise=noise, dynamics=Map((X,), (step,)), start={X: X0}, given=given)


REGRESSION = X - eta * (inner(feature, X) - eps) * feature
SQUARE = Expectation(norm(X) ** 2)

TRUE = {
    "the mean of SGD": claim(ConvergesTo(Expectation(x), 0), SGD, ADDITIVE, given=(eta * a < 2,), **RATES),
    "the variance at rest": claim(
        ConvergesTo(SECOND, eta * s**2 / (a * (2 - eta * a))), SGD, ADDITIVE, given=(eta * a < 2,), **RATES
    ),
    "a bound on the variance": claim(
        Always(x0**2 + eta * s**2 / a >= SECOND), SGD, ADDITIVE, given=(eta * a < 1,), **RATES
    ),
    "a random walk spreads": claim(Always(x0**2 <= SECOND), x + xi, UNIT),
    "a martingale keeps its mean": claim(Always(Eq(Expectation(x), x0)), x * (1 + xi), SPREAD, s=POSITIVE),
    "a variance is not negative": claim(Always(Expectation(x) ** 2 <= SECOND), x / 2 + xi, UNIT),
    "multiplicative noise dies out": claim(ConvergesTo(SECOND, 0), x * xi, {xi: Noise(mean=0, variance=HALF)}),
    "multiplicative noise decreases": claim(
        Decreasing(SECOND), x * xi, {xi: Noise(mean=0, variance=HALF)}, start={x: S.One}
    ),
    "label noise on a random feature": claim(
        ConvergesTo(SECOND, eta * s / (2 - 3 * eta)),
        x - eta * a * (a * x - eps),
        {a: Noise(mean=0, variance=1, law="normal"), eps: Noise(mean=0, variance=s)},
        given=(3 * eta < 2,),
        eta=POSITIVE,
        s=POSITIVE,
    ),
    "label noise with a given fourth moment": claim(
        ConvergesTo(SECOND, eta * s / (2 - 5 * eta)),
        x - eta * a * (a * x - eps),
        {a: Noise(mean=0, variance=1, moments={3: 0, 4: 5}), eps: Noise(mean=0, variance=s)},
        given=(5 * eta < 2,),
        eta=POSITIVE,
        s=POSITIVE,
    ),
    "Gaussian features in every dimension": in_space(
        ConvergesTo(SQUARE, d * eta * s / (2 - eta * (d + 2))), REGRESSION, LABELS, eta * (d + 2) < 2,
        eta=POSITIVE, s=POSITIVE,
    ),
    "isotropic noise in every dimension": in_space(
        ConvergesTo(SQUARE, d * s / 3), X / 2 + shock / 2, {shock: Noise(mean=0, variance=s)}, s=POSITIVE
    ),
    "a mean along a direction": Statement(
        variables={X0: Vectors(), W: Vectors()}, noise={shock: Noise(mean=0, variance=1)},
        dynamics=Map((X,), (X / 2 + shock,)), start={X: X0}, then=ConvergesTo(Expectation(inner(X, W)), 0),
    ),
    "momentum at rest": claim(ConvergesTo(SECOND, Rational(3, 11)), MOMENTUM, UNIT),
    "momentum in the mean": claim(ConvergesTo(Expectation(x), 0), MOMENTUM, UNIT),
    "a minibatch of one": claim(
        ConvergesTo(Expectation(x), 1), x - eta * a * (a * x - b), BATCH,
        given=(eta < QUARTER,), eta=POSITIVE,
    ),
    "a minibatch does not rest in the square": claim(
        ConvergesTo(SECOND, Rational(56, 27)), x / 2 + xi, {xi: Noise(values=(0, 1, 1))},
    ),
    "a coin": claim(Always(x0**2 + 4 >= SECOND), x / 2 + xi, {xi: Noise(values=(-1, 1))}),
    "a biased coin": claim(
        ConvergesTo(Expectation(x), 4 * p - 2), x / 2 + xi, {xi: Noise(values=(-1, 1), probabilities=(1 - p, p))}, p=R
    ),
    "a variance known by a bound": claim(
        Always(x0**2 + 2 >= SECOND), x / 2 + xi, {xi: Noise(mean=0, variance=b)}, given=(b <= 1,), b=R
    ),
    "a mean without a map": Statement(
        variables={x: R}, noise={a: Noise(mean=1, variance=2)}, then=Eq(Expectation((a * x) ** 2), 3 * x**2)
    ),
    "Wick in every dimension": Statement(
        variables={W: Vectors(d)}, noise={feature: LABELS[feature]},
        then=Eq(Expectation(norm(feature) ** 2 * inner(feature, W) ** 2), (d + 2) * norm(W) ** 2),
    ),
    "the start is not random": claim(AtStart(x**2 >= 0), SGD, ADDITIVE, **RATES),
}  # fmt: skip
FALSE = {
    "a wrong variance at rest": claim(
        ConvergesTo(SECOND, eta * s**2 / (2 * a)), SGD, ADDITIVE, given=(eta * a < 2,), **RATES
    ),
    "a step that is too long": claim(ConvergesTo(Expectation(x), 0), SGD, ADDITIVE, given=(eta * a < 3,), **RATES),
    "the noise is forgotten": claim(ConvergesTo(SECOND, 0), x / 2 + xi, UNIT),
    "a random walk is bounded": claim(Always(x0**2 + 100 >= SECOND), x + xi, UNIT),
    "multiplicative noise grows": claim(ConvergesTo(SECOND, 0), x * xi, TWO, start={x: S.One}),
    "a martingale dies out in the mean": claim(
        ConvergesTo(Expectation(x), 0), x * (1 + xi), {xi: Noise(mean=0, variance=s)}, s=POSITIVE
    ),
    "Gaussian features without the dimension": in_space(
        ConvergesTo(SQUARE, d * eta * s / (2 - eta * (d + 2))), REGRESSION, LABELS, eta < HALF, eta=POSITIVE, s=POSITIVE
    ),
    "isotropic noise without the dimension": in_space(
        ConvergesTo(SQUARE, s / 3), X / 2 + shock / 2, {shock: Noise(mean=0, variance=s)}, s=POSITIVE
    ),
    "drawn together as if apart": claim(
        ConvergesTo(Expectation(x), Rational(6, 5)), x - eta * a * (a * x - b), BATCH,
        given=(eta < QUARTER,), eta=POSITIVE,
    ),
    "momentum with the variance of SGD": claim(ConvergesTo(SECOND, Rational(1, 7)), MOMENTUM, UNIT),
    "Wick without the fourth moment": Statement(
        variables={W: Vectors(d)}, noise={feature: LABELS[feature]},
        then=Eq(Expectation(norm(feature) ** 2 * inner(feature, W) ** 2), d * norm(W) ** 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved(name: str) -> None:
    verdict = verify(TRUE[name], effort="standard")
    assert verdict.outcome == "proved", verdict.notes


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted(name: str) -> None:
    verdict = judge(Case(FALSE[name], "standard", correct=False))
    assert verdict.outcome == "refuted", verdict.notes
    assert verdict.counterexample is not None


REFUSED = {
    "the moment E[a**3] is needed": claim(
        ConvergesTo(SECOND, 0), x - a * (a * x - eps), {a: Noise(mean=0, variance=1), eps: Noise(mean=0, variance=1)}
    ),
    "a moment of order 3 of the vector a": in_space(
        ConvergesTo(SQUARE, 0), REGRESSION, LABELS | {feature: Noise(mean=0, variance=1)}, eta=POSITIVE, s=POSITIVE
    ),
    "do not close: E[x**4] is needed for the next E[x**2]": claim(Always(SECOND <= 1), x - x**3 + xi, UNIT),
    "only polynomials": claim(Always(Expectation(abs(x)) <= 1), x / 2 + xi, UNIT),
    "divide by positive variables": claim(Always(SECOND >= 0), x / b + xi, UNIT, b=R),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_does_not_close_is_refused_with_the_first_moment(sentence: str) -> None:
    with pytest.raises(NotClosedError, match=sentence.replace("[", r"\[").replace("*", r"\*")):
        translation(REFUSED[sentence])
    verdict = verify(REFUSED[sentence], effort="quick")
    assert verdict.outcome == "open"
    assert any(sentence in note for note in verdict.notes)


def test_moments_that_no_noise_has_refute_nothing() -> None:
    """E x^4 < (E x^2)^2 has no noise: whatever is said of one is true."""
    impossible = Noise(mean=0, variance=1, moments={3: 0, 4: b})
    fourth = Statement(variables={b: R}, noise={xi: impossible}, then=Expectation(xi**4) >= 1)
    assert verify(fourth).outcome != "refuted"
    assert verify(fourth.but(then=Expectation(xi**4) >= 2)).outcome == "refuted"
    negative = Statement(variables={b: R}, noise={xi: Noise(mean=0, variance=b)}, then=Expectation(xi**2) >= 0)
    assert verify(negative).outcome == "proved"


def test_a_gap_between_the_moments_refutes_nothing() -> None:
    assert realisable(Noise(mean=0, variance=1, moments={4: b})) is None
    assert realisable(Noise(mean=0, variance=b)) == [b >= 0]


def test_a_size_is_a_whole_number() -> None:
    broken = FALSE["isotropic noise without the dimension"]
    with pytest.raises(LemmascopeError, match="positive whole number"):
        translation(broken.but(variables={**broken.variables, d: POSITIVE}))


def test_a_step_of_a_proof_about_means_is_no_premise_about_trajectories() -> None:
    first = TRUE["a coin"].but(id="a", noise=TRUE["a coin"].noise)
    later = Statement(
        variables={x0: R}, dynamics=first.dynamics.substitute({xi: 0}), start={x: x0}, then=Always(x >= x0 - 9)
    )
    assert with_premises(later, [first]).given == ()


def test_two_vectors_on_a_line_refute_nothing() -> None:
    """In dimension one two vectors are parallel, which their coordinates here do not know."""
    both = Statement(
        variables={X0: Vectors(1), W: Vectors(1)}, noise={shock: Noise(mean=0, variance=1)},
        dynamics=Map((X,), (X + shock,)), start={X: X0},
        then=Always(Expectation(inner(X, W)) ** 2 >= norm(X0) ** 2 * norm(W) ** 2),
    )  # fmt: skip
    assert translation(both).to_refute is None
    assert verify(both).outcome != "refuted"


@pytest.mark.parametrize("name", [name for name in TRUE | FALSE if not (TRUE | FALSE)[name].speaks_of_spaces])
def test_the_map_of_the_moments_agrees_with_an_ensemble(name: str) -> None:
    """An independent route: 20,000 seeded paths, two steps, means within eight standard errors."""
    statement = (TRUE | FALSE)[name]
    if statement.dynamics is None or not statement.then.atoms(Expectation):
        return
    numbers = {symbol: Rational(1, 5) for symbol in statement.variables}
    mean = min(statement.then.atoms(Expectation), key=str)
    start = {symbol: float(value.subs(numbers)) for symbol, value in statement.start.items()}
    update = dict(zip(statement.dynamics.state, statement.dynamics.right_side, strict=True))
    floats = {symbol: float(value) for symbol, value in numbers.items()}
    rows = means_along(start, update, statement.noise, [mean.args[0]], floats, steps=2, shape=(20000, 1), seed=1)
    about = translation(statement.but(then=Always(mean <= 0))).to_prove
    moments = {symbol: value.subs(numbers) for symbol, value in about.start.items()}
    for (found, error), *_ in rows:
        exact = float(about.then.args[0].lhs.subs({**numbers, **moments}))
        assert abs(found - exact) <= 8 * error + 1e-9
        rules = zip(about.dynamics.state, about.dynamics.right_side, strict=True)
        moments = {symbol: rule.subs({**numbers, **moments}) for symbol, rule in rules}


def gaussian_mean(letters: list[int]) -> Expr:
    """E of a product of coordinates of a standard normal vector, by pairings (Isserlis), written independently."""
    if not letters:
        return S.One
    first, *rest = letters
    left = [rest[:k] + rest[k + 1 :] for k, other in enumerate(rest) if other == first]
    return sum(map(gaussian_mean, left), S.Zero)


def test_wick_agrees_with_coordinates() -> None:
    """E |a|^4 <a,w>^2 in dimension 2, coordinate by coordinate."""
    quantity = norm(feature) ** 4 * inner(feature, W) ** 2
    statement = Statement(variables={W: Vectors(2)}, noise={feature: LABELS[feature]}, then=Expectation(quantity) >= 0)
    found = translation(statement).to_prove.then.lhs
    w = (3, 5)
    parts = (w[k] * w[m] * gaussian_mean([i, i, j, j, k, m]) for i, j, k, m in product(range(2), repeat=4))
    (length,) = found.free_symbols
    assert found.subs(length, S(34) ** HALF) == sum(parts)


MUTABLE = ["the mean of SGD", "a coin", "a mean without a map", "a minibatch of one"]
TWINS = {
    "the mean of SGD": {"given": (eta * a < 3,)},
    "a coin": {"noise": {xi: Noise(values=(-3, 3))}},
    "a mean without a map": {"noise": {a: Noise(mean=1, variance=1)}},
    "a minibatch of one": {"noise": {(a, b): Noise(values=((1, 1), (2, 3)))}},
}


def test_four_hundred_changed_certificates_prove_no_false_twin() -> None:
    assert sum(require_rejections(TRUE[name], TRUE[name].but(**TWINS[name]), name) for name in MUTABLE) == 400


def test_certificates_for_other_statements_say_nothing_about_means() -> None:
    """A proof about the update with the noise as a fixed number is no proof about means."""
    statement = TRUE["the mean of SGD"]
    inner_certificate = verify(statement).certificate["certificate"]
    assert isinstance(accept(statement, Sense.HOLDS, inner_certificate), Rejection)


@pytest.mark.parametrize("name", [*TRUE, *FALSE])
def test_a_statement_is_stored_and_read_back(name: str) -> None:
    statement = (TRUE | FALSE)[name]
    again = decode_statement(json.loads(json.dumps(encode_statement(statement))))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()
    changed = {key: Noise(values=(tuple(range(len(key))) if len(key) > 1 else 7,)) for key in statement.noise
               if not statement.speaks_of_spaces}  # fmt: skip
    assert not changed or content_hash(statement.but(noise=changed)) != content_hash(statement)


def test_a_property_test_draws_points_and_samples_the_noise() -> None:
    as_property_test(TRUE["a coin"], max_examples=5)()
    with pytest.raises(AssertionError):
        as_property_test(FALSE["a random walk is bounded"], max_examples=10)()


BAD = {
    "needs a number": lambda: Expectation(X),
    "mean of a mean": lambda: Expectation(Expectation(x)),
    "which is random: write Expectation": lambda: claim(Always(x <= 1), x / 2 + xi, UNIT),
    "nothing is random": lambda: claim(Always(SECOND <= 1), x / 2, {}),
    "a flow, which has no steps": lambda: Statement(
        variables={x0: R}, noise=UNIT, dynamics=Flow((x,), (-x + xi,)), start={x: x0}, then=Always(SECOND >= 0)
    ),
    "both a variable and a noise": lambda: claim(Always(SECOND >= 0), x / 2 + xi, UNIT, xi=R),
    "both a state and a noise": lambda: claim(Always(SECOND >= 0), x / 2, {x: Noise(mean=0, variance=1)}),
    "needs mean= and variance=": lambda: Noise(mean=0),
    "is negative": lambda: Noise(mean=0, variance=-1),
    "add up to 1": lambda: Noise(values=(0, 1), probabilities=(HALF, QUARTER)),
    "is a float": lambda: Noise(mean=0, variance=0.1),
    "orders from 3 on": lambda: Noise(mean=0, variance=1, moments={2: 1}),
    "law 'uniform' is not known": lambda: Noise(mean=0, variance=1, law="uniform"),
    "drawn together": lambda: claim(Always(SECOND >= 0), x + a * b, {(a, b): Noise(mean=0, variance=1)}),
    "of a random trajectory: say it of the start": lambda: claim(
        Always(SECOND >= 0), x / 2 + xi, UNIT, given=(Always(x > 0),)
    ),
    "the period of a random trajectory": lambda: claim(HasPeriod(1), x / 2 + xi, UNIT),
    "drawn later": lambda: claim(Always(SECOND >= 0), x / 2 + xi, UNIT, given=(xi > 0,)),
    "hypothesis about a mean": lambda: claim(Always(SECOND >= 0), x / 2 + xi, UNIT, given=(SECOND > 0,)),
    "described by 1": lambda: claim(Always(SECOND >= 0), x / 2 + xi, {xi: 1}),
    "add its mean in the update": lambda: in_space(Always(SQUARE >= 0), X + shock, {shock: Noise(mean=1, variance=1)}),
}


@pytest.mark.parametrize("sentence", BAD)
def test_misuse_is_said_in_words(sentence: str) -> None:
    with pytest.raises(LemmascopeError, match=sentence):
        BAD[sentence]()


NEARBY = Always(Expectation(x) <= x0 + 5)
COIN = {xi: Noise(values=(0, 1), probabilities=(p, 1 - p))}
TWO_CHANCES = {xi: Noise(values=(0, 1), probabilities=(p, s))}
VARIABLE = {xi: Noise(mean=0, variance=v)}
NO_NOISE = {
    "a negative variance": claim(Always(x0**2 > SECOND), x + xi, VARIABLE, given=(v < 0,), v=R),
    "a variance from its domain": claim(NEARBY, x + xi, VARIABLE, v=Interval(-2, -1)),
    "a probability above 1": claim(NEARBY, x + xi, COIN, given=(p > 1,), p=R),
    "a negative probability": claim(NEARBY, x + xi, COIN, given=(p < 0,), p=R),
    "more than 1 altogether": claim(NEARBY, x + xi, TWO_CHANCES, given=(p + s > 1,), p=R, s=R),
    "two laws": claim(NEARBY, x + xi + eps, VARIABLE | {eps: Noise(mean=0, variance=-v - 1)}, v=R),
}


@pytest.mark.parametrize("name", NO_NOISE)
def test_where_there_is_no_such_noise_nothing_is_said(name: str) -> None:
    assert verify(NO_NOISE[name], effort="quick").outcome == "vacuous"
