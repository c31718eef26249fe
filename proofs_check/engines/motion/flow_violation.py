"""A claim about a flow, shown false at one exact start: its state is enclosed until a violation is certain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from sympy import Expr, Integer, Rational, Symbol
from sympy.logic.boolalg import And, Boolean, Or

from numerics import compile_ball, enclose
from proofs_check.budget import Budget
from proofs_check.engines.motion.orbit import Truth, connected, precision
from proofs_check.engines.motion.trajectory import Setting
from theory.dynamics import Flow
from theory.temporal import After, Always, ConvergesTo, Decreasing, is_plain

if TYPE_CHECKING:
    from flint import arb

BITS = 128
_ENDS = (1, 10, 100)
_MOST_STEPS = 400
_FINEST = 128


@dataclass(frozen=True)
class Moment:
    """A time and balls around the state at it."""

    time: arb
    state: tuple[arb, ...]


def violating_time(
    setting: Setting,
    claim: Boolean,
    point: Mapping[Symbol, Rational],
    latest: int,
    budget: Budget,
    expected: float | None = None,
) -> str | None:
    """A time by which the trajectory from the point certainly violates the claim, as a decimal; None without one.

    The state at the time at which a violation is expected is enclosed, too: others may lie a whole step apart.
    """
    from flint import arb

    flow = Flow(setting.state, setting.rule)
    start = {symbol: value.subs(point) for symbol, value in zip(setting.state, setting.start, strict=True)}
    values = {symbol: point[symbol] for symbol in flow.parameters}
    ends = [Integer(end) for end in _ENDS if end < latest] + [Integer(latest)]
    hint = Rational(Fraction(expected or 0).limit_denominator(_FINEST))
    for end in sorted({*ends, hint} - {Integer(0)}):
        if budget.spent:
            return None
        tube = enclose(flow, start, end, parameters=values, bits=BITS, most_steps=_MOST_STEPS)
        with precision(BITS):
            moments = [Moment(step.end, step.box) for step in tube.steps]
            facts = _Facts(setting, point, moments, arb(0))
            ended = facts.end()
            if ended is not None and _needs_later(claim, ended):
                return str(float(ended.mid()))
            found = facts.first_false(claim)
            if found is not None and not facts.lasts_until(found):
                return None
        if found is not None:
            return str(float(found.mid()))
        if not tube.complete:
            return None
    return None


def _needs_later(claim: Boolean, end: arb) -> bool:
    """Whether a claim is false of a trajectory because it ends: it names a later moment, or a limit."""
    if isinstance(claim, And):
        return any(_needs_later(part, end) for part in claim.args)
    if isinstance(claim, After) and isinstance(claim.args[0], Integer | Rational):
        return bool(end <= claim.args[0].p / end.__class__(claim.args[0].q))
    return isinstance(claim, ConvergesTo)


@dataclass(frozen=True)
class _Facts:
    """What is known of a trajectory from the time `begin` on; none of the moments may be that very time."""

    setting: Setting
    point: Mapping[Symbol, Rational]
    moments: Sequence[Moment]
    begin: arb

    def first_false(self, claim: Boolean) -> arb | None:
        """The first time at which the claim is certainly false; None when it is not shown to be."""
        if isinstance(claim, And) and not is_plain(claim):
            times = [time for part in claim.args if (time := self.first_false(part)) is not None]
            return min(times, key=lambda time: float(time.mid())) if times else None
        if isinstance(claim, Or) and not is_plain(claim):
            found = [time for part in claim.args if (time := self.first_false(part)) is not None]
            return max(found, key=lambda time: float(time.mid())) if len(found) == len(claim.args) else None
        if isinstance(claim, After) and isinstance(claim.args[0], Integer | Rational):
            begin = self.begin + self._evaluate(claim.args[0], self.moments[0])
            later = [moment for moment in self.moments if moment.time >= begin]
            return _Facts(self.setting, self.point, later, begin).first_false(claim.args[1]) if later else None
        if isinstance(claim, Always) and is_plain(claim.args[0]):
            return next((m.time for m in self.moments if self._truth(claim.args[0], m) is False), None)
        if isinstance(claim, Decreasing):
            return self._not_decreasing(claim.args[0])
        now = self.moments[0]
        return now.time if is_plain(claim) and now.time == self.begin and self._truth(claim, now) is False else None

    def end(self) -> arb | None:
        """The first moment at which the trajectory has certainly left its domain."""
        return next((m.time for m in self.moments if self._truth(self.setting.domain, m) is False), None)

    def lasts_until(self, moment: arb) -> bool:
        """Whether the trajectory is in the evolution domain, at all moments up to one."""
        return all(self._truth(self.setting.domain, m) is True for m in self.moments if m.time <= moment)

    def _not_decreasing(self, quantity: Expr) -> arb | None:
        values = [self._evaluate(quantity, moment) for moment in self.moments]
        pairs = zip(pairwise(values), self.moments[1:], strict=True)
        return next((moment.time for (earlier, later), moment in pairs if later >= earlier), None)

    def _truth(self, formula: Boolean, moment: Moment) -> Truth:
        return connected(formula, lambda leaf: self._evaluate(leaf, moment))

    def _evaluate(self, expression: Expr | Boolean, moment: Moment) -> arb:
        exact = expression.xreplace(dict(self.point))
        return compile_ball([exact], list(self.setting.state))(*moment.state)[0]
