"""Taylor coefficients of the solution of a differential equation in ball arithmetic, order by order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp
from flint import arb, fmpq

from numerics import ball_functions as ball
from numerics.ball_gradient import slope_program
from numerics.program import Instruction, Program, straight_line
from theory.errors import LemmascopeError
from theory.language.balls import NAN, ZERO
from theory.language.functions import by_name

Ball: TypeAlias = Any
Coefficients = list[Ball]

_MOST_NEW = 1000
_REFUSAL = (
    "Validated integration has no Taylor rule for {}: use smooth functions whose derivatives lead back to themselves, "
    "or split the flow at its kinks."
)


def _convolve(a: Coefficients, b: Coefficients, order: int) -> Ball:
    total = a[0] * b[order]
    for j in range(1, order + 1):
        total += a[j] * b[order - j]
    return total


def _weighted(x: Coefficients, w: Coefficients, order: int) -> Ball:
    """The coefficient of the integral of x' w: sum of j x_j w_(order-j), divided by the order."""
    total = x[1] * w[order - 1]
    for j in range(2, order + 1):
        total += (j * x[j]) * w[order - j]
    return total / order


class TaylorSystem:
    """Coefficients of x(t) where x' is given by formulas; made once for a system, used at every step.

    >>> x = sp.Symbol("x")
    >>> [str(c) for c in TaylorSystem([x], [x]).coefficients([arb(1)], 3)[0]]
    ['1.00000000000000', '1.00000000000000', '0.500000000000000', '[0.166666666666667 +/- 3.71e-16]']
    """

    def __init__(self, state: Sequence[sp.Basic], velocity: Sequence[sp.Basic]) -> None:
        self.program = _Expanded(straight_line(velocity, state))
        self.size = len(state)
        self.rules = [
            _rule(instruction, constant=place in self.program.constant)
            for place, instruction in enumerate(self.program.instructions)
        ]

    def coefficients(self, start: Sequence[Ball], order: int) -> list[Coefficients]:
        """For each state component its Taylor coefficients 0..order at a ball of starts."""
        state: list[Coefficients] = [[value] for value in start]
        registers: list[Coefficients] = [[] for _ in self.rules]
        helpers: list[Coefficients] = [[] for _ in self.rules]
        for k in range(order):
            for place, (instruction, rule) in enumerate(zip(self.program.instructions, self.rules, strict=True)):
                if instruction.operation == "argument":
                    registers[place].append(state[instruction.value][k])  # type: ignore[index]
                    continue
                operands = [registers[o] for o in instruction.operands]
                registers[place].append(rule(operands, registers[place], helpers[place], k))
            for component, output in enumerate(self.program.outputs):
                state[component].append(registers[output][k] / (k + 1))
        return state

    def velocity(self, at: Sequence[Ball]) -> list[Ball]:
        """The right-hand side on a ball."""
        return [c[1] for c in self.coefficients(at, 1)]


Rule = Callable[[list[Coefficients], Coefficients, Coefficients, int], Ball]


class _Expanded:
    """A program for series: powers as products, and beside each function its derivative, for as long as these are new.

    The derivative of a function is read one order late, so that functions may occur in the derivatives of each other.
    """

    def __init__(self, program: Program) -> None:
        self.instructions: list[Instruction] = []
        self.constant: set[int] = set()
        self._known: dict[tuple[str, tuple[int, ...], Any], int] = {}
        self._pending: list[int] = []
        places = self._spliced(program, None)
        self.outputs = [places[o] for o in program.outputs]
        self._most = len(self.instructions) + _MOST_NEW
        while self._pending:
            self._derive(self._pending.pop())

    def _spliced(self, program: Program, arguments: Sequence[int] | None) -> list[int]:
        places: list[int] = []
        for old in program.instructions:
            if old.operation == "argument" and arguments is not None:
                places.append(arguments[int(str(old.value))])
            else:
                places.append(self._put(old, tuple(places[o] for o in old.operands)))
        return places

    def _put(self, old: Instruction, operands: tuple[int, ...]) -> int:
        if old.operation == "power" and isinstance(old.value, int):
            return self._power(operands[0], old.value)
        key = (old.operation, operands, old.value)
        if key not in self._known:
            place = self._known[key] = len(self.instructions)
            self.instructions.append(Instruction(old.operation, operands, old.value))
            if old.operation != "argument" and self.constant.issuperset(operands):
                self.constant.add(place)
            elif old.operation in by_name():
                self._pending.append(place)
        return self._known[key]

    def _power(self, base: int, n: int) -> int:
        if n == 0:
            return self._put(Instruction("number", (), Fraction(1)), ())
        result = -1
        while n:
            if n % 2:
                result = base if result < 0 else self._put(Instruction("multiply"), (result, base))
            n //= 2
            base = self._put(Instruction("square"), (base,)) if n else base
        return result

    def _derive(self, place: int) -> None:
        """Give a function the register of its derivative as a last operand."""
        instruction = self.instructions[place]
        moving = [k for k, operand in enumerate(instruction.operands) if operand not in self.constant]
        program = slope_program(instruction.operation, moving[0], len(instruction.operands))
        if program is None or moving != [0] or len(self.instructions) > self._most:
            raise LemmascopeError(_REFUSAL.format(instruction.operation))
        slope = self._spliced(program, instruction.operands)[program.outputs[0]]
        self.instructions[place] = replace(instruction, operands=(*instruction.operands, slope))


