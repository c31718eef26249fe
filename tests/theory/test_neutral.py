"""What rigorous bounds say of neutral orbits is what exact algebra says."""

from __future__ import annotations

import pytest
import sympy as sp

from theory import Map, neutral

x = sp.Symbol("x", real=True)


@pytest.mark.parametrize(
    ("rule", "points", "multiplier"),
    [
        (-x + x**3, [sp.S.Zero], -1),
        (-x - x**3, [sp.S.Zero], -1),
        (-x + x**2, [sp.S.Zero], -1),
        (-x - 3 * x**2, [sp.S.Zero], -1),
        (x - x**2, [sp.S.Zero], 1),
        (3 * x * (1 - x), [sp.Rational(2, 3)], -1),
        (-sp.sin(x), [sp.S.Zero], -1),
        (-sp.sinh(x), [sp.S.Zero], -1),
    ],
)
def test_bounds_and_algebra_agree(rule: sp.Expr, points: list[sp.Expr], multiplier: int) -> None:
    seen = neutral._decided_in_balls(Map((x,), (rule,)), rule, x, points, multiplier)
    assert seen is not None
    assert seen is neutral._decided(Map((x,), (rule,)), rule, x, points, multiplier)


@pytest.mark.parametrize("rule", [x - x**3, x + x**3, -x, -x + x**2 - x**3, -x + x**5])
def test_bounds_around_zero_say_nothing(rule: sp.Expr) -> None:
    """The term that they look at is zero, or the multiplier is not the given one."""
    multiplier = 1 if rule.coeff(x) == 1 else -1
    assert neutral._decided_in_balls(Map((x,), (rule,)), rule, x, [sp.S.Zero], multiplier) is None


def test_a_wrong_multiplier_says_nothing() -> None:
    assert neutral._decided_in_balls(Map((x,), (x / 2,)), x / 2, x, [sp.S.Zero], 1) is None
