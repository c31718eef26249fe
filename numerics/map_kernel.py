"""The step of a Map as a C function over a block of lanes, with what is watched along the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from numerics.cache import generated_module
from numerics.float_source import HEADER, float_body, formula_key
from numerics.program import Instruction, Program, straight_line
from theory.errors import LemmascopeError

BLOCK = 256
ROUND = 32  # active lanes are rounded up to this, so that every lane takes the same vectorised path
AT_ONCE = 3  # steps taken between a load and a store, where the step is so short that these would cost more than it
SHORT = 16  # instructions
SUMS = frozenset({"add", "subtract"})

COMPILED = 'cache=True, nopython=True, error_model="numpy", fastmath={"contract"}'
SIGNATURE = "void(CPointer(float64), CPointer(float64), int64, int64, int64, CPointer(float64))"

Noise = str | tuple[str, int]


@dataclass(frozen=True)
class MapKernel:
    """Addresses of the compiled step and of the observation of the last state."""

    advance: int
    observe: int
    keep_alive: Any


def margin(watched: sp.Basic) -> tuple[sp.Basic, str]:
    """How far a relation is from violation, and the comparison that means violation.

    >>> from sympy.abc import x
    >>> margin(x < 1)
    (1 - x, '<=')
    """
    if isinstance(watched, sp.StrictLessThan | sp.LessThan):
        return watched.rhs - watched.lhs, "<=" if isinstance(watched, sp.StrictLessThan) else "<"
    if isinstance(watched, sp.StrictGreaterThan | sp.GreaterThan):
        return watched.lhs - watched.rhs, "<=" if isinstance(watched, sp.StrictGreaterThan) else "<"
    if isinstance(watched, Relational) or watched.is_Boolean:
        raise LemmascopeError(f"{watched} cannot be watched: give an inequality or an expression.")
    return watched, "<"


def _noise_load(kind: Noise, slot: int, trajectory_row: int) -> str:
    place = f"seed, int(parameters[{trajectory_row}, lane]), step, {slot}"
    if kind in {"uniform", "normal"}:
        return f"{kind}({place})"
    if isinstance(kind, tuple) and kind[0] == "index" and kind[1] > 0:
        return f"float(index({place}, {int(kind[1])}))"
    raise LemmascopeError(f'Noise {kind!r} is unknown: use "uniform", "normal" or ("index", size).')


def _observe_lines(values: Sequence[str], comparisons: Sequence[str], indent: str) -> list[str]:
    lines = []
    for i, (value, comparison) in enumerate(zip(values, comparisons, strict=True)):
        violated = f"{value} < 0.0 or {value} != {value}" if comparison == "<" else f"not {value} > 0.0"
        lines += [
            f"{indent}low, high, first_bad = watch[{3 * i}, lane], watch[{3 * i + 1}, lane], watch[{3 * i + 2}, lane]",
            f"{indent}watch[{3 * i}, lane] = low if low <= {value} else {value}",
            f"{indent}watch[{3 * i + 1}, lane] = high if high >= {value} else {value}",
            f"{indent}watch[{3 * i + 2}, lane] = min(first_bad, float(step)) if {violated} else first_bad",
        ]
    return lines


def _hoisted(program: Program, lines: Sequence[str], fixed: range) -> tuple[list[str], list[str]]:
    """What depends on parameters only is computed once before the steps, and only loaded within them."""
    alone: set[int] = set()
    for register, instruction in enumerate(program.instructions):
        given = instruction.operation == "argument" and instruction.value in fixed
        computed = instruction.operation != "argument" and all(o in alone for o in instruction.operands)
        if given or computed:
            alone.add(register)
    texts = {int(line.split(" = ", 1)[0].strip()[1:]): line for line in lines}
    used = {o for r, i in enumerate(program.instructions) if r not in alone for o in i.operands} | set(program.outputs)
    kept = [r for r in texts if r in alone and r in used and program.instructions[r].operation != "argument"]
    if not kept:
        return [], list(lines)
    ahead = [texts[r][4:] for r in texts if r in alone]
    stores = [f"        fixed[{place}, lane] = r{r}" for place, r in enumerate(kept)]
    loads = {r: f"            r{r} = fixed[{place}, lane]" for place, r in enumerate(kept)}
    needed = {r for r in texts if r not in alone or (r in used and r not in loads)}
    inside = [loads.get(r, line) for r, line in texts.items() if r in needed or r in loads]
    return [f"    fixed = np.empty(({len(kept)}, {BLOCK}))", "    for lane in range(lanes):", *ahead, *stores], inside


def _steps_at_once(program: Program, states: int) -> int:
    """Several steps if they are short and no sum of one step can be fused with a product of the step before.

    A fused product is rounded differently, and the same step must give the same bits however it is reached.
    """
    products = {i for i, o in enumerate(program.outputs[:states]) if program.instructions[o].operation not in SUMS}
    fusible = any(
        instruction.operation in SUMS
        and any(_is_argument(program.instructions[o], products) for o in instruction.operands)
        for instruction in program.instructions
    )
    return 1 if fusible or len(program.instructions) > SHORT else AT_ONCE


def _is_argument(instruction: Instruction, among: set[int]) -> bool:
    return instruction.operation == "argument" and instruction.value in among


def _stepping_loops(
    states: int, body: Sequence[str], watched: Sequence[str], results: Sequence[str], at_once: int
) -> list[str]:
    """Loops over steps and lanes: the odd steps one by one, then `at_once` together."""
    inside = " " * 12
    load = [f"{inside}x{i} = state[{i}, lane]" for i in range(states)]
    step = [*body, *watched, f"{inside}{', '.join(f'x{i}' for i in range(states))} = {', '.join(results)}"]
    store = [f"{inside}state[{i}, lane] = x{i}" for i in range(states)]
    lanes = "        for lane in range(lanes):"
    if at_once == 1:
        return ["    for step in range(first, first + steps):", lanes, *load, *step, *store]
    return [
        f"    for step in range(steps % {at_once}):",
        *(lanes, *load, *step, *store),
        f"    for step in range(steps // {at_once}):",
        *(lanes, *load, *(step * at_once), *store),
    ]


def map_source(
    state: Sequence[sp.Symbol],
    update: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Symbol],
    watch: Sequence[sp.Basic],
    noise: Mapping[sp.Symbol, Noise],
) -> str:
    """The module text: `advance` steps a block in place, `observe` looks at its current state."""
    margins, comparisons = [margin(w)[0] for w in watch], [margin(w)[1] for w in watch]
    arguments = [*state, *parameters, *noise, *([time] if time is not None else [])]
    given = [f"parameters[{i}, lane]" for i in range(len(parameters))]
    given += [_noise_load(kind, slot, len(parameters)) for slot, kind in enumerate(noise.values())]
    given += ["float(step)"] if time is not None else []
    program = straight_line([*update, *margins], arguments)
    lines, results = float_body(program, [*(f"x{i}" for i in range(len(state))), *given], " " * 12)
    before_loop, lines = _hoisted(program, lines, range(len(state), len(state) + len(parameters)))
    plain = not watch and not noise and time is None
    loops = _stepping_loops(
        len(state),
        lines,
        _observe_lines(results[len(state) :], comparisons, " " * 12),
        results[: len(state)],
        _steps_at_once(program, len(state)) if plain else 1,
    )
    looking = straight_line(margins, arguments)
    look_lines, look_results = float_body(looking, [*(f"state[{i}, lane]" for i in range(len(state))), *given], " " * 8)

    def function(name: str, body: Sequence[str]) -> list[str]:
        return [
            f'@cfunc("{SIGNATURE}", {COMPILED})',
            f"def {name}(state_pointer, parameter_pointer, first, steps, lanes, watch_pointer):",
            f"    state = carray(state_pointer, ({len(state)}, {BLOCK}))",
            f"    parameters = carray(parameter_pointer, ({len(parameters) + 1}, {BLOCK}))",
            f"    watch = carray(watch_pointer, ({3 * len(watch) + 1}, {BLOCK}))",
            *(["    seed = int(watch[-1, 0])"] if noise else []),
            *body,
            "",
        ]

    look = ["    step = first", "    for lane in range(lanes):", *look_lines]
    look += _observe_lines(look_results, comparisons, " " * 8)
    imports = [HEADER, "import numpy as np", "from numerics.random_numbers import index, normal, uniform", ""]
    observing = function("observe", look) if watch else []
    return "\n".join([*imports, *function("advance", [*before_loop, *loops]), *observing])


def compile_map(
    state: Sequence[sp.Symbol],
    update: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Symbol],
    watch: Sequence[sp.Basic] = (),
    noise: Mapping[sp.Symbol, Noise] | None = None,
) -> MapKernel:
    """Compile the step of a Map, or find it in the cache."""
    return _compiled(tuple(state), tuple(update), time, tuple(parameters), tuple(watch), tuple((noise or {}).items()))


@lru_cache(maxsize=512)
def _compiled(
    state: tuple[sp.Symbol, ...],
    update: tuple[sp.Basic, ...],
    time: sp.Symbol | None,
    parameters: tuple[sp.Symbol, ...],
    watch: tuple[sp.Basic, ...],
    drawn: tuple[tuple[sp.Symbol, Noise], ...],
) -> MapKernel:
    noise = dict(drawn)
    parts = (*update, *watch)
    key = formula_key(
        "map", parts, (*state, *parameters), str(len(update)), sp.srepr(time) if time is not None else "", repr(noise)
    )
    module = generated_module(key, lambda: map_source(state, update, time, parameters, watch, noise))
    return MapKernel(module.advance.address, module.observe.address if watch else 0, module)
