"""Choose and draw: bifurcation diagram, phase portrait, trajectories, margin of an inequality, or a scaling law."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from sympy import Expr, Symbol, latex, oo
from sympy.core.relational import Relational

from numerics import bifurcation_diagram, compile_float, integrate, iterate
from numerics.robustness import margin
from proofs_check.plots.samples import draws, exact_point, window
from proofs_check.plots.style import BLUE, GREY, INK, ORANGE, new_figure
from proofs_check.verdict import Verdict
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import Scaling, is_plain

_TRAJECTORIES = 40


def picture(statement: Statement, verdict: Verdict) -> Any:
    """The matplotlib figure that belongs to a statement, or a sentence that says why there is none."""
    own = _of_the_paper(statement)
    if own is not None:
        return own
    laws = list(statement.then.atoms(Scaling))
    if laws:
        return _scaling(statement, laws[0])
    dynamics = statement.dynamics
    if isinstance(dynamics, Map):
        start_only = set().union(*(value.free_symbols for value in statement.start.values())) - set(dynamics.parameters)
        swept = [symbol for symbol in dynamics.parameters if symbol not in start_only and _spans(statement, symbol)]
        if dynamics.dimension == 1 and swept:
            return _bifurcations(statement, dynamics, min(swept, key=lambda s: statement.variables[s].sup == oo))
        return _trajectories(statement, dynamics, verdict)
    if isinstance(dynamics, Flow):
        if dynamics.dimension == 2 and not dynamics.parameters:
            return _portrait(statement, dynamics)
        return _trajectories(statement, dynamics, verdict)
    if is_plain(statement.then) and statement.computed is None and 1 <= len(statement.variables) <= 2:
        return _margins(statement, verdict)
    raise LemmascopeError(
        f"{statement.id} has no picture: it has neither dynamics nor one or two variables to draw an inequality over"
    )


def _of_the_paper(statement: Statement) -> Any:
    """What the paper's own module of pictures draws for a computation, or None."""
    if statement.computed is None:
        return None
    module = f"proofs_check.plots.{statement.computed.name.partition('.')[0]}"
    return import_module(module).draw(statement) if find_spec(module) is not None else None


def _spans(statement: Statement, symbol: Symbol) -> bool:
    low, high = window(statement.variables[symbol].subs(statement.stated))
    return high > low


def _title(statement: Statement) -> str:
    return statement.title or statement.id


def _bifurcations(statement: Statement, step: Map, parameter: Symbol) -> Any:
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
    figure, axes = new_figure(_title(statement))
    axes.plot(
        np.repeat(grid[None, :], states.shape[0], axis=0).ravel(), states[:, 0, :].ravel(), ",", color=BLUE, alpha=0.6
    )
    axes.axvspan(low, high, color=GREY, alpha=0.12, lw=0, label="stated range")
    for name, place in _thresholds(step, parameter, fixed, float(values[0]), float(values[-1])):
        axes.axvline(place, color=ORANGE, lw=1, ls="--")
        axes.annotate(
            name, (place, 1), xycoords=("data", "axes fraction"), rotation=90, fontsize=7, va="top", ha="right"
        )
    axes.set_xlabel(f"${latex(parameter)}$")
    axes.set_ylabel(f"${latex(step.state[0])}$")
    axes.legend(fontsize=8, frameon=False, loc="lower left")
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
                    found.setdefault(round(place, 9), f"{point.kind} at {point.value}")
    return [(name, place) for place, name in sorted(found.items())] if all(v == 1.0 for v in fixed.values()) else []


def _number(value: Expr, point: dict[Symbol, float]) -> float:
    return float(value.subs(point))


def _trajectories(statement: Statement, dynamics: Map | Flow, verdict: Verdict) -> Any:
    figure, axes = new_figure(_title(statement))
    sample = draws(statement, _TRAJECTORIES)
    worst = exact_point(verdict.counterexample, list(statement.variables))
    if len(worst) == len(statement.variables) and worst:
        sample = {symbol: np.append(column, worst[symbol]) for symbol, column in sample.items()}
    count = min((len(column) for column in sample.values()), default=1)
    times, states = _run(statement, dynamics, sample, count)
    bold = bool(worst) and verdict.counterexample is not None
    for place, symbol in enumerate(dynamics.state[:3]):
        color = (BLUE, "#009e73", "#cc79a7")[place]
        axes.plot(times, states[:, place, : count - bold], color=color, lw=0.7, alpha=0.5)
        axes.plot([], [], color=color, label=f"${latex(symbol)}$")
        if bold:
            axes.plot(
                times, states[:, place, count - 1], color=ORANGE, lw=1.8, label="counterexample" if place == 0 else None
            )
    axes.set_xlabel("step" if isinstance(dynamics, Map) else "time")
    axes.legend(fontsize=8, frameon=False)
    return figure


def _run(statement: Statement, dynamics: Map | Flow, sample: dict[Symbol, Any], count: int) -> tuple[Any, Any]:
    symbols = list(sample)
    columns = np.array([sample[symbol][:count] for symbol in symbols]).reshape(len(symbols), count)
    begin = compile_float([statement.start[symbol] for symbol in dynamics.state], symbols)(columns)
    parameters = {symbol: sample[symbol][:count] for symbol in dynamics.parameters}
    if isinstance(dynamics, Map):
        run = iterate(dynamics, begin, 60, parameters=parameters, keep="all", smallest=0, exit_early=False)
        return np.arange(run.states.shape[0]), _without_escapes(run.states)
    times = np.linspace(0, 10, 200)
    flow = integrate(dynamics, begin, 10.0, parameters=parameters, times=times)
    return times, flow.states


