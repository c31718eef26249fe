"""The right-hand side of a Flow, and what is observed along it, as C functions over a fixed number of lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import sympy as sp

from numerics.cache import content_key, generated_module
from numerics.float_kernel import HEADER, float_body, formula_key
from numerics.integration_source import integrator_source
from numerics.program import straight_line

COMPILED = 'cache=True, nopython=True, error_model="numpy", fastmath={"contract"}'
SIGNATURE = "void(CPointer(float64), CPointer(float64), CPointer(float64), CPointer(float64))"
LANES = 16


@dataclass(frozen=True)
class FlowKernel:
    """Addresses of the compiled formulas; the module is kept so that they stay valid."""

    right_side: int
    observe: int
    lanes: int
    keep_alive: Any


def _lane_function(
    name: str, outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic], loads: Sequence[str], setup: Sequence[str]
) -> list[str]:
    lines, results = float_body(straight_line(outputs, arguments), loads, " " * 8)
    stores = [f"        out[{i}, lane] = {result}" for i, result in enumerate(results)]
    body = [*lines, *stores] or ["        pass"]
    return [
        f'@cfunc("{SIGNATURE}", {COMPILED})',
        f"def {name}(time_pointer, state_pointer, parameter_pointer, out_pointer):",
        *setup,
        "    for lane in range(LANES):",
        *body,
        "",
    ]


def flow_source(
    state: Sequence[sp.Basic],
    velocity: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Symbol],
    observed: Sequence[sp.Basic],
    lanes: int,
) -> str:
    """The module text with `right_side` and `observe`."""
    arguments = [*state, *parameters, *([time] if time is not None else [])]
    loads = [f"state[{i}, lane]" for i in range(len(state))]
    loads += [f"parameters[{i}, lane]" for i in range(len(parameters))]
    loads += ["time[lane]"] if time is not None else []

    def setup(rows: int) -> list[str]:
        return [
            "    time = carray(time_pointer, (LANES,))",
            f"    state = carray(state_pointer, ({len(state)}, LANES))",
            f"    parameters = carray(parameter_pointer, ({max(len(parameters), 1)}, LANES))",
            f"    out = carray(out_pointer, ({max(rows, 1)}, LANES))",
        ]

    return "\n".join(
        [
            HEADER,
            f"LANES = {lanes}",
            "",
            *_lane_function("right_side", velocity, arguments, loads, setup(len(velocity))),
            *(_lane_function("observe", observed, arguments, loads, setup(len(observed))) if observed else []),
        ]
    )


def compile_flow(
    state: Sequence[sp.Basic],
    velocity: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Symbol],
    observed: Sequence[sp.Basic] = (),
) -> FlowKernel:
    """Compile a Flow's right-hand side and observed quantities, or find them in the cache."""
    return _compiled(tuple(state), tuple(velocity), time, tuple(parameters), tuple(observed))


@lru_cache(maxsize=512)
def _compiled(
    state: tuple[sp.Basic, ...],
    velocity: tuple[sp.Basic, ...],
    time: sp.Symbol | None,
    parameters: tuple[sp.Basic, ...],
    observed: tuple[sp.Basic, ...],
) -> FlowKernel:
    from numerics.matrix_kernel import holds_matrices, matrix_flow_source

    matrices = holds_matrices(velocity, state)
    lanes = LANES

    def write() -> str:
        if matrices:
            return matrix_flow_source(state, velocity, time, parameters, observed, lanes)
        return flow_source(state, velocity, time, parameters, observed, lanes)

    key = formula_key(
        "flow",
        (*velocity, *observed),
        (*state, *parameters),
        str(len(velocity)),
        sp.srepr(time) if time is not None else "",
    )
    module = generated_module(key, write)
    observe = module.observe.address if observed else 0
    return FlowKernel(module.right_side.address, observe, module.LANES, module)


@cache
def integrator(lanes: int) -> Any:
    """The integrator core for this many lanes, compiled once for all flows."""
    source = integrator_source(lanes)
    return generated_module(content_key(source), lambda: source).integrate_range
