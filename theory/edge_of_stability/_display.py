"""A displayed equality of a proof: what is derived on one side, what is printed on the other."""

from collections.abc import Mapping
from typing import Any

from sympy import And, Eq, Expr, S, Set, Symbol, true

from theory.statements import Statement

Side = Expr


def display(
    variables: Mapping[Symbol, Set], sides: Mapping[str, tuple[Expr, Expr]], given: tuple[Any, ...] = (), **rest: Any
) -> Statement:
    """The statement that each named derived expression equals the printed one.

    SymPy turns an equality of identical expressions into a bare "true"; such a side is given its name as a symbol,
    so that the statement still says what is equal to what.

    >>> x = Symbol("x")
    >>> display({x: S.Reals}, {"g_1": ((x**2).diff(x), 2 * x)}).then
    Eq(g_1, 2*x)
    >>> display({x: S.Reals}, {"h": ((x + 1) ** 2, x**2 + 2 * x + 1)}).then
    Eq((x + 1)**2, x**2 + 2*x + 1)
    """
    named = {Symbol(name): derived for name, (derived, printed) in sides.items() if Eq(derived, printed) is true}
    claims = [
        Eq(Symbol(name), printed) if Symbol(name) in named else Eq(derived, printed)
        for name, (derived, printed) in sides.items()
    ]
    return Statement(
        variables={**variables, **dict.fromkeys(named, S.Reals)},
        given=(*given, *(Eq(symbol, derived) for symbol, derived in named.items())),
        then=And(*claims),
        **rest,
    )