def _without_escapes(states: Any) -> Any:
    """Cut trajectories where they leave the region the others live in, so that one escape does not hide the rest."""
    scale = 4 * max(float(np.nanmax(np.abs(states[0]))), 1.0)
    gone = np.maximum.accumulate((np.abs(states) > scale).any(axis=1), axis=0)
    return np.where(gone[:, None, :], np.nan, states)


def _portrait(statement: Statement, flow: Flow) -> Any:
    figure, axes = new_figure(_title(statement), square=True)
    grid = np.linspace(-2.5, 2.5, 60)
    across, up = np.meshgrid(grid, grid)
    speed = compile_float(flow.velocity, flow.state)(np.array([across.ravel(), up.ravel()]))
    axes.streamplot(across, up, *(part.reshape(across.shape) for part in speed), color=GREY, linewidth=0.6, density=1.1)
    for orbit in flow.fixed_points():
        for point in orbit.points or ():
            if all(part.is_number for part in point):
                attracts = flow.stability_region(orbit).attracts
                style = {"marker": "o", "color": INK, "mfc": INK if attracts else "white"}
                axes.plot(*[[float(part)] for part in point], ls="", **style)
    axes.set_xlabel(f"${latex(flow.state[0])}$")
    axes.set_ylabel(f"${latex(flow.state[1])}$")
    return figure


def _margins(statement: Statement, verdict: Verdict) -> Any:
    relations: Sequence[Relational] = sorted(statement.conclusion.atoms(Relational), key=str)
    symbols = list(statement.variables)
    worst = exact_point(verdict.counterexample, symbols)
    if len(symbols) == 1:
        return _margin_curve(statement, relations, symbols[0], worst)
    return _margin_map(statement, relations, symbols, worst)


def _margin_curve(
    statement: Statement, relations: Sequence[Relational], symbol: Symbol, worst: dict[Symbol, float]
) -> Any:
    figure, axes = new_figure(_title(statement))
    grid = np.linspace(*window(statement.variables[symbol].subs(statement.stated)), 600)
    for relation in relations:
        values = compile_float([margin(relation)], [symbol])(grid[None, :])[0]
        axes.plot(grid, values, label=f"${latex(relation)}$" if len(latex(relation)) < 60 else None)
    axes.axhline(0, color=INK, lw=0.8)
    if symbol in worst:
        axes.axvline(worst[symbol], color=ORANGE, lw=1.5, label="counterexample")
    axes.set_xlabel(f"${latex(symbol)}$")
    axes.set_ylabel("margin (holds above 0)")
    axes.legend(fontsize=8, frameon=False)
    return figure


def _margin_map(
    statement: Statement, relations: Sequence[Relational], symbols: list[Symbol], worst: dict[Symbol, float]
) -> Any:
    figure, axes = new_figure(_title(statement), square=True)
    sides = [np.linspace(*window(statement.variables[symbol].subs(statement.stated)), 240) for symbol in symbols]
    across, up = np.meshgrid(*sides)
    points = np.array([across.ravel(), up.ravel()])
    values = (
        compile_float([margin(relation) for relation in relations], symbols)(points).min(axis=0).reshape(across.shape)
    )
    most = float(np.nanmax(np.abs(values))) or 1.0
    shown = axes.pcolormesh(across, up, values, cmap="PuOr_r", vmin=-most, vmax=most, shading="auto", rasterized=True)
    if np.nanmin(values) < 0 < np.nanmax(values):
        axes.contour(across, up, values, levels=[0], colors=INK, linewidths=1)
    if len(worst) == 2:
        axes.plot(*[[worst[symbol]] for symbol in symbols], "x", color=INK, ms=9, mew=2, label="counterexample")
        axes.legend(fontsize=8, frameon=False)
    figure.colorbar(shown, ax=axes, label="margin (holds above 0)")
    axes.set_xlabel(f"${latex(symbols[0])}$")
    axes.set_ylabel(f"${latex(symbols[1])}$")
    return figure


def _scaling(statement: Statement, law: Scaling) -> Any:
    figure, axes = new_figure(_title(statement))
    sample = draws(statement, 1)
    point = {symbol: float(column[0]) for symbol, column in sample.items() if len(column)}
    small = np.logspace(-6, -1, 60)
    values = np.abs(compile_float([law.quantity.subs(point)], [law.small])(small[None, :])[0])
    good = np.isfinite(values) & (values > 0)
    if good.sum() < 2:
        raise LemmascopeError(f"{statement.id} has no picture: its quantity cannot be evaluated for small {law.small}")
    slope, offset = np.polyfit(np.log(small[good]), np.log(values[good]), 1)
    axes.loglog(small[good], values[good], "o", ms=3, color=BLUE, label="computed")
    axes.loglog(
        small, np.exp(offset) * small**slope, color=ORANGE, lw=1, label=f"slope {slope:.3f}, stated {law.exponent}"
    )
    axes.set_xlabel(f"${latex(law.small)}$")
    axes.legend(fontsize=8, frameon=False)
    return figure
