"""Every function of the language is what its entry in the one table says, and no other module keeps such a table."""

from __future__ import annotations

import ast
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb, ctx, fmpq
from mpmath.libmp import NoConvergence

from numerics import compile_ball, compile_float
from numerics.ball_gradient import compile_ball_gradient
from numerics.taylor import TaylorSystem
from theory.errors import LemmascopeError
from theory.language.balls import between, number, on_balls
from theory.language.definedness import (
    conditions_of,
    continuity,
    continuous_where,
    demands,
    smooth_where,
    surely_undefined,
)
from theory.language.entries import Entry, Roughness
from theory.language.functions import by_name, derivative_in, entries, registered, rough, unbounded_in
from theory.latex import from_latex
from theory.latex_tokens import BARE, FUNCTIONS
from theory.trees import decode, encode

ROOT = Path(__file__).parents[2]
ENTRIES = {entry.name: entry for entry in entries()}
SMOOTH = {name: entry for name, entry in ENTRIES.items() if not entry.roughness}
x, y = sp.symbols("x y")
WHOLE_ORDERS = {"polygamma": (0, 1, 2, 3), "besselj": (0, 1, 2), "besseli": (0, 1, 3), "bessely": (0, 2)}
BINARY = [Fraction(n, 8) for n in range(-36, 37)]
PLACES = BINARY + [Fraction(n, 3) for n in (-31, -7, -1, 1, 2, 5, 29)]


def arguments(entry: Entry, count: int) -> list[tuple[Fraction, ...]]:
    """Points in and out of the domain, the same in every run."""
    chosen = random.Random(entry.name)  # noqa: S311
    size = max(entry.arity, default=2)
    places = BINARY if entry.roughness else PLACES  # what jumps is not known at a place that balls cannot hold
    points: list[tuple[Fraction, ...]] = []
    for number_of_point in range(count):
        point = [chosen.choice(places) for _ in range(size)]
        if number_of_point < 3 and entry.arity in ((1,), (2,)):
            point = [Fraction(number_of_point - 1)] * size
        if entry.name in WHOLE_ORDERS:
            point[0] = Fraction(chosen.choice(WHOLE_ORDERS[entry.name]))
        if entry.name == "LambertW":
            point = [Fraction(chosen.randint(-37, 40), 100), Fraction(chosen.choice((0, -1)))]
        if entry.name.startswith("betainc"):
            point = [Fraction(chosen.randint(-1, 6), 2) for _ in range(2)] + [
                Fraction(chosen.randint(-1, 9), 8) for _ in range(2)
            ]
        if entry.name in ("zeta", "polylog"):
            point[1] = point[1] if entry.name == "polylog" else abs(point[1]) + Fraction(1, 4)
        points.append(tuple(point))
    return points


def exact(value: Fraction) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def is_inside(entry: Entry, point: tuple[Fraction, ...]) -> bool | None:
    """Whether the table says that the function has a value there; None where it does not know."""
    conditions = entry.defined(*map(exact, point))
    return None if conditions is None else all(bool(condition) for condition in conditions)


def ball_at(entry: Entry, point: tuple[Fraction, ...]) -> Any:
    return on_balls(entry)(*(arb(fmpq(value.numerator, value.denominator)) for value in point))


def by_mpmath(entry: Entry, point: tuple[Fraction, ...]) -> mpmath.mpf | None:
    """The real value that mpmath finds; None where it finds none."""
    function = getattr(mpmath, entry.mpmath) if isinstance(entry.mpmath, str) else entry.mpmath
    try:
        value = mpmath.mpmathify(function(*(mpmath.mpf(v.numerator) / v.denominator for v in point)))
    except (ValueError, ZeroDivisionError, NoConvergence, NotImplementedError):
        return None
    if not mpmath.isfinite(value) or abs(mpmath.im(value)) > mpmath.mpf(10) ** -20:
        return None
    return mpmath.re(value)


@pytest.fixture(autouse=True)
def _precisely() -> Any:
    before, ctx.prec = ctx.prec, 120
    with mpmath.workdps(30):
        yield
    ctx.prec = before


