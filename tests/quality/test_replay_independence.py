"""A checker shares no code with an engine: it imports theory and other checkers, and asks for values as engines do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from sympy import (
    Abs,
    E,
    Eq,
    Function,
    Interval,
    LambertW,
    Max,
    Pow,
    Rational,
    S,
    acos,
    atanh,
    cos,
    cot,
    exp,
    floor,
    gamma,
    log,
    pi,
    sign,
    sin,
    sqrt,
    symbols,
    tan,
    tanh,
)
from sympy.core.relational import Relational

import proofs_check.kernel
from proofs_check.kernel import values
from proofs_check.kernel.instances import with_instances
from proofs_check.passes import regularity
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


PARTS = [
    x, 1 / x, log(x), sqrt(x), x ** Rational(-2, 3), exp(x) / y, tan(x), cot(y), acos(x), atanh(x * y), log(log(x)),
    Abs(x), gamma(y), LambertW(x), tanh(1 / x), sin(sqrt(y)), floor(x), Max(x, log(y)), sign(x) / x, Pow(x, y),
    Pow(E, pi * x), (x**2 - 1) / (x - 1), x * (exp(x) + 1 / x), cos(x) * log(x),
]  # fmt: skip


def pairs() -> list[Relational]:
    claims = [left >= right for left in PARTS for right in (*PARTS[:6], left + 1, exp(x) * left)]
    return [claim for claim in claims if isinstance(claim, Relational)]


def test_checkers_and_engines_ask_for_the_same_values() -> None:
    for part in PARTS:
        ours, theirs = values.continuity(part), regularity.continuity(part)
        assert (None if ours is None else set(ours)) == (None if theirs is None else set(theirs)), part
    for claim in pairs():
        assert set(values.hidden(claim)) == set(regularity.at_risk(claim)), claim
        assert values.or_without_value(claim) == regularity.or_undefined(claim), claim


def test_every_condition_is_one_without_which_mpmath_has_no_real_value() -> None:
    """At the edge of each condition the function itself is asked, not a table."""
    import mpmath

    edges = {log: 0, gamma: 0, acos: 2, atanh: 2, sqrt: -1}
    for function, place in edges.items():
        needed = values.continuity(function(x))
        assert any(condition.subs(x, place) == False for condition in needed)  # noqa: E712 - SymPy's false
        try:
            value = getattr(mpmath, function.__name__)(place)
        except ValueError:
            continue
        assert not mpmath.isfinite(value) or mpmath.im(value) != 0


def test_instances_of_a_law_are_the_same_by_both_routes() -> None:
    f = Function("f")
    homogeneous = ForAll(y, Interval.open(0, S.Infinity), ForAll(z, S.Reals, Eq(f(y * z), y * f(z))))
    for claim in (Eq(f(2 * x), 2 * f(x)), Eq(x * f(x).diff(x), f(x)), f(x + 1) > f(3 * x)):
        statement = Statement(variables={x: S.Reals}, given=(homogeneous,), then=claim)
        theirs, ours = universal_instances(statement), with_instances(statement)
        assert theirs is not None
        assert ours is not None
        assert set(theirs.hypotheses) <= set(ours.hypotheses) | {S.true}
