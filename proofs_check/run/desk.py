"""A desk: one process that keeps the engines warm and answers questions, within limits on time, memory and size."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from proofs_check.run.answers import answer, warm_up
from proofs_check.run.processes import context, limit_memory
from theory.errors import LemmascopeError

Event = Callable[[str, float], None]

MOST_BYTES = 200_000
"""How long a question may be."""
SECONDS = 120.0
"""How long an answer may take where nobody says otherwise."""
MEGABYTES = 6 << 10


class Desk:
    """Answers questions one after another in a process of its own; one that takes too long or crashes is replaced.

    It may be used from several threads.
    """

    def __init__(self, *, seconds: float = SECONDS, memory: int = MEGABYTES) -> None:
        self.seconds, self.memory = seconds, memory
        self._lock = threading.Lock()
        self._channel: Connection | None = None
        self._process: Any = None

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process, which loads the engines; without it the first question waits for that."""
        with self._lock:
            self._open()

    def ask(self, action: str, question: Mapping[str, Any], event: Event = lambda _engine, _seconds: None) -> Any:
        """The answer; `event` hears which engine is at work and for how long it may be.

        Raises LemmascopeError with a sentence for questions that cannot be answered.
        """
        asked = json.dumps([action, dict(question)]).encode()
        if len(asked) > MOST_BYTES:
            raise LemmascopeError(f"the question has {len(asked)} bytes: {MOST_BYTES} are the most")
        with self._lock:
            channel = self._open()
            end = time.monotonic() + self.seconds
            try:
                channel.send_bytes(asked)
                return self._answer(channel, end, event)
            except (EOFError, ConnectionError, OSError):
                self._drop()
                raise LemmascopeError("answering ended the process: it crashed or ran out of memory") from None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._drop()

    def _answer(self, channel: Connection, end: float, event: Event) -> Any:
        while True:
            if not channel.poll(max(0.0, end - time.monotonic())):
                self._drop()
                raise LemmascopeError(f"the answer took longer than {self.seconds:g} seconds and was stopped")
            kind, *values = json.loads(channel.recv_bytes())
            if kind == "engine":
                event(str(values[0]), float(values[1]))
            elif kind == "answer":
                return values[0]
            else:
                raise LemmascopeError(str(values[0]))

    def _open(self) -> Connection:
        if self._channel is None or not self._process.is_alive():
            self._drop()
            ours, theirs = context().Pipe()
            self._process = context().Process(target=_serve, args=(theirs, self.memory, dict(os.environ)), daemon=True)
            self._process.start()
            theirs.close()
            self._channel = ours
        return self._channel

    def _drop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._channel is not None:
            self._channel.close()
        self._process = self._channel = None


def _serve(channel: Connection, memory: int, surroundings: dict[str, str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(surroundings)  # the server that forks has those of its first start
    os.dup2(2, 1)  # standard output belongs to the protocol of the parent
    limit_memory(memory)
    warm_up()
    while True:
        try:
            action, question = json.loads(channel.recv_bytes())
        except (EOFError, ConnectionError):
            return
        said = _said(action, question, channel)
        channel.send_bytes(json.dumps(said).encode())


def _said(action: str, question: Mapping[str, Any], channel: Connection) -> tuple[str, Any]:
    def watch(engine: str, seconds: float) -> None:
        channel.send_bytes(json.dumps(("engine", engine, seconds)).encode())

    try:
        return "answer", answer(action, question, watch)
    except LemmascopeError as error:
        return "refused", str(error)
    except MemoryError:
        return "refused", "the answer needs more memory than is allowed"
    except Exception as error:  # noqa: BLE001 - one question must not cost the desk
        return "refused", f"the question could not be answered ({type(error).__name__}: {error})"
