"""Inequalities by the variation of an expression along one variable at a time.

"proved" means that a tree of steps, each a theorem of one real variable whose conditions were shown, leads from the
claim to equalities and to inequalities that other provers showed; the kernel takes every step again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sympy import Integer, Piecewise, cosh, exp

from proofs_check.budget import Budget
from proofs_check.engines.variation import NAME
from proofs_check.engines.variation.bases import concave, monotone, simplifying, splits, turns
from proofs_check.engines.variation.leaves import Leaves, Points, is_algebraic
from proofs_check.engines.variation.rewriting import (
    comparisons,
    equations,
    exponentials,
    isolations,
    kinks,
    logarithms,
    powers,
    products,
    projections,
    squares,
    substitutions,
    sums,
)
from proofs_check.engines.variation.shapes import count_roots, hardness, has_large_powers
from proofs_check.engines.variation.taylor_pieces import taylor
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.signed_claims import Conditions, Signed
from proofs_check.kernel.variation import claims_of, has_values, subgoals
from proofs_check.verdict import Evidence, Outcome
from theory.language.functions import rough, stepping
from theory.statements import Statement

VERSION = 5
_DEPTHS = (4, 6, 9)
"""How deep arguments may be, one after the other: a short argument is found before a long detour is taken.

Along one variable there are few detours, and arguments are as deep as they need to be at once.
"""
_MOST_OPERATIONS = 800
_MOST_NESTED_SPLITS = 4
_MOST_NESTED_SLOPES = 5
_SHOWN = {"rule": "shown"}
_FREE = ("weaken", "solved", "put")
"""Steps after which the argument may be as deep as before."""


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
    if not has_values(claim, claims, search.conditions):
        return None
    arguments = []
    for one in claims:
        found = search.prove(one)
        if found is None:
            return None
        arguments.append(found)
    certificate = {"kind": NAME, "arguments": arguments, "obligations": leaves.obligations}
    return Evidence(Outcome.PROVED, NAME, certificate=certificate)


@dataclass
class _Tried:
    """Steps found so far, and where more come from."""

    source: Iterator[tuple[dict[str, Any], list[Signed]]]
    found: list[tuple[dict[str, Any], list[Signed]]] = field(default_factory=list)

    def reaches(self, place: int) -> bool:
        """Whether there is a step at a place, which is looked for if need be."""
        while len(self.found) <= place:
            one = next(self.source, None)
            if one is None:
                return False
            self.found.append(one)
        return True


@dataclass(frozen=True)
class _Where:
    """Where in an argument a claim stands, which decides on the steps that are tried there.

    The other engines are asked about a root as well.
    """

    is_root: bool
    is_leaf: bool
    is_last_try: bool
    may_split: bool
    may_slope: bool


@dataclass
class _Search:
    conditions: Conditions
    leaves: Leaves
    budget: Budget
    deepest: int = 0
    failed: dict[Signed, int] = field(default_factory=dict)
    known: dict[Signed, dict[str, Any]] = field(default_factory=dict)
    open_ones: set[Signed] = field(default_factory=set)
    tried: dict[tuple[Signed, _Where], _Tried] = field(default_factory=dict)

    def prove(self, claim: Signed) -> dict[str, Any] | None:
        """An argument for a claim, the shortest depth first."""
        for self.deepest in _DEPTHS if len(claim.expression.free_symbols) > 1 else _DEPTHS[-1:]:
            found = self.argue(claim, self.deepest)
            if found is not None or self.budget.spent:
                return found
        return None

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
        if not self._may_hold(claim):
            return None
        for step, claims in self._reductions(claim, depth):
            if not all(map(self._may_hold, claims)):
                continue
            parts: list[dict[str, Any]] = []
            for one in claims:
                below = self.argue(one, depth - (step["rule"] not in _FREE))
                if below is None:
                    break
                parts.append(below)
            else:
                return {**step, "parts": parts}
        return None

    def _may_hold(self, claim: Signed) -> bool:
        return self.leaves.points.may_hold(replace(claim, strict=False).relation, claim.variables, claim.given)

    def _reductions(self, claim: Signed, depth: int) -> Iterator[tuple[dict[str, Any], list[Signed]]]:
        """The steps that are allowed, each with the claims that are left, remembered for deeper arguments."""
        level = self.deepest - depth
        where = _Where(
            is_root=len(self.open_ones) == 1,
            is_leaf=depth == 0,
            is_last_try=self.deepest == _DEPTHS[-1],
            may_split=level < _MOST_NESTED_SPLITS,
            may_slope=level < _MOST_NESTED_SLOPES,
        )
        if (claim, where) not in self.tried:
            self.tried[claim, where] = _Tried(self._allowed(claim, where))
        place, tried = 0, self.tried[claim, where]
        while not self.budget.spent and tried.reaches(place):
            yield tried.found[place]
            place += 1

    def _allowed(self, claim: Signed, where: _Where) -> Iterator[tuple[dict[str, Any], list[Signed]]]:
        for step in self._steps(claim, where):
            self.leaves.by_variation = step["rule"] != "shown"
            claims = subgoals(claim, step, self.conditions)
            if claims is not None:
                yield step, claims

    def _steps(self, claim: Signed, where: _Where) -> Iterator[dict[str, Any]]:
        yield from equations(claim)
        yield from projections(claim)
        if not claim.expression.free_symbols or isinstance(claim.expression, (exp, cosh)) or self._is_zero(claim):
            yield _SHOWN
        elif is_algebraic(claim.expression):
            yield from self._algebraic_steps(claim, where)
        elif where.is_leaf:
            yield from taylor(claim, self.budget)
            yield from [_SHOWN] * where.is_last_try
        elif claim.expression.has(*rough()):
            yield from kinks(claim)
        else:
            yield from self._plain_steps(claim, where)

    def _is_zero(self, claim: Signed) -> bool:
        points = self.leaves.points
        values, noise = points.values(claim.expression, claim.variables, points.of(claim.variables, claim.given))
        return not (claim.strict or np.any(np.abs(values) > noise)) and same(claim.expression, Integer(0))

    def _algebraic_steps(self, claim: Signed, where: _Where) -> Iterator[dict[str, Any]]:
        if has_large_powers(claim.expression):
            yield from substitutions(claim, inverses=False)
        points, roots = self.leaves.points, count_roots(claim.expression)
        if roots < 2:
            yield from [_SHOWN] * (not where.is_root)
        if where.is_leaf:
            return
        yield from taylor(claim, self.budget)
        yield from squares(claim, points)
        if where.may_slope and roots:
            yield from monotone(claim, points, list(claim.variables))
        yield from products(claim, points)
        yield from substitutions(claim, inverses=False)
        yield from sums(claim, points)
        if roots > 1:
            yield from [_SHOWN] * (not where.is_root)

    def _plain_steps(self, claim: Signed, where: _Where) -> Iterator[dict[str, Any]]:
        points = self.leaves.points
        easier = simplifying(claim)
        harder = [x for x in claim.variables if x not in easier]
        if hardness(claim.expression) < 1:
            yield from products(claim, points)
        yield from sums(claim, points)
        yield from comparisons(claim)
        yield from logarithms(claim, steep=True)
        yield from powers(claim)
        yield from taylor(claim, self.budget)
        yield from monotone(claim, points, easier)
        yield from exponentials(claim)
        if where.may_split:
            yield from turns(claim, easier, points)
        yield from isolations(claim, points)
        yield from products(claim, points)
        yield from logarithms(claim, steep=False)
        yield from concave(claim, points)
        yield from substitutions(claim, inverses=True)
        if where.may_slope:
            yield from monotone(claim, points, harder)
        if where.may_split:
            yield from splits(claim, sure=True)
        is_alone = len(claim.expression.free_symbols) == 1
        yield from [_SHOWN] * (not where.is_root and (where.is_last_try or is_alone))
        if where.may_split:
            yield from splits(claim, sure=False)
        yield from substitutions(claim, inverses=False)
