"""The numbers of Proposition 5.7 and the statistics of Section 7, in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from theory.enumerators import enumerator


def p_value(runs: int, mean: Any, spread: Any, sides: int, kind: str = "deviation") -> tuple[Any, Any]:
    """The p-value of a t-test of `runs` values as a ball, and its degrees of freedom.

    The spread is a deviation, a deviation with divisor n (`population`), or the error of the mean (`error`).
    """
    from flint import arb, fmpq

    ratio = arb(fmpq(*_ratio(mean))) / arb(fmpq(*_ratio(spread)))
    factor = {"deviation": runs, "population": runs - 1, "error": 1}[kind]
    statistic = ratio * arb(factor).sqrt()
    free = runs - 1
    tail = arb(free) / (arb(free) + statistic**2)
    both = tail.beta_lower(arb(free) / 2, arb(1) / 2, True)
    return (both if sides == 2 else both / 2), free


def _ratio(text: Any) -> tuple[int, int]:
    value = Fraction(str(text))
    return value.numerator, value.denominator


@enumerator("simplicity_bias.one_test")
def one_test(runs: int, mean: str, spread: str, sides: int) -> dict[str, Any]:
    """Rationals below and above the p-value of one t-test.

    >>> found = one_test(2, "1", "1", 2)
    >>> 0 < found["least"] < found["most"] < 1
    True
    """
    value, free = p_value(runs, mean, spread, sides)
    return {"least": _end(value, -1), "most": _end(value, 1), "cases": 1, "coverage": f"{free} degrees of freedom"}


@enumerator("simplicity_bias.reported_tests")
def reported_tests(most: int, percent: int = 1) -> dict[str, Any]:
    """How many readings (runs up to `most`, sides, kind of spread) give both reported p-values.

    The first is right within a factor 2, the second within `percent`. `agreeing` leaves out what certainly disagrees as
    balls, `certain` takes in only what certainly agrees.

    >>> reported_tests(8)["agreeing"], reported_tests(8, 6)["certain"]
    (0, 1)
    """
    from flint import arb

    agreeing, certain, nearest = 0, 0, (arb(10), "")
    for runs, sides, kind in product(range(2, most + 1), (1, 2), ("deviation", "population", "error")):
        first, second = (p_value(runs, *pair, sides, kind)[0] for pair in (("8.13", "0.80"), ("6.43", "2.43")))
        miss = abs(second * 10**5 / 62 - 1)
        near = first > arb(5) / 10**7 and first < arb(2) / 10**6
        agreeing += not (first < arb(5) / 10**7 or first > arb(2) / 10**6 or miss > arb(percent) / 100)
        certain += bool(near and miss < arb(percent) / 100)
        if near and miss < nearest[0]:
            told = f"{runs} runs, {sides} sided, spread as {kind}: {first.str(3, radius=False)}"
            nearest = (miss, f"{told} and {second.str(3, radius=False)}")
    return {
        "agreeing": agreeing,
        "certain": certain,
        "cases": 6 * (most - 1),
        "counterexample": {"nearest reading": nearest[1]},
        "coverage": f"2 to {most} runs, one and two sides, spread as deviation (both divisors) or error of the mean",
    }


def _accuracy(a: Fraction, b: Fraction, c: Fraction) -> tuple[Any, Any]:
    """The lower bound of h(X(T)), and the value of h at x = 9/4, as balls, with q = 8/3."""
    from flint import arb, fmpq

    def ball(value: Fraction) -> Any:
        return arb(fmpq(value.numerator, value.denominator))

    def h(at: Any, level: Any) -> Any:
        return at.log() + level * (at.ei() - arb(1).ei())

    q2 = Fraction(64, 9)
    low = (ball(1 - 2 * a) * ball(-7 * q2 * a).exp() - ball(4 * a)) / 2
    high, level = ball((1 + a) / 2), ball(-4 * q2 * a).exp()
    bottom = (1 + level * arb(1).exp()) * ball((1 - 2 * a) * b**2).log()
    gap = (1 + level * ball((1 - 2 * a) / 4).exp()) * ball(c**2).log()
    bound = low / high * h(ball((1 - 2 * a) * q2), level) + (high - low) / high * bottom - gap
    return bound, h(ball((1 - 2 * a) * Fraction(81, 16)), level)


def _end(ball: Any, side: int) -> Fraction:
    """A rational below (side = -1) or above (side = 1) every number of the ball."""
    scaled = ball * 10**12
    edge = scaled.lower().floor() if side < 0 else scaled.upper().ceil()
    return Fraction(int(edge.unique_fmpz()), 10**12)


@enumerator("simplicity_bias.accuracy")
def accuracy(a: str, b: str, c: int) -> dict[str, Any]:
    """Proposition 5.7 in ball arithmetic: `low` bounds h(X(T)) from below, `high` h at x = 9/4 from above.

    >>> found = accuracy("1/100", "1/1000", 1000)
    >>> found["low"] > found["high"]
    True
    """
    width = Fraction(a)
    bound, target = _accuracy(width, Fraction(b), Fraction(c))
    return {
        "low": _end(bound, -1),
        "high": _end(target, 1),
        "margin": (1 - 2 * width) * Fraction(81, 16) - 4 * Fraction(64, 9) * width,
        "counterexample": {"a": a, "b": b, "c": c, "bound": str(bound), "needed": str(target)},
    }
