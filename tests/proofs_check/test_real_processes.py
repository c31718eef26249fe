"""Solvers that hang, crash, starve or are killed end in an honest "unknown", and the next question is answered."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest
from sympy import S, symbols

from proofs_check import clock
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
    began = clock.now()
    with processes.Race({"z3": hard(), "cvc5": hard()}, 0.5, 1 << 30) as race:
        answers = race.wait(0.5, lambda answers: len(answers) == 2)
    assert 0.5 <= clock.now() - began < 3
    assert all(answer["answer"] == "unknown" for answer in answers.values())


def test_a_solver_that_does_not_notice_its_limit_ends_itself_though_nobody_waits() -> None:
    deaf = (
        "import sys; from proofs_check.engines.polynomial import worker\n"
        "def forever(script, seconds):\n    while True: pass\n"
        "worker.z3_answer, worker._GRACE, sys.argv = forever, 0.2, ['worker', 'z3', str(2 << 30)]\n"
        "worker.main()"
    )
    request = json.dumps({"id": 1, "script": "", "seconds": 0.1}) + "\n"
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


SOLVABLE = "(set-logic QF_NRA)(declare-const v0 Real)(assert (> (* v0 v0) 0))(check-sat)"
BOTH = ("z3", "cvc5")
MEMORY = (1 << 30) + 4096
"""An amount of memory of these tests alone: their processes are pooled apart from those of others."""


@pytest.fixture
def own_pool(monkeypatch):
    yield monkeypatch
    for key, pooled in processes._idle.items():
        while key[1] == MEMORY and pooled:
            pooled.pop().kill()


def said_to(script, names=BOTH):
    with processes.Race(dict.fromkeys(names, script), 20, MEMORY) as race:
        return {name: answer["answer"] for name, answer in race.wait(20, lambda answers: len(answers) == 2).items()}


def pooled_processes():
    return [process for key, pooled in processes._idle.items() if key[1] == MEMORY for process in pooled]


def test_a_solver_that_did_not_load_in_time_is_unknown_is_not_pooled_and_never_answers_the_next_question(own_pool):
    own_pool.setattr(processes, "_LOADING", 0.0)
    for question in (EASY, SOLVABLE, EASY):
        assert said_to(question) == dict.fromkeys(BOTH, "unknown")
        assert pooled_processes() == []
    assert processes.lost[-2:] == list(BOTH)
    own_pool.undo()
    for question, right in ((SOLVABLE, "sat"), (EASY, "unsat"), (SOLVABLE, "sat"), (SOLVABLE, "sat"), (EASY, "unsat")):
        assert said_to(question) == dict.fromkeys(BOTH, right)


TALKATIVE = {
    "the answer to the question before comes first": "say(id - 1, 'unsat'); say(id, 'sat')",
    "the answer to the question before comes in the same breath": "say(id - 1, 'unsat', ''); say(id, 'sat')",
    "the answer to a question that was not asked": "say(id + 1, 'unsat'); say(id, 'sat')",
    "an answer without a number": "say(None, 'unsat'); say(id, 'sat')",
    "an answer too many after the right one": "say(id, 'sat'); say(id, 'unsat')",
    "a second greeting": "greet(); say(id, 'sat')",
    "an answer that comes late, to another question": "time.sleep(0.3 * id); say(id - 1, 'unsat'); say(id, 'sat')",
    "an answer in two halves": "say(id - 1, 'unsat'); halves(id, 'sat')",
    "a number as a text": "say(str(id), 'unsat'); say(id, 'sat')",
}


@pytest.mark.parametrize("habit", TALKATIVE)
def test_an_answer_belongs_to_its_question_or_is_dropped(habit, own_pool, tmp_path):
    worker = tmp_path / "worker.py"
    worker.write_text(
        "import json, sys, time\n"
        "def say(id, answer, end='now'):\n"
        "    print(json.dumps({'id': id, 'answer': answer}), flush=bool(end))\n"
        "def greet(): print(json.dumps({'ready': True}), flush=True)\n"
        "def halves(id, answer):\n"
        "    text = json.dumps({'id': id, 'answer': answer})\n"
        "    print(text[:9], end='', flush=True); time.sleep(0.1); print(text[9:], flush=True)\n"
        "greet()\n"
        "for line in sys.stdin:\n"
        "    id = json.loads(line)['id']\n"
        f"    {TALKATIVE[habit]}\n"
    )
    own_pool.setattr(processes, "_WORKER", worker)
    for _ in range(3):
        assert said_to(SOLVABLE, ("z3", "cvc5")) == dict.fromkeys(BOTH, "sat")
    assert all(process._asked == 3 for process in pooled_processes())


def test_a_solver_that_says_no_object_is_unknown_and_ended(own_pool, tmp_path):
    for answer in ("7", "[1, 2]", "null", "unsat"):
        worker = tmp_path / "worker.py"
        worker.write_text(f"print('{{\"ready\": true}}', flush=True)\ninput()\nprint({answer!r}, flush=True)\ninput()")
        own_pool.setattr(processes, "_WORKER", worker)
        assert said_to(SOLVABLE) == dict.fromkeys(BOTH, "unknown")
