"""First derivatives: SymPy for what is small, symengine (when installed) for what is large."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import sympy as sp

LARGE = 300
"""Nodes of an expression above which converting to symengine and back costs less than it saves."""
TRANSLATED = (sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.tanh, sp.sin, sp.cos, sp.sinh, sp.cosh)


def derivatives(expressions: Sequence[sp.Expr], symbols: Sequence[sp.Symbol]) -> list[list[sp.Expr]]:
    """The derivative of each expression with respect to each symbol.

    >>> x, y = sp.symbols("x y")
    >>> derivatives([x**2 * y], [x, y])
    [[2*x*y, x**2]]
    """
    if _is_large(expressions) and find_spec("symengine") is not None:
        return _by_symengine(expressions, symbols)
    return [[sp.diff(expression, symbol) for symbol in symbols] for expression in expressions]


def _is_large(expressions: Sequence[sp.Expr]) -> bool:
    """Whether the size is worth the way through symengine, and every node has a translation."""
    count = 0
    for expression in expressions:
        for node in sp.preorder_traversal(expression):
            count += 1
            if not (node.is_Symbol or node.is_Rational or isinstance(node, TRANSLATED)):
                return False
    return count > LARGE


def _by_symengine(expressions: Sequence[sp.Expr], symbols: Sequence[sp.Symbol]) -> list[list[sp.Expr]]:
    import symengine

    # symengine forgets assumptions, so every symbol travels under a plain name of its own
    free = sorted(set().union(*(e.free_symbols for e in expressions), symbols), key=str)
    plain = {symbol: sp.Symbol(f"v{place}") for place, symbol in enumerate(free)}
    back = {name: symbol for symbol, name in plain.items()}
    names = [symengine.Symbol(plain[symbol].name) for symbol in symbols]
    translated = [symengine.sympify(expression.xreplace(plain)) for expression in expressions]
    return [[sp.sympify(e.diff(name)).xreplace(back) for name in names] for e in translated]
