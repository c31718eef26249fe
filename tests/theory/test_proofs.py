"""A proof of a user's own is data too: its steps are checked from their premises, and bad tags are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sympy import Eq, Function, S, symbols

from proofs_check.evidence.replay import check
from proofs_check.referee.judge import verify
from proofs_check.run.cli import main
from proofs_check.verdict import Outcome
from theory import ForAll, LemmascopeError, Proof, Statement, Step
from theory.proofs import with_premises
from theory.trees import encode

x, z = symbols("x z")
f = Function("f")
LEMMA = Statement(id="mine/lemma", variables={x: S.Reals}, then=x**4 + 1 >= 2 * x**2)
FIRST = Statement(variables={x: S.Reals}, then=(x**2 - 1) ** 2 >= 0)
SECOND = Statement(variables={x: S.Reals}, then=x**4 + 1 >= 2 * x**2, uses=("a",))


def test_steps_are_statements_with_their_premises() -> None:
    first, second = Proof(LEMMA, (Step("a", FIRST), Step("b", SECOND))).statements()
    assert first.given == ()
    assert second.given == (FIRST.then,)
    assert verify(second, effort="quick").outcome is Outcome.PROVED


def test_a_premise_is_used_at_the_terms_of_the_goal() -> None:
    bound = Statement(id="m/l#a", variables={z: S.Reals}, given=(z > 0,), then=Function("f")(z) <= z**2)
    goal = Statement(id="m/l#b", variables={x: S.Reals}, then=f(x**2 + 1) <= (x**2 + 1) ** 2, uses=("a",))
    assert verify(goal, effort="quick").outcome is not Outcome.PROVED
    assert verify(with_premises(goal, [bound]), effort="quick").outcome is Outcome.PROVED
    wrong = goal.but(then=f(x) <= x**2)
    assert verify(with_premises(wrong, [bound]), effort="quick").outcome is not Outcome.PROVED


def test_a_function_that_satisfies_a_premise_at_one_point_refutes_no_step() -> None:
    late = Statement(id="m/l#a", variables={z: S.Reals}, given=(z > 5,), then=Eq(f(z), z))
    goal = Statement(id="m/l#b", variables={x: S.Reals}, given=(x > 1,), then=f(x) <= x, uses=("a",))
    step = with_premises(goal, [late])
    assert verify(step, effort="quick").outcome is not Outcome.REFUTED
    cube = {"kind": "point", "point": [[encode(x), encode(S(2))], [encode(z), encode(S.Zero)]]}
    cube["functions"] = [["f", [encode(x)], encode(x**3)]]
    assert check(step, cube)[0] == "rejected"
    assert check(step.but(uses=()), cube)[0] == "accepted"


def test_universal_hypotheses_are_used_at_the_arguments_of_the_goal() -> None:
    growth = ForAll(z, S.Reals, f(z) >= z)
    claim = Statement(id="m/u", variables={x: S.Reals}, given=(growth,), then=f(x**2) + f(2 * x) >= -1)
    verdict = verify(claim, effort="quick")
    assert verdict.outcome is Outcome.PROVED
    assert check(claim, verdict.certificate)[0] == "accepted"
    assert verify(claim.but(then=f(x**2) + f(2 * x) >= 0), effort="quick").outcome is not Outcome.PROVED


def test_a_step_may_only_use_earlier_steps() -> None:
    with pytest.raises(LemmascopeError, match="no earlier step"):
        Proof(LEMMA, (Step("b", SECOND), Step("a", FIRST)))
    with pytest.raises(LemmascopeError, match="two steps"):
        Proof(LEMMA, (Step("a", FIRST), Step("a", FIRST)))


def test_proofs_and_verdicts_show_themselves() -> None:
    assert "geq" in Proof(LEMMA, (Step("a", FIRST),))._repr_latex_()
    shown = verify(LEMMA.but(id="<b>lemma</b>"), effort="quick")._repr_html_()
    assert "<b>proved</b>" in shown
    assert "&lt;b&gt;lemma" in shown


def test_check_collects_the_steps_of_a_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_proof.py"
    path.write_text(
        "from sympy import S, Symbol\nfrom theory import Proof, Statement, Step\nx = Symbol('x')\n"
        "lemma = Statement(id='mine/l', variables={x: S.Reals}, then=x**2 + 1 >= 2 * x)\n"
        "proof = Proof(lemma, (Step('1', Statement(variables={x: S.Reals}, then=(x - 1)**2 > 0)),))\n"
    )
    assert main(["check", str(path), "--effort", "quick", "--json"]) == 1
    rows = {row["id"]: row["outcome"] for row in json.loads(capsys.readouterr().out)["verdicts"]}
    assert rows == {"mine/l": "proved", "mine/l#1": "refuted"}
