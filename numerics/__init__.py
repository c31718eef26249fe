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
    from numerics.extended_maps import iterate_extended
    from numerics.float_kernel import compile_float
    from numerics.flows import Event, FlowEnsemble, integrate
    from numerics.heyoka_backend import integrate_with_heyoka
    from numerics.map_tools import Periods, basins, bifurcation_diagram, lyapunov_exponents, periods
    from numerics.maps import MapEnsemble, iterate
    from numerics.matrix_flow import MatrixFlow
    from numerics.multiprecision_kernel import compile_multiprecision, precision
    from numerics.surveys import Survey, survey
    from numerics.training import PREDICTION, TARGET, UNIT, Network, Trainer, train, train_flow
    from numerics.transforms import LOG_NORM, direction_and_log_norm, rescaled_time, to_direction_and_log_norm

# each public name and the module it lives in; modules are imported on first use
_HOME = {
    "iterate_extended": "extended_maps",
    "LOG_NORM": "transforms",
    "direction_and_log_norm": "transforms",
    "integrate_with_heyoka": "heyoka_backend",
    "rescaled_time": "transforms",
    "to_direction_and_log_norm": "transforms",
    "Enclosure": "enclosures",
    "Event": "flows",
    "Extended": "extended_kernel",
    "FlowEnsemble": "flows",
    "MapEnsemble": "maps",
    "MatrixFlow": "matrix_flow",
    "Network": "training",
    "PREDICTION": "training",
    "Periods": "map_tools",
    "Status": "ensemble",
    "Survey": "surveys",
    "TARGET": "training",
    "Trainer": "training",
    "UNIT": "training",
    "basins": "map_tools",
    "bifurcation_diagram": "map_tools",
    "compile_ball": "ball_kernel",
    "compile_extended": "extended_kernel",
    "compile_float": "float_kernel",
    "compile_multiprecision": "multiprecision_kernel",
    "enclose": "enclosures",
    "enclose_map": "enclosures",
    "integrate": "flows",
    "interval": "ball_functions",
    "iterate": "maps",
    "lyapunov_exponents": "map_tools",
    "periods": "map_tools",
    "precision": "multiprecision_kernel",
    "survey": "surveys",
    "train": "training",
    "train_flow": "training",
}

__all__ = [
    "LOG_NORM",
    "PREDICTION",
    "TARGET",
    "UNIT",
    "Enclosure",
    "Event",
    "Extended",
    "FlowEnsemble",
    "MapEnsemble",
    "MatrixFlow",
    "Network",
    "Periods",
    "Status",
    "Survey",
    "Trainer",
    "basins",
    "bifurcation_diagram",
    "compile_ball",
    "compile_extended",
    "compile_float",
    "compile_multiprecision",
    "direction_and_log_norm",
    "enclose",
    "enclose_map",
    "integrate",
    "integrate_with_heyoka",
    "interval",
    "iterate",
    "iterate_extended",
    "lyapunov_exponents",
    "periods",
    "precision",
    "rescaled_time",
    "survey",
    "to_direction_and_log_norm",
    "train",
    "train_flow",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'numerics' has no attribute {name!r}")
    return getattr(import_module(f"numerics.{_HOME[name]}"), name)
