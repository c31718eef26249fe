"""A checker shares no code with an engine: it imports theory and other checkers, and asks for values as engines do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import proofs_check.kernel

FOLDER = Path(proofs_check.kernel.__file__).parent
OWN = ("proofs_check", "numerics")


def imported(path: Path) -> set[str]:
    """The modules of this project that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.split(".")[0] in OWN}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_checker_imports_only_checkers(path: Path) -> None:
    assert {name for name in imported(path) if not name.startswith("proofs_check.kernel")} == set()


def test_the_rule_sees_an_import_inside_a_function(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from proofs_check.points.exact import holds\n")
    assert imported(module) == {"proofs_check.points.exact", "proofs_check.points.exact.holds"}
