"""Every command and every example in the documentation runs, links lead somewhere, generated pages are current."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from proofs_check.run.cli import main
from proofs_check.run.processes import context

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


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the reader, where everything runs; what is loaded already is loaded once for all of it."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("LEMMASCOPE_HOME", str(folder / "home"))
    return folder


def test_commands_run_in_order(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert COMMANDS
    for page, command in COMMANDS:
        expected = (0, 1) if command.startswith("check") else (0,)
        assert main(command.split()) in expected, (page, command, capsys.readouterr().err)


@pytest.mark.parametrize(("name", "code"), PYTHON, ids=[name for name, _ in PYTHON])
def test_python_examples_run(here: Path, name: str, code: str) -> None:
    path = here / f"{name.replace('.', '_').replace('-', '_')}.py"
    path.write_text(code)
    reader = context().Process(target=runpy.run_path, args=(str(path),), kwargs={"run_name": "__main__"})
    reader.start()
    reader.join()
    assert reader.exitcode == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_generated_pages_are_current() -> None:
    command = [sys.executable, str(ROOT / "docs" / "build.py"), "--check"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
