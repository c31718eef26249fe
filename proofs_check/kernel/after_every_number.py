"""A claim after N steps of a map, N any whole number, as a claim at every moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, S, Symbol

from proofs_check.kernel.kinds import accepted
from theory.dynamics import Map
from theory.language.definedness import demands
from theory.language.words import fresh_symbols
from theory.statements import Statement
from theory.temporal import After, Always, is_plain, rename


class NotEveryNumberError(Exception):
    """A claim is not about every number of steps; the message says why."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the claim about every moment is decided by the enclosed certificate."""
    return accepted(at_every_moment(statement), certificate["certificate"])


def at_every_moment(statement: Statement) -> Statement:
    """A statement with Always and the clock instead of After(N, ...); each follows from the other.

    The moments of a map are the whole numbers from 0 on, so that "after N steps p(x, N), for every N >= 0" says "always
    p(x, n) at the moment n". From N = 1 on the trajectory begins one step later, and the clock is one behind.
    Hypotheses: N stands in the claim alone; beginning later loses nothing that may have no value. Twins: an N with a
    bound, or in a hypothesis, which makes its numbers fewer; N >= 1 read as N >= 0.
    """
    then, dynamics = statement.then, statement.dynamics
    if not isinstance(then, After) or not isinstance(dynamics, Map) or dynamics.restrictions:
        raise NotEveryNumberError("it is not about a number of steps")
    number, body = then.args
    domain = statement.variables.get(number)
    if not isinstance(number, Symbol) or domain not in (S.Naturals, S.Naturals0) or not is_plain(body):
        raise NotEveryNumberError("the number of steps is no variable that counts them")
    rest = {symbol: space for symbol, space in statement.variables.items() if symbol != number}
    parts = [*statement.given, *dynamics.right_side, *statement.start.values(), *rest.values()]
    if any(number in part.free_symbols for part in parts) or number in statement.stated:
        raise NotEveryNumberError(f"{number} stands elsewhere, too")
    if statement.computed is not None or statement.almost_all or statement.uses or statement.noise:
        raise NotEveryNumberError("computations, exceptions, steps and noise are not read here")
    names = {str(a) for part in (*parts, body) for a in part.atoms(Symbol)} | set(map(str, (*rest, *statement.stated)))
    clock = dynamics.time or fresh_symbols(names | set(map(str, dynamics.state)))("step")
    state, update, start = dynamics.state, tuple(dynamics.update), dict(statement.start)
    now: Expr = clock
    if domain == S.Naturals:
        if demands([*update, *start.values()]):
            raise NotEveryNumberError("a first step may have no value")
        first = [part.xreplace({**start, clock: Integer(0)}) for part in update]
        start, now = dict(zip(state, first, strict=True)), clock + 1
        update = tuple(part.xreplace({clock: now}) for part in update)
    claim = rename(body, {number: now} if dynamics.time is None else {number: now, clock: now})
    return Statement(
        variables=rest, given=statement.given, constants=statement.constants,
        dynamics=Map(state, update, clock), start=start, then=Always(claim),
    )  # fmt: skip