@pytest.mark.parametrize("name", ENTRIES)
def test_inside_its_domain_a_function_has_the_value_that_mpmath_finds(name: str) -> None:
    entry = ENTRIES[name]
    inside = [point for point in arguments(entry, 60) if is_inside(entry, point)][:15]
    assert inside
    for point in inside:
        ball, reference = ball_at(entry, point), by_mpmath(entry, point)
        assert ball.is_finite(), point
        assert reference is not None, point
        assert abs(ball - arb(mpmath.nstr(reference, 25))) < arb("1e-15") * (1 + abs(ball)), point


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.exact and not entry.is_total])
def test_outside_its_domain_it_has_none(name: str) -> None:
    entry = ENTRIES[name]
    outside = [point for point in arguments(entry, 200) if is_inside(entry, point) is False][:15]
    assert outside or name in ("tan", "cot", "sec", "csc")
    for point in outside:
        assert not ball_at(entry, point).is_finite(), point
        assert by_mpmath(entry, point) is None or name in ("LambertW", "Mod", "atan2"), point
    if entry.ratio is not None:
        pole = {sp.cos: sp.pi / 2, sp.sin: sp.pi, sp.sinh: sp.Integer(0)}[entry.ratio[1]]
        assert sp.false in entry.defined(pole)
        assert not on_balls(entry)(number(pole)).is_finite()


@pytest.mark.parametrize("name", ENTRIES)
def test_a_wide_ball_holds_the_values_at_its_points(name: str) -> None:
    entry = ENTRIES[name]
    chosen = random.Random(name)  # noqa: S311
    finite = 0
    for point in arguments(entry, 80):
        moving = entry.along
        width = Fraction(chosen.choice((1, 2, 5, 16, 24)), 16)
        balls = [arb(fmpq(value.numerator, value.denominator)) for value in point]
        balls[moving] = arb(balls[moving], float(width))
        wide = on_balls(entry)(*balls)
        if not wide.is_finite():
            continue
        finite += 1
        for part in (-1, Fraction(-1, 3), 0, Fraction(1, 2), Fraction(99, 100)):
            inner = list(point)
            inner[moving] += width * part
            value = ball_at(entry, tuple(inner))
            assert value.is_finite(), (point, width)
            assert wide.overlaps(value), (point, width, part)
            low, high = map(number, entry.bounds)
            assert not value < low, inner
            assert not value > high, inner
    assert finite > 1


@pytest.mark.parametrize("name", SMOOTH)
def test_the_derivatives_are_those_of_the_function(name: str) -> None:
    entry = SMOOTH[name]
    assert any(slope is not None for slope in entry.slopes)
    step = arb("1e-12")
    checked = 0
    for point in arguments(entry, 60):
        for place, slope in enumerate(entry.slopes):
            if slope is None or is_inside(entry, point) is not True or checked > 25:
                continue
            balls = [arb(fmpq(value.numerator, value.denominator)) for value in point]
            beside = [list(balls), list(balls)]
            beside[0][place], beside[1][place] = balls[place] - step, balls[place] + step
            low, high = (on_balls(entry)(*several) for several in beside)
            names = sp.symbols(f"u:{len(point)}")
            (derived,) = compile_ball([slope(*names)], names)(*balls)
            if not (low.is_finite() and high.is_finite() and derived.is_finite()):
                continue
            checked += 1
            quotient = (high - low) / (2 * step)
            assert abs(quotient - derived) < arb("1e-6") * (1 + abs(derived)), (point, place)
    assert checked > 4


@pytest.mark.parametrize("name", ENTRIES)
def test_compiled_floats_agree_with_balls(name: str) -> None:
    entry = ENTRIES[name]
    names = sp.symbols(f"u:{max(entry.arity, default=2)}")
    formula = entry.function(*names)
    if name in WHOLE_ORDERS or name == "LambertW":  # the order or branch is part of the formula
        place = 1 if name == "LambertW" else 0
        value = -1 if name == "LambertW" else 2
        fixed = entry.function(*(value if k == place else u for k, u in enumerate(names)))
        names, formula = (names[1 - place],), fixed
    points = np.array([[float(v) for v in point] for point in arguments(entry, 12)]).T
    points = points[-len(names) :] if name != "LambertW" else points[:1]
    values = compile_float([formula], names)(points)[0]
    kernel = compile_ball([formula], names)
    seen = 0
    for lane, value in enumerate(values):
        (ball,) = kernel(*(arb(float(v)) for v in points[:, lane]))
        if ball.is_finite() and np.isfinite(value):
            seen += 1
            assert abs(value - float(ball)) <= 1e-9 * (1 + abs(float(ball))), points[:, lane]
    assert seen


