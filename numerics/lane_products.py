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


@intrinsic
def _add_up_tile(
    typing_context: Any,  # noqa: ARG001
    rows: Any,
    row_step: Any,
    columns: Any,
    column_step: Any,
    outs: Any,
    inner: Any,
) -> Any:
    """Two by two entries of a product, from the addresses of rows, columns and results and the bytes between terms."""

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        row_addresses, row_stride, column_addresses, column_stride, out_addresses, count = values
        vector = ir.VectorType(ir.DoubleType(), LANES)

        def pointer(addresses: Any, place: int, offset: Any) -> Any:
            address = builder.add(builder.extract_value(addresses, place), offset)
            return builder.inttoptr(address, vector.as_pointer())

        sums = [cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES)) for _ in range(4)]
        with cgutils.for_range(builder, count) as loop:
            down, along = builder.mul(row_stride, loop.index), builder.mul(column_stride, loop.index)
            left = [builder.load(pointer(row_addresses, i, down), align=8) for i in range(2)]
            right = [builder.load(pointer(column_addresses, j, along), align=8) for j in range(2)]
            for place, total in enumerate(sums):
                product = builder.fmul(left[place // 2], right[place % 2], flags=("contract",))
                builder.store(builder.fadd(builder.load(total), product, flags=("contract",)), total)
        for place, total in enumerate(sums):
            builder.store(builder.load(total), pointer(out_addresses, place, ir.Constant(down.type, 0)), align=8)
        return context.get_dummy_value()

    return types.void(rows, row_step, columns, column_step, outs, inner), generate


@njit(cache=True, error_model="numpy", nogil=True)
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
    row_step, column_step = entry * left_down, entry * right_along
    for i in range(0, rows, 2):
        # a tile that would reach over the edge computes the last row or column again
        below = min(i + 1, rows - 1)
        for j in range(0, columns, 2):
            beside = min(j + 1, columns - 1)
            _add_up_tile(
                (left + row_step * i, left + row_step * below),
                entry * left_along,
                (right + column_step * j, right + column_step * beside),
                entry * right_down,
                (
                    out + entry * (columns * i + j),
                    out + entry * (columns * i + beside),
                    out + entry * (columns * below + j),
                    out + entry * (columns * below + beside),
                ),
                inner,
            )
