"""What a flow looks like in floating point: where it starts, where it goes, what it must not enter. Nothing is proved.

Symbols that do not move (parameters, the start where the claim mentions it) are coordinates with velocity zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from sympy import And, Expr, S, Symbol
from sympy.logic.boolalg import Boolean

from proofs_check import clock
from proofs_check.engines.motion.sampling import exact_points
from proofs_check.engines.motion.trajectory import Setting
from proofs_check.points.arrays import Interpreted, array_function
from proofs_check.points.sampling import Sampler
from proofs_check.points.search import Search
from proofs_check.shares import SHARES
from theory.language.formulas import clauses
from theory.temporal import negation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_STARTS, _EXACT_STARTS = 60, 12
_MOST_STARTS_SECONDS = SHARES["barriers, starts"].most
_STEPS, _STRIDE, _LONGEST_STEP = 250, 0.06, 0.3
_FAR = 60.0
"""Box widths beyond which a trajectory is not followed."""
_MODERATE = 1e3
"""The size of starts beyond which nothing is learned about the others."""
_ROOM = 0.5
"""How much larger than what is reached the box is on each side, beside its width."""
_SIDE = {1: 200, 2: 30, 3: 11}
_POINTS = 1500
_REACHED, _OUTWARD = 300, 150
_FILLS = 4
_HAIR = 1e-9
_FEW = 12
_SCALES = (3.0, 10.0, 40.0)
"""Of the box, for points far away."""
_TIMES = 60
"""Steps for which the points of the box are followed."""


@dataclass
class View:
    """Samples of a flow under a claim `Always(body)`."""

    setting: Setting
    body: Boolean
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    @cached_property
    def names(self) -> tuple[Symbol, ...]:
        """The coordinates: the state, and what stays as it is."""
        used = set().union(*(part.free_symbols for part in (*self.setting.rule, self.body, self.setting.assumed)))
        return (*self.setting.state, *sorted(used - set(self.setting.state), key=str))

    @cached_property
    def velocity(self) -> tuple[Expr, ...]:
        """The velocity of every coordinate."""
        return (*self.setting.rule, *[S.Zero] * (len(self.names) - len(self.setting.rule)))

    @cached_property
    def _field(self) -> Interpreted:
        return Interpreted((), self.names, self.velocity)

    @cached_property
    def _formulas(self) -> Interpreted:
        return Interpreted((self.setting.assumed, negation(self.body)), self.names)

    def speed(self, points: Values) -> Values:
        """The velocity at each point, an array of the same shape."""
        values = self._field.evaluate(points)
        return np.array([values.quantity(place) for place in range(len(self.names))])

    def allowed(self, points: Values) -> NDArray[np.bool_]:
        """Where the state may be."""
        return self._true(self.setting.assumed, points)

    def forbidden(self, points: Values) -> NDArray[np.bool_]:
        """Where the claim is violated."""
        return self._true(negation(self.body), points)

    @property
    def is_violated(self) -> bool:
        """Whether a trajectory was seen to violate the claim."""
        margins = self._formulas.robustness(negation(self.body), self.reached)
        return bool(np.any(margins > _HAIR * (1 + np.max(np.abs(self.reached), axis=0))))

    def _true(self, formula: Boolean, points: Values) -> NDArray[np.bool_]:
        if formula in (S.true, S.false):
            return np.full(points.shape[1], formula == S.true)
        return np.asarray(self._formulas.robustness(formula, points) >= 0)

    @cached_property
    def starts(self) -> Values:
        """Points of the start set."""
        variables = dict(self.setting.variables)
        sampler = Sampler(variables, self.setting.hypotheses, seconds=0.0)
        drawn = sampler.draw(_STARTS, self.random, _MOST_STARTS_SECONDS)
        if variables:
            found = exact_points(self.setting, And(*self.setting.hypotheses), _EXACT_STARTS, _MOST_STARTS_SECONDS)
            exact = [[float(point[symbol].evalf(20)) for symbol in sampler.names] for point in found]
            drawn = np.concatenate([drawn, np.array(exact).reshape(len(exact), len(sampler.names)).T], axis=1)
            drawn = self._filled(drawn[:, np.max(np.abs(drawn), axis=0, initial=0.0) <= _MODERATE], sampler.inside)
        fixed = self.names[len(self.setting.state) :]
        begun = array_function([*self.setting.start, *fixed], sampler.names)(drawn)
        return begun[:, np.max(np.abs(begun), axis=0, initial=0.0) <= _MODERATE]

    def _filled(self, points: Values, inside: Callable[[Values], NDArray[np.bool_]]) -> Values:
        """Points of a set together with others of it from boxes around those found so far."""
        for _ in range(_FILLS):
            if not points.shape[1]:
                return points
            low, high = points.min(axis=1, keepdims=True), points.max(axis=1, keepdims=True)
            room = 0.3 * (high - low) + 1e-3 * np.abs(high)
            drawn = self.random.uniform(low - room, high + room, (len(points), 3 * _STARTS))
            kept = drawn[:, inside(drawn) & (np.max(np.abs(drawn), axis=0) <= _MODERATE)]
            points = np.concatenate([points, kept[:, :_STARTS]], axis=1)
        return points

    def followed(self, points: Values, sizes: Values, steps: int) -> Values:
        """States along the trajectories at about equal distances, nan after their end."""
        states, alive = [points], np.ones(points.shape[1], dtype=bool)
        for _ in range(steps):
            now = states[-1]
            slope = self.speed(now)
            pace = np.linalg.norm(slope / sizes[:, None], axis=0)
            step = np.minimum(_STRIDE / np.maximum(pace, 1e-12), _LONGEST_STEP)
            second = self.speed(now + step / 2 * slope)
            third = self.speed(now + step / 2 * second)
            fourth = self.speed(now + step * third)
            after = now + step / 6 * (slope + 2 * second + 2 * third + fourth)
            alive = alive & np.all(np.isfinite(after), axis=0) & self.allowed(after)
            alive &= np.max(np.abs(after) / sizes[:, None], axis=0, initial=0.0) < _FAR
            states.append(np.where(alive, after, np.nan))
        return np.array(states)

    @cached_property
    def _sizes(self) -> Values:
        return np.maximum(np.max(np.abs(self.starts), axis=1), 0.5)

    @cached_property
    def reached(self) -> Values:
        """States that trajectories from the start set reach."""
        states = self.followed(self.starts, self._sizes, _STEPS)
        flat = states.transpose(1, 0, 2).reshape(len(self.names), -1)
        return flat[:, np.all(np.isfinite(flat), axis=0)]

    @cached_property
    def escapes(self) -> bool:
        """Whether some trajectory goes far away."""
        return bool(np.any(np.abs(self.reached) > _FAR / 3 * self._sizes[:, None]))

    @cached_property
    def box(self) -> tuple[Values, Values]:
        """A box around what is reached, with much room; its ends."""
        return self.around(_ROOM)

    def around(self, room: float) -> tuple[Values, Values]:
        """A box around what is reached, with room beside its width, inside of the bounds that are known.

        Its ends have few digits.
        """
        seen = self.reached
        if self.escapes:
            near = np.all(np.abs(seen) <= 4 * self._sizes[:, None], axis=0)
            seen = seen[:, near]
        low, high = seen.min(axis=1), seen.max(axis=1)
        width = np.maximum(high - low, 0.2 * np.maximum(np.abs(low), np.abs(high)) + 0.2)
        moving = np.arange(len(self.names)) < len(self.setting.state)
        step = 2.0 ** (np.floor(np.log2(width)) - 4)
        low = np.where(moving, np.ceil((low - room * width) / step) * step, low)
        high = np.where(moving, np.floor((high + room * width) / step) * step, high)
        return _clipped(self, low, high)

    @cached_property
    def grid(self) -> Values:
        """Points that fill the box as far as the state may be there."""
        low, high = self.box
        count = _SIDE.get(len(self.names))
        if count is None:
            unit = self.random.uniform(size=(len(self.names), _POINTS))
        else:
            axes = [np.linspace(0, 1, count)] * len(self.names)
            unit = np.array(np.meshgrid(*axes)).reshape(len(self.names), -1)
        points = low[:, None] + (high - low)[:, None] * unit
        if self.escapes:
            moving = np.arange(len(self.names))[:, None] < len(self.setting.state)
            middle = (low + high)[:, None] / 2
            part = unit[:, self.random.permutation(unit.shape[1])[: _POINTS // 4]] - 0.5
            wider = [middle + np.where(moving, size, 1.0) * (high - low)[:, None] * part for size in _SCALES]
            points = np.concatenate([points, *wider], axis=1)
        return points[:, self.allowed(points)]

    @cached_property
    def doomed(self) -> NDArray[np.bool_]:
        """Which points of the grid lead to what is forbidden, or out of the box."""
        low, high = self.box
        states = self.followed(self.grid, (high - low) / 2, _TIMES)
        found = np.zeros(self.grid.shape[1], dtype=bool)
        for now in states:
            here = np.where(np.isfinite(now), now, self.grid)
            found |= self.forbidden(here)
            if not self.escapes:
                found |= np.any((here < low[:, None]) | (here > high[:, None]), axis=0)
        return found

    @cached_property
    def inner(self) -> Values:
        """Some of what is reached, inside of the box."""
        low, high = self.box
        room = 1e-9 * (high - low) + 1e-12
        seen = np.concatenate([self.starts, self.reached[:, self.random.permutation(self.reached.shape[1])]], axis=1)
        inside = np.all((seen >= (low - room)[:, None]) & (seen <= (high + room)[:, None]), axis=0)
        begun = self.starts.shape[1]
        return seen[:, inside | self.escapes][:, : begun + _REACHED]

    @cached_property
    def excluded(self) -> Values:
        """Points at which the claim is violated, also where they are hard to hit."""
        seen = self.grid[:, self.forbidden(self.grid)]
        if seen.shape[1] >= _FEW:
            return seen
        formula = And(negation(self.body), self.setting.assumed)
        search = Search(dict.fromkeys(self.names, S.Reals), formula, clock.now() + _MOST_STARTS_SECONDS)
        found = [[float(point[symbol].evalf(20)) for symbol in self.names] for point in islice(search.points(), _FEW)]
        points = np.concatenate([seen, np.array(found).reshape(len(found), len(self.names)).T], axis=1)
        low, high = self.box
        points = self._filled(points, lambda drawn: self.forbidden(drawn) & self.allowed(drawn))
        room = (high - low)[:, None]
        near = np.all((points >= low[:, None] - room) & (points <= high[:, None] + room), axis=0)
        return points[:, near]

    @cached_property
    def outer(self) -> Values:
        """Points that a barrier must exclude: forbidden ones, and those where the flow leaves the box."""
        parts = [self.excluded]
        low, high = self.box
        for place, symbol in enumerate(self.setting.state):
            for end, sign in ((low[place], -1), (high[place], 1)):
                if self.escapes or self.is_known(symbol, sign):
                    continue
                face = self.grid[:, self.random.integers(max(self.grid.shape[1], 1), size=_OUTWARD)].copy()
                face[place] = end
                face = face[:, self.allowed(face)]
                parts.append(face[:, sign * self.speed(face)[place] >= 0])
        return np.concatenate(parts, axis=1)

    @cached_property
    def known_bounds(self) -> dict[tuple[Symbol, int], float]:
        """Bounds of single coordinates, below (-1) and above (1), that what is known contains."""
        found: dict[tuple[Symbol, int], float] = {}
        for part in clauses(self.setting.assumed):
            if len(part.free_symbols) == 1 and hasattr(part, "gts"):
                (symbol,) = part.free_symbols
                gap = (part.gts - part.lts).as_poly(symbol)
                if gap is not None and gap.degree() == 1 and symbol in self.setting.state:
                    slope, offset = gap.all_coeffs()
                    found[symbol, -1 if slope > 0 else 1] = float(-offset / slope)
        return found

    def is_known(self, symbol: Symbol, side: int) -> bool:
        """Whether the box ends at a known bound of a coordinate."""
        ends = self.box[0 if side < 0 else 1]
        return bool(self.known_bounds.get((symbol, side), np.inf) == ends[self.names.index(symbol)])


def _clipped(view: View, low: Values, high: Values) -> tuple[Values, Values]:
    for (symbol, side), end in view.known_bounds.items():
        place = view.names.index(symbol)
        if side < 0:
            low[place] = max(low[place], end)
        else:
            high[place] = min(high[place], end)
    return low, np.maximum(high, low + 1e-9)
