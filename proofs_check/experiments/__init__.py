"""Numerical experiments by name: they measure, in floating point, and can support a statement but never prove it.

The part of a name before the first dot is the module of this package that holds it. An experiment returns a mapping
with its measurements and, if it likes, `coverage`, `cases`, `missing` and `notes`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from typing import Any

from theory.errors import LemmascopeError

Experiment = Callable[..., Mapping[str, Any]]

_EXPERIMENTS: dict[str, Experiment] = {}
_MEASURED: dict[str, dict[str, Any]] = {}


def experiment(name: str) -> Callable[[Experiment], Experiment]:
    """Register an experiment under a name.

    >>> @experiment("demo.mean")
    ... def mean(values: list[float]) -> dict[str, float]:
    ...     return {"mean": sum(values) / len(values)}
    >>> run("demo.mean", {"values": [1.0, 2.0]})
    {'mean': 1.5}
    """

    def register(procedure: Experiment) -> Experiment:
        _EXPERIMENTS[name] = procedure
        return procedure

    return register


def run(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What the named experiment measures for these arguments; seeds are arguments, so it is measured once."""
    module = f"{__name__}.{name.partition('.')[0]}"
    if name not in _EXPERIMENTS and importlib.util.find_spec(module) is not None:
        importlib.import_module(module)
    if name not in _EXPERIMENTS:
        known = ", ".join(sorted(_EXPERIMENTS)) or "none yet"
        raise LemmascopeError(
            f"no experiment is called {name} (known: {known}): register it with @experiment({name!r})"
        )
    key = f"{name} {json.dumps(dict(arguments), sort_keys=True, default=str)}"
    if key not in _MEASURED:
        _MEASURED[key] = dict(_EXPERIMENTS[name](**arguments))
    return dict(_MEASURED[key])
