"""Ensembles of Maps: many trajectories at once, each with its own end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import sympy as sp

from numerics.ensemble import Status, ensemble_arrays, explain, threads_to_use
from numerics.iteration_core import Results, Rules, empty_lanes, iterate_range
from numerics.map_kernel import BLOCK, Noise, compile_map
from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numerics.ensemble import Dynamics, Parameters, Starts

    class MapLike(Dynamics, Protocol):
        """A Map: state, update, time, parameters."""

        @property
        def update(self) -> tuple[sp.Basic, ...]:
            """The next state."""


SMALLEST_NORMAL = 2.2250738585072014e-308
CHUNK = 60  # a multiple of the periods 1 to 6, so that orbits of these periods are seen to repeat


@dataclass(frozen=True)
class Watched:
    """What a watched expression or relation did along each trajectory, the start included.

    For a relation the values are its margin: positive while it holds. `first_violation` is the first step at
    which it failed (or the expression was negative), inf if it never did.
    """

    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    first_violation: NDArray[np.float64]

    @property
    def always(self) -> NDArray[np.bool_]:
        """Whether the relation held at every step."""
        return np.isinf(self.first_violation)


@dataclass(frozen=True)
class MapEnsemble:
    """The result of `iterate`: kept states (kept, state, trajectory), status and last step of each trajectory."""

    states: NDArray[np.float64]
    status: NDArray[np.int64]
    last_step: NDArray[np.int64]
    watched: tuple[Watched, ...]

    @property
    def final(self) -> NDArray[np.float64]:
        """The last state of each trajectory, (state, trajectory)."""
        return self.states[-1]

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Which trajectories ran to the end."""
        return self.status <= Status.STOPPED

    def faults(self) -> list[str]:
        """One sentence for each trajectory that did not reach its end."""
        return [
            explain(Status(self.status[i]), int(i), f"step {self.last_step[i]}") for i in np.flatnonzero(~self.complete)
        ]


def iterate(
    map_: MapLike,
    starts: Starts,
    steps: int,
    *,
    parameters: Parameters | None = None,
    keep: int | Literal["all"] = 1,
    watch: Sequence[sp.Basic] = (),
    noise: Mapping[sp.Symbol, Noise] | None = None,
    seed: int = 0,
    first_step: int = 0,
    bound: float = 1e300,
    smallest: float = SMALLEST_NORMAL,
    exit_early: bool = True,
    threads: int | None = None,
) -> MapEnsemble:
    """Step many trajectories of a Map at once.

    starts: an array (state, trajectories) or a mapping from state symbols to numbers or arrays.
    keep: how many of the last states to keep, or "all" with the start.
    watch: relations or expressions reduced to their extremes along the way; memory stays flat.
    noise: symbols of the update that are drawn anew at each step: "uniform", "normal" or ("index", size).
    bound, smallest: sizes of the state beyond which a trajectory is DIVERGED or UNDERFLOWED (0 allows underflow).
    exit_early: leave as soon as the orbit repeats bit for bit; the result is the same as without.

    >>> from theory.dynamics import Map
    >>> x, r = sp.symbols("x r")
    >>> logistic = Map((x,), (r * x * (1 - x),))
    >>> iterate(logistic, {x: 0.3}, 200, parameters={r: [2.0, 0.5]}, smallest=0).final.round(6).tolist()
    [[0.5, 0.0]]
    """
    starts_array, given = ensemble_arrays(_without_noise(map_, noise), starts, parameters)
    kept_count = _checked_count(steps, keep, bound, smallest, seed)
    noisy = dict(noise or {})
    symbols = [p for p in map_.parameters if p not in noisy]
    kernel = compile_map(map_.state, map_.update, map_.time, symbols, watch, noisy)
    count = starts_array.shape[1]
    kept = np.empty((kept_count, starts_array.shape[0], count))
    status, last_step = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    watched = np.empty((3 * len(watch), count))
    settle = exit_early and map_.time is None and not noisy

    rules = Rules(first_step, steps, CHUNK, settle, float(bound), float(smallest))
    results = Results(kept, status, last_step, watched)

    def run(begin: int, end: int) -> None:
        lanes = empty_lanes(starts_array.shape[0], len(given), len(watched), float(seed))
        iterate_range(kernel.advance, kernel.observe, starts_array, given, begin, end, rules, lanes, results)

    in_threads(run, count, BLOCK, threads_to_use(threads))
    views = tuple(Watched(*watched[3 * i : 3 * i + 3]) for i in range(len(watch)))
    return MapEnsemble(kept, status, last_step, views)


def _checked_count(steps: int, keep: int | Literal["all"], bound: float, smallest: float, seed: int) -> int:
    """How many states are kept, after a look at all limits."""
    if steps < 0:
        raise LemmascopeError(f"steps={steps} is negative: give the number of steps to take.")
    kept_count = steps + 1 if keep == "all" else int(keep)
    if not 1 <= kept_count <= steps + 1:
        raise LemmascopeError(f"keep={keep} is impossible with {steps} steps: keep between 1 and {steps + 1} states.")
    if not bound > smallest >= 0:
        raise LemmascopeError(f"bound={bound} and smallest={smallest} leave no numbers: need bound > smallest >= 0.")
    if not 0 <= seed < 2**53:
        raise LemmascopeError(f"seed={seed} is out of range: use a whole number from 0 to 2**53 - 1.")
    return kept_count


def in_threads(run: Callable[[int, int], None], count: int, block: int, threads: int) -> None:
    """Run `run(begin, end)` over all trajectories, in pieces of whole blocks."""
    if threads <= 1 or count <= block:
        if count > 0:
            run(0, count)
        return
    run(0, block)  # what is not compiled yet is compiled here, not in every thread
    blocks = (count - 1) // block
    size = (blocks + threads * 4 - 1) // (threads * 4) * block
    with ThreadPoolExecutor(threads) as pool:
        pieces = [pool.submit(run, begin, min(begin + size, count)) for begin in range(block, count, size)]
        for piece in pieces:
            piece.result()


@dataclass(frozen=True)
class _WithoutNoise:
    state: tuple[sp.Basic, ...]
    time: sp.Symbol | None
    parameters: tuple[sp.Symbol, ...]


def _without_noise(map_: MapLike, noise: Mapping[sp.Symbol, Noise] | None) -> _WithoutNoise:
    drawn = set(noise or {})
    unknown = drawn - set(map_.parameters)
    if unknown:
        raise LemmascopeError(f"Noise {', '.join(map(str, unknown))} does not appear in the update: remove it.")
    return _WithoutNoise(tuple(map_.state), map_.time, tuple(p for p in map_.parameters if p not in drawn))
