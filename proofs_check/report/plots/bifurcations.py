"""Bifurcation diagrams of maps: where the iterates settle, with which period and Lyapunov exponent, thresholds marked.

Thresholds are exact where the orbit is solved for exactly, and otherwise certified enclosures of period doublings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Symbol

from numerics import bifurcation_diagram, lyapunov_exponents
from proofs_check.report.plots.samples import draws, window
from proofs_check.report.plots.style import BLUE, GREY, ORANGE, caption, math, new_figure
from theory.cascade import Flip, flips
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.statements import Statement

_LONGEST = 16
_VALUES = 1200
_SAME = 1e-4


def bifurcations(statement: Statement, step: Map, parameter: Symbol) -> Any:
    """Where the iterates settle as one parameter grows beyond its stated range; the others are held."""
    if step.time is not None:
        raise LemmascopeError(f"{statement.id} has no bifurcation diagram: its map depends on the step")
    sample = draws(statement, 1)
    low, high = window(statement.variables[parameter].subs(statement.stated))
    values = np.linspace(low - 0.3 * (high - low), high + 1.5 * (high - low), _VALUES)
    others = {symbol: float(column[0]) for symbol, column in sample.items() if symbol != parameter and len(column)}
    fixed = {
        symbol: _unit_or(others.get(symbol, 1.0), statement, symbol)
        for symbol in step.parameters
        if symbol != parameter
    }
    others |= fixed
    begin = {symbol: _number(value, others | {parameter: low}) for symbol, value in statement.start.items()}
    grid, states = bifurcation_diagram(step, parameter, values, begin, parameters=fixed, transient=2000, shown=64)
    figure, (above, middle, below) = new_figure(caption(statement), rows=3)
    across = np.repeat(grid[None, :], states.shape[0], axis=0).ravel()
    # the points are an image inside the vector figure: eighty thousand of them would make it unreadable for a browser
    above.plot(across, states[:, 0, :].ravel(), ",", color=BLUE, alpha=0.6, rasterized=True)
    middle.plot(grid, _periods(states), ".", ms=2, color=BLUE)
    middle.set_yscale("log", base=2)
    below.plot(grid, _exponents(step, begin, {**fixed, parameter: grid}, states), lw=0.8, color=BLUE)
    below.axhline(0, color=GREY, lw=0.8)
    for axes in (above, middle, below):
        axes.axvspan(low, high, color=GREY, alpha=0.12, lw=0, label="stated range")
    for name, place in _thresholds(step, parameter, fixed, begin, (float(values[0]), float(values[-1]))):
        for axes in (above, middle, below):
            axes.axvline(place, color=ORANGE, lw=1, ls="--")
        where = {"xycoords": ("data", "axes fraction"), "rotation": 90, "va": "top", "ha": "right"}
        above.annotate(name, (place, 0.98), fontsize=7, backgroundcolor=(1, 1, 1, 0.7), **where)
    below.set_xlabel(math(parameter))
    above.set_ylabel(math(step.state[0]))
    middle.set_ylabel("period")
    below.set_ylabel("Lyapunov exponent")
    above.legend(fontsize=8, framealpha=0.8)
    return figure


def _exponents(step: Map, begin: dict[Symbol, float], parameters: dict[Symbol, Any], states: Any) -> Any:
    """The largest Lyapunov exponent, nan where the iterates escape and for maps with kinks."""
    try:
        with np.errstate(all="ignore"):
            largest = lyapunov_exponents(step, begin, parameters=parameters, steps=500, transient=2000)[0]
    except LemmascopeError:
        return np.full(states.shape[2], np.nan)
    return np.where(np.isfinite(largest) & np.isfinite(states).all(axis=(0, 1)), largest, np.nan)


def _periods(states: NDArray[np.float64]) -> NDArray[np.float64]:
    """The period of the states shown for each value, nan where none up to 16 repeats."""
    found = np.full(states.shape[2], np.nan)
    for period in range(_LONGEST, 0, -1):
        gap = np.abs(states[period:] - states[:-period]).max(axis=(0, 1))
        found = np.where(gap < _SAME, float(period), found)
    return found


def _unit_or(value: float, statement: Statement, symbol: Symbol) -> float:
    """1 where the domain allows it, because exact thresholds can then be drawn; otherwise the drawn value."""
    return 1.0 if statement.variables[symbol].subs(statement.stated).contains(1) == True else value  # noqa: E712 - SymPy truth


def _thresholds(
    step: Map, parameter: Symbol, fixed: dict[Symbol, float], begin: dict[Symbol, float], ends: tuple[float, float]
) -> list[tuple[str, float]]:
    """The bifurcation points inside the window: exact ones of fixed points and 2-cycles, then certified doublings."""
    if not all(value == 1.0 for value in fixed.values()):
        return []
    exact = step.substitute(dict.fromkeys(fixed, 1)) if fixed else step
    found = _exact_thresholds(exact, parameter, ends) if step.dimension == 1 else {}
    for flip in _doublings(exact, parameter, [begin[symbol] for symbol in step.state], ends):
        name = f"period {flip.period} doubles at {flip.value:.6f}"
        if not any(abs(place - flip.value) < _SAME * (1 + abs(place)) for place in found):
            found[flip.value] = name
    return [(name, place) for place, name in sorted(found.items())]


def _doublings(step: Map, parameter: Symbol, start: list[float], ends: tuple[float, float]) -> list[Flip]:
    """None for a map with kinks, which has no multipliers."""
    try:
        return flips(step, parameter, start, ends)
    except LemmascopeError:
        return []


def _exact_thresholds(step: Map, parameter: Symbol, ends: tuple[float, float]) -> dict[float, str]:
    found: dict[float, str] = {}
    for period in (1, 2):
        try:
            orbits = step.fixed_points() if period == 1 else step.orbits(period)
        except LemmascopeError:
            continue
        for orbit in orbits:
            try:
                region = step.stability_region(orbit, parameter)
            except LemmascopeError:
                continue
            for point in region.bifurcations:
                place = float(point.value)
                if ends[0] <= place <= ends[1]:
                    found.setdefault(round(place, 9), f"{point.kind} at {math(point.value)}")
    return found


def _number(value: Expr, point: dict[Symbol, float]) -> float:
    return float(value.subs(point))
