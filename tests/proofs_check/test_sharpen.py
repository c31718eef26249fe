"""The best value of a constant is proved up to it and refuted beyond it, and agrees with the value known by hand."""

from __future__ import annotations

import pytest
from sympy import Integer, Interval, Ne, PolynomialError, Rational, Reals, exp, log, oo, sin, sqrt, symbols, sympify

from proofs_check.budget import Budget
from proofs_check.points.exact import holds
from proofs_check.repair import eliminants
from proofs_check.repair.eliminants import candidates, fences, recognised
from proofs_check.repair.sharpen import sharpen
from proofs_check.verdict import how_good
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.statements import Constant, Statement
from theory.temporal import Always, ConvergesTo

x, y, a, r, c = symbols("x y a r c")
QUICK = Budget.of("quick")
EDGE = sqrt(Rational(9, 2)) - 1

CASES = {
    "range of a variable": (
        Statement(variables={x: Interval(0, c)}, then=x**2 <= 2, constants=(Constant(c, 1, best="largest"),)), sqrt(2),
    ),
    "range, open, already best": (
        Statement(variables={x: Interval.open(1, c)}, constants=(Constant(c, EDGE, best="largest"),),
                  then=Rational(2, 3) * (1 + x) * (1 + x - Rational(4, 27) * (1 + x) ** 3) > 1),
        EDGE,
    ),
    "a bound": (
        Statement(variables={x: Interval(0, 1)}, then=x * (1 - x) <= c, constants=(Constant(c, 1, best="smallest"),)),
        Rational(1, 4),
    ),
    "a bound in two variables": (
        Statement(variables={x: Reals, y: Reals}, then=x**2 + x * y + y**2 >= c * (x**2 + y**2),
                  constants=(Constant(c, Rational(1, 10), best="largest"),)),
        Rational(1, 2),
    ),
    "stated too large": (
        Statement(variables={x: Interval(0, 1)}, then=x**3 - x >= -c,
                  constants=(Constant(c, Rational(1, 5), best="smallest"),)),
        2 * sqrt(3) / 9,
    ),
    "first step of a map": (
        Statement(dynamics=Map((x,), (r * x * (1 - x),)), start={x: a},
                  variables={r: Interval(0, c), a: Interval(0, 1)}, then=Always((x >= 0) & (x <= 1)),
                  constants=(Constant(c, 2, best="largest"),)),
        Integer(4),
    ),
    "fixed point of a map": (
        Statement(dynamics=Map((x,), (x / 2 + 1 / x,)), start={x: a}, variables={a: Interval(2, 3)}, then=Always(x > c),
                  constants=(Constant(c, 1, best="largest"),)),
        sqrt(2),
    ),
    "a product of parameters at the flip": (
        Statement(dynamics=Map((x,), (x - r * y * x,)), start={x: a}, given=(r * y < c,), then=ConvergesTo(x, 0),
                  variables={r: Interval.open(0, oo), y: Interval.open(0, oo), a: Reals},
                  constants=(Constant(c, 1, best="largest"),)),
        Integer(2),
    ),
    "stationary value": (
        Statement(variables={x: Reals}, then=x * exp(-x) <= c, constants=(Constant(c, 1, best="smallest"),)), exp(-1),
    ),
    "limit that is not attained": (
        Statement(variables={x: Interval.open(0, oo)}, then=x / (1 + x) < c,
                  constants=(Constant(c, 2, best="smallest"),)), Integer(1),
    ),
    "limit at a pole": (
        Statement(variables={x: Reals}, then=log(1 + exp(x)) <= x / 2 + log(2) + c * x**2,
                  constants=(Constant(c, 1, best="smallest"),)),
        Rational(1, 8),
    ),
    "transcendental": (
        Statement(variables={x: Interval(0, c)}, then=exp(x) <= 3, constants=(Constant(c, 1, best="largest"),)), log(3),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(2)
def test_known_best_values_are_found_exactly(name):
    statement, expected = CASES[name]
    found = sharpen(statement, budget=QUICK)["c"]
    assert sympify(found["best"]) == expected
    assert found["exact"] is True
    assert found["below"]["outcome"] == "proved"
    assert found["above"]["outcome"] == "refuted"
    beyond = sympify(found["above"]["value"])
    assert abs(beyond - expected) < Rational(1, 10**8)


def test_the_refuted_side_has_a_counterexample_that_counts():
    statement, _ = CASES["a bound"]
    found = sharpen(statement, budget=QUICK)["c"]
    point = {x: Rational(found["above"]["counterexample"]["x"])}
    assert holds(statement.then.subs(c, sympify(found["above"]["value"])), point) is False


def test_without_an_exact_candidate_the_value_is_enclosed():
    """The largest c with sin x >= x / 2 on [0, c] is no algebraic number; mpmath gives an independent value."""
    import mpmath

    statement = Statement(
        variables={x: Interval(0, c)}, then=sin(x) >= x / 2, constants=(Constant(c, 1, best="largest"),)
    )
    found = sharpen(statement, budget=QUICK)["c"]
    low, high = (Rational(end) for end in found["enclosure"])
    assert found["exact"] is False
    assert high - low < Rational(1, 10**8)
    assert low <= Rational(str(mpmath.findroot(lambda t: mpmath.sin(t) - t / 2, 1.9))) <= high


def test_convergence_sharpens_to_the_flip_of_its_multiplier():
    """The logistic map converges to 1 - 1/r up to r = 3."""
    statement = Statement(dynamics=Map((x,), (r * x * (1 - x),)), start={x: a},
                          variables={a: Interval.open(0, 1), r: Interval.open(1, c)}, then=ConvergesTo(x, 1 - 1 / r),
                          constants=(Constant(c, 2, best="largest"),), almost_all=(a,))  # fmt: skip
    assert 3 in candidates(statement, c)


def test_recognised_numbers_satisfy_the_equation():
    assert recognised(x**2 - 3 * x + 1 + 0 * x, x, 2.6180339887) == (3 + sqrt(5)) / 2
    assert recognised(sin(x) - x / 2, x, 1.8954942670) is None


def test_no_bound_on_a_constant_is_not_called_its_best_value():
    free = Statement(variables={x: Reals}, then=x**2 + c**2 >= 0, constants=(Constant(c, 1, best="largest"),))
    found = sharpen(free, budget=QUICK)["c"]
    assert (found["exact"], found["enclosure"][1]) == (False, None)
    assert "no value beyond it was refuted" in found["note"]
    assert how_good(found) == "proved also for"
    hopeless = Statement(variables={x: Reals}, then=x <= c, constants=(Constant(c, 1, best="smallest"),))
    assert sharpen(hopeless, budget=Budget.of("glance"), decisions=3)["c"]["best"] is None


def test_a_long_search_tells_what_it_decides():
    seen = []
    sharpen(CASES["a bound"][0], budget=QUICK, watch=seen.append)
    assert "c = 1/4: proved" in seen


def test_a_missing_constant_is_refused_with_its_name():
    statement = Statement(variables={x: Interval(0, oo)}, then=x >= 0)
    with pytest.raises(LemmascopeError, match="has no constant k"):
        sharpen(statement, "k")


def test_algebra_that_fails_costs_a_guess_and_not_the_search(monkeypatch):
    """SymPy may give up in the middle of an elimination; the gap is then bisected."""
    statement, expected = CASES["range of a variable"]

    def fails(*_arguments):
        raise PolynomialError("non-commutative expressions are not supported")

    for name in ("_eliminated", "zeros", "multiplier_candidates", "_guesses"):
        monkeypatch.setattr(eliminants, name, fails)
    assert candidates(statement, c) == []
    found = sharpen(statement, budget=QUICK)["c"]
    low, high = (Rational(end) for end in found["enclosure"])
    assert low <= expected <= high
    assert found["exact"] is False


def test_an_engine_that_fails_is_not_the_end_of_the_search(monkeypatch):
    from proofs_check.engines.polynomial import search as real

    def fails(*_arguments):
        raise PolynomialError("coefficients are not in the domain")

    monkeypatch.setattr(real, "decide", fails)
    found = sharpen(CASES["range of a variable"][0], budget=QUICK)["c"]
    assert found["at stated"]["outcome"] in ("proved", "open")


def test_candidates_are_real_numbers_only():
    statement = Statement(
        variables={x: Interval(0, 1)},
        then=x + (c**2 + 1) ** Rational(1, 3) >= 0,
        constants=(Constant(c, 1, best="largest"),),
    )
    assert all(value.is_real for value in candidates(statement, c))


def test_an_empty_range_is_no_better_value():
    claim = Statement(variables={x: Interval(c, 1)}, then=x >= 0, constants=(Constant(c, 0, best="largest"),))
    found = sharpen(claim, budget=QUICK)["c"]
    assert found["best"] == "1"
    assert "no value beyond it was refuted" in found["note"]


def test_a_value_beyond_which_the_claim_is_true_again_is_not_called_the_best():
    again = (c - 1) * (c - 2) * (c - 3) * (c - 4) <= x
    claim = Statement(variables={x: Interval(0, 1)}, then=again, constants=(Constant(c, "3/2", best="largest"),))
    found = sharpen(claim, budget=QUICK)["c"]
    assert found["best"] == "2"
    assert "true again for c = 4" in found["note"]
    assert how_good(found) != "best"


@pytest.mark.parametrize(
    ("claim", "stated", "best"),
    [
        (Ne((c - 1) * (c - 5) * (x + 1), 0), 0, "largest"),
        (Ne((c - 1) * (x + 1), 0), 5, "smallest"),
        (Ne(c, 1), 0, "largest"),
        (Ne(c**2 + x**2, 1 + x**2), 0, "largest"),
        ((c - 1) ** 2 * (x + 1) > 0, 0, "largest"),
        ((c - 1) ** 2 * (x + 1) > 0, 3, "smallest"),
    ],
    ids=str,
)
def test_a_single_value_that_fails_is_told_from_a_bound(claim, stated, best):
    """The statement is true on both sides of 1 and false at 1 alone."""
    hole = Statement(variables={x: Interval(0, 1)}, then=claim, constants=(Constant(c, stated, best=best),))
    found = sharpen(hole, budget=QUICK)["c"]
    assert found["best"] == "1"
    assert "true again" in found["note"]


def double_then_simple(first, second, *, scaled=1):
    """The largest c with (x - first)^2 (second - x) >= 0 on [0, c] is the second zero, however near the first."""
    then = (scaled * x - scaled * first) ** 2 * (scaled * second - scaled * x) >= 0
    return Statement(variables={x: Interval(0, c)}, then=then, constants=(Constant(c, first / 2, best="largest"),))


TINY = Rational(1, 10**12)
NEIGHBOURS = {
    "zeros of size 1e-12": (double_then_simple(TINY, 2 * TINY), 2 * TINY),
    "the same, multiplied out": (double_then_simple(TINY, 2 * TINY, scaled=10**12), 2 * TINY),
    "a gap of 1e-10 at 1": (double_then_simple(Integer(1), 1 + Rational(1, 10**10)), 1 + Rational(1, 10**10)),
    "a gap of 1e-30 at 1": (double_then_simple(Integer(1), 1 + Rational(1, 10**30)), 1 + Rational(1, 10**30)),
    "zeros of size 1e12": (double_then_simple(Integer(10) ** 12, 2 * Integer(10) ** 12), 2 * Integer(10) ** 12),
    "a gap of 1e-10 at 1e12": (
        double_then_simple(Integer(10) ** 12, 10**12 + Rational(1, 10**10)), 10**12 + Rational(1, 10**10),
    ),
    "zeros of size 1e-20": (double_then_simple(TINY / 10**8, 3 * TINY / 10**8), 3 * TINY / 10**8),
    "the smallest of size 1e-12": (
        Statement(variables={x: Interval(c, 1)}, then=(x - 2 * TINY) ** 2 * (x - TINY) >= 0,
                  constants=(Constant(c, Rational(1, 2), best="smallest"),)), TINY,
    ),
    "the smallest with a gap of 1e-10": (
        Statement(variables={x: Interval(c, 2)}, then=(x - 1) ** 2 * (x - 1 + Rational(1, 10**10)) >= 0,
                  constants=(Constant(c, Rational(3, 2), best="smallest"),)), 1 - Rational(1, 10**10),
    ),
    "the smallest of size 1e12": (
        Statement(variables={x: Interval(c, 10**13)}, then=(x - 2 * 10**12) ** 2 * (x - 10**12) >= 0,
                  constants=(Constant(c, 5 * 10**12, best="smallest"),)), Integer(10) ** 12,
    ),
    "a small bound": (
        Statement(variables={x: Interval(0, 1)}, then=TINY * x * (1 - x) <= c,
                  constants=(Constant(c, 1, best="smallest"),)), TINY / 4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_neighbour_of_the_best_value_is_told_apart_whatever_the_scale(name):
    statement, expected = NEIGHBOURS[name]
    found = sharpen(statement, budget=QUICK)["c"]
    best = sympify(found["best"])
    assert best == expected or not found["exact"]
    assert found["exact"] or found.get("note") or abs(best - expected) <= expected / 10**8
    if found["exact"]:
        assert found["attained"] is True
        good, bad = (sympify(end) for end in found["enclosure"])
        assert good == expected
        assert abs(bad - expected) <= expected / 10**9


def test_most_neighbours_are_found_exactly():
    exact = [name for name in list(NEIGHBOURS)[:3] if sharpen(NEIGHBOURS[name][0], budget=QUICK)["c"]["exact"]]
    assert exact == list(NEIGHBOURS)[:3]


def test_fences_hold_every_critical_value():
    assert fences(double_then_simple(TINY, 2 * TINY), c) == [0, TINY, 2 * TINY]
    assert {Rational(1, 2), Rational(3, 2)} <= set(fences(CASES["a bound in two variables"][0], c))
    assert set(fences(CASES["stated too large"][0], c)) >= {2 * sqrt(3) / 9, 0}
