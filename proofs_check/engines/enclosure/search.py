"""One start or a box of starts, followed with rigorous error bounds: maps by ball iteration, flows by Taylor tubes.

A formula that needs only finitely many steps is decided by evaluating it on the balls; one that speaks of all times
is decided once the trajectory is caught in boxes that the map contracts, is proved to escape, or comes back exactly to
an earlier state.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sympy import And, Eq, Expr, Integer, Interval, Rational, Set, Symbol, true
from sympy.logic.boolalg import Boolean

import numerics
from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.enclosure import NAME
from proofs_check.engines.motion.flow_violation import BITS, violating_time
from proofs_check.engines.motion.orbit import precision
from proofs_check.engines.motion.refutation import open_in_start
from proofs_check.engines.motion.sampling import exact_points
from proofs_check.engines.motion.trace import Trace
from proofs_check.engines.motion.trajectory import Setting, setting_of
from proofs_check.engines.motion.trapping import settle
from proofs_check.goals import Goal
from proofs_check.kernel.lasso import Orbit as Returning
from proofs_check.kernel.lasso import returning
from proofs_check.kernel.scene import RejectedError
from proofs_check.points.exact import holds
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo, Eventually, HasPeriod, is_plain, is_temporal
from theory.trees import encode

if TYPE_CHECKING:
    from flint import arb

VERSION = 8

_PRECISIONS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
_WIDE = Fraction(1, 2**30)
_SMALLEST = Rational(1, 10**280)
_HORIZONS = {"glance": 300, "quick": 300, "standard": 3_000, "deep": 100_000}
_MOST_VARIABLES = 4
_STARTS, _LONGEST_STAY = 4, 20
"""Starts of a flow that are followed until they leave its domain, and for how long."""
_LARGEST_CERTIFICATE = 5_000


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a temporal statement about numbers or bounded boxes, or return None.

    >>> from theory.dynamics import Map
    >>> from theory.temporal import Eventually
    >>> x = Symbol("x")
    >>> lemma = Statement(dynamics=Map((x,), (3 * x,)), start={x: Rational(1, 7)}, then=Eventually(x > 1000))
    >>> str(decide(lemma, Budget.of("quick")).outcome)
    'proved'
    """
    found = setting_of(statement)
    if found is None or not is_temporal(statement.conclusion):
        return None
    if not all(is_plain(part) for part in statement.hypotheses):
        return None
    budget = budget.running
    setting, claim = found
    if not setting.discrete:
        return _leaving(statement, setting, claim, budget)
    horizon = max(_HORIZONS[budget.effort], 2 * _latest(claim))
    if not setting.variables:
        return _single(statement, horizon, budget)
    return _cover(statement, setting, claim, min(horizon, max(300, 2 * _latest(claim))), budget)


def _latest(claim: Boolean) -> int:
    """The largest step that an After of the claim names."""
    return max((int(part.args[0]) for part in claim.atoms(After) if isinstance(part.args[0], Integer)), default=0)


def _endless(claim: Boolean) -> bool:
    """Whether the claim speaks of all times."""
    return bool(claim.has(Always, Eventually, ConvergesTo, HasPeriod))


