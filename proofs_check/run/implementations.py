"""A training step of one's own against a statement: it is run from drawn starts, and the conclusion is looked at.

The step stands in the place of the statement's rule. Its states are judged in floating point with a margin for its
rounding; a claim about the limit is compared with what the rule of the statement has reached by then.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import MatrixSymbol, Symbol

from numerics.float_kernel import compile_float
from numerics.robustness import TemporalRobustness
from proofs_check.engines.falsify.clarity import Sight, clearly_below
from proofs_check.engines.falsify.runs import Simulation
from proofs_check.goals import domains
from proofs_check.points.search import Point
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.language.spaces import PositiveSemidefinite, SymmetricMatrices
from theory.statements import Statement
from theory.temporal import fails_in_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

STEPS = 200
"""How long a trajectory of the implementation is."""
_COMPARED = 10
"""How many of its steps are compared with the rule."""
_ROUNDING = {"float64": 1e-7, "float32": 1e-4}
"""Relative errors of a state that an implementation may make, by the kind of its numbers."""
_ARRIVED = 1e-3
"""How far from its limit a trajectory counts as not having arrived where the rule has."""


@dataclass(frozen=True)
class Entry:
    """A name of the statement and the numbers that it stands for: none of a shape, a vector or a matrix."""

    name: str
    symbols: tuple[Symbol, ...]
    shape: tuple[int, ...]

    def of(self, values: Mapping[Symbol, float], array: Callable[[Any], Any] | None) -> Any:
        """What the step is given for it."""
        numbers = np.array([values[symbol] for symbol in self.symbols], dtype=np.float64).reshape(self.shape)
        if array is not None:
            return array(numbers)
        return numbers if self.shape else float(numbers)


def entries_of(general: Statement, numbers: Statement) -> tuple[list[Entry], list[Entry]]:
    """State and variables of a statement, as they are written, in the symbols of the statement about numbers."""
    if not isinstance(general.dynamics, Map) or not isinstance(numbers.dynamics, Map):
        raise LemmascopeError("step= stands for the rule of a Map: the statement has none")
    known = {symbol.name: symbol for symbol in (*numbers.dynamics.state, *domains(numbers))}
    state = [_entry(symbol, None, known) for symbol in general.dynamics.state]
    own = {symbol: space for symbol, space in general.variables.items() if symbol not in general.dynamics.state}
    return state, [_entry(symbol, space, known) for symbol, space in own.items()]


def _entry(symbol: Any, space: Any, known: Mapping[str, Symbol]) -> Entry:
    if not isinstance(symbol, MatrixSymbol):
        return Entry(symbol.name, (known.get(symbol.name, symbol),), ())
    rows = 0
    while f"{symbol.name}_{rows + 1}_1" in known:
        rows += 1
    columns = 0
    while f"{symbol.name}_1_{columns + 1}" in known:
        columns += 1
    # of a symmetric matrix only one of two equal entries has a name
    is_symmetric = isinstance(space, (SymmetricMatrices, PositiveSemidefinite))
    rows = columns if is_symmetric else rows
    names = [
        (min(i, j), max(i, j)) if is_symmetric else (i, j) for i in range(1, rows + 1) for j in range(1, columns + 1)
    ]
    wanted = [f"{symbol.name}_{i}_{j}" for i, j in names]
    if not wanted or any(name not in known for name in wanted):
        raise LemmascopeError(f"the entries of {symbol} have the names of other symbols: rename these")
    shape = (rows,) if symbol.shape[1] == 1 else (rows, columns)
    return Entry(symbol.name, tuple(known[name] for name in wanted), shape)


class ImplementationCheck:
    """The conclusion of a statement along the trajectory that a step of one's own makes from one point."""

    def __init__(
        self,
        general: Statement,
        numbers: Statement,
        step: Callable[..., Any],
        *,
        array: Callable[[Any], Any] | None = None,
        same_rule: bool = False,
    ) -> None:
        self.statement, self.step, self.array, self.same_rule = numbers, step, array, same_rule
        self.name = getattr(step, "__name__", None) or type(step).__name__
        self.state, self.variables = entries_of(general, numbers)
        clock = numbers.dynamics.time if numbers.dynamics is not None else None
        self._clock = None if clock is None else clock.name
        self._positional = _wants_positions(step)
        self._require_known_names()

    def _require_known_names(self) -> None:
        if self._positional:
            return
        offered = [*(entry.name for entry in (*self.state, *self.variables)), *(s.name for s in self.statement.stated)]
        offered += [] if self._clock is None else [self._clock]
        for name, parameter in inspect.signature(self.step).parameters.items():
            is_needed = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
            if is_needed and name not in offered:
                raise LemmascopeError(
                    f"{self.name} wants {name}, which the statement does not have: its arguments are named like the"
                    f" state and the variables, {', '.join(offered)}"
                )

    @cached_property
    def _simulation(self) -> Simulation:
        return Simulation(self.statement, list(domains(self.statement)))

    @cached_property
    def _sight(self) -> Sight:
        dynamics = self._simulation.dynamics
        claim, names = self.statement.conclusion, self._simulation.names
        return Sight(self.statement, self._simulation, TemporalRobustness(claim, dynamics.state, names, dynamics.time))

    @cached_property
    def _rule(self) -> Callable[[Values], Values]:
        dynamics = self._simulation.dynamics
        clock = () if dynamics.time is None else (dynamics.time,)
        return compile_float(dynamics.right_side, [*dynamics.state, *dynamics.parameters, *clock])

    def __call__(self, point: Point) -> str | None:
        """What goes wrong from this point, in words; None where nothing does."""
        values = {symbol: float(value.evalf(20)) for symbol, value in {**point, **self.statement.stated}.items()}
        column = np.array([[values[symbol]] for symbol in self._simulation.names]).reshape(-1, 1)
        states, rounding = self._run(values, self._simulation.starts(column)[:, 0])
        rule = self._simulation.run(column, STEPS)
        kept = int(rule.kept[0])
        if len(states) <= STEPS and kept > len(states):
            ended = f"{self.name} has no finite value at step {len(states)}, where the rule gives one"
            return f"{ended}\n{self._shown(states)}"
        if self.same_rule and (departure := self._departure(states, values, rounding)) is not None:
            return departure
        return self._violation(states, column, rounding) if len(states) > 1 else None

    def _run(self, values: dict[Symbol, float], start: Values) -> tuple[Values, float]:
        """The states that the implementation makes, as long as they are finite, and the errors that it may make."""
        current, states, kind = start, [start], "float64"
        for place in range(STEPS):
            with np.errstate(all="ignore"):
                answer = self._called(values, current, place)
            current, kind = answer
            if not np.all(np.isfinite(current)):
                break
            states.append(current)
        return np.array(states), _ROUNDING.get(kind, max(_ROUNDING.values()))

    def _called(self, values: dict[Symbol, float], current: Values, place: int) -> tuple[Values, str]:
        symbols = [symbol for entry in self.state for symbol in entry.symbols]
        now = values | dict(zip(symbols, current.tolist(), strict=True))
        given = {entry.name: entry.of(now, self.array) for entry in (*self.variables, *self.state)}
        given |= {symbol.name: values[symbol] for symbol in self.statement.stated}
        if self._clock is not None:
            given[self._clock] = place
        if self._positional:
            parameters = [
                e.name for e in self.variables if e.name in {s.name for s in self._simulation.dynamics.parameters}
            ]
            found = self.step(*(given[e.name] for e in self.state), *(given[name] for name in parameters))
        else:
            wanted = inspect.signature(self.step).parameters
            every = any(parameter.kind is parameter.VAR_KEYWORD for parameter in wanted.values())
            found = self.step(**{name: value for name, value in given.items() if every or name in wanted})
        return self._flat(found)

    def _flat(self, found: Any) -> tuple[Values, str]:
        """The new state as one array, from a mapping by name, a tuple in the order of the state, or one value."""
        if isinstance(found, Mapping):
            missing = [entry.name for entry in self.state if entry.name not in found]
            if missing:
                raise LemmascopeError(f"{self.name} does not return {', '.join(missing)} of the state")
            found = [found[entry.name] for entry in self.state]
        elif not isinstance(found, (tuple, list)):
            found = [found]
        if len(found) != len(self.state):
            raise LemmascopeError(f"{self.name} returns {len(found)} values for a state of {len(self.state)}")
        arrays = [_array(part) for part in found]
        for entry, array in zip(self.state, arrays, strict=True):
            if array.size != len(entry.symbols):
                raise LemmascopeError(
                    f"{self.name} returns {entry.name} with {array.size} numbers instead of {entry.shape}"
                )
        kinds = {str(array.dtype) for array in arrays if array.dtype.kind == "f"}
        kind = "float32" if kinds - {"float64"} else "float64"
        return np.concatenate([array.astype(np.float64).ravel() for array in arrays]), kind

    def _departure(self, states: Values, values: dict[Symbol, float], rounding: float) -> str | None:
        """The first step that is not the one of the rule."""
        dynamics = self._simulation.dynamics
        for place in range(min(_COMPARED, len(states) - 1)):
            clock = [] if dynamics.time is None else [float(place)]
            arguments = [*states[place], *(values[symbol] for symbol in dynamics.parameters), *clock]
            wanted = self._rule(np.array(arguments).reshape(-1, 1))[:, 0]
            size = np.max(np.abs([states[place], states[place + 1]]))
            if np.max(np.abs(wanted - states[place + 1])) > 10 * rounding * size:
                shown = ", ".join(f"{s} = {v:.6g}" for s, v in zip(dynamics.state, wanted, strict=True))
                said = f"{self.name} departs from the rule, which gives {shown} at step {place + 1}"
                return f"{said}\n{self._shown(states[: place + 2])}"
        return None

    def _violation(self, states: Values, column: Values, rounding: float) -> str | None:
        claim, times = self.statement.conclusion, np.arange(float(len(states)))
        table = states[:, :, None]
        if fails_in_time(claim):
            # the shortest of these beginnings reads best
            lengths = dict.fromkeys([*(2**k for k in range(1, len(states).bit_length())), len(states)])
            looks = (clearly_below(self._sight, table[:n], times[:n], column, rounding) for n in lengths)
            found = next((violation for violation in looks if violation is not None), None)
            if found is None:
                return None
            place = int(found.moment)
            said = f"{self.name} violates {claim} by {found.amount:.3g} at step {place}"
            return f"{said}\n{self._shown(states[: place + 1])}"
        if len(states) <= STEPS:
            return None
        rule = self._simulation.run(column, STEPS)
        reached = self._sight.judged(rule.states, rule.times, column)[0, 0]
        own = self._sight.judged(table, times, column)[:, 0]
        if reached > 0 and own[0] < -_ARRIVED:
            return (
                f"{self.name} is off {claim} by {-own[0]:.3g} after {STEPS} steps, when the rule has arrived\n"
                f"{self._shown(states)}"
            )
        return None

    def _shown(self, states: Values) -> str:
        """The first and the last states, a line each."""
        names = [symbol.name for entry in self.state for symbol in entry.symbols]
        places = dict.fromkeys([0, *range(max(0, len(states) - 2), len(states))])
        rows = (", ".join(f"{n} = {v:.6g}" for n, v in zip(names, states[place], strict=True)) for place in places)
        return "\n".join(f"  step {place}: {row}" for place, row in zip(places, rows, strict=True))


def _wants_positions(step: Callable[..., Any]) -> bool:
    """Whether the arguments of a callable have no names to go by."""
    try:
        wanted: Sequence[inspect.Parameter] = list(inspect.signature(step).parameters.values())
    except (TypeError, ValueError):  # a compiled function that does not tell
        return True
    return any(p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY) for p in wanted)


def _array(value: Any) -> NDArray[Any]:
    """A NumPy array of what an implementation returns; tensors that carry gradients are cut from them."""
    return np.asarray(value.detach() if hasattr(value, "detach") else value)
