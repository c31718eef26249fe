"""Calls through an address: cores are compiled once and take the formula as a function pointer."""

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
