"""Statements about trajectories whose truth is known, as many false as true: flows and maps of line and plane."""

from __future__ import annotations

from typing import Any

from sympy import And, Eq, Expr, Integer, Interval, Le, Rational, S, atan, exp, oo, sqrt, symbols, tanh
from sympy.logic.boolalg import Boolean, Not

from theory import After, Always, ConvergesTo, Decreasing, Eventually, Flow, Map, Statement, Until

x, y, x0, y0, t, mu, eta, c = symbols("x y x0 y0 t mu eta c")
R, POSITIVE, HALF = S.Reals, Interval.open(0, oo), Rational(1, 2)
SMALL, UPPER, UNIT, INNER = Interval(-1, 1), Interval(1, 2), Interval(0, 1), Interval(-HALF, HALF)


def line(
    rule: Expr, domain: Any, then: Boolean, *given: Boolean, kind: type[Map | Flow] = Flow, **more: Any
) -> Statement:
    """A trajectory of the line from x0; the other symbols are positive numbers, and t is the time."""
    timed = (t,) if kind is Flow and t in then.free_symbols else ()
    used = (S(rule).free_symbols | then.free_symbols | And(*given).free_symbols) - {x, x0, t}
    variables = {x0: domain, **dict.fromkeys(sorted(used, key=str), POSITIVE)}
    return Statement(
        dynamics=kind((x,), (rule,), *timed), start={x: x0}, variables=variables, given=given, then=then, **more
    )


def plane(
    rule: tuple[Expr, Expr], domain: Any, then: Boolean, *given: Boolean, kind: type[Map | Flow] = Flow, **more: Any
) -> Statement:
    """A trajectory of the plane from (x0, y0)."""
    timed = (t,) if kind is Flow and t in then.free_symbols else ()
    used = set().union(*(S(part).free_symbols for part in (*rule, then, *given))) - {x, y, x0, y0, t}
    variables = {x0: domain, y0: domain, **dict.fromkeys(sorted(used, key=str), POSITIVE)}
    dynamics = kind((x, y), rule, *timed)
    return Statement(dynamics=dynamics, start={x: x0, y: y0}, variables=variables, given=given, then=then, **more)


def within(rule: Expr, domain: Boolean, then: Boolean) -> Statement:
    """A flow of the line that ends where it leaves a domain, from the unit interval."""
    return Statement(dynamics=Flow((x,), (rule,), domain=domain), start={x: x0}, variables={x0: UNIT}, then=then)


ORIGIN = ConvergesTo((x, y), (0, 0))
SIZE, FIRST = x**2 + y**2, x0**2 + y0**2
CIRCLE = (x - y - x * SIZE, x + y - y * SIZE)
LAYERS = (y * (1 - x * y), x * (1 - x * y))
PREY = (x - x * y, x * y - y)
EPIDEMIC = (-x * y, x * y - y)
WELLS = (-4 * x * (x**2 - 1), -y)
SINK = (-x + y, -x - y)
NEWTON = (x + 2 / x) / 2


def parabola(height: Expr) -> Expr:
    """The quadratic map of the unit interval."""
    return height * x * (1 - x)


def heavy_ball(step: int) -> tuple[Expr, Expr]:
    """With momentum a quarter on a parabola."""
    return (Rational(5, 4) - step) * x - y / 4, x


