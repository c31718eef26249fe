"""A two-layer linear network of 100 units from a tiny start, through all its plateaus, one trajectory."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from measure import Contestant, interleave, result
from scipy.integrate import solve_ivp

from numerics import MatrixFlow, integrate

UNITS, INPUTS, OUTPUTS, END = 100, 10, 5, 60.0


def run(quick: bool) -> list[dict[str, Any]]:
    end = 20.0 if quick else END
    V, W = sp.MatrixSymbol("V", UNITS, INPUTS), sp.MatrixSymbol("W", OUTPUTS, UNITS)
    S = sp.ImmutableMatrix(OUTPUTS, INPUTS, lambda i, j: sp.Rational(5 - i, 2) if i == j else 0)
    flow = MatrixFlow((V, W), (W.T * S - W.T * W * V, S * V.T - W * V * V.T))
    rng = np.random.default_rng(0)
    start = rng.normal(size=UNITS * INPUTS + UNITS * OUTPUTS) * 1e-4
    target = np.array(S, dtype=float)

    def velocity(_: float, flat: Any) -> Any:
        v, w = flat[: UNITS * INPUTS].reshape(UNITS, INPUTS), flat[UNITS * INPUTS :].reshape(OUTPUTS, UNITS)
        rest = target - w @ v
        return np.concatenate([(w.T @ rest).ravel(), (rest @ v.T).ravel()])

    def ours(tolerance: float = 1e-10) -> Any:
        return integrate(flow, start[:, None], end, relative=tolerance, absolute=tolerance * 1e-4, threads=1).final

    def scipy_run(tolerance: float = 1e-10) -> Any:
        return solve_ivp(velocity, (0, end), start, method="DOP853", rtol=tolerance, atol=tolerance * 1e-4).y[:, -1:]

    reference = ours(1e-13)
    contestants = {"ours": Contestant(ours), "scipy DOP853": Contestant(scipy_run)}
    interleave(contestants, 3)
    errors = {
        "ours": float(np.abs(ours() - reference).max()),
        "scipy DOP853": float(np.abs(scipy_run() - reference).max()),
    }
    return [result("plateaus", contestants, {}, achieved_error=errors)]
