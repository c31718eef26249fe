"""Solvers that hang, crash, starve or are killed end in an honest "unknown", and the next question is answered."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

from sympy import S, symbols

from proofs_check.budget import Budget
from proofs_check.engines.polynomial import processes
from proofs_check.engines.polynomial import search as real
from proofs_check.goals import Goal
from proofs_check.verdict import Outcome

EASY = "(set-logic QF_NRA)(declare-const v0 Real)(assert (< (* v0 v0) 0))(check-sat)"
x, y = symbols("x y")


def hard():
    """A nonlinear integer question that nobody answers quickly."""
    lines = [f"(declare-const v{k} Int)" for k in range(3)]
    cubes = " ".join(f"(* v{k} v{k} v{k})" for k in range(3))
    return "\n".join(["(set-logic QF_NIA)", *lines, f"(assert (= (+ {cubes}) 114))", "(check-sat)"])


def test_the_time_limit_is_kept():
    began = time.monotonic()
    with processes.Race({"z3": hard(), "cvc5": hard()}, 0.5, 1 << 30) as race:
        answers = race.wait(0.5, lambda answers: len(answers) == 2)
    assert time.monotonic() - began < 3
    assert all(answer["answer"] == "unknown" for answer in answers.values())


def test_a_solver_that_does_not_notice_its_limit_ends_itself_though_nobody_waits() -> None:
    deaf = (
        "import sys; from proofs_check.engines.polynomial import worker\n"
        "def forever(script, seconds):\n    while True: pass\n"
        "worker.z3_answer, worker._GRACE, sys.argv = forever, 0.2, ['worker', 'z3', str(2 << 30)]\n"
        "worker.main()"
    )
    request = json.dumps({"script": "", "seconds": 0.1}) + "\n"
    done = subprocess.run([sys.executable, "-c", deaf], input=request, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGALRM


def test_a_killed_solver_does_not_know_and_is_replaced():
    process = processes.Process("z3", 1 << 30)
    process.kill()
    process = processes.Process("z3", 1 << 30)
    process._child.kill()
    process._child.wait()
    processes._give_back(process)
    with processes.Race({"z3": EASY}, 10, 1 << 30) as race:
        assert race.wait(10, bool)["z3"]["answer"] == "unsat"


def test_a_solver_killed_in_mid_flight_is_unknown():
    with processes.Race({"z3": hard()}, 10, 1 << 30) as race:
        race._running["z3"]._child.kill()
        assert race.wait(10, bool)["z3"]["answer"] == "unknown"


def test_a_starved_solver_is_unknown_and_nothing_is_proved():
    starved = Budget("quick", 2.0, 10, 10, memory=24 << 20)
    verdict = real.prove(Goal({x: S.Reals}, (), x**4 + 1 >= x), starved)
    assert verdict is None or verdict.certificate["kind"] == "products"


def test_nonsense_is_unknown():
    nonsense = "(set-logic QF_NRA)(assert (frobnicate))(check-sat)"
    with processes.Race({"z3": nonsense, "cvc5": nonsense}, 10, 1 << 30) as race:
        answers = race.wait(10, lambda answers: len(answers) == 2)
    assert {answer["answer"] for answer in answers.values()} == {"unknown"}


def test_one_solver_alone_proves_nothing(monkeypatch):
    goal = Goal({x: S.Reals, y: S.Reals}, (x > 0, y > 0), 1 / x + 1 / y > 0)
    monkeypatch.setattr(real, "installed", lambda: ("z3",))
    monkeypatch.setattr(real, "contradiction", lambda *_, **__: None)
    assert real.prove(goal, Budget.of("quick")) is None
    monkeypatch.undo()
    assert real.prove(goal, Budget.of("quick")).outcome is Outcome.PROVED
