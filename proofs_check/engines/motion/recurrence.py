"""Why something happens again and again, or passes every bound: it happens once more from every state reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from sympy import Basic, Expr, Integer, Ne, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.engines.motion.argument import Argument, Desk, first_success
from proofs_check.engines.motion.inductive import well_posed
from proofs_check.engines.motion.invariants import invariants
from proofs_check.engines.motion.sampling import function_of, samples
from proofs_check.engines.motion.trajectory import Setting, joined
from theory.temporal import Always, Eventually, Temporal, Unbounded

Prove = Callable[[Setting, Boolean, Desk], Argument]

_MOST_SETS = 4
_LARGEST = 1e6


def fresh(setting: Setting, claim: Basic, name: str) -> Symbol:
    """A symbol that nothing else has, called like the given name."""
    parts = (*setting.rule, *setting.start, *setting.hypotheses, setting.assumed, setting.domain, claim)
    taken = {*setting.variables, *setting.state}.union(*(part.free_symbols for part in parts))
    names = (Symbol(name + "_" * more) for more in count())
    return next(symbol for symbol in names if symbol not in taken)


def restarted(setting: Setting, claim: Boolean, known: Iterable[Boolean]) -> Setting:
    """The trajectory from any state of which some relations are known."""
    names = tuple(fresh(setting, claim, f"{symbol.name}_then") for symbol in setting.state)
    variables = {**setting.variables, **dict.fromkeys(names, S.Reals)}
    moved = replace(setting, start=names, variables=variables, almost_all=())
    return replace(moved, hypotheses=joined(*setting.hypotheses, *(moved.initially(part) for part in known)))


def at_any_time(setting: Setting, claim: Always, desk: Desk, prove: Prove) -> Argument:
    """What follows from every state of an invariant set is true at every time."""

    def within(known: tuple[Boolean, ...], why: Argument) -> Argument:
        later = restarted(setting, claim, known)
        return Argument("anytime", {"from": list(later.start)}, parts=(why, prove(later, claim.args[0], desk)))

    body = claim.args[0]
    quantities = {leaf.lhs - leaf.rhs for leaf in body.atoms(Relational)}
    moving = next((part for part in sorted(quantities, key=str) if part.free_symbols & set(setting.state)), None)
    found = invariants(setting, None if moving is None else Ne(moving, 0), desk)
    sets = {known.parts: known.argument for _, known in zip(range(_MOST_SETS), found, strict=False)}
    return first_success((partial(within, *item) for item in sets.items()), desk)


def reached(setting: Setting, claim: Boolean, region: Boolean, desk: Desk, prove: Prove) -> Argument:
    """A region is reached, and from every state in it the rest follows."""
    later = restarted(setting, claim & region, [region])
    rest = claim.args[0] if isinstance(claim, Eventually) else claim
    parts = (prove(setting, Eventually(region), desk), prove(later, rest, desk))
    return Argument("reached", {"region": region, "from": list(later.start)}, parts=parts)


def _unbounded(setting: Setting, claim: Unbounded, desk: Desk, prove: Prove) -> Argument:
    """It passes a number of which nothing is known."""
    bound = fresh(setting, claim, "M")
    wider = replace(setting, variables={**setting.variables, bound: S.Reals})
    return Argument("unbounded", {"bound": bound}, parts=(prove(wider, claim.passes(bound), desk),))


def _bounded(setting: Setting, claim: Unbounded, desk: Desk, prove: Prove) -> Argument:
    """It stays below its first value, or below a number or a sum of squares that is beyond what was seen."""

    def below(bound: Expr) -> Argument:
        needed = well_posed(setting, [], desk, [bound])
        return Argument("bounded", {"bound": bound}, tuple(needed), (prove(setting, claim.stays_below(bound), desk),))

    return first_success((partial(below, bound) for bound in _bounds(setting, claim.args[0], desk)), desk)


def _bounds(setting: Setting, quantity: Expr, desk: Desk) -> Iterator[Expr]:
    first = setting.initially(quantity)
    yield first
    seen = samples(setting, seconds=desk.budget.seconds_for("motion, trajectories below a bound"))
    names = sorted(quantity.free_symbols, key=str)
    value = function_of(quantity, names)
    found = [
        value(*({**sample.fixed, **dict(zip(setting.state, state, strict=True))}[name] for name in names))
        for sample in seen
        for state in sample.states
    ]
    most = max(found, default=math.nan)
    if abs(most) <= _LARGEST:
        yield Integer(math.ceil(most))
        yield Integer(2 * math.ceil(abs(most)) + 1)
    if first.free_symbols:
        yield 1 + sum((value**2 for value in setting.start), S.Zero)


RECURRENT: dict[type[Temporal], Callable[[Setting, Unbounded, Desk, Prove], Argument]] = {Unbounded: _unbounded}
"""Rules for claims by their operator."""
NEGATED: dict[type[Temporal], Callable[[Setting, Unbounded, Desk, Prove], Argument]] = {Unbounded: _bounded}
"""Rules for the opposite of claims by their operator."""
