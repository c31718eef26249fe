"""Theorem 3.5 by another route: a proof in three stages that leaves nothing to the limit K -> 1.

Not the paper's argument. Gradient descent changes D = v^2 - |w|^2 only to second order (the balance), and D starts at
0. That makes every claim below a strict inequality on a compact set, for K in [1, 1.1]; no factor tends to 1 as K -> 1.

Stage 1 is written per w_x, with theta = D / w_x^2, so that it does not see how small the start is. After the first step
and as long as m = v w_x <= 0.153 it keeps r = w_y / w_x <= 2.7, r^3 m <= 1/8 and -0.45 - r^2 / 10 <= theta <= 0.1,
while m grows by at least 2.56 each step: m exceeds 0.153 after T_1 + 1 steps at the latest. Stage 2 takes at most three
steps to the basin, and stage 3 stays there, where every step multiplies w_y by at most 1 - 0.030 K. The module
relu_join puts them together: w_y < 0.1 (1 - 0.030 K)^(t - T_1 - 4) from the step T_1 + 4 on.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from sympy import And, Expr, Implies, Interval, Rational, Set, Symbol, pi, sqrt
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_neuron import STATE, a0, eps, gain, gamma, pull, scale, step, v, wx, wy
from theory.edge_of_stability.relu_stage_one import (
    first_step,
    growth,
    m,
    r,
    rho,
    turn,
    v_after,
    wx_after,
    wy_after,
)
from theory.scope import own
from theory.statements import Constant, Statement

OURS = own("a part of our proof of Theorem 3.5")
section = paper.section(steps=OURS)

theta, D, grown = Symbol("theta"), Symbol("D"), Symbol("g")
contraction, base = Symbol("c"), Symbol("G")
LARGEST = Rational("0.1")
"""The largest epsilon of the theorem. The part shape of theorem-3.5.start would hold up to 0.101 only."""

CLOSED_RATES = Interval(1, Rational("1.1"))
OWN = "Not a claim of the paper: a part of our proof of Theorem 3.5."


def _range(low: str, high: str) -> Interval:
    return Interval(Rational(low), Rational(high))


def imbalance() -> Expr:
    """D = v^2 - |w|^2, which gradient flow would conserve."""
    return v**2 - wx**2 - wy**2


@paper.statement("theorem-3.5.balance", "One step changes v^2 - |w|^2 to second order only", scope=OURS)
def balance() -> Statement:
    after = imbalance().subs(dict(zip((v, wx, wy), step().update, strict=True)), simultaneous=True)
    kept = 1 - gain() ** 2 - (wy * pull() / v) ** 2
    return display(STATE, {"D": (after, imbalance() * kept - wy**2 * (gain() - pull() * wx / v) ** 2)}, notes=OWN)


# Stage 1 ------------------------------------------------------------------------------------------------------------


def _by_parts(
    number: str,
    title: str,
    region: tuple[Mapping[Symbol, Set], tuple[Boolean, ...]],
    titles: Mapping[str, str],
    claims: Callable[[], dict[str, Boolean]],
    constants: tuple[Constant, ...] = (),
    needed: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Register what one step does to a region: the first claim as the statement, the others as steps of its proof.

    `needed` says how many of the relations of the region a claim needs, where it does not need all of them: without
    the others it says more, and takes fewer boxes.
    """
    variables, given = region
    headline, *others = titles

    def built(tag: str, note: str) -> Statement:
        read = (claims()[tag], *variables.values())
        used = tuple(one for one in constants if any(part.has(one.symbol) for part in read))
        relations = given[: needed.get(tag, len(given))]
        return Statement(variables=variables, given=relations, then=claims()[tag], constants=used, notes=note)

    @paper.statement(number, f"{title}: {titles[headline]}", scope=OURS)
    def whole() -> Statement:
        return built(headline, f"{OWN} Its steps say what else holds there; the stage needs all of them.")

    def register(tag: str) -> None:
        @section.step(number, tag, f"{title}: {titles[tag]}")
        def part() -> Statement:
            return built(tag, f"{OWN} Where it is left undecided, a proof needs more boxes than the budget allows.")

    for tag in others:
        register(tag)


