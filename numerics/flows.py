"""Ensembles of Flows: adaptive integration of many trajectories at once, each with its own steps and its own end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import sympy as sp

from numerics.ensemble import Status, as_floats, ensemble_arrays, explain, threads_to_use
from numerics.flow_kernel import compile_flow, integrator
from numerics.integration_types import Results, Task, empty_lanes
from numerics.kinks import switching_functions
from numerics.map_kernel import margin
from numerics.maps import Watched, in_threads
from numerics.stiff import finish_stiff
from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from numerics.ensemble import Dynamics, Parameters, Starts

    class FlowLike(Dynamics, Protocol):
        """A Flow: state, velocity, time, parameters."""

        @property
        def velocity(self) -> tuple[sp.Basic, ...]:
            """The right-hand side."""


@dataclass(frozen=True)
class Event:
    """A function of state, time and parameters whose change of sign is located; `stop` ends the trajectory there."""

    function: sp.Basic
    stop: bool = False


@dataclass(frozen=True)
class FlowEnsemble:
    """The result of `integrate`.

    final, final_time: where each trajectory ended, (state, trajectory) and (trajectory,).
    states: the states at the times asked for, (time, state, trajectory), nan after an early end.
    event_times, event_counts: first time and number of occurrences of each event, (event, trajectory).
    implicit: which trajectories turned out to be stiff and were finished by the implicit method.
    """

    final: NDArray[np.float64]
    final_time: NDArray[np.float64]
    status: NDArray[np.int64]
    steps: NDArray[np.int64]
    times: NDArray[np.float64]
    states: NDArray[np.float64]
    event_times: NDArray[np.float64]
    event_counts: NDArray[np.int64]
    watched: tuple[Watched, ...]
    implicit: NDArray[np.bool_] = field(repr=False)

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Which trajectories reached their end or an event that stops."""
        return self.status <= Status.STOPPED

    def faults(self) -> list[str]:
        """One sentence for each trajectory that did not reach its end."""
        return [
            explain(Status(self.status[i]), int(i), f"time {self.final_time[i]:.6g}")
            for i in np.flatnonzero(~self.complete)
        ]


def integrate(
    flow: FlowLike,
    starts: Starts,
    until: ArrayLike,
    *,
    parameters: Parameters | None = None,
    times: ArrayLike = (),
    begin: float = 0.0,
    relative: float = 1e-9,
    absolute: ArrayLike | None = None,
    events: Sequence[Event] = (),
    watch: Sequence[sp.Basic] = (),
    longest_step: float = np.inf,
    most_steps: int = 100_000,
    bound: float = 1e150,
    take_over: bool = True,
    threads: int | None = None,
) -> FlowEnsemble:
    """Integrate many trajectories of a Flow, each with its own step control.

    until: the end time, one number or one for each trajectory.
    times: where the states are wanted (7th-order dense output).
    relative, absolute: tolerances; the absolute one is by default the relative one times the size of the start,
        so that tiny starts are not integrated as noise.
    events: functions whose changes of sign are located; kinks of the velocity (ReLU, |x|, ...) always are, and
        the integration starts afresh there.
    watch: relations or expressions reduced to their extremes over the accepted steps, for example a conserved
        quantity.
    A trajectory stops when it leaves the evolution domain of the flow.
    take_over: let an implicit method finish trajectories that are stiff, one at a time; otherwise they end as STIFF.

    The error of each step is kept below the tolerance; over the whole of a well-conditioned trajectory it stays within
    a hundred times (absolute + relative * size of the state), which is tested for the flows of the whole library.

    >>> from theory.dynamics import Flow
    >>> x, a = sp.symbols("x a")
    >>> decay = Flow((x,), (-a * x,))
    >>> integrate(decay, {x: 1.0}, 1.0, parameters={a: [1, 2]}).final.round(9).tolist()
    [[0.367879441, 0.135335283]]
    """
    starts_array, given = ensemble_arrays(flow, starts, parameters)
    size, count = starts_array.shape
    _check_limits(relative, longest_step, most_steps, bound)
    ends = _end_times(until, count, begin)
    borders = [Event(room(part), stop=True) for part in getattr(flow, "restrictions", ())]
    kinks = switching_functions(tuple(flow.velocity))
    located = [*events, *borders]
    observed = [*(e.function for e in located), *kinks, *(margin(w)[0] for w in watch)]
    kernel = compile_flow(flow.state, flow.velocity, flow.time, flow.parameters, observed)
    task = Task(
        starts_array,
        given,
        ends,
        _absolute_tolerances(absolute, relative, starts_array),
        _output_times(times, begin, ends),
        np.array([*(e.stop for e in located), *(False for _ in kinks)], dtype=np.bool_),
        float(begin),
        float(relative),
        float(longest_step),
        int(most_steps),
        float(bound),
    )
    results = _empty_results(task, len(watch))

    def run(first: int, last: int) -> None:
        lanes = empty_lanes(kernel.lanes, size, len(given) + kernel.room, task.stops.size, len(observed))
        integrator(kernel.lanes)(kernel.right_side, kernel.observe, task, lanes, results, first, last)

    in_threads(run, count, 8 * kernel.lanes, threads_to_use(threads))
    smooth = not observed and not any(isinstance(s, sp.MatrixSymbol) for s in flow.state)
    implicit = _finish_stiff_ones(flow, task, results) if take_over and smooth else np.zeros(count, dtype=np.bool_)
    return _ensemble(task, results, len(events), len(watch), implicit)


