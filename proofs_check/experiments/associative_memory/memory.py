"""Flows and truncations of the linear associative memory."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from proofs_check.experiments import experiment
from proofs_check.experiments.associative_memory.arrays import Array, probabilities


def _in_log_time(velocity: Any, start: list[float], time: float) -> Array:
    """The state at a late time, integrated in s = log(1 + t)."""
    from scipy.integrate import solve_ivp

    end = float(np.log1p(time))

    def moved(s: float, state: Array) -> Array:
        return np.exp(s) * np.asarray(velocity(state))

    solution = solve_ivp(moved, (0.0, end), start, method="Radau", rtol=1e-9, atol=1e-11)
    return np.asarray(solution.y[:, -1])


@experiment("associative_memory.log_time")
def log_time(flow: str, alpha: str, time: float) -> dict[str, Any]:
    """t e**a at a late time, along the printed flow of Lemma C.14 or the true one."""
    level = float(Fraction(alpha))
    g, h, s = (2.0, 10.0, 0.2) if flow == "printed" else (0.5, 1.0, 0.5)

    def velocity(state: Array) -> list[float]:
        x, y = np.exp(state)
        total = x + y + 1
        common = (level - 1) * y + level
        return [g * ((level - 2) * x + common) / total, h * ((level - s) * x + common) / total]

    a, b = _in_log_time(velocity, [0.0, 0.0], time)
    return {"product": float(time * np.exp(a)), "odds": float(np.exp(b)), "coverage": f"alpha = {alpha}, t = {time:g}"}


@experiment("associative_memory.truncated_memory")
def truncated_memory(n: int, alpha: str, time: float) -> dict[str, Any]:
    """The probability of noise of the full memory and of its truncation by one rank, late along the flow."""
    level = float(Fraction(alpha))

    def velocity(state: Array) -> list[float]:
        signal, noise = state
        logits = np.array([signal * (1 - 1 / n) + noise, -signal / n + noise, -n * noise])
        shares = np.exp(logits - logits.max())
        shares /= shares[0] + (n - 1) * shares[1] + shares[2]
        return [(1 - level - shares[0] + shares[1]) / n, (shares[2] - level) / n**2]

    signal, noise = _in_log_time(velocity, [0.0, 0.0], time)
    upper = signal * (np.eye(n) - np.ones((n, n)) / n) + noise * np.ones((n, n))
    matrix = np.vstack([upper, -n * noise * np.ones((1, n))])
    shares = [probabilities(matrix), probabilities(_truncated(matrix, n - 1))]
    found = {"noise": float(shares[0][n, 0]), "truncated": float(shares[1][n].max())}
    return {**found, "right": float(shares[1].diagonal().min()), "coverage": f"n = {n}, alpha = {alpha}, t = {time:g}"}


def _truncated(matrix: Array, rank: int) -> Array:
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray((left[..., :rank] * values[..., None, :rank]) @ right[..., :rank, :])


@experiment("associative_memory.memory_runs")
def memory_runs(n: int, d: int, alpha: str, runs: int, steps: int, rate: float, seed: int) -> dict[str, Any]:
    """Figure 4.5: pure-label losses of the trained memory and of its truncations, over random embeddings."""
    level, random = float(Fraction(alpha)), np.random.default_rng(seed)

    def sphere(count: int) -> Array:
        points = random.normal(size=(runs, count, d))
        return np.asarray(points / np.linalg.norm(points, axis=2, keepdims=True))

    inputs, outputs = sphere(n), sphere(n + 1)
    weights = random.normal(size=(runs, d, d)) / np.sqrt(d)
    goal = np.vstack([(1 - level) * np.eye(n), level * np.ones((1, n))])
    turned = inputs.transpose(0, 2, 1)
    for _ in range(steps):
        error = probabilities(outputs @ weights @ turned) - goal
        weights -= rate * (outputs.transpose(0, 2, 1) @ error @ inputs) / n
    losses = []
    for rank in (1, 2, 3, 4, d):
        shares = probabilities(outputs @ _truncated(weights, rank) @ turned)
        losses.append(-np.log(shares[:, range(n), range(n)]).mean(axis=1))
    full, second = losses[-1], losses[1]
    spread = np.quantile(second, 0.75) - np.quantile(second, 0.25)
    return {
        "full": float(np.median(full)),
        "rank_1": float(np.median(losses[0])),
        "rank_2": float(np.median(second)),
        "rank_3": float(np.median(losses[2])),
        "better": float((second < full).mean()),
        "spread": float(spread),
        "cases": runs,
        "coverage": f"{runs} runs of {steps} steps, n = {n}, d = {d}, alpha = {alpha}",
    }


@experiment("associative_memory.memory_stability")
def memory_stability(n: int, alpha: str, runs: int, steps: int, rate: float, seed: int) -> dict[str, Any]:
    """The spread of the rank-two loss over random embeddings in twelve and in eight dimensions."""
    found = {d: memory_runs(n, d, alpha, runs, steps, rate, seed) for d in (12, 8)}
    return {
        "wide": found[12]["spread"],
        "narrow": found[8]["spread"],
        "cases": 2 * runs,
        "coverage": f"{runs} runs of {steps} steps each in 12 and 8 dimensions",
    }
