"""Certificates made by hand for what they do not show: every checker looks at every field that it relies on."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from sympy import (
    Abs,
    Derivative,
    Eq,
    Expr,
    Function,
    Ge,
    Integer,
    Interval,
    Piecewise,
    Rational,
    S,
    exp,
    log,
    oo,
    sqrt,
    symbols,
    sympify,
)

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.evidence.replay import check, check_verdict
from proofs_check.verdict import Outcome, Verdict
from theory import Always, AtStart, Exists, Flow, Map, Statement
from theory.trees import encode

x, y, u = symbols("x y u")
f = Function("f")
R = S.Reals


def claim(then: Any, *given: Any, **more: Any) -> Statement:
    return Statement(variables={x: R}, given=given, then=then, **more)


def at(**values: Any) -> dict[str, Any]:
    point = [[encode(symbols(name)), encode(sympify(value))] for name, value in values.items()]
    return {"kind": "point", "point": point}


def squares(*parts: tuple[list[list[int]], int]) -> dict[str, Any]:
    """Products of conditions, each times the square of a power of x, that are claimed to add up to zero."""
    sums = [{"product": product, "squares": [["1", [[[power], "1"]]]]} for product, power in parts]
    return {"kind": "products", "tree": {"sums": sums, "cofactors": []}}


def combination(target: Expr, generator: Expr, cofactor: Expr, **origins: Expr) -> dict[str, Any]:
    parts = {"target": encode(target), "generators": [encode(generator)], "cofactors": [encode(cofactor)]}
    named = {name: encode(value) for name, value in origins.items()}
    return {"kind": "identity", "combinations": [{**parts, "origins": named}]}


NEGATIVE_SQUARE = squares(([[0, 1]], 0), ([], 1))
NOTHING = {"target": encode(S.Zero), "generators": [], "cofactors": [], "origins": {}}
TRIVIAL = {"kind": "identity", "combinations": [NOTHING]}
START = claim(AtStart(x > 0), dynamics=Map((x,), (x / 2,)), start={x: Integer(1)})
CORNER = Derivative(Abs(x), x)
ZERO = Statement(variables={x: R, y: R}, given=(Eq(y, 0),), then=Eq(x, 1))


def partial(part: Expr) -> Statement:
    """A square is not negative, said with a part that has no value everywhere."""
    return claim(Ge(part + x**2, part, evaluate=False))


FORGED = {
    "a square of 1/x": (claim(x**2 > 0), squares(([], 0), ([[0, 1]], -1))),
    "squares beside a logarithm": (partial(log(x)), NEGATIVE_SQUARE),
    "squares beside a root": (partial(sqrt(x)), NEGATIVE_SQUARE),
    "squares beside a gap": (partial(Piecewise((x, x > 0))), NEGATIVE_SQUARE),
    "a function of another variable": (
        Statement(variables={x: R, y: R}, then=Eq(Derivative(x * f(y), x), f(y))),
        {**at(x=1, y=1), "functions": [["f", [encode(u)], encode(x)]]},
    ),
    "a function with a pole": (claim(Eq(f(x), x)), {**at(x=2), "functions": [["f", [encode(u)], encode(1 / u)]]}),
    "a function with a corner": (claim(Eq(f(x), x)), {**at(x=-2), "functions": [["f", [encode(u)], encode(Abs(u))]]}),
    "a derivative without a value": (
        Statement(variables={x: Interval(-3, -1)}, then=Eq(f(x) * Derivative(log(x), x), f(x))),
        {**at(x=-2), "functions": [["f", [encode(u)], encode(u)]]},
    ),
    "a counterexample shows absence": (
        claim(Exists(y, R, y > x)),
        {"kind": "existence", "point": at(x=0)["point"], "proof": at(y=1)},
    ),
    "a corner in an identity": (claim(Eq((CORNER + 1) ** 2, CORNER**2 + 2 * CORNER + 1)), TRIVIAL),
    "a cofactor with a pole": (ZERO, combination(x - 1, y, (x - 1) / y)),
    "a symbol for a pole": (ZERO, combination(u * y * (x - 1), y, (x - 1) * u, u=1 / y)),
    "a point off the trajectory": (START, at(x=-1)),
    "a zero off the trajectory": (
        START,
        {
            "kind": "zero",
            "equations": [encode(Eq(x, -1))],
            "center": [[encode(x), "-1"]],
            "fixed": [],
            "radius": "1/1000",
        },
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_certificate_is_rejected(name: str) -> None:
    statement, certificate = FORGED[name]
    assert check(statement, certificate)[0] == "rejected"


def test_what_was_forged_is_accepted_where_it_is_right() -> None:
    assert check(claim(x**2 >= 0), NEGATIVE_SQUARE)[0] == "accepted"
    assert check(claim(Eq(f(x), x)), {**at(x=2), "functions": [["f", [encode(u)], encode(exp(u))]]})[0] == "accepted"
    assert check(claim(x > 0), at(x=-1))[0] == "accepted"


def test_a_counterexample_is_no_proof_and_a_witness_no_vacuity() -> None:
    false, empty = claim(x > 0), claim(x > 1, x > 0)
    assert check_verdict(false, Verdict(Outcome.REFUTED, certificate=at(x=-1)))[0] == "accepted"
    assert check_verdict(false, Verdict(Outcome.PROVED, certificate=at(x=-1)))[0] == "rejected"
    assert check_verdict(empty, Verdict(Outcome.VACUOUS, certificate=at(x=1)))[0] == "rejected"
    assert check_verdict(claim(x**2 >= 0), Verdict(Outcome.REFUTED, certificate=NEGATIVE_SQUARE))[0] == "rejected"


def test_a_counterexample_to_a_step_does_not_carry_an_induction() -> None:
    def staying(factor: Expr) -> Statement:
        step = Map((x,), (factor * x,))
        return Statement(variables={y: Interval(0, 1)}, dynamics=step, start={x: y}, then=Always(x <= 1))

    verdict = engine("motion").decide(staying(Rational(1, 2)), Budget.of("standard").start())
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    assert check(staying(Rational(1, 2)), verdict.certificate)[0] == "accepted"
    forged: Any = deepcopy(dict(verdict.certificate or {}))
    steps = [part for part in nodes(forged["argument"]) if part.get("name") == "step"]
    assert steps
    for part in steps:
        part["conclusion"], part["certificate"] = encode(2 * x <= 1), at(x=1)
    assert check(staying(Integer(2)), forged)[0] == "rejected"


def nodes(data: Any) -> list[dict[str, Any]]:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [*([data] if isinstance(data, dict) else []), *(part for value in inner for part in nodes(value))]


HALF = encode(Rational(1, 2))


@pytest.mark.parametrize("kind", [
    {"kind": "lasso", "truth": False},
    {"kind": "enclosure", "truth": False, "horizon": 3, "precision": 64},
    {"kind": "flow", "time": "1"},
    {"kind": "induction", "refutation": "step 0"},
], ids=lambda kind: kind["kind"])  # fmt: skip
def test_a_trajectory_that_starts_between_the_whole_numbers_refutes_nothing_about_them(kind: dict[str, Any]) -> None:
    still = Flow((x,), (x - x / 2 - x / 2,)) if kind["kind"] == "flow" else Map((x,), (x,))
    about = Statement(variables={u: S.Reals}, dynamics=still, start={x: u}, then=Always((x < 0) | (x > Rational(3, 4))))
    forged = {**kind, "claim": encode(about.then), "point": [[encode(u), HALF]]}
    assert check(about, forged)[0] == "accepted"
    assert check(about.but(variables={u: S.Integers}), forged)[0] == "rejected"


def test_a_point_at_infinity_is_none() -> None:
    assert check(claim(1 / (1 + x**2) > 0), at(x=oo))[0] == "rejected"
