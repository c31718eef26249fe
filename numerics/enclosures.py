"""Rigorous trajectories: balls that are proved to contain the states of every start in a box.

Maps by ball iteration, Flows by Taylor steps with a proved remainder; both carry the set in a turning frame. What
comes back is a theorem about the exact dynamics: no float enters except as the choice of a step or a frame.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy as sp
from flint import arb, arb_mat
from sympy.core.relational import Relational

from numerics.ball_functions import interval
from numerics.ball_kernel import compile_ball
from numerics.lohner import TurnedSet
from numerics.multiprecision_kernel import exact_ball, precision
from numerics.taylor import TaylorSystem
from theory.errors import LemmascopeError
from theory.language.entries import Entry
from theory.language.functions import entry_of

if TYPE_CHECKING:
    from numerics.flows import FlowLike
    from numerics.maps import MapLike

Ball: TypeAlias = Any
Given: TypeAlias = Mapping[sp.Symbol, Any]
SHORTEST = 2.0**-50  # a step shorter than this means a blow-up, or a set too wide to be carried on


@dataclass(frozen=True)
class EnclosedStep:
    """One step: its time interval, balls around the states during the whole step, and balls at its end."""

    begin: Ball
    end: Ball
    tube: tuple[Ball, ...]
    box: tuple[Ball, ...]


@dataclass(frozen=True)
class Enclosure:
    """A chain of steps; `complete` says whether it reaches the time asked for, `reason` why it does not."""

    steps: tuple[EnclosedStep, ...]
    complete: bool
    reason: str

    @property
    def final(self) -> tuple[Ball, ...]:
        """Balls around the last state."""
        return self.steps[-1].box


def as_ball(value: Any) -> Ball:
    """A number, a ball, or a pair (lower, upper)."""
    if isinstance(value, tuple | list) and len(value) == 2:
        return interval(exact_ball(value[0]), exact_ball(value[1]))
    return exact_ball(value)


def enclose_map(
    map_: MapLike, start: Given, steps: int, *, parameters: Given | None = None, bits: int = 128
) -> Enclosure:
    """Balls around every state of a Map's trajectory, for one start or a box of starts.

    Where a box may hold a jump or a kink of the map, its image is the hull of the pieces, without slopes.

    >>> from theory.dynamics import Map
    >>> x = sp.Symbol("x")
    >>> half = enclose_map(Map((x,), (x / 2,)), {x: (1, 2)}, 3)
    >>> half.complete, bool(half.final[0] < 0.26)
    (True, True)
    """
    with precision(bits):
        symbols, formulas, balls = _with_uncertain_parameters(map_.state, map_.update, start, parameters, map_, "map")
    if map_.time is not None:
        symbols, formulas, balls = [*symbols, map_.time], [*formulas, map_.time + 1], [*balls, arb(0)]
    size = len(symbols)
    image = compile_ball(formulas, symbols)
    breaks = _breaks(formulas)
    is_smooth = None if breaks is None else compile_ball(breaks, symbols)
    slopes = None if breaks is None else compile_ball(_slopes(formulas, symbols), symbols)
    done: list[EnclosedStep] = []
    with precision(bits):
        current = TurnedSet.box(balls)
        shown = len(map_.state)
        done.append(EnclosedStep(arb(0), arb(0), tuple(balls[:shown]), tuple(balls[:shown])))
        for step in range(1, steps + 1):
            hull = current.hull()
            direct = image(*hull)
            turned = None
            if is_smooth is not None and slopes is not None and all(value != 0 for value in is_smooth(*hull)):
                turned = current.image(image(*current.middle.entries()), arb_mat(size, size, list(slopes(*hull))))
            if turned is None or not _all_finite(turned.hull()):
                if not _all_finite(direct):
                    return Enclosure(tuple(done), False, f"the map may be undefined on the states of step {step}")
                turned = TurnedSet.box(list(direct))
            box = tuple(_meet(a, b) for a, b in zip(turned.hull(), direct, strict=True))[:shown]
            done.append(EnclosedStep(arb(step), arb(step), box, box))
            current = turned
    return Enclosure(tuple(done), True, "")


def _breaks(formulas: Sequence[sp.Basic]) -> list[sp.Basic] | None:
    """Expressions without a zero on a box only where the formulas are smooth there; None where that is not known."""
    found: list[sp.Basic] = []
    for part in set().union(*(formula.atoms(sp.Function, sp.Max, sp.Min) for formula in formulas)):
        if isinstance(part, sp.Piecewise):
            for _, condition in part.args:
                found += [relation.lhs - relation.rhs for relation in condition.atoms(Relational)]
            continue
        entry = entry_of(part)
        if entry is None:
            return None
        if entry.breaks is not None:
            found += entry.breaks(*part.args)
        elif entry.steps and entry.through is None:
            found.append(sp.sin(sp.pi * part.args[0]))
        elif entry.roughness or not _has_slopes(entry, part):
            return None
    return found


def _has_slopes(entry: Entry, part: sp.Basic) -> bool:
    """Whether a function has a derivative along each argument that is not a number."""
    moving = [place for place, argument in enumerate(part.args) if argument.free_symbols]
    return all(place < len(entry.slopes) and entry.slopes[place] is not None for place in moving)


def _slopes(formulas: Sequence[sp.Basic], symbols: Sequence[sp.Basic]) -> list[sp.Basic]:
    """The derivatives between the breaks, where steps are constant and |u| is u times its sign."""
    steps: dict[sp.Basic, sp.Basic] = {}

    def constant(step: sp.Basic) -> sp.Basic:
        return steps.setdefault(step, sp.Dummy())

    flat = [
        formula.replace(sp.Abs, lambda inner: constant(sp.sign(inner)) * inner).replace(
            lambda part: isinstance(part, sp.sign | sp.floor | sp.ceiling | sp.Heaviside), constant
        )
        for formula in formulas
    ]
    back = {dummy: step for step, dummy in steps.items()}
    found = [sp.diff(formula, symbol) for formula in flat for symbol in symbols]
    while any(back.keys() & slope.free_symbols for slope in found):
        found = [slope.xreplace(back) for slope in found]
    return found


def _meet(a: Ball, b: Ball) -> Ball:
    """The common part of two balls that both contain the state."""
    if not b.is_finite():
        return a
    return a.intersection(b) if a.is_finite() else b


def _all_finite(balls: Sequence[Ball]) -> bool:
    return all(b.is_finite() for b in balls)


def _with_uncertain_parameters(
    state: Sequence[sp.Basic],
    formulas: Sequence[sp.Basic],
    start: Given,
    parameters: Given | None,
    dynamics: Any,
    kind: str,
) -> tuple[list[sp.Basic], list[sp.Basic], list[Ball]]:
    """Exact parameters are put in; uncertain ones become states that never change."""
    chosen = dict(parameters or {})
    missing = [s for s in (*state, *dynamics.parameters) if s not in start and s not in chosen]
    if missing:
        raise LemmascopeError(f"{missing[0]} has no value: give a number, a ball or a pair (lower, upper).")
    exact = {s: sp.sympify(v) for s, v in chosen.items() if isinstance(v, int | sp.Basic)}
    uncertain = {s: v for s, v in chosen.items() if s not in exact}
    symbols = [*state, *uncertain]
    right = [sp.sympify(f).xreplace(exact) for f in formulas]
    right += list(uncertain) if kind == "map" else [sp.S.Zero] * len(uncertain)
    return symbols, right, [as_ball(start[s]) for s in state] + [as_ball(v) for v in uncertain.values()]


class _ValidatedFlow:
    """The Taylor systems of a flow and of its derivative with respect to the start."""

    def __init__(self, symbols: Sequence[sp.Basic], velocity: Sequence[sp.Basic], order: int) -> None:
        self.size, self.order = len(symbols), order
        entries = [sp.Dummy(f"v{i}") for i in range(self.size**2)]
        V = sp.Matrix(self.size, self.size, entries)
        derivative = sp.Matrix(self.size, self.size, lambda i, j: sp.diff(velocity[i], symbols[j]))
        self.plain = TaylorSystem(symbols, velocity)
        self.whole = TaylorSystem([*symbols, *entries], [*velocity, *(derivative * V)])

    def rough(self, start: Sequence[Ball], span: Ball) -> list[Ball] | None:
        """Balls that contain the solution (and its derivative) for the whole step, or None if h is too long."""
        during = arb(0).union(span)
        guess = [s + during * f for s, f in zip(start, self.whole.velocity(start), strict=True)]
        grow = [0.125] * len(guess)
        for _ in range(20):
            if not _all_finite(guess):
                return None
            wide = [g + r * (g - g.mid()) + arb(0, 1e-30) + arb(0, 1e-12) * g for g, r in zip(guess, grow, strict=True)]
            image = [s + during * f for s, f in zip(start, self.whole.velocity(wide), strict=True)]
            inside = [w.contains_interior(i) for w, i in zip(wide, image, strict=True)]
            if all(inside):
                return image
            grow = [0.125 if fits else min(2 * r, 1.0) for fits, r in zip(inside, grow, strict=True)]
            guess = [i if fits else w.union(i) for w, i, fits in zip(wide, image, inside, strict=True)]
        return None

    def step(self, current: TurnedSet, span: Ball) -> tuple[TurnedSet, list[Ball]] | None:
        """The set after one step of this length, and balls around the whole step."""
        n, order = self.size, self.order
        hull = current.hull()
        start = [*hull, *(arb(int(i == j)) for i in range(n) for j in range(n))]
        during = self.rough(start, span)
        if during is None:
            return None
        rest = [c[order + 1] for c in self.whole.coefficients(during, order + 1)]
        of_box = self.whole.coefficients(start, order)
        of_middle = self.plain.coefficients(list(current.middle.entries()), order)
        last = span ** (order + 1)
        middle = [_polynomial(of_middle[i], span) + last * rest[i] for i in range(n)]
        derivative = arb_mat(n, n, [_polynomial(of_box[n + i], span) + last * rest[n + i] for i in range(n * n)])
        elapsed = arb(0).union(span).nonnegative_part()
        power = arb(0).union(last).nonnegative_part()
        tube = [_meet(_polynomial(of_box[i], elapsed) + power * rest[i], during[i]) for i in range(n)]
        after = current.image(middle, derivative)
        return (after, tube) if _all_finite(after.hull()) else None


def _polynomial(coefficients: Sequence[Ball], at: Ball) -> Ball:
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * at + coefficient
    return total


def enclose(
    flow: FlowLike,
    start: Given,
    until: Any,
    *,
    parameters: Given | None = None,
    begin: Any = 0,
    order: int = 16,
    tolerance: float = 1e-12,
    bits: int = 128,
    most_steps: int = 2000,
) -> Enclosure:
    """Validated integration: balls that contain every trajectory of a Flow that starts in the given box.

    start, parameters: exact numbers (int, Fraction, SymPy), balls, or pairs (lower, upper).
    tolerance: the local error aimed at; it decides the length of steps, never the validity of the result.

    >>> from theory.dynamics import Flow
    >>> x = sp.Symbol("x")
    >>> decay = enclose(Flow((x,), (-x,)), {x: 1}, 1)
    >>> decay.complete, decay.final[0].overlaps(arb(-1).exp())
    (True, True)
    """
    with precision(bits):
        symbols, velocity, balls = _with_uncertain_parameters(
            flow.state, flow.velocity, start, parameters, flow, "flow"
        )
        time, stop = as_ball(begin), as_ball(until)
        if flow.time is not None:
            symbols, velocity, balls = [*symbols, flow.time], [*velocity, sp.S.One], [*balls, time]
        system = _ValidatedFlow(symbols, velocity, order)
        current = TurnedSet.box(balls)
        shown = len(flow.state)
        done = [EnclosedStep(time, time, tuple(balls[:shown]), tuple(balls[:shown]))]
        while time < stop:
            if len(done) > most_steps:
                return Enclosure(tuple(done), False, f"{most_steps} steps do not reach the end")
            length = _step_length(system, current, tolerance)
            taken = None
            while length > SHORTEST:
                reach = time + length
                span = stop - time if not reach < stop else arb(length)
                taken = system.step(current, span)
                if taken is not None:
                    break
                length /= 2
            if taken is None:
                reason = f"no solution is proved to exist after time {time.str(8)}: it blows up, or the set is too wide"
                return Enclosure(tuple(done), False, reason)
            current, tube = taken
            end = stop if not time + length < stop else time + arb(length)
            done.append(EnclosedStep(time, end, tuple(tube[:shown]), tuple(current.hull()[:shown])))
            time = end
    return Enclosure(tuple(done), True, "")


def _step_length(system: _ValidatedFlow, current: TurnedSet, tolerance: float) -> float:
    """A power of two for which the last Taylor terms are of the size of the tolerance."""
    coefficients = system.plain.coefficients(list(current.middle.entries()), system.order)
    length = 1.0
    for k in (system.order - 1, system.order):
        largest = max(float(abs(c[k]).upper()) for c in coefficients)
        if largest > 0:
            length = min(length, 0.7 * (tolerance / largest) ** (1.0 / k))
    return 2.0 ** math.floor(math.log2(max(length, SHORTEST))) if length < 1.0 else 1.0
