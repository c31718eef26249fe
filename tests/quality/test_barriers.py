"""Invariants of polynomial flows are found and proved, and what a flow does not keep is never proved.

Half of the statements are false. A true one is proved and the kernel makes a theorem of it; of a false one neither the
search for barriers nor the whole referee says that it is proved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sympy import And, Eq, Expr, Interval, Ne, Not, Or, Rational, S, symbols
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.barriers.search import decide
from proofs_check.engines.discharge import discharge, load
from proofs_check.engines.motion.argument import Argument, Desk
from proofs_check.engines.motion.formulas import prove
from proofs_check.engines.motion.trajectory import setting_of
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from proofs_check.verdict import Outcome
from theory import Always, Flow, Statement

x, y, z, x0, y0, z0, k = symbols("x y z x0 y0 z0 k")
HALF, THIRD, QUARTER, TENTH = Rational(1, 2), Rational(1, 3), Rational(1, 4), Rational(1, 10)
UNIT, SMALL, UPPER, TINY = Interval(0, 1), Interval(-HALF, HALF), Interval(1, 2), Interval(-TENTH, TENTH)
PATIENT = replace(Budget.of("standard"), seconds=6.0)


def along(rule: tuple[Expr, ...], domains: tuple[Any, ...], body: Boolean, *given: Boolean, **more: Any) -> Statement:
    """A flow of one to three coordinates whose formula is claimed at all times."""
    state, starts = (x, y, z)[: len(rule)], (x0, y0, z0)[: len(rule)]
    variables = dict(zip(starts, domains, strict=True))
    extra = set().union(*(S(part).free_symbols for part in rule)) - set(state)
    variables |= dict.fromkeys(extra, Interval(1, 2))
    dynamics = Flow(state, rule, **more)
    start = dict(zip(state, starts, strict=True))
    return Statement(dynamics=dynamics, start=start, variables=variables, given=given, then=Always(body))


SINK = (-x + y, -x - y)
CIRCLE = (x - y - x * (x**2 + y**2), x + y - y * (x**2 + y**2))
RIVALS = (x * (1 - x - y), y * (1 - y - x / 2))
WELLS = (-4 * x * (x**2 - 1), -2 * y)
LAYERS = (-y * (x * y - 1), -x * (x * y - 1))
EPIDEMIC = (-x * y, x * y - y)
TOP = (y * z, -2 * x * z, x * y)
SPRING = (y, -(x**3))
PREY = (x * (1 - y), y * (x - 1))
SADDLE = (x, -y)
SHEAR = (x + 2 * y - y**2, -y + y**2)
LINE = (x * (y - 1), 1 - 2 * y)
BLOCK = (2 * x + y, 2 * y)
CHAIN = (x + y, y + z, z)
WELL = (2 * y - 3 * y**2, -2 * x)
RIM = x**4 + y**4 - 1
RIMMED = (4 * y**3 - x * RIM, -4 * x**3 - y * RIM)
FAR = (x0 - 9) ** 2 + (y0 - 7) ** 8 <= 1

QUICK: dict[str, tuple[Statement, bool]] = {
    "positive numbers of prey": (along(PREY, (UPPER, UPPER), And(x > 0, y > 0)), True),
    "prey stay below 2": (along(PREY, (UPPER, UPPER), x <= 2), False),
    "inside of the unit circle": (along(CIRCLE, (SMALL, SMALL), x**2 + y**2 <= 1), True),
    "inside of a smaller circle": (along(CIRCLE, (SMALL, SMALL), x**2 + y**2 <= Rational(9, 16)), False),
    "a rival stays below 1": (along(RIVALS, (Interval(QUARTER, HALF),) * 2, x <= 1), True),
    "a rival stays below 1/2": (along(RIVALS, (Interval(QUARTER, HALF),) * 2, x <= HALF), False),
    "the ill and the healthy": (along(EPIDEMIC, (UPPER, Interval(TENTH, 1)), x + y <= 3), True),
    "no epidemic": (along(EPIDEMIC, (UPPER, Interval(TENTH, 1)), y <= 1), False),
    "a line is not crossed": (along(LINE, (UPPER, UPPER), x > 0), True),
    "a line is come close to": (along(LINE, (UPPER, UPPER), x >= HALF), False),
    "blow-up inside of a domain": (along((x**2,), (UNIT,), x <= 3, domain=x <= 3), True),
    "blow-up inside of a domain, too high": (along((x**2,), (UNIT,), x <= 2, domain=x <= 3), False),
    "in the right well": (along(WELLS, (Interval(HALF, 2), UNIT), x > 0), True),
    "beyond the right minimum": (along(WELLS, (Interval(HALF, 2), UNIT), x > 1), False),
}

DEEP: dict[str, tuple[Statement, bool]] = {
    "a sink does not overshoot much": (along(SINK, (UNIT, UNIT), y >= -HALF), True),
    "a sink does not overshoot": (along(SINK, (UNIT, UNIT), y >= -TENTH), False),
    "a sink in a disc": (along(SINK, (UNIT, UNIT), x**2 + y**2 < 3), True),
    "a sink avoids a place": (along(SINK, (UNIT, UNIT), Not((x + 1) ** 2 + (y + 1) ** 2 <= QUARTER)), True),
    "a sink reaches a place": (along(SINK, (UNIT, UNIT), Not(x**2 + (y + QUARTER) ** 2 <= QUARTER**2)), False),
    "outside of a small circle": (along(CIRCLE, (Interval(HALF, 1), SMALL), x**2 + y**2 >= TENTH), True),
    "outside of a large circle": (along(CIRCLE, (Interval(HALF, 1), SMALL), x**2 + y**2 >= HALF), False),
    "rivals both stay": (along(RIVALS, (Interval(QUARTER, HALF),) * 2, And(x > 0, y > 0, y < 2)), True),
    "a rival dies out": (along(RIVALS, (Interval(QUARTER, HALF),) * 2, x >= QUARTER), False),
    "well: not far to the right": (along(WELLS, (Interval(HALF, 2), UNIT), x <= 2), True),
    "well: closer": (along(WELLS, (Interval(HALF, 2), UNIT), x <= Rational(3, 2)), False),
    "well: away from the saddle": (along(WELLS, (Interval(HALF, 2), UNIT), x >= THIRD), True),
    "well: between": (along(WELLS, (Interval(-HALF, HALF), UNIT), x**2 <= QUARTER), False),
    "layers keep their sign": (along(LAYERS, (Interval(HALF, 2),) * 2, And(x > 0, y > 0)), True),
    "layers: product at most 4": (along(LAYERS, (Interval(HALF, 2),) * 2, x * y <= 4), True),
    "layers: product at most 2": (along(LAYERS, (Interval(HALF, 2),) * 2, x * y <= 2), False),
    "layers: both at least 1": (along(LAYERS, (Interval(HALF, 2),) * 2, And(x >= 1, y >= 1)), False),
    "epidemic: healthy at most 2": (along(EPIDEMIC, (UPPER, Interval(TENTH, 1)), And(x > 0, x <= 2)), True),
    "epidemic: healthy at least 1": (along(EPIDEMIC, (UPPER, Interval(TENTH, 1)), x >= 1), False),
    "top: energy": (along(TOP, (UNIT,) * 3, x**2 <= 2), True),
    "top: not more than at first": (along(TOP, (UNIT,) * 3, x <= 1), False),
    "hard spring": (along(SPRING, (UNIT, Interval(0, TENTH)), x <= Rational(11, 10)), True),
    "hard spring stays right": (along(SPRING, (UPPER, Interval(0, TENTH)), x >= 0), False),
    "saddle: product": (along(SADDLE, (UPPER, Interval(-1, 1)), x * y <= 2), True),
    "saddle: escape": (along(SADDLE, (UPPER, Interval(-1, 1)), x <= 50), False),
    "shear stays below": (along(SHEAR, (UPPER, SMALL), y <= 1), True),
    "shear grows": (along(SHEAR, (UPPER, SMALL), x <= 9), False),
    "double eigenvalue: above": (along(BLOCK, (UPPER, UPPER), And(x > 0, y > 0)), True),
    "double eigenvalue: bounded": (along(BLOCK, (UPPER, UPPER), x <= 10 * y), False),
    "Riccati below 1": (along((1 - x**2,), (SMALL,), x < 1), True),
    "Riccati below 3/4": (along((1 - x**2,), (SMALL,), x <= Rational(3, 4)), False),
    "rate is a parameter": (along((k * (1 - x), x - y), (UNIT, UNIT), y <= 1), True),
    "rate is a parameter, too low": (along((k * (1 - x), x - y), (UNIT, UNIT), x <= HALF), False),
    "two domains": (along((y, -x), (UNIT, UNIT), x**2 + y**2 <= 3, domain=Or(x >= 0, y >= 0)), True),
    "two domains, too small": (along((y, -x), (UNIT, UNIT), y >= 0, domain=Or(x >= 0, y >= 0)), False),
    "a level of an energy": (along(WELL, (TINY, TINY), Not(And(y >= QUARTER, y <= HALF))), True),
    "within an energy": (along(WELL, (TINY, TINY), Not(And(y <= -TENTH / 2, y >= -TENTH))), False),
    "inside of a rim in the field": (along(RIMMED, (SMALL, SMALL), And(x < 1, x > -1)), True),
    "close to a rim": (along(RIMMED, (SMALL, SMALL), x <= 3 * QUARTER), False),
    "triple eigenvalue": (along(CHAIN, (Interval(2, 3), UPPER, UPPER), Not(And(Eq(y, 3 * z), x < 3 * z))), True),
    "triple eigenvalue, too far": (
        along(CHAIN, (Interval(2, 3), UPPER, UPPER), Not(And(Eq(y, 3 * z), x > 3 * z))),
        False,
    ),
    "starts that are hard to hit": (along(SADDLE, (S.Reals, S.Reals), x * y <= 90, FAR), True),
    "starts that are hard to hit, too low": (along(SADDLE, (S.Reals, S.Reals), x * y <= 60, FAR), False),
    "never at a point": (along(SADDLE, (UPPER, UPPER), Or(Ne(x, 0), Ne(y, 0))), True),
}


def proves(statement: Statement) -> bool:
    load()
    verdict = decide(statement, PATIENT)
    if verdict is None:
        return False
    assert verdict.outcome is Outcome.PROVED
    return isinstance(accept(statement, Sense.HOLDS, verdict.certificate), Theorem)


@pytest.mark.parametrize("name", QUICK)
def test_invariants_are_told_from_others(name: str) -> None:
    statement, truth = QUICK[name]
    assert proves(statement) is truth


@pytest.mark.slow
@pytest.mark.parametrize("name", DEEP)
def test_more_invariants_are_told_from_others(name: str) -> None:
    statement, truth = DEEP[name]
    assert proves(statement) is truth


def by_cases(statement: Statement, *cases: Boolean) -> dict[str, Any]:
    """The best certificate by cases: the claim is proved in each of them, and that one holds if that is so."""
    found = setting_of(statement)
    assert found is not None
    setting, claim = found
    desk = Desk(PATIENT.start(), discharge)
    parts = tuple(prove(setting.given(case), claim, desk) for case in cases)
    cover = setting.at_start(Or(*cases))
    obligations = (desk.require("cases", cover),) if desk.proves(cover) else ()
    argument = Argument("cases", {"cases": list(cases)}, obligations, parts)
    return {"kind": "induction", "argument": argument.to_json()}


def test_cases_of_the_start_are_joined() -> None:
    right = along((x,), (UNIT,), x >= 0)
    assert isinstance(accept(right, Sense.HOLDS, by_cases(right, x0 > 0, Eq(x0, 0))), Theorem)


@pytest.mark.parametrize("cases", [(x0 > 0, Eq(x0, 0)), (x0 > HALF,), (x >= 0, x0 > 1)], ids=str)
def test_cases_cover_all_starts_and_speak_of_starts_alone(cases: tuple[Boolean, ...]) -> None:
    both = along((x,), (Interval(-1, 1),), x >= 0)
    assert isinstance(accept(both, Sense.HOLDS, by_cases(both, *cases)), Rejection)


def test_half_of_the_statements_are_false() -> None:
    truths = [truth for _, truth in (*QUICK.values(), *DEEP.values())]
    assert len(truths) >= 40
    assert abs(2 * sum(truths) - len(truths)) <= 6
