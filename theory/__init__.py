"""Learning dynamics, derived: losses, flows, maps, their equilibria, and statements about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, heavy_ball, matrix, nesterov, vector
    from theory.errors import LemmascopeError
    from theory.statements import Computation, Constant, Source, Statement
    from theory.temporal import (
        After,
        Always,
        ConvergesTo,
        Decreasing,
        Eventually,
        Exists,
        ForAll,
        ForSmall,
        HasPeriod,
        Scaling,
        Until,
    )

__all__ = [
    "After",
    "Always",
    "Computation",
    "Constant",
    "ConvergesTo",
    "Decreasing",
    "Eventually",
    "Exists",
    "Flow",
    "ForAll",
    "ForSmall",
    "HasPeriod",
    "LemmascopeError",
    "Map",
    "Scaling",
    "Source",
    "Statement",
    "Until",
    "gradient_descent",
    "gradient_flow",
    "heavy_ball",
    "matrix",
    "nesterov",
    "vector",
]

_STATEMENTS = {"Computation", "Constant", "Source", "Statement"}
_DYNAMICS = {"Flow", "Map", "gradient_descent", "gradient_flow", "heavy_ball", "matrix", "nesterov", "vector"}


def __getattr__(name: str) -> Any:
    # lazy, so that the command line can say what it can do before SymPy is loaded
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'theory' has no attribute {name!r}")
    home = "errors" if name == "LemmascopeError" else "temporal"
    home = "statements" if name in _STATEMENTS else "dynamics" if name in _DYNAMICS else home
    return getattr(importlib.import_module(f"theory.{home}"), name)
