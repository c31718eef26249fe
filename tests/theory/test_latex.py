"""LaTeX says what it means, exactly, or is refused with the place; nothing in it is ever run."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import (
    Abs,
    And,
    E,
    Eq,
    Expr,
    Function,
    Heaviside,
    I,
    LambertW,
    Le,
    Lt,
    MatrixSymbol,
    Max,
    Min,
    Rational,
    Symbol,
    Trace,
    asin,
    binomial,
    cos,
    erf,
    exp,
    factorial,
    floor,
    gamma,
    latex,
    log,
    nan,
    oo,
    pi,
    sech,
    sign,
    sin,
    sqrt,
    symbols,
    tanh,
    zoo,
)

from theory import (
    Expectation,
    LemmascopeError,
    from_latex,
    function,
    gradient_descent,
    inner,
    matrix,
    norm,
    notation,
    vector,
)
from theory.language.spaces import Inner, Norm

x, y, a, b, c, L, eta, x_0, w_1, w_2, lambda_1 = symbols("x y a b c L eta x_0 w_1 w_2 lambda_1")


def test_a_relation_is_left_for_the_engines() -> None:
    assert from_latex("x y = y x") == Eq(x * y, x * y, evaluate=False)
    assert from_latex("1 < 2") == Lt(1, 2, evaluate=False)


def test_a_loss_gives_its_dynamics() -> None:
    assert gradient_descent(from_latex(r"\frac{L x^2}{2}"), x, eta).update == (x - eta * L * x,)


REFUSED = {
    r"x + \write18{ls}": (5, r"\write"),
    r"\input{/etc/passwd}": (1, r"\input"),
    r"__import__('os').system('ls')": (3, "or"),
    r"x.__class__": (2, "punctuation"),
    r"\|x\|": (1, "norm"),
    r"a / b c": (7, r"\frac"),
    r"1 / b(c)": (6, r"\frac"),
    r"x^10": (3, "^{10}"),
    r"x_10": (2, "_{10}"),
    r"x_{t+1}": (1, "subscript"),
    r"\frac{d}{d x} x^2": (1, "derivatives"),
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
    r"\frac{a}": (9, "missing"),
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
    begun = time.process_time()
    with pytest.raises(LemmascopeError):
        from_latex(written)
    assert time.process_time() - begun < 5


def test_only_text_is_read() -> None:
    with pytest.raises(LemmascopeError, match="reads a string"):
        from_latex(3)  # type: ignore[arg-type]


X, Y, A, B = vector("v"), vector("w"), matrix("A", Symbol("m"), Symbol("m")), matrix("B", Symbol("m"), Symbol("m"))
NAMES = symbols("x y eta x_0 lambda_1 a f L theta d e T W loss x_prev pi Delta")
UNARY = (
    exp,
    log,
    tanh,
    sin,
    cos,
    sqrt,
    Abs,
    sign,
    floor,
    factorial,
    asin,
    erf,
    sech,
    gamma,
    LambertW,
    Heaviside,
    Function("f"),
)
"""More functions than are read: what is printed for the last ones must not be taken for a product."""


def _random_number(chance: random.Random, depth: int) -> Any:
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(NAMES) if chance.random() < 0.7 else Rational(chance.randint(-9, 9), chance.randint(1, 9))
    parts = [_random_number(chance, depth - 1) for _ in range(2)]
    made = chance.randrange(10)
    if made == 0:
        return chance.choice((Max, Min, binomial))(*parts)
    if made == 1:
        return chance.choice((norm(X - parts[0] * Y), inner(X, A * Y), Trace(A * B), norm(A), norm(X) ** 2)) * parts[1]
    if made < 5:
        return parts[0] + parts[1]
    if made < 7:
        return parts[0] * parts[1]
    if made == 7:
        return parts[0] ** chance.choice((2, 3, -1, -2, Rational(1, 2), Rational(-1, 3), parts[1]))
    return chance.choice(UNARY)(parts[0])


def _random_expressions(seed: int, how_many: int) -> list[Any]:
    chance, found = random.Random(seed), []  # noqa: S311 - no secret
    while len(found) < how_many:
        try:
            made = _random_number(chance, chance.randint(1, 4))
        except (TypeError, ValueError):  # SymPy cannot compare some norms and complex numbers
            continue
        if not made.has(nan, zoo, oo, I) and made.is_extended_real is not False:
            found.append(made)
    return found


def _agree(read: Any, meant: Any) -> bool:
    """The same, or the same numbers at points: printing may hide how a product was bracketed."""
    if read == meant:
        return True
    if read.free_symbols != meant.free_symbols or read.atoms(MatrixSymbol) != meant.atoms(MatrixSymbol):
        return False
    numbers = {part: Symbol(f"_{place}") for place, part in enumerate(sorted(meant.atoms(Inner, Norm, Trace), key=str))}
    left, right = (side.xreplace(numbers) for side in (read, meant))
    for place in range(3):
        at = {name: Rational(7 + 3 * place + k, 5 + k) for k, name in enumerate(sorted(right.free_symbols, key=str))}
        if abs(left.subs(at).evalf(30) - right.subs(at).evalf(30)) > Rational(1, 10**15):
            return False
    return True


@pytest.mark.parametrize("printed", [latex, notation.latex], ids=["as SymPy prints", "as Lemmascope prints"])
def test_what_is_printed_is_read_back_or_refused_but_never_read_as_something_else(printed: Any) -> None:
    read = 0
    for meant in _random_expressions(5, 200):
        if (meant.has(Symbol("e")) and meant.has(exp, E)) or (meant.has(Symbol("pi")) and meant.has(pi)):
            continue  # the same letter is printed for both
        text = printed(meant)
        for letters in ({X, Y, A, B, *meant.free_symbols} - {Symbol("_d"), Symbol("m")}, {X, Y, A, B}):
            if len(letters) == 4 and meant.has(*symbols("e pi")):
                continue  # only declared are these letters symbols
            try:
                again = from_latex(text, letters)
            except LemmascopeError:
                continue
            assert _agree(again, meant), text
            read += 1
    assert read >= 200


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


F, P, Q = function("f"), vector("x"), vector("y")
OF_A_CLASS = {
    r"f(y) \ge f(x) + \langle \nabla f(x), y - x \rangle": F(Q) >= F(P) + inner(F.gradient(P), Q - P),
    r"f\left(x - \eta \nabla f(x)\right) \le f(x)": F(P - eta * F.gradient(P)) <= F(P),
    r"f(x) - \min f \le \frac{L}{2} \|x - \arg\min f\|^2": F(P) - F.minimum <= L * norm(P - F.minimiser) ** 2 / 2,
    r"f(x) - f^\star \le \frac{L}{2} \|x - x^*\|^2": F(P) - F.minimum <= L * norm(P - F.minimiser) ** 2 / 2,
    r"\mathbb{E}\left[\left(a + b\right)^2\right] \ge \mathbb{E}[a]": Expectation((a + b) ** 2) >= Expectation(a),
}


@pytest.mark.parametrize("written", OF_A_CLASS)
def test_functions_of_a_class_and_means_are_read_and_printed(written: str) -> None:
    read = from_latex(written, letters={F, P, Q})
    assert read == OF_A_CLASS[written]
    assert from_latex(notation.latex(read), letters={F, P, Q}) == read


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (r"\nabla g(x)", "declare it"),
        (r"f(a)", "of a vector"),
        (r"f_1(x)", "mark on f"),
        (r"2 f", "it is a function"),
        (r"\mathbb{E} a^2", "brackets"),
        (r"\mathbb{E}[x]", "numbers"),
        (r"a^\star", "no power"),
    ],
)
def test_functions_and_means_that_are_unclear_are_refused(written: str, said: str) -> None:
    with pytest.raises(LemmascopeError, match=said):
        from_latex(written, letters={F, P, Q})
