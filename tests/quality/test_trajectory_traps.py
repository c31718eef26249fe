"""What misleads about trajectories: jumps between equal slopes, starts that the rule knows, whole numbers, forgeries.

Each case once had a wrong answer. The engine that gave it is asked again, and its checker where it agreed.
"""

from __future__ import annotations

from typing import Any

import pytest
from flint import arb
from sympy import (
    And,
    Eq,
    Equivalent,
    Expr,
    Interval,
    Max,
    Min,
    Mul,
    Not,
    Or,
    Piecewise,
    Range,
    Rational,
    S,
    Set,
    Symbol,
    expand,
    interpolate,
    log,
    oo,
    symbols,
)
from sympy.logic.boolalg import Boolean

from numerics import compile_ball
from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.motion.flow_violation import violating_time
from proofs_check.engines.motion.trajectory import setting_of
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome, Verdict
from theory import (
    Always,
    Constant,
    ConvergesTo,
    Decreasing,
    Eventually,
    Flow,
    LemmascopeError,
    Map,
    Statement,
    gradient_flow,
)
from theory.language.formulas import clauses
from theory.temporal import After, AtStart, Until, negation
from theory.trees import encode

x, y, z, a, n, L, x0 = symbols("x y z a n L x0")
R, UNIT, POSITIVE = S.Reals, Interval(0, 1), Interval.open(0, oo)
STEP = Piecewise((1, x > 0), (0, True))
THIRD = Rational(1, 3)
CLOCKS = Flow((x, y), (S.One, S.One))


def claim(then: Boolean, variables: dict[Symbol, Set] | None = None, *given: Boolean, **more: object) -> Statement:
    return Statement(variables=variables or {}, given=given, then=then, **more)


def moved(then: Boolean, rule: Expr, domain: Set, kind: type[Map | Flow] = Map) -> Statement:
    return claim(then, {x0: domain}, dynamics=kind((x,), (rule,)), start={x: x0})


def asked(name: str, statement: Statement) -> Verdict | None:
    return engine(name).decide(statement, Budget.of("quick").start())


def landing(steps: int, slope: int) -> Expr:
    """A polynomial that takes 0, 1, ... up to `steps`, where it stays, with a given derivative there."""
    path = interpolate([*((k, k + 1) for k in range(steps)), (steps, steps)], x)
    nodes = expand(Mul(*(x - k for k in range(steps + 1))))
    missing = (slope - path.diff(x).subs(x, steps)) / nodes.diff(x).subs(x, steps)
    return expand(path + missing * nodes)


LATE = landing(3, 2)
NOT_PROVED = {
    "pieces of one slope": ("motion", moved(ConvergesTo(x, 2), x / 2 + STEP, R)),
    "pieces of one slope from the left": ("motion", moved(ConvergesTo(x, 2), x / 2 + STEP, Interval(-1, 0))),
    "a velocity of one slope": ("motion", moved(ConvergesTo(x, 1), STEP - x, Interval(-2, -1), Flow)),
    "a quotient that is only written": (
        "motion",
        moved(ConvergesTo(x, 0), Mul(x**2 / 2, 1 / x, evaluate=False), UNIT),
    ),
    "a quotient that cancels": ("enclosure", moved(ConvergesTo(x, -1), (x**2 - x) / (2 * x), Interval(-1, 1))),
    "whole numbers have no unit": (
        "motion",
        claim(AtStart(x * (x - L) >= 0), {n: S.Integers, L: POSITIVE}, dynamics=Map((x,), (x + L,)), start={x: n}),
    ),
    "a kink on three branches": (
        "motion",
        claim(
            Decreasing(Rational(6, 5) * n - Max(x, y, z)),
            {a: R},
            dynamics=Flow((x, y, z, n), (S.One,) * 4),
            start=dict.fromkeys((x, y, z, n), a),
        ),
    ),
}
for _slope in (Rational(2), Rational(5, 2)):  # every start lands on the fixed point that repels
    NOT_PROVED[f"the exceptions are all starts, {_slope}"] = (
        "motion",
        moved(ConvergesTo(x, x0 + 1 / _slope), expand(x0 + 1 - _slope * (x - x0) * (1 - x + x0)), UNIT).but(
            almost_all=(x0,)
        ),
    )
