"""An inequality over one or two variables: how far it is from failing, and a scaling law: its fitted slope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sympy import Symbol
from sympy.core.relational import Relational

from numerics import compile_float
from numerics.robustness import margin
from proofs_check.plots.samples import draws, exact_point, window
from proofs_check.plots.style import BLUE, INK, ORANGE, caption, new_figure
from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError
from theory.notation import latex, width
from theory.statements import Statement
from theory.temporal import Scaling

_LEGIBLE = 48


def margins(statement: Statement, verdict: Verdict) -> Any:
    """How far each inequality is from failing: a curve over one variable, a map over two."""
    relations: Sequence[Relational] = sorted(statement.conclusion.atoms(Relational), key=str)
    symbols = list(statement.variables)
    worst = exact_point(verdict.counterexample, symbols)
    if len(symbols) == 1:
        return _margin_curve(statement, relations, symbols[0], worst)
    return _margin_map(statement, relations, symbols, worst)


def _margin_curve(
    statement: Statement, relations: Sequence[Relational], symbol: Symbol, worst: dict[Symbol, float]
) -> Any:
    figure, axes = new_figure(caption(statement))
    grid = np.linspace(*window(statement.variables[symbol].subs(statement.stated)), 600)
    for number, relation in enumerate(relations, start=1):
        values = compile_float([margin(relation)], [symbol])(grid[None, :])[0]
        written = latex(relation)
        axes.plot(grid, values, label=f"${written}$" if width(written) < _LEGIBLE else f"inequality {number}")
    axes.axhline(0, color=INK, lw=0.8)
    if symbol in worst:
        axes.axvline(worst[symbol], color=ORANGE, lw=1.5, ls="--", label="counterexample")
    axes.set_xlabel(f"${latex(symbol)}$")
    axes.set_ylabel("margin (holds above 0)")
    axes.legend(fontsize=8, frameon=False)
    return figure


def _margin_map(
    statement: Statement, relations: Sequence[Relational], symbols: list[Symbol], worst: dict[Symbol, float]
) -> Any:
    figure, axes = new_figure(caption(statement, square=True), square=True)
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


def scaling(statement: Statement, law: Scaling) -> Any:
    """The quantity over six decades of the small parameter, with the fitted and the stated slope."""
    figure, axes = new_figure(caption(statement))
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
    written = latex(law.quantity)
    axes.set_ylabel(f"$|{written}|$" if width(written) < _LEGIBLE else "size of the quantity")
    axes.legend(fontsize=8, frameon=False)
    return figure