def _constant(instruction: Instruction) -> Rule:
    def rule(_: list[Coefficients], __: Coefficients, ___: Coefficients, k: int) -> Ball:
        if k:
            return ZERO
        if isinstance(instruction.value, Fraction):
            return arb(fmpq(instruction.value.numerator, instruction.value.denominator))
        named = {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler, "catalan": arb.const_catalan}
        if instruction.operation == "real_root" and isinstance(instruction.value, tuple):
            return ball.real_root(*instruction.value)
        return named[str(instruction.value)]() if instruction.operation == "constant" else NAN

    return rule


def _square(o: list[Coefficients], _: Coefficients, __: Coefficients, k: int) -> Ball:
    return ball.power(o[0][0], 2) if k == 0 else _convolve(o[0], o[0], k)


def _divide(o: list[Coefficients], y: Coefficients, _: Coefficients, k: int) -> Ball:
    above, below = o
    total = above[k]
    for j in range(1, k + 1):
        total -= below[j] * y[k - j]
    return total / below[0]


def _root(index: int) -> Rule:
    def rule(o: list[Coefficients], y: Coefficients, _: Coefficients, k: int) -> Ball:
        # from q x y' = x' y: the coefficients of x^(1/q)
        x = o[0]
        if k == 0:
            return ball.root(x[0], index)
        total = (arb(k) / index) * x[k] * y[0]
        for j in range(1, k):
            total += (arb(j) / index - (k - j)) * x[j] * y[k - j]
        return total / (k * x[0])

    return rule


def _function(name: str) -> Rule:
    """A function of the language: y' = slope x', where the last operand holds the slope up to the order before."""
    value = ball.function(name)

    def rule(o: list[Coefficients], _: Coefficients, __: Coefficients, k: int) -> Ball:
        *operands, slope = o
        return value(*(operand[0] for operand in operands)) if k == 0 else _weighted(operands[0], slope, k)

    return rule


def _constant_function(name: str) -> Rule:
    value = ball.function(name)
    return lambda o, _, __, k: ZERO if k else value(*(operand[0] for operand in o))


RULES: dict[str, Rule] = {
    "add": lambda o, _, __, k: o[0][k] + o[1][k],
    "subtract": lambda o, _, __, k: o[0][k] - o[1][k],
    "negate": lambda o, _, __, k: -o[0][k],
    "multiply": lambda o, _, __, k: _convolve(o[0], o[1], k),
    "square": _square,
    "divide": _divide,
}


def _rule(instruction: Instruction, *, constant: bool) -> Rule:
    if instruction.operation in {"number", "constant", "real_root", "undefined"}:
        return _constant(instruction)
    if instruction.operation == "root" and isinstance(instruction.value, int):
        return _root(instruction.value)
    if instruction.operation == "argument":
        return RULES["negate"]
    if instruction.operation in by_name():
        return (_constant_function if constant else _function)(instruction.operation)
    if instruction.operation not in RULES:
        raise LemmascopeError(_REFUSAL.format(instruction.operation))
    return RULES[instruction.operation]
