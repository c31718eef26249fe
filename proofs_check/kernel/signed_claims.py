"""Claims about the sign of an expression on a region, and the conditions on which rules for them depend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import Abs, Add, Expr, Mul, Ne, Pow, S, Set, Symbol, cosh, exp, true
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.point import sign
from theory.language.definedness import demands

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
        return all(self._holds(claim, _ways(condition)) for condition in conditions)

    def _holds(self, claim: Signed, ways: tuple[Boolean, ...]) -> bool:
        if any(is_at_hand(way, claim.given) or is_plain(way) for way in ways):
            return True
        return any(self.shown.follows(way, *_about(way, claim.given)) for way in ways)


def _ways(condition: Boolean) -> tuple[Boolean, ...]:
    """Relations each of which says that a condition holds: what is not 0 may be positive all over, or negative."""
    if not isinstance(condition, Ne):
        return (condition,)
    gap = condition.lhs - condition.rhs
    return (Gt(gap, 0), Gt(-gap, 0), condition)


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
    """Whether one hypothesis says a condition, up to a positive factor and a number by which it says more.

    >>> x = Symbol("x")
    >>> is_at_hand(2 * x > 1, (x >= 1,)), is_at_hand(Ne(x, 0), (0 > x,)), is_at_hand(x > 1, (x >= 1,))
    (True, True, False)
    """
    if not isinstance(condition, (Ge, Gt, Le, Lt, Ne)):
        return bool(condition == true)
    sides = (condition.lhs - condition.rhs) if isinstance(condition, Ne) else (condition.gts - condition.lts)
    wanted = [_scaled(side) for side in ((sides, -sides) if isinstance(condition, Ne) else (sides,))]
    strict = not isinstance(condition, (Ge, Le))
    for part in given:
        if isinstance(part, (Ge, Gt, Le, Lt)):
            for gap in wanted:
                room = gap - _scaled(part.gts - part.lts)
                if room.is_Rational and (room > 0 or (room == 0 and not (strict and isinstance(part, (Ge, Le))))):
                    return True
    return False


def _scaled(gap: Expr) -> Expr:
    """A positive multiple of a sum: one in which the first term that varies has the coefficient 1 or -1."""
    terms = expanded(gap).as_coefficients_dict()
    varying = sorted((term for term in terms if term.free_symbols), key=str)
    return Add(*[number / abs(terms[varying[0]]) * term for term, number in terms.items()]) if varying else gap


def is_plain(condition: Boolean) -> bool:
    """Whether the form of a condition shows it: a sum or product of what is positive, or not negative, for all reals.

    >>> x = Symbol("x")
    >>> is_plain(1 + x**2 > 0), is_plain(x**2 > 0), is_plain(Ne(1 + exp(x), 0)), is_plain(exp(1 / x) > 0)
    (True, False, True, False)
    """
    if not isinstance(condition, (Ge, Gt, Le, Lt, Ne)):
        return False
    gap = (condition.lhs - condition.rhs) if isinstance(condition, Ne) else (condition.gts - condition.lts)
    if not all(part == true or is_plain(part) for part in demands(condition.args)):
        return False
    found = _plain_sign(gap)
    return found == 1 or (found == 0 and isinstance(condition, (Ge, Le)))


def _plain_sign(part: Expr) -> int | None:
    """1 for what is positive, 0 for what is not negative, for all real values; None where the form does not tell."""
    if not part.free_symbols:
        known = sign(part, {})
        return known if known in (0, 1) else None
    if isinstance(part, (exp, cosh)):
        return 1
    if isinstance(part, Abs):
        return 0
    if isinstance(part, (Add, Mul)):
        signs = [one for one in map(_plain_sign, part.args) if one is not None]
        return None if len(signs) < len(part.args) else max(signs) if isinstance(part, Add) else min(signs)
    if isinstance(part, Pow) and part.exp.is_Rational:
        base = _plain_sign(part.base)
        if base == 1:
            return 1
        is_even = part.exp.is_Integer and part.exp % 2 == 0
        return 0 if part.exp > 0 and (is_even or base == 0) else None
    return None
