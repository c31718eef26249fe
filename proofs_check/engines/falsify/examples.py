"""Points that the author of a statement asks to be looked at first: a counterexample that no search would meet.

Nothing is believed of them. The runs are in double precision and only say up to which step the kernel is to follow one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from sympy import And, Expr, Symbol

from numerics.robustness import TemporalRobustness
from proofs_check.budget import Budget
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.falsify import NAME
from proofs_check.engines.falsify.certificates import at_point, pairs
from proofs_check.engines.falsify.clarity import Sight
from proofs_check.engines.falsify.runs import Simulation
from proofs_check.goals import domains, goal_of
from proofs_check.passes.sizes import at_one_size, sizes_of
from proofs_check.points.exact import holds
from proofs_check.verdict import Evidence, Outcome
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.trees import encode

_HORIZONS = (300, 3_000, 20_000, 100_000)
_LEAST_BITS, _STEPS_PER_BIT = 192, 80
_LONGEST_FLOW = 1_000


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Refute a statement at one of its examples, or return None.

    >>> from sympy import Interval
    >>> x = Symbol("x")
    >>> small = Statement(variables={x: Interval(0, 2)}, then=x**2 <= x + 1, examples=({x: 2},))
    >>> decide(small, Budget.of("quick")).counterexample
    {'x': '2'}
    """
    for example in statement.examples:
        found = (
            _in_sizes(statement, example, budget) if statement.speaks_of_families else _at(statement, example, budget)
        )
        if found is not None:
            return found
    return None


def _in_sizes(statement: Statement, example: Mapping[Symbol, Expr], budget: Budget) -> Evidence | None:
    """At an example that also says how many entries the families have."""
    names = sizes_of(statement)
    if not {Symbol(name) for name in names} <= set(example):
        return None
    sizes = {name: int(example[Symbol(name)]) for name in names}
    point = {symbol: value for symbol, value in example.items() if symbol.name not in sizes}
    try:
        answer = _at(at_one_size(statement, sizes), point, budget)
    except LemmascopeError:
        return None
    if answer is None:
        return None
    shown = {name: str(size) for name, size in sizes.items()} | dict(answer.counterexample or {})
    certificate = {"kind": "families", "sizes": sizes, "certificate": answer.certificate}
    return answer.but(engine="families", counterexample=shown, certificate=certificate)


def _at(statement: Statement, point: Mapping[Symbol, Expr], budget: Budget) -> Evidence | None:
    if set(point) != set(statement.variables) or statement.almost_all:
        return None
    if statement.dynamics is None:
        goal = goal_of(statement)
        if goal is None or holds(goal.refutation, point) is not True:
            return None
        shown = {symbol.name: str(value) for symbol, value in point.items()}
        return Evidence(Outcome.REFUTED, NAME, counterexample=shown, certificate=at_point(point), notes=_NOTES)
    if holds(And(*statement.hypotheses), point) is not True:
        return None
    if not isinstance(statement.dynamics, Map):
        return confirm_violation(statement, point, _LONGEST_FLOW, budget)
    return _along(statement, point)


_NOTES = ("an example that stands with the statement is a counterexample",)


def _along(statement: Statement, point: Mapping[Symbol, Expr]) -> Evidence | None:
    """Along a map: what a run in double precision violates within some steps, the kernel is to follow in balls.

    Where the run cannot tell how far the claim is from being violated, the kernel follows it as far as it goes.
    """
    claim = statement.conclusion
    simulation = Simulation(statement, list(domains(statement)))
    state, clock = simulation.dynamics.state, simulation.dynamics.time
    sight = Sight(statement, simulation, TemporalRobustness(claim, state, simulation.names, clock))
    column = np.array([[float(point[symbol])] for symbol in simulation.names]).reshape(-1, 1)
    for horizon in _HORIZONS:
        runs = simulation.run(column, horizon)
        kept = max(2, int(runs.kept[0]))
        distance = float(sight.judged(runs.states[:kept], runs.times[:kept], column)[0, 0])
        if distance < 0 or (math.isnan(distance) and horizon == _HORIZONS[-1]):
            shown = {symbol.name: str(value) for symbol, value in point.items()}
            certificate = {
                "kind": "enclosure", "claim": encode(claim), "horizon": horizon,
                "precision": max(_LEAST_BITS, horizon // _STEPS_PER_BIT), "truth": False, "point": pairs(point),
            }  # fmt: skip
            notes = (*_NOTES, f"it is one within {horizon:,} steps")
            return Evidence(Outcome.REFUTED, NAME, counterexample=shown, certificate=certificate, notes=notes)
    return None
