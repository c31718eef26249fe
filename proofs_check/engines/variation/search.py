"""Inequalities by the variation of an expression along one variable at a time.

"proved" means that a tree of steps, each a theorem of one real variable whose conditions were shown, leads from the
claim to equalities and to inequalities that other provers showed; the kernel takes every step again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import Piecewise, exp

from proofs_check.budget import Budget
from proofs_check.engines.variation import NAME
from proofs_check.engines.variation.bases import concave, monotone, simplifying, splits, turns
from proofs_check.engines.variation.leaves import Leaves, Points, is_algebraic
from proofs_check.engines.variation.rewriting import (
    comparisons,
    exponentials,
    isolations,
    kinks,
    logarithms,
    products,
    substitutions,
)
from proofs_check.engines.variation.shapes import hardness, has_large_powers
from proofs_check.engines.variation.taylor_pieces import taylor
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.signed_claims import Conditions, Signed
from proofs_check.kernel.variation import claims_of, has_values, subgoals
from proofs_check.verdict import Evidence, Outcome
from theory.language.functions import rough, stepping
from theory.statements import Statement

VERSION = 1
_DEPTH = 9
_MOST_OPERATIONS = 800
_MOST_NESTED_SPLITS = 4
_MOST_NESTED_SLOPES = 5


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a statement whose conclusion is one inequality or several."""
    goal = goal_of(statement)
    return None if goal is None else prove(goal, budget)


def prove(goal: Goal, budget: Budget) -> Evidence | None:
    """Prove a goal, or return None.

    >>> from sympy import Interval, Symbol, log
    >>> x = Symbol("x")
    >>> entropy = -x * log(x) - (1 - x) * log(1 - x) <= log(2)
    >>> str(prove(Goal.over({x: Interval.open(0, 1)}, (), entropy), Budget.of("standard")).outcome)
    'proved'
    """
    budget = budget.running
    claim = Claim(goal.variables, goal.hypotheses, goal.conclusion)
    claims = claims_of(claim) or []
    size = sum(int(one.expression.count_ops()) for one in claims)
    if not claims or size > _MOST_OPERATIONS or any(one.expression.has(*stepping(), Piecewise) for one in claims):
        return None
    leaves = Leaves(budget, Points())
    search = _Search(Conditions(leaves), leaves, budget)
    if not has_values(claim, claims[0], search.conditions):
        return None
    arguments = []
    for one in claims:
        found = search.argue(one, _DEPTH)
        if found is None:
            return None
        arguments.append(found)
    certificate = {"kind": NAME, "arguments": arguments, "obligations": leaves.obligations}
    return Evidence(Outcome.PROVED, NAME, certificate=certificate)


@dataclass
class _Search:
    conditions: Conditions
    leaves: Leaves
    budget: Budget
    failed: dict[Signed, int] = field(default_factory=dict)
    known: dict[Signed, dict[str, Any]] = field(default_factory=dict)
    open_ones: set[Signed] = field(default_factory=set)

    def argue(self, claim: Signed, depth: int) -> dict[str, Any] | None:
        """An argument for a claim, or None; what has failed with as much depth left is not tried again."""
        if claim in self.known:
            return self.known[claim]
        if depth < 0 or self.budget.spent or claim in self.open_ones or self.failed.get(claim, -1) >= depth:
            return None
        self.open_ones.add(claim)
        found = self._argued(claim, depth)
        self.open_ones.discard(claim)
        if found is None:
            self.failed[claim] = depth
        else:
            self.known[claim] = found
        return found

    def _argued(self, claim: Signed, depth: int) -> dict[str, Any] | None:
        points = self.leaves.points
        if not points.may_hold(replace(claim, strict=False).relation, claim.variables, claim.given):
            return None
        for step in self._steps(claim, points, depth):
            if self.budget.spent:
                return None
            self.leaves.by_variation = step["rule"] != "shown"
            claims = subgoals(claim, step, self.conditions)
            if claims is None:
                continue
            parts: list[dict[str, Any]] = []
            for one in claims:
                below = self.argue(one, depth - 1)
                if below is None:
                    break
                parts.append(below)
            else:
                return {**step, "parts": parts}
        return None

    def _steps(self, claim: Signed, points: Points, depth: int) -> Iterator[dict[str, Any]]:
        shown = {"rule": "shown"}
        if not claim.expression.free_symbols or isinstance(claim.expression, exp):
            yield shown
            return
        is_root = depth == _DEPTH  # which the other engines are asked about as well
        if is_algebraic(claim.expression):
            if has_large_powers(claim.expression):
                yield from substitutions(claim, inverses=False)
            if not is_root:
                yield shown
            yield from taylor(claim, self.budget)
            yield from products(claim, points)
            yield from substitutions(claim, inverses=False)
            return
        if claim.expression.has(*rough()):
            yield from kinks(claim)
            return
        easier = simplifying(claim)
        harder = [x for x in claim.variables if x not in easier]
        if hardness(claim.expression) < 1:
            yield from products(claim, points)
        yield from comparisons(claim)
        yield from exponentials(claim)
        yield from taylor(claim, self.budget)
        yield from monotone(claim, points, easier)
        if depth > _DEPTH - _MOST_NESTED_SPLITS:
            yield from turns(claim, easier, points)
        yield from isolations(claim, points)
        yield from products(claim, points)
        yield from logarithms(claim)
        yield from concave(claim, points)
        yield from substitutions(claim, inverses=True)
        if depth > _DEPTH - _MOST_NESTED_SLOPES:
            yield from monotone(claim, points, harder)
        if depth > _DEPTH - _MOST_NESTED_SPLITS:
            yield from splits(claim, sure=True)
        if not is_root:
            yield shown
        if depth > _DEPTH - _MOST_NESTED_SPLITS:
            yield from splits(claim, sure=False)
        yield from substitutions(claim, inverses=False)