FIRST = {K: CLOSED_RATES, eps: Interval(0, LARGEST), a0: Interval(0, pi / 2)}
EARLY = {K: CLOSED_RATES, m: _range("0", "0.153"), r: _range("0", "2.7"), theta: _range("-1.2", "0.1")}
SHAPED = (r**3 * m <= Rational(1, 8), theta >= -Rational("0.45") - r**2 / 10)


@cache
def start_claims() -> dict[str, Boolean]:
    """The state after the first step, in units of epsilon, belongs to the set of stage 1."""
    v1, x1, y1 = first_step()
    excess = v1**2 - x1**2 - y1**2
    return {
        "least": v1 * x1 >= Rational("0.65"),
        "positive": x1 >= Rational("0.4"),
        "most": eps**2 * v1 * x1 <= Rational("0.153"),
        "ratio": y1 <= Rational("2.7") * x1,
        "shape": eps**2 * y1**3 * v1 <= x1**2 / 8,
        "low": excess >= -Rational("0.45") * x1**2 - y1**2 / 10,
        "high": excess <= x1**2 / 10,
    }


_by_parts(
    "theorem-3.5.start",
    "After the first step",
    (FIRST, ()),
    {
        "least": "v w_x is at least 0.65 epsilon^2",
        "positive": "w_x is positive",
        "most": "v w_x is at most 0.153",
        "ratio": "w_y / w_x is at most 2.7",
        "shape": "r^3 v w_x is at most 1/8",
        "low": "theta is at least -0.45 - r^2 / 10",
        "high": "theta is at most 0.1",
    },
    start_claims,
)


def _at_theta(expression: Expr) -> Expr:
    """With rho = v / w_x written through theta."""
    return expression.subs(rho, sqrt(1 + r**2 + theta))


def growing(after: tuple[Expr, Expr, Expr], gained: Expr, turned: Expr, theta_after: Expr) -> dict[str, Expr]:
    """What is not negative in a step of stage 1: in terms of v, w_x, w_y after it and of theta, all per w_x."""
    v_new, x_new, y_new = after
    return {
        "grow": v_new * x_new - base * rho,
        "end": Rational("0.6") * rho - m * v_new * x_new,
        "sign": 1 + turned,
        "ratio": gained * rho - turned,
        "shape": Rational("0.88") * rho * x_new**2 - (1 + turned) ** 3 * v_new,
        "low": theta_after + Rational("0.28") * x_new**2 + y_new**2 / 10,
        "high": Rational("0.03") * x_new**2 - theta_after,
    }


@cache
def growing_claims() -> dict[str, Boolean]:
    """What one step from the set of stage 1 does."""
    theta_after = theta * (1 - growth**2 - (r * turn / rho) ** 2) - r**2 * (growth - turn / rho) ** 2
    nonnegative = growing((v_after, wx_after, wy_after), growth, turn, theta_after)
    return {tag: _at_theta(quantity) >= 0 for tag, quantity in nonnegative.items()}


_by_parts(
    "theorem-3.5.stage-1",
    "As long as v w_x <= 0.153",
    (EARLY, SHAPED),
    {
        "grow": "v w_x grows by at least 2.56",
        "end": "one step leads to v w_x <= 0.6 at most",
        "sign": "w_y keeps its sign",
        "ratio": "w_y / w_x does not grow",
        "shape": "r^3 v w_x shrinks by 0.88",
        "low": "theta is at least -0.28 - r^2 / 10 afterwards",
        "high": "theta is at most 0.03 afterwards",
    },
    growing_claims,
    (Constant(base, Rational("2.56"), best="largest"),),
)


@section.step("theorem-3.5.stage-1", "count", "v w_x exceeds 0.153 after T_1 + 1 steps at the latest")
def count() -> Statement:
    beta = (1 + Rational("1.1") / pi) * eps
    return Statement(
        variables={eps: Interval.Lopen(0, LARGEST), grown: POSITIVE},
        given=(grown >= scale / (pi * beta**2),),
        then=Rational("0.65") * eps**2 * grown > Rational("0.153"),
        constants=(Constant(scale, Rational("1.35"), best="smallest"),),
        notes=f"{OWN} g is 2.56^T for T at least the logarithm of 1.35 / (pi beta^2) to the base 2.56.",
    )


# Stage 2 ------------------------------------------------------------------------------------------------------------

