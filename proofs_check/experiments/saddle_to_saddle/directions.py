"""Section 5 and Appendix C: in which directions the first weights grow, and how close runs stay to the reduced ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.saddle_to_saddle import data
from proofs_check.experiments.saddle_to_saddle.panels import observed
from proofs_check.experiments.saddle_to_saddle.structure import large_units


@experiment("saddle_to_saddle.relu_direction")
def relu_direction(seeds: int) -> Mapping[str, Any]:
    """The widest angle, over several starts, from the units that grow first to the direction of most correlation."""
    x, y = data.relu()
    angles = np.linspace(0, 2 * np.pi, 20001)
    circle = np.stack([np.cos(angles), np.sin(angles)])
    best = circle[:, np.argmax(np.abs((np.maximum(x @ circle, 0) * y).mean(axis=0)))]
    widest = 0.0
    for seed in range(seeds):
        run, _ = observed("relu", seed)
        after = int(np.argmax(run.losses < 0.99 * run.losses[0]))
        grown = large_units(run.weights[after][1])
        cosines = grown @ best / np.linalg.norm(grown, axis=1)
        widest = max(widest, float(np.arccos(np.clip(cosines, -1, 1)).max()))
    return {"angle": widest, "cases": seeds}


@experiment("saddle_to_saddle.families")
def families(seed: int) -> Mapping[str, Any]:
    """The family of the visited saddle for each panel of Fig. 1."""
    names = ("linear", "linear-convolution", "relu", "relu-convolution", "linear-attention", "quadratic")
    found = {name: observed(name, seed)[1][1].family or 0 for name in names}
    return {f"{name.replace('-', '_')}_family": number for name, number in found.items()}
