"""Questions about long runs of a Map: periods, Lyapunov exponents, basins, bifurcation diagrams.

A return within a tolerance is not a period: slow convergence to a fixed point looks like a 2-cycle. A period is
therefore reported only when the float orbit has settled and the linearised return map contracts; what is too close
to marginal is reported as undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from numerics.ensemble import Status
from numerics.float_kernel import compile_float
from numerics.maps import MapEnsemble, iterate
from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numerics.ensemble import Parameters, Starts
    from numerics.maps import MapLike

UNDECIDED, APERIODIC = 0, -1


@dataclass(frozen=True)
class Periods:
    """The attracting period of each trajectory: n >= 1, 0 undecided, -1 none up to the longest asked for.

    multiplier: size of the largest eigenvalue of the derivative along one period, nan where there is no period.
    orbit: index of the exact orbit the trajectory lies on, -1 if none was given or matched.
    """

    period: NDArray[np.int64]
    multiplier: NDArray[np.float64]
    orbit: NDArray[np.int64]
    ensemble: MapEnsemble


def _columns(map_: MapLike, ensemble: MapEnsemble, parameters: Parameters | None) -> NDArray[np.float64]:
    count = ensemble.status.size
    named = {str(k): v for k, v in (parameters or {}).items()}
    rows = [np.broadcast_to(np.asarray(named[str(p)], dtype=np.float64), (count,)) for p in map_.parameters]
    return np.array(rows).reshape(len(rows), count)


def _jacobians(map_: MapLike, states: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Derivatives of the update at states (kept, state, trajectory), as (kept, trajectory, state, state)."""
    size = len(map_.state)
    slopes = [sp.diff(f, s) for f in map_.update for s in map_.state]
    kernel = compile_float(slopes, [*map_.state, *map_.parameters])
    kept, _, count = states.shape
    flat = np.concatenate([states, np.broadcast_to(values, (kept, *values.shape))], axis=1)
    points = flat.transpose(1, 0, 2).reshape(flat.shape[1], -1)
    return kernel(points).reshape(size, size, kept, count).transpose(2, 3, 0, 1)


def periods(
    map_: MapLike,
    starts: Starts,
    *,
    parameters: Parameters | None = None,
    longest: int = 16,
    transient: int = 2000,
    orbits: Sequence[Sequence[Sequence[sp.Basic]]] = (),
    tolerance: float = 1e-9,
    margin: float = 1e-3,
) -> Periods:
    """The period of the orbit each start is attracted to.

    orbits: exact orbits as lists of states (formulas in the parameters); a trajectory within the tolerance of one,
        whose multiplier contracts, has its period for certain up to rounding.
    margin: multipliers within this distance of 1 leave the period undecided.

    >>> from theory.dynamics import Map
    >>> x, r = sp.symbols("x r")
    >>> logistic = Map((x,), (r * x * (1 - x),))
    >>> periods(logistic, {x: 0.3}, parameters={r: [2.5, 3.2, 3.5, 4.0]}).period.tolist()
    [1, 2, 4, -1]
    """
    if map_.time is not None:
        raise LemmascopeError("A map that depends on the step has no periods: freeze its schedule first.")
    run = iterate(map_, starts, transient, parameters=parameters, keep=longest + 1, smallest=0)
    values = _columns(map_, run, parameters)
    last = run.states[-1]
    scale = 1.0 + np.abs(run.states).max(axis=(0, 1))
    count = last.shape[1]
    period = np.full(count, APERIODIC)
    for n in range(longest, 0, -1):
        returned = np.abs(run.states[-1 - n] - last).max(axis=0) <= tolerance * scale
        period = np.where(returned, n, period)
    period[run.status > Status.STOPPED] = APERIODIC
    multiplier = _multipliers(map_, run, values, period)
    doubtful = (period > 0) & ~(multiplier < 1 - margin)
    settled = run.status == Status.SETTLED
    period[(doubtful & ~settled) | _still_merging(run, period, multiplier)] = UNDECIDED
    orbit = _nearest_orbit(map_, orbits, values, last, tolerance * scale)
    for index, states in enumerate(orbits):
        on_it = (orbit == index) & (multiplier < 1 - margin)
        period[on_it] = len(states)
    period[period == APERIODIC] = _creeping(run, period, longest)[period == APERIODIC]
    return Periods(period, multiplier, orbit, run)


