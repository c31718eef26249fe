"""The text of the adaptive integrator: Dormand-Prince 8(5,3) over lanes of trajectories.

Each lane has its own time, step and error; a lane whose trajectory ends takes up the next one, so that lanes stay
full. States, steps and slopes of all lanes are flat arrays, entry i of lane l at i * LANES + l: one long loop for each
stage, written out from the tableau, is what the compiler vectorises. The right-hand side is a function pointer;
inlining it instead was measured to be slower as well as longer to compile.
"""

from __future__ import annotations

from numerics.integration_control import CONTROL
from numerics.tableau import DENSE, ERROR_FIFTH, ERROR_THIRD, NODES, STAGES, WEIGHTS

MAIN_STAGES = 12


def _combination(coefficients: dict[int, float]) -> str:
    return " + ".join(f"{value!r} * k[{j}, e]" for j, value in coefficients.items())


def _sum_loop(target: str, coefficients: dict[int, float]) -> str:
    """The loop for target = y + h * combination of stages."""
    return f"""\
    for e in range(y.size):
        {target}[e] = y[e] + h[e] * ({_combination(coefficients)})"""


def _stage(stage: int) -> str:
    return f"""\
{_sum_loop("trial", STAGES[stage])}
    for l in range(t.size):
        moment[l] = t[l] + {NODES[stage]!r} * h[l]
    evaluate(right_side, moment, trial, p, k[{stage}])"""


HEAD = """\
from math import inf, nan, sqrt
from numba import i8, njit, typeof, void
from numerics.integration_types import example
from numerics.pointers import call_address

LANES = {lanes}
FINISHED, STOPPED, DIVERGED, UNDEFINED, SINGULAR, STEP_LIMIT, STIFF = 0, 2, 3, 5, 6, 7, 8
# the arrays stay with the caller, so nobody counts who holds them: atomic counts cost more than the arithmetic
OPTIONS = dict(cache=True, error_model="numpy", fastmath={{"contract"}}, nogil=True, _nrt=False)
INSIDE = dict(inline="always", **OPTIONS)
"""

STEP = '''
@njit(**OPTIONS)
def evaluate(function, t, y, p, out):
    call_address(function, (t.ctypes.data, y.ctypes.data, p.ctypes.data, out.ctypes.data))


@njit(**OPTIONS)
def take_stages(right_side, t, h, y, p, k, trial, fresh, moment):
    """All stages of one step for every lane; `trial` is left at the argument of the last stage."""
{stages}
{weights}


@njit(**OPTIONS)
def scaled_errors(y, fresh, k, relative, absolute, high, low):
    """The two error estimates of every entry, in tolerances."""
    for e in range(y.size):
        weight = 1.0 / (absolute[e] + relative * max(abs(y[e]), abs(fresh[e])))
        high[e] = ({fifth}) * weight
        low[e] = ({third}) * weight


@njit(**OPTIONS)
def combine_errors(h, high, low, error, third):
    """The error of each lane (accept when it is at most 1)."""
    size, lanes = high.shape
    for l in range(lanes):
        error[l] = 0.0
        third[l] = 0.0
    for i in range(size):
        for l in range(lanes):
            error[l] += high[i, l] * high[i, l]
    for i in range(size):
        for l in range(lanes):
            third[l] += low[i, l] * low[i, l]
    for l in range(lanes):
        whole = error[l] + 0.01 * third[l]
        error[l] = abs(h[l]) * error[l] / sqrt(whole * size) if whole != 0.0 else 0.0


@njit(**OPTIONS)
def prepare_dense(right_side, t, h, y, fresh, p, k, trial, moment, dense):
    """The coefficients of the 7th-order interpolant of this step."""
    for l in range(t.size):
        moment[l] = t[l] + h[l]
    evaluate(right_side, moment, fresh, p, k[12])
{extra}
    for e in range(y.size):
        change = fresh[e] - y[e]
        dense[0, e] = change
        dense[1, e] = h[e] * k[0, e] - change
        dense[2, e] = 2.0 * change - h[e] * (k[12, e] + k[0, e])
{dense}


@njit(**OPTIONS)
def interpolate(dense, y, e, x):
    """The interpolant of an entry at the fraction x of the step."""
    z = 1.0 - x
    value = dense[3, e] + x * (dense[4, e] + z * (dense[5, e] + x * dense[6, e]))
    return y[e] + x * (dense[0, e] + z * (dense[1, e] + x * (dense[2, e] + z * value)))


@njit(**OPTIONS)
def interpolant_slope(dense, e, x):
    """The derivative of the interpolant of an entry by the fraction of the step."""
    z = 1.0 - x
    value, rate = dense[6, e], 0.0
    for j in range(5, -2, -1):
        if j % 2 == 1:
            rate = rate * x + value
            value *= x
        else:
            rate = rate * z - value
            value *= z
        value += dense[j, e] if j >= 0 else 0.0
    return rate


@njit(**OPTIONS)
def add_defect(right_side, x, t, h, y, fresh, p, dense, relative, absolute, trial, slope, moment, defect):
    """How badly the interpolant satisfies the differential equation at a fraction of the step, in tolerances."""
    for l in range(LANES):
        moment[l] = t[l] + x * h[l]
    for e in range(y.size):
        trial[e] = interpolate(dense, y, e, x)
    evaluate(right_side, moment, trial, p, slope)
    for l in range(LANES):
        total = 0.0
        for e in range(l, y.size, LANES):
            scale = absolute[e] + relative * max(abs(y[e]), abs(fresh[e]))
            total += ((interpolant_slope(dense, e, x) - h[e] * slope[e]) / scale) ** 2
        defect[l] = max(defect[l], sqrt(total * LANES / y.size))
'''


def integrator_source(lanes: int) -> str:
    """The module text for this many lanes."""
    step = STEP.format(
        stages="\n".join(_stage(s) for s in range(1, MAIN_STAGES)),
        weights=_sum_loop("fresh", WEIGHTS),
        fifth=_combination(ERROR_FIFTH),
        third=_combination(ERROR_THIRD),
        extra="\n".join(_stage(s) for s in range(MAIN_STAGES + 1, len(STAGES))),
        dense="\n".join(f"        dense[{3 + row}, e] = h[e] * ({_combination(c)})" for row, c in enumerate(DENSE)),
    )
    return HEAD.format(lanes=lanes) + step + CONTROL
