"""A training run, and where it rests: plateaus are the slowest moments between the drops of the loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Weights = list[Array]
Gradient = Callable[[Weights], tuple[float, Weights]]


@dataclass(frozen=True)
class Run:
    """Times, losses and weights along a training."""

    times: Array
    losses: Array
    weights: list[Weights]

    def drops(self, least: float = 0.01) -> list[int]:
        """Where the loss falls fastest: peaks of its speed that stand out by a factor 4.

        Each must account for the given part of the whole fall.

        >>> times = np.linspace(0, 40, 401)
        >>> twice = 2 - 1 / (1 + np.exp(10 - times)) - 1 / (1 + np.exp(30 - times))
        >>> [round(times[k]) for k in Run(times, twice, []).drops()]
        [10, 30]
        """
        from scipy.signal import find_peaks

        speed = np.maximum(-np.diff(self.losses) / np.diff(self.times), 0)
        if not speed.max() > 0:
            return []
        logs = np.log(np.maximum(speed, 1e-9 * speed.max()))
        floor = logs.min() - 10
        peaks, _ = find_peaks(np.concatenate([[floor], logs, [floor]]), prominence=np.log(4))
        found = [int(peak) - 1 for peak in peaks]
        valleys = [0, *[a + int(np.argmin(speed[a:b])) for a, b in pairwise(found)], len(self.losses) - 1]
        falls = -np.diff(self.losses[valleys])
        return [peak for peak, fall in zip(found, falls, strict=True) if fall > least * falls.sum()]

    def plateaus(self) -> list[int]:
        """The start, the slowest moment between every two drops, and the end."""
        speed = -np.diff(self.losses) / np.diff(self.times)
        between = [first + int(np.argmin(speed[first:second])) for first, second in pairwise(self.drops())]
        return [0, *between, len(self.losses) - 1]

    def plateau(self) -> int:
        """The first plateau after the first drop; the end of the run when there is none between two drops."""
        return self.plateaus()[1]


def descend(gradient: Gradient, weights: Weights, *, rate: float, steps: int, every: int) -> Run:
    """Plain gradient descent, remembered after every so many steps; time is rate times steps."""
    losses, kept = [], []
    current = weights
    for step in range(steps + 1):
        loss, slopes = gradient(current)
        if step % every == 0:
            losses.append(loss)
            kept.append(current)
        current = [part - rate * slope for part, slope in zip(current, slopes, strict=True)]
    return Run(rate * every * np.arange(len(losses), dtype=float), np.array(losses), kept)


FEW = 300
"""Up to so many weights an implicit method is cheaper: a learned unit makes the flow stiff while others still grow."""


def flow(
    gradient: Gradient,
    weights: Weights,
    end: float,
    *,
    frames: int = 400,
    accuracy: float = 1e-6,
    smallest: float | None = None,
) -> Run:
    """Gradient flow with adaptive steps; the absolute tolerance follows the size of the start unless it is given."""
    from scipy.integrate import solve_ivp

    shapes = [part.shape for part in weights]
    ends = np.cumsum([part.size for part in weights])[:-1]

    def unpack(flat: Array) -> Weights:
        return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=True)]

    def velocity(_: float, flat: Array) -> Array:
        return -np.concatenate([part.ravel() for part in gradient(unpack(flat))[1]])

    start = np.concatenate([part.ravel() for part in weights])
    small = smallest or accuracy * (float(np.abs(start).max()) or 1.0)
    times = np.linspace(0, end, frames + 1)
    method: Literal["LSODA", "RK45", "DOP853"] = "RK45" if accuracy > 1e-4 else "DOP853"
    if start.size <= FEW:
        method = "LSODA"
    found = solve_ivp(velocity, (0.0, end), start, method=method, t_eval=times, rtol=accuracy, atol=small)
    kept = [unpack(column) for column in found.y.T]
    return Run(found.t, np.array([gradient(part)[0] for part in kept]), kept)


def flow_to_the_end(gradient: Gradient, weights: Weights, *, longest: float = 1e5, frames: int = 600) -> Run:
    """Gradient flow for twice as long, until two thirds of the time bring no further drop after the last one."""
    end = 10.0
    while True:
        run = flow(gradient, weights, end, frames=frames)
        drops = run.drops()
        fallen = run.losses[0] - run.losses[-1] > 1e-3 * run.losses[0]
        if end >= longest or (fallen and drops and run.times[drops[-1]] < end / 3):
            return run
        end *= 2


def rest_near(gradient: Gradient, weights: Weights) -> tuple[float, Weights]:
    """The loss and the weights of the minimum that descent from these weights leads to.

    >>> rest_near(lambda w: (float(((w[0] - 3) ** 2).sum()), [2 * (w[0] - 3)]), [np.zeros((1, 1))])[0] < 1e-12
    True
    """
    from scipy.optimize import minimize

    shapes = [part.shape for part in weights]
    ends = np.cumsum([part.size for part in weights])[:-1]

    def unpack(flat: Array) -> Weights:
        return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=True)]

    def value(flat: Array) -> tuple[float, Array]:
        loss, slopes = gradient(unpack(flat))
        return loss, np.concatenate([part.ravel() for part in slopes])

    start = np.concatenate([part.ravel() for part in weights])
    found = minimize(value, start, jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 500})
    return float(found.fun), unpack(found.x)
