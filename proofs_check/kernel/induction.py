"""Re-checks arguments about trajectories: every rule is applied anew, every obligation replayed by its own checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy import And, Eq, Expr, Ge, Gt, Le, Lt, Ne, Or, S, Set, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, Implies, Not

from proofs_check.kernel.argument import RULES, walk
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.convergence import CONVERGENCE
from proofs_check.kernel.instability import check_refutation
from proofs_check.kernel.invariant import closure, invariant, strict
from proofs_check.kernel.recurrence import RECURRENCE
from proofs_check.kernel.scene import (
    Node,
    RejectedError,
    Scene,
    conditions,
    conjuncts,
    put,
    require,
    scene_of,
    sides,
)
from proofs_check.kernel.solutions import closed_solution, lasts
from theory.language.definedness import demands
from theory.statements import Statement
from theory.temporal import (
    After,
    AlmostEvery,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    HasPeriod,
    Temporal,
    Until,
    is_plain,
    negation,
    put_at_once,
)

_TAIL = (ConvergesTo, HasPeriod)


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the argument (or the counterexample) of the certificate settles the statement."""
    try:
        scene, claim = scene_of(statement)
        if "refutation" in certificate:
            return check_refutation(statement, scene, claim, certificate)
        shown, (conditions, domains) = Shown(certificate.get("obligations", ())), fixed_values(statement)
        held = all(shown.follows(part, domains, statement.hypotheses) for part in conditions)
        require(held, "something fixed may have no value")
        walk(scene, claim, Node.read(certificate["argument"], scene.integers))
    except RejectedError:
        return False
    return True


def fixed_values(statement: Statement) -> tuple[list[Boolean], dict[Symbol, Set]]:
    """Conditions under which all that does not depend on the state has a value: of the statement as written, with
    nothing put in; and the domains of the variables."""
    dynamics = statement.dynamics
    if dynamics is None:
        raise RejectedError("nothing moves")
    wanted = demands([statement.conclusion, *dynamics.right_side])
    moving = {*dynamics.state, dynamics.time}
    wanted = [part for part in wanted if not part.free_symbols & moving]
    wanted += demands(statement.start.values())
    values = {item.symbol: item.value for item in statement.constants}
    domains = {symbol: put_at_once(domain, values) for symbol, domain in statement.variables.items()}
    return [put_at_once(part, values) for part in wanted], domains


def _units(scene: Scene, claim: Boolean, node: Node) -> None:
    """A statement that is homogeneous under positive scalings may be proved with one positive variable set to 1.

    Hypotheses: the unit is positive and has a weight; rule, start, hypotheses, premises and claim are equivariant, the
    sides of each relation having equal weight; whole numbers, steps of a map and named times have none.
    """
    unit, weights = node.facts["unit"], dict(node.facts["weights"])
    require(weights.get(unit, 0) != 0 and Lt(0, unit) in scene.known, "the unit is not positive")
    rate = weights.get(Symbol("_rate"), S.Zero)
    require(Symbol("_rate") not in scene.variables, "a variable is called like the weight of the time")
    require(rate == 0 or not (scene.discrete or claim.has(After)), "steps and named times have no weight")
    require(all(weights.get(symbol, 0) == 0 for symbol in scene.integers), "whole numbers have no weight")
    for symbol, part, begin in zip(scene.state, scene.rule, scene.start, strict=True):
        _same_weight(weights, (symbol, rate), (part, S.Zero))
        _same_weight(weights, (symbol, S.Zero), (begin, S.Zero))
    for leaf in And(claim, scene.assumed, *scene.known).atoms(Relational):
        _same_weight(weights, (leaf.lhs, S.Zero), (leaf.rhs, S.Zero))
    for limit in claim.atoms(ConvergesTo):
        for point in limit.points:
            for part, value in zip(limit.quantity, point, strict=True):
                _same_weight(weights, (part, S.Zero), (value, S.Zero))
    for quantity in (part for item in claim.atoms(Temporal) for part in item.args if isinstance(part, Expr)):
        _weight(weights, quantity)
    require(all(item.args[0].is_number for item in claim.atoms(After)), "a moment with a weight")
    walk(put(scene, unit, S.One), put_at_once(claim, {unit: S.One}), node.parts[0])


