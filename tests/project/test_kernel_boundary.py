"""Theorems are made in one place, decisions come from theorems, and the kernel imports nothing that searches."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "proofs_check" / "kernel"
ABOVE = "points engines repair referee evidence run report".split()
SEARCHING = ("numerics", *(f"proofs_check.{name}" for name in ABOVE))


def calls(path: Path, name: str) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(func, ast.Name) and func.id == name for func in named)


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return found | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


def test_only_one_module_makes_theorems() -> None:
    files = [path for path in (ROOT / "proofs_check").rglob("*.py") if calls(path, "Theorem")]
    assert [path.relative_to(ROOT).as_posix() for path in files] == ["proofs_check/kernel/theorem.py"]


def test_the_kernel_imports_nothing_that_searches() -> None:
    wrong = {
        (path.name, module)
        for path in KERNEL.rglob("*.py")
        for module in imports(path)
        if any(module == package or module.startswith(f"{package}.") for package in SEARCHING)
    }
    assert wrong == set()


def test_every_decision_goes_through_the_kernel_before_it_is_stored() -> None:
    """In the referee, what an engine decided is replaced by what the kernel made of it, before the ledger."""
    source = (ROOT / "proofs_check" / "referee" / "judge.py").read_text(encoding="utf-8")
    asking = source[source.index("    def ask(") : source.index("    def _through_the_kernel(")]
    assert asking.index("_through_the_kernel(") < asking.index("self.ledger.store(")


def test_the_check_sees_a_theorem_made_elsewhere(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("from proofs_check.kernel.theorem import Theorem\nfound = Theorem(1, 2, 3, 4, 5)\n")
    assert calls(module, "Theorem")
    assert "proofs_check.kernel.theorem" in imports(module)
