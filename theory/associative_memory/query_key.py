"""The query-key gradient after the first step, when the prediction of noise is still a number p below alpha.

The value matrix is minus the gradient at zero. Rows of that gradient sum to zero, and so do the deviations of a
direction from its mean, so only the tokens that differ from an ordinary one enter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from sympy import Symbol

from theory.associative_memory.gradients import Data
from theory.associative_memory.leading import Laurent, large_data
from theory.associative_memory.one_layer import Attention

PREDICTION = Symbol("p")
ELSE = "else"


@dataclass(frozen=True, eq=False)
class FirstStep:
    """Projections of minus the query-key gradient on trigger rows and current tokens, one step after zero."""

    data: Data
    prediction: Any
    with_previous: bool = True

    def row(self, row: str, column: str, *, before: bool = False) -> Any:
        """An entry of the value matrix: on the current token, or on the previous one."""
        return self._rows(row, column, before)

    @cached_property
    def _rows(self) -> Callable[[str, str, bool], Any]:
        return cache(self._row)

    def _row(self, row: str, column: str, before: bool) -> Any:
        data = self.data

        def given(target: str) -> Any:
            sequence, role = data.sequence(target), data.role(column, target)
            count = sequence.free.mean(role) if before else sequence.mean(role)
            return -data.factor(row, target) * count / data.length

        return data.average(given, row, column)

    def pull(self, target: str, column: str, *, before: bool = False) -> Any:
        """sum over rows k of (P(y = k) - prediction of k) times the value matrix at (k, column)."""
        noise = self.row("noise", column, before=before)
        own = self.row(target, column, before=before)
        rest = (1 - self.prediction) / self.data.vocabulary
        return (self.data.noise - self.prediction + rest) * noise + (1 - self.data.noise) * own

    def noise_part(self, token: str) -> Any:
        """The part B of Eq. (4.7), without its factor alpha - p: the row of the noise token alone."""
        return self.data.average(lambda target: self._spread(token, target, "noise"), token) / self.data.length

    def token_part(self, token: str, row: str) -> Any:
        """One summand A of Eq. (4.7): the row of an ordinary token, averaged over all targets."""
        return self.data.average(lambda target: self._spread(token, target, row), token, row) / self.data.length

    def total(self, token: str) -> Any:
        """The whole projection on the embedding of a current token."""
        return self.data.average(lambda target: self._spread(token, target, None), token) / self.data.length

    def _spread(self, token: str, target: str, row: str | None) -> Any:
        named = target or ELSE
        tokens = list(dict.fromkeys(["trigger", "noise", named, token, *([row] if row else [])]))
        total = self._half(token, named, row, tokens, before=False)
        return total + self._half(token, named, row, tokens, before=True) if self.with_previous else total

    def _half(self, token: str, target: str, row: str | None, tokens: list[str], *, before: bool) -> Any:
        data, sequence = self.data, self.data.sequence(target)
        b = data.role(token, target)

        def weight(column: str) -> Any:
            return self.row(row, column, before=before) if row else self.pull(target, column, before=before)

        ordinary = weight("ordinary")
        total: Any = 0
        if before:
            total = ordinary * (sequence.mean(b) / data.length - sequence.free.elsewhere(b))
        for a in tokens:
            role = data.role(a, target)
            if before:
                value = sequence.pairs(role, b) - sequence.before_product(role, b) / data.length
            else:
                value = (sequence.mean(b) if a == token else 0) - sequence.product(role, b) / data.length
            total = (weight(a) - ordinary) * value + total
        return total


@cache
def first_step(*, forced: bool = True, long: bool = False) -> FirstStep:
    """The first step for large N, cached with all its entries."""
    return FirstStep(large_data(forced=forced, long=long), Laurent.of(PREDICTION))


@cache
def projection(kind: str, token: str, *, long: bool = False) -> Laurent:
    """The projection of phase 3 on a current or previous token, for large N.

    >>> projection("previous", "trigger").leading[0]
    1
    """
    weights = (Laurent.of(Symbol("beta_1")), Laurent.of(Symbol("beta_2")))
    attention = Attention(large_data(long=long), *weights)
    return getattr(attention, kind)(token)
