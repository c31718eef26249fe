"""Where a trajectory ends up: boxes that a map sends into each other while contracting, or escape to infinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Expr, Poly, Tuple, diff
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.motion.orbit import Orbit, Trap, Truth
from theory.language.definedness import smooth_where
from theory.temporal import ConvergesTo, HasPeriod

if TYPE_CHECKING:
    from flint import arb

_LONGEST_PERIOD = 8
_SIZES = range(1, 60, 3)


def settle(orbit: Orbit) -> None:
    """Follow the trajectory to its horizon and record a trap or the escape to infinity, if one can be proved."""
    if orbit.setting.clock is not None or smooth_where(orbit.setting.rule) is None:
        return
    checkpoints = sorted({min(orbit.horizon, count) for count in (50, 200, 1000, 5000, orbit.horizon)})
    for last in checkpoints:
        if orbit.state(last) is None or _escaped(orbit):
            orbit.escapes = _escaped(orbit)
            return
        for period in range(1, _LONGEST_PERIOD + 1):
            trap = None if last < 2 * period else _trap(orbit, last, period)
            if trap is not None:
                orbit.trap, orbit.trapped_from = trap, last
                return


def _trap(orbit: Orbit, last: int, period: int) -> Trap | None:
    from flint import arb

    now, before = orbit.states[last], orbit.states[last - period]
    if all(a.is_exact() and b.is_exact() and a == b for a, b in zip(now, before, strict=True)):
        return Trap(tuple(orbit.states[last - period : last]))
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
            found = _returns(orbit, box, period)
            if found is not None:
                return found
    return None


def _returns(orbit: Orbit, box: tuple[arb, ...], period: int) -> Trap | None:
    """The boxes of one turn when the last image lies inside the first box and the derivative of the turn contracts."""
    from flint import arb

    setting = orbit.setting
    slopes: list[Expr] = [diff(part, symbol) for part in setting.rule for symbol in setting.state]
    size, nothing = len(setting.state), arb(0)
    product = [[1 if i == j else 0 for j in range(size)] for i in range(size)]
    boxes, current = [box], box
    for _ in range(period):
        matrix = orbit.value(slopes, current)
        if not all(entry.is_finite() for entry in matrix):
            return None
        centre = tuple(entry.mid() for entry in current)
        image = orbit.value(setting.rule, centre)
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


def _escaped(orbit: Orbit) -> bool:
    """Whether a one-dimensional polynomial trajectory is so far out that its size grows for ever."""
    setting = orbit.setting
    if len(setting.state) != 1:
        return False
    try:
        coefficients = Poly(setting.rule[0], setting.state[0]).all_coeffs()
    except PolynomialError:
        return False
    values = [abs(value) for value in orbit.value(coefficients, orbit.states[0])]
    lead, rest = values[0], sum(values[1:], values[0] * 0)
    far = [abs(state[0]) for state in orbit.states if state[0].is_finite()]
    if len(coefficients) > 2:
        # |F(x)| >= |x| (lead |x| - rest) >= 2 |x| as soon as |x| >= 1 and lead |x| >= rest + 2.
        return any(size >= 1 and lead * size >= rest + 2 for size in far)
    return len(coefficients) == 2 and bool(lead > 1) and any((lead - 1) * size > rest for size in far)


def limit_truth(orbit: Orbit, claim: ConvergesTo | HasPeriod) -> Truth:
    """Whether the trajectory converges as claimed, from its trap or its escape."""
    if orbit.trap is None and not orbit.escapes:
        settle(orbit)
    if orbit.escapes:
        whole = isinstance(claim, HasPeriod) or claim.quantity == Tuple(*orbit.setting.state)
        return False if whole else None
    if orbit.trap is None:
        return None
    if isinstance(claim, HasPeriod):
        return len(orbit.trap.boxes) == int(claim.args[0]) if orbit.trap.disjoint else None
    return _reaches(orbit, orbit.trap, claim)


def _reaches(orbit: Orbit, trap: Trap, claim: ConvergesTo) -> Truth:
    values = [orbit.value(tuple(claim.quantity), box) for box in trap.boxes]
    points = [orbit.value(tuple(point), trap.boxes[0]) for point in claim.points]
    if any(
        not any(all(a.overlaps(b) for a, b in zip(value, point, strict=True)) for value in values) for point in points
    ):
        return False
    if claim.quantity != Tuple(*orbit.setting.state) or len(points) != len(trap.boxes):
        return None
    contained = any(all(wide.contains(entry) for wide, entry in zip(box, points[0], strict=True)) for box in trap.boxes)
    return True if contained and trap.disjoint and orbit.is_cycle(claim) else None
