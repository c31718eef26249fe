"""Plain parts of quantified claims: a look at some points in floats, then short proofs of any kind."""

from __future__ import annotations

from typing import Any

from sympy import And, Or, false
from sympy.core.relational import Eq, Ne, Relational
from sympy.logic.boolalg import Boolean, Implies

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.cover.strategy import Attempt, joined
from proofs_check.engines.cover.task import Task
from proofs_check.engines.variation.leaves import Points, is_algebraic
from proofs_check.engines.variation.shapes import count_roots
from proofs_check.goals import goal_of, relations
from proofs_check.verdict import Outcome
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import ForAll, is_plain


def plausible(task: Task, points: Points) -> bool:
    """Whether no point in floats violates a task clearly; what cannot be looked at is plausible."""
    claim = task.conclusion
    if task.integers:
        return True
    if isinstance(claim, And):
        return all(plausible(task.concluding(part), points) for part in claim.args)
    if isinstance(claim, ForAll) and claim.symbol not in task.variables:
        return plausible(task.with_variable(claim.symbol, claim.domain).concluding(claim.body), points)
    if isinstance(claim, Implies) and is_plain(claim.args[0]):
        return plausible(task.assuming(claim.args[0]).concluding(claim.args[1]), points)
    if not isinstance(claim, Relational):
        return bool(claim != false)
    given = [part for part in task.hypotheses if is_plain(part)]
    return points.may_hold(claim, tuple(task.variables), given)


def shown(task: Task, points: Points, budget: Budget) -> Attempt:
    """Proofs of the parts of a plain task, each by the prover that fits it."""
    claim = task.conclusion
    if isinstance(claim, And):
        parts = []
        for part in claim.args:
            parts.append(shown(task.concluding(part), points, budget))
            if parts[-1].argument is None:
                return Attempt()
        return joined({"do": "each"}, parts)
    if budget.spent or not plausible(task, points):
        return Attempt()
    if isinstance(claim, Ne):
        for above in (True, False):
            relation = (claim.lhs > claim.rhs) if above else (claim.lhs < claim.rhs)
            if isinstance(relation, Relational) and plausible(task.concluding(relation), points):
                step = _proved(task.concluding(type(relation)(*claim.args, evaluate=False)), budget)
                if step is not None:
                    return Attempt({"do": "apart", "above": above, "parts": [step]})
    step = _proved(task, budget)
    return Attempt() if step is None else Attempt(step)


def _proved(task: Task, budget: Budget) -> dict[str, Any] | None:
    algebraic = _is_algebraic(task.conclusion)
    kept = [k for k, part in enumerate(task.hypotheses) if is_plain(part) and (not algebraic or _is_algebraic(part))]
    try:
        claim = Statement(variables=task.variables, given=tuple(task.hypotheses[k] for k in kept), then=task.conclusion)
    except LemmascopeError:
        return None
    goal = goal_of(claim)
    if goal is None:
        return None
    roots = any(count_roots(side) for part in relations(task.conclusion) for side in part.args)
    names = ["polynomial"] if algebraic and not roots else ["variation", *["cover"] * (not algebraic), "polynomial"]
    if isinstance(task.conclusion, Eq):
        names = ["identity", *names[-1:]]
    elif isinstance(task.conclusion, (Or, Ne)):
        names = ["polynomial", "cover"]
    for name in names:
        if budget.spent:
            return None
        share = budget if name == names[-1] else budget.share("cover, one plain part")
        found = engine(name).prove(goal, share)
        if found is not None and found.outcome is Outcome.PROVED:
            return {"do": "shown", "kept": kept, "certificate": dict(found.certificate or {})}
    return None


def _is_algebraic(formula: Boolean) -> bool:
    return all(is_algebraic(side) for part in relations(formula) for side in part.args)
