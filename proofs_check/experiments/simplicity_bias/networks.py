"""Balanced two-layer networks in log norms and directions, so that scales of any size are integrated alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from theory.simplicity_bias.data import DataSet, named, orbit

Array = NDArray[np.float64]

SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
AXES = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])
"""Where the four clusters of XOR-like data are, and the signs of their neurons."""


@dataclass(frozen=True)
class Neurons:
    """Balanced neurons: u_j = sign_j exp(log_j), v_j = exp(log_j) unit_j."""

    signs: Array
    logs: Array
    units: Array

    @classmethod
    def of(cls, u: Array, directions: Array) -> Neurons:
        """From the outer weights and the directions of the inner ones."""
        lengths = np.linalg.norm(directions, axis=1)
        return cls(np.sign(u), np.log(np.abs(u)), directions / lengths[:, None])

    @property
    def u(self) -> Array:
        """The outer weights."""
        return np.asarray(self.signs * np.exp(self.logs))

    @property
    def v(self) -> Array:
        """The inner weights, one neuron in each row."""
        return np.asarray(np.exp(self.logs)[:, None] * self.units)


@dataclass(frozen=True)
class Smoothed:
    """The gradient flow of sum u_j phi(v_j, x) for d = 3, with points as rows."""

    points: Array
    labels: Array
    width: float

    @classmethod
    def of(cls, data: DataSet) -> Smoothed:
        """An exact data set in floating point."""
        points = np.array([[float(part) for part in point] for point in data.points])
        return cls(points, np.array(data.labels, dtype=float), float(data.width))

    def parts(self, units: Array) -> tuple[Array, Array, Array]:
        """Activation, share and first moment above the kink, each (neurons, points); the closed form of d = 3."""
        reach = units @ self.points.T
        c = np.clip(reach / self.width, -1, 1)
        share, moment = (2 + 3 * c - c**3) / 4, 3 * (1 - c**2) ** 2 / 16
        return reach * share + self.width * moment, share, moment

    def margins(self, neurons: Neurons) -> Array:
        """f y for every point."""
        return np.asarray((neurons.signs * np.exp(2 * neurons.logs)) @ self.parts(neurons.units)[0] * self.labels)

    def velocity(self, neurons: Neurons, *, rescaled: bool) -> tuple[Array, Array]:
        """How log norms and directions move; rescaled time divides by the largest weight of a point."""
        value, share, moment = self.parts(neurons.units)
        logs = -np.logaddexp(0, (neurons.signs * np.exp(2 * neurons.logs)) @ value * self.labels)
        weight = np.exp(logs - logs.max() if rescaled else logs) * self.labels / len(self.labels)
        pull = (share * weight) @ self.points + self.width * (moment @ weight)[:, None] * neurons.units
        across = pull - (pull * neurons.units).sum(axis=1)[:, None] * neurons.units
        return neurons.signs * (value @ weight), neurons.signs[:, None] * across

    def path(self, start: Neurons, times: Array, *, rescaled: bool = False, top: float = np.inf) -> list[Neurons]:
        """The network at increasing times; it stops when the largest |u| reaches `top`, and that state comes last."""
        m = len(start.signs)

        def unpack(flat: Array) -> Neurons:
            units = flat[m:].reshape(m, 3)
            return Neurons(start.signs, flat[:m], units / np.linalg.norm(units, axis=1)[:, None])

        def right(_: float, flat: Array) -> Array:
            logs, units = self.velocity(unpack(flat), rescaled=rescaled)
            return np.concatenate([logs, units.ravel()])

        def reached(_: float, flat: Array) -> float:
            return float(flat[:m].max() - np.log(top))

        reached.terminal = True  # type: ignore[attr-defined]
        begin = np.concatenate([start.logs, start.units.ravel()])
        found = solve_ivp(
            right, (0, times[-1]), begin, method="DOP853", t_eval=times, rtol=1e-10, atol=1e-12,
            events=reached if np.isfinite(top) else None,
        )  # fmt: skip
        states = [unpack(flat) for flat in np.asarray(found.y).T]
        return [*states, unpack(np.asarray(found.y_events)[0, 0])] if found.status == 1 else states

    def run(self, start: Neurons, until: float, *, rescaled: bool = False, top: float = np.inf) -> Neurons:
        """The network at a time, or when the largest |u| reaches `top`."""
        return self.path(start, np.array([until]), rescaled=rescaled, top=top)[-1]


def xor(p: str = "19/20", q: str = "1/10", width: str = "1/100") -> Smoothed:
    """The orbit of (p, q, 0)."""
    chosen = orbit(sp.Rational(p), sp.Rational(q), sp.Integer(0))
    return Smoothed.of(DataSet(chosen.points, chosen.labels, sp.Rational(width)))


def directions(angles: Array) -> Array:
    """Unit vectors of the plane of e_1 and e_2."""
    return np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)


def signed_angles(v: Array) -> Array:
    """Angles of four neurons to e_1 after the reflections that take their clusters there (Proposition D.2)."""
    axes = AXES[:, : v.shape[1]]
    across = axes[:, 0] * v[:, 1] - axes[:, 1] * v[:, 0]
    return np.asarray(np.arctan2(across, (axes * v).sum(axis=1)) * np.array([1, -1, -1, 1]))


RATE = float(named("orbit").value((sp.Integer(1), sp.Integer(0), sp.Integer(0))))
"""lambda of the orbit of (0.95, 0.1, 0)."""
