"""Imports point one way: theory <- numerics <- proofs_check."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "theory": {"numerics", "proofs_check"},
    "numerics": {"proofs_check"},
    "proofs_check": {"tests", "benchmarks"},
}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", FORBIDDEN)
def test_no_module_imports_against_the_direction(package: str) -> None:
    files = list((ROOT / package).rglob("*.py"))
    assert files
    wrong = {str(path.relative_to(ROOT)) for path in files if imported(path) & FORBIDDEN[package]}
    assert wrong == set()


def test_the_check_sees_an_import_against_the_direction(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from numerics.kernels import compile_float\n")
    assert "numerics" in imported(module)