def _same_weight(weights: Mapping[Symbol, Expr], left: tuple[Expr, Expr], right: tuple[Expr, Expr]) -> None:
    first, second = _weight(weights, left[0]), _weight(weights, right[0])
    if first is not None and second is not None:
        require(first + left[1] == second + right[1], "not homogeneous")


def _weight(weights: Mapping[Symbol, Expr], value: Expr) -> Expr | None:
    if value.is_number:
        return None if value.is_zero else S.Zero
    if value.is_Symbol:
        return weights.get(value, S.Zero)
    if value.is_Mul:
        return sum((_weight(weights, part) or S.Zero for part in value.args), S.Zero)
    if value.is_Pow and value.exp.is_Rational:
        return (_weight(weights, value.base) or S.Zero) * value.exp
    parts = {part for part in (_weight(weights, part) for part in value.args) if part is not None}
    require(len(parts) <= 1 and (value.is_Add or parts <= {S.Zero}), "not homogeneous")
    return next(iter(parts), S.Zero)


def _now(scene: Scene, claim: Boolean, node: Node) -> None:
    """A plain claim is about the start; it has a value there."""
    require(is_plain(claim), "not a plain claim")
    body = node.facts["body"]
    scene.meant(node, claim, body)
    node.need(scene.at_start, scene.begin(body))


def _and(scene: Scene, claim: Boolean, node: Node) -> None:
    require(isinstance(claim, And) and len(claim.args) == len(node.parts), "not this conjunction")
    for part, below in zip(claim.args, node.parts, strict=True):
        walk(scene, part, below)


def _almost_every(scene: Scene, claim: Boolean, node: Node) -> None:
    """A claim with exceptions in one variable, beside claims without any: shown as in a statement that allows them.

    Hypotheses: the variable is a fixed symbol that is no whole number, and no other exceptions are allowed; a statement
    says this of a part of its conclusion only, so that the claim is about all that its hypotheses let in.
    """
    require(isinstance(claim, AlmostEvery) and not scene.almost_all, "no claim of almost every value")
    symbol = claim.args[0]
    require(symbol in scene.variables and symbol not in scene.integers, "not a variable with a null set of exceptions")
    walk(replace(scene, almost_all=(symbol,)), claim.args[1], node.parts[0])


def _or(scene: Scene, claim: Boolean, node: Node) -> None:
    require(isinstance(claim, Or), "not a disjunction")
    walk(scene, claim.args[node.facts["place"]], node.parts[0])


def _cases(scene: Scene, claim: Boolean, node: Node) -> None:
    """A claim that is shown in each of some cases, one of which always holds.

    Hypotheses: the cases are plain formulas about the fixed symbols alone, all of which have values; one of them holds
    at every point of the hypotheses. The exceptions of finitely many cases are a null set where those of each are.
    """
    cases: list[Boolean] = node.facts["cases"]
    require(len(cases) == len(node.parts) and all(map(is_plain, cases)), "not these cases")
    scene.constant(*cases)
    node.need(scene.at_start, *conditions(*sides(*cases), jumps=True), Or(*cases))
    for case, below in zip(cases, node.parts, strict=True):
        walk(replace(scene, known=conjuncts(*scene.known, case)), claim, below)


def _implies(scene: Scene, claim: Boolean, node: Node) -> None:
    """From the premises to the rest: `Always(p)` is known at every time, a plain p at the start.

    A premise without a value is neither true nor false, so that nothing follows from it: only those are used that are
    shown to have one. Those that need no proof of it may be used in the proofs about the others.
    """
    require(isinstance(claim, Implies), "not an implication")
    premise, rest = claim.args
    bodies = {part: part.args[0] if isinstance(part, Always) else part for part in conjuncts(premise)}
    require(all(is_plain(body) for body in bodies.values()), "this premise cannot be used")
    needs = {part: conjuncts(*scene.values(*sides(body))) for part, body in bodies.items()}
    asked: list[Boolean] = node.facts["partial"]
    require(len(node.parts) == 1 + len(asked) and needs.keys() >= set(asked), "a premise may have no value")
    for part in (part for part, need in needs.items() if not need):
        scene = _assuming(scene, part)
    for part, below in zip(asked, node.parts[1:], strict=True):
        walk(scene, Always(And(*needs[part])) if isinstance(part, Always) else And(*needs[part]), below)
    for part in asked:
        scene = _assuming(scene, part)
    walk(scene, rest, node.parts[0])


