"""Figures 1 to 6 and Table 1: what they are meant to show, as predicates on measurements.

Panels with Gaussian inputs use data with the same moments as the population. Figure 3 and Table 1 use a small bundled
set of handwritten digits in place of the paper's images; Fig. 1B prints no target, ours is [[2, 1/2], [1/2, 1]].
"""

from sympy import And, Eq, Rational, Symbol, symbols

from theory.saddle_to_saddle._display import measured
from theory.saddle_to_saddle._paper import paper
from theory.statements import Statement

plateau, width, loss, level = symbols("plateau_width final_width loss level")


@paper.statement("figure-1", "Linear network: a plateau at effective width one, then width two at zero loss")
def figure_1() -> Statement:
    claim = And(Eq(plateau, 1), Eq(width, 2), loss < Rational(1, 10**6), level < Rational(1, 50))
    return measured("panel", claim, panel="linear", seed=1)


def _panel(letter: str, name: str, tolerance: Rational) -> None:
    @paper.statement(
        f"figure-1.{letter}", f"Panel {letter.upper()}, {name}: effective width one on the plateau, then two"
    )
    def panel() -> Statement:
        return measured("panel", And(Eq(plateau, 1), Eq(width, 2), loss < tolerance), panel=name, seed=1)


_panel("c", "linear-convolution", Rational(1, 10**6))
_panel("d", "relu", Rational(1, 10**4))
_panel("e", "relu-convolution", Rational(1, 10**4))


@paper.statement("figure-1.f", "Panel F, linear attention: one large head on the plateau, then two")
def figure_1_f() -> Statement:
    return measured(
        "attention",
        And(Eq(plateau, 1), Eq(width, 2)),
        seed=1,
        notes="From other starts two heads can grow together and the plateau at one head is missing (seed 3).",
    )


_panel("g", "quadratic", Rational(1, 10**4))


@paper.statement("figure-2", "A wider layer shortens the plateaus of a quadratic network, hardly those of a linear one")
def figure_2() -> Statement:
    linear, quadratic = symbols("linear_ratio quadratic_ratio")
    return measured("width", And(linear > Rational(1, 2), quadratic < Rational(1, 2)), seed=0)


@paper.statement("figure-2.b", "Equal singular values remove the intermediate plateaus of a linear network")
def figure_2_b() -> Statement:
    unequal, equal = symbols("unequal equal")
    return measured("spectrum", And(unequal > Rational(3, 2), equal < Rational(11, 10)), seed=0)


@paper.statement("figure-2.c", "Large rank-one weights: no first plateau, then the rank-1 and rank-2 levels")
def figure_2_c() -> Statement:
    first, one, two = symbols("first_plateau rank_one rank_two")
    claim = And(first < Rational(1, 10), one < Rational(1, 20), two < Rational(1, 5))
    return measured("structure", claim, seed=0)


@paper.statement("figure-2.d", "A larger initial scale shortens the first plateau")
def figure_2_d() -> Statement:
    small, large = symbols("small large")
    return measured("scale", large < small, seed=0)


@paper.statement("figure-3", "Digits: the first two singular values grow with the two drops, the third stays small")
def figure_3() -> Statement:
    third, harder = symbols("third harder")
    return measured("digits", And(third < Rational(1, 20), harder > 1), seed=0)


@paper.statement("table-1", "The pair 3/5 has the smallest second singular value; the first values are close together")
def table_1() -> Statement:
    ordered, spread = symbols("hardest_last spread")
    return measured("singular_values", And(Eq(ordered, 1), spread < 2))


@paper.statement("table-1.a", "Pair 0/8: first and second singular value agree to three digits")
def table_1_a() -> Statement:
    gap = Symbol("gap_08")
    return measured(
        "singular_values",
        gap < Rational(1, 200),
        notes="Printed as 5.21 and 5.21; on the digits used here the two values are far apart, which suggests a slip"
        " but decides nothing about the paper's images.",
    )


def _activation(letter: str, name: str) -> None:
    @paper.statement(f"figure-4.{letter}", f"Panel {letter.upper()}, {name}: one, then two large units")
    def panel() -> Statement:
        return measured("panel", And(Eq(plateau, 1), Eq(width, 2)), panel=name, seed=1)


_activation("f", "s-tanh-s")
_activation("g", "cubic")


@paper.statement("figure-4", "sin and tanh: rank one after the first drop")
def figure_4() -> Statement:
    tanh, sin = symbols("tanh_second sin_second")
    return measured("early_rank", And(tanh < Rational(1, 20), sin < Rational(1, 20)), seed=0)


@paper.statement("figure-5", "Three linear layers: first layer of rank one on the plateau, two at the end")
def figure_5() -> Statement:
    return measured("panel", And(Eq(plateau, 1), Eq(width, 2), loss < Rational(1, 1000)), panel="deep-linear", seed=1)


@paper.statement("figure-6", "Four linear layers: the more layers a connection skips, the faster the learning")
def figure_6() -> Statement:
    none, one, two = symbols("none one two")
    return measured("skips", And(two < one, one < none), seed=0)
