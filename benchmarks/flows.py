"""The two-layer linear model dU/dt = A U - (A U U'U + U U'A U)/2, at equal achieved error."""

from __future__ import annotations

import time
from typing import Any

from measure import Contestant, in_new_process, interleave, result, seconds, tolerance_for  # isort: skip  (sets the threads first)
import numpy as np
import sympy as sp

from numerics import MatrixFlow, integrate

END, WANTED = 8.0, 1e-9
LADDER = [10.0 ** (-k / 6) for k in range(48, 90)]  # fine, so that nobody is charged for accuracy not asked for
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

    def solve(start: Any, tolerance: Any) -> Any:
        return diffrax.diffeqsolve(
            diffrax.ODETerm(velocity), diffrax.Dopri8(), 0.0, END, 0.05, start, max_steps=4096,
            stepsize_controller=diffrax.PIDController(rtol=tolerance, atol=tolerance),
            saveat=diffrax.SaveAt(t1=True), adjoint=diffrax.ForwardMode(),
        ).ys[0]  # fmt: skip

    jitted = jax.jit(jax.vmap(solve, in_axes=(0, None)))
    return lambda tolerance: (
        lambda count: (
            np.asarray(jitted(jnp.asarray(starts[:, :count].T.reshape(count, d, d)), tolerance).block_until_ready())
            .reshape(count, d * d)
            .T
        )
    )


def numba_velocity(d: int) -> Any:
    """The right-hand side as a numba user would write it by hand: loops while the matrices are small, then the BLAS."""
    from numba import njit

    A = np.array(matrix(d), dtype=float)

    @njit(fastmath=True)
    def multiply(a: Any, b: Any, out: Any) -> None:
        for i in range(d):
            for j in range(d):
                out[i, j] = 0.0
            for k in range(d):
                for j in range(d):
                    out[i, j] += a[i, k] * b[k, j]

    @njit(fastmath=True)
    def by_loops(u: Any, out: Any) -> None:
        au, left, right, turned = np.empty((d, d)), np.empty((d, d)), np.empty((d, d)), u.T.copy()
        multiply(A, u, au)
        multiply(turned, u, right)
        multiply(au, right, left)
        multiply(turned, au, right)
        multiply(u, right, out)
        for i in range(d):
            for j in range(d):
                out[i, j] = au[i, j] - 0.5 * (left[i, j] + out[i, j])

    @njit
    def by_blas(u: Any, out: Any) -> None:
        au = np.dot(A, u)
        out[:, :] = au - 0.5 * (np.dot(au, np.dot(u.T, u)) + np.dot(u, np.dot(u.T, au)))

    return by_loops if d <= 8 else by_blas


def numbalsoda_runner(d: int, starts: Any) -> Any:
    from numba import carray, cfunc, njit
    from numbalsoda import dop853, lsoda_sig

    right_side, times, columns = numba_velocity(d), np.array([0.0, END]), np.ascontiguousarray(starts.T)

    @cfunc(lsoda_sig)
    def velocity(_: Any, state: Any, out: Any, __: Any) -> None:
        right_side(carray(state, (d, d)), carray(out, (d, d)))

    @njit
    def solve_all(address: int, count: int, tolerance: float, found: Any) -> None:
        for i in range(count):
            states, _ = dop853(address, columns[i].copy(), times, rtol=tolerance, atol=tolerance)
            found[:, i] = states[-1]

    def make(tolerance: float) -> Any:
        def run(count: int) -> Any:
            found = np.empty((d * d, count))
            solve_all(velocity.address, count, tolerance, found)
            return found

        return run

    return make


def scipy_runner(d: int, starts: Any) -> Any:
    from scipy.integrate import solve_ivp

    velocity = lambdified_velocity(d)

    def make(tolerance: float) -> Any:
        return lambda count: (
            np.array(
                [
                    solve_ivp(velocity, (0, END), starts[:, i], method="DOP853", rtol=tolerance, atol=tolerance).y[
                        :, -1
                    ]
                    for i in range(count)
                ]
            ).T
        )

    return make


