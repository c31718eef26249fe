"""Statements written as text mean what they say or are refused with a sentence; no text is ever executed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import And, Eq, Interval, Le, Lt, Pow, S, Symbol, exp, log, oo, symbols

from theory import Always, ConvergesTo, Map, Matrices, Vectors, gradient_descent, inner, matrix, norm, vector
from theory.errors import LemmascopeError
from theory.latex_prose import premises_from_latex, statement_from_latex
from theory.python_text import from_python
from theory.statements import Statement
from theory.trees import content_hash
from theory.written import statement_from

x, y, x0, eta, L, d, m, n = symbols("x y x0 eta L d m n")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("0 < x <= 1/3", And(Lt(0, x), x <= S(1) / 3)),
        ("x**2 - 0.25 >= 1e-3", x**2 - S(1) / 4 >= S(1) / 1000),
        ("exp(-x) <= 1 and y != 2", And(exp(-x) <= 1, ~Eq(y, 2))),
        ("Always(x <= x0)", Always(x <= x0)),
        ("ConvergesTo((x, y), (0, 1))", ConvergesTo((x, y), (0, 1))),
    ],
)
def test_python_text_means_what_it_says(text: str, meaning: object) -> None:
    assert from_python(text) == meaning


@pytest.mark.parametrize("text", ["x/x == 1", "1/x - 1/x == 0", "sqrt(x)**2 == x", "exp(log(x)) == x", "0*(1/x) == 0"])
def test_terms_without_a_value_do_not_vanish_while_they_are_read(text: str) -> None:
    equation = from_python(text)
    assert equation.lhs != equation.rhs
    powers = [part for part in equation.lhs.atoms(Pow) if not (part.exp.is_Integer and part.exp >= 0)]
    assert powers or equation.lhs.has(log)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "x.__class__", "[x]", "{x}", "lambda: 1", "x if y else 1", "f'{x}'", "x[0]", "(x := 1)",
        "f(x)", "exp(x=1)", "exp(*x)", "9**9**9", "factorial(10**9)", "1/0", "0**-1", "True", "x ^ 2",
        "x @ y", "x // 2",
        "x in y", "x is y", "not x", "x and y", "1j", "'x'", "yield", "", "(" * 500, "x+" * 4000 + "1", "eval", "_x",
        "exp(x, y, 1)", "Always", "Always(x)", "1 + (x < 2)", "exp(x < 1)",
    ],
)  # fmt: skip
def test_other_python_is_refused(text: str) -> None:
    if text == "eval":
        assert from_python(text) == Symbol("eval")  # a name like any other
        return
    with pytest.raises(LemmascopeError):
        from_python(text)


@given(st.text(alphabet="xyEo0123456789.+-*/()<>=!,_ &|~^%[]{}'\"expogmainrt:", max_size=40))
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    try:
        from_python(text)
    except LemmascopeError:
        return


def test_a_written_statement_is_the_same_as_one_in_python() -> None:
    written = {
        "variables": {"L": "positive", "eta": "(0, oo)", "x0": "reals"},
        "given": ["eta*L < 2"],
        "dynamics": {"gradient_descent": {"loss": "L*x**2/2", "state": ["x"], "rate": "eta"}},
        "start": {"x": "x0"},
        "then": {"converges_to": ["x", "0"]},
    }
    half = Interval.open(0, oo)
    own = Statement(
        variables={L: half, eta: half, x0: S.Reals},
        given=(eta * L < 2,),
        dynamics=gradient_descent(L * x**2 / 2, x, eta),
        start={x: x0},
        then=ConvergesTo(x, 0),
    )
    assert content_hash(statement_from(written)) == content_hash(own)
    latex = {
        **written,
        "syntax": "latex",
        "variables": {"L": "positive", r"\eta": r"(0, \infty)", "x0": r"\mathbb{R}"},
        "given": [r"\eta L < 2"],
        "dynamics": {"gradient_descent": {"loss": r"\frac{L}{2} x^2", "state": ["x"], "rate": r"\eta"}},
    }
    latex["start"] = {"x": 1}
    assert statement_from(latex).dynamics == own.dynamics


def test_a_map_a_flow_and_vectors_can_be_written() -> None:
    moving = {"variables": {"x0": "[0, 1]"}, "start": {"x": "x0"}, "then": {"always": "x <= x0*2**(-k) + 1"}}
    moving["dynamics"] = {"map": {"x": "x/2"}, "time": "k"}
    assert statement_from(moving).dynamics == Map((x,), (x / 2,), Symbol("k"))
    flow = {**moving, "dynamics": {"flow": {"x": "-x"}}, "then": {"decreasing": "x"}}
    assert statement_from(flow).dynamics.velocity == (-x,)
    vectors = {"variables": {"v": "vectors", "w": "vectors"}, "then": "inner(v, w) <= norm(v)*norm(w)"}
    assert statement_from(vectors).speaks_of_spaces


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"then": None}, "no formula"),
        ({"then": "x"}, "claims nothing"),
        ({"variables": {"x": "[1]"}}, "is not read"),
        ({"variables": {"x": "somewhere"}}, "is not read"),
        ({"variables": {"x": 3}}, "is no text"),
        ({"variables": {"x": "[2, 1]"}}, "is empty"),
        ({"variables": ["x"]}, "is an object"),
        ({"variables": {}}, "has no domain"),
        ({"given": [3]}, "is no formula"),
        ({"unknown": 1}, "has no field"),
        ({"syntax": "sage"}, "python or latex"),
        ({"dynamics": {"adam": {}}, "start": {"x": 0}}, "is no formula"),
        ({"then": {"sometimes": "x > 0"}}, "is not read"),
        ({"variables": {f"x{i}": "reals" for i in range(100)}}, "at most"),
    ],
)
def test_a_wrong_field_is_said(changes: dict[str, object], said: str) -> None:
    with pytest.raises(LemmascopeError, match=said):
        statement_from({"variables": {"x": "[0, 1]"}, "then": "x <= 1", **changes})


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (r"For all $x \in [0,1]$, $x^2 \le x$.", Statement(variables={x: Interval(0, 1)}, then=Le(x**2, x))),
        (r"$x^2 \le x$ for every $x \in [0,1]$.", Statement(variables={x: Interval(0, 1)}, then=Le(x**2, x))),
        (r"Let $x, y > 0$. Then \[ x y > 0. \]", Statement(
            variables={x: Interval.open(0, oo), y: Interval.open(0, oo)}, then=x * y > 0)),
        (r"If $0 < \eta < 2/L$ and $L > 0$, then $|1 - \eta L| < 1$.", Statement(
            variables={L: S.Reals, eta: S.Reals}, given=(And(Lt(0, eta), eta < 2 / L), L > 0),
            then=abs(1 - eta * L) < 1)),
        (r"Let $x, y \in \mathbb{R}$, $y > 0$. Then $x^2 y \ge 0$.", Statement(
            variables={x: S.Reals, y: S.Reals}, given=(y > 0,), then=x**2 * y >= 0)),
    ],
)  # fmt: skip
def test_a_clear_sentence_is_read(text: str, meaning: Statement) -> None:
    found = statement_from_latex(text)
    assert dict(found.variables) == dict(meaning.variables)
    assert set(found.given) == set(meaning.given)
    assert found.then == meaning.then


@pytest.mark.parametrize(
    "text",
    [
        r"For all $x, y \in \mathbb{R}$, $x < y$, $x^3 < y^3$.",
        r"If $x > 0$, then $x^3 > 0$. If $x < 0$, then $x^3 < 0$.",
        r"If $x > 0$ then $x^3 > 0$ and if $x < 0$ then $x^3 < 0$.",
        r"Let $x > 0$, $x^2 > 0$.",
        r"Let $n \ge 2$. Then $n^2 \ge 4$.",
        r"Let $n \in \mathbb{N}$. Then $n \ge 0$.",
        r"There exists $x \in [0,1]$ such that $x > 0$.",
        r"For every $x \in [0,1]$ there is $y \in [0,1]$ with $y < x$.",
        r"Not all $x \in [0,1]$ satisfy $x < 1$.",
        r"For all $x \in [0,1]$ we do not have $x < 1$.",
        r"It is false that $1 < 0$.",
        r"Let $x \in \mathbb{R}$. Then $x \ge 0$ fails.",
        r"Let $x \in \mathbb{R}$. Then $x \ge 0$ almost surely.",
        r"Let $x \in \mathbb{R}$. Then $x \ge 0$ or $x \le 0$.",
        r"Assume $x > 0$ or $y > 0$. Then $x + y > 0$.",
        r"Unless $x > 0$, we have $x \le 0$.",
        r"Let $f$ be convex. Then $f(x) \ge 0$.",
        r"$e^x \ge 1 + x$.",
        r"Let $x \in [0,1]$ and $x \in [1,2]$. Then $x = 1$.",
        r"Let $x > 0$. Then $x \in [0, 1]$.",
        r"Let $x_{t+1} = x_t - \eta x_t$. Then $x_t \to 0$.",
        r"For all $x \in [0,1]$, $x \ge 0$ implies $x^3 \ge 0$.",
        "Everything converges.",
    ],
)
def test_an_unclear_sentence_is_refused(text: str) -> None:
    with pytest.raises(LemmascopeError):
        statement_from_latex(text)


V, W, A = vector("x"), vector("y"), matrix("A", m, n)
SPACES = [
    (r"For all $x, y \in \mathbb{R}^d$, $\|x + y\| \le \|x\| + \|y\|$.", {V: Vectors(d), W: Vectors(d)}, (),
     Le(norm(V + W), norm(V) + norm(W))),
    (r"$\|x\| \ge 0$ for every $x \in \mathbb{R}^{n}$.", {V: Vectors(n)}, (), norm(V) >= 0),
    (r"Let $A \in \mathbb{R}^{m \times n}$ and $x \in \mathbb{R}^n$. Then $\|A x\| \le \|A\|_F \|x\|$.",
     {A: Matrices(m, n), V: Vectors(n)}, (), Le(norm(A * V), norm(A) * norm(V))),
    (r"Let $x, y \in \mathbb{R}^3$ with $\langle x, y\rangle = 0$. Then $\|x + y\|^2 = \|x\|^2 + \|y\|^2$.",
     {V: Vectors(3), W: Vectors(3)}, (Eq(inner(V, W), 0),), Eq(norm(V + W) ** 2, norm(V) ** 2 + norm(W) ** 2)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "variables", "assumed", "then"), SPACES)
def test_vectors_and_matrices_are_read(
    text: str, variables: dict[Any, Any], assumed: tuple[Any, ...], then: Any
) -> None:
    found = statement_from_latex(text)
    assert (dict(found.variables), found.given, found.then) == (variables, assumed, then)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"Let $x \in \mathbb{R}^d$ and $x \in [0, 1]$. Then $x \ge 0$.", "two domains"),
        (r"Let $x \in [0, 1]$ and $x \in \mathbb{R}^d$. Then $\|x\| \ge 0$.", "two domains"),
        (r"Let $x \in \mathbb{R}^{d+1}$. Then $\|x\| \ge 0$.", "are not read"),
        (r"Let $x \in \mathbb{R}^d$. Then $x \ge 0$.", "compare numbers"),
        (r"Let $x \in \mathbb{R}^d$ and $y \in \mathbb{R}^n$. Then $\|x + y\| \ge 0$.", "one shape"),
    ],
)
def test_what_vectors_cannot_mean_is_said(text: str, said: str) -> None:
    with pytest.raises(LemmascopeError, match=said):
        statement_from_latex(text)


def test_shared_hypotheses_are_used_where_they_count() -> None:
    known = premises_from_latex(r"Throughout, let $\eta \in (0, 2)$, $L > 0$ and $y \in [0, 1]$.")
    found = statement_from_latex(r"We have $\eta L > 0$.", known)
    assert set(found.variables) == {eta, L}
    with pytest.raises(LemmascopeError, match="claims something"):
        premises_from_latex(r"Then $x > 0$.")
