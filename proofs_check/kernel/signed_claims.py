"""Claims about the sign of an expression on a region, and the conditions on which rules for them depend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr, Ne, S, Set, Symbol, true
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.conditions import Shown

Step = Mapping[str, Any]


@dataclass(frozen=True)
class Signed:
    """On all points of a region an expression, which has a value there, is positive or at least not negative."""

    variables: tuple[Symbol, ...]
    given: tuple[Boolean, ...]
    expression: Expr
    strict: bool

    @property
    def relation(self) -> Boolean:
        """The claim as a relation to 0."""
        return (Gt if self.strict else Ge)(self.expression, 0)

    def but(self, expression: Expr, *more: Boolean, strict: bool | None = None) -> Signed:
        """Another expression, or further hypotheses."""
        fresh = [part for part in more if part != true]
        given = tuple(dict.fromkeys((*(part for part in self.given if not is_at_hand(part, fresh)), *fresh)))
        return replace(self, expression=expression, given=given, strict=self.strict if strict is None else strict)


class Conditions:
    """What shows conditions on a region."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown

    def hold(self, claim: Signed, conditions: Iterable[Boolean]) -> bool:
        """Whether all conditions hold on the region of a claim."""
        return all(any(self._holds(claim, way) for way in _ways(condition)) for condition in conditions)

    def _holds(self, claim: Signed, condition: Boolean) -> bool:
        about = _about(condition, claim.given)
        return is_at_hand(condition, claim.given) or self.shown.follows(condition, *about)


def _ways(condition: Boolean) -> tuple[Boolean, ...]:
    """Relations each of which says that a condition holds: what is not 0 may be positive all over, or negative."""
    if not isinstance(condition, Ne):
        return (condition,)
    gap = condition.lhs - condition.rhs
    return (condition, Gt(gap, 0), Gt(-gap, 0))


def _about(condition: Boolean, given: tuple[Boolean, ...]) -> tuple[dict[Symbol, Set], tuple[Boolean, ...]]:
    """The variables and hypotheses that a condition has to do with; it may be shown without the others."""
    used = set(condition.free_symbols)
    while True:
        kept = tuple(part for part in given if part.free_symbols & used)
        more = {symbol for part in kept for symbol in part.free_symbols} - used
        if not more:
            return dict.fromkeys(sorted(used, key=str), S.Reals), kept
        used |= more


def is_at_hand(condition: Boolean, given: Iterable[Boolean]) -> bool:
    """Whether one hypothesis says a condition, up to a number by which it says more.

    >>> x = Symbol("x")
    >>> is_at_hand(x > 0, (x >= 1,)), is_at_hand(Ne(x, 0), (0 > x,)), is_at_hand(x > 1, (x >= 1,))
    (True, True, False)
    """
    if not isinstance(condition, (Ge, Gt, Le, Lt, Ne)):
        return bool(condition == true)
    sides = (condition.lhs - condition.rhs) if isinstance(condition, Ne) else (condition.gts - condition.lts)
    wanted = (sides, -sides) if isinstance(condition, Ne) else (sides,)
    strict = not isinstance(condition, (Ge, Le))
    for part in given:
        if isinstance(part, (Ge, Gt, Le, Lt)):
            for gap in wanted:
                room = gap - (part.gts - part.lts)
                if room.is_Rational and (room > 0 or (room == 0 and not (strict and isinstance(part, (Ge, Le))))):
                    return True
    return False
