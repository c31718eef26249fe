"""float64 kernels: the program written as numba source, one loop over the points."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from numerics.cache import content_key, generated_module, generator_digest
from numerics.matrix_program import count_entries, holds_matrices
from numerics.program import Instruction, Program, straight_line
from theory.errors import LemmascopeError
from theory.language.functions import by_name, entry_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

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


def compile_float(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> FloatKernel:
    """Compile formulas to one float64 kernel over many points.

    The kernel takes an array of shape (number of arguments, number of points) and returns one of shape
    (number of outputs, number of points), with nan where a formula is undefined. Relations are allowed as
    outputs and give 1.0 or 0.0.

    >>> from sympy.abc import x, y
    >>> f = compile_float([x * y, sp.sqrt(x)], [x, y])
    >>> f([[4.0, -1.0], [2.0, 3.0]]).tolist()
    [[8.0, -3.0], [2.0, nan]]
    """
    return _compiled(tuple(map(sp.sympify, outputs)), tuple(arguments))


@lru_cache(maxsize=512)
def _compiled(outputs: tuple[sp.Basic, ...], arguments: tuple[sp.Basic, ...]) -> FloatKernel:
    from numerics.matrix_kernel import matrix_float_source

    if not holds_matrices(outputs, arguments) and any(_needs_balls(output) for output in outputs):
        return FloatKernel(_by_balls(outputs, arguments), arguments, len(arguments), len(outputs))

    def write() -> str:
        if holds_matrices(outputs, arguments):
            return matrix_float_source(outputs, arguments)
        return float_source(straight_line([_as_number(o) for o in outputs], arguments))

    module = generated_module(formula_key("float", outputs, arguments), write)
    return FloatKernel(module.evaluate, arguments, count_entries(arguments), count_entries(outputs))


def _needs_balls(formula: sp.Basic) -> bool:
    """Whether some function in a formula has no float64 form."""
    found = (entry_of(part) for part in sp.preorder_traversal(formula))
    return any(entry is not None and entry.compiled is None and entry.ball is not None for entry in found)


def _by_balls(
    outputs: tuple[sp.Basic, ...], arguments: tuple[sp.Basic, ...]
) -> Callable[[NDArray[np.float64], NDArray[np.float64]], None]:
    """Point by point in ball arithmetic: slow, and right for every function of the language."""
    from numerics.ball_kernel import compile_ball

    kernel = compile_ball([_as_number(output) for output in outputs], arguments)

    def fill(points: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        from flint import arb

        for lane in range(points.shape[1]):
            for row, ball in enumerate(kernel(*(arb(float(value)) for value in points[:, lane]))):
                values[row, lane] = float(ball.mid()) if ball.is_finite() else math.nan

    return fill


@dataclass(frozen=True)
class FloatKernel:
    """A compiled formula: call it with points, or `fill` an array of results without allocating one."""

    fill: Callable[[NDArray[np.float64], NDArray[np.float64]], None]
    arguments: tuple[sp.Basic, ...]
    rows: int
    results: int

    def __call__(self, points: ArrayLike) -> NDArray[np.float64]:
        """Values of shape (results, points)."""
        given = checked_points(points, self.rows, self.arguments)
        values = np.empty((self.results, given.shape[1]))
        self.fill(given, values)
        return values


def _as_number(output: sp.Basic) -> sp.Basic:
    return sp.Piecewise((1, output), (0, True)) if output.is_Boolean else output


def checked_points(points: ArrayLike, rows: int, arguments: Sequence[sp.Basic]) -> NDArray[np.float64]:
    """The points as a contiguous float64 array, or a sentence that says what is wrong with them."""
    array = np.asarray(points)
    if array.dtype.kind not in "fiub":
        raise LemmascopeError(f"Points must be real numbers, not {array.dtype}: convert them to float64 first.")
    if array.dtype.kind in "iu" and array.size and np.abs(array.astype(np.float64)).max() > 2**53:
        raise LemmascopeError("Some integer points are beyond 2**53 and not exact in float64: use compile_ball.")
    if array.ndim != 2 or array.shape[0] != rows:
        names = ", ".join(str(a) for a in arguments)
        raise LemmascopeError(
            f"Points have shape {array.shape}, but the kernel takes {rows} rows ({names}) "
            f"and one column per point: reshape to ({rows}, n)."
        )
    return np.ascontiguousarray(array, dtype=np.float64)
