"""The formula, the derivation and the picture of a library statement: made once and kept beside the ledger."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from proofs_check.evidence.fingerprint import fingerprint
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.report.arguments.passages import Length, at_length
from proofs_check.report.arguments.writer import argument
from proofs_check.report.derivation import checked_lines
from proofs_check.report.derivation_lines import needed
from proofs_check.report.terminal import summary_of
from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError
from theory.library import premised
from theory.statements import Statement
from theory.temporal import Scaling
from theory.trees import Tree, decode_statement

_PATIENCE = 4.0
"""Seconds of computing that a derivation or a picture of one statement may take."""

_ON_A_BUSY_MACHINE = 8
"""How many times as long it may take on the wall."""

SPEECHLESS = "The certificate was accepted, but its argument could not be put in words."

_Lines = Callable[[Statement, Verdict], Iterable[tuple[str, str, str]]]

_AGE = 24 * 3600.0
_FEW = 2


@dataclass(frozen=True)
class Kept:
    """What is kept on disk: LaTeX only, so that markup is always made and checked anew; `picture` is a file beside."""

    latex: str = ""
    notes: str = ""
    lines: tuple[tuple[str, str, str], ...] = ()
    undrawn: str = ""
    picture: str = ""


def home_in(folder: Path) -> Path:
    """The place of this very code's exhibits; what other code left there is dropped after a day."""
    everything = folder / "exhibits"
    home = everything / fingerprint()[:16]
    home.mkdir(parents=True, exist_ok=True)
    for other in everything.iterdir():
        if other != home and time.time() - other.stat().st_mtime > _AGE:
            shutil.rmtree(other, ignore_errors=True)
    return home


def keep(verdict: Verdict, home: Path, tree: Tree | None = None) -> Kept:
    """What is kept of a statement under a verdict, made now if it is not there yet; one's own comes as a tree."""
    name = sha256(json.dumps([verdict.id, verdict.outcome, verdict.counterexample, tree]).encode()).hexdigest()[:32]
    path = home / f"{name}.json"
    kept = _recall(path)
    if kept is None:
        kept = _make(verdict, home / f"{name}.svg", tree)
        with suppress(OSError):
            beside = path.with_suffix(".part")
            beside.write_text(json.dumps(asdict(kept)), encoding="utf-8")
            beside.replace(path)
    return kept


def _recall(path: Path) -> Kept | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        lines = tuple((str(reason), str(known), str(latex)) for reason, known, latex in data["lines"])
        return Kept(str(data["latex"]), str(data["notes"]), lines, str(data["undrawn"]), str(data["picture"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _make(verdict: Verdict, picture: Path, tree: Tree | None) -> Kept:

    try:
        statement = premised(verdict.id) if tree is None else decode_statement(tree)
    except LemmascopeError:
        return Kept()
    if "#" in verdict.id and statement.dynamics is None:
        return Kept(statement.latex(), statement.notes, _lines(statement, verdict, _argued))
    lines = _lines(statement, verdict, _derivation, _argued)
    undrawn = _draw(statement, verdict, picture) if _worth_drawing(statement, verdict) else ""
    drawn = picture.name if picture.exists() else ""
    return Kept(statement.latex(), statement.notes, lines, undrawn, drawn)


def _lines(statement: Statement, verdict: Verdict, *writers: _Lines) -> tuple[tuple[str, str, str], ...]:
    """What the writers say within their time."""
    lines: list[tuple[str, str, str]] = []
    try:
        with suppress(OutOfTimeError), at_most(_ON_A_BUSY_MACHINE * _PATIENCE, work=_PATIENCE):
            for writer in writers:
                lines.extend(writer(statement, verdict))
    except Exception:  # noqa: BLE001 - an argument that cannot be put in words must not cost the site
        lines.append((SPEECHLESS, "", ""))
    return tuple(lines)


def _worth_drawing(statement: Statement, verdict: Verdict) -> bool:
    """A slice of an inequality in many variables is worth its time only where it shows the counterexample."""
    slice_only = statement.dynamics is None and statement.computed is None and not statement.then.atoms(Scaling)
    return not slice_only or len(statement.variables) <= _FEW or verdict.counterexample is not None


def _derivation(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    needs = needed(statement, verdict.certificate, has_argument=bool(argument(statement, verdict)))
    for line in checked_lines(statement, needs, "quick"):
        if line is not None:
            yield line.reason, summary_of(line.verdict), line.latex()


def _argued(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    for passage in at_length(argument(statement, verdict), Length.DEFAULT):
        for _, part in passage.lines():
            yield part.text, "", part.formula


def _draw(statement: Statement, verdict: Verdict, path: Path) -> str:
    """Draw the picture; the answer is empty, or the sentence that says why there is none."""
    from proofs_check.report.plots.pictures import picture
    from proofs_check.report.plots.style import save

    beside = path.with_suffix(".part.svg")
    try:
        with at_most(_ON_A_BUSY_MACHINE * _PATIENCE, work=_PATIENCE):
            save(picture(statement, verdict), beside)
            beside.replace(path)
    except LemmascopeError as error:
        return str(error)
    except OutOfTimeError:
        return f"The picture takes longer than the report waits: lemmascope plot '{statement.id}' draws it."
    except Exception:  # noqa: BLE001 - a picture that cannot be written must not cost the site
        return "The picture could not be written."
    return ""
