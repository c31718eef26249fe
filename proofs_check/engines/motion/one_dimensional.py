"""Convergence in one dimension: monotone flows, interval maps without 2-cycles, and S-unimodal maps.

The rules rest on classical theorems, named where they are used; all their hypotheses become obligations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, permutations

from sympy import (
    Add,
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Lt,
    Mul,
    Ne,
    Or,
    Poly,
    S,
    Symbol,
    cancel,
    diff,
    expand,
    factor_list,
    fraction,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.engines.motion import candidates
from proofs_check.engines.motion.alternating import alternating
from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError, first_success
from proofs_check.engines.motion.barrier import closed
from proofs_check.engines.motion.inductive import inductive, well_posed
from proofs_check.engines.motion.invariants import invariants
from proofs_check.engines.motion.sampling import Sample, function_of, not_excluded, samples
from proofs_check.engines.motion.trajectory import Setting, joined
from theory.language.definedness import continuous_where, smooth_where
from theory.temporal import ConvergesTo

_GRID = 33
_MOST_INTERVALS = 4
_MOST_MARKS = 24

SINGER = (
    "S-unimodal map with an attracting cycle: almost every start converges to it (Singer 1978, Guckenheimer 1979;"
    " de Melo and van Strien, One-Dimensional Dynamics, II.6 and III.5)"
)
COPPEL = "an interval map without 2-cycles: every orbit converges to a fixed point (Coppel 1955)"
NEARER = "every step brings the state nearer to the limit, which no other state keeps at its distance (LaSalle)"
REPELLING = "an orbit converges to a repelling fixed point only by landing on it, which countably many starts do"


def scalar_flow(setting: Setting, target: Expr, desk: Desk) -> Argument:
    """The velocity points to the target all the way from the start, so the trajectory is monotone and bounded."""
    x, speed, start = setting.state[0], setting.rule[0], setting.start[0]
    where = smooth_where((speed,))
    if where is None:
        raise UnprovedError("the velocity may have kinks")
    between = Or(And(Le(start, x), Le(x, target)), And(Le(target, x), Le(x, start)))
    obligations = [
        desk.require("rises", setting.anywhere((Le(start, x), Lt(x, target)), Gt(speed, 0))),
        desk.require("falls", setting.anywhere((Le(x, start), Lt(target, x)), Lt(speed, 0))),
        desk.require("equilibrium", setting.at_start(Eq(speed.subs(x, target), 0))),
        *well_posed(setting, [Eq(x, target)], desk),
    ]
    if not isinstance(where, BooleanTrue):
        obligations.append(desk.require("smooth", setting.anywhere((between,), where)))
    note = "a scalar flow moves monotonically to the first equilibrium on its way"
    return Argument("scalar-flow", {"target": target}, tuple(obligations), notes=(note,))


def nearer(setting: Setting, target: Expr, desk: Desk) -> Argument:
    """Every state is brought nearer to the target, be it on the same side or on the other."""
    x, rule, start = setting.state[0], setting.rule[0], setting.start[0]
    where = continuous_where((rule,))
    if where is None:
        raise UnprovedError("the map may jump")
    named = [*candidates.start_region(setting), *candidates.signs(setting)]
    sets: dict[tuple[Boolean, ...], Argument] = {}
    for pool in ([*named, Ge(x, target), Le(x, target)], named):
        with suppress(UnprovedError):
            known = inductive(setting, pool, desk)
            sets.setdefault(known.parts, known.argument)
    still = [
        desk.require("fixed", setting.at_start(Eq(rule.subs(x, target), target))),
        *well_posed(setting, [], desk, [target, rule.subs(x, target)]),
    ]

    def within(parts: tuple[Boolean, ...], why: Argument) -> Argument:
        parts = joined(*parts, setting.assumed)
        ends = [part for part in parts if isinstance(part, (Gt, Lt)) and [x] == [s for s in part.args if s.has(x)]]
        around = [part.subs(x, target) for part in ends]
        given = [*ends, *(closed(setting, part) for part in parts if part not in ends)]
        right, left = [*given, Lt(target, x)], [*given, Lt(x, target)]
        goals = [
            *((right, goal) for goal in (Lt(rule, x), Gt(rule + x, 2 * target))),
            *((left, goal) for goal in (Gt(rule, x), Lt(rule + x, 2 * target))),
            ([*given, Le((x - target) ** 2, (start - target) ** 2)], where),
        ]
        obligations = [*still, *well_posed(setting, around, desk)]
        obligations += [desk.require("end", setting.at_start(part)) for part in around]
        obligations += [desk.require("nearer", setting.anywhere(*goal)) for goal in goals]
        return Argument("nearer", {"target": target}, tuple(obligations), (why,), (NEARER,))

    return first_success((partial(within, *item) for item in sets.items()), desk)


def interval_rules(setting: Setting, points: Sequence[Expr], desk: Desk) -> Iterator[Callable[[], Argument]]:
    """The rules for interval maps, each with a few candidate intervals."""
    if smooth_where(setting.rule) is None:
        return
    if len(points) <= 2:
        yield partial(alternating, setting, [ConvergesTo(setting.state, *points)], desk)
    seen = samples(setting, points=4, steps=200, seconds=desk.budget.seconds_for("motion, trajectories of the line"))
    found = _intervals(setting, points, seen)
    if len(points) == 1:
        for ends in found[:_MOST_INTERVALS]:
            yield partial(_coppel, setting, points[0], ends, desk)
    if allows_exceptions(setting):
        for ends, c in _with_one_turn(setting, found, seen)[:_MOST_INTERVALS]:
            yield partial(_unimodal, setting, points, ends, c, seen, desk)


def allows_exceptions(setting: Setting) -> bool:
    """Whether the start is a variable for which the statement allows an exceptional set of measure zero.

    A rule that knows the start may send all of them to the exceptions.
    """
    start = setting.start[0]
    return start in setting.almost_all and start not in setting.rule[0].free_symbols


Ends = tuple[Expr, Expr]


def _intervals(setting: Setting, points: Sequence[Expr], seen: Sequence[Sample]) -> list[Ends]:
    """Pairs of landmarks that enclose start and target and seem to be mapped into themselves, the shortest first."""
    if not seen:
        return []
    x = setting.state[0]
    given = [
        side
        for part in candidates.start_region(setting)
        if isinstance(part, Relational) and x in part.args
        for side in part.args
        if side != x and not side.has(x)
    ]
    marks = list(dict.fromkeys([*given, *candidates.landmarks(setting), *setting.start]))[:_MOST_MARKS]
    names = list(setting.variables)
    rule = function_of(setting.rule[0], [*names, x])
    values = {mark: function_of(mark, names) for mark in (*marks, *points)}
    found: list[tuple[float, Ends]] = []
    for low, high in permutations(marks, 2):
        widths = [_trapped(sample, values[low], values[high], rule, [values[p] for p in points]) for sample in seen]
        if all(width > 0 for width in widths):
            found.append((widths[0], (low, high)))
    return [ends for _, ends in sorted(found, key=lambda item: (item[0], str(item[1])))]


def _trapped(
    sample: Sample,
    low: Callable[..., float],
    high: Callable[..., float],
    rule: Callable[..., float],
    points: Sequence[Callable[..., float]],
) -> float:
    fixed = sample.fixed.values()
    a, b = low(*fixed), high(*fixed)
    slack = 1e-9 * (1 + abs(a) + abs(b))
    inside = [sample.states[0][0], *(point(*fixed) for point in points)]
    grid = [a + (b - a) * place / (_GRID - 1) for place in range(_GRID)]
    inside += [rule(*fixed, place) for place in grid]
    good = math.isfinite(a) and math.isfinite(b) and all(a - slack <= value <= b + slack for value in inside)
    return b - a if good else -1.0


def _with_one_turn(setting: Setting, found: Sequence[Ends], seen: Sequence[Sample]) -> list[tuple[Ends, Expr]]:
    """Intervals that seem to hold one critical point and to have ends of a known fate, the simplest first."""
    names, x, rule = list(setting.variables), setting.state[0], setting.rule[0]
    image, slope = (function_of(part, [*names, x]) for part in (rule, diff(rule, x)))
    critical = {c: function_of(c, names) for c in candidates.critical_points(setting)}
    chosen = []
    for ends in found:
        low, high = (function_of(end, names) for end in ends)
        for c, place in critical.items():
            if all(
                _one_turn([*sample.fixed.values()], (low, high), place, list(critical.values()), image, slope)
                for sample in seen
            ):
                chosen.append((ends, c))
    natural = {*candidates.critical_values(setting), *candidates.short_roots(rule - x, x)}

    def effort(item: tuple[Ends, Expr]) -> tuple[int, int, str]:
        unnatural = sum(end not in natural for end in item[0])
        return unnatural, int(item[0][0].count_ops() + item[0][1].count_ops()), str(item)

    return sorted(chosen, key=effort)


def _one_turn(
    fixed: list[float],
    ends: tuple[Callable[..., float], Callable[..., float]],
    critical: Callable[..., float],
    others: Sequence[Callable[..., float]],
    image: Callable[..., float],
    slope: Callable[..., float],
) -> bool:
    low, high = (end(*fixed) for end in ends)
    c = critical(*fixed)
    inside = [value for value in (other(*fixed) for other in others) if low < value < high]
    once = image(*fixed, c)
    orbit = (once, image(*fixed, once))
    slack = 1e-9 * (1 + abs(low) + abs(high))
    repelling = [end for end in (low, high) if abs(image(*fixed, end) - end) < slack and abs(slope(*fixed, end)) > 1]
    known = all(
        end in repelling or any(abs(image(*fixed, end) - other) < slack for other in repelling)
        or any(abs(end - value) < slack for value in orbit)
        for end in (low, high)
    )  # fmt: skip
    return len(inside) == 1 and inside[0] == c and known


@dataclass(frozen=True)
class Interval:
    """A closed interval with a map on it: the goals that both rules share."""

    setting: Setting
    ends: Ends

    @property
    def x(self) -> Symbol:
        """The state."""
        return self.setting.state[0]

    @property
    def inside(self) -> Boolean:
        """The state lies in the interval."""
        return self.contains(self.x)

    def contains(self, value: Expr) -> Boolean:
        """A value lies in the interval."""
        return And(Le(self.ends[0], value), Le(value, self.ends[1]))

    def mapped(self, value: Expr) -> Expr:
        """The image of a value."""
        return self.setting.rule[0].subs(self.x, value)

    def slope(self, value: Expr) -> Expr:
        """The derivative at a value."""
        return diff(self.setting.rule[0], self.x).subs(self.x, value)

    def common(self, desk: Desk, numbers: Sequence[Expr]) -> list[Obligation]:
        """The interval contains the start, the map is smooth on it and maps it into itself."""
        setting = self.setting
        where = smooth_where(setting.rule)
        obligations = [
            desk.require("start", setting.at_start(self.contains(setting.start[0]))),
            *(
                desk.require("into itself", setting.anywhere((self.inside,), part))
                for part in self.contains(setting.rule[0]).args
            ),
            *well_posed(setting, [], desk, [*self.ends, *numbers]),
        ]
        if not isinstance(where, BooleanTrue):
            obligations.append(desk.require("smooth", setting.anywhere((self.inside,), where)))
        return obligations


def _coppel(setting: Setting, target: Expr, ends: Ends, desk: Desk) -> Argument:
    """No 2-cycles in an interval mapped into itself; the target is the only fixed point, or the others repel."""
    stage = Interval(setting, ends)
    x, rule = stage.x, setting.rule[0]
    obligations = stage.common(desk, [target])
    factors, denominator = return_factors(stage)
    product = Mul(rule - x, *factors)
    obligations += [
        desk.require("return", setting.anywhere((), Eq((stage.mapped(rule) - x) * denominator, product))),
        *(desk.require("no 2-cycle", setting.anywhere((stage.inside, Eq(part, 0)), Eq(rule, x))) for part in factors),
        desk.require("denominator", setting.anywhere((stage.inside,), Ne(denominator, 0))),
        desk.require("fixed", setting.at_start(And(Eq(stage.mapped(target), target), stage.contains(target)))),
    ]
    only = setting.anywhere((stage.inside, Eq(rule, x)), Eq(x, target))
    facts: dict[str, object] = {"ends": list(ends), "target": target, "factors": factors, "denominator": denominator}
    if desk.proves(only):
        obligations.append(desk.require("only fixed point", only))
        return Argument("coppel", {**facts, "others": "none"}, tuple(obligations), notes=(COPPEL,))
    repel = setting.anywhere((stage.inside, Eq(rule, x), Ne(x, target)), Gt(stage.slope(x) ** 2, 1))
    obligations.append(desk.require("others repel", repel))
    if allows_exceptions(setting):
        facts["others"] = "exceptional"
        return Argument("coppel", facts, tuple(obligations), notes=(COPPEL, REPELLING))
    return _never_landing(setting, stage, target, facts, obligations, desk)


def return_factors(stage: Interval) -> tuple[list[Expr], Expr]:
    """Factors and a denominator with (F(F(x)) - x) * denominator = (F(x) - x) * product of the factors."""
    rule = stage.setting.rule[0]
    top, bottom = fraction(cancel((stage.mapped(rule) - stage.x) / (rule - stage.x)))
    number, found = factor_list(top)
    parts = [part for part, power in found for _ in range(power)]
    return ([number, *parts] if number != 1 else parts), bottom


def _never_landing(
    setting: Setting, stage: Interval, target: Expr, facts: dict[str, object], obligations: list[Obligation], desk: Desk
) -> Argument:
    """The other fixed points repel, and an invariant set keeps the trajectory from landing on one of them."""
    for known in invariants(setting, None, desk):
        avoided = setting.anywhere((*known.parts, Eq(setting.rule[0], stage.x)), Eq(stage.x, target))
        if desk.proves(avoided):
            needs = (*obligations, desk.require("avoided", avoided))
            facts = {**facts, "others": "avoided", "set": list(known.parts)}
            return Argument("coppel", facts, needs, (known.argument,), (COPPEL, REPELLING))
    raise UnprovedError("the trajectory may land on another fixed point")


def _unimodal(
    setting: Setting, points: Sequence[Expr], ends: Ends, critical: Expr, seen: Sequence[Sample], desk: Desk
) -> Argument:
    """The obligations of the S-unimodal rule.

    With negative Schwarzian derivative every cycle that does not repel attracts the critical point or an end of the
    interval (Singer). Each end lies on the orbit of the critical point or lands on a repelling fixed point, so the
    target is the only cycle that does not repel, the critical point is in its basin, and what is left out of the
    basin is an expanding set of measure zero (Guckenheimer; also Mane 1985).
    """
    stage = Interval(setting, ends)
    x, rule = stage.x, setting.rule[0]
    first, second, third = (diff(rule, x, order) for order in (1, 2, 3))
    product = Mul(*(stage.slope(point) for point in points))
    multiplier = cancel(expand(product))
    cycle = [Eq(stage.mapped(a), b) for a, b in zip(points, (*points[1:], points[0]), strict=True)]
    obligations = [
        desk.require("multiplier", setting.at_start(Eq(product, multiplier))),
        desk.require("attracting", setting.at_start(And(Lt(-1, multiplier), Lt(multiplier, 1)))),
        *stage.common(desk, [critical, multiplier, *points]),
        desk.require("critical", setting.at_start(And(Lt(ends[0], critical), Lt(critical, ends[1])))),
        *_one_critical_point(stage, critical, desk),
        desk.require(
            "schwarzian", setting.anywhere((stage.inside, Ne(first, 0)), Lt(2 * first * third - 3 * second**2, 0))
        ),
        *(desk.require("cycle", setting.at_start(part)) for part in cycle),
    ]
    chain, needs = _one_point_inside(stage, _innermost_first(setting, points, ends, seen), seen, desk)
    obligations += needs
    landings = []
    for end, other in (ends, ends[::-1]):
        landing, needs = _landing(stage, end, other, critical, seen, desk)
        landings.append(landing)
        obligations += needs
    facts = {
        "ends": list(ends), "critical": critical, "multiplier": multiplier, "points": list(points),
        "landings": landings, "chain": chain,
    }  # fmt: skip
    return Argument("unimodal", facts, tuple(obligations), notes=(SINGER,))


def _one_critical_point(stage: Interval, critical: Expr, desk: Desk) -> list[Obligation]:
    """The derivative is (x - critical) times a factor without zeros, so the critical point is single and quadratic."""
    setting, x = stage.setting, stage.x
    other = divided(stage.slope(x), x, critical)
    return [
        desk.require("derivative", setting.anywhere((), Eq(stage.slope(x), (x - critical) * other))),
        desk.require("unimodal", setting.anywhere((stage.inside,), Ne(other, 0))),
    ]


def _one_point_inside(
    stage: Interval, points: Sequence[Expr], seen: Sequence[Sample], desk: Desk
) -> tuple[list[Expr], list[Obligation]]:
    """One point of the cycle lies in the interval, and with it the whole cycle, because the map keeps the interval.

    A fixed point that seems to lie between the point and an end serves as a stepping stone: two easy comparisons
    instead of a hard one.
    """
    setting = stage.setting
    low, high = stage.ends
    for point in points:
        fixed = candidates.short_roots(setting.rule[0] - stage.x, stage.x)
        stones = [mark for mark in fixed if len(_possible(setting, point, mark, high, seen)) == 2]
        chain = [low, point, *stones[:1], high]
        goals = [setting.at_start(Le(a, b)) for a, b in pairwise(chain)]
        if all(desk.proves(goal) for goal in goals):
            placed = [desk.require("cycle inside", goal) for goal in goals]
            return chain, [*placed, *well_posed(setting, [], desk, chain)]
    raise UnprovedError("the cycle may lie outside the interval")


def _possible(setting: Setting, low: Expr, middle: Expr, high: Expr, seen: Sequence[Sample]) -> list[Boolean]:
    return not_excluded(setting, [Le(low, middle), Le(middle, high)], seen)


def divided(polynomial: Expr, symbol: Symbol, root: Expr) -> Expr:
    """The quotient of a polynomial by (symbol - root), by Horner's rule; the remainder is ignored.

    >>> x = Symbol("x")
    >>> divided(x**2 - 4, x, 2)
    x + 2
    """
    if not polynomial.is_polynomial(symbol):
        raise UnprovedError("the derivative is no polynomial")
    value, quotient = S.Zero, []
    for coefficient in Poly(polynomial, symbol).all_coeffs()[:-1]:
        value = coefficient + root * value
        quotient.append(value)
    return Add(*(part * symbol**power for power, part in enumerate(reversed(quotient))))


def _landing(
    stage: Interval, end: Expr, other: Expr, critical: Expr, seen: Sequence[Sample], desk: Desk
) -> tuple[str, list[Obligation]]:
    """Why an end of the interval cannot belong to the basin of a second cycle."""
    setting = stage.setting
    once = stage.mapped(critical)
    fates = {
        "repelling": And(Eq(stage.mapped(end), end), Gt(stage.slope(end) ** 2, 1)),
        "lands on the other end": And(
            Eq(stage.mapped(end), other), Eq(stage.mapped(other), other), Gt(stage.slope(other) ** 2, 1)
        ),
        "value 1": Eq(end, once),
        "value 2": Eq(end, stage.mapped(once)),
    }
    for name, formula in fates.items():
        if not_excluded(setting, [formula], seen) and desk.proves(setting.at_start(formula)):
            return name, [desk.require(name, setting.at_start(formula))]
    raise UnprovedError("an end of the interval may have another fate")


def _innermost_first(setting: Setting, points: Sequence[Expr], ends: Ends, seen: Sequence[Sample]) -> list[Expr]:
    """The points ordered by their distance from the ends of the interval in a sample, which makes proofs easier."""
    names, fixed = list(setting.variables), [*seen[0].fixed.values()]
    low, high = (function_of(end, names)(*fixed) for end in ends)
    places = {point: function_of(point, names)(*fixed) for point in points}
    return sorted(points, key=lambda point: abs(places[point] - (low + high) / 2))