def _assuming(scene: Scene, premise: Boolean) -> Scene:
    if isinstance(premise, Always):
        return replace(scene, assumed=And(scene.assumed, premise.args[0]))
    return replace(scene, known=conjuncts(*scene.known, scene.begin(premise)))


def _not(scene: Scene, claim: Boolean, node: Node) -> None:
    """The opposite of Always is Eventually not, and the other way round, for plain formulas that have values."""
    require(isinstance(claim, Not) and isinstance(claim.args[0], (Always, Eventually)), "not a negation")
    inner = claim.args[0]
    require(is_plain(inner.args[0]), "nested formula")
    turned = Eventually if isinstance(inner, Always) else Always
    walk(scene, turned(negation(inner.args[0])), node.parts[0])


def _no_limit(scene: Scene, claim: Boolean, node: Node) -> None:
    """A quantity does not tend to a point from which it is kept away, or where it tends to another one.

    Hypotheses: the target is a single point that does not move. At every time that is reached the squared distance is
    shown to be at least a positive constant; a solution that ends converges to nothing either. Or the quantity is shown
    to tend to a point that is another one for all values of the variables: a limit is unique.
    """
    require(isinstance(claim, Not) and isinstance(claim.args[0], ConvergesTo), "not a negated limit")
    limit = claim.args[0]
    require(limit.period == 1, "not a single point")
    target = limit.points[0]
    scene.constant(*target)
    if "bound" in node.facts:
        bound = node.facts["bound"]
        scene.constant(bound)
        distance = sum(((part - value) ** 2 for part, value in zip(limit.quantity, target, strict=True)), S.Zero)
        node.need(scene.at_start, Gt(bound, 0))
        walk(scene, Always(Ge(distance, bound)), node.parts[0])
        return
    other = node.facts["point"]
    scene.constant(*other)
    scene.sound(node, *target, *other)
    node.need(scene.at_start, Or(*(Ne(a, b) for a, b in zip(other, target, strict=True))))
    walk(scene, ConvergesTo(limit.quantity, tuple(other)), node.parts[0])


def _always_tail(scene: Scene, claim: Boolean, node: Node) -> None:
    """What the trajectory does in the end, or does for ever, it does from every time on."""
    require(isinstance(claim, Always) and isinstance(claim.args[0], (Always, Decreasing, *_TAIL)), "no tail property")
    walk(scene, claim.args[0], node.parts[0])


def _always_and(scene: Scene, claim: Boolean, node: Node) -> None:
    require(isinstance(claim, Always) and isinstance(claim.args[0], And), "not this conjunction")
    for part, below in zip(claim.args[0].args, node.parts, strict=True):
        walk(scene, Always(part), below)


def _always(scene: Scene, claim: Boolean, node: Node) -> None:
    """What holds on an invariant set that contains the start holds at every time, and has a value there."""
    require(isinstance(claim, Always) and is_plain(claim.args[0]), "not a plain Always")
    inside = invariant(scene, node.parts[0])
    scene.meant(node, claim.args[0], node.facts["body"])
    node.need([*scene.known, *inside, scene.assumed], node.facts["body"])


def _k_induction(scene: Scene, claim: Boolean, node: Node) -> None:
    """Induction over k steps at once: the first k states satisfy the body, and k of them in a row imply the next.

    The map has a value wherever the body and the context hold; the context is an invariant set of its own.
    """
    require(isinstance(claim, Always) and scene.discrete, "not a plain Always of a map")
    body, depth = node.facts["body"], node.facts["depth"]
    require(isinstance(depth, int) and depth >= 1, "no depth")
    context = invariant(scene, node.parts[0])
    scene.meant(node, claim.args[0], body)
    for step in range(depth):
        later = scene.later(step)
        node.need(later.at_start, later.begin(body))
    known, moved, assumed = [*scene.known, *context], body, scene.assumed
    for _ in range(depth):
        known += [moved, assumed]
        moved, assumed = scene.step(moved), scene.step(assumed)
    node.need([*known, assumed], moved)
    node.need([*scene.known, body, *context, scene.assumed], *scene.values(*scene.rule))


def _descent(scene: Scene, claim: Boolean, node: Node) -> None:
    """Along a map: q(F(x)) < q(x), both having values, on an invariant set that contains the start."""
    require(isinstance(claim, Decreasing) and scene.discrete, "not a descent")
    inside = invariant(scene, node.parts[0])
    quantity = claim.args[0]
    less = node.facts["less"]
    scene.meant(node, Lt(scene.step(quantity), quantity), less)
    node.need([*scene.known, *inside, scene.assumed, scene.step(scene.assumed)], less)


