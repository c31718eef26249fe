"""Signs by variation along one variable: the true ones are proved, a step without one of its hypotheses is refused."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Interval,
    Le,
    Lt,
    Max,
    Ne,
    Or,
    Rational,
    Reals,
    S,
    Sum,
    acos,
    asin,
    cos,
    cosh,
    erfc,
    exp,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    tanh,
)
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.variation.leaves import Leaves, Points
from proofs_check.engines.variation.search import decide
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.end_limits import limit_at
from proofs_check.kernel.inverse_substitutions import substituted
from proofs_check.kernel.signed_claims import Conditions, Signed, is_plain
from proofs_check.kernel.taylor_bounds import Piece, is_nonnegative
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.kernel.variation import follow, subgoals
from proofs_check.verdict import Outcome
from theory import Statement
from theory.trees import encode

a, p, q, t, x, y = symbols("a p q t x y")
POSITIVE, UNIT = Interval.open(0, oo), Interval.open(0, 1)
ENTROPY = -x * log(x) - (1 - x) * log(1 - x)
DIVERGENCE = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
MASSES = x * log(x) + y * log(y) + t * log(t)
BEYOND_ONE = Interval.open(1, oo)
NORM_OF_SUM = sqrt((a + y) ** 2 + (x + t) ** 2)

TRUE = {
    "entropy": ({x: UNIT}, log(2) >= ENTROPY),
    "pinsker": ({p: UNIT, q: UNIT}, 2 * (p - q) ** 2 <= DIVERGENCE),
    "divergence": ({x: POSITIVE, y: POSITIVE}, x * log(x / y) - x + y >= 0),
    "tail": ({x: POSITIVE}, erfc(x) < exp(-(x**2)) / (x * sqrt(pi))),
    "conjugate": ({x: S.Reals, y: POSITIVE}, x * y <= exp(x) + y * log(y) - y),
    "two exponents": ({x: POSITIVE, y: POSITIVE}, exp(x) > exp(x * y / (x + y))),
    "lipschitz": ({x: S.Reals, y: S.Reals}, Abs(sin(x) - sin(y)) <= Abs(x - y)),
    "cubed": ({x: Interval.open(0, pi / 2)}, (sin(x) / x) ** 3 > cos(x)),
    "maximum": ({x: S.Reals}, log(1 + exp(x)) >= Max(x, 0)),
    "three masses": ({x: POSITIVE, y: POSITIVE, t: POSITIVE}, -log(3) <= MASSES, Eq(x + y + t, 1)),
    "young": (
        {x: POSITIVE, y: POSITIVE, p: Interval.open(1, oo)},
        x * y <= x**p / p + y ** (p / (p - 1)) * (p - 1) / p,
    ),
    "hoeffding": ({p: UNIT, x: S.Reals}, log(1 - p + p * exp(x)) <= p * x + x**2 / 8),
    "large powers": ({x: POSITIVE, y: UNIT}, x**130 * y**130 <= x**130 + y**130),
    "descent": ({x: S.Reals, y: S.Reals}, log(cosh(y)) <= log(cosh(x)) + tanh(x) * (y - x) + (y - x) ** 2 / 2),
    "triangle": (
        {a: S.Reals, x: S.Reals, y: S.Reals, t: S.Reals},
        sqrt(a**2 + x**2) + sqrt(y**2 + t**2) >= NORM_OF_SUM,
    ),
    "arcsine": ({x: Interval(0, 1)}, asin(x) <= pi * x / (2 + sqrt(1 - x**2))),
}
FALSE = {
    "three masses": ({x: POSITIVE, y: POSITIVE, t: POSITIVE}, -log(3) + S(1) / 100 <= MASSES, Eq(x + y + t, 1)),
    "young": ({x: POSITIVE, y: POSITIVE, p: BEYOND_ONE}, x * y <= x**p / p + y**p * (p - 1) / p),
    "hoeffding": ({p: UNIT, x: S.Reals}, log(1 - p + p * exp(x)) <= p * x + x**2 / 9),
    "triangle": (dict.fromkeys((a, x, y, t), S.Reals), sqrt(a**2 + x**2) + sqrt(y**2 + t**2) > NORM_OF_SUM),
    "entropy": ({x: UNIT}, log(2) - S(1) / 10**4 >= ENTROPY),
    "entropy, strictly": ({x: UNIT}, log(2) > ENTROPY),
    "pinsker": ({p: UNIT, q: UNIT}, (2 + S(1) / 100) * (p - q) ** 2 <= DIVERGENCE),
    "divergence, strictly": ({x: POSITIVE, y: POSITIVE}, x * log(x / y) - x + y > 0),
    "divergence, beyond the domain": ({x: Interval(0, oo), y: POSITIVE}, x * log(x / y) - x + y >= 0),
    "two exponents": ({x: POSITIVE, y: Interval.open(-oo, 0)}, exp(x) > exp(x * y / (x + y))),
    "lipschitz": ({x: S.Reals, y: S.Reals}, Abs(sin(x) - sin(y)) < Abs(x - y)),
    "a pole between": ({x: Interval(-1, 1)}, 1 / x >= -1),
    "a kink": ({x: S.Reals}, Abs(x) > 0),
    "cosine": ({x: S.Reals}, cosh(x) <= exp(x**2 / 2 - x**4 / 100)),
    "a sum of kinks": ({x: S.Reals}, Sum(Abs(t), (t, -1, 1)) <= x),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_inequalities_are_proved_and_accepted(name: str) -> None:
    variables, then, *given = TRUE[name]
    statement = Statement(variables=variables, given=tuple(given), then=then)
    verdict = decide(statement, Budget("standard", 20.0, 1000, 10_000))
    assert verdict is not None
    assert isinstance(accept(statement, Sense.HOLDS, verdict.certificate), Theorem)


@pytest.mark.parametrize("name", FALSE)
def test_false_inequalities_are_not_proved(name: str) -> None:
    variables, then, *given = FALSE[name]
    assert decide(Statement(variables=variables, given=tuple(given), then=then), Budget.of("glance")) is None


def test_a_certificate_proves_nothing_else() -> None:
    variables, then, *_ = TRUE["divergence"]
    verdict = decide(Statement(variables=variables, then=then), Budget.of("standard"))
    assert verdict is not None
    for other in (x * log(x / y) - x + y > 0, x * log(x / y) - x + 2 * y >= 0, x * log(x / y) - x >= 0):
        answer = accept(Statement(variables=variables, then=other), Sense.HOLDS, verdict.certificate)
        assert not isinstance(answer, Theorem)


# -- single steps ----------------------------------------------------------------------------------------------------


def _left(expression: Any, given: tuple[Boolean, ...], step: dict[str, Any], *, strict: bool = False) -> Any:
    """What is left after a step whose conditions may all be proved."""
    budget = Budget("standard", 5.0, 1000, 10_000).start()
    variables = tuple(sorted(set(expression.free_symbols).union(*(part.free_symbols for part in given)), key=str))
    return subgoals(Signed(variables, given, expression, strict), step, Conditions(Leaves(budget, Points())))


def _base(variable: Any, at: Any, **more: Any) -> dict[str, Any]:
    plain = {"start": "value", "above": True, "below": False, "strict": "start"}
    return {"rule": "monotone", "variable": encode(variable), "at": encode(S(at)), **plain, **more}


def test_a_base_inside_of_the_region_is_allowed() -> None:
    assert [one.expression for one in _left(exp(x) - x, (x >= 0,), _base(x, 0))] == [1, exp(x) - 1]


@pytest.mark.parametrize(
    ("expression", "given", "step"),
    [
        (x, (x >= -1,), _base(x, 0)),  # there are points below the base
        (1 / x, (x >= -1, x <= 1), _base(x, -1)),  # a pole between
        (1 / x, (x > -1,), _base(x, -1)),
        (Abs(x) - 1, (x >= -2,), _base(x, -2)),  # a kink
        (x, (x >= 1,), _base(x, -1)),  # the region does not reach so far
        (x - y, (x >= y, y >= 0), _base(x, y - 1)),
        (log(x), (x > 0,), _base(x, 0)),  # no value at the base
        (log(x) + 1, (x > 0,), _base(x, 0, start="limit")),  # a limit of minus infinity
        (exp(x), (x >= 0,), _base(x, oo, start="limit", above=True, below=False)),
        (x * sin(1 / x), (x > 0,), _base(x, 0, start="limit")),  # no limit in the calculus
        (-x, (x >= 0, x <= 1), _base(x, oo, start="limit", above=False, below=True)),  # infinity is out of reach
        (x, (x * (x - 1) >= 0,), _base(x, 1)),  # a region with a hole, below which there are points
    ],
)
def test_bases_without_a_hypothesis_are_refused(expression: Any, given: Any, step: Any) -> None:
    assert _left(expression, given, step) is None


def test_equality_at_the_base_is_not_strict() -> None:
    assert _left(x**3, (x >= 0,), _base(x, 0, strict="slope"), strict=True) is None
    assert _left(x**3, (x > 0,), _base(x, 0, strict="slope"), strict=True) is not None


def test_an_affine_bound_with_a_vanishing_slope_stays_weak() -> None:
    (start, rise) = _left(x * y, (x * y >= 0, x >= 0), _base(x, 0))
    assert start.expression == 0
    assert Gt(x * y, 0) not in rise.given


def _between(low: Any, high: Any, starts: list[str]) -> dict[str, Any]:
    ends = [encode(S(low)), encode(S(high))]
    return {"rule": "concave", "variable": encode(x), "ends": ends, "starts": starts, "strict": ""}


def test_concave_functions_are_bounded_by_their_ends() -> None:
    found = _left(-x * log(x), (x > 0, x <= 1), _between(0, 1, ["limit", "value"]))
    assert [one.expression for one in found] == [0, 0, 1 / x]


@pytest.mark.parametrize(
    ("expression", "given", "step"),
    [
        (-x * log(x), (x > 0, x <= 1), _between(0, 1, ["value", "value"])),  # no value at 0
        (-x * log(x), (x > 0, x <= 2), _between(0, 1, ["limit", "value"])),  # points beyond the end
        (-Abs(x), (x >= -1, x <= 1), _between(-1, 1, ["value", "value"])),  # a kink
        (log(x) + 9, (x > 0, x <= 1), _between(0, 1, ["limit", "value"])),  # minus infinity
    ],
)
def test_concavity_without_a_hypothesis_is_refused(expression: Any, given: Any, step: Any) -> None:
    assert _left(expression, given, step) is None


def _compare(name: str, left: Any, right: Any) -> dict[str, Any]:
    return {"rule": "compare", "function": name, "scale": "1", "left": encode(S(left)), "right": encode(S(right))}


def test_functions_are_compared_in_their_direction() -> None:
    (rising,) = _left(exp(x) - exp(y), (), _compare("exp", x, y))
    (falling,) = _left(acos(x) - acos(y), (Abs(x) <= 1, x >= -1, x <= 1, y >= -1, y <= 1), _compare("acos", x, y))
    assert (rising.expression, falling.expression) == (x - y, y - x)


def test_functions_that_turn_jump_or_have_no_value_are_not_compared() -> None:
    assert _left(sin(x) - sin(y), (), _compare("sin", x, y)) is None
    assert _left(tan(x) - tan(y), (), _compare("tan", x, y)) is None
    assert _left(log(x) - log(y), (x > 0,), _compare("log", x, y)) is None
    assert _left(exp(x) - exp(y), (), _compare("exp", x, 2 * y)) is None


def _raised(left: Any, right: Any, scale: str = "1") -> dict[str, Any]:
    return {"rule": "raised", "scale": scale, "left": encode(S(left)), "right": encode(S(right))}


def test_logarithms_vanish_under_exponentials() -> None:
    (without,) = _left(x + log(2) - log(exp(x) + exp(y)), (), _raised(x + log(2), log(exp(x) + exp(y))))
    assert without.expression == exp(x) - exp(y)


def test_exponentials_need_values_the_claim_itself_and_its_direction() -> None:
    assert _left(x - log(y), (), _raised(x, log(y))) is None
    assert _left(x - log(y), (y > 0,), _raised(x, log(y))) is not None
    assert _left(x - log(y), (y > 0,), _raised(x, log(2 * y))) is None
    assert _left(x - log(y), (y > 0,), _raised(log(y), x, "-1")) is None
    assert _left(x - log(y), (y > 0,), _raised(log(y), x)) is None


def test_products_need_all_signs() -> None:
    def product(*factors: tuple[Any, int, int]) -> dict[str, Any]:
        return {"rule": "product", "factors": [[encode(S(base)), power, side] for base, power, side in factors]}

    assert _left(x * y, (), product((x, 1, 1), (y, 1, -1))) is None
    assert _left(x * y, (), product((x, 1, 1), (2 * y, 1, 1))) is None
    assert _left(x * y**2, (), product((x, 1, 1), (y, 2, 0)), strict=True) is None
    assert [one.expression for one in _left(x * y**2, (), product((x, 1, 1), (y, 2, 0)))] == [x]
    assert _left(x * log(y) ** 2, (x > 0,), product((x, 1, 1), (log(y), 2, 0))) is None
    assert all(one.strict for one in _left(x / y, (Lt(0, y),), product((x, 1, 1), (y, -1, 1)))[1:])


def test_squares_are_compared_where_the_large_side_is_not_negative() -> None:
    def squared(large: Any, small: Any) -> dict[str, Any]:
        return {"rule": "squared", "large": encode(S(large)), "small": encode(S(small))}

    left = _left(x - y, (), squared(x, y), strict=True)
    assert [one.relation for one in left] == [Ge(x, 0), Gt(x**2 - y**2, 0)]  # -2 > 1 is false, 4 > 1 is not
    assert _left(x - y, (), squared(x, y + 1)) is None
    assert _left(sqrt(x) - y, (), squared(sqrt(x), y)) is None  # no value for negative x
    assert _left(sqrt(x) - y, (x >= 0,), squared(sqrt(x), y)) is not None


def test_a_region_is_made_larger_only() -> None:
    def weaken(*given: Boolean) -> dict[str, Any]:
        return {"rule": "weaken", "given": [encode(part) for part in given]}

    (wide,) = _left(x, (x >= y, y >= 1), weaken(Ge(x, 1)))
    assert wide.given == (Ge(x, 1),)
    assert _left(x, (x >= y, y >= 1), weaken(Ge(x, 2))) is None
    assert _left(log(x), (x >= y, y >= 1), weaken(Ge(x, 0))) is None  # log(0) has no value


def test_a_variable_is_solved_for_where_it_has_that_value() -> None:
    def solved(value: Any) -> dict[str, Any]:
        return {"rule": "solved", "variable": encode(x), "value": encode(S(value))}

    (after,) = _left(x - y, (Eq(x + y, 1), x >= 0), solved(1 - y))
    assert (after.expression, after.given, x in after.variables) == (1 - 2 * y, (Ge(1 - y, 0),), False)
    assert _left(x - y, (Eq(x**2, y**2),), solved(y)) is None  # or -y
    assert _left(x - y, (Eq(x + y, 1),), solved(1 + x - y - x)) is not None
    assert _left(x - y, (Eq(x * y, 1),), solved(2 / y)) is None
    assert _left(x - y, (), solved(y)) is None


@pytest.mark.parametrize(
    ("condition", "is_shown"),
    [
        (Gt(exp(x) + x**2, 0), True),
        (Gt(sqrt(1 + x**2) * cosh(y), 0), True),
        (Ge(Abs(x) * x**2, 0), True),
        (Gt(Abs(x), 0), False),  # 0
        (Gt(x**2, 0), False),
        (Gt(x**3, 0), False),
        (Gt(exp(x) - 1, 0), False),
        (Gt(exp(sqrt(x)), 0), False),  # no value for negative x
        (Ge(sqrt(x), 0), False),
        (Gt(x**-2, 0), False),  # no value at 0
    ],
)
def test_the_form_of_a_condition_shows_no_more_than_it_says(condition: Boolean, is_shown: bool) -> None:
    assert is_plain(condition) is is_shown


def test_exponents_that_are_equal_cancel_and_others_do_not() -> None:
    assert same(p * exp(t) * exp(t / (p - 1)), exp(t * p / (p - 1)) * p)
    assert not same(exp(t) * exp(t / (p - 1)), exp(t * p / (p + 1)))
    assert same(tanh(x), sinh(x) / cosh(x))
    assert not same(tanh(x), sinh(x))


# -- substitutions, limits, Taylor polynomials ------------------------------------------------------------------------


def test_substitutions_keep_only_what_they_can_say() -> None:
    changed = substituted("exp", x, t, (x > 1, x * y > 0, y > 0), log(x) + x)
    assert changed is not None
    assert changed.needed == (Gt(x, 0),)
    assert set(changed.given) == {Gt(y, 0), Gt(t, 0)}
    inverse = substituted("inverse", x, t, (x >= 2,), 1 / x)
    assert inverse is not None
    assert Le(t, S.Half) in inverse.given
    assert substituted("no such change", x, t, (), x) is None


def test_a_substitution_that_misses_values_is_refused() -> None:
    step = {"rule": "put", "variable": encode(x), "new": encode(t), "by": "sin"}
    assert _left(asin(x), (x >= 0, x <= 1), step) is not None
    assert _left(x + 2, (x >= 0,), step) is None
    assert _left(x + t, (x >= 0, x <= 1), step) is None


@pytest.mark.parametrize(
    ("expression", "end", "above", "limit"),
    [
        (x * log(x), 0, True, 0), (sqrt(x) * log(x) ** 3, 0, True, 0), (log(x), 0, True, -oo),
        (exp(-1 / x) / x**9, 0, True, 0), (x**3 * exp(-x), oo, False, 0), (log((1 + x) / x), oo, False, 0),
        (erfc(x), oo, False, 0), (erfc(x), -oo, True, 2), (1 / sqrt(x**2 + x), oo, False, 0),
        ((1 - x) * log(1 - x), 1, False, 0), (y * x + a, 0, True, a), (log(1 + exp(x)) - x, oo, False, 0),
        (sin(1 / x), 0, True, None), (x / y, oo, False, None), (log(y * x), 0, True, -oo),
        (exp(x) - x**2, oo, False, None), (1 / (x - 1), 1, False, -oo), (log(x) / x, 0, True, -oo),
        (x**y, 0, True, None), (log(x + 1) - log(x), oo, False, 0), (log(2 * x) - log(x), 0, True, log(2)),
        (log(x**2) - log(x), 0, True, None), (log(x) + log(1 + x), 0, True, -oo), (1 / log(x), 0, True, 0),
    ],
)  # fmt: skip
def test_limits(expression: Any, end: Any, above: bool, limit: Any) -> None:
    assert limit_at(expression, x, S(end), above) == limit


def _piece(low: Any, high: Any, centre: Any, order: int, zeros: int = 0) -> Piece:
    return Piece(S(low), S(high), S(centre), order, zeros)


def test_taylor_polynomials_bound_what_is_true() -> None:
    assert is_nonnegative(exp(x) - 1 - x - x**2 / 2, x, _piece(0, 1, 0, 8, 3), strict=True)
    assert is_nonnegative(x - sin(x), x, _piece(0, 2, 0, 12, 3), strict=True)
    assert is_nonnegative(-sin(x) + x**3, x, _piece(-S(1) / 2, 0, 0, 8, 1), strict=True)


@pytest.mark.parametrize(
    ("function", "piece"),
    [
        (exp(x) - 1 - x - x**2 / 2, _piece(-1, 0, 0, 8, 3)),  # the sign of an odd power
        (exp(x) - 1 - x, _piece(0, 1, 0, 8, 3)),  # the third zero is none
        (sin(x), _piece(-1, 1, 0, 8, 1)),  # the centre is no end
        (1 / x, _piece(-1, 1, -1, 4)),  # a pole
        (sqrt(x) + 1, _piece(-1, 1, 1, 4)),  # no value
        (sqrt(x), _piece(0, 1, 0, 4)),  # no derivative
        (tan(x) + 100, _piece(0, 2, 0, 4)),
        (x**2 - S(1) / 10**9, _piece(-1, 1, 0, 6)),
        (Abs(x) + 1, _piece(-1, 1, 0, 4)),
        (cos(x) - 1 + x**2 / 2 - x**4 / 20, _piece(0, 1, 0, 10, 4)),
    ],
)
def test_taylor_polynomials_show_nothing_else(function: Any, piece: Piece) -> None:
    assert not is_nonnegative(function, x, piece, strict=False)


def test_pieces_leave_nothing_out() -> None:
    def step(*pieces: tuple[int, int]) -> dict[str, Any]:
        rows = [[encode(S(low)), encode(S(high)), encode(S(low)), 6, 0] for low, high in pieces]
        return {"rule": "taylor", "variable": encode(x), "pieces": rows}

    region = (Ge(x, 0), Le(x, 3))
    assert _left(exp(x), region, step((0, 1), (1, 3))) == []
    assert _left(exp(x), region, step((0, 1), (2, 3))) is None
    assert _left(exp(x), region, step((0, 1), (1, 2))) is None


def test_an_argument_with_parts_left_out_is_no_argument() -> None:
    conditions = Conditions(Leaves(Budget.of("quick").start(), Points()))
    claim = Signed((x,), (x >= 0,), exp(x) - 1 - x, strict=False)
    assert not follow(claim, {**_base(x, 0), "parts": []}, conditions)
    shown = {"rule": "shown"}
    assert not follow(claim, {**_base(x, 0), "parts": [shown]}, conditions)
    assert follow(claim, {**_base(x, 0), "parts": [shown, shown]}, conditions)


def test_whole_numbers_count_as_real_ones() -> None:
    n = symbols("n")
    statement = Statement(variables={n: S.Naturals}, then=(1 + 1 / n) ** n < exp(1))
    assert decide(statement, Budget("standard", 20.0, 1000, 10_000)) is not None
    wrong = Statement(variables={n: S.Naturals}, then=(1 + 1 / n) ** n < S(27) / 10)
    assert decide(wrong, Budget.of("glance")) is None


def test_real_parts_of_real_symbols_are_the_symbols() -> None:
    statement = Statement(variables={x: Reals}, then=Abs(exp(x) * (x - 1)) <= exp(x) * (1 + Abs(x)))
    assert statement.then.free_symbols == {x}
    assert "re" not in str(statement.then)


def test_a_hypothesis_with_or_is_taken_case_by_case() -> None:
    x = symbols("x")
    low, high = x <= Rational(11, 6), x >= Rational(23, 5)
    statement = Statement(variables={x: Interval.open(0, oo)}, given=(Or(low, high),), then=log(x) <= x / 3)
    evidence = decide(statement, Budget.of("standard"))
    assert evidence is not None
    assert isinstance(accept(statement, Sense.HOLDS, evidence.certificate), Theorem)
    for wider in (Or(x <= 2, high), Or(low, x >= 4), Or(low, Ne(x, 3))):
        other = statement.but(given=(wider,))
        assert not isinstance(accept(other, Sense.HOLDS, evidence.certificate), Theorem)
        again = decide(other, Budget.of("quick"))
        assert again is None or again.outcome is not Outcome.PROVED


@pytest.mark.parametrize(("factor", "outcome"), [(3, Outcome.PROVED), (4, None)])
def test_a_sum_above_a_root_is_squared(factor: int, outcome: Outcome | None) -> None:
    x, y, z = symbols("x y z")
    positive = dict.fromkeys((x, y, z), Interval.open(0, oo))
    claim = x * y / z + y * z / x + z * x / y >= sqrt(factor * (x**2 + y**2 + z**2))
    evidence = decide(Statement(variables=positive, then=claim), Budget.of("standard"))
    assert (None if evidence is None else evidence.outcome) is outcome
