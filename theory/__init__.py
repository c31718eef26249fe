"""Learning dynamics, derived: losses, flows, maps, their equilibria, and statements about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.dynamics import (
        Flow,
        Map,
        gradient_descent,
        gradient_flow,
        heavy_ball,
        matrix,
        nesterov,
        proximal_point,
        subgradient_descent,
        vector,
    )
    from theory.errors import LemmascopeError
    from theory.language.classes import (
        Convex,
        ConvexLipschitz,
        PolyakLojasiewicz,
        Smooth,
        SmoothConvex,
        SmoothStronglyConvex,
        function,
    )
    from theory.language.spaces import (
        Matrices,
        OrthogonalMatrices,
        PositiveSemidefinite,
        SymmetricMatrices,
        Vectors,
        identity,
        inner,
        norm,
        trace,
    )
    from theory.latex import from_latex
    from theory.proofs import Proof, Step
    from theory.scope import Scope, case, measured, own, part, unstated, whole
    from theory.stability import stability_region
    from theory.statements import Computation, Constant, Source, Statement
    from theory.temporal import (
        After,
        Always,
        AtStart,
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
    "AtStart",
    "Computation",
    "Constant",
    "ConvergesTo",
    "Convex",
    "ConvexLipschitz",
    "Decreasing",
    "Eventually",
    "Exists",
    "Flow",
    "ForAll",
    "ForSmall",
    "HasPeriod",
    "LemmascopeError",
    "Map",
    "Matrices",
    "OrthogonalMatrices",
    "PolyakLojasiewicz",
    "PositiveSemidefinite",
    "Proof",
    "Scaling",
    "Scope",
    "Smooth",
    "SmoothConvex",
    "SmoothStronglyConvex",
    "Source",
    "Statement",
    "Step",
    "SymmetricMatrices",
    "Until",
    "Vectors",
    "case",
    "from_latex",
    "function",
    "gradient_descent",
    "gradient_flow",
    "heavy_ball",
    "identity",
    "inner",
    "matrix",
    "measured",
    "nesterov",
    "norm",
    "own",
    "part",
    "proximal_point",
    "stability_region",
    "subgradient_descent",
    "trace",
    "unstated",
    "vector",
    "whole",
]

_HOMES = {
    "errors": ("LemmascopeError",),
    "language.classes": (
        *("Convex", "ConvexLipschitz", "PolyakLojasiewicz", "Smooth", "SmoothConvex", "SmoothStronglyConvex"),
        "function",
    ),
    "language.spaces": (
        *("Matrices", "OrthogonalMatrices", "PositiveSemidefinite", "SymmetricMatrices", "Vectors"),
        *("identity", "inner", "norm", "trace"),
    ),
    "latex": ("from_latex",),
    "statements": ("Computation", "Constant", "Source", "Statement"),
    "proofs": ("Proof", "Step"),
    "scope": ("Scope", "case", "measured", "own", "part", "unstated", "whole"),
    "stability": ("stability_region",),
    "dynamics": (
        "Flow",
        "Map",
        "gradient_descent",
        "gradient_flow",
        "heavy_ball",
        "matrix",
        "nesterov",
        "proximal_point",
        "subgradient_descent",
        "vector",
    ),
}


def __getattr__(name: str) -> Any:
    # lazy, so that the command line can say what it can do before SymPy is loaded
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'theory' has no attribute {name!r}")
    home = next((module for module, names in _HOMES.items() if name in names), "temporal")
    return getattr(importlib.import_module(f"theory.{home}"), name)
