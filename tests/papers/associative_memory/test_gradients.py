"""Gradients of the one-layer model: finite differences in many digits, all sequences, and the forward recursion."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from sympy import Rational

from theory.associative_memory.concentration import feed_forward_holds
from theory.associative_memory.enumerators.procedures import data_at
from theory.associative_memory.one_layer import query_key_gradient
from theory.associative_memory.query_key import FirstStep
from theory.associative_memory.sequences import alphabet, contexts

NOISE = Fraction(1, 3)


def loss(matrix: str, entry: tuple[str, str], size: mpmath.mpf) -> mpmath.mpf:
    """The population loss for N = 2, T = 3 with one weight changed, written out again."""
    names, total = alphabet(2), mpmath.mpf(0)
    for target in names[:-1]:
        for tokens, weight in contexts(3, target, 2, NOISE):
            logits = dict.fromkeys(names, mpmath.mpf(0))
            if matrix == "value":
                logits[entry[0]] += size * tokens.count(entry[1]) / 3
            else:
                logits[entry[0]] += size
            partition = sum(mpmath.exp(value) for value in logits.values())
            for label, share in ((target, 1 - NOISE), ("noise", NOISE)):
                chance = weight * share / 2
                total += mpmath.mpf(chance.numerator) / chance.denominator * (mpmath.log(partition) - logits[label])
    return total


@pytest.mark.parametrize("row", ["trigger", "v1", "noise"])
@pytest.mark.parametrize("column", ["trigger", "v1", "noise"])
def test_value_gradient_by_finite_differences(row: str, column: str) -> None:
    names = {"v1": "j"}
    data = data_at(2, 3, "1/3")
    with mpmath.workdps(50):
        step = mpmath.mpf(10) ** -15
        slope = (loss("value", (row, column), step) - loss("value", (row, column), -step)) / (2 * step)
        closed = data.entry(names.get(row, row), names.get(column, column))
        assert abs(slope - mpmath.mpf(int(closed.p)) / int(closed.q)) < mpmath.mpf(10) ** -25


def _trained(
    recursion: Callable[..., dict[str, Any]], vocabulary: int, length: int, ratio: Fraction
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    size = vocabulary + 1
    moments = [recursion(vocabulary, length, NOISE, target) for target in range(vocabulary)]
    tables = []
    for means in ([found["mean"] for found in moments], [found["before"]["mean"] for found in moments]):
        table = [[Fraction(0)] * size for _ in range(vocabulary)]
        for target, mean in enumerate(means):
            for row in range(vocabulary):
                label = (1 - NOISE) * int(row == target)
                weight = label - Fraction(1, size) + ratio * (label - (1 - NOISE) / vocabulary)
                for column in range(size):
                    table[row][column] += weight * mean[column] / vocabulary / length
        tables.append(table)
    return tables[0], tables[1]


@pytest.mark.parametrize("matrix", ["idealised", "trained"])
def test_query_key_gradient_by_recursion(
    recursion: Callable[..., dict[str, Any]], query_key: Callable[..., Fraction], matrix: str
) -> None:
    vocabulary, length, ratio = 4, 6, Fraction(1, 2)
    found = query_key_gradient(vocabulary, length, NOISE, ratio, matrix)
    if matrix == "idealised":
        now = [[Fraction(int(i == j)) for j in range(vocabulary + 1)] for i in range(vocabulary)]
        before = [[ratio * value for value in row] for row in now]
    else:
        now, before = _trained(recursion, vocabulary, length, ratio)
    for name, token in (("now_trigger", 0), ("now_token", 1), ("now_noise", vocabulary)):
        assert found[name] == query_key(vocabulary, length, NOISE, now, before, token)


def test_first_query_key_gradient_by_all_sequences() -> None:
    vocabulary, length, guess = 4, 4, Fraction(1, 5)
    names = alphabet(vocabulary)
    step = FirstStep(data_at(vocabulary, length, "1/3"), Rational(1, 5))
    listed = {target: list(contexts(length, target, vocabulary, NOISE)) for target in names[:-1]}
    label = {(k, t): NOISE if k == "noise" else (1 - NOISE) * (k == t) for k in names for t in listed}
    now = dict.fromkeys([(k, a) for k in names for a in names], Fraction(0))
    before = dict(now)
    for target, sequences in listed.items():
        for tokens, weight in sequences:
            for k, a in now:
                factor = (label[k, target] - Fraction(1, vocabulary + 1)) * weight / vocabulary / length
                now[k, a] += factor * tokens.count(a)
                before[k, a] += factor * tokens[:-1].count(a)
    for name, token in (("noise", "noise"), ("trigger", "trigger"), ("j", "v1")):
        total = Fraction(0)
        for target, sequences in listed.items():
            for tokens, weight in sequences:
                mean = Fraction(tokens.count(token), length)
                for k in names:
                    pull = label[k, target] - (guess if k == "noise" else (1 - guess) / vocabulary)
                    for t, current in enumerate(tokens):
                        value = now[k, current] + (before[k, tokens[t - 1]] if t else 0)
                        total += weight / vocabulary * pull * value * (int(current == token) - mean) / length
        assert step.total(name) == Rational(total.numerator, total.denominator)


def test_exact_tails_notice_a_shifted_mean() -> None:
    printed = feed_forward_holds(10, Rational(1, 2), Rational(1, 10), 1000, printed=True)
    right = feed_forward_holds(10, Rational(1, 2), Rational(1, 10), 1000, printed=False)
    assert (printed["holds"], right["holds"]) == (0, 1)
