"""Formulas about the trajectory of a map in balls: True, False or open (None).

The start and the fixed symbols may be single numbers or whole boxes; what is said holds for every point of the box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Expr, Integer
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue, Not

from numerics import compile_ball
from proofs_check.engines.motion.orbit import Orbit, Truth, connected
from proofs_check.engines.motion.trapping import limit_truth
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

if TYPE_CHECKING:
    from flint import arb


@dataclass
class Trace(Orbit):
    """An orbit and the truth of what is said about it."""

    violated: int | None = None
    """The step at which an Always was last found false."""

    def upto(self, step: int) -> Trace:
        """The same trajectory, known only up to a step."""
        return Trace(self.setting, self.fixed, step, self.is_cycle, self.states[: step + 1])

    def _test(self, formula: Boolean) -> Callable[[Sequence[arb]], Truth]:
        """The truth of one plain formula at many states."""
        fixed = tuple(self.fixed.values())
        if isinstance(formula, Relational):
            relation = compile_ball((formula,), [*self.fixed, *self.setting.state])
            return lambda state: relation(*fixed, *state)[0]
        return lambda state: self.holds(formula, state)

    def truth(self, formula: Boolean, step: int = 0) -> Truth:
        """The truth of a formula of the trajectory from a step on."""
        if isinstance(formula, (Relational, BooleanTrue, BooleanFalse)):
            state = self.state(step)
            return None if state is None else self.holds(formula, state)
        if isinstance(formula, CONNECTIVES):
            return connected(formula, lambda leaf: self.truth(leaf, step))
        if isinstance(formula, Always):
            return self._always(formula.args[0], step)
        if isinstance(formula, Eventually):
            negated = self._always(Not(formula.args[0], evaluate=False), step)
            return None if negated is None else not negated
        if isinstance(formula, Until):
            return self._until(formula.args[0], formula.args[1], step)
        if isinstance(formula, After):
            moment = formula.args[0]
            return self.truth(formula.args[1], step + int(moment)) if isinstance(moment, Integer) else None
        if isinstance(formula, Decreasing):
            return self._decreasing(formula.args[0], step)
        if isinstance(formula, (ConvergesTo, HasPeriod)):
            return limit_truth(self, formula)
        return None

    def _always(self, body: Boolean, step: int) -> Truth:
        everywhere: Truth = True
        plain = is_plain(body)
        test = self._test(body) if plain else None
        for now in range(step, self.horizon + 1):
            state = self.state(now)
            known = self.truth(body, now) if test is None else None if state is None else test(state)
            if known is False:
                self.violated = now
                return False
            if known is None:
                everywhere = None
                if state is None:
                    return None
            if self.trap is not None and plain and everywhere and now == max(step, self.trapped_from):
                stays = all(self.holds(body, box) for box in self.trap.boxes)
                if stays:
                    return True
            if everywhere and self._clock_decides(body, now):
                return True
        return None

    def _clock_decides(self, body: Boolean, step: int) -> bool:
        """Whether the body is true at all later steps because of relations that bound the time from above."""
        clock = self.setting.clock
        if clock is None:
            return False

        def later(leaf: Boolean) -> Truth:
            if leaf.free_symbols != {clock} or not isinstance(leaf, Relational):
                return None
            bound = (leaf.lhs - leaf.rhs).as_poly(clock)
            if bound is None or bound.degree() != 1:
                return None
            slope, value = bound.LC(), (leaf.lhs - leaf.rhs).subs(clock, step + 1)
            if not (slope.is_Rational and value.is_Rational) or slope * value <= 0:
                return None
            return bool(leaf.subs(clock, step + 1))

        return connected(body, later) is True

    def _until(self, first: Boolean, second: Boolean, step: int) -> Truth:
        for now in range(step, self.horizon + 1):
            come = self.truth(second, now)
            if come is True:
                return True
            before = self.truth(first, now)
            if come is None or before is None:
                return None
            if not before:
                return False
        return None

    def _decreasing(self, quantity: Expr, step: int) -> Truth:
        for now in range(step, self.horizon):
            state, after = self.state(now), self.state(now + 1)
            if state is None or after is None:
                return None
            (high,), (low,) = self.value((quantity,), state), self.value((quantity,), after)
            if high.is_finite() and low.is_finite() and low >= high:
                return False
        return None
