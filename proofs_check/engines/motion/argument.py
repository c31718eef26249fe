"""How an argument is recorded: rules with their facts, and the plain goals they rest on, each with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sympy import And, Basic, Eq, Expr, Poly, Rational
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from proofs_check.budget import Budget
from proofs_check.goals import Goal
from proofs_check.points.exact import holds
from proofs_check.points.sampling import Sampler
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.trees import encode

_GLANCES = 120
"""Points at which a goal is looked at before anybody tries to prove it."""
_MODERATE, _CLEAR = 1e4, 1e-6
"""The size of such points, and how much a clear violation is at least."""


class UnprovedError(Exception):
    """A rule does not apply, or one of its obligations could not be discharged."""


@dataclass(frozen=True)
class Obligation:
    """A plain goal that was proved, and the verdict that says how."""

    name: str
    goal: Goal
    verdict: Evidence

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
    discharge: Callable[[Goal, Budget], Evidence | None]
    share: float = 0.5
    _known: dict[Any, Evidence | None] = field(default_factory=dict)
    _glanced: dict[Any, bool] = field(default_factory=dict)

    def verdict(self, goal: Goal) -> Evidence | None:
        """The decisive verdict on a goal, or None."""
        if isinstance(goal.conclusion, BooleanTrue) or _is_given(goal):
            return Evidence(Outcome.PROVED, "induction", certificate={"kind": "trivial"})
        if isinstance(goal.conclusion, BooleanFalse) and not goal.hypotheses:
            return None
        if self.budget.spent:
            raise UnprovedError("out of time")
        key = (goal.hypotheses, goal.conclusion)
        if key not in self._known:
            seconds = max(
                self.budget.seconds_for("motion, least obligation"),
                min(self.budget.left, self.budget.seconds * self.share),
            )
            self._known[key] = self.discharge(goal, replace(self.budget, seconds=seconds).start())
        return self._known[key]

    def require(self, name: str, goal: Goal) -> Obligation:
        """The goal with its proof; raises UnprovedError when there is none."""
        verdict = None if self._is_hopeless(goal) else self.verdict(goal)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            raise UnprovedError(name)
        return Obligation(name, goal, verdict)

    def proves(self, goal: Goal) -> bool:
        """Whether the goal can be proved; one that a few points contradict is not tried."""
        verdict = None if self._is_hopeless(goal) else self.verdict(goal)
        return verdict is not None and verdict.outcome is Outcome.PROVED

    def _is_hopeless(self, goal: Goal) -> bool:
        key = (goal.hypotheses, goal.conclusion)
        if key in self._known or _is_given(goal):
            return False
        if key not in self._glanced:
            self._glanced[key] = seems_false(goal)
        return self._glanced[key]


def seems_false(goal: Goal) -> bool:
    """Whether the goal is clearly violated at one of a few points of moderate size.

    The points satisfy the hypotheses up to rounding; that the conclusion is false there is computed exactly.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> seems_false(Goal({x: S.Reals}, (x > 0,), x > 1)), seems_false(Goal({x: S.Reals}, (x > 1,), x > 0))
    (True, False)
    """
    if not goal.conclusion.free_symbols or not goal.conclusion.free_symbols <= set(goal.variables):
        return False
    equations = And(*goal.hypotheses).atoms(Eq)
    if not all(_is_linear(part.lhs - part.rhs) for part in equations):  # floats solve others by a hair, or not at all
        return False
    try:
        sampler = Sampler(goal.variables, goal.hypotheses, (goal.conclusion,), seconds=0.0)
        points = sampler.draw(_GLANCES, np.random.default_rng(0), seconds=0.0)
        points = points[:, np.max(np.abs(points), axis=0, initial=0.0) <= _MODERATE]
        values = sampler.compiled.evaluate(points)
        parts = [part for part in clauses(goal.conclusion) if isinstance(part, Relational)]
        worst = [(part, int(place)) for part in parts for place in np.flatnonzero(values.margin(part) < -_CLEAR)[:1]]
        names = sampler.names
        return any(holds(part, dict(zip(names, map(_exact, points[:, k]), strict=True))) is False for part, k in worst)
    except (LemmascopeError, ArithmeticError, ValueError, TypeError, NotImplementedError):  # nothing is drawn there
        return False


def _exact(number: float) -> Rational:
    return Rational(*float(number).as_integer_ratio())


def _is_linear(expression: Expr) -> bool:
    symbols = sorted(expression.free_symbols, key=str)
    return bool(expression.is_polynomial(*symbols)) and Poly(expression, *symbols).total_degree() <= 1


def _is_given(goal: Goal) -> bool:
    """Whether every conjunct of the conclusion is one of the hypotheses, possibly written the other way round."""
    given = set(goal.hypotheses)
    return all(
        part in given or (isinstance(part, Relational) and part.reversed in given) for part in clauses(goal.conclusion)
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
