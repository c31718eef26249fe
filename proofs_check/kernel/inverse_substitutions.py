"""Changes of a variable to one that takes all its values and in which inverse functions and roots disappear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import (
    Expr,
    Pow,
    Rational,
    Symbol,
    acos,
    asin,
    asinh,
    atan,
    atanh,
    cos,
    cosh,
    diff,
    exp,
    log,
    pi,
    sin,
    sinh,
    tan,
    tanh,
)
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.point import sign
from theory.temporal import put_at_once


@dataclass(frozen=True)
class Change:
    """x = value(t), strictly monotone from the range of t onto the part of the line where x must lie."""

    value: Callable[[Expr], Expr]
    inverse: Callable[[Expr], Expr]
    where: Callable[[Expr], tuple[Boolean, ...]]
    range_of: Callable[[Expr], tuple[Boolean, ...]]
    part: Callable[[Expr, Symbol, Symbol], Expr | None] = lambda _part, _x, _t: None
    """What a part of an expression in x is in t, where that is simpler than to put the value in."""
    rises: bool = True


@dataclass(frozen=True)
class Changed:
    """Conditions on the old variable, the hypotheses that are left in the new one, and the expression in it."""

    needed: tuple[Boolean, ...]
    given: tuple[Boolean, ...]
    expression: Expr


def substituted(name: str, x: Symbol, t: Symbol, given: tuple[Boolean, ...], expression: Expr) -> Changed | None:
    """An expression and its hypotheses in a new variable; None for an unknown change.

    Hypotheses that bound the old variable by a number bound the new one, others that speak of it are left out.

    >>> x, t = Symbol("x"), Symbol("t")
    >>> substituted("sin", x, t, (x >= 0,), asin(x) - x).expression
    t - sin(t)
    """
    change = change_called(name)
    if change is None:
        return None
    kept = [part for part in given if not part.has(x)]
    bounds = [bound for part in given if part.has(x) for bound in _bound(change, part, x, t)]
    inside = expression.replace(
        lambda part: part.has(x) and change.part(part, x, t) is not None, lambda part: change.part(part, x, t)
    )
    result = put_at_once(inside, {x: change.value(t)})
    return Changed(change.where(x), tuple(dict.fromkeys((*kept, *bounds, *change.range_of(t)))), result)


def _bound(change: Change, part: Boolean, x: Symbol, t: Symbol) -> list[Boolean]:
    if not isinstance(part, (Ge, Gt, Le, Lt)) or part.free_symbols != {x}:
        return []
    gap = part.gts - part.lts
    slope = diff(gap, x)
    if not slope.is_Rational or slope == 0:
        return []
    end = expanded(x - gap / slope)
    if not all(_holds(condition) for condition in change.where(end)):
        return []
    below = (slope > 0) == change.rises
    relation = (Gt if isinstance(part, (Gt, Lt)) else Ge) if below else (Lt if isinstance(part, (Gt, Lt)) else Le)
    return [relation(t, change.inverse(end))]


def _holds(condition: Boolean) -> bool:
    if not isinstance(condition, (Ge, Gt, Le, Lt)):
        return bool(condition)
    found = sign(condition.gts - condition.lts, {})
    return found == 1 or (found == 0 and isinstance(condition, (Ge, Le)))


def change_called(name: str) -> Change | None:
    """The change of variable of a name; None for an unknown one."""
    if name.startswith("power "):
        power = Rational(name.removeprefix("power "))
        return _power(power) if power > 0 else None
    return _CHANGES.get(name)


def _power(power: Rational) -> Change:
    """t = x^power for x >= 0."""

    def part(one: Expr, x: Symbol, t: Symbol) -> Expr | None:
        found = isinstance(one, Pow) and one.base == x and one.exp.is_Rational
        return t ** (one.exp / power) if found else None

    return Change(lambda t: t ** (1 / power), lambda x: x**power, lambda x: (Ge(x, 0),), lambda t: (Ge(t, 0),), part)


def _logarithms(one: Expr, x: Symbol, t: Symbol) -> Expr | None:
    if one == log(x):
        return t
    if isinstance(one, log) and isinstance(one.args[0], Pow) and one.args[0].base == x and not one.args[0].exp.has(x):
        return one.args[0].exp * t
    if isinstance(one, Pow) and one.base == x and not one.exp.has(x):
        return exp(one.exp * t)
    return None


def _root_of(one: Expr, radicand: Expr) -> Expr | None:
    """Twice the exponent of a power of something."""
    found = isinstance(one, Pow) and one.exp.is_Rational and same(one.base, radicand)
    return 2 * one.exp if found else None


def _angles(one: Expr, x: Symbol, t: Symbol) -> Expr | None:
    if one in (asin(x), acos(x)):
        return t if one == asin(x) else pi / 2 - t
    power = _root_of(one, 1 - x**2)
    return None if power is None else cos(t) ** power


def _tangents(one: Expr, x: Symbol, t: Symbol) -> Expr | None:
    if one == atan(x):
        return t
    power = _root_of(one, 1 + x**2)
    return None if power is None else cos(t) ** -power


def _areas(one: Expr, x: Symbol, t: Symbol) -> Expr | None:
    if one == asinh(x):
        return t
    power = _root_of(one, 1 + x**2)
    return None if power is None else cosh(t) ** power


def _nothing(_: Expr) -> tuple[Boolean, ...]:
    return ()


_EXPONENTIAL = Change(exp, log, lambda x: (Gt(x, 0),), _nothing, _logarithms)
_SINE = Change(sin, asin, lambda x: (Ge(x, -1), Le(x, 1)), lambda t: (Ge(t, -pi / 2), Le(t, pi / 2)), _angles)
_TANGENT = Change(tan, atan, _nothing, lambda t: (Gt(t, -pi / 2), Lt(t, pi / 2)), _tangents)
_HYPERBOLIC_SINE = Change(sinh, asinh, _nothing, _nothing, _areas)
_HYPERBOLIC_TANGENT = Change(
    tanh, atanh, lambda x: (Gt(x, -1), Lt(x, 1)), _nothing, lambda one, x, t: t if one == atanh(x) else None
)
_RECIPROCAL = Change(lambda t: 1 / t, lambda x: 1 / x, lambda x: (Gt(x, 0),), lambda t: (Gt(t, 0),), rises=False)
_OPPOSITE = Change(lambda t: -t, lambda x: -x, _nothing, _nothing, rises=False)

INVERTING = {"sin": _SINE, "tan": _TANGENT, "sinh": _HYPERBOLIC_SINE, "tanh": _HYPERBOLIC_TANGENT}
"""Changes that remove the inverse of a function."""

_CHANGES = {**INVERTING, "exp": _EXPONENTIAL, "inverse": _RECIPROCAL, "minus": _OPPOSITE}
