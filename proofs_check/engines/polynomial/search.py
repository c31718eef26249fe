"""Polynomial, rational and radical (in)equalities over the reals, with kinks and elementary functions reduced to them.

The negation of a goal becomes a polynomial system. "Proved" rests on a certificate in exact arithmetic, or, where none
is found in time, on the word of two independent solvers; "refuted" needs an exact point at which the goal itself fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from proofs_check.budget import Budget
from proofs_check.engines.falsify.certificates import at_point, unless_excepted
from proofs_check.engines.polynomial import NAME
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.engines.polynomial.models import Point, counterexample
from proofs_check.engines.polynomial.processes import SOLVERS, Answers, Race, installed
from proofs_check.goals import Goal, goal_of, relations
from proofs_check.kernel.algebra import Conditions, counterexamples, without_quantifiers
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.instances import with_instances
from proofs_check.kernel.smtlib import script
from proofs_check.points.zeros import existing
from proofs_check.shares import SHARES
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import Exists
from theory.trees import encode

VERSION = 10
PROCESSES = 2
"""Two solvers compute at once, so that a share of time lasts half as long."""

_NOT_DEFINED = (
    "the conclusion is true wherever it is defined, but the hypotheses allow points where it is not: "
    "add a hypothesis that excludes a vanishing denominator, a negative radicand or the like"
)


def missing() -> str | None:
    """What is not installed, in one sentence."""
    absent = [name for name in SOLVERS if name not in installed()]
    return f"install {' and '.join(absent)}: a proof needs both solvers" if absent else None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a statement that is plain, or whose quantifiers only add variables."""
    goal = goal_of(statement) or Goal.of(without_quantifiers(statement))
    if goal is None:
        return _existing(statement, budget) or _from_instances(statement, budget)
    running = budget.running
    verdict = prove(goal, running)
    if verdict is None and not running.spent:
        return where_defined(goal, running)
    return unless_excepted(statement, verdict)


def _existing(statement: Statement, budget: Budget) -> Evidence | None:
    """Numbers that are claimed to exist, as a certified zero of their equations."""

    if not isinstance(statement.conclusion, Exists):
        return None
    zero = existing(statement, budget.running)
    if zero is None:
        return None
    place = ", ".join(f"{name} = {value}" for name, value in zero.described().items())
    note = f"Krawczyk's test certifies a zero: {place}"
    certificate = zero.certificate(claim="exists")
    return Evidence(Outcome.PROVED, NAME, certificate=certificate, notes=(note,))


def _from_instances(statement: Statement, budget: Budget) -> Evidence | None:
    """A proof from instances of universal hypotheses; a point that refutes these refutes nothing."""
    goal = Goal.of(with_instances(statement))
    verdict = None if goal is None else prove(goal, budget)
    return verdict if verdict is not None and verdict.outcome is Outcome.PROVED else None


def where_defined(goal: Goal, budget: Budget) -> Evidence | None:
    """What is true wherever it is defined: an open verdict that says so, or a proof where that is everywhere."""
    try:
        defined = sp.And(*(sp.Or(part.lhs <= part.rhs, part.lhs >= part.rhs) for part in relations(goal.conclusion)))
    except TypeError:  # a number that is not real
        return None
    verdict = prove(goal.concluding(goal.conclusion, defined), budget)
    if verdict is None or verdict.outcome is not Outcome.PROVED:
        return None
    everywhere = prove(goal.concluding(defined), budget)
    if everywhere is not None and everywhere.outcome is Outcome.PROVED:
        parts = {"first": everywhere.certificate, "second": verdict.certificate}
        return _proved({"kind": "lemma", "lemma": encode(defined), **parts})
    return Evidence(Outcome.OPEN, engine=NAME, notes=(_NOT_DEFINED,))


def prove(goal: Goal, budget: Budget) -> Evidence | None:
    """Prove or refute a goal, or return None.

    >>> from sympy import S, Symbol, sqrt
    >>> x = Symbol("x")
    >>> str(prove(Goal({x: S.Reals}, (x >= 0,), 2*sqrt(x) <= 1 + x), Budget.of("quick")).outcome)
    'proved'
    >>> prove(Goal({x: S.Reals}, (), x**2 > x), Budget.of("quick")).counterexample
    {'x': '0'}
    """
    budget = budget.running
    conditions = conditions_of(goal)
    if conditions is None:
        return None
    certify = Certify(conditions)
    certificate = certify(budget.seconds_for("polynomial, certificates at once"), rich=False)
    if certificate is not None:
        return _proved(certificate)
    budget = budget.share("polynomial, solvers")
    for whole in (False, True) if conditions.whole else (False,):
        verdict = _Question(goal, conditions, whole, certify).decide(budget)
        if verdict is not None:
            return verdict
    return None