TRUE: dict[str, Statement] = {
    "a decay in closed form": line(-x, R, Always(Eq(x, x0 * exp(-t)))),
    "a relaxation from above": line(1 - x, Interval(1, 3), Always(x <= 1 + (x0 - 1) * exp(-t))),
    "growth inside of its limits": line(x * (1 - x), UNIT, Always(And(x >= 0, x <= 1))),
    "growth from inside to its limit": line(x * (1 - x), Interval.open(0, 1), ConvergesTo(x, 1)),
    "a cubic decay does not grow": line(-(x**3), R, Always(x**2 <= x0**2)),
    "a cubic decay has its rate": line(-(x**3), R, Always(x**2 * (1 + 2 * x0**2 * t) <= x0**2)),
    "a loss falls": line(-x, POSITIVE, Decreasing(x**2)),
    "a quartic loss falls": line(-4 * x**3, POSITIVE, Decreasing(x**4)),
    "a saturated pull": line(-tanh(x), R, ConvergesTo(x, 0)),
    "a saturated pull does not overshoot": line(-atan(x), R, Always(x**2 <= x0**2)),
    "growth by the time two": line(x, POSITIVE, After(2, x > 7 * x0)),
    "decay by the time one": line(-2 * x, POSITIVE, After(1, x < x0 / 7)),
    "in the end below a half": line(-x, UPPER, Eventually(x < HALF)),
    "above a half until below one": line(-x, UPPER, Until(x > HALF, x <= 1)),
    "below a threshold": line(x * (x - 1), UNIT, Always(x <= 1)),
    "what blows up stays large": line(x**2, UPPER, Always(x >= 1)),
    "towards one from the right side": line(1 - x**2, UNIT, ConvergesTo(x, 1)),
    "past a saddle-node": line(-1 - x**2, R, Decreasing(x)),
    "into the right well": line(x - x**3, UPPER, ConvergesTo(x, 1)),
    "every rate of decay": line(-mu * x, R, ConvergesTo(x, 0)),
    "a force against a pull": line(c - mu * x, R, ConvergesTo(x, c / mu)),
    "a stronger pull keeps the rate": line(-x - x**5, R, Always(x**2 <= x0**2 * exp(-2 * t))),
    "a rotation keeps the radius": plane((-y, x), R, Always(Eq(SIZE, FIRST))),
    "an oscillator from the disc": plane((y, -x), R, Always(x <= 1), Le(FIRST, 1)),
    "a damped oscillator in the disc": plane((y, -x - y), R, Always(SIZE <= 1), Le(FIRST, 1)),
    "an overdamped oscillator": plane((y, -2 * x - 3 * y), R, ORIGIN),
    "two layers keep their difference": plane(LAYERS, R, Always(Eq(x**2 - y**2, x0**2 - y0**2))),
    "two layers keep their sign": plane(LAYERS, POSITIVE, Always(x > 0)),
    "a limit cycle from inside": plane(CIRCLE, INNER, Always(SIZE <= 1)),
    "prey stay": plane(PREY, POSITIVE, Always(And(x > 0, y > 0))),
    "a saddle keeps the product": plane((x, -y), R, Always(Eq(x * y, x0 * y0))),
    "a cascade": plane((-x, x - y), R, ORIGIN),
    "a cascade with a square": plane((-x, x**2 - y), R, ORIGIN),
    "a cubic spiral": plane((y - x**3, -x - y**3), R, ORIGIN),
    "the right one of two wells": plane(WELLS, UPPER, ConvergesTo((x, y), (1, 0))),
    "an epidemic loses": plane(EPIDEMIC, POSITIVE, Always(x + y <= x0 + y0)),
    "a sink has its rate": plane(SINK, R, Always(FIRST * exp(-2 * t) >= SIZE)),
    "a bowl is descended": plane((-x, -2 * y), POSITIVE, Decreasing(SIZE)),
    "halving": line(x / 2, R, ConvergesTo(x, 0), kind=Map),
    "halving descends": line(x / 2, POSITIVE, Decreasing(x), kind=Map),
    "a harmonic map stays positive": line(x / (1 + x), POSITIVE, Always(x > 0), kind=Map),
    "a harmonic map dies out": line(x / (1 + x), POSITIVE, ConvergesTo(x, 0), kind=Map),
    "descent on log cosh below two": line(x - eta * tanh(x), R, ConvergesTo(x, 0), eta < 2, kind=Map),
    "descent on a quartic stays": line(x - eta * x**3, SMALL, Always(x**2 <= 1), eta < 1, kind=Map),
    "a parabola maps into itself": line(parabola(Rational(5, 2)), UNIT, Always(And(x >= 0, x <= 1)), kind=Map),
    "a parabola settles": line(parabola(S(2)), Interval.open(0, 1), ConvergesTo(x, HALF), kind=Map),
    "Newton finds the root": line(NEWTON, POSITIVE, ConvergesTo(x, sqrt(2)), kind=Map),
    "Newton stays above the root": line(NEWTON, POSITIVE, After(1, Always(x**2 >= 2)), kind=Map),
    "a triangular map": plane((x / 2 + y / 4, y / 3), R, ORIGIN, kind=Map),
    "a quarter turn keeps the radius": plane((-y, x), R, Always(Eq(SIZE, FIRST)), kind=Map),
    "Fibonacci stays positive": plane((x + y, x), POSITIVE, Always(x > 0), kind=Map),
    "counting": line(x + 1, R, Always(x >= x0), kind=Map),
    "doubling passes a thousand": line(2 * x, UPPER, Eventually(x > 1000), kind=Map),
    "descent up to the edge": line(x - eta * x, R, Always(x**2 <= x0**2), Le(eta, 2), kind=Map),
    "a quarter turn in a square": plane((y, -x), SMALL, Always(x**2 <= 1), kind=Map),
    "heavy ball with step one": plane(heavy_ball(1), R, ConvergesTo(x, 0), kind=Map),
    "exponentials are positive": line(exp(-x), R, After(1, Always(x > 0)), kind=Map),
    "a rotation never settles": plane((-y, x), POSITIVE, Not(ORIGIN)),
    "growth never dies out": line(x, POSITIVE, Not(ConvergesTo(x, 0))),
    "a decay has no other limit": line(-x, R, Not(ConvergesTo(x, 1))),
    "doubling never settles": line(2 * x, POSITIVE, Not(ConvergesTo(x, 0)), kind=Map),
    "a limit cycle attracts": plane(CIRCLE, R, ConvergesTo(SIZE, 1), FIRST > 0),
    "weight decay balances two layers": plane((LAYERS[0] - x, LAYERS[1] - y), R, ConvergesTo(x**2 - y**2, 0)),
    "a hyperbolic tangent solves its equation": line(1 - x**2, Interval(0, 0), Always(Eq(x, tanh(t)))),
    "a decaying force moves little": plane((exp(-y) - x, -y), UNIT, Always(x <= 2)),
    "inside of a domain": within(Integer(1), x <= 2, Always(x <= 2)),
    "a moment inside of a domain": within(-x, x <= 2, After(HALF, x <= 1)),
    "a limit inside of a domain": within(-x, x <= 2, ConvergesTo(x, 0)),
}

