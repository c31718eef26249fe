"""Equilibria and periodic orbits, exactly, with a certificate that none was lost or the word partial."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

import sympy as sp

from theory.closed_form import written_cycles
from theory.cycles import Family
from theory.errors import LemmascopeError
from theory.notation import latex
from theory.polynomials import Fraction, NotPolynomialError, Ring, primitive
from theory.systems import Decomposition, Points, Variety, decompose

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map


@dataclass(frozen=True)
class Completeness:
    """What is claimed about a list of solutions, and what the claim rests on.

    ``except_when`` holds polynomials in the parameters: nothing is claimed where one of them vanishes.
    """

    complete: bool
    rests_on: str
    except_when: tuple[sp.Expr, ...] = ()
    unresolved: tuple[tuple[sp.Expr, ...], ...] = ()


@dataclass(frozen=True)
class Orbit:
    """One periodic orbit, or several conjugate ones that only their equations can name.

    ``points`` is the cycle in order, or None when it has no short formula; ``relations`` are polynomials that
    vanish exactly on the points; ``conditions`` say for which parameters the orbit is real.
    """

    state: tuple[sp.Symbol, ...]
    period: int
    points: tuple[tuple[sp.Expr, ...], ...] | None
    relations: tuple[sp.Expr, ...]
    cycles: int = 1
    dimension: int = 0
    conditions: tuple[sp.Basic, ...] = ()
    family: Family | Variety | None = field(default=None, repr=False, compare=False)
    trace: sp.Expr | None = field(default=None, repr=False, compare=False)

    def _repr_latex_(self) -> str:
        if self.points is None:
            body = r",\; ".join(f"{latex(relation)} = 0" for relation in self.relations)
        else:
            body = r" \to ".join(latex(point[0] if len(point) == 1 else point) for point in self.points)
        return rf"$\displaystyle {body}$"


@dataclass(frozen=True)
class Orbits:
    """The orbits of one period; iterate over it, index it, and read ``certificate`` before relying on all of them."""

    period: int
    orbits: tuple[Orbit, ...]
    certificate: Completeness
    excluded: tuple[Orbit, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every real orbit is listed (outside ``certificate.except_when``)."""
        return self.certificate.complete

    def __iter__(self) -> Iterator[Orbit]:
        return iter(self.orbits)

    def __len__(self) -> int:
        return len(self.orbits)

    @overload
    def __getitem__(self, place: int) -> Orbit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Orbit, ...]: ...
    def __getitem__(self, place: int | slice) -> Orbit | tuple[Orbit, ...]:
        return self.orbits[place]

    def _repr_latex_(self) -> str:
        lines = (orbit._repr_latex_().strip("$").removeprefix(r"\displaystyle ") for orbit in self.orbits)
        word = "complete" if self.complete else "partial"
        return r"$\displaystyle " + r",\quad ".join(lines) + rf" \quad (\text{{{word}}})$"


def fixed_points(dynamics: Map | Flow) -> Orbits:
    """All equilibria of a Map or Flow.

    >>> from theory.dynamics import Flow
    >>> x, mu = sp.symbols("x mu", positive=True)
    >>> found = fixed_points(Flow((x,), (x * (mu - x**2),)))
    >>> [orbit.points for orbit in found], found.complete
    ([((sqrt(mu),),)], True)
    """
    require_autonomous(dynamics)
    return orbits(dynamics if dynamics.discrete else dynamics.displacement(), 1)


def orbits(dynamics: Map, period: int) -> Orbits:
    """All orbits of exactly this period: solutions of the iterated equation, lower periods divided out.

    >>> from theory.dynamics import Map
    >>> x, K = sp.symbols("x K", positive=True)
    >>> found = orbits(Map((x,), (x * (1 + K - K * x**2),)), 2)
    >>> [orbit.relations for orbit in found], found.complete
    ([(K**2*x**4 - K**2*x**2 - K*x**2 + 1,)], True)
    """
    require_autonomous(dynamics)
    if not isinstance(period, int) or period < 1:
        raise LemmascopeError(f"period {period} makes no sense: give a positive integer")
    try:
        return _algebraic_orbits(dynamics, period)
    except NotPolynomialError as reason:
        return _recognised_orbits(dynamics, period, str(reason))


def require_autonomous(dynamics: Map | Flow) -> None:
    """Refuse dynamics whose rule changes with time."""
    if dynamics.time is not None and any(entry.has(dynamics.time) for entry in dynamics.right_side):
        raise LemmascopeError(f"orbits need dynamics that do not depend on time: fix {dynamics.time} first")


def _algebraic_orbits(dynamics: Map, period: int) -> Orbits:
    ring = Ring((*dynamics.state, *dynamics.parameters))
    update = {s: ring.fraction(entry) for s, entry in zip(dynamics.state, dynamics.update, strict=True)}
    moved = {s: ring.as_fraction(ring.generators[s]) for s in dynamics.state}
    for _ in range(period):
        moved = {s: entry.substitute(moved) for s, entry in update.items()}
    equations = [moved[s].expression - s for s in dynamics.state]
    found = decompose(equations, dynamics.state, dynamics.parameters)
    kept: list[Orbit] = []
    excluded: list[Orbit] = []
    for orbit in _assembled(found, dynamics, period):
        (kept if _allowed(orbit) else excluded).append(orbit)
    rests_on = "factorisation over Q(parameters)" if len(dynamics.state) == 1 else "factor splitting and resultants"
    certificate = Completeness(
        not found.unresolved,
        rests_on,
        tuple(found.ring.expression(polynomial) for polynomial in found.exceptions),
        tuple(tuple(map(found.ring.expression, equations)) for equations in found.unresolved),
    )
    return Orbits(period, tuple(kept), certificate, tuple(excluded))


