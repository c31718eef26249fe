"""The closed forms of counts and pairs are those of the Markov chain, by forward recursion and by all sequences."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational

from theory.associative_memory.enumerators.procedures import data_at
from theory.associative_memory.sequences import alphabet, contexts, largest_count

NAMES = ("trigger", "v1", "v2", "noise")


def exact(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


@settings(max_examples=12, deadline=None)
@given(
    vocabulary=st.integers(3, 6),
    length=st.integers(3, 9),
    noise=st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    target=st.integers(0, 1),
)
def test_moments_follow_the_recursion(
    recursion: Callable[..., dict[str, Any]], vocabulary: int, length: int, noise: Fraction, target: int
) -> None:
    data = data_at(vocabulary, length, str(noise))
    goal = "trigger" if target == 0 else "v1"
    sequence, found = data.sequence(goal), recursion(vocabulary, length, noise, target)
    places = {"trigger": 0, "v1": 1, "v2": 2, "noise": vocabulary}
    for one in NAMES:
        first = data.role(one, goal)
        assert sequence.mean(first) == exact(found["mean"][places[one]])
        assert sequence.free.mean(first) == exact(found["before"]["mean"][places[one]])
        for two in NAMES:
            second = data.role(two, goal)
            i, j = places[one], places[two]
            assert sequence.product(first, second) == exact(found["square"][i][j])
            assert sequence.pairs(first, second) == exact(found["pairs"][i][j])
            assert sequence.before_product(first, second) == exact(found["mixed"][i][j])


@pytest.mark.parametrize("target", ["trigger", "v1"])
def test_moments_are_those_of_all_sequences(target: str) -> None:
    noise, length = Fraction(2, 7), 5
    sequence = data_at(3, length, "2/7").sequence(target)
    listed = list(contexts(length, target, 3, noise))
    for token in alphabet(3):
        role = data_at(3, length, "2/7").role(token, target)
        square = sum((weight * tokens.count(token) ** 2 for tokens, weight in listed), Fraction(0))
        assert sequence.product(role, role) == exact(square)


@pytest.mark.parametrize("target", ["trigger", "v1"])
def test_largest_counts_are_those_of_all_sequences(target: str) -> None:
    listed = [tokens for tokens, _ in contexts(6, target, 3, Fraction(1, 2))]
    for token in alphabet(3):
        assert largest_count(token, target, 6, 3) == max(tokens.count(token) for tokens in listed)
