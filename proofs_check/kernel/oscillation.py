"""Sines and cosines of what grows without bound as a small symbol tends to 0, for the checker of local statements.

What holds for all values from -1 to 1 in the place of a sine holds for the sine. What fails along a sequence of values
that tends to 0, at which the sine has one and the same value, does not hold for all small values.
"""

from __future__ import annotations

from typing import Any

from sympy import Add, Basic, Expr, Integer, Interval, Symbol, cos, log, pi, sin, sympify
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.claims import unfolded
from proofs_check.kernel.point import sign
from theory.temporal import ForAll, Quantifier

_SINES = (0, 1, 0, -1)
"""The sine of 0, pi/2, pi and 3 pi/2."""


def oscillating(formula: Basic, small: Symbol) -> list[Expr]:
    """The sines and cosines of sums with a negative power or a logarithm of e.

    >>> e = Symbol("e")
    >>> oscillating(sin(1 / e) + sin(e), e)
    [sin(1/e)]
    """
    uses = [use for use in formula.atoms(sin, cos) if _grows(use.args[0], small)]
    return sorted((use for use in uses if not use.args[0].has(sin, cos)), key=str)


def _grows(argument: Expr, small: Symbol) -> bool:
    terms = Add.make_args(argument)
    return any(term.has(log(small)) or sympify(term.as_powers_dict()[small]).is_negative for term in terms)


def for_all_values(relation: Basic, small: Symbol) -> list[ForAll] | None:
    """Claims about every number from -1 to 1 that imply the relation, where the arguments have values.

    >>> e = Symbol("e")
    >>> for_all_values(e * sin(1 / e) < 2 * e, e)[0].body
    e*oscillation0 < 2*e
    """
    uses = oscillating(relation, small)
    names = [Symbol(f"oscillation{place}") for place in range(len(uses))]
    if not uses or not isinstance(relation, Relational) or relation.has(*names):
        return None
    claims: list[Any] = unfolded(relation.xreplace(dict(zip(uses, names, strict=True))))
    for name in names:
        claims = [ForAll(name, Interval(-1, 1), claim) for claim in claims]
    return claims


def along(formula: Boolean, small: Symbol, quarter: int) -> Boolean | None:
    """The formula at e with c/e^k = 2 pi/t + quarter pi/2, written with the same symbol for t.

    For t = 1/n these e tend to 0, and c/e^k is the angle of a number of quarters of the circle; all sines and cosines
    that oscillate must be of this c/e^k, with c > 0 free of other symbols.

    >>> e = Symbol("e")
    >>> along(e * sin(1 / e) > e**2, e, 1)
    e/(pi*e/2 + 2*pi) > e**2/(pi*e/2 + 2*pi)**2
    """
    uses = oscillating(formula, small)
    arguments = {use.args[0] for use in uses}
    if len(arguments) != 1 or formula.atoms(Quantifier):
        return None
    (argument,) = arguments
    power = sympify(argument.as_powers_dict()[small])
    number = argument / small**power
    if not (power.is_Integer and power.is_negative and not number.free_symbols and sign(number, {}) == 1):
        return None
    values = {use: Integer(_SINES[(quarter + (1 if isinstance(use, cos) else 0)) % 4]) for use in uses}
    value = (number * small / (2 * pi + quarter * pi / 2 * small)) ** (-1 / power)
    return formula.xreplace(values).xreplace({small: value})
