"""Write the site: a front page with the findings, a page for each paper, a page for each statement."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from proofs_check.report.coverage import covered
from proofs_check.report.exhibits import Exhibit, exhibits
from proofs_check.report.explain import OUTCOMES, how_to_believe
from proofs_check.report.print_and_verdict import compare
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import Entry, nearest, papers
from theory.scope import KINDS


@dataclass(frozen=True)
class Card:
    """One statement as the templates see it."""

    entry: Entry
    verdict: Verdict
    exhibit: Exhibit

    @property
    def number(self) -> str:
        """The id without the paper."""
        return self.entry.id.partition("/")[2]

    @property
    def page(self) -> str:
        """The file name of the statement's page."""
        return "".join(c if c.isalnum() or c in "-._" else "_" for c in self.number) + ".html"

    @property
    def picture(self) -> str:
        """The file name of the statement's picture."""
        return Path(self.page).stem + ".svg"

    @property
    def paper(self) -> str:
        """The key of the paper, which is also its folder."""
        return self.entry.source.paper

    @property
    def is_step(self) -> bool:
        """Whether it is a step of a proof."""
        return "#" in self.entry.id

    @property
    def scope(self) -> str:
        """The kind of its scope, where it is known."""
        return self.entry.scope.kind if self.entry.scope is not None else ""


def write_site(
    folder: Path,
    entries: Sequence[Entry],
    verdicts: Sequence[Verdict],
    advance: Callable[[str], None] = lambda _id: None,
) -> Path:
    """Write the whole site and return its front page; `advance` hears of each statement that is ready to be shown."""
    environment = _environment()
    shown = exhibits(verdicts, advance)
    cards = [
        Card(entry, verdict.but(scope=entry.scope), shown.get(entry.id, Exhibit()))
        for entry, verdict in zip(entries, verdicts, strict=True)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("site.css", "site.js"):
        source = files("proofs_check.report") / "static" / name
        (folder / name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "index.js").write_text(_index(cards), encoding="utf-8")
    _write(environment, "front.html", folder / "index.html", **_front(cards), root="")
    for key in dict.fromkeys(card.paper for card in cards):
        own = [card for card in cards if card.paper == key]
        home = folder / key
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        paper = papers()[key]
        counts = _counts(own)
        lines = covered([card.verdict for card in own])
        page = {"paper": paper, "cards": own, "counts": counts, "covered": lines, "root": "../"}
        _write(environment, "paper.html", home / "index.html", **page)
        for card in own:
            context = _statement_page(card, own)
            if card.exhibit.picture is not None:
                shutil.copyfile(card.exhibit.picture, home / card.picture)
            _write(environment, "statement.html", home / card.page, card=card, paper=paper, **context, root="../")
    return folder / "index.html"


def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise LemmascopeError("the report needs the extra `report`: pip install 'lemmascope[report]'") from error
    loader = PackageLoader("proofs_check.report", "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["scopes"] = KINDS
    environment.globals["outcomes"] = {str(outcome): text for outcome, text in OUTCOMES.items()}
    return environment


def _write(environment: Any, template: str, path: Path, **context: Any) -> None:
    path.write_text(environment.get_template(template).render(**context), encoding="utf-8")


def _counts(cards: Sequence[Card]) -> Mapping[str, int]:
    counts = Counter(str(card.verdict.outcome) for card in cards)
    return {str(outcome): counts[str(outcome)] for outcome in Outcome}


def _index(cards: Sequence[Card]) -> str:
    """What the search on the front page reads: a script, because a page opened from disk may fetch nothing."""
    rows = [
        [card.entry.id, card.entry.title, str(card.verdict.outcome), f"{card.paper}/{card.page}", card.scope]
        for card in cards
    ]
    return f"window.statements = {json.dumps(rows)};\n"


def _front(cards: Sequence[Card]) -> dict[str, Any]:
    by_paper = {
        key: {"paper": paper, "counts": _counts([card for card in cards if card.paper == key])}
        for key, paper in papers().items()
        if any(card.paper == key for card in cards)
    }
    findings = [card for card in cards if card.verdict.is_finding]
    return {
        "counts": _counts(cards),
        "covered": covered([card.verdict for card in cards]),
        "papers": by_paper,
        "refuted": [card for card in findings if card.verdict.outcome is Outcome.REFUTED],
        "suspect": [card for card in findings if card.verdict.outcome is Outcome.SUSPECT],
        "vacuous": [card for card in findings if card.verdict.outcome is Outcome.VACUOUS],
        "sharpened": [card for card in findings if card.verdict.sharper],
    }


def _statement_page(card: Card, others: Sequence[Card]) -> dict[str, Any]:
    """What a page says beside its own card; `others` are all cards of the paper."""
    steps = [step for step in others if step.entry.id.startswith(f"{card.entry.id}#")]
    number = next((other.entry for other in others if other.entry.id == card.entry.printed), None)
    return {
        "steps": steps,
        "first_false": next((step for step in steps if step.verdict.is_false), None),
        "belief": how_to_believe(card.verdict),
        "comparison": compare(card.entry, card.verdict, number),
        "related": [other for other in others if other is not card and _is_related(card, other)],
    }


def _is_related(card: Card, other: Card) -> bool:
    """Whether one is the other's correction, or they belong to one printed number; a step belongs to its proof."""
    if nearest(card.entry.id) == other.entry.id or nearest(other.entry.id) == card.entry.id:
        return True
    if card.is_step:
        return other.entry.id == card.entry.id.partition("#")[0]
    return not other.is_step and other.entry.printed == card.entry.printed