def _descent_flow(scene: Scene, claim: Boolean, node: Node) -> None:
    """Along a flow: q' < 0 on an invariant set; or q' <= 0, zero only at rest, and the start is not at rest.

    A trajectory of a locally Lipschitz field never comes to rest from motion. q is differentiable on the set.
    """
    require(isinstance(claim, Decreasing) and not scene.discrete, "not a descent")
    inside = [*scene.known, *invariant(scene, node.parts[0]), scene.assumed]
    slope, down = node.facts["slope"], node.facts["down"]
    node.need(scene.known, Eq(scene.rate(claim.args[0]), slope))
    node.need(inside, *scene.moving(conditions(claim.args[0], smooth=True)))
    if Lt(slope, 0) in conjuncts(down):
        scene.meant(node, Lt(slope, 0), down)
        node.need(inside, down)
        return
    scene.meant(node, Le(slope, 0), down)
    node.need(inside, down)
    node.need([*inside, Eq(slope, 0)], *(Eq(speed, 0) for speed in scene.rule))
    node.need(scene.at_start, Or(*(Ne(scene.begin(speed), 0) for speed in scene.rule)))


def _defined_for(scene: Scene, node: Node, steps: int) -> None:
    for step in range(steps):
        later = scene.later(step)
        node.need(scene.at_start, *(later.begin(part) for part in scene.values(*scene.rule, *scene.start)))


def _moment(scene: Scene, moment: Expr, node: Node) -> None:
    """Reject unless a time is one: a number that is not negative, and a whole one for a map."""
    scene.constant(moment)
    require(not scene.discrete or moment.is_Integer or moment in scene.integers, "between the steps")
    node.need(scene.at_start, Ge(moment, 0))
    scene.sound(node, moment)


def _after_tail(scene: Scene, claim: Boolean, node: Node) -> None:
    """What the trajectory does in the end it does from every moment on; a limit says that it exists for ever."""
    require(isinstance(claim, After) and isinstance(claim.args[1], _TAIL), "no tail property")
    _moment(scene, claim.args[0], node)
    walk(scene, claim.args[1], node.parts[0])


def _after(scene: Scene, claim: Boolean, node: Node) -> None:
    """The formula about the trajectory from a step of a map on, which is computed; the first steps have values."""
    require(isinstance(claim, After) and scene.discrete and claim.args[0].is_Integer, "no such moment")
    require(claim.args[0] >= 0, "no such moment")
    _defined_for(scene, node, int(claim.args[0]))
    walk(scene.later(int(claim.args[0])), claim.args[1], node.parts[0])


def _after_always(scene: Scene, claim: Boolean, node: Node) -> None:
    """What holds from the start on holds from every moment on that the trajectory reaches."""
    require(isinstance(claim, After), "not an After")
    _moment(scene, claim.args[0], node)
    body = Always(claim.args[1]) if is_plain(claim.args[1]) and scene.discrete else claim.args[1]
    require(isinstance(body, (Always, Decreasing)), "not kept for ever")
    walk(scene, body, node.parts[0])
    if not scene.discrete:
        require(len(node.parts) == 2, "the solution may end before")
        lasts(scene, node.parts[1])


def _eventually_after(scene: Scene, claim: Boolean, node: Node) -> None:
    """The formula about the trajectory from some step on, or where it ends up; the first steps have values."""
    require(isinstance(claim, (Eventually, *_TAIL)) and scene.discrete, "not about the future of a map")
    _defined_for(scene, node, node.facts["steps"])
    rest = claim.args[0] if isinstance(claim, Eventually) else claim
    walk(scene.later(node.facts["steps"]), rest, node.parts[0])


def _unrolled(scene: Scene, claim: Boolean, node: Node) -> None:
    """One of the first states, which all have values, satisfies the body; of a flow only the start is known."""
    require(isinstance(claim, Eventually) and is_plain(claim.args[0]), "not a plain Eventually")
    body, steps = node.facts["body"], node.facts["steps"]
    require(scene.discrete or steps == 0, "a flow has no steps")
    scene.meant(node, claim.args[0], body)
    node.need(scene.at_start, Or(*(scene.later(step).begin(body) for step in range(steps + 1))))
    _defined_for(scene, node, steps)


