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
    from numerics.integration_types import Results, Task


def finish_stiff(flow: FlowLike, task: Task, results: Results, trajectory: int) -> None:
    """Take over a trajectory from its last explicit state by Radau IIA of order 5."""
    from scipy.integrate import solve_ivp

    state, symbols = list(flow.state), [*flow.state, *flow.parameters]
    # one fixed name, so that the kernels of a flow are compiled once for all of its trajectories
    moment = flow.time if flow.time is not None else sp.Symbol("time of an autonomous flow")
    velocity = compile_float(flow.velocity, [*symbols, moment])
    slopes = compile_float([sp.diff(f, s) for f in flow.velocity for s in state], [*symbols, moment])

    values = task.given[:, trajectory]

    def point(t: float, y: Any) -> NDArray[np.float64]:
        return np.concatenate([y, values, [t]])[:, None]

    time, y = float(results.final_time[trajectory]), results.final[:, trajectory]
    results.status[trajectory] = Status.FINISHED
    # each wanted time ends a piece: the interpolant of the implicit method is far less accurate than its steps
    pieces = [(int(place), float(task.times[place])) for place in np.flatnonzero(task.times > time)]
    for place, stop in [*pieces, (-1, float(task.end_times[trajectory]))]:
        if stop > time:
            solution = solve_ivp(
                lambda t, y: velocity(point(t, y))[:, 0],
                (time, stop),
                y,
                method="Radau",
                jac=lambda t, y: slopes(point(t, y)).reshape(len(state), len(state)),
                rtol=max(task.relative, 1e-12),
                atol=task.absolutes[trajectory],
            )
            time, y = float(solution.t[-1]), solution.y[:, -1]
            results.steps[trajectory] += solution.t.size
            if not solution.success:
                results.status[trajectory] = Status.SINGULAR
                break
        if place >= 0:
            results.kept[place, :, trajectory] = y
    results.final_time[trajectory], results.final[:, trajectory] = time, y
