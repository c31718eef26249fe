"""Sums of weighted squares of tensors that equal a trace inequality: bases by multidegree, solved and made exact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import prod
from operator import add, sub
from typing import Any

import flint
import numpy as np
from scipy.optimize import linprog
from sympy import Expr, Symbol

from proofs_check.engines.polynomial.exactly import exact_solution, rational_complement
from proofs_check.engines.polynomial.gram import Block, System, solve
from proofs_check.kernel.tensors import Form, Monomial, Problem, Strand, Tensor
from proofs_check.kernel.tensors import product as times_form
from theory.language.spaces import OrthogonalMatrices
from theory.language.words import Word

Degree = tuple[int, ...]
_MOST_TENSORS, _MOST_DEGREES, _MOST_UNKNOWNS = 60, 4000, 3000
_FACES, _BITS = 5, (4, 10, 18, 30)
_CLEARLY = 1e-7


@dataclass
class Family:
    """Tensors with the same legs, a weight by its place, and what stands between two legs."""

    tensors: list[Tensor]
    weight: int
    between: tuple[int, int] | None
    table: dict[tuple[int, int], Form]
    rows: list[list[Any]]
    """The combinations of the tensors whose squares are used."""


def sum_of_squares(problem: Problem, goal: Form, left: Callable[[], float]) -> dict[str, Any] | None:
    """A proof of one goal as data, or None."""
    if not goal:
        return {"scale": [], "blocks": []}
    search = _Search(problem, goal, left)
    for level in search.levels():
        if left() <= 0:
            return None
        families = search.families(level)
        proof = None if families is None else _solved(goal, families, left)
        if proof is not None:
            return proof | {"blocks": [search.written(block) for block in proof["blocks"]]}
    return None


class _Search:
    """Which tensors can occur in a sum of squares equal to the goal."""

    def __init__(self, problem: Problem, goal: Form, left: Callable[[], float]) -> None:
        self.problem, self.goal, self.left = problem, goal, left
        self.words = {str(name): word for word, name in problem.alphabet.names.items()}
        self.sizes = list(map(str, _sizes(problem)))
        used = {name for monomial in goal for name in monomial}
        used |= {a.name for _, words in problem.between for value in words.values() for a in value.free_symbols}
        self.letters = sorted(problem.sizes, key=lambda letter: letter.name)
        self.loose = {
            k for k, a in enumerate(self.letters) if isinstance(problem.alphabet.spaces.get(a), OrthogonalMatrices)
        }
        """Orthogonal letters, which cancel."""
        self.numbers = sorted((used & set(problem.numbers)) - set(self.sizes))
        self.targets = sorted({self.degree(monomial) for monomial in goal})
        self.most_loops = max(sum(name in self.words or name in self.sizes for name in monomial) for monomial in goal)
        self._closed: dict[str, Word] = {}
        """Traces before tensors, with the words that they are of."""
        self._made: dict[tuple[Degree, int], dict[tuple[str, ...], list[Tensor]]] = {}

    def written(self, block: dict[str, Any]) -> dict[str, Any]:
        """A block with the traces before its tensors written as words."""
        return block | {"tensors": [self._stored(tensor) for tensor in block["tensors"]]}

    def _stored(self, tensor: Tensor) -> dict[str, Any]:
        factor = [name for name in tensor.factor if name in self.problem.numbers]
        traces = " ".join(name for name in tensor.factor if name not in self.problem.numbers)
        words = [[[letter.name, turned] for letter, turned in self._closed[traces]]] if traces else []
        strands = [
            [[[letter.name, turned] for letter, turned in strand.word], strand.row, strand.column,
             None if strand.word else str(strand.size)]
            for strand in tensor.strands
        ]  # fmt: skip
        return {"strands": strands, "factor": [*factor, *words]}

    def degree(self, monomial: Monomial) -> Degree:
        """How often every letter and every parameter occurs."""
        counts: Counter[Any] = Counter()
        for name in monomial:
            counts.update(letter for letter, _ in self.words.get(name, ()))
            counts[name] += 1
        return tuple(counts[key] for key in (*self.letters, *self.numbers))

    def levels(self) -> Iterator[tuple[int, bool]]:
        """How many words a tensor has at most, and whether weights are used."""
        has_weights = len(self.problem.known) > 1 or bool(self.problem.between)
        for count in (1, 2) if self.most_loops > 1 else (1,):
            yield count, False
            if has_weights:
                yield count, True

    def families(self, level: tuple[int, bool]) -> list[Family] | None:
        """The blocks of a level; None where they would be too large, or the time is over."""
        count, is_weighted = level
        found: list[Family] = []
        weights = list(self._weights()) if is_weighted else [(0, None, [(0,) * len(self.targets[0])])]
        tops = [max(column) for column in zip(*self.targets, *(s for _, _, own in weights for s in own), strict=True)]
        moved = [any(shift[k] for _, _, own in weights for shift in own) for k in range(len(tops))]
        free = [k for k in range(len(tops)) if not moved[k] and k not in self.loose]
        for weight, inside, shifts in weights:
            by_legs: dict[tuple[str, ...], list[Tensor]] = {}
            for degree in self._halves(shifts, tops, free):
                if self.left() <= 0:
                    return None
                for strands in range(count + 1):
                    for legs, tensors in self._tensors(degree, strands).items():
                        by_legs.setdefault(legs, []).extend(tensors)
            for legs, tensors in by_legs.items():
                if len(tensors) > _MOST_TENSORS or self.left() <= 0:
                    return None
                found += self._blocks(legs, tensors, weight, inside)
        unknowns = sum(len(family.tensors) * (len(family.tensors) + 1) // 2 for family in found)
        return found if found and unknowns <= _MOST_UNKNOWNS else None

    def _weights(self) -> Iterator[tuple[int, int | None, list[Degree]]]:
        """Numbers that are not negative, matrices between two legs, and both, with their multidegrees."""
        numbers = [(0, [(0,) * len(self.targets[0])])]
        self.words |= {str(name): word for word, name in self.problem.alphabet.names.items()}
        for place, form in enumerate(self.problem.known[1:], start=1):
            names = {name for monomial in form for name in monomial}
            if names <= set(self.words) | set(self.numbers) | set(self.sizes):
                numbers.append((place, [self.degree(monomial) for monomial in form]))
        yield from ((place, None, shifts) for place, shifts in numbers)
        for inside, (_, words) in enumerate(self.problem.between):
            own = []
            for word, value in words.items():
                counts = Counter(letter for letter, _ in word)
                powers = Counter(
                    {symbol.name: int(n) for symbol, n in value.as_powers_dict().items() if symbol.is_Symbol}
                )
                own.append(tuple([counts[a] for a in self.letters] + [powers[name] for name in self.numbers]))
            for place, shifts in numbers:
                yield place, inside, [tuple(map(add, a, b)) for a in own for b in shifts]

    def _halves(self, shifts: Sequence[Degree], tops: Sequence[int], free: Sequence[int]) -> list[Degree]:
        """Multidegrees that twice, plus those of the weight, can occur.

        Without weights they lie in the convex hull of those of the goal; what weights speak of may cancel.
        """
        points = np.array([[target[k] for k in free] for target in self.targets], dtype=float)
        if prod(top // 2 + 1 for top in tops) > _MOST_DEGREES:
            return []
        most = max(map(sum, self.targets))
        found = []
        for half in product(*(range((top if k in self.loose else top // 2) + 1) for k, top in enumerate(tops))):
            double = [tuple(2 * a + b for a, b in zip(half, shift, strict=True)) for shift in shifts]
            double = [
                tuple(min(d, top) if k in self.loose else d for k, (d, top) in enumerate(zip(own, tops, strict=True)))
                for own in double
            ]
            fits = all(d <= top for own in double for d, top in zip(own, tops, strict=True))
            if fits and all(sum(own) <= most and _inside(points, tuple(own[k] for k in free)) for own in double):
                found.append(half)
        return found

    def _tensors(self, degree: Degree, strands: int) -> dict[tuple[str, ...], list[Tensor]]:
        """All tensors of a multidegree with a number of words, by the sizes of their legs."""
        key = (degree, strands)
        if key not in self._made:
            factor = tuple(
                name
                for name, power in zip(self.numbers, degree[len(self.letters) :], strict=True)
                for _ in range(power)
            )
            counts = degree[: len(self.letters)]
            found: dict[tuple[str, ...], set[Tensor]] = {}
            for names, shares in self._shared(counts, strands):
                for words in product(*(self._words(share) for share in shares)):
                    for tensor in self._labelled(words, tuple(sorted((*factor, *names)))):
                        legs = tuple(str(size) for size in self.problem.legs(tensor))
                        found.setdefault(legs, set()).add(tensor)
            self._made[key] = {legs: sorted(tensors, key=str) for legs, tensors in found.items()}
        return self._made[key]

    def _shared(self, counts: Degree, strands: int) -> Iterator[tuple[Monomial, tuple[Degree, ...]]]:
        """The letters of each word; where the goal has products of traces, one trace may stand before one word."""
        if strands:
            yield from (((), shares) for shares in _shares(counts, strands))
        elif not any(counts):
            yield (), ()
        if strands > 1 or self.most_loops == 1:
            return
        for inside in product(*(range(count + 1) for count in counts)):
            rest = tuple(map(sub, counts, inside))
            if not any(inside) or (strands == 0 and any(rest)):
                continue
            names: dict[Monomial, None] = {}
            for word, _ in self._words(inside):
                if self.problem.size(word[0], is_row=True) == self.problem.size(word[-1], is_row=False):
                    own = tuple(self.problem.closed(word))
                    self._closed.setdefault(" ".join(own), word)
                    names[own] = None
            yield from ((own, (rest,) if strands else ()) for own in names)

    def _words(self, counts: Degree) -> list[tuple[Word, Any]]:
        """All words with these letters; without letters the identities of the sizes that the goal speaks of."""
        if not any(counts):
            named = [name for name in self.sizes if any(name in monomial for monomial in self.goal)]
            return [((), Symbol(name)) for name in named]
        found: list[Word] = []

        def extend(word: Word, rest: tuple[int, ...]) -> None:
            if not any(rest):
                found.append(word)
                return
            for place, letter in enumerate(self.letters):
                if not rest[place]:
                    continue
                for turned in (False,) if self.problem.alphabet.is_symmetric(letter) else (False, True):
                    new = (letter, turned)
                    if word and self.problem.size(word[-1], is_row=False) != self.problem.size(new, is_row=True):
                        continue
                    if word and self.problem.alphabet.reduced((word[-1], new)) == ():
                        continue
                    extend((*word, new), (*rest[:place], rest[place] - 1, *rest[place + 1 :]))

        extend((), tuple(counts))
        return [(word, None) for word in found]

    def _labelled(self, words: Sequence[tuple[Word, Any]], factor: Monomial) -> Iterator[Tensor]:
        """The words with legs in all ways that differ, legs of one size next to each other."""
        ends: list[Expr] = []
        for word, size in words:
            ends += [size, size] if not word else [
                self.problem.size(word[0], is_row=True), self.problem.size(word[-1], is_row=False)
            ]  # fmt: skip
        order = sorted(range(len(ends)), key=lambda k: str(ends[k]))
        sizes = [str(ends[k]) for k in order]
        seen: set[Tensor] = set()
        for legs in permutations(range(len(ends))):
            if any(sizes[leg] != str(ends[k]) for k, leg in enumerate(legs)):
                continue
            strands = []
            for place, (word, size) in enumerate(words):
                row, column = legs[2 * place], legs[2 * place + 1]
                if row < column:
                    strands.append(Strand(word, row, column, size))
                else:
                    strands.append(Strand(self.problem.alphabet.transposed(word), column, row, size))
            tensor = Tensor(tuple(sorted(strands, key=lambda strand: strand.row)), factor)
            if tensor not in seen:
                seen.add(tensor)
                yield tensor

    def _blocks(
        self, legs: tuple[str, ...], tensors: list[Tensor], weight: int, inside: int | None
    ) -> Iterator[Family]:
        size = None if inside is None else str(self.problem.between[inside][0])
        for leg in [None] if inside is None else [k for k, own in enumerate(legs) if own == size]:
            between = None if leg is None or inside is None else (inside, leg)
            table = {}
            for i, one in enumerate(tensors):
                for j in range(i + 1):
                    form = self.problem.joined(tensors[j], one, between)
                    table[j, i] = times_form(form, self.problem.known[weight]) if weight else form
            unit = [[flint.fmpq(int(i == j)) for j in range(len(tensors))] for i in range(len(tensors))]
            yield Family(tensors, weight, between, table, unit)


def _sizes(problem: Problem) -> list[Expr]:
    return list(dict.fromkeys(size for shape in problem.sizes.values() for size in shape if not size.is_Integer))


def _shares(counts: Degree, parts: int) -> Iterator[tuple[Degree, ...]]:
    """All ways to share letters among some words, the larger share first."""
    if parts == 1:
        yield (counts,)
        return
    for first in product(*(range(count + 1) for count in counts)):
        rest = tuple(a - b for a, b in zip(counts, first, strict=True))
        if first >= rest:
            yield (first, rest)


def _inside(points: Any, target: Degree) -> bool:
    """Whether a point is in the convex hull of others."""
    if any((points == np.array(target)).all(axis=1)):
        return True
    if len(points) == 1:
        return False
    equations = np.vstack([points.T, np.ones(len(points))])
    found = linprog(np.zeros(len(points)), A_eq=equations, b_eq=[*target, 1], bounds=(0, None), method="highs")
    return bool(found.status == 0)


def _solved(goal: Form, families: list[Family], left: Callable[[], float]) -> dict[str, Any] | None:
    """Solve, round; where the matrices are singular, go down to the face that they span and try again."""
    reached = {monomial for family in families for form in family.table.values() for monomial in form}
    if not set(goal) <= reached:
        return None
    for _ in range(_FACES):
        if left() <= 0 or not families:
            return None
        system = _system(goal, families)
        found = solve(system, min(left(), 5.0))
        if found is None or found[2] < -1e-5:
            return None
        grams, free, slack = found
        if slack > -_CLEARLY:
            for bits in _BITS:
                exact = exact_solution(system, grams, free, bits)
                if exact is not None:
                    return _proof(families, exact[0])
        smaller = [_face(family, gram) for family, gram in zip(families, grams, strict=True)]
        if all(part is None for part in smaller):
            return None
        families = [part or family for family, part in zip(families, smaller, strict=True)]
        families = [family for family in families if family.rows]
    return None


def _face(family: Family, gram: Any) -> Family | None:
    if np.linalg.eigvalsh(gram)[-1] < 1e-6:
        return Family(family.tensors, family.weight, family.between, family.table, [])
    for tolerance in (1e-6, 1e-4, 1e-3):
        complement = rational_complement(gram, tolerance)
        if complement is not None:
            rows = [_times(row, family.rows) for row in complement]
            return Family(family.tensors, family.weight, family.between, family.table, rows)
    return None


def _times(row: Sequence[Any], rows: Sequence[Sequence[Any]]) -> list[Any]:
    return [sum((a * own[k] for a, own in zip(row, rows, strict=True)), flint.fmpq(0)) for k in range(len(rows[0]))]


def _system(goal: Form, families: Sequence[Family]) -> System:
    blocks, columns = [], []
    for family in families:
        block = Block(tuple(range(len(family.rows))))
        blocks.append(block)
        columns += [_column(family, i, j) for i, j in block.pairs]
    return System(blocks, columns, dict(goal))


def _column(family: Family, i: int, j: int) -> dict[Any, Any]:
    total: dict[Any, Any] = {}
    for (a, b), form in family.table.items():
        left, right = family.rows[i], family.rows[j]
        factor = left[a] * right[b] + (left[b] * right[a] if a != b else 0)
        if i != j:
            factor *= 2
        if factor == 0:
            continue
        for key, number in form.items():
            total[key] = total.get(key, flint.fmpq(0)) + factor * number
    return {key: number for key, number in total.items() if number != 0}


def _proof(families: Sequence[Family], squares: Sequence[Any]) -> dict[str, Any]:
    blocks = []
    for family, own in zip(families, squares, strict=True):
        rows = [(pivot, _times(row, family.rows)) for pivot, row in own]
        used = [k for k in range(len(family.tensors)) if any(row[k] != 0 for _, row in rows)]
        if rows:
            blocks.append({
                "weight": family.weight,
                "between": None if family.between is None else list(family.between),
                "tensors": [family.tensors[k] for k in used],
                "squares": [[str(pivot), [str(row[k]) for k in used]] for pivot, row in rows],
            })  # fmt: skip
    return {"scale": [], "blocks": blocks}
