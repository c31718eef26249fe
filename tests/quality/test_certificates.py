"""Certificates of every kind replay, do not replay for a false twin, and are refused without a crash when damaged."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from forgeries import damaged
from sympy import Eq, Expr, Integer, Interval, Ne, Rational, S, Symbol, cos, exp, oo, sin, sqrt, symbols

from proofs_check.engines.cover.goals import packed
from proofs_check.evidence.replay import check
from proofs_check.referee.judge import verify
from theory import Always, ConvergesTo, Exists, ForSmall, Map, Scaling, Statement
from theory.trees import encode

x, y, a, e, x0 = symbols("x y a e x0")
R, UNIT, POSITIVE = S.Reals, Interval(0, 1), Interval.open(0, oo)
HALVING = Map((x,), (x / 2,))

KINDS = {
    "identity": (
        Statement(id="i", variables={x: R}, then=Eq((x + 1) ** 2, x**2 + 2 * x + 1)),
        {"then": Eq((x + 1) ** 2, x**2 + x + 1)},
    ),
    "polynomial": (
        Statement(id="r", variables={x: R, y: R}, then=x**2 + y**2 >= 2 * x * y),
        {"then": x**2 + y**2 >= 3 * x * y},
    ),
    "cover": (
        Statement(id="b", variables={x: UNIT}, then=exp(x) <= 1 + 2 * x),
        {"then": exp(x) <= 1 + x},
    ),
    "asymptotics": (
        Statement(id="s", variables={a: POSITIVE}, then=ForSmall(e, exp(a * e) > 1 + a * e)),
        {"then": ForSmall(e, exp(a * e) > 1 + a * e + a * e)},
    ),
    "scaling": (
        Statement(id="k", variables={a: POSITIVE}, then=Scaling(sin(a * e) - a * e, e, 3)),
        {"then": Scaling(sin(a * e) - a * e, e, 2)},
    ),
    "motion": (
        Statement(id="d", variables={x0: UNIT}, dynamics=HALVING, start={x: x0}, then=Always(x <= 1)),
        {"then": Always(x < 1)},
    ),
    "convergence": (
        Statement(id="c", variables={x0: UNIT}, dynamics=HALVING, start={x: x0}, then=ConvergesTo(x, 0)),
        {"then": ConvergesTo(x, 1)},
    ),
    "point": (
        Statement(id="p", variables={x: R}, given=(Eq(x**2, 2),), then=x > 0),
        {"variables": {x: POSITIVE}},
    ),
    "zero": (
        Statement(id="z", variables={x: UNIT}, then=Ne(cos(x), x)),
        {"variables": {x: Interval(Rational(3, 4), 1)}},
    ),
    "existence": (
        Statement(id="e", variables={x: Interval(-1, 1)}, then=Exists(y, R, y**2 < x)),
        {"variables": {x: POSITIVE}},
    ),
}


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    return {
        name: json.loads(json.dumps(verify(statement, effort="standard").certificate))
        for name, (statement, _) in KINDS.items()
    }


@pytest.mark.parametrize("name", KINDS)
def test_a_certificate_replays_for_its_statement_only(name: str, stored: dict[str, Any]) -> None:
    statement, change = KINDS[name]
    assert check(statement, stored[name])[0] == "accepted"
    assert check(statement.but(**change), stored[name])[0] == "rejected"


@pytest.mark.parametrize("name", KINDS)
def test_damage_never_crashes_and_never_helps_a_wrong_statement(name: str, stored: dict[str, Any]) -> None:
    statement, change = KINDS[name]
    random = Random(name)  # noqa: S311 - reproducible damage
    for _ in range(12):
        assert check(statement.but(**change), damaged(stored[name], random))[0] == "rejected"


BELOW_ONE = Statement(variables={x: Interval(0, 2)}, then=x <= 1)
NEAR_ZERO = Statement(variables={a: Interval(-1, 1)}, then=ForSmall(e, a * e > 0))
DOUBLING = Statement(variables={x0: UNIT}, dynamics=Map((x,), (2 * x,)), start={x: x0}, then=Always(x <= 1))


def covered(reason: list[Any], products: dict[str, Any]) -> dict[str, Any]:
    """One box on which one reason is said to make `x > 1` false."""
    ends = {"low": 0, "high": 2}
    box = {"do": "cover", "variables": [encode(x)], "low": [0], "high": [2], "tree": [0]}
    cover = box | {"reasons": [[[2, *reason]]], "products": products}
    return {"kind": "cover", "argument": packed({"do": "keep", "variable": encode(x), **ends, "parts": [cover]})}


def resting_on(proof: dict[str, Any]) -> dict[str, Any]:
    """A local argument that needs a > 0."""
    given = [encode(part) for part in NEAR_ZERO.hypotheses]
    return {
        "kind": "series",
        "obligations": [{"condition": encode(a > 0), "given": given, "engine": "cover", "certificate": proof}],
    }


def stepping_inside() -> dict[str, Any]:
    """The proof for halving with a step that is shown for a few states only."""
    forged = json.loads(json.dumps(verify(KINDS["motion"][0], effort="quick").certificate))
    step = forged["argument"]["parts"][0]["obligations"][1]
    step["variables"] = [[encode(x), encode(Interval(0, Rational(1, 4)))]]
    step["hypotheses"], step["conclusion"] = [], encode(2 * x <= 1)
    return forged


def charted(step: dict[str, Any], new: Expr, *covers: Any) -> dict[str, Any]:
    """A cover of one variable after a chart that names it anew."""
    reasons, high = covers
    cover = {"do": "cover", "variables": [encode(new)], "low": [0], "high": high, "tree": [0], "products": {}}
    whole = {**step, "variable": encode(x), "new": encode(new), "parts": [cover | {"reasons": reasons}]}
    return {"kind": "cover", "argument": packed(whole)}


def tied(new: Expr) -> dict[str, Any]:
    """Both halves of the line as if x were the square of y."""
    cover = {
        "do": "cover", "variables": [encode(y), encode(new)], "low": [0, 0], "high": [1, None], "tree": [0],
        "reasons": [[[2, 3, "b"]]], "products": {},
    }  # fmt: skip
    kept = {"do": "keep", "variable": encode(y), "low": 0, "high": 1, "parts": [cover]}
    whole = {"do": "halves", "variable": encode(x), "new": encode(new), "parts": [kept, kept]}
    return {"kind": "cover", "argument": packed(whole)}


AT = {"kind": "point", "point": [[encode(a), encode(Integer(-1))]]}
FORGED = {
    "a factor to the power 0": lambda: (
        BELOW_ONE,
        covered([2, ["p", 0, [[7, "b"], [2, "b"]]]], {"0": [[encode(x - 1), 1], [encode(Integer(0)), 0]]}),
    ),
    "a counterexample as a proof": lambda: (NEAR_ZERO, resting_on(AT)),
    "a member as its absence": lambda: (
        Statement(variables={x: UNIT}, then=Exists(y, UNIT, y <= x)),
        {
            "kind": "existence", "point": [[encode(x), encode(Integer(1))]],
            "proof": {"kind": "point", "point": [[encode(y), encode(Integer(0))]]},
        },
    ),
    "a domain that is no hypothesis": lambda: (DOUBLING, stepping_inside()),
    "a variable tied to another": lambda: (Statement(variables={x: R, y: UNIT}, then=x <= 1), tied(y**2)),
    "a variable with an assumption": lambda: (
        Statement(variables={x: Interval(0, oo)}, then=sqrt(x**2) <= -x),
        charted({"do": "above", "low": encode(Integer(0))}, Symbol("t", negative=True), [[[1, 3, "b"]]], [None]),
    ),
    "a small symbol that is not small": lambda: (
        Statement(then=ForSmall(e, e < Rational(1, 2))),
        {"kind": "series", "part": 0, "point": [[encode(e), encode(Integer(1))]]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_rejected(name: str) -> None:
    statement, certificate = FORGED[name]()
    assert check(statement, certificate)[0] == "rejected"


def test_a_root_is_not_taken_for_a_neighbour() -> None:
    statement = KINDS["point"][0]
    verdict = verify(statement, effort="quick")
    assert verdict.counterexample == {"x": str(-sqrt(2))}
