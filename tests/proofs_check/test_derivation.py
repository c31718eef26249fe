"""A derivation has no line that was not checked: false candidates never appear, and every line holds numerically."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from sympy import Eq, Interval, Rational, S, symbols

from proofs_check.report import derivation
from proofs_check.report import derivation_lines as chains
from proofs_check.report.derivation import Derivation, derive
from proofs_check.report.write_derivation import as_html, as_latex, as_markdown
from proofs_check.verdict import Outcome
from theory import Always, ConvergesTo, Statement, gradient_descent, gradient_flow

x, x0, K, u, w, u0, w0 = symbols("x x0 K u w u0 w0")
HOSTILE = "<script>alert(1)</script> & 50% of $x_1$ \\write18{ls} {"

CYCLE = Statement(
    id="mine/cycle",
    title=HOSTILE,
    variables={K: Interval.open(1, Rational(11, 10)), x0: Interval.open(0, 1)},
    dynamics=gradient_descent((x**2 - 1) ** 2 / 4, x, K),
    start={x: x0},
    then=ConvergesTo(x, 0, 1),
)
BALANCE = Statement(
    id="mine/balance",
    variables={u0: S.Reals, w0: S.Reals},
    dynamics=gradient_flow((u * w - 1) ** 2, (u, w)),
    start={u: u0, w: w0},
    then=Always(Eq(u**2 - w**2, u0**2 - w0**2)),
)
SQUARE = Statement(id="mine/square", variables={x: S.Reals, u: S.Reals}, then=x**4 + 4 * u**4 >= 4 * x**2 * u**2)


@pytest.fixture(scope="module", params=[CYCLE, BALANCE, SQUARE], ids=lambda statement: statement.id)
def chain(request: pytest.FixtureRequest) -> Derivation:
    return derive(request.param, "quick")


def test_every_line_is_proved_and_says_something(chain: Derivation) -> None:
    assert chain.lines
    for line in chain.lines:
        assert line.verdict.outcome is Outcome.PROVED
        assert line.statement.then.lhs != line.statement.then.rhs
        assert r"\begin{aligned}" in line.latex() or "=" in line.latex()


def test_every_line_holds_at_random_points(chain: Derivation) -> None:
    dice = random.Random(3)  # noqa: S311 - points, not secrets
    for line in chain.lines:
        if line.statement.given:
            continue
        names = line.statement.then.free_symbols
        for _ in range(3):
            point = {name: Rational(dice.randint(1, 40), dice.randint(1, 40)) for name in names}
            left, right = (side.doit().subs(point) for side in line.statement.then.args)
            assert abs((left - right).evalf(30)) < 1e-20, line.reason


def test_the_chain_leads_from_the_loss_to_the_cycle() -> None:
    reasons = " | ".join(line.reason for line in derive(CYCLE, "quick").lines)
    order = ["derivative of the loss", "one step moves x", "a fixed point", "what 2 steps change", "on the 2-cycle"]
    assert [reasons.index(part) for part in order] == sorted(reasons.index(part) for part in order)


def test_an_invariant_region_has_its_step_or_its_boundary() -> None:
    inside = CYCLE.but(variables={K: Interval.open(0, S.Half), x0: Interval.open(0, 1)}, then=Always((x > 0) & (x < 1)))
    steps = [line for line in derive(inside, "quick").lines if line.reason == "one step from there stays there"]
    assert len(steps) == 2
    assert all(set(line.statement.given) == {x > 0, x < 1} for line in steps)
    flow = BALANCE.but(variables={u0: Interval.open(0, 1), w0: Interval.open(0, 1)}, then=Always((u > 0) & (w > 0)))
    reasons = [line.reason for line in derive(flow, "quick").lines]
    assert reasons.count("on this boundary the flow points inwards") == 2


def test_a_region_that_is_left_has_no_such_line() -> None:
    outside = CYCLE.but(variables={K: Interval.open(0, 1), x0: Interval.open(0, 1)}, then=Always((x > 0) & (x < 1)))
    steps = [line for line in derive(outside, "quick").lines if line.reason == "one step from there stays there"]
    assert [str(line.statement.then) for line in steps] == ["-K*x*(x**2 - 1) + x > 0"]


def test_a_false_candidate_is_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = derive(SQUARE, "quick")
    honest = chains.candidates

    def with_a_lie(statement: Statement) -> list[chains.Candidate]:
        return [*honest(statement), chains.Candidate(Eq((x + 1) ** 2, x**2 + x + 1), "a slip of the pen")]

    monkeypatch.setattr(derivation, "candidates", with_a_lie)
    after = derive(SQUARE, "quick")
    assert [line.reason for line in after.lines] == [line.reason for line in before.lines]
    assert after.left_out == before.left_out + 1


def test_a_refuted_statement_says_where_it_fails() -> None:
    false = Statement(id="mine/false", variables={x: Interval(0, 2)}, then=x**2 <= x)
    for text in (as_markdown(derive(false, "quick")), as_html(derive(false, "quick"))):
        assert "refuted" in text
        assert "it fails at x = " in text


def test_foreign_text_stays_text(chain: Derivation) -> None:
    for text in (as_markdown(chain), as_html(chain)):
        assert "<script>" not in text
    assert r"\write18" not in as_latex(chain)


def test_a_notebook_shows_it(chain: Derivation) -> None:
    assert "$$" in chain._repr_markdown_()


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex: apt install texlive-latex-base")
def test_the_appendix_compiles(chain: Derivation, tmp_path: Path) -> None:
    (tmp_path / "appendix.tex").write_text(as_latex(chain))
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "appendix.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log
