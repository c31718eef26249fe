"""Taylor coefficients of the solution of a differential equation in ball arithmetic, order by order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import sympy as sp
from flint import arb, fmpq

from numerics import ball_functions as ball
from numerics.program import Instruction, Program, straight_line
from theory.errors import LemmascopeError

Ball: TypeAlias = Any
Coefficients = list[Ball]


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
        self.program = _simple(straight_line(velocity, state))
        self.size = len(state)
        self.rules = [_rule(instruction) for instruction in self.program.instructions]

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


def _simple(program: Program) -> Program:
    """Powers written as products, so that the recurrences stay few."""
    instructions: list[Instruction] = []
    place: dict[int, int] = {}

    def add(instruction: Instruction) -> int:
        instructions.append(instruction)
        return len(instructions) - 1

    for register, old in enumerate(program.instructions):
        operands = tuple(place[o] for o in old.operands)
        if old.operation == "power" and isinstance(old.value, int) and old.value > 2:
            result, base, n = -1, operands[0], old.value
            while n:
                if n % 2:
                    result = base if result < 0 else add(Instruction("multiply", (result, base)))
                n //= 2
                base = add(Instruction("square", (base,))) if n else base
            place[register] = result
        elif old.operation == "power":
            place[register] = add(Instruction("square", operands))
        else:
            place[register] = add(Instruction(old.operation, operands, old.value))
    return Program(tuple(instructions), tuple(place[o] for o in program.outputs), program.argument_count)


def _constant(instruction: Instruction) -> Rule:
    def rule(_: list[Coefficients], __: Coefficients, ___: Coefficients, k: int) -> Ball:
        if k:
            return ball.ZERO
        if isinstance(instruction.value, Fraction):
            return arb(fmpq(instruction.value.numerator, instruction.value.denominator))
        named = {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler, "catalan": arb.const_catalan}
        if instruction.operation == "real_root" and isinstance(instruction.value, tuple):
            return ball.real_root(*instruction.value)
        return named[str(instruction.value)]() if instruction.operation == "constant" else ball.NAN

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


def _exp(o: list[Coefficients], y: Coefficients, _: Coefficients, k: int) -> Ball:
    return ball.exp(o[0][0]) if k == 0 else _weighted(o[0], y, k)


def _log(o: list[Coefficients], y: Coefficients, _: Coefficients, k: int) -> Ball:
    x = o[0]
    if k == 0:
        return ball.log(x[0])
    total = k * x[k]
    for j in range(1, k):
        total -= (j * y[j]) * x[k - j]
    return total / (k * x[0])


def _paired(first: Callable[[Ball], Ball], second: Callable[[Ball], Ball], sign_first: int, sign_second: int) -> Rule:
    """y' = sign_first c x' and c' = sign_second y x', as for sine and cosine."""

    def rule(o: list[Coefficients], y: Coefficients, c: Coefficients, k: int) -> Ball:
        x = o[0]
        if k == 0:
            c.append(second(x[0]))
            return first(x[0])
        value = sign_first * _weighted(x, c, k)
        c.append(sign_second * _weighted(x, y, k))
        return value

    return rule


def _by_slope(function: Callable[[Ball], Ball], sign: int) -> Rule:
    """y' = (1 + sign y^2) x': tangent (+) and hyperbolic tangent (-)."""

    def rule(o: list[Coefficients], y: Coefficients, slope: Coefficients, k: int) -> Ball:
        x = o[0]
        if k == 0:
            value = function(x[0])
            slope.append(1 + sign * ball.power(value, 2))
            return value
        value = _weighted(x, slope, k)
        slope.append(sign * _convolve([*y, value], [*y, value], k))
        return value

    return rule


def _atan(o: list[Coefficients], y: Coefficients, w: Coefficients, k: int) -> Ball:
    """(1 + x^2) y' = x'."""
    x = o[0]
    w.append(1 + ball.power(x[0], 2) if k == 0 else _convolve(x, x, k))
    if k == 0:
        return ball.atan(x[0])
    total = k * x[k]
    for j in range(1, k):
        total -= (j * y[j]) * w[k - j]
    return total / (k * w[0])


def _sech(o: list[Coefficients], y: Coefficients, pair: Coefficients, k: int) -> Ball:
    """y = sech x, with the coefficients of tanh x beside it: y' = -y tanh(x) x'."""
    x = o[0]
    if k == 0:
        pair.append(ball.tanh(x[0]))
        return ball.sech(x[0])
    product = [_convolve(y, pair, j) for j in range(k)]
    slope = [(1 if j == 0 else 0) - _convolve(pair, pair, j) for j in range(k)]
    pair.append(_weighted(x, slope, k))
    return -_weighted(x, product, k)


RULES: dict[str, Rule] = {
    "add": lambda o, _, __, k: o[0][k] + o[1][k],
    "subtract": lambda o, _, __, k: o[0][k] - o[1][k],
    "negate": lambda o, _, __, k: -o[0][k],
    "multiply": lambda o, _, __, k: _convolve(o[0], o[1], k),
    "square": _square,
    "divide": _divide,
    "exp": _exp,
    "log": _log,
    "sin": _paired(lambda x: x.sin(), lambda x: x.cos(), 1, -1),
    "cos": _paired(lambda x: x.cos(), lambda x: x.sin(), -1, 1),
    "sinh": _paired(ball.sinh, ball.cosh, 1, 1),
    "cosh": _paired(ball.cosh, ball.sinh, 1, 1),
    "tanh": _by_slope(ball.tanh, -1),
    "tan": _by_slope(lambda x: x.tan(), 1),
    "atan": _atan,
    "sech": _sech,
}


def _rule(instruction: Instruction) -> Rule:
    if instruction.operation in {"number", "constant", "real_root", "undefined"}:
        return _constant(instruction)
    if instruction.operation == "root" and isinstance(instruction.value, int):
        return _root(instruction.value)
    if instruction.operation == "argument":
        return RULES["negate"]
    if instruction.operation not in RULES:
        raise LemmascopeError(
            f"Validated integration has no Taylor rule for {instruction.operation}: "
            "use smooth elementary functions, or split the flow at its kinks."
        )
    return RULES[instruction.operation]
