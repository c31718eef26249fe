"""Token sequences one by one or step by step: the oracles of the closed forms, in rational arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from theory.associative_memory._paper import NOISE, TRIGGER


def alphabet(vocabulary: int) -> list[str]:
    """The trigger, the ordinary tokens, the noise token.

    >>> alphabet(3)
    ['trigger', 'v1', 'v2', 'noise']
    """
    return ["trigger", *[f"v{index}" for index in range(1, vocabulary)], NOISE]


def law_after(token: str, target: str, vocabulary: int, noise: Fraction) -> dict[str, Fraction]:
    """The law of the next token."""
    if token == TRIGGER:
        return {target: 1 - noise, NOISE: noise}
    return dict.fromkeys(alphabet(vocabulary)[:-1], Fraction(1, vocabulary))


def contexts(length: int, target: str, vocabulary: int, noise: Fraction) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every context of the given length that ends in the trigger, with its probability given the target.

    >>> sum(weight for _, weight in contexts(3, "v1", 2, Fraction(1, 3)))
    Fraction(1, 1)
    """
    partial: list[tuple[tuple[str, ...], Fraction]] = [((), Fraction(1))]
    for _ in range(length - 1):
        partial = [
            ((*tokens, token), weight * chance)
            for tokens, weight in partial
            for token, chance in law_after(tokens[-1] if tokens else "", target, vocabulary, noise).items()
        ]
    for tokens, weight in partial:
        yield (*tokens, "trigger"), weight


def largest_count(column: str, target: str, length: int, vocabulary: int) -> int:
    """How often a token can occur in a context of this length that ends in the trigger.

    >>> largest_count("noise", "v1", 10, 5), largest_count("trigger", "v1", 9, 5)
    (4, 5)
    """
    best: dict[str, int] = {"": 0}
    for _ in range(length - 1):
        longer: dict[str, int] = {}
        for token, count in best.items():
            for following in law_after(token, target, vocabulary, Fraction(1, 2)):
                longer[following] = max(longer.get(following, 0), count + (following == column))
        best = longer
    return max(best.values()) + (column == "trigger")
