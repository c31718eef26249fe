"""Existence is proved by witnesses and sign changes, also for whole families of parameters, and the checker agrees."""

import json

import pytest
from sympy import And, Eq, Interval, Symbol, cos, exp, oo

from proofs_check.budget import Budget
from proofs_check.engines.cover import search as ball
from proofs_check.kernel import cover
from proofs_check.verdict import Outcome
from theory.statements import Statement
from theory.temporal import Exists, ForAll

x, y, p = Symbol("x"), Symbol("y"), Symbol("p")

EXISTING = [
    ({}, Exists(x, Interval(0, 2), Eq(x**2, 2))),
    ({}, Exists(x, Interval(0, 1), Eq(cos(x), x))),
    ({}, Exists(x, Interval(0, oo), x**2 > 100)),
    ({p: Interval(1, 2)}, Exists(x, Interval.open(0, 2), Eq(exp(x) - 1, 2 * p * x * exp(-x)))),
    ({p: Interval(0, 1)}, Exists(x, Interval(0, 2), Eq(x + p * exp(x), 1 + p))),
    ({p: Interval(1, 4)}, Exists(x, Interval(0, 5), And(Eq(x**2, p), x >= 1))),
    ({p: Interval(1, 4)}, Exists(x, Interval(0, 5), ForAll(y, Interval(0, 1), x >= y * p))),
]


@pytest.mark.parametrize(("variables", "claim"), EXISTING, ids=str)
def test_existence_is_proved_and_accepted(variables, claim):
    statement = Statement(variables=variables, then=claim)
    verdict = ball.decide(statement, Budget.of("standard"))
    assert verdict.outcome is Outcome.PROVED
    assert cover.check(statement, json.loads(json.dumps(verdict.certificate)))
