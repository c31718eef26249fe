"""Every walk-through runs from top to bottom, shows what is stored in it, and stores no error."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from proofs_check.run.processes import context

FOLDER = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_six() -> None:
    assert len(NOTEBOOKS) == 6


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int | None]:
    """Runs a script of the examples in a process of its own that has the engines loaded; the exit code."""
    monkeypatch.chdir(tmp_path)

    def run(script: Path, *arguments: str) -> int | None:
        monkeypatch.setattr(sys, "argv", [str(script), *arguments])
        process = context().Process(target=runpy.run_path, args=(str(script),), kwargs={"run_name": "__main__"})
        process.start()
        process.join()
        return process.exitcode

    return run


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.sampled(2)
def test_a_walk_through_runs_and_is_current(path: Path, ran: Callable[..., int | None]) -> None:
    assert ran(FOLDER / "notebooks.py", "--check", path.name) == 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_walk_through_is_stored_executed_and_small(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code)
    shown = [output for cell in code for output in cell["outputs"]]
    assert {output["output_type"] for output in shown} <= {"stream", "execute_result"}
    assert any("image/png" in output.get("data", {}) for output in shown)
    assert any("text/latex" in output.get("data", {}) for output in shown)
    assert path.stat().st_size < 300_000


def test_the_derivations_are_current_and_their_certificates_accepted(ran: Callable[..., int | None]) -> None:
    assert ran(FOLDER / "derivations" / "derivations.py", "--check") == 0
    assert len(list((FOLDER / "derivations").glob("*.md"))) >= 10
