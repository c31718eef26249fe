"""Barriers and Lyapunov functions that sums of squares suggest are proved; nothing is found for a false claim."""

from __future__ import annotations

from dataclasses import replace

import pytest
from motion_corpus import ORIGIN, R, line, plane, x, x0, y, y0
from sympy import Le, Rational

from proofs_check.budget import Budget
from proofs_check.engines.barriers.squares import Program
from proofs_check.engines.barriers.view import View
from proofs_check.engines.discharge import load
from proofs_check.engines.motion.lyapunov import descending
from proofs_check.engines.motion.search import decide
from proofs_check.engines.motion.trajectory import setting_of
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Outcome
from theory import Always, ConvergesTo, Map, Statement

PATIENT = replace(Budget.of("standard"), seconds=20.0)
BALL = Le((x0 - 1) ** 2 + y0**2, Rational(1, 4))

SETTLES: dict[str, Statement] = {
    "a cascade with a square": plane((-x, x**2 - y), R, ORIGIN),
    "a map with a square": plane((x / 2, x**2 / 4 + y / 2), R, ORIGIN, kind=Map),
    "a hard spring with friction": plane((y, -x - y - x**3), R, ORIGIN),
}

DOES_NOT: dict[str, Statement] = {
    "only near the target": plane((-x + x**2 * y, -y), R, ORIGIN),
    "a second equilibrium": plane((-x + x**2, -y), R, ORIGIN),
    "elsewhere": plane((-x, x**2 - y), R, ConvergesTo((x, y), (0, 1))),
    "a map with another fixed point": plane((x**2, y / 2), R, ORIGIN, kind=Map),
    "growth": line(x**3, R, ConvergesTo((x,), (0,))),
}


@pytest.mark.parametrize("name", SETTLES)
def test_a_lyapunov_function_is_found_and_proved(name: str) -> None:
    load()
    found = decide(SETTLES[name], PATIENT.start())
    assert found is not None
    assert found.outcome is Outcome.PROVED
    assert isinstance(accept(SETTLES[name], Sense.HOLDS, found.certificate), Theorem)


@pytest.mark.parametrize("name", DOES_NOT)
def test_no_function_descends_to_what_is_not_the_limit_of_all(name: str) -> None:
    found = setting_of(DOES_NOT[name])
    assert found is not None
    assert not list(descending(*found, 1.0))  # type: ignore[arg-type]


def first_suggestion(statement: Statement) -> bool:
    found = setting_of(statement)
    assert found is not None
    setting, claim = found
    return next(Program(View(setting, claim.args[0]), 2).found(1.0), None) is not None


def test_a_barrier_is_suggested_where_there_is_one() -> None:
    spiral = (y - x**3, -x - y)
    assert first_suggestion(plane(spiral, R, Always((x + 2) ** 2 + (y + 2) ** 2 > 1), BALL))
    assert not first_suggestion(plane(spiral, R, Always(x**2 + (y + Rational(1, 2)) ** 2 > Rational(1, 4)), BALL))
