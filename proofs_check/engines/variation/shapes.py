"""What an expression is made of, and which sign it seems to have."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from sympy import Dummy, E, Expr, Function, Integer, Mul, Pow, exp, log

from proofs_check.engines.cover.factoring import factors_of
from proofs_check.engines.variation.leaves import Points
from proofs_check.kernel.signed_claims import Signed

_LARGE = 12


@lru_cache(maxsize=4096)
def hardness(expression: Expr) -> float:
    """How many functions are left in the factors of an expression that are no exponentials; half where a factor is
    algebraic in its only function.

    >>> from sympy import Symbol, log
    >>> x = Symbol("x")
    >>> hardness(x * exp(x) - exp(x)), hardness(x * log(x) + exp(x)), hardness(1 + exp(x))
    (0, 2, 0.5)
    """
    found: dict[Expr, float] = {}
    for base, _ in factors_of(expression):
        calls = [part for part in base.atoms(Function, Pow) if is_hard(part)] if not isinstance(base, exp) else []
        names = {part: Dummy() for part in calls}
        mixed = any(base.xreplace(names).has(*part.free_symbols) for part in calls)
        rates = {part.args[0].as_coeff_Mul()[1] for part in calls if isinstance(part, exp)}
        alone = not mixed and len(rates) == 1 and all(isinstance(part, exp) for part in calls)
        for part in calls:
            found[part] = max(found.get(part, 0), 0.5 / len(calls) if alone else 1)
    return sum(found.values())


def is_hard(part: Expr) -> bool:
    """Whether a function or power of variables is not algebraic."""
    return bool(part.free_symbols) and (isinstance(part, Function) or not part.exp.is_number)


def has_large_powers(expression: Expr) -> bool:
    """Whether a power is too high to be multiplied out.

    >>> from sympy import Symbol
    >>> has_large_powers(Symbol("x") ** 150 + 1)
    True
    """
    return any(part.exp.is_Integer and abs(part.exp) > _LARGE for part in expression.atoms(Pow))


def count_roots(expression: Expr) -> int:
    """How many different roots of something that varies occur.

    >>> from sympy import Symbol, sqrt
    >>> count_roots(1 / sqrt(Symbol("x")) + sqrt(2))
    1
    """
    powers = [part for part in expression.atoms(Pow) if not part.exp.is_Integer and part.free_symbols]
    return len({part.base for part in powers})


def side_of(base: Expr, claim: Signed, points: Points, where: Any) -> int | None:
    """The sign that an expression has at all points, None where it has both."""
    values, noise = points.values(base, claim.variables, where)
    positive, negative = np.any(values > noise), np.any(values < -noise)
    if positive and negative:
        return None
    return -1 if negative else 1


def exponent_of(product: Expr) -> Expr | None:
    """The logarithm of a product of powers; None for a product with sums as factors."""
    total: Expr = Integer(0)
    for part in Mul.make_args(product):
        base, power = part.as_base_exp()
        if isinstance(part, exp):
            total += part.args[0]
        elif base == E:
            total += power
        elif isinstance(part, Pow) or base.is_Symbol:
            total += power * log(base)
        elif part != 1:
            return None
    return total
