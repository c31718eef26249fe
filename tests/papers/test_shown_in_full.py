"""What a statement says is all in its LaTeX: two that say different things are never shown as the same formula."""

from __future__ import annotations

from collections import defaultdict

import pytest
from sympy import Eq, Interval, Rational, S, exp, sin, sqrt, symbols
from twins import DEEP

from proofs_check.report.typeset import formula
from theory import Always, AtStart, Computation, Constant, ConvergesTo, Flow, Map, Scaling, Statement
from theory.library import PAPERS, find, stated
from theory.trees import content_hash

QUICK = ("swing_by", "graph_expressiveness", "simplicity_bias")
"""The papers whose statements are derived within seconds; the deep profile looks at all of them."""
x, y, c, t, k, e = symbols("x y c t k e")
x0 = symbols("x_0")


def different_formulas(statements: list[Statement]) -> None:
    shown = defaultdict(dict)
    for statement in statements:
        shown[statement.latex()].setdefault(content_hash(statement), statement.id)
    assert not [list(same.values()) for same in shown.values() if len(same) > 1]


@pytest.mark.parametrize("paper", PAPERS if DEEP else QUICK)
@pytest.mark.sampled(2)
def test_different_statements_of_a_paper_have_different_formulas(paper: str) -> None:
    different_formulas([entry.statement() for entry in stated(f"{paper}/*")])


def test_a_correction_that_only_allows_exceptions_can_be_seen() -> None:
    printed, corrected = (
        find(f"edge_of_stability/{number}")[0].statement() for number in ("proposition-3", "proposition-3.corrected")
    )
    assert r"\text{for almost every }x_{0}, y_{0} \in" in corrected.latex()
    assert "almost" not in printed.latex()


SHRINK = Map((x,), (c * x,), time=k)
BASE = Statement(
    variables={x0: Interval(0, 1)}, dynamics=SHRINK, start={x: x0}, constants=(Constant(c, Rational(1, 2), "largest"),),
    then=Always(x <= 1),
)  # fmt: skip
COUNTED = Statement(then=Eq(c, 1), computed=Computation("walks", {"n": 3, "of": "trees"}, yields=("c",)))


@pytest.mark.parametrize(
    "one",
    [
        BASE.but(almost_all=(x0,)),
        BASE.but(dynamics=Map((x,), (c * x,))),
        BASE.but(dynamics=Flow((x,), (c * x,), time=k)),
        BASE.but(constants=(Constant(c, Rational(1, 2), "smallest"),)),
        BASE.but(start={x: x0 / 2}),
        BASE.but(given=(x0 > sqrt(2) / 2,)),
        BASE.but(uses=("1", "2")),
        BASE.but(then=AtStart(x <= 1)),
        BASE.but(then=ConvergesTo(x, 0)),
    ],
)
def test_every_field_of_a_statement_is_shown(one: Statement) -> None:
    different_formulas([BASE, one])
    assert formula(one.latex()).mathml


@pytest.mark.parametrize(
    "one",
    [
        Computation("walks", {"n": 4, "of": "trees"}, yields=("c",)),
        Computation("walks", {"n": 3, "of": "{a_b} <c^2> & d\\e # 5%"}, yields=("c",)),
        Computation("cycles", {"n": 3, "of": "trees"}, yields=("c",)),
        Computation("walks", {"n": 3, "of": "trees"}, yields=("c",), exact=False),
        Computation("walks", {"n": 3, "of": "trees"}, yields=("c", "d")),
    ],
)
def test_what_a_counted_or_measured_symbol_means_is_shown(one: Computation) -> None:
    different_formulas([COUNTED, COUNTED.but(computed=one)])
    assert formula(COUNTED.but(computed=one).latex()).mathml


def test_the_tolerance_of_a_fitted_exponent_is_shown() -> None:
    law = Statement(then=Scaling(e - sin(e), e, 3))
    different_formulas([law, law.but(then=Scaling(e - sin(e), e, 3, tolerance="1/10"))])


def test_the_clock_is_named() -> None:
    rate = Statement(
        variables={x0: S.Reals}, dynamics=Flow((x,), (-x,), time=t), start={x: x0}, then=Always(x <= x0 * exp(-t))
    )
    assert r"t\text{ is the time}" in rate.latex()
    assert r"k\text{ counts the steps}" in BASE.latex()
