"""Branch and bound on a box with numerical ends: slopes carry a bound to a face, to an edge, to a corner.

Where an expression is monotone in a variable its largest value lies on one face of the box; on that smaller box more
slopes have a sign, and so on down to a corner, or to a box on which a mean-value form decides. Where a slope vanishes
on a face, its sign is found in the same way from its own slopes. Values and slopes come from one compiled kernel and
nothing is expanded or factored, so that large formulas in several variables are quick.

An argument is ["c", steps, end]: each step [axis, upper] or [axis, upper, argument for the slope] moves one variable to
an end of its side; on what is left the sign shows itself ("m"), or the expression vanishes there identically ("z").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from flint import arb, ctx
from sympy import Rational

from proofs_check.budget import Budget
from proofs_check.engines.cover.surfaces import Face, Frame, Sides, Surface, exact_ball
from proofs_check.kernel.formula_trees import MINUS, PLUS, ZERO, Atom, Node

PRECISION = 64
NARROWEST = 2.0**-20
_PROBE = 2.0**-16
"""How far a candidate for a counterexample is moved from an end that is not attained to the middle of its side."""

_FEW, _PATIENCE, _HOPELESS = 1000, 0.3, 0.03
"""After that many boxes and that part of its time, a search that has covered less than the last is given up."""

_ZERO = 2.0**-26
_SHORT, _HARDLY = 2.0**-7, 1e-9
_LEAST = 5e-324


@dataclass
class Search:
    """A formula on a box: `tree` and `reasons` once it is shown to be false everywhere."""

    node: Node
    atoms: list[Atom]
    surfaces: dict[Atom, Surface]
    frame: Frame
    budget: Budget
    tree: list[Any] = field(default_factory=list)
    reasons: list[list[Any]] = field(default_factory=list)
    boxes: int = 0
    complete: bool = False
    candidate: list[Rational] | None = None
    _known: dict[str, int] = field(default_factory=dict)

    def run(self) -> None:
        """Cut the box until the conjunction is false on each part, or give up."""
        previous, ctx.prec = ctx.prec, PRECISION
        try:
            self.complete = self._run()
        finally:
            ctx.prec = previous

    def _run(self) -> bool:
        root = self.frame.root
        waiting, covered, seconds = [(root, 1.0)], 0.0, self.budget.left
        while waiting:
            box, part = waiting.pop()
            self.boxes += 1
            if self.boxes > self.budget.boxes or (not self.boxes % 16 and self._is_hopeless(covered, seconds)):
                return False
            found = self._reason(box)
            if isinstance(found, int):
                self.tree.append(found)
                covered += part
                continue
            if not box:
                return False  # a number: there is nothing to cut
            axis = self._axis(box, found)
            low, high = box[axis]
            if self.candidate or high - low <= NARROWEST * max(1e-3, root[axis][1] - root[axis][0]):
                return False
            middle = 0.0 if low < 0 < high else (low + high) / 2
            self.tree.append([axis, middle])
            halves = ((middle, high), (low, middle))
            waiting += [([*box[:axis], half, *box[axis + 1 :]], part / 2) for half in halves]
        return True

    def _axis(self, box: Sides, changes: list[float]) -> int:
        """The side that matters most, among those not yet much shorter than others: these may keep slopes unsettled."""
        root = self.frame.root
        parts = [(high - low) / (root[axis][1] - root[axis][0]) for axis, (low, high) in enumerate(box)]
        longest = max(part for part, change in zip(parts, changes, strict=True) if change >= _HARDLY * max(changes))
        return max(range(len(box)), key=lambda axis: (parts[axis] > _SHORT * longest, changes[axis]))

    def _is_hopeless(self, covered: float, seconds: float) -> bool:
        used = 1 - self.budget.left / seconds if seconds else 1.0
        return used >= 1 or (used > _PATIENCE and covered < _HOPELESS and self.boxes > _FEW)

    def _reason(self, box: Sides) -> int | list[float]:
        """The number of the reason why the formula is false on a box, or how much each side matters."""
        self._changes = [1e-6 * (high - low) for low, high in box]
        found = self._falsified(self.node, box)
        return self._changes if found is None else self._numbered(found)

    def _falsified(self, node: Node, box: Sides) -> list[list[Any]] | None:
        """The atoms that make a formula false on a box, with their signs and arguments."""
        if isinstance(node, Atom):
            return self._excluded(node, box)
        found: list[list[Any]] = []
        for part in node.parts:
            one = self._falsified(part, box)
            if node.every and one is not None:
                return one
            if not node.every and one is None:
                return None
            found += one or []
        return None if node.every else found

    def _excluded(self, atom: Atom, box: Sides) -> list[list[Any]] | None:
        if atom.relation == "!=":
            return None
        for direction in (1, -1) if atom.relation == "==" else (1,):
            walk = Walk(self.surfaces[atom], box, direction)
            if walk.is_below(strictly=atom.relation != ">"):
                return [[self.atoms.index(atom), walk.signs, walk.argument]]
            self._changes = [a + b for a, b in zip(self._changes, walk.changes, strict=True)]
            if direction > 0 and walk.highest is not None:
                self._look_at(walk.highest)
        return None

    def _numbered(self, reason: list[list[Any]]) -> int:
        key = repr(reason)
        if key not in self._known:
            self._known[key] = len(self.reasons)
            self.reasons.append(reason)
        return self._known[key]

    def _look_at(self, point: list[float]) -> None:
        """Keep a point where no atom is false; it is moved off the ends that are not attained."""
        frame = self.frame
        exact = []
        for axis, (x, (low, high)) in enumerate(zip(point, frame.root, strict=True)):
            moved = x + _PROBE * ((low + high) / 2 - x) if (axis, x) in frame.excluded else x
            exact.append(frame.ends[axis].get(moved) or Rational(*moved.as_integer_ratio()))
        balls = [exact_ball(x) for x in exact]
        if self._holds(self.node, balls):
            self.candidate = exact

    def _holds(self, node: Node, balls: list[arb]) -> bool:
        if isinstance(node, Atom):
            return node.relation != "==" and bool(self.surfaces[node].value(balls) > 0)
        results = (self._holds(part, balls) for part in node.parts)
        return all(results) if node.every else any(results)


@dataclass
class Walk:
    """From a box to where an expression is largest (direction 1) or smallest (-1), which decides its sign."""

    surface: Surface
    box: Sides
    direction: int
    signs: int = 0
    steps: list[list[Any]] = field(default_factory=list)
    end: str = "m"
    changes: list[float] = field(default_factory=list)
    highest: list[float] | None = None
    _strict: bool = False

    @property
    def argument(self) -> list[Any]:
        """The walk as plain data."""
        return ["c", self.steps, self.end]

    def is_below(self, *, strictly: bool) -> bool:
        """Whether the expression, in the direction of the walk, is shown to be negative, or at least not positive."""
        self.strictly = strictly
        frame = self.surface.frame
        self.sides, self.balls = list(self.box), frame.around(self.box)
        self.factor = self.surface.sign * self.direction
        while True:
            value, *slopes = self.surface.kernel(*self.balls)
            if not value.is_finite():
                self.changes = self.changes or _relative([high - low for low, high in self.box])
                return False
            if self._settled(self.factor * value):
                return True
            ranges = [_range(self.factor * slope) for slope in slopes]
            if not self.changes:
                self.changes = _relative([
                    max(-low, high) * (end - start)
                    for (low, high), (start, end) in zip(ranges, self.sides, strict=True)
                ])  # fmt: skip
            moved = [self._move(axis, *slope) for axis, slope in enumerate(ranges) if slope[0] >= 0 or slope[1] <= 0]
            if any(moved):
                continue
            if self._on_zero() or self._by_mean_value(slopes, ranges):
                return True
            if not self._by_second_slopes():
                return False

    def _move(self, axis: int, least: float, largest: float, *why: Any) -> bool:
        """Move one variable to the end to which the expression rises."""
        low, high = self.sides[axis]
        if low == high:
            return False
        end = high if least >= 0 else low
        self._strict = self._strict or (
            (axis, end) in self.surface.frame.excluded and (least > 0 or largest < 0) and not why
        )
        self.steps.append([axis, int(least >= 0), *why])
        self.sides[axis] = end, end
        self.balls[axis] = self.surface.frame.ball(axis, end)
        return True

    def _on_zero(self) -> bool:
        """Whether the expression vanishes where the walk has led; negative before, if a step there was strict."""
        if self.strictly and not self._strict:
            return False
        face = self._face()
        if not face or not self.surface.vanishes(face):
            return False
        self.signs, self.end = MINUS if self.direction > 0 else PLUS, "z"
        if not self._strict:
            self.signs |= ZERO
        return True

    def _face(self) -> Face:
        ends = self.surface.frame.ends
        return tuple((axis, low) for axis, (low, high) in enumerate(self.sides) if low == high and low in ends[axis])

    def _by_mean_value(self, slopes: list[arb], ranges: list[tuple[float, float]]) -> bool:
        """The bound from the slopes and one value, at the point for which it is the least."""
        centre = [_best_centre(side, slope) for side, slope in zip(self.sides, ranges, strict=True)]
        self.highest = centre
        open_axes = [axis for axis, (low, high) in enumerate(self.sides) if low < high]
        if not open_axes:
            return False
        at = list(self.balls)
        for axis in open_axes:
            at[axis] = self.surface.frame.ball(axis, centre[axis])
        total = self.factor * self.surface.kernel(*at)[0]
        for axis in open_axes:
            total += self.factor * slopes[axis] * (self.balls[axis] - at[axis])
        return bool(total.is_finite()) and self._settled(total)

    def _by_second_slopes(self) -> bool:
        """Move a variable whose slope vanishes on a face of the root, near a zero, and has a sign beyond it."""
        surface, ends = self.surface, self.surface.frame.ends
        if surface.along is not None or self.highest is None:
            return False
        for axis, (low, high) in enumerate(self.sides):
            for end in {low, high} & set(ends[axis]) if low < high else ():
                if not self._is_near_zero(axis, end) or not surface.slope(axis).vanishes((*self._face(), (axis, end))):
                    continue
                for sign in (1, -1):
                    walk = Walk(surface.slope(axis), self.sides, sign * self.direction)
                    if walk.is_below(strictly=False):
                        return self._move(axis, -sign, -sign, walk.argument)
        return False

    def _is_near_zero(self, axis: int, end: float) -> bool:
        at = [self.surface.frame.ball(k, end if k == axis else x) for k, x in enumerate(self.highest or ())]
        return bool(abs(self.surface.value(at)) < _ZERO)

    def _settled(self, value: arb) -> bool:
        total = value + self.direction * self.surface.constant
        if total < 0 or (self._strict and total <= 0):
            self.signs = MINUS if self.direction > 0 else PLUS
        elif total <= 0 and not self.strictly:
            self.signs = (MINUS if self.direction > 0 else PLUS) | ZERO
        else:
            return False
        return True


def _range(slope: arb) -> tuple[float, float]:
    """Floats around a slope: one that underflows must not lose its sign."""
    if not slope.is_finite():
        return -inf, inf
    low, high = slope.lower(), slope.upper()
    return float(low) or (-_LEAST if low < 0 else 0.0), float(high) or (_LEAST if high > 0 else 0.0)


def _relative(changes: list[float]) -> list[float]:
    total = sum(changes)
    return [change / total for change in changes] if 0 < total < inf else changes


def _best_centre(side: tuple[float, float], slope: tuple[float, float]) -> float:
    """Where the mean-value form gives the least upper bound: nearer to the end to which the expression rises."""
    (low, high), (least, largest) = side, slope
    if low == high or not largest > least or largest - least == inf:
        return (low + high) / 2
    return min(high, max(low, (largest * high - least * low) / (largest - least)))
