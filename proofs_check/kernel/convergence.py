"""The rules for convergence, applied anew: affine systems, LaSalle, scalar flows, interval maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy import And, Dummy, Eq, Expr, Gt, Le, Lt, Mul, Ne, Or, S, Tuple
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.argument import walk
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.invariant import closure, invariant
from proofs_check.kernel.scene import Node, Scene, conditions, conjuncts, require, sides, timeless
from proofs_check.kernel.solutions import lasts
from proofs_check.kernel.trust import rests_on
from theory.temporal import ConvergesTo, HasPeriod, put_at_once


def _limit_claim(scene: Scene, claim: Any, *, points: int | None = None) -> Scene:
    require(isinstance(claim, ConvergesTo), "not a claim of convergence")
    require(points is None or claim.period == points, "not this many points")
    scene.constant(*claim.points)
    return timeless(scene, claim)


def _affine(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """x -> M x + b, or x' = M x + b, with all eigenvalues of M inside the unit disc, or left of the imaginary axis.

    Every start then converges to the rest point (Jury; Routh and Hurwitz; Lienard and Chipart; Gantmacher, The Theory
    of Matrices, XV). Hypotheses: the rule is a polynomial of degree 1 in the state; the rest point is constant and
    does not move; the criterion holds strictly for every factor of the characteristic polynomial; the quantity is a
    polynomial and has the target as its value at rest.
    """
    scene = _limit_claim(scene, claim, points=1)
    matrix = sp.Matrix(scene.rule).jacobian(sp.Matrix(scene.state))
    require(not matrix.free_symbols & set(scene.state), "not affine")
    rest = node.facts["rest"]
    scene.constant(*rest)
    require(all(part.is_polynomial(*scene.state) for part in (*scene.rule, *claim.quantity)), "something may jump")
    characteristic = matrix.charpoly().all_coeffs()
    factors = [list(factor) for factor in node.facts.get("factors", [characteristic])]
    scene.sound(node, *matrix, *rest, *(number for factor in factors for number in factor))
    moved = [scene.at(rest, part) for part in scene.rule]
    node.need(scene.at_start, *(Eq(a, b if scene.discrete else 0) for a, b in zip(moved, rest, strict=True)))
    node.need(
        scene.at_start,
        *(Eq(scene.at(rest, part), value) for part, value in zip(claim.quantity, claim.points[0], strict=True)),
    )
    z = Dummy("z")
    product = Mul(*(_polynomial(factor, z) for factor in factors))
    require(same(product, _polynomial(characteristic, z)), "the factors are not those of the characteristic polynomial")
    rests_on("Jury" if scene.discrete else "Routh-Hurwitz")
    for factor in factors:
        coefficients = cayley(factor) if scene.discrete else factor
        node.need(scene.at_start, *(Gt(value, 0) for value in hurwitz_conditions(coefficients)))


def _polynomial(coefficients: list[Expr], z: Dummy) -> Expr:
    return sp.Add(*(number * z**power for power, number in enumerate(reversed(coefficients))))


def cayley(coefficients: list[Expr]) -> list[Expr]:
    """The polynomial whose roots in the left half plane are those of the given one in the unit disc."""
    z, degree = Dummy("z"), len(coefficients) - 1
    parts = [c * (1 + z) ** (degree - k) * (1 - z) ** k for k, c in enumerate(coefficients)]
    expanded = [sp.Poly(part, z, domain="EX") for part in parts]
    columns = [[part.coeff_monomial(z**power) for part in expanded] for power in range(degree, -1, -1)]
    return [sum(column, S.Zero) for column in columns]


def hurwitz_conditions(coefficients: list[Expr]) -> list[Expr]:
    """Quantities whose positivity puts all roots into the left half plane (Lienard and Chipart)."""
    degree = len(coefficients) - 1
    hurwitz = sp.Matrix(degree, degree, lambda i, j: coefficients[p] if 0 <= (p := 2 * j - i + 1) <= degree else S.Zero)
    minors = [hurwitz[:size, :size].det(method="berkowitz") for size in range(degree - 1, 1, -2)]
    return [*coefficients, *minors] if degree > 1 else list(coefficients)


def _lasalle(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """LaSalle's invariance principle (LaSalle, The Stability of Dynamical Systems; Khalil, Nonlinear Systems, 4.2).

    The trajectory stays in a set that is shown to be invariant, the start included. On the closure of that set, made
    of relations with continuous sides only, the height V is continuous (C1 for a flow) and does not increase. A map
    may use V <= V(start) for that, by induction over the steps; a flow may not, because it could leave that level
    from a critical point of V. What is left of the closure below the level of the start is bounded by a constant,
    hence compact; the rule and the quantity are continuous (smooth) on it, so the solution exists for ever. Limit
    points lie where V stays the same, and there the quantity has its target value.
    """
    rests_on("LaSalle")
    scene = _limit_claim(scene, claim, points=1)
    parts = invariant(scene, node.parts[0])
    height, radius = node.facts["height"], node.facts["radius"]
    scene.constant(radius)
    closed = [*scene.known, *(closure(scene, part) for part in parts), closure(scene, scene.assumed)]
    inside = [*closed, Le(height, scene.begin(height))]
    moved = scene.step(height) if scene.discrete else scene.rate(height)
    same = height if scene.discrete else S.Zero
    target = [Eq(part, value) for part, value in zip(claim.quantity, claim.points[0], strict=True)]
    node.need(inside if scene.discrete else closed, Le(moved, same))
    node.need([*inside, Eq(moved, same)], *target)
    node.need(inside, Le(sum((symbol**2 for symbol in scene.state), S.Zero), radius))
    node.need(closed, *conditions(height, smooth=not scene.discrete))
    node.need(inside, *conditions(*scene.rule, *claim.quantity, smooth=not scene.discrete))
    scene.sound(node, radius, scene.begin(height), *sides(*target))


def _scalar_flow(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """A scalar flow moves monotonically to the first equilibrium on its way.

    Hypotheses: the velocity points to the target strictly between start and target, vanishes at the target, which is
    constant, and is smooth on the closed interval between them.
    """
    scene = _limit_claim(scene, claim, points=1)
    require(not scene.discrete and claim.quantity == Tuple(*scene.state) and len(scene.state) == 1, "not a scalar flow")
    (x,), (speed,), (start,), (target,) = scene.state, scene.rule, scene.start, claim.points[0]
    require(target == node.facts["target"], "another target")
    node.need([*scene.known, Le(start, x), Lt(x, target)], Gt(speed, 0))
    node.need([*scene.known, Le(x, start), Lt(target, x)], Lt(speed, 0))
    node.need(scene.at_start, Eq(put_at_once(speed, {x: target}), 0))
    between = Or(And(Le(start, x), Le(x, target)), And(Le(target, x), Le(x, start)))
    node.need([*scene.known, between], *conditions(speed, smooth=True))
    scene.sound(node, target)


def _nearer(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """A continuous map of the line that brings every state nearer to a fixed point draws all of them to it.

    LaSalle with the distance d. The trajectory stays in a set that is shown to be invariant, and as near to the target
    as the start; there the map is continuous, and 2 target - x < F(x) < x right of the target, x < F(x) < 2 target - x
    left of it. The target is constant and fixed. The set is closed but for open ends b on either side of the target:
    were b a limit point, then d > |b - target| at every step, so that the state would stay beyond the mirror image of b
    in the target, on the other side, and have its limit points there, in the set.
    """
    rests_on("LaSalle")
    scene = _limit_claim(scene, claim, points=1)
    require(scene.discrete and claim.quantity == Tuple(*scene.state) and len(scene.state) == 1, "not a map of the line")
    (x,), (rule,), (start,), (target,) = scene.state, scene.rule, scene.start, claim.points[0]
    parts = conjuncts(*invariant(scene, node.parts[0]), scene.assumed)
    ends = {part for part in parts if part.func in (Gt, Lt) and [x] == [side for side in part.args if side.has(x)]}
    around = [scene.at([target], part) for part in ends]
    scene.sound(node, target, scene.at([target], rule), *sides(*around))
    node.need(scene.at_start, Eq(scene.at([target], rule), target), *around)
    inside = [*scene.known, *ends, *(closure(scene, part) for part in parts if part not in ends)]
    inside.append(Le((x - target) ** 2, (start - target) ** 2))
    node.need(inside, *conditions(rule))
    node.need([*inside, Lt(target, x)], Lt(rule, x), Gt(rule + x, 2 * target))
    node.need([*inside, Lt(x, target)], Gt(rule, x), Lt(rule + x, 2 * target))


def _decay(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """A quantity whose squared distance V to the target loses a fixed part in every step tends to the target.

    V(F(x)) <= (1 - pace) V(x) on an invariant set of the trajectory, on which the map has values; along a flow that
    exists for ever V' <= -pace V, the quantity being differentiable there (Gronwall). The pace is a positive constant.
    """
    scene = _limit_claim(scene, claim, points=1)
    pace = node.facts["pace"]
    scene.constant(pace)
    scene.sound(node, pace, *claim.points[0])
    parts = zip(claim.quantity, claim.points[0], strict=True)
    distance = sum(((part - value) ** 2 for part, value in parts), S.Zero)
    inside = [*scene.known, *invariant(scene, node.parts[0]), scene.assumed]
    node.need(scene.at_start, Gt(pace, 0))
    if scene.discrete:
        node.need(inside, *scene.values(*scene.rule, *claim.quantity), Le(scene.step(distance), (1 - pace) * distance))
        return
    rests_on("Gronwall")
    node.need(inside, *conditions(*claim.quantity, smooth=True), Le(scene.rate(distance), -pace * distance))
    lasts(scene, node.parts[1])


class _Stage:
    """A map on a closed interval."""

    def __init__(self, scene: Scene, claim: ConvergesTo, node: Node) -> None:
        self.scene = _limit_claim(scene, claim)
        require(self.scene.discrete and len(self.scene.state) == 1, "not a map of the line")
        require(claim.quantity == Tuple(*self.scene.state), "not the state")
        self.x, self.rule, self.start = self.scene.state[0], self.scene.rule[0], self.scene.start[0]
        self.low, self.high = node.facts["ends"]
        self.scene.constant(self.low, self.high)
        self.points = [point[0] for point in claim.points]
        self.inside = [*self.scene.known, *self.between(self.x)]
        self.scene.sound(node, self.low, self.high, *self.points)
        node.need(self.scene.at_start, *self.between(self.start))
        node.need(self.inside, *self.between(self.rule))
        node.need(self.inside, *conditions(self.rule, smooth=True))

    def between(self, value: Expr) -> list[Boolean]:
        return [Le(self.low, value), Le(value, self.high)]

    def image(self, value: Expr) -> Expr:
        return put_at_once(self.rule, {self.x: value})

    def slope(self, value: Expr) -> Expr:
        return put_at_once(sp.diff(self.rule, self.x), {self.x: value})

    @property
    def tolerant(self) -> bool:
        return self.start in self.scene.almost_all and self.start not in self.rule.free_symbols


def _coppel(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """Coppel 1955: every orbit of a continuous map of a compact interval without 2-cycles converges to a fixed point.

    Hypotheses: the ends are constants, the interval contains the start and is mapped into itself, the map is smooth
    there, F(F(x)) = x only where F(x) = x, and the target is a fixed point in the interval. It is the only one; or
    all others repel, so that an orbit converges to one only by landing on it. Then the trajectory is shown to avoid
    them, or the statement allows exceptions: the map is analytic and not constant, so that countably many starts
    land, and it does not know the start.
    """
    rests_on("Coppel")
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
    """Singer 1978, Guckenheimer 1979: an S-unimodal map with an attracting cycle draws almost every start to it.

    Hypotheses: the ends are constants, the interval contains the start and is mapped into itself, the map is C3 there
    with one critical point, inside and nondegenerate, and negative Schwarzian derivative off it; the points are a
    cycle in the interval with a multiplier strictly between -1 and 1; each end lies on the orbit of the critical
    point or lands on a fixed end that repels, so that it belongs to no other basin; exceptions are allowed in the
    start, which the rule does not know (de Melo and van Strien, One-Dimensional Dynamics, II.6 and III.5).
    """
    rests_on("Singer-Guckenheimer")
    require(set(scene.start) & set(scene.almost_all), "no exceptions are allowed")
    stage = _Stage(scene, claim, node)
    require(stage.tolerant, "no exceptions are allowed")
    x, begun = stage.x, stage.scene.at_start
    critical, multiplier = node.facts["critical"], node.facts["multiplier"]
    chain = node.facts["chain"]
    stage.scene.constant(critical, multiplier, *chain)
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
    factor = sp.diff(slope, stage.x)
    require(not factor.has(stage.x), "the critical point may not be single")
    if not same(slope, factor * (stage.x - critical)):
        node.need(stage.scene.known, Eq(expanded(slope - factor * (stage.x - critical)), 0))
    node.need(stage.inside, Ne(factor, 0))


def _alternating(scene: Scene, claim: Any, node: Node) -> None:
    """A map that decreases on an interval: its second iterate increases, so that an orbit is two monotone sequences.

    On [c, b] the map is smooth and does not increase, F(c) <= b and F(b) >= c, so that it maps the interval into
    itself; the states of even and of odd step are monotone there, hence converge, by continuity to fixed points of the
    second iterate. From the start up to c the map is smooth, moves up strictly, and not beyond b: an orbit that never
    passed c would increase to a fixed point between. Hypotheses: c and b are constants, the start is at most b; each x
    in [c, b] with F(F(x)) = x is one of the points that the claim names, because no other factor vanishes there; the
    claim is that the trajectory converges to one of some fixed points and 2-cycles. Others may be fixed points that
    repel where the statement allows exceptions in the start, which the map does not know: an orbit converges to one
    only by landing on it, and as the map is analytic and not constant, countably many starts land.
    """
    parts = claim.args if isinstance(claim, Or) else (claim,)
    require(all(isinstance(part, ConvergesTo) and part.period <= 2 for part in parts), "not fixed points and 2-cycles")
    scene = timeless(scene, claim)
    require(scene.discrete and all(part.quantity == Tuple(*scene.state) for part in parts), "not the state of a map")
    require(len(scene.state) == 1, "not a map of the line")
    (x,), (rule,), (start,) = scene.state, scene.rule, scene.start
    low, high, factors, bottom = (node.facts[key] for key in ("low", "high", "factors", "denominator"))
    cycles = [[point[0] for point in part.points] for part in parts]
    excepted = node.facts["excepted"]
    tolerant = start in scene.almost_all and start not in rule.free_symbols
    require(tolerant or not excepted, "no exceptions are allowed")
    slope = sp.diff(rule, x)
    node.need(scene.at_start, *(Gt(scene.at((point,), slope) ** 2, 1) for point in excepted))
    cycles += [[point] for point in excepted]
    points = [point for cycle in cycles for point in cycle]
    scene.constant(low, high, *points)
    scene.sound(node, low, high, *points)
    smooth = conditions(rule, smooth=True)
    node.need(scene.at_start, Le(start, high), Le(scene.at((low,), rule), high), Le(low, scene.at((high,), rule)))
    node.need([*scene.known, Le(start, x), Le(x, low)], *smooth, Gt(rule, x), Le(rule, high))
    inside = [*scene.known, Le(low, x), Le(x, high)]
    node.need(inside, *smooth, Le(slope, 0), *(Ne(factor, 0) for factor in factors))
    product = Mul(*(x - point for point in points), *factors)
    node.need(scene.known, Eq((scene.at((rule,), rule) - x) * bottom, product))
    for cycle in cycles:
        turned = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        node.need(scene.at_start, *(Eq(scene.at((a,), rule), b) for a, b in turned))


def _rewritten(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """The same claim with its points written differently; the points are equal for all values of the variables."""
    scene = _limit_claim(scene, claim)
    points = [tuple(point) for point in node.facts["points"]]
    same = [Eq(a, b) for old, new in zip(claim.points, points, strict=True) for a, b in zip(old, new, strict=True)]
    node.need(scene.at_start, *same)
    scene.sound(node, *sides(*same))
    walk(scene, ConvergesTo(claim.quantity, *points), node.parts[0])


def _named(scene: Scene, claim: ConvergesTo, node: Node) -> None:
    """The points are names for zeros that the hypotheses single out; the dynamics do not use the names."""
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
    """A cycle of pairwise different points has their number as its least period; a flow settles on single points."""
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
    "nearer": _nearer,
    "decay": _decay,
    "coppel": _coppel,
    "unimodal": _unimodal,
    "alternating": _alternating,
    "rewritten": _rewritten,
    "named": _named,
    "period": _period,
}
"""Rules by name."""
