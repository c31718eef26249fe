"""Ends for unbounded sides: cuts beyond which the formula is false, found by trying powers of two.

Each cut leaves a part of the box on which one small atom has a fixed sign, however far the other sides reach, and the
sides of the rest shrink; what one variable gains helps the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, isinf
from typing import Any

from sympy import Symbol

from proofs_check.engines.cover import tails
from proofs_check.kernel.formula_trees import Atom

_LARGEST_ATOM = 30
_ROUNDS = 4
_POWERS = range(-2, 11, 2)


@dataclass
class Cuts:
    """Sides that shrink by cuts; `before` and `after` stand in the tree of the cover around the part that is left."""

    variables: tuple[Symbol, ...]
    sides: list[tuple[float, float]]
    atoms: list[tuple[int, Atom]]
    before: list[Any] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)
    reasons: list[list[Any]] = field(default_factory=list)

    def bound(self) -> bool:
        """Cut until all sides are finite; whether that was possible."""
        for _ in range(_ROUNDS):
            for axis in range(len(self.sides)):
                if any(isinf(high) for _, high in self.sides):
                    self._raise(axis)
                if isinf(self.sides[axis][1]):
                    self._lower(axis)
            if not any(isinf(high) for _, high in self.sides):
                return True
        return False

    def _lower(self, axis: int) -> None:
        low, _ = self.sides[axis]
        for at in (low + 2.0**power for power in _POWERS):
            reason = self._reason(axis, (at, inf))
            if reason is not None:
                self.before.append([axis, at])
                self.after.insert(0, self._numbered(reason))
                self.sides[axis] = (low, at)
                return

    def _raise(self, axis: int) -> None:
        low, high = self.sides[axis]
        for at in (low + 2.0**power for power in reversed(_POWERS)):
            reason = self._reason(axis, (low, at)) if at < high else None
            if reason is not None:
                self.before += [[axis, at], self._numbered(reason)]
                self.sides[axis] = (at, high)
                return

    def _reason(self, axis: int, side: tuple[float, float]) -> list[Any] | None:
        """An atom that is false on the box with one side replaced."""
        sides = dict(zip(self.variables, [*self.sides[:axis], side, *self.sides[axis + 1 :]], strict=True))
        for place, atom in self.atoms:
            if self.variables[axis] in atom.expression.free_symbols:
                signs = tails.signs(atom.expression, sides)
                if signs is not None and not signs & atom.wanted:
                    return [[place, signs, "b"]]
        return None

    def _numbered(self, reason: list[Any]) -> int:
        self.reasons.append(reason)
        return len(self.reasons) - 1


def small(atoms: list[tuple[int, Atom]]) -> Iterator[tuple[int, Atom]]:
    """The atoms that are quickly enclosed."""
    return ((place, atom) for place, atom in atoms if atom.expression.count_ops() <= _LARGEST_ATOM)
