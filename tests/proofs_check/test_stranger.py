"""Statements of a stranger, in none of the papers, are decided correctly; false ones get a readable counterexample."""

from __future__ import annotations

from pathlib import Path

import pytest
from sympy import And, Eq, Interval, Rational, S, Symbol, exp, symbols

from proofs_check.referee.judge import verify
from proofs_check.run.files import load
from proofs_check.verdict import Outcome
from theory import Always, ConvergesTo, Flow, Map, Statement, gradient_descent, gradient_flow

EXAMPLE = Path(__file__).parents[2] / "examples" / "lemmas_training_rules.py"
x, x0, y, eta, r, u, w, u0, w0 = symbols("x x0 y eta r u w u0 w0")


@pytest.fixture(scope="module")
def training_rules() -> dict[str, Statement]:
    return {statement.id.partition("/")[2]: statement for statement in load(EXAMPLE)}


@pytest.mark.parametrize(
    "name",
    [
        "stable_quadratic",
        "heavy_ball_triangle",
        "logistic_first_flip",
        "logistic_second_flip",
        "balance",
        "descent_decreases",
        "decay",
    ],
)
def test_true_statements_are_proved_and_not_vacuous(training_rules: dict[str, Statement], name: str) -> None:
    verdict = verify(training_rules[name])
    assert verdict.outcome is Outcome.PROVED, verdict
    assert verdict.witness


def test_no_true_statement_of_the_example_file_is_forgotten(training_rules: dict[str, Statement]) -> None:
    assert len(training_rules) == 7


FALSE = {
    "the fixed point of the logistic map beyond its first bifurcation": Statement(
        id="logistic",
        variables={r: Interval.open(1, Rational(31, 10))},
        then=And(2 - r > -1, 2 - r < 1),
    ),
    "conservation of a wrong quantity": Statement(
        id="wrong-balance",
        variables={u0: S.Reals, w0: S.Reals},
        dynamics=gradient_flow((u * w - 1) ** 2, (u, w)),
        start={u: u0, w: w0},
        then=Always(Eq(u**2 + w**2, u0**2 + w0**2)),
    ),
    "descent beyond the edge": Statement(
        id="beyond",
        variables={eta: Interval.open(0, Rational(5, 2)), x0: Interval(1, 2)},
        dynamics=gradient_descent(x**2 / 2, x, eta),
        start={x: x0},
        then=Always(x**2 <= x0**2),
    ),
    "convergence beyond the edge": Statement(
        id="diverges",
        variables={eta: Interval.open(2, 3), x0: Interval(1, 2)},
        dynamics=gradient_descent(x**2 / 2, x, eta),
        start={x: x0},
        then=ConvergesTo(x, 0),
    ),
    "an exponential below its tangent": Statement(id="tangent", variables={x: S.Reals}, then=exp(x) > 1 + x),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted_with_a_readable_counterexample(name: str) -> None:
    verdict = verify(FALSE[name])
    assert verdict.outcome is Outcome.REFUTED, verdict
    assert verdict.counterexample
    assert all(len(value) < 40 for value in verdict.counterexample.values()), verdict.counterexample


def test_contradicting_hypotheses_are_vacuous() -> None:
    statement = Statement(id="v", variables={x: S.Reals, y: S.Reals}, given=(x**2 + y**2 < 1, x + y > 2), then=x > 7)
    assert verify(statement).outcome is Outcome.VACUOUS


def test_a_start_on_an_unstable_fixed_point_refutes_convergence_for_all_starts() -> None:
    square = Map((x,), (2 * x * (1 - x),))
    everywhere = Statement(
        id="all", variables={x0: Interval(0, 1)}, dynamics=square, start={x: x0}, then=ConvergesTo(x, Rational(1, 2))
    )
    verdict = verify(everywhere)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.counterexample["x0"] in ("0", "1")


def test_a_flow_that_leaves_its_bound_is_refuted() -> None:
    grows = Statement(
        id="grows", variables={x0: Interval(1, 2)}, dynamics=Flow((x,), (x,)), start={x: x0}, then=Always(x < 10)
    )
    assert verify(grows).outcome is Outcome.REFUTED


def test_a_symbol_named_like_a_function_is_no_trap() -> None:
    gamma = Symbol("gamma", positive=True)
    assert verify(Statement(id="g", then=gamma**2 + 1 > gamma)).outcome is Outcome.PROVED
