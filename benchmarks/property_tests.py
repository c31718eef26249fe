"""Trajectories checked per second by a property test: one compiled batch per example against one trajectory."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from measure import Contestant, interleave, result
from scipy.integrate import solve_ivp

from numerics import integrate
from theory.dynamics import Flow

BATCH = 4096


def run(quick: bool) -> list[dict[str, Any]]:
    examples = 10 if quick else 30
    u, v = sp.symbols("u v")
    flow = Flow((u, v), (v * (1 - u * v), u * (1 - u * v)))
    velocity = sp.lambdify([(u, v)], list(flow.velocity), "numpy")
    options = settings(
        max_examples=examples, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )

    @options
    @given(seed=st.integers(0, 2**32 - 1))
    def batched(seed: int) -> None:
        starts = np.random.default_rng(seed).uniform(0.1, 1.5, size=(2, BATCH))
        ours = integrate(flow, starts, 5.0, relative=1e-8, watch=[u**2 - v**2], threads=1)
        drift = ours.watched[0].highest - ours.watched[0].lowest
        assert (drift < 1e-5).all()

    @options
    @given(a=st.floats(0.1, 1.5), b=st.floats(0.1, 1.5))
    def single(a: float, b: float) -> None:
        path = solve_ivp(lambda _, z: velocity(z), (0, 5), [a, b], method="DOP853", rtol=1e-8, atol=1e-9).y
        drift = path[0] ** 2 - path[1] ** 2
        assert drift.max() - drift.min() < 1e-5

    contestants = {
        "ours": Contestant(batched, examples * BATCH),
        "one solve_ivp trajectory per example": Contestant(single, examples),
    }
    interleave(contestants, 3)
    return [result("property-tests", contestants, {"one solve_ivp trajectory per example": 500.0})]
