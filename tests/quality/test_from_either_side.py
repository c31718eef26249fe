"""A quantity that a flow keeps between its start and its target converges to it, whichever side it starts from."""

from __future__ import annotations

import pytest
from sympy import Interval, S, oo, symbols
from sympy.logic.boolalg import Boolean

from proofs_check import Outcome, verify
from theory import ConvergesTo, Flow, Statement

x, y, a, b, c, d = symbols("x y a b c d")
POSITIVE = Interval.open(0, oo)
SIZE, FIRST_SIZE = x**2 + y**2, a**2 + b**2
ROUND = Flow((x, y), (c * x * (2 - SIZE), d * y * (2 - SIZE)))
OUTWARD = Flow((x, y), (c * x * (SIZE - 2), d * y * (SIZE - 2)))
ONE_WAY = Flow((x, y), (c * x * (2 - SIZE) ** 2, d * y * (2 - SIZE) ** 2))


def judged(flow: Flow, given: tuple[Boolean, ...], target: object, effort: str = "standard") -> Outcome:
    start = {x: a, y: b}
    variables = {c: POSITIVE, d: POSITIVE, a: S.Reals, b: S.Reals}
    return verify(
        Statement(variables=variables, given=given, dynamics=flow, start=start, then=ConvergesTo(SIZE, target)),
        effort=effort,
    ).outcome


def test_a_circle_attracts_every_start_but_the_centre() -> None:
    assert judged(ROUND, (FIRST_SIZE > 0,), 2, "deep") is Outcome.PROVED


@pytest.mark.parametrize(
    ("flow", "given", "target"),
    [
        (ROUND, (), 2),
        (ROUND, (FIRST_SIZE > 0,), 1),
        (ROUND, (FIRST_SIZE > 0,), FIRST_SIZE),
        (OUTWARD, (FIRST_SIZE > 0,), 2),
        (ONE_WAY, (FIRST_SIZE > 0,), 2),
    ],
    ids=["the centre is at rest", "another circle", "its own start", "the circle repels", "it repels on one side"],
)
@pytest.mark.sampled(2)
def test_false_neighbours_are_not_proved(flow: Flow, given: tuple[Boolean, ...], target: object) -> None:
    assert judged(flow, given, target) not in (Outcome.PROVED, Outcome.VACUOUS)
