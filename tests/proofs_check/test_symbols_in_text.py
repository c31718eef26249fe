"""Symbols in titles are set, words and file names stay words, and no title breaks a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from sympy import Interval, S, symbols

from proofs_check import plot
from proofs_check.report.plots.pictures import picture
from proofs_check.report.plots.style import math, titled
from proofs_check.report.site import said
from proofs_check.report.symbols_in_text import Symbols, symbols_in
from proofs_check.verdict import Outcome, Verdict
from theory import LemmascopeError, Statement

x, y = symbols("x y")
HOSTILE = "50% of $x_1$ \\frac{ {<b> & $"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the rate exp(kappa eta t (a_i + a_j))", [r"\kappa", r"\eta", "a_{i}", "a_{j}"]),
        ("x^2 <= x", ["x^{2}"]),
        ("lambda_max and sigma_1^2", [r"\lambda_{max}", r"\sigma_{1}^{2}"]),
        ("swing_by, lemmas_mine.py, a meta step, Lemma D.1", []),
        ("I like a beta-test of x_prev", ["x_{prev}"]),
    ],
)
def test_what_is_a_symbol(text: str, found: list[str]) -> None:
    parts = list(symbols_in(text))
    assert [part.latex for part in parts if isinstance(part, Symbols)] == found


@pytest.mark.parametrize("title", [HOSTILE, "kappa_1 and $ signs", r"a \begin{aligned} b", "x" * 300, ""])
def test_no_title_breaks_a_picture(title: str, tmp_path: Path) -> None:
    lemma = Statement(id="mine/square", title=title, variables={x: Interval(0, 1)}, then=x**2 <= x)
    assert plot(lemma, Verdict(Outcome.PROVED)).save(tmp_path / "picture.svg").stat().st_size > 1000


def test_html_is_escaped() -> None:
    assert "<b>" not in said(HOSTILE)
    assert "<math" in said("kappa")


def test_what_cannot_be_set_is_written_plainly() -> None:
    assert math(x**2) == "$x^{2}$"
    assert math(r"\begin{aligned}x\end{aligned}").startswith(r"\begin")
    assert titled("a $ sign") == r"a \$ sign"


def test_a_failing_picture_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("seed")

    monkeypatch.setattr("proofs_check.report.plots.pictures.margins", fails)
    lemma = Statement(id="mine/square", variables={x: S.Reals, y: S.Reals}, then=x**2 + y**2 >= 0)
    with pytest.raises(LemmascopeError, match="mine/square has no picture") as caught:
        picture(lemma, Verdict(Outcome.PROVED))
    assert "KeyError" not in str(caught.value)
