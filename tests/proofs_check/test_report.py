"""The site opens from disk: every link resolves, findings come first, and foreign text is escaped everywhere."""

from __future__ import annotations

import json
import multiprocessing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from proofs_check.report.site import write_site
from proofs_check.report.typeset import formula
from proofs_check.run import workers
from proofs_check.run.cli import main
from proofs_check.run.workers import Job
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.library import Entry, find
from theory.statements import Source

HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)>"
PATTERN = "edge_of_stability/corollary-*"


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.targets += [value for name, value in attrs if name in ("href", "src") and value]


def parsed(page: Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    entries = find(PATTERN)
    outcomes = [Outcome.PROVED, Outcome.REFUTED, Outcome.SAMPLED, Outcome.OPEN, Outcome.VACUOUS]
    verdicts = [
        Verdict(
            outcomes[place % 5],
            Strength.EXACT if place % 5 == 0 else None,
            "polynomial",
            id=entry.id,
            counterexample={"x": HOSTILE} if place % 5 == 1 else None,
            correction=HOSTILE if place % 5 == 1 else None,
            sharp={"c": {"stated": "1", "best": HOSTILE}} if place % 5 == 0 else None,
            notes=(HOSTILE,),
        )
        for place, entry in enumerate(entries)
    ]
    hostile = [Entry(entry.id, HOSTILE, Source(entry.source.paper, HOSTILE), entry.build) for entry in entries[:2]]
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, [*hostile, *entries[2:]], verdicts)
    return folder


def test_every_link_resolves(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) >= len(find(PATTERN)) + 2
    for page in pages:
        for target in parsed(page).targets:
            assert not target.startswith(("http", "//")), target
            file, _, place = target.partition("#")
            assert (page.parent / file).exists(), (page, target)
            assert not place or f'id="{place}"' in page.read_text(encoding="utf-8"), (page, target)


def test_foreign_text_is_escaped_on_every_page(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        assert "<img src=x" not in text
    assert any("&lt;script&gt;" in page.read_text(encoding="utf-8") for page in site.rglob("*.html"))


def test_the_front_page_has_papers_and_findings_by_severity_and_is_small(site: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    assert front.index("Papers") < front.index("Findings") < front.index("How to read a verdict")
    assert front.index("A theorem, proposition or corollary is false") < front.index("a constant can be sharpened")
    assert len(front) < 300_000
    rows = json.loads(
        (site / "index.js").read_text(encoding="utf-8").removeprefix("window.statements = ").strip(" ;\n")
    )
    assert {row[0] for row in rows} == {entry.id for entry in find(PATTERN)}


def test_a_page_shows_the_derivation_and_the_picture_and_they_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path / "home"))
    entries = find("edge_of_stability/theorem-3.3")
    verdicts = [Verdict(Outcome.PROVED, Strength.EXACT, "motion", id=entries[0].id)]
    made: list[list[int]] = []
    for _ in range(2):
        write_site(tmp_path / "site", entries, verdicts)
        page = tmp_path / "site" / "edge_of_stability" / "theorem-3.3.html"
        assert '<ol class="derivation">' in page.read_text(encoding="utf-8")
        assert page.with_suffix(".svg").read_bytes().startswith(b"<?xml")
        made.append([path.stat().st_mtime_ns for path in sorted((tmp_path / "home" / "exhibits").rglob("*.*"))])
    assert len(made[0]) == 2
    assert made[0] == made[1]


def test_mathematics_is_set_and_can_be_copied(site: Path) -> None:
    pages = list((site / "edge_of_stability").glob("corollary-*.html"))
    assert all("<math" in page.read_text(encoding="utf-8") for page in pages)
    assert all('id="latex"' in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("latex", [r"\text{<script>}", r"x < y", r"a \& b", r"\href{javascript:alert(1)}{x}"])
def test_only_plain_mathml_is_let_through(latex: str) -> None:
    markup = formula(latex).mathml
    assert "<script" not in markup
    assert "javascript" not in markup


def test_the_command_says_where_the_report_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["report", "edge_of_stability/corollary-2", "--effort", "quick", "-o", str(tmp_path / "out")]
    assert main(arguments) == 0
    assert str(tmp_path / "out" / "index.html") in capsys.readouterr().out
    assert (tmp_path / "out" / "edge_of_stability" / "corollary-2.html").exists()


def test_pages_are_prepared_while_verifying_and_a_missing_picture_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path / "home"))
    ids = ("edge_of_stability/corollary-2", "edge_of_stability/corollary-3")
    jobs = [Job(id_, effort="quick", page=True) for id_ in ids]
    first = next(iter(workers.run(jobs, workers=1)))
    verdicts = {first.id: first} | {verdict.id: verdict for verdict in workers.run(jobs, workers=1)}
    kept = list((tmp_path / "home" / "exhibits").rglob("*.json"))
    assert len(kept) >= 1  # the last one is not waited for

    def refuse(*_: object) -> None:
        raise ValueError("no <ink>")

    monkeypatch.setattr("proofs_check.report.plots.pictures.picture", refuse)
    entries = find("edge_of_stability/theorem-3.3")
    write_site(tmp_path / "site", entries, [Verdict(Outcome.OPEN, id=entries[0].id)])
    page = (tmp_path / "site" / "edge_of_stability" / "theorem-3.3.html").read_text(encoding="utf-8")
    assert "The picture could not be written." in page
    assert "ValueError" not in page
    assert set(verdicts) == {job.id for job in jobs}


def test_a_worker_lost_while_preparing_a_page_costs_no_verdict(tmp_path: Path) -> None:
    ids = ("swing_by/equation-2.1", "swing_by/equation-d.2")
    jobs = [Job(id_, effort="quick", folder=tmp_path, page=True) for id_ in ids]
    reached = []
    for verdict in workers.run(jobs, workers=1):
        reached.append(verdict)
        for child in multiprocessing.active_children():
            child.kill()  # between its verdict and the next
    assert [verdict.id for verdict in reached] == [job.id for job in jobs]
    assert all(verdict.decided for verdict in reached)
