"""Whether a side condition of an argument holds: it is given, it is about numbers alone, or a proof of it is stored.

A stored proof counts only when its own checker accepts it, it shows the very condition, and it assumes nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sympy import Eq, Ne, Set, Symbol, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.fields import lowest
from proofs_check.kernel.kinds import proves
from proofs_check.kernel.point import truth
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.trees import decode

Domains = frozenset[tuple[Symbol, Set]]


class Shown:
    """Conditions that stored proofs show, each replayed at most once; `used` are the places of those that were."""

    def __init__(self, stored: Iterable[Mapping[str, Any]]) -> None:
        self._proofs = [
            (decode(item["condition"]), frozenset(map(decode, item["given"])), item["certificate"]) for item in stored
        ]
        self.used: set[int] = set()
        self._accepted: dict[tuple[int, Boolean, Domains], bool] = {}
        self._asked: dict[tuple[Boolean, frozenset[Boolean], Domains], bool] = {}

    def follows(self, condition: Boolean, variables: Mapping[Symbol, Set], given: Sequence[Boolean]) -> bool:
        """Whether a condition holds for all values of the variables that satisfy what is given."""
        if condition == true or condition in given:
            return True
        if not condition.free_symbols:
            return truth(condition, {}) is True
        key = (condition, frozenset(given), frozenset(variables.items()))
        if key not in self._asked:
            self._asked[key] = self._stored(condition, variables, frozenset(given))
        return self._asked[key]

    def _stored(self, condition: Boolean, variables: Mapping[Symbol, Set], given: frozenset[Boolean]) -> bool:
        for place, (shown, assumed, _) in enumerate(self._proofs):
            if assumed <= given and _says(shown, condition) and self._replays(place, variables):
                self.used.add(place)
                return True
        return False

    def _replays(self, place: int, variables: Mapping[Symbol, Set]) -> bool:
        shown, assumed, certificate = self._proofs[place]
        key = (place, shown, frozenset(variables.items()))
        if key not in self._accepted:
            try:
                goal = Statement(variables=variables, given=tuple(assumed), then=shown)
                self._accepted[key] = proves(goal, certificate)
            except LemmascopeError:
                self._accepted[key] = False
        return self._accepted[key]


def _says(shown: Boolean, wanted: Boolean) -> bool:
    """Whether two relations to 0 are the same up to a positive number as a factor."""
    if shown == wanted:
        return True
    if not isinstance(shown, Relational) or shown.func is not wanted.func:
        return False
    ratio = lowest((shown.lhs - shown.rhs) / (wanted.lhs - wanted.rhs))
    return bool(ratio.is_Rational and (ratio > 0 or (ratio < 0 and isinstance(shown, (Eq, Ne)))))
