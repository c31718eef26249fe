"""Matrix formulas: written out as scalars while they are small, kept as matrix products above a threshold.

A matrix formula becomes a list of matrix instructions with shared products; the order of each chain of products is
the cheapest one that reuses what is already there. Instructions are written as loops over a few lanes, or, for one
lane of large matrices, as calls to the BLAS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from numerics.float_kernel import HEADER, OPTIONS, float_body
from numerics.program import straight_line
from theory.errors import LemmascopeError

MOST_SCALAR_ENTRIES = 9
LANES = 16
LARGE = 16  # matrices with more rows than this go through the BLAS, one lane at a time


def holds_matrices(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> bool:
    """Whether any argument or output is a matrix."""
    return any(isinstance(item, sp.MatrixExpr | sp.MatrixBase) for item in (*outputs, *arguments))


def entries(items: Sequence[sp.Basic]) -> tuple[sp.Basic, ...]:
    """Every matrix written out entry by entry, row after row."""
    written: list[sp.Basic] = []
    for item in items:
        if isinstance(item, sp.MatrixExpr):
            written.extend(item.as_explicit())
        elif isinstance(item, sp.MatrixBase):
            written.extend(item)
        else:
            written.append(item)
    return tuple(written)


def as_scalars(
    outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]
) -> tuple[tuple[sp.Basic, ...], tuple[sp.Basic, ...]]:
    """Outputs and arguments with every matrix written out."""
    return entries(outputs), entries(arguments)


def is_small(arguments: Sequence[sp.Basic]) -> bool:
    """Whether the matrices are better written out as scalars."""
    return sum(_rows(a) for a in arguments if isinstance(a, sp.MatrixSymbol)) <= MOST_SCALAR_ENTRIES


def _rows(item: sp.Basic) -> int:
    return int(item.shape[0] * item.shape[1]) if isinstance(item, sp.MatrixExpr | sp.MatrixBase) else 1


@dataclass
class MatrixProgram:
    """Matrix instructions in single assignment: (operation, operands, shape, detail)."""

    sources: dict[sp.Basic, str]
    instructions: list[tuple[str, tuple[int, ...], tuple[int, int], Any]] = field(default_factory=list)
    places: dict[Any, int] = field(default_factory=dict)
    chains: dict[tuple[int, ...], int] = field(default_factory=dict)
    constants: list[sp.MatrixBase] = field(default_factory=list)

    def emit(self, operation: str, operands: tuple[int, ...], shape: tuple[int, int], detail: Any = None) -> int:
        """The register of this instruction, shared with an equal earlier one."""
        key = (
            operation,
            operands,
            shape,
            detail if not isinstance(detail, sp.MatrixBase) else sp.ImmutableMatrix(detail),
        )
        if key not in self.places:
            self.places[key] = len(self.instructions)
            self.instructions.append((operation, operands, shape, detail))
        return self.places[key]

    def lower(self, formula: sp.Basic) -> int:
        """The register that holds a matrix formula."""
        shape = (int(formula.shape[0]), int(formula.shape[1]))
        if formula in self.sources:
            return self.emit("source", (), shape, formula)
        if isinstance(formula, sp.MatrixBase):
            return self._constant(formula, shape)
        if isinstance(formula, sp.Identity | sp.ZeroMatrix):
            return self._constant(formula.as_explicit(), shape)
        if isinstance(formula, sp.Transpose):
            return self.emit("transpose", (self.lower(formula.arg),), shape)
        if isinstance(formula, sp.MatAdd):
            terms = [self._term(term) for term in formula.args]
            return self.emit("sum", tuple(r for _, r in terms), shape, tuple(c for c, _ in terms))
        if isinstance(formula, sp.MatMul):
            coefficient, register = self._term(formula)
            return register if coefficient == 1 else self.emit("sum", (register,), shape, (coefficient,))
        if isinstance(formula, sp.MatPow) and formula.exp.is_Integer and formula.exp > 0:
            return self._chain([self.lower(formula.base)] * int(formula.exp))
        if isinstance(formula, sp.HadamardProduct):
            return self.emit("entrywise", tuple(self.lower(a) for a in formula.args), shape)
        if type(formula).__name__ == "ElementwiseApplyFunction":
            return self.emit("apply", (self.lower(formula.expr),), shape, formula.function)
        raise LemmascopeError(f"Matrix kernels have no {type(formula).__name__}: use products, sums and transposes.")

    def _constant(self, matrix: sp.MatrixBase, shape: tuple[int, int]) -> int:
        if matrix.free_symbols:
            # a scalar times a matrix of numbers was multiplied out by SymPy: take the scalar out again
            scalar = next(entry for entry in matrix if entry != 0).as_coeff_Mul()[1]
            numbers = sp.ImmutableMatrix(matrix).applyfunc(lambda entry: sp.cancel(entry / scalar))
            if numbers.free_symbols:
                raise LemmascopeError("A matrix of formulas stands in a matrix product: use MatrixSymbol arguments.")
            return self.emit("sum", (self._constant(numbers, shape),), shape, (scalar,))
        return self.emit("constant", (), shape, sp.ImmutableMatrix(matrix))

    def _term(self, term: sp.Basic) -> tuple[sp.Basic, int]:
        """A scalar coefficient and the register of the matrix it multiplies."""
        if not isinstance(term, sp.MatMul):
            return sp.S.One, self.lower(term)
        coefficient, matrices = term.as_coeff_matrices()
        registers: list[int] = []
        for factor in matrices:
            if isinstance(factor, sp.MatPow) and factor.exp.is_Integer and factor.exp > 0:
                registers += [self.lower(factor.base)] * int(factor.exp)
            else:
                registers.append(self.lower(factor))
        return coefficient, self._chain(registers)

    def _chain(self, registers: Sequence[int]) -> int:
        """A product in the cheapest order, where products computed before cost nothing."""
        chain = tuple(registers)
        if len(chain) == 1:
            return chain[0]
        if chain in self.chains:
            return self.chains[chain]
        _, split = min((self._cost(chain[:k]) + self._cost(chain[k:]), k) for k in range(1, len(chain)))
        left, right = self._chain(chain[:split]), self._chain(chain[split:])
        shape = (self.instructions[left][2][0], self.instructions[right][2][1])
        self.chains[chain] = self.emit("product", (left, right), shape)
        return self.chains[chain]

    def _cost(self, chain: tuple[int, ...]) -> int:
        if len(chain) == 1 or chain in self.chains:
            return 0
        rows = [self.instructions[r][2][0] for r in chain]
        columns = [self.instructions[r][2][1] for r in chain]
        return min(
            self._cost(chain[:k]) + self._cost(chain[k:]) + rows[0] * rows[k] * columns[-1]
            for k in range(1, len(chain))
        )


def _number(coefficient: sp.Basic, scalars: dict[sp.Basic, str]) -> str:
    program = straight_line([coefficient], list(scalars))
    lines, results = float_body(program, list(scalars.values()), "")
    text = {line.split(" = ", 1)[0]: line.split(" = ", 1)[1] for line in lines}
    result = results[0]
    while any(name in text for name in _words(result)):
        for name in sorted(_words(result), key=len, reverse=True):
            if name in text:
                result = result.replace(name, f"({text[name]})")
    return result


def _words(text: str) -> set[str]:
    import re

    return set(re.findall(r"\br\d+\b", text))


def _lane_lines(program: MatrixProgram, register: int, at: dict[int, str], scalars: dict[sp.Basic, str]) -> list[str]:
    """One instruction as loops over entries and lanes."""
    operation, operands, (rows, columns), detail = program.instructions[register]
    target = at[register]
    if operation == "product":
        return _product_lines(program, register, at)
    if operation == "transpose":
        where, body = target.format(f"i * {columns} + j"), at[operands[0]].format(f"j * {rows} + i")
    elif operation == "sum":
        place = f"i * {columns} + j"
        body = " + ".join(
            f"{_number(c, scalars)} * {at[o].format(place)}" for c, o in zip(detail, operands, strict=True)
        )
        where = target.format(place)
    elif operation == "entrywise":
        place = f"i * {columns} + j"
        where, body = target.format(place), " * ".join(at[o].format(place) for o in operands)
    else:
        place = f"i * {columns} + j"
        symbol = sp.Dummy("entry")
        where = target.format(place)
        body = _number(detail(symbol), {**scalars, symbol: at[operands[0]].format(place)})
    return [
        f"    for i in range({rows}):",
        f"        for j in range({columns}):",
        "            for lane in range(LANES):",
        f"                {where} = {body}",
    ]


def _product_lines(program: MatrixProgram, register: int, at: dict[int, str]) -> list[str]:
    """A product in tiles of a few entries, so that loaded numbers are used again."""
    _, (left, right), (rows, columns), _ = program.instructions[register]
    inner = program.instructions[left][2][1]
    # two entries side by side: a tile of two by two is faster still, but takes twice as long to compile
    down, across = 1, (2 if columns % 2 == 0 else 1)
    sums, stores = [], []
    for di in range(down):
        for dj in range(across):
            terms = " + ".join(
                at[left].format(f"(i + {di}) * {inner} + {k}") + " * " + at[right].format(f"{k} * {columns} + j + {dj}")
                for k in range(inner)
            )
            sums.append(f"                entry{di}{dj} = {terms}")
            stores.append(
                f"                {at[register].format(f'(i + {di}) * {columns} + j + {dj}')} = entry{di}{dj}"
            )
    return [
        f"    for i in range(0, {rows}, {down}):",
        f"        for j in range(0, {columns}, {across}):",
        "            for lane in range(LANES):",
        *sums,
        *stores,
    ]


def _blas_lines(program: MatrixProgram, register: int, at: dict[int, str], scalars: dict[sp.Basic, str]) -> list[str]:
    """One instruction on whole matrices of a single lane."""
    operation, operands, _, detail = program.instructions[register]
    name = f"m{register}"
    if operation == "source":
        return [f"    {name} = {at[register]}"]
    if operation == "constant":
        return [f"    {name} = constant{program.constants.index(detail)}"]
    if operation == "transpose":
        return [f"    {name} = m{operands[0]}.T"]
    if operation == "product":
        return [f"    {name} = np.dot(m{operands[0]}, m{operands[1]})"]
    if operation == "entrywise":
        return [f"    {name} = " + " * ".join(f"m{o}" for o in operands)]
    rows, columns = program.instructions[register][2]
    if operation == "sum":
        body = " + ".join(f"{_number(c, scalars)} * m{o}[i, j]" for c, o in zip(detail, operands, strict=True))
    else:
        symbol = sp.Dummy("entry")
        body = _number(detail(symbol), {**scalars, symbol: f"m{operands[0]}[i, j]"})
    return [
        f"    {name} = np.empty(({rows}, {columns}))",
        f"    for i in range({rows}):",
        f"        for j in range({columns}):",
        f"            {name}[i, j] = {body.replace(', lane]', ', 0]').replace('[lane]', '[0]')}",
    ]


def _locations(arguments: Sequence[sp.Basic], array: str) -> tuple[dict[sp.Basic, str], dict[sp.Basic, str], int]:
    """Where matrix and scalar arguments are found in an array of rows by lanes."""
    matrices: dict[sp.Basic, str] = {}
    scalars: dict[sp.Basic, str] = {}
    row = 0
    for argument in arguments:
        if isinstance(argument, sp.MatrixSymbol):
            matrices[argument] = f"{array}[{row} + {{}}, lane]"
        else:
            scalars[argument] = f"{array}[{row}, lane]"
        row += _rows(argument)
    return matrices, scalars, row


def matrix_body(
    outputs: Sequence[sp.Basic], matrices: dict[sp.Basic, str], scalars: dict[sp.Basic, str], lanes: int
) -> tuple[list[str], list[str]]:
    """Module-level constants and the lines that compute `out` (rows by lanes) from the arguments."""
    program = MatrixProgram(matrices)
    results = [program.lower(o) if isinstance(o, sp.MatrixExpr | sp.MatrixBase) else o for o in outputs]
    heads: list[str] = []
    at: dict[int, str] = {}
    for register, (operation, _, _, detail) in enumerate(program.instructions):
        if operation == "source":
            at[register] = matrices[detail]
        elif operation == "constant":
            number = len(program.constants)
            program.constants.append(detail)
            numbers = [[float(v) for v in row] for row in detail.tolist()]
            heads.append(f"constant{number} = np.array({numbers!r})")
            flat = f"constant{number}_flat"
            heads.append(f"{flat} = constant{number}.ravel()")
            at[register] = flat + "[{}]"
        else:
            at[register] = f"w{register}[{{}}, lane]"
    lines: list[str] = []
    for register, (operation, _, (rows, columns), detail) in enumerate(program.instructions):
        if lanes == 1:
            if operation == "source":
                array, row = matrices[detail].split("[")[0], matrices[detail].split("[")[1].split(" ")[0]
                at[register] = f"{array}.reshape(-1)[{row}:{int(row) + rows * columns}].reshape(({rows}, {columns}))"
            lines += _blas_lines(program, register, at, scalars)
        elif operation not in {"source", "constant"}:
            lines.append(f"    w{register} = np.empty(({rows * columns}, LANES))")
            lines += _lane_lines(program, register, at, scalars)
    place = 0
    for output, result in zip(outputs, results, strict=True):
        if isinstance(result, int):
            rows, columns = program.instructions[result][2]
            source = f"m{result}[i, j]" if lanes == 1 else at[result].format(f"i * {columns} + j")
            lines += [
                f"    for i in range({rows}):",
                f"        for j in range({columns}):",
                "            for lane in range(LANES):",
                f"                out[{place} + i * {columns} + j, lane] = {source}",
            ]
            place += rows * columns
        else:
            lines += ["    for lane in range(LANES):", f"        out[{place}, lane] = {_number(output, scalars)}"]
            place += 1
    return heads, lines


def lanes_for(arguments: Sequence[sp.Basic]) -> int:
    """One lane for large matrices, several otherwise."""
    sizes = [max(a.shape) for a in arguments if isinstance(a, sp.MatrixSymbol)]
    return 1 if max(sizes, default=0) > LARGE else LANES


def matrix_float_source(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> str:
    """The source of a float64 kernel for matrix formulas."""
    from numerics.float_kernel import float_source

    if is_small(arguments):
        return float_source(straight_line(*as_scalars(outputs, arguments)))
    lanes = lanes_for(arguments)
    matrices, scalars, rows = _locations(arguments, "block")
    heads, lines = matrix_body(outputs, matrices, scalars, lanes)
    results = sum(_rows(o) for o in outputs)
    return "\n".join(
        [
            HEADER,
            "import numpy as np",
            f"LANES = {lanes}",
            *heads,
            "",
            f'@njit("void(float64[:, ::1], float64[:, ::1])", {OPTIONS})',
            "def on_lanes(block, out):",
            *lines,
            "",
            f'@njit("void(float64[:, ::1], float64[:, ::1])", {OPTIONS})',
            "def evaluate(points, values):",
            f"    block, out = np.zeros(({rows}, LANES)), np.zeros(({results}, LANES))",
            "    for first in range(0, points.shape[1], LANES):",
            "        count = min(LANES, points.shape[1] - first)",
            f"        for row in range({rows}):",
            "            for lane in range(count):",
            "                block[row, lane] = points[row, first + lane]",
            "        on_lanes(block, out)",
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
    lanes: int,
) -> str:
    """The source of a right-hand side for matrix flows."""
    from numerics.flow_kernel import COMPILED, SIGNATURE, flow_source

    if is_small(state):
        return flow_source(entries(state), entries(velocity), time, entries(parameters), entries(observed), lanes)
    lanes = lanes_for([*state, *parameters])
    matrices, scalars, rows = _locations(state, "state")
    more_matrices, more_scalars, parameter_rows = _locations(parameters, "parameters")
    scalars |= more_scalars | ({time: "time[lane]"} if time is not None else {})
    heads: list[str] = []
    functions: list[str] = []
    for name, outputs in (("right_side", velocity), *((("observe", observed),) if observed else ())):
        new_heads, lines = matrix_body(outputs, matrices | more_matrices, scalars, lanes)
        heads += [line.replace("constant", f"{name}_constant") for line in new_heads]
        functions += [
            f'@cfunc("{SIGNATURE}", {COMPILED})',
            f"def {name}(time_pointer, state_pointer, parameter_pointer, out_pointer):",
            "    time = carray(time_pointer, (LANES,))",
            f"    state = carray(state_pointer, ({rows}, LANES))",
            f"    parameters = carray(parameter_pointer, ({max(parameter_rows, 1)}, LANES))",
            f"    out = carray(out_pointer, ({max(sum(_rows(o) for o in outputs), 1)}, LANES))",
            *(line.replace("constant", f"{name}_constant") for line in lines),
            "",
        ]
    return "\n".join([HEADER, "import numpy as np", f"LANES = {lanes}", *heads, "", *functions])
