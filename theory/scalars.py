"""What a user gives for a number: one SymPy expression, or a refusal in one sentence."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.errors import LemmascopeError


def scalar(expression: Any, role: str) -> sp.Expr:
    """The expression as one SymPy scalar; a 1x1 matrix is read as its entry.

    >>> scalar(sp.Matrix([3]), "loss")
    3
    """
    if isinstance(expression, sp.MatrixBase):
        if expression.shape != (1, 1):
            raise LemmascopeError(f"the {role} has shape {expression.shape}: give one scalar expression")
        return expression[0]
    if isinstance(expression, str) or not isinstance(converted := sp.sympify(expression, strict=True), sp.Expr):
        raise LemmascopeError(f"the {role} {expression!r} is not an expression: build it from SymPy symbols")
    return converted
