"""What ensembles of maps and flows share: how starts and parameters are given, and how each trajectory ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import sympy as sp

from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Starts = ArrayLike | Mapping[sp.Symbol | str, Any]
    Parameters = Mapping[sp.Symbol | str, Any]


class Status(IntEnum):
    """How a trajectory ended; an ensemble never dies because one member does."""

    FINISHED = 0
    SETTLED = 1
    STOPPED = 2
    DIVERGED = 3
    UNDERFLOWED = 4
    UNDEFINED = 5
    SINGULAR = 6
    STEP_LIMIT = 7
    STIFF = 8

    @property
    def is_complete(self) -> bool:
        """Whether the trajectory reached its end, or an event that was asked to stop it."""
        return self <= Status.STOPPED


EXPLANATIONS = {
    Status.FINISHED: "ran to the end",
    Status.SETTLED: "ended on an orbit that repeats exactly",
    Status.STOPPED: "was stopped by an event",
    Status.DIVERGED: "left the bound on the size of the state",
    Status.UNDERFLOWED: "fell below the smallest normal float64; use extended range or integrate log-norms",
    Status.UNDEFINED: "met a point where the right-hand side is undefined",
    Status.SINGULAR: "needs steps too small for float64, as before a pole or a blow-up",
    Status.STEP_LIMIT: "used up its steps; allow more or loosen the tolerance",
    Status.STIFF: "is stiff; let the implicit method take over",
}


def explain(status: Status, trajectory: int, place: str) -> str:
    """One sentence with the trajectory and the time at fault.

    >>> explain(Status.DIVERGED, 3, "step 17")
    'Trajectory 3 left the bound on the size of the state at step 17.'
    """
    return f"Trajectory {trajectory} {EXPLANATIONS[status]} at {place}."


class Dynamics(Protocol):
    """The attributes of a Map or Flow that numerics needs."""

    @property
    def state(self) -> tuple[sp.Basic, ...]:
        """State symbols."""

    @property
    def time(self) -> sp.Symbol | None:
        """Time or step symbol."""

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """Everything else that is free."""


def _as_floats(value: Any, name: str) -> NDArray[np.float64]:
    if isinstance(value, sp.Basic):
        value = float(value)
    array = np.asarray(value)
    if array.dtype == object:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise LemmascopeError(f"The values of {name} are not all real numbers: convert them first.") from error
    if array.dtype.kind not in "fiub":
        raise LemmascopeError(f"The values of {name} have type {array.dtype}: give real numbers.")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        at = int(np.flatnonzero(~np.isfinite(array.ravel()))[0])
        raise LemmascopeError(f"Value {at} of {name} is {array.ravel()[at]}: every start and parameter must be finite.")
    return array


def _look_up(given: Mapping[sp.Symbol | str, Any], symbol: sp.Basic, role: str) -> Any:
    for key in (symbol, str(symbol)):
        if key in given:
            return given[key]
    by_name = {str(key): value for key, value in given.items()}
    if str(symbol) in by_name:
        return by_name[str(symbol)]
    raise LemmascopeError(f"The {role} {symbol} has no value: add it to {role}s=.")


def _rows(symbols: Sequence[sp.Basic], given: Mapping[sp.Symbol | str, Any], role: str) -> list[NDArray[np.float64]]:
    known = {str(s) for s in symbols}
    unknown = [str(k) for k in given if str(k) not in known]
    if unknown:
        raise LemmascopeError(
            f"{', '.join(unknown)} is not a {role} of the dynamics, which has {', '.join(sorted(known)) or 'none'}."
        )
    return [_as_floats(_look_up(given, symbol, role), str(symbol)) for symbol in symbols]


def ensemble_arrays(
    dynamics: Dynamics, starts: Starts, parameters: Parameters | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Starts of shape (state, trajectories) and parameters of shape (parameters, trajectories)."""
    symbols = written_out(dynamics.state)
    if isinstance(starts, Mapping):
        rows = _rows(symbols, _matrices_written_out(dynamics.state, starts), "start")
    else:
        array = _as_floats(starts, "the starts")
        if array.ndim == 1 and array.size == len(symbols):
            array = array[:, None]
        if array.ndim != 2 or array.shape[0] != len(symbols):
            raise LemmascopeError(
                f"Starts have shape {array.shape}, but the state has {len(symbols)} components "
                f"({', '.join(map(str, symbols[:6]))}{', ...' if len(symbols) > 6 else ''}): "
                f"give an array of shape ({len(symbols)}, trajectories)."
            )
        rows = list(array)
    chosen = _matrices_written_out(dynamics.parameters, dict(parameters or {}))
    values = _rows(written_out(dynamics.parameters), chosen, "parameter")
    sizes = {row.size for row in (*rows, *values) if row.ndim > 0}
    count = max(sizes, default=1)
    if any(size not in (1, count) for size in sizes) or any(row.ndim > 1 for row in (*rows, *values)):
        raise LemmascopeError(
            f"Starts and parameters have lengths {sorted(sizes)}: make them equal, or single numbers."
        )
    return _stack(rows, count), _stack(values, count)


def written_out(symbols: Sequence[sp.Basic]) -> tuple[sp.Basic, ...]:
    """Scalar symbols as they are, matrix symbols entry by entry."""
    return tuple(
        entry
        for symbol in symbols
        for entry in (symbol.as_explicit() if isinstance(symbol, sp.MatrixSymbol) else (symbol,))
    )


def _matrices_written_out(symbols: Sequence[sp.Basic], given: Mapping[Any, Any]) -> dict[Any, Any]:
    """Values of matrix symbols, arrays (rows, columns) or (rows, columns, trajectories), as values of their entries."""
    written = dict(given)
    for symbol in symbols:
        if isinstance(symbol, sp.MatrixSymbol) and symbol in given:
            array = np.asarray(written.pop(symbol))
            if array.shape[:2] != tuple(symbol.shape):
                raise LemmascopeError(f"{symbol} has shape {tuple(symbol.shape)}, but its value has {array.shape}.")
            for entry in symbol.as_explicit():
                written[entry] = array[int(entry.i), int(entry.j)]
    return written


def _stack(rows: Sequence[NDArray[np.float64]], count: int) -> NDArray[np.float64]:
    stacked = np.empty((len(rows), count))
    for index, row in enumerate(rows):
        stacked[index] = row
    return stacked


def threads_to_use(threads: int | None) -> int:
    """The number of threads: all cores unless it is given."""
    import os

    if threads is None:
        return max(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 1)
    if threads < 1:
        raise LemmascopeError(f"threads={threads} cannot work: use at least one.")
    return threads
