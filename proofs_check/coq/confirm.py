"""What the other engines proved, stated and proved again in Coq and checked by its kernel.

"Proved" here rests on coqc and on what its theorem says, which includes that the conclusion has a value: tactics and
certificates may come from anywhere, the kernel accepts or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from proofs_check.budget import Budget
from proofs_check.coq.language import Names, NotCoqError, theorem
from proofs_check.coq.laws import law_script
from proofs_check.coq.orbits import orbit_script
from proofs_check.coq.process import OutOfPatienceError, accepts, missing
from proofs_check.coq.scripts import candidates, script
from proofs_check.coq.vectors import vectors_script
from proofs_check.engines.discharge import discharge
from proofs_check.goals import Goal, goal_of
from proofs_check.verdict import Evidence, Outcome, Verdict
from theory.statements import Statement

NAME = "coq"
VERSION = 5
RESTS_ON = ("coq",)
_CHOICES = (0, 1)
"""Which of the ways to show the steps of a proof is taken: the most promising, or the next."""

__all__ = ["NAME", "VERSION", "confirm", "decide", "export", "missing", "obstacle"]


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a plain statement by any engine, then in Coq."""
    goal = goal_of(statement)
    if goal is None or missing() is not None:
        return None
    running = budget.start()
    verdict = discharge(goal, running)
    return None if verdict is None else confirm(statement, verdict, running)


def confirm(statement: Statement, verdict: Verdict | Evidence, budget: Budget) -> Evidence | None:
    """The same with a Coq proof, or None when Coq is absent or does not accept any of the scripts.

    Where time did not suffice for an answer about each of them, OutOfPatienceError says so: that is no refusal.
    """
    if verdict.outcome is not Outcome.PROVED or missing() is not None:
        return None
    running = budget.running
    late = None
    for tactic, text in _scripts(statement, verdict.certificate):
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
            return Evidence(
                Outcome.PROVED, NAME, certificate, coverage=verdict.coverage, cases=verdict.cases, notes=verdict.notes
            )
    if late is not None:
        raise late
    return None


def obstacle(statement: Statement, verdict: Verdict | Evidence) -> str | None:
    """Why no Coq proof of a proved statement can be written; None where one can.

    >>> from sympy import S, Symbol, erf
    >>> x = Symbol("x")
    >>> obstacle(Statement(variables={x: S.Reals}, then=erf(x) <= 1), Verdict(Outcome.PROVED))
    'erf(x) has no counterpart in Coq'
    """
    if _scripts(statement, verdict.certificate):
        return None
    goal = _numbers(statement)
    try:
        if goal is None:
            _ways(statement, verdict.certificate)[0][1]()
        else:
            theorem(goal, Names(goal))
    except NotCoqError as error:
        return str(error)
    return "none of the ways to prove it is written for Coq"


def export(statement: Statement, verdict: Verdict) -> str | None:
    """A Coq file for a proved plain statement: the first script worth trying, or None when there is none.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> lemma = Statement(variables={x: S.Reals}, then=x**2 >= 2*x - 1)
    >>> print(export(lemma, Verdict(Outcome.PROVED)).splitlines()[2])
    Theorem goal : forall (x_0 : R), ((x_0 ^ 2) >= ((- 1) + (2 * x_0))).
    """
    if verdict.outcome is not Outcome.PROVED:
        return None
    return next((text for _, text in _scripts(statement, verdict.certificate)), None)


def _numbers(statement: Statement) -> Goal | None:
    """The goal of a statement about numbers alone."""
    return None if statement.speaks_of_spaces or statement.noise else goal_of(statement)


def _scripts(statement: Statement, certificate: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """What Coq may accept, the most promising first, each under the name of its tactic."""
    found = list[tuple[str, str]]()
    for name, write in _ways(statement, certificate):
        with suppress(NotCoqError):
            text = write()
            if text not in (known for _, known in found):
                found.append((name, text))
    return found


def _ways(statement: Statement, certificate: Mapping[str, Any] | None) -> list[tuple[str, Callable[[], str]]]:
    """How a Coq file for a statement may be written, by the kind of what it speaks of."""
    goal = _numbers(statement)
    if statement.speaks_of_spaces:
        return [("coordinates", partial(vectors_script, statement, certificate, choice)) for choice in _CHOICES]
    if statement.dynamics is not None and statement.speaks_of_state:
        return [("orbit", partial(orbit_script, statement, certificate, choice)) for choice in _CHOICES]
    if goal is None:
        return [("law", partial(law_script, statement))]
    return [(tactic, partial(script, goal, tactic, certificate)) for tactic in candidates(goal, certificate)]
