"""Where a formula is continuous but not smooth: the functions whose sign changes there."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import sympy as sp
from sympy.core.relational import Relational


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
    if isinstance(node, sp.Max | sp.Min):
        return [a - b for a, b in combinations(sorted(node.args, key=sp.default_sort_key, reverse=True), 2)]
    if isinstance(node, sp.Abs | sp.sign | sp.Heaviside):
        return [node.args[0]]
    if isinstance(node, sp.Piecewise):
        relations = [r for _, condition in node.args for r in condition.atoms(Relational)]
        return [r.lhs - r.rhs for r in relations]
    return []
