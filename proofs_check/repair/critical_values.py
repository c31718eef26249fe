"""Where a constant that can be solved for has its extreme values: guesses for statements that are not algebraic.

In a claim about one variable the constant is a function of that variable on the edge of truth; its extreme values lie
where that function is stationary, at the ends of the range, or are limits. For whole numbers the first few are tried,
for a claim about all times its first step, and fixed points bound orbits. Whoever uses a guess proves both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import sympy as sp
from sympy import And, Expr, Interval, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.points.candidate_values import inverted, zeros
from theory.domains import is_discrete
from theory.dynamics import Map
from theory.statements import Statement
from theory.temporal import Always, is_plain, substitute

_FIRST_NUMBERS = 6
_DIGITS = 40
_LARGEST_COEFFICIENT = 200


def critical_values(statement: Statement, constant: Symbol) -> Iterator[Callable[[], list[Expr]]]:
    """Looks for guesses, each to be attempted on its own.

    >>> from theory.statements import Constant
    >>> x, c = Symbol("x"), Symbol("c")
    >>> claim = Statement(variables={x: S.Reals}, then=x * sp.exp(-x) <= c, constants=(Constant(c, 1, "smallest"),))
    >>> [value for look in critical_values(claim, c) for value in look()]
    [exp(-1), 0]
    """
    yield partial(_fixed_points, statement)
    if statement.dynamics is not None or len(statement.variables) != 1:
        return
    ((symbol, domain),) = statement.variables.items()
    for relation in sorted(statement.then.atoms(Relational), key=str):
        for edge in inverted(relation.lhs - relation.rhs, constant) or ():
            if edge.free_symbols != {symbol}:
                continue
            if is_discrete(domain):
                yield partial(_first_numbers, edge, symbol, domain)
            elif not domain.has(constant):
                yield partial(_stationary, edge, symbol)
                yield from (partial(_limit, edge, symbol, *end) for end in _ends(edge, symbol, domain))


def _first_numbers(edge: Expr, symbol: Symbol, domain: sp.Set) -> list[Expr]:
    return [edge.subs(symbol, number) for number in islice(domain, _FIRST_NUMBERS)]


def _stationary(edge: Expr, symbol: Symbol) -> list[Expr]:
    exact, searched = zeros(sp.diff(edge, symbol), symbol)
    found = [edge.subs(symbol, zero) for zero in exact]
    return found + [value for near in searched if (value := _recognised(edge, symbol, near)) is not None]


def _recognised(edge: Expr, symbol: Symbol, near: float) -> Expr | None:
    """The algebraic number of degree two to which a stationary value agrees in 40 digits.

    >>> x = Symbol("x")
    >>> _recognised(sp.sin(x) + sp.cos(x), x, 0.785)
    sqrt(2)
    """
    import mpmath

    slope, value = (sp.lambdify(symbol, part, modules="mpmath") for part in (sp.diff(edge, symbol), edge))
    with mpmath.workdps(_DIGITS + 10):
        try:
            found = mpmath.mpf(value(mpmath.findroot(slope, near)))
        except (ValueError, ZeroDivisionError, TypeError):
            return None
        tolerance = mpmath.mpf(10) ** (5 - _DIGITS)
        coefficients = mpmath.findpoly(found, 2, maxcoeff=_LARGEST_COEFFICIENT, tol=tolerance)
    if not coefficients:
        return None
    polynomial = sum(int(number) * symbol**power for power, number in enumerate(reversed(coefficients)))
    return min(
        zeros(polynomial, symbol)[0], key=lambda root: abs(root.evalf(30) - sp.Float(str(found), 30)), default=None
    )


def _ends(edge: Expr, symbol: Symbol, domain: sp.Set) -> list[tuple[Expr, str]]:
    """Ends of the range and poles inside it, with the side from which they are approached."""
    if not isinstance(domain, Interval):
        return []
    poles = [
        pole for pole in zeros(sp.fraction(sp.together(edge))[1], symbol)[0] if domain.interior.contains(pole) is S.true
    ]
    return [(domain.start, "+"), (domain.end, "-"), *((pole, "+") for pole in poles)]


def _limit(edge: Expr, symbol: Symbol, end: Expr, side: str) -> list[Expr]:
    value = sp.limit(edge, symbol, end, side)
    return [value] if value.is_finite and value.is_real else []


def _fixed_points(statement: Statement) -> list[Expr]:
    """Fixed points without parameters of a map or a flow in one dimension: bounds that orbits come arbitrarily near."""
    dynamics = statement.dynamics
    if dynamics is None or len(dynamics.state) != 1 or not isinstance(statement.then, Always):
        return []
    ((state,), (moved,)) = dynamics.state, dynamics.right_side
    moved = moved - state if isinstance(dynamics, Map) else moved
    return zeros(moved, state)[0] if moved.free_symbols == {state} else []


def at_once(statement: Statement) -> Statement:
    """A claim about all times as one about the start and the first step of a map; other claims as they are.

    >>> x, a, r = (Symbol(name) for name in "xar")
    >>> claim = Statement(dynamics=Map((x,), (r * x,)), start={x: a}, variables={a: Interval(0, 1), r: Interval(0, 2)},
    ...     then=Always(x <= 1))
    >>> at_once(claim).then
    (a <= 1) & (a*r <= 1)
    """
    if not isinstance(statement.then, Always) or not isinstance(statement.dynamics, Map):
        return statement
    claim, start = statement.then.args[0], dict(statement.start)
    if not is_plain(claim) or not all(is_plain(part) for part in statement.given):
        return statement
    moved = dict(zip(statement.dynamics.state, statement.dynamics.update, strict=True))
    image = {symbol: update.subs(start, simultaneous=True) for symbol, update in moved.items()}
    first: Boolean = And(substitute(claim, start), substitute(claim, image))
    return statement if first in (S.true, S.false) else statement.but(then=first, dynamics=None, start={})
