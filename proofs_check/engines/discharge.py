"""Sub-goals of larger arguments: handed to the provers of plain goals, cheapest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Set, Symbol
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.goals import Goal
from proofs_check.kernel.conditions import Domains, Shown
from proofs_check.verdict import Evidence, Outcome
from theory.trees import encode

PROVERS = ("identity", "polynomial", "variation", "cover")


def load() -> None:
    """Import the provers, so that no budget pays for it."""
    for name in PROVERS:
        engine(name)


def discharge(goal: Goal, budget: Budget) -> Evidence | None:
    """The first decisive verdict that a prover gives on the goal, or None when none of them decides it.

    No prover may use up the time of those after it.
    """

    budget = budget.running
    for name in PROVERS:
        if budget.spent:
            return None
        share = budget.left if name == PROVERS[-1] else budget.seconds_for("prover that is not the last")
        verdict: Evidence | None = engine(name).prove(goal, replace(budget, seconds=share).start())
        if verdict is not None and verdict.decided:
            return verdict
    return None


class Proving(Shown):
    """Shows conditions to a checker by proving those of which no proof is stored; `obligations` are then the proofs."""

    def __init__(self, budget: Budget, stored: Iterable[Mapping[str, Any]] = ()) -> None:
        self._known = list(stored)
        super().__init__(self._known)
        self._budget = budget
        self._proved: dict[tuple[Boolean, frozenset[Boolean], Domains], dict[str, Any] | None] = {}

    def follows(self, condition: Boolean, variables: Mapping[Symbol, Set], given: Sequence[Boolean]) -> bool:
        """Whether a condition follows; a proof of it is kept."""
        if super().follows(condition, variables, given):
            return True
        key = (condition, frozenset(given), frozenset(variables.items()))
        if key not in self._proved:
            self._proved[key] = self._proof(Goal(variables, tuple(given), condition))
        return self._proved[key] is not None

    def _proof(self, goal: Goal) -> dict[str, Any] | None:
        if not goal.conclusion.free_symbols or self._budget.spent:
            return None
        verdict = discharge(goal, self._budget)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return None
        given = [encode(part) for part in goal.hypotheses]
        return {"condition": encode(goal.conclusion), "given": given, "certificate": verdict.certificate}

    @property
    def obligations(self) -> list[Mapping[str, Any]]:
        """The proofs that were needed."""
        return [self._known[k] for k in sorted(self.used)] + [
            item for item in self._proved.values() if item is not None
        ]