NOT_REFUTED = {
    "a target that jumps at an exception": (
        "motion",
        moved(ConvergesTo(x, Piecewise((5, Eq(x0, THIRD)), (0, True))), x / 2, UNIT).but(almost_all=(x0,)),
    ),
    "a kink falls": ("motion", moved(Decreasing(Min(2 * x, -x)), S.One, UNIT, Flow)),
    "the rule knows the start": ("motion", moved(ConvergesTo(x, x0 + 3), expand(x0 + LATE.subs(x, x - x0)), UNIT)),
    "the target knows the start": (
        "motion",
        moved(ConvergesTo(x, Piecewise((3, x0 < 1), (3, True), evaluate=False)), LATE, Range(0, 4)),
    ),
    "whole numbers land": ("motion", moved(ConvergesTo(x, 7), landing(7, 2), Range(0, 8))),
}


@pytest.mark.parametrize("name", NOT_PROVED)
def test_what_is_false_or_without_a_value_is_not_proved(name: str) -> None:
    prover, statement = NOT_PROVED[name]
    verdict = asked(prover, statement)
    assert verdict is None or verdict.outcome is not Outcome.PROVED


@pytest.mark.parametrize("name", NOT_REFUTED)
def test_what_is_true_is_not_refuted(name: str) -> None:
    refuter, statement = NOT_REFUTED[name]
    verdict = asked(refuter, statement)
    assert verdict is None or verdict.outcome is not Outcome.REFUTED


def test_starts_near_a_repelling_point_still_refute() -> None:
    statement = moved(ConvergesTo(x, 3), LATE, Interval(0, 4))
    verdict = asked("motion", statement)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(statement, verdict.certificate)[0] == "accepted"


TINY = Rational(1, 10**12)
FALSE_LATE = {
    "a slow decay": claim(Always(x > THIRD), dynamics=Map((x,), (x * (1 - TINY),)), start={x: S.One}),
    "a slow drift": moved(Always(x < 3), x + TINY, UNIT),
    "a slow drift beside a truth": moved(And(Always(x >= 0), Always(x < 3)), x + TINY, UNIT),
    "a slow flow": moved(Always(x > THIRD), -TINY * x, Interval(1, 2), Flow),
    "never quite there": moved(Eventually(x >= 1), (x + 1) / 2, Interval.open(0, 1)),
    "never quite there in continuous time": moved(Eventually(x >= 1), 1 - x, Interval.open(0, 1), Flow),
    "zero is not reached": moved(Eventually(Eq(x, 0)), x / 2, POSITIVE),
}


@pytest.mark.parametrize("name", FALSE_LATE)
@pytest.mark.sampled(2)
def test_what_fails_beyond_every_simulation_is_refuted_by_its_opposite(name: str) -> None:
    statement = FALSE_LATE[name]
    verdict = engine("motion").decide(statement, Budget.of("deep").start())
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(statement, verdict.certificate)[0] == "accepted"
    opposites = [Not(part) for part in clauses(statement.then)]
    assert check(statement.but(then=Or(*opposites)), verdict.certificate)[0] == "rejected"
    for part in opposites:
        turned = (Eventually if isinstance(part.args[0], Always) else Always)(negation(part.args[0].args[0]))
        assert check(statement.but(then=turned), verdict.certificate)[0] == "rejected"


