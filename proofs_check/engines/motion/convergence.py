"""Why a trajectory converges: contraction of affine systems, LaSalle's principle, and the theory of interval maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

from sympy import (
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Matrix,
    Ne,
    Or,
    Poly,
    S,
    Symbol,
    Tuple,
    count_ops,
    diff,
    factor_list,
    integrate,
    together,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.engines.motion import candidates
from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError, first_success
from proofs_check.engines.motion.barrier import closed, confined, quotient
from proofs_check.engines.motion.inductive import defined_for, well_posed
from proofs_check.engines.motion.invariants import invariants
from proofs_check.engines.motion.lasting import lasts, radii
from proofs_check.engines.motion.lyapunov import descending
from proofs_check.engines.motion.one_dimensional import interval_rules, nearer, scalar_flow
from proofs_check.engines.motion.trajectory import Setting, joined
from proofs_check.goals import Goal
from theory.criteria import hurwitz, jury
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.language.definedness import continuous_where, defined_where, smooth_where
from theory.temporal import ConvergesTo, HasPeriod

if TYPE_CHECKING:
    from proofs_check.engines.motion.inductive import Invariant

Points = tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True)
class Cycle:
    """The points of an equilibrium or cycle, and polynomials that vanish on them."""

    points: Points
    relations: tuple[Expr, ...]


_LARGEST_AFFINE = 6
_MOST_SOLUTIONS = 1000
"""Cycles among more solutions than these have no formula, and nothing interrupts the elimination of so many."""
_LONGEST_POTENTIAL = 400
_PACES = (S(2), S.One, S.One / 10)
_MOST_SETS = 3


def converges(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """An argument that the quantity converges to the point or cycle; raises UnprovedError when none is found."""
    if any(point.free_symbols & set(setting.state) for point in claim.points):
        raise UnprovedError("the target moves")
    return first_success(_ways(timeless(setting, claim), claim, desk), desk)


def _ways(setting: Setting, claim: ConvergesTo, desk: Desk) -> Iterator[Callable[[], Argument]]:
    if any(point.free_symbols & _named(setting) for point in claim.points):
        yield lambda: _identified(setting, claim, desk)
    if claim.period == 1:
        yield lambda: by_multipliers(setting, claim, desk)
    shorter = _over_common_denominators(claim)
    if shorter != claim:
        yield lambda: _rewritten(setting, claim, shorter, desk)
    if len(setting.state) == 1 and claim.quantity == Tuple(setting.state[0]):
        points = tuple(point[0] for point in claim.points)
        if setting.discrete and claim.period == 1:
            yield lambda: nearer(setting, points[0], desk)
            yield lambda: _after_a_step(setting, points[0], desk)
        if setting.discrete:
            yield from interval_rules(setting, points, desk)
        elif claim.period == 1:
            yield lambda: scalar_flow(setting, points[0], desk)
    if claim.period == 1:
        yield lambda: _decays(setting, claim, desk)
    if claim.period == 1 and not setting.discrete and len(claim.quantity) == 1:
        yield lambda: _from_either_side(setting, claim, desk)
    if claim.period == 1:
        yield lambda: _lasalle(setting, claim, desk)


def _after_a_step(setting: Setting, target: Expr, desk: Desk) -> Argument:
    """A map that leads to one side of its limit, on which every further step is simpler."""
    obligations = tuple(defined_for(setting, 1, desk))
    return Argument("eventually-after", {"steps": 1}, obligations, (nearer(setting.later(1), target, desk),))


def _over_common_denominators(claim: ConvergesTo) -> ConvergesTo:
    """The claim with its points over a common denominator where that makes them shorter."""
    points = [[min(value, together(value), key=count_ops) for value in point] for point in claim.points]
    return ConvergesTo(claim.quantity, *points)


def _rewritten(setting: Setting, claim: ConvergesTo, shorter: ConvergesTo, desk: Desk) -> Argument:
    """Shorter formulas of the target make easier obligations."""
    points = tuple(tuple(point) for point in shorter.points)
    same = [Eq(a, b) for old, new in zip(claim.points, points, strict=True) for a, b in zip(old, new, strict=True)]
    obligations = [desk.require("same", setting.at_start(part)) for part in same]
    obligations += well_posed(setting, same, desk)
    argument = converges(setting, shorter, desk)
    return Argument("rewritten", {"points": points}, tuple(obligations), (argument,))


def _named(setting: Setting) -> set[Symbol]:
    """Variables that neither the dynamics nor the start know: names for points that hypotheses describe."""
    return set(setting.variables) - set().union(*(part.free_symbols for part in (*setting.rule, *setting.start)))


def _identified(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """The named points are shown to be those of a cycle that elimination found; then the names are forgotten."""
    names = _named(setting)
    forgotten = replace(
        setting,
        variables={symbol: domain for symbol, domain in setting.variables.items() if symbol not in names},
        hypotheses=tuple(part for part in setting.hypotheses if not part.free_symbols & names),
    )
    if claim.quantity != Tuple(*setting.state):
        raise UnprovedError("only whole states are identified")
    for orbit in settled_orbits(forgotten, (claim.period,)):
        for turn in range(claim.period):
            cycle = orbit.points[turn:] + orbit.points[:turn]
            try:
                obligations = _same_points(setting, claim, cycle, orbit.relations, desk)
            except UnprovedError:
                continue
            argument = converges(forgotten, ConvergesTo(setting.state, *cycle), desk)
            facts = {"points": cycle, "names": sorted(names, key=str), "relations": orbit.relations}
            return Argument("named", facts, tuple(obligations), (argument,))
    raise UnprovedError("the named points are not identified")


def _same_points(
    setting: Setting, claim: ConvergesTo, cycle: Points, relations: Sequence[Expr], desk: Desk
) -> list[Obligation]:
    """The hypotheses give the polynomial equations of the cycle; these and the inequalities single out its points."""
    inequalities = tuple(part for part in setting.hypotheses if not isinstance(part, Eq))
    weaker = replace(setting, hypotheses=inequalities)
    obligations = []
    for named, point in zip(claim.points, cycle, strict=True):
        at = dict(zip(setting.state, named, strict=True))
        vanish = And(*(Eq(part.subs(at, simultaneous=True), 0) for part in relations))
        same = And(*(Eq(left, right) for left, right in zip(named, point, strict=True)))
        needs = And(*(part for part in inequalities if part.free_symbols & same.free_symbols))
        singled = Goal(dict(setting.variables), joined(needs, vanish), same)
        obligations += [desk.require("equation", setting.at_start(vanish)), desk.require("named", singled)]
        obligations += well_posed(weaker, [same], desk)
    return obligations


def timeless(setting: Setting, claim: Boolean) -> Setting:
    """The setting without its clock when nothing depends on it."""
    clock = setting.clock
    used = [part for symbol, part in setting.step.items() if symbol != clock]
    if clock is None or clock in claim.free_symbols or any(clock in part.free_symbols for part in used):
        return setting
    if clock in setting.assumed.free_symbols:
        return setting
    keep = [place for place, symbol in enumerate(setting.state) if symbol != clock]
    parts = {name: tuple(getattr(setting, name)[place] for place in keep) for name in ("state", "rule", "start")}
    return replace(setting, **parts, clock=None)  # type: ignore[arg-type]


def has_period(setting: Setting, claim: HasPeriod, desk: Desk) -> Argument:
    """The trajectory converges to a cycle found by elimination, whose points are proved to be distinct."""
    period = int(claim.args[0])
    setting = timeless(setting, claim)
    if not setting.discrete and period > 1:
        raise UnprovedError("a flow settles on points only")
    for points in (orbit.points for orbit in settled_orbits(setting, (period,))):
        try:
            distinct = [
                Or(*(Ne(a, b) for a, b in zip(first, second, strict=True)))
                for place, first in enumerate(points)
                for second in points[:place]
            ]
            obligations = [desk.require("distinct", setting.at_start(part)) for part in distinct]
            argument = converges(setting, ConvergesTo(setting.state, *points), desk)
        except UnprovedError:
            continue
        return Argument("period", {"points": points}, tuple(obligations), (argument,))
    raise UnprovedError("no cycle of this period attracts all starts")


def settled_orbits(setting: Setting, periods: Sequence[int] = (1, 2)) -> Iterator[Cycle]:
    """Equilibria and short cycles that have a formula."""
    dynamics = Map(setting.state, setting.rule) if setting.discrete else Flow(setting.state, setting.rule)
    for period in periods if setting.discrete else (1,):
        if _solutions(setting, period) > _MOST_SOLUTIONS:
            continue
        try:
            found = dynamics.orbits(period) if isinstance(dynamics, Map) else dynamics.fixed_points()
        except LemmascopeError:
            continue
        for orbit in found:
            if orbit.points is not None:
                points = orbit.points
                yield Cycle(points, orbit.relations)


def _solutions(setting: Setting, period: int) -> int:
    """How many solutions the equations of a cycle have by Bezout's bound; 1 where they are no polynomials."""
    if not all(part.is_polynomial(*setting.state) for part in setting.rule):
        return 1
    degree = max(1, *(Poly(part, *setting.state).total_degree() for part in setting.rule))
    return int(degree) ** (period * len(setting.state))


