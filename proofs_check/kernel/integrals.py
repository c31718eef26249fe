"""Integrals between numbers, enclosed by the integration of analytic functions in complex balls.

Nothing is taken from an antiderivative, which may jump or hide a pole between the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import acb, arb, fmpq
from sympy import Add, Expr, Integral, Mul, NumberSymbol, Pow, Rational, Symbol, exp, log

from theory.language.balls import raw
from theory.language.functions import entry_of

Balls = Mapping[Symbol, arb]
"""The values of the symbols other than the one that is integrated over."""

_MOST_VALUES = 600
"""How often the integrand is evaluated at most: enough where it is smooth, and soon over at a pole."""


def integrand(integral: Integral) -> tuple[Expr, Symbol, Expr, Expr] | None:
    """What is integrated, over which symbol, from where and to where; None unless there is one finite range."""
    if len(integral.limits) != 1 or len(integral.limits[0]) != 3:
        return None
    symbol, low, high = integral.limits[0]
    return integral.function, symbol, low, high


def integrated(
    function: Expr, symbol: Symbol, ends: tuple[arb, arb], others: Balls, constant: Callable[[Expr], arb]
) -> arb | None:
    """A ball around the integral; None where a function is not known here or the integral does not converge.

    >>> t = Symbol("t")
    >>> integrated(t**2, t, (arb(0), arb(3)), {}, lambda _: arb.pi()).contains(9)
    True
    >>> integrated(t**-2, t, (arb(-1), arb(1)), {}, lambda _: arb.pi()) is None
    True
    """

    def value(part: Expr, at: acb, analytic: bool) -> acb:
        if part == symbol:
            return at
        if isinstance(part, Symbol):
            return acb(others[part])
        if isinstance(part, Rational):
            return acb(fmpq(int(part.p), int(part.q)))
        if isinstance(part, NumberSymbol):
            return acb(constant(part))
        if isinstance(part, (Add, Mul)):
            total = value(part.args[0], at, analytic)
            for one in part.args[1:]:
                total = total + value(one, at, analytic) if isinstance(part, Add) else total * value(one, at, analytic)
            return total
        if isinstance(part, Pow):
            base = value(part.base, at, analytic)
            if part.exp.is_Integer:
                return base ** int(part.exp)
            return (value(part.exp, at, analytic) * base.log(analytic=analytic)).exp()
        if isinstance(part, log):
            return value(part.args[0], at, analytic).log(analytic=analytic)
        entry = entry_of(part)
        if entry is None or not entry.analytic:
            raise LookupError(part)
        return raw(entry)(value(part.args[0], at, analytic))

    try:
        found = acb.integral(lambda at, analytic: value(function, at, analytic), *ends, eval_limit=_MOST_VALUES)
    except LookupError:
        return None
    return found.real if found.real.is_finite() and found.imag.contains(0) else None


def branching(function: Expr) -> list[Expr]:
    """What must be positive between the limits: the arguments of roots and logarithms.

    >>> t = Symbol("t")
    >>> branching(log(t) + exp(t))
    [t]
    """
    roots = [part.base for part in function.atoms(Pow) if not part.exp.is_Integer and not isinstance(part, exp)]
    return roots + [part.args[0] for part in function.atoms(log)]
