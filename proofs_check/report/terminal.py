"""What a person sees: findings first, one line for each statement, colours that a pipe or NO_COLOR switches off."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from proofs_check import __version__
from proofs_check.report.coverage import covered
from proofs_check.verdict import Outcome, Verdict

# Blue and orange stay apart for every kind of colour vision; the word is always printed too.
_STYLE = {
    Outcome.PROVED: "bold blue",
    Outcome.REFUTED: "bold dark_orange",
    Outcome.VACUOUS: "bold magenta",
    Outcome.SUSPECT: "bold red",
    Outcome.SAMPLED: "cyan",
    Outcome.OPEN: "dim",
}


@cache
def console() -> Console:
    """Standard output."""
    return Console(soft_wrap=not sys.stdout.isatty())


@contextmanager
def progress(total: int, doing: str = "verifying", *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """On a terminal a live bar; on a pipe a line on standard error now and then, so that a log shows life."""
    errors = Console(stderr=True, soft_wrap=not sys.stderr.isatty())
    if quiet or total < 2:
        yield lambda _done: None
        return
    if not errors.is_terminal:
        yield _lines(total, doing, errors)
        return
    columns = (TextColumn("{task.description:<40.40}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done: bar.update(task, advance=1, description=done)


def _lines(total: int, doing: str, errors: Console) -> Callable[[str], None]:
    """The first line after two seconds, then one every ten, with the time left at the pace so far."""
    began = time.monotonic()
    due, count = began + 2, 0

    def advance(done: str) -> None:
        nonlocal due, count
        now, count = time.monotonic(), count + 1
        if now >= due:
            due = now + 10
            left = timedelta(seconds=round((now - began) * (total - count) / count))
            errors.print(f"{doing}: {count} of {total}, about {left} left, {done}", markup=False, highlight=False)

    return advance


def ticker(doing: str, *, quiet: bool = False) -> Callable[[str], None]:
    """A line on standard error for what was done last, the first after two seconds, then one every five."""
    errors = Console(stderr=True, soft_wrap=True)
    due = time.monotonic() + 2

    def tick(done: str) -> None:
        nonlocal due
        if not quiet and time.monotonic() >= due:
            due = time.monotonic() + 5
            errors.print(f"{doing}: {done}", markup=False, highlight=False)

    return tick


def show(verdicts: Sequence[Verdict], *, as_json: bool = False, only: Sequence[str] | None = None) -> None:
    """Print verdicts: the JSON object of the interface, or lines for a person, who reads the end first.

    `only` names the outcomes that are shown; the last lines count all of them.
    """
    shown = [verdict for verdict in verdicts if only is None or verdict.outcome in only]
    if as_json:
        print(as_text({"verdicts": [verdict.to_json() for verdict in shown]}))
        return
    findings = [verdict for verdict in shown if verdict.is_finding]
    rest = [verdict for verdict in shown if not verdict.is_finding]
    for verdict in rest:
        console().print(headline(verdict))
        for line in _notes(verdict) if len(shown) <= 12 or verdict.outcome is Outcome.OPEN else []:
            console().print(line)
    if findings and rest:
        console().print()
        console().print(Text(f"Findings ({len(findings)})", style="bold"))
    for verdict in findings:
        for line in details(verdict):
            console().print(line)
    table = by_paper(verdicts)
    if len(table.rows) > 1:
        console().print()
        console().print(table)
    for text in (summary(verdicts), *covered(verdicts)):
        console().print(Text(text, style="bold"))


def as_text(answer: Mapping[str, Any]) -> str:
    """An answer of the JSON interface, with the number of its schema and the version of the program."""
    return json.dumps({"schema": 2, "version": __version__, **answer}, indent=1)


def by_paper(verdicts: Sequence[Verdict]) -> Table:
    """How often each outcome occurs in each paper or file.

    >>> table = by_paper([Verdict(Outcome.PROVED, id="a/lemma-1"), Verdict(Outcome.OPEN, id="b/lemma-1")])
    >>> [column.header for column in table.columns], len(table.rows)
    (['', 'proved', 'open'], 2)
    """
    counts: dict[str, Counter[Outcome]] = {}
    for verdict in verdicts:
        counts.setdefault(verdict.id.partition("/")[0], Counter())[verdict.outcome] += 1
    reached = [outcome for outcome in Outcome if any(row[outcome] for row in counts.values())]
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for outcome in reached:
        table.add_column(str(outcome), justify="right", style=_STYLE[outcome], header_style=_STYLE[outcome])
    for paper, row in counts.items():
        table.add_row(paper, *(str(row[outcome] or "") for outcome in reached))
    return table


def summary(verdicts: Sequence[Verdict]) -> str:
    """One line that counts the outcomes.

    >>> summary([Verdict(Outcome.PROVED), Verdict(Outcome.PROVED), Verdict(Outcome.OPEN)])
    '3 statements: 2 proved, 1 open'
    """
    counts = Counter(verdict.outcome for verdict in verdicts)
    parts = [f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome]]
    noun = "statement" if len(verdicts) == 1 else "statements"
    return f"{len(verdicts)} {noun}: {', '.join(parts)}"


def summary_of(verdict: Verdict) -> str:
    """The verdict in a few words.

    >>> summary_of(Verdict(Outcome.PROVED, engine="identity"))
    'proved, identity'
    """
    return ", ".join(str(part) for part in (verdict.outcome, verdict.strength, verdict.engine) if part)


def headline(verdict: Verdict) -> Text:
    """One line: outcome, id, what it covers of the print, title, how it is known."""
    known = f"{verdict.strength}, {verdict.engine}" if verdict.strength else verdict.engine or ""
    if verdict.outcome in (Outcome.SAMPLED, Outcome.SUSPECT) and verdict.cases:
        known = f"{verdict.cases} cases, {verdict.engine}"
    line = Text(f"{verdict.outcome:<8}", style=_STYLE[verdict.outcome])
    line.append(f" {verdict.id}", style="default")
    if verdict.scope is not None:
        line.append(f"  ({verdict.scope})", style="bold" if verdict.scope.kind == "whole" else "italic")
    if verdict.title:
        line.append(f"  {verdict.title}", style="dim")
    if known:
        line.append(f"  [{known}, {verdict.seconds:.2f} s]", style="dim")
    return line


def details(verdict: Verdict) -> list[Text]:
    """The headline and, below it, the counterexample, the correction and the notes."""
    lines = [headline(verdict)]
    if verdict.source.get("label") and not verdict.source.get("paper"):
        lines.append(_indented("stated at", str(verdict.source["label"])))
    if verdict.counterexample:
        lines.append(_indented("counterexample", point(verdict.counterexample)))
    if verdict.correction:
        lines.append(_indented("nearest true statement", verdict.correction))
    lines += [_indented("can be sharpened", f"{name}: {value}") for name, value in verdict.sharper.items()]
    return lines + _notes(verdict)


def _notes(verdict: Verdict) -> list[Text]:
    return [_indented("note", note) for note in verdict.notes if note != str(verdict.scope)]


def _indented(label: str, text: str) -> Text:
    line = Text(f"         {label}: ", style="dim")
    line.append(text, style="default")
    return line


def point(values: object) -> str:
    """A point as `x = 1/2, K = 3`.

    >>> point({"x": "1/2", "K": "3"})
    'x = 1/2, K = 3'
    """
    return ", ".join(f"{name} = {value}" for name, value in dict(values).items())  # type: ignore[call-overload]
