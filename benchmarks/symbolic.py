"""Formulas: gradient and Hessian of a 12-parameter tanh network at many points, and polynomial questions decided."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import proofs
import sympy as sp
from measure import Contestant, interleave, result, seconds

from numerics import compile_float


def run(quick: bool) -> list[dict[str, Any]]:
    points = 2000 if quick else 20000
    w = sp.symbols("w:12")
    data = [(1, 2, 1), (-1, 1, 0), (2, -1, 1)]
    loss = sum(
        (sum(w[8 + u] * sp.tanh(w[2 * u] * a + w[2 * u + 1] * b) for u in range(4)) - y) ** 2 for a, b, y in data
    )
    gradient = [sp.diff(loss, s) for s in w]
    hessian = [sp.diff(g, s) for g in gradient[:4] for s in w[:4]]
    compiled: list[Any] = []
    spent = seconds(lambda: compiled.append(compile_float([*gradient, *hessian], w)), time.thread_time)
    lambdified = sp.lambdify(w, [*gradient, *hessian], "numpy", cse=True)
    values = np.random.default_rng(0).normal(size=(12, points))
    contestants = {
        "ours": Contestant(lambda: compiled[0](values), points),
        "numpy lambdify with cse": Contestant(lambda: lambdified(*values), points),
    }
    interleave(contestants, 5)
    error = float(np.abs(compiled[0](values) - np.array(lambdified(*values))).max())
    network = result("symbolic", contestants, {}, achieved_error=error, compile_seconds=spent)
    return [network, *proofs.run(quick)]
