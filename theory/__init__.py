"""Learning dynamics, derived: losses, flows, maps, their equilibria, and statements about them."""

from __future__ import annotations

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
