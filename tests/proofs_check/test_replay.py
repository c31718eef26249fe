"""What the ledger keeps is re-checked on request: statements of the library, and those of a user's own file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sympy import Abs, Interval, Lt, Rational, S, asin, asinh, atan, erf, oo, pi, symbols

from proofs_check.kernel.claims import claim_of
from proofs_check.kernel.oracle import check_claim
from proofs_check.run.cli import main
from theory import Statement

x, y = symbols("x y")
POSITIVE = Interval.open(0, oo)
FILE = """
from sympy import Interval, Symbol
from theory import Statement
x = Symbol("x")
good = Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)
bad = Statement(variables={x: Interval(0, 2)}, then=x**2 <= x)
"""


def test_a_checked_file_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    assert main(["replay", str(path)]) == 2
    assert "nothing to replay" in capsys.readouterr().err
    main(["check", str(path), "--effort", "quick"])
    capsys.readouterr()
    assert main(["replay", str(path), "--effort", "quick", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["replayed"]
    assert {row["id"]: row["result"] for row in rows} == {"mine/good": "accepted", "mine/bad": "accepted"}


@pytest.mark.parametrize(
    ("then", "is_true"),
    [
        (x / y + y / x >= 2, True),
        (x / y + y / x > 2, False),
        (1 / (x - y) ** 2 > 0, False),  # it has no value where x = y
        (Lt(x / (x + y), 1), True),
        (Lt(x / x, 1 / (1 + y), evaluate=False), False),
    ],
)
def test_relations_without_quotients_say_the_same(then: object, is_true: bool) -> None:
    claim = claim_of(Statement(variables={x: POSITIVE, y: POSITIVE}, then=then))
    assert check_claim(claim) is is_true


@pytest.mark.parametrize(
    ("then", "is_true"),
    [
        (atan(x) < pi / 2, True),
        (atan(x) < Rational(157, 100), False),
        (asin(x / (1 + Abs(x))) <= pi / 2, True),
        (asin(x) <= pi / 2, False),  # it has no value at 2
        (x * asinh(x) >= 0, True),
        (x * asinh(x) > 0, False),
        (erf(x) <= Rational(99, 100), False),
    ],
)
def test_solvers_asked_anew_know_odd_functions(then: object, is_true: bool) -> None:
    claim = claim_of(Statement(variables={x: S.Reals}, then=then))
    assert check_claim(claim) is is_true
