"""Solver processes with limits: started once, reused, killed when late. A crash is an answer of "unknown"."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import select
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from proofs_check import clock
from proofs_check.budget import PATIENCE

SOLVERS = ("z3", "cvc5")
_WORKER = Path(__file__).with_name("worker.py")
_GRACE = 0.5
"""Seconds that a solver may need to notice its own time limit."""

_LOOK = 0.05
"""Seconds after which it is seen how much the solvers have computed."""

_LOADING = 30.0
"""Seconds within which a solver process must have loaded its library."""

lost: list[str] = []
"""The solvers that could not load or were killed by somebody else: what they did not say, they may say another time."""

_idle: dict[tuple[str, int, int], list[Process]] = {}


class Process:
    """One solver process; it belongs to the process that started it."""

    def __init__(self, solver: str, memory: int) -> None:
        self.solver, self.memory = solver, memory
        self._buffer = b""
        self._is_loaded = False
        self._asked = 0
        inner, self._questions = os.pipe()
        self._answers, outer = os.pipe()
        self._child = subprocess.Popen(
            [sys.executable, "-I", str(_WORKER), solver, str(memory)],
            stdin=inner, stdout=outer, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._is_over = False
        os.close(inner)
        os.close(outer)

    def fileno(self) -> int:
        """What to wait on."""
        return self._answers

    def load(self) -> bool:
        """Whether the solver can be asked, after waiting for it: on a busy machine that outlasts most answers."""
        end = time.monotonic() + _LOADING
        while not self._is_loaded and select.select([self], [], [], max(0.0, end - time.monotonic()))[0]:
            if self.read() is not None:
                return False
        if not self._is_loaded:
            lost.append(self.solver)
        return self._is_loaded

    def ask(self, script: str, seconds: float) -> bool:
        """Send a question under a new number; False when the process is gone."""
        self._asked += 1
        message = json.dumps({"id": self._asked, "script": script, "seconds": seconds}).encode() + b"\n"
        try:
            while message:
                message = message[os.write(self._questions, message) :]
        except OSError:
            return False
        return True

    def read(self) -> dict[str, Any] | None:
        """The answer to the last question when it is complete, None while it is not.

        What carries another number answers another question and is dropped; a process that ended does not know.
        """
        chunk = os.read(self._answers, 1 << 16)
        if not chunk:
            if not self._is_loaded or self._ending() == -signal.SIGKILL:
                lost.append(self.solver)
            return {"answer": "unknown", "why": "the solver ended"}
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        for line in lines:
            try:
                said = dict(json.loads(line))
            except (ValueError, TypeError):
                self._child.kill()
                return {"answer": "unknown", "why": "the solver did not answer in JSON"}
            self._is_loaded = self._is_loaded or "ready" in said
            if "answer" in said and said.get("id") == self._asked:
                return said
        return None

    def _ending(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._child.wait(_GRACE)
        return None

    @property
    def computed(self) -> float:
        """Seconds of computing so far, on a clock of its own; where the system does not tell, the wall's."""
        try:
            fields = Path(f"/proc/{self._child.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return time.monotonic()

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._child.poll() is None

    def kill(self) -> None:
        """End the process and collect it."""
        self._child.kill()
        self._child.wait()
        for end in (self._questions, self._answers):
            os.close(end)
        self._is_over = True

    def __del__(self) -> None:
        """An interrupt may come before anybody holds the process."""
        if not getattr(self, "_is_over", True):
            with suppress(OSError):
                self.kill()


def installed() -> tuple[str, ...]:
    """The solvers that can be imported."""
    return tuple(name for name in SOLVERS if importlib.util.find_spec(name) is not None)


Answers = dict[str, dict[str, Any]]


class Race:
    """Several solvers asked at once; leaving the context ends those that still think.

    >>> question = "(set-logic QF_NRA)(declare-const v0 Real)(assert (< (* v0 v0) 0))(check-sat)"
    >>> with Race({"z3": question, "cvc5": question}, 20, 1 << 30) as race:
    ...     answers = race.wait(20, lambda answers: len(answers) == 2)
    >>> sorted((name, answer["answer"]) for name, answer in answers.items())
    [('cvc5', 'unsat'), ('z3', 'unsat')]
    """

    def __init__(self, scripts: Mapping[str, str], seconds: float, memory: int) -> None:
        self.answers: Answers = {}
        self._running = {name: _take(name, memory) for name in scripts}
        self._selector = selectors.DefaultSelector()
        for name, process in list(self._running.items()):
            if not process.load():
                self._running.pop(name).kill()
                self.answers[name] = {"answer": "unknown", "why": "the solver did not load in time"}
                continue
            process.ask(scripts[name], PATIENCE * seconds)
            self._selector.register(process, selectors.EVENT_READ, name)
        self._end = time.monotonic() + PATIENCE * seconds + _GRACE

    def wait(self, seconds: float, enough: Callable[[Answers], bool]) -> Answers:
        """The answers that came within some seconds of computing; stops early when they are enough."""
        began = {name: process.computed for name, process in self._running.items()}
        spent = 0.0
        end = min(self._end, time.monotonic() + PATIENCE * seconds)
        while self._running and not enough(self.answers):
            left = end - time.monotonic()
            for key, _ in self._selector.select(max(0.0, min(left, _LOOK))):
                self._read(key.data)
            used = [process.computed - began[name] for name, process in self._running.items()]
            spent = max([spent, *used])
            if left <= 0 or (used and min(used) >= seconds):
                break
        clock.count(spent)
        return self.answers

    def _read(self, name: str) -> None:
        process = self._running[name]
        answer = process.read()
        if answer is not None:
            self.answers[name] = answer
            self._selector.unregister(process)
            _give_back(self._running.pop(name))

    @property
    def over(self) -> bool:
        """Whether every solver has answered."""
        return not self._running

    def __enter__(self) -> Race:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for process in self._running.values():
            process.kill()
            _give_back(Process(process.solver, process.memory))  # loads while nobody waits for it


def _take(name: str, memory: int) -> Process:
    waiting = _idle.setdefault((name, memory, os.getpid()), [])
    while waiting:
        process = waiting.pop()
        if process.alive:
            return process
        process.kill()
    return Process(name, memory)


def _give_back(process: Process) -> None:
    if process.alive:
        _idle.setdefault((process.solver, process.memory, os.getpid()), []).append(process)
    else:
        process.kill()


def shut_down() -> None:
    """End all idle solver processes of this process."""
    for (_, _, owner), processes in _idle.items():
        while owner == os.getpid() and processes:
            processes.pop().kill()


atexit.register(shut_down)
