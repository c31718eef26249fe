"""Points of a region in floats, and short proofs of what is left: what looks false at a point is not tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Abs, Add, Eq, Expr, Function, Ne, Pow, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import Proving
from proofs_check.engines.variation import NAME
from proofs_check.goals import Goal
from proofs_check.points.arrays import array_function
from proofs_check.points.sampling import Sampler
from proofs_check.shares import SHARES
from proofs_check.verdict import Outcome
from theory.errors import LemmascopeError
from theory.trees import encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_POINTS = 160
_FARTHEST = 1e4
_NEAREST = 1e-4
_NOISE = 1e-10
_ROUNDING = 1e-13
"""What an argument that is rounded does to functions of it."""
_SECONDS = SHARES["variation, one proof"].most
"""For one short proof."""
_DRAWING = SHARES["variation, draw"].most
"""For drawing points of a region that is hard to hit."""


def is_algebraic(expression: Expr) -> bool:
    """Whether an expression consists of rational operations and roots alone.

    >>> x = Symbol("x")
    >>> is_algebraic(x**2 / (1 + Pow(x, S.Half))), is_algebraic(2**x)
    (True, False)
    """
    functions = expression.atoms(Function) - expression.atoms(Abs)
    return not any(part.free_symbols for part in functions) and all(
        power.exp.is_Rational or not power.free_symbols for power in expression.atoms(Pow)
    )


@dataclass
class Points:
    """Float points of regions, drawn once for each set of hypotheses."""

    known: dict[tuple[tuple[Symbol, ...], frozenset[Boolean]], Values] = field(default_factory=dict)
    compiled: dict[tuple[Expr, tuple[Symbol, ...]], Callable[[Values], Values] | None] = field(default_factory=dict)

    def of(self, variables: tuple[Symbol, ...], given: Iterable[Boolean]) -> Values:
        """Points (variables, points) of moderate size that satisfy what is given."""
        key = (variables, frozenset(given))
        if key not in self.known:
            self.known[key] = self._drawn(*key)
        return self.known[key]

    def _drawn(self, variables: tuple[Symbol, ...], given: frozenset[Boolean]) -> Values:
        try:
            sampler = Sampler(dict.fromkeys(variables, S.Reals), sorted(given, key=str), seconds=0.0)
            points = sampler.draw(4 * _POINTS, np.random.default_rng(1), seconds=_DRAWING)
        except (LemmascopeError, TypeError, ValueError, IndexError):
            return np.empty((len(variables), 0))
        size = np.abs(points)
        moderate = np.all((size < _FARTHEST) & ((size > _NEAREST) | (size == 0)), axis=0)
        for one, other in itertools.combinations(points, 2):
            gap = np.abs(one - other)  # of what is nearly equal hardly a digit is left after a subtraction
            moderate &= (gap == 0) | (gap > _NEAREST * np.abs(one))
        return points[:, moderate][:, :_POINTS]

    def values(self, expression: Expr, variables: tuple[Symbol, ...], points: Values) -> tuple[Values, Values]:
        """The values of an expression and how far rounding may be off; nan where there is none."""
        key = (expression, variables)
        if key not in self.compiled:
            terms = Add.make_args(expression)
            try:
                self.compiled[key] = array_function([expression, *terms], variables)
            except LemmascopeError:
                self.compiled[key] = None
        function, nothing = self.compiled[key], np.full(points.shape[1], np.nan)
        if function is None:
            return nothing, nothing
        try:
            found = function(points)
        except LemmascopeError:
            return nothing, nothing
        with np.errstate(all="ignore"):
            return found[0], _NOISE * np.sum(np.abs(found[1:]), axis=0) + _ROUNDING

    def may_hold(self, relation: Boolean, variables: tuple[Symbol, ...], given: Iterable[Boolean]) -> bool:
        """Whether no point violates a relation clearly."""
        if not isinstance(relation, Relational):
            return True
        points = self.of(variables, given)
        if not points.shape[1]:
            return True
        gap = relation.lhs - relation.rhs if isinstance(relation, (Eq, Ne)) else relation.gts - relation.lts
        values, noise = self.values(gap, variables, points)
        if isinstance(relation, Ne):
            return not np.any(values == 0) or gap.has(Function)
        if isinstance(relation, Eq):
            return not np.any(np.abs(values) > noise)
        # rounding leaves values of a few units in the last place at an equality, which says nothing about > 0
        return not np.any(values < -noise)


class Leaves(Proving):
    """Shows conditions by short proofs with the prover that fits, after a look at some points."""

    def __init__(self, budget: Budget, points: Points) -> None:
        super().__init__(budget)
        self.points = points
        self.by_variation = True
        """Whether this engine itself may show conditions; not those that it is about to argue for."""

    def _proof(self, goal: Goal) -> dict[str, Any] | None:
        if self._budget.spent or not isinstance(goal.conclusion, Relational):
            return None
        variables = tuple(goal.variables)
        if not self.points.may_hold(goal.conclusion, variables, goal.hypotheses):
            return None
        algebraic = all(is_algebraic(side) for side in goal.conclusion.args)
        given = goal.hypotheses
        if algebraic:
            given = tuple(part for part in given if all(map(is_algebraic, part.args)))
        name = "polynomial" if algebraic else "cover"
        share = replace(self._budget, seconds=min(_SECONDS, self._budget.left)).start()
        verdict = engine(name).prove(replace(goal, hypotheses=given), share)
        if verdict is None and self.by_variation and not algebraic and not isinstance(goal.conclusion, Ne):
            share = replace(self._budget, seconds=min(_SECONDS, self._budget.left)).start()
            verdict = engine(NAME).prove(replace(goal, hypotheses=given), share)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return None
        return {
            "condition": encode(goal.conclusion), "given": [encode(part) for part in given],
            "certificate": verdict.certificate,
        }  # fmt: skip
