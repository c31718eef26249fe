"""Re-checks verdicts from ball iteration: walks the expression trees in balls of its own, at a higher precision.

Nothing of the engine is used: its own evaluation, its own iteration (by the mean value theorem, from the start), its
own search for contracting boxes, and its own test that the boxes cover the hypothesis set.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, reduce
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from sympy import Expr, Symbol, Tuple
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean, Implies

from proofs_check.kernel.courses import Course
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.instability import true_at
from proofs_check.kernel.intervals import Interval
from proofs_check.kernel.scene import RejectedError, Scene, conditions, require, scene_of, start_of
from proofs_check.kernel.trust import BALLS, rests_on
from theory.language.balls import on_balls
from theory.language.formulas import compared, joined
from theory.language.functions import entry_of
from theory.statements import Statement
from theory.temporal import ConvergesTo, HasPeriod, is_plain

Balls = dict[Symbol, arb]
At = Callable[[Sequence[arb]], arb]
_DEEPEST = 6
_USELESS = 1e12
_LARGEST_DEGREE = 8


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the claim is false at the point, or true on all boxes of a cover, as the certificate says."""
    before = ctx.prec
    ctx.prec = int(certificate["precision"]) + 64
    try:
        scene, claim = scene_of(statement)
        require(scene.discrete, "not a map")
        if certificate["truth"] is False:
            return _point_fails(statement, scene, claim, certificate)
        return _boxes_hold(scene, claim, certificate)
    except RejectedError:
        return False
    finally:
        ctx.prec = before


