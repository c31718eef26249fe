"""Every walk-through runs from top to bottom, shows what is stored in it, and stores no error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_six() -> None:
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_walk_through_runs_and_is_current(path: Path, tmp_path: Path) -> None:
    environment = os.environ | {"LEMMASCOPE_HOME": str(tmp_path), "PYTHONPATH": str(FOLDER.parent)}
    command = [sys.executable, str(FOLDER / "notebooks.py"), "--check", path.name]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


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


def test_the_derivations_are_current_and_their_certificates_accepted(tmp_path: Path) -> None:
    environment = os.environ | {"LEMMASCOPE_HOME": str(tmp_path), "PYTHONPATH": str(FOLDER.parent)}
    command = [sys.executable, str(FOLDER / "derivations" / "derivations.py"), "--check"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((FOLDER / "derivations").glob("*.md"))) >= 10
