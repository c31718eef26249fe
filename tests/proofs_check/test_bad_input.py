"""Bad input gets one clear sentence that says what to do, exit code 2, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofs_check.run.cli import main

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
    "a state at no time": (
        "a = Statement(variables={K: Reals}, dynamics=Map((x,), (x / 2,)), start={x: K}, then=x**2 <= K**2)\n",
        "write Always(x**2 <= K**2), or AtStart(x**2 <= K**2) if only the start is meant",
    ),
    "a state at no time beside others": (
        "a = Statement(dynamics=Map((x,), (x / 2,)), start={x: 1}, then=Implies(x > 0, Always(x > 0)))\n",
        "AtStart(x > 0)",
    ),
    "the clock at no time": (
        "a = Statement(dynamics=Flow((x,), (x,), time=K), start={x: 1}, then=K >= 0)\n",
        "but not when, and the dynamics change K",
    ),
    "the start at other times": (
        "a = Statement(dynamics=Map((x,), (x,)), start={x: 1}, then=Always(AtStart(x > 0)))\n",
        "take AtStart out of the temporal operator",
    ),
    "other times at the start": (
        "a = Statement(dynamics=Map((x,), (x,)), start={x: 1}, then=AtStart(Always(x > 0)))\n",
        "leave AtStart out",
    ),
    "the start assumed": (
        "a = Statement(dynamics=Map((x,), (x,)), start={x: 1}, given=AtStart(x > 0), then=Always(x > 0))\n",
        "say it of the variables that start the state",
    ),
    "a float": ("a = Statement(variables={x: Reals}, then=x > 0.1)\n", r"Rational('0.1')"),
    "not a formula": ("a = Statement(variables={x: Reals}, then=x + 1)\n", "is not a formula"),
    "a formula in quotes": ("a = Statement(variables={x: Reals}, then='x > 0')\n", "write it with symbols"),
    "variables without domains": ("a = Statement(variables=[x], then=x > 0)\n", "need their domains"),
    "an id that is no text": ("a = Statement(id=3, variables={x: Reals}, then=x**2 >= 0)\n", "is no line of text"),
    "an id of two lines": ("a = Statement(id='m\\nl', variables={x: Reals}, then=x**2 >= 0)\n", "is no line of text"),
    "a constant that is none": ("a = Statement(variables={x: Reals}, constants=(3,), then=x > 0)\n", "no Constants"),
    "an infinite constant": ("a = Constant(K, oo, best='largest')\n", "give it a real number"),
    "an imaginary constant": ("a = Constant(K, I, best='largest')\n", "give it a real number"),
    "a variable constant": ("a = Constant(K, x, best='largest')\n", "give it a real number"),
    "no dynamics": (
        "a = Statement(variables={x: Reals}, dynamics=3, start={x: 1}, then=Always(x > 0))\n",
        "neither a Map nor a Flow",
    ),
    "exceptions in what is no variable": (
        "a = Statement(variables={x: Reals}, almost_all=(y,), then=x**2 >= 0)\n",
        "allows exceptions in y",
    ),
    "a number that nobody can print": ("a = Statement(variables={x: Reals}, then=x < 10**10**5)\n", "4000 digits"),
    "a proof without steps": ("a = Proof(Statement(id='m/l', variables={x: Reals}, then=x**2 >= 0), ())\n", "no steps"),
    "a proof of statements": (
        "a = Statement(id='m/l', variables={x: Reals}, then=x**2 >= 0)\nb = Proof(a, (a,))\n",
        "write Step('1', statement)",
    ),
    "raises": ("1 / 0\n", "ZeroDivisionError"),
    "unknown name": ("a = Statement(variables={x: Reals}, then=unheard_of > 0)\n", "'unheard_of' is not defined"),
    "no conclusion": ("a = Statement(variables={x: Reals})\n", "has no conclusion: add then="),
    "misspelt field": ("a = Statement(variable={x: Reals}, then=x > 0)\n", "its fields are variables="),
    "a chain": ("a = Statement(variables={x: Reals}, then=0 < x < 1)\n", "write And("),
    "division by zero": ("a = Statement(variables={x: Reals}, then=x / 0 < 1)\n", "has no value"),
    "not a number": ("a = Statement(variables={x: Reals}, then=Eq(x, y), start={x: nan})\n", "has no value"),
    "a name instead of a symbol": (
        "a = Statement(variables={'x': Reals}, then=x > 0)\n",
        "the variable 'x' is no symbol",
    ),
    "empty domain": ("a = Statement(variables={x: Interval(2, 1)}, then=x > 0)\n", "the domain of x is empty"),
    "LaTeX that cannot be read": ("a = Statement(variables={x: Reals}, then=from_latex('x ? 0'))\n", "at character 3"),
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


@pytest.mark.parametrize("name", sorted(set(BAD_FILES) - {"no statement", "two statements with one id"}))
def test_the_sentence_points_at_the_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_bad.py"
    body = BAD_FILES[name][0]
    path.write_text(HEAD + "\n\n" + body)
    assert main(["check", str(path)]) == 2
    last = len(HEAD.splitlines()) + 2 + len(body.splitlines())
    assert f"{path}:{last}:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("given=(x > 1, x < 0), then=x**2 > 3", "vacuous"),
        ("then=x**2 > 3", "refuted"),
    ],
)
def test_a_finding_says_where_it_is_stated(
    body: str, outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lemmas_lines.py"
    path.write_text(f"{HEAD}\nclaim = Statement(variables={{x: Reals}}, {body})\n")
    assert main(["check", str(path), "--effort", "quick"]) == 1
    said = capsys.readouterr().out
    assert outcome in said
    assert "stated at: lemmas_lines.py:5" in said


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


@pytest.mark.parametrize("command", ["plot", "derive"])
def test_a_file_that_cannot_be_written_is_one_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "out.svg"
    assert main([command, "edge_of_stability/corollary-2.condition", "-o", str(path)]) == 2
    said = capsys.readouterr().err
    assert said == f"lemmascope: {path}: Not a directory\n"


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_a_number_of_workers_is_positive(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "lemmas_mine.py", "--workers", number])
    assert ended.value.code == 2
    assert f"{number} is no positive number" in capsys.readouterr().err