def _point_fails(statement: Statement, scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    point = start_of(statement, certificate["point"])
    fixed = {symbol: evaluate(value, {}) for symbol, value in point.items() if symbol in scene.variables}
    require(not scene.integers.intersection(scene.almost_all), "the starts may form a null set")
    for symbol in scene.almost_all:
        near = [part for part in scene.known if symbol in part.free_symbols]
        require(all(isinstance(part, (Lt, Le, Gt, Ge, Ne)) for part in near), "the starts may form a null set")
        require(all(true_at(Ne(part.lhs, part.rhs), point) for part in near), "the starts may form a null set")
        radius = 2.0**-30 * min(1.0, abs(float(fixed[symbol])) or 1.0)
        require(radius > 0, "the neighbourhood is empty")
        fixed[symbol] = arb(fixed[symbol], radius)
    return _Run(scene, fixed, int(certificate["horizon"]), point).truth(claim, 0) is False


def _boxes_hold(scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    names = [str(name) for name in certificate.get("variables", [])]
    symbols = {symbol.name: symbol for symbol in scene.variables}
    require(set(names) == set(symbols), "other variables")
    require(bool(certificate["boxes"]), "no boxes")  # not even the one of a statement without variables
    boxes = [[(Fraction(low), Fraction(high)) for low, high in box] for box in certificate["boxes"]]
    _covered(scene, [symbols[name] for name in names], boxes)
    order = [symbols[name] for name in names]
    return all(_holds_on(scene, claim, dict(zip(order, box, strict=True)), certificate["horizon"]) for box in boxes)


def _holds_on(
    scene: Scene, claim: Boolean, box: dict[Symbol, tuple[Fraction, Fraction]], horizon: int, depth: int = _DEEPEST
) -> bool:
    """Whether the claim holds on a box, which is halved a few times where that is needed."""
    fixed = {symbol: _hull(*ends) for symbol, ends in box.items()}
    if any(_plain_truth(part, fixed) is False for part in scene.known):
        return True
    if _Run(scene, fixed, int(horizon), None).truth(claim, 0) is True:
        return True
    if depth == 0 or not box:
        return False
    widest = max(box, key=lambda symbol: box[symbol][1] - box[symbol][0])
    low, high = box[widest]
    halves = ((low, (low + high) / 2), ((low + high) / 2, high))
    return all(_holds_on(scene, claim, {**box, widest: half}, horizon, depth - 1) for half in halves)


def _covered(scene: Scene, symbols: Sequence[Symbol], boxes: list[list[tuple[Fraction, Fraction]]]) -> None:
    """Reject unless the boxes fill the product of the domains: none is missing when all are cut at the same places."""
    edges = []
    for place, symbol in enumerate(symbols):
        domain = scene.variables[symbol]
        require(isinstance(domain, sp.Interval) and not domain.free_symbols, "not an interval")
        cuts = sorted({end for box in boxes for end in box[place]})
        require(bool(cuts), "no boxes")
        require(_at_most(cuts[0], domain.start, 1) and _at_most(cuts[-1], domain.end, -1), "the cover is too small")
        edges.append((cuts[0], cuts[-1]))
    _filled(edges, boxes)


def _at_most(cut: Fraction, end: Expr, sign: int) -> bool:
    """Whether sign * cut <= sign * end."""
    if end.is_Rational:
        return sign * cut <= sign * Fraction(int(end.p), int(end.q))
    return bool(sign * _number(cut) <= sign * evaluate(end, {}))


def _filled(region: list[tuple[Fraction, Fraction]], boxes: list[list[tuple[Fraction, Fraction]]]) -> None:
    if not region:
        return
    inside = [
        box for box in boxes
        if all(low < end and start < high for (start, end), (low, high) in zip(region, box, strict=True))
    ]  # fmt: skip
    require(bool(inside), "a gap in the cover")
    for box in inside:
        if all(low <= start and end <= high for (start, end), (low, high) in zip(region, box, strict=True)):
            return
    for place, (start, end) in enumerate(region):
        cut = next((edge for box in inside for edge in box[place] if start < edge < end), None)
        if cut is not None:
            for part in ((start, cut), (cut, end)):
                _filled([*region[:place], part, *region[place + 1 :]], inside)
            return
    require(False, "a gap in the cover")


def _is_useful(entry: arb) -> bool:
    return bool(entry.is_finite() and (entry.is_exact() or entry.rad() < _USELESS))


def _number(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _hull(low: Fraction, high: Fraction) -> arb:
    middle, half = (low + high) / 2, (high - low) / 2
    return _number(middle) + _number(half) * arb(0, 1)


_NUMBERS = {sp.pi: arb.pi, sp.E: arb.const_e}


def evaluate(value: Expr, balls: Mapping[Symbol, arb]) -> arb:
    """An expression in balls, by walking its tree; rejects functions that it does not know."""
    rests_on(BALLS)
    if value.is_Symbol:
        return balls[value]
    if value.is_Rational:
        return arb(fmpq(int(value.p), int(value.q)))
    if value in _NUMBERS:
        return _NUMBERS[value]()
    if isinstance(value, sp.Piecewise):
        return _pieces(value, balls)
    return _applied(value, [evaluate(part, balls) for part in value.args])


def _applied(value: Expr, parts: list[arb]) -> arb:
    """An expression from its parts in balls."""
    if value.is_Add:
        return sum(parts[1:], parts[0])
    if value.is_Mul:
        return reduce(operator.mul, parts)
    if value.is_Pow:
        if value.exp.is_Integer:
            return parts[0] ** int(value.exp)
        return parts[0].sqrt() ** int(2 * value.exp) if (2 * value.exp).is_Integer else parts[0] ** parts[1]
    entry = entry_of(value)
    if entry is None or entry.ball is None:
        raise RejectedError(f"unknown function {value.func}")
    parts += [arb(fmpq(int(one.p), int(one.q))) for one in entry.completed(value.args)[len(parts) :]]
    return on_balls(entry)(*parts)


def prepared(value: Expr, fixed: Balls, state: tuple[Symbol, ...]) -> At:
    """An expression as a function of a state in balls; of a polynomial the coefficients are evaluated once.

    A polynomial that has a value at the origin has one everywhere, whatever cancels among its coefficients.
    """
    terms = _terms(value, state)
    if terms is None or not evaluate(value, {**fixed, **dict.fromkeys(state, arb(0))}).is_finite():
        if not value.args or isinstance(value, sp.Piecewise):
            return lambda here: evaluate(value, {**fixed, **dict(zip(state, here, strict=True))})
        parts = [prepared(part, fixed, state) for part in value.args]
        return lambda here: _applied(value, [part(here) for part in parts])
    known = [(evaluate(coefficient, fixed), places) for coefficient, places in terms]

    def at(here: Sequence[arb]) -> arb:
        total = arb(0)
        for coefficient, places in known:
            total = total + reduce(operator.mul, (here[place] for place in places), coefficient)
        return total

    return at


@cache
def _terms(value: Expr, state: tuple[Symbol, ...]) -> list[tuple[Expr, tuple[int, ...]]] | None:
    """A polynomial of the state as coefficients and the places of the factors beside them."""
    if not value.is_polynomial(*state):
        return None
    polynomial = sp.Poly(value, *state)
    if polynomial.total_degree() > _LARGEST_DEGREE:
        return None
    return [
        (coefficient, tuple(place for place, power in enumerate(powers) for _ in range(power)))
        for powers, coefficient in polynomial.terms()
    ]


def _pieces(value: Expr, balls: Mapping[Symbol, arb]) -> arb:
    """All pieces whose conditions are not known to be false, up to the first that is known to be true."""
    possible = []
    for piece, condition in value.args:
        holds = _plain_truth(condition, balls)
        if holds is not False:
            possible.append(evaluate(piece, balls))
        if holds is True:
            return reduce(arb.union, possible)
    raise RejectedError("no piece is known to apply")


def _plain_truth(formula: Boolean, balls: Mapping[Symbol, arb]) -> bool | None:
    if isinstance(formula, Relational):
        return _sign_says(formula, [evaluate(part, balls) for part in (formula.lhs - formula.rhs, *formula.args)])
    return joined(formula, [_plain_truth(part, balls) for part in formula.args])


def _sign_says(relation: Relational, parts: Sequence[arb]) -> bool | None:
    """The truth of a relation by the gap between its sides; the gap alone may hide that a side has no value."""
    has_values = all(part.is_finite() for part in parts)
    return compared(relation.func, Interval.around(parts[0]).sign()) if has_values else None


def _meet(first: Sequence[arb], second: Sequence[arb]) -> bool:
    return all(a.overlaps(b) for a, b in zip(first, second, strict=True))


def _smoothness(rule: Sequence[Expr]) -> frozenset[Boolean] | None:
    """Conditions for a map to be smooth; None where it has kinks or jumps."""
    try:
        return conditions(*rule, smooth=True)
    except RejectedError:
        return None


class _Run(Course):
    """One trajectory, iterated afresh."""

    def __init__(self, scene: Scene, fixed: Balls, horizon: int, point: Mapping[Symbol, Expr] | None) -> None:
        self.scene, self.fixed, self.horizon, self.point = scene, fixed, horizon, point
        self.slopes = [[sp.diff(part, symbol) for symbol in scene.state] for part in scene.rule]
        self.demands = _smoothness(scene.rule)
        self.gaps: dict[Relational, list[At]] = {}
        self.sharp = arb(2) ** (-ctx.prec // 2)
        self.states = [tuple(evaluate(part, fixed) for part in scene.start)]
        self.caught: tuple[int, list[tuple[arb, ...]]] | None = None

    def at(self, state: Sequence[arb]) -> Balls:
        return {**self.fixed, **dict(zip(self.scene.state, state, strict=True))}

    def image(self, box: Sequence[arb]) -> tuple[arb, ...]:
        direct = [part(box) for part in self.rule]
        if self._is_sharp(box) or not self._is_smooth(box):
            return tuple(direct)
        found = []
        centre = [entry.mid() for entry in box]
        for part, row, plain in zip(self.rule, self.tilts, direct, strict=True):
            mean = part(centre)
            for slope, entry, middle in zip(row, box, centre, strict=True):
                mean = mean + slope(box) * (entry - middle)
            found.append(plain.intersection(mean) if plain.is_finite() and mean.is_finite() else plain)
        return tuple(found)

    def _is_sharp(self, box: Sequence[arb]) -> bool:
        """Whether the mean value theorem is not needed yet: at a point, while half of all digits are certain."""
        if self.point is None:
            return all(entry.is_exact() for entry in box)
        return all(entry.is_exact() or entry.rad() <= self.sharp * abs(entry.mid()) for entry in box)

    def _at(self, value: Expr) -> At:
        if self.point is not None:
            return prepared(value, self.fixed, self.scene.state)
        return lambda here: evaluate(value, self.at(here))  # on boxes a formula is narrowest as it is written

    @cached_property
    def rule(self) -> list[At]:
        """The map, ready to be evaluated at many states."""
        return [self._at(part) for part in self.scene.rule]

    @cached_property
    def tilts(self) -> list[list[At]]:
        """Its slopes, likewise."""
        return [[self._at(part) for part in row] for row in self.slopes]

    def _is_smooth(self, box: Sequence[arb]) -> bool:
        if not self.demands:
            return self.demands is not None
        return all(_plain_truth(part, self.at(box)) for part in self.demands)

    def _parts(self, relation: Relational) -> list[At]:
        """By how much the left side exceeds the right one, and both."""
        if relation not in self.gaps:
            self.gaps[relation] = [self._at(part) for part in (relation.lhs - relation.rhs, *relation.args)]
        return self.gaps[relation]

    def state(self, step: int) -> tuple[arb, ...] | None:
        while len(self.states) <= step and all(_is_useful(entry) for entry in self.states[-1]):
            self.states.append(self.image(self.states[-1]))
        return self.states[step] if step < len(self.states) else None

    def truth(self, claim: Boolean, step: int = 0) -> bool | None:
        """The truth of a formula from a step on; what a false premise says is not looked at, as it may be long."""
        if isinstance(claim, Implies) and self.truth(claim.args[0], step) is False:
            return True
        return super().truth(claim, step)

    def moments(self, step: int) -> Iterable[int]:
        """Up to the horizon."""
        return range(step, self.horizon + 1)

    def compares(self, relation: Relational, step: int) -> bool | None:
        """On the balls of a step."""
        state = self.state(step)
        return None if state is None else _sign_says(relation, [part(state) for part in self._parts(relation)])

    def falls(self, quantity: Expr, step: int) -> bool | None:
        """False where it certainly does not fall in some step."""
        return False if any(self._rises(quantity, now) for now in range(step, self.horizon)) else None

    def always(self, body: Boolean, step: int) -> bool | None:
        """At every step up to the horizon, and in boxes from which the trajectory never leaves."""
        fine = True
        for now in range(step, self.horizon + 1):
            here = self.truth(body, now)
            if here is False:
                return False
            fine = fine and here is True
            if here is None and self.state(now) is None:
                return None
        if not fine or not is_plain(body):
            return None
        boxes = self._trap()
        return True if boxes and all(_plain_truth(body, self.at(box)) for box in boxes) else None

    def _rises(self, quantity: Expr, now: int) -> bool:
        first, second = self.state(now), self.state(now + 1)
        if first is None or second is None:
            return False
        return bool(evaluate(quantity, self.at(second)) >= evaluate(quantity, self.at(first)))

    def _trap(self) -> list[tuple[arb, ...]] | None:
        """Boxes around the end of the trajectory which the map sends into each other, the turn being a contraction."""
        if self.caught is None:
            last = next((n for n in range(self.horizon, -1, -1) if self.state(n) is not None), 0)
            found = None
            for period in range(1, min(8, last) + 1):
                now, before = self.states[last], self.states[last - period]
                if all(a.is_exact() and b.is_exact() and a == b for a, b in zip(now, before, strict=True)):
                    found = self.states[last - period : last]
                    break
                for power in range(60, -1, -2):
                    found = found or self._turn(self.states[last], period, 2.0**-power)
                if found:
                    break
            self.caught = (last, found or [])
        return self.caught[1] or None

    def _turn(self, state: tuple[arb, ...], period: int, size: float) -> list[tuple[arb, ...]] | None:
        box = tuple(arb(entry.mid(), size * (1 + abs(float(entry.mid())))) for entry in state)
        if not all(wide.contains(entry) for wide, entry in zip(box, state, strict=True)):
            return None
        boxes, count = [box], len(box)
        turn = [[arb(int(i == j)) for j in range(count)] for i in range(count)]
        for _ in range(period):
            here = self.at(boxes[-1])
            if not self._is_smooth(boxes[-1]):
                return None
            rows = [[evaluate(slope, here) for slope in row] for row in self.slopes]
            turn = [[sum((rows[i][k] * turn[k][j] for k in range(count)), arb(0)) for j in range(count)]
                    for i in range(count)]  # fmt: skip
            boxes.append(self.image(boxes[-1]))
        back = boxes.pop()
        inside = all(wide.contains_interior(entry) for wide, entry in zip(box, back, strict=True))
        shrinks = all(sum((abs(entry) for entry in row), arb(0)) < 1 for row in turn)
        return boxes if inside and shrinks else None

    def settles(self, claim: ConvergesTo | HasPeriod) -> bool | None:
        """By the boxes that the map contracts, or by an escape."""
        whole = isinstance(claim, HasPeriod) or claim.quantity == Tuple(*self.scene.state)
        if whole and self._escapes():
            return False
        boxes = self._trap()
        if boxes is None:
            return None
        apart = not any(
            all(a.overlaps(b) for a, b in zip(first, second, strict=True))
            for place, first in enumerate(boxes) for second in boxes[:place]
        )  # fmt: skip
        if isinstance(claim, HasPeriod):
            return len(boxes) == claim.args[0] if apart else None
        seen = [[evaluate(part, self.at(box)) for part in claim.quantity] for box in boxes]
        goals = [[evaluate(part, self.fixed) for part in point] for point in claim.points]
        if any(
            not any(all(a.overlaps(b) for a, b in zip(value, goal, strict=True)) for value in seen) for goal in goals
        ):
            return False
        held = any(all(a.contains(b) for a, b in zip(box, goals[0], strict=True)) for box in boxes)
        return True if whole and apart and held and len(boxes) == len(goals) and self._cycle(claim) else None

    def _cycle(self, claim: ConvergesTo) -> bool:
        turned = [*claim.points[1:], claim.points[0]]
        gaps = [self.scene.at(here, part) - value for here, there in zip(claim.points, turned, strict=True)
                for part, value in zip(self.scene.rule, there, strict=True)]  # fmt: skip
        if self.point is not None or not self.scene.variables:
            return all(true_at(Eq(gap, 0), self.point or {}) for gap in gaps)
        return all(same(gap, sp.S.Zero) for gap in gaps)

    def _escapes(self) -> bool:
        """A polynomial map of the line, so far out that every step at least doubles the distance."""
        if len(self.scene.state) != 1 or not self.scene.rule[0].is_polynomial(self.scene.state[0]):
            return False
        sizes = [abs(evaluate(c, self.fixed)) for c in sp.Poly(self.scene.rule[0], self.scene.state[0]).all_coeffs()]
        lead, rest = sizes[0], sum(sizes[1:], arb(0))
        for step in range(self.horizon + 1):
            state = self.state(step)
            if state is None:
                return False
            far = abs(state[0])
            if len(sizes) > 2 and far > 1 and lead * far > rest + 2:
                return True
            if len(sizes) == 2 and lead > 1 and (lead - 1) * far > rest:
                return True
        return False
