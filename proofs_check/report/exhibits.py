"""What a page shows beside the verdict: the formula, the derivation and the picture, typeset."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from proofs_check.evidence.ledger import default_folder
from proofs_check.report.keeping import home_in, keep
from proofs_check.report.typeset import Formula, formula
from proofs_check.verdict import Verdict
from theory.library import entry, is_own, premised
from theory.trees import Tree, encode_statement

_AT_ONCE = 12


@dataclass(frozen=True)
class Line:
    """One checked line of the derivation: why it holds, how that is known, and the formula."""

    reason: str
    known: str
    formula: Formula


@dataclass(frozen=True)
class Exhibit:
    """What can be shown of one statement; empty where there is nothing to show."""

    formula: Formula = field(default_factory=lambda: Formula("", ""))
    notes: str = ""
    lines: tuple[Line, ...] = ()
    picture: Path | None = None
    undrawn: str = ""


def exhibits(verdicts: Sequence[Verdict], advance: Callable[[str], None]) -> dict[str, Exhibit]:
    """The exhibits of library statements, by id; many are made in several processes."""
    home = home_in(default_folder())
    shown = [(verdict, _own_tree(verdict.id)) for verdict in verdicts]
    if len(shown) <= _AT_ONCE:
        return dict(_some(shown, home))
    found: dict[str, Exhibit] = {}
    parts = [shown[start : start + _AT_ONCE] for start in range(0, len(shown), _AT_ONCE)]
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(mp_context=context) as pool, suppress(BrokenProcessPool):
        for future in as_completed([pool.submit(_some, part, home) for part in parts]):
            for id_, exhibit in future.result():
                found[id_] = exhibit
                advance(id_)
    return found


def _own_tree(id_: str) -> Tree | None:
    """The statement as data where it was added to the library of this process, which others do not have."""
    return encode_statement(premised(id_)) if is_own(id_) and entry(id_).is_stated else None


def _some(shown: Sequence[tuple[Verdict, Tree | None]], home: Path) -> list[tuple[str, Exhibit]]:
    return [(verdict.id, _exhibit(verdict, home, tree)) for verdict, tree in shown]


def _exhibit(verdict: Verdict, home: Path, tree: Tree | None) -> Exhibit:
    kept = keep(verdict, home, tree)
    lines = tuple(Line(reason, known, formula(latex)) for reason, known, latex in kept.lines)
    picture = home / kept.picture if kept.picture else None
    return Exhibit(formula(kept.latex), kept.notes, lines, picture, kept.undrawn)
