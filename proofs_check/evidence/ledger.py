"""The ledger: verdicts already reached, in one SQLite file, keyed by what was asked and by whom it was answered.

A key joins the content hash of the statement, the engine, its version and the effort, so a changed statement or a
changed engine is looked at again and everything else is not. Rows are JSON with a digest and are parsed, never
executed; a row or a file that does not fit is set aside and said so.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError

SCHEMA = 2
_TABLE = """
CREATE TABLE IF NOT EXISTS evidence (
  key TEXT PRIMARY KEY, id TEXT NOT NULL, engine TEXT NOT NULL, answer TEXT NOT NULL, written REAL NOT NULL
)
"""


def default_folder() -> Path:
    """Where ledger and certificates live: $LEMMASCOPE_HOME, or .lemmascope in the current folder."""
    return Path(os.environ.get("LEMMASCOPE_HOME", ".lemmascope"))


def key_of(content: str, engine: str, version: int, effort: str) -> str:
    """The key of one engine's answer about one statement.

    >>> key_of("abc", "cover", 1, "quick") == key_of("abc", "cover", 2, "quick")
    False
    """
    return hashlib.sha256(f"{SCHEMA}|{content}|{engine}|{version}|{effort}".encode()).hexdigest()


class Ledger:
    """Stored answers; use it as a context manager.

    >>> import tempfile
    >>> from proofs_check.verdict import Outcome
    >>> with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder)) as ledger:
    ...     ledger.store("k", "demo/lemma-1", "cover", Verdict(Outcome.OPEN))
    ...     ledger.recall("k")[0].outcome
    <Outcome.OPEN: 'open'>
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else default_folder()
        self.path = self.folder / "ledger.sqlite"
        self.warnings: list[str] = []
        self._file: int | None = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
        except OSError as error:
            raise LemmascopeError(
                f"the ledger folder {self.folder} cannot be written ({error.strerror}):"
                " set LEMMASCOPE_HOME to a folder that can"
            ) from error

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.OperationalError as error:
            raise OSError(0, str(error)) from error
        except sqlite3.DatabaseError as error:
            return self._begun_anew(error)

    def _begun_anew(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        """An empty ledger in the place of a damaged one, unless another process was quicker."""
        if self._number() == self._file:
            aside = self.path.with_suffix(f".damaged-{int(time.time())}-{os.getpid()}")
            self.path.rename(aside)
            for rest in ("-wal", "-shm"):  # what was not yet in the file must not get into the new one
                Path(f"{self.path}{rest}").unlink(missing_ok=True)
            self.warnings.append(f"the ledger was damaged ({error}): set aside as {aside} and begun anew")
        return self._connect()

    def _number(self) -> int | None:
        """Which file has the name of the ledger now."""
        return self.path.stat().st_ino if self.path.exists() else None

    def _connect(self) -> sqlite3.Connection:
        self._file = self._number()
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_TABLE)
            connection.execute("SELECT key, id, engine, answer, written FROM evidence LIMIT 1").fetchall()
        except sqlite3.DatabaseError:
            connection.close()
            raise
        self._file = self._number()
        return connection

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def recall(self, key: str) -> tuple[Verdict | None] | None:
        """The stored answer in a one-tuple (an engine may have had nothing to say), or None when nothing is stored."""
        rows = self._rows("SELECT answer FROM evidence WHERE key = ?", key)
        if not rows:
            return None
        try:
            data = json.loads(_opened(rows[0][0]))
            return (None if data is None else Verdict.from_json(data),)
        except (ValueError, KeyError, TypeError):
            self.warnings.append("a row of the ledger was damaged: it was dropped and is computed again")
            with self._writing() as connection:
                connection.execute("DELETE FROM evidence WHERE key = ?", (key,))
            return None

    def store(self, key: str, id_: str, engine: str, verdict: Verdict | None) -> None:
        """Remember an answer; a disk that is full costs the memory, not the run."""
        answer = _sealed(json.dumps(None if verdict is None else verdict.to_json()))
        row = (key, id_, engine, answer, time.time())
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?, ?)", row)

    def _rows(self, question: str, *values: str) -> list[tuple[Any, ...]]:
        """The rows that answer a question; none where the file cannot be read."""
        try:
            return self._connection.execute(question, values).fetchall()
        except sqlite3.DatabaseError as error:
            self._cope(error, f"the ledger could not be read ({error}): the answer is computed again")
            return []

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection
        except sqlite3.DatabaseError as error:
            self._cope(error, f"the ledger could not be written ({error}): this answer is not remembered")

    def _cope(self, error: sqlite3.DatabaseError, said: str) -> None:
        """Say what is wrong; a file that is damaged, and not just full or busy, is exchanged for a new one."""
        self.warnings.append(said)
        if not isinstance(error, sqlite3.OperationalError):
            self._connection.close()
            self._connection = self._begun_anew(error)

    def ids(self) -> set[str]:
        """The statements of which something is stored."""
        return {id_ for (id_,) in self._rows("SELECT DISTINCT id FROM evidence")}

    def verdicts(self) -> list[dict[str, Any]]:
        """Everything stored, newest last, as JSON data; damaged rows are left out."""
        found = []
        for id_, engine, answer in self._rows("SELECT id, engine, answer FROM evidence ORDER BY written"):
            try:
                found.append({"id": id_, "engine": engine, "answer": json.loads(_opened(answer))})
            except ValueError:
                continue
        return found


def _sealed(text: str) -> str:
    """A text with its digest before it, by which damage is noticed.

    >>> _opened(_sealed("null"))
    'null'
    """
    return f"{hashlib.sha256(text.encode()).hexdigest()} {text}"


def _opened(sealed: str) -> str:
    digest, _, text = sealed.partition(" ")
    if digest != hashlib.sha256(text.encode()).hexdigest():
        raise ValueError("the row does not have its digest")
    return text
