"""Solvers that the kernel asks do not outlive the question, however it ends."""

from __future__ import annotations

import signal
import subprocess

import pytest

from proofs_check.kernel import oracle
from proofs_check.limits import OutOfTimeError, at_most

QUESTION = "(set-logic QF_NRA)(declare-const x Real)(assert (< (* x x) 0))(check-sat)"
THINKING = dict.fromkeys(("z3", "cvc5"), "import time\ntime.sleep(60)")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """The processes that are started from here on; they think for a minute."""
    seen: list[subprocess.Popen[str]] = []
    start = oracle._started

    def watched(name: str, question: str, seconds: int) -> subprocess.Popen[str]:
        seen.append(start(name, question, seconds))
        return seen[-1]

    monkeypatch.setattr(oracle, "_LINES", THINKING)
    monkeypatch.setattr(oracle, "_started", watched)
    return seen


def test_an_interrupted_question_leaves_no_solver_behind(started: list[subprocess.Popen[str]]) -> None:
    with pytest.raises(OutOfTimeError), at_most(1.0):
        oracle.answers(QUESTION, 60)
    assert len(started) == 2
    assert all(child.poll() is not None for child in started)


def test_solvers_that_are_late_say_nothing_and_are_ended(
    started: list[subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "_PATIENCE", 0.5)
    assert oracle.answers(QUESTION, 1) == {}
    assert len(started) == 2
    assert all(child.poll() is not None for child in started)


def test_solvers_that_compute_for_too_long_end_however_late_it_is(
    started: list[subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "_LINES", dict.fromkeys(THINKING, "while True: pass"))
    assert oracle.answers(QUESTION, 1) == {}
    assert [child.returncode for child in started] == [-signal.SIGKILL] * 2