def _assembled(found: Decomposition, dynamics: Map, period: int) -> Iterator[Orbit]:
    update = {s: found.ring.fraction(entry) for s, entry in zip(dynamics.state, dynamics.update, strict=True)}
    seen: list[Family] = []
    for part in found.components:
        if isinstance(part, Variety):
            if not _has_lower_period(part, update, period):
                relations = tuple(map(found.ring.expression, part.equations))
                yield Orbit(found.unknowns, period, None, relations, 1, part.dimension, (), part)
            continue
        family = _followed(part, update, period, found.auxiliary)
        if family is None or any(part.contains(step, other.field) for other in seen for step in other.steps):
            continue
        seen.append(family)
        yield from _orbits_of(family, found)


def _followed(part: Points, update: dict[sp.Symbol, Fraction], period: int, auxiliary: sp.Symbol) -> Family | None:
    """The cycle through the points, or None when its period is lower or it meets a pole."""
    steps = [part.coordinates]
    try:
        for _ in range(period - 1):
            following = {s: part.field.evaluate(entry, steps[-1]) for s, entry in update.items()}
            if following == steps[0]:
                return None
            steps.append(following)
    except ZeroDivisionError:
        return None
    return Family(part, tuple(steps), auxiliary)


def _has_lower_period(part: Variety, update: dict[sp.Symbol, Fraction], period: int) -> bool:
    ring = part.ring
    start = {s: ring.as_fraction(ring.generators[s]) for s in update}
    moved = start
    for step in range(1, period):
        moved = {s: entry.substitute(moved) for s, entry in update.items()}
        if period % step == 0 and all(part.vanishes(moved[s] - start[s]) for s in update):
            return True
    return False


def _orbits_of(family: Family, found: Decomposition) -> Iterator[Orbit]:
    """One orbit for each cycle that can be written down, otherwise one for the whole family."""
    state, relations = tuple(family.steps[0]), _relations(family)
    written = written_cycles(family)
    if written is None:
        yield Orbit(state, family.period, None, relations, family.cycles, 0, (), family)
        return
    for cycle in written:
        for polynomial in cycle.denominators:
            found.except_where_zero(polynomial)
        yield Orbit(state, family.period, cycle.points, relations, 1, 0, cycle.conditions, family, cycle.selector)


def _relations(family: Family) -> tuple[sp.Expr, ...]:
    """Polynomials in the state that vanish on all points of the family's own component."""
    ring, part = family.field.ring, family.points
    back = {family.field.root: part.projection}
    first = ring.as_fraction(family.field.modulus).substitute(back).numerator
    others = (
        (ring.as_fraction(ring.generators[s]) - value.substitute(back)).numerator
        for s, value in part.coordinates.items()
    )
    return tuple(ring.expression(primitive(p)[0]) for p in (first, *others) if not p.is_zero())


def _allowed(orbit: Orbit) -> bool:
    """Whether the assumptions on the state leave room for the orbit; the mean of a cycle must obey them too."""
    if orbit.points is None:
        return True
    if sp.false in orbit.conditions:
        return False
    for place, symbol in enumerate(orbit.state):
        values = [point[place] for point in orbit.points]
        for name in ("real", "positive", "negative", "nonnegative", "nonpositive"):
            if getattr(symbol, f"is_{name}") and any(
                getattr(value, f"is_{name}") is False for value in (*values, sp.Add(*values))
            ):
                return False
    return True


def _recognised_orbits(dynamics: Map, period: int, reason: str) -> Orbits:
    """What substitution confirms as an orbit of a map that is not algebraic: right, but perhaps not all."""
    found: list[Orbit] = []
    for candidate in _candidates(dynamics, period):
        points = [candidate]
        for _ in range(period):
            at = dict(zip(dynamics.state, points[-1], strict=True))
            points.append(tuple(entry.subs(at, simultaneous=True) for entry in dynamics.update))
        closes = points.index(candidate, 1) if candidate in points[1:] else None
        if closes == period and not any(set(points) & set(other.points or ()) for other in found):
            relations = tuple(s - value for s, value in zip(dynamics.state, candidate, strict=True))
            orbit = Orbit(dynamics.state, period, tuple(points[:-1]), relations)
            if _allowed(orbit):
                found.append(orbit)
    return Orbits(period, tuple(found), Completeness(False, f"substitution of candidates, since {reason}"))


def _candidates(dynamics: Map, period: int) -> Iterator[tuple[sp.Expr, ...]]:
    if dynamics.dimension > 1:
        yield from itertools.product((sp.S.Zero, sp.S.One, -sp.S.One), repeat=min(dynamics.dimension, 6))
        return
    (symbol,) = dynamics.state
    try:
        solutions = sp.solveset(dynamics.iterate(period).update[0] - symbol, symbol, sp.S.Reals)
    except (NotImplementedError, TypeError, ValueError):
        solutions = sp.S.EmptySet
    for part in (*solutions.args, solutions) if isinstance(solutions, sp.Union) else (solutions,):
        if isinstance(part, sp.FiniteSet):
            yield from ((value,) for value in part)
    yield from ((value,) for value in (sp.S.Zero, sp.S.One, -sp.S.One))
