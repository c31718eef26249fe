"""Every entry of a paper says what it covers of the print, and one under a printed number says what is printed."""

from __future__ import annotations

import pytest

from theory.library import PAPERS, Entry, papers

COMPLETE: set[str] = {"saddle_to_saddle", "graph_expressiveness", "associative_memory"}
"""The papers whose entries have all been compared with the print."""

NUMBERED = "theorem lemma proposition corollary definition remark observation conjecture assumption".split()


def _without_scope(key: str) -> list[str]:
    return [entry.id for entry in papers()[key].entries if entry.scope is None]


@pytest.mark.parametrize("key", PAPERS)
def test_every_entry_of_a_compared_paper_has_a_scope(key: str) -> None:
    missing = _without_scope(key)
    if key in COMPLETE:
        assert missing == [], f"{len(missing)} entries of {key} do not say what they cover"
    else:
        assert missing, f"every entry of {key} has a scope: name it in COMPLETE"


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
