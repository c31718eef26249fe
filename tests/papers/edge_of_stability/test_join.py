"""The stages of Theorem 3.5 join in time: each case leads to one of the five, and twins that give time away do not."""

import math

import pytest
from sympy import And, Rational

from proofs_check import verify
from proofs_check.verdict import Outcome
from theory.edge_of_stability import paper, relu_join
from theory.edge_of_stability.relu_join import D_new, T, m_new, n, wy, wy_new
from theory.statements import Statement

CASES = [entry for entry in paper.entries if entry.id.split("/")[1].startswith("theorem-3.5.join")]


@pytest.mark.parametrize("entry", CASES, ids=lambda entry: entry.id.split("join")[1] or "join")
@pytest.mark.sampled(3)
def test_every_case_is_proved_without_rounding(entry: object) -> None:
    verdict = verify(entry.statement())  # type: ignore[attr-defined]
    assert verdict.outcome is Outcome.PROVED
    assert str(verdict.strength) in ("exact", "oracle")
    assert verdict.witness, "the hypotheses are not contradictory"


def _without(statement: Statement, place: int) -> Statement:
    return statement.but(given=statement.given[:place] + statement.given[place + 1 :])


def test_the_count_is_needed() -> None:
    """Without the part that bounds the length of stage 1, stage 2 may begin too late."""
    statement = relu_join.join()
    count = next(place for place, part in enumerate(statement.given) if "153" in str(part) and part.has(relu_join.last))
    assert verify(_without(statement, count)).outcome is Outcome.REFUTED


def test_a_third_step_that_begins_later_arrives_too_late() -> None:
    statement = relu_join.step_third()
    later = tuple(n <= T + 4 if part == (n <= T + 3) else part for part in statement.given)
    assert later != statement.given
    assert verify(statement.but(given=later)).outcome is Outcome.REFUTED


def test_a_smaller_basin_is_not_kept() -> None:
    """With -0.6 in place of -0.7 the second step of stage 2 would still lead into the basin, with -0.5 it does not."""
    statement = relu_join.step_second()

    def basin(bound: str) -> Statement:
        landed = And(*[part for part in relu_join.in_basin(m_new, D_new, wy_new).args if not part.has(D_new)])
        balance = D_new - 6 * wy_new**2 >= -Rational(bound)
        near = relu_join.inside(relu_join.THIRD_BOX, m_new, D_new, wy_new)
        return statement.but(then=near | And(landed, balance))

    assert verify(basin("0.6")).outcome is Outcome.PROVED
    assert verify(basin("0.5")).outcome is Outcome.REFUTED


def test_the_bound_does_not_pass_on_without_a_contraction() -> None:
    statement = relu_join.step_decay()
    weaker = tuple(wy_new <= wy if part.has(wy_new) else part for part in statement.given)
    assert verify(statement.but(given=weaker)).outcome is Outcome.REFUTED


@pytest.mark.parametrize("epsilon", [0.1, 0.03, 1e-3, 1e-7])
def test_the_rounded_logarithm_is_what_the_join_assumes(epsilon: float) -> None:
    """2.56^T is at least 1.35 / (pi beta^2), and 0.65 eps^2 times it exceeds 0.153."""
    beta = (1 + 1.1 / math.pi) * epsilon
    level = 1.35 / (math.pi * beta**2)
    T1 = math.ceil(math.log(level) / math.log(2.56))
    assert level <= 2.56**T1
    assert 0.65 * epsilon**2 * 2.56**T1 > 0.153
