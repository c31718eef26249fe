"""Trajectories of a statement with the bounds it claims drawn over them and the violating point marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Symbol
from sympy.core.relational import Relational

from numerics import compile_float, integrate, iterate
from numerics.robustness import margin
from proofs_check.report.plots.samples import draws, exact_point
from proofs_check.report.plots.style import BLUE, INK, ORANGE, caption, math, new_figure
from proofs_check.verdict import Verdict
from theory.dynamics import Flow, Map
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo

Array = NDArray[np.float64]
_COUNT, _PANELS, _STEPS, _TIME, _LONGEST = 40, 3, 60, 10.0, 2000


@dataclass(frozen=True)
class Runs:
    """Trajectories (time, state, run) and the values of the variables; the last run is the one to look at."""

    statement: Statement
    sample: dict[Symbol, Array]
    times: Array
    states: Array
    fails: bool

    def along_the_last(self, expressions: list[Expr]) -> Array:
        """Expressions in variables, state and time along the run to look at: (expression, time)."""
        dynamics = self.statement.dynamics
        assert dynamics is not None  # noqa: S101 - runs have dynamics
        clock = [dynamics.time] if dynamics.time is not None else []
        arguments = [*self.sample, *dynamics.state, *clock]
        fixed = [np.full(len(self.times), column[-1]) for column in self.sample.values()]
        rows = [*fixed, *self.states[:, :, -1].T, *([self.times] if clock else [])]
        return compile_float(expressions, arguments)(np.array(rows))


def trajectories(statement: Statement, dynamics: Map | Flow, verdict: Verdict) -> Any:
    """One panel for each component: thin lines are random runs, the thick one is the counterexample or the witness."""
    runs = _runs(statement, dynamics, verdict)
    shown = dynamics.state[:_PANELS]
    figure, axes = new_figure(caption(statement), rows=len(shown))
    panels = np.atleast_1d(axes)
    style = {"marker": ".", "ms": 2.5} if isinstance(dynamics, Map) else {}
    colour, name = (ORANGE, "counterexample") if runs.fails else (INK, "one of the runs")
    for place, (symbol, panel) in enumerate(zip(shown, panels, strict=True)):
        panel.plot(runs.times, runs.states[:, place, :-1], color=BLUE, lw=0.5, alpha=0.4)
        panel.plot(runs.times, runs.states[:, place, -1], color=colour, lw=1.4, label=name, **style)
        _draw_claims(panel, runs, symbol)
        panel.set_ylabel(math(symbol))
    _mark_violation(panels, runs)
    panels[-1].set_xlabel("step" if isinstance(dynamics, Map) else "time")
    defined = np.flatnonzero(np.isfinite(runs.states).any(axis=(1, 2)))
    panels[-1].set_xlim(right=1.02 * max(runs.times[defined[-1]], runs.times[1]))
    panels[0].legend(fontsize=8, framealpha=0.8)
    return figure


def _runs(statement: Statement, dynamics: Map | Flow, verdict: Verdict) -> Runs:
    sample = draws(statement, _COUNT)
    symbols = list(statement.variables)
    fails = len(exact_point(verdict.counterexample, symbols)) == len(symbols) > 0
    worth_a_look = exact_point(verdict.counterexample if fails else verdict.witness, symbols)
    if len(worth_a_look) == len(symbols):
        sample = {symbol: np.append(column, worth_a_look[symbol]) for symbol, column in sample.items()}
    count = min((len(column) for column in sample.values()), default=1)
    columns = np.array([sample[symbol][:count] for symbol in symbols]).reshape(len(symbols), count)
    begin = compile_float([statement.start[symbol] for symbol in dynamics.state], symbols)(columns)
    parameters = {symbol: sample[symbol][:count] for symbol in dynamics.parameters}
    known = verdict.counterexample or {}
    if isinstance(dynamics, Map):
        steps = min(max(20, 3 * int(_number(known.get("step")))), _LONGEST) if fails else _STEPS
        run = iterate(dynamics, begin, steps, parameters=parameters, keep="all", smallest=0, exit_early=False)
        return Runs(
            statement, sample, np.arange(len(run.states), dtype=np.float64), _without_escapes(run.states, fails), fails
        )
    until = 1.5 * _number(known.get("time")) or _TIME
    times = np.linspace(0, until, 200)
    flow = integrate(dynamics, begin, until, parameters=parameters, times=times)
    return Runs(statement, sample, times, _without_escapes(flow.states, fails), fails)


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def _without_escapes(states: Array, keep_the_last: bool) -> Array:
    """Cut runs where they leave the region the others live in, so that one escape does not hide the rest."""
    scale = 4 * max(float(np.nanmax(np.abs(states[0]))), 1.0)
    gone = np.maximum.accumulate((np.abs(states) > scale).any(axis=1), axis=0)
    if keep_the_last:
        gone[:, -1] = np.maximum.accumulate((np.abs(states[:, :, -1]) > 3 * scale).any(axis=1))
    return np.where(gone[:, None, :], np.nan, states)


def _invariants(statement: Statement) -> Iterator[Relational]:
    for node in statement.conclusion.atoms(Always):
        yield from (part for part in clauses(node.args[0]) if isinstance(part, Relational))


def _draw_claims(panel: Any, runs: Runs, symbol: Symbol) -> None:
    """The bounds and limits that the statement claims for one component, at the values of the run to look at."""
    state = set(runs.statement.dynamics.state) if runs.statement.dynamics is not None else set()
    bounds = [side for part in _invariants(runs.statement) for side in part.args if symbol in part.args]
    bounds = [side for side in bounds if not state & side.free_symbols]
    for number, values in enumerate(runs.along_the_last(bounds) if bounds else ()):
        panel.plot(runs.times, values, color=INK, lw=1, ls="--", label="claimed bound" if number == 0 else None)
    limits = [
        point[node.quantity.index(symbol)]
        for node in runs.statement.conclusion.atoms(ConvergesTo)
        if symbol in node.quantity
        for point in node.points
    ]
    limits = [limit for limit in limits if not state & limit.free_symbols]
    for number, values in enumerate(runs.along_the_last(limits) if limits else ()):
        panel.plot(runs.times, values, color=INK, lw=1, ls=":", label="claimed limit" if number == 0 else None)


def _mark_violation(panels: Any, runs: Runs) -> None:
    claims = [margin(part) for part in _invariants(runs.statement)]
    if not runs.fails or not claims:
        return
    (broken,) = np.nonzero((runs.along_the_last(claims) < 0).any(axis=0))
    if broken.size:
        first = int(broken[0])
        for place, panel in enumerate(panels):
            label = "first violation" if place == 0 else None
            panel.plot(runs.times[first], runs.states[first, place, -1], "X", ms=9, color=ORANGE, mec=INK, label=label)