def _still_merging(run: MapEnsemble, period: NDArray[np.int64], multiplier: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the points of a cycle are no farther apart than the way still to go, so that they may become one."""
    last = run.states[-1]
    merging = np.zeros(period.size, dtype=np.bool_)
    for n in np.unique(period[period > 1]):
        chosen = period == n
        to_go = np.abs(run.states[-1 - int(n)] - last).max(axis=0) / np.maximum(1 - multiplier, 1e-12)
        for m in range(1, int(n)):
            if n % m == 0:
                apart = np.abs(run.states[-1 - m] - last).max(axis=0)
                merging |= chosen & (apart < 100 * to_go)
    return merging


def _creeping(run: MapEnsemble, period: NDArray[np.int64], longest: int) -> NDArray[np.int64]:
    """Undecided where an orbit almost returns, as it does while it still converges slowly."""
    last = run.states[-1]
    scale = 1.0 + np.abs(run.states).max(axis=(0, 1))
    almost = np.zeros(last.shape[1], dtype=bool)
    for n in range(1, longest + 1):
        almost |= np.abs(run.states[-1 - n] - last).max(axis=0) <= 1e-3 * scale
    almost &= run.status <= Status.STOPPED
    return np.where(almost, UNDECIDED, period)


def _multipliers(
    map_: MapLike, run: MapEnsemble, values: NDArray[np.float64], period: NDArray[np.int64]
) -> NDArray[np.float64]:
    result = np.full(period.size, np.nan)
    jacobians = _jacobians(map_, run.states, values)
    for n in np.unique(period[period > 0]):
        chosen = np.flatnonzero(period == n)
        product = np.broadcast_to(np.eye(len(map_.state)), (chosen.size, len(map_.state), len(map_.state)))
        for k in range(-1 - int(n), -1):
            product = jacobians[k, chosen] @ product
        finite = np.isfinite(product).all(axis=(1, 2))
        sizes = np.full(chosen.size, np.nan)
        if finite.any():
            sizes[finite] = np.abs(np.linalg.eigvals(product[finite])).max(axis=1)
        result[chosen] = sizes
    return result


def _nearest_orbit(
    map_: MapLike,
    orbits: Sequence[Sequence[Sequence[sp.Basic]]],
    values: NDArray[np.float64],
    last: NDArray[np.float64],
    within: NDArray[np.float64],
) -> NDArray[np.int64]:
    found = np.full(last.shape[1], -1)
    for index, states in enumerate(orbits):
        flat = [sp.sympify(component) for state in states for component in state]
        exact = compile_float(flat, list(map_.parameters))(values) if map_.parameters else None
        if exact is None:
            exact = np.repeat(np.array([[float(v)] for v in flat]), last.shape[1], axis=1)
        places = exact.reshape(len(states), len(map_.state), -1)
        near = (np.abs(places - last[None]).max(axis=1) <= within[None]).any(axis=0)
        found[near & (found < 0)] = index
    return found


def lyapunov_exponents(
    map_: MapLike, starts: Starts, *, parameters: Parameters | None = None, steps: int = 5000, transient: int = 500
) -> NDArray[np.float64]:
    """All Lyapunov exponents, largest first, of shape (state, trajectories); -inf where the orbit is superstable.

    >>> from theory.dynamics import Map
    >>> x = sp.Symbol("x")
    >>> lyapunov_exponents(Map((x,), (4 * x * (1 - x),)), {x: 0.3}, steps=20000).round(1).tolist()
    [[0.7]]
    """
    if map_.time is not None:
        raise LemmascopeError("Lyapunov exponents need a map that does not depend on the step.")
    run = iterate(map_, starts, transient, parameters=parameters, smallest=0)
    values = _columns(map_, run, parameters)
    state, count, size = run.final, run.status.size, len(map_.state)
    sums = np.zeros((count, size))
    frame = np.broadcast_to(np.eye(size), (count, size, size)).copy()
    done, piece = 0, 500
    while done < steps:
        now = min(piece, steps - done)
        rows = dict(zip(map_.state, state, strict=True))
        part = iterate(map_, rows, now, parameters=parameters, keep="all", smallest=0)
        jacobians = _jacobians(map_, part.states[:-1], values)
        for k in range(now):
            frame, triangle = np.linalg.qr(jacobians[k] @ frame)
            with np.errstate(divide="ignore"):
                sums += np.log(np.abs(np.diagonal(triangle, axis1=1, axis2=2)))
        state = part.final
        done += now
    return np.sort(sums / steps, axis=1)[:, ::-1].T


def basins(
    map_: MapLike,
    starts: Starts,
    *,
    parameters: Parameters | None = None,
    steps: int = 2000,
    tolerance: float = 1e-6,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The attractor of each start (-1 for none) and the attractors as points, (attractors, state).

    An attractor is named by its smallest point in lexicographic order, so that a cycle is one attractor.

    >>> from theory.dynamics import Map
    >>> x = sp.Symbol("x")
    >>> labels, points = basins(Map((x,), (x - (x**3 - x) / 2,)), {x: [-0.4, 0.0, 0.7]})
    >>> labels.tolist(), points.round(6).tolist()
    ([0, 1, 2], [[-1.0], [0.0], [1.0]])
    """
    found = periods(map_, starts, parameters=parameters, transient=steps)
    count = found.period.size
    labels = np.full(count, -1)
    names = np.full((count, len(map_.state)), np.nan)
    for n in np.unique(found.period[found.period > 0]):
        chosen = np.flatnonzero(found.period == n)
        cycle = found.ensemble.states[-int(n) :][:, :, chosen]
        keys = np.round(cycle / tolerance)
        best = np.lexsort(keys.transpose(1, 0, 2)[::-1], axis=0)[0] if n > 1 else np.zeros(chosen.size, dtype=int)
        names[chosen] = cycle[best, :, np.arange(chosen.size)]
    resting = found.period > 0
    rounded = np.round(names[resting] / tolerance) * tolerance + 0.0
    points, inverse = np.unique(rounded, axis=0, return_inverse=True)
    labels[resting] = inverse.ravel()
    return labels, points


def bifurcation_diagram(
    map_: MapLike,
    parameter: sp.Symbol,
    values: NDArray[np.float64],
    start: Parameters,
    *,
    parameters: Parameters | None = None,
    transient: int = 1000,
    shown: int = 64,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each parameter value the last `shown` states: arrays (values,) and (shown, state, values).

    >>> from theory.dynamics import Map
    >>> x, r = sp.symbols("x r")
    >>> _, states = bifurcation_diagram(Map((x,), (r * x * (1 - x),)), r, np.array([2.0, 3.2]), {x: 0.3}, shown=4)
    >>> states[:, 0, 0].round(6).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    chosen = {**(parameters or {}), parameter: np.asarray(values, dtype=np.float64)}
    run = iterate(map_, start, transient + shown, parameters=chosen, keep=shown, smallest=0)
    states = run.states.copy()
    states[:, :, ~run.complete] = np.nan
    return np.asarray(values, dtype=np.float64), states
