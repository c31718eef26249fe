"""Small two-layer networks on XOR-like data: smoothed flows in three dimensions, rectified descent in the plane."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from proofs_check.experiments import experiment
from theory.simplicity_bias.data import named, orbit
from theory.simplicity_bias.figures import learning_rate

Array = NDArray[np.float64]
SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
AXES = np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]])


@dataclass
class Smoothed:
    """The gradient flow of sum u_j phi(v_j, x) for d = 3, with points as rows."""

    points: Array
    labels: Array
    width: float

    def parts(self, v: Array) -> tuple[Array, Array, Array]:
        """Activation, share and first moment above the kink, each (neurons, points); the closed form of d = 3."""
        reach, size = v @ self.points.T, np.linalg.norm(v, axis=1)[:, None]
        c = np.clip(reach / (self.width * size), -1, 1)
        share, moment = (2 + 3 * c - c**3) / 4, 3 * (1 - c**2) ** 2 / 16
        return reach * share + self.width * size * moment, share, moment

    def margins(self, u: Array, v: Array) -> Array:
        """f y for every point."""
        return np.asarray((u @ self.parts(v)[0]) * self.labels)

    def velocity(self, u: Array, v: Array, *, rescaled: bool) -> tuple[Array, Array]:
        """The right side of the flow; rescaled time divides it by the largest weight of a point."""
        value, share, moment = self.parts(v)
        logs = -np.logaddexp(0, (u @ value) * self.labels)
        weight = np.exp(logs - logs.max() if rescaled else logs) * self.labels / len(self.labels)
        unit = v / np.linalg.norm(v, axis=1)[:, None]
        pull = (share * weight) @ self.points + self.width * (moment @ weight)[:, None] * unit
        return value @ weight, u[:, None] * pull

    def run(
        self, u: Array, v: Array, until: float, *, rescaled: bool = False, top: float = np.inf
    ) -> tuple[Array, Array]:
        """Weights at a time, or when the largest |u| reaches `top`."""
        m = len(u)

        def right(_: float, flat: Array) -> Array:
            du, dv = self.velocity(flat[:m], flat[m:].reshape(m, 3), rescaled=rescaled)
            return np.concatenate([du, dv.ravel()])

        def reached(_: float, flat: Array) -> float:
            return float(np.abs(flat[:m]).max() - top)

        reached.terminal = True  # type: ignore[attr-defined]
        start = np.concatenate([u, v.ravel()])
        scale = 1e-11 * float(np.abs(u).min())
        events = reached if np.isfinite(top) else None
        found = solve_ivp(right, (0, until), start, method="DOP853", rtol=1e-10, atol=scale, events=events)
        return found.y[:m, -1], found.y[m:, -1].reshape(m, 3)


def xor(p: str = "19/20", q: str = "1/10", width: float = 0.01) -> Smoothed:
    """The orbit of (p, q, 0)."""
    chosen = orbit(sp.Rational(p), sp.Rational(q), sp.Integer(0))
    points = np.array([[float(part) for part in point] for point in chosen.points])
    return Smoothed(points, np.array(chosen.labels, dtype=float), width)


def directions(angles: Array) -> Array:
    """Unit vectors of the plane of e_1 and e_2."""
    return np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)


RATE = float(named("orbit").value((sp.Integer(1), sp.Integer(0), sp.Integer(0))))
"""lambda of the orbit of (0.95, 0.1, 0)."""
ANGLES = np.array([0.09, -0.03, np.pi / 2 + 0.05, np.pi, -np.pi / 2])
WITNESS_SIGNS = np.array([1.0, 1, -1, 1, -1])
WITNESS_SCALES = np.array([0.5, 0.7, 0.9, 0.86, 0.4])


@experiment("simplicity_bias.norm_growth")
def norm_growth(seed: int, networks: int) -> dict[str, Any]:
    """The largest |theta|^2 over its bound of Lemma B.6, at t_1 and half of it."""
    chance, data, worst = np.random.default_rng(seed), xor(), 0.0
    for _ in range(networks):
        m = int(chance.integers(1, 5))
        v = chance.standard_normal((m, 3)) * 10.0 ** chance.uniform(-3, -1.5)
        u = np.linalg.norm(v, axis=1) * chance.choice([-1.0, 1.0], m)
        first, a = float((u**2).max()), m * (1 + data.width) ** 2 / 4
        last = np.log(RATE / (2 * a * first)) / (2 * RATE)
        for time in (last / 2, last) if last > 0 else ():
            after = data.run(u, v, time)[0]
            worst = max(worst, float((after**2).max() / (2 * first * np.exp(2 * RATE * time))))
    return {
        "worst": worst,
        "cases": networks,
        "coverage": f"{networks} random balanced networks, orbit of (0.95, 0.1, 0)",
    }


@experiment("simplicity_bias.alignment_slopes")
def alignment_slopes(kappa: int) -> dict[str, Any]:
    """Slopes of the errors at T_1 of the two neurons near e_1 against r."""
    data, radii, errors = xor(), (0.1, 0.05, 0.02, 0.01), []
    for r in radii:
        u = r ** (1 + kappa) * WITNESS_SCALES * WITNESS_SIGNS
        after, v = data.run(u, np.abs(u)[:, None] * directions(ANGLES), kappa * np.log(1 / r) / RATE)
        unit = v[:2] / np.linalg.norm(v[:2], axis=1)[:, None]
        limit = WITNESS_SCALES[:2] * (1 + np.cos(ANGLES[:2])) / 2
        errors.append([np.linalg.norm(unit - AXES[0], axis=1).max(), np.abs(after[:2] - r * limit).max()])
    slopes = np.polyfit(np.log(radii), np.log(np.array(errors)), 1)[0]
    return {"direction": float(slopes[0]), "scale": float(slopes[1]), "cases": len(radii), "coverage": f"r in {radii}"}


@experiment("simplicity_bias.slow_alignment")
def slow_alignment(kappa: int) -> dict[str, Any]:
    """The slope of the direction error for one point inside the band, where theory gives 4/5 of kappa."""
    data = Smoothed(np.array([[0.5, 0, 0]]), np.array([1.0]), 1.0)
    rate, radii, errors = 135 / 512, (1e-2, 1e-3, 1e-4), []
    for r in radii:
        u = np.array([r ** (1 + kappa)])
        _, v = data.run(u, u[:, None] * directions(np.array([1.0])), kappa * np.log(1 / r) / rate)
        errors.append(np.linalg.norm(v[0] / np.linalg.norm(v[0]) - AXES[0]))
    slope = float(np.polyfit(np.log(radii), np.log(errors), 1)[0])
    return {"slope": slope, "cases": len(radii), "coverage": f"x = e_1/2, xi = 1, r in {radii}"}


@experiment("simplicity_bias.constant_scale")
def constant_scale(eps: str) -> dict[str, Any]:
    """The network at T_2 for halved r: Cauchy ratio, angles over eps, scales over sqrt(eps)."""
    data, small = xor(), float(Fraction(eps))
    at = directions(np.array([0, 0, np.pi / 2, np.pi, -np.pi / 2]))
    a, ends = 5 * (1 + data.width) ** 2 / 4, []
    for r in (0.02, 0.01, 0.005):
        time = np.log(RATE * small / (2 * a * r**2 * WITNESS_SCALES.max() ** 2)) / (2 * RATE)
        u = r * WITNESS_SCALES * WITNESS_SIGNS
        ends.append(data.run(u, np.abs(u)[:, None] * at, time))
    gaps = [np.abs(one[0] - two[0]).max() for one, two in pairwise(ends)]
    unit = ends[-1][1] / np.linalg.norm(ends[-1][1], axis=1)[:, None]
    sizes = np.abs(ends[-1][0]) / np.sqrt(small)
    return {
        "ratio": float(gaps[0] / gaps[1]),
        "angle": float(np.linalg.norm(unit - at, axis=1).max() / small),
        "low": float(sizes.min()),
        "high": float(sizes.max()),
        "cases": 3,
        "coverage": "r = 0.02, 0.01, 0.005 on the orbit of (0.95, 0.1, 0)",
    }


def _angles(v: Array) -> Array:
    """Signed angles of four neurons to e_1 after the reflections that take their clusters there (Proposition D.2)."""
    across = AXES[:, 0] * v[:, 1] - AXES[:, 1] * v[:, 0]
    return np.asarray(np.arctan2(across, (AXES * v).sum(axis=1)) * np.array([1, -1, -1, 1]))


@experiment("simplicity_bias.four_neuron_limit")
def four_neuron_limit() -> dict[str, Any]:
    """Four neurons from unequal scales, in rescaled time: relative spread of the scales and largest angle."""
    data = xor()
    u = np.array([0.1, 0.05, 0.08, 0.06]) * SIGNS
    after, v = data.run(u, np.abs(u)[:, None] * AXES, 60.0, rescaled=True, top=12.0)
    sizes = np.abs(after)
    return {
        "spread": float(np.ptp(sizes) / sizes.mean()),
        "angle": float(np.abs(_angles(v)).max()),
        "cases": 1,
        "coverage": f"until the largest scale is {sizes.max():.3g}",
    }


@experiment("simplicity_bias.angle_bound")
def angle_bound(seed: int, runs: int) -> dict[str, Any]:
    """The largest |sin alpha_k| / (delta + xi) on flows from aligned starts with random scales."""
    chance, data, largest = np.random.default_rng(seed), xor(), 0.0
    for _ in range(runs):
        u = 10.0 ** chance.uniform(-4, 0, 4) * SIGNS
        v = np.abs(u)[:, None] * AXES
        for _ in range(6):
            u, v = data.run(u, v, 10.0)
            largest = max(largest, float(np.abs(np.sin(_angles(v))).max()))
    bound = np.sqrt(5) / 20 + data.width
    return {
        "largest": float(largest / bound),
        "cases": runs,
        "coverage": f"{runs} starts, scales 1e-4 to 1, times up to 60",
    }


@experiment("simplicity_bias.perfect_accuracy")
def perfect_accuracy(seed: int, runs: int) -> dict[str, Any]:
    """The smallest margin when the largest scale reaches 8/3, from allowed starts."""
    chance, data, margins = np.random.default_rng(seed), xor("199/200", "1/250", 0.001), []
    for place in range(runs):
        scales = 1.01e-3 * 10.0 ** chance.uniform(-3, 0, 4)
        scales[place % 4] = 1.01e-3
        u = scales * SIGNS
        after = data.run(u, scales[:, None] * AXES, 1e5, rescaled=True, top=8 / 3)
        margins.append(float(data.margins(*after).min()))
    return {"margin": min(margins), "cases": runs, "coverage": "orbit of (0.995, 0.004, 0), xi = 0.001"}


def _proportion(sigma: float) -> float:
    """How far the limiting ratio of two neurons of one cluster is from that of the linearised flow."""
    data, scales = xor(), np.array([0.5, 0.7, 0.9, 0.86, 0.8])
    angles = np.array([0.09, -0.03, np.pi / 2, np.pi, -np.pi / 2])
    u = sigma * scales * WITNESS_SIGNS
    after, _ = data.run(u, np.abs(u)[:, None] * directions(angles), 200.0, rescaled=True, top=6.0)
    linear = scales[0] * (1 + np.cos(angles[0])) / (scales[1] * (1 + np.cos(angles[1])))
    return abs(float(after[0] / after[1] / linear) - 1)


@experiment("simplicity_bias.proportions")
def proportions(sigma: str) -> dict[str, Any]:
    """The shift of the proportion inside a cluster for one sigma."""
    return {"shift": _proportion(float(Fraction(sigma))), "cases": 1, "coverage": f"sigma = {sigma}"}


@experiment("simplicity_bias.proportions_trend")
def proportions_trend() -> dict[str, Any]:
    """How much the shift falls when sigma is halved."""
    return {"ratio": _proportion(0.1) / _proportion(0.05), "cases": 2, "coverage": "sigma = 0.1 and 0.05"}


@experiment("simplicity_bias.near_margin")
def near_margin(seed: int) -> dict[str, Any]:
    """Four neurons near theta^mm at norm 8: change of the normalised margin and distance of the final direction."""
    chance, data = np.random.default_rng(seed), xor()
    u = 2.8 * SIGNS * (1 + 0.02 * chance.standard_normal(4))
    v = np.abs(u)[:, None] * AXES + 0.02 * chance.standard_normal((4, 3))
    u = np.linalg.norm(v, axis=1) * SIGNS
    after, w = data.run(u, v, 30.0, rescaled=True, top=9.0)
    whole, best = np.concatenate([after, w.ravel()]), np.concatenate([SIGNS, AXES.ravel()])
    gamma = float(data.margins(after, w).min() / (whole @ whole))
    away = float(np.linalg.norm(whole / np.linalg.norm(whole) - best / np.linalg.norm(best)))
    return {"gain": gamma - 0.85 / 8, "away": away, "cases": 1, "coverage": "one start, until the largest scale is 9"}


def _rectified(widths: tuple[int, ...]) -> Any:
    from numerics import PREDICTION, TARGET, UNIT, Network

    return Network(widths, sp.Max(UNIT, 0), sp.log(1 + sp.exp(-PREDICTION * TARGET)))


@experiment("simplicity_bias.four_neuron_training")
def four_neuron_training(start: list[str]) -> dict[str, Any]:
    """Figures 1, 5, 6, 7: gradient descent with the printed schedule on 32 points with delta <= 0.01."""
    from numerics import Trainer, compile_float, train

    noise = np.random.default_rng(7).normal(0, 0.004, (4, 2))
    base = noise * np.minimum(1, 0.0099 / np.linalg.norm(noise, axis=1))[:, None] + np.array([1.0, 0])
    mirrored = [base * np.array([s, t]) for s in (1, -1) for t in (1, -1)]
    points = np.concatenate([*mirrored, *[part[:, ::-1] for part in mirrored]])
    labels = np.repeat([1.0, -1.0], 16)
    step = sp.Symbol("t")
    rates = compile_float([learning_rate(step)], [step])(np.arange(2**15, dtype=np.float64)[None])[0]
    trainer = Trainer(_rectified((2, 4, 1)), points, labels[:, None])
    scales = np.array([float(Fraction(part)) for part in start])
    weights = [np.abs(scales)[:, None] * AXES[:, :2], scales[None]]
    middle = train(trainer, weights, 2**13, learning_rate=rates[: 2**13]).weights
    end = train(trainer, middle, 2**15 - 2**13, learning_rate=rates[2**13 :]).weights
    sizes = np.linalg.norm(end[0], axis=1)
    angles = _angles(np.concatenate([end[0], np.zeros((4, 1))], axis=1))
    return {
        "spread": float(np.ptp(sizes) / sizes.mean()),
        "angle": float(np.abs(angles).max()),
        "pairs": float(max(abs(angles[0] - angles[2]), abs(angles[1] - angles[3]))),
        "early": float(np.linalg.norm(middle[0], axis=1).min()),
        "cases": 1,
        "coverage": f"2^15 epochs, 32 points, final scales {np.round(sizes, 3).tolist()}",
    }


@experiment("simplicity_bias.skewed_xor")
def skewed_xor(between: str, seed: int) -> dict[str, Any]:
    """Figure 2 with 256 neurons and 64 points; `between` is the angle of the two axes in units of pi."""
    from numerics import Trainer, train

    chance, angle = np.random.default_rng(seed), np.pi * float(Fraction(between))
    centres = np.array([[1.0, 0], [-1, 0], [np.cos(angle), np.sin(angle)], [-np.cos(angle), -np.sin(angle)]])
    noise = np.clip(chance.normal(0, 0.1 / np.sqrt(2), (4, 16, 2)), -0.14, 0.14)
    points, labels = (centres[:, None] + noise).reshape(-1, 2), np.repeat([1.0, 1.0, -1.0, -1.0], 16)
    trainer = Trainer(_rectified((2, 256, 1)), points, labels[:, None])
    # 16 times fewer neurons than in print, each four times larger: the norms of both layers start as there
    inner = chance.uniform(-1, 1, (256, 2)) * 4 / np.sqrt(2) / 2**7
    outer = chance.uniform(-1, 1, (1, 256)) * 4 / 64 / 2**7
    before = float(np.linalg.norm(inner))
    found = train(trainer, [inner, outer], 2**13, learning_rate=2.0**-4).weights[0]
    parts = (found**2).sum(axis=1)
    wanted = np.array([angle - np.pi / 2, angle + np.pi / 2, np.pi / 2, -np.pi / 2])
    apart = np.angle(np.exp(1j * (np.arctan2(found[:, 1], found[:, 0])[:, None] - wanted)))
    near = np.abs(apart).min(axis=1) < 0.2
    return {
        "aligned": float(parts[near].sum() / parts.sum()),
        "grown": float(np.sqrt(parts.sum())),
        "cases": 1,
        "coverage": f"256 neurons, 64 points, 2^13 epochs, norm {before:.2f} at the start",
    }