@pytest.mark.parametrize("name", ENTRIES)
def test_it_is_stored_and_read_back_and_printed(name: str) -> None:
    entry = ENTRIES[name]
    for count in entry.arity or (2, 3):
        names = sp.symbols(f"u:{count}")
        formula = entry.function(*names)
        if isinstance(formula, entry.function):
            assert decode(encode(formula)) == formula
            assert sp.latex(formula)
    assert entry.latex
    assert entry.coq is None or entry.coq.isidentifier()
    assert entry.mpmath is not None


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.limits != (None, None)])
def test_it_tends_to_the_limits_that_the_table_names(name: str) -> None:
    entry = ENTRIES[name]
    for limit, far in zip(entry.limits, (-400, 400), strict=True):
        if limit is None:
            continue
        point = (Fraction(far), *(Fraction(0) for _ in entry.defaults))
        reference = by_mpmath(entry, point)
        assert reference is not None
        if limit.is_finite:
            assert abs(reference - mpmath.mpmathify(sp.N(limit, 25))) < 0.02
        else:
            assert reference * (1 if limit == sp.oo else -1) > 1


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.turns is not None and entry.odd])
def test_a_function_with_the_sign_of_its_argument_has_it(name: str) -> None:
    for point in arguments(ENTRIES[name], 30):
        value = ball_at(ENTRIES[name], point)
        assert not value.is_finite() or value.sgn() == arb(fmpq(*point[0].as_integer_ratio())).sgn()


def test_other_ways_to_write_a_function_give_its_values() -> None:
    for entry in ENTRIES.values():
        names = sp.symbols(f"u:{max(entry.arity, default=2)}")
        others = []
        if entry.ratio is not None:
            others.append(entry.as_ratio(names[0]))
        if entry.exponential is not None:
            times, rational = entry.exponential
            others.append(rational(sp.exp(times * names[0])))
        if entry.through is not None:
            others.append(entry.through(*names))
        if entry.pieces is not None:
            others.append(sp.Piecewise(*entry.pieces(*names)))
        for other in others:
            (written,) = compile_ball([other], names)(arb("0.7"), *[arb("0.4")] * (len(names) - 1))
            assert written.overlaps(on_balls(entry)(arb("0.7"), *[arb("0.4")] * (len(names) - 1))), entry.name
        if entry.inverse is not None and entry.name != "acosh":
            (back,) = compile_ball([entry.inverse(entry.function(x))], [x])(arb("0.7"))
            assert back.overlaps(arb("0.7")), entry.name
        if entry.analytic:
            method = str(entry.ball)
            assert getattr(acb(arb("0.7")), method)().real.overlaps(getattr(arb("0.7"), method)())


def test_values_at_fractions_are_those_in_balls() -> None:
    for entry in ENTRIES.values():
        for point in arguments(entry, 30) if entry.exactly is not None else ():
            found = entry.exactly(*point)
            value = ball_at(entry, point)
            if found is not None and value.is_finite() and is_inside(entry, point):
                assert value.overlaps(arb(fmpq(found.numerator, found.denominator))), (entry.name, point)


def test_bounds_on_unbounded_intervals_come_from_limits_and_turns() -> None:
    table = by_name()
    low, high = between(table["cosh"], [arb(0)], arb(-3), arb("inf")) or (None, None)
    assert float(low) == 1
    assert not high.is_finite()
    assert between(table["sin"], [arb(0)], arb(0), arb("inf")) is not None
    assert between(table["gamma"], [arb(0)], arb(1), arb("inf")) is None


def test_conditions_of_rough_functions_are_not_conditions_of_continuity() -> None:
    for entry in ENTRIES.values():
        names = sp.symbols(f"u:{max(entry.arity, default=2)}")
        formula = entry.function(*names)
        if isinstance(formula, sp.Function):
            jumps = entry.roughness is Roughness.JUMPS or conditions_of(formula) is None
            assert (continuity(formula) is None) == jumps, entry.name
        if entry.roughness:
            assert smooth_where([formula]) is None, entry.name
            assert formula.has(*rough())


def test_ends_of_a_domain_are_open_for_motion_also_where_they_are_never_crossed() -> None:
    for part, inside in (
        (sp.Abs(x) ** sp.Rational(2, 3), sp.Abs(x) > 0),
        (sp.LambertW(sp.Abs(x) - sp.exp(-1)), sp.Abs(x) - sp.exp(-1) > -sp.exp(-1)),
        (sp.acosh(1 + sp.Abs(x)), sp.Abs(x) + 1 > 1),
        (sp.sqrt(x), x > 0),
    ):
        assert continuous_where([part]) == inside
    assert smooth_where([sp.asin(sp.Integer(1) * x)]) == ((x > -1) & (x < 1))
    assert smooth_where([sp.uppergamma(sp.Rational(1, 3), x)]) == (x > 0)


