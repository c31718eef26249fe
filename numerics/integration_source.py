"""The text of the adaptive integrator: Dormand-Prince 8(5,3) over lanes of trajectories.

Each lane has its own time, step and error; a lane whose trajectory ends takes up the next one, so that lanes stay
full. The stages are written out from the tableau, because a loop over coefficients would not be vectorised. The
right-hand side is a function pointer; inlining it instead was measured to be slower as well as longer to compile.
"""

from __future__ import annotations

from numerics.integration_control import CONTROL
from numerics.tableau import DENSE, ERROR_FIFTH, ERROR_THIRD, NODES, STAGES, WEIGHTS

MAIN_STAGES = 12


def _combination(coefficients: dict[int, float]) -> str:
    return " + ".join(f"{value!r} * k[{j}, i, l]" for j, value in coefficients.items())


def _sum_loops(target: str, coefficients: dict[int, float], lanes: int) -> list[str]:
    """Loops for target = y + h * combination of stages."""
    if lanes > 1:
        return [
            "for i in range(size):",
            "    for l in range(LANES):",
            f"        {target}[i, l] = y[i, l] + h[l] * ({_combination(coefficients)})",
        ]
    # one lane: the loop over components has to be the vectorised one, with few arrays in each loop
    lines = ["length = h[0]", "base = y.reshape(-1)", f"result = {target}.reshape(-1)"]
    items = list(coefficients.items())
    for first in range(0, len(items), 4):
        group = items[first : first + 4]
        lines += [f"part{place} = k[{j}].reshape(-1)" for place, (j, _) in enumerate(group)]
        terms = " + ".join(f"{value!r} * part{place}[i]" for place, (_, value) in enumerate(group))
        begin = "base[i]" if first == 0 else "result[i]"
        lines += ["for i in range(size):", f"    result[i] = {begin} + length * ({terms})"]
    return lines


def _stage(stage: int, lanes: int) -> str:
    lines = [
        *_sum_loops("trial", STAGES[stage], lanes),
        "for l in range(LANES):",
        f"    moment[l] = t[l] + {NODES[stage]!r} * h[l]",
        f"evaluate(right_side, moment, trial, p, k[{stage}])",
    ]
    return "\n".join("    " + line for line in lines)


HEAD = """\
import numpy as np
from math import nan, sqrt
from numba import njit
from numerics.pointers import call_address

LANES = {lanes}
FINISHED, STOPPED, DIVERGED, UNDEFINED, SINGULAR, STEP_LIMIT, STIFF = 0, 2, 3, 5, 6, 7, 8
OPTIONS = dict(cache=True, error_model="numpy", fastmath={{"contract"}}, nogil=True)
"""

STEP = '''
@njit(**OPTIONS)
def evaluate(right_side, t, y, p, out):
    call_address(right_side, (t.ctypes.data, y.ctypes.data, p.ctypes.data, out.ctypes.data))


@njit(**OPTIONS)
def observe_at(observe, t, y, p, out):
    call_address(observe, (t.ctypes.data, y.ctypes.data, p.ctypes.data, out.ctypes.data))


@njit(**OPTIONS)
def take_stages(right_side, t, h, y, p, k, trial, fresh, moment, size):
    """All stages of one step for every lane; `trial` is left at the argument of the last stage."""
{stages}
{weights}


@njit(**OPTIONS)
def estimate_error(h, y, fresh, k, relative, absolute, size, error, third):
    """The scaled error of each lane (accept when it is at most 1)."""
    for l in range(LANES):
        error[l] = 0.0
        third[l] = 0.0
    for i in range(size):
        for l in range(LANES):
            scale = absolute[l] + relative * max(abs(y[i, l]), abs(fresh[i, l]))
            high = ({fifth}) / scale
            low = ({third}) / scale
            error[l] += high * high
            third[l] += low * low
    for l in range(LANES):
        whole = error[l] + 0.01 * third[l]
        error[l] = abs(h[l]) * error[l] / sqrt(whole * size) if whole != 0.0 else 0.0


@njit(**OPTIONS)
def prepare_dense(right_side, t, h, y, fresh, p, k, trial, moment, dense, size):
    """The coefficients of the 7th-order interpolant of this step."""
    for l in range(LANES):
        moment[l] = t[l] + h[l]
    evaluate(right_side, moment, fresh, p, k[12])
{extra}
    for i in range(size):
        for l in range(LANES):
            change = fresh[i, l] - y[i, l]
            dense[0, i, l] = change
            dense[1, i, l] = h[l] * k[0, i, l] - change
            dense[2, i, l] = 2.0 * change - h[l] * (k[12, i, l] + k[0, i, l])
{dense}


@njit(**OPTIONS)
def interpolate(dense, y, i, l, x):
    """The interpolant of component i of lane l at the fraction x of the step."""
    z = 1.0 - x
    value = dense[3, i, l] + x * (dense[4, i, l] + z * (dense[5, i, l] + x * dense[6, i, l]))
    return y[i, l] + x * (dense[0, i, l] + z * (dense[1, i, l] + x * (dense[2, i, l] + z * value)))


@njit(**OPTIONS)
def add_defect(right_side, x, t, h, y, fresh, p, dense, relative, absolute, trial, slope, moment, size, defect):
    """How badly the interpolant satisfies the differential equation at a fraction of the step, in tolerances."""
    for l in range(LANES):
        moment[l] = t[l] + x * h[l]
    for i in range(size):
        for l in range(LANES):
            trial[i, l] = interpolate(dense, y, i, l, x)
    evaluate(right_side, moment, trial, p, slope)
    z = 1.0 - x
    for l in range(LANES):
        total = 0.0
        for i in range(size):
            value, rate = dense[6, i, l], 0.0
            for j in range(5, -2, -1):
                if j % 2 == 1:
                    rate = rate * x + value
                    value *= x
                else:
                    rate = rate * z - value
                    value *= z
                value += dense[j, i, l] if j >= 0 else 0.0
            scale = absolute[l] + relative * max(abs(y[i, l]), abs(fresh[i, l]))
            total += ((rate - h[l] * slope[i, l]) / scale) ** 2
        defect[l] = max(defect[l], sqrt(total / size))
'''


def integrator_source(lanes: int) -> str:
    """The module text for this many lanes."""
    stages = "\n".join(_stage(s, lanes) for s in range(1, MAIN_STAGES))
    extra = "\n".join(_stage(s, lanes) for s in range(MAIN_STAGES + 1, len(STAGES)))
    dense = "\n".join(f"            dense[{3 + row}, i, l] = h[l] * ({_combination(c)})" for row, c in enumerate(DENSE))
    step = STEP.format(
        stages=stages,
        weights="\n".join("    " + line for line in _sum_loops("fresh", WEIGHTS, lanes)),
        fifth=_combination(ERROR_FIFTH),
        third=_combination(ERROR_THIRD),
        extra=extra,
        dense=dense,
    )
    return HEAD.format(lanes=lanes) + step + CONTROL
