"""The classics read like a textbook: chapters in order, rising numbers, an origin for each result, true neighbours."""

from __future__ import annotations

import re

import pytest

from theory.classics import paper
from theory.library import Entry, nearest, printed
from theory.trees import content_hash

NUMBER = re.compile(r"classics/[a-z]+-(\d+)\.(\d+)(\.[a-z]+)?")
FOLKLORE = [entry for entry in paper.entries if entry.title.startswith("Folklore")]


def place(entry: Entry) -> tuple[int, int]:
    found = NUMBER.fullmatch(entry.id)
    assert found, entry.id
    return int(found[1]), int(found[2])


def test_numbers_rise_through_eight_chapters() -> None:
    places = [place(entry) for entry in paper.entries]
    assert places == sorted(places)
    assert sorted({chapter for chapter, _ in places}) == list(range(1, 9))
    assert len({(printed(entry.id), place(entry)) for entry in paper.entries}) == len(set(places)), (
        "a number used twice"
    )


def test_every_entry_stands_in_the_chapter_of_its_number() -> None:
    titles = [part.title for part in paper.sections]
    assert [title.split()[0] for title in titles] == [str(number) for number in range(1, 9)]
    assert [entry.id for entry in paper.entries if int(entry.section.split()[0]) != place(entry)[0]] == []


@pytest.mark.parametrize("part", paper.sections, ids=lambda part: part.title)
def test_a_chapter_opens_with_its_model_what_is_sharp_and_what_folklore_gets_wrong(part: object) -> None:
    text = part.text  # type: ignore[attr-defined]
    assert len(text.split("\n\n")) == 3
    assert "Sharp here" in text
    assert "Folklore" in text
    assert text.count("$") % 2 == 0


def test_every_result_names_its_origin_and_folklore_has_none() -> None:
    assert [entry.id for entry in paper.entries if bool(entry.origin) is (entry in FOLKLORE)] == []


def test_folklore_has_a_true_neighbour() -> None:
    assert len(FOLKLORE) >= 10
    ids = {entry.id for entry in paper.entries}
    neighbours = {entry.id: nearest(entry.id) for entry in FOLKLORE}
    assert [id_ for id_, other in neighbours.items() if other not in ids] == []


def test_no_two_entries_say_the_same() -> None:
    statements = [entry.statement() for entry in paper.entries]
    assert len(statements) >= 120
    hashes: dict[str, str] = {}
    for statement in statements:
        other = hashes.setdefault(content_hash(statement), statement.id)
        assert other == statement.id
    formulas = {statement.latex() for statement in statements}
    assert len(formulas) == len(statements)
