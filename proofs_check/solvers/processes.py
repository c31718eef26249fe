"""Solver processes with limits: started once, reused, killed when late. A crash is an answer of "unknown"."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

SOLVERS = ("z3", "cvc5")
_WORKER = Path(__file__).with_name("worker.py")
_GRACE = 0.5
"""Seconds that a solver may need to notice its own time limit."""

_idle: dict[tuple[str, int, int], list[Process]] = {}


class Process:
    """One solver process; it belongs to the process that started it."""

    def __init__(self, solver: str, memory: int) -> None:
        self.solver, self.memory = solver, memory
        self._buffer = b""
        inner, self._questions = os.pipe()
        self._answers, outer = os.pipe()
        self._child = subprocess.Popen(
            [sys.executable, "-I", str(_WORKER), solver, str(memory)],
            stdin=inner, stdout=outer, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(inner)
        os.close(outer)

    def fileno(self) -> int:
        """What to wait on."""
        return self._answers

    def ask(self, script: str, seconds: float) -> bool:
        """Send a question; False when the process is gone."""
        message = json.dumps({"script": script, "seconds": seconds}).encode() + b"\n"
        try:
            while message:
                message = message[os.write(self._questions, message) :]
        except OSError:
            return False
        return True

    def read(self) -> dict[str, Any] | None:
        """The answer when it is complete, None while it is not; a process that ended does not know."""
        chunk = os.read(self._answers, 1 << 16)
        if not chunk:
            return {"answer": "unknown", "why": "the solver ended"}
        self._buffer += chunk
        if b"\n" not in self._buffer:
            return None
        line, self._buffer = self._buffer.split(b"\n", 1)
        return dict(json.loads(line))

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._child.poll() is None

    def kill(self) -> None:
        """End the process and collect it."""
        self._child.kill()
        self._child.wait()
        os.close(self._questions)
        os.close(self._answers)


def installed() -> tuple[str, ...]:
    """The solvers that can be imported."""
    return tuple(name for name in SOLVERS if importlib.util.find_spec(name) is not None)


def race(
    scripts: Mapping[str, str],
    seconds: float,
    memory: int,
    enough: Callable[[dict[str, dict[str, Any]]], bool],
) -> dict[str, dict[str, Any]]:
    """Ask several solvers at once; stop when the answers so far are enough or the time is over.

    >>> question = "(set-logic QF_NRA)(declare-const v0 Real)(assert (< (* v0 v0) 0))(check-sat)"
    >>> answers = race({"z3": question, "cvc5": question}, 20, 1 << 30, lambda answers: len(answers) == 2)
    >>> sorted((name, answer["answer"]) for name, answer in answers.items())
    [('cvc5', 'unsat'), ('z3', 'unsat')]
    """
    answers: dict[str, dict[str, Any]] = {}
    running: dict[str, Process] = {}
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        try:
            for name, script in scripts.items():
                process = _take(name, memory)
                running[name] = process
                process.ask(script, seconds)
                selector.register(process, selectors.EVENT_READ, name)
            while running and (left := end + _GRACE - time.monotonic()) > 0:
                for key, _ in selector.select(left):
                    process = running[key.data]
                    answer = process.read()
                    if answer is not None:
                        answers[key.data] = answer
                        selector.unregister(process)
                        _give_back(running.pop(key.data))
                if enough(answers):
                    break
        finally:
            for process in running.values():
                process.kill()
    return answers


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
    for (_, _, owner), waiting in _idle.items():
        while owner == os.getpid() and waiting:
            waiting.pop().kill()


atexit.register(shut_down)
