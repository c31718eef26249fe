"""An inequality: how far it is from failing, over one or two of its variables; a scaling law: its fitted slope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import And, Eq, Symbol, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from numerics import compile_float
from numerics.robustness import Compiled
from proofs_check.report.plots.samples import draws, exact_point, window
from proofs_check.report.plots.style import INK, ORANGE, SEQUENCE, caption, math, new_figure
from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.notation import latex, width
from theory.statements import Statement
from theory.temporal import Scaling

Array = NDArray[np.float64]
_LEGIBLE, _FEW = 48, 4


@dataclass(frozen=True)
class Slice:
    """One or two variables to draw over and the values at which the others are held."""

    statement: Statement
    drawn: list[Symbol]
    held: dict[Symbol, float]

    def grid(self, fine: int) -> list[Array]:
        """The values of the drawn variables on a grid."""
        domains = (self.statement.variables[symbol].subs(self.statement.stated) for symbol in self.drawn)
        return list(np.meshgrid(*(np.linspace(*window(domain), fine) for domain in domains)))

    def values(self, formula: Boolean, grid: Sequence[Array]) -> Array:
        """How far the formula is from failing; nan outside the hypotheses."""
        columns = dict(zip(self.drawn, (side.ravel() for side in grid), strict=True))
        count = grid[0].size
        points = np.array([columns.get(s, np.full(count, self.held.get(s, 0.0))) for s in self.statement.variables])
        given = And(*(part for part in self.statement.hypotheses if part.is_Relational))
        compiled = _compiled((formula, given), tuple(self.statement.variables))
        inside = np.ones(count, bool) if given == true else compiled.robustness(given, points) >= 0
        return np.where(inside, compiled.robustness(formula, points), np.nan).reshape(grid[0].shape)

    @property
    def note(self) -> str:
        """Where the others are held."""
        few = list(self.held.items())[:_FEW]
        said = ", ".join(math(f"{latex(symbol)} = {value:.4g}") for symbol, value in few)
        return f"   at {said}{', ...' if len(self.held) > _FEW else ''}" if few else ""


@lru_cache(maxsize=16)
def _compiled(formulas: tuple[Boolean, ...], symbols: tuple[Symbol, ...]) -> Compiled:
    return Compiled(formulas, symbols)


def margins(statement: Statement, verdict: Verdict) -> Any:
    """How far the conclusion is from failing: a curve over one variable, a map over two, blank outside the hypotheses.

    With more variables it is a slice through the counterexample or the witness, along the two that matter most.
    """
    conclusion = statement.conclusion
    if all(isinstance(part, Eq) for part in conclusion.atoms(Relational)) and not verdict.counterexample:
        raise LemmascopeError(f"{statement.id} has no picture: an equation that holds looks the same everywhere")
    worst = exact_point(verdict.counterexample, list(statement.variables))
    cut = _slice(statement, worst or exact_point(verdict.witness, list(statement.variables)))
    return (_margin_curve if len(cut.drawn) == 1 else _margin_map)(cut, conclusion, worst)


def _slice(statement: Statement, point: dict[Symbol, float]) -> Slice:
    symbols = list(statement.variables)
    if len(symbols) <= 2:
        return Slice(statement, symbols, {})
    if len(point) < len(symbols):
        point = {symbol: float(column[0]) for symbol, column in draws(statement, 1).items() if len(column)}
    if len(point) < len(symbols):
        raise LemmascopeError(f"{statement.id} has no picture: no point of its hypotheses was found to draw it at")
    swings = {}
    for symbol in symbols:
        alone = Slice(statement, [symbol], {other: point[other] for other in symbols if other != symbol})
        values = alone.values(statement.conclusion, alone.grid(41))
        known = values[np.isfinite(values)]
        swings[symbol] = float(np.ptp(known)) if known.size > 4 else 0.0
    chosen = sorted(symbols, key=lambda symbol: -swings[symbol])[:2]
    drawn = [symbol for symbol in symbols if symbol in chosen]
    return Slice(statement, drawn, {symbol: value for symbol, value in point.items() if symbol not in drawn})


def _margin_curve(cut: Slice, conclusion: Boolean, worst: dict[Symbol, float]) -> Any:
    figure, axes = new_figure(caption(cut.statement))
    (symbol,), (grid,) = cut.drawn, cut.grid(600)
    for number, part in enumerate(clauses(conclusion), start=1):
        written = latex(part)
        label = math(part) if width(written) < _LEGIBLE else f"inequality {number}"
        axes.plot(grid, cut.values(part, [grid]), label=label)
    axes.axhline(0, color=INK, lw=0.8)
    if symbol in worst:
        axes.axvline(worst[symbol], color=ORANGE, lw=1.5, ls="--", label="counterexample")
    axes.set_xlabel(f"{math(symbol)}{cut.note}")
    axes.set_ylabel("margin (holds above 0)")
    axes.legend(fontsize=8, frameon=False)
    return figure


def _margin_map(cut: Slice, conclusion: Boolean, worst: dict[Symbol, float]) -> Any:
    figure, axes = new_figure(caption(cut.statement, square=True), square=True)
    across, up = cut.grid(240)
    values = cut.values(conclusion, [across, up])
    known = values[np.isfinite(values)]
    if not known.size:
        raise LemmascopeError(f"{cut.statement.id} has no picture: its hypotheses leave no area to draw over")
    most = float(np.quantile(np.abs(known), 0.98)) or 1.0
    shown = axes.pcolormesh(across, up, values, cmap="PuOr_r", vmin=-most, vmax=most, shading="auto", rasterized=True)
    if known.min() < 0 < known.max():
        axes.contour(across, up, values, levels=[0], colors=INK, linewidths=1)
    if set(cut.drawn) <= set(worst):
        axes.plot(*[[worst[symbol]] for symbol in cut.drawn], "x", color=INK, ms=9, mew=2, label="counterexample")
        axes.legend(fontsize=8, frameon=False)
    figure.colorbar(shown, ax=axes, label="margin (holds above 0; blank outside the hypotheses)", extend="both")
    axes.set_xlabel(f"{math(cut.drawn[0])}{cut.note}")
    axes.set_ylabel(math(cut.drawn[1]))
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
    held = ", ".join(math(f"{latex(symbol)} = {value:.4g}") for symbol, value in point.items())
    axes.set_xlabel(math(laws[0].small) + (f"   at {held}" if held and len(point) <= _FEW else ""))
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
    name = f"{math(law.quantity)}: " if width(written) < _LEGIBLE / 2 else ""
    axes.loglog(small[good], values[good], "o", ms=3, color=colour)
    label = f"{name}slope {slope:.3f}, stated {law.exponent}"
    axes.loglog(small, np.exp(offset) * small**slope, color=colour, lw=1, label=label)
    return True
