"""Gradient descent on the quartic, (x^2 - 1)^2 / 4: many starts, a thousand steps each."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import Contestant, interleave, result, seconds  # isort: skip  (sets the threads first)
import numpy as np
import sympy as sp
from numba import njit

from numerics import iterate
from numerics.map_kernel import compile_map
from theory.dynamics import Map

STEPS = 1000

C_SOURCE = """
void descend(double *x, const double *k, long count, long steps) {
    for (long block = 0; block + 32 <= count; block += 32) {
        double state[32], gain[32];
        for (int l = 0; l < 32; l++) { state[l] = x[block + l]; gain[l] = k[block + l]; }
        for (long s = 0; s < steps; s++)
            for (int l = 0; l < 32; l++) state[l] = state[l] * (1.0 + gain[l] - gain[l] * state[l] * state[l]);
        for (int l = 0; l < 32; l++) x[block + l] = state[l];
    }
}
"""


def compiled_c() -> Any:
    folder = Path(tempfile.mkdtemp())
    (folder / "descend.c").write_text(C_SOURCE)
    subprocess.run(
        ["gcc", "-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC", "descend.c", "-o", "descend.so"],
        cwd=folder,
        check=True,
    )
    function = ctypes.CDLL(str(folder / "descend.so")).descend
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_long]
    return function


@njit
def one_at_a_time(x, k, steps):
    for i in range(x.size):
        state = x[i]
        for _ in range(steps):
            state = state - k[i] * (state * state * state - state)
        x[i] = state


def jax_contestant(x: Any, k: Any) -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    def descend(state, gain):
        return jax.lax.fori_loop(0, STEPS, lambda _, s: s - gain * (s**3 - s), state)

    jitted = jax.jit(jax.vmap(descend))
    a, b = jnp.asarray(x), jnp.asarray(k)
    return lambda: jitted(a, b).block_until_ready()


def run(quick: bool) -> list[dict[str, Any]]:
    count = 100_000 if quick else 1_000_000
    x, K = sp.symbols("x K")
    model = Map((x,), (x - K * (x**3 - x),))
    rng = np.random.default_rng(0)
    starts, gains = rng.uniform(-1, 1, count), rng.uniform(0, 1.5, count)
    fresh = sp.Symbol(f"x_{rng.integers(10**12)}_{np.datetime64('now')}")
    own = [(fresh - K * (fresh**3 - fresh))]
    compile_seconds = seconds(lambda: compile_map((fresh,), own, None, (K,)), time.thread_time)
    c_function, buffer = compiled_c(), np.empty(count)

    def in_c() -> None:
        buffer[:] = starts
        c_function(buffer.ctypes.data, gains.ctypes.data, count, STEPS)

    some = count // 10
    lambdified = sp.lambdify((x, K), model.update[0], "numpy")

    def in_numpy() -> None:
        state = starts[:some]
        for _ in range(STEPS):
            state = lambdified(state, gains[:some])

    few = count // 50
    contestants = {
        "ours": Contestant(lambda: iterate(model, {x: starts}, STEPS, parameters={K: gains}, threads=1), count),
        "C with AVX": Contestant(in_c, count),
        "numpy lambdify": Contestant(in_numpy, some, rounds=3),
        "scalar numba": Contestant(lambda: one_at_a_time(starts[:few].copy(), gains[:few], STEPS), few, rounds=3),
    }
    missing: dict[str, str] = {}
    try:
        contestants["JAX"] = Contestant(jax_contestant(starts, gains), count, 5, time.process_time)
    except ImportError as error:
        missing["JAX"] = f"not installed: {error.name}"
    interleave(contestants, 5 if quick else 7)
    ours = iterate(model, {x: starts}, STEPS, parameters={K: gains}, threads=1).final[0]
    in_c()
    calm = (gains < 0.95) & (np.abs(starts) > 1e-3)
    targets = {"C with AVX": 0.8, "numpy lambdify": 20.0, "scalar numba": 15.0, "JAX": 2.5}
    error = float(np.abs(ours - buffer)[calm].max())
    growth = []
    for size in (count // 100, count // 10, count):
        spent = seconds(lambda n=size: iterate(model, {x: starts[:n]}, STEPS, parameters={K: gains[:n]}, threads=1))
        growth.append({"trajectories": size, "seconds": spent})
    return [
        result(
            "maps",
            contestants,
            targets,
            achieved_error=error,
            compile_seconds=compile_seconds,
            missing=missing,
            growth=growth,
        )
    ]
