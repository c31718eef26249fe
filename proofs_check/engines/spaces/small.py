"""Counterexamples at small sizes: whole matrices are drawn at once, in floating point; the kernel takes exact ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from sympy import And, Expr, MatrixSymbol, Not, Or, Rational, S, Set, Symbol, lambdify, oo
from sympy.core.relational import Equality, Relational, StrictGreaterThan, StrictLessThan, Unequality
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.kinds import accepted
from proofs_check.kernel.spaces import size_symbols, translation
from theory.errors import LemmascopeError
from theory.language.spaces import OrthogonalMatrices, PositiveSemidefinite, Space, SymmetricMatrices
from theory.statements import Statement
from theory.trees import encode

_DRAWS = 400
_TURNS = 12
_MARGIN = 1e-9
_MOST_MIXED = 8
_MOST_CANDIDATES = 6
_NUMBERS = [Rational(p, q) for p, q in ((1, 1), (1, 2), (2, 1), (1, 10), (3, 1), (3, 2), (0, 1), (-1, 1), (10, 1))]


def failing_at_small_size(
    statement: Statement, left: Callable[[], float], *, is_first: bool = True, is_rest: bool = True
) -> tuple[dict[str, int], Any, Any] | None:
    """Sizes, a certificate about numbers and the point that it is of, where the statement fails.

    The first is size one for all; the rest are larger.
    """
    random = np.random.default_rng(20)
    for place, sizes in enumerate(_sizes(size_symbols(statement))):
        if not (is_first if place == 0 else is_rest):
            continue
        if left() <= 0:
            return None
        try:
            translated = translation(statement, "size", sizes)
            about = translated.about_numbers
            judge = _Judge(about)
        except (NotTranslatedError, LemmascopeError, NotImplementedError, ValueError):
            continue
        if not translated.is_exact:
            return None
        for point in judge.failures(_draws(statement, about, sizes, random)):
            certificate = {"kind": "point", "point": [[encode(symbol), encode(v)] for symbol, v in point.items()]}
            try:
                if accepted(about, certificate):
                    return sizes, certificate, point
            except LemmascopeError:
                continue
    return None


def _sizes(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """All sizes the same, then some different ones."""
    yield dict.fromkeys(names, 1)
    if names:
        yield dict.fromkeys(names, 2)
    mixed = [own for own in product((1, 2), repeat=len(names)) if len(set(own)) > 1]
    yield from (dict(zip(names, own, strict=True)) for own in mixed[:_MOST_MIXED])
    if names:
        yield dict.fromkeys(names, 3)


class _Judge:
    """The relations of a plain statement, for many points at once."""

    def __init__(self, about: Statement) -> None:
        self.about = about
        self.names = list(about.variables)
        self.parts: dict[Relational, Any] = {}
        for formula in (*about.given, about.then):
            for relation in formula.atoms(Relational):
                gap = (relation.lhs - relation.rhs).xreplace(about.stated)
                self.parts[relation] = lambdify(self.names, gap, modules="numpy")

    def failures(self, draws: Mapping[Symbol, Any]) -> Iterator[dict[Symbol, Rational]]:
        """Points where the hypotheses hold and the conclusion clearly does not."""
        columns = [draws[name] for name in self.names]
        with np.errstate(all="ignore"):
            gaps = {part: np.broadcast_to(compute(*columns), (_DRAWS,)) for part, compute in self.parts.items()}
            fits = np.ones(_DRAWS, dtype=bool)
            for part in self.about.given:
                fits &= _truth(part, gaps, is_clear=False)
            fails = fits & ~_truth(self.about.then, gaps, is_clear=True)
        for place in np.flatnonzero(fails)[:_MOST_CANDIDATES]:
            yield {name: _rational(draws[name][int(place)]) for name in self.names}


def _truth(formula: Boolean, gaps: Mapping[Relational, Any], *, is_clear: bool) -> Any:
    """Whether a formula is true; a relation that is clearly false is wanted where `is_clear`."""
    if isinstance(formula, And):
        return np.logical_and.reduce([_truth(part, gaps, is_clear=is_clear) for part in formula.args])
    if isinstance(formula, Or):
        return np.logical_or.reduce([_truth(part, gaps, is_clear=is_clear) for part in formula.args])
    if isinstance(formula, Not):
        return ~_truth(formula.args[0], gaps, is_clear=not is_clear)
    if not isinstance(formula, Relational):
        return np.full(_DRAWS, formula == S.true)
    gap = gaps[formula]
    if isinstance(formula, (Equality, Unequality)):
        return (np.abs(gap) <= _MARGIN) == isinstance(formula, Equality)
    signed = gap if formula.rel_op in (">=", ">") else -gap
    strict = isinstance(formula, (StrictGreaterThan, StrictLessThan))
    if is_clear:
        return ~(signed < -_MARGIN) & ~(strict & (signed <= 0))
    return signed > 0 if strict else signed >= -_MARGIN


def _rational(value: float) -> Rational:
    """The number that was drawn: all of them have small denominators."""
    return Rational(Fraction(float(value)).limit_denominator(10**4))


def _draws(
    statement: Statement, about: Statement, sizes: Mapping[str, int], random: np.random.Generator
) -> dict[Symbol, Any]:
    """Small whole numbers for every entry, in the shape that the spaces ask for."""
    found: dict[Symbol, Any] = {}
    for symbol, domain in statement.variables.items():
        if isinstance(symbol, Symbol) and symbol.name not in sizes:
            allowed = [value for value in _NUMBERS if _lies(value, domain)] or [Rational(1)]
            found[symbol] = np.array([float(value) for value in allowed])[random.integers(0, len(allowed), _DRAWS)]
    for letter, space in statement.variables.items():
        if isinstance(letter, MatrixSymbol):
            own = _entries(letter.name, about)
            tables = _matrices(space, own, found, random)
            found |= {symbol: tables[:, i, j] for (i, j), symbol in own.items()}
    return {symbol: found.get(symbol, np.ones(_DRAWS)) for symbol in about.variables}


def _lies(value: Rational, domain: Set) -> bool:
    return bool(domain.free_symbols) or domain.contains(value) == True  # noqa: E712 - SymPy's truth


def _entries(name: str, about: Statement) -> dict[tuple[int, int], Symbol]:
    """The symbols of the entries of a matrix, by row and column."""
    found = {}
    for symbol in about.variables:
        head, _, tail = symbol.name.partition(f"{name}_")
        places = tail.split("_")
        if not head and len(places) == 2 and all(place.isdigit() for place in places):
            found[int(places[0]) - 1, int(places[1]) - 1] = symbol
    return found


def _matrices(space: Space, own: Mapping[tuple[int, int], Symbol], found: Mapping[Symbol, Any], random: Any) -> Any:
    """One matrix of the space for every draw; a few entries in the beginning, larger ones later."""
    rows, columns = (1 + max(place[k] for place in own) for k in (0, 1))
    if isinstance(space, OrthogonalMatrices):
        return _turns(rows, random)
    reach = 1 + np.arange(_DRAWS) % 3
    values = np.floor(random.random((_DRAWS, rows, columns)) * (2 * reach + 1)[:, None, None]) - reach[:, None, None]
    if not isinstance(space, (PositiveSemidefinite, SymmetricMatrices)):
        return values
    low, high = space.bounds if isinstance(space, SymmetricMatrices) else (S.Zero, S.Infinity)
    if low == -oo and high == oo:
        return np.triu(values) + np.transpose(np.triu(values, 1), (0, 2, 1))
    square, unit = np.transpose(values, (0, 2, 1)) @ values, np.eye(rows)
    if high == oo:
        return _at(low, found) * unit + square
    if low == -oo:
        return _at(high, found) * unit - square
    turns, shares = _turns(rows, random), random.choice((0.0, 0.25, 0.5, 1.0), (_DRAWS, rows))
    spread = np.einsum("nki,nk,nkj->nij", turns, shares, turns)
    return _at(low, found) * unit + (_at(high, found) - _at(low, found)) * spread


def _at(bound: Expr, found: Mapping[Symbol, Any]) -> Any:
    names = sorted(bound.free_symbols, key=str)
    values = lambdify(names, bound)(*(found[name] for name in names))
    return np.broadcast_to(values, (_DRAWS,)).astype(float)[:, None, None]


def _turns(size: int, random: Any) -> Any:
    """Signed permutations, half of them followed by a rotation with rational entries."""
    kept = []
    for place in range(_TURNS):
        table = np.eye(size)[random.permutation(size)] * random.choice((-1, 1), size)
        if size >= 2 and place % 2:
            table[:2] = np.array([[0.6, -0.8], [0.8, 0.6]]) @ table[:2]
        kept.append(table)
    return np.array(kept)[random.integers(0, _TURNS, _DRAWS)]
