"""The source text of the right-hand side of a Flow, written out in scalars over a fixed number of lanes."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from numerics.float_source import HEADER, float_body
from numerics.matrix_program import count_entries, entry_program, holds_matrices
from numerics.program import straight_line

COMPILED = 'cache=True, nopython=True, error_model="numpy", fastmath={"contract"}'
SIGNATURE = "void(CPointer(float64), CPointer(float64), CPointer(float64), CPointer(float64))"
LANES = 16


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
