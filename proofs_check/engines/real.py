"""Polynomial, rational and radical (in)equalities over the reals, with kinks and elementary functions reduced to them.

The negation of a goal becomes a polynomial system. "Proved" needs two independent solvers that find it unsatisfiable,
or a certificate checked in exact arithmetic; "refuted" needs an exact point at which the goal itself fails.
"""

from __future__ import annotations

from typing import Any

from proofs_check.algebra.elimination import UnsupportedError
from proofs_check.algebra.formulas import FALSE
from proofs_check.algebra.systems import System, systems_of
from proofs_check.budget import Budget
from proofs_check.goals import Goal, goal_of
from proofs_check.solvers.models import Point, counterexample
from proofs_check.solvers.processes import SOLVERS, installed, race
from proofs_check.solvers.smtlib import script
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.statements import Statement

NAME = "real"
VERSION = 1


def missing() -> str | None:
    """What is not installed, in one sentence."""
    absent = [name for name in SOLVERS if name not in installed()]
    return f"install {' and '.join(absent)}: a proof needs both solvers" if absent else None


def decide(statement: Statement, budget: Budget) -> Verdict | None:
    """Prove or refute a plain statement."""
    goal = goal_of(statement)
    return None if goal is None else prove(goal, budget)


def prove(goal: Goal, budget: Budget) -> Verdict | None:
    """Prove or refute a goal, or return None.

    >>> from sympy import S, Symbol, sqrt
    >>> x = Symbol("x")
    >>> str(prove(Goal({x: S.Reals}, (x >= 0,), 2*sqrt(x) <= 1 + x), Budget.of("quick")).outcome)
    'proved'
    >>> prove(Goal({x: S.Reals}, (), x**2 > x), Budget.of("quick")).counterexample
    {'x': '0'}
    """
    budget = budget if budget.deadline < float("inf") else budget.start()
    try:
        systems = systems_of(goal)
    except UnsupportedError:
        return None
    for system in systems:
        verdict = _decide_system(goal, system, budget)
        if verdict is not None:
            return verdict
    return None


def unsatisfiable(system: System, budget: Budget) -> bool:
    """Whether both solvers find that a system has no real solution."""
    if system.constraint == FALSE:
        return True
    text = script(system)
    answers = race(dict.fromkeys(SOLVERS, text), budget.left, budget.memory, _disagree) if not missing() else {}
    return len(answers) == len(SOLVERS) and not _disagree(answers)


def _disagree(answers: dict[str, dict[str, Any]]) -> bool:
    return any(answer["answer"] != "unsat" for answer in answers.values())


def _decide_system(goal: Goal, system: System, budget: Budget) -> Verdict | None:
    if system.constraint == FALSE:
        return _proved({"kind": "real", "method": "constants"})
    for whole in (False, True) if system.integers else (False,):
        verdict = _ask(goal, system, budget, whole=whole)
        if verdict is not None:
            return verdict
    return None


def _ask(goal: Goal, system: System, budget: Budget, *, whole: bool) -> Verdict | None:
    text = script(system, whole=whole)
    found: list[Point] = []
    tried: set[str] = set()

    def enough(answers: dict[str, dict[str, Any]]) -> bool:
        for name, answer in answers.items():
            if answer["answer"] == "sat" and name not in tried:
                tried.add(name)
                point = counterexample(goal, system, answer["model"])
                if point is not None:
                    found.append(point)
                    return True
        return len(tried) > 0 and not system.exact

    answers = race(dict.fromkeys(installed(), text), budget.left, budget.memory, enough)
    enough(answers)
    if found:
        return _refuted(found[0])
    agreeing = [name for name, answer in answers.items() if answer["answer"] == "unsat"]
    if set(agreeing) == set(SOLVERS):
        return _proved({"kind": "real", "method": "solvers", "solvers": sorted(agreeing), "script": text})
    return None


def _proved(certificate: dict[str, Any]) -> Verdict:
    return Verdict(Outcome.PROVED, Strength.EXACT, NAME, certificate=certificate)


def _refuted(point: Point) -> Verdict:
    return Verdict(
        Outcome.REFUTED, engine=NAME, counterexample={symbol.name: str(value) for symbol, value in point.items()}
    )
