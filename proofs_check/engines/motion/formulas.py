"""Temporal claims taken apart: connectives, Always, Eventually, Until, After, Decreasing; the rest is convergence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain

from sympy import And, Eq, Expr, Ge, Integer, Le, Lt, Ne, Or, S, diff, factor
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue, Implies, Not

from proofs_check.engines.motion import candidates
from proofs_check.engines.motion.alternating import alternating
from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError, first_success
from proofs_check.engines.motion.barrier import closed, confined, interior
from proofs_check.engines.motion.convergence import converges, has_period, settled_orbits
from proofs_check.engines.motion.inductive import (
    Invariant,
    defined_for,
    defined_on,
    inductive,
    k_inductive,
    meaning,
    well_posed,
    where_valued,
)
from proofs_check.engines.motion.invariants import invariants
from proofs_check.engines.motion.lasting import lasts
from proofs_check.engines.motion.recurrence import NEGATED, RECURRENT, at_any_time, reached
from proofs_check.engines.motion.solution import by_solution, solutions
from proofs_check.engines.motion.trajectory import Setting, joined
from proofs_check.engines.motion.unsettled import without_limit
from theory.domains import is_discrete
from theory.language.definedness import continuous_where, smooth_where
from theory.temporal import (
    After,
    AlmostEvery,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    HasPeriod,
    Until,
    is_plain,
    is_temporal,
    negation,
)

_LONGEST_UNROLLING = 4
_DEEPEST_INDUCTION = 3
_TAIL = (ConvergesTo, HasPeriod)


def prove(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    """An argument for a claim about the trajectory; raises UnprovedError when none is found."""
    if is_plain(claim):
        return _at_start(setting, claim, desk)
    if isinstance(claim, And):
        return Argument("and", {}, parts=tuple(prove(setting, part, desk) for part in claim.args))
    if isinstance(claim, AlmostEvery) and not setting.almost_all:
        excepting = replace(setting, almost_all=(claim.symbol,))
        return Argument("almost-every", {}, parts=(prove(excepting, claim.args[1], desk),))
    if isinstance(claim, Or):
        return _alternative(setting, claim, desk)
    if isinstance(claim, Implies):
        return _implication(setting, claim, desk)
    if isinstance(claim, Not) and isinstance(claim.args[0], ConvergesTo):
        if setting.domain != S.true:
            raise UnprovedError("the trajectory may end by leaving its domain")
        return without_limit(setting, claim.args[0], desk, prove)
    if isinstance(claim, Not) and type(claim.args[0]) in NEGATED:
        return NEGATED[type(claim.args[0])](setting, claim.args[0], desk, prove)
    if type(claim) in RECURRENT:
        return RECURRENT[type(claim)](setting, claim, desk, prove)
    if isinstance(claim, Not):
        return Argument("not", {}, parts=(prove(setting, _negated(claim.args[0]), desk),))
    rules: dict[type, Callable[[Setting, Boolean, Desk], Argument]] = {
        Always: _always, Eventually: _eventually, Until: _until, After: _after, Decreasing: _decreasing,
        ConvergesTo: converges, HasPeriod: has_period,
    }  # fmt: skip
    rule = rules.get(type(claim))
    if setting.domain != S.true and isinstance(claim, (Until, After, *_TAIL)):
        rule = _inside
    if rule is None:
        raise UnprovedError(f"no rule for {type(claim).__name__}")
    return rule(setting, claim, desk)


def _inside(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    """The trajectory never leaves its domain, so that it is one of the flow without a domain."""
    if setting.assumed != setting.domain:
        raise UnprovedError("a premise is known inside of the domain only")
    free = replace(setting, assumed=S.true, domain=S.true)
    return Argument("inside", {}, parts=(prove(free, Always(setting.domain), desk), prove(free, claim, desk)))


def _at_start(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    meant = _meant(setting, claim, desk)
    obligations = [*well_posed(setting, [meant], desk, jumps=True), desk.require("now", setting.at_start(meant))]
    return Argument("now", {"body": meant}, tuple(obligations))


def _meant(setting: Setting, body: Boolean, desk: Desk) -> Boolean:
    found = meaning(setting, body, desk)
    if found is None:
        raise UnprovedError(f"{body} may be undefined")
    return found


def _alternative(setting: Setting, claim: Or, desk: Desk) -> Argument:
    if all(isinstance(part, ConvergesTo) for part in claim.args):
        with suppress(UnprovedError):
            return alternating(setting, claim.args, desk)
    for place, part in enumerate(claim.args):
        try:
            return Argument("or", {"place": place}, parts=(prove(setting, part, desk),))
        except UnprovedError:
            continue
    raise UnprovedError("no alternative holds for the whole hypothesis set")


def _implication(setting: Setting, implication: Implies, desk: Desk) -> Argument:
    """The claim where the premises hold; one that may have no value is not used, because nothing follows from it."""
    premise, claim = implication.args
    parts = joined(premise)
    if not all(is_plain(_body(part)) for part in parts):
        raise UnprovedError("the premise is not of the form Always(...)")
    needs = {part: where_valued(setting, _body(part)) for part in parts}
    for part in parts:
        if isinstance(needs[part], BooleanTrue):
            setting = _assuming(setting, part)
    shown: dict[Boolean, Argument] = {}
    for part, need in needs.items():
        if isinstance(need, BooleanTrue):
            continue
        with suppress(UnprovedError):
            shown[part] = prove(setting, Always(need) if isinstance(part, Always) else need, desk)
    for part in shown:
        setting = _assuming(setting, part)
    return Argument("implies", {"partial": list(shown)}, parts=(prove(setting, claim, desk), *shown.values()))


def _body(premise: Boolean) -> Boolean:
    return premise.args[0] if isinstance(premise, Always) else premise


def _assuming(setting: Setting, premise: Boolean) -> Setting:
    if isinstance(premise, Always):
        return setting.assuming(premise.args[0])
    return setting.given(setting.initially(premise))


def _negated(claim: Boolean) -> Boolean:
    if isinstance(claim, Always) and is_plain(claim.args[0]):
        return Eventually(negation(claim.args[0]))
    if isinstance(claim, Eventually) and is_plain(claim.args[0]):
        return Always(negation(claim.args[0]))
    raise UnprovedError("no rule for this negation")


def _always(setting: Setting, claim: Always, desk: Desk) -> Argument:
    body = claim.args[0]
    if isinstance(body, (Always, Decreasing, *_TAIL)):
        return Argument("always-tail", {}, parts=(prove(setting, body, desk),))
    if isinstance(body, And) and is_temporal(body):
        return Argument("always-and", {}, parts=tuple(prove(setting, Always(part), desk) for part in body.args))
    if not is_plain(body):
        ways = [partial(at_any_time, setting, claim, desk, prove)]
        if isinstance(body, Eventually) and is_plain(body.args[0]):
            ways.insert(0, partial(_in_the_limit, setting, body.args[0], desk, again=True))
        return first_success(ways, desk)
    meant = _meant(setting, body, desk)
    timed = setting.clock is not None and setting.clock in body.free_symbols and setting.domain == S.true
    orbits = solutions(setting, body) if timed else []
    solved = (partial(by_solution, setting, meant, orbit, None, desk) for orbit in orbits)
    return first_success(chain(solved, _ways_to_stay(setting, meant, desk)), desk)


def _ways_to_stay(setting: Setting, body: Boolean, desk: Desk) -> Iterator[Callable[[], Argument]]:
    context: Invariant | None = None
    for known in invariants(setting, body, desk):
        context = known
        yield partial(follows, setting, body, known, desk)
    if setting.discrete and context is not None:
        for depth in range(2, _DEEPEST_INDUCTION + 1):
            yield partial(k_inductive, setting, body, depth, context, desk)


def follows(setting: Setting, body: Boolean, known: Invariant, desk: Desk) -> Argument:
    """The body holds at every time because an invariant set implies it."""
    goal = setting.anywhere((*known.parts, setting.assumed), body)
    obligations = [*well_posed(setting, [body], desk, jumps=True), desk.require("follows", goal)]
    return Argument("always", {"body": body}, tuple(obligations), (known.argument,))


def _decreasing(setting: Setting, claim: Decreasing, desk: Desk) -> Argument:
    quantity = claim.args[0]
    rule = _descends if setting.discrete else _flows_down
    attempts = (partial(rule, setting, quantity, known, desk) for known in invariants(setting, Ne(quantity, 0), desk))
    return first_success(attempts, desk)


def _descends(setting: Setting, quantity: Expr, known: Invariant, desk: Desk) -> Argument:
    inside = (*known.parts, setting.assumed, setting.next(setting.assumed))
    less = _meant(setting, Lt(setting.next(quantity), quantity), desk)
    obligations = [
        desk.require("descent", setting.anywhere(inside, less)),
        *well_posed(setting, [less], desk, jumps=True),
    ]
    obligations += defined_on(setting, known.parts, desk)
    return Argument("descent", {"quantity": quantity, "less": less}, tuple(obligations), (known.argument,))


def _flows_down(setting: Setting, quantity: Expr, known: Invariant, desk: Desk) -> Argument:
    """Decreasing inside the set; or nonincreasing and constant only at rest, which is never reached from motion."""
    if smooth_where((quantity,)) is None:
        raise UnprovedError("the quantity may have kinks")
    inside = (*known.parts, setting.assumed)
    slope = factor(setting.rate(quantity))
    strict = _meant(setting, Lt(slope, 0), desk)
    same = desk.require("slope", setting.anywhere((), Eq(setting.rate(quantity), slope)))
    valued = defined_on(setting, known.parts, desk, (quantity,))
    if desk.proves(setting.anywhere(inside, strict)):
        falls = desk.require("descent", setting.anywhere(inside, strict))
        facts = {"quantity": quantity, "slope": slope, "down": strict}
        return Argument(
            "descent-flow", facts, (same, falls, *valued, *well_posed(setting, [strict], desk)), (known.argument,)
        )
    down = _meant(setting, Le(slope, 0), desk)
    rest = And(*(Eq(speed, 0) for speed in setting.rule))
    moves = Or(*(Ne(setting.initially(speed), 0) for speed in setting.rule))
    obligations = [
        same,
        *valued,
        desk.require("descent", setting.anywhere(inside, down)),
        desk.require("constant only at rest", setting.anywhere((*inside, Eq(slope, 0)), rest)),
        desk.require("not at rest", setting.at_start(moves)),
        *well_posed(setting, [down], desk),
    ]
    facts = {"quantity": quantity, "slope": slope, "down": down}
    return Argument("descent-flow", facts, tuple(obligations), (known.argument,))


def _after(setting: Setting, claim: After, desk: Desk) -> Argument:
    moment, body = claim.args
    named = _moment(setting, moment, desk)
    if isinstance(body, _TAIL):
        return Argument("after-tail", {}, tuple(named), (prove(setting, body, desk),))
    if setting.discrete and isinstance(moment, Integer) and 0 <= moment <= _LONGEST_UNROLLING:
        try:
            obligations = tuple(defined_for(setting, int(moment), desk))
            return Argument("after", {}, obligations, (prove(setting.later(int(moment)), body, desk),))
        except UnprovedError:
            pass
    if is_plain(body) and not setting.discrete:
        meant, orbits = _meant(setting, body, desk), solutions(setting, body)
        return first_success((partial(by_solution, setting, meant, orbit, moment, desk) for orbit in orbits), desk)
    whole = Always(body) if is_plain(body) else body
    if not isinstance(whole, (Always, Decreasing)):
        raise UnprovedError("no rule for this After")
    kept = prove(setting, whole, desk)
    reached = () if setting.discrete else (lasts(setting, whole, desk),)
    return Argument("after-always", {}, tuple(named), (kept, *reached))


def _moment(setting: Setting, moment: Expr, desk: Desk) -> list[Obligation]:
    """The obligations that a time is one: a number that is not negative, and a whole one for a map."""
    whole = isinstance(moment, Integer) or (moment in setting.variables and is_discrete(setting.variables[moment]))
    if moment.free_symbols & set(setting.state) or (setting.discrete and not whole):
        raise UnprovedError("not a moment of the trajectory")
    return [
        desk.require("moment", setting.at_start(Ge(moment, 0))),
        *well_posed(setting, [], desk, [moment]),
    ]


def _eventually(setting: Setting, claim: Eventually, desk: Desk) -> Argument:
    body = claim.args[0]
    inner = body.args[0] if isinstance(body, Always) else body
    attempts: list[Callable[[], Argument]] = []
    if is_plain(body):
        attempts.append(lambda: _unrolled(setting, body, desk))
    if setting.domain != S.true:
        attempts.append(lambda: _inside(setting, claim, desk))
    elif is_plain(inner):
        attempts.append(lambda: _in_the_limit(setting, inner, desk))
    if is_plain(body):
        attempts.append(lambda: _ranked(setting, body, desk))
    elif setting.discrete:
        attempts += [partial(_reached, setting, body, steps, desk) for steps in range(_LONGEST_UNROLLING)]
    if not is_plain(body) and is_plain(inner):
        attempts.append(partial(reached, setting, claim, inner, desk, prove))
    return first_success(attempts, desk)


def _reached(setting: Setting, body: Boolean, steps: int, desk: Desk) -> Argument:
    obligations = tuple(defined_for(setting, steps, desk))
    return Argument("eventually-after", {"steps": steps}, obligations, (prove(setting.later(steps), body, desk),))


def _unrolled(setting: Setting, body: Boolean, desk: Desk) -> Argument:
    """One of the first states satisfies the body, which one may depend on the point of the hypothesis set."""
    meant = _meant(setting, body, desk)
    steps = _LONGEST_UNROLLING if setting.discrete else 1
    reached: list[Boolean] = []
    for step in range(steps):
        if desk.budget.spent:  # the later states are long formulas
            break
        reached.append(setting.later(step).initially(meant))
        goal = setting.at_start(Or(*reached))
        if desk.proves(goal):
            obligations = [*well_posed(setting, [meant], desk, jumps=True), desk.require("reached", goal)]
            obligations += defined_for(setting, step, desk)
            return Argument("unrolled", {"body": meant, "steps": step}, tuple(obligations))
    raise UnprovedError("not reached in a few steps")


def _ranked(setting: Setting, body: Boolean, desk: Desk) -> Argument:
    """A quantity that loses a fixed amount in every step outside the body cannot stay above its bound for ever."""
    meant = _meant(setting, body, desk)
    waiting = setting.assuming(negation(meant))
    gaps = [leaf.lhs - leaf.rhs for leaf in candidates.conjuncts(body) if isinstance(leaf, Relational)]
    ranks = [sign * gap for gap in gaps for sign in (S.NegativeOne, S.One)]
    levels = And(*(Le(rank, setting.initially(rank)) for rank in ranks if rank.free_symbols & set(setting.state)))
    for known in invariants(waiting, levels, desk):
        inside = (*known.parts, waiting.assumed)
        for rank in ranks:
            bounded = setting.anywhere(inside, Ge(rank, 0))
            if not desk.proves(bounded):
                continue
            change = setting.next(rank) - rank if setting.discrete else setting.rate(rank)
            for amount in _amounts(setting, rank, change):
                loses = setting.anywhere(inside, Le(change, -amount))
                positive = setting.at_start(amount > 0)
                if desk.proves(positive) and desk.proves(loses):
                    parts = [known.argument]
                    obligations = [desk.require("positive", positive), desk.require("bounded", bounded)]
                    obligations += [
                        desk.require("loses", loses),
                        *well_posed(setting, [meant], desk, [amount], jumps=True),
                    ]
                    if not setting.discrete:
                        obligations += _differentiable(setting, inside, rank, desk)
                        parts.append(lasts(waiting, Always(negation(meant)), desk))
                    facts = {"body": meant, "rank": rank, "amount": amount}
                    return Argument("ranking", facts, tuple(obligations), tuple(parts))
    raise UnprovedError("no ranking function")


def _differentiable(setting: Setting, inside: Sequence[Boolean], quantity: Expr, desk: Desk) -> list[Obligation]:
    where = smooth_where((quantity,))
    if where is None:
        raise UnprovedError("the quantity may have kinks")
    return [] if isinstance(where, BooleanTrue) else [desk.require("smooth", setting.anywhere(inside, where))]


def _amounts(setting: Setting, rank: Expr, change: Expr) -> list[Expr]:
    """Candidate losses per step: the change itself where it is constant, its value at the start, small numbers.

    Where the rank is a bound minus a state, there is also the loss at that bound.
    """
    found = [-change] if not change.free_symbols & set(setting.state) else []
    at_bound = {
        symbol: symbol - rank / diff(rank, symbol)
        for symbol in setting.state
        if diff(rank, symbol).is_number and diff(rank, symbol) != 0
    }
    losses = [-setting.initially(change), *(-change.subs(symbol, value) for symbol, value in at_bound.items())]
    fixed = [loss for loss in losses if not loss.free_symbols & set(setting.state)]
    return list(dict.fromkeys([*found, *fixed, *(S(1) / denominator for denominator in (1, 10, 100))]))


def _until(setting: Setting, claim: Until, desk: Desk) -> Argument:
    """The second formula comes true; before that, a set that holds until then implies the first one."""
    first, second = claim.args
    if not (is_plain(first) and is_plain(second)):
        raise UnprovedError("no rule for this Until")
    if not setting.discrete and closed(setting, second) != second:
        raise UnprovedError("there may be no first time")
    comes = prove(setting, Eventually(second), desk)
    before = _meant(setting, first, desk)
    waiting = setting.assuming(negation(_meant(setting, second, desk)))
    known = inductive_while(waiting, setting, before, desk)
    goal = waiting.anywhere((*known.parts, waiting.assumed), before)
    obligations = [*well_posed(setting, [before], desk, jumps=True), desk.require("before", goal)]
    return Argument("until", {"before": before}, tuple(obligations), (comes, known.argument))


def inductive_while(waiting: Setting, setting: Setting, before: Boolean, desk: Desk) -> Invariant:
    """A set kept by every step that is taken while the second formula is false."""
    pool = [part for part in candidates.conjuncts(before) if isinstance(part, Relational)]
    pool += candidates.start_region(setting)
    return inductive(waiting, pool, desk) if setting.discrete else confined(waiting, pool, desk)


def _in_the_limit(setting: Setting, body: Boolean, desk: Desk, *, again: bool = False) -> Argument:
    """The trajectory settles inside of the set where relations between continuous sides hold, so that it enters it.

    It comes near to one point of a cycle again and again.
    """
    within = interior(body)
    if within == S.false:
        raise UnprovedError("an equation does not survive the limit")
    where = continuous_where(side for leaf in body.atoms(Relational) for side in leaf.args)
    if where is None:
        raise UnprovedError("a side may jump at the limit")
    steady = And(where, within)
    for target in (orbit.points for orbit in settled_orbits(setting)):
        at = [steady.subs(dict(zip(setting.state, point, strict=True)), simultaneous=True) for point in target]
        for place, part in enumerate(at if again else [And(*at)]):
            try:
                goal = setting.at_start(part)
                obligations = [desk.require("limit", goal), *well_posed(setting, [part], desk)]
                argument = converges(setting, ConvergesTo(tuple(setting.state), *target), desk)
            except UnprovedError:
                continue
            facts = {"body": body, "points": target, "place": place}
            return Argument("limit", facts, tuple(obligations), (argument,))
    raise UnprovedError("no limit found")
