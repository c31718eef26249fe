"""Families of every size: facts about sums are tried group by group until what is left about numbers is proved.

"Proved" is what the kernel makes of the facts, which it derives anew; "refuted" is a counterexample at a small size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np
from sympy import Eq, Sum

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import discharge, load
from proofs_check.engines.families import NAME
from proofs_check.engines.families.candidates import Fact, Search
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.ball_means import at_points
from proofs_check.kernel.families import Desk, NotShownError, require_standard
from proofs_check.kernel.indexed import NotIndexedError
from proofs_check.passes.sizes import at_one_size, sizes_of
from proofs_check.points.sampling import Sampler
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.language.ball_means import BallMean
from theory.statements import Statement

VERSION = 3
_SHORT = 3
"""How many groups of facts are tried shortly."""
_SIZES, _MORE_SIZES = (2, 1, 3), (2, 1, 3, 5)
"""Sizes at which counterexamples are looked for, with more of them where there is one size alone."""
_POINTS, _USUAL, _CLEAR = 200, (1e-2, 1e2), 1e-3
"""Points that are drawn before a proof is tried, between which sizes rounding errors are small, and what is a clear
violation there."""


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def prepare(_statement: Statement) -> None:
    """Load the engines that are asked in turn."""
    load()
    engine("falsify")


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a statement about families of every size, or refute it at a small size.

    >>> from sympy import Reals, Symbol
    >>> from theory.language.families import family
    >>> k, n = Symbol("k"), Symbol("n")
    >>> u = family("u", n)
    >>> squares = Statement(variables={u: Reals}, then=Sum(u[k] ** 2, (k, 1, n)) >= 0)
    >>> str(decide(squares, Budget.of("standard")).outcome)
    'proved'
    """
    if not statement.speaks_of_families and not statement.then.has(Sum):
        return None
    try:
        require_standard(statement)
    except LemmascopeError:
        return None
    running = budget.running
    names = sizes_of(statement)
    sizes = [
        dict(zip(names, values, strict=True))
        for values in product(_SIZES if len(names) > 1 else _MORE_SIZES, repeat=len(names))
    ]
    return (
        _averaged(statement, running)
        or _Proof(statement, running.share("families, proof")).found()
        or _refuted(statement, sizes, running, ("falsify",))
        or _refuted(statement, sizes, running, ("polynomial",))
    )


def _averaged(statement: Statement, budget: Budget) -> Evidence | None:
    """A proof about means over the ball: from what is known of them, or about averages over its points."""
    if not statement.then.has(BallMean):
        return None
    if (found := _Proof(statement, budget.share("families, proof")).found(shortly=True)) is not None:
        return found
    for points in ("both", "single") if statement.then.has(Eq) else ("single", "both"):
        try:
            about = at_points(statement, points == "both")
        except (NotIndexedError, LemmascopeError):
            return None
        if (found := _Proof(about, budget.share("families, proof")).found(shortly=True)) is not None:
            certificate = {"kind": "families", "points": points, "certificate": found.certificate}
            notes = (*found.notes, "means over the ball are limits of averages over its points")
            return found.but(certificate=certificate, notes=notes)
    return None


def _refuted(
    statement: Statement, sizes: Iterable[Mapping[str, int]], budget: Budget, engines: tuple[str, ...]
) -> Evidence | None:
    for chosen in sizes:
        try:
            about = at_one_size(statement, chosen)
        except LemmascopeError:
            continue
        for name in engines:
            if budget.spent:
                return None
            answer = engine(name).decide(about, budget.share("families, one size"))
            if answer is not None and answer.outcome is Outcome.REFUTED:
                told = ", ".join(f"{key} = {value}" for key, value in chosen.items())
                return Evidence(
                    Outcome.REFUTED, engine=NAME, counterexample={**_told(chosen), **(answer.counterexample or {})},
                    certificate={"kind": "families", "sizes": dict(chosen), "certificate": answer.certificate},
                    notes=(*answer.notes, f"at size {told}, decided by {answer.engine}"),
                )  # fmt: skip
    return None


def _told(sizes: Mapping[str, int]) -> dict[str, str]:
    return {name: str(size) for name, size in sizes.items()}


def _is_doubtful(goal: Goal) -> bool:
    """Whether a drawn point clearly contradicts a goal: no time is spent on it then."""
    try:
        sampler = Sampler(goal.variables, goal.hypotheses, (goal.conclusion,), seconds=0.0)
        points = sampler.draw(_POINTS, np.random.default_rng(0))
        margins = sampler.compiled.robustness(goal.conclusion, points)
    except (LemmascopeError, TypeError, ValueError, OverflowError):
        return False
    sizes = np.abs(points)
    usual = np.all((sizes > _USUAL[0]) & (sizes < _USUAL[1]), axis=0)
    return bool(np.any(margins[usual] < -_CLEAR))


class _Proof:
    """Facts that were shown, and the proofs of what they need, in the order in which the kernel asks for them."""

    def __init__(self, statement: Statement, budget: Budget) -> None:
        self.statement, self.budget = statement, budget
        self.proofs: list[Mapping[str, Any]] = []
        self.facts: list[Fact] = []

    def found(self, shortly: bool = False) -> Evidence | None:
        """A proof, by all groups of facts or by those alone that take little time."""
        try:
            self.desk = Desk(self.statement, self._show)
            search = Search(self.statement)
        except (NotIndexedError, LemmascopeError):
            return None
        groups: list[Callable[[], Iterable[Any]]] = [
            tuple, search.lengths, search.averages, search.combinations, search.zeros, search.comparisons,
            search.inductions, search.signs, search.single_terms, search.tangents, search.products,
            search.products_of_halves, search.comparisons, search.outer_products, search.ranges, search.convexity,
            search.sums_of_products,
        ]  # fmt: skip
        for group in groups[: _SHORT if shortly else None]:
            learned = [self._learn(candidate) for candidate in group()]
            if group is not tuple and not any(learned):
                continue
            if (verdict := self._conclude()) is not None:
                return verdict
            if self.budget.spent:
                return None
        return None

    def _show(self, goal: Statement, share: str = "families, one condition") -> bool:
        asked = goal_of(goal)
        if asked is None or self.budget.spent or _is_doubtful(asked):
            return False
        verdict = discharge(asked, self.budget.share(share))
        if verdict is None or verdict.outcome is not Outcome.PROVED or verdict.certificate is None:
            return False
        self.proofs.append(verdict.certificate)
        return True

    def _learn(self, candidate: Any) -> bool:
        """Whether a fact, or the first of several that can be shown, is known now."""
        for fact in candidate if isinstance(candidate, list) else [candidate]:
            before = len(self.proofs)
            try:
                self.desk.learn(fact)
            except (NotIndexedError, NotShownError, LemmascopeError):
                del self.proofs[before:]
                continue
            self.facts.append(fact)
            return True
        return False

    def _conclude(self) -> Evidence | None:
        before = len(self.proofs)
        try:
            goals = self.desk.conclusions()
        except (NotIndexedError, NotShownError):
            goals = []
        if not goals or not all(self._show(goal, "families, what is left") for goal in goals):
            del self.proofs[before:]
            return None
        *proofs, last = self.proofs
        certificate = {"kind": "families", "facts": self.facts, "proofs": proofs, "certificate": last}
        rules = ", ".join(dict.fromkeys(str(fact["rule"]) for fact in self.facts)) or "the normal form of sums"
        return Evidence(Outcome.PROVED, engine=NAME, certificate=certificate, notes=(f"every size, by {rules}",))
