"""The loop over blocks of lanes that steps any compiled Map; it is compiled once, whatever the Map.

A block is stepped in chunks. After a chunk, lanes that left float64 are replayed step by step to find the step at
fault, lanes that are bitwise where they were before repeat exactly from then on and leave early, and the rest is
packed together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from numerics.map_kernel import BLOCK, ROUND
from numerics.pointers import call_address

DIVERGED, UNDERFLOWED, UNDEFINED, SETTLED = 3, 4, 5, 1
SUSPECT, RESTING = -1, 2
TINY = 1e-75
# the arrays stay with the caller, so nobody counts who holds them: atomic counts cost more than short steps do
OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True, "_nrt": False}


class Rules(NamedTuple):
    """How far to go, and what a trajectory may not do."""

    first: int
    steps: int
    chunk: int
    settle: bool
    bound: float
    smallest: float


class Lanes(NamedTuple):
    """A block of trajectories side by side, and room to step one of them alone."""

    state: Any
    before: Any
    parameters: Any
    watch: Any
    owner: Any
    flags: Any
    lone_state: Any
    lone_before: Any
    lone_parameters: Any
    lone_watch: Any


class Results(NamedTuple):
    """Kept states (kept, state, trajectory), and for each trajectory its status, last step and watched values."""

    kept: Any
    status: Any
    last_step: Any
    watched: Any


def empty_lanes(size: int, parameters: int, watched: int, seed: float) -> Lanes:
    """Lanes for a state and parameters of these sizes; the last row of watch carries the seed."""
    watch = np.zeros((watched + 1, BLOCK))
    watch[watched, 0] = seed

    def rows(count: int) -> Any:
        return np.zeros((count, BLOCK))

    owner, flags = np.zeros(BLOCK, dtype=np.int64), np.zeros(BLOCK, dtype=np.int64)
    # the parameters are followed by the number of the trajectory, which noise depends on
    first, second = rows(parameters + 1), rows(parameters + 1)
    return Lanes(rows(size), rows(size), first, watch, owner, flags, rows(size), rows(size), second, watch.copy())


@njit(**OPTIONS)
def _fault(value: float, before: float, bound: float, smallest: float) -> int:
    """The status a value leads to, 0 if it is fine; an exact 0 is an underflow only if it came from something tiny."""
    size = abs(value)
    if size <= bound:
        vanished = 0.0 < size < smallest or (value == 0.0 and 0.0 < abs(before) < TINY and smallest > 0.0)
        return UNDERFLOWED if vanished else 0
    return UNDEFINED if value != value else DIVERGED  # noqa: PLR0124


@njit(**OPTIONS)
def _call(address: int, state: Any, parameters: Any, first: int, steps: int, lanes: int, watch: Any) -> None:
    call_address(address, (state.ctypes.data, parameters.ctypes.data, first, steps, lanes, watch.ctypes.data))


@njit(**OPTIONS)
def _set_alone(lanes: Lanes, state: Any, lane: int) -> None:
    """Copy one lane, from the given states, to where it is stepped alone."""
    for l in range(ROUND):
        for row in range(state.shape[0]):
            lanes.lone_state[row, l] = state[row, lane]
        for row in range(lanes.parameters.shape[0]):
            lanes.lone_parameters[row, l] = lanes.parameters[row, lane]


@njit(**OPTIONS)
def _step_alone(advance: int, lanes: Lanes, first: int, steps: int) -> None:
    _call(advance, lanes.lone_state, lanes.lone_parameters, first, steps, ROUND, lanes.lone_watch)


@njit(**OPTIONS)
def _locate_fault(advance: int, lanes: Lanes, lane: int, first: int, steps: int, rules: Rules) -> tuple[int, int]:
    """Status and step of the first fault of a lane within a chunk; the lone state is left as it was before it."""
    size, last = lanes.state.shape[0], lanes.lone_before
    _set_alone(lanes, lanes.before, lane)
    for step in range(steps):
        for row in range(size):
            last[row, 0] = lanes.lone_state[row, 0]
        _step_alone(advance, lanes, first + step, 1)
        for row in range(size):
            found = _fault(lanes.lone_state[row, 0], last[row, 0], rules.bound, rules.smallest)
            if found != 0:
                for back in range(size):
                    lanes.lone_state[back, 0] = last[back, 0]
                return found, first + step + 1
    return 0, first + steps


@njit(**OPTIONS)
def _give_up(kept: Any, last: Any, owner: int, steps: int, where: int) -> None:
    """From the step at fault on, the kept states repeat the last good one."""
    keep = kept.shape[0]
    for place in range(keep):
        if steps - (keep - 1 - place) >= where:
            for row in range(kept.shape[1]):
                kept[place, row, owner] = last[row, 0]


@njit(**OPTIONS)
def _replay_settled(advance: int, lanes: Lanes, lane: int, step: int, period: int, steps: int, kept: Any) -> None:
    """The last states of an orbit that repeats after `period` steps, without walking all the way."""
    keep, owner, ahead = kept.shape[0], lanes.owner[lane], steps - step
    odd = max(ahead - keep + 1, 0) % period
    _set_alone(lanes, lanes.state, lane)
    if odd:
        _step_alone(advance, lanes, step, odd)
    for back in range(min(keep, ahead + 1) - 1, -1, -1):
        for row in range(kept.shape[1]):
            kept[keep - 1 - back, row, owner] = lanes.lone_state[row, 0]
        if back:
            _step_alone(advance, lanes, step, 1)


@njit(**OPTIONS)
def _load_block(starts: Any, given: Any, block: int, active: int, lanes: Lanes) -> None:
    owner, last = lanes.owner, given.shape[0]
    for lane in range(BLOCK):
        owner[lane] = block + min(lane, active - 1)
        lanes.parameters[last, lane] = float(owner[lane])
    for row in range(starts.shape[0]):
        for lane in range(BLOCK):
            lanes.state[row, lane] = starts[row, owner[lane]]
    for row in range(last):
        for lane in range(BLOCK):
            lanes.parameters[row, lane] = given[row, owner[lane]]
    for row in range(lanes.watch.shape[0] - 1):
        for lane in range(BLOCK):
            lanes.watch[row, lane] = -np.inf if row % 3 == 1 else np.inf


@njit(**OPTIONS)
def _keep_states(lanes: Lanes, active: int, kept: Any, place: int) -> None:
    for row in range(kept.shape[1]):
        for lane in range(active):
            kept[place, row, lanes.owner[lane]] = lanes.state[row, lane]


@njit(**OPTIONS)
def _inspect(state: Any, before: Any, lanes: int, rules: Rules, flags: Any) -> int:
    """Flag lanes: SUSPECT if a value may be at fault, RESTING if nothing moved; the number of flagged lanes."""
    for lane in range(lanes):
        flags[lane] = RESTING if rules.settle else 0
    for row in range(state.shape[0]):
        for lane in range(lanes):
            # without short cuts (and, or) the loop is vectorised
            value, old = state[row, lane], before[row, lane]
            size = abs(value)
            fine = (size <= rules.bound) & ((size >= rules.smallest) | ((value == 0.0) & (old == 0.0)))
            rests = flags[lane] if value == old else min(flags[lane], 0)
            flags[lane] = rests if fine else SUSPECT
    flagged = 0
    for lane in range(lanes):
        flagged += flags[lane] != 0
    return flagged


@njit(**OPTIONS)
def _release(advance: int, lanes: Lanes, active: int, step: int, now: int, rules: Rules, results: Results) -> int:
    """Let flagged lanes go, pack the others together, and return how many are left."""
    kept, lane = results.kept, 0
    at_end = kept.shape[0] == 1 and (rules.steps - step) % now == 0
    while lane < active:
        leave, owner = False, lanes.owner[lane]
        if lanes.flags[lane] == SUSPECT:
            found, where = _locate_fault(advance, lanes, lane, rules.first + step - now, now, rules)
            if found:
                leave = True
                results.status[owner], results.last_step[owner] = found, where - rules.first
                _give_up(kept, lanes.lone_state, owner, rules.steps, where - rules.first)
        elif lanes.flags[lane] == RESTING and step < rules.steps:
            leave = True
            results.status[owner], results.last_step[owner] = SETTLED, step
            if at_end:
                for row in range(kept.shape[1]):
                    kept[0, row, owner] = lanes.state[row, lane]
            else:
                _replay_settled(advance, lanes, lane, step, now, rules.steps, kept)
        if leave:
            for row in range(results.watched.shape[0]):
                results.watched[row, owner] = lanes.watch[row, lane]
            active -= 1
            _move_lane(lanes, active, lane)
        else:
            lane += 1
    return active


@njit(inline="always", **OPTIONS)
def _move_lane(lanes: Lanes, source: int, target: int) -> None:
    for row in range(lanes.state.shape[0]):
        lanes.state[row, target] = lanes.state[row, source]
        lanes.before[row, target] = lanes.before[row, source]
    for row in range(lanes.parameters.shape[0]):
        lanes.parameters[row, target] = lanes.parameters[row, source]
    for row in range(lanes.watch.shape[0] - 1):
        lanes.watch[row, target] = lanes.watch[row, source]
    lanes.owner[target] = lanes.owner[source]
    lanes.flags[target] = lanes.flags[source]


@njit(**OPTIONS)
def _iterate_block(advance: int, lanes: Lanes, active: int, rules: Rules, results: Results) -> int:
    """Step one block to its end, and return how many lanes got there."""
    steps, keep, step = rules.steps, results.kept.shape[0], 0
    if keep > steps:
        _keep_states(lanes, active, results.kept, keep - 1 - steps)
    while step < steps and active > 0:
        # the odd piece comes first: what is left is then whole chunks, and a resting lane is where it will end
        walk = max(steps - keep + 1 - step, 1)
        now = walk % rules.chunk or rules.chunk
        filled = min((active + ROUND - 1) // ROUND * ROUND, BLOCK)
        for row in range(lanes.state.shape[0]):
            for lane in range(filled):
                lanes.before[row, lane] = lanes.state[row, lane]
        _call(advance, lanes.state, lanes.parameters, rules.first + step, now, filled, lanes.watch)
        step += now
        if step > steps - keep:
            _keep_states(lanes, active, results.kept, keep - 1 - (steps - step))
        if _inspect(lanes.state, lanes.before, filled, rules, lanes.flags):
            active = _release(advance, lanes, active, step, now, rules, results)
    return active


@njit(**OPTIONS)
def iterate_range(
    advance: int,
    observe: int,
    starts: Any,
    given: Any,
    begin: int,
    end: int,
    rules: Rules,
    lanes: Lanes,
    results: Results,
) -> None:
    """Step trajectories begin..end and fill their results."""
    watched = results.watched
    for block in range(begin, end, BLOCK):
        active = min(BLOCK, end - block)
        _load_block(starts, given, block, active, lanes)
        active = _iterate_block(advance, lanes, active, rules, results)
        if watched.shape[0] and active > 0:
            _call(observe, lanes.state, lanes.parameters, rules.first + rules.steps, 0, BLOCK, lanes.watch)
        for lane in range(active):
            results.last_step[lanes.owner[lane]] = rules.steps
            for row in range(watched.shape[0]):
                watched[row, lanes.owner[lane]] = lanes.watch[row, lane]
