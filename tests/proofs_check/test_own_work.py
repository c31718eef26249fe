"""One's own files are first class: every command takes them, a Paper becomes a chapter, and no file hangs us."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sympy import Interval, Rational, Symbol, cos, exp, sin

from proofs_check.run import workers
from proofs_check.run.cli import main
from proofs_check.run.own_work import Limits, asked, read
from proofs_check.run.workers import Job
from proofs_check.verdict import Outcome
from theory import Statement, library
from theory.errors import LemmascopeError

ROOT = Path(__file__).parents[2]
HEAD = "from sympy import *\nfrom theory import *\nfrom theory.library import Paper\nx, x0 = symbols('x x0')\n"
PAPER = (
    '"""Squares and more."""\n'
    + HEAD
    + """
print("a file may print")
paper = Paper("draft", title="A draft on squares", bibtex="@misc{draft}")

@paper.statement("lemma-1", "Squares are not negative", scope=whole())
def lemma_1():
    return Statement(variables={x: S.Reals}, then=x**2 >= 0)

@paper.statement("lemma-2", "Squares are below their roots", scope=whole())
def lemma_2():
    return Statement(variables={x: Interval(0, 2)}, then=x**2 <= x)

@paper.statement("lemma-2.corrected", "They are on the unit interval")
def corrected():
    return Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)

@paper.step("lemma-1", "s1", "A shifted square", scope=whole())
def step():
    return Statement(variables={x: S.Reals}, then=(x - 1) ** 2 >= 0)

paper.unstated("theorem-9", "Everything converges", missing="convergence of everything")
bound = Statement(variables={x: Interval(0, 1)}, then=x * (1 - x) <= 1)
moving = Statement(variables={x0: Interval(1, 2)}, dynamics=gradient_descent(x**2 / 4, x, 1), start={x: x0},
                   then=Always(x <= x0))
