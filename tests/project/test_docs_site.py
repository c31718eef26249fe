"""The documentation site builds offline without a warning, loads nothing from elsewhere, and can be searched."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("material") is None, reason="no mkdocs-material: pip install 'lemmascope[docs]'"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
    command = [sys.executable, str(ROOT / "docs" / "site.py"), "-o", str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=1000)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_there(site: Path) -> None:
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")}
    assert pages <= {page.stem for page in site.glob("*.html")}
    assert len(list((site / "tutorials").glob("*.html"))) == 6
    assert len(list((site / "derivations").glob("*.html"))) >= 10


def test_the_interface_has_signatures_and_methods(site: Path) -> None:
    text = (site / "api" / "theory.html").read_text(encoding="utf-8")
    for name in ("Map.fixed_points", "Map.multiplier", "Flow.derivative_along", "Map.stability_region", "Statement"):
        assert name in text


def test_formulas_are_typeset_inside_of_lists(site: Path) -> None:
    text = (site / "derivations" / "linear-rate.html").read_text(encoding="utf-8")
    assert text.count("<math") > 5
    assert "&lt;math" not in text
    assert "$$" not in text


def test_search_knows_the_pages(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any("multiplier" in entry["text"] for entry in index["docs"])
