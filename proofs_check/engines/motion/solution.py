"""Closed solutions of flows, found for linear and Bernoulli equations or read off the claim; all of them are proved."""

from __future__ import annotations

from sympy import Add, And, Eq, Expr, Ge, Matrix, Poly, S, Symbol, diff, exp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError
from proofs_check.engines.motion.inductive import well_posed
from proofs_check.engines.motion.trajectory import Setting, joined
from proofs_check.goals import Goal
from theory.language.definedness import smooth_where
from theory.temporal import put_at_once

Orbit = tuple[Expr, ...]

_LARGEST_SYSTEM = 3


def solutions(setting: Setting, body: Boolean) -> list[Orbit]:
    """Formulas of the time that may be the trajectory: one that the claim names, and what the equation gives.

    >>> x, t, a = Symbol("x"), Symbol("t"), Symbol("a")
    >>> solutions(Setting(False, (x, t), (-x, S.One), (a, S.Zero), {}, (), clock=t), x <= a)
    [(a*exp(-t), t)]
    """
    time = time_of(setting)
    moving = [symbol for symbol in setting.state if symbol != setting.clock]
    found = [_named(moving, time, body), *_scalar(setting, moving, time), _linear(setting, moving, time)]
    orbits = [dict(zip(moving, orbit, strict=True)) for orbit in found if orbit is not None]
    whole = [tuple(orbit.get(symbol, time) for symbol in setting.state) for orbit in orbits]
    return list(dict.fromkeys(whole))


def time_of(setting: Setting) -> Symbol:
    """The clock, or a name for the time where there is none."""
    return setting.clock if setting.clock is not None else Symbol("_time")


def _named(moving: list[Symbol], time: Symbol, body: Boolean) -> Orbit | None:
    """What equations of the claim say of each state."""
    said: dict[Symbol, Expr] = {}
    for part in joined(body):
        if isinstance(part, Eq):
            for symbol, value in (part.args, part.args[::-1]):
                if symbol in moving and not value.free_symbols & set(moving) and time in value.free_symbols:
                    said.setdefault(symbol, value)
    return tuple(said[symbol] for symbol in moving) if len(said) == len(moving) else None


def _scalar(setting: Setting, moving: list[Symbol], time: Symbol) -> list[Orbit]:
    """x' = a x + c x^n, and x' = a x + b."""
    if len(moving) != 1:
        return []
    x, start, rule = moving[0], setting.beginning[moving[0]], setting.step[moving[0]]
    if rule.free_symbols & {time}:
        return []
    try:
        terms = {power: value for (power,), value in Poly(rule, x).terms()}
    except PolynomialError:
        return []
    pace = terms.pop(1, S.Zero)
    if len(terms) > 1:
        return []
    growth = exp(pace * time)
    ((power, factor),) = terms.items() or ((0, S.Zero),)
    if power == 0:
        return [(start + factor * time,)] if pace == 0 else [((start + factor / pace) * growth - factor / pace,)]
    more = power - 1
    grown = time if pace == 0 else (exp(more * pace * time) - 1) / (more * pace)
    bottom = 1 - more * factor * start**more * grown
    return [(start * growth / (bottom if more == 1 else bottom ** (S.One / more)),)]


def _linear(setting: Setting, moving: list[Symbol], time: Symbol) -> Orbit | None:
    """x' = M x with numbers in M whose eigenvalues are rational."""
    rules = [setting.step[symbol] for symbol in moving]
    matrix = Matrix([[diff(part, symbol) for symbol in moving] for part in rules])
    small = 1 < len(moving) <= _LARGEST_SYSTEM and all(value.is_Rational for value in matrix)
    if not small or any(part.subs(dict.fromkeys(moving, 0)) != 0 for part in rules):
        return None
    if sum(count for value, count in matrix.eigenvals().items() if value.is_Rational) != len(moving):
        return None
    moved = (matrix * time).exp() * Matrix([setting.beginning[symbol] for symbol in moving])
    return tuple(Add(part.expand()) for part in moved)


def by_solution(setting: Setting, body: Boolean, orbit: Orbit, moment: Expr | None, desk: Desk) -> Argument:
    """The body at every time, or at a moment, put into words about the time alone."""
    time = time_of(setting)
    here = dict(zip(setting.state, orbit, strict=True))
    fixed = dict(setting.variables)
    known = setting.hypotheses

    def meanwhile(conclusion: Boolean) -> Goal:
        return Goal({**fixed, time: S.Reals}, joined(*known, Ge(time, 0)), conclusion)

    smooth, regular = smooth_where(orbit), smooth_where(setting.rule)
    if smooth is None or regular is None or isinstance(body, BooleanTrue):
        raise UnprovedError("the solution may have kinks")
    first = [put_at_once(part, {time: S.Zero}) for part in orbit]
    begun = And(*(Eq(part, start) for part, start in zip(first, setting.start, strict=True)))
    speeds = [put_at_once(part, here) for part in setting.rule]
    moved = [Eq(diff(part, time), speed) for part, speed in zip(orbit, speeds, strict=True)]
    obligations = [desk.require("start", Goal(fixed, known, begun))]
    obligations += [desk.require("defined", meanwhile(part)) for part in joined(smooth)]
    obligations += [desk.require("regular", meanwhile(part)) for part in joined(put_at_once(regular, here))]
    obligations += [desk.require("equation", meanwhile(part)) for part in moved]
    said = put_at_once(body, here)
    numbers = first if moment is None else [*first, moment]
    obligations += well_posed(setting, [part for part in joined(body) if isinstance(part, Relational)], desk, numbers)
    if moment is None:
        obligations += [desk.require("claim", meanwhile(part)) for part in joined(said)]
    else:
        there = And(Ge(moment, 0), put_at_once(said, {time: moment}))
        obligations += [desk.require("claim", Goal(fixed, known, part)) for part in joined(there)]
    note = "the trajectory in closed form: " + ", ".join(
        f"{symbol} = {part}" for symbol, part in here.items() if symbol != setting.clock
    )
    return Argument("solution", {"orbit": orbit, "body": body}, tuple(obligations), notes=(note,))