def _ranking(scene: Scene, claim: Boolean, node: Node) -> None:
    """While the body is false, a rank that is not negative loses a fixed positive amount in every step (Floyd 1967).

    The amount is constant along the trajectory, which stays in an invariant set as long as the body is false, and the
    body has a value there. Of a flow it is the rate of a rank that is differentiable there, and the solution would
    exist for ever if the body were never true.
    """
    require(isinstance(claim, Eventually) and is_plain(claim.args[0]), "not a plain Eventually")
    body, rank, amount = (node.facts[key] for key in ("body", "rank", "amount"))
    scene.meant(node, claim.args[0], body)
    scene.sound(node, amount, jumps=True)
    require(not amount.free_symbols & set(scene.state), "the loss is not fixed")
    waiting = replace(scene, assumed=And(scene.assumed, negation(body)))
    inside = [*scene.known, *invariant(waiting, node.parts[0]), waiting.assumed]
    node.need(scene.at_start, amount > 0)
    change = scene.step(rank) - rank if scene.discrete else scene.rate(rank)
    node.need(inside, Ge(rank, 0), Le(change, -amount))
    if not scene.discrete:
        node.need(inside, *conditions(rank, smooth=True))
        lasts(waiting, node.parts[1])


def _until(scene: Scene, claim: Boolean, node: Node) -> None:
    """The second formula comes true; a set that is kept as long as it is false implies the first one.

    Along a flow the second formula is a closed set, so that there is a first time at which it is true.
    """
    require(isinstance(claim, Until), "not an Until")
    first, second = claim.args
    require(scene.discrete or (is_plain(second) and closure(scene, second) == second), "no first time")
    walk(scene, Eventually(second), node.parts[0])
    extra = scene.moving(scene.values(*sides(second)))
    waiting = replace(scene, assumed=And(scene.assumed, negation(And(*extra, second))))
    inside = invariant(waiting, node.parts[1])
    before = node.facts["before"]
    scene.meant(node, first, before)
    node.need([*scene.known, *inside, waiting.assumed], before)


def _limit(scene: Scene, claim: Boolean, node: Node) -> None:
    """The trajectory converges to points in the interior of the body, whose sides are continuous there.

    It comes near to each point of a cycle again and again, so that what is true around one is true infinitely often.
    """
    again = isinstance(claim, Always) and isinstance(claim.args[0], Eventually)
    require(again or isinstance(claim, Eventually), "not an Eventually")
    inner = claim.args[0].args[0] if isinstance(claim.args[0], (Always, Eventually)) else claim.args[0]
    require(is_plain(inner), "not plain")
    points = [tuple(point) for point in node.facts["points"]]
    walk(scene, ConvergesTo(scene.state, *points), node.parts[0])
    lasting = (strict(inner), *conditions(*sides(inner)))
    chosen = [points[node.facts["place"]]] if again else points
    there = [scene.at(point, part) for point in chosen for part in lasting]
    scene.sound(node, *sides(*there))
    node.need(scene.at_start, *there)


def _inside(scene: Scene, claim: Boolean, node: Node) -> None:
    """A trajectory that never leaves the evolution domain is one of the flow without a domain.

    Hypotheses: the domain holds at every time, shown without assuming it after the start; then the claim, likewise.
    Nothing else is assumed: a premise is known only as long as the trajectory is in the domain.
    """
    require(scene.domain != sp.true and scene.assumed == scene.domain, "something else than the domain is assumed")
    free = replace(scene, assumed=sp.true, domain=sp.true)
    walk(free, Always(scene.domain), node.parts[0])
    walk(free, claim, node.parts[1])


RULES.update({
    "units": _units, "now": _now, "and": _and, "almost-every": _almost_every, "or": _or, "cases": _cases,
    "implies": _implies, "not": _not, "no-limit": _no_limit,
    "always": _always, "always-tail": _always_tail, "always-and": _always_and, "k-induction": _k_induction,
    "descent": _descent, "descent-flow": _descent_flow, "after-tail": _after_tail, "after": _after,
    "after-always": _after_always, "eventually-after": _eventually_after, "unrolled": _unrolled, "ranking": _ranking,
    "until": _until,
    "limit": _limit, "solution": closed_solution, "inside": _inside, **CONVERGENCE, **RECURRENCE,
})  # fmt: skip
