"""Derivatives worked out, so that nothing is left but those of abstract functions."""

from __future__ import annotations

from sympy import Basic, Derivative, Subs, diff

from theory.temporal import put_at_once


def carried_out(part: Basic) -> Basic:
    """An expression or a formula with its derivatives, also those at a point, carried out.

    >>> from sympy import Symbol, sin
    >>> x = Symbol("x")
    >>> carried_out(Derivative(sin(x), x) + Subs(Derivative(x**2, x), x, 3))
    cos(x) + 6
    """
    if not part.has(Derivative, Subs):
        return part
    if isinstance(part, Derivative):
        return diff(carried_out(part.expr), *part.variable_count)
    if isinstance(part, Subs):
        return put_at_once(carried_out(part.expr), dict(zip(part.variables, part.point, strict=True)))
    return part.func(*map(carried_out, part.args))
