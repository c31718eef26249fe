"""A checker shares no code with an engine: it imports theory and other checkers, and asks for values as engines do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from sympy import (
    Eq,
    Function,
    Interval,
    S,
    symbols,
)

import proofs_check.kernel
from proofs_check.kernel.instances import with_instances
from proofs_check.passes.instances import universal_instances
from theory import ForAll, Statement

FOLDER = Path(proofs_check.kernel.__file__).parent
OWN = ("proofs_check", "numerics")
x, y, z = symbols("x y z")


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


def test_instances_of_a_law_are_the_same_by_both_routes() -> None:
    f = Function("f")
    homogeneous = ForAll(y, Interval.open(0, S.Infinity), ForAll(z, S.Reals, Eq(f(y * z), y * f(z))))
    for claim in (Eq(f(2 * x), 2 * f(x)), Eq(x * f(x).diff(x), f(x)), f(x + 1) > f(3 * x)):
        statement = Statement(variables={x: S.Reals}, given=(homogeneous,), then=claim)
        theirs, ours = universal_instances(statement), with_instances(statement)
        assert theirs is not None
        assert ours is not None
        assert set(theirs.hypotheses) <= set(ours.hypotheses) | {S.true}
