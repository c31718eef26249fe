"""Calls through an address, and arrays that are only lent.

Cores are compiled once and take the formula as a function pointer. Their arrays belong to the Python code that calls
them, so nothing in the core has to count who holds them: an atomic count on every inner call costs more than the
arithmetic of a short step.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def call_address(typing_context: Any, address: Any, arguments: Any) -> Any:  # noqa: ARG001
    """Call the C function at `address` with 64-bit integers (or array addresses) and no result."""
    signature = types.void(types.intp, arguments)

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        target, packed = values
        whole = ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [whole] * arguments.count)
        pointer = builder.inttoptr(target, kind.as_pointer())
        unpacked = [builder.extract_value(packed, i) for i in range(arguments.count)]
        builder.call(pointer, unpacked)
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def borrowed(typing_context: Any, arrays: Any) -> Any:  # noqa: ARG001
    """The same array, or named tuple of arrays, without a count of its users; the caller must outlive every use."""

    def lend(builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            owner = ir.Constant(value.type.elements[0], None)  # the first field of an array is who owns its memory
            return builder.insert_value(value, owner, 0)
        for place, member in enumerate(kind.types):
            part = builder.extract_value(value, place)
            value = builder.insert_value(value, lend(builder, member, part), place)
        return value

    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return lend(builder, arrays, values[0])

    return arrays(arrays), generate
