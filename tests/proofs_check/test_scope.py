"""What a verdict covers of the print stands beside it in every output, and nothing of our own accuses the paper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sympy import S, Symbol

from proofs_check.referee.judge import verify
from proofs_check.report.coverage import covered, printed_theorems
from proofs_check.report.site import write_site
from proofs_check.run.cli import main
from proofs_check.verdict import Outcome, Verdict
from theory import library
from theory.errors import LemmascopeError
from theory.library import Entry, Paper
from theory.scope import Scope, case, own, part, unstated, whole
from theory.statements import Statement
from theory.trees import content_hash

x = Symbol("x")
SQUARE = Statement(variables={x: S.Reals}, then=x**2 >= 0)
FIELDS = (
    "id kind title statement scope source outcome strength trust engine coverage cases witness counterexample"
    " correction sharp certificate seconds notes"
)


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Entry]:
    paper = Paper("edge_of_stability", title="A demonstration", bibtex="@misc{demo}")
    paper.unstated("theorem-99", "Squares are positive in every dimension", missing="vectors of every size")
    paper.unstated("theorem-99#1", "A line of its proof", missing="norms")
    paper.statement("theorem-99.d-1", "Squares are positive", scope=case("d = 1"))(lambda: SQUARE)
    paper.statement("claim-99.a", "Squares are large", scope=own("a question"))(lambda: SQUARE.but(then=x**2 >= 1))
    known = {entry.id: (entry, paper) for entry in paper.entries}
    monkeypatch.setattr(library, "_homes", lambda: known)
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path / "home"))
    return paper.entries


@pytest.mark.parametrize(("kind", "text"), [("case", ""), ("part", " "), ("whole", "but one"), ("most", "of it")])
def test_a_scope_that_says_nothing_is_refused(kind: str, text: str) -> None:
    with pytest.raises(LemmascopeError, match="scope"):
        Scope(kind, text)


def test_the_scope_is_no_part_of_what_is_asked() -> None:
    assert content_hash(SQUARE) == content_hash(SQUARE.but(scope=case("one number")))


def test_a_verdict_carries_scope_statement_and_trust_and_comes_back_from_json() -> None:
    verdict = verify(SQUARE.but(id="mine/lemma-1", scope=case("one number")), effort="quick")
    row = verdict.to_json()
    assert list(row) == FIELDS.split()
    assert row["scope"] == {"kind": "case", "text": "one number"}
    assert row["coverage"] == "one number"
    assert row["trust"] == []
    assert "x^{2}" in row["statement"]
    assert Verdict.from_json(json.loads(json.dumps(row))).scope == case("one number")


def test_what_is_not_stated_is_open_without_an_engine(entries: list[Entry], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "edge_of_stability/theorem-99", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == 2
    (row,) = answer["verdicts"]
    assert (row["outcome"], row["engine"], row["statement"]) == ("open", None, None)
    assert row["notes"] == ["not stated: missing vectors of every size"]
    with pytest.raises(LemmascopeError, match="not stated: missing vectors of every size"):
        entries[0].statement()


def test_a_line_of_a_proof_that_is_not_stated_keeps_its_place(
    entries: list[Entry], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["steps", entries[0].id, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["verdicts"]
    assert row["id"] == entries[1].id
    assert row["scope"] == {"kind": "unstated", "text": "norms"}


def test_the_list_shows_the_scope(entries: list[Entry], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["scope"]["kind"] for row in answer["statements"]] == ["unstated", "unstated", "case", "own"]
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(entries)
    assert "case" in lines[2]
    assert "d = 1" in lines[2]


def test_the_site_shows_scope_and_difference_and_accuses_nobody_of_our_questions(
    entries: list[Entry], tmp_path: Path
) -> None:
    outcomes = (Outcome.OPEN, Outcome.OPEN, Outcome.PROVED, Outcome.REFUTED)
    verdicts = [Verdict(outcome, id=entry.id) for entry, outcome in zip(entries, outcomes, strict=True)]
    front = write_site(tmp_path / "site", entries, verdicts)
    text = front.read_text(encoding="utf-8")
    assert "Nothing was refuted" in text
    assert "theorems of the print: 1 in a case" in text
    page = (front.parent / "edge_of_stability" / "theorem-99.d-1.html").read_text(encoding="utf-8")
    assert 'class="scope case"' in page
    assert "Squares are positive in every dimension" in page
    assert "Only this case is stated: d = 1." in page
    assert 'href="theorem-99.html"' in page


def test_a_printed_theorem_is_counted_once_and_for_no_more_than_is_known() -> None:
    def verdict(number: str, outcome: Outcome, scope: Scope) -> Verdict:
        return Verdict(outcome, id=f"a/{number}", scope=scope)

    verdicts = [
        verdict("theorem-1", Outcome.OPEN, unstated("vectors")),
        verdict("theorem-1.d-2", Outcome.PROVED, case("d = 2")),
        verdict("theorem-1.d-3", Outcome.PROVED, case("d = 3")),
        verdict("lemma-2", Outcome.PROVED, whole()),
        verdict("lemma-2#1", Outcome.REFUTED, whole()),
        verdict("lemma-2.sharper", Outcome.REFUTED, own("a sharper bound")),
        verdict("lemma-3", Outcome.PROVED, part("the bound")),
        verdict("lemma-3.b", Outcome.REFUTED, part("the rate")),
        verdict("lemma-4", Outcome.OPEN, unstated("means")),
        verdict("figure-5", Outcome.PROVED, whole()),
    ]
    counts = {known: number for known, number in printed_theorems(verdicts).items() if number}
    assert counts == {"refuted": 1, "whole": 1, "case": 1, "unstated": 1}
    assert covered(verdicts)[1] == "theorems of the print: 1 refuted, 1 proved whole, 1 in a case, 1 not stated"
    assert covered([Verdict(Outcome.PROVED, id="mine/lemma-1")]) == []