def confirm_violation(
    statement: Statement,
    point: Mapping[Symbol, Rational],
    horizon: int,
    budget: Budget | None = None,
    moment: float | None = None,
) -> Evidence | None:
    """A verdict that a point of the hypothesis set violates the statement, certified in ball arithmetic; else None.

    `moment` is a time at which a violation along a flow is expected.

    >>> from theory.dynamics import Map
    >>> from theory.temporal import Always
    >>> x, a = Symbol("x"), Symbol("a")
    >>> growth = Map((x,), (2 * x,))
    >>> lemma = Statement(dynamics=growth, start={x: a}, variables={a: Interval(0, 1)}, then=Always(x < 1000))
    >>> confirm_violation(lemma, {a: Rational(1, 3)}, 50).counterexample
    {'a': '1/3', 'step': '12'}
    """
    found = setting_of(statement)
    if found is None or set(point) != set(statement.variables):
        return None
    if holds(And(*statement.hypotheses), point) is not True:
        return None
    setting, claim = found
    if not setting.discrete:
        return _flow_violation(setting, claim, point, horizon, moment, budget or Budget.of("standard").start())
    if setting.almost_all and not (open_in_start(setting, dict(point)) and _is_in_range(setting, point)):
        return None
    whole = _whole(statement, point)
    if whole is not None:
        return _by_lasso(*whole, point, wanted=False)
    run = _follow(setting, claim, point, horizon, budget or Budget.of("standard").start())
    if run is None or run[0] is not False:
        return None
    shown = {symbol.name: str(value) for symbol, value in point.items()}
    with precision(run[2]):
        step = _violating_step(run[1], claim)
    if step is not None:
        shown["step"] = str(step)
    certificate = {**_certificate(claim, run[1], run[2]), "truth": False, "point": _pairs(point)}
    fate = _fate(run[1]) if step is None else None
    note = fate or f"ball arithmetic with {run[2]} bits certifies the violation"
    return Evidence(Outcome.REFUTED, NAME, counterexample=shown, certificate=certificate, notes=(note,))


def _flow_violation(
    setting: Setting,
    claim: Boolean,
    point: Mapping[Symbol, Rational],
    horizon: int,
    moment: float | None,
    budget: Budget,
) -> Evidence | None:
    """A violation along a flow; where exceptional starts are allowed one start shows nothing."""
    if setting.almost_all:
        return None
    try:
        time = violating_time(setting, claim, point, horizon, budget, moment)
    except LemmascopeError:  # no validated integration through a kink
        return None
    if time is None:
        return None
    shown = {symbol.name: str(value) for symbol, value in point.items()} | {"time": time}
    certificate = {"kind": "flow", "claim": encode(claim), "point": _pairs(point), "time": time}
    note = f"a validated integration with {BITS} bits certifies the violation"
    return Evidence(Outcome.REFUTED, NAME, counterexample=shown, certificate=certificate, notes=(note,))


def _leaving(statement: Statement, setting: Setting, claim: Boolean, budget: Budget) -> Evidence | None:
    """A claim about a moment, or about a limit, of a flow that leaves its domain before."""
    if setting.domain == true or not claim.has(After, ConvergesTo):
        return None
    named = [math.ceil(part.args[0]) for part in claim.atoms(After) if part.args[0].is_Rational]
    horizon = max([_LONGEST_STAY, *named])
    seconds = budget.seconds_for("motion, departing points")
    for point in exact_points(setting, And(*setting.hypotheses), _STARTS, seconds):
        found = confirm_violation(statement, setting.complete(point), horizon, budget)
        if found is not None or budget.spent:
            return found
    return None


def _single(statement: Statement, horizon: int, budget: Budget) -> Evidence | None:
    """A statement without free variables."""
    refuted = confirm_violation(statement, {}, horizon, budget) if not statement.variables else None
    if refuted is not None:
        return refuted
    found = setting_of(statement)
    if found is None:
        return None
    setting, claim = found
    whole = _whole(statement, {})
    if whole is not None:
        return _by_lasso(*whole, {}, wanted=True)
    run = _follow(setting, claim, {}, horizon, budget)
    if run is None or run[0] is not True:
        return None
    certificate = {**_certificate(claim, run[1], run[2]), "truth": True, "boxes": [[]]}
    return Evidence(Outcome.PROVED, NAME, cases=1, certificate=certificate)


def _whole(statement: Statement, point: Mapping[Symbol, Expr]) -> tuple[Returning, Boolean] | None:
    """The trajectory where it comes back exactly to an earlier state and so decides a claim about all of time."""
    if not _endless(statement.conclusion):
        return None
    try:
        found, claim = returning(statement, point)
        return None if found.truth(claim) is None else (found, claim)
    except (RejectedError, ZeroDivisionError):
        return None


