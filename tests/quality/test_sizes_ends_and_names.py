"""A size that is spoken of, a state that is not reached and a name that stands twice decide nothing by themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sympy import (
    Eq,
    FiniteSet,
    Implies,
    Integer,
    Interval,
    Naturals,
    Naturals0,
    Or,
    Range,
    Rational,
    S,
    Symbol,
    log,
    oo,
    sqrt,
    symbols,
)

from proofs_check import Outcome, verify
from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import Proving
from proofs_check.kernel.chaining import holds
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.matrix_motion import NotFollowedError, obligations
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import (
    After,
    Always,
    AtStart,
    ConvergesTo,
    Flow,
    ForSmall,
    Graphs,
    Map,
    Statement,
    Vectors,
    edges,
    inner,
    norm,
    vector,
)
from theory.errors import LemmascopeError
from theory.trees import encode

R, POSITIVE = S.Reals, Interval.open(0, oo)
x, y, a, b, d, e, x0, y0 = symbols("x y a b d e x0 y0")
u, v = vector("u"), vector("v")
G, n, t = symbols("G n t")


def rejected(statement: Statement, certificate: Any, sense: Sense = Sense.HOLDS) -> bool:
    return isinstance(accept(statement, sense, certificate), Rejection)


# -- sizes -----------------------------------------------------------------------------------------------------------

PARALLEL = Eq(norm(u) ** 2 * norm(v) ** 2, inner(u, v) ** 2)
APART = inner(u, v) ** 2 < norm(u) ** 2 * norm(v) ** 2
AREA = norm(u) ** 2 * norm(v) ** 2 - inner(u, v) ** 2
"""The determinant of the inner products."""


def sized(then: Any, *given: Any, size: Any = Naturals) -> Statement:
    letters = {letter: Vectors(d) for letter in (u, v) if then.has(letter) or any(part.has(letter) for part in given)}
    return Statement(variables={**letters, d: size}, given=given, then=then)


TRUE_OF_A_SIZE = {
    "on a line, by its domain": sized(PARALLEL, size=FiniteSet(1)),
    "on a line, by a range": sized(PARALLEL, size=Range(1, 2)),
    "on a line, by a hypothesis": sized(PARALLEL, d <= 1),
    "on a line or not": sized(Or(d >= 2, PARALLEL)),
    "what is not parallel": sized(d >= 2, APART),
    "every size": sized(AREA >= 0, d >= 3),
}
FALSE_OF_A_SIZE = {
    "in the plane, by its domain": sized(PARALLEL, size=FiniteSet(2)),
    "every size": sized(PARALLEL),
    "in the plane or on a line": sized(PARALLEL, d <= 2),
    "above the plane": sized(Or(d >= 3, PARALLEL)),
}


@pytest.mark.parametrize("name", TRUE_OF_A_SIZE)
def test_what_holds_at_a_size_is_proved(name: str) -> None:
    assert verify(TRUE_OF_A_SIZE[name]).outcome is Outcome.PROVED


@pytest.mark.parametrize("name", FALSE_OF_A_SIZE)
def test_what_fails_at_a_size_is_refuted(name: str) -> None:
    assert verify(FALSE_OF_A_SIZE[name], effort="quick").outcome is Outcome.REFUTED


def test_vectors_beyond_their_size_are_no_counterexample() -> None:
    coordinates = {"u_1": 1, "v_1": 1, "v_2": 1}
    for size, is_right in ((1, False), (2, True)):
        point = [[encode(Symbol(name)), encode(Integer(value))] for name, value in (coordinates | {"d": size}).items()]
        inside = {"kind": "point", "point": point}
        certificate = {"kind": "spaces", "route": "coordinates", "sizes": {}, "certificate": inside}
        made = accept(sized(PARALLEL, d <= 5), Sense.FAILS, certificate)
        assert isinstance(made, Theorem) is is_right


@pytest.mark.parametrize("size", [Naturals0, R, Interval(1, 2), S.Integers, FiniteSet(Rational(1, 2))])
def test_a_size_is_a_positive_whole_number(size: Any) -> None:
    with pytest.raises(LemmascopeError, match="positive whole number"):
        sized(AREA >= 0, size=size)


@pytest.mark.parametrize("size", [Integer(0), Rational(1, 2), d - 1, 2 * d])
def test_a_size_is_a_symbol_or_a_positive_whole_number(size: Any) -> None:
    with pytest.raises(LemmascopeError, match="positive whole number"):
        Statement(variables={u: Vectors(size)}, then=norm(u) ** 2 >= 0)


# -- trajectories that have no next state ----------------------------------------------------------------------------


def moving(factor: Any, *given: Any, domain: Any = R, kind: Any = Map, start: Any = v) -> Statement:
    return Statement(
        variables={a: domain, v: Vectors()}, given=given, dynamics=kind((u,), (factor * u,)), start={u: start},
        then=Always(norm(u) ** 2 >= 0),
    )  # fmt: skip


def test_no_rule_speaks_of_vectors_that_a_number_leaves_without_a_value() -> None:
    shown = verify(moving(S.Half)).certificate
    assert not rejected(moving(S.Half), shown)
    partial = [
        *(moving(1 / a), moving(1 / a, kind=Flow), moving(S.Half, start=v / a), moving(log(a))),
        *(moving(1 / (a - 1), a > 0), moving(a / (a - 1), domain=POSITIVE), moving(sqrt(a))),
    ]
    assert all(rejected(statement, shown) for statement in partial)
    assert verify(moving(1 / a), effort="quick").outcome is Outcome.OPEN


def test_where_the_numbers_have_values_the_rules_apply() -> None:
    assert verify(moving(1 / a, domain=POSITIVE)).outcome is Outcome.PROVED
    assert verify(moving(1 / (a - 1), a > 2)).outcome is Outcome.PROVED
    assert verify(moving(1 / (a**2 + 1), kind=Flow)).outcome is Outcome.PROVED
    assert verify(moving(S.Half, start=v / a, domain=Interval(1, 2))).outcome is Outcome.PROVED


def test_a_claim_that_may_lose_its_value_is_not_followed() -> None:
    inverse = 1 / norm(u) ** 2
    zero = Map((u,), (u - v,))
    claim = Statement(
        variables={v: Vectors()},
        given=(norm(v) >= 1,),
        dynamics=zero,
        start={u: v},
        then=Always(inverse + 1 >= inverse),
    )
    with pytest.raises(NotFollowedError, match="no value"):
        obligations(claim, ["monotone"])


def chained(rule: Any, then: Any, *given: Any, kind: Any = Map, start: Any = x0) -> Statement:
    return Statement(
        variables={x0: R, y0: R}, given=given, dynamics=kind((x, y), rule), start={x: start, y: y0}, then=then
    )


INVERSE = (1 / x, y / 2)
SOMEWHERE = Implies(Always(x > 5), Always(x > 6))
NOT_CHAINED = {
    "no fact about the state": chained(INVERSE, Always(x**2 >= 0), SOMEWHERE),
    "a fact about another number": chained((x / 2, 1 / y), Always(y**2 >= 0), Always(x > 1)),
    "one of two": chained((x / 2, 1 / y), Always(y**2 >= 0), Always((x > 1) | (y > 1))),
    "a fact about fixed numbers": chained(INVERSE, Always(x**2 >= 0), Always(x0 > 1)),
    "nothing of the state": chained(INVERSE, Always(x0**2 >= 0), SOMEWHERE),
}
CHAINED = {
    "a fact about the state": chained(INVERSE, Always(x**2 >= 25), Always(x > 5)),
    "both of two": chained(INVERSE, Always(x**2 >= 25), Always((x > 5) | (x < -5))),
    "every moment of a flow": chained(INVERSE, Always(x**2 >= 0), SOMEWHERE, kind=Flow),
}


@pytest.mark.parametrize("name", NOT_CHAINED)
def test_nothing_is_always_true_of_a_map_that_may_end(name: str) -> None:
    assert not holds(NOT_CHAINED[name], Proving(Budget.of("standard").start()))


@pytest.mark.parametrize("name", CHAINED)
def test_what_is_assumed_of_every_state_is_used(name: str) -> None:
    assert holds(CHAINED[name], Proving(Budget.of("standard").start()))


# -- terms of structures that cancel ---------------------------------------------------------------------------------

GRAPHS = {
    "nothing times a pole": (1, edges(G) / a >= 0, ()),
    "nothing times a logarithm": (1, edges(G) * log(a) >= 0, ()),
    "a difference of poles": (2, edges(G) / a - 1 / a >= 0, (Eq(edges(G), 1),)),
    "a pole to the power 0": (1, (1 / a) ** edges(G) >= 1, ()),
    "a pole beside a number": (1, edges(G) * (2 + 1 / a) >= 0, ()),
    "a pole in a sum": (2, (edges(G) - 1) / a + 1 >= 1, (Eq(edges(G), 1),)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_case_of_a_structure_does_not_hide_a_pole(name: str) -> None:
    nodes, then, given = GRAPHS[name]
    every = {"kind": "structures", "rule": "cases", "cases": 2 ** (nodes - 1), "left": []}
    assert rejected(Statement(variables={G: Graphs(nodes), a: R}, given=given, then=then), every)
    right = Statement(variables={G: Graphs(nodes), a: Interval(1, 2)}, given=given, then=then)
    assert verify(right).outcome is Outcome.PROVED


# -- what changes is no target and no moment, and a name has one meaning ----------------------------------------------

MOVING = {
    "a state as a target": (Map((x,), (x + 1,)), ConvergesTo(x, x)),
    "a part of a target": (Map((x,), (-x,)), ConvergesTo(x**2, x + 1)),
    "under an operator": (Map((x,), (-x,)), After(1, ConvergesTo(x**2, x))),
    "in a premise": (Map((x,), (-x,)), Implies(ConvergesTo(x, x), Always(x > 0))),
    "the time as a target": (Flow((x,), (S.One,), t), ConvergesTo(x, t)),
    "the time as a moment": (Flow((x,), (S.One,), t), After(t, x >= 1)),
    "a state as a moment": (Map((x,), (x + 1,)), After(x, x >= 1)),
}


@pytest.mark.parametrize("name", MOVING)
def test_what_the_dynamics_change_is_refused_as_a_fixed_number(name: str) -> None:
    dynamics, then = MOVING[name]
    with pytest.raises(LemmascopeError, match="the dynamics change"):
        Statement(variables={x0: POSITIVE}, dynamics=dynamics, start={x: x0}, then=then)


def test_a_hypothesis_about_a_variable_is_none_about_a_state_of_its_name() -> None:
    premise = Implies(x > 0, Always(x < -3))

    def named(start: Any) -> Statement:
        step = Map((x,), (x / 2,))
        return Statement(
            variables={x: POSITIVE}, given=(x > 0, premise), dynamics=step, start={x: start}, then=Always(x < -3)
        )

    assert not holds(named(-x), Shown(()))
    assert holds(named(x), Shown(()))


def test_a_parameter_called_like_a_variable_of_the_criterion() -> None:
    argument = {"rule": "affine", "facts": {"rest": [encode(S.Zero)]}, "parts": [], "obligations": []}
    certificate = {"kind": "induction", "argument": argument, "obligations": []}

    def scaled(factor: Any) -> Statement:
        letters = dict.fromkeys((x0, *factor.free_symbols), R)
        return Statement(variables=letters, dynamics=Map((x,), (factor * x,)), start={x: x0}, then=ConvergesTo(x, 0))

    for factor in (Symbol("_z") / 2, Symbol("z") / 2, a / 2, Symbol("_z") ** 2 / 4, S(2)):
        assert rejected(scaled(factor), certificate)
    assert not rejected(scaled(S.Half), certificate)


def renamed(certificate: Any, **names: str) -> Any:
    text = json.dumps(certificate)
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return json.loads(text)


def test_a_parameter_called_like_a_renamed_state() -> None:
    now = Symbol("x_now")
    growing = Statement(variables={y: POSITIVE}, dynamics=Map((x,), (3 * x / 2,)), start={x: y}, then=Always(x > 0))
    shown = verify(growing, effort="quick").certificate
    assert not rejected(growing, shown)
    forged = renamed(renamed(shown, x="x_now"), y="x")
    falling = Map((x,), (x / 2 + now,))
    letters = {x: POSITIVE, now: Interval(-5, -4)}
    assert rejected(Statement(variables=letters, dynamics=falling, start={x: x}, then=Always(x > 0)), forged)
    same = Statement(variables={x: POSITIVE}, dynamics=Map((x,), (3 * x / 2,)), start={x: x}, then=Always(x > 0))
    assert not rejected(same, forged)


def test_a_hypothesis_about_a_symbol_of_the_checker_is_looked_at() -> None:
    line = Symbol("_")
    point = {"kind": "series", "part": 0, "point": [[encode(a), encode(S.One)]]}
    for letter in (line, b):
        kept = Statement(variables={a: R, letter: Interval(1, 2)}, given=(a * letter < 0,), then=ForSmall(e, a * e < 0))
        assert rejected(kept, point, Sense.FAILS)
    assert not rejected(Statement(variables={a: R}, then=ForSmall(e, a * e < 0)), point, Sense.FAILS)


def test_the_start_is_not_a_variable_of_its_name() -> None:
    other = Statement(variables={x: POSITIVE}, dynamics=Map((x,), (x / 2,)), start={x: -x}, then=AtStart(x > 0))
    assert verify(other, effort="quick").outcome is Outcome.REFUTED


def test_a_stored_proof_counts_in_its_own_domains_alone() -> None:
    found = engine("polynomial").decide(
        Statement(variables={x: Interval(0, 1)}, then=x >= 0), Budget.of("standard").start()
    )
    assert found is not None
    stored = {"condition": encode(x >= 0), "given": [], "certificate": found.certificate}
    shown = Shown([stored])
    for low, is_so in ((0, True), (-1, False), (0, True), (-oo, False)):
        assert shown.follows(x >= 0, {x: Interval(low, 1)}, ()) is is_so
