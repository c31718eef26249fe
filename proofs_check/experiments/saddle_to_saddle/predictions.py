"""Figure 2: how width, data and initial weights change the plateaus of linear and quadratic units and attention."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.saddle_to_saddle import data
from proofs_check.experiments.saddle_to_saddle.compiled import Array, CompiledLayer
from proofs_check.experiments.saddle_to_saddle.panels import SETTINGS
from proofs_check.experiments.saddle_to_saddle.runs import Run, descend
from theory.saddle_to_saddle.architectures import ACTIVATIONS, fully_connected, regression_head


def spectrum(kappa: float) -> Array:
    """Three singular values n^-kappa that add up to one.

    >>> spectrum(1.0) * 11
    array([6., 3., 2.])
    """
    values = np.arange(1, 4) ** -kappa
    return values / values.sum()


def linear_network(kappa: float) -> CompiledLayer:
    """Three white inputs and a diagonal target, the loss with the factor 1/2 of the analysis."""
    inputs = np.sqrt(3.0) * np.eye(3)
    layer = fully_connected(ACTIVATIONS["linear"], inputs=3, outputs=3)
    return CompiledLayer(layer, inputs, inputs * spectrum(kappa), factor=0.5)


def half_times(run: Run, values: Array) -> Array:
    """When each mode reaches half of its singular value."""
    modes = np.array([np.diag(second.T @ first) for second, first in run.weights])
    return np.array([run.times[np.argmax(modes[:, k] > value / 2)] for k, value in enumerate(values)])


def linear_times(kappa: float, units: int, scale: float, seed: int) -> Array:
    """Half-times of the modes in one training."""
    layer = linear_network(kappa)
    run = descend(layer.gradient, layer.start(units, scale, seed=seed), rate=0.05, steps=1600, every=4)
    return half_times(run, spectrum(kappa))


@cache
def attention_layer(kappa: float) -> CompiledLayer:
    """Linear attention on three inputs whose Sigma_yZ has the spectrum; X X^T is divided by the context length."""
    inputs, targets = data.in_context(variances=np.sqrt(spectrum(kappa)))
    return CompiledLayer(regression_head(4), inputs / 32, targets)


def attention_run(kappa: float, units: int, seed: int) -> Run:
    """Training of linear attention with so many heads."""
    layer = attention_layer(kappa)
    return descend(layer.gradient, layer.start(units, 0.01, seed=seed), rate=0.15, steps=1700, every=4)


def falling_time(run: Run, floor: float) -> float:
    """The time from a fifth to nine tenths of the fall of the loss to a floor."""
    fallen = (run.losses[0] - run.losses) / (run.losses[0] - floor)
    first, last = (int(np.argmax(fallen > part)) or len(fallen) - 1 for part in (0.2, 0.9))
    return float(run.times[last] - run.times[first])


@experiment("saddle_to_saddle.width")
def width(seed: int) -> Mapping[str, Any]:
    """Wide against narrow: time of the second linear mode; second plateau of quadratic units."""
    times = [linear_times(1.0, units, 1e-4, seed)[1] for units in (10, 100)]
    setting = SETTINGS["quadratic"]()
    layer = setting.compiled()
    lengths = []
    for units in (5, 80):
        found = []
        for k in range(3):
            run = descend(layer.gradient, layer.start(units, 0.005, seed=seed + k), rate=0.04, steps=1000, every=5)
            below = [run.times[np.argmax(run.losses < part * run.losses[0])] for part in (0.75, 0.1)]
            found.append(below[1] - below[0])
        lengths.append(float(np.median(found)))
    return {"linear_ratio": float(times[1] / times[0]), "quadratic_ratio": lengths[1] / lengths[0]}


@experiment("saddle_to_saddle.heads")
def heads(seed: int) -> Mapping[str, Any]:
    """Linear attention with 25 heads against 6: the time that the fall of the loss takes."""
    runs = [attention_run(1.0, units, seed) for units in (6, 25)]
    floor = min(float(run.losses[-1]) for run in runs)
    few, many = (falling_time(run, floor) for run in runs)
    return {"attention_ratio": many / few}


@experiment("saddle_to_saddle.spectrum")
def equal_values(seed: int) -> Mapping[str, Any]:
    """Last over first half-time of the linear modes, for kappa = 1 and kappa = 0."""
    found: dict[str, Any] = {}
    for name, kappa in (("unequal", 1.0), ("equal", 0.0)):
        times = linear_times(kappa, 100, 1e-4, seed)
        found[name] = float(times.max() / times.min())
    return found


@experiment("saddle_to_saddle.equal_heads")
def equal_heads(seed: int) -> Mapping[str, Any]:
    """Plateaus of linear attention with 25 heads for kappa = 0, and how long its fall takes against kappa = 1."""
    equal, unequal = (attention_run(kappa, 25, seed) for kappa in (0.0, 1.0))
    lengths = [falling_time(run, float(run.losses[-1])) for run in (equal, unequal)]
    return {"attention_plateaus": len(equal.plateaus()) - 2, "attention_ratio": lengths[0] / lengths[1]}


@experiment("saddle_to_saddle.structure")
def low_rank_start(seed: int) -> Mapping[str, Any]:
    """Large weights of rank r: plateaus, and the worst relative distance of their losses to the levels above rank r."""
    layer, values = linear_network(1.0), spectrum(1.0)
    levels = [float((values[k:] ** 2).sum() / 2) for k in range(3)]
    found: dict[str, Any] = {}
    for rank in (1, 2, 3):
        chance = np.random.default_rng(seed)
        mixed = 0.15 * chance.standard_normal((100, rank))
        start = [mixed @ chance.standard_normal((rank, 3)) / 5 for _ in range(2)]
        start = [part + 1e-6 * chance.standard_normal(part.shape) for part in start]
        run = descend(layer.gradient, start, rate=0.05, steps=4000, every=2)
        rests = run.plateaus()[1:-1]
        gaps = [min(abs(run.losses[k] / level - 1) for level in levels[rank:]) for k in rests] if levels[rank:] else []
        found |= {f"plateaus_{rank}": len(rests), f"gap_{rank}": float(max(gaps, default=0.0))}
        found[f"first_{rank}"] = float(run.times[np.argmax(run.losses < 0.5 * run.losses[0])] / run.times[-1])
    return found


@experiment("saddle_to_saddle.scale")
def scale(seed: int) -> Mapping[str, Any]:
    """Half-time of the first mode, and time between the first and the last, for three initial scales."""
    times = [linear_times(1.0, 50, size, seed) for size in (1e-4, 1e-3, 1e-2)]
    small, middle, large = (float(part[0]) for part in times)
    apart = [float(part[2] - part[0]) for part in times]
    return {"small": small, "middle": middle, "large": large, "apart_small": apart[0], "apart_large": apart[2]}
