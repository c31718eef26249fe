"""Sub-goals of larger arguments: handed to the provers of plain goals, cheapest first."""

from __future__ import annotations

from dataclasses import replace

from proofs_check.budget import Budget
from proofs_check.goals import Goal
from proofs_check.verdict import Verdict

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
