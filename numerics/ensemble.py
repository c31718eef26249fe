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


def as_floats(value: Any, name: str, *, finite: bool = True) -> NDArray[np.float64]:
    """Numbers in whatever form as a float64 array, or a sentence that says what is wrong with them.

    >>> as_floats([sp.Rational(1, 2), 3], "x").tolist()
    [0.5, 3.0]
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "fiubO":
            raise LemmascopeError(f"The values of {name} have type {array.dtype}: give real numbers.")
        array = array.astype(np.float64)
    except OverflowError as error:
        raise LemmascopeError(
            f"A value of {name} leaves float64: use extended range or integrate log-norms."
        ) from error
    except (TypeError, ValueError) as error:
        raise LemmascopeError(f"The values of {name} are not all real numbers: convert them first.") from error
    if finite and not np.isfinite(array).all():
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


def ensemble_arrays(
    dynamics: Dynamics, starts: Starts, parameters: Parameters | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Starts of shape (state, trajectories) and parameters of shape (parameters, trajectories)."""
    symbols = tuple(dynamics.state)
    size = sum(_entries(s) for s in symbols)
    if isinstance(starts, Mapping):
        rows = _rows(symbols, starts, "start")
    else:
        array = as_floats(starts, "the starts")
        if array.ndim == 1 and array.size == size:
            array = array[:, None]
        if array.ndim != 2 or array.shape[0] != size:
            raise LemmascopeError(
                f"Starts have shape {array.shape}, but the state has {size} components "
                f"({', '.join(map(str, symbols[:6]))}{', ...' if len(symbols) > 6 else ''}): "
                f"give an array of shape ({size}, trajectories)."
            )
        rows = [array]
    values = _rows(dynamics.parameters, dict(parameters or {}), "parameter")
    sizes = {row.shape[1] for row in (*rows, *values)} - {1}
    count = max(sizes, default=1)
    if sizes - {count}:
        raise LemmascopeError(
            f"Starts and parameters have lengths {sorted(sizes)}: make them equal, or single numbers."
        )
    return _stack(rows, count), _stack(values, count)


def _entries(symbol: sp.Basic) -> int:
    return int(symbol.shape[0] * symbol.shape[1]) if isinstance(symbol, sp.MatrixSymbol) else 1


def _rows(symbols: Sequence[sp.Basic], given: Mapping[sp.Symbol | str, Any], role: str) -> list[NDArray[np.float64]]:
    """For each symbol its values as an array (entries, trajectories or 1)."""
    known = {str(s) for s in symbols}
    unknown = [str(k) for k in given if str(k) not in known]
    if unknown:
        raise LemmascopeError(
            f"{', '.join(unknown)} is not a {role} of the dynamics, which has {', '.join(sorted(known)) or 'none'}."
        )
    rows = []
    for symbol in symbols:
        array = as_floats(_look_up(given, symbol, role), str(symbol))
        shape = tuple(int(n) for n in symbol.shape) if isinstance(symbol, sp.MatrixSymbol) else ()
        if array.shape[: len(shape)] != shape or array.ndim > len(shape) + 1:
            wanted = f"{shape} or {(*shape, 'trajectories')}" if shape else "one number, or one for each trajectory"
            raise LemmascopeError(f"The value of {symbol} has shape {array.shape}: give {wanted}.")
        rows.append(array.reshape(_entries(symbol), -1))
    return rows


def _stack(rows: Sequence[NDArray[np.float64]], count: int) -> NDArray[np.float64]:
    stacked = np.empty((sum(len(row) for row in rows), count))
    place = 0
    for row in rows:
        stacked[place : place + len(row)] = row
        place += len(row)
    return stacked


def threads_to_use(threads: int | None) -> int:
    """The number of threads: all cores unless it is given."""
    import os

    if threads is None:
        return max(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 1)
    if threads < 1:
        raise LemmascopeError(f"threads={threads} cannot work: use at least one.")
    return threads
