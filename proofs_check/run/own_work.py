"""One's own files beside the library: run in a process with limits, so that none can hang, crash or fill the memory.

What a file states comes back as data, never as code, and is added to the library of this process; from then on every
command treats it like a built-in chapter.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from proofs_check.report.terminal import ticker
from proofs_check.run.files import chapters
from proofs_check.run.processes import context, limit_memory
from theory.errors import LemmascopeError
from theory.library import Entry, Paper, add, find
from theory.scope import Scope
from theory.statements import Source, Statement
from theory.trees import Tree, decode_statement, encode_statement

_ENDING = ".py"


@dataclass(frozen=True)
class Limits:
    """What running a file, or deciding one statement, may take: seconds (none: the defaults) and megabytes."""

    timeout: float | None = None
    memory: int | None = None

    @classmethod
    def of(cls, options: argparse.Namespace) -> Limits:
        """The limits that a command was given."""
        return cls(getattr(options, "timeout", None), getattr(options, "memory", None))


FILE_SECONDS = 60.0
"""Seconds that running a file may take where nobody says otherwise."""


def asked(texts: Sequence[str], limits: Limits | None = None) -> list[Entry]:
    """The entries that ids, patterns and files name: `paper/lemma-*`, `FILE.py` or `FILE.py::name`.

    Files are run and added to the library; a file without a name means everything that it states. Without a text
    everything that is built in is meant.
    """
    chosen: dict[str, Entry] = {}
    for text in texts:
        entries = _of_file(text, limits or Limits()) if is_file(text) else find(text)
        chosen |= {entry.id: entry for entry in entries}
    return list(chosen.values()) if texts else find()


def is_file(text: str) -> bool:
    """Whether a text means a file, perhaps with a name in it.

    >>> is_file("lemmas_mine.py"), is_file("lemmas_mine.py::convex"), is_file("swing_by/lemma-d.1")
    (True, True, False)
    """
    return text.partition("::")[0].endswith(_ENDING)


def _of_file(text: str, limits: Limits) -> list[Entry]:
    path, _, name = text.partition("::")
    found = read(Path(path), limits)
    for chapter in found:
        add(chapter)
    entries = [entry for chapter in found for entry in chapter.entries]
    if not name:
        return entries
    chosen = [entry for entry in entries if _is_called(entry.id, name)]
    if not chosen:
        names = ", ".join(entry.id.partition("/")[2] or entry.id for entry in entries[:12])
        raise LemmascopeError(f"{path} has nothing called {name}: it states {names}")
    return chosen


def _is_called(id_: str, name: str) -> bool:
    return any(fnmatch.fnmatchcase(known, name) for known in (id_, id_.partition("/")[2]))


def read(path: Path, limits: Limits | None = None) -> list[Paper]:
    """The chapters of a file, which is run in a process of its own; one that does not end well is one sentence."""
    allowed = limits or Limits()
    ours, theirs = context().Pipe()
    process = context().Process(target=_run, args=(theirs, str(path), allowed.memory), daemon=True)
    process.start()
    theirs.close()
    try:
        kind, answer = _answer(ours, process, path, allowed.timeout or FILE_SECONDS)
    finally:
        process.kill()
        process.join()
        ours.close()
    if kind == "refused":
        raise LemmascopeError(answer)
    found = [_decoded(chapter) for chapter in answer]
    if not any(chapter.entries for chapter in found):
        raise LemmascopeError(f"{path} defines no Statement: assign one to a name, for example lemma = Statement(...)")
    return found


def _answer(channel: Connection, process: Any, path: Path, seconds: float) -> tuple[str, Any]:
    tick, end = ticker(f"running {path}"), time.monotonic() + seconds
    while not channel.poll(min(1.0, seconds)):
        tick(f"{max(0, round(end - time.monotonic()))} s left")
        if time.monotonic() > end:
            raise LemmascopeError(
                f"{path}: running the file did not end within {seconds:g} seconds: shorten what it computes,"
                " or allow more with --timeout"
            )
    try:
        kind, answer = json.loads(channel.recv_bytes())
    except (EOFError, ConnectionError):
        process.join(5)
        raise LemmascopeError(f"{path}: running the file ended its process ({_ending(process.exitcode)})") from None
    return str(kind), answer


def _ending(code: int | None) -> str:
    """How a process ended, in words.

    >>> _ending(-11), _ending(3)
    ('killed by SIGSEGV', 'exit code 3')
    """
    if code is not None and code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


def _run(channel: Connection, path: str, memory: int | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # what the file prints must not get into the output of the command
    limit_memory(memory)
    answer: tuple[str, Any]
    try:
        answer = ("papers", [_encoded(chapter) for chapter in chapters(Path(path))])
    except LemmascopeError as error:
        answer = ("refused", _said(str(error)))
    except MemoryError:
        answer = ("refused", _said(f"{path}: running the file failed with MemoryError"))
    except Exception as error:  # noqa: BLE001 - a builder of a paper may fail in every way
        answer = ("refused", f"{path}: a statement could not be built ({type(error).__name__}: {error})")
    channel.send_bytes(json.dumps(answer).encode())  # no pickle: the file shares the channel with us


def _said(sentence: str) -> str:
    return f"{sentence}; --memory allows more" if "MemoryError" in sentence else sentence


def _encoded(chapter: Paper) -> dict[str, Any]:
    return {
        "key": chapter.key,
        "title": chapter.title,
        "bibtex": chapter.bibtex,
        "nearest": dict(chapter.nearest),
        "sections": [[part.steps.to_json(), part.title, part.text] for part in chapter.sections],
        "entries": [_encoded_entry(entry) for entry in chapter.entries],
    }


def _encoded_entry(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "title": entry.title,
        "source": [entry.source.paper, entry.source.label, list(entry.source.equations)],
        "scope": None if entry.scope is None else entry.scope.to_json(),
        "words": [entry.claims, entry.origin, entry.section],
        "tree": encode_statement(entry.statement()) if entry.is_stated else None,
    }


def _decoded(data: dict[str, Any]) -> Paper:
    chapter = Paper(str(data["key"]), title=str(data["title"]), bibtex=str(data["bibtex"]))
    chapter.nearest |= data["nearest"]
    for steps, title, text in data["sections"]:
        chapter.section(steps=Scope(**steps), title=str(title), text=str(text))
    for row in data["entries"]:
        paper, label, equations = row["source"]
        build: Callable[[], Statement] | None = None if row["tree"] is None else partial(_decode, row["tree"])
        source = Source(str(paper), str(label), tuple(equations))
        scope = Scope.from_json(row["scope"])
        chapter.entries.append(Entry(str(row["id"]), str(row["title"]), source, build, scope, *map(str, row["words"])))
    return chapter


def _decode(tree: Tree) -> Statement:
    return decode_statement(tree)
