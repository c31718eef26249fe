"""The errors of the full flow at T_1, enclosed in balls for two r, fall at the rates that Theorem 4.1 claims."""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import arb

from numerics import enclose
from theory.dynamics import Flow

P, Q, RATE = sp.Rational(19, 20), sp.Rational(1, 10), sp.Rational(17, 160)
SCALES, ANGLES = (sp.Rational(1, 2), sp.Rational(9, 10)), (sp.Rational(9, 100), sp.Rational(1, 20))


def mirrored_pairs() -> Flow:
    """Pairs of neurons at the angles +-x to +-e_1 and +-y to +-e_2 on the orbit of (P, Q), in ln|u| and angles."""
    a, x, b, y = sp.symbols("a x b y")
    first = 2 * sp.exp(2 * a) * sp.cos(x)
    second = 2 * sp.exp(2 * b) * sp.cos(y)
    weights = [1 / (1 + sp.exp(margin)) for margin in (P * first - Q * second, P * second - Q * first)]
    pulls = [(P * one - Q * two) / 4 for one, two in (weights, weights[::-1])]
    velocity = [
        part for pull, at in zip(pulls, (x, y), strict=True) for part in (pull * sp.cos(at), -pull * sp.sin(at))
    ]
    return Flow((a, x, b, y), tuple(velocity))


def errors(r: sp.Rational) -> tuple[Any, Any]:
    """Balls around the direction error and the scale error of the pair near e_1, for kappa = 1."""
    flow = mirrored_pairs()
    values = [part for scale, at in zip(SCALES, ANGLES, strict=True) for part in (sp.log(scale * r**2), at)]
    found = enclose(flow, dict(zip(flow.state, values, strict=True)), sp.log(1 / r) / RATE, order=12, tolerance=1e-10)
    assert found.complete
    log_u, angle = found.final[:2]
    half = _ball(ANGLES[0]) / 2
    return 2 * (angle / 2).sin(), abs(log_u.exp() - _ball(r * SCALES[0]) * half.cos() ** 2)


def _ball(value: sp.Rational) -> Any:
    return arb(int(value.p)) / int(value.q)


def test_slopes_are_enclosed() -> None:
    ends = [errors(sp.Rational(1, 10**k)) for k in (1, 2)]
    direction, scale = ((one / two).log() / arb(10).log() for one, two in zip(*ends, strict=True))
    assert arb("0.999") < direction < arb("1.001")
    assert arb("2.99") < scale < arb("3.01")


def test_every_enclosed_error_is_below_the_proved_bound() -> None:
    """theorem-4.1.corrected#regular.e with a = m (1 + xi)^2 / 4, m = 8, xi = 1/100; half of Y_0 r is passed."""
    k = 2 * arb("1.01") ** 2 * arb("0.81") / _ball(RATE)
    r = arb(1) / 10
    direction, _ = errors(sp.Rational(1, 10))
    start = (_ball(ANGLES[0]) / 2).tan()
    assert direction <= 2 * (k * r**2).exp() * (start * r + k / 3 * r**2)
    assert direction > start * r
