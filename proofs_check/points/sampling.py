"""Float points of a hypothesis set by construction: each variable is drawn between the bounds that the others leave.

Equalities give a variable outright; what bounds cannot express (a nonlinear inequality) is filtered, and where too
few points survive, exact points are found first and spread by random steps that stay inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from sympy import And, Expr, Set, Symbol
from sympy.core.relational import Eq, Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from numerics.robustness import Compiled
from proofs_check import clock
from proofs_check.points.arrays import Interpreted
from proofs_check.points.candidate_values import small_polynomial
from proofs_check.points.search import Search, branches, shadows, substitute_linear
from theory.domains import is_discrete, membership
from theory.errors import LemmascopeError
from theory.language.formulas import clauses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_SMALLEST, _LARGEST = -75.0, 18.0
"""Decades of magnitudes that are drawn; tiny scales are part of the theory."""
_ROUNDS = 6
_CLIMBERS, _CLIMB = 64, 200
"""Points that look for a set that is hard to hit, and how many steps each takes."""
_TO_COMPILE, _TO_COMPILE_ONE = 0.5, 0.004
"""Seconds for which a small kernel is compiled, and how many each operation adds."""


@dataclass(frozen=True)
class _Plan:
    """One alternative of the hypotheses: the order of drawing, bounds and solved variables."""

    free: tuple[Symbol, ...]
    solved: Mapping[Symbol, Expr]
    rules: tuple[tuple[int, Expr, Expr, str], ...]

    @property
    def quantities(self) -> list[Expr]:
        """What has to be evaluated to draw a point: slopes and offsets of the bounds, solved variables."""
        return [*(part for _, slope, offset, _ in self.rules for part in (slope, offset)), *self.solved.values()]


class Sampler:
    """Draws points of the set where `hypotheses` hold; `observed` formulas share the kernel.

    It is compiled where the seconds allow for that.

    >>> from sympy import Interval, Reals, symbols
    >>> x, y = symbols("x y")
    >>> region = Sampler({x: Interval(0, 1), y: Reals}, (x + y > 1, y < 1, 0 <= x, x <= 1))
    >>> points = region.draw(100, np.random.default_rng(0))
    >>> points.shape[1] > 50, bool(np.all(points.sum(axis=0) > 1))
    (True, True)
    """

    def __init__(
        self,
        variables: Mapping[Symbol, Set],
        hypotheses: Sequence[Boolean],
        observed: Sequence[Boolean] = (),
        seconds: float = 1.0,
    ) -> None:
        self.variables = dict(variables)
        self.names = tuple(self.variables)
        domains = [membership(symbol, domain) for symbol, domain in self.variables.items()]
        self.formula = And(*hypotheses, *domains)
        self._plans = [self._plan(branch) for branch in branches(self.formula, 8)]
        needed = list(dict.fromkeys(part for plan in self._plans for part in plan.quantities))
        self._places = {part: place for place, part in enumerate(needed)}
        self.compiled = _evaluator((self.formula, *observed), self.names, tuple(needed), seconds)
        self._whole = [place for place, symbol in enumerate(self.names) if is_discrete(self.variables[symbol])]

    def _plan(self, branch: Boolean) -> _Plan:
        solved, rest = substitute_linear(branch, self.names)
        free = tuple(symbol for symbol in self.names if symbol not in solved)
        parts = [*clauses(rest), *shadows(rest, free)]
        return _Plan(free, solved, tuple(rule for part in parts for rule in _linear_rules(part, free)))

    def inside(self, points: Values) -> NDArray[np.bool_]:
        """Which points satisfy the hypotheses; equalities up to rounding."""
        values = self.compiled.evaluate(points)
        result = np.ones(points.shape[1], dtype=bool)
        for part in clauses(self.formula):
            robustness = values.robustness(part)
            allowed = -8 * values.noise(part) if isinstance(part, Eq) else 0.0
            result &= (robustness > 0) if isinstance(part, (Lt, Gt)) else (robustness >= allowed)
        return result

    def draw(self, count: int, random: np.random.Generator, seconds: float = 1.0) -> Values:
        """About `count` points, fewer when the set is hard to hit; an array (variables, points)."""
        if not self.names:
            return np.empty((0, 1))
        points = np.empty((len(self.names), 0))
        for _ in range(_ROUNDS):
            found = [self._drawn(plan, count // len(self._plans) + 1, random) for plan in self._plans]
            fresh = np.concatenate(found, axis=1)
            points = np.concatenate([points, fresh[:, self.inside(fresh)]], axis=1)
            if points.shape[1] >= count:
                break
        if points.shape[1] < 9 * count // 10:
            points = np.concatenate([points, self._spread(points, count, random, seconds)], axis=1)
        return points[:, :count]

    def _drawn(self, plan: _Plan, count: int, random: np.random.Generator) -> Values:
        points = np.zeros((len(self.names), count))
        for place, symbol in enumerate(plan.free):
            row = self.names.index(symbol)
            low, high = np.full(count, -np.inf), np.full(count, np.inf)
            values = self.compiled.evaluate(points)
            for where, slope, offset, kind in plan.rules:
                if where == place:
                    slopes, offsets = (values.quantity(self._places[part]) for part in (slope, offset))
                    _tighten(low, high, slopes, offsets, kind)
            points[row] = _between(low, high, random)
            if row in self._whole:
                points[row] = _rounded(points[row], low, high)
        values = self.compiled.evaluate(points)
        for symbol, value in plan.solved.items():
            points[self.names.index(symbol)] = values.quantity(self._places[value])
        return points[:, np.all(np.isfinite(points), axis=0)]

    def _spread(self, seeds: Values, count: int, random: np.random.Generator, seconds: float) -> Values:
        """Random steps from points inside, exact ones if none were drawn; the steps shrink until they stay inside."""
        if seeds.shape[1] < 8:
            hints = [dict(zip(self.names, row, strict=True)) for row in random.normal(size=(8, len(self.names)))]
            search = Search(self.variables, self.formula, clock.now() + seconds, hints)
            exact = [[float(point[symbol].evalf(20)) for symbol in self.names] for point in islice(search.points(), 48)]
            seeds = np.concatenate([seeds, np.array(exact, dtype=float).reshape(len(exact), len(self.names)).T], axis=1)
        if not seeds.shape[1]:
            seeds = self._climbed(random)
        if not seeds.shape[1] or any(plan.solved for plan in self._plans) or self._whole:
            return seeds
        kept = [seeds]
        current = seeds[:, random.integers(seeds.shape[1], size=max(64, count // 16))]
        while sum(part.shape[1] for part in kept) < count and len(kept) < 64:
            size = 10.0 ** random.uniform(-6, 0.5, current.shape[1])
            step = random.normal(size=current.shape) * size * (np.abs(current) + 1e-3)
            moved = current + step
            good = self.inside(moved)
            current = np.where(good, moved, current)
            kept.append(moved[:, good])
        return np.concatenate(kept, axis=1)

    def _climbed(self, random: np.random.Generator) -> Values:
        """Points inside to which random steps lead that only raise the margin of the hypotheses."""
        points = random.normal(scale=3.0, size=(len(self.names), _CLIMBERS))
        margins = self.compiled.evaluate(points).robustness(self.formula)
        for _ in range(_CLIMB):
            moved = points + random.normal(size=points.shape) * 10.0 ** random.uniform(-3, 1.5, _CLIMBERS)
            reached = self.compiled.evaluate(moved).robustness(self.formula)
            better = ~(reached <= margins)
            points, margins = np.where(better, moved, points), np.where(better, reached, margins)
        return points[:, self.inside(points)]


def _evaluator(
    formulas: tuple[Boolean, ...], names: tuple[Symbol, ...], quantities: tuple[Expr, ...], seconds: float
) -> Compiled:
    size = sum(int(part.count_ops()) for part in (*formulas, *quantities))
    if _TO_COMPILE + _TO_COMPILE_ONE * size > seconds / 4:
        try:
            found = Interpreted(formulas, names, quantities)
            found.evaluate(np.ones((len(names), 1)))
        except LemmascopeError:
            pass
        else:
            return found
    return Compiled(formulas, names, quantities)


def _linear_rules(part: Boolean, free: Sequence[Symbol]) -> list[tuple[int, Expr, Expr, str]]:
    """The bound that an inequality sets to the last of its variables, when it is linear in it."""
    if not isinstance(part, (Lt, Le, Gt, Ge)):
        return []
    places = [place for place, symbol in enumerate(free) if symbol in part.free_symbols]
    if not places:
        return []
    place = places[-1]
    polynomial = small_polynomial(part.gts - part.lts, free[place])
    if polynomial is None or polynomial.degree() != 1:
        return []
    slope, offset = polynomial.all_coeffs()
    return [(place, slope, offset, "strict" if isinstance(part, (Lt, Gt)) else "closed")]


def _tighten(low: Values, high: Values, slope: Values, offset: Values, kind: str) -> None:
    """slope * v + offset > 0 (or >= 0), for each point."""
    with np.errstate(all="ignore"):
        bound = -offset / slope
        inward = np.spacing(np.abs(bound)) if kind == "strict" else 0.0
        lower = slope > 0
        low[lower] = np.fmax(low, bound + inward)[lower]
        upper = slope < 0
        high[upper] = np.fmin(high, bound - inward)[upper]


def _between(low: Values, high: Values, random: np.random.Generator) -> Values:
    """Linear, log scale from either end, the ends themselves, and magnitudes around zero."""
    count = low.size
    way = random.integers(8, size=count)
    share = random.uniform(size=count)
    decade = random.uniform(_SMALLEST, 0.0, count) * random.choice([0.05, 0.3, 1.0], count)
    size = 10.0 ** (random.uniform(_SMALLEST, _LARGEST, count) * random.choice([0.05, 0.2, 1.0], count))
    sign = random.choice([-1.0, 1.0], count)
    bounded_low, bounded_high = np.isfinite(low), np.isfinite(high)
    with np.errstate(all="ignore"):
        width = high - low
        inner = np.where(way < 3, low + share * width, low + width * 10.0**decade)
        inner = np.where(way == 4, high - width * 10.0**decade, inner)
        inner = np.where(way == 5, np.where(share < 0.5, low, high), inner)
        moderate = np.where(way < 3, random.normal(scale=3.0, size=count), sign * size)
        above = low + np.where(way < 3, np.abs(random.normal(scale=3.0, size=count)), size)
        below = high - np.where(way < 3, np.abs(random.normal(scale=3.0, size=count)), size)
        tiny = sign * 10.0**decade
        straddles = (low < tiny) & (tiny < high) & (way == 6)
        result = np.where(bounded_low & bounded_high, inner, np.where(bounded_low, above, np.where(
            bounded_high, below, moderate)))  # fmt: skip
        result = np.where(straddles, tiny, result)
        return np.clip(result, low, high)


def _rounded(values: Values, low: Values, high: Values) -> Values:
    bounded = np.clip(values, -1e6, 1e6)
    return np.clip(np.round(bounded), np.ceil(low), np.floor(high))
