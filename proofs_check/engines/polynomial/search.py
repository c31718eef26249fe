"""Polynomial, rational and radical (in)equalities over the reals, with kinks and elementary functions reduced to them.

The negation of a goal becomes a polynomial system. "Proved" rests on a certificate in exact arithmetic, or, where none
is found in time, on the word of two independent solvers; "refuted" needs an exact point at which the goal itself fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp

from proofs_check.budget import Budget
from proofs_check.engines.falsify.certificates import at_point, unless_excepted
from proofs_check.engines.polynomial import NAME
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.engines.polynomial.models import Point, counterexample
from proofs_check.engines.polynomial.processes import SOLVERS, Answers, Race, installed
from proofs_check.engines.polynomial.smtlib import script
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.algebra import Conditions, counterexamples
from proofs_check.kernel.claims import claim_of
from proofs_check.passes.elimination import UnsupportedError
from proofs_check.passes.instances import universal_instances
from proofs_check.passes.quantifiers import opened_goal, relations
from proofs_check.passes.systems import System, systems_of
from proofs_check.points.zeros import existing
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import Exists
from theory.trees import encode

VERSION = 6
PROCESSES = 2
"""Two solvers compute at once, so that a share of time lasts half as long."""

_NOT_DEFINED = (
    "the conclusion is true wherever it is defined, but the hypotheses allow points where it is not: "
    "add a hypothesis that excludes a vanishing denominator, a negative radicand or the like"
)
_GLANCE = 0.2
"""Seconds for the certificates that are found at once."""
_HEAD_START = 0.3
"""Seconds that the solvers, which take long to start, then get before more is tried beside them."""
_SHARE = 0.5
"""Of the budget, for the solvers: what certificates take beyond their time is not taken from them."""
_AFTER_AGREEMENT = 0.4
"""Seconds of computing in which a certificate may still replace the word of two solvers that agree."""


def missing() -> str | None:
    """What is not installed, in one sentence."""
    absent = [name for name in SOLVERS if name not in installed()]
    return f"install {' and '.join(absent)}: a proof needs both solvers" if absent else None


def decide(statement: Statement, budget: Budget) -> Verdict | None:
    """Prove or refute a statement that is plain, or whose quantifiers only add variables."""
    goal = goal_of(statement) or opened_goal(statement)
    if goal is None:
        return _existing(statement, budget) or _from_instances(statement, budget)
    running = budget if budget.deadline < float("inf") else budget.start()
    verdict = prove(goal, running)
    if verdict is None and not running.spent:
        return where_defined(goal, running)
    return unless_excepted(statement, verdict)


def _existing(statement: Statement, budget: Budget) -> Verdict | None:
    """Numbers that are claimed to exist, as a certified zero of their equations."""

    if not isinstance(statement.conclusion, Exists):
        return None
    zero = existing(statement, budget if budget.deadline < float("inf") else budget.start())
    if zero is None:
        return None
    place = ", ".join(f"{name} = {value}" for name, value in zero.described().items())
    note = f"Krawczyk's test certifies a zero: {place}"
    certificate = zero.certificate(claim="exists")
    return Verdict(Outcome.PROVED, Strength.ENCLOSED, NAME, certificate=certificate, notes=(note,))


def _from_instances(statement: Statement, budget: Budget) -> Verdict | None:
    """A proof from instances of universal hypotheses; a point that refutes these refutes nothing."""
    goal = universal_instances(statement)
    verdict = None if goal is None else prove(goal, budget)
    return verdict if verdict is not None and verdict.outcome is Outcome.PROVED else None


def where_defined(goal: Goal, budget: Budget) -> Verdict | None:
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
    return Verdict(Outcome.OPEN, engine=NAME, notes=(_NOT_DEFINED,))


def prove(goal: Goal, budget: Budget) -> Verdict | None:
    """Prove or refute a goal, or return None.

    >>> from sympy import S, Symbol, sqrt
    >>> x = Symbol("x")
    >>> str(prove(Goal({x: S.Reals}, (x >= 0,), 2*sqrt(x) <= 1 + x), Budget.of("quick")).outcome)
    'proved'
    >>> prove(Goal({x: S.Reals}, (), x**2 > x), Budget.of("quick")).counterexample
    {'x': '0'}
    """
    budget = budget if budget.deadline < float("inf") else budget.start()
    certify = Certify(goal)
    certificate = certify(min(_GLANCE, budget.left), rich=False)
    if certificate is not None:
        return _proved(certificate)
    budget = replace(budget, seconds=max(budget.left, _SHARE * budget.seconds)).start()
    try:
        systems = systems_of(goal)
    except UnsupportedError:
        return None
    for system in systems:
        for whole in (False, True) if system.integers else (False,):
            verdict = _Question(goal, system, whole, certify).decide(budget)
            if verdict is not None:
                return verdict
    return None


@dataclass
class _Question:
    """One polynomial system and the goal that its solutions may refute."""

    goal: Goal
    system: System
    whole: bool
    certify: Certify
    point: Point | None = None
    _lifted: set[str] = field(default_factory=set)

    def decide(self, budget: Budget) -> Verdict | None:
        """The solvers, and a certificate while they think or once they agree."""
        with Race(
            dict.fromkeys(installed(), script(self.system, whole=self.whole)), budget.left, budget.memory
        ) as race:
            race.wait(min(_HEAD_START, budget.left), self.settled)
            certificate = self.certify(max(budget.left / 2, _AFTER_AGREEMENT), _Patience(self, race))
            if certificate is not None:
                return _proved(certificate)
            answers = race.wait(max(budget.left, _SHARE * budget.seconds), self.settled)
        if self.point is not None:
            values = {symbol.name: str(value) for symbol, value in self.point.items()}
            return Verdict(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=at_point(self.point))
        return _proved({"kind": "oracle", "whole": self.whole}) if _unanimous(answers) else None

    def settled(self, answers: Answers) -> bool:
        """Whether nothing more is to be waited for: agreement, a confirmed point, or a solution that is none."""
        for name, answer in answers.items():
            if answer["answer"] == "sat" and name not in self._lifted:
                self._lifted.add(name)
                self.point = self.point or counterexample(self.goal, self.system, answer["model"])
        return self.point is not None or _unanimous(answers) or self._refuted_abstraction(answers)

    def _refuted_abstraction(self, answers: Answers) -> bool:
        """A solution that is no counterexample: the system says less than the goal, more waiting is in vain."""
        return _has_solution(answers) and not self.system.exact


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
        late = self.agreed is not None and time.process_time() - self.agreed > _AFTER_AGREEMENT
        return late or _has_solution(answers)


@dataclass
class Certify:
    """Looks for a certificate that a goal has no counterexample, over the reals; never twice as hard in vain."""

    goal: Goal
    _failed: float = 0.0

    @cached_property
    def _conditions(self) -> Conditions | None:
        """Read as a checker reads the goal: from a statement, whose domains are hypotheses, too."""
        goal = self.goal
        try:
            claim = claim_of(Statement(variables=goal.variables, given=goal.hypotheses, then=goal.conclusion))
            return None if claim is None else counterexamples(claim)
        except (LemmascopeError, TypeError):  # SymPy may compare what is not real
            return None

    def __call__(
        self, seconds: float, stop: Callable[[], bool] = lambda: False, *, rich: bool = True
    ) -> dict[str, Any] | None:
        """The certificate, or None."""
        if self._conditions is None or (rich and seconds <= self._failed):
            return None
        tree = contradiction(self._conditions, seconds, stop, rich=rich)
        if tree is None:
            self._failed = max(self._failed, seconds if rich else 0.0)
            return None
        return {"kind": "products", "tree": tree}


def _has_solution(answers: Answers) -> bool:
    return any(answer["answer"] == "sat" for answer in answers.values())


def _unanimous(answers: Answers) -> bool:
    return set(answers) == set(SOLVERS) and all(answer["answer"] == "unsat" for answer in answers.values())


def _proved(certificate: dict[str, Any]) -> Verdict:
    return Verdict(Outcome.PROVED, Strength.of(certificate), NAME, certificate=certificate)
