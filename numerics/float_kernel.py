"""float64 kernels over many points at once, compiled by numba or, for functions it does not know, by balls."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from numerics.ball_kernel import compile_ball
from numerics.cache import generated_module
from numerics.float_source import float_source, formula_key
from numerics.matrix_kernel import matrix_float_source
from numerics.matrix_program import count_entries, holds_matrices
from numerics.program import straight_line
from theory.errors import LemmascopeError
from theory.language.functions import entry_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


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
