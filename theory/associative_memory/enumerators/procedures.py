"""Exact procedures of this paper: sequences enumerated, tails of binomials summed, gradients in rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sympy import Integer, Rational

from theory.associative_memory.concentration import attention_holds, feed_forward_holds
from theory.associative_memory.gradients import Data
from theory.associative_memory.one_layer import enumerated_gradients, query_key_gradient
from theory.associative_memory.sequences import largest_count
from theory.enumerators import enumerator


def data_at(vocabulary: int, length: int, noise: str, *, forced: bool = True) -> Data:
    """The law of the data at rational sizes, with the powers of both eigenvalues."""
    n, t, level = Integer(vocabulary), Integer(length), Rational(noise)
    free = t - 1 if forced else t
    powers = ((1 - level - 1 / n) ** (free - 1), (-1 / n) ** (free - 1))
    return Data(forced, t, n, level, powers)


@enumerator("associative_memory.reach")
def reach(row: str, column: str, vocabulary: int, noise: str, T: int) -> dict[str, Any]:
    """The largest deviation of a gradient entry of one sample from its mean, over all admissible sequences.

    >>> reach("noise", "noise", 4, "1/2", 9)["reach"] < 1
    True
    """
    data = data_at(vocabulary, T, noise)
    mean, guess = data.entry(row, column), Rational(1, vocabulary + 1)
    tokens = [name if name in ("trigger", "noise") else {"j": "v1", "k": "v2"}[name] for name in (row, column)]
    worst, shown = Rational(0), {}
    for target in ("trigger", "v1", "v2", "v3"):
        share = Rational(largest_count(tokens[1], target, T, vocabulary), T)
        for label in (target, "noise"):
            value = (guess - int(label == tokens[0])) * share
            for candidate in (value, Rational(0)):
                if abs(candidate - mean) > worst:
                    worst = abs(candidate - mean)
                    shown = {"target": target, "label": label, "share of the column": share}
    return {"reach": worst, "counterexample": shown, "coverage": f"N = {vocabulary}, alpha = {noise}"}


@enumerator("associative_memory.gradients")
def gradients(N: int, T: int, noise: str) -> dict[str, Any]:
    """How far the gradients of Eq. (4.2) by enumeration of all sequences are from the closed forms.

    >>> gradients(2, 3, "1/3")["mismatch"]
    0
    """
    found = enumerated_gradients(N, T, Fraction(noise))
    data = data_at(N, T, noise)
    names = {"v1": "j", "v2": "k"}
    mismatch = Rational(0)
    for (row, column), value in found.value.items():
        called = data.entry(names.get(row, row), names.get(column, column))
        mismatch += abs(called - Rational(value))
    feed = {row: Rational(value) for row, value in found.feed_forward.items()}
    return {
        "mismatch": mismatch,
        "query_key": Rational(found.query_key),
        "feed_noise": feed["noise"],
        "feed_other": feed["v1"],
        "cases": found.cases,
    }


@enumerator("associative_memory.feed_forward_bound")
def feed_forward_bound(vocabulary: int, noise: str, delta: str, mean: str, m: int) -> dict[str, Any]:
    """Whether Lemma C.1's bound holds with probability 1 - delta, from exact binomial tails.

    >>> feed_forward_bound(10, "1/2", "1/10", "exact", 50)["holds"]
    1
    """
    return feed_forward_holds(vocabulary, Rational(noise), Rational(delta), m, printed=mean == "printed")


@enumerator("associative_memory.attention_bound")
def attention_bound(vocabulary: int, length: int, noise: str, delta: str, mean: str, m: int) -> dict[str, Any]:
    """Whether Lemma C.2's bound holds with probability 1 - delta, by certified concentration.

    >>> attention_bound(10, 30, "1/2", "1/10", "exact", 1000)["holds"]
    1
    """
    return attention_holds(data_at(vocabulary, length, noise), Rational(delta), m, printed=mean == "printed")


@enumerator("associative_memory.query_key")
def query_key(N: int, T: int, noise: str, rho: str, matrix: str) -> dict[str, Any]:
    """Projections of the query-key gradient of phase 3 in rational arithmetic, for the value matrix that is named."""
    level, ratio = Fraction(noise), Fraction(rho)
    attention: Callable[..., dict[str, Fraction]] = query_key_gradient
    found = attention(N, T, level, ratio, matrix)
    return {key: Rational(value) for key, value in found.items()}
