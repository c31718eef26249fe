"""A corpus of motion: nothing false is proved, nothing true is refuted, and most statements are decided.

The quick profile asks about a few of them, the deep one about all.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import motion_corpus
import pytest

from proofs_check import verify
from proofs_check.verdict import Outcome, Verdict
from theory import Statement

DEEP = os.environ.get("LEMMASCOPE_PROFILE") == "deep"
EVERY = 1 if DEEP else 20
LEAST = 0.75


def sample(statements: dict[str, Statement]) -> dict[str, Statement]:
    return dict(list(statements.items())[::EVERY])


@pytest.fixture(scope="module")
def answers() -> dict[str, Verdict]:
    asked = sample(motion_corpus.TRUE) | sample(motion_corpus.FALSE)
    return {name: verify(statement, effort="standard") for name, statement in asked.items()}


def test_half_of_many_statements_are_false() -> None:
    assert len(motion_corpus.TRUE) == len(motion_corpus.FALSE) >= 60
    assert not motion_corpus.TRUE.keys() & motion_corpus.FALSE.keys()


def test_no_answer_is_wrong(answers: dict[str, Verdict]) -> None:
    outcomes = {name: verdict.outcome for name, verdict in answers.items()}
    wrong = [name for name in sample(motion_corpus.TRUE) if outcomes[name] in (Outcome.REFUTED, Outcome.VACUOUS)]
    wrong += [name for name in sample(motion_corpus.FALSE) if outcomes[name] in (Outcome.PROVED, Outcome.VACUOUS)]
    assert not wrong


def test_most_are_decided(answers: dict[str, Verdict], score: Callable[[str], None]) -> None:
    left = [name for name, verdict in answers.items() if verdict.outcome not in (Outcome.PROVED, Outcome.REFUTED)]
    share = 1 - len(left) / len(answers)
    score(f"motion: {share:.1%} of {len(answers)} decided at standard effort; undecided: {', '.join(left)}")
    assert share >= LEAST
