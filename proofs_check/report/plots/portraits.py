"""Planar pictures: phase portraits with equilibria and their stability, and basins of attraction."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Symbol, nsimplify

from numerics import basins, compile_float
from proofs_check.report.plots.samples import draws, window
from proofs_check.report.plots.style import GREY, INK, SEQUENCE, caption, math, new_figure
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.notation import latex
from theory.statements import Statement

_FINE = 160


def portrait(statement: Statement, flow: Flow) -> Any:
    """Streamlines of a planar flow; filled dots attract, hollow ones do not. Parameters are set to a drawn value."""
    flow, note = _with_numbers(statement, flow)
    equilibria = [
        (tuple(float(part) for part in point), flow.stability_region(orbit).attracts)
        for orbit in flow.fixed_points()
        for point in orbit.points or ()
        if all(part.is_number and part.is_real for part in point)
    ]
    far = max([2.0, *(abs(part) for point, _ in equilibria for part in point)]) * 1.25
    figure, axes = new_figure(caption(statement, square=True), square=True)
    across, up = np.meshgrid(*[np.linspace(-far, far, 60)] * 2)
    speed = compile_float(flow.velocity, flow.state)(np.array([across.ravel(), up.ravel()]))
    axes.streamplot(across, up, *(part.reshape(across.shape) for part in speed), color=GREY, linewidth=0.6, density=1.1)
    for attracts, name in ((True, "attracts"), (False, "does not attract")):
        points = [point for point, settled in equilibria if bool(settled) is attracts]
        if points:
            inside = INK if attracts else "white"
            axes.plot(*zip(*points, strict=True), "o", color=INK, mfc=inside, label=f"equilibrium that {name}")
    _finish(axes, flow.state, note)
    return figure


def basin_map(statement: Statement, step: Map) -> Any:
    """Which attractor each start of a planar map goes to; white starts go to none that was found."""
    step, note = _with_numbers(statement, step)
    sides = [window(statement.variables[symbol].subs(statement.stated)) for symbol in _starts(statement)]
    across, up = np.meshgrid(*(np.linspace(low, high, _FINE) for low, high in sides))
    columns = dict(zip(_starts(statement), (across.ravel(), up.ravel()), strict=True))
    begin = compile_float([statement.start[symbol] for symbol in step.state], list(columns))(
        np.array([*columns.values()])
    )
    labels, attractors = basins(step, dict(zip(step.state, begin, strict=True)))
    figure, axes = new_figure(caption(statement, square=True), square=True)
    from matplotlib.colors import ListedColormap

    shown = np.where(labels < len(SEQUENCE), labels, -1).reshape(across.shape)
    colours = ListedColormap(["white", *SEQUENCE])
    axes.pcolormesh(across, up, shown, cmap=colours, vmin=-1, vmax=len(SEQUENCE) - 1, rasterized=True)
    for number, point in enumerate(attractors[: len(SEQUENCE)]):
        place = ", ".join(f"{part:.3g}" for part in point)
        axes.plot([], [], "s", color=SEQUENCE[number], label=f"settles at ({place})")
    _finish(axes, _starts(statement), note)
    return figure


def _starts(statement: Statement) -> list[Symbol]:
    """The variables that only say where the trajectory begins."""
    used = set().union(*(value.free_symbols for value in statement.start.values()))
    moving = set(statement.dynamics.parameters) if statement.dynamics is not None else set()
    return [symbol for symbol in statement.variables if symbol in used - moving]


def has_planar_starts(statement: Statement) -> bool:
    """Whether the start is described by two variables that the update does not use."""
    return len(_starts(statement)) == 2


def _with_numbers(statement: Statement, dynamics: Any) -> tuple[Any, str]:
    """The dynamics with every parameter set to a short rational inside the hypotheses, and a sentence that says so."""
    if not dynamics.parameters:
        return dynamics, ""
    sample = draws(statement, 1)
    if any(not len(sample.get(symbol, ())) for symbol in dynamics.parameters):
        raise LemmascopeError(f"{statement.id} has no picture: no point of its hypotheses was found to draw it at")
    values = {symbol: nsimplify(round(float(sample[symbol][0]), 2), rational=True) for symbol in dynamics.parameters}
    said = ", ".join(math(f"{latex(symbol)} = {float(value):g}") for symbol, value in values.items())
    return dynamics.substitute(values), f"at {said}"


def _finish(axes: Any, names: Any, note: str) -> None:
    axes.set_xlabel(math(names[0]) + (f"   {note}" if note else ""))
    axes.set_ylabel(math(names[1]))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, loc="upper right", framealpha=0.9)
