"""Drawn points satisfy the hypotheses; a true statement passes its property test and a false one fails with code."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sympy import And, Eq, Implies, Integers, Interval, Ne, Not, Rational, Reals, Symbol, exp, oo, symbols

from proofs_check import as_property_test, clock
from proofs_check.points.exact import holds
from proofs_check.points.strategies import between, points
from proofs_check.run import property_tests
from theory.dynamics import Flow, Map, gradient_flow
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, Decreasing, Scaling

x, y, z, a, b = symbols("x y z a b")
PLANE = {x: Reals, y: Reals}

REGIONS = {
    "between": Statement(variables={x: Interval(0, 1), y: Reals}, given=(y > x, y < 1), then=x > -5),
    "simplex": Statement(
        variables={x: Reals, y: Reals, z: Reals}, given=(Eq(x + y + z, 1), x > 0, y > x, z > y), then=x > -5
    ),
    "circle": Statement(variables=PLANE, given=(Eq(x**2 + y**2, 1), y > 0), then=x > -5),
    "disc": Statement(variables=PLANE, given=(x**2 + y**2 < 1,), then=x > -5),
    "tiny": Statement(variables={x: Interval.open(0, oo)}, given=(x < Rational(1, 10**60),), then=x > -5),
    "whole": Statement(variables={x: Integers}, given=(x > 3, x**2 < 200), then=x > -5),
    "either": Statement(variables=PLANE, given=((x > 1) | (y < -3),), then=x > -5),
}  # fmt: skip


@pytest.mark.parametrize("name", REGIONS)
def test_every_drawn_point_satisfies_the_hypotheses(name):
    statement = REGIONS[name]
    seen = set()

    @given(points(statement))
    @settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
    def check(point):
        assert holds(And(*statement.hypotheses), point) is True
        seen.add(tuple(point.values()))

    check()
    assert len(seen) >= 5


bounds = st.tuples(st.none() | st.fractions(-100, 100), st.booleans())


@given(st.data())
@settings(deadline=None, max_examples=80)
def test_fractions_respect_open_and_closed_ends(data):
    low, high = data.draw(bounds), data.draw(bounds)
    if low[0] is not None and high[0] is not None and (low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))):
        return
    value = data.draw(between(low, high))
    assert low[0] is None or value > low[0] or (value == low[0] and not low[1])
    assert high[0] is None or value < high[0] or (value == high[0] and not high[1])


@pytest.mark.parametrize(
    "statement",
    [
        Statement(variables={x: Interval(0, 1)}, then=x**2 <= x),
        Statement(variables=PLANE, then=2 * x * y <= x**2 + y**2),
        Statement(variables={x: Reals}, then=exp(x / 1000) >= 1 + x / 1000),
        Statement(variables={x: Reals}, almost_all=(x,), then=Ne(x, 0)),
        Statement(dynamics=Map((x,), (x / 2,)), start={x: a}, variables={a: Interval(0, 1)}, then=Always(x <= 1)),
        Statement(dynamics=Map((x,), (x / 2,)), start={x: a}, variables={a: Interval(0, 1)}, then=ConvergesTo(x, 0)),
    ],
)
def test_true_statements_pass(statement):
    as_property_test(statement, max_examples=40)()


def test_a_false_statement_fails_with_a_small_pasteable_point():
    test = as_property_test(Statement(id="mine/lemma-2", variables=PLANE, given=(x < y,), then=x**2 < y**2))
    assert test.__name__ == "test_mine_lemma_2"
    with pytest.raises(AssertionError) as failure:
        test()
    message = str(failure.value)
    assert "satisfy the hypotheses, but" in message
    code = next(line for line in message.splitlines() if line.startswith("point = "))
    names = {"Symbol": Symbol, "Integer": Rational, "Rational": Rational}
    point = eval(code.removeprefix("point = "), names)  # noqa: S307 - the pasted code is what is tested
    assert point[x] < point[y]
    assert point[x] ** 2 >= point[y] ** 2
    assert max(abs(value) for value in point.values()) <= 10


def test_a_false_claim_about_a_map_fails_with_its_step():
    growth = Statement(dynamics=Map((x,), (2 * x,)), start={x: a}, variables={a: Interval(0, 1)}, then=Always(x < 1000))
    with pytest.raises(AssertionError, match=r"step.*\n.*\npoint = \{Symbol\('a'\)"):
        as_property_test(growth, max_examples=40)()


def test_a_false_claim_about_a_flow_fails():
    flow = gradient_flow((x * y - 1) ** 2 / 2, (x, y))
    claim = Statement(dynamics=flow, start={x: a, y: b}, variables={a: Interval(0, 2), b: Interval(0, 2)},
                      then=Always(x * y <= 1))  # fmt: skip
    with pytest.raises(AssertionError, match="certifies the violation"):
        as_property_test(claim, max_examples=40)()


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(LemmascopeError, match="property test"):
        as_property_test(Statement(variables={x: Interval(0, 1)}, then=Scaling(x, x, 1)))


SPRING = Flow((x, y), (y, -x))
LARGE = Interval(-(10**6), 10**6)
FROM_A = {x: a, y: 0}
TRUE_FLOWS = {
    "a circle of any radius": Statement(
        dynamics=SPRING, start=FROM_A, variables={a: LARGE}, then=Always(Eq(x**2 + y**2, a**2))
    ),
    "a circle about zero": Statement(
        dynamics=SPRING, start=FROM_A, variables={a: LARGE}, then=Always(Eq(x**2 + y**2 - a**2, 0))
    ),
    "a bound that is reached": Statement(
        dynamics=SPRING, start=FROM_A, variables={a: LARGE}, then=Always(x**2 <= a**2)
    ),
    "powers": Statement(
        dynamics=SPRING, start=FROM_A, variables={a: Interval(0, 1000)}, then=Always(Eq((x**2 + y**2) ** 3, a**6))
    ),
    "balance": Statement(
        dynamics=gradient_flow((x * y - 1) ** 2 / 2, (x, y)), start={x: a, y: b},
        variables={a: Interval(-100, 100), b: Interval(-100, 100)}, then=Always(Eq(x**2 - y**2, a**2 - b**2)),
    ),
    "a denial": Statement(
        dynamics=SPRING, start=FROM_A, variables={a: LARGE}, then=Always(Not(x**2 + y**2 > a**2))
    ),
    "a premise": Statement(
        dynamics=SPRING, start=FROM_A, variables={a: LARGE}, then=Always(Implies(x**2 + y**2 > a**2, x > 10**9))
    ),
    "a large decrease": Statement(
        dynamics=Flow((x,), (-x,)), start={x: a}, variables={a: Interval(1, 10**9)}, then=Decreasing(x + 10**9)
    ),
    "rest at an unstable point": Statement(
        dynamics=Flow((x,), (x - Rational(1, 3),)), start={x: Rational(1, 3)}, variables={a: Interval(0, 1)},
        then=Always(x < 1),
    ),
    "tiny": Statement(
        dynamics=Flow((x,), (-x,)), start={x: a}, variables={a: Interval(Rational(1, 10**12), Rational(1, 10**9))},
        then=Always(x > 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE_FLOWS)
def test_a_true_claim_about_a_flow_passes_whatever_its_scale(name):
    as_property_test(TRUE_FLOWS[name], max_examples=30)()


def test_the_spring_passes_at_every_size():
    for size in (26, 10**3, 10**5, 10**6):
        fixed = TRUE_FLOWS["a circle of any radius"].but(variables={a: Interval(size, size + 1)})
        as_property_test(fixed, max_examples=5)()


FALSE_FLOWS = {
    "a circle that is too small": TRUE_FLOWS["a circle of any radius"].but(
        then=Always(x**2 + y**2 < 1 + a**2 * 9999 / 10000)
    ),
    "another power": TRUE_FLOWS["powers"].but(then=Always(Eq((x**2 + y**2) ** 3, a**5))),
    "tiny": TRUE_FLOWS["tiny"].but(then=Always(x > Rational(1, 10**13))),
    "tiny by a hair": TRUE_FLOWS["tiny"].but(then=Always(x > a * (1 - Rational(1, 10**4)))),
    "a denial": TRUE_FLOWS["a denial"].but(variables={a: Interval(1, 2)}, then=Always(Not(x < 0))),
    "a premise": TRUE_FLOWS["a premise"].but(variables={a: Interval(1, 2)}, then=Always(Implies(x < 0, y > 0))),
    "an increase": TRUE_FLOWS["a large decrease"].but(then=Decreasing(-x)),
    "not conserved": TRUE_FLOWS["balance"].but(then=Always(Eq(x**2 + y**2, a**2 + b**2))),
}


@pytest.mark.parametrize("name", FALSE_FLOWS)
def test_a_false_claim_about_a_flow_fails_whatever_its_scale(name):
    with pytest.raises(AssertionError, match=r"in double precision|certifies the violation"):
        as_property_test(FALSE_FLOWS[name], max_examples=30)()


def test_the_search_for_a_point_without_a_value_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []
    monkeypatch.setattr(property_tests, "without_value", lambda _goal, end: left.append(end - clock.now()))
    as_property_test(Statement(variables={x: Reals}, then=x**2 >= 0), max_examples=1)()
    assert 0 < left[0] <= property_tests._FOR_GAPS
