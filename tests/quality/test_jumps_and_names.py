"""Jumps at a limit, values that are not real, names bound twice, premises misused.

Each case once had a wrong answer. The engine that gave it is asked again, and its checker where it agreed.
"""

from __future__ import annotations

import pytest
from sympy import (
    Abs,
    Eq,
    FiniteSet,
    Function,
    Heaviside,
    Implies,
    Interval,
    Max,
    Ne,
    Or,
    Piecewise,
    Range,
    Rational,
    S,
    Set,
    Symbol,
    acos,
    atan2,
    ceiling,
    cos,
    cot,
    coth,
    csch,
    erf,
    exp,
    floor,
    log,
    oo,
    pi,
    sec,
    sign,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    tanh,
)
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.motion.candidates import short_roots
from proofs_check.engines.motion.flow_violation import violating_time
from proofs_check.engines.motion.trajectory import setting_of
from proofs_check.evidence.replay import check
from proofs_check.referee.judge import verify
from proofs_check.verdict import Outcome, Verdict
from theory import (
    Always,
    ConvergesTo,
    Eventually,
    Exists,
    Flow,
    ForAll,
    ForSmall,
    LemmascopeError,
    Map,
    Scaling,
    Statement,
)
from theory.language.definedness import at_risk
from theory.proofs import with_premises
from theory.temporal import After, AtStart, Until

x, y, z, a, b, e, n, m, x0 = symbols("x y z a b e n m x0")
R, P, UNIT = S.Reals, Interval.open(0, oo), Interval(0, 1)
TINY, LONG = Rational(1, 10**400), Rational(10**60 + 7, 3**120)
HALVING = Map((x,), (x / 2,))
f = Function("f")


def claim(then: Boolean, variables: dict[Symbol, Set] | None = None, *given: Boolean, **more: object) -> Statement:
    return Statement(variables=variables or {}, given=given, then=then, **more)


def asked(name: str, statement: Statement) -> Verdict | None:
    return engine(name).decide(statement, Budget.of("standard").start())


