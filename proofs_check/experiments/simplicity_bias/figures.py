"""Figures 1, 2, 5, 6, 7: rectified networks in the plane, trained by gradient descent, and what kinks do to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

import numerics
from numerics.planar_training import train_in_the_plane
from proofs_check.experiments import experiment
from proofs_check.experiments.simplicity_bias.networks import AXES, Array, Neurons, signed_angles, xor
from theory.simplicity_bias.figures import learning_rate


@dataclass(frozen=True)
class Course:
    """A training run in the plane: its data, the epochs that were kept, and both layers at each of them."""

    points: Array
    labels: Array
    epochs: tuple[int, ...]
    inner: Array
    outer: Array


def _course(points: Array, labels: Array, layers: list[Array], epochs: Sequence[int], rates: Array) -> Course:
    """Train one hidden layer of rectifiers on the logistic loss and keep the weights at the epochs asked for."""

    width = layers[0].shape[0]
    network = numerics.Network(
        (2, width, 1), sp.Max(numerics.UNIT, 0), sp.log(1 + sp.exp(-numerics.PREDICTION * numerics.TARGET))
    )
    trainer = numerics.Trainer(network, points, labels[:, None])
    kept, done, now = [], 0, layers
    for epoch in epochs:
        if epoch > done:
            now = numerics.train(trainer, now, epoch - done, learning_rate=rates[done:epoch]).weights
            done = epoch
        kept.append([layer.copy() for layer in now])
    inner, outer = np.array([part[0] for part in kept]), np.array([part[1][0] for part in kept])
    return Course(points, labels, tuple(epochs), inner, outer)


def four_neuron_course(start: Sequence[str], epochs: Sequence[int]) -> Course:
    """The run of Figures 1, 5, 6 and 7: 16 base points within 0.01 of e_1 with their images, the printed schedule."""

    chance, base = np.random.default_rng(7), np.empty((0, 2))
    while len(base) < 16:
        noise = chance.normal(0, 0.005, (16, 2))
        base = np.concatenate([base, noise[np.linalg.norm(noise, axis=1) < 0.01]])[:16]
    mirrored = [(base + np.array([1.0, 0])) * np.array([s, t]) for s in (1, -1) for t in (1, -1)]
    points = np.concatenate([*mirrored, *[part[:, ::-1] for part in mirrored]])
    step = sp.Symbol("t")
    rates = numerics.compile_float([learning_rate(step)], [step])(np.arange(epochs[-1], dtype=np.float64)[None])[0]
    scales = np.array([float(Fraction(part)) for part in start])
    layers = [np.abs(scales)[:, None] * AXES[:, :2], scales[None]]
    return _course(points, np.repeat([1.0, -1.0], 64), layers, epochs, rates)


@experiment("simplicity_bias.four_neuron_training")
def four_neuron_training(start: list[str]) -> dict[str, Any]:
    """Figures 1, 5, 6, 7: what the scales and angles are at epochs 2^13 and 2^15."""
    course = four_neuron_course(start, (2**13, 2**15))
    middle, end = course.inner
    sizes, angles = np.linalg.norm(end, axis=1), signed_angles(end)
    return {
        "spread": float(np.ptp(sizes) / sizes.mean()),
        "angle": float(np.abs(angles).max()),
        "pairs": float(max(abs(angles[0] - angles[2]), abs(angles[1] - angles[3]))),
        "early": float(np.linalg.norm(middle, axis=1).min()),
        "cases": 1,
        "coverage": f"2^15 epochs, {len(course.points)} points, final scales {np.round(sizes, 3).tolist()}",
    }


def skewed_course(between: str, seed: int, epochs: Sequence[int]) -> Course:
    """The run of Figure 2: 2^12 neurons, 2^9 points; `between` is the angle of the two axes in units of pi."""
    chance, angle = np.random.default_rng(seed), np.pi * float(Fraction(between))
    centres = np.array([[1.0, 0], [-1, 0], [np.cos(angle), np.sin(angle)], [-np.cos(angle), -np.sin(angle)]])
    noise = np.empty((0, 2))
    while len(noise) < 2**9:
        drawn = chance.normal(0, 0.1 / np.sqrt(2), (2**9, 2))
        noise = np.concatenate([noise, drawn[np.linalg.norm(drawn, axis=1) < 0.2]])[: 2**9]
    points, labels = np.repeat(centres, 2**7, axis=0) + noise, np.repeat([1.0, 1.0, -1.0, -1.0], 2**7)
    # the uniform start that is the default of the authors' library, times sigma = 2^-7
    inner = chance.uniform(-1, 1, (2**12, 2)) / np.sqrt(2) / 2**7
    outer = chance.uniform(-1, 1, 2**12) / np.sqrt(2**12) / 2**7
    done, kept = 0, list[tuple[Array, Array]]()
    for epoch in epochs:
        inner, outer = train_in_the_plane(points, labels, inner, outer, epoch - done, rate=2.0**-4)
        kept, done = [*kept, (inner, outer)], epoch
    return Course(points, labels, tuple(epochs), np.array([i for i, _ in kept]), np.array([o for _, o in kept]))


@experiment("simplicity_bias.skewed_xor")
def skewed_xor(between: str, seed: int) -> dict[str, Any]:
    """Figure 2: how much of the first layer is aligned with the four directions at the end, and its norm."""
    course, angle = skewed_course(between, seed, (0, 2**13)), np.pi * float(Fraction(between))
    before, found = course.inner
    parts = (found**2).sum(axis=1)
    wanted = np.array([angle - np.pi / 2, angle + np.pi / 2, np.pi / 2, -np.pi / 2])
    apart = np.angle(np.exp(1j * (np.arctan2(found[:, 1], found[:, 0])[:, None] - wanted)))
    near = np.abs(apart).min(axis=1) < 0.2
    return {
        "aligned": float(parts[near].sum() / parts.sum()),
        "start": float(np.linalg.norm(before)),
        "grown": float(np.sqrt(parts.sum())),
        "cases": 1,
        "coverage": "2^12 neurons, 2^9 points, 2^13 epochs",
    }


@experiment("simplicity_bias.kinks")
def kinks(scales: list[str], step: str) -> dict[str, Any]:
    """The largest |sin alpha_k| over its bound of Proposition D.2: rectifiers with steps h and h/64, and smoothed.

    A violation counts only if it is still there with the finer step and with the smoothed activation.
    """
    data, u = xor(), np.array([float(Fraction(part)) for part in scales])
    points, labels = data.points[:, :2], data.labels
    found = {}
    for name, h in (("coarse", float(Fraction(step))), ("fine", float(Fraction(step)) / 64)):
        rates = np.full(round(40 / h), h)
        epochs = np.unique(np.linspace(1, len(rates), 400).astype(int)).tolist()
        layers = [np.abs(u)[:, None] * AXES[:, :2], u[None].copy()]
        course = _course(points, labels, layers, epochs, rates)
        found[name] = max(float(np.abs(np.sin(signed_angles(inner))).max()) for inner in course.inner)
    smooth = data.path(Neurons.of(u, AXES), np.linspace(0.1, 40, 400))
    found["smooth"] = max(float(np.abs(np.sin(signed_angles(state.units))).max()) for state in smooth)
    plain, widened = np.sqrt(5) / 20, np.sqrt(5) / 20 + data.width
    return {
        "coarse": found["coarse"] / plain,
        "fine": found["fine"] / plain,
        "smooth": found["smooth"] / widened,
        "cases": 3,
        "coverage": f"scales {', '.join(scales)}, steps {step} and {Fraction(step) / 64} up to time 40",
    }
