"""Smoothed gradient flows on XOR-like data: rates in r, growth to constant scale, long-time limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.simplicity_bias.networks import (
    AXES,
    RATE,
    SIGNS,
    Neurons,
    Smoothed,
    directions,
    signed_angles,
    xor,
)
from theory.simplicity_bias.data import named

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
        start = Neurons.of(np.linalg.norm(v, axis=1) * chance.choice([-1.0, 1.0], m), v)
        first, a = float((start.u**2).max()), m * (1 + data.width) ** 2 / 4
        last = np.log(RATE / (2 * a * first)) / (2 * RATE)
        if last > 0:
            times = np.array([last / 2, last])
            for time, after in zip(times, data.path(start, times), strict=True):
                worst = max(worst, float((after.u**2).max() / (2 * first * np.exp(2 * RATE * time))))
    return {
        "worst": worst,
        "cases": networks,
        "coverage": f"{networks} random balanced networks, orbit of (0.95, 0.1, 0)",
    }


def witness(r: float, kappa: int) -> Neurons:
    """Five neurons near the extrema of the orbit, all of scale r^(1 + kappa), in log norms."""
    logs = (1 + kappa) * np.log(r) + np.log(WITNESS_SCALES)
    return Neurons(WITNESS_SIGNS, logs, directions(ANGLES))


@experiment("simplicity_bias.alignment_slopes")
def alignment_slopes(kappa: int) -> dict[str, Any]:
    """Slopes of the errors at T_1 of the two neurons near e_1 against r."""
    data, radii, errors = xor(), (1e-1, 1e-2, 1e-3, 1e-4), []
    for r in radii:
        after = data.run(witness(r, kappa), kappa * np.log(1 / r) / RATE)
        limit = WITNESS_SCALES[:2] * (1 + np.cos(ANGLES[:2])) / 2
        away = np.linalg.norm(after.units[:2] - AXES[0], axis=1).max()
        errors.append([away, np.abs(after.u[:2] - r * limit).max()])
    slopes = np.polyfit(np.log(radii), np.log(np.array(errors)), 1)[0]
    return {"direction": float(slopes[0]), "scale": float(slopes[1]), "cases": len(radii), "coverage": f"r in {radii}"}


@experiment("simplicity_bias.slow_alignment")
def slow_alignment(kappa: int) -> dict[str, Any]:
    """The slope of the direction error for one point inside the band, where theory gives 4/5 of kappa."""
    data = Smoothed.of(named("one point in the band"))
    rate, radii, errors = 135 / 512, (1e-2, 1e-4, 1e-6, 1e-8), []
    for r in radii:
        start = Neurons(np.ones(1), np.array([(1 + kappa) * np.log(r)]), directions(np.array([1.0])))
        after = data.run(start, kappa * np.log(1 / r) / rate)
        errors.append(np.linalg.norm(after.units[0] - AXES[0]))
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
        ends.append(data.run(Neurons.of(r * WITNESS_SCALES * WITNESS_SIGNS, at), time))
    gaps = [np.abs(one.u - two.u).max() for one, two in pairwise(ends)]
    sizes = np.abs(ends[-1].u) / np.sqrt(small)
    return {
        "ratio": float(gaps[0] / gaps[1]),
        "angle": float(np.linalg.norm(ends[-1].units - at, axis=1).max() / small),
        "low": float(sizes.min()),
        "high": float(sizes.max()),
        "cases": 3,
        "coverage": "r = 0.02, 0.01, 0.005 on the orbit of (0.95, 0.1, 0)",
    }


@experiment("simplicity_bias.four_neuron_limit")
def four_neuron_limit() -> dict[str, Any]:
    """Four neurons from unequal scales, in rescaled time: relative spread of the scales and largest angle."""
    start = Neurons.of(np.array([0.1, 0.05, 0.08, 0.06]) * SIGNS, AXES)
    after = xor().run(start, 60.0, rescaled=True, top=12.0)
    sizes = np.abs(after.u)
    return {
        "spread": float(np.ptp(sizes) / sizes.mean()),
        "angle": float(np.abs(signed_angles(after.units)).max()),
        "cases": 1,
        "coverage": f"until the largest scale is {sizes.max():.3g}",
    }


@experiment("simplicity_bias.angle_bound")
def angle_bound(seed: int, runs: int) -> dict[str, Any]:
    """The largest |sin alpha_k| / (delta + xi) on flows from aligned starts with random scales."""
    chance, data, largest = np.random.default_rng(seed), xor(), 0.0
    for _ in range(runs):
        start = Neurons.of(10.0 ** chance.uniform(-4, 0, 4) * SIGNS, AXES)
        for state in data.path(start, np.linspace(2.5, 60, 24)):
            largest = max(largest, float(np.abs(np.sin(signed_angles(state.units))).max()))
    bound = np.sqrt(5) / 20 + data.width
    return {
        "largest": float(largest / bound),
        "cases": runs,
        "coverage": f"{runs} starts, scales 1e-4 to 1, times up to 60",
    }


@experiment("simplicity_bias.perfect_accuracy")
def perfect_accuracy(seed: int, runs: int) -> dict[str, Any]:
    """The smallest margin when the largest scale reaches 8/3, from allowed starts."""
    chance, data, margins = np.random.default_rng(seed), xor("199/200", "1/250", "1/1000"), []
    for place in range(runs):
        scales = 1.01e-3 * 10.0 ** chance.uniform(-3, 0, 4)
        scales[place % 4] = 1.01e-3
        after = data.run(Neurons.of(scales * SIGNS, AXES), 1e5, rescaled=True, top=8 / 3)
        margins.append(float(data.margins(after).min()))
    return {"margin": min(margins), "cases": runs, "coverage": "orbit of (0.995, 0.004, 0), xi = 0.001"}


def _proportion(sigma: float) -> float:
    """How far the limiting ratio of two neurons of one cluster is from that of the linearised flow."""
    scales = np.array([0.5, 0.7, 0.9, 0.86, 0.8])
    angles = np.array([0.09, -0.03, np.pi / 2, np.pi, -np.pi / 2])
    start = Neurons.of(sigma * scales * WITNESS_SIGNS, directions(angles))
    after = xor().run(start, 200.0, rescaled=True, top=6.0)
    linear = scales[0] * (1 + np.cos(angles[0])) / (scales[1] * (1 + np.cos(angles[1])))
    return abs(float(after.u[0] / after.u[1] / linear) - 1)


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
    after = data.run(Neurons.of(np.linalg.norm(v, axis=1) * SIGNS, v), 30.0, rescaled=True, top=9.0)
    whole, best = np.concatenate([after.u, after.v.ravel()]), np.concatenate([SIGNS, AXES.ravel()])
    gamma = float(data.margins(after).min() / (whole @ whole))
    away = float(np.linalg.norm(whole / np.linalg.norm(whole) - best / np.linalg.norm(best)))
    return {"gain": gamma - 0.85 / 8, "away": away, "cases": 1, "coverage": "one start, until the largest scale is 9"}
