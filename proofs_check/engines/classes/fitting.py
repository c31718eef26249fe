"""Proofs with parameters: solved where the parameters are numbers, read as rational functions, checked as such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice, product
from typing import Any

import flint
from sympy import Expr, Ge, Gt, Le, Lt, Rational, Symbol

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.classes.combination import Combination, Form, Question, combination, on_support
from proofs_check.engines.classes.examples import about_numbers, condition_on, equalities
from proofs_check.engines.classes.scaling import Units, number_at
from proofs_check.kernel.classes import Problem, combined, parameters
from proofs_check.verdict import Outcome
from theory.polynomials import Fraction
from theory.statements import Statement
from theory.trees import encode

_VALUES = [Rational(p, q) for q, p in ((10, 1), (5, 1), (4, 1), (3, 1), (2, 1), (7, 3), (5, 3), (3, 2), (7, 5), (4, 3))]
_VALUES += [Rational(p, q) for q, p in ((1, 1), (8, 1), (9, 4), (11, 7), (13, 9), (5, 6), (4, 5), (3, 4), (1, 2))]
_FINE_VALUES = [Rational(k, 48) for k in range(1, 100)]
_POINTS_TO_CHOOSE_FROM, _MOST_POINTS, _FIRST_POINTS, _LEAST_POINTS = 96, 18, 5, 4
_DEGREES = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1), (1, 2), (2, 2), (3, 2))


Point = Mapping[Symbol, Rational]
_Data = tuple[tuple[int, ...], list[tuple[Point, Combination]]]


def fitted(units: Units, forms: Sequence[Form], left: Callable[[], float]) -> Iterator[dict[str, Any]]:
    """Proofs of one goal whose multipliers are rational functions of the parameters, of any sign outside of samples."""
    for is_used, has_squares in _ways(units.problem):
        chosen = [form if place == 0 or is_used(place, form) else {} for place, form in enumerate(forms)]
        proof = _fitted(units, chosen, left, has_squares=has_squares)
        if proof is not None:
            yield proof


def _ways(problem: Problem) -> list[tuple[Callable[[int, Form], bool], bool]]:
    """Which inequalities are used, by their places and forms, and whether squares are.

    Where a claim has room to spare squares leave the multipliers free, which are then no functions: they come later. So
    do inequalities that say nothing where mu = L, since their multipliers have a pole there; with them the weaker ones
    are not needed.
    """
    rooms = [room.numerator for room in problem.rooms]
    if not rooms:
        return [(lambda *_: True, False), (lambda *_: True, True)]

    def without_poles(_: int, form: Form) -> bool:
        return not _vanishes(form, rooms)

    def without_weaker(place: int, _: Form) -> bool:
        return place - 1 not in problem.weaker

    return [(without_poles, False), (lambda *_: True, False), (without_poles, True), (without_weaker, True)]


def _vanishes(form: Form, rooms: Sequence[Any]) -> bool:
    values = [number.numerator for key, number in form.items() if isinstance(key, tuple) and isinstance(key[0], str)]
    return any(divmod(value, room)[1].is_zero() for value in values for room in rooms)


def _fitted(
    units: Units, forms: Sequence[Form], left: Callable[[], float], *, has_squares: bool
) -> dict[str, Any] | None:
    """Which inequalities are used is seen at a few points; with the same ones at all points, functions are fitted.

    Inequalities that do not serve all points are kept for the end: there the parameters are split into cases.
    """
    points = _points(units)
    question = cache(lambda place: _at(units, forms, points[place], has_squares=has_squares))
    seen: list[tuple[int, ...]] = []
    partly: list[_Data] = []
    for tried, place in enumerate(range(0, len(points), len(points) // _FIRST_POINTS + 1)):
        equal = partial(equalities, units.problem, question(place), left, points[place])
        found = combination(question(place), left, equal)
        support = None if found is None else tuple(sorted(found.multipliers))
        if support is not None and support not in seen:
            data = _at_points(points, question, support, left)
            proof = _through(units, forms, support, data) if len(data) == len(points) else None
            if proof is not None:
                return proof
            partly.append((support, data))
        seen += [] if support is None else [support]
        if left() <= 0 or tried > len(seen) + has_squares:  # what fails for some numbers is not true for all
            break
    proofs = (_through(units, forms, *known) for known in sorted(partly, key=lambda known: -len(known[1])))
    return next((proof for proof in proofs if proof is not None), None)


def _at_points(
    points: Sequence[Point], question: Callable[[int], Question], support: Sequence[int], left: Callable[[], float]
) -> list[tuple[Point, Combination]]:
    """Exact combinations of the same inequalities at the points where there are any."""
    data: list[tuple[Point, Combination]] = []
    for tried, point in enumerate(points):
        found = on_support(question(tried), support, left)
        data += [] if found is None else [(point, found)]
        if tried > 2 * len(data) + 2:
            break
    return data


def _through(
    units: Units, forms: Sequence[Form], support: Sequence[int], data: list[tuple[Point, Combination]]
) -> dict[str, Any] | None:
    """A proof whose multipliers are functions that take the values of the data."""
    if len(data) < _LEAST_POINTS:
        return None
    functions = {k: _function(units, data, k) for k in support}
    multipliers = {k: number for k, number in functions.items() if number is not None}
    return _proof(units, forms, multipliers) if len(multipliers) == len(functions) else None


def signs(problem: Problem, proofs: Iterable[Mapping[str, Any]], budget: Budget) -> list[dict[str, Any]]:
    """Stored proofs of the signs that the kernel will ask for."""
    found: dict[Any, dict[str, Any]] = {}
    variables, given = parameters(problem.statement)
    for proof in proofs:
        signed = [*(number for _, number in proof["multipliers"]), *(pivot for pivot, _ in proof["squares"])]
        others = [number for _, row in proof["squares"] for number in row]
        for number, is_signed in (*((n, True) for n in signed), *((n, False) for n in others)):
            own = problem.ring.fraction(number)
            if problem.is_positive(own) or problem.is_product_of_given(own, is_signed=is_signed):
                continue
            above, below = problem.ring.expression(own.numerator), problem.ring.expression(own.denominator)
            for sign, numerator in ((Gt, Ge), (Lt, Le)):
                wanted = [] if below.is_number else [sign(below, 0, evaluate=False)]
                wanted += [numerator(above, 0, evaluate=False)] if is_signed else []
                for condition in (condition for condition in wanted if condition not in found):
                    if (
                        certificate := _shown(Statement(variables=variables, given=given, then=condition), budget)
                    ) is None:
                        break
                    found[condition] = {
                        "condition": encode(condition), "given": [encode(part) for part in given],
                        "certificate": certificate,
                    }  # fmt: skip
                else:
                    break
    return list(found.values())


def borders(problem: Problem, proofs: Iterable[dict[str, Any]]) -> list[Expr]:
    """Factors that decide the sign of a multiplier or of what stands before a square, the simplest first."""
    found: dict[Expr, int] = {}
    for proof in proofs:
        for number in (*(n for _, n in proof["multipliers"]), *(pivot for pivot, _ in proof["squares"])):
            own = problem.ring.fraction(number)
            if problem.is_positive(own) or problem.is_product_of_given(own):
                continue
            for part in (own.numerator, own.denominator):
                found |= {
                    problem.ring.expression(factor): len(factor)
                    for factor, power in part.factor()[1]
                    if power % 2 and not problem.is_product_of_given(Fraction.reduced(problem.ring, factor, part**0))
                }
    return sorted(found, key=lambda border: (found[border], str(border)))


def _shown(statement: Statement, budget: Budget) -> Mapping[str, Any] | None:
    for name in ("polynomial", "cover"):
        if budget.spent:
            return None
        answer = engine(name).decide(statement, budget.share("classes, one function"))
        if answer is not None and answer.outcome is Outcome.PROVED:
            return answer.certificate
        if answer is not None and answer.decided:
            return None
    return None


def _points(units: Units) -> list[dict[Symbol, Rational]]:
    """Values of the parameters that are allowed, those of the units one, spread; fine ones where the simple are few."""
    hypotheses = [part for part in about_numbers(units.problem.statement) if part.free_symbols <= set(units.used)]
    hypotheses += [Gt(room.expression, 0, evaluate=False) for room in units.problem.rooms]
    is_allowed = condition_on([*units.rest, *units.ones], hypotheses)
    ones = [Rational(1)] * len(units.ones)
    points: list[list[Rational]] = []
    for values in (_VALUES, _FINE_VALUES):
        if len(points) < 2 * _LEAST_POINTS:
            orders = sorted(product(range(len(values)), repeat=len(units.rest)), key=lambda p: (sum(p), p))
            chosen = ([values[k] for k in places] for places in orders)
            points = list(islice((point for point in chosen if is_allowed([*point, *ones])), _POINTS_TO_CHOOSE_FROM))
    spread = points[:: max(1, len(points) // _MOST_POINTS)][:_MOST_POINTS]
    return [dict(zip(units.rest, point, strict=True)) for point in spread]


def _at(units: Units, forms: Sequence[Form], point: Mapping[Symbol, Rational], *, has_squares: bool) -> Question:
    plain = [{key: number_at(number, point) for key, number in form.items()} for form in forms]
    plain = [{key: number for key, number in form.items() if number != 0} for form in plain]
    return Question(plain[:1], plain[1:], len(units.problem.bases), has_squares)


def _function(
    units: Units, data: Sequence[tuple[Mapping[Symbol, Rational], Combination]], place: int
) -> Fraction | None:
    """The simplest rational function of the parameters that takes the values of a multiplier."""
    ring = units.problem.ring
    for above, below in _DEGREES:
        upper, lower = _monomials(len(units.rest), above), _monomials(len(units.rest), below)
        if len(upper) + len(lower) > len(data):
            continue
        rows = []
        for point, found in data:
            numbers = [_fmpq(point[symbol]) for symbol in units.rest]
            value = found.multipliers[place]
            rows.append([_power(numbers, m) for m in upper] + [-value * _power(numbers, m) for m in lower])
        kernel = _null(rows)
        if kernel is None:
            continue
        parts = []
        for monomials, numbers in ((upper, kernel[: len(upper)]), (lower, kernel[len(upper) :])):
            total = ring.context.constant(0)
            for exponents, number in zip(monomials, numbers, strict=True):
                term = ring.context.constant(number)
                for symbol, exponent in zip(units.rest, exponents, strict=True):
                    term *= ring.generators[symbol] ** exponent
                total += term
            parts.append(total)
        if not parts[1].is_zero():
            return Fraction.reduced(ring, *parts)
    return None


def _proof(units: Units, forms: Sequence[Form], multipliers: Mapping[int, Fraction]) -> dict[str, Any] | None:
    """With the units written back, and the rest of the goal as squares."""
    ring = units.problem.ring
    change = {}
    for symbol in units.rest:
        power = units.power([-number for number in units.of_symbol(symbol)])
        if power is None:
            return None
        change[symbol] = ring.fraction(symbol * power)
    whole: dict[int, Fraction] = {}
    for k, number in multipliers.items():
        difference = [a - b for a, b in zip(units.of_form(forms[0]), units.of_form(forms[1 + k]), strict=True)]
        power = units.power(difference)
        if power is None:
            return None
        whole[k] = number.substitute(change) * ring.fraction(power)
    rest = combined([(ring.one, forms[0]), *((-number, forms[1 + k]) for k, number in whole.items())])
    squares = _squares(units.problem, rest)
    if squares is None:
        return None
    return {
        "weights": [Rational(1)],
        "multipliers": [(k, number.expression) for k, number in whole.items()],
        "squares": [(pivot.expression, [number.expression for number in row]) for pivot, row in squares],
    }


def _squares(problem: Problem, rest: Form) -> list[tuple[Fraction, list[Fraction]]] | None:
    """A quadratic form as squares with rational functions before them, eliminating one vector after the other."""
    ring, size = problem.ring, len(problem.bases)
    if any(not isinstance(key, tuple) or not isinstance(key[0], int) for key in rest):
        return None
    half = ring.as_fraction(ring.constant(Rational(1, 2)))
    table = [
        [rest.get((min(i, j), max(i, j)), ring.zero) * (ring.one if i == j else half) for j in range(size)]
        for i in range(size)
    ]
    found = []
    while (place := next((k for k in range(size) if not table[k][k].is_zero), None)) is not None:
        pivot = table[place][place]
        row = [entry / pivot for entry in table[place]]
        found.append(_without_poles(pivot, row))
        table = [[table[i][j] - pivot * row[i] * row[j] for j in range(size)] for i in range(size)]
    return found if all(entry.is_zero for own in table for entry in own) else None


def _without_poles(pivot: Fraction, row: list[Fraction]) -> tuple[Fraction, list[Fraction]]:
    """The same square with square factors of its number drawn into it, where they may cancel a pole."""
    ring = pivot.ring
    for factor, power in ring.factors(pivot.numerator):
        for _ in range(power // 2):
            drawn = ring.as_fraction(factor)
            pivot, row = pivot / (drawn * drawn), [entry * drawn for entry in row]
    return pivot, row


def _monomials(count: int, degree: int) -> list[tuple[int, ...]]:
    return [powers for powers in product(range(degree + 1), repeat=count) if sum(powers) <= degree]


def _power(numbers: Sequence[Any], exponents: Sequence[int]) -> Any:
    total = flint.fmpq(1)
    for number, exponent in zip(numbers, exponents, strict=True):
        total *= number**exponent
    return total


def _null(rows: list[list[Any]]) -> list[Any] | None:
    reduced, rank = flint.fmpq_mat(rows).rref()
    size = len(rows[0])
    if rank == size:
        return None
    pivots = [next(j for j in range(size) if reduced[i, j] != 0) for i in range(rank)]
    free = next(j for j in range(size) if j not in pivots)
    own = [flint.fmpq(0)] * size
    own[free] = flint.fmpq(1)
    for i, pivot in enumerate(pivots):
        own[pivot] = -reduced[i, free]
    return own


def _fmpq(number: Rational) -> Any:
    return flint.fmpq(int(number.p), int(number.q))
