"""Every entry of a paper says what it covers of the print, and one under a printed number says what is printed."""

from __future__ import annotations

import pytest

from theory.errors import LemmascopeError
from theory.library import PAPERS, Entry, Paper, papers

NUMBERED = "theorem lemma proposition corollary definition remark observation conjecture assumption".split()


def test_an_entry_without_a_scope_is_refused() -> None:
    paper = Paper("demo", title="A demonstration", bibtex="@misc{demo}")
    with pytest.raises(LemmascopeError, match="does not say what it covers of the print"):
        paper.statement("lemma-1", "A lemma")
    with pytest.raises(LemmascopeError, match="does not say what it covers of the print"):
        paper.step("lemma-1", "1", "A line of its proof")


@pytest.mark.parametrize("key", PAPERS)
def test_every_entry_has_a_scope(key: str) -> None:
    assert [entry.id for entry in papers()[key].entries if entry.scope is None] == []


@pytest.mark.parametrize("key", PAPERS)
def test_what_falls_short_of_a_number_says_what_is_printed(key: str) -> None:
    entries = papers()[key].entries
    known = {entry.id: entry for entry in entries}

    def falls_short(entry: Entry) -> bool:
        return entry.kind in NUMBERED and entry.scope is not None and entry.scope.kind in ("case", "part", "measured")

    silent = [
        entry.id
        for entry in entries
        if falls_short(entry) and not entry.claims and (entry.printed == entry.id or entry.printed not in known)
    ]
    assert silent == [], "give claims=, or register the number itself"
