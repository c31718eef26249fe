"""Parameters that are units: a claim that is homogeneous in them is decided where they are one, and written back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint
from sympy import Expr, Mul, Rational, Symbol

from proofs_check.engines.classes.combination import Combination, Form, Question
from proofs_check.kernel.classes import ONE, Problem
from theory.polynomials import Fraction

Weight = list[Any]
_ZERO = flint.fmpq(0)


@dataclass
class Units:
    """Weights of points, slopes and parameters under which all forms are homogeneous."""

    problem: Problem
    used: list[Symbol]
    basis: list[list[Any]]
    """Each row weighs points, slopes and then the used parameters."""
    ones: list[Symbol]
    """The parameters that can be one at the same time."""

    @property
    def rest(self) -> list[Symbol]:
        """The parameters that stay."""
        return [symbol for symbol in self.used if symbol not in self.ones]

    def of_symbol(self, symbol: Symbol) -> Weight:
        """The weight of a parameter."""
        return [row[2 + self.used.index(symbol)] for row in self.basis]

    def of_base(self, place: int) -> Weight:
        """The weight of a vector."""
        kind = _is_slope(self.problem.bases[place])
        return [row[kind] for row in self.basis]

    def of_form(self, form: Form) -> Weight:
        """The weight of a form, read off one of its terms."""
        key, number = next(iter(form.items()))
        row = _term(self.problem, self.used, key, *_first(number))
        return [sum((a * b for a, b in zip(own, row, strict=True)), _ZERO) for own in self.basis]

    def power(self, weight: Weight) -> Expr | None:
        """The product of parameters that has a weight, where there is one with whole exponents."""
        if not self.ones:
            return Rational(1)
        columns = [self.of_symbol(symbol) for symbol in self.ones]
        reduced, rank = flint.fmpq_mat([list(row) for row in zip(*columns, weight, strict=True)]).rref()
        exponents = [_ZERO] * len(self.ones)
        for i in range(rank):
            pivot = next(j for j in range(len(self.ones) + 1) if reduced[i, j] != 0)
            if pivot == len(self.ones):
                return None
            exponents[pivot] = reduced[i, len(self.ones)]
        if any(exponent.q != 1 for exponent in exponents):
            return None
        return Mul(*(symbol ** int(e.p) for symbol, e in zip(self.ones, exponents, strict=True)))


def units(problem: Problem, forms: Sequence[Form]) -> Units:
    """The weights, and as many parameters as they allow to be one."""
    ring = problem.ring
    numbers = [number for form in forms for number in form.values()]
    used = [
        symbol
        for symbol in ring.symbols
        if any(symbol in ring.symbols_in(part) for n in numbers for part in (n.numerator, n.denominator))
    ]
    equations = []
    for form in forms:
        rows = []
        for key, number in form.items():
            above, below = _powers(number.numerator), _powers(number.denominator)
            rows += [_term(problem, used, key, powers, below[0]) for powers in above]
            rows += [_term(problem, used, key, above[0], powers) for powers in below]
        equations += [[a - b for a, b in zip(row, rows[0], strict=True)] for row in rows[1:]]
    basis = _kernel(equations, 2 + len(used))
    order = sorted(used, key=lambda symbol: symbol not in _largest_constants(problem))
    if not used or not basis:
        return Units(problem, used, basis, [])
    reduced, rank = flint.fmpq_mat([[row[2 + used.index(symbol)] for symbol in order] for row in basis]).rref()
    ones = [order[next(j for j in range(len(order)) if reduced[i, j] != 0)] for i in range(rank)]
    return Units(problem, used, basis, ones)


def _largest_constants(problem: Problem) -> set[Any]:
    return {domain.args[-1] for domain in problem.classes.values() if domain.args}


def at_one(forms: Sequence[Form], size: int, goals: int) -> Question:
    """The question where every parameter is one; the first forms are the goals."""
    plain = [{key: number_at_one(number) for key, number in form.items()} for form in forms]
    plain = [{key: number for key, number in form.items() if number != 0} for form in plain]
    return Question(plain[:goals], plain[goals:], size)


def restored(units: Units, forms: Sequence[Form], goals: int, found: Combination) -> dict[str, Any] | None:
    """The proof with its parameters, as expressions."""
    chosen = [k for k, weight in enumerate(found.weights) if weight != 0]
    total = units.of_form(forms[chosen[0]])
    weights = [(k, number, units.of_form(forms[k])) for k, number in enumerate(found.weights) if number != 0]
    used = [(goals + k, number, units.of_form(forms[goals + k])) for k, number in found.multipliers.items()]
    changed = {k: (number, units.power(_minus(total, own))) for k, number, own in (*weights, *used)}
    squares = []
    for pivot, row in found.squares:
        first = next(k for k, number in enumerate(row) if number != 0)
        lead = units.of_base(first)
        factor = units.power(_minus(total, lead, lead))
        rest = [
            units.power(_minus(lead, units.of_base(k))) if number != 0 else Rational(0) for k, number in enumerate(row)
        ]
        if factor is None or None in rest:
            return None
        squares.append((_number(pivot) * factor, [_number(a) * b for a, b in zip(row, rest, strict=True)]))
    if any(power is None for _, power in changed.values()):
        return None
    values = {k: _number(number) * power for k, (number, power) in changed.items()}
    return {
        "weights": [values.get(k, Rational(0)) for k in range(goals)],
        "multipliers": [(k - goals, values[k]) for k, _, _ in used],
        "squares": squares,
    }


def _minus(weight: Weight, *others: Weight) -> Weight:
    return [number - sum(rest, _ZERO) for number, *rest in zip(weight, *others, strict=True)]


def _number(number: Any) -> Rational:
    return Rational(int(number.p), int(number.q))


def number_at_one(number: Any) -> Any:
    """The value of a rational function where every parameter is one."""
    above, below = (sum((c for _, c in part.terms()), _ZERO) for part in (number.numerator, number.denominator))
    return above / below


def number_at(number: Fraction, setting: Mapping[Symbol, Rational]) -> Any:
    """The value of a rational function where the parameters have values; those without one are one."""
    ring = number.ring
    values = {symbol: ring.as_fraction(ring.constant(setting.get(symbol, 1))) for symbol in ring.symbols}
    plain = number.substitute(values)
    return (
        plain.numerator.leading_coefficient() if not plain.is_zero else _ZERO
    ) / plain.denominator.leading_coefficient()


def _powers(polynomial: Any) -> list[tuple[int, ...]]:
    return [tuple(powers) for powers, _ in polynomial.terms()]


def _first(number: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _powers(number.numerator)[0], _powers(number.denominator)[0]


def _term(problem: Problem, used: list[Symbol], key: Any, above: Iterable[int], below: Iterable[int]) -> Weight:
    """How a term weighs: how many points and slopes are in it, and which powers of the parameters."""
    counts = [0, 0]
    if isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, int) for part in key):
        for place in key:
            counts[_is_slope(problem.bases[place])] += 1
    elif key != ONE:
        counts = [1, 1]
    net = dict(zip(problem.ring.symbols, (a - b for a, b in zip(above, below, strict=True)), strict=True))
    return [flint.fmpq(number) for number in (*counts, *(net[symbol] for symbol in used))]


def _is_slope(base: Any) -> int:
    return int(isinstance(base, tuple) and base[0] == "slope")


def _kernel(rows: list[list[Any]], size: int) -> list[list[Any]]:
    """A basis of what every row vanishes on."""
    if not rows:
        return [[flint.fmpq(int(i == j)) for j in range(size)] for i in range(size)]
    reduced, rank = flint.fmpq_mat(rows).rref()
    pivots = [next(j for j in range(size) if reduced[i, j] != 0) for i in range(rank)]
    basis = []
    for free in (j for j in range(size) if j not in pivots):
        own = [_ZERO] * size
        own[free] = flint.fmpq(1)
        for i, pivot in enumerate(pivots):
            own[pivot] = -reduced[i, free]
        basis.append(own)
    return basis
