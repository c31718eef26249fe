"""A hostile reader gets no wrong answer: textbook statements with known answers, mutants, and needless rewrites."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import corpus
import pytest
from mutations import is_denied, is_false, twins
from rewrites import complicated

from proofs_check.evidence.replay import replay
from proofs_check.goals import goal_of
from proofs_check.run.workers import Job, run
from proofs_check.verdict import Outcome, Verdict
from theory.library import papers, premised, stated
from theory.statements import Statement

DEEP = os.environ.get("LEMMASCOPE_PROFILE") == "deep"
EFFORT = "standard" if DEEP else "quick"


def verdicts(statements: dict[str, Statement], folder: Path) -> dict[str, Verdict]:
    """The verdicts at quick effort; in the deep profile what is left undecided is asked again with more of it."""
    found: dict[str, Verdict] = {}
    for effort in dict.fromkeys(("quick", EFFORT)):
        left = [name for name in statements if name not in found or not found[name].decided]
        jobs = [Job.of(statements[name].but(id=name), effort=effort, folder=folder) for name in left]
        found |= {verdict.id: verdict for verdict in run(jobs)}
    return {name: found[name] for name in statements}


def refused(statements: dict[str, Statement], folder: Path) -> list[dict[str, str]]:
    """The stored decisions that their checkers do not accept."""
    jobs = [Job.of(statement.but(id=name), effort=EFFORT, folder=folder) for name, statement in statements.items()]
    return [row for row in replay(jobs) if row["result"] != "accepted"]


WHOLE = {f"true/{name}": statement for name, statement in corpus.TRUE.items()}
WHOLE |= {f"false/{name}": statement for name, statement in corpus.FALSE.items()}
ASKED = 200
"""Statements of the corpus that the quick profile asks about; the deep one asks about all."""
REWRITTEN = (
    "square",
    "am-gm-2",
    "motzkin",
    "exp-tangent",
    "sin-below",
    "jordan",
    "triangle",
    "unit-circle",
    "binomial-4",
    "softplus-relu",
    "cubic-on-interval",
    "sharpness-of-minimum",
    "polyak",
    "tanh-below",
)
NAMED = {f"{kind}/{name}" for kind in ("true", "false") for name in REWRITTEN}
SAMPLED = NAMED | set(Random(7).sample(list(WHOLE), ASKED - len(NAMED)))  # noqa: S311 - a fixed choice
CASES = {name: statement for name, statement in WHOLE.items() if DEEP or name in SAMPLED}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ledger")


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, Verdict]:
    return verdicts(CASES, folder)


def test_the_corpus_is_large_enough() -> None:
    assert len(corpus.TRUE) >= 300
    assert len(corpus.FALSE) >= 300


def test_no_answer_about_the_corpus_is_wrong(answers: dict[str, Verdict]) -> None:
    wrong = [
        (name, verdict.outcome, verdict.engine, verdict.counterexample)
        for name, verdict in answers.items()
        if verdict.decided and verdict.outcome is not (Outcome.PROVED if name.startswith("true/") else Outcome.REFUTED)
    ]
    assert wrong == []


def test_nearly_everything_is_decided(answers: dict[str, Verdict], score: Callable[[str], None]) -> None:
    undecided = sorted(name for name, verdict in answers.items() if not verdict.decided)
    share = 1 - len(undecided) / len(answers)
    score(f"corpus: {share:.1%} of {len(answers)} decided at {EFFORT} effort; undecided: {', '.join(undecided)}")
    assert share >= (0.95 if DEEP else 0.9)


def test_every_decision_about_the_corpus_replays(answers: dict[str, Verdict], folder: Path) -> None:
    assert refused({name: CASES[name] for name, verdict in answers.items() if verdict.decided}, folder) == []


def test_proved_statements_have_a_witness(answers: dict[str, Verdict]) -> None:
    proved = [name for name, verdict in answers.items() if verdict.outcome is Outcome.PROVED and CASES[name].variables]
    without = [name for name in proved if not answers[name].witness]
    assert without == []


def test_mutants_that_are_false_are_not_proved_and_nearly_all_refuted(
    tmp_path: Path, score: Callable[[str], None]
) -> None:
    plain = {name: s for name, s in corpus.TRUE.items() if goal_of(s) is not None}
    chosen = dict(list(plain.items())[:: 1 if DEEP else 15])
    mutants = {f"{name}/{kind}": twin for name, s in chosen.items() for kind, twin in twins(s)}
    known_false = {name: is_false(twin) for name, twin in mutants.items()}
    found = verdicts(mutants, tmp_path)
    wrong = [name for name in mutants if known_false[name] and found[name].outcome is Outcome.PROVED]
    false = [name for name in mutants if known_false[name]]
    tally = Counter(str(found[name].outcome) for name in false)
    score(f"mutation score: {tally['refuted']} of {len(false)} false mutants refuted; in all {dict(tally)}")
    assert wrong == []
    assert len(false) > 30
    assert tally["refuted"] + tally["vacuous"] >= 0.95 * len(false)


@pytest.fixture(scope="module", params=papers() if DEEP else ["*"])
def library(request: pytest.FixtureRequest, folder: Path) -> dict[str, Statement]:
    """The proved ones among the plain statements of a paper, or of a fixed choice from all of them."""
    entries = stated(request.param)
    chosen = entries if DEEP else Random(4).sample(entries, 72)  # noqa: S311 - a fixed choice
    statements = {entry.id: premised(entry.id) for entry in chosen}
    plain = {name: statement for name, statement in statements.items() if goal_of(statement) is not None}
    found = verdicts(plain, folder)
    return {name: plain[name] for name, verdict in found.items() if verdict.outcome is Outcome.PROVED}


def test_every_proof_of_the_library_replays(library: dict[str, Statement], folder: Path) -> None:
    assert refused(library, folder) == []


def test_false_mutants_of_the_library_are_not_proved_and_nearly_all_refuted(
    library: dict[str, Statement], tmp_path: Path, score: Callable[[str], None]
) -> None:
    false = {
        f"{name}/{kind}": twin
        for name, statement in library.items()
        for kind, twin in list(twins(statement))[: None if DEEP else 3]
        if is_denied(kind, statement) or is_false(twin, tries=30)
    }
    answered = verdicts(false, tmp_path)
    tally = Counter(str(verdict.outcome) for verdict in answered.values())
    left = sorted(name for name, verdict in answered.items() if not verdict.decided)
    score(f"library: {tally['refuted']} of {len(false)} false mutants of {len(library)} refuted; left: {left}")
    assert [name for name, verdict in answered.items() if verdict.outcome is Outcome.PROVED] == []
    assert len(false) > 10
    assert tally["refuted"] + tally["vacuous"] >= 0.95 * len(false)


def some_rewrites(statements: dict[str, Statement], each: int) -> dict[str, Statement]:
    """A few rewrites of each statement, which take turns."""
    cases = {}
    for place, (name, statement) in enumerate(statements.items()):
        twins_ = list(complicated(statement).items())
        turn = place * each % max(1, len(twins_))
        cases |= {f"{name}/{rewrite}": twin for rewrite, twin in [*twins_[turn:], *twins_[:turn]][:each]}
    return cases


def report(found: dict[str, Verdict], lost: list[str], score: Callable[[str], None]) -> None:
    score(f"rewrites: {len(lost)} of {len(found)} lost their answer: {lost}")
    assert len(lost) <= 0.1 * len(found)


def test_needless_complications_do_not_change_the_outcome(
    answers: dict[str, Verdict], tmp_path: Path, score: Callable[[str], None]
) -> None:
    known = {
        f"{kind}/{name}": store[name]
        for kind, store in (("true", corpus.TRUE), ("false", corpus.FALSE))
        for name in REWRITTEN
    }
    found = verdicts(some_rewrites(known, 99 if DEEP else 3), tmp_path)
    contradictions = [
        (name, verdict.outcome)
        for name, verdict in found.items()
        if verdict.decided and verdict.outcome is not (Outcome.PROVED if name.startswith("true/") else Outcome.REFUTED)
    ]
    assert contradictions == []
    lost = [n for n, v in found.items() if not v.decided and answers["/".join(n.split("/")[:2])].decided]
    report(found, lost, score)


def test_needless_complications_of_the_library_do_not_change_the_outcome(
    library: dict[str, Statement], tmp_path: Path, score: Callable[[str], None]
) -> None:
    chosen = library if DEEP else {name: library[name] for name in list(library)[::4]}
    found = verdicts(some_rewrites(chosen, 2), tmp_path)
    assert len(found) > 10
    assert [name for name, verdict in found.items() if verdict.outcome is Outcome.REFUTED] == []
    report(found, [name for name, verdict in found.items() if not verdict.decided], score)
