"""Sub-goals of larger arguments: handed to the provers of plain goals, cheapest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sympy import true
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.checkers.point import truth
from proofs_check.goals import Goal
from proofs_check.verdict import Outcome, Verdict
from theory.trees import encode

Obligations = list[dict[str, Any]]
PROVERS = ("identity", "polynomial", "cover")


def discharge(goal: Goal, budget: Budget) -> Verdict | None:
    """The first decisive verdict that a prover gives on the goal, or None when none of them decides it.

    No prover may use up the time of those after it.
    """
    from proofs_check.engines import engine

    budget = budget if budget.deadline < float("inf") else budget.start()
    for name in PROVERS:
        if budget.spent:
            return None
        share = budget.left if name == PROVERS[-1] else budget.left / 2
        verdict: Verdict | None = engine(name).prove(goal, replace(budget, seconds=share).start())
        if verdict is not None and verdict.decided:
            return verdict
    return None


def obligations(conditions: Iterable[Boolean], goal: Goal, budget: Budget) -> Obligations | None:
    """A stored proof of every condition that the hypotheses of a goal do not state; None when one has none."""
    found: Obligations = []
    for condition in conditions:
        if condition == true or condition in goal.hypotheses:
            continue
        if not condition.free_symbols:
            if truth(condition, {}) is not True:
                return None
            continue
        verdict = discharge(goal.concluding(condition), budget)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return None
        given = [encode(part) for part in goal.hypotheses]
        found.append({"condition": encode(condition), "given": given, "certificate": verdict.certificate})
    return found
