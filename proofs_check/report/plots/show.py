"""A picture as an object that shows itself in a notebook and saves itself to a file."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from proofs_check.evidence.ledger import default_folder
from proofs_check.passes.noise import without_noise
from proofs_check.passes.sizes import at_one_size, sizes_of
from proofs_check.referee.judge import verify
from proofs_check.report.plots.pictures import picture
from proofs_check.report.plots.sizes import at_a_size, several_sizes
from proofs_check.report.plots.style import save
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import premised
from theory.statements import Statement

_FORMATS = (".svg", ".pdf", ".png")


@dataclass(frozen=True)
class Picture:
    """A figure in the house style."""

    figure: Any

    def save(self, path: Path | str) -> Path:
        """Write the picture; the ending chooses the format."""
        target = Path(path)
        if target.suffix.lower() not in _FORMATS:
            raise LemmascopeError(f"{target} does not end in .svg, .pdf or .png: choose one of these formats")
        save(self.figure, target)
        return target

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.figure.savefig(buffer, format="png", dpi=80)
        return buffer.getvalue()


def plot(subject: str | Statement, verdict: Verdict | None = None, *, over: str | None = None) -> Picture:
    """The picture that belongs to a statement, given itself or by its id.

    With a verdict its counterexample or witness is drawn too; without one the statement is verified quickly first.
    Statements about vectors, matrices and families are drawn at several sizes at once, those that move at one.
    With `over` it is the bifurcation diagram of the map over the parameter of that name.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> plot(Statement(id="demo", variables={x: Interval(0, 1)}, then=x**2 <= x)).figure.axes[0].get_ylabel()
    'margin (holds above 0)'
    """
    statement = without_noise(premised(subject) if isinstance(subject, str) else subject)
    if over is None and statement.dynamics is None and _is_of_every_size(statement):
        return Picture(several_sizes(statement))
    if statement.speaks_of_families:
        statement = at_one_size(statement, dict.fromkeys(sizes_of(statement), 2))
    if statement.speaks_of_spaces and not statement.speaks_of_functions:
        return Picture(picture(at_a_size(statement), verdict or Verdict(Outcome.OPEN), over))
    if over is not None:
        return Picture(picture(statement, verdict or Verdict(Outcome.OPEN), over))
    known = verdict or verify(statement, effort="quick", folder=default_folder())
    return Picture(picture(statement, known))


def _is_of_every_size(statement: Statement) -> bool:
    return statement.speaks_of_families or (statement.speaks_of_spaces and not statement.speaks_of_functions)
