"""The loop over blocks of lanes that steps any compiled Map; it is compiled once, whatever the Map.

A block is stepped in chunks. After a chunk, lanes that left float64 are replayed step by step to find the step at
fault, lanes that are bitwise where they were before repeat exactly from then on and leave early, and the rest is
packed together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from numerics.map_kernel import BLOCK, ROUND
from numerics.pointers import call_address

DIVERGED, UNDERFLOWED, UNDEFINED, SETTLED = 3, 4, 5, 1
SUSPECT, RESTING = -1, 2
TINY = 1e-75
OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True}


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
def _column(source: Any, lane: int, target: Any) -> None:
    for row in range(source.shape[0]):
        for l in range(ROUND):
            target[row, l] = source[row, lane]


@njit(**OPTIONS)
def _locate_fault(
    advance: int,
    before: Any,
    parameters: Any,
    lane: int,
    first: int,
    steps: int,
    bound: float,
    smallest: float,
    scratch: Any,
    scratch_parameters: Any,
    spare_watch: Any,
) -> tuple[int, int]:
    """Status and step of the first fault of a lane within a chunk; scratch holds the state before it."""
    _column(before, lane, scratch)
    _column(parameters, lane, scratch_parameters)
    last = np.empty(before.shape[0])
    for step in range(steps):
        for row in range(before.shape[0]):
            last[row] = scratch[row, 0]
        _call(advance, scratch, scratch_parameters, first + step, 1, ROUND, spare_watch)
        for row in range(before.shape[0]):
            found = _fault(scratch[row, 0], last[row], bound, smallest)
            if found != 0:
                for back in range(before.shape[0]):
                    scratch[back, 0] = last[back]
                return found, first + step + 1
    return 0, first + steps


@njit(**OPTIONS)
def _replay_settled(
    advance: int,
    state: Any,
    parameters: Any,
    lane: int,
    step: int,
    chunk: int,
    steps: int,
    kept: Any,
    owner: int,
    scratch: Any,
    scratch_parameters: Any,
    spare_watch: Any,
) -> None:
    """The last states of an orbit that repeats after `chunk` steps, without walking all the way."""
    keep = kept.shape[0]
    ahead = steps - step
    _column(state, lane, scratch)
    _column(parameters, lane, scratch_parameters)
    skip = max(ahead - keep + 1, 0)
    if skip % chunk:
        _call(advance, scratch, scratch_parameters, step, skip % chunk, ROUND, spare_watch)
    for back in range(min(keep, ahead + 1) - 1, -1, -1):
        for row in range(state.shape[0]):
            kept[keep - 1 - back, row, owner] = scratch[row, 0]
        if back:
            _call(advance, scratch, scratch_parameters, step, 1, ROUND, spare_watch)


@njit(**OPTIONS)
def _load_block(starts: Any, given: Any, block: int, active: int, state: Any, parameters: Any, owner: Any) -> None:
    for lane in range(BLOCK):
        source = block + min(lane, active - 1)
        owner[lane] = source
        for row in range(starts.shape[0]):
            state[row, lane] = starts[row, source]
        for row in range(given.shape[0]):
            parameters[row, lane] = given[row, source]
        parameters[given.shape[0], lane] = float(source)


@njit(**OPTIONS)
def _keep_states(state: Any, owner: Any, active: int, kept: Any, place: int) -> None:
    for row in range(state.shape[0]):
        for lane in range(active):
            kept[place, row, owner[lane]] = state[row, lane]


@njit(**OPTIONS)
def _inspect(state: Any, before: Any, lanes: int, bound: float, smallest: float, flags: Any) -> int:
    """Flag lanes: SUSPECT if a value may be at fault, RESTING if nothing moved; the number of flagged lanes."""
    for lane in range(lanes):
        flags[lane] = RESTING
    for row in range(state.shape[0]):
        for lane in range(lanes):
            value, old = state[row, lane], before[row, lane]
            fine = abs(value) <= bound and (abs(value) >= smallest or (value == 0.0 and old == 0.0))
            moved = RESTING if value == old else 0
            flags[lane] = min(flags[lane], moved) if fine else SUSPECT
    flagged = 0
    for lane in range(lanes):
        flagged += flags[lane] != 0
    return flagged


@njit(**OPTIONS)
def _move_lane(array: Any, rows: int, source: int, target: int) -> None:
    for row in range(rows):
        array[row, target] = array[row, source]


@njit(**OPTIONS)
def _give_up(kept: Any, last: Any, owner: int, steps: int, where: int) -> None:
    """From the step at fault on, the kept states repeat the last good one."""
    keep = kept.shape[0]
    for place in range(keep):
        if steps - (keep - 1 - place) >= where:
            for row in range(kept.shape[1]):
                kept[place, row, owner] = last[row, 0]


@njit(**OPTIONS)
def _release(
    advance: int,
    state: Any,
    before: Any,
    parameters: Any,
    watch: Any,
    owner: Any,
    flags: Any,
    active: int,
    first: int,
    step: int,
    now: int,
    steps: int,
    settle: bool,
    bound: float,
    smallest: float,
    kept: Any,
    status: Any,
    last_step: Any,
    watched: Any,
    scratch: Any,
    scratch_parameters: Any,
    spare_watch: Any,
) -> int:
    """Let flagged lanes go, pack the others together, and return how many are left."""
    lane = 0
    while lane < active:
        leave = False
        if flags[lane] == SUSPECT:
            found, where = _locate_fault(
                advance,
                before,
                parameters,
                lane,
                first + step - now,
                now,
                bound,
                smallest,
                scratch,
                scratch_parameters,
                spare_watch,
            )
            if found:
                leave = True
                status[owner[lane]] = found
                last_step[owner[lane]] = where - first
                _give_up(kept, scratch, owner[lane], steps, where - first)
        elif flags[lane] == RESTING and settle and step < steps:
            leave = True
            status[owner[lane]] = SETTLED
            last_step[owner[lane]] = step
            _replay_settled(
                advance,
                state,
                parameters,
                lane,
                step,
                now,
                steps,
                kept,
                owner[lane],
                scratch,
                scratch_parameters,
                spare_watch,
            )
        if leave:
            for row in range(watched.shape[0]):
                watched[row, owner[lane]] = watch[row, lane]
            active -= 1
            _move_lane(state, state.shape[0], active, lane)
            _move_lane(before, state.shape[0], active, lane)
            _move_lane(parameters, parameters.shape[0], active, lane)
            _move_lane(watch, watched.shape[0], active, lane)
            owner[lane] = owner[active]
            flags[lane] = flags[active]
        else:
            lane += 1
    return active


@njit(**OPTIONS)
def iterate_range(
    advance: int,
    observe: int,
    starts: Any,
    given: Any,
    begin: int,
    end: int,
    first: int,
    steps: int,
    chunk: int,
    settle: bool,
    bound: float,
    smallest: float,
    kept: Any,
    status: Any,
    last_step: Any,
    watched: Any,
    seed: float,
) -> None:
    """Step trajectories begin..end; fill kept (keep, state, trajectory), status, last step and watched values."""
    size, count, watch_rows, keep = starts.shape[0], given.shape[0], watched.shape[0], kept.shape[0]
    state, before, scratch = np.zeros((size, BLOCK)), np.zeros((size, BLOCK)), np.zeros((size, BLOCK))
    parameters, scratch_parameters = np.zeros((count + 1, BLOCK)), np.zeros((count + 1, BLOCK))
    watch, spare_watch = np.zeros((watch_rows + 1, BLOCK)), np.zeros((watch_rows + 1, BLOCK))
    watch[watch_rows, 0] = spare_watch[watch_rows, 0] = seed
    owner, flags = np.zeros(BLOCK, dtype=np.int64), np.zeros(BLOCK, dtype=np.int64)
    for block in range(begin, end, BLOCK):
        active = min(BLOCK, end - block)
        _load_block(starts, given, block, active, state, parameters, owner)
        for row in range(watch_rows):
            for lane in range(BLOCK):
                watch[row, lane] = -np.inf if row % 3 == 1 else np.inf
        step = 0
        if keep > steps:
            _keep_states(state, owner, active, kept, keep - 1 - steps)
        while step < steps and active > 0:
            # the odd piece comes first: what is left is then whole chunks, and a resting lane is where it will end
            walk = max(steps - keep + 1 - step, 1)
            now = walk % chunk or chunk
            lanes = min((active + ROUND - 1) // ROUND * ROUND, BLOCK)
            for row in range(size):
                before[row, :lanes] = state[row, :lanes]
            _call(advance, state, parameters, first + step, now, lanes, watch)
            step += now
            if step > steps - keep:
                _keep_states(state, owner, active, kept, keep - 1 - (steps - step))
            if _inspect(state, before, lanes, bound, smallest, flags):
                active = _release(
                    advance,
                    state,
                    before,
                    parameters,
                    watch,
                    owner,
                    flags,
                    active,
                    first,
                    step,
                    now,
                    steps,
                    settle,
                    bound,
                    smallest,
                    kept,
                    status,
                    last_step,
                    watched,
                    scratch,
                    scratch_parameters,
                    spare_watch,
                )
        if watch_rows and active > 0:
            _call(observe, state, parameters, first + step, 0, BLOCK, watch)
        for lane in range(active):
            last_step[owner[lane]] = steps
            for row in range(watch_rows):
                watched[row, owner[lane]] = watch[row, lane]
