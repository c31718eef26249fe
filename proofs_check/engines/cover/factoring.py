"""Exact algebra behind the sign arguments: factors, derivatives, and zero tests that never guess."""

from __future__ import annotations

from math import lcm

from flint import fmpq
from sympy import (
    Add,
    Dummy,
    Expr,
    Function,
    Integer,
    LambertW,
    Mul,
    Pow,
    Rational,
    Symbol,
    diff,
    exp,
    expand,
    fraction,
    log,
    prime,
    together,
)
from sympy.polys.polyerrors import PolynomialError

from proofs_check.points.exact import sign as exact_sign
from theory.language.functions import as_quotient, derivative_in, hyperbolic, smooth_everywhere, stepping, with_poles
from theory.polynomials import Ring

_MOST_TO_EXPAND = 1000
_MOST_TO_DECIDE = 40
_MOST_TO_JOIN = 400
_MOST_TO_FACTOR = 120
_LONGEST = 24
_STEEPEST = 64


def is_zero(expression: Expr) -> bool:
    """Whether an expression vanishes identically, shown by exact algebra; False when that is not shown.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> is_zero(exp(x)*(1 + exp(-x)) - exp(x) - 1), is_zero(x - y)
    (True, False)
    """
    if expression.is_Rational or _looks_nonzero(expression):
        return bool(expression == 0)
    if not expression.free_symbols:
        return expression.count_ops() < _MOST_TO_DECIDE and exact_sign(expression) == 0
    if expression.count_ops() > _MOST_TO_EXPAND:
        return False
    if expand(expression) == 0:
        return True
    return bool(expand(fraction(together(expression))[0]) == 0)


def _looks_nonzero(expression: Expr) -> bool:
    """Whether the value at one point seems to differ from 0: much cheaper than expanding, and only ever a "no"."""
    symbols = sorted(expression.free_symbols, key=str)
    point = {symbol: Rational(prime(k + 3), prime(k + 5)) for k, symbol in enumerate(symbols)}
    value = expression.subs(point).evalf(20)
    return bool(value.is_Number and value.is_finite and abs(value) > Rational(1, 10**9))


def factors_of(expression: Expr, unbounded: tuple[Symbol, ...] = ()) -> tuple[tuple[Expr, int], ...]:
    """Factors with integer exponents whose product is the expression, none of its functions or poles lost.

    >>> x = Symbol("x")
    >>> factors_of(x*exp(x) - x)
    ((x, 1), (exp(x) - 1, 1))
    """
    rewritten = as_quotients(expression, unbounded)
    whole = ((rewritten, 1),)
    if not rewritten.free_symbols or rewritten.has(*stepping()):
        return whole
    if rewritten.count_ops() > _MOST_TO_JOIN or _is_steep(rewritten):
        return whole
    above, below = fraction(together(rewritten))
    found: list[tuple[Expr, int]] = []
    try:
        for part, power in ((above, 1), (below, -1)):
            product = factored(part) if part.count_ops() <= _MOST_TO_FACTOR and not _is_long(part) else part
            found += [(base, power * exponent) for base, exponent in _split(product) if base != 1]
    except PolynomialError:
        return whole
    kept = _singular(rewritten) <= _singular(*[base for base, _ in found])
    return tuple(found) if found and kept else whole


def _is_long(expression: Expr) -> bool:
    """Whether a polynomial has a huge degree and is no simple sum of powers, so that factoring would take minutes."""
    powers = [part for part in expression.atoms(Pow) if part.exp.is_Integer and abs(part.exp) > _LONGEST]
    dense = any(isinstance(part.base, Add) for part in powers)
    return bool(powers) and (dense or any(max(abs(n.p), n.q) > 10**_LONGEST for n in expression.atoms(Rational)))


def _is_steep(expression: Expr) -> bool:
    """Whether a polynomial in exponentials would have a huge degree."""
    rates = [rate for part in expression.atoms(exp) for rate in part.args[0].as_coefficients_dict().values()]
    unit = lcm(1, *[int(rate.q) for rate in rates])
    return any(abs(rate) * unit > _STEEPEST for rate in rates)


def factored(expression: Expr) -> Expr:
    """The product of the irreducible factors of a polynomial in symbols and functions; other expressions as they are.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> factored(exp(2 * x) - y**2 + 2 * y - 1)
    -(y - exp(x) - 1)*(y + exp(x) - 1)
    """
    pieces = []
    for part in Mul.make_args(expression):
        whole = isinstance(part, Pow) and part.exp.is_Integer
        base, power = (part.base, part.exp) if whole else (part, Integer(1))
        pieces.append(Pow(_factored_sum(base) if isinstance(base, Add) else base, power))
    return Mul(*pieces)


