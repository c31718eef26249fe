"""`cite` names the paper and exactly the software that a verdict rests on, as BibTeX that can be pasted."""

from __future__ import annotations

import re

import pytest

from proofs_check.engines import ENGINES
from proofs_check.report.citations import RESTS_ON, SOFTWARE, citations
from proofs_check.run.cli import main
from theory.library import papers

ID = "edge_of_stability/corollary-2"


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{([\w-]+),", text, re.MULTILINE)


def test_every_engine_says_what_it_rests_on() -> None:
    assert set(RESTS_ON) == {*ENGINES, "coq"}
    assert {name for names in RESTS_ON.values() for name in names} <= set(SOFTWARE)


@pytest.mark.parametrize("entry", [*SOFTWARE.values(), *(paper.bibtex for paper in papers().values())])
def test_every_entry_is_whole(entry: str) -> None:
    assert len(keys(entry)) == 1
    assert entry.count("{") == entry.count("}")
    assert re.search(r"title\s*=\s*\{", entry)


def test_the_engine_is_cited_once_it_has_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", ID]) == 0
    before = keys(capsys.readouterr().out)
    assert before[1:] == ["sympy"]
    assert before[0] in papers()["edge_of_stability"].bibtex
    assert main(["verify", ID, "--effort", "quick"]) == 0
    capsys.readouterr()
    assert main(["cite", ID]) == 0
    after = keys(capsys.readouterr().out)
    assert after[:2] == before
    assert len(after) > len(before)
    assert len(after) == len(set(after))


def test_an_unknown_id_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", "edge_of_stability/corolary-2"]) == 2
    assert ID in capsys.readouterr().err


def test_a_printed_item_that_is_not_stated_is_cited_with_its_paper() -> None:
    assert citations("saddle_to_saddle/theorem-4")[0] == papers()["saddle_to_saddle"].bibtex
