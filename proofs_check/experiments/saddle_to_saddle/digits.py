"""Figure 3 and Table 1 on the 8 x 8 digits that come with scikit-learn, in the place of the paper's 28 x 28 images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sympy import Expr, Max

from numerics import PREDICTION, TARGET, UNIT, Network, Trainer
from proofs_check.experiments import experiment
from proofs_check.experiments.saddle_to_saddle.compiled import Array
from proofs_check.experiments.saddle_to_saddle.runs import Run, descend

PAIRS = {"01": (0, 1), "08": (0, 8), "57": (5, 7), "35": (3, 5)}
MISSING = {"missing": "the digits need scikit-learn: install it with `pip install lemmascope[all]`"}


def pair(digits: tuple[int, int]) -> tuple[Array, Array] | None:
    """Images with entries in [0, 1] and one-hot labels of two digits."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        return None
    images, labels = load_digits(return_X_y=True)
    chosen = np.isin(labels, digits)
    return images[chosen] / 16, np.stack([labels[chosen] == digit for digit in digits], axis=1).astype(float)


def governing(x: Array, y: Array) -> tuple[float, float]:
    """The two singular values of Table 1."""
    crossed, of_inputs = y.T @ x / len(x), x.T @ x / len(x)
    best = np.linalg.eigh(crossed @ np.linalg.pinv(of_inputs) @ crossed.T)[1][:, -1]
    left = crossed - np.outer(best, best) @ crossed
    first, second = (float(np.linalg.svd(part, compute_uv=False)[0]) for part in (crossed, left))
    return first, second


@experiment("saddle_to_saddle.singular_values")
def singular_values() -> Mapping[str, Any]:
    """Table 1 on the bundled digits."""
    data = {name: pair(digits) for name, digits in PAIRS.items()}
    if any(part is None for part in data.values()):
        return MISSING
    found = {name: governing(*part) for name, part in data.items() if part is not None}
    firsts = [first for first, _ in found.values()]
    return {
        "hardest_last": int(min(found, key=lambda name: found[name][1]) == "35"),
        "spread": max(firsts) / min(firsts),
        "gap_08": abs(found["08"][0] - found["08"][1]) / found["08"][0],
        "notes": ["; ".join(f"{name}: {first:.3f}, {second:.3f}" for name, (first, second) in found.items())],
    }


def trained(x: Array, y: Array, activation: Expr, seed: int) -> Run:
    """A network of 20 units on all images of two digits."""
    trainer = Trainer(Network((x.shape[1], 20, 2), activation, (PREDICTION - TARGET) ** 2), x, y)
    chance = np.random.default_rng(seed)
    start = [1e-6 * chance.standard_normal(shape) for shape in ((20, x.shape[1]), (2, 20))]
    run = descend(trainer.gradient, start, rate=0.05, steps=900, every=6)
    return Run(run.times, run.losses, [[second.T, first] for first, second in run.weights])


def grown(run: Run) -> tuple[list[int], float]:
    """Where the first two singular values of the first weights pass a tenth of the largest; the third at the end."""
    values = np.array([np.linalg.svd(weights[1], compute_uv=False)[:3] for weights in run.weights])
    top = values.max()
    places = [int(np.argmax(values[:, k] > 0.1 * top)) or len(values) for k in (0, 1)]
    return places, float(values[-1, 2] / values[-1, 0])


@experiment("saddle_to_saddle.digits")
def digits_run(seed: int, network: str) -> Mapping[str, Any]:
    """Third singular value at the end, second plateau of 3/5 over 0/1, and how far the first two are from the drops."""
    lengths, third, apart = [], 0.0, 0.0
    for name in ("01", "35"):
        data = pair(PAIRS[name])
        if data is None:
            return MISSING
        run = trained(*data, UNIT if network == "linear" else Max(UNIT, 0), seed)
        places, last = grown(run)
        third = max(third, last)
        lengths.append(places[1] - places[0])
        drops = run.drops()
        apart = max([apart, *[min(abs(place - drop) for drop in drops) / len(run.losses) for place in places]])
    return {"third": third, "harder": lengths[1] / max(lengths[0], 1), "apart": apart}