def by_multipliers(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """x -> A x + c converges to its fixed point when all multipliers of A lie inside the unit circle (Jury);
    dx/dt = A x + c when all eigenvalues of A have negative real part (Routh-Hurwitz)."""
    matrix = Matrix([[diff(part, symbol) for symbol in setting.state] for part in setting.rule])
    polynomial = all(part.is_polynomial(*setting.state) for part in setting.rule)
    affine = polynomial and not matrix.free_symbols & set(setting.state)
    if not affine or matrix.rows > _LARGEST_AFFINE:  # pieces of one slope have a constant derivative, and jump
        raise UnprovedError("not affine")
    rest = _equilibrium(setting, matrix, claim)
    factors = _factors(matrix)
    criterion = jury if setting.discrete else hurwitz
    stable = And(*(Gt(part.value, 0) for factor in factors for part in criterion(factor, S.Zero, S.One)))
    moved = dict(zip(setting.state, rest, strict=True))
    still = [
        Eq(part.subs(moved, simultaneous=True), symbol if setting.discrete else 0)
        for part, symbol in zip(setting.rule, rest, strict=True)
    ]
    reached = [
        Eq(part.subs(moved, simultaneous=True), value)
        for part, value in zip(claim.quantity, claim.points[0], strict=True)
    ]
    obligations = [
        desk.require("stable", setting.at_start(stable)),
        desk.require("equilibrium", setting.at_start(And(*still))),
        desk.require("target", setting.at_start(And(*reached))),
        *well_posed(setting, [*still, *reached, stable], desk, [*matrix, *rest, *chain(*factors)]),
    ]
    law = "the Jury criterion" if setting.discrete else "the Routh-Hurwitz criterion"
    note = f"affine dynamics: {law} bounds every eigenvalue, so all starts converge to the equilibrium"
    facts = {"rest": rest, "factors": factors}
    return Argument("affine", facts, tuple(obligations), notes=(note,))


def _factors(matrix: Matrix) -> list[list[Expr]]:
    """The coefficients of factors of the characteristic polynomial with leading coefficient one, repeated ones too."""
    z = Symbol("_z")
    whole = matrix.charpoly(z)
    found = [Poly(factor, z).all_coeffs() for factor, power in factor_list(whole.as_expr(), z)[1] for _ in range(power)]
    if any(factor[0].free_symbols for factor in found):
        return [whole.all_coeffs()]
    return [[(number / factor[0]).expand() for number in factor] for factor in found]


def _equilibrium(setting: Setting, matrix: Matrix, claim: ConvergesTo) -> tuple[Expr, ...]:
    if claim.quantity == Tuple(*setting.state):
        return tuple(claim.points[0])
    if any(part.has(*setting.state) and not part.is_polynomial(*setting.state) for part in claim.quantity):
        raise UnprovedError("the quantity may be discontinuous")
    offset = Matrix([part.subs(dict.fromkeys(setting.state, 0)) for part in setting.rule])
    system = Matrix.eye(matrix.rows) - matrix if setting.discrete else -matrix
    if system.det(method="berkowitz").expand() == 0:
        raise UnprovedError("no isolated equilibrium")
    return tuple(system.adjugate() * offset / system.det(method="berkowitz"))


def _lasalle(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """LaSalle: a bounded trajectory along which a continuous function does not increase accumulates only where the
    function stays constant; there the quantity has its target value."""
    seconds = desk.budget.seconds_for("motion, one program")
    chosen = list(dict.fromkeys((*heights(setting, claim), *descending(setting, claim, seconds))))
    attempts = (
        partial(way, setting, claim, known, height, desk)
        for known in invariants(setting, None, desk)
        for height in chosen
        for way in ((_levels,) if setting.discrete else (_levels, _below_first_level))
    )
    return first_success(attempts, desk)


def _decays(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """The squared distance of a quantity to its target loses a fixed part of itself, whatever the state does."""
    parts = zip(claim.quantity, claim.points[0], strict=True)
    distance = sum(((part - value) ** 2 for part, value in parts), S.Zero)
    if not setting.discrete and smooth_where(claim.quantity) != S.true:
        raise UnprovedError("the quantity may have kinks")
    change = setting.next(distance) - distance if setting.discrete else setting.rate(distance)
    exact = -quotient(change.expand(), distance.expand(), setting.state)
    symbols = sorted(exact.free_symbols - set(setting.state), key=str)
    named = [factor * symbol for symbol in symbols for factor in (2, 1)]
    paces = [exact] if not exact.free_symbols & set(setting.state) else [*named, *_PACES]
    for known in islice(invariants(setting, None, desk), _MOST_SETS):
        inside = (*known.parts, setting.assumed)
        for pace in paces:
            falls = setting.anywhere(inside, Le(setting.next(distance), (1 - pace) * distance) if setting.discrete
                                     else Le(setting.rate(distance), -pace * distance))  # fmt: skip
            if not (desk.proves(setting.at_start(Gt(pace, 0))) and desk.proves(falls)):
                continue
            obligations = [desk.require("positive", setting.at_start(Gt(pace, 0))), desk.require("decay", falls)]
            obligations += well_posed(setting, [], desk, [pace, *claim.points[0]])
            where = defined_where((*setting.rule, *claim.quantity)) if setting.discrete else S.true
            if where is None:
                raise UnprovedError("the map may be undefined")
            obligations.append(desk.require("defined", setting.anywhere(inside, where)))
            more = () if setting.discrete else (lasts(setting, claim, desk),)
            return Argument("decay", {"pace": pace}, tuple(obligations), (known.argument, *more))
    raise UnprovedError("the distance may stay")


def _from_either_side(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """LaSalle for a quantity that a flow keeps between its start and its target, on whichever side it starts."""
    quantity, target = claim.quantity[0], claim.points[0][0]
    begun = setting.initially(quantity)
    between = {
        Le(begun, target): (Le(quantity, target), Ge(quantity, begun)),
        Ge(begun, target): (Ge(quantity, target), Le(quantity, begun)),
    }
    if not all(isinstance(case, Relational) for case in between):
        raise UnprovedError("the side is known")
    found = []
    for case, parts in between.items():
        smaller = setting.given(case)
        kept = confined(smaller, parts, desk)
        if not set(parts) <= set(kept.parts):
            raise UnprovedError("the quantity may leave what is between its start and its target")
        found.append(_levels(smaller, claim, kept, (quantity - target) ** 2, desk))
    cases = list(between)
    obligations = [desk.require("cases", setting.at_start(Or(*cases))), *well_posed(setting, cases, desk)]
    return Argument("cases", {"cases": cases}, tuple(obligations), tuple(found))


def by_descent(setting: Setting, claim: ConvergesTo, desk: Desk) -> Argument:
    """LaSalle with a Lyapunov function that sums of squares suggest, which is rarely in vain."""
    found = list(descending(setting, claim, desk.budget.seconds_for("motion, one program")))
    if not found:
        raise UnprovedError("no function descends everywhere")
    known = next(invariants(setting, None, desk))
    return first_success((partial(_levels, setting, claim, known, height, desk) for height in found), desk)


def _below_first_level(setting: Setting, claim: ConvergesTo, known: Invariant, height: Expr, desk: Desk) -> Argument:
    """The same where a function descends only below its first level: that a flow stays below it is shown first."""
    level = Le(height, setting.initially(height))
    smaller = confined(setting, (*known.parts, level), desk)
    if level not in smaller.parts:
        raise UnprovedError("the trajectory may rise above its first level")
    return _levels(setting, claim, smaller, height, desk)


def heights(setting: Setting, claim: ConvergesTo) -> list[Expr]:
    """Candidate Lyapunov functions: the loss whose gradient drives the dynamics, and squared distances."""
    target = claim.points[0]
    distance = sum(((part - value) ** 2 for part, value in zip(claim.quantity, target, strict=True)), S.Zero)
    found = [potential(setting), candidates.energy(setting)]
    squares = sum((symbol**2 for symbol in setting.state), S.Zero)
    return list(dict.fromkeys([distance, *(loss for loss in found if loss is not None), squares]))


def potential(setting: Setting) -> Expr | None:
    """A function whose negative gradient is the direction of motion, for polynomial dynamics.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> potential(Setting(False, (x, y), (-x, -y), (x, y), {}, ()))
    x**2/2 + y**2/2
    """
    pull = [part - symbol if setting.discrete else part for symbol, part in setting.step.items()]
    symmetric = all(
        (diff(pull[i], setting.state[j]) - diff(pull[j], setting.state[i])).expand() == 0
        for i in range(len(pull))
        for j in range(i)
    )
    if not symmetric or not all(part.is_polynomial(*setting.state) for part in pull):
        return None
    scale = Symbol("_scale")
    along = {symbol: scale * symbol for symbol in setting.state}
    ray = [part.subs(along, simultaneous=True) * symbol for part, symbol in zip(pull, setting.state, strict=True)]
    found = -integrate(sum(ray, S.Zero).expand(), (scale, 0, 1))
    return found if found.count_ops() <= _LONGEST_POTENTIAL else None


def _levels(setting: Setting, claim: ConvergesTo, known: Invariant, height: Expr, desk: Desk) -> Argument:
    """A map that descends on the level set keeps it, by induction; of a flow the descent must be known before."""
    around = [*(closed(setting, part) for part in known.parts), closed(setting, setting.assumed)]
    inside = [*around, Le(height, setting.initially(height))]
    after = setting.next(height) if setting.discrete else setting.rate(height)
    level, descent = (Eq(after, height), Le(after, height)) if setting.discrete else (Eq(after, 0), Le(after, 0))
    target = And(*(Eq(part, value) for part, value in zip(claim.quantity, claim.points[0], strict=True)))
    obligations = [
        desk.require("descent", setting.anywhere(inside if setting.discrete else around, descent)),
        desk.require("target", setting.anywhere([*inside, level], target)),
    ]
    regular = continuous_where if setting.discrete else smooth_where
    for given, expressions in ((around, (height,)), (inside, (*setting.rule, *claim.quantity))):
        where = regular(expressions)
        if where is None:
            raise UnprovedError("the dynamics may be undefined")
        if not isinstance(where, BooleanTrue):
            obligations.append(desk.require("defined", setting.anywhere(given, where)))
    radius = _radius(setting, claim, inside, height, desk)
    size = sum((symbol**2 for symbol in setting.state), S.Zero)
    obligations.append(desk.require("bounded", setting.anywhere(inside, Le(size, radius))))
    obligations += well_posed(setting, [target, descent], desk, [radius, setting.initially(height)])
    facts = {"height": height, "radius": radius, "set": known.parts}
    note = f"LaSalle's invariance principle with the function {height}"
    return Argument("lasalle", facts, tuple(obligations), (known.argument,), (note,))


def _radius(setting: Setting, claim: ConvergesTo, inside: Sequence[Boolean], height: Expr, desk: Desk) -> Expr:
    """A bound on the squared size of the state; the set may give it directly, or a level of the function."""
    first = sum((value**2 for value in setting.start), S.Zero)
    goal = sum((value**2 for value in claim.points[0]), S.Zero)
    level = setting.initially(height)
    size = sum((symbol**2 for symbol in setting.state), S.Zero)
    more = (2 * level + 2 * goal, 2 * (first + goal), 4 * (1 + first + goal + level**2))
    for radius in dict.fromkeys((*radii(setting, inside), *more)):
        if desk.proves(setting.anywhere(inside, Le(size, radius))):
            return radius
    raise UnprovedError("the trajectory may be unbounded")
