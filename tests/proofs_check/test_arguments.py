"""An argument written from a certificate: the shown identities are true, and each kind of evidence has its words."""

from __future__ import annotations

import re

import pytest
from sympy import Eq, Interval, S, oo, sqrt, symbols

from proofs_check.referee.judge import verify
from proofs_check.report.arguments.passages import rows_of_sum, signed_sum
from proofs_check.report.arguments.writer import argument
from proofs_check.verdict import Outcome
from theory import (
    After,
    Always,
    ConvergesTo,
    SmoothConvex,
    Statement,
    Vectors,
    from_latex,
    function,
    gradient_descent,
    gradient_flow,
    norm,
    vector,
)

x, y, u, w, u0, w0, L = symbols("x y u w u0 w0 L")
POSITIVE = Interval.open(0, oo)


def written(statement: Statement) -> list[tuple[int, str, str]]:
    verdict = verify(statement)
    assert verdict.decided
    return [(depth, part.text, part.formula) for top in argument(statement, verdict) for depth, part in top.lines()]


def identities(rows: list[tuple[int, str, str]]) -> list[tuple[object, object]]:
    """The equations of sums that are shown, read back from LaTeX."""
    found = []
    for _, text, formula in rows:
        if "No summand is negative" in text and "aligned" not in formula:
            left, right = re.sub(r"\\left|\\right", "", formula).split("=", 1)
            found.append((from_latex(left), from_latex(right)))
    return found


@pytest.mark.parametrize(
    ("variables", "given", "claim"),
    [
        ({x: S.Reals, y: S.Reals}, (), x**2 + y**2 >= 2 * x * y),
        ({x: POSITIVE, y: POSITIVE}, (), (x + y) ** 2 >= 4 * x * y),
        ({x: Interval(0, 1), y: Interval(0, 1)}, (), x + y - x * y <= 1),
        ({x: S.Reals, y: S.Reals}, (y > 0,), x**2 + y > 0),
        ({x: POSITIVE, y: POSITIVE}, (x < y,), x**2 < y**2),
    ],
)
def test_a_shown_sum_is_an_identity(variables, given, claim):
    shown = identities(written(Statement(variables=variables, given=given, then=claim)))
    assert shown
    for left, right in shown:
        assert (left - right).expand() == 0


def test_letters_stand_for_roots():
    rows = written(Statement(variables={x: Interval(0, 1)}, then=sqrt(x) >= x))
    assert any(r"w_{1} = \sqrt{x}" in formula for _, _, formula in rows)


def test_a_combination_of_equations_is_written_out():
    rows = written(Statement(variables={x: S.Reals, y: S.Reals}, given=(Eq(x + y, 1),), then=Eq(x**2 - y**2, x - y)))
    (equation,) = [formula for _, text, formula in rows if "combination" in text]
    left, right = re.sub(r"\\left|\\right", "", equation).split("=")
    assert (from_latex(left) - from_latex(right)).expand() == 0


def test_a_rate_is_proved_as_papers_do_it():
    f, point, start = function("f"), vector("x"), vector("x0")
    claim = After(1, f(point) - f.minimum <= L * norm(start - f.minimiser) ** 2 / 6)
    method = gradient_descent(f, point, 1 / L)
    rows = written(
        Statement(
            variables={f: SmoothConvex(L), start: Vectors(), L: POSITIVE},
            dynamics=method,
            start={point: start},
            then=claim,
        )
    )
    assert sum("multiplied by" in text for _, text, _ in rows) >= 2
    assert "every dimension" in rows[-1][1]
    assert r"\|" in rows[-1][2]


def test_an_invariant_set_is_named_with_its_step():
    rows = written(
        Statement(
            variables={u: Interval(0, 1)}, dynamics=gradient_descent(x**2 / 2, x, u), start={x: 1}, then=Always(x <= 1)
        )
    )
    texts = [text for _, text, _ in rows]
    assert any("no step leads out of it" in text for text in texts)
    assert any("After one step" in text for text in texts)


def test_a_limit_names_its_theorem():
    flow = gradient_flow((x**2 - 1) ** 2 / 4, x)
    rows = written(Statement(variables={u0: Interval.open(0, 1)}, dynamics=flow, start={x: u0}, then=ConvergesTo(x, 1)))
    assert "moves monotonically" in rows[0][1]


def test_a_counterexample_is_evaluated():
    rows = written(Statement(variables={x: S.Reals}, then=x**2 > x))
    assert rows[0][1] == "Take"
    assert any("fails" in text and "against" in formula for _, text, formula in rows)


def test_a_trajectory_that_fails_is_walked():
    step = gradient_descent(x**2 / 2, x, 3)
    rows = written(Statement(variables={u0: Interval.open(0, 1)}, dynamics=step, start={x: u0}, then=ConvergesTo(x, 0)))
    assert any(text == "The first steps:" for _, text, _ in rows)


def test_an_open_statement_has_no_argument():
    lemma = Statement(variables={x: S.Reals}, then=x**2 >= 0)
    assert argument(lemma, verify(lemma).but(outcome=Outcome.OPEN)) == ()


def test_sums_have_their_signs():
    assert signed_sum(["a", "- b", "c"]) == "a - b + c"
    assert rows_of_sum("0 =", ["a", "- b", "c"]) == "0 = a - b + c"