def _by_lasso(whole: Returning, claim: Boolean, point: Mapping[Symbol, Expr], *, wanted: bool) -> Evidence | None:
    if whole.truth(claim) is not wanted:
        return None
    certificate = {"kind": "lasso", "point": _pairs(point), "truth": wanted}
    note = f"from step {whole.back} on the trajectory repeats itself exactly with period {whole.period}"
    if wanted:
        return Evidence(Outcome.PROVED, NAME, cases=1, certificate=certificate, notes=(note,))
    shown = {symbol.name: str(value) for symbol, value in point.items()}
    if isinstance(claim, Always) and is_plain(claim.args[0]):
        step = next(step for step in range(len(whole.points)) if whole.truth(claim.args[0], step) is False)
        shown, note = shown | {"step": str(step)}, f"the formula is false at step {step}, computed exactly"
    return Evidence(Outcome.REFUTED, NAME, counterexample=shown, certificate=certificate, notes=(note,))


def _follow(
    setting: Setting, claim: Boolean, point: Mapping[Symbol, Expr], horizon: int, budget: Budget
) -> tuple[bool, Trace, int] | None:
    """The truth of the claim at a point, with as much precision as it takes."""
    for bits in _PRECISIONS:
        if budget.spent:
            return None
        with precision(bits):
            fixed = {symbol: _ball(setting, symbol, point[symbol]) for symbol in setting.variables}
            trace = Trace(setting, fixed, horizon, lambda target: _is_cycle(setting, target, point))
            if _endless(claim):
                settle(trace)
            truth = trace.truth(claim)
        if truth is not None:
            return truth, trace, bits
        if len(trace.states) > horizon and all(_sharp(entry) for entry in trace.states[-1]):
            return None
    return None


def _ball(setting: Setting, symbol: Symbol, value: Expr) -> arb:
    """An exact value; where exceptional starts are allowed, a small neighbourhood of it."""
    from flint import arb, fmpq

    exact = arb(fmpq(value.p, value.q)) if isinstance(value, Rational) else numerics.compile_ball([value], [])()[0]
    if symbol not in setting.almost_all:
        return exact
    return arb(exact, float(_WIDE) * min(1.0, abs(float(exact)) or 1.0))


def _is_in_range(setting: Setting, point: Mapping[Symbol, Expr]) -> bool:
    """Whether neighbourhoods of the starts have a radius that a double can hold."""
    return all(point[symbol] == 0 or abs(point[symbol]) > _SMALLEST for symbol in setting.almost_all if symbol in point)


def _sharp(entry: arb) -> bool:
    return bool(entry.is_finite() and entry.rad() < 1e-9 * (1 + abs(entry.mid())))


def _is_cycle(setting: Setting, claim: ConvergesTo, point: Mapping[Symbol, Expr]) -> bool:
    return holds(_cycle_equations(setting, claim), point) is True


def _cycle_equations(setting: Setting, claim: ConvergesTo) -> Boolean:
    following = (*claim.points[1:], claim.points[0])
    equations = []
    for here, there in zip(claim.points, following, strict=True):
        moved = dict(zip(setting.state, here, strict=True))
        equations += [
            Eq(part.subs(moved, simultaneous=True), value) for part, value in zip(setting.rule, there, strict=True)
        ]
    return And(*equations)


def _violating_step(trace: Trace, claim: Boolean) -> int | None:
    """The first step at which the violation is certain; None for claims about the limit."""
    if claim.has(ConvergesTo, HasPeriod):
        return None
    if isinstance(claim, Always) and is_plain(claim.args[0]):
        return trace.violated
    low, high = 0, len(trace.states) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if trace.upto(middle).truth(claim) is False else (middle + 1, high)
    return low


def _fate(trace: Trace) -> str | None:
    if trace.escapes:
        return "the trajectory escapes to infinity: beyond a proved radius its size grows at every step"
    if trace.trap is not None:
        count = len(trace.trap.boxes)
        return f"the trajectory enters {count} box{'es' if count > 1 else ''} mapped into themselves, and stays there"
    return None


def _certificate(claim: Boolean, trace: Trace, bits: int) -> dict[str, Any]:
    return {"kind": "enclosure", "claim": encode(claim), "horizon": trace.horizon, "precision": bits}


