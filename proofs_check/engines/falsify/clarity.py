"""Whether a violation in double precision is clear or may be noise.

A clear one shows within finite time, is seen again with tighter tolerances, from starts and parameters that differ in
the tenth digit and in states with an error in the seventh one, and is about as large in all of them. Later states than
those at which such trajectories have come apart are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from numerics.robustness import TemporalRobustness, Trajectories
from proofs_check.engines.falsify.runs import Runs, Simulation
from proofs_check.goals import domains
from theory.domains import is_discrete
from theory.statements import Statement
from theory.temporal import fails_in_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_COPIES = 4
_BESIDE = 1e-10
_APART = 1e-5
"""How far the copies start from each other, and how far apart, beside the largest state so far, they still count."""
_TIGHT = 1e-12
_ERROR, _SMALLEST_ERROR = 1e-7, 1e-9
"""Errors of a state: beside itself, and beside the largest state so far."""
_ALIKE = 2.0
_PARTS = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class Violation:
    """How far a trajectory is from what is claimed, and when."""

    amount: float
    moment: float


@dataclass(frozen=True)
class Sight:
    """The trajectories of a statement and the robustness of its claim along them."""

    statement: Statement
    simulation: Simulation
    robustness: TemporalRobustness

    def judged(self, states: Values, times: Values, points: Values) -> Values:
        """The robustness from each time on, an array (times, trajectories)."""
        dynamics = self.simulation.dynamics
        fixed = dict(zip(self.simulation.names, points, strict=True))
        return np.asarray(self.robustness.over(Trajectories(dynamics.state, states, times, fixed, dynamics.time)))

    def clear_violation(self, point: Values, horizon: int) -> Violation | None:
        """The violation along the trajectory from one point, None where it may be noise."""
        if not fails_in_time(self.robustness.formula):
            return None
        random = np.random.default_rng(0)
        points = np.repeat(point.reshape(-1, 1), 1 + _COPIES, axis=1)
        points[self._movable] *= self._nudges(len(self._movable), random)
        stretched = self._nudges(len(self.simulation.dynamics.state), random)
        loose = self.simulation.run(points[:, :1], horizon)
        tight = self.simulation.run(points, horizon, stretched=stretched, relative=_TIGHT)
        kept = min(int(loose.sampled[0]), _together(tight))
        largest = np.maximum.accumulate(np.max(np.abs(tight.states[:kept]), axis=(1, 2), keepdims=True), axis=0)
        states = tight.states[:kept]
        errors = _ERROR * np.abs(states) + _SMALLEST_ERROR * largest
        erring = states + errors * random.choice([-1.0, 1.0], states.shape)
        everything = np.concatenate([loose.states[:kept], states[:, :, :1], erring], axis=2)
        fixed = np.concatenate([points[:, :1], points[:, :1], points], axis=1)
        for part in _PARTS:
            count = kept // part
            if count < 2:
                return None
            values = self.judged(everything[:count], tight.times[:count], fixed)
            if _is_clear(values[0]):
                return Violation(-float(values[0, 1]), float(tight.times[worst(values[:, 1])]))
        return None

    @cached_property
    def _movable(self) -> list[int]:
        """The variables that are no whole numbers."""
        known = domains(self.statement)
        return [place for place, name in enumerate(self.simulation.names) if not is_discrete(known[name])]

    @staticmethod
    def _nudges(count: int, random: np.random.Generator) -> Values:
        """Factors close to one; the first trajectory is left as it is."""
        moved = 1.0 + _BESIDE * random.choice([-1.0, 1.0], (count, _COPIES))
        return np.concatenate([np.ones((count, 1)), moved], axis=1)


def clearly_below(sight: Sight, states: Values, times: Values, column: Values, rounding: float) -> Violation | None:
    """The violation along one trajectory (times, state, 1) that errors of this relative size do not explain."""
    largest = np.maximum.accumulate(np.max(np.abs(states), axis=(1, 2), keepdims=True), axis=0)
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (*states.shape[:2], _COPIES))
    erring = states + (rounding * np.abs(states) + rounding / 100 * largest) * signs
    everything = np.concatenate([states, erring], axis=2)
    values = sight.judged(everything, times, np.repeat(column, 1 + _COPIES, axis=1))
    if not _is_clear(values[0]):
        return None
    return Violation(-float(values[0, 0]), float(times[worst(values[:, 0])]))


def _is_clear(first: Values) -> bool:
    """Whether the robustness of all copies is negative and about the same."""
    return bool(np.all(np.isfinite(first)) and np.max(first) < 0 and np.min(first) >= _ALIKE * np.max(first))


def worst(values: Values) -> int:
    """The last place from which on the robustness is as low as from the first."""
    return int(np.flatnonzero(values == values[0])[-1])


def _together(runs: Runs) -> int:
    """How many states the copies have in common."""
    states = runs.states[: int(np.min(runs.sampled))]
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.max(np.abs(states - states[:, :, :1]), axis=(1, 2))
        largest = np.maximum.accumulate(np.max(np.abs(states), axis=(1, 2)))
        close = apart <= _APART * largest
    return len(states) if np.all(close) else int(np.argmin(close))
