"""What the other engines proved, stated and proved again in Coq and checked by its kernel.

"Proved" here rests on coqc and on what its theorem says, which includes that the conclusion has a value: tactics and
certificates may come from anywhere, the kernel accepts or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.budget import Budget
from proofs_check.coq.language import NotCoqError
from proofs_check.coq.process import OutOfPatienceError, accepts, missing
from proofs_check.coq.scripts import candidates, script
from proofs_check.engines.discharge import discharge
from proofs_check.goals import Goal, goal_of
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.statements import Statement

NAME = "coq"
VERSION = 3
RESTS_ON = ("coq",)

__all__ = ["NAME", "VERSION", "confirm", "decide", "export", "missing"]


def decide(statement: Statement, budget: Budget) -> Verdict | None:
    """Prove a plain statement by any engine, then in Coq."""
    goal = goal_of(statement)
    if goal is None or missing() is not None:
        return None
    running = budget.start()
    verdict = discharge(goal, running)
    return None if verdict is None else confirm(statement, verdict, running)


def confirm(statement: Statement, verdict: Verdict, budget: Budget) -> Verdict | None:
    """The verdict with strength `coq`, or None when Coq is absent or does not accept any of the scripts.

    Where time did not suffice for an answer about each of them, OutOfPatienceError says so: that is no refusal.
    """
    goal = goal_of(statement)
    if goal is None or verdict.outcome is not Outcome.PROVED or missing() is not None:
        return None
    running = budget if budget.deadline < float("inf") else budget.start()
    late = None
    for tactic, text in _scripts(goal, verdict.certificate):
        if running.spent:
            raise late or OutOfPatienceError("there was no time for every proof that Coq might accept")
        try:
            accepted = accepts(text, running.left, max(budget.memory, 4 << 30))
        except OutOfPatienceError as error:
            late = error
            continue
        if accepted:
            before = None if verdict.certificate is None else dict(verdict.certificate)
            certificate = {"kind": "coq", "tactic": tactic, "script": text, "proof": before, "from": verdict.engine}
            return verdict.but(strength=Strength.COQ, engine=NAME, certificate=certificate)
    if late is not None:
        raise late
    return None


def export(statement: Statement, verdict: Verdict) -> str | None:
    """A Coq file for a proved plain statement: the first script worth trying, or None when there is none.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> lemma = Statement(variables={x: S.Reals}, then=x**2 >= 2*x - 1)
    >>> print(export(lemma, Verdict(Outcome.PROVED)).splitlines()[2])
    Theorem goal : forall (x_0 : R), ((x_0 ^ 2) >= ((- 1) + (2 * x_0))).
    """
    goal = goal_of(statement)
    if goal is None or verdict.outcome is not Outcome.PROVED:
        return None
    return next((text for _, text in _scripts(goal, verdict.certificate)), None)


def _scripts(goal: Goal, certificate: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    try:
        return [(tactic, script(goal, tactic, certificate)) for tactic in candidates(goal, certificate)]
    except NotCoqError:
        return []
