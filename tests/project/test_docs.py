"""Every command and every example in the documentation runs, links lead somewhere, generated pages are current."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = [
    (page.name, line.removeprefix("$ lemmascope "))
    for page in PAGES
    if page.name != "README.md"
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
    if line.startswith("$ lemmascope ")
]
PYTHON = [
    (f"{page.name}-{number}", block)
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reader")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LEMMASCOPE_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_commands_run_in_order(folder: Path) -> None:
    assert COMMANDS
    for page, command in COMMANDS:
        done = run(folder, "-m", "proofs_check", *command.split())
        expected = (0, 1) if command.startswith("check") else (0,)
        assert done.returncode in expected, (page, command, done.stderr)


@pytest.mark.parametrize(("name", "code"), PYTHON, ids=[name for name, _ in PYTHON])
def test_python_examples_run(folder: Path, name: str, code: str) -> None:
    path = folder / f"{name.replace('.', '_').replace('-', '_')}.py"
    path.write_text(code)
    done = run(folder, str(path))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_generated_pages_are_current(folder: Path) -> None:
    done = run(folder, str(ROOT / "docs" / "build.py"), "--check")
    assert done.returncode == 0, done.stdout + done.stderr
