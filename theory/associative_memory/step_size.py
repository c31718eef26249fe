"""Section 4.4.4.3, the first part: how large a step keeps the prediction of noise below alpha.

In the centred logit x the prediction is p(x) = e**x / ((1 - alpha)/alpha + e**x), and a step adds
eta (alpha - p(x)).
"""

from __future__ import annotations

from functools import partial

from sympy import And, Expr, Interval, Range, Rational, Symbol, diff, exp, log, oo

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, paper
from theory.displays import equal
from theory.domains import POSITIVE
from theory.dynamics import Map
from theory.scope import case, own, whole
from theory.statements import Statement
from theory.temporal import Always

X, ETA = Symbol("x"), Symbol("eta")
NEGATIVE = Interval.open(-oo, 0)
HALF = Interval.open(0, Rational(1, 2))


def prediction(x: Expr = X) -> Expr:
    """The predicted probability of noise at a centred logit."""
    return exp(x) / ((1 - ALPHA) / ALPHA + exp(x))


def step(x: Expr = X, eta: Expr = ETA) -> Expr:
    """The centred logit one step later."""
    return x + eta * (ALPHA - prediction(x))


LARGEST = 1 / (ALPHA * (1 - ALPHA))


@paper.statement(
    "claim-4.4.4.3.step-size",
    "Every step size up to 1/(alpha (1 - alpha)) keeps the centred logit negative",
    scope=whole(),
)
def step_size() -> Statement:
    return Statement(
        variables={ALPHA: HALF, X: NEGATIVE, ETA: POSITIVE},
        given=(ETA * ALPHA * (1 - ALPHA) <= 1,),
        then=step() < 0,
        uses=("exponential",),
        notes="As printed, for all step sizes at once. By step `smaller` the largest one decides, by step `half` alpha"
        " = 1/2 does, and there it is the bound of step `logarithm`.",
    )


@paper.statement(
    "claim-4.4.4.3.step-size.largest",
    "The largest of these steps alone keeps the centred logit negative",
    scope=case("the largest step size"),
)
def largest_step() -> Statement:
    return Statement(
        variables={ALPHA: HALF, X: NEGATIVE},
        then=X + (1 - exp(X)) / (1 - ALPHA + ALPHA * exp(X)) < 0,
        notes="The restated form: the largest step is (1 - u)/(1 - alpha + alpha u), u = e**x, by step `largest`.",
    )


@paper.step("claim-4.4.4.3.step-size", "logarithm", "-log u > 2 (1 - u)/(1 + u) below one", scope=own("a step of ours"))
def logarithm() -> Statement:
    u = Symbol("u")
    return Statement(variables={u: Interval.open(0, 1)}, then=-log(u) > 2 * (1 - u) / (1 + u))


@paper.step(
    "claim-4.4.4.3.step-size",
    "exponential",
    "-x > 2 (1 - e**x)/(1 + e**x) on the negative axis",
    scope=own("a step of ours"),
)
def exponential() -> Statement:
    return Statement(variables={X: NEGATIVE}, then=2 * (1 - exp(X)) / (1 + exp(X)) < -X)


@paper.step(
    "claim-4.4.4.3.step-size",
    "half",
    "With -log u above 2 (1 - u)/(1 + u) every step size up to the bound is safe",
    scope=own("a step of ours"),
)
def half() -> Statement:
    """u stands for e**x and l for -x."""
    u, l = Symbol("u"), Symbol("l")
    return Statement(
        variables={ALPHA: HALF, ETA: POSITIVE, u: Interval.open(0, 1), l: POSITIVE},
        given=(ETA * ALPHA * (1 - ALPHA) <= 1, l * (1 + u) > 2 * (1 - u)),
        then=ETA * (ALPHA - u / ((1 - ALPHA) / ALPHA + u)) < l,
    )


@paper.step(
    "claim-4.4.4.3.step-size",
    "largest",
    "The largest step moves the logit by (1 - u)/(1 - alpha + alpha u)",
    scope=own("a step of ours"),
)
def largest() -> Statement:
    u = Symbol("u")
    moved = LARGEST * (ALPHA - u / ((1 - ALPHA) / ALPHA + u))
    return Statement(
        variables={ALPHA: NOISE_LEVEL, u: Interval.open(0, 1)},
        then=equal((moved, (1 - u) / (1 - ALPHA + ALPHA * u))),
    )


@paper.step(
    "claim-4.4.4.3.step-size",
    "smaller",
    "Smaller steps move the negative logit up by less",
    scope=own("a step of ours"),
)
def smaller() -> Statement:
    """q is alpha - p(x), which is positive for a negative logit."""
    q = Symbol("q")
    return Statement(
        variables={ALPHA: HALF, X: NEGATIVE, ETA: POSITIVE, q: POSITIVE},
        given=(ETA * ALPHA * (1 - ALPHA) <= 1, X + q * LARGEST < 0),
        then=X + ETA * q < 0,
    )


@paper.statement(
    "claim-4.4.4.3.step-size.large-noise",
    "The same bound for alpha above 1/2",
    scope=own("alpha above 1/2, of which the paper says nothing"),
)
def step_size_large_noise() -> Statement:
    return Statement(
        variables={ALPHA: Interval.open(Rational(1, 2), 1), X: NEGATIVE},
        then=step(X, 1 / (ALPHA * (1 - ALPHA))) < 0,
    )