def room(domain: sp.Basic) -> sp.Basic:
    """How far a state is inside of a domain made of inequalities; negative outside.

    >>> x = sp.Symbol("x")
    >>> room((x >= 0) & (x < 2))
    Min(x, 2 - x)
    """
    if isinstance(domain, sp.And | sp.Or):
        return (sp.Min if isinstance(domain, sp.And) else sp.Max)(*map(room, domain.args))
    return margin(domain)[0]


def _finish_stiff_ones(flow: FlowLike, task: Task, results: Results) -> NDArray[np.bool_]:
    stiff: NDArray[np.bool_] = results.status == Status.STIFF
    for trajectory in np.flatnonzero(stiff):
        finish_stiff(flow, task, results, int(trajectory))
    return stiff


def _ensemble(task: Task, results: Results, events: int, watched: int, implicit: NDArray[np.bool_]) -> FlowEnsemble:
    return FlowEnsemble(
        results.final,
        results.final_time,
        results.status,
        results.steps,
        task.times,
        results.kept,
        results.event_times[:events],
        results.event_counts[:events],
        tuple(Watched(*results.watched[3 * i : 3 * i + 3]) for i in range(watched)),
        implicit,
    )


def _empty_results(task: Task, watched: int) -> Results:
    (size, count), events = task.starts.shape, task.stops.size
    extremes = np.empty((3 * watched, count))
    extremes[0::3], extremes[1::3], extremes[2::3] = np.inf, -np.inf, np.inf
    return Results(
        kept=np.full((task.times.size, size, count), np.nan),
        final=np.full((size, count), np.nan),
        final_time=np.full(count, task.start_time),
        status=np.zeros(count, dtype=np.int64),
        steps=np.zeros(count, dtype=np.int64),
        event_times=np.full((events, count), np.nan),
        event_counts=np.zeros((events, count), dtype=np.int64),
        watched=extremes,
    )


def _check_limits(relative: float, longest_step: float, most_steps: int, bound: float) -> None:
    if not 1e-15 <= relative <= 0.1:
        raise LemmascopeError(f"relative={relative} cannot be met in float64: choose between 1e-15 and 0.1.")
    if not longest_step > 0:
        raise LemmascopeError(f"longest_step={longest_step} must be positive.")
    if most_steps < 1:
        raise LemmascopeError(f"most_steps={most_steps} must be at least 1.")
    if not bound > 0:
        raise LemmascopeError(f"bound={bound} must be positive.")


def _end_times(until: ArrayLike, count: int, begin: float) -> NDArray[np.float64]:
    if not np.isfinite(begin):
        raise LemmascopeError(f"begin={begin} is not finite: give the time of the starts.")
    ends = as_floats(until, "until", finite=False)
    if ends.ndim > 1 or ends.size not in (1, count):
        raise LemmascopeError(f"until has shape {ends.shape}: give one end time, or one for each of {count}.")
    ends = np.broadcast_to(ends, (count,)).copy()
    if not np.isfinite(ends).all():
        raise LemmascopeError("The end time is not finite: for t -> infinity use rescaled_time(flow).")
    if not (ends >= begin).all():
        raise LemmascopeError(f"until lies before begin={begin}: integrate the flow with the opposite sign instead.")
    return ends


def _output_times(times: ArrayLike, begin: float, ends: NDArray[np.float64]) -> NDArray[np.float64]:
    wanted = as_floats(times, "times", finite=False).ravel()
    if wanted.size and not (np.isfinite(wanted).all() and (np.diff(wanted) >= 0).all()):
        raise LemmascopeError("times must be finite and sorted: sort them first.")
    if wanted.size and (wanted[0] < begin or wanted[-1] > ends.max()):
        raise LemmascopeError(f"times must lie between begin={begin} and until={ends.max()}.")
    return wanted


def _absolute_tolerances(
    absolute: ArrayLike | None, relative: float, starts: NDArray[np.float64]
) -> NDArray[np.float64]:
    count = starts.shape[1]
    if absolute is None:
        sizes = np.sqrt((starts**2).mean(axis=0)) if starts.size else np.zeros(count)
        return np.maximum(relative * np.where(sizes > 0, np.minimum(sizes, 1.0), 1.0), 1e-290)
    tolerances = as_floats(absolute, "absolute")
    if tolerances.size not in (1, count) or not (tolerances > 0).all():
        raise LemmascopeError("absolute must be positive, one number or one for each trajectory: zero divides by zero.")
    return np.broadcast_to(tolerances, (count,)).copy()
