"""Bad input gets one clear sentence that says what to do, exit code 2, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofs_check.cli import main

HEAD = "from sympy import *\nfrom theory import *\nx, y, K = symbols('x y K')\n"
BAD_FILES = {
    "does not parse": ("lemma = Statement(then=\n", "does not parse"),
    "no statement": ("nothing = 1\n", "defines no Statement"),
    "two statements with one id": (
        "a = Statement(id='m/l', variables={x: Reals}, then=x**2 >= 0)\nb = a.but(then=x**2 >= -1)\n",
        "two statements called m/l",
    ),
    "symbol without a domain": ("a = Statement(variables={x: Reals}, then=x > y)\n", "symbol y has no domain"),
    "contradicting domains": (
        "p = Symbol('p', positive=True)\na = Statement(variables={p: Interval(-2, -1)}, then=p**2 > 2)\n",
        "contradict each other",
    ),
    "not differentiable": ("a = gradient_descent(Abs(x), x, K)\n", "Abs"),
    "variable the dynamics do not have": (
        "a = Statement(variables={K: Interval(0, 1)}, dynamics=Map((x,), (K*x,)), start={x: K}, then=Always(y > 0))\n",
        "which the dynamics do not have",
    ),
    "trajectory without dynamics": ("a = Statement(variables={x: Reals}, then=Always(x > 0))\n", "has no dynamics"),
    "start missing": (
        "a = Statement(dynamics=Map((x, y), (y, x)), start={x: 1}, then=Always(x > 0))\n",
        "does not say where y starts",
    ),
    "a float": ("a = Statement(variables={x: Reals}, then=x > 0.1)\n", r"Rational('0.1')"),
    "not a formula": ("a = Statement(variables={x: Reals}, then=x + 1)\n", "is not a formula"),
    "raises": ("1 / 0\n", "ZeroDivisionError"),
    "decided while written": ("x = Symbol('x', real=True)\na = Statement(then=x**2 >= 0)\n", "became the constant"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_one_sentence_and_exit_code_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, expected = BAD_FILES[name]
    path = tmp_path / "lemmas_bad.py"
    path.write_text(HEAD + body)
    assert main(["check", str(path)]) == 2
    captured = capsys.readouterr()
    assert expected in captured.err
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("lemmascope: ")
    assert "Traceback" not in captured.err + captured.out


def test_the_sentence_points_at_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_bad.py"
    path.write_text(HEAD + "\n\na = Statement(variables={x: Reals}, then=x > y)\n")
    assert main(["check", str(path)]) == 2
    assert f"{path}:6:" in capsys.readouterr().err


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nowhere.py"]) == 2
    assert "there is no file nowhere.py" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["verify", "list", "steps", "sharpen"])
def test_an_unknown_id_names_the_nearest(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "edge_of_stability/theorm-3.3"]) == 2
    assert "edge_of_stability/theorem-3.3" in capsys.readouterr().err


def test_a_trajectory_that_becomes_undefined_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_undefined.py"
    path.write_text(
        HEAD
        + "x0 = Symbol('x0')\n"
        + "a = Statement(variables={x0: Interval(1, 2)}, dynamics=Map((x,), (log(x),)), start={x: x0},"
        + " then=Always(x < 10))\n"
    )
    code = main(["check", str(path), "--effort", "quick", "--json"])
    (verdict,) = json.loads(capsys.readouterr().out)["verdicts"]
    assert code == 2
    assert verdict["outcome"] in ("open", "sampled")
    assert any("undefined" in note for note in verdict["notes"])


def test_a_good_statement_beside_a_refuted_one_is_not_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_mixed.py"
    path.write_text(
        HEAD
        + "good = Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)\n"
        + "bad = Statement(variables={x: Interval(0, 2)}, then=x**2 <= x)\n"
    )
    assert main(["check", str(path), "--json"]) == 1
    outcomes = {row["id"]: row["outcome"] for row in json.loads(capsys.readouterr().out)["verdicts"]}
    assert outcomes == {"lemmas_mixed/good": "proved", "lemmas_mixed/bad": "refuted"}
