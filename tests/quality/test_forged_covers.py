"""One bound of an expression on a box tells its sign on one side only: not that it is 0, nor that it is never 0."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from sympy import Eq, Expr, Ge, Gt, Interval, Ne, Rational, Symbol, exp

from proofs_check.kernel.theorem import Sense, Theorem, accept
from theory import Statement
from theory.trees import encode

x = Symbol("x")
NEGATIVE, ZERO, POSITIVE = 1, 2, 4
TO_THE_LEFT, TO_THE_RIGHT = [[0, False]], [[0, True]]


def accepted(claim: Any, mask: int, argument: Any) -> bool:
    """Whether some relation of the claim on [0, 1] may be said to have these signs on the whole box."""
    statement = Statement(variables={x: Interval(0, 1)}, then=claim)
    return any(
        isinstance(accept(statement, Sense.HOLDS, cover([place, mask, argument])), Theorem) for place in range(4)
    )


def cover(reason: list[Any]) -> dict[str, Any]:
    box = {"variables": [encode(x)], "low": ["0"], "high": ["1"], "products": {}, "tree": [0], "reasons": [[reason]]}
    step = {"do": "keep", "variable": encode(x), "low": 0, "high": 1, "parts": [{"do": "cover", **box}]}
    packed = base64.b64encode(zlib.compress(json.dumps(step).encode())).decode()
    return {"kind": "cover", "boxes": 1, "argument": packed}


@pytest.mark.parametrize("argument", ["b", "m", *(["c", steps, end] for steps in ([], TO_THE_LEFT, TO_THE_RIGHT)
                                                  for end in "mv")], ids=str)  # fmt: skip
@pytest.mark.parametrize("value", [x - 1, x, 1 - x, -x, x - Rational(1, 2), exp(x) - 2, exp(x) - 1, x**2 - x], ids=str)
def test_no_argument_shows_what_is_false(value: Expr, argument: Any) -> None:
    assert not accepted(Eq(value, 0), ZERO, argument)
    assert not accepted(Ne(value, 0), NEGATIVE | POSITIVE, argument)
    assert not accepted(Ne(value, 0), POSITIVE, argument)
    assert not accepted(Ne(value, 0), NEGATIVE, argument)


def test_the_arguments_show_what_is_true() -> None:
    assert accepted(Ge(exp(x) - 1, 0), NEGATIVE | ZERO, ["c", TO_THE_LEFT, "v"])
    assert accepted(Gt(exp(x) - x, 0), NEGATIVE, ["c", [], "m"])
    for mask in (NEGATIVE | POSITIVE, POSITIVE):
        assert accepted(Ne(exp(x) - x**2 / 2, 0), mask, "b")
