"""A certified period doubling contains the exact value where one is known, or what another method computes."""

import mpmath
import pytest
from sympy import Rational, sqrt, symbols

from theory.cascade import Flip, flips
from theory.dynamics import Map

x, y, r, a = symbols("x y r a")
LOGISTIC = Map((x,), (r * x * (1 - x),))
HENON = Map((x, y), (1 - a * x**2 + y, Rational(3, 10) * x))


def test_logistic_map_doubles_at_3_and_at_1_plus_root_6() -> None:
    first, second = flips(LOGISTIC, r, [0.4], (2.9, 3.5))
    assert (first.period, second.period) == (1, 2)
    assert first.low < 3 < first.high
    assert second.low < 1 + sqrt(6) < second.high


def test_henon_map_doubles_where_its_trace_says() -> None:
    """Fixed points double at 3 (1 - b)^2 / 4, 2-cycles at (1 - b)^2 + (1 + b)^2 / 4."""
    b = Rational(3, 10)
    first, second = flips(HENON, a, [0.1, 0.1], (0.2, 1.0))
    assert first.low < 3 * (1 - b) ** 2 / 4 < first.high
    assert second.low < (1 - b) ** 2 + (1 + b) ** 2 / 4 < second.high


def _multiplier_at(value: mpmath.mpf, start: float) -> mpmath.mpf:
    """The multiplier of the 4-cycle of the logistic map near a start, by Newton's method on the composed map."""

    def four(z: mpmath.mpf) -> mpmath.mpf:
        for _ in range(4):
            z = value * z * (1 - z)
        return z

    point = mpmath.findroot(lambda z: four(z) - z, start)
    product = mpmath.mpf(1)
    for _ in range(4):
        product *= value * (1 - 2 * point)
        point = value * point * (1 - point)
    return product


def test_third_doubling_agrees_with_the_composed_map_in_multiprecision() -> None:
    (flip,) = flips(LOGISTIC, r, [0.4], (3.5, 3.555))
    assert flip.period == 4
    with mpmath.workdps(40):
        ends = [mpmath.mpf(int(end.p)) / int(end.q) for end in (flip.low, flip.high)]
        below, above = (_multiplier_at(end, flip.orbit[0][0]) + 1 for end in ends)
    assert below * above < 0


def test_enclosures_are_narrow_and_ratios_approach_feigenbaum() -> None:
    found: list[Flip] = flips(LOGISTIC, r, [0.4], (2.9, 3.566), cells=333)
    values = [flip.value for flip in found]
    assert [flip.period for flip in found] == [1, 2, 4, 8]
    assert all(flip.high - flip.low < Rational(1, 10**10) for flip in found)
    assert (values[2] - values[1]) / (values[3] - values[2]) == pytest.approx(4.669, abs=0.05)


def test_a_window_without_doubling_yields_nothing() -> None:
    assert flips(LOGISTIC, r, [0.4], (3.1, 3.3)) == []