def is_decided(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.decided


JUMPS = {
    "sign": sign(x) < Rational(1, 2),
    "pieces": Piecewise((1, x > 0), (0, True)) < Rational(1, 2),
    "ceiling": ceiling(x) < 1,
    "step": Heaviside(x) < Rational(3, 4),
}


@pytest.mark.parametrize("name", JUMPS)
def test_a_relation_that_jumps_at_the_limit_is_not_true_near_it(name: str) -> None:
    statement = claim(Eventually(JUMPS[name]), {x0: Interval(1, 2)}, dynamics=HALVING, start={x: x0})
    verdict = asked("motion", statement)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(statement, verdict.certificate)[0] == "accepted"


def test_a_relation_that_is_continuous_at_the_limit_is() -> None:
    statement = claim(Eventually(Always(cos(x) > 0)), {x0: Interval(1, 20)}, dynamics=HALVING, start={x: x0})
    verdict = asked("motion", statement)
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    assert check(statement, verdict.certificate)[0] == "accepted"


@pytest.mark.parametrize("value", [log(b), sqrt(b), 1 / b])
def test_a_variable_without_a_real_value_is_no_counterexample(value: object) -> None:
    body = Ne(x, 0) if value == 1 / b else x >= 0
    statement = claim(Always(body), {a: R, b: R}, Eq(a, value), dynamics=HALVING, start={x: b})
    verdict = asked("motion", statement)
    assert verdict is None or verdict.outcome is not Outcome.REFUTED


def test_a_moment_of_a_flow_is_not_taken_for_a_later_one() -> None:
    third = Rational(1, 3)
    steady = claim(After(third, x <= x0 + third), {x0: UNIT}, dynamics=Flow((x,), (S.One,)), start={x: x0})
    setting, body = setting_of(steady)
    assert violating_time(setting, body, {x0: Rational(1)}, 10, Budget.of("quick").start()) is None
    soon = After(Rational(1), x < x0 + 1)
    assert violating_time(setting, soon, {x0: Rational(1)}, 10, Budget.of("quick").start()) == "1.0"


def test_no_time_is_before_the_start() -> None:
    with pytest.raises(LemmascopeError, match="before the start"):
        After(-1, x > 0)


def test_a_variable_may_have_the_name_of_the_state() -> None:
    statement = claim(Always(x > Rational(1, 4)), {x: Interval(1, 2)}, dynamics=Flow((x,), (-x,)), start={x: x})
    verdict = asked("falsify", statement)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(statement, verdict.certificate)[0] == "accepted"


@pytest.mark.parametrize(("then", "outcome"), [(x >= 5, Outcome.PROVED), (x <= 5, Outcome.REFUTED)])
def test_the_name_of_the_state_means_the_state_in_a_conclusion(then: Boolean, outcome: Outcome) -> None:
    statement = claim(AtStart(then), {x: UNIT}, dynamics=HALVING, start={x: x + 5})
    verdict = verify(statement)
    assert verdict.outcome is outcome
    assert check(statement, verdict.certificate)[0] == "accepted"
    assert verify(statement.but(then=Always(x >= 5))).outcome is Outcome.REFUTED


def test_roots_that_are_not_real_are_no_landmarks() -> None:
    assert short_roots(x**3 + x, x) == [0]
    growing = claim(ConvergesTo(x, 0), {x0: Interval(-1, 1)}, dynamics=Map((x,), (x + x**3,)), start={x: x0})
    verdict = asked("motion", growing)
    assert verdict is None or verdict.outcome is not Outcome.PROVED


LOST = (tan(x) * cos(x), cot(x) * sin(x), sec(x) * cos(x), coth(x) * sinh(x), csch(x) * sinh(x), (tan(x) + 1) * cos(x))


@pytest.mark.parametrize("product", LOST, ids=str)
def test_a_pole_that_cancels_when_written_as_a_quotient_is_not_forgotten(product: object) -> None:
    for relation in (product <= 2, product >= -2):
        assert at_risk(relation)
        assert not is_decided(asked("cover", claim(relation, {x: R})))
    assert at_risk(tan(x) > x) == []


def test_a_bound_name_is_not_the_variable_of_the_same_name() -> None:
    true = claim(Exists(x, Interval(5, 6), x > 5), {x: UNIT})
    assert not is_decided(asked("falsify", true))
    false = claim(Exists(x, Interval(5, 6), x < 1), {x: UNIT})
    verdict = asked("falsify", false)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(false, verdict.certificate)[0] == "accepted"


PRIMED = Symbol("x'")
MISTAKEN = {
    "a chart has the name of a variable": ("cover", claim(x - PRIMED <= 0, {x: R, PRIMED: R})),
    "a chart has the name of a bound variable": ("cover", claim(ForAll(x, R, ForAll(PRIMED, R, x - PRIMED <= 0)))),
    "a small chart has the name of a bound variable": (
        "asymptotics", claim(ForSmall(e, ForAll(x, UNIT, ForAll(PRIMED, UNIT, (x - PRIMED) ** 2 <= e)))),
    ),
    "the inner of two equal names": ("cover", claim(ForAll(x, UNIT, ForAll(x, Interval(0, 2), x <= 1)))),
    "the inner of two equal names near 0": (
        "asymptotics", claim(ForSmall(e, ForAll(x, UNIT, ForAll(x, Interval(0, 2), x <= 1 + e)))),
    ),
    "an angle jumps": ("cover", claim(y >= 5, {y: Interval(-Rational(1, 10), 1)}, atan2(y, -1) < 2)),
    "an angle jumps in the plane": (
        "cover", claim(y >= 5, {x: Interval(-3, -2), y: Interval(-Rational(1, 99), 1)}, atan2(y, x) + exp(x) / 99 < 2),
    ),
    "a small symbol tied to another": ("asymptotics", claim(Scaling(x * e, e, 1), {x: P, e: P}, Eq(x * e, 1))),
    "another that grows": ("asymptotics", claim(Scaling(x * e, e, 1, "at most"), {x: P, e: P}, x > 1 / e**2)),
    "a small symbol that is not small": ("asymptotics", claim(Scaling(e, e, 1), {e: Interval(1, 2)})),
}  # fmt: skip
"""False, or without a meaning: each was once proved, and most replayed."""


@pytest.mark.parametrize("name", MISTAKEN)
def test_no_name_is_mistaken_for_another_and_no_jump_for_a_slope(name: str) -> None:
    prover, statement = MISTAKEN[name]
    verdict = asked(prover, statement)
    assert verdict is None or verdict.outcome is Outcome.REFUTED


def test_a_small_symbol_may_be_a_variable_that_is_free_to_be_small() -> None:
    outcomes = {}
    for law in (Scaling(sin(x * e) - x * e, e, 3), Scaling(x * e, e, 2)):
        statement = claim(law, {x: P, e: Interval.open(0, 1)}, x * e < 1)
        verdict = asked("asymptotics", statement)
        assert verdict is not None
        assert check(statement, verdict.certificate)[0] == "accepted"
        outcomes[law.exponent] = verdict.outcome
    assert outcomes == {3: Outcome.PROVED, 2: Outcome.REFUTED}


def test_a_law_for_whole_numbers_is_not_used_at_halves() -> None:
    law = ForAll(y, S.Integers, Eq(f(y), 3 * y))
    assert not is_decided(asked("identity", claim(Eq(f(x / 2), 3 * x / 2), {x: R}, law)))
    verdict = asked("identity", claim(Eq(f(n), 3 * n), {n: S.Integers}, law))
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED


MISUSED = {
    "whole numbers": (claim(x * (x - 1) >= 0, {x: S.Integers}), claim(x * (x - 1) >= 0, {x: R})),
    "exceptions": (claim(Ne(x, 0), {x: R}, almost_all=(x,)), claim(x**2 > 0, {x: R})),
    "a state": (claim(AtStart(x <= 0), dynamics=HALVING, start={x: S.Zero}), claim(x <= 0, {x: R})),
    "terms": (claim(cos(2 * pi * z) >= 1, {z: S.Integers}), claim(cos(2 * pi * x) >= 1, {x: UNIT})),
}


@pytest.mark.parametrize("name", MISUSED)
def test_an_earlier_step_says_nothing_of_other_points(name: str) -> None:
    step, later = MISUSED[name]
    assert not any(part.has(x) for part in with_premises(later, [step]).given)


def test_an_earlier_step_is_used_where_it_applies() -> None:
    step, _ = MISUSED["whole numbers"]
    assert with_premises(claim(2 * x * (x - 1) >= 0, {x: S.Naturals}), [step]).given


REPLAYED = {
    "contradictory wait": (
        "motion",
        claim(Until(x < 0, x >= 1), {x0: Interval(1, 2)}, dynamics=HALVING, start={x: x0}),
    ),
    "contradictory premise": (
        "motion",
        claim(Implies(Always(x < -5), ConvergesTo(x, 7)), {x0: Interval(1, 2)}, dynamics=HALVING, start={x: x0}),
    ),
    "a root on the way": (
        "enclosure",
        claim(ConvergesTo(x, 1), {x0: Interval(1, 2)}, dynamics=Map((x,), (sqrt(x),)), start={x: x0}),
    ),
    "a logarithm is given": ("polynomial", claim(x > 0, {x: R}, log(x) < 5)),
    "a root is given": ("polynomial", claim(x >= 0, {x: R}, sqrt(x) < 5)),
    "a quotient is given": ("polynomial", claim(Ne(x, 0), {x: R}, 1 / x < 5)),
    "erf": ("polynomial", claim(erf(x) < 1, {x: R})),
    "softplus": ("cover", claim(log(1 + exp(x)) > 0, {x: R})),
    "softplus of negative numbers": ("cover", claim(log(1 + exp(x)) <= log(2), {x: Interval(-oo, 0)})),
    "x log x": ("cover", claim(x * log(x) >= -exp(-1), {x: P})),
    "a power close to 1": ("asymptotics", claim(Scaling(e ** Rational(1001, 1000), e, Rational(1001, 1000)))),
    "a tiny interval": ("cover", claim(exp(x) <= 1 + x + x**2, {x: Interval(-TINY, TINY)})),
    "long numbers": ("cover", claim(x * exp(-x) + tanh(x) ** 2 >= -LONG, {x: Interval(0, oo)})),
}


@pytest.mark.parametrize("name", REPLAYED)
def test_what_is_proved_replays(name: str) -> None:
    prover, statement = REPLAYED[name]
    verdict = asked(prover, statement)
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    assert check(statement, verdict.certificate)[0] == "accepted"


BENT = {
    "absolute value": (cos(x) >= Rational(1, 2), Abs(4 * x + 3)),
    "maximum": (x >= x0, Max(-1, -x / 2)),
    "sign": (sign(x) <= Rational(1, 2), x / 4),
    "floor": (Ne(floor(x), 1), 2 * x),
    "pieces": (x <= 2, Piecewise((x / 2, x > 1), (x + 3, True))),
}


@pytest.mark.parametrize("name", BENT)
def test_what_is_refuted_along_bent_maps_replays(name: str) -> None:
    body, rule = BENT[name]
    statement = claim(Always(body), {x0: UNIT}, dynamics=Map((x,), (rule,)), start={x: x0})
    verdict = asked("enclosure", statement)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(statement, verdict.certificate)[0] == "accepted"


NO_VALUE = {
    "a logarithm in an equation": claim(
        Ne(x, 7) & Eq(log(Piecewise((y, y <= 0), (x, True))), 5), {x: UNIT, y: Range(-2, 3)}
    ),
    "a logarithm of zero": claim(y >= y**2 * log(y), {y: FiniteSet(0, 1, 2)}),
    "a hypothesis": claim(y <= 1, {x: Range(-2, 3), y: UNIT}, 2 * x <= sqrt(x)),
    "an angle": claim(Implies(Piecewise((sign(acos(2)), y >= 1), (y, True)) >= x, x <= 1), {x: UNIT, y: UNIT}),
}


@pytest.mark.parametrize("name", NO_VALUE)
def test_numbers_that_are_not_real_stop_no_engine_and_are_no_counterexamples(name: str) -> None:
    for prover in ("polynomial", "cover", "falsify"):
        verdict = engine(prover).decide(NO_VALUE[name], Budget.of("glance").start())
        if verdict is not None and verdict.outcome is Outcome.REFUTED:
            assert check(NO_VALUE[name], verdict.certificate)[0] == "accepted", prover


def test_powers_with_long_exponents_do_not_stop_the_search() -> None:
    powers = claim(Or(x**y >= -10, floor(y) > 2), {x: Interval(-1, 1), y: UNIT})
    verdict = engine("falsify").decide(powers, Budget.of("quick").start())
    assert verdict is not None
    assert not verdict.decided
