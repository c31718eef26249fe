"""The ledger remembers answers, forgets nothing that was finished, and survives damage and malice."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from proofs_check.evidence.ledger import Ledger, key_of
from proofs_check.limits import OutOfTimeError
from proofs_check.run.workers import Job, finished, perform
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.errors import LemmascopeError

PROVED = Verdict(Outcome.PROVED, Strength.EXACT, "polynomial", witness={"x": "1/2"}, notes=("a note",), seconds=0.5)
PROVED = Verdict.from_json(PROVED.to_json())


def test_an_answer_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.store("k", "a/lemma-1", "polynomial", PROVED)
    with Ledger(tmp_path) as ledger:
        assert ledger.recall("k") == (PROVED,)
        assert ledger.recall("unknown") is None


def test_having_nothing_to_say_is_remembered_too(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.store("k", "a/lemma-1", "cover", None)
        assert ledger.recall("k") == (None,)


def test_a_key_depends_on_everything_that_could_change_the_answer() -> None:
    keys = {
        key_of(c, e, v, f) for c in "ab" for e in ("polynomial", "cover") for v in (1, 2) for f in ("quick", "deep")
    }
    assert len(keys) == 16


def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"this is not a database" * 100)
    with Ledger(tmp_path) as ledger:
        assert "set aside" in ledger.warnings[0]
        ledger.store("k", "a", "polynomial", PROVED)
        assert ledger.recall("k") == (PROVED,)
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_a_file_damaged_inside_is_set_aside_by_whoever_meets_it_first(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        for key in range(200):
            ledger.store(str(key), "a/lemma-1", "polynomial", PROVED)
    path = tmp_path / "ledger.sqlite"
    whole = bytearray(path.read_bytes())
    for page in range(2 * 4096, len(whole), 4096):
        whole[page : page + 4000] = b"\xff" * 4000
    path.write_bytes(bytes(whole))
    with Ledger(tmp_path) as first, Ledger(tmp_path) as second:
        for ledger in (first, second):
            assert ledger.recall("7") is None
            assert ledger.ids() <= {"b/lemma-2"}
            ledger.store("k", "b/lemma-2", "polynomial", PROVED)
            assert ledger.recall("k") == (PROVED,)
        assert "set aside" in " ".join(first.warnings)
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_one_changed_digit_of_a_row_is_noticed(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.store("k", "a", "polynomial", PROVED)
    with sqlite3.connect(tmp_path / "ledger.sqlite") as connection:
        connection.execute("UPDATE evidence SET answer = replace(answer, '1/2', '1/3')")
    connection.close()
    with Ledger(tmp_path) as ledger:
        assert ledger.recall("k") is None
        assert "damaged" in ledger.warnings[0]


@pytest.mark.parametrize(
    "answer",
    [
        "not json",
        '{"outcome": "proved"}',
        json.dumps(PROVED.to_json() | {"outcome": "certainly"}),
        json.dumps("__import__('os')._exit(3)"),
        json.dumps(["cos\nsystem\n(S'echo'\ntR."]),
    ],
)
def test_a_hostile_row_is_dropped_and_never_executed(tmp_path: Path, answer: str) -> None:
    with Ledger(tmp_path) as ledger:
        ledger.store("k", "a", "polynomial", PROVED)
    with sqlite3.connect(tmp_path / "ledger.sqlite") as connection:
        connection.execute("UPDATE evidence SET answer = ?", (answer,))
    connection.close()
    with Ledger(tmp_path) as ledger:
        assert ledger.recall("k") is None
        assert "damaged" in ledger.warnings[0]
        assert ledger.recall("k") is None


def test_a_folder_that_cannot_be_written_is_one_clear_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(LemmascopeError, match="LEMMASCOPE_HOME"):
        Ledger(blocked / "inside")


@pytest.mark.parametrize(
    ("error", "is_kept"), [(OutOfTimeError, True), (MemoryError, False), (ZeroDivisionError, False)]
)
def test_a_finished_verdict_is_kept_unless_something_failed_that_may_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], is_kept: bool
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("proofs_check.engines.identity.search.decide", fail)
    job = Job("edge_of_stability/corollary-2#i-ii", effort="quick", folder=tmp_path)
    verdict = perform(job)
    assert any("the engine identity" in note for note in verdict.notes)
    kept = finished([job])
    assert (job.id in kept) == is_kept
    assert not is_kept or kept[job.id].notes == verdict.notes
