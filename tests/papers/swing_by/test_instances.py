"""Admissible instances are admissible by an independent count, and slightly changed ones are not."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from theory.errors import LemmascopeError
from theory.swing_by.instances import INSTANCES, admissible, named


def by_hand(instance):
    """The assumptions as the paper prints them, in 60 digits, from W(0) and the constants alone."""
    with mpmath.workdps(400):
        i = instance
        number = lambda x: mpmath.mpf(x.numerator) / x.denominator  # noqa: E731
        a = [number(x) for x in i.signals]
        omega, P, beta, K, kappa, C = map(number, (i.omega, i.P, i.beta, i.K, i.kappa, i.C))
        alpha, d = min(a), len(a)
        gamma = max(a) / alpha
        W = [[number(x) * omega for x in row] for row in i.start]
        slack = 1 + mpmath.mpf(10) ** -300
        first = min(kappa - 1, 1 - kappa ** (-mpmath.mpf(1) / 2)) / (P * K * gamma * d * beta**2)
        bound = mpmath.log(P) / (10 * kappa**2 * mpmath.log(1 / (P * beta * omega)) + mpmath.log(P * beta))
        return {
            "d.1": all(omega <= abs(x) * slack and abs(x) <= beta * omega * slack for row in W for x in row),
            "d.2": K >= 20 and number(i.eta) <= slack / (9 * K * gamma * alpha),
            "d.3": P * omega * beta <= mpmath.mpf("0.4"),
            "d.4": omega <= min(first, 1 / mpmath.sqrt(2 * beta))
            and mpmath.mpf("1.1") < kappa <= 1 + K / (2 * C)
            and P >= 2,
            "d.5": all(
                (a[k] + a[j]) / (2 * a[k]) <= bound and a[k] - 3 * a[j] >= alpha / C for k in range(d) for j in range(k)
            ),
            "semidefinite": bool(
                min(mpmath.eigsy(mpmath.matrix(W) / omega, eigvals_only=True)) > -(mpmath.mpf(10) ** -200)
            ),
        }


@pytest.mark.parametrize("name", INSTANCES)
def test_every_named_instance_is_admissible_by_both_routes(name):
    assert all(by_hand(named(name)).values())
    assert all(admissible(named(name)).values())


CHANGES = [
    ({"beta": Fraction(3, 2)}, "d.1"),
    ({"K": Fraction(19)}, "d.2"),
    ({"boundary": Fraction(1, 2)}, "d.3"),
    ({"boundary": Fraction(1, 6000)}, "d.4"),
    ({"kappa": Fraction(11, 10)}, "d.4"),
    ({"decades": 77}, "d.5"),
    ({"signals": (Fraction(4), Fraction(1))}, "d.5"),
    ({"start": ((Fraction(1), Fraction(2)), (Fraction(2), Fraction(1)))}, "semidefinite"),
]


@pytest.mark.parametrize(("change", "broken"), CHANGES)
def test_a_changed_instance_breaks_the_assumption_it_should_break(change, broken):
    changed = replace(named("pair"), **change)
    assert not admissible(changed)[broken]
    assert not by_hand(changed)[broken]


def test_an_unknown_instance_is_refused_with_the_names_that_exist():
    with pytest.raises(LemmascopeError, match="pair, rank one"):
        named("nobody")
