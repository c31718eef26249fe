"""Formulas about the trajectory of a map in balls: True, False or open (None).

The start and the fixed symbols may be single numbers or whole boxes; what is said holds for every point of the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Expr
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from numerics import compile_ball
from proofs_check.engines.motion.orbit import Orbit, Truth, connected
from proofs_check.engines.motion.trapping import limit_truth
from proofs_check.kernel.courses import Course
from theory.temporal import ConvergesTo, HasPeriod, is_plain

if TYPE_CHECKING:
    from flint import arb


@dataclass
class Trace(Orbit, Course):
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

    def moments(self, step: int) -> Iterable[int]:
        """Up to the horizon."""
        return range(step, self.horizon + 1)

    def compares(self, relation: Relational, step: int) -> Truth:
        """On the balls of a step."""
        state = self.state(step)
        return None if state is None else self.holds(relation, state)

    def settles(self, claim: ConvergesTo | HasPeriod) -> Truth:
        """By the boxes in which the trajectory is caught."""
        return limit_truth(self, claim)

    def always(self, body: Boolean, step: int) -> Truth:
        """At every step up to the horizon, and from there on."""
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

    def falls(self, quantity: Expr, step: int) -> Truth:
        """False where it certainly does not fall in some step."""
        for now in range(step, self.horizon):
            state, after = self.state(now), self.state(now + 1)
            if state is None or after is None:
                return None
            (high,), (low,) = self.value((quantity,), state), self.value((quantity,), after)
            if high.is_finite() and low.is_finite() and low >= high:
                return False
        return None
