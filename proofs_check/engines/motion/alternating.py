"""Maps that decrease on an interval: every orbit converges to a fixed point or a cycle of two points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sympy import And, Eq, Expr, Gt, Le, Mul, Ne, Poly, S, Symbol, cancel, diff, expand, factor_list, fraction
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.engines.motion import candidates
from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError, first_success
from proofs_check.engines.motion.inductive import well_posed
from proofs_check.engines.motion.trajectory import Setting
from theory.language.definedness import smooth_where
from theory.temporal import ConvergesTo

NOTE = "where a map decreases its second iterate increases: every orbit settles on a fixed point or on two points"


def alternating(setting: Setting, limits: Sequence[Boolean], desk: Desk) -> Argument:
    """Between a critical point and its image the map decreases; the limits named are all that there are."""
    plain = all(isinstance(part, ConvergesTo) and part.period <= 2 for part in limits)
    if not (plain and setting.discrete and len(setting.state) == 1 and smooth_where(setting.rule) is not None):
        raise UnprovedError("no limits of a smooth map of the line")
    (x,) = setting.state
    cycles = [[point[0] for point in part.points] for part in limits if part.quantity[0] == x]
    if len(cycles) < len(limits):
        raise UnprovedError("not the state")
    repelling = _repelling(setting, [point for cycle in cycles for point in cycle], desk)
    turns = candidates.critical_points(setting)
    return first_success((partial(_from, setting, cycles, turn, repelling, desk) for turn in turns), desk)


def _repelling(setting: Setting, named: Sequence[Expr], desk: Desk) -> list[Expr]:
    """Fixed points beside those that are named which repel, where the statement allows exceptions in the start."""
    (x,), (rule,), (start,) = setting.state, setting.rule, setting.start
    if start not in setting.almost_all or start in rule.free_symbols:
        return []
    others = [point for point in candidates.short_roots(rule - x, x) if point not in named]
    return [point for point in others if desk.proves(setting.at_start(_repels(rule, x, point)))]


def _repels(rule: Expr, x: Symbol, point: Expr) -> Boolean:
    return Gt(diff(rule, x).subs(x, point) ** 2, 1)


def _from(
    setting: Setting, limits: Sequence[Sequence[Expr]], low: Expr, repelling: Sequence[Expr], desk: Desk
) -> Argument:
    (x,), (rule,), (start,) = setting.state, setting.rule, setting.start
    high, cycles = rule.subs(x, low), [*limits, *([point] for point in repelling)]
    points = [point for cycle in cycles for point in cycle]
    top, bottom = fraction(cancel(rule.subs(x, rule) - x))
    factors = _others(top, x, points)
    before, inside = (Le(start, x), Le(x, low)), (Le(low, x), Le(x, high))
    turned = [Eq(rule.subs(x, a), b) for cycle in cycles for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    ends = ((start, high), (rule.subs(x, low), high), (low, rule.subs(x, high)))
    product = Mul(*(x - point for point in points), *factors)
    smooth = smooth_where(setting.rule)
    kept = [] if smooth is None or isinstance(smooth, BooleanTrue) else [smooth]
    obligations = [
        *(desk.require("repels", setting.at_start(_repels(rule, x, point))) for point in repelling),
        *(desk.require("cycle", setting.at_start(part)) for part in turned),
        *(desk.require("ends", setting.at_start(Le(*pair))) for pair in ends),
        *(desk.require("rises", setting.anywhere(before, part)) for part in (*kept, Gt(rule, x), Le(rule, high))),
        *(desk.require("falls", setting.anywhere(inside, part)) for part in (*kept, Le(diff(rule, x), 0))),
        *(desk.require("no other", setting.anywhere(inside, Ne(factor, 0))) for factor in factors),
        desk.require("return", setting.anywhere((), Eq((rule.subs(x, rule) - x) * bottom, product))),
        *well_posed(setting, [And(*turned)], desk, [low, high, *points]),
    ]
    facts = {"low": low, "high": high, "factors": factors, "denominator": bottom, "excepted": list(repelling)}
    return Argument("alternating", facts, tuple(obligations), notes=(NOTE,))


def _others(top: Expr, x: Symbol, points: Sequence[Expr]) -> list[Expr]:
    """Factors that together with x minus each of the points make a polynomial."""
    number, found = factor_list(top, x)
    factors = [number] if number != 1 else []
    for part, power in found:
        there = [point for point in points if expand(part.subs(x, point)) == 0]
        factors += [*([part] * (power - 1)), *_divided(Poly(part, x), there)]
    return factors


def _divided(part: Poly, there: Sequence[Expr]) -> list[Expr]:
    """The factors of a polynomial beside its zeros; where its mirror image is the same they are known to be others."""
    (x,), degree = part.gens, part.degree()
    if 2 * len(there) == degree and part.compose(Poly(-x, x)) == part:
        return [part.LC(), *(x + point for point in there)]
    coefficients = part.all_coeffs()
    for point in there:
        kept = [S.Zero]
        for value in coefficients:
            kept.append(expand(value + kept[-1] * point))
        coefficients = kept[1:-1]
    quotient = Poly(coefficients, x).as_expr()
    return [quotient] if quotient != 1 else []
