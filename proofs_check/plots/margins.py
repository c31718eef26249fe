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
from proofs_check.plots.style import INK, ORANGE, SEQUENCE, caption, new_figure
from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError
from theory.notation import latex, width
from theory.statements import Statement
from theory.temporal import Scaling

_LEGIBLE, _FEW = 48, 4


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


def scaling(statement: Statement, verdict: Verdict) -> Any:
    """Each quantity over five decades of the small parameter, with the fitted and the stated slope.

    The other variables are held at the counterexample, where there is one, or at a drawn point of the hypotheses.
    """
    figure, axes = new_figure(caption(statement))
    laws = sorted(statement.then.atoms(Scaling), key=str)[: len(SEQUENCE)]
    point = {symbol: float(column[0]) for symbol, column in draws(statement, 1).items() if len(column)}
    point |= exact_point(verdict.counterexample or verdict.witness, list(statement.variables))
    small = np.logspace(-6, -1, 60)
    drawn = [_draw_law(axes, law, point, small, colour) for law, colour in zip(laws, SEQUENCE, strict=False)]
    if not any(drawn):
        raise LemmascopeError(f"{statement.id} has no picture: its quantity cannot be evaluated for small values")
    held = ", ".join(f"${latex(symbol)} = {value:.4g}$" for symbol, value in point.items())
    axes.set_xlabel(f"${latex(laws[0].small)}$" + (f"   at {held}" if held and len(point) <= _FEW else ""))
    axes.set_ylabel("size of the quantity")
    axes.legend(fontsize=8, frameon=False)
    return figure


def _draw_law(axes: Any, law: Scaling, point: dict[Symbol, float], small: Any, colour: str) -> bool:
    values = np.abs(compile_float([law.quantity.subs(point)], [law.small])(small[None, :])[0])
    good = np.isfinite(values) & (values > 0)
    if good.sum() < 2:
        return False
    slope, offset = np.polyfit(np.log(small[good]), np.log(values[good]), 1)
    written = latex(law.quantity)
    name = f"${written}$: " if width(written) < _LEGIBLE / 2 else ""
    axes.loglog(small[good], values[good], "o", ms=3, color=colour)
    label = f"{name}slope {slope:.3f}, stated {law.exponent}"
    axes.loglog(small, np.exp(offset) * small**slope, color=colour, lw=1, label=label)
    return True
