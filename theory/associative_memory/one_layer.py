"""The one-layer model of Eq. (4.2) in token coordinates, and the gradient of its query-key matrix by closed forms.

With orthonormal embeddings a weight is indexed by a token of the output and an input direction: ("now", token) for
the current token, ("before", token) for the previous one. The first position has no previous token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from sympy import Expr, Integer, Rational, S, Symbol, diff, exp, log

from theory.associative_memory.gradients import Data
from theory.associative_memory.sequences import alphabet, contexts

Direction = tuple[str, str]
Weights = Mapping[tuple[object, object], Expr]


def directions(tokens: tuple[str, ...], position: int) -> list[Direction]:
    """The embedding of one position, as the directions whose sum it is."""
    here = [("now", tokens[position])]
    return here + ([("before", tokens[position - 1])] if position else [])


def sample_loss(tokens: tuple[str, ...], label: str, names: list[str], weights: Mapping[str, Weights]) -> Expr:
    """The cross-entropy of Eq. (4.2) on one sequence; weights that are not given are zero."""
    query_key, value, feed = (weights.get(name, {}) for name in ("query_key", "value", "feed_forward"))
    last = directions(tokens, len(tokens) - 1)
    places = [directions(tokens, t) for t in range(len(tokens))]
    scores = [sum((query_key.get((x, d), S.Zero) for x in last for d in place), S.Zero) for place in places]
    total = sum((exp(score) for score in scores), S.Zero)
    logits = {}
    for name in names:
        attended = sum(
            (
                exp(s) / total * value.get((name, d), S.Zero)
                for s, place in zip(scores, places, strict=True)
                for d in place
            ),
            S.Zero,
        )
        logits[name] = attended + sum((feed.get((name, d), S.Zero) for d in last), S.Zero)
    return log(sum((exp(logit) for logit in logits.values()), S.Zero)) - logits[label]


@dataclass(frozen=True)
class Gradients:
    """Population gradients at zero: of the value matrix on current tokens, and of the other two where it matters."""

    value: dict[tuple[str, str], Fraction]
    feed_forward: dict[str, Fraction]
    query_key: Fraction
    cases: int


def enumerated_gradients(vocabulary: int, length: int, noise: Fraction) -> Gradients:
    """The gradients at zero, by differentiating the loss of every sequence."""
    names, weight = alphabet(vocabulary), Symbol("w")
    value = {(row, column): Fraction(0) for row in names[::1] for column in names}
    feed = dict.fromkeys(names, Fraction(0))
    query_key, cases = Fraction(0), 0

    def slope(tokens: tuple[str, ...], label: str, matrix: str, entry: tuple[object, object]) -> Fraction:
        loss = sample_loss(tokens, label, names, {matrix: {entry: weight}})
        result = Rational(diff(loss, weight).subs(weight, 0))
        return Fraction(int(result.p), int(result.q))

    for target in names[:-1]:
        for tokens, chance in contexts(length, target, vocabulary, noise):
            for label, share in ((target, 1 - noise), ("noise", noise)):
                cases += 1
                probability = chance * share / vocabulary
                for row, column in value:
                    value[row, column] += probability * slope(tokens, label, "value", (row, ("now", column)))
                for row in names:
                    feed[row] += probability * slope(tokens, label, "feed_forward", (row, ("now", "trigger")))
                key = (("now", "trigger"), ("now", "noise"))
                query_key += probability * slope(tokens, label, "query_key", key)
    return Gradients(value, feed, query_key, cases)


@dataclass(frozen=True)
class Attention:
    """Projections of minus the query-key gradient on trigger rows, after the noise association is learned.

    The value matrix is the idealised one of phase 3: beta_1 on the current token and beta_2 on the previous one.
    Then the prediction is alpha on noise and (1 - alpha)/N elsewhere.
    """

    data: Data
    beta_1: Expr
    beta_2: Expr

    def current(self, token: str) -> Expr:
        """The projection on the embedding of a current token."""
        return self._projection(token, self._current_given)

    def previous(self, token: str) -> Expr:
        """The projection on the embedding of a previous token."""
        return self._projection(token, self._previous_given)

    def _projection(self, token: str, given: Callable[[str, str], Expr]) -> Expr:
        mean = self.data.average(lambda target: given(token, target), token)
        return (1 - self.data.noise) / self.data.length * mean

    def _names(self, token: str, target: str) -> tuple[str, str]:
        return self.data.role(token, target), "trigger" if target == "trigger" else "target"

    def _current_given(self, token: str, target: str) -> Expr:
        sequence, length = self.data.sequence(target), self.data.length
        b, goal = self._names(token, target)

        def same(a: str) -> Expr:
            return (sequence.mean(b) if a == b else 0) - sequence.product(a, b) / length

        def shifted(a: str) -> Expr:
            return sequence.pairs(a, b) - sequence.before_product(a, b) / length

        everything = sequence.mean(b) / length - sequence.free.elsewhere(b)
        share = 1 / self.data.vocabulary
        return self.beta_1 * (same(goal) + share * same("noise")) + self.beta_2 * (
            shifted(goal) + share * shifted("noise") - share * everything
        )

    def _previous_given(self, token: str, target: str) -> Expr:
        sequence, length = self.data.sequence(target), self.data.length
        b, goal = self._names(token, target)

        def shifted(a: str) -> Expr:
            return sequence.pairs(b, a) - sequence.before_product(b, a) / length

        def same(a: str) -> Expr:
            return (sequence.free.mean(b) if a == b else 0) - sequence.free.product(a, b) / length

        share, everything = 1 / self.data.vocabulary, sequence.free.mean(b) / length
        return self.beta_1 * (shifted(goal) + share * shifted("noise")) + self.beta_2 * (
            same(goal) + share * same("noise") - share * everything
        )


def query_key_gradient(
    vocabulary: int, length: int, noise: Fraction, ratio: Fraction, matrix: str
) -> dict[str, Fraction]:
    """The projections of phase 3 in numbers, for the idealised value matrix or for the one that phases 1 and 2 make.

    `ratio` is beta_2 / beta_1 for the idealised matrix and t_2 / t_1 for the trained one.
    """
    n, t, level = Integer(vocabulary), Integer(length), Rational(noise.numerator, noise.denominator)
    share = Rational(ratio.numerator, ratio.denominator)
    data = Data(True, t, n, level, ((1 - level - 1 / n) ** (t - 2), (-1 / n) ** (t - 2)))
    names = alphabet(vocabulary)
    now, before = _idealised(names, share) if matrix == "idealised" else _trained(data, names, share)
    found = {}
    for label, kind, token in (
        ("now_trigger", "now", "trigger"),
        ("now_token", "now", "v1"),
        ("now_noise", "now", "noise"),
        ("before_trigger", "before", "trigger"),
        ("before_token", "before", "v1"),
        ("before_noise", "before", "noise"),
    ):
        found[label] = _project(data, names, now, before, kind, token)
    return {key: Fraction(int(value.p), int(value.q)) for key, value in found.items()}


Table = dict[tuple[str, str], Rational]


def _idealised(names: list[str], ratio: Rational) -> tuple[Table, Table]:
    rows = names[:-1]
    now = {(row, column): Rational(int(row == column)) for row in rows for column in names}
    return now, {key: ratio * value for key, value in now.items()}


def _trained(data: Data, names: list[str], ratio: Rational) -> tuple[Table, Table]:
    """One unit of the gradient at zero plus `ratio` units of the gradient with the noise association learned."""

    def weight(row: str, target: str) -> Rational:
        first = data.label(row, target) - 1 / (data.vocabulary + 1)
        return first + ratio * (data.label(row, target) - (1 - data.noise) / data.vocabulary)

    def mean(row: str, column: str, *, free: bool) -> Rational:
        total = S.Zero
        for target in names[:-1]:
            sequence, role = data.sequence(target), data.role(column, target)
            total += weight(row, target) * (sequence.free.mean(role) if free else sequence.mean(role))
        return total / data.vocabulary / data.length

    keys = [(row, column) for row in names[:-1] for column in names]
    return (
        {key: mean(*key, free=False) for key in keys},
        {key: mean(*key, free=True) for key in keys},
    )


def _project(data: Data, names: list[str], now: Table, before: Table, kind: str, token: str) -> Rational:
    total = S.Zero
    for target in names[:-1]:
        pull = {row: (1 - data.noise) * (int(row == target) - 1 / data.vocabulary) for row in names[:-1]}
        direct, shifted = _products(data, target, names, kind, token)
        for a in names:
            total += sum(pull[row] * now[row, a] for row in pull) * direct[a]
            total += sum(pull[row] * before[row, a] for row in pull) * shifted[a]
    return total / data.vocabulary / data.length


def _products(
    data: Data, target: str, names: list[str], kind: str, token: str
) -> tuple[dict[str, Rational], dict[str, Rational]]:
    """E of sum_t 1{z_t = a}, and of sum_t 1{z_(t-1) = a}, times the deviation of the direction at t from its mean."""
    sequence, length, b = data.sequence(target), data.length, data.role(token, target)
    role = cache(lambda a: data.role(a, target))
    direct, shifted = {}, {}
    for a in names:
        equal = a == token
        if kind == "now":
            direct[a] = (sequence.mean(b) if equal else 0) - sequence.product(role(a), b) / length
            shifted[a] = sequence.pairs(role(a), b) - sequence.before_product(role(a), b) / length
        else:
            direct[a] = sequence.pairs(b, role(a)) - sequence.before_product(b, role(a)) / length
            free = sequence.free
            shifted[a] = (free.mean(b) if equal else 0) - free.product(role(a), b) / length
    return direct, shifted
