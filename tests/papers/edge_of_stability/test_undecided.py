"""What the engines leave sampled or open says in its notes what a proof would need, or which parts of it are proved."""

from __future__ import annotations

import re

import pytest

from proofs_check import verify
from theory.library import Entry, find, premised

SAYS = re.compile(r"proof (of \S+ \S+ |in one piece |of the rest )?needs|Proved (in parts|for all)")
ENTRIES = {entry.id.split("/")[1]: entry for entry in find("edge_of_stability") if entry.is_stated}

LEFT = """
theorem-3.1.a remark-1.b theorem-3.4 proposition-3.corrected remark-5.a theorem-3.5 theorem-3.5.a proposition-4
proposition-4.almost-every theorem-3.5#b.101 theorem-3.5#n32.always theorem-3.3
theorem-3.3#q1.c theorem-3.3#b.25 theorem-3.3#b.26 theorem-3.3#q11.b lemma-b.2 lemma-b.2#v1.corrected
theorem-3.5#b.71 theorem-3.5#b.79 theorem-3.5#b.83.corrected theorem-3.5#n24 theorem-3.5#b.117
theorem-3.5#i22.corrected theorem-3.5#i26.corrected theorem-3.5#i30.corrected theorem-3.5#i32.corrected
theorem-3.5.stage-2.b#lower-balance theorem-3.5.stage-2.b#upper-product observation-2.corrected
figure-b.4.c figure-b.5.b
""".split()
"""What at least one run with standard effort, on a busy machine too, left undecided."""


@pytest.mark.parametrize("number", LEFT)
def test_the_notes_say_what_is_missing(number: str) -> None:
    assert SAYS.search(ENTRIES[number].statement().notes), ENTRIES[number].statement().notes


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_whatever_comes_out_undecided_says_so(entry: Entry) -> None:
    verdict = verify(premised(entry.id))
    assert verdict.decided or SAYS.search(entry.statement().notes)
