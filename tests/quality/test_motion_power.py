"""What trajectories do not do is refuted with one exact start, what the clock says of them is proved, both in time.

Every verdict passes the kernel. For each new rule of the kernel the best certificate that can be written by hand is
refused for a false twin, in which one hypothesis of the theorem is missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from motion_corpus import line, plane
from sympy import (
    Abs,
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Interval,
    Le,
    Ne,
    Pow,
    Rational,
    S,
    Symbol,
    exp,
    oo,
    sign,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean, Not

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.motion.argument import Argument, Obligation
from proofs_check.engines.motion.search import decide
from proofs_check.goals import Goal
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Outcome, Verdict
from theory import After, Always, ConvergesTo, Flow, Map, Statement
from theory.trees import encode

x, y, z, x0, y0, t, s, mu, eta, beta, h, c, L = symbols("x y z x0 y0 t s mu eta beta h c L")
R, POSITIVE, HALF = S.Reals, Interval.open(0, oo), Rational(1, 2)
SMALL, UPPER = Interval(-1, 1), Interval(1, 2)
PATIENT = replace(Budget.of("standard"), seconds=25.0)
"""All but a few are decided in a second or two; a busy machine takes longer."""


ORIGIN = ConvergesTo((x, y), (0, 0))

SADDLE = (x * (1 + y**2), -y)
CYCLE = (y, (1 - x**2) * y - x)

REFUTED: dict[str, Statement] = {
    "a nonlinear saddle attracts": plane(SADDLE, SMALL, ORIGIN),
    "a limit cycle attracts almost nothing to its middle": plane(CYCLE, R, ORIGIN, almost_all=(x0, y0)),
    "a decay never settles": line(-x, POSITIVE, Not(ConvergesTo(x, 0))),
    "halving never settles": line(x / 2, POSITIVE, Not(ConvergesTo(x, 0)), kind=Map),
    "descent stops at a saddle": plane((x - eta * y * (x * y - 1), y - eta * x * (x * y - 1)), R, ORIGIN, kind=Map),
    "decay keeps its square": line(-x, R, ConvergesTo(x**2, x0**2)),
    "a drift comes to rest": line(S.One, R, ConvergesTo(x, 0)),
    "a centre falls in": plane((y, -x), R, ORIGIN),
    "one coordinate of a centre vanishes": plane((y, -x), UPPER, ConvergesTo(x, 0)),
    "a rotation by a rational angle falls in": plane(
        (3 * x / 5 - 4 * y / 5, 4 * x / 5 + 3 * y / 5), R, ORIGIN, kind=Map
    ),
    "a swap settles": plane((y, x), UPPER, ConvergesTo(x - y, 0), kind=Map),
    "a shear keeps its size": plane((x + y, y), UPPER, ConvergesTo(x**2 + y**2, x0**2 + y0**2), kind=Map),
    "a shear flow stays": plane((y, S.Zero), R, ConvergesTo((x, y), (x0, y0))),
    "a saddle attracts almost every start": plane((x, -y), SMALL, ORIGIN, almost_all=(x0, y0)),
    "a saddle of a map attracts": plane((2 * x, y / 2), SMALL, ORIGIN, kind=Map),
    "a damped spring keeps its energy": plane((y, -x - y), R, ConvergesTo(x**2 + y**2, x0**2 + y0**2)),
    "products decay to their first value": plane((-x, -2 * y), R, ConvergesTo(x * y, x0 * y0)),
    "gradient descent at the edge": line(x - eta * x, R, ConvergesTo(x**2, 0), Le(eta, 2), kind=Map),
    "heavy ball for every momentum up to one": plane(
        ((1 + beta - eta) * x - beta * y, x), R, ConvergesTo(x, 0), Le(beta, 1), eta < 2, kind=Map
    ),
    "heavy ball up to twice the step": plane(
        ((1 + beta - eta) * x - beta * y, x), R, ConvergesTo(x, 0), beta < 1, eta < 4, kind=Map
    ),
    "Nesterov below step two": plane(
        ((1 - eta) * ((1 + beta) * x - beta * y), x), R, ConvergesTo(x, 0), beta < 1, eta < 2, kind=Map
    ),
    "a gradient flow keeps its loss": line(-4 * x * (x**2 - 1), R, ConvergesTo((x**2 - 1) ** 2, (x0**2 - 1) ** 2)),
    "growth to a limit dies out in square": line(x * (1 - x), UPPER, ConvergesTo(x**2, 0)),
    "predators and prey come to rest": plane((x - x * y, x * y - y), POSITIVE, ConvergesTo((x, y), (1, 1))),
    "a cubic spring comes to rest": plane((y, -(x**3)), UPPER, ORIGIN),
    "a limit cycle shrinks": plane((x - y - x * (x**2 + y**2), x + y - y * (x**2 + y**2)), UPPER, ORIGIN),
    "squares converge": line(x**2, Interval(0, 2), ConvergesTo(x, 0), x0 > 1, kind=Map),
    "a sigmoid rule beyond its edge": line(
        x - eta * (1 / (1 + exp(-x)) - HALF), R, ConvergesTo(x, 0), eta < 9, kind=Map
    ),
    "slow interest stays below a million": line(101 * x / 100, UPPER, Always(x <= 10**6), kind=Map),
    "slow growth stays below a million": line(x / 100, UPPER, Always(x <= 10**6)),
    "a square reaches time one": line(x**2, UPPER, After(1, x > 0)),
    "a cube reaches time one": line(x**3, UPPER, After(1, Always(x > 0))),
    "a tangent reaches time two": line(1 + x**2, UPPER, After(2, x > 0)),
    "what blows up converges": line(x**2, UPPER, ConvergesTo(x, 0)),
    "two that blow up together last": plane((x**2 + y**2, x * y), UPPER, After(1, x > 0)),
}  # fmt: skip

PROVED: dict[str, Statement] = {
    "a rotation never settles": plane((-y, x), POSITIVE, Not(ORIGIN)),
    "doubling never settles": line(2 * x, POSITIVE, Not(ConvergesTo(x, 0)), kind=Map),
    "a decay has no other limit": line(-x, R, Not(ConvergesTo(x, c))),
    "decay is exponential": line(-mu * x, R, Always(Eq(x, x0 * exp(-mu * t)))),
    "the square of a decay has twice the rate": line(-mu * x, R, Always(x**2 <= x0**2 * exp(-2 * mu * t))),
    "a stronger pull is at least as fast": line(-mu * x - x**3, R, Always(x**2 <= x0**2 * exp(-2 * mu * t))),
    "a weaker rate holds as well": line(-2 * x, R, Always(x**2 <= x0**2 * exp(-3 * t))),
    "a mode is learnt along a sigmoid": line(
        2 * x * (s - x), POSITIVE, Always(Eq(x, s * exp(2 * s * t) / (exp(2 * s * t) - 1 + s / x0)))
    ),
    "a mode grows at most exponentially": line(2 * x * (s - x), POSITIVE, Always(x <= x0 * exp(2 * s * t))),
    "a drift is linear": line(c, R, Always(Eq(x, x0 + c * t))),
    "a relaxation in closed form": line(c - x, R, Always(Eq(x, c + (x0 - c) * exp(-t)))),
    "a negative square reaches every moment": line(x**2, Interval(-2, -1), After(1, x < 0)),
    "a quadratic decay in closed form": line(-(x**2), POSITIVE, Always(Eq(x, x0 / (1 + x0 * t)))),
    "a quadratic decay is slow": line(-(x**2), POSITIVE, Always(x * (1 + x0 * t) <= x0)),
    "a decay halves by time one": line(-x, POSITIVE, After(1, x < x0 / 2)),
    "a growth by time one": line(x, POSITIVE, After(1, x > 2 * x0)),
    "independent decays": plane((-x, -2 * y), R, Always(And(Eq(x, x0 * exp(-t)), Eq(y, y0 * exp(-2 * t))))),
    "two coupled decays": plane((-2 * x + y, x - 2 * y), R, Always(Eq(x + y, (x0 + y0) * exp(-t)))),
    "a distance decays at the rate of strong convexity": plane(
        (-x, -3 * y), R, Always(x**2 + y**2 <= (x0**2 + y0**2) * exp(-2 * t))
    ),
    "decay": line(-x, R, ConvergesTo(x, 0)),
    "a damped spring comes to rest": plane((y, -x - y), R, ORIGIN),
    "the stable side of a saddle": Statement(
        dynamics=Flow((x, y), (x, -y)), start={x: S.Zero, y: y0}, variables={y0: R}, then=ConvergesTo(y, 0)
    ),
    "heavy ball inside of its region": plane(
        ((1 + beta - eta) * x - beta * y, x), R, ConvergesTo(x, 0), beta < 1, eta < 2 * (1 + beta), kind=Map
    ),
    "a nilpotent map arrives": plane((y, S.Zero), R, ORIGIN, kind=Map),
    "gradient descent below the edge": line(x - eta * x, R, ConvergesTo(x**2, 0), eta < 2, kind=Map),
    "growth to a limit": line(x * (1 - x), UPPER, ConvergesTo(x, 1)),
    "a negative square dies out": line(x**2, Interval(-2, -1), ConvergesTo(x, 0)),
    "squares below one": line(x**2, Interval(0, HALF), ConvergesTo(x, 0), kind=Map),
    "a centre keeps its radius": plane((y, -x), R, Always(Eq(x**2 + y**2, x0**2 + y0**2))),
}  # fmt: skip

OPEN: dict[str, Statement] = {
    "a faster rate": line(-mu * x, R, Always(x**2 <= x0**2 * exp(-3 * mu * t))),
    "half of the rate of a sigmoid": line(
        2 * x * (s - x), POSITIVE, Always(Eq(x, s * exp(s * t) / (exp(s * t) - 1 + s / x0)))
    ),
    "a solution that starts elsewhere": line(-x, R, Always(Eq(x, 2 * x0 * exp(-t)))),
    "a closed form beyond its pole": line(x**2, UPPER, After(3, Eq(x, x0 / (1 - 3 * x0)))),
    "predators and prey at rest": plane(
        (x - x * y, x * y - y), POSITIVE, ConvergesTo((x, y), (1, 1)), Eq(x0, 1), Eq(y0, 1)
    ),
    "almost every start of a stable map": plane((x / 2, y / 3), R, ORIGIN, kind=Map, almost_all=(x0, y0)),
}  # fmt: skip
"""The opposite of which must not come out: false ones are not proved, true ones not refuted."""


def verdict(statement: Statement) -> Verdict | None:
    """What the engine says, accepted by the kernel."""
    found = decide(statement, PATIENT.start())
    if found is not None:
        sense = Sense.HOLDS if found.outcome is Outcome.PROVED else Sense.FAILS
        assert isinstance(accept(statement, sense, found.certificate), Theorem)
    return found


@pytest.mark.parametrize("name", REFUTED)
def test_what_a_trajectory_does_not_do_is_refuted(name: str) -> None:
    found = verdict(REFUTED[name])
    assert found is not None
    assert found.outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", PROVED)
def test_what_it_does_is_proved(name: str) -> None:
    found = verdict(PROVED[name])
    assert found is not None
    assert found.outcome is Outcome.PROVED


@pytest.mark.parametrize("name", OPEN)
def test_the_opposite_of_the_truth_never_comes_out(name: str) -> None:
    found = verdict(OPEN[name])
    wrong = Outcome.REFUTED if isinstance(OPEN[name].conclusion, ConvergesTo) else Outcome.PROVED
    assert found is None or found.outcome is not wrong


# Twins: certificates by hand, with all of their goals that can be proved.


def goal(given: tuple[Boolean, ...], conclusion: Boolean) -> Goal:
    used = And(*given).free_symbols | conclusion.free_symbols
    return Goal(dict.fromkeys(sorted(used, key=str), R), given, conclusion)


def written(rule: str, facts: dict[str, Any], goals: list[Goal], *parts: Argument) -> Argument:
    found = [
        (item, discharge(item, Budget.of("quick").start())) for item in goals if item.conclusion not in (True, False)
    ]
    kept = [Obligation("", item, had) for item, had in found if had is not None and had.outcome is Outcome.PROVED]
    return Argument(rule, facts, tuple(kept), parts)


def refutes(
    statement: Statement, rule: str, point: dict[Symbol, Expr], argument: Argument | None = None, **facts: Any
) -> bool:
    """Whether the kernel takes a reason why the point is a counterexample."""
    certificate = {
        "kind": "induction",
        "refutation": rule,
        "point": [[encode(symbol), encode(value)] for symbol, value in point.items()],
        **facts,
        **({} if argument is None else {"argument": argument.to_json()}),
    }
    return isinstance(accept(statement, Sense.FAILS, certificate), Theorem)


def proves(statement: Statement, argument: Argument) -> bool:
    certificate = {"kind": "induction", "argument": argument.to_json()}
    return isinstance(accept(statement, Sense.HOLDS, certificate), Theorem)


ONE, ZERO = {x0: S.One}, S.Zero


@pytest.mark.parametrize(
    ("statement", "point", "taken"),
    [
        (line(2 * x, R, ConvergesTo(x, 0), kind=Map), ONE, True),
        (line(x / 2, R, ConvergesTo(x, 0), kind=Map), ONE, False),
        (line(2 * x, R, ConvergesTo(x, 0), Eq(x0, 0), kind=Map), ONE, False),
        (line(x - x**3, SMALL, ConvergesTo(x, 0), kind=Map), {x0: HALF}, False),
        (line(2 * x, UPPER, ConvergesTo(1 / (1 + x**2), 0), kind=Map), ONE, False),
        (plane((x, -y), R, ORIGIN), {x0: S.One, y0: S.One}, True),
        (plane((x, -y), R, ConvergesTo(y, 0)), {x0: S.One, y0: S.One}, False),
        (plane((x, -y), R, ORIGIN), {x0: ZERO, y0: S.One}, False),
        (plane((x, -y), SMALL, ORIGIN, almost_all=(x0, y0)), {x0: HALF, y0: HALF}, True),
        (plane((x, -y), SMALL, ORIGIN, almost_all=(x0, y0)), {x0: S.One, y0: HALF}, False),
        (line(x * x0, SMALL, ConvergesTo(x, 0), kind=Map, almost_all=(x0,)), ONE, False),
    ],
)  # fmt: skip
def test_an_affine_orbit_needs_a_part_that_does_not_decay(statement: Statement, point: Any, taken: bool) -> None:
    assert refutes(statement, "affine orbit", point) is taken


@pytest.mark.parametrize(
    ("statement", "point", "taken"),
    [
        (plane(SADDLE, R, ORIGIN), {x0: S.One, y0: S.One}, True),
        (plane(SADDLE, SMALL, ORIGIN, almost_all=(x0, y0)), {x0: ZERO, y0: ZERO}, True),
        (plane(SADDLE, SMALL, ORIGIN), {x0: S.One, y0: ZERO}, False),
        (plane(SADDLE, R, ORIGIN, Eq(x0, 0)), {x0: ZERO, y0: S.One}, False),
        (plane((-x, -y), R, ORIGIN), {x0: S.One, y0: S.One}, False),
        (plane((-x + y**2, -y**3), R, ORIGIN), {x0: S.One, y0: S.One}, False),
        (plane((x - x0 * y, -y), R, ORIGIN), {x0: S.One, y0: S.One}, False),
        (plane((x + 1, -y), R, ORIGIN), {x0: S.One, y0: S.One}, False),
        (plane((x / (1 - y), -y), R, ORIGIN), {x0: S.One, y0: HALF}, False),
        (plane((2 * x, y / 2), R, ORIGIN, kind=Map), {x0: S.One, y0: S.One}, True),
        (plane((2 * x, y**2), R, ORIGIN, kind=Map), {x0: S.One, y0: S.One}, False),
        (plane((-x, y / 2), R, ORIGIN, kind=Map), {x0: S.One, y0: S.One}, False),
    ],
)  # fmt: skip
def test_an_unstable_direction_leaves_a_null_set_of_starts(statement: Statement, point: Any, taken: bool) -> None:
    assert refutes(statement, "unstable direction", point) is taken


@pytest.mark.parametrize(
    ("rule", "bound", "pace", "taken"),
    [
        (x, x0**2, S.Zero, True),
        (-x, x**2 / 2, -S(2), False),
        (-x, S.Zero, -S(2), False),
        (-x, -S.One, -S(2), False),
        (-x, x0**2, -S(2), False),
    ],
)  # fmt: skip
def test_what_is_kept_away_keeps_a_positive_constant(rule: Expr, bound: Expr, pace: Expr, taken: bool) -> None:
    statement, given = line(rule, UPPER, Not(ConvergesTo(x, 0))), (Le(1, x0), Le(x0, 2))
    relation, gap = Ge(x**2, bound), x**2 - bound
    positive, begun = (Goal({x0: UPPER}, given, part.subs(x, x0)) for part in (Gt(bound, 0), relation))
    grows = Goal({x: R, x0: UPPER}, given, Ge(gap.diff(x) * rule, pace * gap))
    first = written("barrier", {"set": [], "reasons": []}, [])
    barrier = written("barrier", {"set": [relation], "reasons": [["comparison", pace]]}, [begun, grows], first)
    kept = written("always", {"body": relation}, [], barrier)
    assert proves(statement, written("no-limit", {"bound": bound}, [positive], kept)) is taken


@pytest.mark.parametrize(("target", "point", "taken"), [(S.One, ZERO, True), (ZERO, ZERO, False), (c, ZERO, False)])
def test_another_limit_is_a_different_number(target: Expr, point: Expr, taken: bool) -> None:
    statement = line(-x, UPPER, Not(ConvergesTo(x, target)))
    statement = statement.but(variables={**statement.variables, c: R}) if target == c else statement
    goals = [goal((), Ne(point, target))] if target == c else []
    assert proves(statement, written("no-limit", {"point": [point]}, goals, _decay())) is taken


def _decay() -> Argument:
    return written("affine", {"rest": [ZERO]}, [])


@pytest.mark.parametrize(
    ("then", "taken"),
    [(ConvergesTo(x**2, x0), True), (ConvergesTo(x, 0), False), (ConvergesTo(sign(x), 1), False),
     (ConvergesTo(x / Abs(x), 1), False), (ConvergesTo(x, 0, 1), False)],
)  # fmt: skip
def test_another_limit_needs_a_continuous_quantity_with_another_value(then: ConvergesTo, taken: bool) -> None:
    facts = {"of": "state", "points": [[encode(ZERO)]]}
    assert refutes(line(-x, UPPER, then), "elsewhere", ONE, _decay(), **facts) is taken


def test_another_limit_is_none_of_a_trajectory_that_does_not_converge() -> None:
    facts = {"of": "state", "points": [[encode(ZERO)]]}
    assert not refutes(line(x, UPPER, ConvergesTo(x - x, 0)), "elsewhere", ONE, _decay(), **facts)


def _stays(relation: Boolean, reason: tuple[str, Expr], goals: list[Goal], extra: Boolean = S.true) -> Argument:
    """A relation kept along a flow, with the condition that gives it a value."""
    body = And(extra, relation)
    parts = list(body.args) if isinstance(body, And) else [relation]
    reasons = [[*reason] if part == relation else ["darboux", -S.One] for part in parts]
    barrier = written("barrier", {"set": parts, "reasons": reasons}, goals)
    return written("always", {"body": body}, [], barrier)


@pytest.mark.parametrize(
    ("rule", "then", "relation", "reason", "taken"),
    [
        (x, ConvergesTo(x, 0), Ge(x, 1), ("boundary", ZERO), True),
        (-x, ConvergesTo(x, 0), Gt(x, 0), ("darboux", -S.One), False),
        (-x, ConvergesTo(x, 0), Ge(x**2, 0), ("darboux", -S(2)), False),
        (-x, ConvergesTo(x**3, 0), Ge(x, 0), ("darboux", -S.One), False),
        (x, ConvergesTo(x**2, 0), Ge(x, 1), ("boundary", ZERO), False),
    ],
)  # fmt: skip
def test_a_set_keeps_a_trajectory_away_when_its_closure_lacks_the_target(
    rule: Expr, then: ConvergesTo, relation: Boolean, reason: tuple[str, Expr], taken: bool
) -> None:
    gap = relation.lhs - relation.rhs
    goals = [goal((Eq(gap, 0),), Gt(rule, 0)), goal((), Eq(gap.diff(x) * rule, reason[1] * gap))]
    argument = _stays(relation, reason, goals)
    assert refutes(line(rule, UPPER, then), "kept away", ONE, argument, relation=encode(relation)) is taken


def test_a_set_says_nothing_where_its_sides_have_no_value() -> None:
    relation, positive = Ge(1 / x, 1), Gt(x, 0)
    first = written("barrier", {"set": [positive], "reasons": [["darboux", -S.One]]}, [])
    goals = [goal((positive, Eq(1 / x - 1, 0)), Gt(1 / x, 0)), goal((positive,), Ne(x, 0))]
    second = written("barrier", {"set": [relation], "reasons": [["boundary", ZERO]]}, goals, first)
    body = And(Ne(x, 0), relation)
    argument = written("always", {"body": body}, [goal((positive, relation), body)], second)
    assert not refutes(line(-x, UPPER, ConvergesTo(x, 0)), "kept away", ONE, argument, relation=encode(relation))


def _growth(rule: Expr, start: Expr, pace: Expr, power: Expr, height: Expr = x) -> Argument:
    first = height.subs(x, start)
    goals = [goal((Ge(height, first),), Ge(height.diff(x) * rule, pace * height**power))]
    facts = {"height": height, "pace": pace, "power": power}
    return written("ends", facts, goals, written("barrier", {"set": [], "reasons": []}, []))


@pytest.mark.parametrize(
    ("statement", "start", "pace", "power", "taken"),
    [
        (line(x**2, UPPER, After(1, x > 0)), S.One, S.One, Integer(2), True),
        (line(x**2, UPPER, ConvergesTo(x, 0)), S.One, S.One, Integer(2), True),
        (line(x**2, UPPER, After(HALF, x > 0)), S.One, S.One, Integer(2), False),
        (line(x, UPPER, After(5, x > 0)), S.One, S.One, Integer(1), False),
        (line(x, UPPER, After(5, x > 0)), S.One, S.One, Integer(2), False),
        (line(x**2, SMALL, After(5, x < 0)), -S.One, S.One, Integer(2), False),
        (line(x**2 * (2 - x), UPPER, ConvergesTo(x, 2)), S.One, S.One, Integer(2), False),
        (line(x**2, UPPER, Always(x > 0)), S.One, S.One, Integer(2), False),
        (line(x**2, UPPER, After(1, x > 0), kind=Map), S.One, S.One, Integer(2), False),
    ],
)  # fmt: skip
def test_a_solution_ends_only_where_it_grows_faster_than_itself_for_long_enough(
    statement: Statement, start: Expr, pace: Expr, power: Expr, taken: bool
) -> None:
    rule = statement.dynamics.right_side[0] if statement.dynamics is not None else x
    assert refutes(statement, "ends", {x0: start}, _growth(rule, start, pace, power)) is taken


@pytest.mark.parametrize(
    ("statement", "pace", "bound", "taken"),
    [
        (line(2 * x, UPPER, Always(x <= 9), kind=Map), S.One, S(9), True),
        (line(x, UPPER, Always(x <= 9)), S.One, S(9), True),
        (line((x + 3) / 2, UPPER, Always(x <= 3), kind=Map), S.One, S(3), False),
        (line(x * (2 - x), Interval(1, 2), Always(x <= 2)), S.One, S(2), False),
        (line(x, UPPER, Always(x <= 2), kind=Map), ZERO, S(2), False),
        (line(2 * x, UPPER, Always(x >= 0), kind=Map), S.One, S(9), False),
        (line(2 * x, Interval(0, 2), Always(x <= 9), kind=Map), S.One, x, False),
    ],
)  # fmt: skip
def test_a_height_passes_a_bound_that_the_claim_implies_when_its_growth_has_one_rate(
    statement: Statement, pace: Expr, bound: Expr, taken: bool
) -> None:
    assert statement.dynamics is not None
    rule, inside = statement.dynamics.right_side[0], (Ge(x, 1),)
    grown = Ge(rule, (1 + pace) * x) if isinstance(statement.dynamics, Map) else Ge(rule, pace)
    goals = [goal(inside, grown), goal((statement.conclusion.args[0],), Le(x, bound))]
    kind = "invariant" if isinstance(statement.dynamics, Map) else "barrier"
    whole = written(kind, {"set": [], "reasons": []}, [])
    argument = written("escapes", {"height": x, "pace": pace, "bound": bound}, goals, whole)
    assert refutes(statement, "escapes", ONE, argument) is taken


def _solved(statement: Statement, orbit: Expr) -> Argument:
    """The best certificate that a formula of the time is the trajectory, from a start that is a number."""
    dynamics, claim = statement.dynamics, statement.conclusion
    assert dynamics is not None
    time = dynamics.time or Symbol("_time")
    states = {x: orbit} if dynamics.time is None else {x: orbit, time: time}
    divided = [Ne(part.base, 0) for part in claim.args[-1].atoms(Pow) if part.exp.is_negative]
    body, later = And(*divided, claim.args[-1]), (Ge(time, 0),)
    speed = dynamics.right_side[0].subs(x, orbit)
    bases = [part.base for part in (*orbit.atoms(Pow), *speed.atoms(Pow)) if part.has(time)]
    goals = [goal(later, Eq(orbit.diff(time), speed)), goal(later, body.subs(states))]
    goals += [goal(later, relation) for base in bases for relation in (Ne(base, 0), Gt(base, 0))]
    if isinstance(claim, After):
        goals.append(goal((), body.subs(states).subs(time, claim.args[0])))
    return written("solution", {"orbit": list(states.values()), "body": body}, goals)


def numbered(rule: Expr, start: Expr, then: Boolean) -> Statement:
    return Statement(dynamics=Flow((x,), (rule,), t), start={x: start}, then=then)


@pytest.mark.parametrize(
    ("statement", "orbit", "taken"),
    [
        (numbered(-x, S.One, Always(Eq(x, exp(-t)))), exp(-t), True),
        (numbered(-(x**2), S.One, Always(Eq(x, 1 / (1 + t)))), 1 / (1 + t), True),
        (numbered(-x, S.One, Always(Eq(x, 2 * exp(-t)))), 2 * exp(-t), False),
        (numbered(-x, S.One, Always(Eq(x, exp(-2 * t)))), exp(-2 * t), False),
        (numbered(x**2, S.One, After(2, x < 0)), 1 / (1 - t), False),
        (numbered(2 * sqrt(x), S.Zero, Always(Eq(x, t**2))), t**2, False),
        (numbered(3 * x ** Rational(2, 3), S.Zero, Always(Eq(x, t**3))), t**3, False),
        (numbered(x, S.One, Always(x <= 1)), x, False),
    ],
)  # fmt: skip
def test_a_closed_solution_satisfies_equation_and_start_where_the_field_is_smooth(
    statement: Statement, orbit: Expr, taken: bool
) -> None:
    assert proves(statement, _solved(statement, orbit)) is taken


@pytest.mark.parametrize(
    ("rule", "start", "relation", "factor", "given", "taken"),
    [
        (-x, S.Zero, Le(x, 0), -S.One, (), True),
        (-S.One, S.Zero, Ge(x**3, 0), -3 / x, (), False),
        (-S.One, S.Zero, Ge(x**3, 0), ZERO, (Eq(x**3, 0),), False),
        (-S.One, S.One, Ge(x, 0), ZERO, (), False),
    ],
)  # fmt: skip
def test_a_comparison_holds_wherever_the_state_may_be(
    rule: Expr, start: Expr, relation: Boolean, factor: Expr, given: tuple[Boolean, ...], taken: bool
) -> None:
    gap = relation.rhs - relation.lhs if isinstance(relation, Le) else relation.lhs - relation.rhs
    goals = [
        goal(given, Ge(gap.diff(x) * rule, factor * gap)),
        goal((*given, Ne(x, 0)), Ge(gap.diff(x) * rule, factor * gap)),
    ]
    barrier = written("barrier", {"set": [relation], "reasons": [["comparison", factor]]}, goals)
    argument = written("always", {"body": relation}, [], barrier)
    assert proves(numbered(rule, start, Always(relation)).but(dynamics=Flow((x,), (rule,))), argument) is taken


RESTS_ON = {
    "Routh-Hurwitz": plane((y, -x - y), R, ORIGIN),
    "Jury": line(x / 2, R, ConvergesTo(x, 0), kind=Map),
    "LaSalle": plane((-x - x**3, -y - y**3), R, ORIGIN),
    "Coppel": line(Rational(5, 2) * x * (1 - x), Interval.open(0, 1), ConvergesTo(x, Rational(3, 5)), kind=Map),
    "Gronwall": plane((-x - x * y**2, -y), R, Always(x**2 <= x0**2 * exp(-2 * t))),
    "Nagumo": plane((-x + y**2, -y), R, Always(x >= 0), Ge(x0, 0)),
    "Picard-Lindelof": line(-x, R, Always(Eq(x, x0 * exp(-t)))),
    "Kronecker on linear recurrences": plane((y, -x), R, ORIGIN),
    "comparison of differential inequalities": line(x**2, UPPER, After(1, x > 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", RESTS_ON)
def test_a_verdict_names_the_theorem_that_it_rests_on(name: str) -> None:
    found = decide(RESTS_ON[name], PATIENT.start())
    assert found is not None
    sense = Sense.HOLDS if found.outcome is Outcome.PROVED else Sense.FAILS
    theorem = accept(RESTS_ON[name], sense, found.certificate)
    assert isinstance(theorem, Theorem)
    assert name in theorem.trust
