"""Trajectories of a statement's dynamics from sampled values of its variables, and whether two precisions agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sympy import Rational, Symbol
from sympy.core.relational import Relational

import numerics
from numerics.ensemble import Status
from numerics.multiprecision_kernel import exact_ball
from numerics.robustness import Compiled
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.statements import Statement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_TIME_PER_HORIZON = {60: 10.0, 600: 50.0, 2000: 100.0, 20_000: 1000.0, 200_000: 10_000.0}
_MOST_STEPS = 4_000
_SAMPLES_OF_A_FLOW = 400
_COMPARED_STEPS = 40
_COMPARED = 6
_HAIR = 1e-9
"""By how much a state may seem to be outside of an evolution domain."""


@dataclass(frozen=True)
class Runs:
    """States (times, state, trajectories), the status of each trajectory, where it ended, and how many states count."""

    states: Values
    times: Values
    status: NDArray[np.int64]
    ended: Values
    kept: NDArray[np.int64]
    unit: str

    @property
    def sampled(self) -> NDArray[np.int64]:
        """How many states belong to their time: where a flow ended early the last one is its end."""
        early = self.kept < len(self.times)
        return np.maximum(np.where(early & (self.unit == "time"), self.kept - 1, self.kept), 1)


class Simulation:
    """The dynamics of a statement with its constants filled in, ready to be run from many points."""

    def __init__(self, statement: Statement, names: Sequence[Symbol]) -> None:
        if statement.dynamics is None:
            raise LemmascopeError("the statement has no dynamics: nothing can be run")
        self.dynamics: Map | Flow = statement.dynamics.substitute(statement.stated)
        self.names = tuple(names)
        start = tuple(statement.start[symbol].subs(statement.stated) for symbol in self.dynamics.state)
        self._start = Compiled((), self.names, start)
        self._places = [self.names.index(symbol) for symbol in self.dynamics.parameters]

    def duration(self, horizon: int) -> float:
        """How long a flow is followed where a map would make so many steps."""
        return _TIME_PER_HORIZON.get(horizon, float(horizon))

    def starts(self, points: Values) -> Values:
        """The states at time 0, (state, trajectories)."""
        values = self._start.evaluate(points)
        return np.stack([values.quantity(index) for index in range(len(self.dynamics.state))])

    def run(self, points: Values, horizon: int, *, stretched: Values | float = 1.0, relative: float = 1e-9) -> Runs:
        """All trajectories up to the horizon, from starts that may be stretched; a flow within a relative tolerance."""
        starts = self.starts(points) * stretched
        undefined = ~np.all(np.isfinite(starts), axis=0)
        starts = np.where(undefined, 0.0, starts)
        parameters = {
            symbol: points[place] for symbol, place in zip(self.dynamics.parameters, self._places, strict=True)
        }
        if isinstance(self.dynamics, Map):
            runs = _iterated(self.dynamics, starts, parameters, horizon)
        else:
            runs = _integrated(self.dynamics, starts, parameters, self.duration(horizon), relative)
        runs.status[undefined] = Status.UNDEFINED
        runs.states[:, :, undefined] = np.nan
        return runs

    def first_violations(self, points: Values, relations: Sequence[Relational], steps: int) -> Values:
        """The first step of a Map at which one of the relations fails, inf where none does; memory stays flat."""

        if not isinstance(self.dynamics, Map) or not relations:
            return np.full(points.shape[1], np.inf)
        known = set(self.dynamics.state) | set(self.dynamics.parameters)
        extra = sorted({symbol for part in relations for symbol in part.free_symbols} - known, key=str)
        if extra:
            return np.full(points.shape[1], np.inf)
        parameters = self._parameters(points)
        done = numerics.iterate(
            self.dynamics, self.starts(points), steps, parameters=parameters, watch=relations, smallest=0.0
        )
        return np.min([watched.first_violation for watched in done.watched], axis=0)

    def _parameters(self, points: Values) -> dict[Symbol, Values]:
        return {symbol: points[place] for symbol, place in zip(self.dynamics.parameters, self._places, strict=True)}

    def agreement(self, points: Values) -> str:
        """A sentence on how long a few trajectories in 256 bits stay with those in double precision."""
        points = points[:, -_COMPARED:]
        if isinstance(self.dynamics, Flow):
            return self._tighter(self.dynamics, points)
        steps = min((self._agreeing_steps(points[:, [place]]) for place in range(points.shape[1])), default=0)
        if steps == _COMPARED_STEPS:
            return f"{points.shape[1]} of them again in 256 bits for {steps} steps, which agree"
        return f"a run in 256 bits differs from step {steps} on: beyond it the trajectories are only statistics"

    def _agreeing_steps(self, point: Values) -> int:

        dynamics = self.dynamics
        clock = [] if dynamics.time is None else [dynamics.time]
        advance = numerics.compile_ball(dynamics.right_side, [*dynamics.state, *dynamics.parameters, *clock])
        runs = self.run(point, _COMPARED_STEPS)
        with numerics.precision(256):
            fixed = [exact_ball(float(point[place, 0])) for place in self._places]
            state = tuple(exact_ball(float(entry)) for entry in runs.states[0, :, 0] if np.isfinite(entry))
            if len(state) < len(dynamics.state):
                return 0
            for step in range(1, _COMPARED_STEPS + 1):
                state = advance(*state, *fixed, *([exact_ball(Rational(step - 1))] if clock else []))
                exact = np.array([float(entry.mid()) if entry.is_finite() else np.nan for entry in state])
                if not np.allclose(exact, runs.states[step, :, 0], rtol=1e-6, atol=1e-9, equal_nan=True):
                    return step
        return _COMPARED_STEPS

    def _tighter(self, flow: Flow, points: Values) -> str:

        starts, parameters = self.starts(points), self._parameters(points)
        loose, tight = (
            numerics.integrate(flow, starts, 10.0, parameters=parameters, relative=relative, take_over=False)
            for relative in (1e-9, 1e-12)
        )
        if np.allclose(loose.final, tight.final, rtol=1e-5, atol=1e-9, equal_nan=True):
            return f"{points.shape[1]} of them again with a tolerance a thousand times tighter, which agree"
        return "runs with a tighter tolerance differ: the long run is only indicative"


def _iterated(map_: Map, starts: Values, parameters: dict[Symbol, Values], steps: int) -> Runs:

    done = numerics.iterate(map_, starts, steps, parameters=parameters, keep="all", smallest=0.0)
    kept = np.where(done.complete, steps + 1, done.last_step)
    return Runs(done.states, np.arange(steps + 1.0), done.status, done.last_step.astype(float), kept, "step")


def _inside(flow: Flow, states: Values, times: Values, parameters: dict[Symbol, Values]) -> NDArray[np.int64]:
    """How many states of each trajectory come before the first one outside of the evolution domain."""
    count = np.full(states.shape[2], len(times))
    for domain in flow.restrictions:
        clock = () if flow.time is None else (flow.time,)
        margins = Compiled((domain,), (*flow.state, *flow.parameters, *clock))
        for place in range(states.shape[2]):
            fixed = [np.full(len(times), parameters[symbol][place]) for symbol in flow.parameters]
            here = np.array([*states[:, :, place].T, *fixed, *([times] if clock else [])])
            outside = margins.robustness(domain, here) < -_HAIR
            count[place] = np.argmax(outside) if np.any(outside) else len(times)
    return np.maximum(count, 1)


def _integrated(flow: Flow, starts: Values, parameters: dict[Symbol, Values], end: float, relative: float) -> Runs:

    times = np.concatenate([[0.0], end * np.geomspace(1e-4, 1.0, _SAMPLES_OF_A_FLOW)])
    done = numerics.integrate(
        flow,
        starts,
        end,
        parameters=parameters,
        times=times,
        relative=relative,
        most_steps=_MOST_STEPS,
        take_over=False,
    )
    kept = np.searchsorted(times, done.final_time * (1 + 1e-12), side="right")
    kept = np.minimum(kept, _inside(flow, done.states, times, parameters))
    # a trajectory that ended early is judged at its end too, in the place of the next sample
    early = np.flatnonzero(kept < len(times))
    done.states[kept[early], :, early] = done.final[:, early].T
    kept[early] += 1
    return Runs(done.states, times, done.status, done.final_time, kept, "time")
