"""What a page shows beside the verdict: the formula, the derivation and the picture, made once and kept."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from proofs_check.fingerprint import fingerprint
from proofs_check.ledger import default_folder
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.report.typeset import Formula, formula
from proofs_check.verdict import Verdict
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import Scaling

_PATIENCE = 12.0
"""Seconds that a derivation or a picture of one statement may take."""

_KEPT = 24 * 3600.0
_AT_ONCE = 12
_FEW = 2


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


@dataclass(frozen=True)
class _Kept:
    """An exhibit as it is kept on disk: LaTeX only, so that markup is always made and checked anew."""

    latex: str = ""
    notes: str = ""
    lines: tuple[tuple[str, str, str], ...] = ()


def exhibits(verdicts: Sequence[Verdict], advance: Callable[[str], None]) -> dict[str, Exhibit]:
    """The exhibits of library statements, by id; many are made in several processes."""
    home = _home()
    if len(verdicts) <= _AT_ONCE:
        return dict(_some(verdicts, home))
    found: dict[str, Exhibit] = {}
    parts = [verdicts[start : start + _AT_ONCE] for start in range(0, len(verdicts), _AT_ONCE)]
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(mp_context=context) as pool, suppress(BrokenProcessPool):
        for future in as_completed([pool.submit(_some, part, home) for part in parts]):
            for id_, exhibit in future.result():
                found[id_] = exhibit
                advance(id_)
    return found


def _some(verdicts: Sequence[Verdict], home: Path) -> list[tuple[str, Exhibit]]:
    return [(verdict.id, _exhibit(verdict, home)) for verdict in verdicts]


def _home() -> Path:
    """The folder of this very code's exhibits; what other code left there is dropped after a day."""
    everything = default_folder() / "exhibits"
    home = everything / fingerprint()[:16]
    home.mkdir(parents=True, exist_ok=True)
    for other in everything.iterdir():
        if other != home and time.time() - other.stat().st_mtime > _KEPT:
            shutil.rmtree(other, ignore_errors=True)
    return home


def _exhibit(verdict: Verdict, home: Path) -> Exhibit:
    name = sha256(json.dumps([verdict.id, verdict.outcome, verdict.counterexample]).encode()).hexdigest()[:32]
    path, picture = home / f"{name}.json", home / f"{name}.svg"
    kept = _recall(path)
    if kept is None:
        kept = _make(verdict, picture)
        with suppress(OSError):
            path.write_text(json.dumps(asdict(kept)), encoding="utf-8")
    lines = tuple(Line(reason, known, formula(latex)) for reason, known, latex in kept.lines)
    return Exhibit(formula(kept.latex), kept.notes, lines, picture if picture.exists() else None)


def _recall(path: Path) -> _Kept | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        lines = tuple((str(reason), str(known), str(latex)) for reason, known, latex in data["lines"])
        return _Kept(str(data["latex"]), str(data["notes"]), lines)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _make(verdict: Verdict, picture: Path) -> _Kept:
    from theory.library import premised

    try:
        statement = premised(verdict.id)
    except LemmascopeError:
        return _Kept()
    if "#" in verdict.id and statement.dynamics is None:
        return _Kept(statement.latex(), statement.notes)
    lines: list[tuple[str, str, str]] = []
    with suppress(OutOfTimeError), at_most(_PATIENCE):
        lines.extend(_derivation(statement))
    if _worth_drawing(statement, verdict):
        with suppress(OutOfTimeError), at_most(_PATIENCE):
            _draw(statement, verdict, picture)
    return _Kept(statement.latex(), statement.notes, tuple(lines))


def _worth_drawing(statement: Statement, verdict: Verdict) -> bool:
    """A slice of an inequality in many variables is worth its time only where it shows the counterexample."""
    slice_only = statement.dynamics is None and statement.computed is None and not statement.then.atoms(Scaling)
    return not slice_only or len(statement.variables) <= _FEW or verdict.counterexample is not None


def _derivation(statement: Statement) -> Iterator[tuple[str, str, str]]:
    from proofs_check.derivation import checked_lines
    from proofs_check.terminal import summary_of

    for line in checked_lines(statement, "quick"):
        if line is not None:
            yield line.reason, summary_of(line.verdict), line.latex()


def _draw(statement: Statement, verdict: Verdict, path: Path) -> None:
    from proofs_check.plots.pictures import picture
    from proofs_check.plots.style import save

    try:
        save(picture(statement, verdict), path)
    except LemmascopeError:
        return
    except Exception:  # noqa: BLE001 - a picture that cannot be drawn must not cost the site
        path.unlink(missing_ok=True)