@paper.statement("claim-4.4.4.3.step-size.large-noise.corrected", "Step sizes up to 4 keep it negative for every alpha")
def step_size_any_noise() -> Statement:
    """In s = e**(x/2): the slope of the prediction is at most 1/4 everywhere."""
    s, l = Symbol("s"), Symbol("l")
    return Statement(
        variables={ALPHA: NOISE_LEVEL, s: Interval.open(0, 1), l: POSITIVE, ETA: Interval.Lopen(0, 4)},
        given=(l * (1 + s) > 2 * (1 - s),),
        then=ETA * (ALPHA - s**2 / ((1 - ALPHA) / ALPHA + s**2)) < 2 * l,
        notes="l stands for -log s, which satisfies the hypothesis by claim-4.4.4.3.step-size#logarithm; -2 l is the"
        " centred logit.",
    )


@paper.step("claim-4.4.4.3.step-size", "fixed-point", "log N + log(alpha/(1 - alpha)) is stationary", scope=whole())
def fixed_point() -> Statement:
    size = Symbol("N")
    odds = size * ALPHA / (1 - ALPHA)
    return Statement(variables={ALPHA: NOISE_LEVEL, size: Range(2, oo)}, then=equal((odds / (size + odds), ALPHA)))


@paper.step("claim-4.4.4.3.step-size", "centred", "The iteration around the stationary point", scope=whole())
def centred() -> Statement:
    """With u = e**(centred logit): e**xi / (N + e**xi) = u / ((1 - alpha)/alpha + u)."""
    size, u = Symbol("N"), Symbol("u")
    shifted = u * size * ALPHA / (1 - ALPHA)
    return Statement(
        variables={ALPHA: NOISE_LEVEL, size: Range(2, oo), u: POSITIVE},
        then=equal((shifted / (size + shifted), u / ((1 - ALPHA) / ALPHA + u))),
    )


@paper.step("claim-4.4.4.3.step-size", "slope", "The slope of the prediction at 0 is alpha (1 - alpha)", scope=whole())
def slope() -> Statement:
    return Statement(
        variables={ALPHA: NOISE_LEVEL}, then=equal((diff(prediction(), X).subs(X, 0), ALPHA * (1 - ALPHA)))
    )


@paper.step(
    "claim-4.4.4.3.step-size", "decreasing", "The bound x/(p(x) - alpha) decreases on the negative axis", scope=whole()
)
def decreasing() -> Statement:
    """The sign of the derivative: p - alpha - x p' is positive for alpha below 1/2, in u = e**x."""
    u = Symbol("u")
    low = (1 - ALPHA) / ALPHA
    slope_ = u * low / (low + u) ** 2
    return Statement(variables={u: Interval.open(0, 1), ALPHA: HALF}, then=u / (low + u) - ALPHA - log(u) * slope_ < 0)


@paper.step(
    "claim-4.4.4.3.step-size",
    "decreasing.half",
    "At alpha = 1/2 it decreases: -log u < (1 - u**2)/(2 u)",
    scope=own("a step of ours"),
)
def decreasing_half() -> Statement:
    u = Symbol("u")
    return Statement(variables={u: Interval.open(0, 1)}, then=-log(u) < (1 - u**2) / (2 * u))


@paper.step(
    "claim-4.4.4.3.step-size",
    "decreasing.combined",
    "Below 1/2 it decreases because it does at 1/2",
    scope=own("a step of ours"),
)
def decreasing_combined() -> Statement:
    u, l = Symbol("u"), Symbol("l")
    low = (1 - ALPHA) / ALPHA
    return Statement(
        variables={u: Interval.open(0, 1), ALPHA: HALF, l: POSITIVE},
        given=(l < (1 - u**2) / (2 * u),),
        then=u / (low + u) - ALPHA + l * u * low / (low + u) ** 2 < 0,
    )


def _stable(limit: Expr) -> Statement:
    at_zero = diff(step(), X).subs(X, 0)
    return Statement(
        variables={ALPHA: NOISE_LEVEL, ETA: POSITIVE},
        given=(limit > ETA * ALPHA * (1 - ALPHA),),
        then=And(at_zero < 1, at_zero > -1),
    )


paper.statement(
    "claim-4.4.4.3.stable",
    "The stationary point attracts for steps below 2/(alpha (1 - alpha))",
    scope=own("not in print: when the stationary logit attracts"),
)(partial(_stable, Rational(2)))


@paper.statement(
    "claim-4.4.4.3.invariant",
    "With the largest such step the centred logit stays negative for ever",
    scope=case("the largest step size"),
)
def invariant() -> Statement:
    start = Symbol("x_0")
    return Statement(
        variables={ALPHA: HALF, start: NEGATIVE},
        dynamics=Map((X,), (X + (1 - exp(X)) / (1 - ALPHA + ALPHA * exp(X)),)),
        start={X: start},
        then=Always(X < 0),
        notes="One step from a negative logit is claim-4.4.4.3.step-size.",
    )


paper.unstated(
    "claim-4.4.4.3.first-step",
    "A step size O(log N) keeps the centred logit negative after the first step, alpha < 1/2",
    missing="an unnamed constant for large N",
)


@paper.statement(
    "claim-4.4.4.3.first-step.large-noise",
    "One step of size log N keeps the centred logit negative",
    scope=own("alpha at least 1/2 and the step log N; the paper has alpha < 1/2 and O(log N)"),
)
def first() -> Statement:
    """It starts at minus the stationary logit, where the prediction is 1/(N + 1); alpha at least 1/2 suffices."""
    size = Symbol("N")
    start = -log(size) - log(ALPHA / (1 - ALPHA))
    return Statement(
        variables={ALPHA: Interval.Ropen(Rational(1, 2), 1), size: Range(2, oo)},
        then=start + log(size) * (ALPHA - 1 / (size + 1)) < 0,
    )
