"""Choose the picture that belongs to a statement."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sympy import Symbol, oo

from proofs_check.limits import OutOfTimeError
from proofs_check.report.plots.bifurcations import bifurcations
from proofs_check.report.plots.margins import margins, scaling
from proofs_check.report.plots.portraits import basin_map, has_planar_starts, portrait
from proofs_check.report.plots.samples import window
from proofs_check.report.plots.trajectories import trajectories
from proofs_check.verdict import Verdict
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import ConvergesTo, HasPeriod, Scaling, is_plain


def picture(statement: Statement, verdict: Verdict, over: str | None = None) -> Any:
    """The matplotlib figure that belongs to a statement, or a sentence that says why there is none.

    With `over` it is the bifurcation diagram of the statement's map over the parameter of that name.
    """
    try:
        return _picture(statement, verdict, over)
    except (LemmascopeError, OutOfTimeError, MemoryError):
        raise
    except Exception as error:
        raise LemmascopeError(
            f"{statement.id} has no picture: what it is about cannot be drawn at the values that were tried"
        ) from error


def _picture(statement: Statement, verdict: Verdict, over: str | None) -> Any:
    if over is not None:
        return _over(statement, over)
    own = _of_the_paper(statement)
    if own is not None:
        return own
    if statement.speaks_of_structures:
        raise LemmascopeError(f"{statement.id or 'the statement'} has no picture: it speaks of finite structures")
    if statement.then.atoms(Scaling):
        return scaling(statement, verdict)
    if isinstance(statement.dynamics, Map):
        return _of_a_map(statement, statement.dynamics, verdict)
    if isinstance(statement.dynamics, Flow):
        if statement.dynamics.dimension == 2 and statement.dynamics.time is None and not verdict.counterexample:
            return portrait(statement, statement.dynamics)
        return trajectories(statement, statement.dynamics, verdict)
    if is_plain(statement.then) and statement.computed is None and statement.variables:
        return margins(statement, verdict)
    raise LemmascopeError(f"{statement.id} has no picture: it has neither dynamics nor an inequality to draw")


def _over(statement: Statement, name: str) -> Any:
    step = statement.dynamics
    if not isinstance(step, Map):
        raise LemmascopeError(f"{statement.id} has no bifurcation diagram: it is not about a map")
    swept = [symbol for symbol in step.parameters if symbol in statement.variables]
    chosen = [symbol for symbol in swept if symbol.name == name]
    if not chosen:
        known = ", ".join(symbol.name for symbol in swept) or "none"
        raise LemmascopeError(f"the map of {statement.id} has no parameter {name} to draw over (it has: {known})")
    return bifurcations(statement, step, chosen[0])


def _of_a_map(statement: Statement, step: Map, verdict: Verdict) -> Any:
    if verdict.counterexample is None and step.time is None:
        starts = set().union(*(value.free_symbols for value in statement.start.values()))
        swept = [symbol for symbol in step.parameters if symbol not in starts and _spans(statement, symbol)]
        if step.dimension == 1 and swept:
            return bifurcations(statement, step, min(swept, key=lambda s: statement.variables[s].sup == oo))
        settles = bool(statement.then.atoms(ConvergesTo, HasPeriod))
        if step.dimension == 2 and settles and has_planar_starts(statement):
            return basin_map(statement, step)
    return trajectories(statement, step, verdict)


def _of_the_paper(statement: Statement) -> Any:
    """What the paper's own module of pictures draws for a computation, or None."""
    if statement.computed is None:
        return None
    module = f"proofs_check.report.plots.{statement.computed.name.partition('.')[0]}"
    return import_module(module).draw(statement) if find_spec(module) is not None else None


def _spans(statement: Statement, symbol: Symbol) -> bool:
    low, high = window(statement.variables[symbol].subs(statement.stated))
    return high > low
