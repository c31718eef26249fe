"""Bifurcation diagrams of one-dimensional maps: where the iterates settle, with the exact thresholds marked."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, Symbol

from numerics import bifurcation_diagram
from proofs_check.plots.samples import draws, window
from proofs_check.plots.style import BLUE, GREY, ORANGE, caption, new_figure
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.notation import latex
from theory.statements import Statement


def bifurcations(statement: Statement, step: Map, parameter: Symbol) -> Any:
    """Where the iterates settle as one parameter grows beyond its stated range; the others are held."""
    sample = draws(statement, 1)
    low, high = window(statement.variables[parameter].subs(statement.stated))
    values = np.linspace(low - 0.3 * (high - low), high + 1.5 * (high - low), 1200)
    others = {symbol: float(column[0]) for symbol, column in sample.items() if symbol != parameter and len(column)}
    fixed = {
        symbol: _unit_or(others.get(symbol, 1.0), statement, symbol)
        for symbol in step.parameters
        if symbol != parameter
    }
    others |= fixed
    begin = {symbol: _number(value, others | {parameter: low}) for symbol, value in statement.start.items()}
    grid, states = bifurcation_diagram(step, parameter, values, begin, parameters=fixed, transient=2000, shown=64)
    figure, axes = new_figure(caption(statement))
    across = np.repeat(grid[None, :], states.shape[0], axis=0).ravel()
    # the points are an image inside the vector figure: eighty thousand of them would make it unreadable for a browser
    axes.plot(across, states[:, 0, :].ravel(), ",", color=BLUE, alpha=0.6, rasterized=True)
    axes.axvspan(low, high, color=GREY, alpha=0.12, lw=0, label="stated range")
    for name, place in _thresholds(step, parameter, fixed, float(values[0]), float(values[-1])):
        axes.axvline(place, color=ORANGE, lw=1, ls="--")
        where = {"xycoords": ("data", "axes fraction"), "rotation": 90, "va": "top", "ha": "right"}
        axes.annotate(name, (place, 0.98), fontsize=7, backgroundcolor=(1, 1, 1, 0.7), **where)
    axes.set_xlabel(f"${latex(parameter)}$")
    axes.set_ylabel(f"${latex(step.state[0])}$")
    axes.legend(fontsize=8, framealpha=0.8)
    return figure


def _unit_or(value: float, statement: Statement, symbol: Symbol) -> float:
    """1 where the domain allows it, because exact thresholds can then be drawn; otherwise the drawn value."""
    return 1.0 if statement.variables[symbol].subs(statement.stated).contains(1) == True else value  # noqa: E712 - SymPy truth


def _thresholds(
    step: Map, parameter: Symbol, fixed: dict[Symbol, float], low: float, high: float
) -> list[tuple[str, float]]:
    """The exact bifurcation points of fixed points and 2-cycles inside the window."""
    found: dict[float, str] = {}
    exact = step.substitute(dict.fromkeys(fixed, 1)) if fixed else step
    for orbits in (exact.fixed_points(), exact.orbits(2)):
        for orbit in orbits:
            try:
                region = exact.stability_region(orbit, parameter)
            except LemmascopeError:
                continue
            for point in region.bifurcations:
                place = float(point.value)
                if low <= place <= high:
                    found.setdefault(round(place, 9), f"{point.kind} at ${latex(point.value)}$")
    return [(name, place) for place, name in sorted(found.items())] if all(v == 1.0 for v in fixed.values()) else []


def _number(value: Expr, point: dict[Symbol, float]) -> float:
    return float(value.subs(point))
