"""Products of matrices side by side in lanes, compiled once for every size.

An inner loop over lanes would be left to the vectoriser, which gives up on most shapes of this loop. Here the lanes
of one entry are one vector from the start, and a tile of the result stays in registers while it is summed.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8
TILE = 4
OPTIONS = {"cache": True, "error_model": "numpy", "nogil": True}


@intrinsic(prefer_literal=True)
def _add_up(
    typing_context: Any,  # noqa: ARG001
    left: Any,
    right: Any,
    out: Any,
    inner: Any,
    side: Any,
) -> Any:
    """A square tile of a product; each matrix is given by an address and its bytes from row to row and along a row."""
    size = side.literal_value

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        vector, whole = ir.VectorType(ir.DoubleType(), LANES), ir.IntType(64)

        def entry(matrix: Any, i: Any, j: Any) -> Any:
            address, down, along = (builder.extract_value(matrix, place) for place in range(3))
            offset = builder.add(builder.mul(down, i), builder.mul(along, j))
            return builder.inttoptr(builder.add(address, offset), vector.as_pointer())

        numbers = [ir.Constant(whole, n) for n in range(size)]
        zero = ir.Constant(vector, [0.0] * LANES)
        sums = {(i, j): cgutils.alloca_once_value(builder, zero) for i in range(size) for j in range(size)}
        with cgutils.for_range(builder, values[3]) as loop:
            rows = [builder.load(entry(values[0], i, loop.index), align=8) for i in numbers]
            columns = [builder.load(entry(values[1], loop.index, j), align=8) for j in numbers]
            for (i, j), total in sums.items():
                product = builder.fmul(rows[i], columns[j], flags=("contract",))
                builder.store(builder.fadd(builder.load(total), product, flags=("contract",)), total)
        for (i, j), total in sums.items():
            builder.store(builder.load(total), entry(values[2], numbers[i], numbers[j]), align=8)
        return context.get_dummy_value()

    return types.void(left, right, out, inner, side), generate


@njit(**OPTIONS)
def _single_entries(left: Any, right: Any, out: Any, inner: int, rows: Any, columns: Any) -> None:
    """The entries of some rows and columns one by one."""
    for i in range(rows[0], rows[1]):
        for j in range(columns[0], columns[1]):
            _add_up(
                (left[0] + i * left[1], left[1], left[2]),
                (right[0] + j * right[2], right[1], right[2]),
                (out[0] + i * out[1] + j * out[2], out[1], out[2]),
                inner,
                1,
            )


@njit(**OPTIONS)
def multiply(
    left: int,
    left_down: int,
    left_along: int,
    right: int,
    right_down: int,
    right_along: int,
    out: int,
    rows: int,
    inner: int,
    columns: int,
) -> None:
    """out = left * right from addresses; steps down and along a matrix are given in entries of LANES numbers."""
    entry = 8 * LANES
    a = (left, entry * left_down, entry * left_along)
    b = (right, entry * right_down, entry * right_along)
    c = (out, entry * columns, entry)
    for i in range(0, rows - TILE + 1, TILE):
        for j in range(0, columns - TILE + 1, TILE):
            _add_up(
                (a[0] + i * a[1], a[1], a[2]),
                (b[0] + j * b[2], b[1], b[2]),
                (c[0] + i * c[1] + j * c[2], c[1], c[2]),
                inner,
                TILE,
            )
    # what whole tiles leave over at the right and at the bottom
    tiled, across = rows // TILE * TILE, columns // TILE * TILE
    _single_entries(a, b, c, inner, (0, tiled), (across, columns))
    _single_entries(a, b, c, inner, (tiled, rows), (0, columns))
