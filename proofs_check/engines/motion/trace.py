"""Trajectories of a map in balls: every true state lies in its ball, and formulas are True, False or open (None).

The start and the fixed symbols may be single numbers or whole boxes; what is said holds for every point of the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sympy import Expr, Integer, Symbol, diff
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Not, Or

from numerics import compile_ball
from proofs_check.engines.motion.trajectory import Setting
from theory.language.definedness import smooth_where
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

    from proofs_check.engines.motion.trapping import Trap

Truth = bool | None


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Ball arithmetic with so many bits inside the block."""
    from flint import ctx

    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


@dataclass
class Trace:
    """The states of a map from a box of starts, extended on demand up to the horizon.

    `is_cycle` tells, exactly, whether the points of a claim are mapped to each other in turn.
    """

    setting: Setting
    fixed: Mapping[Symbol, arb]
    horizon: int
    is_cycle: Callable[[ConvergesTo], bool] = lambda _claim: False
    states: list[tuple[arb, ...]] = field(default_factory=list)
    trap: Trap | None = None
    trapped_from: int = 0
    escapes: bool = False
    violated: int | None = None
    """The step at which an Always was last found false."""
    _compiled: dict[tuple[Expr, ...], Callable[..., tuple[arb, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.states:
            self.states.append(compile_ball(self.setting.start, list(self.fixed))(*self.fixed.values()))

    def upto(self, step: int) -> Trace:
        """The same trajectory, known only up to a step."""
        return Trace(self.setting, self.fixed, step, self.is_cycle, self.states[: step + 1])

    def value(self, expressions: Sequence[Expr], state: Sequence[arb]) -> tuple[arb, ...]:
        """Expressions of the fixed symbols and the state, in balls; relations are True, False or None."""
        key = tuple(expressions)
        if key not in self._compiled:
            self._compiled[key] = compile_ball(key, [*self.fixed, *self.setting.state])
        return self._compiled[key](*self.fixed.values(), *state)

    def state(self, step: int) -> tuple[arb, ...] | None:
        """The state at a step; None beyond the horizon or once the balls have become useless."""
        while len(self.states) <= min(step, self.horizon):
            last = self.states[-1]
            if not all(entry.is_finite() for entry in last):
                return None
            self.states.append(self.image(last))
        return self.states[step] if step < len(self.states) and self._finite(step) else None

    def image(self, box: tuple[arb, ...]) -> tuple[arb, ...]:
        """The image of a box: evaluated directly, and narrowed by the mean value theorem where the box is wide."""
        direct = self.value(self.setting.rule, box)
        if self._slopes is None or all(entry.rad() < 1e-12 * (1 + abs(entry.mid())) for entry in box):
            return direct
        slopes = self.value(self._slopes, box)
        if not all(entry.is_finite() for entry in (*slopes, *direct)):
            return direct
        centre = tuple(entry.mid() for entry in box)
        middle, size = self.value(self.setting.rule, centre), len(box)
        spread = [
            middle[i] + sum(slopes[i * size + j] * (box[j] - centre[j]) for j in range(size)) for i in range(size)
        ]
        return tuple(first.intersection(second) for first, second in zip(direct, spread, strict=True))

    @cached_property
    def _slopes(self) -> tuple[Expr, ...] | None:
        setting = self.setting
        if smooth_where(setting.rule) is None:
            return None
        return tuple(diff(part, symbol) for part in setting.rule for symbol in setting.state)

    def _finite(self, step: int) -> bool:
        return all(entry.is_finite() for entry in self.states[step])

    def holds(self, formula: Boolean, state: Sequence[arb]) -> Truth:
        """The truth of a plain formula at a state."""
        return connected(formula, lambda leaf: self.value((leaf,), state)[0])

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
            from proofs_check.engines.motion.trapping import limit_truth

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


def connected(formula: Boolean, leaf: Callable[[Boolean], Truth]) -> Truth:
    """Three-valued logic over the connectives; everything else is a leaf."""
    if isinstance(formula, BooleanTrue):
        return True
    if isinstance(formula, BooleanFalse):
        return False
    if isinstance(formula, Implies):
        formula = Or(Not(formula.args[0], evaluate=False), formula.args[1], evaluate=False)
    if not isinstance(formula, (And, Or, Not, Equivalent)):
        return leaf(formula)
    parts = [connected(part, leaf) for part in formula.args]
    if isinstance(formula, Equivalent):
        return False if True in parts and False in parts else None if None in parts else True
    if isinstance(formula, Not):
        return None if parts[0] is None else not parts[0]
    decisive = isinstance(formula, Or)
    return decisive if decisive in parts else None if None in parts else not decisive
