"""Whatever is proved about a random formula holds at every point of a grid, and every refutation is a true one."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, And, Eq, Max, Or, Piecewise, Rational, S, Symbol, sqrt
from sympy.parsing.sympy_parser import parse_expr

from proofs_check.budget import Budget
from proofs_check.engines.identity import search as identity
from proofs_check.engines.polynomial import search as real
from proofs_check.goals import Goal
from proofs_check.points.exact import holds
from proofs_check.verdict import Outcome

x, y = Symbol("x"), Symbol("y")
GRID = [Rational(k, 2) for k in (-4, -1, 0, 2, 3)]

leaves = st.sampled_from([x, y, S(1), S(2), Rational(-1, 2), x * y, x**2])


def grown(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] - p[1]),
        inner.map(Abs),
        inner.map(lambda u: u if u.is_number and u.is_negative else sqrt(u)),
        st.tuples(inner, inner).map(lambda p: Max(*p) if all(q.is_extended_real is not False for q in p) else p[0]),
        st.tuples(inner, inner).map(lambda p: p[0] / p[1] if p[1] != 0 else p[0]),
        st.tuples(inner, inner).map(lambda p: Piecewise((p[0], x > 0), (p[1], True))),
    )


terms = st.recursive(leaves, grown, max_leaves=3)
relations = st.tuples(terms, terms, st.integers(0, 2)).map(lambda p: (p[0] <= p[1], p[0] < p[1], Eq(p[0], p[1]))[p[2]])
formulas = st.one_of(relations, st.tuples(relations, relations).map(lambda p: Or(*p)))


def real_everywhere(formula):
    return not formula.has(S.ImaginaryUnit, S.ComplexInfinity, S.NaN)


@settings(max_examples=15, deadline=None)
@given(relations, formulas)
def test_proofs_and_refutations_agree_with_exact_evaluation(hypothesis, claim):
    if not real_everywhere(And(hypothesis, claim)) or hypothesis in (S.true, S.false):
        return
    goal = Goal({x: S.Reals, y: S.Reals}, (hypothesis,), claim)
    for engine in (identity, real):
        verdict = engine.prove(goal, Budget("quick", 0.5, 1, 1))
        if verdict is None:
            continue
        if verdict.outcome is Outcome.REFUTED:
            point = {Symbol(name): parse_expr(value) for name, value in verdict.counterexample.items()}
            assert holds(hypothesis, point) is True
            assert holds(claim, point) is False
        else:
            for values in product(GRID, repeat=2):
                point = dict(zip((x, y), values, strict=True))
                assert holds(hypothesis, point) is not True or holds(claim, point) is not False
