"""Derivatives carried out: those of abstract functions become abstract functions of their own.

phi'(u) is the function "phi^(1)" at u, so the chain rule leaves only values of functions.
"""

from __future__ import annotations

import sympy as sp
from sympy import Derivative, Expr, Function, Pow, Subs
from sympy.core.function import AppliedUndef

from theory.language.functions import rough


def evaluated_derivative(expression: Expr) -> Expr | None:
    """A derivative or substitution without either; None when that is not possible.

    >>> from sympy import Symbol
    >>> x, phi = Symbol("x"), Function("phi")
    >>> evaluated_derivative(Derivative(x * phi(x**2), x))
    2*x**2*phi^(1)(x**2) + phi(x**2)
    """
    if expression.has(*rough()):
        return None
    done = expression.doit()
    for _ in range(len(list(sp.preorder_traversal(done)))):
        found = sorted(done.atoms(Derivative, Subs), key=lambda part: part.count_ops())
        if not found:
            return done
        replaced = {part: new for part in found if (new := _value(part)) is not None}
        if not replaced:
            return None
        done = done.xreplace(replaced)
    return None


def _value(part: Expr) -> Expr | None:
    if isinstance(part, Subs):
        inner = part.expr
        if inner.has(Derivative, Subs):
            plain = {found: new for found in inner.atoms(Derivative) if (new := _value(found)) is not None}
            inner = inner.xreplace(plain)
        if inner.has(Derivative, Subs):
            return None
        return inner.subs(list(zip(part.variables, part.point, strict=True)), simultaneous=True)
    function = part.expr
    if not isinstance(function, AppliedUndef):
        return None
    orders = _orders(function)
    for symbol, count in part.variable_count:
        places = [place for place, argument in enumerate(function.args) if symbol in argument.free_symbols]
        if len(places) != 1 or function.args[places[0]] != symbol or not count.is_Integer:
            return None
        orders[places[0]] += int(count)
    name = function.func.__name__.split("^(")[0]
    return Function(f"{name}^({','.join(map(str, orders))})")(*function.args)


def _orders(function: AppliedUndef) -> list[int]:
    _, mark, tail = function.func.__name__.partition("^(")
    return [int(order) for order in tail[:-1].split(",")] if mark else [0] * len(function.args)


def hides_a_domain(expression: Subs) -> bool:
    """Whether a derivative inside has a larger domain than its function (1/x and log(x)), which substitution loses."""
    inner = [part.expr for part in expression.atoms(Derivative)]
    return any(part.has(sp.log) or bool(roots_of(part)) for part in inner)


def roots_of(expression: Expr) -> list[Expr]:
    """The radicands and bases of real powers: a function has no two-sided derivative at their zeros."""
    return [part.base for part in expression.atoms(Pow) if not part.exp.is_Integer]
