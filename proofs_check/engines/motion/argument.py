"""How an argument is recorded: rules with their facts, and the plain goals they rest on, each with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import And, Basic
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from proofs_check.budget import Budget
from proofs_check.goals import Goal
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.trees import encode


class UnprovedError(Exception):
    """A rule does not apply, or one of its obligations could not be discharged."""


@dataclass(frozen=True)
class Obligation:
    """A plain goal that was proved, and the verdict that says how."""

    name: str
    goal: Goal
    verdict: Verdict

    def to_json(self) -> dict[str, Any]:
        """The obligation as certificate data."""
        return {
            "name": self.name,
            "variables": [[encode(symbol), encode(domain)] for symbol, domain in self.goal.variables.items()],
            "hypotheses": [encode(part) for part in self.goal.hypotheses],
            "conclusion": encode(self.goal.conclusion),
            "certificate": dict(self.verdict.certificate or {}),
        }


@dataclass(frozen=True)
class Argument:
    """One application of a rule: the facts it was given, what it needed, and the arguments it is built from."""

    rule: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    obligations: tuple[Obligation, ...] = ()
    parts: tuple[Argument, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The argument as certificate data; expressions become trees."""
        return {
            "rule": self.rule,
            "facts": {key: _data(value) for key, value in self.facts.items()},
            "obligations": [obligation.to_json() for obligation in self.obligations],
            "parts": [part.to_json() for part in self.parts],
        }

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes of the argument and its parts, outermost first."""
        return (*self.notes, *(note for part in self.parts for note in part.all_notes))


def _data(value: Any) -> Any:
    if isinstance(value, Basic):
        return encode(value)
    if isinstance(value, (list, tuple)):
        return [_data(part) for part in value]
    return value


@dataclass
class Desk:
    """Where obligations are discharged: within a budget, and never twice."""

    budget: Budget
    discharge: Callable[[Goal, Budget], Verdict | None]
    share: float = 0.5
    _known: dict[Any, Verdict | None] = field(default_factory=dict)

    def verdict(self, goal: Goal) -> Verdict | None:
        """The decisive verdict on a goal, or None."""
        if isinstance(goal.conclusion, BooleanTrue) or _is_given(goal):
            return Verdict(Outcome.PROVED, Strength.EXACT, "induction", certificate={"kind": "trivial"})
        if isinstance(goal.conclusion, BooleanFalse) and not goal.hypotheses:
            return None
        if self.budget.spent:
            raise UnprovedError("out of time")
        key = (goal.hypotheses, goal.conclusion)
        if key not in self._known:
            seconds = max(0.2, min(self.budget.left, self.budget.seconds * self.share))
            self._known[key] = self.discharge(goal, replace(self.budget, seconds=seconds).start())
        return self._known[key]

    def require(self, name: str, goal: Goal) -> Obligation:
        """The goal with its proof; raises UnprovedError when there is none."""
        verdict = self.verdict(goal)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            raise UnprovedError(name)
        return Obligation(name, goal, verdict)

    def proves(self, goal: Goal) -> bool:
        """Whether the goal can be proved."""
        verdict = self.verdict(goal)
        return verdict is not None and verdict.outcome is Outcome.PROVED


def _is_given(goal: Goal) -> bool:
    """Whether every conjunct of the conclusion is one of the hypotheses, possibly written the other way round."""
    given = set(goal.hypotheses)
    return all(
        part in given or (isinstance(part, Relational) and part.reversed in given)
        for part in (goal.conclusion.args if isinstance(goal.conclusion, And) else (goal.conclusion,))
    )


def first_success(attempts: Iterable[Callable[[], Argument]], desk: Desk) -> Argument:
    """The first argument that goes through; raises UnprovedError when none does in time."""
    for attempt in attempts:
        try:
            return attempt()
        except UnprovedError:
            if desk.budget.spent:
                raise
    raise UnprovedError("no rule applies")
