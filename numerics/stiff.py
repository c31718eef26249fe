"""Trajectories that explicit steps cannot afford: an implicit method with the derived Jacobian takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from numerics.ensemble import Status
from numerics.float_kernel import compile_float

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numerics.flows import FlowLike


def implicit_trajectory(
    flow: FlowLike,
    start: NDArray[np.float64],
    values: NDArray[np.float64],
    begin: float,
    end: float,
    times: NDArray[np.float64],
    relative: float,
    absolute: float,
) -> tuple[Status, float, NDArray[np.float64], NDArray[np.float64], int]:
    """Radau IIA of order 5 from `begin`: status, final time, final state, states at times, steps."""
    from scipy.integrate import solve_ivp

    state, symbols = list(flow.state), [*flow.state, *flow.parameters]
    # one fixed name, so that the kernels of a flow are compiled once for all of its trajectories
    moment = flow.time if flow.time is not None else sp.Symbol("time of an autonomous flow")
    velocity = compile_float(flow.velocity, [*symbols, moment])
    slopes = compile_float([sp.diff(f, s) for f in flow.velocity for s in state], [*symbols, moment])

    def point(t: float, y: Any) -> NDArray[np.float64]:
        return np.concatenate([y, values, [t]])[:, None]

    # each wanted time ends a piece: the interpolant of the implicit method is far less accurate than its steps
    kept = np.full((times.size, len(state)), np.nan)
    time, y, steps = begin, start, 0
    for place, stop in enumerate([*times.tolist(), end]):
        if stop > time:
            solution = solve_ivp(
                lambda t, y: velocity(point(t, y))[:, 0],
                (time, stop),
                y,
                method="Radau",
                jac=lambda t, y: slopes(point(t, y)).reshape(len(state), len(state)),
                rtol=max(relative, 1e-12),
                atol=absolute,
            )
            time, y, steps = float(solution.t[-1]), solution.y[:, -1], steps + int(solution.t.size)
            if not solution.success:
                return Status.SINGULAR, time, y, kept, steps
        if place < times.size:
            kept[place] = y
    return Status.FINISHED, time, y, kept, steps
