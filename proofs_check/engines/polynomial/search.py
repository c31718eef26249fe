"""Polynomial, rational and radical (in)equalities over the reals, with kinks and elementary functions reduced to them.

The negation of a goal becomes a polynomial system. "Proved" needs two independent solvers that find it unsatisfiable,
or a certificate checked in exact arithmetic; "refuted" needs an exact point at which the goal itself fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from proofs_check.budget import Budget
from proofs_check.engines.falsify.certificates import at_point, unless_excepted
from proofs_check.engines.polynomial import NAME
from proofs_check.engines.polynomial.models import Point, counterexample
from proofs_check.engines.polynomial.processes import SOLVERS, Answers, Race, installed
from proofs_check.engines.polynomial.smtlib import script
from proofs_check.goals import Goal, goal_of
from proofs_check.passes.elimination import UnsupportedError
from proofs_check.checkers.formulas import FALSE
from proofs_check.passes.instances import universal_instances
from proofs_check.passes.quantifiers import opened_goal, relations
from proofs_check.passes.systems import System, systems_of
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.statements import Statement
from theory.temporal import Exists

VERSION = 5
PROCESSES = 2
"""Two solvers compute at once, so that a share of time lasts half as long."""

_NOT_DEFINED = (
    "the conclusion is true wherever it is defined, but the hypotheses allow points where it is not: "
    "add a hypothesis that excludes a vanishing denominator, a negative radicand or the like"
)
_HEAD_START = 0.5
"""Seconds that the solvers get before sums of squares are tried beside them."""
_SQUARES_SHARE = 0.4


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
    from proofs_check.points.zeros import existing

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
        return _proved({"kind": "real", "method": "parts"})
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
    try:
        systems = systems_of(goal)
    except UnsupportedError:
        return None
    for system in systems:
        for whole in (False, True) if system.integers else (False,):
            verdict = _Question(goal, system, whole).decide(budget)
            if verdict is not None:
                return verdict
    return None


def unsatisfiable(system: System, budget: Budget) -> bool:
    """Whether both solvers find that a system has no real solution."""
    if system.constraint == FALSE:
        return True
    if missing() is not None:
        return False
    with Race(dict.fromkeys(SOLVERS, script(system)), budget.left, budget.memory) as race:
        answers = race.wait(budget.left, lambda answers: any(a["answer"] != "unsat" for a in answers.values()))
    return len(answers) == len(SOLVERS) and all(answer["answer"] == "unsat" for answer in answers.values())


@dataclass
class _Question:
    """One polynomial system and the goal that its solutions may refute."""

    goal: Goal
    system: System
    whole: bool
    point: Point | None = None
    _lifted: set[str] = field(default_factory=set)

    def decide(self, budget: Budget) -> Verdict | None:
        """Solvers first; sums of squares while they still think."""
        if self.system.constraint == FALSE:
            return _proved({"kind": "real", "method": "constants"})
        text = script(self.system, whole=self.whole)
        with Race(dict.fromkeys(installed(), text), budget.left, budget.memory) as race:
            answers = race.wait(min(_HEAD_START, budget.left), self._settled)
            if not self._settled(answers) and not _has_solution(answers):
                certificate = self._squares(race, min(budget.left / 2, _SQUARES_SHARE * budget.seconds))
                if certificate is not None:
                    return _proved(certificate)
            answers = race.wait(budget.left, self._settled)
        if self.point is not None:
            values = {symbol.name: str(value) for symbol, value in self.point.items()}
            return Verdict(Outcome.REFUTED, engine=NAME, counterexample=values, certificate=at_point(self.point))
        if _unanimous(answers):
            return _proved({"kind": "real", "method": "solvers", "solvers": sorted(answers), "script": text})
        return None

    def _settled(self, answers: Answers) -> bool:
        """Whether nothing more is to be waited for: agreement, a confirmed point, or a solution that is none."""
        for name, answer in answers.items():
            if answer["answer"] == "sat" and name not in self._lifted:
                self._lifted.add(name)
                self.point = self.point or counterexample(self.goal, self.system, answer["model"])
        return self.point is not None or _unanimous(answers) or self._refuted_abstraction(answers)

    def _refuted_abstraction(self, answers: Answers) -> bool:
        """A solution that is no counterexample: the system says less than the goal, more waiting is in vain."""
        return _has_solution(answers) and not self.system.exact

    def _squares(self, race: Race, seconds: float) -> dict[str, Any] | None:
        try:
            from proofs_check.engines.polynomial.positivstellensatz import contradiction

            branches = contradiction(
                self.system.ring, self.system.constraint, seconds, lambda: self._settled(race.wait(0, self._settled))
            )
        except ImportError:
            return None
        if branches is None:
            return None
        symbols = [str(symbol) for symbol in self.system.ring.symbols]
        return {"kind": "sos", "symbols": symbols, "origins": self.system.origins, "branches": branches}


def _has_solution(answers: Answers) -> bool:
    return any(answer["answer"] == "sat" for answer in answers.values())


def _unanimous(answers: Answers) -> bool:
    return set(answers) == set(SOLVERS) and all(answer["answer"] == "unsat" for answer in answers.values())


def _proved(certificate: dict[str, Any]) -> Verdict:
    return Verdict(Outcome.PROVED, Strength.EXACT, NAME, certificate=certificate)
