"""Where an expression fails to be differentiable: absolute values, relus, jumps and roots at zero."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from theory.errors import LemmascopeError
from theory.language.functions import entry_of


def kinks(expression: sp.Expr, state: tuple[sp.Symbol, ...]) -> Iterator[tuple[sp.Expr, str]]:
    """Each part of the expression that may fail to be differentiable in the state, and where.

    A part is left out when the assumptions on its symbols keep it away from its kink.

    >>> x = sp.Symbol("x", real=True)
    >>> list(kinks(sp.Abs(x - 1) + x**2, (x,)))
    [(Abs(x - 1), 'x - 1 = 0')]
    >>> list(kinks(sp.Abs(x**2 + 1), (x,)))
    []
    """
    for part in sp.preorder_traversal(expression):
        if isinstance(part, sp.Expr) and part.free_symbols & set(state):
            where = _kink_of(part)
            if where is not None:
                yield part, where


def _kink_of(part: sp.Expr) -> str | None:
    entry = entry_of(part)
    if isinstance(part, (sp.Max, sp.Min)):
        return _tie_of(part)
    if isinstance(part, sp.atan2):
        return None  # the slopes of an angle continue across the ray on which it jumps by a full turn
    if entry is not None and entry.breaks is not None:
        places = [f"{place} = 0" for place in entry.breaks(*part.args) if not place.is_nonzero]
        return " or ".join(places) or None
    if entry is not None and entry.steps:
        whole = part.args[0] if len(part.args) == 1 else part.args[0] / part.args[1]
        return f"{whole} integer"
    if isinstance(part, sp.arg):
        return None if part.args[0].is_nonzero else f"{part.args[0]} = 0"
    if isinstance(part, sp.Piecewise):
        return "the border of " + ", ".join(str(condition) for _, condition in part.args if condition != sp.true)
    if isinstance(part, sp.Pow) and part.exp.is_number and part.exp.is_integer is False and (1 - part.exp).is_positive:
        return None if part.base.is_positive else f"{part.base} = 0"
    return None


def _tie_of(part: sp.Expr) -> str | None:
    """Two arguments of Max or Min can be equal unless their difference is known to be nonzero."""
    ties = [
        f"{first} = {second}"
        for place, first in enumerate(part.args)
        for second in part.args[place + 1 :]
        if not (first - second).is_nonzero
    ]
    return " or ".join(ties) or None


def require_differentiable(expression: sp.Expr, state: tuple[sp.Symbol, ...], role: str) -> None:
    """Refuse an expression that has a kink in the state, and say where the kink is."""
    for part, where in kinks(expression, state):
        raise LemmascopeError(
            f"the {role} is not differentiable: {part} has a kink at {where}; "
            "give the update directly as Map or Flow, or assumptions that exclude the kink"
        )
