"""Write the site: a front page with the findings, a page for each paper, a page for each statement."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from proofs_check.report.coverage import covered, known_theorems
from proofs_check.report.exhibits import Exhibit, exhibits
from proofs_check.report.explain import OUTCOMES, how_to_believe
from proofs_check.report.print_and_verdict import compare
from proofs_check.report.severity import SEVERITIES, severity
from proofs_check.report.symbols_in_text import symbols_in
from proofs_check.report.typeset import formula, paragraphs
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import Entry, nearest, paper_of, papers
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
        return self.entry.id.partition("/")[2] or self.entry.id

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
        return paper_of(self.entry.id).key

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
        page = {
            "paper": paper,
            "matters": _matters(own),
            "cards": own,
            "counts": counts,
            "covered": lines,
            "root": "../",
        }
        _write(environment, "paper.html", home / "index.html", **page)
        for part in paper.sections:
            inside = [card for card in own if card.entry.section == part.title]
            page = {"paper": paper, "part": part, "cards": inside, "counts": _counts(inside), "root": "../"}
            text = paragraphs(part.text)
            _write(environment, "section.html", home / section_page(part.title), paragraphs=text, **page)
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
    environment.filters["section_page"] = section_page
    environment.filters["said"] = said
    environment.globals["outcomes"] = {str(outcome): text for outcome, text in OUTCOMES.items()}
    return environment


def _write(environment: Any, template: str, path: Path, **context: Any) -> None:
    path.write_text(environment.get_template(template).render(**context), encoding="utf-8")


class Markup(str):
    """Text that is HTML already, as templates know it."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def said(text: str) -> Markup:
    """Running text with its symbols set as mathematics.

    >>> str(said("x < y")), "<math" in said("kappa grows")
    ('x &lt; y', True)
    """
    return Markup("".join(escape(part) if isinstance(part, str) else _symbol(part.latex) for part in symbols_in(text)))


@cache
def _symbol(latex: str) -> str:
    return formula(latex, "inline").mathml or escape(latex)


def section_page(title: str) -> str:
    """The file name of a chapter's page.

    >>> section_page("1 Quadratics and momentum")
    'section-1-quadratics-and-momentum.html'
    """
    return f"section-{'-'.join(re.findall('[a-z0-9]+', title.lower()))}.html"


def _counts(cards: Sequence[Card]) -> Mapping[str, int]:
    counts = Counter(str(card.verdict.outcome) for card in cards)
    return {str(outcome): counts[str(outcome)] for outcome in Outcome}


def _index(cards: Sequence[Card]) -> str:
    """What the search on the front page reads: a script, because a page opened from disk may fetch nothing."""
    rows = [
        [
            *(card.entry.id, card.entry.title, str(card.verdict.outcome), f"{card.paper}/{card.page}", card.scope),
            " ".join((card.entry.source.label, *(f"equation {tag}" for tag in card.entry.source.equations))),
        ]
        for card in cards
    ]
    return f"window.statements = {json.dumps(rows)};\n"


def _front(cards: Sequence[Card]) -> dict[str, Any]:
    by_paper = {
        key: {"paper": paper, "matters": _matters([card for card in cards if card.paper == key])}
        for key, paper in papers().items()
        if any(card.paper == key for card in cards)
    }
    verdicts = {card.entry.id: card.verdict for card in cards}
    weighed: dict[str, list[Card]] = {name: [] for name in SEVERITIES}
    for card in cards:
        if (weight := severity(card.verdict.but(id=card.entry.id), verdicts)) is not None:
            weighed[weight].append(card)
    return {
        "counts": _counts(cards),
        "covered": covered([card.verdict for card in cards]),
        "papers": by_paper,
        "severities": {name: found for name, found in weighed.items() if found},
        "severity_texts": SEVERITIES,
    }


def _matters(cards: Sequence[Card]) -> str:
    """One line: how far the printed theorems are known, and how many constants can be sharpened."""
    known = known_theorems([card.verdict.but(id=card.entry.id) for card in cards])
    sharper = sum(bool(card.verdict.sharper) for card in cards)
    parts = [*known, *([f"{sharper} with a sharper constant"] if sharper else [])]
    return ", ".join(parts) or ", ".join(f"{number} {name}" for name, number in _counts(cards).items() if number)


def _statement_page(card: Card, others: Sequence[Card]) -> dict[str, Any]:
    """What a page says beside its own card; `others` are all cards of the paper."""
    steps = [step for step in others if step.entry.id.startswith(f"{card.entry.id}#")]
    place = next(index for index, other in enumerate(others) if other is card)
    corrected = nearest(card.entry.id)
    number = next((other.entry for other in others if other.entry.id == card.entry.printed), None)
    return {
        "steps": steps,
        "first_false": next((step for step in steps if step.verdict.is_false), None),
        "previous": others[place - 1] if place else None,
        "next": others[place + 1] if place + 1 < len(others) else None,
        "corrected": next((other for other in others if other.entry.id == corrected), None),
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
