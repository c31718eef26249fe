"""The two-layer linear model dU/dt = A U - (A U U'U + U U'A U)/2, at equal achieved error."""

from __future__ import annotations

import time
from typing import Any

from measure import Contestant, interleave, result, seconds, tolerance_for  # isort: skip  (sets the threads first)
import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from numerics import MatrixFlow, integrate

END, WANTED = 8.0, 1e-9
LADDER = [10.0 ** (-k / 2) for k in range(15, 27)]
TARGETS = {
    2: {"heyoka batch": 2.0, "numbalsoda dop853": 6.0, "diffrax": 25.0, "scipy DOP853 lambdified": 1000.0},
    8: {"heyoka batch": 6.0, "numbalsoda dop853": 2.5, "diffrax": 12.0, "scipy DOP853 lambdified": 500.0},
    32: {"numbalsoda dop853": 1.2, "diffrax": 3.0, "scipy DOP853 lambdified": 5.0},
}


def matrix(d: int) -> sp.ImmutableMatrix:
    return sp.ImmutableMatrix(
        d, d, lambda i, j: sp.Rational(d - i, d) + 1 if i == j else sp.Rational(1, 8 * (1 + abs(i - j)))
    )


def model(d: int, name: str = "U") -> MatrixFlow:
    U, A, half = sp.MatrixSymbol(name, d, d), matrix(d), sp.Rational(1, 2)
    return MatrixFlow((U,), (A * U - half * A * U * U.T * U - half * U * U.T * A * U,))


def lambdified_velocity(d: int) -> Any:
    if d > 8:
        flow = model(d)
        products = sp.lambdify(flow.state, flow.velocity[0], "numpy")
        return lambda _, flat: products(flat.reshape(d, d)).ravel()
    U = sp.Matrix(d, d, sp.symbols(f"u:{d * d}"))
    A = sp.Matrix(matrix(d))
    right = A * U - (A * (U * (U.T * U)) + U * (U.T * (A * U))) / 2
    function = sp.lambdify([list(U)], list(right), "numpy", cse=True)
    return lambda _, flat: np.array(function(flat))


def heyoka_runner(d: int, starts: Any) -> Any:
    import heyoka as hy

    names = hy.make_vars(*[f"u{i}" for i in range(d * d)])
    u = np.array(names, dtype=object).reshape(d, d)
    A = np.array(matrix(d), dtype=float)
    au = np.array([[hy.sum([hy.expression(float(A[i, k])) * u[k, j] for k in range(d)]) for j in range(d)]
                   for i in range(d)])  # fmt: skip

    def product(a: Any, b: Any) -> Any:
        return np.array([[hy.sum([a[i, k] * b[k, j] for k in range(d)]) for j in range(d)] for i in range(d)])

    right = au - hy.expression(0.5) * (product(au, product(u.T, u)) + product(u, product(u.T, au)))
    system = list(zip(names, right.ravel(), strict=True))
    batch = 4

    def make(tolerance: float) -> Any:
        integrator = hy.taylor_adaptive_batch(
            system, np.ascontiguousarray(starts[:, :batch]), tol=tolerance, compact_mode=d > 2
        )

        def run(count: int) -> Any:
            out = np.empty((d * d, count))
            for first in range(0, count - batch + 1, batch):
                integrator.set_time(np.zeros(batch))
                integrator.state[:] = starts[:, first : first + batch]
                integrator.propagate_until(END)
                out[:, first : first + batch] = integrator.state
            return out

        return run

    return make


def diffrax_runner(d: int, starts: Any) -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)
    import diffrax
    import jax.numpy as jnp

    A = jnp.asarray(np.array(matrix(d), dtype=float))

    def velocity(_: Any, u: Any, __: Any) -> Any:
        au = A @ u
        return au - 0.5 * (au @ (u.T @ u) + u @ (u.T @ au))

    def make(tolerance: float) -> Any:
        def solve(start: Any) -> Any:
            return diffrax.diffeqsolve(
                diffrax.ODETerm(velocity), diffrax.Dopri8(), 0.0, END, 0.05, start, max_steps=4096,
                stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
                saveat=diffrax.SaveAt(t1=True), adjoint=diffrax.ForwardMode(),
            ).ys[0]  # fmt: skip

        jitted = jax.jit(jax.vmap(solve))
        return lambda count: (
            np.asarray(jitted(jnp.asarray(starts[:, :count].T.reshape(count, d, d))).block_until_ready())
            .reshape(count, d * d)
            .T
        )

    return make


def workload(d: int, count: int, quick: bool) -> dict[str, Any]:
    flow, rng = model(d), np.random.default_rng(0)
    starts = rng.normal(size=(d * d, count)) * 0.3 / np.sqrt(d / 2)
    reference = integrate(flow, starts, END, relative=1e-14, absolute=1e-14).final
    integrate(model(d, "U"), starts[:, :2], END)
    fresh = model(d, f"U{time.time_ns()}")
    compile_seconds = seconds(lambda: integrate(fresh, starts[:, :2], END, threads=1))

    def error_of(found: Any) -> float:
        return float(np.abs(found - reference[:, : found.shape[1]]).max())

    errors: dict[str, float] = {}
    ours, errors["ours"] = tolerance_for(
        lambda tol: error_of(integrate(flow, starts, END, relative=tol, absolute=tol).final), WANTED, LADDER
    )
    contestants = {
        "ours": Contestant(lambda: integrate(flow, starts, END, relative=ours, absolute=ours, threads=1), count)
    }
    few = {2: 30, 8: 6, 32: 2}[d]
    velocity = lambdified_velocity(d)

    def in_scipy(tolerance: float) -> Any:
        columns = [
            solve_ivp(velocity, (0, END), starts[:, i], method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1]
            for i in range(few)
        ]
        return np.array(columns).T

    scipy_tolerance, errors["scipy DOP853 lambdified"] = tolerance_for(
        lambda tol: error_of(in_scipy(tol)), WANTED, LADDER
    )
    contestants["scipy DOP853 lambdified"] = Contestant(lambda: in_scipy(scipy_tolerance), few, rounds=2)
    makers = {"heyoka batch": heyoka_runner, "diffrax": diffrax_runner}
    for peer, maker in makers.items():
        if peer not in TARGETS[d]:
            continue
        try:
            make = maker(d, starts)
        except ImportError:
            continue
        amount = count if peer == "diffrax" else max(4, count // (1 if d == 2 else 4) // 4 * 4)
        tolerance, errors[peer] = tolerance_for(
            lambda tol, make=make, amount=amount: error_of(make(tol)(min(amount, 64))), WANTED, LADDER
        )
        runner = make(tolerance)
        clock = time.process_time if peer == "diffrax" else time.thread_time
        contestants[peer] = Contestant(lambda runner=runner, amount=amount: runner(amount), amount, 3, clock)
    interleave(contestants, 3 if quick else 5)
    growth = [
        {"tolerance": tol, "seconds": seconds(lambda t=tol: integrate(flow, starts, END, relative=t, threads=1))}
        for tol in (1e-6, 1e-9, 1e-12)
    ]
    return result(
        f"flows d={d}",
        contestants,
        TARGETS[d],
        achieved_error=errors,
        compile_seconds=compile_seconds,
        growth=growth,
    )


def run(quick: bool) -> list[dict[str, Any]]:
    counts = {2: 2000, 8: 64, 32: 4} if quick else {2: 10_000, 8: 500, 32: 8}
    return [workload(d, count, quick) for d, count in counts.items()]
