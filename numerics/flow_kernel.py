"""The right-hand side of a Flow, and what is observed along it, as C functions over a fixed number of lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import sympy as sp

from numerics.cache import content_key, generated_module
from numerics.float_source import formula_key
from numerics.flow_source import flow_source
from numerics.integration_source import integrator_source
from numerics.matrix_kernel import matrix_flow_source
from numerics.matrix_program import holds_matrices


@dataclass(frozen=True)
class FlowKernel:
    """Addresses of the compiled formulas; the module is kept so that they stay valid.

    The formulas work in `room` rows after those of the parameters.
    """

    right_side: int
    observe: int
    lanes: int
    room: int
    keep_alive: Any


def compile_flow(
    state: Sequence[sp.Basic],
    velocity: Sequence[sp.Basic],
    time: sp.Symbol | None,
    parameters: Sequence[sp.Symbol],
    observed: Sequence[sp.Basic] = (),
) -> FlowKernel:
    """Compile a Flow's right-hand side and observed quantities, or find them in the cache."""
    return _compiled(tuple(state), tuple(velocity), time, tuple(parameters), tuple(observed))


@lru_cache(maxsize=512)
def _compiled(
    state: tuple[sp.Basic, ...],
    velocity: tuple[sp.Basic, ...],
    time: sp.Symbol | None,
    parameters: tuple[sp.Basic, ...],
    observed: tuple[sp.Basic, ...],
) -> FlowKernel:

    def write() -> str:
        source = matrix_flow_source if holds_matrices(velocity, state) else flow_source
        return source(state, velocity, time, parameters, observed)

    key = formula_key(
        "flow",
        (*velocity, *observed),
        (*state, *parameters),
        str(len(velocity)),
        sp.srepr(time) if time is not None else "",
    )
    module = generated_module(key, write)
    observe = module.observe.address if observed else 0
    return FlowKernel(module.right_side.address, observe, module.LANES, module.ROOM, module)


@cache
def integrator(lanes: int) -> Any:
    """The integrator core for this many lanes, compiled once for all flows."""
    source = integrator_source(lanes)
    return generated_module(content_key(source), lambda: source).integrate_range
