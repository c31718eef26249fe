"""Proposition 5 and its conjectured extension: units of degree p, by integration and by the quadrature of (56)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.saddle_to_saddle.compiled import Array

RATES = np.array([1.5, 0.4, -0.7])
SIZES = 10.0 ** np.arange(-5, -2, 0.5)
"""Initial sizes of the weights."""


def second_largest(start: Array, degree: int) -> float:
    """The size of the second largest unit when the largest has size one; ascent on v sum s_k u_k^degree."""
    from scipy.integrate import solve_ivp

    shape = start.shape

    def velocity(_: float, flat: Array) -> Array:
        rows = flat.reshape(shape)
        v, u = rows[:, :1], rows[:, 1:]
        return np.hstack([(u**degree @ RATES)[:, None], degree * v * u ** (degree - 1) * RATES]).ravel()

    def reached(_: float, flat: Array) -> float:
        return float(np.linalg.norm(flat.reshape(shape), axis=1).max() - 1)

    reached.terminal = True  # type: ignore[attr-defined]
    size = float(np.abs(start).max())
    end = 1e4 / size ** (degree - 1)
    found = solve_ivp(velocity, (0, end), start.ravel(), events=reached, rtol=1e-9, atol=1e-9 * size).y[:, -1]
    return float(np.sort(np.linalg.norm(found.reshape(shape), axis=1))[-2])


@experiment("saddle_to_saddle.units")
def separated_units(units: int, seed: int, degree: int = 2) -> Mapping[str, Any]:
    """The second largest unit when the first has size one, as a power of the initial size."""
    g = np.random.default_rng(seed).standard_normal((units, 4))
    seconds = [second_largest(eps * g, degree) for eps in SIZES]
    slopes = np.diff(np.log(seconds)) / np.diff(np.log(SIZES))
    return {"slope": float(slopes[0]), "least": float(slopes.min()), "cases": len(SIZES)}


def time_by_quadrature(start: Array, largest: float) -> float:
    """(56): the time until the growth factor of the leading coordinate is `largest`, for v(0) > 0 and v'(0) > 0."""
    from scipy.integrate import quad

    v, a = float(start[0]), start[1:] / np.sqrt(2)
    lead = int(np.argmax(RATES))

    def slowness(log_growth: float) -> float:
        squared = v**2 + float((a**2 * (np.exp(2 * log_growth * RATES / RATES[lead]) - 1)).sum())
        return 1 / (RATES[lead] * np.sqrt(squared))

    return float(quad(slowness, 0.0, np.log(largest), limit=200)[0] / 2)


def growth_by_quadrature(start: Array, moment: float) -> float:
    """The growth factor at a time, by inverting the quadrature."""
    from scipy.optimize import brentq

    return float(np.exp(brentq(lambda x: time_by_quadrature(start, np.exp(x)) - moment, 0.0, 60.0)))


@experiment("saddle_to_saddle.quadrature")
def quadrature(seed: int) -> Mapping[str, Any]:
    """The same exponent without integrating the system: the quadrature gives blow-up and the slower unit's growth."""
    chance = np.random.default_rng(seed)
    g = np.abs(chance.standard_normal((2, 4)))
    g[:, 3] *= 0.1
    lead = 1 + int(np.argmax(RATES))
    seconds, gaps = [], []
    for eps in SIZES:
        start = eps * g
        # the leading coordinate of a unit of size one is close to the size itself
        times = [time_by_quadrature(unit, 1 / unit[lead]) for unit in start]
        fast, slow = np.argsort(times)
        grown = growth_by_quadrature(start[slow], times[fast])
        seconds.append(grown * start[slow][lead])
        if eps >= 1e-3:
            gaps.append(abs(_integrated(start[slow], times[fast])[lead] / seconds[-1] - 1))
    slopes = np.diff(np.log(seconds)) / np.diff(np.log(SIZES))
    return {"slope": float(slopes[0]), "least": float(slopes.min()), "gap": float(max(gaps)), "cases": len(SIZES)}


def _integrated(start: Array, moment: float) -> Array:
    """One unit of (14) at a time, by a solver."""
    from scipy.integrate import solve_ivp

    def velocity(_: float, unit: Array) -> Array:
        v, u = unit[0], unit[1:]
        return np.concatenate([[float(u**2 @ RATES)], 2 * v * u * RATES])

    size = float(np.abs(start).max())
    return solve_ivp(velocity, (0.0, moment), start, rtol=1e-10, atol=1e-10 * size).y[:, -1]