_mean = (D + wy**2) / 2
_root = sqrt(_mean**2 + m**2)
WEIGHTS = {v: sqrt(_root + _mean), wx: sqrt(_root - _mean)}
"""v and w_x from m = v w_x and D: v^2 - w_x^2 = D + w_y^2."""


def _reduced(expression: Expr) -> Expr:
    return expression.subs(WEIGHTS, simultaneous=True)


_gained = K * (1 - m - gamma())


@cache
def image() -> tuple[Expr, Expr, Expr]:
    """v w_x, D and w_y (before it is made nonnegative) after a step, in terms of K, m, D and w_y."""
    lost = wy**2 * pull() / v
    product = m * (1 + _gained) ** 2 + _gained * (v - wx) ** 2 + lost * (wx + _gained * v)
    excess = D * (1 - _gained**2 - (wy * pull() / v) ** 2) - wy**2 * (_gained - pull() * wx / v) ** 2
    first, second, third = (_reduced(part) for part in (product, excess, wy * (1 + pull())))
    return first, second, third


@cache
def signs() -> dict[str, Boolean]:
    """w_x stays positive, and D after the step is at most D or 0, whichever is larger."""
    kept = _reduced(1 - _gained**2 - (wy * pull() / v) ** 2)
    return {"positive": _reduced(wx + _gained * v) > 0, "upper-balance": kept >= 0}


SIGN_TITLES = {"positive": "w_x stays positive", "upper-balance": "D does not rise above 0, or does not grow"}


def _box(product: tuple[str, str], excess: tuple[str, str], across: str) -> dict[Symbol, Set]:
    return {K: CLOSED_RATES, m: _range(*product), D: _range(*excess), wy: _range("0", across)}


FIRST_BOX = (
    _box(("0.153", "0.6"), ("-0.21", "0.018"), "0.46"),
    (wy <= Rational("0.31") + m / 4, -Rational("0.34") * m <= D, Rational("0.03") * m >= D),
)
SECOND_BOX = (
    _box(("0.46", "1.28"), ("-0.6", "0.03"), "0.36"),
    (wy + Rational("0.7") * (m - 1) <= Rational("0.35"), D + (m - Rational("0.47")) / 2 >= -Rational("0.13")),
)
THIRD_BOX = (
    _box(("0.92", "1.28"), ("-0.52", "0.03"), "0.25"),
    (wy + Rational("0.7") * (m - 1) <= Rational("0.33"),),
)
BASIN_BOX = (_box(("0.46", "1.34"), ("-0.7", "0.03"), "0.1"), ())
"""Where the three steps of stage 2 and those of stage 3 start, in terms of m, D and w_y."""


def _within(value: Expr, bound: str) -> Boolean:
    return And(value <= Rational(bound), value >= -Rational(bound))


def leaving(ratio: Expr) -> dict[str, Boolean]:
    """Where stage 1 ends, in terms of D = theta m / rho and w_y^2 = r^2 m / rho; the ratio is rho."""
    return {
        "across": r**2 * m <= (Rational("0.31") + m / 4) ** 2 * ratio,
        "lower-balance": theta >= -Rational("0.34") * ratio,
        "upper-balance": theta <= Rational("0.03") * ratio,
    }


ENDED = (
    {m: _range("0.153", "0.6"), r: _range("0", "0.9"), theta: _range("-0.361", "0.03")},
    (r**3 * m <= Rational("0.11"), theta >= -Rational("0.28") - r**2 / 10),
)
"""The set in which stage 1 ends."""

_by_parts(
    "theorem-3.5.stage-2.a",
    "Where stage 1 ends",
    ENDED,
    {
        "across": "w_y is at most 0.31 + m / 4",
        "lower-balance": "D is at least -0.34 m",
        "upper-balance": "D is at most 0.03 m",
    },
    lambda: leaving(_at_theta(rho)),
)


def first_arrow(product: Expr, excess: Expr, across: Expr) -> dict[str, Boolean]:
    """What the first step of stage 2 does."""
    return {
        "lower-product": product >= Rational("0.46"),
        "upper-product": product <= Rational("1.28"),
        "across": across <= Rational("0.36"),
        "sign": across >= 0,
        "trade-off": across + Rational("0.7") * (product - 1) <= Rational("0.35"),
        "lower-balance": excess + (product - Rational("0.47")) / 2 >= -Rational("0.13"),
    }


