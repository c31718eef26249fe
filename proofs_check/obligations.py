"""Sub-goals of larger arguments: handed to the provers of plain goals, cheapest first."""

from __future__ import annotations

from proofs_check.budget import Budget
from proofs_check.goals import Goal
from proofs_check.verdict import Verdict

PROVERS = ("identity", "real", "ball")


def discharge(goal: Goal, budget: Budget) -> Verdict | None:
    """The first decisive verdict that a prover gives on the goal, or None when none of them decides it."""
    from proofs_check.engines import engine

    for name in PROVERS:
        if budget.spent:
            return None
        verdict: Verdict | None = engine(name).prove(goal, budget)
        if verdict is not None and verdict.decided:
            return verdict
    return None
