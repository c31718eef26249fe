"""Matrix formulas as lists of matrix instructions, with shared products in the cheapest order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sympy as sp

from numerics.program import Builder, Program


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


def count_entries(items: Sequence[sp.Basic]) -> int:
    """How many numbers these matrices and scalars are."""
    return sum(int(i.shape[0] * i.shape[1]) if isinstance(i, sp.MatrixExpr | sp.MatrixBase) else 1 for i in items)


class MatrixInstruction(NamedTuple):
    """One operation on whole matrices; `detail` holds what is known in advance."""

    operation: str
    operands: tuple[int, ...]
    shape: tuple[int, int]
    detail: Any


@dataclass
class MatrixProgram:
    """Matrix instructions in single assignment."""

    sources: tuple[sp.Basic, ...]
    instructions: list[MatrixInstruction] = field(default_factory=list)
    places: dict[Any, int] = field(default_factory=dict)
    chains: dict[tuple[int, ...], int] = field(default_factory=dict)
    known: dict[sp.MatrixBase, tuple[sp.Basic, sp.MatrixBase]] = field(default_factory=dict)

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
            self.instructions.append(MatrixInstruction(operation, operands, shape, detail))
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
            # short products first: longer ones are then made of them
            terms = [self._term(term) for term in sorted(formula.args, key=lambda term: len(term.args))]
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
        return self.emit("other", (), shape, formula)

    def _constant(self, matrix: sp.MatrixBase, shape: tuple[int, int]) -> int:
        if matrix.free_symbols:
            # a scalar times a matrix of numbers was multiplied out by SymPy: take the scalar out again
            scalar = next(entry for entry in matrix if entry != 0).as_coeff_Mul()[1]
            numbers = sp.ImmutableMatrix(matrix).applyfunc(lambda entry: sp.cancel(entry / scalar))
            if numbers.free_symbols:
                return self.emit("other", (), shape, sp.ImmutableMatrix(matrix))
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
            elif isinstance(factor, sp.MatrixBase) and not factor.free_symbols:
                scale, first = self._multiple_of_known(factor)
                coefficient *= scale
                registers.append(self.lower(first))
            else:
                registers.append(self.lower(factor))
        return coefficient, self._chain(registers)

    def _multiple_of_known(self, matrix: sp.MatrixBase) -> tuple[sp.Basic, sp.MatrixBase]:
        """A scale and a constant met before, so that multiples of one matrix share their products."""
        lead = next((entry for entry in matrix if entry != 0), sp.S.One)
        first_lead, first = self.known.setdefault(sp.ImmutableMatrix(matrix) / lead, (lead, sp.ImmutableMatrix(matrix)))
        return lead / first_lead, first

    def _chain(self, registers: Sequence[int]) -> int:
        """A product in the cheapest order, where products computed before cost nothing."""
        chain = tuple(registers)
        if len(chain) == 1:
            return chain[0]
        if chain in self.chains:
            return self.chains[chain]
        split = min(range(1, len(chain)), key=lambda k: self._cost_of_split(chain, k))
        left, right = self._chain(chain[:split]), self._chain(chain[split:])
        shape = (self.instructions[left].shape[0], self.instructions[right].shape[1])
        self.chains[chain] = self.emit("product", (left, right), shape)
        return self.chains[chain]

    def _cost(self, chain: tuple[int, ...]) -> int:
        if len(chain) == 1 or chain in self.chains:
            return 0
        return min(self._cost_of_split(chain, k) for k in range(1, len(chain)))

    def _cost_of_split(self, chain: tuple[int, ...], k: int) -> int:
        rows, columns = self.instructions[chain[0]].shape[0], self.instructions[chain[-1]].shape[1]
        inner = self.instructions[chain[k]].shape[0]
        return self._cost(chain[:k]) + self._cost(chain[k:]) + rows * inner * columns


def entry_program(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> Program:
    """The scalar program of matrix formulas, in which the products of whole matrices are still shared."""
    builder = Builder({entry: index for index, entry in enumerate(entries(arguments))})
    matrices = MatrixProgram(tuple(a for a in arguments if isinstance(a, sp.MatrixSymbol)))
    whole = [matrices.lower(o) if isinstance(o, sp.MatrixExpr | sp.MatrixBase) else None for o in outputs]
    written: list[list[int]] = []
    for instruction in matrices.instructions:
        written.append(_entries_of(builder, instruction, [written[o] for o in instruction.operands], matrices))
    registers: list[int] = []
    for output, register in zip(outputs, whole, strict=True):
        registers += builder.lower_arranged([output]) if register is None else written[register]
    return builder.program(registers)


def _entries_of(
    builder: Builder, instruction: MatrixInstruction, operands: list[list[int]], matrices: MatrixProgram
) -> list[int]:
    """The registers of the entries of one matrix instruction, row after row."""
    (rows, columns), detail = instruction.shape, instruction.detail
    places = [(i, j) for i in range(rows) for j in range(columns)]
    match instruction.operation:
        case "transpose":
            return [operands[0][j * rows + i] for i, j in places]
        case "product":
            inner = matrices.instructions[instruction.operands[0]].shape[1]
            left, right = operands
            return [
                _sum(builder, [(left[i * inner + k], right[k * columns + j]) for k in range(inner)]) for i, j in places
            ]
        case "sum":
            scales = [builder.lower_arranged([c])[0] for c in detail]
            return [_sum(builder, list(zip(scales, terms, strict=True))) for terms in zip(*operands, strict=True)]
        case "entrywise":
            return [_product(builder, factors) for factors in zip(*operands, strict=True)]
        case "apply":
            return [_applied(builder, detail, entry) for entry in operands[0]]
        case "source" | "constant":
            return [builder.lower(entry) for entry in entries([detail])]
        case _:
            return builder.lower_arranged(entries([detail]))


def _product(builder: Builder, factors: Sequence[int]) -> int:
    one, zero = builder.number(1), builder.number(0)
    if zero in factors:
        return zero
    product, *others = [f for f in factors if f != one] or [one]
    for factor in others:
        product = builder.emit("multiply", product, factor)
    return product


def _sum(builder: Builder, products: Sequence[tuple[int, int]]) -> int:
    zero = builder.number(0)
    total, *others = [p for p in (_product(builder, pair) for pair in products) if p != zero] or [zero]
    for term in others:
        total = builder.emit("add", total, term)
    return total


def _applied(builder: Builder, function: Any, entry: int) -> int:
    argument = sp.Dummy("entry")
    builder.known[argument] = entry
    return builder.lower_arranged([function(argument)])[0]
