"""Imports point one way, theory <- numerics <- proofs_check, go in no circle, and stand at the top of their module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "theory": {"numerics", "proofs_check"},
    "numerics": {"proofs_check"},
    "proofs_check": {"tests", "benchmarks"},
}

COMMAND_LINE = ("proofs_check.run.cli", "proofs_check.run.commands", "proofs_check.run.pytest_plugin")
"""What must start quickly, and so imports the project when it knows what is asked."""

MOST_LATE_IMPORTS = 2
"""What draws pictures is heavy, and is imported when a picture is drawn."""

Late = tuple[str, str]


def modules_in(root: Path) -> dict[str, Path]:
    """The modules of the project by name."""
    files = [path for package in FORBIDDEN for path in (root / package).rglob("*.py")]
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def imports_in(path: Path, modules: dict[str, Path]) -> Iterator[tuple[str, bool]]:
    """The modules of the project that a file imports when it runs, and whether inside a function."""

    def walk(node: ast.AST, late: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                yield from ((alias.name, late) for alias in child.names if alias.name in modules)
            elif isinstance(child, ast.ImportFrom) and child.module in modules:
                found = {f"{child.module}.{alias.name}" for alias in child.names} & modules.keys()
                yield from ((name, late) for name in found or {child.module})
            else:
                yield from walk(child, late or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)))

    return walk(ast.parse(path.read_text(encoding="utf-8")), late=False)


def late_imports(root: Path) -> list[Late]:
    """Imports of the project inside functions, the command line left out."""
    modules = modules_in(root)
    found = ((name, module) for name, path in modules.items() for module, late in imports_in(path, modules) if late)
    return sorted((name, module) for name, module in found if not name.startswith(COMMAND_LINE))


def circle(root: Path) -> list[str]:
    """Modules that import each other in a circle, counting what functions import; empty where there is none."""
    modules = modules_in(root)
    graph = {name: {module for module, _ in imports_in(path, modules)} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_imports_of_the_project_stand_at_the_top() -> None:
    found = late_imports(ROOT)
    assert len(found) <= MOST_LATE_IMPORTS, found


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(ROOT) == []


def test_the_checks_see_a_late_import_and_a_hidden_circle(tmp_path: Path) -> None:
    for package in FORBIDDEN:
        (tmp_path / package).mkdir()
    (tmp_path / "theory" / "a.py").write_text("from theory.b import g\n\ndef f():\n    return g()\n")
    (tmp_path / "theory" / "b.py").write_text("def g():\n    from theory.a import f\n\n    return f\n")
    assert late_imports(tmp_path) == [("theory.b", "theory.a")]
    assert set(circle(tmp_path)) == {"theory.a", "theory.b"}


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
