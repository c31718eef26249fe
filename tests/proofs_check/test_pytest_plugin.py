"""pytest collects statement files as tests, and a failing property test prints a point that fails when it is pasted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "from sympy import *\nfrom theory import *\nx, x0, y, eta, beta = symbols('x x0 y eta beta')\n"
LEMMAS = (
    HEAD
    + """
good = Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)
bad = Statement(variables={x: Interval(0, 2)}, then=x**2 <= x, scope=part("the square"))
empty = Statement(variables={x: Reals}, given=(x > 1, x < 0), then=x > 7)
"""
)
PROPERTIES = (
    HEAD
    + """
from proofs_check import as_property_test
test_good = as_property_test(Statement(id="p/good", variables={x: Interval(0, 1)}, then=x**2 <= x))
square = Statement(id="p/plain", variables={x: Reals, y: Reals}, given=(x > y,), then=x**2 >= y**2)
test_plain = as_property_test(square)
test_run = as_property_test(Statement(
    id="p/run", variables={eta: Interval.open(0, 3), x0: Interval(1, 2)}, dynamics=gradient_descent(x**2 / 2, x, eta),
    start={x: x0}, then=Always(x >= -1)), max_examples=50)
"""
)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"LEMMASCOPE_HOME": str(folder / "home"), "PYTHONPATH": root, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=1000
    )


def test_statements_are_tests(tmp_path: Path) -> None:
    (tmp_path / "lemmas_some.py").write_text(LEMMAS)
    (tmp_path / "theorems_more.py").write_text(HEAD + "sure = Statement(variables={x: Reals}, then=x**2 >= 0)\n")
    done = run(tmp_path)
    assert "2 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "counterexample: x = " in done.stdout
    assert "lemmas_some/bad[part]" in done.stdout
    assert "(part: the square)" in done.stdout
    assert "no point satisfies the hypotheses" in done.stdout
    assert "stated at: lemmas_some.py:6" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_file_that_fails_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "lemmas_wrong.py").write_text(HEAD + "a = Statement(variables={x: Reals}, then=x > y)\n")
    done = run(tmp_path)
    assert "lemmas_wrong.py:4: symbol y has no domain" in done.stdout
    assert "1 error" in done.stdout


SEARCHED = """
from proofs_check.referee import judge
from proofs_check.verdict import Outcome, Verdict

honest = judge.verify
judge.verify = lambda statement, **options: (
    Verdict(Outcome.SAMPLED, id=statement.id, cases=9) if "seen" in statement.id else honest(statement, **options))
"""


def test_a_proof_is_told_from_a_search_and_can_be_required(tmp_path: Path) -> None:
    square = "Statement(variables={x: Reals}, then=x**2 >= 0)\n"
    (tmp_path / "lemmas_two.py").write_text(f"{HEAD}sure = {square}seen = {square}")
    (tmp_path / "conftest.py").write_text(SEARCHED)
    done = run(tmp_path, "-vv")
    assert "lemmas_two/sure PROVED" in done.stdout
    assert "lemmas_two/seen SAMPLED" in done.stdout
    assert (tmp_path / "home" / "ledger.sqlite").exists()
    assert "1 failed, 1 passed" in run(tmp_path, "--lemmascope-require", "proved").stdout


def test_effort_is_an_option(tmp_path: Path) -> None:
    assert "--lemmascope-effort" in run(tmp_path, "--help").stdout


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("properties")
    (folder / "test_rules.py").write_text(PROPERTIES)
    return run(folder).stdout


def test_what_is_printed_can_be_pasted_and_fails_again(report: str, tmp_path: Path) -> None:
    assert "2 failed, 1 passed" in report
    pasted = re.findall(r"E +(?:\w+: )?(from sympy import [\w, ]+)\nE +(point = \{.*\})", report)
    assert len(pasted) == 2
    checks = [
        "x, y = Symbol('x'), Symbol('y')\nassert point[x] > point[y]\nassert point[x] ** 2 < point[y] ** 2\n",
        "x = point[Symbol('x0')]\nassert min(x := x - point[Symbol('eta')] * x for _ in range(600)) < -1\n",
    ]
    for number, ((imports, point), check) in enumerate(zip(pasted, checks, strict=True)):
        path = tmp_path / f"pasted_{number}.py"
        path.write_text(f"{imports}\n{point}\nfrom sympy import Symbol\n{check}")
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_report_shows_the_statement_and_not_the_program(report: str) -> None:
    assert "the hypotheses, but x**2 = " in report
    assert "raise AssertionError" not in report
    assert "lines were always and only run" not in report
