"""What the chapter prints wrongly is refuted by a point that can be checked; its correction, and twins, differ."""

import pytest
from sympy import Interval, Rational, Symbol, sympify

from proofs_check import verify
from proofs_check.points.exact import holds
from proofs_check.verdict import Outcome
from theory.edge_of_stability import paper
from theory.edge_of_stability.quartic import BOUND, K
from theory.statements import Statement

STATEMENTS = {entry.id.split("/")[1]: entry for entry in paper.entries}

FALSE = (
    "definition-2.quartic",
    "proposition-2",
    "proposition-2#c4",
    "corollary-7#c7",
    "theorem-3.3#q1.a",
    "theorem-3.3#q3.a",
    "theorem-3.4#w9",
    "theorem-3.4#w9.a",
    "theorem-3.4#w12",
    "theorem-3.4#b.41",
    "lemma-b.2#v1",
    "lemma-b.2#b.53",
    "lemma-b.2#b.56",
    "theorem-3.5#b.63",
    "theorem-3.5#n8",
    "theorem-3.5#cover-i21",
    "theorem-3.5#n25",
    "observation-2#m7",
    "observation-5.multipliers",
    "remark-4.d-2",
)


def _statement(number: str) -> Statement:
    return STATEMENTS[number].statement()


def _violates(statement: Statement, counterexample: dict[str, str]) -> bool:
    point = {Symbol(name): sympify(value, rational=True) for name, value in counterexample.items()}
    given = all(holds(part, point) is True for part in statement.hypotheses)
    return given and holds(statement.conclusion, point) is False


@pytest.mark.parametrize("number", FALSE)
@pytest.mark.sampled(4)
def test_printed_claim_is_refuted_by_a_point_and_its_correction_is_not(number: str) -> None:
    statement = _statement(number)
    verdict = verify(statement)
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.counterexample is not None
    assert _violates(statement, dict(verdict.counterexample))
    assert verify(_statement(f"{number}.corrected")).outcome in (Outcome.PROVED, Outcome.SAMPLED)


def test_the_range_of_b20_is_sharp() -> None:
    """sqrt(4.5) - 1 is where (B.20) becomes an equality: the printed range is proved, a longer one refuted."""
    statement = _statement("theorem-3.3#b.20")
    assert verify(statement).outcome is Outcome.PROVED
    longer = statement.but(variables={K: Interval.open(1, BOUND + Rational(1, 1000))}, constants=())
    assert verify(longer).outcome is Outcome.REFUTED


def test_condition_ii_needs_its_constant_six() -> None:
    """With 6.1 in place of 6 Proposition 1 would be false."""
    statement = _statement("proposition-1")
    assert verify(statement).outcome is Outcome.PROVED
    g1, g2, g3 = (Symbol(f"g_{order}") for order in (1, 2, 3))
    weaker = statement.but(given=(*statement.given[:2], g1 * g3 < Rational("6.1") * g2**2))
    assert verify(weaker).outcome is Outcome.REFUTED
