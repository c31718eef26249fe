"""Induction by ratios: inequalities between products of powers, factorials and binomials of a whole number.

Let A and B be positive for all n >= n0. If A <= B at n0 and A(n + 1)/A(n) <= B(n + 1)/B(n) for all n >= n0, then A <= B
for all n >= n0, and strictly if it is strict at n0. The ratios are written down, not derived: (j n + i)! grows by the
factors j n + i + 1, ..., j n + i + j, a binomial coefficient is a quotient of factorials, and everything else is its
value at n + 1 over that at n. Where exponents grow, logarithms of the ratios are compared.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Ge, Integer, Le, Mul, Pow, Symbol, binomial, exp, factorial, log
from sympy.core.relational import Gt, Lt, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.point import sign
from theory.language.definedness import demands

_MOST_STEPS = 6
Powers = list[tuple[Expr, Expr]]
"""Bases with exponents, which are multiplied."""


def ratio_goals(relation: Relational, n: Symbol, begin: Integer) -> list[Boolean] | None:
    """What is to be shown for all real n from the first on; None where the rule says nothing about the relation.

    >>> n = Symbol("n")
    >>> ratio_goals(2**n <= factorial(n), n, Integer(4))[-1]
    n + 1 >= 2
    """
    if not isinstance(relation, (Ge, Gt, Le, Lt)):
        return None
    goals: list[Boolean] = []
    more, less = (_grown(side, n, begin, goals.append) for side in (relation.gts, relation.lts))
    if more is None or less is None:
        return None
    if any(power.has(n) for _, power in (*more, *less)):
        goals.append(Ge(_logarithm(more) - _logarithm(less), 0))
    else:
        goals.append(Ge(Mul(*[Pow(*one) for one in more]), Mul(*[Pow(*one) for one in less])))
    return [*demands(relation.args), *goals]


def _logarithm(powers: Powers) -> Expr:
    """The logarithm, in which positive numbers stand apart: log(n/e) = log(n) - 1."""
    total: Expr = Integer(0)
    for base, power in powers:
        number = Mul(*[part for part in Mul.make_args(base) if not part.free_symbols])
        parts = (number, base / number) if sign(number, {}) == 1 else (base,)
        total += power * sum((log(part) for part in parts), Integer(0))
    return total


def _grown(side: Expr, n: Symbol, begin: Integer, need: Callable[[Boolean], None]) -> Powers | None:
    """The next value over this one, with what must be positive."""
    found: Powers = []
    for factor in Mul.make_args(_as_factorials(side, n, begin)):
        base, power = (factor, Integer(1)) if isinstance(factor, exp) else factor.as_base_exp()
        if isinstance(base, factorial) and base.has(n):
            slope, rest = _linear(base.args[0], n)
            if slope is None or not (power.is_Integer and slope * begin + rest >= 0):
                return None
            found += [(base.args[0] + step, power) for step in range(1, int(slope) + 1)]
            continue
        if base.has(factorial, binomial):
            return None
        need(Gt(base, 0))
        later, more = base.xreplace({n: n + 1}), power.xreplace({n: n + 1}) - power
        # f(n + 1)^g(n + 1) / f(n)^g(n), with f(n + 1)/f(n) in one piece
        found += [(later / base, power), (later, more)] if base.has(n) else [(base, more)]
    return found


def _as_factorials(side: Expr, n: Symbol, begin: Integer) -> Expr:
    """Binomial coefficients of linear terms as factorials, where the lower one is between 0 and the upper one."""
    written = {}
    for part in side.atoms(binomial):
        upper, lower = part.args
        slopes = [_linear(one, n) for one in (upper, lower, upper - lower)]
        if all(slope is not None and slope * begin + rest >= 0 for slope, rest in slopes):
            written[part] = factorial(upper) / (factorial(lower) * factorial(upper - lower))
    return side.xreplace(written)


def _linear(term: Expr, n: Symbol) -> tuple[Integer | None, Expr]:
    """j and i of j n + i, whole numbers with j from 0 to a few."""
    slope = term.coeff(n)
    rest = term - slope * n
    fits = slope.is_Integer and rest.is_Integer and 0 <= slope <= _MOST_STEPS
    return (slope, rest) if fits else (None, rest)
