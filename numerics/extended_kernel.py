"""Extended-range kernels: the program on pairs (sign, log size), for states far below the smallest float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from numerics.cache import generated_module
from numerics.float_source import NAMED, OPTIONS, formula_key
from numerics.multiprecision_kernel import exact_ball, precision
from numerics.program import Instruction, Program, straight_line
from theory.errors import LemmascopeError
from theory.language.functions import by_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

HEADER = """\
from math import floor, ceil, inf, nan
from numba import njit
from numerics import extended_arithmetic as extended
from numerics.extended_arithmetic import from_float, to_float
"""


@dataclass(frozen=True)
class Extended:
    """An array of numbers, each a sign (-1, 0, 1) and the natural logarithm of its size.

    >>> tiny = Extended.of(["1e-400", "-2"])
    >>> tiny.log10()[0].round(9).item()
    -400.0
    """

    sign: NDArray[np.float64]
    log: NDArray[np.float64]

    @classmethod
    def of(cls, values: Iterable[object]) -> Extended:
        """From ints, floats, Fractions, SymPy numbers or decimal strings, none of which has to fit a float."""

        signs, logs = [], []
        with precision(128):
            for value in values:
                ball = exact_ball(value)
                if not ball.is_finite():
                    raise LemmascopeError(f"{value!r} is not finite: extended numbers are finite reals.")
                zero = bool(ball.is_zero())
                signs.append(0.0 if zero else (1.0 if ball > 0 else -1.0))
                logs.append(-math.inf if zero else float(abs(ball).log()))
        return cls(np.array(signs), np.array(logs))

    def log10(self) -> NDArray[np.float64]:
        """The decimal logarithm of the size."""
        return self.log / math.log(10)

    def to_float(self) -> NDArray[np.float64]:
        """As float64, 0 where the number is below its range and infinite where it is above."""
        with np.errstate(over="ignore"):
            return np.where(self.sign == 0, 0.0, self.sign * np.exp(self.log))


def _pair(value: Fraction) -> str:
    if value == 0:
        return "(0.0, -inf)"
    size = abs(value)
    magnitude = math.log(size.numerator) - math.log(size.denominator)
    if 0.5 < size < 2:
        magnitude = math.log1p(float(size - 1))
    return f"({1.0 if value > 0 else -1.0}, {magnitude!r})"


# {0} is the pair of the first operand (or its truth value), {s0} its sign and {m0} its log size
TEMPLATES = {
    "undefined": "(nan, nan)",
    "subtract": "extended.add({0}, -{s1}, {m1})",
    "negate": "(-{s0}, {m0})",
    "less": "extended.is_less({0}, {1})",
    "less_equal": "(not extended.is_less({1}, {0}))",
    "equal": "({s0} == {s1} and {m0} == {m1})",
    "not_equal": "({s0} != {s1} or {m0} != {m1})",
    "and": "({0} and {1})",
    "or": "({0} or {1})",
    "not": "(not {0})",
    "select": "(({1}) if {0} else ({2}))",
    **{name: f"extended.{name}({{0}}, {{1}})" for name in ("add", "multiply", "divide", "general_power")},
}


def extended_instruction(instruction: Instruction, names: Sequence[str]) -> str:
    """One instruction as an expression that gives a pair (or a truth value for a condition)."""
    operation, value = instruction.operation, instruction.value
    operands = [names[o] for o in instruction.operands]
    if operation == "number" and isinstance(value, Fraction):
        return _pair(value)
    if operation == "constant":
        return _pair(Fraction(NAMED[str(value)]))
    if operation == "truth":
        return str(bool(value))
    if operation in {"power", "root"} and isinstance(value, int):
        return f"extended.{operation}({operands[0]}, {float(value)!r})"
    entry = by_name().get(operation)
    if entry is not None and entry.extended is not None:
        return f"extended.{entry.extended}({', '.join(operands)})"
    if operation not in TEMPLATES:
        raise LemmascopeError(f"Extended-range kernels have no {operation}: use compile_multiprecision.")
    parts = {f"s{i}": operand.split(", ")[0] for i, operand in enumerate(operands)}
    parts |= {f"m{i}": operand.split(", ")[-1] for i, operand in enumerate(operands)}
    return TEMPLATES[operation].format(*operands, **parts)


CONDITIONS = frozenset({"less", "less_equal", "equal", "not_equal", "and", "or", "not", "truth"})


def extended_source(program: Program) -> str:
    """A module with `evaluate(signs, logs, result_signs, result_logs)`."""
    names: list[str] = []
    lines: list[str] = []
    for register, instruction in enumerate(program.instructions):
        pair = f"s{register}, m{register}"
        if instruction.operation == "argument":
            lines.append(f"        {pair} = signs[{instruction.value}, lane], logs[{instruction.value}, lane]")
        elif instruction.operation in CONDITIONS:
            pair = f"c{register}"
            lines.append(f"        {pair} = {extended_instruction(instruction, names)}")
        else:
            lines.append(f"        {pair} = {extended_instruction(instruction, names)}")
        names.append(pair)
    stores = [
        f"        result_signs[{i}, lane], result_logs[{i}, lane] = {names[output]}"
        for i, output in enumerate(program.outputs)
    ]
    four = ", ".join(["float64[:, ::1]"] * 4)
    return "\n".join(
        [
            HEADER,
            f'@njit("void({four})", {OPTIONS})',
            "def evaluate(signs, logs, result_signs, result_logs):",
            "    for lane in range(signs.shape[1]):",
            *lines,
            *stores,
            "",
        ]
    )


def compile_extended(
    outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]
) -> Callable[[Sequence[Extended]], list[Extended]]:
    """Compile formulas to a kernel on numbers of any size.

    The kernel takes one `Extended` array per argument, all of the same length, and returns one per formula.

    >>> from sympy.abc import x
    >>> square = compile_extended([x**2 - x**3], [x])
    >>> square([Extended.of(["1e-300"])])[0].log10().round(9).tolist()
    [-600.0]
    """
    outputs, arguments = tuple(map(sp.sympify, outputs)), tuple(arguments)
    key = formula_key("extended", outputs, arguments)
    module = generated_module(key, lambda: extended_source(straight_line(outputs, arguments)))

    def kernel(values: Sequence[Extended]) -> list[Extended]:
        if len(values) != len(arguments):
            raise LemmascopeError(
                f"The kernel takes {len(arguments)} arrays ({', '.join(map(str, arguments))}), not {len(values)}."
            )
        signs = np.ascontiguousarray(np.broadcast_arrays(*(v.sign for v in values)), dtype=np.float64)
        logs = np.ascontiguousarray(np.broadcast_arrays(*(v.log for v in values)), dtype=np.float64)
        result_signs, result_logs = np.empty((2, len(outputs), signs.shape[1]))
        module.evaluate(signs, logs, result_signs, result_logs)
        return [Extended(s, m) for s, m in zip(result_signs, result_logs, strict=True)]

    return kernel
