"""The source text of float64 kernels: each instruction of a program as an expression that numba compiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import sympy as sp

from numerics.cache import content_key, generator_digest
from numerics.program import Instruction, Program
from theory.errors import LemmascopeError
from theory.language.functions import by_name

OPTIONS = 'cache=True, error_model="numpy", fastmath={"contract"}, nogil=True'

HEADER = """\
from math import *
from numba import carray, cfunc, njit, types
from numerics.elementary import exponential, hyperbolic_cosine, hyperbolic_sine, hyperbolic_tangent
from numerics.special import *
"""

# what each operation is in float64; nan wherever the real function has no value
TEMPLATES = {
    "add": "({0} + {1})",
    "subtract": "({0} - {1})",
    "multiply": "({0} * {1})",
    "negate": "(-{0})",
    "divide": "({0} / {1} if {1} != 0.0 else nan)",
    "general_power": "({0} ** {1} if {0} > 0.0 or ({0} == 0.0 and {1} > 0.0) or {1} == floor({1}) else nan)",
    "undefined": "nan",
    "less": "({0} < {1})",
    "less_equal": "({0} <= {1})",
    "equal": "({0} == {1})",
    "not_equal": "({0} != {1})",
    "and": "({0} and {1})",
    "or": "({0} or {1})",
    "not": "(not {0})",
    "select": "({1} if {0} else {2})",
}

NAMED = {"pi": math.pi, "e": math.e, "euler": 0.5772156649015329, "catalan": 0.915965594177219}


def float_literal(value: Fraction) -> str:
    """The nearest float64, or a refusal where it would silently become 0 or infinite.

    >>> float_literal(Fraction(1, 10))
    '0.1'
    """
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf
    if math.isinf(nearest) or (nearest == 0.0 and value != 0):
        raise LemmascopeError(
            f"The number {sp.Rational(value.numerator, value.denominator).evalf(3)} leaves float64: "
            "use compile_extended or compile_multiprecision."
        )
    return repr(nearest) if nearest >= 0 else f"({nearest!r})"


def float_instruction(instruction: Instruction, names: Sequence[str]) -> str:
    """One instruction as an expression of numba source."""
    operation, value = instruction.operation, instruction.value
    operands = [names[o] for o in instruction.operands]
    if operation == "number" and isinstance(value, Fraction):
        return float_literal(value)
    if operation == "constant":
        return repr(NAMED[str(value)])
    if operation == "truth":
        return str(bool(value))
    if operation == "power" and isinstance(value, int):
        return _power(operands[0], value)
    if operation == "root":
        if value == 2:
            return f"sqrt({operands[0]})"
        return f"({operands[0]} ** (1.0 / {value}) if {operands[0]} >= 0.0 else nan)"
    if operation == "real_root" and isinstance(value, tuple):
        return repr(_nearest_root(*value))
    entry = by_name().get(operation)
    if entry is not None and entry.compiled is None:
        raise LemmascopeError(f"float64 kernels have no {operation}: use compile_ball or compile_multiprecision.")
    return (TEMPLATES[operation] if entry is None else str(entry.compiled)).format(*operands)


def _power(base: str, exponent: int) -> str:
    if exponent > 16:
        return f"({base} ** {exponent})"
    if exponent == 0:
        return "1.0"
    if exponent == 1:
        return base
    half = _power(base, exponent // 2)
    square = f"({half} * {half})"
    return square if exponent % 2 == 0 else f"({square} * {base})"


def _nearest_root(coefficients: tuple[int, ...], index: int) -> float:
    polynomial = sp.Poly(list(reversed(coefficients)), sp.Symbol("x"))
    return float(sp.CRootOf(polynomial, index).evalf(20))


def float_body(program: Program, loads: Sequence[str], indent: str) -> tuple[list[str], list[str]]:
    """Lines that compute the program from `loads`, and the expressions of its outputs."""
    names: list[str] = []
    lines: list[str] = []
    for register, instruction in enumerate(program.instructions):
        if instruction.operation == "argument" and isinstance(instruction.value, int):
            text = loads[instruction.value]
        else:
            text = float_instruction(instruction, names)
        if instruction.operation in {"number", "constant", "undefined", "truth", "real_root"}:
            names.append(text)
            continue
        lines.append(f"{indent}r{register} = {text}")
        names.append(f"r{register}")
    return lines, [names[output] for output in program.outputs]


def float_source(program: Program) -> str:
    """A module with `evaluate(points, values)`, arrays of shape (rows, points)."""
    loads = [f"points[{i}, lane]" for i in range(program.argument_count)]
    lines, results = float_body(program, loads, " " * 8)
    stores = [f"        values[{i}, lane] = {result}" for i, result in enumerate(results)]
    return "\n".join(
        [
            HEADER,
            f'@njit("void(float64[:, ::1], float64[:, ::1])", {OPTIONS})',
            "def evaluate(points, values):",
            "    for lane in range(points.shape[1]):",
            *lines,
            *stores,
            "",
        ]
    )


def formula_key(kind: str, outputs: Iterable[sp.Basic], arguments: Iterable[sp.Basic], *more: str) -> str:
    """The content key of a kernel."""
    # in their own order: to sort the terms of a number, SymPy would compute them, and exp(exp(10**6)) as well
    parts = (sp.srepr(tuple(formulas), order="none") for formulas in (outputs, arguments))
    return content_key(generator_digest(), kind, *parts, *more)
