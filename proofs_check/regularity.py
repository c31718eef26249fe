"""Where an expression is defined and continuous, as conditions on its parts."""

from __future__ import annotations

from sympy import Expr, Function, Ge, Gt, Le, Lt, Ne, Pow, cos, exp, sin, true
from sympy.logic.boolalg import Boolean

_EVERYWHERE = frozenset("exp sin cos sinh cosh tanh sech atan asinh erf Abs Max Min".split())


def continuity(expression: Expr) -> list[Boolean] | None:
    """Conditions under which an expression is continuous, or None when some part has no such condition here.

    >>> from sympy import Symbol, log
    >>> x = Symbol("x")
    >>> sorted(map(str, continuity(log(x) / (1 - x))))
    ['Ne(1 - x, 0)', 'x > 0']
    """
    conditions: list[Boolean] = []
    for part in expression.atoms(Function, Pow):
        argument = part.args[0]
        name = part.func.__name__
        if isinstance(part, Pow):
            conditions += _power_condition(part)
        elif name in ("log", "loggamma", "gamma"):
            conditions.append(Gt(argument, 0))
        elif name in ("tan", "sec"):
            conditions.append(Ne(cos(argument), 0))
        elif name in ("cot", "csc"):
            conditions.append(Ne(sin(argument), 0))
        elif name in ("asin", "acos"):
            conditions += [Ge(argument, -1), Le(argument, 1)]
        elif name == "atanh":
            conditions += [Gt(argument, -1), Lt(argument, 1)]
        elif name == "Ei":
            conditions.append(Ne(argument, 0))
        elif name == "LambertW" and len(part.args) == 1:
            conditions.append(Ge(argument, -exp(-1)))
        elif name not in _EVERYWHERE:
            return None
    return [condition for condition in conditions if condition != true]


def _power_condition(part: Pow) -> list[Boolean]:
    base, exponent = part.base, part.exp
    if exponent.is_Integer:
        return [] if exponent > 0 else [Ne(base, 0)]
    if exponent.is_Rational and exponent > 0:
        return [Ge(base, 0)]
    return [Gt(base, 0)]
