"""A violation along a flow counts only when validated integration certifies it, and a second integration agrees."""

from __future__ import annotations

import pytest
from sympy import Eq, Interval, Rational, S, symbols

from proofs_check.budget import Budget
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.falsify.search import decide
from proofs_check.evidence.replay import check
from proofs_check.verdict import Outcome
from theory import After, Always, Decreasing, Flow, Statement, gradient_flow

x, x0, u, w, u0, w0 = symbols("x x0 u w u0 w0")
GROWTH = Statement(variables={x0: Interval(1, 2)}, dynamics=Flow((x,), (x,)), start={x: x0}, then=Always(x < 10))
DECAY = Statement(variables={x0: Interval(1, 2)}, dynamics=Flow((x,), (-x,)), start={x: x0}, then=Decreasing(x))
BALANCE = Statement(
    variables={u0: S.Reals, w0: S.Reals},
    dynamics=gradient_flow((u * w - 1) ** 2, (u, w)),
    start={u: u0, w: w0},
    then=Always(Eq(u**2 - w**2, u0**2 - w0**2)),
)

FALSE = {
    "leaves its bound": (GROWTH, {x0: Rational(1)}),
    "late": (GROWTH.but(then=After(3, Always(x < 20))), {x0: Rational(1)}),
    "increases": (DECAY.but(then=Decreasing(-x)), {x0: Rational(3, 2)}),
    "not conserved": (BALANCE.but(then=Always(Eq(u**2 + w**2, u0**2 + w0**2))), {u0: Rational(1), w0: Rational(2)}),
    "one conjunct": (DECAY.but(then=Always((x > 0) & (x > Rational(1, 2)))), {x0: Rational(1)}),
}


@pytest.mark.parametrize("name", FALSE)
def test_violations_are_certified_twice(name: str) -> None:
    statement, point = FALSE[name]
    verdict = confirm_violation(statement, point, 20)
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert check(statement, verdict.certificate)[0] == "accepted"


@pytest.mark.parametrize(
    ("statement", "point"),
    [(DECAY, {x0: Rational(1)}), (BALANCE, {u0: Rational(1), w0: Rational(2)}), (GROWTH, {x0: Rational(3)})],
)
def test_nothing_is_certified_about_true_claims_or_outside_the_hypotheses(statement: Statement, point: dict) -> None:
    assert confirm_violation(statement, point, 5) is None


def test_the_checker_rejects_a_certificate_for_another_statement() -> None:
    statement, point = FALSE["leaves its bound"]
    certificate = confirm_violation(statement, point, 20).certificate
    assert check(statement.but(then=Always(x < 1000)), certificate)[0] == "rejected"
    assert check(statement.but(dynamics=Flow((x,), (-x,))), certificate)[0] == "rejected"


@pytest.mark.parametrize("end", ["5/4", "11/10"])
def test_starts_next_to_an_equilibrium_are_not_mistaken_for_it(end: str) -> None:
    """Beyond x0 = 1 the flow grows; at x0 = 1 itself, which reads best, nothing moves and nothing is violated."""
    repelled = Flow((x,), (x**2 - x,))
    claim = Statement(
        variables={x0: Interval(0, Rational(end))}, dynamics=repelled, start={x: x0}, then=Always(x <= x0)
    )
    verdict = decide(claim, Budget.of("standard").start())
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert Rational((verdict.counterexample or {})["x0"]) > 1
