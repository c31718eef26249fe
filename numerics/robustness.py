"""How far a formula is from being violated: quantitative semantics over points and over sampled trajectories.

A relation has a margin (positive while it holds), And takes the least, Or the greatest, Always the least over the
future, Eventually the greatest. A trajectory is only known up to its horizon, so that a negative value of Eventually,
ConvergesTo, HasPeriod or Unbounded is a suspicion; one of Always or Decreasing is a violation up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from sympy import And, Eq, Ne, Not, Or, Symbol
from sympy.core.relational import Ge, Gt, Relational
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies

from numerics.float_kernel import compile_float
from theory.errors import LemmascopeError
from theory.temporal import (
    After,
    AlmostEvery,
    Always,
    AtStart,
    ConvergesTo,
    Decreasing,
    Eventually,
    HasPeriod,
    Unbounded,
    Until,
    is_plain,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Places = NDArray[np.intp]

ROUNDING = 2.0**-44
"""Relative size below which a float64 margin says nothing."""


def margin(relation: Relational) -> sp.Expr:
    """An expression that is positive where the relation holds with room and negative where it fails.

    >>> x = Symbol("x")
    >>> margin(x < 3), margin(Eq(x, 3))
    (3 - x, -Abs(x - 3))
    """
    if isinstance(relation, Eq):
        return -sp.Abs(relation.lhs - relation.rhs)
    if isinstance(relation, Ne):
        return sp.Abs(relation.lhs - relation.rhs)
    return relation.lhs - relation.rhs if isinstance(relation, (Gt, Ge)) else relation.rhs - relation.lhs


@dataclass(frozen=True)
class Compiled:
    """The margins of all relations of some plain formulas, compiled to one float64 kernel.

    >>> x = Symbol("x")
    >>> compiled = Compiled((sp.And(x > 0, x < 1),), (x,))
    >>> compiled.robustness(compiled.formulas[0], np.array([[0.25, 2.0]])).tolist()
    [0.25, -1.0]
    """

    formulas: tuple[Boolean, ...]
    arguments: tuple[Symbol, ...]
    quantities: tuple[sp.Expr, ...] = ()
    relations: tuple[Relational, ...] = field(init=False)
    _kernel: Callable[[Values], Values] = field(init=False)

    def __post_init__(self) -> None:

        relations = sorted({atom for formula in self.formulas for atom in formula.atoms(Relational)}, key=str)
        sides = [side for relation in relations for side in relation.args]
        outputs = [*sides, *self.quantities] or [sp.S.Zero]
        object.__setattr__(self, "relations", tuple(relations))
        object.__setattr__(self, "_kernel", compile_float(outputs, self.arguments))

    def evaluate(self, points: Values) -> Evaluated:
        """Everything at an array (arguments, points)."""
        values = self._kernel(points)
        return Evaluated(self, values)

    def robustness(self, formula: Boolean, points: Values) -> Values:
        """The robustness of one of the formulas at each point; nan where it is undefined."""
        return self.evaluate(points).robustness(formula)


@dataclass(frozen=True)
class Evaluated:
    """Margins and quantities at some points."""

    compiled: Compiled
    values: Values

    def margin(self, relation: Relational) -> Values:
        """The margin of a relation at each point."""
        left, right = self._sides(relation)
        with np.errstate(invalid="ignore", over="ignore"):
            gap = left - right
        if isinstance(relation, Eq):
            return -np.abs(gap)
        if isinstance(relation, Ne):
            return np.abs(gap)
        return gap if isinstance(relation, (Gt, Ge)) else -gap

    def noise(self, relation: Relational) -> Values:
        """The size of a margin that rounding alone could explain."""
        left, right = self._sides(relation)
        with np.errstate(invalid="ignore", over="ignore"):
            return ROUNDING * (np.abs(left) + np.abs(right))

    def quantity(self, index: int) -> Values:
        """One of the further quantities."""
        return self.values[2 * len(self.compiled.relations) + index]

    def robustness(self, formula: Boolean) -> Values:
        """Margins joined by the connectives of a plain formula."""
        if isinstance(formula, Relational):
            return self.margin(formula)
        return combine(formula, self.robustness, self.values.shape[1:])

    def _sides(self, relation: Relational) -> tuple[Values, Values]:
        place = 2 * self.compiled.relations.index(relation)
        return self.values[place], self.values[place + 1]


@dataclass(frozen=True)
class Trajectories:
    """States (times, state, trajectories) with the times they belong to and the fixed symbols (one row each)."""

    state: tuple[Symbol, ...]
    states: Values
    times: Values
    fixed: Mapping[Symbol, Values]
    clock: Symbol | None = None

    @property
    def count(self) -> int:
        """How many trajectories there are."""
        return int(self.states.shape[2])


class TemporalRobustness:
    """A temporal formula over sampled trajectories, compiled once.

    >>> x = Symbol("x")
    >>> runs = Trajectories((x,), np.array([[[1.0, 4.0]], [[0.5, 2.0]], [[0.25, -1.0]]]), np.arange(3.0), {})
    >>> TemporalRobustness(Always(x > 0), (x,)).over(runs)[0].tolist()
    [0.25, -1.0]
    """

    def __init__(self, formula: Boolean, state: Sequence[Symbol], fixed: Sequence[Symbol] = (),
                 clock: Symbol | None = None, tolerance: float = 1e-6) -> None:  # fmt: skip
        self.formula, self.tolerance = formula, tolerance
        self._arguments = (*state, *fixed, *(() if clock is None else (clock,)))
        self._fixed = tuple(fixed)
        quantities: list[sp.Expr] = []
        for node in sorted(formula.atoms(ConvergesTo), key=str):
            quantities += [*node.quantity, *(entry for point in node.points for entry in point)]
        quantities += [node.args[0] for node in sorted(formula.atoms(Decreasing, Unbounded), key=str)]
        quantities += [node.args[0] for node in sorted(formula.atoms(After), key=str)]
        self._places = {quantity: place for place, quantity in enumerate(dict.fromkeys(quantities))}
        self._compiled = Compiled((formula,), self._arguments, tuple(self._places))

    def over(self, runs: Trajectories) -> Values:
        """The robustness from each time on, an array (times, trajectories); row 0 is that of the whole formula."""
        steps, _, count = runs.states.shape
        rows = [runs.states[:, place, :] for place in range(len(runs.state))]
        rows += [np.broadcast_to(np.asarray(runs.fixed[symbol], dtype=float), (steps, count)) for symbol in self._fixed]
        if runs.clock is not None:
            rows.append(np.broadcast_to(runs.times[:, None], (steps, count)))
        points = np.ascontiguousarray(np.stack([row.reshape(-1) for row in rows])) if rows else np.zeros((0, steps))
        return _Sampled(self, runs, self._compiled.evaluate(points), (steps, count)).robustness(self.formula)

    def place(self, quantity: sp.Expr) -> int:
        """Where a quantity stands in the kernel."""
        return self._places[quantity]


@dataclass(frozen=True)
class _Sampled:
    semantics: TemporalRobustness
    runs: Trajectories
    values: Evaluated
    shape: tuple[int, int]

    def robustness(self, formula: Boolean) -> Values:
        if isinstance(formula, Relational):
            return self.values.margin(formula).reshape(self.shape)
        if isinstance(formula, AlmostEvery):
            return self.robustness(formula.args[1])
        if isinstance(formula, AtStart):
            return np.broadcast_to(self.robustness(formula.args[0])[0], self.shape)
        if isinstance(formula, Always):
            return _from_the_end(np.minimum, self.robustness(formula.args[0]))
        if isinstance(formula, Eventually):
            return _from_the_end(np.maximum, self.robustness(formula.args[0]))
        if isinstance(formula, Until):
            return self._until(self.robustness(formula.args[0]), self.robustness(formula.args[1]))
        if isinstance(formula, After):
            return self._after(formula)
        if isinstance(formula, Decreasing):
            quantity = self._quantity(formula.args[0])
            with np.errstate(invalid="ignore"):
                drops = np.vstack([quantity[:-1] - quantity[1:], np.full((1, self.shape[1]), np.inf)])
            return _from_the_end(np.minimum, drops)
        if isinstance(formula, ConvergesTo):
            return self._converges(formula)
        if isinstance(formula, HasPeriod):
            return self._has_period(int(formula.args[0]))
        if isinstance(formula, Unbounded):
            return self._grows(self._quantity(formula.args[0]))
        return combine(formula, self.robustness, self.shape)

    def _quantity(self, quantity: sp.Expr) -> Values:
        return self.values.quantity(self.semantics.place(quantity)).reshape(self.shape)

    def _until(self, first: Values, second: Values) -> Values:
        result = second.copy()
        for time in range(self.shape[0] - 2, -1, -1):
            result[time] = np.maximum(second[time], np.minimum(first[time], result[time + 1]))
        return result

    def _after(self, formula: After) -> Values:
        body = self.robustness(formula.args[1])
        wait = self._quantity(formula.args[0])
        moments = self.runs.times[:, None] + wait
        begin = np.searchsorted(self.runs.times, moments - 1e-12)
        place = np.minimum(begin, self.shape[0] - 1)
        later = np.take_along_axis(body, place, axis=0)
        if is_plain(formula.args[1]):
            seen = np.abs(self.runs.times[place] - moments) <= 1e-9 * (1 + np.abs(moments))
            later = np.where(seen, later, self._between(formula.args[1], np.maximum(place - 1, 0), place))
        return np.where(begin >= self.shape[0], np.nan, later)

    def _between(self, formula: Boolean, before: Places, after: Places) -> Values:
        """A plain formula at moments between two samples: an inequality that one of them satisfies may hold.

        Of equations and of what is negated nothing is known.
        """
        if isinstance(formula, Relational) and not isinstance(formula, (Eq, Ne)):
            margin = self.robustness(formula)
            return np.maximum(*(np.take_along_axis(margin, place, axis=0) for place in (before, after)))
        if isinstance(formula, (And, Or)):
            return combine(formula, lambda part: self._between(part, before, after), self.shape)
        return np.full(self.shape, np.nan)

    def _grows(self, quantity: Values) -> Values:
        """How much further the second half of the horizon takes a quantity than the first one, minus the tolerance."""
        half = self.shape[0] // 2
        before, after = np.max(quantity[: half + 1], axis=0), np.max(quantity[half:], axis=0)
        with np.errstate(invalid="ignore"):
            further = (after - before) / (1.0 + np.abs(before)) - self.semantics.tolerance
        return np.broadcast_to(further, self.shape)

    def _converges(self, formula: ConvergesTo) -> Values:
        """Tolerance minus the distance to the nearest phase of the target over the last eighth of the horizon."""
        length = max(formula.period, self.shape[0] // 8)
        current = np.stack([self._quantity(entry) for entry in formula.quantity])[:, -length:]
        targets = [np.stack([self._quantity(entry) for entry in point])[:, -length:] for point in formula.points]
        scale = 1.0 + np.max(np.abs(np.stack(targets)), axis=(0, 1, 2))
        distances = []
        for phase in range(formula.period):
            expected = np.empty_like(current)
            for step in range(length):
                expected[:, step] = targets[(step + phase) % formula.period][:, step]
            distances.append(np.max(np.abs(current - expected), axis=(0, 1)) / scale)
        value = self.semantics.tolerance - np.minimum.reduce(distances)
        return np.broadcast_to(value, self.shape)

    def _has_period(self, period: int) -> Values:
        """Tolerance minus the return distance, unless a smaller period already returns."""
        states = self.runs.states

        def returning(step: int) -> Values:
            window = min(max(2 * step, self.shape[0] // 8), self.shape[0] - step)
            tail = states[-window:] - states[-window - step : -step]
            return np.max(np.abs(tail), axis=(0, 1)) / (1.0 + np.max(np.abs(states[-window:]), axis=(0, 1)))

        value = self.semantics.tolerance - returning(period)
        for divisor in (step for step in range(1, period) if period % step == 0):
            value = np.minimum(value, returning(divisor) - self.semantics.tolerance)
        return np.broadcast_to(value, self.shape)


def combine(formula: Boolean, value: Callable[[Boolean], Values], shape: tuple[int, ...]) -> Values:
    """Least over And, greatest over Or, through every connective; `value` gives the robustness of the parts."""
    if isinstance(formula, (BooleanTrue, BooleanFalse)):
        return np.full(shape, np.inf if formula else -np.inf)
    if isinstance(formula, And):
        return np.minimum.reduce([value(part) for part in formula.args])
    if isinstance(formula, Or):
        return np.maximum.reduce([value(part) for part in formula.args])
    if isinstance(formula, Not):
        return -value(formula.args[0])
    if isinstance(formula, Implies):
        return np.maximum(-value(formula.args[0]), value(formula.args[1]))
    if isinstance(formula, Equivalent):
        first, second = value(formula.args[0]), value(And(*formula.args[1:]))
        return np.maximum(np.minimum(first, second), np.minimum(-first, -second))
    raise LemmascopeError(f"{formula} has no robustness: write it with relations, connectives and temporal formulas")


def _from_the_end(join: np.ufunc, values: Values) -> Values:
    return np.asarray(join.accumulate(values[::-1], axis=0)[::-1])