def test_a_place_counts_as_without_value_only_where_that_is_certain() -> None:
    assert surely_undefined(sp.gamma(x) + sp.zeta(x) > x**y) == []
    assert surely_undefined(sp.log(x) > sp.sqrt(y)) in ([x <= 0, y < 0], [y < 0, x <= 0])
    for entry in ENTRIES.values():
        formula = entry.function(*sp.symbols(f"u:{max(entry.arity, default=2)}"))
        if not entry.exact:
            assert surely_undefined(formula) == [], entry.name


def test_every_function_of_the_language_can_be_bounded_and_what_cannot_says_so() -> None:
    assert not [name for name, entry in ENTRIES.items() if entry.ball is None and not entry.unbounded]
    n = sp.Symbol("n")
    assert unbounded_in(sp.exp(x) + sp.zeta(x) > 0) == []
    assert unbounded_in(sp.polygamma(n, x) > 0) == [
        "no prover can bound polygamma(n, x): where it has a value is known for other arguments only"
    ]


class airyai_of(sp.Function):  # noqa: N801 - named as SymPy names functions
    """A function that the language does not have."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        raise sp.ArgumentIndexError(self, argindex)


AIRY = Entry(
    function=airyai_of,
    defined=lambda u: (sp.Gt(u, -10),),
    ball="airy_ai",
    slopes=(lambda u: sp.exp(-u),),
    mpmath="airyai",
    latex="Ai",
)


def test_one_entry_is_all_that_a_new_function_needs() -> None:
    formula = airyai_of(x) + 1 / x
    with registered(AIRY):
        assert decode(encode(formula)) == formula
        assert demands([airyai_of(x)]) == [x > -10]
        assert smooth_where([airyai_of(x)]) == (x > -10)
        assert derivative_in(airyai_of(x), 0) == sp.exp(-x)
        (ball,) = compile_ball([formula], [x])(arb(2))
        assert abs(ball - (arb(2).airy_ai() + arb("0.5"))) < arb("1e-15")
        assert compile_float([formula], [x])([[2.0]])[0, 0] == pytest.approx(float(ball))
        slope = compile_ball_gradient(airyai_of(x), [x])(arb(2))[1]
        assert slope.overlaps((-arb(2)).exp())
        series = TaylorSystem([x], [airyai_of(x)]).coefficients([arb(2)], 2)[0]
        assert series[1].overlaps(arb(2).airy_ai())
        assert series[2].overlaps((-arb(2)).exp() * arb(2).airy_ai() / 2)
    assert airyai_of not in {entry.function for entry in entries()}


def test_a_function_without_balls_says_that_nobody_can_bound_it() -> None:
    bare = Entry(function=airyai_of, mpmath="airyai", latex="Ai")
    with registered(bare):
        assert unbounded_in(airyai_of(x) > 0) == ["no prover can bound airyai_of: it is only sampled"]
        assert unbounded_in(x > 0) == []


def function_names(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found |= set(part.value.split())
    return found & ENTRIES.keys()


def tables(path: Path) -> list[tuple[int, set[str]]]:
    """Where a file lists six or more functions of the language."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        words = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
        if words or isinstance(node, (ast.Dict, ast.Tuple, ast.List, ast.Set)):
            names = function_names(node)
            if len(names) >= 6:
                found.append((node.lineno, names))
    return found


def test_no_other_module_lists_the_functions() -> None:
    home = ROOT / "theory" / "language"
    wrong = {
        f"{path.relative_to(ROOT)}:{line}": names
        for package in ("theory", "numerics", "proofs_check")
        for path in (ROOT / package).rglob("*.py")
        if path.parent != home
        for line, names in tables(path)
    }
    assert wrong == {}


def test_the_rule_sees_a_list_of_functions(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('KNOWN = frozenset("exp log sin cos tan erf".split())\n')
    assert len(tables(module)) == 1


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.arity == (1,)])
def test_latex_sources_may_name_it(name: str) -> None:
    entry = ENTRIES[name]
    names = {word for word, function in FUNCTIONS.items() if function is entry.function}
    assert names or name in ("frac", "gamma")  # what these are called is a fraction or a letter
    for word in names:
        command = rf"\{word}" if word in BARE else rf"\operatorname{{{word}}}"
        assert from_latex(rf"{command}(x) + 1") == entry.function(x) + 1


def test_letters_stay_letters() -> None:
    assert from_latex(r"\Gamma \beta \zeta + \psi") == sp.Symbol("Gamma") * sp.Symbol("beta") * sp.Symbol(
        "zeta"
    ) + sp.Symbol("psi")
    assert from_latex(r"\frac{x}{2}") == x / 2
    with pytest.raises(LemmascopeError, match="it takes one argument"):
        from_latex(r"\operatorname{erfc}(x, y)")