def _claimed(arrow: Callable[[Expr, Expr, Expr], dict[str, Boolean]]) -> Callable[[], dict[str, Boolean]]:
    """What an arrow says of the image of a step, and what holds of every step of stages 2 and 3."""
    return cache(lambda: {**arrow(*image()), **signs()})


ARROW_TITLES = {
    "across": "a bound on w_y",
    "trade-off": "the larger v w_x, the smaller w_y",
    "lower-product": "a lower bound on v w_x",
    "upper-product": "an upper bound on v w_x",
    "lower-balance": "a lower bound on D",
    **SIGN_TITLES,
}

_by_parts(
    "theorem-3.5.stage-2.b",
    "The first step of stage 2",
    FIRST_BOX,
    {**ARROW_TITLES, "sign": "w_y keeps its sign"},
    _claimed(first_arrow),
    needed={
        "across": 1,
        "trade-off": 0,
        "lower-product": 2,
        "upper-product": 0,
        "lower-balance": 2,
        "upper-balance": 0,
        "sign": 0,
    },
)


def second_arrow(product: Expr, excess: Expr, across: Expr) -> dict[str, Boolean]:
    """What the second step of stage 2 does: it leads into the basin, or to v w_x >= 0.92."""
    trade = Rational("0.7") * (product - 1)
    middle = Rational("0.93")
    return {
        "lower-product": product >= Rational("0.54"),
        "upper-product": product <= Rational("1.28"),
        "across": _within(across, "0.25"),
        "trade-off": And(across + trade <= Rational("0.33"), -across + trade <= Rational("0.33")),
        "lower-balance": excess >= -Rational("0.52"),
        "from-below": Implies(m <= middle, product >= Rational("0.92")),
        "from-above": Implies(m >= middle, _within(across, "0.1")),
    }


_by_parts(
    "theorem-3.5.stage-2.c",
    "The second step of stage 2",
    SECOND_BOX,
    {
        **ARROW_TITLES,
        "from-below": "from v w_x <= 0.93 to v w_x >= 0.92",
        "from-above": "from v w_x >= 0.93 to w_y <= 0.1",
    },
    _claimed(second_arrow),
)


def third_arrow(product: Expr, excess: Expr, across: Expr) -> dict[str, Boolean]:
    """What the third step of stage 2 does."""
    return {
        "lower-product": product >= Rational("0.46"),
        "upper-product": product <= Rational("1.34"),
        "across": And(across < Rational("0.1"), across > -Rational("0.1")),
        "lower-balance": excess - 6 * across**2 >= -Rational("0.7"),
    }


_by_parts(
    "theorem-3.5.stage-2",
    "The third step of stage 2",
    THIRD_BOX,
    {tag: title for tag, title in ARROW_TITLES.items() if tag != "trade-off"},
    _claimed(third_arrow),
)


# Stage 3 ------------------------------------------------------------------------------------------------------------


def basin(product: Expr, change: Expr, bent: Expr) -> dict[str, Boolean]:
    """What a step in the basin does: P is the change of w_y per w_y, and `bent` is (A - P w_x / v)^2."""
    return {
        "lower-product": product >= Rational("0.46"),
        "upper-product": product <= Rational("1.34"),
        "lower-balance": bent + 6 * change * (2 + change) <= 0,
        "rate": And(change <= -contraction * K, change >= -2 + contraction * K),
    }


@cache
def basin_claims() -> dict[str, Boolean]:
    """The basin is kept: D - 6 w_y^2 does not fall where (A - P w_x / v)^2 <= 6 (1 - (1 + P)^2)."""
    return {**basin(image()[0], _reduced(pull()), _reduced((_gained - pull() * wx / v) ** 2)), **signs()}


_by_parts(
    "theorem-3.5.stage-3",
    "In the basin",
    BASIN_BOX,
    {
        "rate": "every step multiplies w_y by at most 1 - 0.030 K",
        "lower-product": "a lower bound on v w_x is kept",
        "upper-product": "an upper bound on v w_x is kept",
        "lower-balance": "D - 6 w_y^2 does not fall below its lower bound",
        **SIGN_TITLES,
    },
    basin_claims,
    (Constant(contraction, Rational("0.030"), best="largest"),),
)
