"""Maps on states of any size: trajectories that fall to 1e-400 and below without underflow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from numerics.extended_kernel import Extended, compile_extended
from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numerics.maps import MapLike


def _column(value: Any) -> Extended:
    if isinstance(value, Extended):
        return value
    return Extended.of(value if isinstance(value, list | tuple | np.ndarray) else [value])


def iterate_extended(
    map_: MapLike, starts: Mapping[sp.Symbol, Any], steps: int, *, parameters: Mapping[sp.Symbol, Any] | None = None
) -> list[Extended]:
    """The last state of every trajectory, one `Extended` array for each state component.

    starts, parameters: `Extended` arrays, numbers, or lists of numbers and decimal strings such as "1e-400".

    >>> from theory.dynamics import Map
    >>> x = sp.Symbol("x")
    >>> iterate_extended(Map((x,), (x**2,)), {x: "1e-5"}, 10)[0].log10().round(6).tolist()
    [-5120.0]
    """
    if steps < 0:
        raise LemmascopeError(f"steps={steps} is negative: give the number of steps to take.")
    chosen = dict(parameters or {})
    missing = [s for s in (*map_.state, *map_.parameters) if s not in starts and s not in chosen]
    if missing:
        raise LemmascopeError(f"{missing[0]} has no value: add it to starts= or parameters=.")
    fixed = [_column(chosen[p]) for p in map_.parameters]
    moment = [map_.time] if map_.time is not None else []
    kernel = compile_extended(map_.update, [*map_.state, *map_.parameters, *moment])
    state = [_column(starts[s]) for s in map_.state]
    for step in range(steps):
        clock = [Extended.of([step])] if moment else []
        state = kernel([*state, *fixed, *clock])
    return state
