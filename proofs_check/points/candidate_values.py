"""Candidate values for one variable: the exact zeros of its relations, and nice numbers between them.

The zeros cut the line into cells on which no relation changes its truth, so that one number from each cell and the
zeros themselves represent all of them. Zeros of polynomials are complete; of other functions they are searched.
Every candidate is meant to be checked exactly by the caller.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from sympy import CRootOf, Expr, FiniteSet, Interval, Poly, Range, Rational, Set, Symbol, Union, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

import numerics
from proofs_check.points.rationals import cost, near, nice_between, simplest_between
from theory.errors import LemmascopeError
from theory.language.functions import entry_of

_LARGEST_DEGREE = 40
_DECADES = (1, 2, 3, 6, 10, 20, 40, 61, 100)
_BITS = (192, 1024)
_ENOUGH_BITS = 120
_ROUNDING = 1e-14
_MOST_SEARCHED = 12
_SIMPLE = 10**6
_LARGEST_RADICAND = 10**18
"""Square roots of larger integers are kept as roots of polynomials: SymPy would try to factor the integer."""


def zeros(expression: Expr, variable: Symbol) -> tuple[list[Expr], list[float]]:
    """Exact real zeros and poles of an expression of one variable, and approximate ones where none are exact.

    >>> x = Symbol("x")
    >>> zeros((x**2 - 2) / (x - 1), x)
    ([1, -sqrt(2), sqrt(2)], [])
    >>> zeros(sp.exp(2 * x) - 3, x)
    ([log(3)/2], [])
    """
    exact: list[Expr] = []
    searched: list[float] = []
    for factor in _factors(expression, variable):
        if not factor.has(variable):
            continue
        roots = _polynomial_zeros(factor, variable)
        if roots is None:
            roots = inverted(factor, variable)
        if roots is None:
            searched += _searched_zeros(factor, variable)
        else:
            exact += [root for root in roots if root not in exact]
    return exact, searched


def _factors(expression: Expr, variable: Symbol) -> Iterator[Expr]:
    numerator, denominator = sp.fraction(sp.together(expression))
    for part in (denominator, numerator):
        for base in sp.Mul.make_args(part):
            yield base.base if base.is_Pow and base.exp.is_Integer and not base.exp.has(variable) else base


@lru_cache(maxsize=4096)
def small_polynomial(expression: Expr, variable: Symbol) -> Poly | None:
    """The expression as a polynomial of moderate degree in the variable, or None.

    >>> x = Symbol("x")
    >>> small_polynomial((1 + x) ** 1000, x) is None
    True
    """
    if any(power.exp.is_Integer and abs(power.exp) > _LARGEST_DEGREE for power in expression.atoms(sp.Pow)):
        return None
    polynomial = expression.as_poly(variable)
    return None if polynomial is None or polynomial.degree() > _LARGEST_DEGREE else polynomial


def _polynomial_zeros(expression: Expr, variable: Symbol) -> list[Expr] | None:
    polynomial = small_polynomial(expression, variable)
    if polynomial is None:
        return None
    if not polynomial.domain.is_ZZ and not polynomial.domain.is_QQ:
        return _roots_of_low_degree(polynomial)
    roots: list[Expr] = []
    for factor, _ in polynomial.factor_list()[1]:
        whole = Poly(factor.clear_denoms(convert=True)[1], variable)
        if factor.degree() <= 2 and abs(whole.discriminant() if factor.degree() == 2 else 0) < _LARGEST_RADICAND:
            roots += _roots_of_low_degree(factor) or []
        else:
            roots += [CRootOf(whole, index, radicals=False) for index in range(whole.count_roots())]
    return roots


def _roots_of_low_degree(polynomial: Poly) -> list[Expr] | None:
    if polynomial.degree() > 2:
        return None
    found = sp.roots(polynomial, multiple=True)
    return sorted((root for root in found if root.is_real is not False), key=lambda root: complex(root.evalf()).real)


def inverted(expression: Expr, variable: Symbol) -> list[Expr] | None:
    """The real solutions of expression = 0 where the variable occurs once under invertible functions, or None.

    >>> x = Symbol("x")
    >>> inverted(sp.sqrt(x + 1) - 3, x), inverted(sp.Abs(x) - 2, x)
    ([8], [-2, 2])
    """
    if sum(1 for atom in sp.preorder_traversal(expression) if atom == variable) != 1:
        return None
    pending: list[tuple[Expr, Expr]] = [(expression, sp.S.Zero)]
    solutions: list[Expr] = []
    while pending:
        left, right = pending.pop()
        if left == variable:
            if right.is_real is not False and right.is_finite is not False:
                solutions.append(right)
            continue
        moved = _one_layer(left, right, variable)
        if moved is None:
            return None
        pending += moved
    return solutions


def _one_layer(left: Expr, right: Expr, variable: Symbol) -> list[tuple[Expr, Expr]] | None:
    if left.is_Add or left.is_Mul:
        rest, inner = left.as_independent(variable, as_Add=left.is_Add)
        if left.is_Mul and rest == 0:
            return None
        return [(inner, right - rest if left.is_Add else right / rest)]
    if left.is_Pow and not left.exp.has(variable) and left.exp.is_Rational:
        root = right ** (1 / left.exp)
        return (
            [(left.base, root), (left.base, -root)]
            if left.exp.is_integer and left.exp % 2 == 0
            else [(left.base, root)]
        )
    entry = entry_of(left)
    if entry is not None and entry.inverse is not None:
        return [(left.args[0], entry.inverse(right))]
    return [(left.args[0], right), (left.args[0], -right)] if isinstance(left, sp.Abs) else None


def _searched_zeros(expression: Expr, variable: Symbol) -> list[float]:
    """Sign changes on a grid of both linear and logarithmic spacing, refined by bisection."""
    evaluate = scalar(expression, variable)
    positive = [10.0 ** (k / 4) for k in range(-48, 49)]
    grid = sorted({-v for v in positive} | {k / 8 for k in range(-80, 81)} | set(positive))
    values = [evaluate(point) for point in grid]
    cells = [
        cell for cell in zip(grid, grid[1:], values, values[1:], strict=False) if cell[2] == 0 or cell[2] * cell[3] < 0
    ]
    if len(cells) > _MOST_SEARCHED:  # where everything cancels, rounding changes the sign again and again
        cells = [cell for cell in cells if max(abs(cell[2]), abs(cell[3])) > _ROUNDING]
    found = [low if first == 0 else _bisected(evaluate, low, high, first) for low, high, first, _ in cells]
    return found[:: len(found) // _MOST_SEARCHED + 1]


def scalar(expression: Expr, variable: Symbol) -> _Scalar:
    """A float function of one variable that answers nan where the expression is undefined."""
    return _Scalar(expression, variable)


class _Scalar:
    def __init__(self, expression: Expr, variable: Symbol) -> None:
        try:
            self._function = sp.lambdify(variable, expression, modules=["math", "mpmath", "sympy"])
        except (NotImplementedError, ValueError):  # derivatives of abstract or kinked functions have no numbers
            self._function = lambda _value: math.nan

    def __call__(self, value: float) -> float:
        try:
            result = complex(self._function(value))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError, NameError, AttributeError):
            return math.nan
        return result.real if abs(result.imag) <= 1e-12 * abs(result.real) else math.nan


def _bisected(evaluate: _Scalar, low: float, high: float, first: float) -> float:
    for _ in range(80):
        middle = (low + high) / 2
        value = evaluate(middle)
        if value == 0 or not low < middle < high:
            return middle
        low, high = (middle, high) if value * first > 0 else (low, middle)
    return (low + high) / 2


def candidates(
    variable: Symbol, domain: Set, formulas: Iterable[Boolean], integer: bool = False, largest: int | None = None
) -> list[Expr]:
    """Exact values that represent every truth value of the formulas, the nicest first; the ends of the domain too.

    `largest` bounds their size where larger ones would be arguments of exponential functions.

    >>> x = Symbol("x")
    >>> candidates(x, sp.Reals, [x**2 < 2])[:4]
    [1, 0, -1, 2]
    """
    exact, searched = _boundaries(variable, domain, formulas)
    places = {number: near_by for number in exact if (near_by := place(number)) is not None}
    ends = sorted({*places.values(), *map(Fraction, searched)})
    found: list[Expr] = list(places)
    found += [Rational(simple.numerator, simple.denominator) for simple in (near(zero, 1e-9) for zero in searched)]
    for low, high in zip([None, *ends], [*ends, None], strict=True):
        found += [Rational(value.numerator, value.denominator) for value in _cell(low, high, integer)]
    if integer:
        found = [number for number in found if number.is_integer]
    if largest is not None:
        found = [number for number in found if not number.is_Rational or abs(number) <= largest]
    return sorted(dict.fromkeys(found), key=_niceness)


def _boundaries(variable: Symbol, domain: Set, formulas: Iterable[Boolean]) -> tuple[list[Expr], list[float]]:
    exact: list[Expr] = list(_domain_ends(domain))
    searched: list[float] = []
    for relation in {atom for formula in formulas for atom in formula.atoms(Relational)}:
        difference = relation.lhs - relation.rhs
        if difference.free_symbols == {variable}:
            roots, approximate = zeros(difference, variable)
            exact += roots
            searched += approximate
    return list(dict.fromkeys(exact)), searched


def _domain_ends(domain: Set) -> Iterator[Expr]:
    if isinstance(domain, Interval):
        yield from (end for end in (domain.start, domain.end) if end.is_finite and end.is_number)
    elif isinstance(domain, FiniteSet):
        yield from domain.args
    elif isinstance(domain, Union):
        for part in domain.args:
            yield from _domain_ends(part)
    elif isinstance(domain, Range):
        yield from (end for end in (domain.inf, domain.sup) if end not in (oo, -oo))


@lru_cache(maxsize=4096)
def place(number: Expr) -> Fraction | None:
    """A rational number next to a real one; None for what is not real or finite.

    >>> place(Rational(1, 3)), place(sp.sqrt(-2)) is None, float(place(sp.sqrt(2)))
    (Fraction(1, 3), True, 1.4142135623730951)

    In balls, not by SymPy's evalf: that can take minutes for nested radicals that nearly cancel.
    """
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    from flint import ctx

    previous = ctx.prec
    try:
        evaluate = numerics.compile_ball([number], [])
        for ctx.prec in _BITS:
            (ball,) = evaluate()
            if ball.is_finite() and (ball.rel_accuracy_bits() > _ENOUGH_BITS or ctx.prec == _BITS[-1]):
                mantissa, exponent = (int(part) for part in ball.mid().man_exp())
                return Fraction(mantissa) * Fraction(2) ** exponent
    except LemmascopeError:
        return None
    finally:
        ctx.prec = previous
    return None


def _cell(low: Fraction | None, high: Fraction | None, integer: bool) -> list[Fraction]:
    """Nice numbers of an open cell: simple ones, ones with margin, and ones near its ends on a log scale."""
    if low is None and high is None:
        wide = [Fraction(10) ** k for k in (-60, -20, -6, -3, -1, 1, 3, 6, 20)]
        return [Fraction(n) for n in (0, 1, -1, 2, -2, 3, -3)] + [Fraction(1, 2)] + wide + [-n for n in wide]
    if low is None and high is not None:
        return [-value for value in _cell(-high, None, integer)]
    if high is None and low is not None:
        steps = [Fraction(10) ** k for k in (*_DECADES[:6], *(-d for d in _DECADES))]
        first = Fraction(math.floor(low) + 1)
        near_end = [low + step if low.denominator < _SIMPLE else nice_between(low, low + step) for step in steps]
        found = [first, first + 1, first + 2, *([Fraction(0)] if low < 0 else []), *near_end]
        return [*found, simplest_between(low, low + 1), *(Fraction(10) ** k for k in range(1, 62, 6) if 10**k > low)]
    return [] if low is None or high is None else _bounded_cell(low, high, integer)


def _bounded_cell(low: Fraction, high: Fraction, integer: bool) -> list[Fraction]:
    if integer:
        first, last = math.floor(low) + 1, math.ceil(high) - 1
        near_ends = {first, first + 1, first + 2, (first + last) // 2, last - 1, last}
        return [Fraction(n) for n in sorted(near_ends) if first <= n <= last]
    width = high - low
    fifth = width / 5
    found = [nice_between(low + k * fifth, low + (k + 1) * fifth) for k in range(5)]
    found += [nice_between(low, high), nice_between(low + 2 * width / 5, low + 3 * width / 5)]
    for decade in _DECADES:
        step = Fraction(1, 10**decade)
        if step < width:
            found += [end + direction * step for end, direction in ((low, 1), (high, -1)) if end.denominator < _SIMPLE]
        if step * width < Fraction(1, 10**3):
            found += [nice_between(low, low + width * step), nice_between(high - width * step, high)]
    return found


def _niceness(number: Expr) -> float:
    if isinstance(number, Rational):
        return cost(number)
    return 80.0 if number.has(CRootOf) else 40.0


def nicest(values: Sequence[Expr]) -> list[Expr]:
    """The values ordered from easy to hard to read.

    >>> nicest([sp.sqrt(2), Rational(22, 7), sp.Integer(1)])
    [1, 22/7, sqrt(2)]
    """
    return sorted(values, key=_niceness)
