"""The states of a map in balls: every true state lies in its ball, from one start or from a whole box of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sympy import Expr, Symbol, diff
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue

from numerics import compile_ball
from proofs_check.engines.motion.trajectory import Setting
from theory.language.definedness import smooth_where
from theory.language.formulas import joined
from theory.temporal import CONNECTIVES, ConvergesTo

if TYPE_CHECKING:
    from flint import arb

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


@dataclass(frozen=True)
class Trap:
    """Boxes visited in turn for ever. The return map contracts the first one, so there is exactly one cycle in them,
    every trajectory in the boxes converges to it, and its least period is their number when they are disjoint. Boxes
    that are single points are a cycle on which the trajectory has landed exactly."""

    boxes: tuple[tuple[arb, ...], ...]

    @property
    def disjoint(self) -> bool:
        """Whether no two boxes meet."""
        return not any(
            all(a.overlaps(b) for a, b in zip(first, second, strict=True))
            for place, first in enumerate(self.boxes)
            for second in self.boxes[:place]
        )


@dataclass
class Orbit:
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
    _compiled: dict[tuple[Expr, ...], Callable[..., tuple[arb, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.states:
            self.states.append(compile_ball(self.setting.start, list(self.fixed))(*self.fixed.values()))

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


def connected(formula: Boolean, leaf: Callable[[Boolean], Truth]) -> Truth:
    """Three-valued logic over the connectives; everything else is a leaf."""
    if not isinstance(formula, (*CONNECTIVES, BooleanTrue, BooleanFalse)):
        return leaf(formula)
    return joined(formula, [connected(part, leaf) for part in formula.args])
