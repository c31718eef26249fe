"""What the integrator works on: the task, the lanes in which it is done, and the results."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

STAGES_KEPT, DENSE_ROWS = 16, 7


class Task(NamedTuple):
    """Where trajectories begin and end, and what is asked of them; arrays have one column for each trajectory."""

    starts: Any
    given: Any
    end_times: Any
    absolutes: Any
    times: Any
    stops: Any
    start_time: float
    relative: float
    longest: float
    most_steps: int
    bound: float


class Results(NamedTuple):
    """Arrays to be filled, one column for each trajectory."""

    kept: Any
    final: Any
    final_time: Any
    status: Any
    steps: Any
    event_times: Any
    event_counts: Any
    watched: Any


class Lanes(NamedTuple):
    """Trajectories side by side; `owner` says which, or -1 for none.

    What belongs to the state is flat, entry i of lane l at i * lanes + l; h and absolute are repeated for every entry.
    y, fresh: the state before and after the step; trial: the state at which a stage or the interpolant is evaluated.
    p: parameters, and below them room for the right-hand side to work in.
    k, dense: slopes of the stages, coefficients of the interpolant.
    seen, after, side: observed quantities, now and after the step, and the sign of each event since it was located.
    wish: the step that is tried next; landing: the event this step was cut at, or -1.
    hard: how many times in a row the step was limited by stability.
    """

    y: Any
    h: Any
    absolute: Any
    fresh: Any
    trial: Any
    p: Any
    k: Any
    dense: Any
    seen: Any
    after: Any
    side: Any
    t: Any
    wish: Any
    moment: Any
    error: Any
    third: Any
    owner: Any
    steps: Any
    next_time: Any
    landing: Any
    hard: Any
    accepted: Any
    is_new: Any
    is_last: Any


def empty_lanes(lanes: int, size: int, parameters: int, events: int, looking: int) -> Lanes:
    """Lanes without trajectories; every one asks for its first."""

    def rows(count: int) -> Any:
        return np.zeros((max(count, 1), lanes))

    def flat() -> Any:
        return np.zeros(size * lanes)

    slopes, dense = np.zeros((STAGES_KEPT, size * lanes)), np.zeros((DENSE_ROWS, size * lanes))
    wholes = [np.full(lanes, value, dtype=np.int64) for value in (-1, 0, 0, -1, 0)]
    flags = [np.full(lanes, value, dtype=np.bool_) for value in (False, True, False)]
    return Lanes(
        *(flat(), flat(), flat() + 1.0, flat(), flat()),
        *(rows(parameters), slopes, dense, rows(looking), rows(looking), rows(events)),
        *(np.zeros(lanes) for _ in range(5)),
        *wholes,
        *flags,
    )


def example(lanes: int) -> tuple[Task, Lanes, Results]:
    """Arguments of the types for which the integrator is compiled."""
    table, line, whole = np.zeros((1, 1)), np.zeros(1), np.zeros(1, dtype=np.int64)
    task = Task(table, table, line, line, line, np.zeros(1, dtype=np.bool_), 0.0, 1e-9, 1.0, 1, 1.0)
    results = Results(np.zeros((1, 1, 1)), table, line, whole, whole, table, whole.reshape(1, 1), table)
    return task, empty_lanes(lanes, 1, 1, 1, 1), results
