"""Expressions travel as a table of nodes: they come back equal, and nothing outside the vocabulary is built."""

from __future__ import annotations

import json

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory import Always, AtStart, ConvergesTo, Exists, ForSmall, Map, Scaling, Statement
from theory.errors import LemmascopeError
from theory.trees import content_hash, decode, decode_statement, encode, encode_statement

x, y, K = sp.symbols("x y K")


def trees() -> st.SearchStrategy[sp.Expr]:
    numbers = st.fractions(max_denominator=50).map(lambda value: sp.Rational(value.numerator, value.denominator))
    leaves = st.sampled_from([x, y, K, sp.pi, sp.E]) | numbers
    unary = st.sampled_from([sp.exp, sp.sin, sp.tanh, sp.Abs, sp.sqrt, lambda part: part**3])

    def grow(parts: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
        pairs = st.tuples(parts, parts)
        return (
            pairs.map(sum)
            | pairs.map(lambda pair: pair[0] * pair[1])
            | st.tuples(unary, parts).map(lambda p: p[0](p[1]))
        )

    return st.recursive(leaves, grow, max_leaves=8)


@given(trees())
def test_expressions_come_back_equal(expression: sp.Expr) -> None:
    assert decode(json.loads(json.dumps(encode(expression)))) == expression


FORMULAS = [
    sp.Implies((x > 0) & (y < 1), sp.Eq(x, y) | (x <= 2)),
    Always(ConvergesTo((x, y), (1, K)) | (x > 0)),
    AtStart(x > 0) | Always(x > y),
    Exists(x, sp.Interval.open(0, K), ForSmall(y, x > y)),
    Scaling(sp.sin(x), x, sp.Rational(1, 2), "at most"),
    sp.Piecewise((x, x > 0), (0, True)) > sp.Max(x, y),
    sp.Derivative(sp.Function("phi")(x), x) > 0,
]


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
def test_formulas_come_back_equal(formula: sp.Basic) -> None:
    assert decode(json.loads(json.dumps(encode(formula)))) == formula


def test_shared_parts_are_stored_once() -> None:
    expression = x
    for _ in range(40):
        expression = sp.sin(expression + expression**2)
    assert len(encode(expression)["nodes"]) < 200


def test_a_statement_comes_back_with_the_same_content() -> None:
    step = Map((x,), (K * x * (1 - x),))
    statement = Statement(
        id="demo/lemma-1",
        variables={K: sp.Interval(0, 1), y: sp.Interval.open(0, 1)},
        given=(K * y < 1,),
        dynamics=step,
        start={x: y},
        then=ConvergesTo(x, 0),
        almost_all=(y,),
    )
    back = decode_statement(json.loads(json.dumps(encode_statement(statement))))
    assert encode_statement(back) == encode_statement(statement)
    assert content_hash(back) == content_hash(statement.but(title="another title"))
    assert content_hash(back) != content_hash(statement.but(given=(K * y <= 1,)))


@pytest.mark.parametrize(
    "tree",
    [
        None,
        {},
        {"nodes": []},
        {"nodes": [["eval", "1"]]},
        {"nodes": [["__class__"]]},
        {"nodes": [["Add", 0, 1]]},
        {"nodes": [["Add", -1]]},
        {"nodes": [["Integer", "__import__('os')"]]},
        {"nodes": [["Integer", "9" * 200_000]]},
        {"nodes": [["Rational", "1", "0"], ["Add", 0]]},
        {"nodes": [["Atom", "__globals__"]]},
        {"nodes": ["Symbol"]},
        {"nodes": [["Symbol"]]},
    ],
)
def test_hostile_trees_are_refused(tree: object) -> None:
    with pytest.raises(LemmascopeError, match="damaged"):
        decode(tree)


def test_what_was_written_without_evaluation_is_not_carried_out() -> None:
    quotient = sp.Mul(x, sp.Pow(x, -1, evaluate=False), evaluate=False)
    statement = Statement(id="q", variables={x: sp.S.Reals}, then=sp.Eq(quotient, 1, evaluate=False))
    assert statement.then.lhs == quotient
    assert decode_statement(encode_statement(statement)).then.lhs == quotient
