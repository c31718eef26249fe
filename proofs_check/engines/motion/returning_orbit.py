"""Trajectories that come back exactly: a rational start of a map may return to an earlier state, so that all of time is
finitely many states and every formula about it is decided by looking at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sympy import Expr, Integer, Rational, Symbol
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.motion.orbit import Truth, connected
from proofs_check.engines.motion.trajectory import Setting
from proofs_check.points.exact import holds
from theory.temporal import (
    CONNECTIVES,
    After,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    HasPeriod,
    Until,
    is_plain,
)

_MOST_STATES = 400
_LONGEST = 10**40
"""Numbers that grow beyond this do not come back."""

State = tuple[Rational, ...]


@dataclass(frozen=True)
class Lasso:
    """All states of a trajectory: after the last one comes the one at `back` again."""

    names: tuple[Symbol, ...]
    fixed: Mapping[Symbol, Expr]
    states: tuple[State, ...]
    back: int

    @property
    def period(self) -> int:
        """The least period of the cycle at the end."""
        return len(self.states) - self.back

    def truth(self, formula: Boolean, step: int = 0) -> Truth:
        """The truth of a formula from one of the states on; None where it is not known."""
        if is_plain(formula):
            return holds(formula, self._point(step))
        if isinstance(formula, Always):
            return _all(self.truth(formula.args[0], later) for later in self._from(step))
        if isinstance(formula, Eventually):
            never = _all(_denied(self.truth(formula.args[0], later)) for later in self._from(step))
            return _denied(never)
        if isinstance(formula, After):
            moment = formula.args[0]
            return self.truth(formula.args[1], self._later(step + int(moment))) if isinstance(moment, Integer) else None
        if isinstance(formula, Until):
            return self._until(formula, step)
        if isinstance(formula, Decreasing):
            return False if self._has_values(formula.args[0]) else None
        if isinstance(formula, HasPeriod):
            return bool(int(formula.args[0]) == self.period)
        if isinstance(formula, ConvergesTo):
            return self._converges(formula)
        return connected(formula, lambda leaf: self.truth(leaf, step)) if isinstance(formula, CONNECTIVES) else None

    def _until(self, formula: Until, step: int) -> Truth:
        """Each state once, in the order of time: what has not come until then never comes."""
        first, second = formula.args
        for later in (*range(step, len(self.states)), *range(self.back, step)):
            come, before = self.truth(second, later), self.truth(first, later)
            if come or come is None or not before:
                return come if come is not False else before
        return False

    def _has_values(self, quantity: Expr) -> bool:
        points = map(self._point, range(len(self.states)))
        return all(quantity.subs(point).is_Rational for point in points)

    def _from(self, step: int) -> range:
        return range(min(step, self.back), len(self.states)) if step > self.back else range(step, len(self.states))

    def _later(self, step: int) -> int:
        return step if step < len(self.states) else self.back + (step - self.back) % self.period

    def _point(self, step: int) -> dict[Symbol, Expr]:
        return {**self.fixed, **dict(zip(self.names, self.states[step], strict=True))}

    def _converges(self, claim: ConvergesTo) -> Truth:
        """A limit is taken by the quantity on the whole cycle; a cycle must be this one."""
        cycle = [self._point(step) for step in range(self.back, len(self.states))]
        values = [tuple(part.subs(point) for part in claim.quantity) for point in cycle]
        targets = [tuple(part.subs(self.fixed) for part in point) for point in claim.points]
        if not all(part.is_Rational for one in (*values, *targets) for part in one):
            return None
        if claim.period == 1:
            return set(values) == set(targets)
        return False if set(values) != set(targets) else None


def _all(truths: Iterable[Truth]) -> Truth:
    known: Truth = True
    for truth in truths:
        if truth is False:
            return False
        known = known and truth
    return known


def _denied(truth: Truth) -> Truth:
    return None if truth is None else not truth


def lasso(setting: Setting, point: Mapping[Symbol, Expr], budget: Budget) -> Lasso | None:
    """The whole trajectory from a point where it repeats itself soon; None where it does not.

    >>> from sympy import sign
    >>> x, a = Symbol("x"), Symbol("a")
    >>> descent = Setting(True, (x,), (x - sign(x),), (a,), {}, ())
    >>> lasso(descent, {a: Rational(3, 2)}, Budget.of("quick").start()).states
    ((3/2,), (1/2,), (-1/2,))
    """
    if not setting.discrete or setting.clock is not None:
        return None
    fixed = dict(point)
    state = _rational(tuple(part.subs(fixed) for part in setting.start))
    seen: dict[State, int] = {}
    while state is not None and len(seen) < _MOST_STATES and not budget.spent:
        if state in seen:
            return Lasso(setting.state, fixed, tuple(seen), seen[state])
        seen[state] = len(seen)
        here = {**fixed, **dict(zip(setting.state, state, strict=True))}
        state = _rational(tuple(part.subs(here) for part in setting.rule))
    return None


def _rational(values: tuple[Expr, ...]) -> State | None:
    short = all(value.is_Rational and max(abs(value.p), value.q) < _LONGEST for value in values)
    return values if short else None
