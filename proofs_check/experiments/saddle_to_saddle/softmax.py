"""Figure 4A with the printed heads, tokens and initial scale: the long first phase is linear, and solved exactly.

All heads first fit the target to the mean of the tokens, which takes no first weights. Then the first weights grow by a
linear flow that is the same for every head, from 10^-6 on for tens of thousands of steps of the printed rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.saddle_to_saddle import data
from proofs_check.experiments.saddle_to_saddle.compiled import Array, SoftmaxHeads, Weights
from proofs_check.experiments.saddle_to_saddle.panels import rests
from proofs_check.experiments.saddle_to_saddle.runs import Run, flow
from theory.saddle_to_saddle.architectures import softmax_head

CONTEXT, HEADS, SCALE, RATE = 32, 50, 1e-6, 0.02
GROWN = 0.02
"""The size of the first weights up to which their flow counts as linear: what is left out is of its square."""


def fitted_to_the_mean(tokens: Array, targets: Array) -> tuple[Array, Array]:
    """The second weights of all heads together at the first plateau, and what they leave of the targets."""
    mean = tokens.mean(axis=1)
    together = np.linalg.lstsq(mean, targets, rcond=None)[0]
    return together, targets - mean @ together


def linear_growth(tokens: Array, targets: Array, heads: int) -> Array:
    """The matrix of the linear flow of key and query of a head at the first plateau."""
    together, rest = fitted_to_the_mean(tokens, targets)
    centred = tokens - tokens.mean(axis=1, keepdims=True)
    pull = np.einsum("pna,pn->pa", centred, centred @ (together / heads)) / tokens.shape[1]
    block = 2 * np.einsum("p,pa,pc->ac", rest, pull, tokens[:, -1]) / len(targets)
    nothing = np.zeros((3, 3))
    return np.block([[nothing, block], [block.T, nothing]])


def grown(first: Array, matrix: Array) -> tuple[float, Array]:
    """When the largest first weight reaches GROWN, and the first weights of all heads at that time."""
    from scipy.linalg import expm
    from scipy.optimize import brentq

    def largest(time: float) -> float:
        return float(np.log(np.abs(first @ expm(matrix * time).T).max() / GROWN))

    end = 1.0
    while largest(end) < 0:
        end *= 2
    time = float(brentq(largest, 0.0, end))
    return time, first @ expm(matrix * time).T


@experiment("saddle_to_saddle.softmax_wait")
def softmax_wait(sets: int) -> Mapping[str, Any]:
    """How many steps of the printed rate the linear phase takes, the fewest and most over so many printed data sets."""
    steps = []
    for seed in range(sets):
        inputs, targets = data.tokens(seed, context=CONTEXT, samples=data.SAMPLES)
        matrix = linear_growth(inputs.reshape(len(inputs), -1, 3), targets[:, 0], HEADS)
        first = SCALE * np.random.default_rng(seed).standard_normal((HEADS, 6))
        steps.append(int(grown(first, matrix)[0] / RATE))
    return {
        "fewest": min(steps),
        "most": max(steps),
        "cases": sets,
        "coverage": f"{sets} data sets of the printed size",
    }


def run_from_the_plateau(samples: int, seed: int, *, time: float, frames: int = 300) -> tuple[float, Run]:
    """How long the linear phase takes, and the gradient flow after it."""
    inputs, targets = data.tokens(0, context=CONTEXT, samples=samples)
    layer = SoftmaxHeads(softmax_head(3, CONTEXT + 1), inputs, targets)
    second, first = layer.start(HEADS, SCALE, seed=seed)
    together, _ = fitted_to_the_mean(layer.tokens, targets[:, 0])
    waited, first = grown(first, linear_growth(layer.tokens, targets[:, 0], HEADS))
    start: Weights = [together / HEADS + second - second.mean(axis=0), first]
    return waited, flow(layer.gradient, start, time, frames=frames, accuracy=1e-3, smallest=1e-5)


@experiment("saddle_to_saddle.softmax")
def softmax(samples: int, seed: int, time: float) -> Mapping[str, Any]:
    """Steps at the printed rate before anything is learnt, effective widths on the next plateau and at the end."""
    waited, run = run_from_the_plateau(samples, seed, time=time)
    found = rests(run, (4,), None)
    large = np.linalg.norm(np.hstack(run.weights[found[1].index]), axis=1)
    return {
        "steps": int(waited / RATE),
        "plateau_width": found[1].width,
        "large": int((large > large.max() / 4).sum()),
        "final_width": found[-1].width,
        "first_loss": found[0].loss,
        "loss": found[-1].loss,
        "coverage": f"one run with {samples} samples, seed {seed}; plateaus with loss"
        f" {[round(rest.loss, 3) for rest in found]}",
    }
