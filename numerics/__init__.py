"""What theory derived, compiled: kernels, trajectories, enclosures and surveys."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numerics.ball_functions import interval
    from numerics.ball_kernel import compile_ball
    from numerics.enclosures import Enclosure, enclose, enclose_map
    from numerics.ensemble import Status
    from numerics.extended_kernel import Extended, compile_extended
    from numerics.float_kernel import compile_float
    from numerics.flows import Event, FlowEnsemble, integrate
    from numerics.map_tools import Periods, basins, bifurcation_diagram, lyapunov_exponents, periods
    from numerics.maps import MapEnsemble, iterate
    from numerics.matrix_flow import MatrixFlow
    from numerics.multiprecision_kernel import compile_multiprecision, precision

# each public name and the module it lives in; modules are imported on first use
_HOME = {
    "compile_ball": "ball_kernel",
    "compile_extended": "extended_kernel",
    "compile_float": "float_kernel",
    "compile_multiprecision": "multiprecision_kernel",
    "Extended": "extended_kernel",
    "precision": "multiprecision_kernel",
    "Enclosure": "enclosures",
    "Event": "flows",
    "FlowEnsemble": "flows",
    "MapEnsemble": "maps",
    "MatrixFlow": "matrix_flow",
    "Periods": "map_tools",
    "Status": "ensemble",
    "basins": "map_tools",
    "bifurcation_diagram": "map_tools",
    "lyapunov_exponents": "map_tools",
    "periods": "map_tools",
    "enclose": "enclosures",
    "enclose_map": "enclosures",
    "integrate": "flows",
    "interval": "ball_functions",
    "iterate": "maps",
}

__all__ = [
    "Enclosure",
    "Event",
    "Extended",
    "FlowEnsemble",
    "MapEnsemble",
    "MatrixFlow",
    "Periods",
    "Status",
    "basins",
    "bifurcation_diagram",
    "compile_ball",
    "compile_extended",
    "compile_float",
    "compile_multiprecision",
    "enclose",
    "enclose_map",
    "integrate",
    "interval",
    "iterate",
    "lyapunov_exponents",
    "periods",
    "precision",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'numerics' has no attribute {name!r}")
    return getattr(import_module(f"numerics.{_HOME[name]}"), name)
