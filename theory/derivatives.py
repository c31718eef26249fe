"""First derivatives: SymPy for what is small, symengine (when installed) for what is large."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import sympy as sp

from theory.language.functions import entry_of

LARGE = 300
"""Nodes of an expression above which converting to symengine and back costs less than it saves."""


def derivatives(expressions: Sequence[sp.Expr], symbols: Sequence[sp.Symbol]) -> list[list[sp.Expr]]:
    """The derivative of each expression with respect to each symbol.

    >>> x, y = sp.symbols("x y")
    >>> derivatives([x**2 * y], [x, y])
    [[2*x*y, x**2]]
    """
    if find_spec("symengine") is not None and _is_large(expressions):
        return _by_symengine(expressions, symbols)
    return [[sp.diff(expression, symbol) for symbol in symbols] for expression in expressions]


def _is_large(expressions: Sequence[sp.Expr]) -> bool:
    """Whether the size is worth the way through symengine, and every node has a translation."""
    count = 0
    for expression in expressions:
        for node in sp.preorder_traversal(expression):
            count += 1
            if not (node.is_Symbol or node.is_Rational or node.is_Add or node.is_Mul or node.is_Pow or _is_plain(node)):
                return False
    return count > LARGE


def _is_plain(node: sp.Basic) -> bool:
    """Whether symengine knows a function, and that wherever SymPy has a value for it."""
    import symengine

    entry = entry_of(node)
    if entry is None or not hasattr(symengine, entry.name):
        return False
    return isinstance(node, sp.log) or (entry.analytic and entry.is_total)


def _by_symengine(expressions: Sequence[sp.Expr], symbols: Sequence[sp.Symbol]) -> list[list[sp.Expr]]:
    import symengine

    # symengine forgets assumptions, so every symbol travels under a plain name of its own
    free = sorted(set().union(*(e.free_symbols for e in expressions), symbols), key=str)
    plain = {symbol: sp.Symbol(f"v{place}") for place, symbol in enumerate(free)}
    back = {name: symbol for symbol, name in plain.items()}
    names = [symengine.Symbol(plain[symbol].name) for symbol in symbols]
    translated = [symengine.sympify(expression.xreplace(plain)) for expression in expressions]
    return [[sp.sympify(e.diff(name)).xreplace(back) for name in names] for e in translated]
