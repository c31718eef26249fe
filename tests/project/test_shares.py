"""Time is given out by name from one table: no engine has seconds, or parts of what is left, of its own."""

from __future__ import annotations

import ast
from pathlib import Path

from proofs_check.shares import SHARES

ROOT = Path(__file__).parents[2]
ENGINES = ROOT / "proofs_check" / "engines"
PROCESSES = {"polynomial/processes.py", "polynomial/worker.py"}
"""How long solver processes take to load and to end is no part of a budget."""


def is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value != 0


def is_time(node: ast.AST) -> bool:
    """Whether an expression speaks of what is left of a budget, or of a moment."""
    names = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    return bool(names & {"left", "monotonic"}) or (isinstance(node, ast.Attribute) and node.attr == "seconds")


def own_seconds(tree: ast.Module) -> list[int]:
    """Lines that give out time by a number."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div, ast.Add)):
            pair = (node.left, node.right)
            found += [node.lineno] if any(map(is_number, pair)) and any(map(is_time, pair)) else []
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("min", "max"):
            found += [node.lineno] if any(map(is_number, node.args)) and any(map(is_time, node.args)) else []
        elif isinstance(node, ast.keyword) and node.arg == "seconds" and is_number(node.value):
            found.append(node.value.lineno)
    for place, node in enumerate(tree.body[:-1]):
        after = tree.body[place + 1]
        said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        if isinstance(node, ast.Assign) and any(is_number(part) for part in ast.walk(node.value)):
            named = any("SECONDS" in part.id for part in ast.walk(node) if isinstance(part, ast.Name))
            found += [node.lineno] if named or str(said).startswith("Seconds") else []
    return found


def test_no_engine_gives_out_time_by_a_number() -> None:
    files = {path.relative_to(ENGINES).as_posix(): path for path in ENGINES.rglob("*.py")}
    found = {
        name: lines
        for name, path in files.items()
        if name not in PROCESSES and (lines := own_seconds(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_every_share_is_used() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "proofs_check").rglob("*.py")]
    assert [name for name in SHARES if sum(f'"{name}"' in text for text in sources) < 2] == []


def test_the_check_sees_seconds() -> None:
    for line in (
        "budget.left / 3",
        "min(1.0, budget.left)",
        "replace(budget, seconds=0.5)",
        "time.monotonic() + 2",
        "0.5 * budget.seconds",
    ):
        assert own_seconds(ast.parse(f"found = {line}\nlast = 0")) == [1], line
    assert own_seconds(ast.parse('_LONG = 2.0\n"""Seconds to wait."""\n')) == [1]
    assert own_seconds(ast.parse("found = budget.left / len(parts)\nnow = budget.seconds_for('x')\nlast = 0")) == []
