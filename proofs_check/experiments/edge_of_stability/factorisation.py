"""Matrix factorisation by gradient descent, many problems at once: divergence, bifurcations, top singular values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics import iterate
from proofs_check.experiments import experiment
from theory.edge_of_stability import bilinear
from theory.edge_of_stability.one_dimensional import mu, x
from theory.edge_of_stability.quartic import K

Array = NDArray[np.float64]

TAIL = (0.25, 0.15, 0.1)
"""The other eigenvalues of the target; the first is 1."""

SMALLER_TAIL = (0.15, 0.1, 0.05)
"""The same where the first factor swings widely: at K = 1.38 down to 0.46, which must stay above the roots of these."""


def descend(left: Array, right: Array, target: Array, rates: Array, steps: int) -> tuple[Array, Array]:
    """Gradient descent on |Y Z^T - C|^2 / 2 for a batch of problems of shape (batch, d, d)."""
    eta = rates[:, None, None]
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(steps):
            residual = left @ right.transpose(0, 2, 1) - target
            left, right = left - eta * residual @ right, right - eta * residual.transpose(0, 2, 1) @ left
    return left, right


def _finite(left: Array, right: Array) -> NDArray[np.bool_]:
    size = np.abs(left).max(axis=(1, 2)) + np.abs(right).max(axis=(1, 2))
    return np.isfinite(size) & (size < 1e3)


def _top(matrices: Array) -> Array:
    return np.asarray(np.linalg.svd(matrices, compute_uv=False)[:, 0], dtype=np.float64)


def _random_start(shape: tuple[int, ...], scale: float, seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    return scale * random.standard_normal(shape), scale * random.standard_normal(shape)


@experiment("edge_of_stability.divergence")
def divergence(start: str, alpha: str, seed: int) -> dict[str, Any]:
    """Figure 3.2: on a grid of K = eta sigma_1^2 and eta sigma_2^2, which runs stay finite.

    For each K the measured boundary is the smallest eta sigma_2^2 at which one of four runs diverges. `gap` is its
    largest distance from K + eta sigma_2^2 = 2 for K up to 1.06, `trend` the same for K up to 1.3; `diverged` counts
    the runs that satisfy (3.9) and still diverge.
    """
    ratio, runs = float(Fraction(alpha)), 4
    rates, products = np.arange(1.02, 1.301, 0.04), np.arange(0.6, 1.2, 0.01)
    axes = np.meshgrid(rates, products, np.arange(runs), indexing="ij")
    K_grid, second = axes[0].ravel(), axes[1].ravel()
    spectra = np.stack([np.ones_like(K_grid), second / K_grid, *(np.full_like(K_grid, value) for value in TAIL)])
    target = np.zeros((K_grid.size, 5, 5))
    target[:, range(5), range(5)] = spectra.T
    left, right = _random_start(target.shape, 0.1 if start == "generic" else 1e-3, seed)
    if start != "generic":
        root = np.sqrt(target)
        left, right = left + ratio * root, right + root / ratio
    finite = _finite(*descend(left, right, target, K_grid, 1000))
    lost = np.any(~finite.reshape(axes[0].shape), axis=2)
    boundary = np.array(
        [products[lost[place]][0] if lost[place].any() else products[-1] for place in range(rates.size)]
    )
    gaps, near = np.abs(boundary + rates - 2), rates < 1.07
    a2 = ratio**2
    flat = np.maximum(K_grid / a2 + second * a2, second / a2 + K_grid * a2) <= 2
    return {
        "gap": float(gaps[near].max()),
        "trend": float(gaps.max()),
        "diverged": int((flat & ~finite).sum()),
        "cases": int(K_grid.size),
        "coverage": "5 x 5 targets, K in [1.02, 1.3], eta sigma_2^2 in [0.6, 1.2], 4 starts each, 1000 steps",
    }


@experiment("edge_of_stability.bifurcation")
def bifurcation(seed: int) -> dict[str, Any]:
    """Figure 3.3: the period of sigma_max(Y) in the last iterates, for eta sigma_1^2 from 0.9 to 1.4 in steps of 0.001.

    `flip` is the first K of period 4, `chaos` the first one beyond period 4, `balanced` the largest K up to which the
    top singular values of Y and Z agree, `rest` the largest swing below K = 1.
    """
    rates = np.arange(0.9, 1.4, 0.001)
    target = np.zeros((rates.size, 4, 4))
    target[:, range(4), range(4)] = (1.0, *SMALLER_TAIL)
    base = _random_start((1, 4, 4), 0.1, seed)
    left, right = (np.repeat(part, rates.size, axis=0) for part in base)
    left, right = descend(left, right, target, rates, 3_000)
    tops, gaps = [], []
    for _ in range(16):
        left, right = descend(left, right, target, rates, 1)
        tops.append(_top(left))
        gaps.append(np.abs(_top(left) - _top(right)))
    orbit, gap = np.array(tops), np.max(gaps, axis=0)
    repeats = {period: np.abs(orbit[period:] - orbit[:-period]).max(axis=0) < 1e-4 for period in (1, 2, 4)}
    beyond = rates > 1.01
    unbalanced = beyond & (gap > 1e-3)
    return {
        "flip": float(rates[beyond & ~repeats[2]][0]),
        "chaos": float(rates[beyond & ~repeats[4]][0]),
        "balanced": float(rates[unbalanced][0] if unbalanced.any() else rates[-1]),
        "rest": float(np.ptp(orbit[:, rates < 0.99], axis=0).max()),
        "cases": int(rates.size),
        "coverage": "one 4 x 4 target, 500 rates between 0.9 and 1.4, 3000 steps",
    }


@experiment("edge_of_stability.singular_values")
def singular_values(seed: int) -> dict[str, Any]:
    """Figure B.3: an 8 x 8 problem at 1.02 times the edge, from alpha = 1 and alpha = 0.8."""
    random = np.random.default_rng(seed)
    spectrum = np.sort(random.uniform(0.05, 0.5, 8))[::-1]
    spectrum[0] = 1.0
    target = np.repeat(np.diag(spectrum)[None], 2, axis=0)
    root, rates = np.sqrt(target), np.full(2, 1.02)
    scale = np.array([1.0, 0.8])[:, None, None]
    noise = _random_start(target.shape, 1e-3, seed)
    left, right = descend(scale * root + noise[0], root / scale + noise[1], target, rates, 20_000)
    after = descend(left, right, target, rates, 1)
    pairs = np.sort(np.stack([_top(left), _top(after[0])]), axis=0)
    other = np.sort(np.stack([_top(right), _top(after[1])]), axis=0)
    gaps = np.abs(pairs - other).max(axis=0)
    return {
        "symmetric": float(gaps[0]),
        "quasi": float(max(gaps[1], np.abs(pairs[:, 1] - pairs[:, 0]).max())),
        "ratio": float(pairs[1, 0] / pairs[0, 0]),
        "cases": 2,
        "coverage": "one random 8 x 8 target with sigma_1 = 1, starts 0.001 away from the minima, 20000 steps",
    }


@experiment("edge_of_stability.balancing")
def balancing() -> dict[str, Any]:
    """Figure 3.4: (x y - 1)^2 / 2 from a sharp start, at eta = 1.08 and 0.95."""
    first, second = 0.6, 1.5
    runs = iterate(
        bilinear.descent(), {x: first, bilinear.y: second}, 20_000, parameters={K: [1.08, 0.95], mu: [1.0, 1.0]}, keep=2
    )
    last, before = runs.states[-1], runs.states[-2]
    return {
        "swinging": float(abs(last[0, 0] - last[1, 0])),
        "resting": float(np.abs(last[:, 1] - before[:, 1]).max()),
        "sum": float(last[:, 1].sum()),
        "cases": 2,
        "coverage": f"start ({first}, {second}), 20000 steps",
    }
