"""Why a claim about trajectories fails: an exact point of the hypothesis set, and a reason that needs no simulation.

- the formula is false after a few steps, computed exactly;
- the trajectory starts on, or lands exactly on, an equilibrium or cycle that contradicts the claim;
- the target is no equilibrium or cycle at all, so by continuity nothing converges to it;
- the target repels: it attracts only starts that land on it exactly, which are countably many;
- the target has an unstable direction: it attracts a null set of starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sympy import (
    And,
    Basic,
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Le,
    Lt,
    Matrix,
    Mul,
    Ne,
    Or,
    Piecewise,
    Rational,
    S,
    Symbol,
    Tuple,
    cancel,
    diff,
    expand,
    false,
    true,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.engines.discharge import Proving
from proofs_check.engines.motion.argument import Desk, UnprovedError
from proofs_check.engines.motion.candidates import short_roots
from proofs_check.engines.motion.convergence import timeless
from proofs_check.engines.motion.sampling import exact_points
from proofs_check.engines.motion.scaling import normalised
from proofs_check.engines.motion.trajectory import Setting, joined
from proofs_check.kernel.instability import has_unstable_direction, is_analytic
from proofs_check.points.exact import holds, sign
from proofs_check.verdict import Evidence, Outcome
from theory.domains import is_discrete
from theory.language.definedness import continuous_where, demands, smooth_where
from theory.temporal import After, Always, ConvergesTo, Decreasing, Eventually, HasPeriod, is_plain, negation
from theory.trees import encode

Point = dict[Symbol, Expr]
Reason = tuple[str, str, Boolean]
"""A rule, a sentence for the notes, and what a counterexample satisfies besides the hypotheses."""

_MOST_POINTS = 6
_LONGEST_STATE = 2000
"""Operations in a state after some steps beyond which a formula about it takes longer to write than to sample."""


def refute(setting: Setting, claim: Boolean, desk: Desk, steps: range) -> Evidence | None:
    """A verdict with an exact counterexample, or None."""
    if isinstance(claim, And):
        return next((found for part in claim.args if (found := refute(setting, part, desk, steps)) is not None), None)
    for simpler, scaled, _, _ in normalised(setting, claim):
        return refute(simpler, scaled, desk, steps)
    smaller = timeless(setting, claim)
    for rule, sentence, failing in _reasons(smaller, claim, steps):
        if desk.budget.spent:
            return None
        if setting.domain != true and rule not in _WITHIN_A_DOMAIN:
            continue
        if failing is false:
            continue
        generic = rule in _GENERIC and not Tuple(*smaller.rule, claim).free_symbols & set(smaller.almost_all)
        if not generic and _exceptional(smaller):
            continue
        accepted = open_in_start if rule in _REPELLING or _exceptional(smaller) else _anywhere
        point = _point(smaller, rule, failing, desk, accepted)
        if point is None:
            continue
        shown = Proving(desk.budget)
        if rule not in _REPELLING or is_analytic([part.subs(point) for part in smaller.rule], smaller.state, shown):
            return _refuted(setting, claim, rule, sentence, point, shown.obligations)
    return None


_REPELLING = ("repelling", "unstable direction")
_GENERIC = ("not a cycle", *_REPELLING)
_WITHIN_A_DOMAIN = ("step 0", "at rest", "equilibrium")
"""Reasons that also count where the trajectory may end by leaving its domain: it does not move, or has not yet."""


def _reasons(setting: Setting, claim: Boolean, steps: range) -> Iterator[Reason]:
    moment = isinstance(claim, After) and isinstance(claim.args[0], Integer) and is_plain(claim.args[1])
    if is_plain(claim) or isinstance(claim, (Always, Decreasing)) or moment:
        yield from _false_soon(setting, claim, steps)
        return
    endless = isinstance(claim, (ConvergesTo, HasPeriod)) or (isinstance(claim, Eventually) and is_plain(claim.args[0]))
    if not endless or steps.start > 0:
        return
    if isinstance(claim, ConvergesTo) and claim.quantity == Tuple(*setting.state):
        yield from _wrong_target(setting, claim)
        yield from _repelling(setting, claim)
        yield from _unstable_directions(setting, claim)
    if not _exceptional(setting):
        yield from _stuck_elsewhere(setting, claim)


def _false_soon(setting: Setting, claim: Boolean, steps: range) -> Iterator[Reason]:
    moments = steps if setting.discrete and not is_plain(claim) else range(1) if steps.start == 0 else range(0)
    pieces = any(part.has(Piecewise) for part in setting.rule)
    for step in moments:
        if pieces and step > 1:  # pieces within pieces: SymPy takes for ever to tell which of them can be
            return
        later = setting.later(step)
        if sum(part.count_ops() for part in later.start) > _LONGEST_STATE or not all(map(_is_real, later.start)):
            return
        defined = _defined_until(setting, step)
        if isinstance(claim, Decreasing) and defined is not None:
            quantity = claim.args[0]
            if setting.discrete:
                after = later.initially(setting.next(quantity))
                valued = And(_valued(later, quantity), _valued(setting.later(step + 1), quantity))
                yield (
                    f"step {step}",
                    f"the quantity does not decrease in step {step + 1}",
                    And(defined, valued, Ge(after, later.initially(quantity))),
                )
            else:
                lipschitz = _defined_until(setting, 1)
                rest = [Eq(setting.initially(part), 0) for part in setting.rule]
                valued = _valued(setting, quantity)
                still = false if lipschitz is None else And(lipschitz, valued, *rest)
                yield "at rest", "the trajectory starts at rest, where nothing decreases", still
                rising = Gt(setting.initially(setting.rate(quantity)), 0)
                smooth = smooth_where((quantity,))
                if lipschitz is not None and smooth is not None:
                    increases = And(lipschitz, setting.initially(smooth), rising)
                    yield "rising", "the quantity increases at the start", increases
        elif defined is not None and isinstance(claim, Always) and is_plain(claim.args[0]):
            failing = And(_valued(later, claim.args[0]), later.initially(negation(claim.args[0])))
            yield f"step {step}", f"the formula is false at step {step}", And(defined, failing)
        elif defined is not None and isinstance(claim, After) and step == claim.args[0]:
            failing = And(_valued(later, claim.args[1]), later.initially(negation(claim.args[1])))
            yield f"step {step}", f"the formula is false at step {step}", And(defined, failing)
        elif is_plain(claim):
            failing = And(_valued(setting, claim), setting.initially(negation(claim)))
            yield "step 0", "the formula is false at the start", failing


def _valued(setting: Setting, part: Basic) -> Boolean:
    """Where a formula or a quantity has a value at the start, said before the start is put in and anything cancels."""
    return And(*(setting.initially(condition) for condition in demands((part,))))


def _is_real(state: Expr) -> bool:
    """Whether a state is not seen to have left the real numbers, as 1/0 or the root of -1 has."""
    return not state.has(S.ComplexInfinity, S.NaN, S.Infinity, S.NegativeInfinity, S.ImaginaryUnit)


def _defined_until(setting: Setting, steps: int) -> Boolean | None:
    where = continuous_where(setting.rule)
    return None if where is None else And(*(setting.later(k).initially(where) for k in range(steps)))


def _stuck_elsewhere(setting: Setting, claim: Boolean) -> Iterator[Reason]:
    """Starts that land exactly on an equilibrium, or on a 2-cycle, where the claim is false for ever."""
    for landing in range(2 if setting.discrete else 1):
        later = setting.later(landing) if landing else setting
        defined = _defined_until(setting, landing + 1)  # a flow stays at rest where its rule is Lipschitz
        if defined is None:
            return
        here = dict(zip(setting.state, later.start, strict=True))
        there = {key: value.subs(here, simultaneous=True) for key, value in setting.step.items()}
        rest = [Eq(there[s], here[s] if setting.discrete else 0) for s in setting.state]
        where = "starts at" if landing == 0 else f"lands at step {landing} on"
        wrong = _wrong_at_rest(claim, [(later, setting.later(k)) for k in range(landing + 1)])
        yield "equilibrium", f"the trajectory {where} an equilibrium, where it stays", And(defined, *rest, wrong)
    if setting.discrete and not isinstance(claim, Eventually):
        yield from _stuck_on_cycle(setting, claim)
    if setting.discrete and len(setting.state) == 1 and isinstance(setting.start[0], Symbol):
        yield from _preimages(setting, claim)


def _preimages(setting: Setting, claim: Boolean) -> Iterator[Reason]:
    """Starts with a formula that land on an equilibrium after one or two steps."""
    x, rule, start = setting.state[0], setting.rule[0], setting.start[0]
    for rest in short_roots(rule - x, x):
        before = [root for root in short_roots(rule - rest, x) if root != rest]
        earlier = [(root, 2) for near in before for root in short_roots(rule - near, x)]
        for root, steps in [*((near, 1) for near in before), *earlier]:
            times = [(replace(setting, start=(rest,)), setting.later(k)) for k in range(steps + 1)]
            landing = And(Eq(start, root), Eq(setting.later(steps).start[0], rest), Eq(rule.subs(x, rest), rest))
            sentence = f"the trajectory lands at step {steps} on an equilibrium, where it stays"
            yield "equilibrium", sentence, And(landing, _wrong_at_rest(claim, times))


def _wrong_at_rest(claim: Boolean, times: list[tuple[Setting, Setting]]) -> Boolean:
    last = times[-1][0]
    valued = And(*(_valued(time_, claim) for _, time_ in times))
    if isinstance(claim, ConvergesTo):
        gaps = (Ne(last.initially(q), v) for point in claim.points for q, v in zip(claim.quantity, point, strict=True))
        return And(valued, Or(*gaps))
    if isinstance(claim, HasPeriod):
        return S.true if claim.args[0] != 1 else false
    return And(valued, *(time_.initially(negation(claim.args[0])) for _, time_ in times))


def _stuck_on_cycle(setting: Setting, claim: Boolean) -> Iterator[Reason]:
    once, twice = setting.later(1).start, setting.later(2).start
    back = [Eq(a, b) for a, b in zip(twice, setting.start, strict=True)]
    moving = Or(*(Ne(a, b) for a, b in zip(once, setting.start, strict=True)))
    if isinstance(claim, ConvergesTo) and claim.period == 1:
        after = setting.later(1)
        gaps = (Ne(after.initially(part), setting.initially(part)) for part in claim.quantity)
        moving = And(_valued(setting, claim), _valued(after, claim), Or(*gaps))
    elif not (isinstance(claim, HasPeriod) and claim.args[0] != 2):
        return
    defined = _defined_until(setting, 2)
    if defined is not None:
        yield "2-cycle", "the trajectory starts on a 2-cycle, where it stays", And(defined, *back, moving)


def _wrong_target(setting: Setting, claim: ConvergesTo) -> Iterator[Reason]:
    """By continuity the limit points of a convergent trajectory are mapped to each other."""
    if claim.period > 2:
        return
    where = continuous_where(setting.rule)
    if where is None:
        return
    points = [dict(zip(setting.state, point, strict=True)) for point in claim.points]
    images = [[part.subs(point, simultaneous=True) for part in setting.rule] for point in points]
    following = [*points[1:], points[0]]
    if setting.discrete:
        apart = [Ne(a, b) for image, point in zip(images, following, strict=True)
                 for a, b in zip(image, point.values(), strict=True)]  # fmt: skip
    else:
        apart = [Ne(part, 0) for image in images for part in image]
    defined = And(*(where.subs(point, simultaneous=True) for point in points))
    yield (
        "not a cycle",
        "the dynamics do not keep the target, so by continuity nothing converges to it",
        And(defined, Or(*apart)),
    )


def _repelling(setting: Setting, claim: ConvergesTo) -> Iterator[Reason]:
    if len(setting.state) != 1 or claim.period > 2:
        return
    x, rule = setting.state[0], setting.rule[0]
    points = [point[0] for point in claim.points]
    if not setting.discrete:
        if claim.period == 1 and smooth_where((rule,)) is S.true:
            unstable = And(Gt(diff(rule, x).subs(x, points[0]), 0), Eq(rule.subs(x, points[0]), 0))
            yield (
                "unstable",
                "the target is an unstable equilibrium, which only its own start reaches",
                And(unstable, Ne(setting.start[0], points[0])),
            )
        return
    start = setting.start[0]
    if smooth_where((rule,)) is None or not isinstance(start, Symbol) or start in Tuple(rule, *points).free_symbols:
        return
    cycle = And(*(Eq(rule.subs(x, a), b) for a, b in zip(points, (*points[1:], points[0]), strict=True)))
    multiplier = Mul(*(diff(rule, x).subs(x, point) for point in points))
    sentence = (
        "the target repels: an orbit converges to it only by landing on it, which countably many starts do;"
        " every other start near the one given is a counterexample"
    )
    apart = _not_landing(setting, claim)
    yield "repelling", sentence, And(Gt(multiplier, 1), cycle, apart)
    yield "repelling", sentence, And(Lt(multiplier, -1), cycle, apart)


def _unstable_directions(setting: Setting, claim: ConvergesTo) -> Iterator[Reason]:
    """Rest points of the plane or of more coordinates that have an eigenvalue on the wrong side of the border."""
    point = claim.points[0]
    known = Tuple(*setting.rule, *point).free_symbols
    apart = len(set(setting.start)) == len(setting.start) > 1 and not set(setting.start) & known
    if claim.period != 1 or not apart or not all(isinstance(start, Symbol) for start in setting.start):
        return
    where = smooth_where(setting.rule)
    if where is None:
        return
    here = dict(zip(setting.state, point, strict=True))
    slopes = Matrix([[diff(part, symbol) for symbol in setting.state] for part in setting.rule])
    slopes = slopes.subs(here, simultaneous=True)
    if not all(map(_is_real, slopes)):
        return
    still = [Eq(part.subs(here, simultaneous=True), here[symbol] if setting.discrete else 0)
             for symbol, part in setting.step.items()]  # fmt: skip
    regular = Ne(slopes.det(method="berkowitz"), 0) if setting.discrete else true
    fixed = [part for part in joined(where) if not part.free_symbols & set(setting.state)]
    sentence = (
        "the target has an unstable direction, so that only a null set of starts converges to it;"
        " almost every start near the one given is a counterexample"
    )
    moved = Or(*(Ne(start, value) for start, value in zip(setting.start, point, strict=True)))
    unstable = has_unstable_direction(slopes, discrete=setting.discrete)
    for part in unstable.args if isinstance(unstable, Or) else (unstable,):
        yield "unstable direction", sentence, And(part, *still, regular, moved, *fixed)


def _not_landing(setting: Setting, claim: ConvergesTo) -> Boolean:
    """The start shown to the reader is not itself one of the exceptions, as far as two steps tell."""
    early = [setting.later(step).start[0] for step in range(3)]
    return And(*(Ne(state, point[0]) for state in early for point in claim.points))


def _exceptional(setting: Setting) -> bool:
    """Whether single points cannot refute, because exceptional starts are allowed."""
    return bool(set(setting.almost_all))


def _anywhere(_setting: Setting, _point: Point) -> bool:
    return True


def open_in_start(setting: Setting, point: Point) -> bool:
    """Whether the starts around the point, all else fixed, belong to the hypothesis set too."""
    free = {symbol for symbol in setting.start if isinstance(symbol, Symbol)} | set(setting.almost_all)
    conditions = [part for part in setting.hypotheses if part.free_symbols & free]
    if any(is_discrete(setting.variables[symbol]) for symbol in free & set(setting.variables)):
        return False
    if any(not isinstance(part, Relational) or isinstance(part, Eq) for part in conditions):
        return False
    where = continuous_where(side for part in conditions for side in part.args)
    return where is not None and holds(And(where, *(strict(part) for part in conditions)), point) is True


def strict(relation: Boolean) -> Boolean:
    """A relation without its edge; anything else as it is."""
    if not isinstance(relation, (Lt, Le, Gt, Ge)):
        return relation
    return Lt(*relation.args) if isinstance(relation, (Le, Lt)) else Gt(*relation.args)


def _point(
    setting: Setting, rule: str, failing: Boolean, desk: Desk, accepted: Callable[[Setting, Point], bool]
) -> Point | None:
    """An exact point of the hypothesis set that satisfies the formula; a solver that proves there is none ends it."""
    formula = And(*setting.hypotheses, failing)

    def counts(point: Point) -> bool:
        return holds(formula, point) is True and _is_complete(setting, point) and accepted(setting, point)

    try:
        verdict = desk.verdict(setting.at_start(negation(_hint(rule, failing))))
    except UnprovedError:
        return None
    if verdict is not None and verdict.outcome is Outcome.PROVED:
        return None
    candidate = _read(setting, verdict)
    if candidate is not None and counts(candidate):
        return candidate
    seconds = desk.budget.seconds_for("motion, unstable points")
    found = exact_points(setting, And(*setting.hypotheses, _hint(rule, failing)), _MOST_POINTS, seconds)
    return next(filter(counts, found), None)


def _is_complete(setting: Setting, point: Point) -> bool:
    """Whether the variables that hypotheses express through the others have real values there."""
    whole = setting.complete(point)
    return all(sign(whole[symbol]) is not None for symbol, _ in setting.solved)


def _hint(rule: str, failing: Boolean) -> Boolean:
    """What the search is told: for a repelling cycle only the inequality, its equations being confirmed afterwards."""
    if rule in _REPELLING:
        return tidy(And(*(part for part in joined(failing) if not isinstance(part, (Eq, Ne)))))
    named = [part for part in joined(failing) if isinstance(part, Eq) and isinstance(part.lhs, Symbol)]
    if rule == "equilibrium" and named:
        return And(*named)
    return tidy(failing)


def tidy(formula: Boolean) -> Boolean:
    """The formula with the two sides of each relation brought together and reduced; only ever used to search.

    >>> x = Symbol("x")
    >>> tidy(Eq((x + 1) ** 2, x**2 + 2 * x + 1))
    True
    """
    if isinstance(formula, Relational):
        return formula.func(cancel(expand(formula.lhs - formula.rhs)), 0)
    return formula.func(*(tidy(part) for part in formula.args)) if isinstance(formula, (And, Or)) else formula


def _read(setting: Setting, verdict: Evidence | None) -> Point | None:
    """The counterexample of a verdict when all its numbers are rational."""
    if verdict is None or verdict.counterexample is None:
        return None
    numbers = dict(verdict.counterexample)
    try:
        return {symbol: Rational(numbers[symbol.name]) for symbol in setting.variables}
    except (TypeError, ValueError, KeyError):
        return None


def _refuted(
    setting: Setting, claim: Boolean, rule: str, sentence: str, point: Point, proofs: list[Mapping[str, Any]]
) -> Evidence:
    whole = setting.complete(point)
    shown = {symbol.name: str(value) for symbol, value in whole.items()}
    name, _, number = rule.partition(" ")
    if name == "step" and number.isdigit():
        shown["step"] = number
    certificate = {
        "kind": "induction",
        "refutation": rule,
        "claim": encode(claim),
        "point": [[encode(symbol), encode(value)] for symbol, value in whole.items()],
        **({"obligations": proofs} if proofs else {}),
    }
    return Evidence(Outcome.REFUTED, "motion", counterexample=shown, certificate=certificate, notes=(sentence,))