FALSE: dict[str, Statement] = {
    "a decay at twice its rate": line(-x, R, Always(Eq(x, x0 * exp(-2 * t)))),
    "a relaxation that is too fast": line(1 - x, Interval(1, 3), Always(x <= 1 + (x0 - 1) * exp(-2 * t))),
    "growth from above its limit": line(x * (1 - x), UPPER, Always(x <= 1)),
    "growth from nothing": line(x * (1 - x), UNIT, ConvergesTo(x, 1)),
    "a double well does not grow": line(x - x**3, R, Always(x**2 <= x0**2)),
    "a cubic decay that is too fast": line(-(x**3), R, Always(x**2 * (1 + 3 * x0**2 * t) <= x0**2)),
    "a loss falls at rest": line(-x, R, Decreasing(x**2)),
    "a loss is climbed": line(x, POSITIVE, Decreasing(x**4)),
    "a saturated push": line(tanh(x), R, ConvergesTo(x, 0)),
    "a saturated push does not grow": line(atan(x), R, Always(x**2 <= x0**2)),
    "too much growth by the time two": line(x, POSITIVE, After(2, x > 8 * x0)),
    "too much decay by the time one": line(-2 * x, POSITIVE, After(1, x < x0 / 8)),
    "in the end below zero": line(-x, UPPER, Eventually(x < 0)),
    "above a half for ever": line(-x, UPPER, Always(x > HALF)),
    "above a threshold": line(x * (x - 1), UPPER, ConvergesTo(x, 1)),
    "after a blow-up": line(x**2, UPPER, After(2, x >= 1)),
    "towards one from the unstable point": line(1 - x**2, SMALL, ConvergesTo(x, 1)),
    "past nothing": line(1 + x**2, R, Decreasing(x)),
    "every start into the right well": line(x - x**3, R, ConvergesTo(x, 1)),
    "a growth dies out": line(mu * x, R, ConvergesTo(x, 0)),
    "a force without its pull": line(c - mu * x, R, ConvergesTo(x, c)),
    "a stronger pull has another rate": line(-x - x**5, R, Always(x**2 <= x0**2 * exp(-3 * t))),
    "a rotation keeps a hyperbola": plane((-y, x), R, Always(Eq(x**2 - y**2, x0**2 - y0**2))),
    "an oscillator from a larger disc": plane((y, -x), R, Always(x <= 1), Le(FIRST, 2)),
    "a damped oscillator in half of the disc": plane((y, -x - y), R, Always(x <= HALF), Le(FIRST, 1)),
    "an oscillator that is driven": plane((y, -2 * x + y), R, ORIGIN),
    "two layers keep their product": plane(LAYERS, R, Always(Eq(x * y, x0 * y0))),
    "two layers stay below one": plane(LAYERS, POSITIVE, Always(x * y <= 1)),
    "a limit cycle is not approached": plane(CIRCLE, INNER, Always(SIZE <= HALF)),
    "prey do not grow": plane(PREY, POSITIVE, Always(x <= x0)),
    "a saddle loses the product": plane((x, -y), R, ConvergesTo(x * y, 0)),
    "a cascade with growth": plane((-x, x + y), R, ORIGIN),
    "a cubic spiral outward": plane((y + x**3, -x + y**3), R, ORIGIN),
    "one well for all": plane(WELLS, SMALL, ConvergesTo((x, y), (1, 0))),
    "an epidemic never grows": plane(EPIDEMIC, POSITIVE, Always(y <= y0)),
    "a sink has a better rate": plane(SINK, R, Always(FIRST * exp(-3 * t) >= SIZE)),
    "a saddle is descended": plane((-x, 2 * y), POSITIVE, Decreasing(SIZE)),
    "a change of sign settles": line(-x, R, ConvergesTo(x, 0), kind=Map),
    "doubling descends": line(2 * x, POSITIVE, Decreasing(x), kind=Map),
    "a map with a pole stays positive": line(x / (1 - x), POSITIVE, Always(x > 0), kind=Map),
    "a harmonic map settles at one": line(x / (1 + x), POSITIVE, ConvergesTo(x, 1), kind=Map),
    "descent on log cosh below three": line(x - eta * tanh(x), R, ConvergesTo(x, 0), eta < 3, kind=Map),
    "descent on a quartic below three": line(x - eta * x**3, SMALL, Always(x**2 <= 1), eta < 3, kind=Map),
    "a parabola below its top": line(parabola(S(4)), UNIT, Always(x <= Rational(9, 10)), kind=Map),
    "a parabola settles from everywhere": line(parabola(S(2)), UNIT, ConvergesTo(x, HALF), kind=Map),
    "a parabola beyond its edge": line(
        parabola(Rational(7, 2)), Interval.open(0, 1), ConvergesTo(x, Rational(5, 7)), kind=Map
    ),
    "Newton finds one": line(NEWTON, POSITIVE, ConvergesTo(x, 1), kind=Map),
    "Newton starts above the root": line(NEWTON, POSITIVE, Always(x**2 >= 2), kind=Map),
    "a triangular map that grows": plane((x / 2 + y, 3 * y / 2), R, ORIGIN, kind=Map),
    "a quarter turn stays to the right": plane((-y, x), UPPER, Always(x > 0), kind=Map),
    "Fibonacci dies out": plane((x + y, x), POSITIVE, ConvergesTo(x, 0), kind=Map),
    "counting from the next": line(x + 1, R, Always(x >= x0 + 1), kind=Map),
    "halving arrives": line(x / 2, UPPER, Eventually(x <= 0), kind=Map),
    "descent beyond the edge": line(x - eta * x, R, Always(x**2 <= x0**2), eta < 3, kind=Map),
    "a quarter turn with a stretch": plane((y, -2 * x), SMALL, Always(x**2 <= 1), kind=Map),
    "heavy ball with step four": plane(heavy_ball(4), R, ConvergesTo(x, 0), kind=Map),
    "exponentials from everywhere": line(exp(-x), R, Always(x > 0), kind=Map),
    "a sink never settles": plane(SINK, POSITIVE, Not(ORIGIN)),
    "a decay never dies out": line(-x, POSITIVE, Not(ConvergesTo(x, 0))),
    "a relaxation never settles": line(1 - x, R, Not(ConvergesTo(x, 1))),
    "halving never settles": line(x / 2, POSITIVE, Not(ConvergesTo(x, 0)), kind=Map),
    "a limit cycle attracts its middle": plane(CIRCLE, R, ConvergesTo(SIZE, 1)),
    "two layers balance by themselves": plane(LAYERS, R, ConvergesTo(x**2 - y**2, 0)),
    "a relaxation oscillator comes to rest": plane((y, (1 - x**2) * y - x), R, ORIGIN),
    "descent on two layers stops at the saddle": plane(
        (x + eta * LAYERS[0], y + eta * LAYERS[1]), R, ORIGIN, eta < 1, kind=Map
    ),
    "after the end of a domain": within(Integer(1), x <= 2, After(5, x >= 5)),
    "a tangent reaches time four": line(1 + x**2, R, After(4, x > 0)),
    "a limit outside of a domain": within(3 - x, x <= 2, ConvergesTo(x, 3)),
}
