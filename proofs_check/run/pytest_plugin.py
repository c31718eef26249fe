"""pytest collects every Statement of a `theorems_*.py` or `lemmas_*.py` file as a test.

Proved and sampled statements pass; refuted, vacuous and suspect ones fail with what is wrong; open ones are skipped
with what was tried. With -v each passing test says PROVED or SAMPLED. `--lemmascope-effort` sets how hard the engines
try, `--lemmascope-require proved` lets only proofs pass. What was decided is kept in the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_PREFIXES = ("theorems_", "lemmas_")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --lemmascope-effort and --lemmascope-require."""
    parser.addoption(
        "--lemmascope-require", choices=("sampled", "proved"), default="sampled", help="what a statement needs to pass"
    )
    parser.addoption("--lemmascope-effort", default="quick", help="quick, standard or deep (default: quick)")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect statement files."""
    if file_path.suffix == ".py" and file_path.name.startswith(_PREFIXES):
        return StatementFile.from_parent(parent, path=file_path)
    return None


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Tell a proof from a search that found nothing."""
    outcome = dict(report.user_properties).get("lemmascope") if hasattr(report, "user_properties") else None
    if report.when != "call" or not report.passed or outcome is None:
        return None
    return "passed", "." if outcome == "proved" else "~", str(outcome).upper()


class StatementFile(pytest.File):
    """A file of statements."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each statement; one with a scope has its kind in brackets."""
        from proofs_check.run.files import load
        from theory.errors import LemmascopeError

        try:
            statements = load(self.path)
        except LemmascopeError as error:
            raise self.CollectError(str(error)) from error
        for statement in statements:
            covers = f"[{statement.scope.kind}]" if statement.scope is not None else ""
            yield StatementItem.from_parent(self, name=f"{statement.id}{covers}", statement=statement)


class StatementError(Exception):
    """A statement is refuted, vacuous or suspect."""


class StatementItem(pytest.Item):
    """One statement, verified."""

    def __init__(self, *, statement: Any, **options: Any) -> None:
        super().__init__(**options)
        self.statement = statement

    def runtest(self) -> None:
        """Verify the statement."""
        from proofs_check.evidence.ledger import default_folder
        from proofs_check.referee.judge import verify
        from proofs_check.report.terminal import details
        from proofs_check.verdict import Outcome

        effort = self.config.getoption("--lemmascope-effort")
        verdict = verify(self.statement, effort=effort, folder=default_folder())
        self.user_properties.append(("lemmascope", str(verdict.outcome)))
        text = "\n".join(line.plain for line in details(verdict))
        strict = self.config.getoption("--lemmascope-require") == "proved"
        if verdict.outcome.objects or (strict and verdict.outcome is not Outcome.PROVED):
            raise StatementError(text)
        if verdict.outcome is Outcome.OPEN:
            pytest.skip(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The verdict itself; a traceback would not help."""
        if isinstance(excinfo.value, StatementError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the statement is; pytest counts lines from zero."""
        line = self.statement.source.label.rpartition(":")[2]
        return self.path, int(line) - 1 if line.isdecimal() else None, self.name
