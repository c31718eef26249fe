"""A derivation has no line that was not checked: false candidates never appear, and every line holds numerically."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from sympy import Eq, Interval, Rational, S, oo, symbols

from proofs_check.report import derivation
from proofs_check.report import derivation_lines as chains
from proofs_check.report.classical_theorems import bibtex
from proofs_check.report.derivation import Derivation, derive
from proofs_check.report.design_card import DesignCard
from proofs_check.report.write_derivation import as_html, as_latex, as_markdown
from proofs_check.verdict import Outcome
from theory import (
    Always,
    ConvergesTo,
    LemmascopeError,
    Matrices,
    SmoothConvex,
    Statement,
    Vectors,
    function,
    gradient_descent,
    gradient_flow,
    inner,
    matrix,
    norm,
    vector,
)

x, x0, K, u, w, u0, w0, n = symbols("x x0 K u w u0 w0 n")
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
INDUCTION = Statement(
    id="mine/bernoulli",
    variables={n: S.Naturals, x: Interval(-1, oo)},
    then=(1 + x) ** n >= 1 + n * x,
)
SQUARE = Statement(id="mine/square", variables={x: S.Reals, u: S.Reals}, then=x**4 + 4 * u**4 >= 4 * x**2 * u**2)


@pytest.fixture(scope="module", params=[CYCLE, BALANCE, SQUARE], ids=lambda statement: statement.id)
def chain(request: pytest.FixtureRequest) -> Derivation:
    return derive(request.param, "quick")


def test_every_line_is_proved_and_says_something(chain: Derivation) -> None:
    assert chain.lines or chain.argument
    for line in chain.lines:
        assert line.verdict.outcome is Outcome.PROVED
        assert line.statement.then.lhs != line.statement.then.rhs
        assert r"\begin{aligned}" in line.latex() or "=" in line.latex()


def test_every_line_is_used_later_or_by_the_conclusion(chain: Derivation) -> None:
    for place, line in enumerate(chain.lines):
        later = {name for other in chain.lines[place + 1 :] for name in other.uses}
        assert line.gives in chain.needs | later, line.reason
    said: set[str] = set()
    for line in chain.lines:
        assert set(line.uses) <= said, line.reason
        said.add(line.gives)


def test_no_line_is_there_that_the_conclusion_does_not_need() -> None:
    """The limit 0 is a fixed point; the other ones, and their multipliers, are no part of the derivation."""
    step = gradient_descent((x**2 - 1) ** 2 / 4, x, K)
    claim = Statement(variables={K: Interval.open(0, S.Half)}, dynamics=step, start={x: 1}, then=ConvergesTo(x, 1))
    formulas = [line.latex() for line in derive(claim, "quick").lines]
    assert any("x = 1" in formula for formula in formulas)
    assert not any("x = -1" in formula or "x = 0" in formula for formula in formulas)


def test_three_lengths() -> None:
    counts = []
    for length in ("short", "default", "long"):
        page = derive(INDUCTION, "quick", length).page()
        counts.append(len(page.lines) + sum(1 for part in page.argument for _ in part.lines()))
    assert counts[0] < counts[1] < counts[2]


def test_a_conserved_quantity_is_differentiated() -> None:
    (change,) = [line for line in derive(BALANCE, "quick").lines if "chain rule" in line.reason]
    assert change.latex().endswith("= 0")
    assert r"\frac{\partial}{\partial u}" in change.latex()


def test_a_map_has_a_design_card() -> None:
    K_ = symbols("K", positive=True)
    card = derive(gradient_descent((x**2 - 1) ** 2 / 4, x, K_), "quick")
    assert isinstance(card, DesignCard)
    reasons = " | ".join(line.reason for line in card.lines)
    for part in ("factored", "a fixed point", "the multiplier of", "it attracts", "the flip coefficient", "divisible"):
        assert part in reasons
    assert all(line.verdict.outcome is Outcome.PROVED for line in card.lines)
    text = as_markdown(card)
    assert "supercritical flip" in text
    assert r"\sqrt{5} - 1" in text
    for place, line in enumerate(card.lines):
        assert line.gives in card.needs | {name for other in card.lines[place + 1 :] for name in other.uses}


def test_classical_theorems_are_cited() -> None:
    step = gradient_descent(x**2 / 2, x, K)
    domains = {K: Interval.open(0, 2), x0: S.Reals}
    chain = derive(Statement(variables=domains, dynamics=step, start={x: x0}, then=ConvergesTo(x, 0)), "quick")
    text, cited = as_latex(chain), bibtex(chain.conclusion.trust)
    assert cited
    assert rf"\cite{{{','.join(cited)}}}" in text
    assert all(entry in text for entry in cited.values())
    assert text.count(r"\begin{proof}") == text.count(r"\end{proof}") == 1


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
    order = ["derivative of the loss", "one step moves x", "what 2 steps change", "on the 2-cycle"]
    assert [reasons.index(part) for part in order] == sorted(reasons.index(part) for part in order)


def written(chain: Derivation) -> list[str]:
    return [part.text for top in chain.argument for _, part in top.lines()]


def test_an_invariant_region_has_its_step_or_its_boundary() -> None:
    inside = CYCLE.but(variables={K: Interval.open(0, S.Half), x0: Interval.open(0, 1)}, then=Always((x > 0) & (x < 1)))
    assert written(derive(inside, "quick")).count("After one step:") >= 1
    flow = BALANCE.but(variables={u0: Interval.open(0, 1), w0: Interval.open(0, 1)}, then=Always((u > 0) & (w > 0)))
    assert any("cannot leave it through any of its boundaries" in text for text in written(derive(flow, "quick")))


def test_a_region_that_is_left_has_a_counterexample_and_no_step() -> None:
    outside = CYCLE.but(variables={K: Interval.open(0, 1), x0: Interval.open(0, 1)}, then=Always((x > 0) & (x < 1)))
    chain = derive(outside, "quick")
    assert not any("stays there" in line.reason for line in chain.lines)
    assert "The first steps:" in written(chain)


def test_a_false_candidate_is_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = derive(BALANCE, "quick")
    honest = chains.candidates

    def with_a_lie(statement: Statement) -> list[chains.Candidate]:
        lie = chains.Candidate(Eq((x + 1) ** 2, x**2 + x + 1), "a slip of the pen", gives=chains.CONSTANT)
        return [*honest(statement), lie]

    monkeypatch.setattr(derivation, "candidates", with_a_lie)
    after = derive(BALANCE, "quick")
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


def test_it_writes_itself(chain: Derivation, tmp_path: Path) -> None:
    assert chain.save(tmp_path / "it.tex").read_text(encoding="utf-8") == chain.latex()
    assert chain.save(tmp_path / "it.md").read_text(encoding="utf-8") == chain.markdown()
    assert "<math" in chain.html()
    with pytest.raises(LemmascopeError, match="choose one of these"):
        chain.save(tmp_path / "it.docx")


def test_a_notebook_shows_it(chain: Derivation) -> None:
    assert "$$" in chain._repr_markdown_()


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex: apt install texlive-latex-base")
def test_the_appendix_compiles(chain: Derivation, tmp_path: Path) -> None:
    (tmp_path / "appendix.tex").write_text(as_latex(chain))
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "appendix.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=1000)
    log = done.stdout.decode(errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log


A, B, f = matrix("A", n, n), matrix("B", n, n), function("f")
POINTS = {vector("p"): Vectors(), vector("q"): Vectors()}
(p, q) = POINTS
OF_EVERY_SIZE = {
    "an equation": Statement(variables={A: Matrices(n, n), B: Matrices(n, n)}, then=Eq(A * B - A * B * A / 2, B * A)),
    "a rate": Statement(
        variables=POINTS | {K: Interval.open(0, 1)}, then=norm((1 - 2 / (K + 1)) * p - q) ** 2 <= norm(p) ** 2 / (K + 1)
    ),
    "a class": Statement(
        variables=POINTS | {f: SmoothConvex(1)}, then=f(q) <= f(p) + inner(f.gradient(p), q - p) + norm(q - p) ** 2 / 2
    ),
}


@pytest.mark.parametrize("name", OF_EVERY_SIZE)
def test_vectors_and_matrices_are_not_treated_as_numbers(name: str) -> None:
    assert list(chains.candidates(OF_EVERY_SIZE[name])) == []
