"""Statements about whole numbers by residues or by induction.

"proved" means that a formula about remainders holds for every residue, or that a relation holds at the first number
and passes from each number to the next; the kernel takes both again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sympy import Eq, Integer, Mod, Symbol

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.variation.leaves import Leaves, Points
from proofs_check.engines.whole import NAME
from proofs_check.engines.whole.strengthening import stronger_ones
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.ratios import ratio_goals
from proofs_check.kernel.whole_numbers import Names, all_residues, first_of, from_first, induction
from proofs_check.verdict import Evidence, Outcome
from theory.statements import Statement
from theory.trees import encode

VERSION = 3
_KIND = "whole_numbers"
_SKIPPED = (0, 1, 2, 4)
"""How many of the first numbers are looked at one by one."""


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a plain statement with variables that are whole numbers."""
    goal = goal_of(statement)
    return None if goal is None or not goal.integers else prove(goal, budget)


def prove(goal: Goal, budget: Budget) -> Evidence | None:
    """Prove a goal, or return None.

    >>> from sympy import S, Sum, Symbol
    >>> n, k = Symbol("n"), Symbol("k")
    >>> odd = Goal({n: S.Naturals}, (), Eq(Sum(2 * k - 1, (k, 1, n)), n**2))
    >>> str(prove(odd, Budget.of("quick")).outcome)
    'proved'
    """
    budget = budget.running
    claim = Claim(goal.variables, goal.hypotheses, goal.conclusion)
    if all_residues(claim):
        return _proved({"kind": _KIND, "by": "residues"})
    for n in goal.integers:
        first = first_of(goal.variables[n])
        if first is None or goal.conclusion.has(Mod):
            continue
        found = _from_first(claim, n, first, budget)
        if found is not None:
            return _proved({"kind": _KIND, "variable": encode(n), **found})
        names = Names(n, first)
        if names.put(goal.conclusion) is None or not names.parts:
            continue
        for stronger in (None, *stronger_ones(goal.conclusion, n)):
            leaves = _Leaves(budget, Points())
            for skipped in _SKIPPED:
                if not budget.spent and induction(claim, n, skipped, leaves, stronger):
                    details = {"by": "induction", "variable": encode(n), "skipped": skipped}
                    details |= {} if stronger is None else {"stronger": encode(stronger)}
                    return _proved({"kind": _KIND, **details, "obligations": leaves.obligations})
    return None


def _from_first(claim: Claim, n: Symbol, first: Integer, budget: Budget) -> dict[str, Any] | None:
    """By the ratios of positive products, or for real numbers from some number on."""
    ways = ["ratios"] if ratio_goals(claim.conclusion, n, first) is not None else []
    for way in [*ways, "real numbers"]:
        for skipped in _SKIPPED:
            leaves = _Leaves(budget, Points())
            if not budget.spent and from_first(claim, n, skipped, leaves, by_ratios=way == "ratios"):
                return {"by": way, "skipped": skipped, "obligations": leaves.obligations}
    return None


def _proved(certificate: dict[str, Any]) -> Evidence:
    return Evidence(Outcome.PROVED, NAME, certificate=certificate)


class _Leaves(Leaves):
    """Short proofs, of equations by canonical forms."""

    def _proof(self, goal: Goal) -> dict[str, Any] | None:
        if not isinstance(goal.conclusion, Eq) or self._budget.spent:
            return super()._proof(goal)
        verdict = engine("identity").prove(goal, replace(self._budget, seconds=self._budget.left).start())
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return None
        given = [encode(part) for part in goal.hypotheses]
        return {"condition": encode(goal.conclusion), "given": given, "certificate": verdict.certificate}
