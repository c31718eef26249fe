"""Certificates that polynomial conditions contradict each other.

The identity   strict * multiplier + sum_k squares_k * product_k + sum_j cofactor_j * equation_j = 0   is impossible at
a point where the strict part is positive, the products are not negative and the equations hold; the multiplier is a
power of 1 + x1**2 + ... + xn**2.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from proofs_check.engines.polynomial.exactly import exact_solution, rational_complement
from proofs_check.engines.polynomial.gram import Block, matching, solve
from proofs_check.engines.polynomial.products import data, exponents
from proofs_check.kernel.formulas import Sign
from theory.polynomials import Polynomial, Ring

Exponents = tuple[int, ...]

_MOST_UNKNOWNS = 2500
_FACES = 6


@dataclass(frozen=True)
class Plan:
    """One ansatz: the strict part and its multiplier, the products with unknown sums of squares, the equations."""

    strict: Polynomial
    label: tuple[tuple[int, int], ...]
    """The conditions, with powers, whose product the strict part is."""

    multiplier: Polynomial
    """A power of 1 + x1**2 + ... + xn**2."""

    products: tuple[tuple[tuple[int, ...], Polynomial], ...]
    equations: tuple[tuple[int, Polynomial], ...]
    degree: int


def refute(
    ring: Ring,
    case: Sequence[Sign],
    end: float,
    stop: Callable[[], bool] = lambda: False,
    unused: frozenset[int] = frozenset(),
) -> dict[str, Any] | None:
    """An identity that shows that conditions (> 0, >= 0, = 0) contradict each other, as certificate data.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> ring = Ring((x, y))
    >>> sorted(refute(ring, [Sign(ring.polynomial(2*x*y - x**2 - 2*y**2 - 1), ">")], time.process_time() + 5))
    ['cofactors', 'sums']
    """
    if not ring.symbols:
        return None
    for plan in _plans(ring, [(k, sign) for k, sign in enumerate(case) if k not in unused]):
        if time.process_time() > end or stop():
            return None
        found = _carry_out(ring, plan, end)
        if found is not None:
            return found
    return None


def refute_form(ring: Ring, case: Sequence[Sign], radius: int, end: float) -> dict[str, Any] | None:
    """The same where a condition times powers of another, positive one is the negative of a sum of squares."""
    scale = case[radius].value
    for power in (1, 2):
        for place, sign in enumerate(case):
            if sign.op == ">" and place != radius:
                strict, label = sign.value * scale**power, ((place, 1), (radius, power))
                degree = int(strict.total_degree())
                plan = Plan(strict, label, ring.context.constant(1), (), (), degree + degree % 2)
                found = _carry_out(ring, plan, end)
                if found is not None:
                    return found
    return None


def _plans(ring: Ring, case: Sequence[tuple[int, Sign]]) -> Iterator[Plan]:
    one = ring.context.constant(1)
    positive = [(k, sign.value) for k, sign in case if sign.op in (">", ">=")]
    equations = tuple((k, sign.value) for k, sign in case if sign.op == "=")
    stricts = [(k, sign.value) for k, sign in case if sign.op == ">"][::-1]
    yield from (_plan(ring, strict, place, 0, [], (), 0) for place, strict in stricts)
    for extra, level in ((0, 1), (0, 2), (1, 1), (1, 2), (2, 1)):
        if level == 2 and not 1 < len(positive) <= 6:
            continue
        products: list[tuple[tuple[int, ...], Polynomial]] = [((k,), value) for k, value in positive]
        products += [((a, b), p * q) for (a, p), (b, q) in combinations(positive, 2)] if level == 2 else []
        for place, strict in [*stricts, (None, one)]:
            if place is None and extra and stricts:
                continue
            power = extra if place is not None else 0
            yield _plan(ring, strict, place, power, products, equations, 0 if place is not None else 2 * extra)


def _plan(
    ring: Ring,
    strict: Polynomial,
    place: int | None,
    power: int,
    products: list[tuple[tuple[int, ...], Polynomial]],
    equations: tuple[tuple[int, Polynomial], ...],
    more: int,
) -> Plan:
    multiplier = sum((generator**2 for generator in ring.context.gens()), ring.context.constant(1)) ** power
    kept = tuple(item for item in products if item[0] != (place,))
    parts = [strict * multiplier, *(weight for _, weight in kept), *(equation for _, equation in equations)]
    degree = max(int(part.total_degree()) for part in parts)
    return Plan(strict, () if place is None else ((place, 1),), multiplier, kept, equations, degree + degree % 2 + more)


def _carry_out(ring: Ring, plan: Plan, end: float) -> dict[str, Any] | None:
    target = -plan.strict * plan.multiplier
    alone = not plan.products and not plan.equations
    bases = [_half_basis(ring, target) if alone else _monomials(ring, plan.degree // 2)]
    weights = [ring.context.constant(1)]
    for _, weight in plan.products:
        bases.append(_monomials(ring, (plan.degree - int(weight.total_degree())) // 2))
        weights.append(weight)
    if not bases[0] or sum(len(basis) * (len(basis) + 1) // 2 for basis in bases) > _MOST_UNKNOWNS:
        return None
    multiples = [
        (place, monomial * equation)
        for place, equation in plan.equations
        for monomial in _monomials(ring, plan.degree - int(equation.total_degree()))
    ]
    blocks = [Block(tuple(basis), weight) for basis, weight in zip(bases, weights, strict=True) if basis]
    labels = [label for label, basis in zip([(), *(label for label, _ in plan.products)], bases, strict=True) if basis]
    return search(ring, plan, target, blocks, labels, multiples, end)


def search(
    ring: Ring,
    plan: Plan,
    target: Polynomial,
    blocks: list[Block],
    labels: list[tuple[int, ...]],
    multiples: list[tuple[int, Polynomial]],
    end: float,
) -> dict[str, Any] | None:
    """Solve, round; where the Gram matrices are singular, go down to the face that they span and try again."""
    for _ in range(_FACES):
        left = end - time.process_time()
        if left <= 0:
            return None
        equations = matching(target, blocks, [multiple for _, multiple in multiples])
        if not set(target.to_dict()) <= set().union(*equations.columns):
            return None
        numeric = solve(equations, left)
        if numeric is None or numeric[2] < -1e-4:
            return None
        grams, free, slack = numeric
        if slack > 1e-9:
            for bits in (12, 20, 36):
                exact = exact_solution(equations, grams, free, bits)
                if exact is not None:
                    return _certificate(ring, plan, blocks, labels, multiples, exact)
        smaller = [_face(block, gram) for block, gram in zip(blocks, grams, strict=True)]
        if all(part is None for part in smaller):
            return None
        kept = [
            (block if part is None else part, label) for block, part, label in zip(blocks, smaller, labels, strict=True)
        ]
        blocks, labels = ([item[k] for item in kept if item[0].basis] for k in (0, 1))  # type: ignore[assignment]
    return None


def _face(block: Block, gram: Any) -> Block | None:
    for tolerance in (1e-5, 1e-3):
        if np.max(np.abs(gram)) < tolerance:
            return Block((), block.weight)
        complement = rational_complement(gram, tolerance)
        if complement is not None:
            zero = block.weight * 0
            basis = [sum((c * b for c, b in zip(v, block.basis, strict=True) if c != 0), zero) for v in complement]
            return Block(tuple(basis), block.weight)
    return None


def _certificate(
    ring: Ring,
    plan: Plan,
    blocks: list[Block],
    labels: list[tuple[int, ...]],
    multiples: list[tuple[int, Polynomial]],
    exact: tuple[list[list[Any]], list[Any]],
) -> dict[str, Any]:
    squares, free = exact
    zero = ring.context.constant(0)
    halves = [({tuple(int(p) // 2 for p in powers): 1}, number) for powers, number in plan.multiplier.terms()]
    own = [[str(number), data(ring.context.from_dict(half))] for half, number in halves]
    sums = [{"product": [list(key) for key in plan.label], "squares": own}]
    for block, label, parts in zip(blocks, labels, squares, strict=True):
        terms = []
        for weight, row in parts:
            combination = sum((c * b for c, b in zip(row, block.basis, strict=True) if c != 0), zero)
            terms.append([str(weight), data(combination)])
        if terms:
            sums.append({"product": [[place, 1] for place in label], "squares": terms})
    cofactors = {place: zero for place, _ in plan.equations}
    for (place, multiple), value in zip(multiples, free, strict=True):
        equation = dict(plan.equations)[place]
        cofactors[place] += value * (multiple / equation)
    kept = [[place, data(cofactor)] for place, cofactor in cofactors.items() if not cofactor.is_zero()]
    return {"sums": sums, "cofactors": kept}


def _monomials(ring: Ring, degree: int) -> list[Polynomial]:
    return [ring.context.from_dict({powers: 1}) for powers in exponents(len(ring.symbols), degree)]


def _half_basis(ring: Ring, target: Polynomial) -> list[Polynomial]:
    """Monomials that can occur in a sum of squares equal to the target: bounded degrees, consistent diagonals."""
    support = {tuple(map(int, powers)) for powers in target.monoms()}
    totals = [sum(powers) for powers in support]
    highest = [max(powers[k] for powers in support) for k in range(len(ring.symbols))]
    basis = {
        powers
        for powers in exponents(len(ring.symbols), max(totals) // 2)
        if 2 * sum(powers) >= min(totals) and all(2 * p <= h for p, h in zip(powers, highest, strict=True))
    }
    while True:
        sums: dict[Exponents, int] = {}
        for a, b in combinations(basis, 2):
            key = tuple(p + q for p, q in zip(a, b, strict=True))
            sums[key] = sums.get(key, 0) + 1
        useless = {p for p in basis if (double := tuple(2 * k for k in p)) not in support and double not in sums}
        if not useless:
            return [ring.context.from_dict({powers: 1}) for powers in sorted(basis, reverse=True)]
        basis -= useless
