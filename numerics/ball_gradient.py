"""First derivatives of ball kernels by reverse accumulation: one sweep over the straight-line program per formula.

The derivative of a program is again a program, so that value and gradient share every subexpression and are written
by the same printer. Where a derivative is or may be undefined inside the argument balls, the result is not finite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy as sp

from numerics.ball_kernel import ball_source
from numerics.cache import generated_module
from numerics.float_source import formula_key
from numerics.program import Builder, Instruction, Program, Value, straight_line, used_part
from theory.errors import LemmascopeError
from theory.language.functions import by_name, remember

if TYPE_CHECKING:
    from numerics.ball_kernel import BallKernel

MOST_TO_ARRANGE = 60

Shares = list[tuple[int, int]]
"""Operands of an instruction, each with the register of what it receives."""


@dataclass
class _Tape:
    """A program under construction, each instruction at most once."""

    instructions: list[Instruction] = field(default_factory=list)
    registers: dict[Instruction, int] = field(default_factory=dict)

    def put(self, instruction: Instruction) -> int:
        if instruction not in self.registers:
            self.registers[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return self.registers[instruction]

    def number(self, value: int) -> int:
        return self.put(Instruction("number", (), Fraction(value)))

    def is_one(self, register: int) -> bool:
        return self.instructions[register] == Instruction("number", (), Fraction(1))

    def do(self, operation: str, *operands: int, value: Value = None) -> int:
        return self.put(Instruction(operation, operands, value))

    def times(self, a: int, b: int) -> int:
        return b if self.is_one(a) else a if self.is_one(b) else self.do("multiply", *sorted((a, b)))

    def power(self, x: int, n: int) -> int:
        return self.number(1) if n == 0 else x if n == 1 else self.do("power", x, value=n)

    def over(self, a: int, b: int) -> int:
        return a if self.is_one(b) else self.do("divide", a, b)


def _add(_: _Tape, i: Instruction, __: int, bar: int) -> Shares:
    return [(o, bar) for o in i.operands]


def _subtract(t: _Tape, i: Instruction, _: int, bar: int) -> Shares:
    return [(i.operands[0], bar), (i.operands[1], t.do("negate", bar))]


def _negate(t: _Tape, i: Instruction, _: int, bar: int) -> Shares:
    return [(i.operands[0], t.do("negate", bar))]


def _multiply(t: _Tape, i: Instruction, _: int, bar: int) -> Shares:
    a, b = i.operands
    return [(a, t.times(bar, b)), (b, t.times(bar, a))]


def _divide(t: _Tape, i: Instruction, r: int, bar: int) -> Shares:
    a, b = i.operands
    share = t.over(bar, b)
    return [(a, share), (b, t.do("negate", t.times(share, r)))]


def _power(t: _Tape, i: Instruction, _: int, bar: int) -> Shares:
    (x,), n = i.operands, int(str(i.value))
    return [(x, t.times(bar, t.times(t.number(n), t.power(x, n - 1))))]


def _root(t: _Tape, i: Instruction, r: int, bar: int) -> Shares:
    (x,), n = i.operands, int(str(i.value))
    return [(x, t.over(bar, t.times(t.number(n), t.power(r, n - 1))))]


def _general_power(t: _Tape, i: Instruction, r: int, bar: int) -> Shares:
    base, exponent = i.operands
    share = t.times(bar, r)
    return [(base, t.over(t.times(share, exponent), base)), (exponent, t.times(share, t.do("log", base)))]


@remember
@lru_cache(maxsize=1024)
def slope_program(name: str, place: int, count: int) -> Program | None:
    """The derivative of a function of the language along one of its arguments; None where there is none.

    >>> [i.operation for i in slope_program("sin", 0, 1).instructions]
    ['argument', 'cos']
    """
    entry = by_name().get(name)
    slope = None if entry is None or entry.roughness or place >= len(entry.slopes) else entry.slopes[place]
    if slope is None:
        return None
    symbols = sp.symbols(f"u:{count}")
    return straight_line([slope(*symbols)], symbols, arranged=False)


def _along(tape: _Tape, instruction: Instruction, place: int) -> int | None:
    """The register of the derivative of a function along one operand."""
    program = slope_program(instruction.operation, place, len(instruction.operands))
    if program is None:
        return None
    places: list[int] = []
    for part in program.instructions:
        if part.operation == "argument":
            places.append(instruction.operands[int(str(part.value))])
        else:
            places.append(tape.put(replace(part, operands=tuple(places[o] for o in part.operands))))
    return places[program.outputs[0]]


RULES: dict[str, Callable[[_Tape, Instruction, int, int], Shares]] = {
    "add": _add,
    "subtract": _subtract,
    "negate": _negate,
    "multiply": _multiply,
    "divide": _divide,
    "power": _power,
    "root": _root,
    "general_power": _general_power,
}


def with_gradient(program: Program) -> Program | None:
    """The program that returns, after all values, the derivatives of each value along each argument.

    None where some operation that depends on an argument has no derivative here.

    >>> from sympy.abc import x, y
    >>> with_gradient(straight_line([x * y], [x, y])).outputs
    (2, 1, 0)
    """
    constant = program.constant_registers()
    tape = _Tape()
    places: list[int] = []
    for instruction in program.instructions:
        operands = tuple(places[o] for o in instruction.operands)
        places.append(tape.put(Instruction(instruction.operation, operands, instruction.value)))
    moving = [r for r in range(len(program.instructions)) if r not in constant]
    rows: list[int] = []
    for output in program.outputs:
        row = _sweep(program, tape, moving, output)
        if row is None:
            return None
        rows += row
    return Program(tuple(tape.instructions), (*[places[o] for o in program.outputs], *rows), program.argument_count)


def _sweep(program: Program, tape: _Tape, moving: list[int], output: int) -> list[int] | None:
    """The derivatives of one value: what each register receives, from the value back to the arguments.

    The instructions of the program are the first of the tape, so its registers are those of the tape.
    """
    received = {output: tape.number(1)}
    varies = set(moving)
    arguments: dict[object, int] = {}
    for register in reversed(moving):
        bar = received.get(register)
        if bar is None:
            continue
        instruction = program.instructions[register]
        if instruction.operation == "argument":
            arguments[instruction.value] = bar
            continue
        if instruction.operation in RULES:
            shares = RULES[instruction.operation](tape, instruction, register, bar)
        else:
            shares = []
            for place, operand in enumerate(instruction.operands):
                slope = _along(tape, instruction, place) if operand in varies else None
                if slope is not None:
                    shares.append((operand, tape.times(bar, slope)))
                elif operand in varies:
                    return None
        for operand, share in shares:
            known = received.get(operand)
            received[operand] = share if known is None else tape.do("add", *sorted((known, share)))
    return [arguments.get(k, tape.number(0)) for k in range(program.argument_count)]


def _program(expression: sp.Expr, arguments: Sequence[sp.Symbol]) -> Program:
    """A formula as a program; a large one as it is written, since rearranging it costs more than it saves."""
    if expression.count_ops() <= MOST_TO_ARRANGE:
        return straight_line([expression], arguments)
    builder = Builder({argument: index for index, argument in enumerate(arguments)})
    return builder.program([builder.lower(expression)])


def compile_ball_gradient(expression: sp.Expr, arguments: Sequence[sp.Symbol], along: int | None = None) -> BallKernel:
    """Compile a formula to a function of balls that returns its value and then its derivatives along all arguments.

    With `along` the formula is first replaced by its derivative along that argument. A derivative that is or may be
    undefined comes back as a ball with `not is_finite()`.

    >>> from flint import arb
    >>> from sympy.abc import x, y
    >>> value, along_x, along_y = compile_ball_gradient(x**2 * y, [x, y])(arb(3), arb(2))
    >>> float(value), float(along_x), float(along_y)
    (18.0, 12.0, 9.0)
    >>> [float(part) for part in compile_ball_gradient(x**2 * y, [x, y], along=0)(arb(3), arb(2))]
    [12.0, 4.0, 6.0]
    """
    key = formula_key(f"ball gradient {along}", (expression,), tuple(arguments))

    def source() -> str:
        program: Program | None = _program(expression, arguments)
        if program is not None and along is not None:
            first = with_gradient(program)
            program = None if first is None else used_part(replace(first, outputs=(first.outputs[1 + along],)))
        second = None if program is None else with_gradient(program)
        if second is None:
            raise LemmascopeError("Some function of the formula has no derivative in ball kernels: rewrite it.")
        return ball_source(used_part(second))

    kernel: BallKernel = generated_module(key, source).evaluate
    return kernel
