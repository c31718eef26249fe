"""Coq propositions about the orbits of a map or the trajectories of a flow, read back.

A state is a sequence of numbers, or a function of the time, for each of its symbols. Coq's functions have values
everywhere, so what is concluded of every moment includes that the rule has a value there; then the sequences are the
orbit. The functions of a flow are differentiable at every moment from 0 on that is before some end. That is asked from
both sides also at 0, where every solution that begins there can be continued by a straight line into the past.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import And, Basic, Dummy, Expr, Lt, Symbol, true
from sympy.logic.boolalg import Boolean

from proofs_check.kernel import coq_terms as coq
from theory.dynamics import Flow
from theory.language.definedness import demands
from theory.statements import Statement
from theory.temporal import Always, Decreasing, is_plain


@dataclass(frozen=True)
class Orbit:
    """What a statement says of the orbits of a map or the trajectories of a flow.

    `next` has a symbol for each symbol of the state one step later; `start` and `given` are about the fixed numbers,
    the rest is about a moment. Each of `always` holds at every moment; `valued` holds of the fixed numbers. The rule
    of a flow says the rates, and `clock` is the time.
    """

    flows: bool
    clock: Symbol | None

    fixed: tuple[Symbol, ...]
    state: tuple[Symbol, ...]
    next: tuple[Symbol, ...]
    given: tuple[Boolean, ...]
    start: tuple[Expr, ...]
    rule: tuple[Expr, ...]
    valued: tuple[Boolean, ...]
    always: tuple[tuple[Boolean, ...], ...]


def orbit_of(statement: Statement) -> Orbit:
    """The orbit of a statement that something holds at every moment; ValueError for all others.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> from sympy import S
    >>> from theory.dynamics import Map
    >>> halved = Map((x,), (x / 2,))
    >>> one = Statement(variables={y: S.Reals}, given=(y > 0,), dynamics=halved, start={x: y}, then=Always(x > 0))
    >>> orbit_of(one).always
    ((x > 0,),)
    """
    moving = statement.dynamics
    flows = isinstance(moving, Flow)
    if moving is None or moving.restrictions or statement.noise or statement.computed is not None:
        raise ValueError("nothing moves, or something is drawn, computed or restricted")
    if not flows and moving.time is not None:
        raise ValueError("a map with a clock")
    if not all(isinstance(symbol, Symbol) for symbol in (*moving.state, *statement.variables)):
        raise ValueError("something else than numbers moves")
    if not all(map(is_plain, statement.hypotheses)):
        raise ValueError("a hypothesis is not plain")
    values = statement.stated
    rule = tuple(part.xreplace(values) for part in moving.right_side)
    start = tuple(statement.start[symbol].xreplace(values) for symbol in moving.state)
    later = tuple(Dummy(f"{symbol.name}_next") for symbol in moving.state)
    known = dict(zip(moving.state, later, strict=True))
    always = tuple(
        tuple(dict.fromkeys((*demands(rule), *_said(part, {} if flows else known))))
        for part in And.make_args(statement.conclusion)
    )
    given = tuple(part for part in statement.hypotheses if part != true)
    return Orbit(
        flows, moving.time, tuple(statement.variables), moving.state, later, given, start, rule,
        tuple(demands(start)), always,
    )  # fmt: skip


def _said(part: Boolean, later: dict[Symbol, Symbol]) -> list[Boolean]:
    """What a part of the conclusion says of every moment, with the conditions for it to have a value."""
    if isinstance(part, Always) and is_plain(part.args[0]):
        return [*coq.conditions(part.args[0]), *And.make_args(part.args[0])]
    if isinstance(part, Decreasing) and later:
        now, then = part.args[0], part.args[0].xreplace(later)
        return [*demands((now, then)), Lt(then, now, evaluate=False)]
    raise ValueError("something else than Always, or Decreasing along a map")


def states_motion(text: str, statement: Statement) -> bool:
    """Whether a Coq proposition says of the orbits of a map or the trajectories of a flow what a statement does.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> from sympy import S
    >>> from theory.dynamics import Map
    >>> halved = Map((x,), (x / 2,))
    >>> one = Statement(variables={y: S.Reals}, given=(y > 0,), dynamics=halved, start={x: y}, then=Always(x > 0))
    >>> said = (
    ...     "forall (y : R) (x : nat -> R), (y > 0) -> (x O = y) -> (forall now : nat, x (S now) = x now / 2) -> "
    ...     "(forall now : nat, x now {} 0)"
    ... )
    >>> states_motion(said.format(">"), one), states_motion(said.format(">="), one)
    (True, False)
    """
    try:
        orbit = orbit_of(statement)
        kinds, (*hypotheses, conclusion) = coq.Reader(text).theorem()
        wanted, given, concluded = _trees(orbit)
    except (ValueError, IndexError, KeyError):
        return False
    return kinds == wanted and set(hypotheses) <= given and conclusion == concluded


def _trees(orbit: Orbit) -> tuple[tuple[str, ...], set[coq.Tree], coq.Tree]:
    """The kinds of the variables, what may be assumed, and what is concluded."""
    count = len(orbit.fixed)
    first = count + orbit.flows
    fixed: dict[Basic, coq.Tree] = {symbol: coq.variable(place) for place, symbol in enumerate(orbit.fixed)}
    moving = fixed | {symbol: ("at", first + k, coq.NOW) for k, symbol in enumerate(orbit.state)}
    given = {coq.tree_of(part, fixed) for part in orbit.given}
    given |= {("=", ("at", first + k, coq.FIRST), coq.tree_of(part, fixed)) for k, part in enumerate(orbit.start)}
    if orbit.flows:
        moving |= {} if orbit.clock is None else {orbit.clock: coq.NOW}
        steps = [("moves", first + k, coq.tree_of(part, moving)) for k, part in enumerate(orbit.rule)]
    else:
        moving |= {symbol: ("at", first + k, ("S", coq.NOW)) for k, symbol in enumerate(orbit.next)}
        steps = [
            ("=", moving[one], coq.tree_of(part, moving)) for one, part in zip(orbit.next, orbit.rule, strict=True)
        ]
    every = ("during", count) if orbit.flows else ("always",)
    given.add((*every, _whole(steps)))
    always = [(*every, _whole([coq.tree_of(part, moving) for part in one])) for one in orbit.always]
    concluded = _whole([*(coq.tree_of(part, fixed) for part in orbit.valued), *always])
    kinds = (coq.NUMBER,) * first + (coq.FUNCTION if orbit.flows else coq.SEQUENCE,) * len(orbit.state)
    return kinds, given, concluded


def _whole(parts: list[coq.Tree]) -> coq.Tree:
    return coq.joined(parts) if len(parts) > 1 else parts[0]
