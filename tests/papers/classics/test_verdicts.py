"""Classical results are not refuted, folklore is not proved, and random points agree; the deep profile takes all."""

from __future__ import annotations

import os

import pytest

from proofs_check import as_property_test, verify
from proofs_check.verdict import Outcome
from theory.classics import paper
from theory.library import premised

DEEP = os.environ.get("LEMMASCOPE_PROFILE") == "deep"
RESULTS = [entry.id for entry in paper.entries if not entry.title.startswith("Folklore")]
FOLKLORE = [entry.id for entry in paper.entries if entry.title.startswith("Folklore")]

QUICKLY_PROVED = """
classics/theorem-1.3 classics/theorem-1.13 classics/lemma-2.2 classics/theorem-2.24 classics/theorem-3.1
classics/proposition-3.4 classics/claim-4.14.corrected classics/corollary-4.16 classics/theorem-5.7
classics/claim-6.7.corrected classics/theorem-7.3 classics/lemma-8.1 classics/theorem-8.18
""".split()
"""One or two results of each chapter that are proved within a second or two."""

QUICKLY_REFUTED = """
classics/claim-2.5 classics/claim-3.20 classics/claim-6.7 classics/claim-7.8 classics/claim-8.10 classics/claim-8.32
""".split()

QUICKLY_DRAWN = """
classics/proposition-1.22 classics/claim-1.14.corrected classics/lemma-4.11 classics/lemma-5.13 classics/lemma-6.15
classics/theorem-1.3 classics/theorem-7.3 classics/proposition-7.6 classics/lemma-8.9 classics/proposition-8.17
""".split()

NOT_DRAWN = {
    "classics/claim-3.11.corrected": "no random point solves the equation of its critical points",
}
"""Results whose property test says nothing yet, and why."""


def drawn() -> list[str]:
    """Results whose points can be drawn: numbers, vectors and matrices, but no functions of a class."""
    points = [entry.id for entry in paper.entries if entry.id in RESULTS and not entry.statement().speaks_of_functions]
    return [id_ for id_ in points if id_ not in NOT_DRAWN]


@pytest.mark.parametrize("id_", RESULTS if DEEP else QUICKLY_PROVED)
def test_a_classical_result_is_not_refuted(id_: str) -> None:
    outcome = verify(premised(id_), effort="standard").outcome
    assert outcome is Outcome.PROVED or (DEEP and outcome in (Outcome.OPEN, Outcome.SAMPLED))


@pytest.mark.parametrize("id_", FOLKLORE if DEEP else QUICKLY_REFUTED)
def test_folklore_is_refuted(id_: str) -> None:
    assert verify(premised(id_), effort="standard").outcome is Outcome.REFUTED


@pytest.mark.parametrize("id_", drawn() if DEEP else QUICKLY_DRAWN)
@pytest.mark.sampled(2)
def test_random_points_agree(id_: str) -> None:
    as_property_test(premised(id_), max_examples=5)()