TRUE = {
    "opposite layers meet at the saddle": claim(
        ConvergesTo((x, y), (0, 0)),
        {a: R},
        dynamics=gradient_flow((x * y - 1) ** 2 / 2, (x, y)),
        start={x: a, y: -a},
    ),
    "simultaneous play spirals outwards": claim(
        Decreasing(-(x**2) - y**2),
        {a: POSITIVE, x0: R, L: POSITIVE},
        dynamics=Map((x, y), (x - L * y, y + L * x)),
        start={x: a, y: x0},
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_balanced_starts_and_nonzero_quantities_are_noticed(name: str) -> None:
    verdict = engine("motion").decide(TRUE[name], Budget.of("deep").start())
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    assert check(TRUE[name], verdict.certificate)[0] == "accepted"


def test_weak_relations_hold_from_some_time_on_where_the_limit_is_inside() -> None:
    half, halfway = Rational(1, 2), (x + 1) / 2
    for body, is_proved in ((Or(x >= half, x < -5), True), (x >= 1, False), (Eq(x, 1), False)):
        statement = moved(Eventually(Always(body)), halfway, Interval.open(0, 1))
        verdict = asked("motion", statement)
        assert (verdict is not None and verdict.outcome is Outcome.PROVED) is is_proved
        assert not is_proved or check(statement, verdict.certificate)[0] == "accepted"


def test_a_trap_that_says_too_little_does_not_end_the_search() -> None:
    statement = claim(Always(x > THIRD), dynamics=Map((x,), (x * (1 - Rational(1, 10**4)),)), start={x: S.One})
    verdict = confirm_violation(statement, {}, 12_000)
    assert verdict is not None
    assert verdict.counterexample == {"step": "10986"}


LATER = {
    "a relation beside a tail": After(THIRD, And(x <= THIRD, Always(y >= 0))),
    "a relation or a tail": After(THIRD, Or(x <= THIRD, Always(y < 0))),
    "later and later": After(1, After(1, Always(x >= 2))),
    "for all of time, eventually": Always(Eventually(x > 1)),
    "for all of time, alike": Always(Equivalent(x < -1, x < -2)),
}


@pytest.mark.parametrize("name", LATER)
def test_a_flow_does_not_violate_what_is_true_of_it(name: str) -> None:
    statement = claim(LATER[name], dynamics=CLOCKS, start={x: S.Zero, y: S.Zero})
    setting, body = setting_of(statement)
    assert violating_time(setting, body, {}, 10, Budget.of("quick").start()) is None
    assert check(statement, {"kind": "flow", "point": [], "time": "3"})[0] == "rejected"


def test_a_flow_violates_what_is_false_of_a_later_time() -> None:
    statement = claim(After(1, After(1, And(x < 2, Always(y >= 0)))), dynamics=CLOCKS, start={x: S.Zero, y: S.Zero})
    setting, body = setting_of(statement)
    time = violating_time(setting, body, {}, 10, Budget.of("quick").start())
    assert time is not None
    assert check(statement, {"kind": "flow", "point": [], "time": time})[0] == "accepted"


SWING = Map((x,), (-x,))
RETURNING = {
    "until on a lasso": (Until(x > 0, x < 0) & Always(x < 2), True),
    "never until": (Until(x > 0, x < -5) & Always(x < 2), False),
    "equivalent tails": (Equivalent(Always(x > 2), Always(x < -2)), True),
    "equivalent relations": (Always(Equivalent(x > 0, x > -1)), True),
    "not equivalent": (Always(Equivalent(x > 0, x < 3)), False),
}


@pytest.mark.parametrize("name", RETURNING)
def test_all_connectives_are_read_along_exact_returns(name: str) -> None:
    then, is_true = RETURNING[name]
    statement = claim(then, dynamics=SWING, start={x: S.One})
    verdict = asked("enclosure", statement)
    assert verdict is not None
    assert verdict.outcome is (Outcome.PROVED if is_true else Outcome.REFUTED)
    assert check(statement, verdict.certificate)[0] == "accepted"


def test_a_quantity_without_values_does_not_fail_to_fall_on_a_return() -> None:
    statement = claim(Decreasing(log(-(x**2))) & Always(x < 2), dynamics=SWING, start={x: S.One})
    verdict = asked("enclosure", statement)
    assert verdict is None or not verdict.decided


MOVING = {
    "a hypothesis": {"given": (x > 0,)},
    "a hypothesis beside others": {"given": (x0 > 1, Eq(x, x0))},
    "a domain": {"variables": {x0: Interval(0, x)}},
    "a start": {"start": {x: x + 1}},
    "the time": {"given": (n <= 3,)},
    "a constant": {"constants": (Constant(x, S.One, best="largest"),)},
    "a constant time": {"constants": (Constant(n, S.One, best="largest"),)},
}


@pytest.mark.parametrize("name", MOVING)
def test_what_is_fixed_says_nothing_of_what_moves(name: str) -> None:
    parts: dict[str, Any] = {"variables": {x0: R}, "dynamics": Map((x,), (x - 1,), n), "start": {x: x0}}
    Statement(then=Always(x <= x0), **parts)
    with pytest.raises(LemmascopeError, match="the dynamics change"):
        Statement(then=Always(x > 0), **(parts | MOVING[name]))


def test_values_are_put_in_at_once() -> None:
    assert Map((x,), (a * x + L,)).substitute({a: L, L: a}).update == (L * x + a,)
    assert Flow((x,), (a * x + L,)).substitute({a: L, L: a}).velocity == (L * x + a,)


def test_no_trajectory_converges_to_infinity() -> None:
    with pytest.raises(LemmascopeError, match="finite target"):
        ConvergesTo(x, oo)


def test_a_quotient_keeps_its_pole_however_its_numerator_is_arranged() -> None:
    for formula in ((x**2 - x) / x, 1 / (x**2 + 2 * x) - 1 / (x * (x + 2)), Mul(x, 1 / x, evaluate=False)):
        assert not compile_ball([formula], [x])(arb(0))[0].is_finite(), formula


def node(rule: str, facts: dict[str, Any], *parts: dict[str, Any], obligations: tuple[Any, ...] = ()) -> dict[str, Any]:
    return {"rule": rule, "facts": facts, "obligations": list(obligations), "parts": list(parts)}


def obligation(variables: dict[Symbol, Set], then: Boolean) -> dict[str, Any]:
    verdict = asked("polynomial", claim(then, variables))
    assert verdict is not None
    domains = [[encode(symbol), encode(domain)] for symbol, domain in variables.items()]
    return {"variables": domains, "hypotheses": [], "conclusion": encode(then), "certificate": verdict.certificate}


@pytest.mark.parametrize("reason", ["growth", "darboux"])
def test_a_barrier_with_an_unbounded_factor_is_rejected(reason: str) -> None:
    falling = claim(Always(x > 0), dynamics=Flow((x,), (-S.One,)), start={x: S.One})
    barrier = node("barrier", {"set": [encode(x > 0)], "reasons": [[reason, encode(-1 / x)]]})
    argument = node("always", {"body": encode(x > 0)}, barrier)
    assert check(falling, {"kind": "induction", "argument": argument})[0] == "rejected"


@pytest.mark.parametrize("domain", [Interval(0, Rational(1, 2)), Range(-5, 1)], ids=str)
def test_an_obligation_about_fewer_states_is_rejected(domain: Set) -> None:
    doubling = moved(Always(x <= 1), 2 * x, UNIT)
    needs = (obligation({x: domain}, 2 * x <= 1), obligation({x0: UNIT}, x0 <= 1))
    inside = node("invariant", {"set": [encode(x <= 1)]}, obligations=needs)
    argument = node("always", {"body": encode(x <= 1)}, inside)
    assert check(doubling, {"kind": "induction", "argument": argument})[0] == "rejected"


def test_an_obligation_about_whole_numbers_says_nothing_of_other_states() -> None:
    squares = moved(Always(x * (x - 1) >= 0), x, R, Map).but(given=(Eq(x0, 0),))
    needs = (obligation({x: S.Integers}, x * (x - 1) >= 0),)
    argument = node("always", {"body": encode(x * (x - 1) >= 0)}, node("invariant", {"set": []}), obligations=needs)
    assert check(squares, {"kind": "induction", "argument": argument})[0] == "rejected"
