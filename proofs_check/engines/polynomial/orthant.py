"""Inequalities where symbols, or other linear expressions, are positive: sums of squares times products of these.

A form that is nonnegative for positive symbols becomes one everywhere when symbols are replaced by squares. A sum of
squares of that form splits by the parity of the exponents, and going back it reads

form * (x1 + ... + xn)**r  =  sum over sets S of symbols of  squares_S * product of S,

with one small Gram matrix for each set. An equation such as x1 + ... + xn = 1 makes every polynomial a form first;
a polynomial that is none is treated in the same way with the number 1 as one more positive symbol.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod
from typing import Any

from proofs_check.engines.polynomial.fitted_squares import without_vanishing
from proofs_check.engines.polynomial.gram import Block
from proofs_check.engines.polynomial.lemmas import summand
from proofs_check.engines.polynomial.positivstellensatz import Plan, search
from proofs_check.engines.polynomial.products import data, exponents
from proofs_check.kernel.formulas import Sign
from theory.polynomials import Polynomial, Ring

_MOST_FACTORS = 6
_MOST_DEGREE = 14
_MOST_UNKNOWNS = 2000
_MOST_MULTIPLES = 800


@dataclass(frozen=True)
class _Task:
    """A strict condition to contradict: a form, or any polynomial; what is positive; and the equations."""

    place: int
    value: Polynomial
    is_form: bool
    factors: tuple[tuple[int, Polynomial], ...]
    """Linear conditions, positive or not negative, with their places."""

    symbols: tuple[tuple[int, Polynomial], ...]
    """Those that are symbols."""

    equations: tuple[tuple[int, Polynomial], ...] = ()
    added: tuple[int, Polynomial] | None = None
    """The equation whose multiple made the condition a form, and the multiple."""


def contradicted(
    ring: Ring,
    signs: Sequence[Sign],
    end: float,
    stop: Callable[[], bool] = lambda: False,
    raised: Sequence[int] = (0,),
) -> Iterator[dict[str, Any]]:
    """Identities that show that a strict condition fails wherever others are positive, as certificate data.

    The powers r of the sum of all symbols are tried in turn.

    >>> from sympy import symbols
    >>> ring = Ring(symbols("x y z"))
    >>> x, y, z = ring.context.gens()
    >>> signs = [Sign(x, ">"), Sign(y, ">"), Sign(z, ">"), Sign(3*x*y*z - x**3 - y**3 - z**3, ">")]
    >>> sorted(next(contradicted(ring, signs, time.process_time() + 5)))
    ['cofactors', 'sums']
    """
    tasks = list(_tasks(ring, signs))
    for power in raised:
        for task in tasks:
            if time.process_time() > end or stop():
                return
            found = _identity(ring, task, power, end)
            if found is not None:
                yield found


def _tasks(ring: Ring, signs: Sequence[Sign]) -> Iterator[_Task]:
    """The strict conditions as forms, and those that are none as they are."""
    linear = _linear(signs)
    if not linear:
        return
    equations = tuple((k, sign.value) for k, sign in enumerate(signs) if sign.op == "=")
    for place, sign in enumerate(signs):
        if sign.op != ">" or not 2 <= _degree(sign.value) <= _MOST_DEGREE:
            continue
        factors = [item for item in linear if item[0] != place and _shares(item[1], sign.value)]
        forms = tuple(item for item in factors if _is_form(item[1]))
        if _is_form(sign.value):
            yield from _task(place, sign.value, True, forms)
        made = [(k, equation, _as_form(ring, sign.value, equation)) for k, equation in equations]
        for k, equation, form in made:
            if form is not None and _degree(form) <= _MOST_DEGREE:
                yield from _task(place, form, True, forms, added=(k, (form - sign.value) / equation))
        if not _is_form(sign.value) and all(form is None for *_, form in made):
            yield from _task(place, sign.value, False, factors, equations=equations)


def _task(
    place: int, value: Polynomial, is_form: bool, factors: Sequence[tuple[int, Polynomial]], **more: Any
) -> Iterator[_Task]:
    symbols = tuple(item for item in factors if len(item[1]) == 1)
    if symbols and len(factors) <= _MOST_FACTORS:
        yield _Task(place, value, is_form, tuple(factors), symbols, **more)


def _linear(signs: Sequence[Sign]) -> list[tuple[int, Polynomial]]:
    """Linear conditions that are not sums of others on single symbols, each once."""
    found: dict[Any, tuple[int, Polynomial]] = {}
    for place, sign in enumerate(signs):
        if sign.op in (">", ">=") and sign.value.total_degree() == 1:
            single = sum(1 for degree in sign.value.degrees() if degree) == 1
            if single or any(number < 0 for number in sign.value.coeffs()):
                found.setdefault(str(sign.value), (place, sign.value))
    return list(found.values())


def _shares(factor: Polynomial, value: Polynomial) -> bool:
    return all(d <= e for d, e in zip(map(int, factor.degrees()), map(int, value.degrees()), strict=True))


def _is_form(value: Polynomial) -> bool:
    return len({sum(powers) for powers in value.monoms()}) == 1


def _as_form(ring: Ring, value: Polynomial, equation: Polynomial) -> Polynomial | None:
    """A polynomial with terms multiplied by powers of a form that an equation makes 1."""
    number = equation.to_dict().get((0,) * len(ring.symbols), 0)
    unit = None if number == 0 else (equation - number) / -number
    if unit is None or unit.is_zero() or not _is_form(unit):
        return None
    size, top = _degree(unit), _degree(value)
    total = ring.context.constant(0)
    for powers, weight in value.terms():
        missing = top - sum(map(int, powers))
        if missing % size:
            return None
        total += ring.context.from_dict({tuple(powers): weight}) * unit ** (missing // size)
    return total


def _degree(value: Polynomial) -> int:
    return int(value.total_degree())


def _identity(ring: Ring, task: _Task, power: int, end: float) -> dict[str, Any] | None:
    one = ring.context.constant(1)
    total = sum((value for _, value in task.symbols), ring.context.constant(0) if task.is_form else one)
    raised = total**power
    target = -task.value * raised
    choices = list(_blocks(ring, task, target))
    if sum(len(block.pairs) for _, block in choices) > _MOST_UNKNOWNS:
        return None
    multiples = [
        (place, monomial * equation)
        for place, equation in task.equations
        for monomial in _up_to(ring, target, _degree(target) - _degree(equation))
    ]
    if len(multiples) > _MOST_MULTIPLES:
        return None
    support = {key for part in (target, *(multiple for _, multiple in multiples)) for key in part.to_dict()}
    kept = without_vanishing([block for _, block in choices], support)
    labels = [label for (label, _), block in zip(choices, kept, strict=True) if block.basis]
    plan = Plan(-target, ((task.place, 1),), one, (), task.equations, _degree(target))
    leaf = search(ring, plan, target, [block for block in kept if block.basis], labels, multiples, end)
    if leaf is None:
        return None
    sums = [*_times_the_condition(ring, task, power), *leaf["sums"][1:]]
    added = [] if task.added is None else [[task.added[0], data(task.added[1] * raised)]]
    return {"sums": sums, "cofactors": [*leaf["cofactors"], *added]}


def _times_the_condition(ring: Ring, task: _Task, power: int) -> Iterator[dict[str, Any]]:
    """The strict condition times each term of a power of the sum of the symbols, and of 1 where it is no form."""
    places = [place for place, _ in task.symbols]
    one = ring.context.constant(1)
    for times in exponents(len(places), power):
        rest = power - sum(times)
        if rest and task.is_form:
            continue
        number = _multinomial((*times, rest))
        factors = [[place, count] for place, count in zip(places, times, strict=True) if count]
        yield summand([[task.place, 1], *factors], str(number), one)


def _multinomial(counts: Sequence[int]) -> int:
    return factorial(sum(counts)) // prod(map(factorial, counts))


def _blocks(ring: Ring, task: _Task, target: Polynomial) -> Iterator[tuple[tuple[int, ...], Block]]:
    """For each set of positive factors, squares of what has the degree that is left."""
    degree = _degree(target)
    for size in range(min(degree, len(task.factors)) + 1):
        if task.is_form and (degree - size) % 2:
            continue
        half = (degree - size) // 2
        monomials = [
            monomial for monomial in _up_to(ring, target, half) if not task.is_form or _degree(monomial) == half
        ]
        for chosen in combinations(task.factors, size):
            weight = prod((value for _, value in chosen), start=ring.context.constant(1))
            yield tuple(place for place, _ in chosen), Block(tuple(monomials), weight)


def _up_to(ring: Ring, target: Polynomial, degree: int) -> Iterator[Polynomial]:
    """Monomials up to a degree in the symbols of a polynomial."""
    used = [k for k, power in enumerate(target.degrees()) if power]
    for powers in exponents(len(used), degree):
        row = [0] * len(ring.symbols)
        for k, times in zip(used, powers, strict=True):
            row[k] = times
        yield ring.context.from_dict({tuple(row): 1})
