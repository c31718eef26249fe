"""A claim about where a trajectory ends is false of an exact start from which it ends elsewhere, or nowhere.

- an affine rule with rational numbers: the gap to the target satisfies a recurrence with a root that does not decay;
- the trajectory is proved to converge to another point;
- it is proved to stay in a closed set without the target, the level of a conserved quantity for one;
- it is proved to blow up, or to pass every bound.

Which of them is worth a proof, and from which start, an approximate trajectory tells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement
from typing import Any

from sympy import (
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Le,
    Lt,
    Matrix,
    Ne,
    Or,
    Poly,
    Rational,
    S,
    Symbol,
    Tuple,
    cancel,
    diff,
    linsolve,
    log,
    symbols,
    together,
    true,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.engines.motion import NAME
from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError
from proofs_check.engines.motion.barrier import confined
from proofs_check.engines.motion.convergence import Points, converges, settled_orbits, timeless
from proofs_check.engines.motion.formulas import follows, prove
from proofs_check.engines.motion.inductive import Invariant, inductive
from proofs_check.engines.motion.invariants import invariants
from proofs_check.engines.motion.refutation import open_in_start, strict
from proofs_check.engines.motion.sampling import exact_points, function_of, run
from proofs_check.engines.motion.trajectory import Setting, at_point, joined
from proofs_check.kernel.departure import stays_apart
from proofs_check.points.exact import holds
from proofs_check.verdict import Evidence, Outcome
from theory.criteria import hurwitz, jury
from theory.language.definedness import continuous_where, defined_where, demands, smooth_where
from theory.language.formulas import clauses
from theory.temporal import After, Always, ConvergesTo, HasPeriod, is_plain
from theory.trees import encode

Point = dict[Symbol, Expr]

_MOST_POINTS = 16
_MOST_PROOFS = 3
"""Starts for which a proof is tried."""
_STEPS = 300
_FAR = 0.05
"""How far from the target an approximate trajectory must end before its start is worth a proof."""
_SLOW = 0.97
"""The part of its gap that an approximate trajectory keeps which seems not to approach the target at all."""
_GROWN = 2.0
"""How much larger an approximate trajectory must become before it is worth a proof that it passes every bound."""
_LARGEST_AFFINE = 6
_LARGEST = 100
"""Numbers of a start, and their denominators, beyond which approximate trajectories tell little."""


@dataclass(frozen=True)
class Departure:
    """A rule of the checker with what it asks for, and a sentence about it."""

    rule: str
    sentence: str
    facts: Mapping[str, Any]
    argument: Argument | None = None


def refute_affine(setting: Setting, claim: Boolean, desk: Desk) -> Evidence | None:
    """A start from which an affine rule does not do what a claim of convergence says, or None."""
    for part in clauses(claim):
        smaller = timeless(setting, part)
        if not isinstance(part, ConvergesTo) or part.period != 1 or not _is_affine(smaller):
            continue
        if smaller.almost_all and not _is_generic(smaller, part):
            continue
        for point in _affine_points(smaller, desk):
            if _is_start(smaller, part, point) and _stays_apart(at_point(smaller, point), part.subs(point)):
                sentence = "from this start the gap to the target has a part that does not decay"
                return _refuted(setting, point, Departure("affine orbit", sentence, {}))
    return None


def _is_affine(setting: Setting) -> bool:
    slopes = [diff(part, symbol) for part in setting.rule for symbol in setting.state]
    small = len(setting.state) <= _LARGEST_AFFINE and all(part.is_polynomial(*setting.state) for part in setting.rule)
    return small and not Tuple(*slopes).free_symbols & set(setting.state)


def _is_generic(setting: Setting, claim: Boolean) -> bool:
    known = Tuple(*setting.rule, claim).free_symbols & set(setting.almost_all)
    return not known and all(part.is_polynomial(*setting.almost_all) for part in setting.start)


def _affine_points(setting: Setting, desk: Desk) -> Iterator[Point]:
    matrix = Matrix([[diff(part, symbol) for symbol in setting.state] for part in setting.rule])
    criterion = jury if setting.discrete else hurwitz
    found = criterion(matrix.charpoly().all_coeffs(), S.Zero, S.One)
    unstable = [Le(part.value, 0) for part in found]
    moving = Or(*(Ne(part, 0) for part in setting.start))
    for hint in (*(part for part in unstable if part != S.false), true):
        if desk.budget.spent:
            return
        known = map(strict, setting.hypotheses) if setting.almost_all else setting.hypotheses
        formula = And(*known, hint, moving)
        if formula != S.false:
            yield from exact_points(setting, formula, _MOST_POINTS, desk.budget.seconds_for("motion, departing points"))


def _stays_apart(setting: Setting, claim: ConvergesTo) -> bool:
    shape = setting.discrete, setting.state, setting.rule, setting.start
    return any(stays_apart(*shape, part - value) for part, value in zip(claim.quantity, claim.points[0], strict=True))


def _is_start(setting: Setting, claim: Boolean, point: Point) -> bool:
    """Whether the point is rational, satisfies the hypotheses and gives all that is fixed a value."""
    whole = setting.complete(point)
    if not all(value.is_Rational for value in whole.values()):
        return False
    fixed = [
        part for part in demands((claim, *setting.rule, *setting.start)) if not part.free_symbols & set(setting.state)
    ]
    if holds(And(*setting.hypotheses, *fixed), point) is not True:
        return False
    return not setting.almost_all or open_in_start(setting, point)


def refute_by_departure(setting: Setting, claim: Boolean, desk: Desk) -> Evidence | None:
    """A start from which the trajectory is proved to go elsewhere, to be kept away from the target, or to end."""
    for part in clauses(claim):
        smaller = timeless(setting, part)
        if smaller.almost_all or not isinstance(part, (ConvergesTo, HasPeriod, After, Always)):
            continue
        if isinstance(part, Always) and (smaller.clock is not None or not is_plain(part.args[0])):
            continue
        if isinstance(part, After) and smaller.discrete:
            continue
        for point in _suspicious(smaller, part, desk):
            try:
                found = _departure(at_point(smaller, point), part.subs(point), desk)
            except UnprovedError:
                return None
            if found is not None:
                return _refuted(setting, point, found)
    return None


def _suspicious(setting: Setting, claim: Boolean, desk: Desk) -> list[Point]:
    """Starts whose approximate trajectories seem to violate the claim, the clearest first."""
    seconds = desk.budget.seconds_for("motion, departing points")
    hints = [*_repelled(setting, claim), true, *_early_ends(setting, claim)]
    found = [point for hint in hints for point in _rational_points(setting, hint, seconds) if _size(point) <= _LARGEST]
    found = sorted((point for point in found if _is_start(setting, claim, point)), key=_size)
    return [point for point in found if _violates(at_point(setting, point), claim.subs(point))][:_MOST_PROOFS]


def _rational_points(setting: Setting, hint: Boolean, seconds: float) -> list[Point]:
    formula = And(*setting.hypotheses, hint)
    return [] if formula == S.false else exact_points(setting, formula, _MOST_POINTS, seconds)


def _size(point: Point) -> float:
    """How long the numbers of a point are; infinite for one that is not rational."""
    if not all(value.is_Rational for value in point.values()):
        return math.inf
    return max((max(abs(value.p), value.q) for value in point.values()), default=0)


def _repelled(setting: Setting, claim: Boolean) -> list[Boolean]:
    """Where the multiplier at the target of a map of the line is beyond 1, for starts elsewhere."""
    line = setting.discrete and len(setting.state) == 1 and isinstance(claim, ConvergesTo) and claim.period == 1
    if not line or claim.quantity != Tuple(*setting.state):
        return []
    target = claim.points[0][0]
    return [And(Gt(diff(setting.rule[0], setting.state[0]).subs(setting.state[0], target) ** 2, 1),
                Ne(setting.start[0], target))]  # fmt: skip


def _early_ends(setting: Setting, claim: Boolean) -> list[Boolean]:
    """Large starts, for a claim about a moment: they end before it when anything does."""
    if setting.discrete or not isinstance(claim, After):
        return []
    return [Gt(sign * value, 2) for value in setting.start for sign in (1, -1) if value.free_symbols]


def _violates(setting: Setting, claim: Boolean) -> bool:
    """Whether an approximate trajectory seems to violate a claim."""
    states = run(setting, _STEPS)
    if len(states) <= _STEPS:  # it left every bound
        return True
    if isinstance(claim, Always):
        return max(map(abs, states[-1])) > 1 + _GROWN * max(map(abs, states[0]))
    if not isinstance(claim, ConvergesTo) or claim.period != 1:
        return False
    scale = 1 + max((abs(entry) for state in states[-20:] for entry in state), default=0.0)
    before, last = (
        max((gap for state in part if not math.isnan(gap := _gap(setting, claim, state))), default=0.0)
        for part in (states[-_STEPS // 2 :][:20], states[-20:])
    )
    return last > _FAR * scale and last > _SLOW * before


def _gap(setting: Setting, claim: ConvergesTo, state: Sequence[float]) -> float:
    parts = zip(claim.quantity, claim.points[0], strict=True)
    return max(abs(function_of(part - value, setting.state)(*state)) for part, value in parts)


def _escapes(setting: Setting, claim: Boolean, desk: Desk) -> Departure | None:
    """A state, or its square, that grows by a fixed rate, and a bound on it that the claim implies."""
    if not isinstance(claim, Always) or (not setting.discrete and len(setting.state) > 1):
        return None
    body = claim.args[0]
    bounds = [abs(side) for leaf in body.atoms(Relational) for side in leaf.args if side.is_Rational]
    roots = [value**2 for value in bounds]
    where = (defined_where if setting.discrete else smooth_where)(setting.rule)
    said = defined_where(side for leaf in body.atoms(Relational) for side in leaf.args)
    if where is None or said is None or not bounds:
        return None
    known = next(iter(invariants(setting, None, desk)))
    squares = [symbol**2 for symbol in setting.state] if setting.discrete else []
    for height in [*(sign * symbol for symbol in setting.state for sign in (1, -1)), *squares]:
        first = setting.initially(height)
        if holds(Gt(first, 0), {}) is not True:
            continue
        moved = setting.initially(setting.next(height) / first - 1 if setting.discrete else setting.rate(height))
        if not moved.is_Rational or moved <= 0:
            continue
        inside = (*known.parts, setting.assumed, Ge(height, first))
        for bound in dict.fromkeys((*bounds, *roots)):
            for pace in (moved, moved / 2):
                change = (
                    Ge(setting.next(height), (1 + pace) * height)
                    if setting.discrete
                    else Ge(setting.rate(height), pace)
                )
                goals = [setting.anywhere((body,), Le(height, bound)), setting.anywhere(inside, change)]
                goals += [setting.anywhere(inside, part) for part in joined(where, said)]
                if all(desk.proves(goal) for goal in goals):
                    facts = {"height": height, "pace": pace, "bound": bound}
                    obligations = tuple(desk.require("escape", goal) for goal in goals)
                    argument = Argument("escapes", facts, obligations, (known.argument,))
                    return Departure("escapes", f"from this start {height} passes every bound", {}, argument)
    return None


def _departure(setting: Setting, claim: Boolean, desk: Desk) -> Departure | None:
    attempts: list[Callable[[Setting, Boolean, Desk], Departure | None]]
    attempts = [_escapes, _on_a_level, _elsewhere, _kept_away, _ends]
    states = run(setting, _STEPS)
    if len(states) <= _STEPS and not setting.discrete:
        attempts = [_escapes, _ends, _on_a_level, _kept_away]
    for attempt in attempts:
        with suppress(UnprovedError):
            found = attempt(setting, claim, desk)
            if found is not None:
                return found
        if desk.budget.spent:
            return None
    return None


def _elsewhere(setting: Setting, claim: Boolean, desk: Desk) -> Departure | None:
    """The limits that an approximate trajectory comes near to."""
    if not isinstance(claim, ConvergesTo) or claim.period != 1 or setting.clock is not None:
        return None
    last = run(setting, _STEPS)[-1]
    sentence = "from this start it is proved to converge to something else"
    for orbit in _orbits(setting, last):
        if not all(value.is_real for point in orbit for value in point):
            continue
        near = min(math.dist([float(value) for value in point], last) for point in orbit)
        if near > _FAR * (1 + max(map(abs, last))):
            continue
        points = [dict(zip(setting.state, point, strict=True)) for point in orbit]
        values = [[part.subs(point, simultaneous=True) for part in claim.quantity] for point in points]
        where = continuous_where(claim.quantity)
        apart = [
            where is not None and holds(And(where.subs(point), Or(*map(Ne, value, claim.points[0]))), {}) is True
            for point, value in zip(points, values, strict=True)
        ]
        if not any(apart):
            continue
        with suppress(UnprovedError):
            argument = converges(setting, ConvergesTo(setting.state, *orbit), desk)
            return Departure("elsewhere", sentence, {"of": "state", "points": orbit}, argument)
        if len(points) == 1 and apart[0]:
            with suppress(UnprovedError):
                argument = converges(setting, ConvergesTo(claim.quantity, values[0]), desk)
                return Departure("elsewhere", sentence, {"of": "quantity", "points": values}, argument)
    return None


def _orbits(setting: Setting, last: Sequence[float]) -> Iterator[Points]:
    """Equilibria and 2-cycles that elimination finds; otherwise the simple point nearest to where the trajectory is."""
    if all(part.is_rational_function(*setting.state) for part in setting.rule):
        yield from (orbit.points for orbit in settled_orbits(setting))
        return
    point = tuple(Rational(round(8 * entry), 8) for entry in last)
    here = dict(zip(setting.state, point, strict=True))
    moved = [part.subs(here, simultaneous=True) for part in setting.rule]
    if all(a == (b if setting.discrete else 0) for a, b in zip(moved, point, strict=True)):
        yield (point,)


def _on_a_level(setting: Setting, claim: Boolean, desk: Desk) -> Departure | None:
    """A conserved quantity has another value at the target than at the start."""
    if not isinstance(claim, ConvergesTo) or claim.period != 1 or claim.quantity != Tuple(*setting.state):
        return None
    target = dict(zip(setting.state, claim.points[0], strict=True))
    for quantity in first_integrals(setting):
        relation = Eq(quantity, setting.initially(quantity))
        if _excludes(relation, target):
            with suppress(UnprovedError):
                return _away(relation, prove(setting, Always(relation), desk))
    return None


def _away(relation: Boolean, argument: Argument) -> Departure:
    sentence = f"from this start it is proved to stay in a closed set without the target: {relation}"
    return Departure("kept away", sentence, {"relation": relation}, argument)


def _kept_away(setting: Setting, claim: Boolean, desk: Desk) -> Departure | None:
    if not isinstance(claim, ConvergesTo) or claim.period != 1 or setting.clock is not None:
        return None
    whole = claim.quantity == Tuple(*setting.state)
    target = dict(zip(setting.state, claim.points[0], strict=True)) if whole else {}
    for known in _sets_apart(setting, claim, desk):
        apart = [part for part in known.parts if whole and isinstance(part, Relational) and _excludes(part, target)]
        for relation in (*apart, *_distances(setting, claim)):
            with suppress(UnprovedError):
                return _away(relation, follows(setting, relation, known, desk))
    return None


def _sets_apart(setting: Setting, claim: ConvergesTo, desk: Desk) -> Iterator[Invariant]:
    """Rings around the target that contain what was seen, then all that proofs about the claim would try."""
    seen = [_gap(setting, claim, state) for state in run(setting, _STEPS)]
    squares = [gap**2 for gap in seen if not math.isnan(gap)]
    distance = _distance(claim)
    if squares and min(squares) > 0:
        rings = [(_simple(min(squares) * part), _simple(max(squares) * whole))
                 for part, whole in ((0.9, 1.1), (0.5, 2), (0.1, 10))]  # fmt: skip
        for least, most in rings:
            if not least:
                continue
            ring = [Ge(distance, least), Le(distance, most)]
            keep = partial(inductive, setting, ring) if setting.discrete else partial(confined, setting, ring)
            with suppress(UnprovedError):
                yield keep(desk)
    yield from invariants(setting, None, desk)


def _distance(claim: ConvergesTo) -> Expr:
    return sum(((part - value) ** 2 for part, value in zip(claim.quantity, claim.points[0], strict=True)), S.Zero)


def _distances(setting: Setting, claim: ConvergesTo) -> list[Boolean]:
    """Lower bounds on the squared distance that what was seen does not contradict."""
    distance = function_of(_distance(claim), setting.state)
    least = min((distance(*state) for state in run(setting, _STEPS)), default=0.0)
    if math.isnan(least):
        return []
    bounds = (_simple(least * part) for part in (0.9, 0.25))
    return [Ge(_distance(claim), bound) for bound in bounds if bound > 0]


def _simple(value: float) -> Rational:
    """A fraction near by; 0 for what is too small to tell from a rounding error."""
    found = Fraction(value).limit_denominator(64)
    found = found or Fraction(value).limit_denominator(10**6)
    return Rational(found.numerator, found.denominator)


def _excludes(relation: Boolean, target: Mapping[Symbol, Expr]) -> bool:
    """Whether the closure of a relation, its sides being continuous at the target, is false there."""
    outside = {Ge: Lt, Gt: Lt, Le: Gt, Lt: Gt, Eq: Ne}.get(relation.func)
    where = continuous_where(relation.args)
    if outside is None or where is None:
        return False
    left, right = (side.subs(target, simultaneous=True) for side in relation.args)
    return holds(And(where.subs(target, simultaneous=True), outside(left, right)), {}) is True


def first_integrals(setting: Setting) -> list[Expr]:
    """Combinations of monomials and logarithms of the state that are constant along the motion.

    >>> x, y = symbols("x y")
    >>> first_integrals(Setting(False, (x, y), (x - x * y, x * y - y), (S(2), S.One), {}, ()))
    [-x - y + log(x) + log(y)]
    """
    state = setting.state
    logs = [] if setting.discrete else [log(symbol) for symbol in state]
    monomials = [
        Poly({tuple(chosen.count(s) for s in state): 1}, *state).as_expr()
        for degree in range(1, 5 if len(state) <= 2 else 3)
        for chosen in combinations_with_replacement(state, degree)
    ]
    for terms in ([*monomials], [*state, *logs]):
        weights = symbols(f"_w:{len(terms)}")
        whole = sum((weight * term for weight, term in zip(weights, terms, strict=True)), S.Zero)
        change = setting.next(whole) - whole if setting.discrete else setting.rate(whole)
        top = together(change).as_numer_denom()[0]
        if not top.is_polynomial(*state):
            continue
        (found,) = linsolve(Poly(top, *state).coeffs(), *weights)
        free = sorted(Tuple(*found).free_symbols, key=str)
        if free:
            return [
                whole.subs(
                    dict(
                        zip(weights, (cancel(v.subs({f: Integer(f == one) for f in free})) for v in found), strict=True)
                    )
                )
                for one in free
            ]
    return []


def _ends(setting: Setting, claim: Boolean, desk: Desk) -> Departure | None:
    """Powers of a state, or of the size of all, that grow faster than themselves."""
    if setting.discrete or not isinstance(claim, (After, ConvergesTo, HasPeriod)):
        return None
    where = smooth_where(setting.rule)
    if where is None:
        return None
    known = next(iter(invariants(setting, None, desk)))
    moving = [symbol for symbol in setting.state if symbol != setting.clock]
    sizes = [sum((symbol**2 for symbol in moving), S.Zero)] if len(moving) > 1 else []
    sums = [sum(moving, S.Zero)] if len(moving) > 1 else []
    for height in [*(sign * part for part in (*moving, *sums) for sign in (1, -1)), *sizes]:
        first = setting.initially(height)
        if holds(Gt(first, 0), {}) is not True:
            continue
        for power in (Integer(2), Integer(3)):
            rate = setting.initially(setting.rate(height))
            whole = rate / first**power
            if not whole.is_Rational or whole <= 0:
                continue
            for pace in dict.fromkeys((whole, _simple(float(whole) * 0.9), _simple(float(whole) / 2))):
                if pace <= 0:
                    continue
                soon = claim.args[0] * pace * (power - 1) * first ** (power - 1) if isinstance(claim, After) else S.One
                inside = (*known.parts, setting.assumed, Ge(height, first))
                grows = setting.anywhere(inside, Ge(setting.rate(height), pace * height**power))
                if holds(Ge(soon, 1), {}) is not True or not desk.proves(grows):
                    continue
                obligations = [desk.require("growth", grows)]
                if not isinstance(where, BooleanTrue):
                    obligations.append(desk.require("smooth", setting.anywhere(inside, where)))
                end = first ** (1 - power) / (pace * (power - 1))
                facts = {"height": height, "pace": pace, "power": power}
                argument = Argument("ends", facts, tuple(obligations), (known.argument,))
                return Departure("ends", f"from this start the solution ends by time {end}", {}, argument)
    return None


def _refuted(setting: Setting, point: Point, found: Departure) -> Evidence:
    whole = setting.complete(point)
    argument = found.argument
    certificate = {
        "kind": "induction",
        "refutation": found.rule,
        "point": [[encode(symbol), encode(value)] for symbol, value in whole.items()],
        **{key: _data(value) for key, value in found.facts.items()},
        **({} if argument is None else {"argument": argument.to_json()}),
    }
    return Evidence(
        Outcome.REFUTED,
        NAME,
        counterexample={symbol.name: str(value) for symbol, value in whole.items()},
        certificate=certificate,
        notes=(found.sentence, *dict.fromkeys(() if argument is None else argument.all_notes)),
    )


def _data(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return [_data(part) for part in value] if isinstance(value, (list, tuple)) else encode(value)
