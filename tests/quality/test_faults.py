"""Crashes, starvation, full disks and interrupts end in honest verdicts and a ledger that can be read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sympy import Interval, Symbol

from proofs_check.budget import Budget
from proofs_check.evidence.ledger import Ledger
from proofs_check.evidence.replay import check as check_certificate
from proofs_check.referee.judge import verify
from theory.statements import Statement

GOOD = """
from sympy import *
from theory import *
x = Symbol("x")
good = Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)
also = Statement(variables={x: Interval(0, 1)}, then=x**3 <= x)
"""

HARD = """
from sympy import *
from theory import *
x, y, a, b, s = symbols("x y a b s")
unit = Interval(0, 1)
near = Statement(variables={x: unit, y: unit, a: Reals, b: Reals, s: Interval.Ropen(0, Rational(1, 6))},
                 given=(Eq(x**2 + y**2, 1), a**2 + b**2 <= s**2), then=x * (x * (a + 1) - y * b) >= x * (x - s))
"""
"""What only the solvers prove within the quick budget."""


def run_check(
    folder: Path, *, body: str = GOOD, sabotage: str = "", limit: str = ""
) -> subprocess.CompletedProcess[str]:
    """`lemmascope check` on a good file, in a process where something goes wrong."""
    (folder / "lemmas_good.py").write_text(body)
    (folder / "sitecustomize.py").write_text(sabotage)
    environment = os.environ | {"PYTHONPATH": str(folder), "LEMMASCOPE_HOME": str(folder / "home")}
    command = [
        sys.executable,
        "-m",
        "proofs_check",
        "check",
        str(folder / "lemmas_good.py"),
        "--effort",
        "quick",
        "--json",
    ]
    if limit:
        command = ["bash", "-c", f'{limit}; exec "$@"', "bash", *command]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=1000, check=False)


def outcomes(run: subprocess.CompletedProcess[str]) -> dict[str, dict[str, object]]:
    return {row["id"].partition("/")[2]: row for row in json.loads(run.stdout)["verdicts"]}


SABOTAGE = """
import proofs_check.engines.{engine}.search as engine
def decide(statement, budget):
    {act}
engine.decide = decide
"""


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("import os; os._exit(1)", "crashed"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "crashed"),
        ("return bytearray(1 << 40)", "ran out of memory"),
    ],
)
def test_a_failing_engine_is_named_and_the_others_go_on(tmp_path: Path, act: str, said: str) -> None:
    run = run_check(tmp_path, sabotage=SABOTAGE.format(engine="polynomial", act=act))
    rows = outcomes(run)
    assert {row["outcome"] for row in rows.values()} == {"proved"}, run.stderr
    assert all(row["engine"] != "polynomial" for row in rows.values())
    assert all(any(said in note for note in row["notes"]) for row in rows.values())


@pytest.mark.parametrize(
    ("error", "said"),
    [(MemoryError(), "ran out of memory"), (RuntimeError("boom"), "failed (RuntimeError: boom)")],
    ids=["memory", "boom"],
)
def test_an_engine_that_raises_is_named_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def decide(_statement: Statement, _budget: Budget) -> None:
        raise error

    monkeypatch.setattr("proofs_check.engines.polynomial.search.decide", decide)
    x = Symbol("x")
    verdict = verify(Statement(variables={x: Interval(0, 1)}, then=x**2 <= x), effort="quick")
    assert str(verdict.outcome) == "proved"
    assert verdict.engine != "polynomial"
    assert any(said in note for note in verdict.notes)


KILLING = """
import subprocess
start = subprocess.Popen.__init__
def dying(self, *arguments, **options):
    start(self, *arguments, **options)
    if "worker.py" in str(self.args):
        self.kill()
subprocess.Popen.__init__ = dying
"""

STARVING = """
import subprocess
start = subprocess.Popen.__init__
def starving(self, command, **options):
    if "worker.py" in str(command):
        command = ["bash", "-c", 'ulimit -v 100000; exec "$@"', "bash", *command]
    start(self, command, **options)
subprocess.Popen.__init__ = starving
"""


def test_killed_solvers_leave_an_honest_verdict(tmp_path: Path) -> None:
    rows = outcomes(run_check(tmp_path, sabotage=KILLING))
    assert {row["outcome"] for row in rows.values()} <= {"proved", "sampled", "open"}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"sabotage": KILLING}, "was killed while the engine polynomial waited"),
        ({"sabotage": STARVING}, "did not load"),
        ({"sabotage": "import sys\nsys.modules['z3'] = sys.modules['cvc5'] = None\n"}, "install z3 and cvc5"),
    ],
    ids=["killed", "starved", "not installed"],
)
def test_what_solvers_could_not_say_is_said_and_asked_again(tmp_path: Path, fault: dict[str, str], said: str) -> None:
    row = outcomes(run_check(tmp_path, body=HARD, **fault))["near"]
    assert row["outcome"] in ("sampled", "open")
    assert said in " ".join(map(str, row["notes"]))
    again = outcomes(run_check(tmp_path, body=HARD))["near"]
    assert (again["outcome"], again["engine"]) == ("proved", "polynomial")


def test_a_full_disk_costs_the_memory_and_not_the_verdict(tmp_path: Path) -> None:
    run = run_check(tmp_path, limit="ulimit -f 24")
    rows = outcomes(run)
    assert rows["good"]["outcome"] == "proved"


def test_an_interrupted_run_keeps_what_was_finished(tmp_path: Path) -> None:
    environment = os.environ | {"LEMMASCOPE_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "proofs_check", "verify", "edge_of_stability", "--effort", "quick"]
    # A shell without job control starts what runs in the background deaf to interrupts, and that is inherited.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        while process.poll() is None:  # however busy the machine is
            time.sleep(0.5)
            with Ledger(tmp_path / "home") as ledger:
                if len(ledger.verdicts()) > 5:
                    break
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=600)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 2
    assert "interrupted" in errors
    assert "Traceback" not in errors
    with Ledger(tmp_path / "home") as ledger:
        assert len(ledger.verdicts()) > 5
        assert ledger.warnings == []


def test_a_corrupted_certificate_is_rejected() -> None:
    x = Symbol("x")
    statement = Statement(id="c", variables={x: Interval(0, 1)}, then=x**2 <= x)
    certificate = dict(verify(statement, effort="quick").certificate or {})
    assert check_certificate(statement, certificate)[0] == "accepted"
    for damaged in ({}, {"kind": "os.system"}, {"kind": "nothing-known"}):
        assert check_certificate(statement, damaged)[0] == "rejected"
    false = statement.but(variables={x: Interval(0, 2)})
    assert check_certificate(false, certificate)[0] == "rejected"
