"""Functions without a formula have no assumptions, and what is defined by cases may have a gap between them."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Abs, And, Expr, Function, Max, Piecewise, S, cosh, exp, symbols
from sympy.logic.boolalg import Boolean

from proofs_check import verify
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import ForSmall, LemmascopeError, Statement
from theory.language.definedness import demands
from theory.trees import content_hash, encode

x, y, e = symbols("x y e")
GAP = Piecewise((1, x < 0), (2, x > 0))
WHOLE = Piecewise((1, x < 0), (2, x >= 0))
SHOWN: dict[str, Any] = {"rule": "shown"}


def of(pieces: Expr) -> dict[str, tuple[Boolean, dict[str, Any]]]:
    """Claims with pieces in them, each with the argument that would show it if the pieces had no gap."""

    def product(*factors: tuple[Expr, int, int]) -> dict[str, Any]:
        tables = [[encode(base), power, side] for base, power, side in factors]
        return {"rule": "product", "factors": tables, "parts": [SHOWN for _, _, side in factors if side]}

    def added(*parts: Expr) -> dict[str, Any]:
        return {"rule": "sum", "terms": [encode(part) for part in parts], "parts": [SHOWN for _ in parts]}

    bent = Max(pieces, y)
    return {
        "an even power": (pieces**2 * exp(x) >= 0, product((pieces, 2, 0), (exp(x), 1, 1))),
        "two even powers": (pieces**2 * (x + y) ** 2 >= 0, product((pieces, 2, 0), (x + y, 2, 0))),
        "a sum of exponentials": (exp(x * pieces) + exp(x) > 0, added(exp(x), exp(x * pieces))),
        "hyperbolic": (cosh(x + pieces) + exp(y) > 0, added(cosh(x + pieces), exp(y))),
        "inside of a kink": (bent**2 * exp(y) >= 0, product((bent, 2, 0), (exp(y), 1, 1))),
        "inside of an absolute value": (
            Abs(pieces - y) ** 4 * exp(y) >= 0, product((Abs(pieces - y), 4, 0), (exp(y), 1, 1))
        ),
    }  # fmt: skip


def certificate(argument: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "variation", "arguments": [argument], "obligations": []}


@pytest.mark.parametrize("name", of(GAP))
def test_pieces_with_a_gap_have_no_sign(name: str) -> None:
    for pieces, wanted in ((GAP, Rejection), (WHOLE, Theorem)):
        then, argument = of(pieces)[name]
        statement = Statement(variables={x: S.Reals, y: S.Reals}, then=then)
        assert isinstance(accept(statement, Sense.HOLDS, certificate(argument)), wanted)


def test_a_gap_is_a_condition() -> None:
    assert demands([exp(GAP)]) == [(x > 0) | (x < 0)]
    assert demands([WHOLE]) == []


@pytest.mark.parametrize(
    "assumed",
    [{"positive": True}, {"integer": True}, {"nonnegative": True}, {"zero": True}, {"complex": True}, {"real": False}],
    ids=str,
)
def test_a_function_with_assumptions_is_refused(assumed: dict[str, bool]) -> None:
    """Its statement would be stored under the name of that about every function."""
    f = Function("f", **assumed)
    for then in (f(x) + x**2 > 0, And(x > 0, f(x) * x + y > 0), ForSmall(e, e * f(e) + e > 0)):
        with pytest.raises(LemmascopeError, match="assumptions"):
            Statement(variables={x: S.Reals, y: S.Reals}, then=then)


def test_functions_are_real() -> None:
    real, plain = (
        Statement(variables={x: S.Reals, y: S.Reals}, then=f(x) ** 2 + y >= y - x**2)
        for f in (Function("f", real=True), Function("f"))
    )
    assert content_hash(real) == content_hash(plain)
    assert verify(real, effort="quick").outcome == verify(plain, effort="quick").outcome == "proved"
