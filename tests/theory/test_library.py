"""A statement that may be false points at a true one that the library states, and at no other than itself."""

from __future__ import annotations

import pytest
from sympy import Eq, Symbol

from theory import LemmascopeError, Matrices, Statement, Vectors, matrix, norm, vector
from theory.library import PAPERS, Entry, has, nearest, papers
from theory.statements import Source


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


def test_a_hypothesis_that_became_false_while_it_was_written_is_refused() -> None:
    """An equation of a vector of any size beside a matrix is one of different shapes, which SymPy calls False."""
    d, e = Symbol("d"), vector("e")
    A = matrix("A", d, d)

    def written(beside: object) -> Entry:
        given = (Eq(A * beside, beside),)
        domains = {A: Matrices(d, d), beside: Vectors(d)}
        return Entry("mine/lemma-1", "", Source(), lambda: Statement(variables=domains, given=given, then=norm(A) >= 0))

    with pytest.raises(LemmascopeError, match="hypothesis 1 of mine/lemma-1 became the constant False"):
        written(e).statement()
    assert written(matrix("e", d, 1)).statement().given
