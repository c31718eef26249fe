"""Certificates of every kind, with other numbers and with damage, show no false twin and not the opposite."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from forgeries import require_none_accepted
from sympy import (
    And,
    Eq,
    Gt,
    Implies,
    Interval,
    Mod,
    Naturals,
    Or,
    Product,
    Range,
    Rational,
    S,
    Sum,
    cos,
    exp,
    factorial,
    log,
    oo,
    sin,
    symbols,
)

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.kernel.kinds import kind_of
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import (
    After,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    Flow,
    Graphs,
    HasPeriod,
    Map,
    Statement,
    Vectors,
    edges,
    inner,
    norm,
    vector,
)
from theory.trees import encode

x, y, a, d, k, n, x0, y0, G = symbols("x y a d k n x0 y0 G")
R, POSITIVE, UNIT = S.Reals, Interval.open(0, oo), Interval(0, 1)
u, v = vector("u"), vector("v")
STILL = {"dynamics": Map((x,), (x,)), "start": {x: x0}}
HALVING = {"dynamics": Map((x,), (x / 2,)), "start": {x: x0}}
GROWING = {"dynamics": Flow((x,), (x,)), "start": {x: x0}}
LOGISTIC = {"dynamics": Map((x,), (Rational(16, 5) * x * (1 - x),)), "start": {x: Rational(1, 3)}}
TRIANGLE, TELESCOPE = Sum(k, (k, 1, n)), Product(1 + 1 / k, (k, 1, n))
TRIES, FEW = 30, 4


@dataclass(frozen=True)
class Case:
    """A statement that an engine decides by a kind of certificates, and a twin of which the opposite is true."""

    engine: str
    kind: str
    statement: Statement
    twin: Statement
    sense: Sense = Sense.HOLDS
    by_hand: dict[str, Any] | None = None


def proof(name: str, kind: str, then: Any, other: Any, *given: Any, **more: Any) -> Case:
    """A true statement and a false twin with another conclusion."""
    return Case(name, kind, *(Statement(then=one, given=given, **more) for one in (then, other)))


def counterexample(name: str, kind: str, then: Any, other: Any, *given: Any, **more: Any) -> Case:
    """A false statement and a true twin with another conclusion."""
    return Case(name, kind, *(Statement(then=one, given=given, **more) for one in (then, other)), sense=Sense.FAILS)


FROM_UNIT = {"variables": {x0: UNIT}}
FROM_ONE = {"variables": {x0: Interval(1, 2)}}
NUMBERS = {"variables": {n: Naturals}}
SIZED = {"variables": {u: Vectors(d), v: Vectors(d), d: Naturals}}
PARALLEL = Eq(norm(u) ** 2 * norm(v) ** 2, inner(u, v) ** 2)
KINDS = {
    "a mean value": proof(
        "variation", "variation", log(1 + x) <= x, log(1 + x) <= x / 2, variables={x: Interval(0, oo)}
    ),
    "a Taylor polynomial": proof(
        "variation", "variation", sin(x) >= x - x**3 / 6, sin(x) >= x - x**3 / 7, variables={x: UNIT}
    ),
    "a concave function": proof(
        "variation", "variation", cos(x) >= 1 - x, cos(x) >= 1 - x / 4, variables={x: UNIT}
    ),
    "a sum": proof("whole", "whole_numbers", Eq(TRIANGLE, n * (n + 1) / 2), Eq(TRIANGLE, n * (n + 2) / 2), **NUMBERS),
    "a factorial": proof("whole", "whole_numbers", factorial(n) >= 2 ** (n - 1), factorial(n) >= 2**n, **NUMBERS),
    "a product": proof(
        "whole", "whole_numbers", Eq(TELESCOPE, n + 1), Eq(TELESCOPE, n), **NUMBERS
    ),
    "residues": proof(
        "whole", "whole_numbers", Eq(Mod(n**3 - n, 6), 0), Eq(Mod(n**3 + n, 6), 0), variables={n: S.Integers}
    ),
    "a step of logic": proof(
        "chaining", "chaining", Always(x**2 >= 25), Always(x**2 >= 26), Always(x > 5), variables={x0: R}, **STILL
    ),
    "two steps of logic": proof(
        "chaining", "chaining", ConvergesTo(x, 1), ConvergesTo(x, 2),
        Always(x > 0), Implies(Always(x > 0), ConvergesTo(x, 1)), variables={x0: R}, **STILL,
    ),
    "a size": proof("spaces", "spaces", Or(d >= 2, PARALLEL), Or(d >= 3, PARALLEL), **SIZED),
    "an invariant": proof("motion", "induction", Always(x <= 1), Always(x <= Rational(1, 2)), **FROM_UNIT, **HALVING),
    "a limit": proof("motion", "induction", ConvergesTo(x, 0), ConvergesTo(x, 1), **FROM_UNIT, **HALVING),
    "a barrier": proof("motion", "induction", Always(x >= 1), Always(x >= 2), **FROM_ONE, **GROWING),
    "another limit": counterexample(
        "motion", "induction", ConvergesTo(x, 1), ConvergesTo(x, 0), **FROM_UNIT, **HALVING
    ),
    "a moment of a flow": replace(
        counterexample("", "flow", Always(x <= 2), Always(x >= 1), **FROM_ONE, **GROWING),
        by_hand={"point": [[encode(x0), encode(Rational(1))]], "time": "1"},
    ),
    "a cycle in balls": proof("enclosure", "enclosure", HasPeriod(2), HasPeriod(1), **LOGISTIC),
    "a bound in balls": counterexample(
        "enclosure", "enclosure", Always(x < Rational(7, 10)), Always(x < Rational(9, 10)), **LOGISTIC
    ),
    "an orbit that returns": replace(
        proof("", "lasso", HasPeriod(2), HasPeriod(1), dynamics=Map((x,), (1 - x,)), start={x: 0}),
        by_hand={"point": [], "truth": True},
    ),
    "all cases": proof("enumerate", "enumerate", n**2 >= n, n**2 > n, variables={n: Range(0, 6)}),
    "graphs": proof(
        "structures", "structures", edges(G) / a >= 0, edges(G) / a >= 1, variables={G: Graphs(2), a: POSITIVE}
    ),
    "a cover": proof("cover", "cover", exp(x) <= 1 + 2 * x, exp(x) <= 1 + x, variables={x: UNIT}),
    "products": proof(
        "polynomial", "products", And(x + y <= 2, x * y <= 1), And(x + y <= 1, x * y <= 1), variables={x: UNIT, y: UNIT}
    ),
}  # fmt: skip


SLOW = {"a moment of a flow", "a cycle in balls", "a bound in balls", "a mean value", "an invariant", "a size"}
"""Cases in which a changed certificate is as long to look at as the right one."""


def certificate_of(case: Case) -> dict[str, Any]:
    if case.by_hand is not None:
        return {"kind": case.kind, **case.by_hand}
    found = engine(case.engine).decide(case.statement, Budget.of("standard").start())
    assert found is not None
    assert str(found.outcome) == str(case.sense)
    return dict(json.loads(json.dumps(found.certificate)))


@pytest.mark.parametrize("name", KINDS)
def test_changed_certificates_show_neither_the_twin_nor_the_opposite(name: str) -> None:
    case = KINDS[name]
    certificate = certificate_of(case)
    assert kind_of(certificate) == case.kind
    tries = FEW if name in SLOW else TRIES
    assert require_none_accepted(certificate, case.statement, case.twin, case.sense, tries) == 2 * tries


def test_there_are_many_of_many_kinds() -> None:
    assert 2 * FEW * len(SLOW) + 2 * TRIES * (len(KINDS) - len(SLOW)) >= 1000
    assert len({case.kind for case in KINDS.values()}) >= 12


NO_BOXES = {"kind": "enclosure", "truth": True, "horizon": 10, "precision": 64, "boxes": []}


@pytest.mark.parametrize(
    "then",
    [HasPeriod(1), HasPeriod(3), Always(x < 0), ConvergesTo(x, 0), Eventually(x > 1), After(2, x < 0), Decreasing(x)],
    ids=str,
)
def test_no_boxes_hold_no_trajectory(then: Any) -> None:
    """A statement without variables is about one box, which has no sides."""
    false = Statement(then=then, **LOGISTIC)
    for nothing in ([], "", {}):
        assert isinstance(accept(false, Sense.HOLDS, {**NO_BOXES, "boxes": nothing}), Rejection)


def test_the_box_of_a_single_trajectory_has_no_sides() -> None:
    right = Statement(then=After(2, x > Rational(1, 2)), **LOGISTIC)
    assert isinstance(accept(right, Sense.HOLDS, {**NO_BOXES, "boxes": [[]]}), Theorem)
    between = Statement(then=After(Rational(1, 2), x > 0), **LOGISTIC)
    assert isinstance(accept(between, Sense.HOLDS, {**NO_BOXES, "boxes": [[]]}), Rejection)


HIDDEN = Gt(1 / x + 1, 1 / x, evaluate=False)


@pytest.mark.parametrize("then", [After(1, HIDDEN), After(2, Always(HIDDEN)), Eventually(HIDDEN & Eq(x, 0))], ids=str)
def test_a_difference_hides_no_pole(then: Any) -> None:
    counting = {"dynamics": Map((x,), (x - 1,)), "start": {x: 1 if then.args[0] == 1 else 2}}
    statement = Statement(then=then, **counting)
    assert isinstance(accept(statement, Sense.HOLDS, {**NO_BOXES, "boxes": [[]]}), Rejection)
    before = Statement(then=After(0, HIDDEN), **counting)
    assert isinstance(accept(before, Sense.HOLDS, {**NO_BOXES, "boxes": [[]]}), Theorem)
