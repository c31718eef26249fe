"""LaTeX says what it means, exactly, or is refused with the place; nothing in it is ever run."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import (
    Abs,
    And,
    E,
    Eq,
    Expr,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    Ne,
    Rational,
    Symbol,
    cos,
    exp,
    latex,
    log,
    pi,
    sech,
    sin,
    sqrt,
    symbols,
    tanh,
)

from theory import LemmascopeError, from_latex, gradient_descent, notation

x, y, a, b, c, L, eta, x_0, w_1, w_2, lambda_1 = symbols("x y a b c L eta x_0 w_1 w_2 lambda_1")

EXPRESSIONS = {
    r"\frac{1}{2} L x^2": L * x**2 / 2,
    r"\dfrac{L}{2} \left( x_0 - 0.03 \right)^{2}": L * (x_0 - Rational(3, 100)) ** 2 / 2,
    r"\sqrt{2} x + \sqrt[3]{y}": sqrt(2) * x + y ** Rational(1, 3),
    r"e^{-x} + \exp(-x)": 2 * exp(-x),
    r"\log(1 + e^{-x})": log(1 + exp(-x)),
    r"\ln x + 1": log(x) + 1,
    r"\log{\left(x \right)}^{2}": log(x) ** 2,
    r"\log_2 x": log(x) / log(2),
    r"\sin^2 x + \cos(x)^2": sin(x) ** 2 + cos(x) ** 2,
    r"\tanh 2x": tanh(2 * x),
    r"\operatorname{sech}(x)^2": sech(x) ** 2,
    r"\max(x, y)": Max(x, y),
    r"\left|x\right| y |y|": Abs(x) * y * Abs(y),
    r"x(x + 1)^2": x * (x + 1) ** 2,
    r"(x - 1)(x + 1)": (x - 1) * (x + 1),
    r"2 \pi \lambda_{1} x": 2 * pi * lambda_1 * x,
    r"a - b - c": a - b - c,
    r"a / b / c": a / (b * c),
    r"-x^2": -(x**2),
    r"2^{-1}": Rational(1, 2),
    r"\frac12 L x^2 + \tfrac{1}2": L * x**2 / 2 + Rational(1, 2),
    r"\frac123": Rational(3, 2),
    r"x^{y^z}": x ** (y ** Symbol("z")),
    r"\sum_{i=1}^{2} (w_i - i)^2": (w_1 - 1) ** 2 + (w_2 - 2) ** 2,
    r"\sum_{i=1}^{2} \sum_{j=1}^{i} W_{i,j}": sum(symbols("W_1_1 W_2_1 W_2_2")),
    r"\prod_{k=1}^{3} (x + k)": (x + 1) * (x + 2) * (x + 3),
    r"$ \hat{x} + x_{\text{prev}} + \mathcal{L} $": Symbol("xhat") + Symbol("x_prev") + Symbol("Lcal"),
    r"e^2": E**2,
}


@pytest.mark.parametrize("written", EXPRESSIONS)
def test_an_expression_says_what_a_reader_understands(written: str) -> None:
    assert from_latex(written) == EXPRESSIONS[written]


RELATIONS = {
    r"\eta L < 2": Lt(eta * L, 2),
    r"x > y": Gt(x, y),
    r"x \leq y": Le(x, y),
    r"x \ge y": Ge(x, y),
    r"x = y": Eq(x, y),
    r"x \ne y": Ne(x, y),
    r"0 < x \le 1": And(Lt(0, x, evaluate=False), Le(x, 1)),
}


@pytest.mark.parametrize("written", RELATIONS)
def test_relations_and_chains(written: str) -> None:
    assert from_latex(written) == RELATIONS[written]


def test_a_relation_is_left_for_the_engines() -> None:
    assert from_latex("x y = y x") == Eq(x * y, x * y, evaluate=False)
    assert from_latex("1 < 2") == Lt(1, 2, evaluate=False)


def test_a_loss_gives_its_dynamics() -> None:
    assert gradient_descent(from_latex(r"\frac{L x^2}{2}"), x, eta).update == (x - eta * L * x,)


REFUSED = {
    r"x + \write18{ls}": (5, r"\write"),
    r"\input{/etc/passwd}": (1, r"\input"),
    r"__import__('os').system('ls')": (12, "prime"),
    r"x.__class__": (2, "not part"),
    r"\|x\|": (1, "norm"),
    r"a / b c": (7, r"\frac"),
    r"1 / b(c)": (6, r"\frac"),
    r"x^10": (3, "^{10}"),
    r"x_10": (2, "_{10}"),
    r"x^2_0": (4, "subscript"),
    r"x_{t+1}": (2, "subscript"),
    r"\frac{d}{dx} x^2": (1, "derivatives"),
    r"\int x": (1, "integrate"),
    r"x \in y": (3, "variables="),
    r"a +": (4, "missing"),
    r"a \cdot": (8, "missing"),
    r"(a": (1, "never closed"),
    r"a)": (2, "closes nothing"),
    r"a, b": (2, "one formula"),
    r"|x": (2, "absolute value"),
    r"\max x": (1, "brackets"),
    "(" * 60 + "x" + ")" * 60: (41, "nested"),
    "x" * 2000: (1002, "tokens"),
    "": (1, "missing"),
    "x =": (4, "missing"),
    r"\frac{a}": (8, "makes no sense"),
}


@pytest.mark.parametrize("written", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(written: str) -> None:
    place, word = REFUSED[written]
    with pytest.raises(LemmascopeError) as refusal:
        from_latex(written)
    assert f"at character {place} " in str(refusal.value)
    assert word in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "written", [r"9^{9^{9^{9}}}", r"10^{9}!", r"\sum_{i=1}^{999999999} i", r"\sum_{i=1}^{n} i", "1 / 0", "(a < b)"]
)
def test_what_would_not_end_or_is_no_formula_is_refused_at_once(written: str) -> None:
    from_latex("x")  # the tables of the grammar are loaded once
    begun = time.perf_counter()
    with pytest.raises(LemmascopeError):
        from_latex(written)
    assert time.perf_counter() - begun < 5


def test_only_text_is_read() -> None:
    with pytest.raises(LemmascopeError, match="reads a string"):
        from_latex(3)  # type: ignore[arg-type]


ATOMS = st.sampled_from([x, y, eta, x_0, lambda_1]) | st.fractions(-5, 5, max_denominator=9).map(Rational)


def _larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, st.integers(2, 4)).map(lambda pair: pair[0] ** pair[1]),
        inner.map(lambda part: 1 / (part**2 + 1)),
        st.tuples(st.sampled_from([exp, log, tanh, sin, sqrt, Abs]), inner).map(lambda pair: pair[0](pair[1] ** 2 + 1)),
    )


@given(st.recursive(ATOMS, _larger, max_leaves=6))
def test_what_sympy_prints_is_read_back(expression: Expr) -> None:
    assert from_latex(latex(expression)) == expression
    assert from_latex(notation.latex(expression)) == expression


def test_words_are_printed_upright_and_read_back() -> None:
    words = symbols("loss x_prev eps")
    assert [notation.latex(word) for word in words] == [r"\mathrm{loss}", r"x_{\mathrm{prev}}", r"\mathrm{eps}"]
    assert tuple(from_latex(notation.latex(word)) for word in words) == words


def test_a_wide_formula_is_broken_between_its_parts() -> None:
    long = And(*(Le(x**k + y**k + a**k + b**k, c**k) for k in range(2, 9)))
    rows = notation.broken(long)
    assert len(rows) > 1
    assert all(notation.width(row) < 90 for row in rows)
    assert all(row.startswith(r"\wedge") for row in rows[1:])


@given(st.text(alphabet=r"\xy_^{}()|+-/=<2e fracsqtlog", max_size=25))
def test_any_text_is_read_or_refused_with_one_sentence(text: str) -> None:
    try:
        from_latex(text)
    except LemmascopeError as refusal:
        assert "\n" not in str(refusal).replace(text, "")  # noqa: PT017 - both answers are right
