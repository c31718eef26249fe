"""Matrix formulas: written out as scalars while they are small, kept as matrix products above a threshold."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp


def holds_matrices(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> bool:
    """Whether any argument or output is a matrix."""
    return any(isinstance(item, sp.MatrixExpr | sp.MatrixBase) for item in (*outputs, *arguments))


def as_scalars(
    outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]
) -> tuple[tuple[sp.Basic, ...], tuple[sp.Basic, ...]]:
    """Every matrix written out entry by entry, row after row."""
    return _entries(outputs), _entries(arguments)


def _entries(items: Sequence[sp.Basic]) -> tuple[sp.Basic, ...]:
    entries: list[sp.Basic] = []
    for item in items:
        if isinstance(item, sp.MatrixExpr):
            entries.extend(item.as_explicit())
        elif isinstance(item, sp.MatrixBase):
            entries.extend(item)
        else:
            entries.append(item)
    return tuple(entries)


def matrix_float_source(outputs: Sequence[sp.Basic], arguments: Sequence[sp.Basic]) -> str:
    """The source of a float64 kernel for matrix formulas."""
    from numerics.float_kernel import float_source
    from numerics.program import straight_line

    return float_source(straight_line(*as_scalars(outputs, arguments)))


def matrix_flow_source(
    state: Sequence[sp.Basic],
    velocity: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Basic],
    observed: Sequence[sp.Basic],
    lanes: int,
) -> str:
    """The source of a right-hand side for matrix flows."""
    from numerics.flow_kernel import flow_source

    return flow_source(_entries(state), _entries(velocity), time, _entries(parameters), _entries(observed), lanes)
