"""Contradictions between polynomial conditions by linear programming (Krivine, Handelman).

sum_k weight_k * product_k * monomial_k**2  +  sum_j cofactor_j * equation_j  =  0     with weights at least zero,

one of them positive for a product that is positive. The program is solved in floating point; the vertex that it finds
is solved for again in fractions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import flint
import numpy as np
from scipy import sparse
from scipy.linalg import qr
from scipy.optimize import linprog

from proofs_check.engines.polynomial.reduction import Reduction
from proofs_check.kernel.formulas import Sign
from theory.polynomials import Polynomial, Ring

Exponents = tuple[int, ...]
Label = tuple[tuple[tuple[int, int], ...], Exponents]
"""The conditions that are multiplied, with their powers, and the monomial that is squared."""

Product = tuple[tuple[tuple[int, int], ...], Polynomial, bool, np.ndarray]
"""Conditions with their powers, what they multiply to, whether that is positive, and its degrees."""

_MOST_COLUMNS = 6000
_LARGEST_VERTEX = 400
_FEW = 3
"""The degree from which on monomials are taken as a whole: smaller products are tried anyway."""

LEVELS = ((1, 0), (2, 0), (3, 1), (2, 2), (3, 2), (4, 4))
"""How many conditions are multiplied, and by how much the degree may exceed that of the conditions."""


@dataclass(frozen=True)
class Column:
    """A product of conditions times the square of a monomial, as it is modulo the equations."""

    label: Label
    value: Mapping[Exponents, Any]
    strict: bool


@dataclass
class Program:
    """The linear programs of one list of conditions."""

    ring: Ring
    signs: Sequence[Sign]
    unused: frozenset[int] = frozenset()
    """Conditions that others imply; they are left out."""

    reduction: Reduction = field(init=False)

    def __post_init__(self) -> None:
        equations = [(k, sign.value) for k, sign in enumerate(self.signs) if sign.op == "="]
        self.reduction = Reduction(self.ring, equations)

    def leaf(self, level: tuple[int, int], end: float, stop: Callable[[], bool] = lambda: False) -> Any:
        """An identity as certificate data, or None."""
        columns = [*self._columns(level, end), *self._monomials()]
        if time.process_time() > end or stop():
            return None
        free = list(self._multiples(max((self._degree(c.value) for c in columns), default=0)))
        return self._solved(columns, free, end)

    def _degree(self, value: Mapping[Exponents, Any]) -> int:
        return max(map(sum, value), default=0)

    def _factors(self) -> list[tuple[tuple[int, int], Polynomial, bool, np.ndarray]]:
        """Conditions to multiply: label, value modulo the equations, whether positive, degrees."""
        found = []
        for k, sign in enumerate(self.signs):
            if k not in self.unused and sign.op != "=":
                power = 2 if sign.op == "!=" else 1
                reduced = self.reduction.remainder(sign.value**power)
                found.append(((k, power), reduced, sign.op != ">=", _degrees(reduced)))
        while True:  # what is linear in a symbol that nothing else has is of no use
            counts = sum((d > 0 for *_, d in found), np.zeros(len(self.ring.symbols), dtype=int))
            for _, equation in self.reduction.others:
                counts = counts + 2 * (_degrees(equation) > 0)
            kept = [item for item in found if not np.any((item[3] == 1) & (counts == 1))]
            if len(kept) == len(found):
                return found
            found = kept

    def _columns(self, level: tuple[int, int], end: float) -> Iterator[Column]:
        """Products of at most so many conditions and squares of monomials, up to a degree."""
        factors = self._factors()
        most, more = level
        sizes = [d for *_, d in factors] + [_degrees(sign.value) for sign in self.signs if sign.op == "="]
        if not sizes:
            return
        limit = max(int(d.sum()) for d in sizes) + more
        ceiling = np.max(sizes, axis=0)
        ceiling = np.where(ceiling > 0, ceiling + more // 2, 0)
        one = self.ring.context.constant(1)
        start: Product = ((), one, True, np.zeros(len(self.ring.symbols), dtype=int))
        chosen, layer = [start], [(start, 0)]
        for _ in range(most):
            grown = []
            for (label, value, strict, degrees), first in layer:
                for place in range(first, len(factors)):
                    key, factor, positive, size = factors[place]
                    total = degrees + size
                    if label and (total.sum() > limit or np.any(total > ceiling) or (key[1] == 2 and key in label)):
                        continue
                    grown.append(((_joined(label, key), value * factor, strict and positive, total), place))
                if len(grown) > _MOST_COLUMNS or time.process_time() > end:
                    return
            chosen += [item for item, _ in grown]
            layer = grown
        count = 0
        for label, value, strict, degrees in chosen:
            reduced = self.reduction.remainder(value)
            room = (ceiling - degrees) // 2
            for powers in squares(tuple(map(int, room)), int(limit - degrees.sum()) // 2):
                count += 1
                if count > _MOST_COLUMNS or time.process_time() > end:
                    return
                shifted = reduced
                if any(powers):
                    square = self.ring.context.from_dict({tuple(2 * p for p in powers): 1})
                    shifted = self.reduction.remainder(reduced * square)
                yield Column((label, powers), shifted.to_dict(), strict and not any(powers))

    def _monomials(self) -> Iterator[Column]:
        """The monomials that occur and have a sign because each symbol in them has one, of whatever degree."""
        for powers in dict.fromkeys(tuple(map(int, e)) for sign in self.signs for e, _ in sign.value.terms()):
            known = None if sum(powers) < _FEW else not_negative(self.signs, powers)
            if known is not None:
                (label, square), strict = known
                value = self.ring.context.from_dict({tuple(2 * power for power in square): 1})
                for place, power in label:
                    value *= self.signs[place].value ** power
                yield Column((label, square), self.reduction.remainder(value).to_dict(), strict)

    def _multiples(self, degree: int) -> Iterator[tuple[int, Exponents, Mapping[Exponents, Any]]]:
        """Monomials times the equations that are not solved for a power of a symbol."""
        for place, equation in self.reduction.others:
            for powers in exponents(len(self.ring.symbols), degree - int(equation.total_degree())):
                monomial = self.ring.context.from_dict({powers: 1})
                yield place, powers, self.reduction.remainder(equation * monomial).to_dict()

    def _solved(
        self, columns: list[Column], free: list[tuple[int, Exponents, Mapping[Exponents, Any]]], end: float
    ) -> Any:
        columns = _possible(columns, free)
        if not any(column.strict for column in columns):
            return None
        values = [*(column.value for column in columns), *(value for *_, value in free)]
        rows = {row: k for k, row in enumerate(dict.fromkeys(row for value in values for row in value))}
        entries = []
        for k, value in enumerate(values):
            scale = max((abs(_float(number)) for number in value.values()), default=1.0) or 1.0
            entries += [(rows[row], k, _float(number) / scale) for row, number in value.items()]
        strict = [k for k, column in enumerate(columns) if column.strict]
        entries += [(len(rows), k, 1.0) for k in strict]
        places = ([i for i, _, _ in entries], [j for _, j, _ in entries])
        matrix = sparse.csc_matrix(([v for *_, v in entries], places), shape=(len(rows) + 1, len(values)))
        right = np.zeros(len(rows) + 1)
        right[-1] = 1.0
        bounds = [(0, None)] * len(columns) + [(None, None)] * len(free)
        cost = np.array(
            [1.0 + sum(sum(map(abs, key)) for key in c.label[0]) + sum(c.label[1]) for c in columns] + [0.0] * len(free)
        )
        left = end - time.process_time()
        if left <= 0:
            return None
        options = {"time_limit": left, "presolve": True}
        found = linprog(  # type: ignore[call-overload]
            cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ds", options=options
        )
        if found.status != 0 or found.x is None:
            return None
        return self._exact(columns, free, values, found.x)

    def _exact(
        self,
        columns: list[Column],
        free: list[tuple[int, Exponents, Mapping[Exponents, Any]]],
        values: list[Mapping[Exponents, Any]],
        point: np.ndarray,
    ) -> Any:
        """The weights in fractions, on the columns that have one in floating point."""
        for tolerance in (1e-9, 1e-7):
            support = [k for k, weight in enumerate(point) if abs(weight) > tolerance]
            if not support or len(support) > _LARGEST_VERTEX:
                continue
            weights = vertex([values[k] for k in support], [k < len(columns) and columns[k].strict for k in support])
            if weights is None:
                continue
            if all(weight >= 0 for k, weight in zip(support, weights, strict=True) if k < len(columns)):
                chosen = [(columns[k].label, w) for k, w in zip(support, weights, strict=True) if k < len(columns)]
                multiples = [
                    (free[k - len(columns)], w) for k, w in zip(support, weights, strict=True) if k >= len(columns)
                ]
                return self._data([item for item in chosen if item[1] != 0], multiples)
        return None

    def _data(self, chosen: list[tuple[Label, Any]], multiples: list[Any]) -> Any:
        ring = self.ring
        sums: dict[tuple[tuple[int, int], ...], list[list[Any]]] = {}
        total = ring.context.constant(0)
        for (label, powers), weight in chosen:
            sums.setdefault(label, []).append([str(weight), data(ring.context.from_dict({powers: 1}))])
            part = ring.context.from_dict({tuple(2 * p for p in powers): weight})
            for place, power in label:
                part *= self.signs[place].value ** power
            total += part
        cofactors: dict[int, Polynomial] = {}
        for (place, powers, _), weight in multiples:
            monomial = ring.context.from_dict({powers: weight})
            total += monomial * dict(self.reduction.others)[place]
            for source, factor in self.reduction.combination(place).items():
                cofactors[source] = cofactors.get(source, 0) + factor * monomial
        for place, factor in self.reduction.cofactors(total).items():
            cofactors[place] = cofactors.get(place, 0) + factor
        return {
            "sums": [{"product": [list(key) for key in label], "squares": squares} for label, squares in sums.items()],
            "cofactors": [[place, data(factor)] for place, factor in cofactors.items() if not factor.is_zero()],
        }


def not_negative(signs: Sequence[Sign], powers: Exponents) -> tuple[Label, bool] | None:
    """A monomial as a product of conditions and a square, and whether it is positive; None where its sign is open."""
    known = {}
    for k, sign in enumerate(signs):
        terms = list(sign.value.terms())
        if sign.op in (">", ">=") and len(terms) == 1 and sum(terms[0][0]) == 1 and terms[0][1] == 1:
            known[list(terms[0][0]).index(1)] = k
    strict = {p: known[p] for p in known if powers[p] and signs[known[p]].op == ">"}
    weak = {p: known[p] for p in known if powers[p] % 2 and p not in strict}
    rest = [p for p, power in enumerate(powers) if power and p not in strict]
    if any(powers[p] % 2 and p not in weak for p in rest):
        return None
    label = tuple(sorted([(k, powers[p]) for p, k in strict.items()] + [(k, 1) for k in weak.values()]))
    return (label, tuple(0 if p in strict else power // 2 for p, power in enumerate(powers))), not rest


def vertex(values: Sequence[Mapping[Exponents, Any]], strict: Sequence[bool]) -> list[Any] | None:
    """Exact weights of columns that add up to zero, those of the strict ones to one; None without a unique answer."""
    rows = {row: k for k, row in enumerate(dict.fromkeys(row for value in values for row in value))}
    size = len(values)
    dense = np.zeros((len(rows) + 1, size))
    for k, value in enumerate(values):
        for row, number in value.items():
            dense[rows[row], k] = _float(number)
        dense[-1, k] = float(strict[k])
    scale = np.abs(dense).max(axis=0)
    scale[scale == 0] = 1.0
    if len(rows) + 1 < size:
        return None
    norms = np.abs(dense / scale).max(axis=1, keepdims=True)
    norms[norms == 0] = 1.0
    _, triangle, order = qr((dense / scale / norms).T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    if not len(diagonal) or len(diagonal) < size or diagonal[size - 1] < 1e-9 * diagonal[0]:
        return None
    kept = [int(k) for k in order[:size]]
    names = {k: row for row, k in rows.items()}
    entries = [
        values[k].get(names[row], flint.fmpq(0)) if row < len(rows) else flint.fmpq(int(strict[k]))
        for row in kept
        for k in range(size)
    ]
    right = flint.fmpq_mat(size, 1, [flint.fmpq(int(row == len(rows))) for row in kept])
    try:
        solved = flint.fmpq_mat(size, size, entries).solve(right)
    except ZeroDivisionError:
        return None
    weights = [solved[k, 0] for k in range(size)]
    rest: dict[Exponents, Any] = {}
    for weight, value in zip(weights, values, strict=True):
        for row, number in value.items():
            rest[row] = rest.get(row, flint.fmpq(0)) + weight * number
    exact = all(number == 0 for number in rest.values())
    return weights if exact and sum((w for w, s in zip(weights, strict, strict=True) if s), flint.fmpq(0)) > 0 else None


def _possible(columns: list[Column], free: Sequence[Any]) -> list[Column]:
    """The columns that can have a weight: each monomial must be able to cancel."""
    loose = {row for *_, value in free for row in value}
    while True:
        seen: dict[Exponents, set[bool]] = {}
        for column in columns:
            for row, number in column.value.items():
                seen.setdefault(row, set()).add(number > 0)
        stuck = {row for row, kinds in seen.items() if len(kinds) == 1 and row not in loose}
        kept = [column for column in columns if not stuck.intersection(column.value)]
        if len(kept) == len(columns):
            return kept
        columns = kept


def _joined(label: tuple[tuple[int, int], ...], key: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    if label and label[-1][0] == key[0]:
        return (*label[:-1], (key[0], label[-1][1] + key[1]))
    return (*label, key)


def _degrees(value: Polynomial) -> np.ndarray:
    return np.array([max(0, int(d)) for d in value.degrees()], dtype=int)


def squares(room: Exponents, degree: int) -> Iterator[Exponents]:
    """Exponents of monomials of at most a degree, each below its bound, the smallest first."""
    for total in range(max(0, min(degree, sum(max(0, r) for r in room))) + 1):
        yield from _partitions(room, total)


def _partitions(room: Exponents, total: int) -> Iterator[Exponents]:
    if not room:
        if total == 0:
            yield ()
        return
    for first in range(min(max(0, room[0]), total), -1, -1):
        for rest in _partitions(room[1:], total - first):
            yield (first, *rest)


def exponents(count: int, degree: int) -> list[Exponents]:
    """The exponents of all monomials up to a degree, the highest first."""
    if degree < 0:
        return []
    if count == 0:
        return [()]
    return [(first, *rest) for first in range(degree + 1) for rest in exponents(count - 1, degree - first)][::-1]


def data(polynomial: Polynomial) -> list[list[Any]]:
    """A polynomial as certificate data."""
    return [[list(map(int, powers)), str(number)] for powers, number in polynomial.terms()]


def _float(number: Any) -> float:
    return int(number.p) / int(number.q)
