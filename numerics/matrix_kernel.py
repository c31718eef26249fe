"""Matrix formulas as kernels: written out as scalars while they are small, kept as matrix products above a threshold.

Up to a middle size several matrices lie side by side in lanes; large ones go through the BLAS, one at a time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from numerics.float_source import HEADER, OPTIONS, float_body, float_source
from numerics.flow_source import COMPILED, SIGNATURE, flow_source
from numerics.lane_products import LANES
from numerics.matrix_program import MatrixInstruction, MatrixProgram, count_entries, entry_program
from numerics.program import straight_line
from theory.errors import LemmascopeError

MOST_SCALAR_ENTRIES = 9
LARGE = 16  # matrices with more rows than this go through the BLAS, one lane at a time
IMPORTS = "import numpy as np\nfrom numerics.lane_products import multiply"


def is_small(arguments: Sequence[sp.Basic]) -> bool:
    """Whether the matrices are better written out as scalars."""
    return count_entries([a for a in arguments if isinstance(a, sp.MatrixSymbol)]) <= MOST_SCALAR_ENTRIES


def lanes_for(arguments: Sequence[sp.Basic]) -> int:
    """One lane for large matrices, several otherwise."""
    sizes = [max(a.shape) for a in arguments if isinstance(a, sp.MatrixSymbol)]
    return 1 if max(sizes, default=0) > LARGE else LANES


@dataclass(frozen=True)
class Place:
    """Where a matrix lies: the first of its rows in an array of rows by lanes, and whether it is read transposed."""

    array: str
    row: int
    transposed: bool = False

    def entry(self, rows: int, columns: int) -> str:
        """Entry i, j of the matrix in this lane; it has these rows and columns as it is read."""
        index = f"j * {rows} + i" if self.transposed else f"i * {columns} + j"
        return f"{self.array}[{self.row} + {index}, lane]"

    @property
    def flat_entry(self) -> str:
        """Number e of all entries of all lanes."""
        return f"{self.array}_flat[{self.row * LANES} + e]"


def _number(coefficient: sp.Basic, scalars: dict[sp.Basic, str]) -> str:
    """A scalar formula as one expression."""
    program = straight_line([coefficient], list(scalars))
    lines, results = float_body(program, list(scalars.values()), "")
    text = dict(line.split(" = ", 1) for line in lines)
    result = results[0]
    while names := set(re.findall(r"\br\d+\b", result)):
        for name in sorted(names, key=len, reverse=True):
            result = re.sub(rf"\b{name}\b", f"({text[name]})", result)
    return result


def _entry_body(instruction: MatrixInstruction, entries: Sequence[str], scalars: dict[sp.Basic, str]) -> str:
    """One entry of an instruction that treats all entries alike."""
    match instruction.operation:
        case "sum":
            terms = zip(instruction.detail, entries, strict=True)
            return " + ".join(entry if c == 1 else f"{_number(c, scalars)} * {entry}" for c, entry in terms)
        case "entrywise":
            return " * ".join(entries)
        case "apply":
            symbol = sp.Dummy("entry")
            return _number(instruction.detail(symbol), {**scalars, symbol: entries[0]})
        case _:
            name = type(instruction.detail).__name__
            raise LemmascopeError(
                f"Matrix kernels have no {name} of this size: use products, sums and transposes of MatrixSymbols."
            )


def _loops(rows: int, columns: int, target: str, body: str) -> list[str]:
    return [
        f"    for i in range({rows}):",
        f"        for j in range({columns}):",
        "            for lane in range(LANES):",
        f"                {target} = {body}",
    ]


@dataclass
class LaneWriter:
    """Writes a matrix program for several lanes; results that are not outputs go to `room`."""

    program: MatrixProgram
    places: list[Place]
    heads: list[str]
    lines: list[str]
    rows_used: int = 0

    def write(self, outputs: dict[int, int], scalars: dict[sp.Basic, str], sources: dict[sp.Basic, Place]) -> None:
        """All instructions; `outputs` says for a register at which row of `out` it is wanted."""
        for register, instruction in enumerate(self.program.instructions):
            rows, columns = instruction.shape
            if instruction.operation == "source":
                self.places.append(sources[instruction.detail])
            elif instruction.operation == "transpose":
                place = self.places[instruction.operands[0]]
                self.places.append(Place(place.array, place.row, not place.transposed))
            elif instruction.operation == "constant":
                self.places.append(self._constant(instruction.detail))
            else:
                self.places.append(self._new_place(outputs.get(register), rows * columns))
                self.lines += self._computation(register, instruction, scalars)
        for register, row in outputs.items():
            rows, columns = self.program.instructions[register].shape
            if self.places[register] != Place("out", row):
                found = self.places[register].entry(rows, columns)
                self.lines += _loops(rows, columns, Place("out", row).entry(rows, columns), found)

    def _new_place(self, wanted: int | None, entries: int) -> Place:
        if wanted is not None:
            return Place("out", wanted)
        self.rows_used += entries
        return Place("room", self.rows_used - entries)

    def _constant(self, matrix: sp.MatrixBase) -> Place:
        name = f"constant{len(self.heads) // 2}"
        numbers = [float(entry) for entry in matrix]
        self.heads.append(f"{name}_flat = np.repeat(np.array({numbers!r}), LANES)")
        self.heads.append(f"{name} = {name}_flat.reshape(-1, LANES)")
        return Place(name, 0)

    def _computation(self, register: int, instruction: MatrixInstruction, scalars: dict[sp.Basic, str]) -> list[str]:
        (rows, columns), target = instruction.shape, self.places[register]
        if instruction.operation != "product":
            return self._entry_loops(rows, columns, target, instruction, scalars)
        inner = self.program.instructions[instruction.operands[0]].shape[1]
        left, right = (self.places[o] for o in instruction.operands)
        steps = [
            f"{_address(place)}, {1 if place.transposed else width}, {height if place.transposed else 1}"
            for place, height, width in ((left, rows, inner), (right, inner, columns))
        ]
        return [f"    multiply({steps[0]}, {steps[1]}, {_address(target)}, {rows}, {inner}, {columns})"]

    def _entry_loops(
        self, rows: int, columns: int, target: Place, instruction: MatrixInstruction, scalars: dict[sp.Basic, str]
    ) -> list[str]:
        """One long loop over all entries of all lanes where it can be, because only that is vectorised."""
        operands = [self.places[o] for o in instruction.operands]
        flat = _entry_body(instruction, [place.flat_entry for place in operands], scalars)
        if "lane]" not in flat and not any(place.transposed for place in operands):
            return [f"    for e in range({rows * columns * LANES}):", f"        {target.flat_entry} = {flat}"]
        body = _entry_body(instruction, [place.entry(rows, columns) for place in operands], scalars)
        return _loops(rows, columns, target.entry(rows, columns), body)


def _flat_views(*arrays: str) -> list[str]:
    return [f"    {array}_flat = {array}.reshape(-1)" for array in arrays]


def _address(place: Place) -> str:
    return f"{place.array}.ctypes.data + {8 * LANES * place.row}"


def _blas_lines(
    program: MatrixProgram, sources: dict[sp.Basic, Place], scalars: dict[sp.Basic, str]
) -> tuple[list[str], list[str]]:
    """Constants, and each instruction on whole matrices of a single lane."""
    heads: list[str] = []
    lines: list[str] = []
    for register, instruction in enumerate(program.instructions):
        (rows, columns), operands, name = instruction.shape, instruction.operands, f"m{register}"
        match instruction.operation:
            case "source":
                place = sources[instruction.detail]
                piece = f"{place.array}.reshape(-1)[{place.row}:{place.row + rows * columns}]"
                lines.append(f"    {name} = {piece}.reshape(({rows}, {columns}))")
            case "constant":
                numbers = [[float(v) for v in row] for row in instruction.detail.tolist()]
                heads.append(f"constant{register} = np.array({numbers!r})")
                lines.append(f"    {name} = constant{register}")
            case "transpose":
                lines.append(f"    {name} = m{operands[0]}.T")
            case "product":
                lines.append(f"    {name} = np.dot(m{operands[0]}, m{operands[1]})")
            case _:
                body = _entry_body(instruction, [f"m{o}[i, j]" for o in operands], scalars)
                lines.append(f"    {name} = np.empty(({rows}, {columns}))")
                lines += _loops(rows, columns, f"{name}[i, j]", body)
    return heads, lines


@dataclass(frozen=True)
class MatrixBody:
    """Module-level constants, the lines that compute `out`, and how many rows of `room` they need."""

    heads: list[str]
    lines: list[str]
    room: int


def matrix_body(
    outputs: Sequence[sp.Basic], sources: dict[sp.Basic, Place], scalars: dict[sp.Basic, str], lanes: int
) -> MatrixBody:
    """The body of a kernel from arguments (rows by lanes) to `out` (rows by lanes)."""
    program = MatrixProgram(tuple(sources))
    lowered = [program.lower(o) if isinstance(o, sp.MatrixExpr | sp.MatrixBase) else None for o in outputs]
    rows = [count_entries(outputs[:place]) for place in range(len(outputs))]
    wanted = {register: row for register, row in zip(lowered, rows, strict=True) if register is not None}
    if lanes == 1:
        heads, lines = _blas_lines(program, sources, scalars)
        room = 0
    else:
        writer = LaneWriter(program, [], [], [])
        writer.write(wanted, scalars, sources)
        heads, lines, room = writer.heads, writer.lines, writer.rows_used
    for output, register, row in zip(outputs, lowered, rows, strict=True):
        if register is None:
            lines += ["    for lane in range(LANES):", f"        out[{row}, lane] = {_number(output, scalars)}"]
        elif lanes == 1 or wanted[register] != row:
            shape = program.instructions[register].shape
            found = f"m{register}[i, j]" if lanes == 1 else Place("out", wanted[register]).entry(*shape)
            lines += _loops(*shape, Place("out", row).entry(*shape), found)
    return MatrixBody(heads, lines, room)


def _locations(arguments: Sequence[sp.Basic], array: str) -> tuple[dict[sp.Basic, Place], dict[sp.Basic, str]]:
    """Where matrix and scalar arguments are found in an array of rows by lanes."""
    matrices: dict[sp.Basic, Place] = {}
    scalars: dict[sp.Basic, str] = {}
    for place, argument in enumerate(arguments):
        row = count_entries(arguments[:place])
        if isinstance(argument, sp.MatrixSymbol):
            matrices[argument] = Place(array, row)
        else:
            scalars[argument] = f"{array}[{row}, lane]"
    return matrices, scalars


def matrix_float_source(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> str:
    """The source of a float64 kernel for matrix formulas."""
    if is_small(arguments):
        return float_source(entry_program(outputs, arguments))
    lanes, rows, results = lanes_for(arguments), count_entries(arguments), count_entries(outputs)
    body = matrix_body(outputs, *_locations(arguments, "block"), lanes)
    signature = "float64[:, ::1], float64[:, ::1]"
    return "\n".join(
        [
            HEADER,
            IMPORTS,
            f"LANES = {lanes}",
            *body.heads,
            "",
            f'@njit("void({signature}, float64[:, ::1])", {OPTIONS})',
            "def on_lanes(block, out, room):",
            *_flat_views("block", "out", "room"),
            *body.lines,
            "",
            f'@njit("void({signature})", {OPTIONS})',
            "def evaluate(points, values):",
            f"    block, out = np.zeros(({rows}, LANES)), np.zeros(({results}, LANES))",
            f"    room = np.zeros(({max(body.room, 1)}, LANES))",
            "    for first in range(0, points.shape[1], LANES):",
            "        count = min(LANES, points.shape[1] - first)",
            f"        for row in range({rows}):",
            "            for lane in range(count):",
            "                block[row, lane] = points[row, first + lane]",
            "        on_lanes(block, out, room)",
            f"        for row in range({results}):",
            "            for lane in range(count):",
            "                values[row, first + lane] = out[row, lane]",
            "",
        ]
    )


def matrix_flow_source(
    state: Sequence[sp.Basic],
    velocity: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Basic],
    observed: Sequence[sp.Basic],
) -> str:
    """The source of a right-hand side for matrix flows."""
    if is_small(state):
        return flow_source(state, velocity, time, parameters, observed)
    lanes, rows, given = lanes_for([*state, *parameters]), count_entries(state), count_entries(parameters)
    matrices, scalars = _locations(state, "state")
    more_matrices, more_scalars = _locations(parameters, "parameters")
    scalars |= more_scalars | ({time: "time[lane]"} if time is not None else {})
    modules: list[str] = []
    room = 0
    for name, outputs in (("right_side", velocity), *((("observe", observed),) if observed else ())):
        body = matrix_body(outputs, matrices | more_matrices, scalars, lanes)
        room = max(room, body.room)
        own = [re.sub(r"\bconstant(?=\d)", f"{name}_constant", line) for line in (*body.heads, "", *body.lines)]
        cut = own.index("")
        modules += [
            *own[: cut + 1],
            f'@cfunc("{SIGNATURE}", {COMPILED})',
            f"def {name}(time_pointer, state_pointer, parameter_pointer, out_pointer):",
            "    time = carray(time_pointer, (LANES,))",
            f"    state = carray(state_pointer, ({rows}, LANES))",
            f"    parameters = carray(parameter_pointer, ({given + body.room}, LANES))",
            f"    room = parameters[{given}:]",
            f"    out = carray(out_pointer, ({count_entries(outputs)}, LANES))",
            *_flat_views("state", "parameters", "room", "out"),
            *own[cut + 1 :],
            "",
        ]
    return "\n".join([HEADER, IMPORTS, f"LANES = {lanes}", f"ROOM = {room}", "", *modules])
