"""Where a formula is continuous but not smooth: the functions whose sign changes there."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp
from sympy.core.relational import Relational

from theory.language.functions import entry_of


@lru_cache(maxsize=512)
def switching_functions(formulas: tuple[sp.Basic, ...]) -> tuple[sp.Basic, ...]:
    """The functions whose change of sign means a kink or a jump of one of the formulas.

    >>> from sympy.abc import x, y
    >>> switching_functions((sp.Max(x, y) + 1,))
    (-x + y,)
    """
    found: dict[sp.Basic, None] = {}
    for formula in formulas:
        if isinstance(formula, sp.MatrixExpr):
            continue
        for node in sp.preorder_traversal(formula):
            for function in _switches(node):
                if function.free_symbols and -function not in found:
                    found[function] = None
    return tuple(found)


def _switches(node: sp.Basic) -> list[sp.Basic]:
    entry = entry_of(node)
    if entry is not None and entry.breaks is not None:
        return list(entry.breaks(*node.args))
    if isinstance(node, sp.Piecewise):
        relations = [r for _, condition in node.args for r in condition.atoms(Relational)]
        return [r.lhs - r.rhs for r in relations]
    return []
