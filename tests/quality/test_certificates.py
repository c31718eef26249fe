"""Certificates of every kind replay, do not replay for a false twin, and are refused without a crash when damaged."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from sympy import Eq, Interval, Ne, Rational, S, cos, exp, oo, sin, sqrt, symbols

from proofs_check.referee import verify
from proofs_check.replay import check
from theory import Always, ConvergesTo, Exists, ForSmall, Map, Scaling, Statement

x, y, a, e, x0 = symbols("x y a e x0")
R, UNIT, POSITIVE = S.Reals, Interval(0, 1), Interval.open(0, oo)
HALVING = Map((x,), (x / 2,))

KINDS = {
    "identity": (
        Statement(id="i", variables={x: R}, then=Eq((x + 1) ** 2, x**2 + 2 * x + 1)),
        {"then": Eq((x + 1) ** 2, x**2 + x + 1)},
    ),
    "real": (
        Statement(id="r", variables={x: R, y: R}, then=x**2 + y**2 >= 2 * x * y),
        {"then": x**2 + y**2 >= 3 * x * y},
    ),
    "cover": (
        Statement(id="b", variables={x: UNIT}, then=exp(x) <= 1 + 2 * x),
        {"then": exp(x) <= 1 + x},
    ),
    "series": (
        Statement(id="s", variables={a: POSITIVE}, then=ForSmall(e, exp(a * e) > 1 + a * e)),
        {"then": ForSmall(e, exp(a * e) > 1 + a * e + a * e)},
    ),
    "scaling": (
        Statement(id="k", variables={a: POSITIVE}, then=Scaling(sin(a * e) - a * e, e, 3)),
        {"then": Scaling(sin(a * e) - a * e, e, 2)},
    ),
    "induction": (
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
        damaged = deepcopy(stored[name])
        damage(damaged, random)
        assert check(statement.but(**change), damaged)[0] == "rejected"


def damage(data: Any, random: Random) -> None:
    """Change one leaf of nested data in place."""
    places = list(leaves(data))
    parent, key = random.choice(places)
    value = parent[key]
    parent[key] = random.choice([None, "", "7/0", "x", [], {}, -1, str(value) + "1", [value]])


def leaves(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (data, key)
        yield from leaves(value)


def test_a_root_is_not_taken_for_a_neighbour() -> None:
    statement = KINDS["point"][0]
    verdict = verify(statement, effort="quick")
    assert verdict.counterexample == {"x": str(-sqrt(2))}
