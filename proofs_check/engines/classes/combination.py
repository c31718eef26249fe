"""A linear form that is nonnegative because of others: found in floating point, made exact on the face it lies on.

sum_i weight_i goal_i  =  sum_k multiplier_k known_k  +  <S, G>,     weights and multipliers nonnegative, S semidefinite
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from proofs_check.engines.polynomial.exactly import exact_solution, rational_complement
from proofs_check.engines.polynomial.gram import Block, System, solve

Form = Mapping[Any, Any]
Row = list[Any]
_SUM = ("sum of the weights",)
_BITS = (4, 8, 14, 22, 34)
_SMALL = (1e-4, 1e-6, 1e-2)
_SHARES = 8
_LONG = 40
_CLEARLY = 1e-6


@dataclass
class Combination:
    """Weights of the goals, multipliers of what is known by their places, and squares of combinations of the bases."""

    weights: list[Any]
    multipliers: dict[int, Any]
    squares: list[tuple[Any, Row]]


@dataclass
class Question:
    """Goals of which one is wanted, what is known, and how many vectors there are; keys of two places are products."""

    goals: Sequence[Form]
    known: Sequence[Form]
    size: int
    has_squares: bool = True
    """Whether squares may be added."""

    def rows(self) -> list[Row]:
        """A basis of the combinations of vectors of which the forms speak: no square can have any other."""
        if not self.has_squares:
            return []
        table: list[Row] = []
        for form in (*self.goals, *self.known):
            own: dict[int, Row] = {}
            for (i, j), number in ((key, number) for key, number in form.items() if _is_product(key)):
                for one, other in {(i, j), (j, i)}:
                    own.setdefault(one, [flint.fmpq(0)] * self.size)[other] = number if i == j else number / 2
            table += own.values()
        if not table:
            return []
        reduced, rank = flint.fmpq_mat(table).rref()
        return [[reduced[i, j] for j in range(self.size)] for i in range(rank)]


@dataclass
class Example:
    """Numbers for every value and inner product, and the vectors coordinate by coordinate."""

    numbers: Mapping[Any, Any]
    coordinates: list[Row]

    def of(self, form: Form) -> Any:
        """The value of a form."""
        return sum((number * self.numbers[key] for key, number in form.items()), flint.fmpq(0))

    def vanishes(self, question: Question, place: int) -> bool:
        """Whether a goal or something known is zero."""
        return bool(self.of((*question.goals, *question.known)[place]) == 0)


def combination(
    question: Question, left: Callable[[], float], equal: Callable[[], Iterable[Example]]
) -> Combination | None:
    """An exact combination, or None; where the claim is tight, `equal` gives cases in which it is an equality.

    In such a case whatever is positive has the multiplier zero, and every square vanishes (complementary slackness).
    """
    rows = question.rows()
    everything = [k for k, form in enumerate((*question.goals, *question.known)) if form]
    found = _solved(question, everything, rows, left())
    if found is None or found[2] < -_CLEARLY:
        return None
    if found[2] > _CLEARLY / 10 and (plain := _exact(question, everything, rows, left)) is not None:
        return _sparser(question, plain, rows, left)
    if (exact := _on_faces(question, everything, rows, found, left, _SMALL[:1])) is not None:
        return _sparser(question, *exact, left)
    faces = list(equal()) if len(question.goals) == 1 else []
    if faces:
        everything = [k for k in everything if all(example.vanishes(question, k) for example in faces)]
        rows = _without(rows, [row for example in faces for row in example.coordinates])
        found = _solved(question, everything, rows, left())
        if found is None:
            return None
        if (plain := _exact(question, everything, rows, left)) is not None:
            return _sparser(question, plain, rows, left)
    exact = _on_faces(question, everything, rows, found, left, _SMALL)
    return None if exact is None else _sparser(question, *exact, left)


def on_support(question: Question, support: Sequence[int], left: Callable[[], float]) -> Combination | None:
    """An exact combination of one goal with exactly these of what is known, or None."""
    active, rows = [0, *(1 + k for k in support)], question.rows()
    if any(not question.known[k] for k in support):
        return None
    found = _solved(question, active, rows, left())
    if found is None or found[2] < -_CLEARLY:
        return None
    exact = _exact(question, active, rows, left) if found[2] > _CLEARLY / 10 else None
    if exact is None:
        on_face = _on_faces(question, active, rows, found, left, _SMALL[:1])
        exact = None if on_face is None else on_face[0]
    return exact if exact is not None and set(exact.multipliers) == set(support) else None


def _on_faces(
    question: Question,
    everything: list[int],
    rows: list[Row],
    found: tuple[list[float], Any, float],
    left: Callable[[], float],
    sizes: Sequence[float],
) -> tuple[Combination, list[Row]] | None:
    """Leave out what is small in floating point, numbers and directions alike, and look for an exact solution there."""
    numbers, gram, _ = found
    top = max([1e-12, *numbers])
    for small in sizes:
        active = [k for k, number in zip(everything, numbers, strict=True) if number > small * top]
        for tolerance in (None, *sizes):
            if left() <= 0:
                return None
            face = _face(rows, gram, tolerance)
            if face is not None and (exact := _exact(question, active, face, left)) is not None:
                return exact, face
    return None


def _face(rows: list[Row], gram: Any, tolerance: float | None) -> list[Row] | None:
    """The combinations that a singular matrix still has squares of; None where it is not singular."""
    if tolerance is None or not rows:
        return rows
    if np.linalg.eigvalsh(gram)[-1] < tolerance:
        return []
    complement = rational_complement(gram, tolerance)
    return None if complement is None else [_times(row, rows) for row in complement]


def _sparser(question: Question, exact: Combination, rows: list[Row], left: Callable[[], float]) -> Combination:
    """The same with fewer inequalities: the less used half is left out while that works, then one after the other.

    Long proofs are nobody's reading, and every attempt solves the question again.
    """
    count = len(question.goals)
    if sum(map(bool, question.known)) > _LONG:
        return exact

    def without(places: list[int]) -> Combination | None:
        goals = [k for k, weight in enumerate(exact.weights) if weight != 0]
        fewer = [*goals, *(count + k for k in exact.multipliers if k not in places)]
        return _exact(question, fewer, rows, left) if left() > 0 else None

    def ordered() -> list[int]:
        return sorted(exact.multipliers, key=lambda k: exact.multipliers[k])

    share = 2
    while share <= _SHARES:
        places = ordered()[: len(exact.multipliers) // share]
        fewer = without(places) if places else None
        exact, share = (exact, 2 * share) if fewer is None else (fewer, share)
    for place in ordered():
        exact = without([place]) or exact
    return exact


def _exact(question: Question, active: list[int], rows: list[Row], left: Callable[[], float]) -> Combination | None:
    found = _solved(question, active, rows, left())
    if found is None or found[2] < -_CLEARLY:
        return None
    numbers, gram, _ = found
    system = _system(question, active, rows)
    grams = [_one(number) for number in numbers] + ([gram] if rows else [])
    for bits in _BITS:
        solution = exact_solution(system, grams, np.zeros(0), bits)
        if solution is not None:
            return _read(question, active, rows, solution[0])
    return None


def _read(question: Question, active: list[int], rows: list[Row], squares: list[Any]) -> Combination:
    count = len(question.goals)
    single = {k: block[0][0] if block else flint.fmpq(0) for k, block in zip(active, squares, strict=False)}
    multipliers = {k - count: number for k, number in single.items() if k >= count and number != 0}
    wide = [(pivot, _times(row, rows)) for pivot, row in squares[-1]] if rows else []
    return Combination([single.get(k, flint.fmpq(0)) for k in range(count)], multipliers, wide)


def _solved(
    question: Question, active: list[int], rows: list[Row], seconds: float
) -> tuple[list[float], Any, float] | None:
    if seconds <= 0:
        return None
    found = solve(_system(question, active, rows), min(seconds, 5.0))
    if found is None:
        return None
    grams, _, margin = found
    return [float(gram[0, 0]) for gram in grams[: len(active)]], grams[-1] if rows else None, margin


def _system(question: Question, active: list[int], rows: list[Row]) -> System:
    single = Block((1,))
    count = len(question.goals)
    columns: list[dict[Any, Any]] = [
        {str(key): -number for key, number in question.goals[k].items()} | {str(_SUM): flint.fmpq(1)}
        for k in active
        if k < count
    ]
    columns += [{str(key): number for key, number in question.known[k - count].items()} for k in active if k >= count]
    blocks = [single] * len(columns)
    if rows:
        wide = Block(tuple(range(len(rows))))
        blocks.append(wide)
        columns += [_entry(rows[i], rows[j], is_diagonal=i == j) for i, j in wide.pairs]
    return System(blocks, columns, {str(_SUM): flint.fmpq(1)})


def _entry(left: Row, right: Row, *, is_diagonal: bool) -> dict[Any, Any]:
    total: dict[str, Any] = {}
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            if a != 0 and b != 0:
                key = str((min(i, j), max(i, j)))
                total[key] = total.get(key, flint.fmpq(0)) + a * b * (1 if is_diagonal else 2)
    return {key: number for key, number in total.items() if number != 0}


def _without(rows: list[Row], faces: Sequence[Row]) -> list[Row]:
    """A basis of the combinations that vanish on the given vectors."""
    if not faces or not rows:
        return rows
    values = flint.fmpq_mat([[_dot(row, face) for row in rows] for face in faces])
    reduced, rank = values.rref()
    pivots = [next(j for j in range(len(rows)) if reduced[i, j] != 0) for i in range(rank)]
    kept = []
    for free in (j for j in range(len(rows)) if j not in pivots):
        own = [flint.fmpq(0)] * len(rows)
        own[free] = flint.fmpq(1)
        for i, pivot in enumerate(pivots):
            own[pivot] = -reduced[i, free]
        kept.append(_times(own, rows))
    return kept


def _times(row: Row, rows: list[Row]) -> Row:
    return [sum((a * own[k] for a, own in zip(row, rows, strict=True)), flint.fmpq(0)) for k in range(len(rows[0]))]


def _dot(left: Row, right: Row) -> Any:
    return sum((a * b for a, b in zip(left, right, strict=True)), flint.fmpq(0))


def _one(number: float) -> Any:
    return np.array([[number]])


def _is_product(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, int) for part in key)
