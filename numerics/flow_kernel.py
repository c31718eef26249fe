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
from numerics.matrix_kernel import matrix_flow_source
from numerics.matrix_program import count_entries, entry_program, holds_matrices
from numerics.program import straight_line

COMPILED = 'cache=True, nopython=True, error_model="numpy", fastmath={"contract"}'
SIGNATURE = "void(CPointer(float64), CPointer(float64), CPointer(float64), CPointer(float64))"
LANES = 16


@dataclass(frozen=True)
class FlowKernel:
    """Addresses of the compiled formulas; the module is kept so that they stay valid.

    The formulas work in `room` rows after those of the parameters.
    """

    right_side: int
    observe: int
    lanes: int
    room: int
    keep_alive: Any


def flow_source(
    state: Sequence[sp.Basic],
    velocity: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Basic],
    observed: Sequence[sp.Basic],
) -> str:
    """The module text with `right_side` and `observe`, every matrix written out entry by entry."""
    arguments = [*state, *parameters, *([time] if time is not None else [])]
    rows, given = count_entries(state), count_entries(parameters)
    loads = [f"state[{i}, lane]" for i in range(rows)] + [f"parameters[{i}, lane]" for i in range(given)]
    loads += ["time[lane]"] if time is not None else []

    def function(name: str, outputs: Sequence[sp.Basic]) -> list[str]:
        matrices = holds_matrices(outputs, arguments)
        program = entry_program(outputs, arguments) if matrices else straight_line(outputs, arguments)
        lines, results = float_body(program, loads, " " * 8)
        stores = [f"        out[{i}, lane] = {result}" for i, result in enumerate(results)]
        return [
            f'@cfunc("{SIGNATURE}", {COMPILED})',
            f"def {name}(time_pointer, state_pointer, parameter_pointer, out_pointer):",
            "    time = carray(time_pointer, (LANES,))",
            f"    state = carray(state_pointer, ({rows}, LANES))",
            f"    parameters = carray(parameter_pointer, ({max(given, 1)}, LANES))",
            f"    out = carray(out_pointer, ({len(results)}, LANES))",
            "    for lane in range(LANES):",
            *lines,
            *stores,
            "",
        ]

    functions = [*function("right_side", velocity), *(function("observe", observed) if observed else [])]
    return "\n".join([HEADER, f"LANES = {LANES}", "ROOM = 0", "", *functions])


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

    def write() -> str:
        source = matrix_flow_source if holds_matrices(velocity, state) else flow_source
        return source(state, velocity, time, parameters, observed)

    key = formula_key(
        "flow",
        (*velocity, *observed),
        (*state, *parameters),
        str(len(velocity)),
        sp.srepr(time) if time is not None else "",
    )
    module = generated_module(key, write)
    observe = module.observe.address if observed else 0
    return FlowKernel(module.right_side.address, observe, module.LANES, module.ROOM, module)


@cache
def integrator(lanes: int) -> Any:
    """The integrator core for this many lanes, compiled once for all flows."""
    source = integrator_source(lanes)
    return generated_module(content_key(source), lambda: source).integrate_range