def _factored_sum(expression: Add) -> Expr:
    """By FLINT: SymPy can take minutes where numbers are long or unknowns many."""
    polynomial = expression.as_poly()
    if polynomial is None or not (polynomial.domain.is_ZZ or polynomial.domain.is_QQ):
        return expression
    names = {Dummy(): generator for generator in polynomial.gens}
    ring = Ring(tuple(names))
    terms = {powers: fmpq(int(number.p), int(number.q)) for powers, number in polynomial.terms()}
    return ring.factored(ring.context.from_dict(terms)).xreplace(names)


def as_quotients(expression: Expr, unbounded: tuple[Symbol, ...] = ()) -> Expr:
    """Poles as zeros of denominators, powers as exponentials, roots with factored arguments; where a variable is
    unbounded, hyperbolic functions as exponentials and log(1 + exp(x)) as x + log(1 + exp(-x)).

    >>> x = Symbol("x")
    >>> as_quotients(log(1 + exp(x)), (x,))
    x + log(1 + exp(-x))
    """
    changes: dict[Expr, Expr] = {}
    for part in expression.atoms(Function, Pow):
        if isinstance(part, Pow):
            changed = _power(part)
        elif unbounded and isinstance(part, hyperbolic()) and part.free_symbols & set(unbounded):
            changed = part.rewrite(exp)
        elif isinstance(part, with_poles()):
            changed = as_quotient(part)
        elif isinstance(part, log):
            changed = _logarithm(part, unbounded)
        else:
            continue
        if changed != part:
            changes[part] = changed
    return expression.xreplace(changes) if changes else expression


def _power(part: Pow) -> Expr:
    base, exponent = part.base, part.exp
    if not exponent.is_number:
        return exp(exponent * log(base))
    if exponent.is_Rational and not exponent.is_Integer and base.is_Add and base.count_ops() < 60:
        return Pow(factored(base), exponent)
    return part


def _logarithm(part: Expr, unbounded: tuple[Symbol, ...]) -> Expr:
    argument = part.args[0]
    for x in unbounded:
        rates = [e.args[0].coeff(x) for e in argument.atoms(exp) if e.args[0].is_Mul or e.args[0] == x]
        largest = max((rate for rate in rates if rate.is_Rational and rate > 0), default=None)
        if largest is not None and isinstance(argument, Add):
            return largest * x + log(expand(argument * exp(-largest * x)))
    if not isinstance(argument, Add) or argument.count_ops() >= 60 or (unbounded and argument.has(exp)):
        return part  # 1 + exp(-x) stays bounded, (exp(x) + 1) exp(-x) does not look like it
    return log(factored(argument))


def _singular(*expressions: Expr) -> set[Expr]:
    """What may be undefined somewhere: functions, and bases of roots."""
    parts: set[Expr] = set()
    harmless = (*smooth_everywhere(), *with_poles())
    for expression in expressions:
        parts |= {part for part in expression.atoms(Function) if not isinstance(part, harmless)}
        parts |= {part.base for part in expression.atoms(Pow) if not part.exp.is_integer and part.base.free_symbols}
    return parts


def _split(product: Expr) -> list[tuple[Expr, int]]:
    pairs = []
    for part in Mul.make_args(product):
        base, exponent = part.as_base_exp() if isinstance(part, Pow) else (part, 1)
        whole = getattr(exponent, "is_Integer", True)
        pairs.append((base, int(exponent)) if whole else (part, 1))
    return pairs


def derivative(expression: Expr, x: Symbol) -> Expr:
    """The derivative, with that of LambertW in a form that is regular at 0.

    >>> x = Symbol("x")
    >>> derivative(LambertW(x), x)
    exp(-LambertW(x))/(LambertW(x) + 1)
    """
    inner = next((w for w in expression.atoms(LambertW) if w.args[0].has(x)), None)
    if inner is None:
        return diff(expression, x)
    name = Dummy()
    outer = expression.xreplace({inner: name})
    rate = derivative_in(inner, 0) * derivative(inner.args[0], x)
    return derivative(outer, x).xreplace({name: inner}) + diff(outer, name).xreplace({name: inner}) * rate