RUNNERS = {
    "heyoka batch": heyoka_runner,
    "numbalsoda dop853": numbalsoda_runner,
    "diffrax": diffrax_runner,
    "scipy DOP853 lambdified": scipy_runner,
}
AMOUNTS = {  # trajectories each slow peer integrates in a round; the quick ones take all of them
    2: {"scipy DOP853 lambdified": 30},
    8: {"heyoka batch": 64, "scipy DOP853 lambdified": 6},
    32: {"scipy DOP853 lambdified": 2},
}


def workload(d: int, count: int, quick: bool) -> dict[str, Any]:
    flow, rng = model(d), np.random.default_rng(0)
    starts = rng.normal(size=(d * d, count)) * 0.3 / np.sqrt(d / 2)
    reference = integrate(flow, starts, END, relative=1e-14, absolute=1e-14).final

    def ours(tolerance: float) -> Any:
        return lambda number: (
            integrate(flow, starts[:, :number], END, relative=tolerance, absolute=tolerance, threads=1).final
        )

    def error_of(found: Any) -> float:
        return float(np.abs(found - reference[:, : found.shape[1]]).max())

    contestants: dict[str, Contestant] = {}
    errors: dict[str, float] = {}
    missing: dict[str, str] = {}
    for peer in ("ours", *TARGETS[d]):
        try:
            make = RUNNERS[peer](d, starts) if peer in RUNNERS else ours
        except ImportError as error:
            missing[peer] = f"not installed: {error.name}"
            continue
        amount = min(AMOUNTS[d].get(peer, count), count)
        tolerance, errors[peer] = tolerance_for(
            lambda tol, make=make, number=amount: error_of(make(tol)(number)), WANTED, LADDER
        )
        clock = time.process_time if peer == "diffrax" else time.thread_time
        rounds = 2 if peer.startswith("scipy") else 3
        runner = make(tolerance)
        contestants[peer] = Contestant(
            lambda runner=runner, number=amount: runner(number), amount, None if peer == "ours" else rounds, clock
        )
    interleave(contestants, 3 if quick else 5)
    cold = in_new_process("cold_start.py", str(d))
    return result(
        f"flows d={d}",
        contestants,
        TARGETS[d],
        achieved_error=errors,
        compile_seconds=cold["compile_seconds"],
        start_seconds=cold["start_seconds"],
        missing=missing,
        growth=growth(flow, starts),
    )


def first_result(d: int, name: str = "U") -> None:
    integrate(model(d, name), np.full((d * d, 1), 0.1), 0.1, threads=1)


def compile_seconds(d: int) -> float:
    """Processor seconds until a model never seen before computes."""
    return seconds(lambda: first_result(d, f"U{time.time_ns()}"), time.thread_time)


def growth(flow: MatrixFlow, starts: Any) -> list[dict[str, float]]:
    """Seconds against the number of trajectories and the tolerance; the sizes of the state are those of the results."""

    def spent(count: int, tolerance: float) -> dict[str, float]:
        used = seconds(lambda: integrate(flow, starts[:, :count], END, relative=tolerance, threads=1), time.thread_time)
        return {"trajectories": count, "state": starts.shape[0], "tolerance": tolerance, "seconds": used}

    total = starts.shape[1]
    return [
        *(spent(count, 1e-9) for count in sorted({max(total // 16, 1), max(total // 4, 1), total})),
        *(spent(total, tolerance) for tolerance in (1e-6, 1e-12)),
    ]


def run(quick: bool) -> list[dict[str, Any]]:
    counts = {2: 2000, 8: 64, 32: 4} if quick else {2: 10_000, 8: 512, 32: 8}
    return [workload(d, count, quick) for d, count in counts.items()]
