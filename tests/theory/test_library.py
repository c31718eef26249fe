"""A statement that may be false points at a true one that the library states, and at no other than itself."""

from __future__ import annotations

import pytest

from theory.library import PAPERS, has, nearest, papers


@pytest.mark.parametrize("key", PAPERS)
def test_the_nearest_statement_exists_and_is_another_one(key: str) -> None:
    for number, other in papers()[key].nearest.items():
        assert has(f"{key}/{number}"), number
        assert has(f"{key}/{other}"), other
        assert other != number
        assert not has(f"{key}/{number}.corrected"), number
        assert nearest(f"{key}/{number}") == f"{key}/{other}"


def test_a_corrected_version_is_the_nearest_one() -> None:
    assert nearest("swing_by/lemma-d.5") == "swing_by/lemma-d.5.corrected"
    assert nearest("mine/lemma-1") is None
