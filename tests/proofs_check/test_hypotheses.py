"""Redundant hypotheses, those that say the same, and the scale on which a statement lives are told on request."""

from __future__ import annotations

from argparse import Namespace

from sympy import Interval, Rational, Reals, oo, symbols

from proofs_check.budget import Budget
from proofs_check.referee.hypotheses import about_hypotheses, with_hypotheses
from proofs_check.run.cli import main
from proofs_check.verdict import Outcome, Verdict
from theory.statements import Statement

x, y, w = symbols("x y w")


def test_what_follows_from_the_others_and_what_says_the_same_is_listed():
    claim = Statement(variables={x: Reals, y: Reals}, given=(x > y, y - x < 0, y > 0), then=x > 0)
    said = about_hypotheses(claim, Budget.of("quick"))
    assert said[0] == "the hypothesis -x + y < 0 follows from the others; next to them it says the same as x > y"
    assert not any("y > 0 follows" in note for note in said)


def test_the_scale_of_a_statement_is_told():
    claim = Statement(variables={w: Interval.open(0, oo)}, given=(w < Rational(1, 10**60),), then=w < 1)
    options = Namespace(effort="standard", json=True)
    (verdict,) = with_hypotheses([Verdict(Outcome.PROVED, id="mine/tiny")], {"mine/tiny": claim}, options)
    assert verdict.notes == ("satisfiable only for w <= 10**-60",)


def test_bounds_that_the_domains_state_are_not_repeated():
    claim = Statement(variables={x: Interval(0, 1)}, given=(x > Rational(1, 4),), then=x**2 < 2)
    assert about_hypotheses(claim, Budget.of("quick")) == ["satisfiable only for x >= 1/10"]


def test_the_command_line_asks(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path))
    own = tmp_path / "lemmas_mine.py"
    own.write_text(
        "from sympy import Interval, Symbol\nfrom theory import Statement\n\nx = Symbol('x')\n"
        "lemma = Statement(variables={x: Interval(0, 1)}, given=(x < 2,), then=x**2 <= x)\n"
    )
    assert main(["check", str(own), "--hypotheses", "--workers", "1", "--effort", "quick"]) == 0
    assert "the hypothesis x < 2 follows from the others" in capsys.readouterr().out


def test_a_contradiction_is_no_range():
    claim = Statement(variables={x: Reals}, given=(x > 1, x < 0), then=x > 5)
    assert about_hypotheses(claim, Budget.of("quick")) == ["no value satisfies the hypotheses"]
