"""Where a trajectory ends up: boxes that a map sends into each other while contracting, or escape to infinity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Expr, Poly, Tuple, diff
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.motion.trace import Trace, Truth
from theory.language.definedness import smooth_where
from theory.temporal import ConvergesTo, HasPeriod

if TYPE_CHECKING:
    from flint import arb

_LONGEST_PERIOD = 8
_SIZES = range(1, 60, 3)


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


def settle(trace: Trace) -> None:
    """Follow the trajectory to its horizon and record a trap or the escape to infinity, if one can be proved."""
    if trace.setting.clock is not None or smooth_where(trace.setting.rule) is None:
        return
    checkpoints = sorted({min(trace.horizon, count) for count in (50, 200, 1000, 5000, trace.horizon)})
    for last in checkpoints:
        if trace.state(last) is None or _escaped(trace):
            trace.escapes = _escaped(trace)
            return
        for period in range(1, _LONGEST_PERIOD + 1):
            trap = None if last < 2 * period else _trap(trace, last, period)
            if trap is not None:
                trace.trap, trace.trapped_from = trap, last
                return


def _trap(trace: Trace, last: int, period: int) -> Trap | None:
    from flint import arb

    now, before = trace.states[last], trace.states[last - period]
    if all(a.is_exact() and b.is_exact() and a == b for a, b in zip(now, before, strict=True)):
        return Trap(tuple(trace.states[last - period : last]))
    drift = max(abs(float(a.mid()) - float(b.mid())) for a, b in zip(now, before, strict=True))
    scale = 1 + max(abs(float(entry.mid())) for entry in now)
    if not drift <= 0.1 * scale:
        return None
    for power in reversed(_SIZES):
        size = scale * 2.0**-power
        if size < 2 * drift:
            continue
        box = tuple(arb(entry.mid(), size) for entry in now)
        if all(wide.contains_interior(entry) for wide, entry in zip(box, now, strict=True)):
            found = _returns(trace, box, period)
            if found is not None:
                return found
    return None


def _returns(trace: Trace, box: tuple[arb, ...], period: int) -> Trap | None:
    """The boxes of one turn when the last image lies inside the first box and the derivative of the turn contracts."""
    from flint import arb

    setting = trace.setting
    slopes: list[Expr] = [diff(part, symbol) for part in setting.rule for symbol in setting.state]
    size, nothing = len(setting.state), arb(0)
    product = [[1 if i == j else 0 for j in range(size)] for i in range(size)]
    boxes, current = [box], box
    for _ in range(period):
        matrix = trace.value(slopes, current)
        if not all(entry.is_finite() for entry in matrix):
            return None
        centre = tuple(entry.mid() for entry in current)
        image = trace.value(setting.rule, centre)
        moved = []
        for i in range(size):
            spread = sum((matrix[i * size + j] * (current[j] - centre[j]) for j in range(size)), nothing)
            moved.append(image[i] + spread)
        product = [
            [sum(matrix[i * size + k] * product[k][j] for k in range(size)) for j in range(size)] for i in range(size)
        ]
        current = tuple(moved)
        boxes.append(current)
    inside = all(wide.contains_interior(entry) for wide, entry in zip(box, boxes.pop(), strict=True))
    norms = [sum(abs(entry) for entry in row) for row in product]
    return Trap(tuple(boxes)) if inside and all(norm < 1 for norm in norms) else None


def _escaped(trace: Trace) -> bool:
    """Whether a one-dimensional polynomial trajectory is so far out that its size grows for ever."""
    setting = trace.setting
    if len(setting.state) != 1:
        return False
    try:
        coefficients = Poly(setting.rule[0], setting.state[0]).all_coeffs()
    except PolynomialError:
        return False
    values = [abs(value) for value in trace.value(coefficients, trace.states[0])]
    lead, rest = values[0], sum(values[1:], values[0] * 0)
    far = [abs(state[0]) for state in trace.states if state[0].is_finite()]
    if len(coefficients) > 2:
        # |F(x)| >= |x| (lead |x| - rest) >= 2 |x| as soon as |x| >= 1 and lead |x| >= rest + 2.
        return any(size >= 1 and lead * size >= rest + 2 for size in far)
    return len(coefficients) == 2 and bool(lead > 1) and any((lead - 1) * size > rest for size in far)


def limit_truth(trace: Trace, claim: ConvergesTo | HasPeriod) -> Truth:
    """Whether the trajectory converges as claimed, from its trap or its escape."""
    if trace.trap is None and not trace.escapes:
        settle(trace)
    if trace.escapes:
        whole = isinstance(claim, HasPeriod) or claim.quantity == Tuple(*trace.setting.state)
        return False if whole else None
    if trace.trap is None:
        return None
    if isinstance(claim, HasPeriod):
        return len(trace.trap.boxes) == int(claim.args[0]) if trace.trap.disjoint else None
    return _reaches(trace, trace.trap, claim)


def _reaches(trace: Trace, trap: Trap, claim: ConvergesTo) -> Truth:
    values = [trace.value(tuple(claim.quantity), box) for box in trap.boxes]
    points = [trace.value(tuple(point), trap.boxes[0]) for point in claim.points]
    if any(
        not any(all(a.overlaps(b) for a, b in zip(value, point, strict=True)) for value in values) for point in points
    ):
        return False
    if claim.quantity != Tuple(*trace.setting.state) or len(points) != len(trap.boxes):
        return None
    contained = any(all(wide.contains(entry) for wide, entry in zip(box, points[0], strict=True)) for box in trap.boxes)
    return True if contained and trap.disjoint and trace.is_cycle(claim) else None
