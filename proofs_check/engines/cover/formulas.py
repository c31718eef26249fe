"""Kinks of a formula taken one by one, and how many cases it has."""

from __future__ import annotations

from math import prod

from sympy import Basic, Expr
from sympy.logic.boolalg import And, Boolean

from proofs_check.kernel.formula_trees import Atom, Node
from theory.errors import LemmascopeError
from theory.language.functions import by_cases


def innermost_kink(formula: Boolean) -> Basic | None:
    """A part with a kink (Abs, Max, Min, sign, Piecewise) whose own arguments have none.

    >>> from sympy import Abs, Symbol
    >>> x = Symbol("x")
    >>> innermost_kink(Abs(x) < 1)
    Abs(x)
    """
    found = formula.atoms(*by_cases())
    return min((kink for kink in found if not any(part.has(*by_cases()) for part in kink.args)), key=str, default=None)


def with_case(formula: Boolean, kink: Basic, choice: tuple[Boolean, Expr]) -> Boolean:
    """The formula in one case of a kink."""
    condition, value = choice
    try:
        return And(condition, formula.xreplace({kink: value}))
    except TypeError as error:  # SymPy refuses to compare a number that is not real
        raise LemmascopeError(f"{kink} = {value} leaves a part without a real value") from error


def count_cases(node: Node) -> int:
    """How many conjunctions the disjunctive form has."""
    if isinstance(node, Atom):
        return 1
    counts = [count_cases(part) for part in node.parts]
    return prod(counts) if node.every else sum(counts)
