"""The rules for convergence, applied anew: affine systems, LaSalle, scalar flows, interval maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy import And, Eq, Expr, Gt, Le, Lt, Mul, Ne, Or, S, Symbol, Tuple
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.scene import Node, Scene, conditions, require, sides, timeless
from theory.temporal import ConvergesTo, HasPeriod


def _limit_claim(scene: Scene, claim: Any, *, points: int | None = None) -> Scene:
    require(isinstance(claim, ConvergesTo), "not a claim of convergence")
    require(points is None or claim.period == points, "not this many points")
    return timeless(scene, claim)


def _affine(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    scene = _limit_claim(scene, claim, points=1)
    matrix = sp.Matrix(scene.rule).jacobian(sp.Matrix(scene.state))
    require(not matrix.free_symbols & set(scene.state), "not affine")
    rest = node.facts["rest"]
    require(all(part.is_polynomial(*scene.state) for part in (*scene.rule, *claim.quantity)), "something may jump")
    scene.sound(node, *matrix, *rest)
    moved = [scene.at(rest, part) for part in scene.rule]
    node.need(scene.at_start, *(Eq(a, b if scene.discrete else 0) for a, b in zip(moved, rest, strict=True)))
    node.need(
        scene.at_start,
        *(Eq(scene.at(rest, part), value) for part, value in zip(claim.quantity, claim.points[0], strict=True)),
    )
    coefficients = matrix.charpoly().all_coeffs()
    if scene.discrete:
        coefficients = _cayley(coefficients)
    node.need(scene.at_start, *(Gt(value, 0) for value in _hurwitz_conditions(coefficients)))


def _cayley(coefficients: list[Expr]) -> list[Expr]:
    """The polynomial whose roots in the left half plane are those of the given one in the unit disc."""
    z, degree = Symbol("_z"), len(coefficients) - 1
    parts = [c * (1 + z) ** (degree - k) * (1 - z) ** k for k, c in enumerate(coefficients)]
    expanded = [sp.Poly(part, z, domain="EX") for part in parts]
    columns = [[part.coeff_monomial(z**power) for part in expanded] for power in range(degree, -1, -1)]
    return [sum(column, S.Zero) for column in columns]


def _hurwitz_conditions(coefficients: list[Expr]) -> list[Expr]:
    """Quantities whose positivity puts all roots into the left half plane (Lienard and Chipart)."""
    degree = len(coefficients) - 1
    hurwitz = sp.Matrix(degree, degree, lambda i, j: coefficients[p] if 0 <= (p := 2 * j - i + 1) <= degree else S.Zero)
    minors = [hurwitz[:size, :size].det(method="berkowitz") for size in range(degree - 1, 1, -2)]
    return [*coefficients, *minors] if degree > 1 else list(coefficients)


def _lasalle(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    from proofs_check.kernel.induction import closure, invariant

    scene = _limit_claim(scene, claim, points=1)
    parts = invariant(scene, node.parts[0])
    height, radius = node.facts["height"], node.facts["radius"]
    require(not radius.free_symbols & set(scene.state), "the radius is not fixed")
    inside = [*scene.known, *(closure(part) for part in parts), closure(scene.assumed), Le(height, scene.begin(height))]
    moved = scene.step(height) if scene.discrete else scene.rate(height)
    same = height if scene.discrete else S.Zero
    target = [Eq(part, value) for part, value in zip(claim.quantity, claim.points[0], strict=True)]
    node.need(inside, Le(moved, same))
    node.need([*inside, Eq(moved, same)], *target)
    node.need(inside, Le(sum((symbol**2 for symbol in scene.state), S.Zero), radius))
    valued = conditions(*scene.rule, height, *claim.quantity, smooth=not scene.discrete)
    node.need(inside, *valued)
    node.need(scene.at_start, *map(scene.begin, valued))  # else no state at all is on the level of the start
    scene.sound(node, radius, scene.begin(height), *sides(*target))


def _scalar_flow(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    scene = _limit_claim(scene, claim, points=1)
    require(not scene.discrete and claim.quantity == Tuple(*scene.state) and len(scene.state) == 1, "not a scalar flow")
    (x,), (speed,), (start,), (target,) = scene.state, scene.rule, scene.start, claim.points[0]
    require(target == node.facts["target"], "another target")
    node.need([*scene.known, Le(start, x), Lt(x, target)], Gt(speed, 0))
    node.need([*scene.known, Le(x, start), Lt(target, x)], Lt(speed, 0))
    node.need(scene.at_start, Eq(speed.subs(x, target), 0))
    between = Or(And(Le(start, x), Le(x, target)), And(Le(target, x), Le(x, start)))
    node.need([*scene.known, between], *conditions(speed, smooth=True))
    scene.sound(node, target)


class _Stage:
    """A map on a closed interval."""

    def __init__(self, scene: Scene, claim: ConvergesTo, node: Node) -> None:
        self.scene = _limit_claim(scene, claim)
        require(self.scene.discrete and len(self.scene.state) == 1, "not a map of the line")
        require(claim.quantity == Tuple(*self.scene.state), "not the state")
        self.x, self.rule, self.start = self.scene.state[0], self.scene.rule[0], self.scene.start[0]
        self.low, self.high = node.facts["ends"]
        self.points = [point[0] for point in claim.points]
        self.inside = [*self.scene.known, *self.between(self.x)]
        self.scene.sound(node, self.low, self.high, *self.points)
        node.need(self.scene.at_start, *self.between(self.start))
        node.need(self.inside, *self.between(self.rule))
        node.need(self.inside, *conditions(self.rule, smooth=True))

    def between(self, value: Expr) -> list[Boolean]:
        return [Le(self.low, value), Le(value, self.high)]

    def image(self, value: Expr) -> Expr:
        return self.rule.subs(self.x, value)

    def slope(self, value: Expr) -> Expr:
        return sp.diff(self.rule, self.x).subs(self.x, value)

    @property
    def tolerant(self) -> bool:
        return self.start in self.scene.almost_all and self.start not in self.rule.free_symbols


def _coppel(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    from proofs_check.kernel.induction import invariant

    _limit_claim(scene, claim, points=1)
    stage = _Stage(scene, claim, node)
    x, rule, (target,) = stage.x, stage.rule, stage.points
    begun, factors, bottom = stage.scene.at_start, node.facts["factors"], node.facts["denominator"]
    node.need(begun, Eq(stage.image(target), target), *stage.between(target))
    node.need(stage.scene.known, Eq((stage.image(rule) - x) * bottom, Mul(rule - x, *factors)))
    node.need(stage.inside, Ne(bottom, 0))
    for factor in factors:
        node.need([*stage.inside, Eq(factor, 0)], Eq(rule, x))
    others = node.facts["others"]
    if others == "none":
        node.need([*stage.inside, Eq(rule, x)], Eq(x, target))
        return
    node.need([*stage.inside, Eq(rule, x), Ne(x, target)], Gt(stage.slope(x) ** 2, 1))
    if others == "exceptional":
        require(stage.tolerant, "no exceptions are allowed")
    else:
        parts = invariant(stage.scene, node.parts[0])
        node.need([*stage.scene.known, *parts, Eq(rule, x)], Eq(x, target))


def _unimodal(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    require(set(scene.start) & set(scene.almost_all), "no exceptions are allowed")
    stage = _Stage(scene, claim, node)
    require(stage.tolerant, "no exceptions are allowed")
    x, begun = stage.x, stage.scene.at_start
    critical, multiplier = node.facts["critical"], node.facts["multiplier"]
    stage.scene.sound(node, critical, multiplier)
    slope = stage.slope(x)
    node.need(begun, Lt(stage.low, critical), Lt(critical, stage.high))
    _single_critical_point(node, stage, slope, critical)
    second, third = sp.diff(stage.rule, x, 2), sp.diff(stage.rule, x, 3)
    node.need([*stage.inside, Ne(slope, 0)], Lt(2 * slope * third - 3 * second**2, 0))
    turned = [*stage.points[1:], stage.points[0]]
    node.need(begun, *(Eq(stage.image(a), b) for a, b in zip(stage.points, turned, strict=True)))
    node.need(begun, Eq(Mul(*(stage.slope(point) for point in stage.points)), multiplier))
    node.need(begun, Lt(-1, multiplier), Lt(multiplier, 1))
    chain = node.facts["chain"]
    ends_meet = chain[0] == stage.low and chain[-1] == stage.high and chain[1] in stage.points
    require(ends_meet and len(chain) > 2, "the chain does not place a point of the cycle")
    stage.scene.sound(node, *chain)
    node.need(begun, *(Le(a, b) for a, b in pairwise(chain)))
    once = stage.image(critical)
    for (end, other), landing in zip(
        ((stage.low, stage.high), (stage.high, stage.low)), node.facts["landings"], strict=True
    ):
        fates = {
            "repelling": [Eq(stage.image(end), end), Gt(stage.slope(end) ** 2, 1)],
            "lands on the other end": [
                Eq(stage.image(end), other), Eq(stage.image(other), other), Gt(stage.slope(other) ** 2, 1)
            ],
            "value 1": [Eq(end, once)],
            "value 2": [Eq(end, stage.image(once))],
        }  # fmt: skip
        node.need(begun, *fates[landing])


def _single_critical_point(node: Node, stage: _Stage, slope: Expr, critical: Expr) -> None:
    """The derivative is (x - critical) times a factor that some obligation shows to be nonzero on the interval."""
    for _, _, concluded, _ in node.obligations:
        for part in concluded:
            if isinstance(part, Eq) and part.lhs == slope and (part.rhs / (stage.x - critical)).has(stage.x):
                factor = part.rhs / (stage.x - critical)
                node.need(stage.scene.known, part)
                node.need(stage.inside, Ne(factor, 0))
                return
    require(False, "the critical point may not be single")


def _rewritten(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    from proofs_check.kernel.induction import walk

    scene = _limit_claim(scene, claim)
    points = [tuple(point) for point in node.facts["points"]]
    same = [Eq(a, b) for old, new in zip(claim.points, points, strict=True) for a, b in zip(old, new, strict=True)]
    node.need(scene.at_start, *same)
    scene.sound(node, *sides(*same))
    walk(scene, ConvergesTo(claim.quantity, *points), node.parts[0])


def _named(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    from proofs_check.kernel.induction import walk

    scene = _limit_claim(scene, claim)
    require(claim.quantity == Tuple(*scene.state), "not the state")
    names, relations = set(node.facts["names"]), node.facts["relations"]
    points = [tuple(point) for point in node.facts["points"]]
    used = set().union(*(part.free_symbols for part in (*scene.rule, *scene.start)))
    require(not names & (used | scene.assumed.free_symbols), "a name that the dynamics use")
    for named, point in zip(claim.points, points, strict=True):
        vanish = [Eq(scene.at(named, part), 0) for part in relations]
        same = [Eq(a, b) for a, b in zip(named, point, strict=True)]
        node.need(scene.at_start, *vanish)
        node.need([*scene.known, *vanish], *same)
        scene.sound(node, *point)
    forgotten = replace(
        scene,
        variables={symbol: domain for symbol, domain in scene.variables.items() if symbol not in names},
        known=frozenset(part for part in scene.known if not part.free_symbols & names),
    )
    walk(forgotten, ConvergesTo(scene.state, *points), node.parts[0])


def _period(scene: Scene, claim: Any, node: Node) -> None:
    from proofs_check.kernel.induction import walk

    require(isinstance(claim, HasPeriod), "not a claim about a period")
    scene = timeless(scene, claim)
    points = [tuple(point) for point in node.facts["points"]]
    require(len(points) == claim.args[0] and (scene.discrete or len(points) == 1), "another period")
    for place, first in enumerate(points):
        for second in points[:place]:
            node.need(scene.at_start, Or(*(Ne(a, b) for a, b in zip(first, second, strict=True))))
    walk(scene, ConvergesTo(scene.state, *points), node.parts[0])


CONVERGENCE: dict[str, Callable[[Scene, Any, Node], None]] = {
    "affine": _affine,
    "lasalle": _lasalle,
    "scalar-flow": _scalar_flow,
    "coppel": _coppel,
    "unimodal": _unimodal,
    "rewritten": _rewritten,
    "named": _named,
    "period": _period,
}
"""Rules by name."""