def certified(goal: Goal, seconds: float) -> Evidence | None:
    """A proof of a goal by a certificate, without any solver; or None."""
    conditions = conditions_of(goal)
    certificate = None if conditions is None else Certify(conditions)(seconds)
    return None if certificate is None else _proved(certificate)


def conditions_of(goal: Goal) -> Conditions | None:
    """The conditions on a counterexample, read as the kernel reads a statement, whose domains are hypotheses, too."""
    try:
        # an empty interval is none to the kernel, which reads its two ends among the hypotheses
        domains = {
            symbol: sp.S.Reals if domain is sp.S.EmptySet else domain for symbol, domain in goal.variables.items()
        }
        whole = Goal.over(domains, goal.hypotheses, goal.conclusion)
        return counterexamples(Claim(whole.variables, whole.hypotheses, whole.conclusion))
    except (LemmascopeError, TypeError):  # SymPy may compare what is not real
        return None


@dataclass
class _Question:
    """The conditions on a counterexample and the goal that their solutions may refute."""

    goal: Goal
    conditions: Conditions
    whole: bool
    certify: Certify
    point: Point | None = None
    _lifted: set[str] = field(default_factory=set)

    def decide(self, budget: Budget) -> Evidence | None:
        """The solvers, and a certificate while they think or once they agree."""
        with Race(
            dict.fromkeys(installed(), script(self.conditions, whole=self.whole)), budget.left, budget.memory
        ) as race:
            race.wait(budget.seconds_for("polynomial, solvers alone"), self.settled)
            certificate = self.certify(budget.seconds_for("polynomial, certificates"), _Patience(self, race))
            if certificate is not None:
                return _proved(certificate)
            answers = race.wait(budget.seconds_for("polynomial, solvers"), self.settled)
        if self.point is not None:
            values = {symbol.name: str(value) for symbol, value in self.point.items()}
            return Evidence(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=at_point(self.point))
        return _proved({"kind": "oracle", "whole": self.whole}) if _unanimous(answers) else None

    def settled(self, answers: Answers) -> bool:
        """Whether nothing more is to be waited for: agreement, a confirmed point, or a solution that is none."""
        for name, answer in answers.items():
            if answer["answer"] == "sat" and name not in self._lifted:
                self._lifted.add(name)
                self.point = self.point or counterexample(self.goal, self.conditions.ring, answer["model"])
        return self.point is not None or _unanimous(answers) or self._refuted_abstraction(answers)

    def _refuted_abstraction(self, answers: Answers) -> bool:
        """A solution that is no counterexample: the conditions say less than the goal, more waiting is in vain."""
        return _has_solution(answers) and not self.conditions.exact


@dataclass
class _Patience:
    """Whether to end the search for a certificate: a solver has found a solution, or both have agreed for a while."""

    question: _Question
    race: Race
    agreed: float | None = None

    def __call__(self) -> bool:
        answers = self.race.wait(0, self.question.settled)
        if self.agreed is None and _unanimous(answers):
            self.agreed = time.process_time()
        late = self.agreed is not None and time.process_time() - self.agreed > SHARES["polynomial, certificates"].least
        return late or _has_solution(answers)


@dataclass
class Certify:
    """Looks for a certificate that conditions contradict each other, over the reals; never twice as hard in vain."""

    conditions: Conditions
    _failed: float = 0.0

    def __call__(
        self, seconds: float, stop: Callable[[], bool] = lambda: False, *, rich: bool = True
    ) -> dict[str, Any] | None:
        """The certificate, or None."""
        if rich and seconds <= self._failed:
            return None
        tree = contradiction(self.conditions, seconds, stop, rich=rich)
        if tree is None:
            self._failed = max(self._failed, seconds if rich else 0.0)
            return None
        return {"kind": "products", "tree": tree}


def _has_solution(answers: Answers) -> bool:
    return any(answer["answer"] == "sat" for answer in answers.values())


def _unanimous(answers: Answers) -> bool:
    return set(answers) == set(SOLVERS) and all(answer["answer"] == "unsat" for answer in answers.values())


def _proved(certificate: dict[str, Any]) -> Evidence:
    return Evidence(Outcome.PROVED, NAME, certificate=certificate)
