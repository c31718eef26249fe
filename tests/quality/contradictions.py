"""Pairs of claims about one trajectory that cannot both be true: random maps and flows, starts and quantities.

The dynamics are drawn so that their rest point is known and most of them come to rest there; the claims are not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from sympy import (
    Expr,
    Ge,
    Gt,
    Implies,
    Integer,
    Interval,
    Le,
    Lt,
    Not,
    Piecewise,
    Rational,
    Symbol,
    cos,
    sign,
    sin,
)
from sympy import symbols as symbols_of
from sympy.logic.boolalg import Boolean

from theory import After, Always, ConvergesTo, Decreasing, Eventually, Flow, Map, Statement
from theory.temporal import negation

STATE = symbols_of("x y z")
FIRST = symbols_of("x0 y0 z0")


@dataclass(frozen=True)
class Pair:
    """Two statements with the same dynamics and starts, of which at most one is true."""

    conflict: str
    one: Statement
    other: Statement


@dataclass(frozen=True)
class Motion:
    """Dynamics with a rest point, and starts: numbers, or variables in boxes."""

    dynamics: Map | Flow
    rest: tuple[Expr, ...]
    start: tuple[Expr, ...]
    boxes: dict[Symbol, Interval]

    @property
    def state(self) -> tuple[Symbol, ...]:
        """The moving symbols."""
        return tuple(self.dynamics.state)

    def claims(self, then: Boolean) -> Statement:
        """The statement that the claim holds from all the starts."""
        start = dict(zip(self.state, self.start, strict=True))
        return Statement(variables=self.boxes, dynamics=self.dynamics, start=start, then=then)

    def at(self, quantity: Expr, point: tuple[Expr, ...]) -> Expr:
        """The value of a quantity of the state at a point."""
        return quantity.subs(dict(zip(self.state, point, strict=True)), simultaneous=True)


def _number(random: Random, low: int, high: int, parts: int = 4) -> Rational:
    return Rational(random.randint(low * parts, high * parts), parts)


def _pull(random: Random, gap: Expr, other: Expr) -> Expr:
    """A velocity towards the rest point, which lies where the gap is zero; sometimes the other way."""
    slope = random.choice((Rational(1, 2), Integer(1), Rational(1, 4), Rational(-1, 2)))
    forms: tuple[Callable[[], Expr], ...] = (
        lambda: -slope * gap,
        lambda: -slope * gap + other / 4,
        lambda: -slope * gap**3,
        lambda: -slope * gap / (1 + gap**2),
        lambda: -slope * gap * (1 + gap**2),
        lambda: -slope * sin(gap),
        lambda: gap * (cos(gap) - 2) * slope,
        lambda: slope * gap * (gap - 1),
    )
    return random.choice(forms[: random.choice((2, 4, len(forms)))])()


_JUMPS: tuple[Callable[[Expr], Expr], ...] = (
    lambda x: x / 2 + sign(x) / 4,
    lambda x: Piecewise((x / 2, x > 0), (x / 3, True)),
    lambda x: Piecewise((x / 2, x > 1), (x / 4 + 1, True)),
    lambda x: x - sign(x) / 4,
    lambda x: Piecewise((-x / 2, x < 0), (x / 2 + 1, True)),
)


def motion(random: Random) -> Motion:
    """Random dynamics from random starts."""
    flow = random.random() < 0.5
    size = random.choice((1, 1, 1, 2, 2, 3))
    state = STATE[:size]
    rest = tuple(_number(random, -1, 1, 1) if random.random() < 0.4 else Integer(0) for _ in state)
    gaps = [symbol - value for symbol, value in zip(state, rest, strict=True)]
    others = [*gaps[1:], Integer(0)]
    if not flow and size == 1 and random.random() < 0.25:
        rest, rule = (Integer(0),), [random.choice(_JUMPS)(state[0])]
    else:
        pulls = [_pull(random, gap, other) for gap, other in zip(gaps, others, strict=True)]
        rule = pulls if flow else [symbol + pull for symbol, pull in zip(state, pulls, strict=True)]
    boxes: dict[Symbol, Interval] = {}
    start: list[Expr] = []
    for name in FIRST[:size]:
        low = _number(random, -2, 2, 2)
        if random.random() < 0.5:
            start.append(low)
        else:
            start.append(name)
            boxes[name] = Interval(low, low + Rational(1, random.choice((1, 2, 4))))
    return Motion((Flow if flow else Map)(state, rule), rest, tuple(start), boxes)


def quantity_of(random: Random, moving: Motion) -> Expr:
    """A polynomial in the state."""
    x = random.choice(moving.state)
    total = sum(moving.state, Integer(0))
    squares = sum((symbol**2 for symbol in moving.state), Integer(0))
    return random.choice((x, x, x**2, total, squares, x**3, (x - 1) ** 2, x * moving.state[-1]))


def _limits(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    rest = moving.at(q, moving.rest)
    return ConvergesTo(q, rest), ConvergesTo(q, random.choice((moving.at(q, moving.start), rest + 1, Integer(7))))


def _relation(random: Random, moving: Motion, q: Expr) -> Boolean:
    """A relation that a monotone way from the start to rest keeps, if chance adds no more than it takes away."""
    corners = [{name: getattr(box, end) for name, box in moving.boxes.items()} for end in ("start", "end")]
    marks = [moving.at(q, moving.rest), *(moving.at(q, moving.start).subs(corner) for corner in corners)]
    chance = _number(random, -1, 2, 2)
    if random.random() < 0.5:
        return random.choice((Lt, Le))(q, max(marks) + chance)
    return random.choice((Gt, Ge))(q, min(marks) - chance)


def _always(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    p = _relation(random, moving, q)
    return Always(p), Eventually(negation(p))


def _denied(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    p = random.choice((Always, Eventually))(_relation(random, moving, q))
    return p, Not(p)


def _moment(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    p, moment = _relation(random, moving, q), random.randint(0, 3)
    if isinstance(moving.dynamics, Map):
        return After(moment, p), After(moment, negation(p))
    return After(moment, Always(p)), Always(negation(p))


def _bounds(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    p = _relation(random, moving, q)
    sharper = p.rhs - _number(random, 1, 3) if isinstance(p, (Lt, Le)) else p.rhs + _number(random, 1, 3)
    return Eventually(negation(p.func(q, sharper))), Always(p.func(q, sharper - (p.rhs - sharper)))


def _falling(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    quantity = sum(((s - r) ** 2 for s, r in zip(moving.state, moving.rest, strict=True)), Integer(0))
    fallen = random.choice((quantity, quantity, q))
    return Decreasing(fallen), Always(fallen >= moving.at(fallen, moving.start))


def _premise(random: Random, moving: Motion, q: Expr) -> tuple[Boolean, Boolean]:
    one, other = _limits(random, moving, q)
    p = Ge(sum((symbol**2 for symbol in moving.state), Integer(0)), 0)
    return Implies(Always(p), one), other


CONFLICTS: dict[str, Callable[[Random, Motion, Expr], tuple[Boolean, Boolean]]] = {
    "two limits": _limits,
    "always and once not": _always,
    "said and denied": _denied,
    "at one moment": _moment,
    "a bound and a break of it": _bounds,
    "falling and above the first value": _falling,
    "two limits, one under a premise": _premise,
}
"""How two claims contradict each other; the first one is the likelier."""


def pairs(random: Random, count: int) -> Iterator[Pair]:
    """So many pairs; claims that SymPy decides while they are written, and targets that agree, are drawn again."""
    while count > 0:
        moving = motion(random)
        name, conflict = random.choice(list(CONFLICTS.items()))
        one, other = conflict(random, moving, quantity_of(random, moving))
        if not (_is_said(one) and _is_said(other)) or _agree(moving, one, other):
            continue
        if random.random() < 0.25:
            one, other = other, one
        count -= 1
        yield Pair(name, moving.claims(one), moving.claims(other))


def _is_said(claim: Boolean) -> bool:
    """Whether nothing in a claim was decided while it was written."""
    return not claim.has(True, False)


def _agree(moving: Motion, one: Boolean, other: Boolean) -> bool:
    """Whether two targets are the same number from some start, so that both limits may be right from there on."""
    limits = [limit for claim in (one, other) for limit in claim.atoms(ConvergesTo)]
    if len(limits) < 2:
        return False
    gap = limits[0].points[0][0] - limits[1].points[0][0]
    return gap.subs({name: box.start + (box.end - box.start) / 3 for name, box in moving.boxes.items()}) == 0