def _pairs(point: Mapping[Symbol, Expr]) -> list[list[Any]]:
    return [[encode(symbol), encode(value)] for symbol, value in point.items()]


Box = dict[Symbol, tuple[Fraction, Fraction]]


def _cover(statement: Statement, setting: Setting, claim: Boolean, horizon: int, budget: Budget) -> Evidence | None:
    """Boxes that cover the domains of the variables, halved until the claim is decided on each of them."""
    first = _outer_box(setting.variables)
    if first is None or len(first) > _MOST_VARIABLES or setting.solved:
        return None
    pending: deque[Box] = deque([first])
    proved: list[Box] = []
    kept: dict[ConvergesTo, bool] = {}

    def is_cycle(target: ConvergesTo) -> bool:
        if target not in kept:
            kept[target] = _proved_cycle(setting, target, budget)
        return kept[target]

    with precision(64):
        while pending:
            if budget.spent or len(pending) + len(proved) > min(budget.boxes, _LARGEST_CERTIFICATE):
                return None
            box = pending.popleft()
            fixed = {symbol: _hull(*ends) for symbol, ends in box.items()}
            trace = Trace(setting, fixed, horizon, is_cycle)
            outside = any(trace.holds(part, trace.states[0]) is False for part in setting.hypotheses)
            if _endless(claim) and not outside:
                settle(trace)
            truth = None if outside else trace.truth(claim)
            if truth is False:
                point = {symbol: Rational(middle.numerator, middle.denominator) for symbol, middle in _centre(box)}
                refuted = confirm_violation(statement, point, horizon, budget)
                if refuted is not None:
                    return refuted
            if outside or truth:
                proved.append(box)
            else:
                pending += _halves(box)
    boxes = [[[str(low), str(high)] for low, high in box.values()] for box in proved]
    certificate = {
        "kind": "enclosure", "claim": encode(claim), "horizon": horizon, "precision": 64, "truth": True,
        "variables": [symbol.name for symbol in first], "boxes": boxes,
    }  # fmt: skip
    return Evidence(Outcome.PROVED, NAME, cases=len(boxes), certificate=certificate)


def _proved_cycle(setting: Setting, claim: ConvergesTo, budget: Budget) -> bool:

    goal = Goal(dict(setting.variables), setting.hypotheses, _cycle_equations(setting, claim))
    verdict = discharge(goal, budget)
    return verdict is not None and verdict.outcome is Outcome.PROVED


def _outer_box(variables: Mapping[Symbol, Set]) -> Box | None:
    """A rational box around the domains; None when one of them is unbounded, no interval or depends on another."""
    box: Box = {}
    for symbol, domain in variables.items():
        if not isinstance(domain, Interval) or domain.free_symbols or not domain.measure.is_finite:
            return None
        box[symbol] = (_rounded(domain.start, -1), _rounded(domain.end, 1))
    return box


def _rounded(end: Expr, direction: int) -> Fraction:
    if isinstance(end, Rational):
        return Fraction(int(end.p), int(end.q))

    with precision(128):
        ball = numerics.compile_ball([end], [])()[0]
        outer = ball.upper() if direction > 0 else ball.lower()
        number, exponent = outer.man_exp()
    return Fraction(int(number)) * Fraction(2) ** int(exponent)


def _hull(low: Fraction, high: Fraction) -> arb:
    from flint import arb, fmpq

    return numerics.interval(arb(fmpq(low.numerator, low.denominator)), arb(fmpq(high.numerator, high.denominator)))


def _centre(box: Box) -> list[tuple[Symbol, Fraction]]:
    return [(symbol, (low + high) / 2) for symbol, (low, high) in box.items()]


def _halves(box: Box) -> list[Box]:
    widest = max(box, key=lambda symbol: box[symbol][1] - box[symbol][0])
    low, high = box[widest]
    middle = (low + high) / 2
    return [{**box, widest: (low, middle)}, {**box, widest: (middle, high)}]
