"""A proof is checked from its premises and from the hypotheses alone, and a false step says what it costs."""

from __future__ import annotations

from argparse import Namespace

import pytest

from proofs_check.referee.proof_steps import check_file, check_proof
from proofs_check.run.cli import main
from proofs_check.verdict import Outcome
from theory.errors import LemmascopeError

OPTIONS = Namespace(effort="standard", fresh=True, json=True, on=None, workers=1)

OWN = """
from sympy import Eq, Reals, Symbol
from theory import Statement
from theory.proofs import Proof, Step

x = Symbol("x")


def line(then, *uses):
    return Statement(variables={x: Reals}, then=then, uses=uses)


proof = Proof(
    line(x**2 + 1 >= 2 * x).but(id="mine/lemma"),
    (
        Step("expand", line(Eq((x - 1) ** 2, x**2 + 2 * x + 1))),
        Step("large", line(x >= 1)),
        Step("squares", line(x**2 >= x, "large")),
        Step("positive", line(x**2 >= 0, "large")),
        Step("true", line((x - 1) ** 2 >= 0)),
        Step("bound", line(x**2 + 1 >= 2 * x, "true")),
        Step("square", line(x**2 + 1 >= x + 1, "squares")),
        Step("never", line(x**2 <= -1)),
        Step("empty", line(x**2 >= -1, "never")),
    ),
)
"""


MOVING = """
from sympy import Interval, Reals, symbols
from theory import Always, ConvergesTo, Proof, Statement, Step, gradient_descent

x, x0, eta = symbols("x x0 eta")
lemma = Statement(
    id="mine/moving", variables={eta: Interval.open(0, 2), x0: Reals},
    dynamics=gradient_descent(x**2 / 2, x, eta), start={x: x0}, then=ConvergesTo(x, 0),
)
bounded = lemma.but(id="", then=Always(x**2 <= x0**2))
proof = Proof(lemma, (Step("1", bounded), Step("2", lemma.but(id="", uses=("1",)))))
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "lemmas_mine.py").write_text(OWN)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("LEMMASCOPE_HOME", str(folder))
        (found,) = check_file(str(folder / "lemmas_mine.py"), OPTIONS)
    return found


def test_the_first_false_step_is_marked_and_its_line_repaired(checked):
    assert checked.first_false is checked.steps[0]
    assert "(x - 1)**2 = x**2 - 2*x + 1" in checked.first_false.correction
    assert [str(verdict.outcome) for verdict in checked.steps] == [
        *["refuted"] * 2,
        *["proved"] * 5,
        "refuted",
        "vacuous",
    ]


def test_a_false_step_whose_conclusion_survives_is_reported_as_such(checked):
    assert checked.whole.outcome is Outcome.PROVED
    users = ("no later step names it as a premise", "used by squares, positive")
    for verdict, used in zip(checked.steps[:2], users, strict=True):
        assert used in verdict.notes
        assert "mine/lemma itself is proved: its conclusion survives" in verdict.notes


def test_what_a_step_owes_to_the_earlier_ones_is_said(checked):
    _, _, squares, positive, _, bound, square, _, empty = (" ".join(verdict.notes) for verdict in checked.steps)
    assert "rests on large, which is false; from the hypotheses alone it is false" in squares
    assert "although large, which it uses, is false: its conclusion survives" in positive
    assert "holds from the hypotheses alone" in bound
    assert "rests on squares, which is false; from the hypotheses alone it is false" in square
    assert "no point satisfies the hypotheses together with what step never of the proof states" in empty


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("edge_of_stability", "is a paper: name one of its statements"),
        ("edge_of_stability/theorem-3.4#w9", "`lemmascope steps edge_of_stability/theorem-3.4` checks the proof"),
        ("edge_of_stability/definition-2", "has no proof steps in the library"),
        ("edge_of_stability/theorem-9", "the nearest are"),
    ],
)
def test_what_has_no_proof_is_refused_with_advice(asked, said):
    with pytest.raises(LemmascopeError, match=said):
        check_proof(asked, OPTIONS)


def test_a_file_without_a_proof_is_bad_input(tmp_path, capsys):
    (tmp_path / "lemma.py").write_text(OWN.partition("proof =")[0] + "lemma = line(x**2 >= 0)\n")
    assert main(["steps", str(tmp_path / "lemma.py")]) == 2
    assert "defines no Proof" in capsys.readouterr().err


def test_two_proofs_with_one_name_are_bad_input(tmp_path, capsys):
    (tmp_path / "twice.py").write_text(OWN + "second = Proof(proof.of, (Step('large', line(x >= 2)),))\n")
    assert main(["steps", str(tmp_path / "twice.py")]) == 2
    assert "two statements called mine/lemma#large" in capsys.readouterr().err


def test_what_is_proved_without_its_premises_is_proved(tmp_path, monkeypatch):
    """With a premise about the trajectory no engine decides the step; without it one does."""
    (tmp_path / "lemmas_moving.py").write_text(MOVING)
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path))
    (found,) = check_file(str(tmp_path / "lemmas_moving.py"), OPTIONS)
    assert [str(verdict.outcome) for verdict in found.steps] == ["proved", "proved"]
    assert found.steps[1].id == "mine/moving#2"
    assert "holds from the hypotheses alone" in found.steps[1].notes