"""
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "lemmas_mine.py").write_text(PAPER)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for key in ("draft", "lemmas_mine"):
        library.remove(key)


def verdicts(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, str]]:
    code = main([*arguments, "--json", "--effort", "quick"])
    answer = json.loads(capsys.readouterr().out)
    return code, {row["id"]: row["outcome"] for row in answer["verdicts"]}


def test_a_paper_of_ones_own_is_verified_with_its_corrections(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "lemmas_mine.py", "--json", "--effort", "quick"]) == 1
    rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)["verdicts"]}
    assert {id_: row["outcome"] for id_, row in rows.items()} == {
        "lemmas_mine/bound": "proved",
        "lemmas_mine/moving": "proved",
        "draft/lemma-1": "proved",
        "draft/lemma-2": "refuted",
        "draft/lemma-2.corrected": "proved",
        "draft/lemma-1#s1": "proved",
        "draft/theorem-9": "open",
    }
    assert "draft/lemma-2.corrected, proved" in rows["draft/lemma-2"]["correction"]
    assert rows["lemmas_mine/bound"]["source"]["label"] == "lemmas_mine.py:27"

    # a name chooses, --only hides, --changed knows what was decided, --fail-on counts what is open
    assert verdicts(capsys, "check", "lemmas_mine.py::lemma-2*", "--only", "refuted") == (
        1,
        {"draft/lemma-2": "refuted"},
    )
    assert verdicts(capsys, "check", "lemmas_mine.py::bound", "--changed") == (0, {})
    assert verdicts(capsys, "check", "lemmas_mine.py::theorem-9") == (0, {"draft/theorem-9": "open"})
    assert verdicts(capsys, "check", "lemmas_mine.py::theorem-9", "--fail-on", "open")[0] == 1
    (folder / "lemmas_mine.py").write_text(PAPER.replace("x * (1 - x) <= 1", "x * (1 - x) <= 2"))
    assert verdicts(capsys, "check", "lemmas_mine.py", "--changed") == (0, {"lemmas_mine/bound": "proved"})


def test_every_command_takes_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "lemmas_mine.py::moving"]) == 0
    assert capsys.readouterr().out.startswith("lemmas_mine/moving")
    assert main(["derive", "lemmas_mine.py::moving", "--effort", "quick"]) == 0
    assert "the derivative of the loss in x" in capsys.readouterr().out
    assert main(["cite", "lemmas_mine.py::lemma-1"]) == 0
    assert capsys.readouterr().out.startswith("@misc{draft}")
    assert main(["sharpen", "lemmas_mine.py::bound", "--effort", "quick"]) == 0
    assert "stated 1, best 1/4" in capsys.readouterr().out
    assert main(["steps", "lemmas_mine.py::lemma-1", "--effort", "quick"]) == 0
    assert "draft/lemma-1#s1" in capsys.readouterr().out
    assert main(["replay", "lemmas_mine.py::s1", "--effort", "quick"]) == 2
    assert "has nothing called s1: it states bound, moving, lemma-1" in capsys.readouterr().err
    assert main(["replay", "lemmas_mine.py::lemma-1#s1", "--effort", "quick"]) == 0
    assert capsys.readouterr().out.startswith("accepted")


def test_a_file_becomes_a_chapter_of_the_site(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", "lemmas_mine.py::moving", "-o", "moving.svg"]) == 0
    assert (folder / "moving.svg").stat().st_size > 1000
    assert main(["report", "lemmas_mine.py::lemma-2", "lemmas_mine.py::moving", "--effort", "quick", "-o", "site"]) == 0
    front = (folder / "site" / "index.html").read_text()
    assert "A draft on squares" in front
    assert "Squares and more." in front
    page = (folder / "site" / "draft" / "lemma-2.html").read_text()
    assert "counterexample" in page
    assert "@misc{draft}" in page
    assert "<math" in (folder / "site" / "lemmas_mine" / "moving.html").read_text()


@pytest.mark.parametrize(
    ("code", "limits", "said"),
    [
        ("import time\ntime.sleep(60)", Limits(timeout=1.5), "did not end within 1.5 seconds"),
        ("while True: pass", Limits(timeout=1.5), "did not end within 1.5 seconds"),
        ("import os\nos._exit(3)", Limits(), r"ended its process \(exit code 3\)"),
        ("import os\nos.kill(os.getpid(), 11)", Limits(), "killed by SIGSEGV"),
        ("x = bytearray(3 << 30)", Limits(memory=2000), "MemoryError; --memory allows more"),
        ("import sys\nsys.exit('enough')", Limits(), "running the file failed with SystemExit: enough"),
        ("from lemmascope_wrong import Statement", Limits(), "No module named"),
        ("x = 1", Limits(), "defines no Statement"),
    ],
    ids=["sleeps", "loops", "exits", "crashes", "fills memory", "leaves", "imports", "empty"],
)
def test_a_file_that_misbehaves_is_one_sentence(tmp_path: Path, code: str, limits: Limits, said: str) -> None:
    path = tmp_path / "odd.py"
    path.write_text(code)
    with pytest.raises(LemmascopeError, match=said):
        read(path, limits)


def test_a_file_cannot_take_the_place_of_a_built_in_paper(tmp_path: Path) -> None:
    path = tmp_path / "swing_by.py"
    path.write_text(HEAD + "a = Statement(variables={x: Reals}, then=x**2 >= 0)\n")
    with pytest.raises(LemmascopeError, match="give yours another key"):
        asked([str(path)])


def test_a_statement_that_takes_too_long_stays_open(tmp_path: Path) -> None:
    x = Symbol("x")
    hard = Statement(id="hard", variables={x: Interval(0, 99)}, then=sin(exp(x)) + cos(x**3) * sin(x**2) < Rational(2))
    (verdict,) = workers.run([Job.of(hard, effort="deep", folder=tmp_path)], workers=1, timeout=0.2)
    assert verdict.outcome is Outcome.OPEN
    assert "--timeout was over" in verdict.notes[0]


def test_bad_input_is_json_for_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "nothing.py"), "--json"]) == 2
    assert "there is no file" in json.loads(capsys.readouterr().out)["error"]


def test_a_local_theory_module_is_said_or_harmless(tmp_path: Path) -> None:
    (tmp_path / "theory.py").write_text("raise RuntimeError('not me')\n")
    (tmp_path / "lemmas.py").write_text(HEAD + "a = Statement(variables={x: Reals}, then=x**2 >= 0)\n")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LEMMASCOPE_HOME": str(tmp_path / "home")}
    start = [sys.executable, "-c", "import sys; sys.path.remove(''); from proofs_check.run.cli import main; main()"]
    shadowed = [sys.executable, "-m", "proofs_check", "check", "lemmas.py"]
    python = [sys.executable, "-c", "from proofs_check import verify"]
    options = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
    harmless = subprocess.run([*start, "check", "lemmas.py", "--effort", "quick"], timeout=1000, check=False, **options)
    assert "1 proved" in harmless.stdout, harmless.stderr
    for command in (shadowed, python):
        done = subprocess.run(command, timeout=1000, check=False, **options)
        assert done.returncode != 0
        assert "needs its own package theory, but Python finds" in done.stderr
        assert "rename that file" in done.stderr
