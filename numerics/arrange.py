"""Cheaper exact forms of the same formula: factored or nested polynomials, shared subexpressions.

Every rewriting here is an identity of polynomials in whatever generators the formula has, so the value
and the set of points where it is defined stay the same in every arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from theory.errors import LemmascopeError

MOST_TERMS = 24
MOST_GENERATORS = 6
HIGHEST_DEGREE = 16
LONGEST_COEFFICIENT = 10**24
MOST_TERMS = 2000
MOST_OPERATIONS_TO_ARRANGE = 4000
MOST_OPERATIONS_TO_SHARE = 20000


@dataclass(frozen=True)
class Arranged:
    """Definitions to compute first, then the outputs that refer to them."""

    shared: tuple[tuple[sp.Symbol, sp.Basic], ...]
    outputs: tuple[sp.Basic, ...]


def arrange(outputs: Sequence[sp.Basic]) -> Arranged:
    """Rearrange polynomials where that saves operations, then share common subexpressions.

    >>> from sympy.abc import x
    >>> arrange([x**3 + 3*x**2 + 3*x + 1]).outputs
    ((x + 1)**3,)
    """
    evaluated = [carry_out(output) for output in outputs]
    if not any(output.free_symbols for output in evaluated) or any(map(_would_cancel, evaluated)):
        return Arranged((), tuple(evaluated))  # a number is evaluated once: nothing is worth rearranging
    size = sum(int(sp.count_ops(output)) for output in evaluated)
    if size <= MOST_OPERATIONS_TO_ARRANGE:
        done: dict[sp.Basic, sp.Basic] = {}
        evaluated = [_rearranged(output, done) for output in evaluated]
    if size > MOST_OPERATIONS_TO_SHARE or len(evaluated) == 0:
        return Arranged((), tuple(evaluated))
    fresh = sp.numbered_symbols("shared", cls=sp.Dummy)
    shared, shortened = sp.cse(evaluated, symbols=fresh, order="none", list=True)
    return Arranged(tuple(shared), tuple(shortened))


def carry_out(expression: sp.Basic) -> sp.Basic:
    """The formula without derivatives, sums and integrals that are only written down."""
    pending = expression.has(sp.Derivative, sp.Sum, sp.Product, sp.Integral)
    for part in expression.atoms(sp.Sum, sp.Product) if pending else ():
        sizes = [limit[2] - limit[1] for limit in part.limits if len(limit) == 3]
        if any(size.is_Integer and size > MOST_TERMS for size in sizes):
            raise LemmascopeError(f"a sum or product of more than {MOST_TERMS} terms is not written out")
    return expression.doit() if pending else expression


def _rearranged(expression: sp.Basic, done: dict[sp.Basic, sp.Basic]) -> sp.Basic:
    if not expression.args or isinstance(expression, sp.MatrixExpr):
        return expression
    if expression not in done:
        best = _cheapest_polynomial(expression) if isinstance(expression, sp.Add) else expression
        parts = tuple(_rearranged(part, done) for part in best.args)
        rebuilt = best if parts == best.args else best.func(*parts)
        done[expression] = rebuilt if set(rebuilt.args) == set(parts) or _keeps(rebuilt, parts) else best
    return done[expression]


def _keeps(rebuilt: sp.Basic, parts: Sequence[sp.Basic]) -> bool:
    """Whether nothing that may be undefined has cancelled, as the x of (x**2 + x)/x does once the sum is factored."""
    delicate = {power for part in parts for power in part.atoms(sp.Pow, sp.Function) if not _is_natural(power)}
    return delicate <= rebuilt.atoms(sp.Pow, sp.Function)


def _is_natural(power: sp.Basic) -> bool:
    return bool(power.is_Pow and power.exp.is_Integer and power.exp > 0)


def _would_cancel(expression: sp.Basic) -> bool:
    """Whether a quotient is only written down, as x/x with evaluate=False is, and would vanish when touched."""
    products = (product for product in expression.atoms(sp.Mul) if any(map(_is_quotient, product.args)))
    return any(product.func(*product.args) != product for product in products)


def _is_quotient(part: sp.Basic) -> bool:
    return bool(part.is_Pow and part.exp.is_negative)


def _cheapest_polynomial(expression: sp.Add) -> sp.Basic:
    if len(expression.args) > MOST_TERMS or any(_is_huge_power(part) for part in expression.atoms(sp.Pow, sp.exp)):
        return expression
    polynomial = expression.as_poly()
    if polynomial is None or not (polynomial.domain.is_ZZ or polynomial.domain.is_QQ):
        return expression
    if len(polynomial.gens) > MOST_GENERATORS or polynomial.total_degree() > HIGHEST_DEGREE:
        return expression
    if any(max(abs(number.p), number.q) > LONGEST_COEFFICIENT for number in polynomial.coeffs()):
        return expression  # factoring would look for primes of that size
    candidates = [expression, _factored(polynomial)]
    candidates += [_nested(polynomial, generator) for generator in polynomial.gens[:4]]
    return min(candidates, key=_multiplications)


def _is_huge_power(power: sp.Basic) -> bool:
    """Powers such as exp(10**20), which SymPy's dense polynomials would spell out."""
    exponent = power.as_base_exp()[1]
    return bool(exponent.is_Rational and max(abs(exponent.p), exponent.q) > HIGHEST_DEGREE)


def _factored(polynomial: sp.Poly) -> sp.Basic:
    content, factors = polynomial.factor_list()
    odd = next((place for place, (f, power) in enumerate(factors) if power % 2 and len(f.terms()) > 1), None)
    if content < 0 and odd is not None:
        # the sign costs nothing inside a sum
        content, factors[odd] = -content, (-factors[odd][0], factors[odd][1])
    return sp.Mul(content, *(sp.Pow(_nested(f, f.gens[0]), power) for f, power in factors))


def _nested(polynomial: sp.Poly, generator: sp.Basic) -> sp.Basic:
    """Horner's form, outermost in `generator`."""
    order = sorted(range(len(polynomial.gens)), key=lambda i: polynomial.gens[i] != generator)
    terms = {tuple(monomial[i] for i in order): coefficient for monomial, coefficient in polynomial.terms()}
    return _horner(terms, [polynomial.gens[i] for i in order])


def _horner(terms: dict[tuple[int, ...], sp.Basic], generators: Sequence[sp.Basic]) -> sp.Basic:
    if not generators:
        return terms[()]
    by_power: dict[int, dict[tuple[int, ...], sp.Basic]] = {}
    for (power, *rest), coefficient in terms.items():
        by_power.setdefault(power, {})[tuple(rest)] = coefficient
    result, previous = sp.S.Zero, max(by_power)
    for power in sorted(by_power, reverse=True):
        result = result * generators[0] ** (previous - power) + _horner(by_power[power], generators[1:])
        previous = power
    return result * generators[0] ** previous


def _multiplications(expression: sp.Basic) -> int:
    """Operations with a power counted as the multiplications it costs."""
    total = 0
    for node in sp.preorder_traversal(expression):
        if node.is_Add or node.is_Mul:
            total += len(node.args) - 1 - (node.args[0] == -1)
        elif node.is_Pow and node.exp.is_Integer:
            total += max(int(abs(node.exp)).bit_length() + int(abs(node.exp)).bit_count() - 2, 1)
    return total
