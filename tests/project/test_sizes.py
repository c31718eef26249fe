"""What must be believed is counted: lines of the kernel and of the language, with limits that nothing passes unseen.

Counted are lines that are not blank. The aim for the certificates that the kernel began with is 3,500 lines, for each
later kind about 200, for the language 2,000; a limit that is above its aim says how far there is to go.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "proofs_check" / "kernel"
LANGUAGE = ROOT / "theory" / "language"

FIRST_KINDS = frozenset({
    "identity", "oracle", "products", "lemma", "cover", "series", "zero", "existence", "point", "enumerate",
    "induction", "enclosure", "flow", "lasso", "coq",
})  # fmt: skip
NUMBERS = ("__init__", "formulas", "functions", "entries", "definedness", "balls", "*_functions")
"""The modules of the language that statements about numbers need; the others are about one sort each."""

LIMITS = {
    "kernel, first kinds": 7_216,
    "kernel, later kinds": 6_155,
    "language": 3_284,
    "language of numbers": 1_215,
}
MOST_FOR_AN_OPERATOR = 6
MOST_EVALUATIONS = 2
"""Calls in the kernel of what SymPy decides by itself; the aim is none."""
EVALUATING = frozenset({
    "apart", "cancel", "collect", "doit", "expand", "expand_trig", "factor", "limit", "minimal_polynomial", "powsimp",
    "refine", "rewrite", "simplify", "solve", "solveset", "subs", "together", "trigsimp",
})  # fmt: skip


def lines(path: Path) -> int:
    """How many lines of a file are not blank."""
    return sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())


def imported(path: Path) -> set[str]:
    """The modules of the kernel that a module of it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return {name.rpartition(".")[2] for name in names if name.startswith("proofs_check.kernel.")}


def kinds() -> set[str]:
    """The kinds of certificates: modules of the kernel with a `check`."""
    return {path.stem for path in KERNEL.glob("*.py") if re.search(r"^def check\(", path.read_text(), re.MULTILINE)}


def reached(starts: frozenset[str]) -> set[str]:
    """The modules of the kernel that some of them need."""
    found: set[str] = set()
    waiting = [*starts, "theorem"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imported(KERNEL / f"{name}.py")
    return found


def sizes() -> dict[str, int]:
    """What the limits are about, as it is."""
    first = reached(FIRST_KINDS)
    kernel = {path.stem: lines(path) for path in KERNEL.glob("*.py")}
    language = {path: lines(path) for path in LANGUAGE.glob("*.py")}
    numbers = {path for name in NUMBERS for path in LANGUAGE.glob(f"{name}.py")}
    return {
        "kernel, first kinds": sum(size for name, size in kernel.items() if name in first),
        "kernel, later kinds": sum(size for name, size in kernel.items() if name not in first),
        "language": sum(language.values()),
        "language of numbers": sum(size for path, size in language.items() if path in numbers),
    }


def evaluations(path: Path) -> int:
    """How often a module calls what evaluates."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    names = [getattr(func, "attr", None) or getattr(func, "id", "") for func in calls]
    return sum(name in EVALUATING for name in names)


def test_what_must_be_believed_does_not_grow() -> None:
    found = sizes()
    assert found.keys() == LIMITS.keys()
    assert {name: size for name, size in found.items() if size > LIMITS[name]} == {}


def test_the_first_kinds_are_kinds() -> None:
    assert kinds() >= FIRST_KINDS


def test_the_kernel_leaves_no_more_to_sympy() -> None:
    assert sum(map(evaluations, KERNEL.glob("*.py"))) <= MOST_EVALUATIONS


@pytest.mark.parametrize("operator", ["Until", "Unbounded"])
def test_a_new_operator_of_time_touches_six_modules(operator: str) -> None:
    """Where it stands: its definition, its name in public, and one meaning for each way of knowing."""
    packages = (path for package in ("proofs_check", "numerics", "theory") for path in (ROOT / package).rglob("*.py"))
    named = [path.relative_to(ROOT).as_posix() for path in packages if re.search(rf"\b{operator}\b", path.read_text())]
    papers = {path.parent.name for path in (ROOT / "theory").glob("*/_paper.py")}
    assert len([name for name in named if name.split("/")[1] not in papers]) <= MOST_FOR_AN_OPERATOR, named


def test_the_checks_count(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("from proofs_check.kernel.point import sign\n\n\nfound = x.subs(y, factor(z)) + str(x)\n")
    assert lines(module) == 2
    assert imported(module) == {"point"}
    assert evaluations(module) == 2
