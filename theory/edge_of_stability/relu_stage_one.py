"""Appendix B.9, stage 1 of Theorem 3.5: v w_x grows from a small start while w_y still increases.

A step is written per w_x: with r = w_y / w_x, rho = v / w_x and m = v w_x the relative changes are
dw_x / w_x = A rho, dw_y / w_y = P and dv / w_x = A + (r^2 / rho) P. A claim about a number such as 2.7 has it as a
variable with a one-point domain, so that the engines see what is computed. In steps that follow from bounds on the
relative changes A and P = dw_y / w_y and on gamma, these are variables of which the bounds are all that is known.
"""

from functools import cache

from sympy import (
    And,
    Expr,
    FiniteSet,
    Implies,
    Integer,
    Interval,
    Or,
    Range,
    Rational,
    S,
    Symbol,
    atan,
    ceiling,
    cos,
    log,
    oo,
    pi,
    sin,
    sqrt,
)
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_neuron import (
    RATES,
    START,
    STATE,
    a0,
    alpha,
    d,
    descent,
    eps,
    gain,
    gamma,
    n,
    norm,
    population_loss,
    pull,
    step,
    teacher,
    v,
    wx,
    wy,
)
from theory.scope import own, part, whole
from theory.statements import Statement
from theory.temporal import Always

section = paper.section(steps=whole())

r, rho, m, w = (Symbol(name) for name in ("r", "rho", "m", "w"))
A, P, g = Symbol("A"), Symbol("P"), Symbol("gamma")
cosine, sine, angle = Symbol("c"), Symbol("s"), Symbol("phi")
STEEPEST = Rational("2.7")
MOST = Rational("1.1")
STARTS = {K: RATES, eps: Interval.Lopen(0, Rational("0.1")), a0: Interval(0, pi / 2)}
RATIO = {r: Interval.Lopen(0, STEEPEST)}
SHAPES = {K: RATES, r: POSITIVE, rho: POSITIVE}
PER_WX = {**SHAPES, m: POSITIVE}

push = r / (pi * (1 + r**2))
growth = K * (1 - m - gamma(r))
turn = K * rho * (push - m)
GROWING = m <= push
"""Stage 1: w_y does not decrease."""

SCALE_FREE = "Where it is left undecided, a proof needs bounds on v / w_x, which has no upper end in this form."


def after(gained: Expr, turned: Expr) -> tuple[Expr, Expr, Expr]:
    """v, w_x and w_y after a step with the relative changes A and P, each divided by w_x before it."""
    return rho + gained + r**2 / rho * turned, 1 + gained * rho, r * (1 + turned)


v_after, wx_after, wy_after = after(growth, turn)

INVARIANT = (r <= STEEPEST, rho >= r, K * rho >= 1, rho * r <= 1 + r**2, GROWING)
"""What the proof carries from step to step."""


@cache
def first_step() -> tuple[Expr, Expr, Expr]:
    """The state after one step from the balanced start, divided by eps: from the loss in polar coordinates."""
    loss = (d * population_loss()).expand()
    radial, angular = loss.diff(norm), loss.diff(alpha) / norm
    slopes = (loss.diff(v), cos(alpha) * radial - sin(alpha) * angular, sin(alpha) * radial + cos(alpha) * angular)
    here = {v: eps, norm: eps, teacher: S.One, alpha: a0}
    before = (S.One, cos(a0), sin(a0))
    moved = [old - (K * slope.subs(here) / eps).expand() for old, slope in zip(before, slopes, strict=True)]
    first, second, third = moved
    return first, second, third


LEAST = (Rational("0.6") * K <= A, A <= K)
"""What n10 and n10.b say of A."""

ROUND = 1 - 1 / (2 * pi)
KEPT = (P >= 0, K * rho * push >= P)
"""What n5.d says of P."""


def _by_changes(conclusion: Boolean, known: str, *given: Boolean) -> Statement:
    """A claim in terms of A, P and gamma, of which the steps named in `known` have shown what is given."""
    symbols = [symbol for symbol in (A, P, g) if conclusion.has(symbol) or any(part.has(symbol) for part in given)]
    return Statement(
        variables={**SHAPES, **dict.fromkeys(symbols, S.Reals)},
        given=given,
        then=conclusion,
        notes=f"All that is used of {', '.join(map(str, symbols))} is what {known} say.",
    )


# The first step -----------------------------------------------------------------------------------------------------


@section.step("theorem-3.5", "b.63", "w_y after the first step", equations=("B.63",))
def step_b63() -> Statement:
    return display(STARTS, {"w_y": (first_step()[2], 1 + K * (-(eps**2) + sin(a0) / pi))})


@section.step("theorem-3.5", "b.63.corrected", "w_y after the first step, with the missing sine", equations=("B.63",))
def step_b63_corrected() -> Statement:
    return display(STARTS, {"w_y": (first_step()[2], sin(a0) * (1 + K * (-(eps**2) + sin(a0) / pi)))})


@section.step("theorem-3.5", "b.64", "w_x after the first step", equations=("B.64",))
def step_b64() -> Statement:
    printed = cos(a0) + K * (1 - eps**2 * cos(a0) + (cos(a0) * sin(a0) - a0) / pi)
    return display(STARTS, {"w_x": (first_step()[1], printed)})


@section.step("theorem-3.5", "n3", "Its derivative with respect to the angle")
def step_n3() -> Statement:
    derived = first_step()[1].diff(a0)
    first = -sin(a0) + K * (eps**2 * sin(a0) + (-(sin(a0) ** 2) + cos(a0) ** 2 - 1) / pi)
    second = -sin(a0) + K * ((eps**2 - sin(a0) / pi) * sin(a0) - sin(a0) ** 2 / pi)
    return display(STARTS, {"first": (derived, first), "second": (derived, second)})


@section.step("theorem-3.5", "n3.a", "w_x after the first step decreases with the angle")
def step_n3_a() -> Statement:
    return Statement(
        variables=STARTS, given=(sin(a0) >= pi * eps**2,), then=first_step()[1].diff(a0) <= 0, uses=("n3",)
    )


@section.step("theorem-3.5", "n4", "Bounds on w after the first step")
def step_n4() -> Statement:
    _, x1, y1 = first_step()
    return Statement(
        variables=STARTS,
        then=And(x1 >= K / 2, y1 <= 1 + K / pi, y1 <= (2 + 2 * K / pi) / K * x1),
        uses=("n3.a",),
    )


@section.step("theorem-3.5", "n4.a", "The steepest ratio after the first step is 2.7")
def step_n4_a() -> Statement:
    return Statement(variables={K: RATES}, then=(2 + 2 * K / pi) / K <= STEEPEST)


@section.step("theorem-3.5", "n4.b", "v w_x is at least w_y^2 / 2.7 after the first step")
def step_n4_b() -> Statement:
    v1, x1, y1 = first_step()
    return Statement(variables=STARTS, then=v1 * x1 >= y1**2 / STEEPEST, uses=("n4", "n4.a"))


# What is carried from step to step ----------------------------------------------------------------------------------


@section.step("theorem-3.5", "n5", "The change of v balances the changes of w")
def step_n5() -> Statement:
    first, second, third = (new - old for new, old in zip(step().update, (v, wx, wy), strict=True))
    return display(STATE, {"balance": (v * first, wx * second + wy * third)})


@section.step("theorem-3.5", "n5.c", "The step per w_x", scope=own("a step in the units of later steps"))
def step_n5_c() -> Statement:
    ratios = {r: wy / wx, rho: v / wx, m: v * wx}
    stated = [part.subs(ratios) for part in (v_after, wx_after, wy_after)]
    pairs = zip(step().update, stated, strict=True)
    return display(STATE, {f"part {place}": (new / wx, part) for place, (new, part) in enumerate(pairs)})


def _per_wx(conclusion: Boolean, *given: Boolean, uses: tuple[str, ...] = ()) -> Statement:
    return Statement(variables=PER_WX, given=given, then=conclusion, uses=uses, notes=SCALE_FREE)


@section.step("theorem-3.5", "n5.a", "In stage 1 the change of w_y is between 0 and K v / pi")
def step_n5_a() -> Statement:
    return _per_wx(And(r * turn >= 0, r * turn <= K / pi * rho), GROWING)


@section.step(
    "theorem-3.5",
    "n5.d",
    "The same for P = dw_y / w_y, with the ratio of the weights",
    scope=own("n5.a for the relative change"),
)
def step_n5_d() -> Statement:
    return _per_wx(And(turn >= 0, turn <= K * rho * push), GROWING)


@section.step("theorem-3.5", "n10.c", "In stage 1 A is at least K (1 - arctan(r) / pi)")
def step_n10_c() -> Statement:
    return _per_wx(growth >= K * (1 - atan(r) / pi), GROWING)


@section.step(
    "theorem-3.5", "n10.d", "1 - arctan(r) / pi is at least 0.61 for ratios up to 2.7", scope=own("a part of n10")
)
def step_n10_d() -> Statement:
    return Statement(variables=RATIO, then=1 - atan(r) / pi >= Rational("0.61"))


@section.step(
    "theorem-3.5",
    "n10",
    "A is at least 0.6, and 0.6 K, for ratios up to 2.7",
    scope=part("from what n10.c and n10.d say"),
)
def step_n10() -> Statement:
    part = Symbol("u")
    bounds = And(Rational("0.6") <= A, Rational("0.6") * K <= A)
    return Statement(
        variables={K: RATES, A: S.Reals, part: S.Reals},
        given=(K * part <= A, part >= Rational("0.61")),
        then=bounds,
        notes="u is 1 - arctan(r) / pi; n10.c and n10.d say what is given.",
    )


@section.step(
    "theorem-3.5",
    "n10.b",
    "gamma is not negative, so that A is at most K",
    scope=own("what the print uses without saying it"),
)
def step_n10_b() -> Statement:
    return Statement(variables={r: POSITIVE}, then=gamma(r) >= 0)


@section.step("theorem-3.5", "n10.e", "In stage 1 A is at least K (1 - 1/(2 pi) - gamma)", scope=own("a part of n6.a"))
def step_n10_e() -> Statement:
    return Statement(
        variables={**PER_WX, g: S.Reals},
        given=(GROWING,),
        then=K * (1 - m - g) >= K * (ROUND - g),
        notes="gamma may be any number here; A is K (1 - m - gamma).",
    )


@section.step(
    "theorem-3.5",
    "n5.b",
    "Stage 1 preserves v >= w_y",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_n5_b() -> Statement:
    v_new, _, y_new = after(A, P)
    return _by_changes(v_new >= y_new, "n5.a and n10", *LEAST, P >= 0, r * P <= K / pi * rho, rho >= r)


@section.step(
    "theorem-3.5",
    "n6",
    "The chain that bounds v w_y - |w|^2 after a step",
    scope=part("one step, with its changes as variables of which only bounds are used"),
)
def step_n6() -> Statement:
    v_new, x_new, y_new = after(A, P)
    return _by_changes(
        v_new * y_new - (x_new**2 + y_new**2) <= rho * r * P * (1 - r / rho) ** 2 - (A * rho) ** 2,
        "n5.a and n10",
        *(rho >= r, rho * r <= 1 + r**2, A >= 0, P >= 0, r * P <= K / pi * rho),
    )


@section.step(
    "theorem-3.5",
    "n6.a",
    "Upper bound on v dw_y - dw_x^2",
    scope=part("one step, with its changes as variables of which only bounds are used"),
)
def step_n6_a() -> Statement:
    bound = K * rho**2 * r**2 / (pi * (1 + r**2)) - K**2 * rho**2 * (ROUND - g) ** 2
    return _by_changes(rho * r * P - (A * rho) ** 2 <= bound, "n5.d and n10.e", *KEPT, K * (ROUND - g) <= A, g <= ROUND)


@section.step("theorem-3.5", "n7", "That bound is not positive for ratios up to 2.7")
def step_n7() -> Statement:
    return Statement(variables=RATIO, then=r**2 / (pi * (1 + r**2)) <= (1 - 1 / (2 * pi) - gamma(r)) ** 2)


@section.step(
    "theorem-3.5",
    "b.65",
    "Lower bound on the growth of w_x",
    equations=("B.65",),
    scope=part("one step, with its changes as variables of which only bounds are used"),
)
def step_b65() -> Statement:
    given = (K * (ROUND - g) <= A, g < ROUND, K * rho >= 1)
    return _by_changes(A * rho >= 1 - 1 / pi - g, "n8.corrected and n10.e", *given)


@section.step("theorem-3.5", "n8", "That bound is at least 0.55 for ratios up to 2.7")
def step_n8() -> Statement:
    return Statement(variables=RATIO, then=1 - 1 / pi - gamma(r) >= Rational("0.55"))


@section.step("theorem-3.5", "n8.corrected", "With 1/(2 pi) in place of 1/pi it is at least 0.55")
def step_n8_corrected() -> Statement:
    return Statement(variables=RATIO, then=1 - 1 / (2 * pi) - gamma(r) >= Rational("0.55"))


@section.step("theorem-3.5", "n8.a", "0.55 exceeds the growth of w_y")
def step_n8_a() -> Statement:
    return _per_wx(And(turn <= MOST / pi, turn < Rational("0.55")), rho * r <= 1 + r**2)


GAIN = {K: RATES, v: POSITIVE, wx: POSITIVE, A: POSITIVE}


@section.step("theorem-3.5", "b.67", "How v - w_x / K changes", equations=("B.66", "B.67"))
def step_b67() -> Statement:
    printed = (v - wx / K) * (1 - K * A) + v * (K - 1 / K) * A
    return display(GAIN, {"margin": (v + A * wx - wx / K - A * v / K, printed)})


@section.step(
    "theorem-3.5",
    "b.67.a",
    "The change of v is at least A w_x in stage 1",
    equations=("B.67",),
    scope=part("one step, with its changes as variables of which only bounds are used"),
)
def step_b67_a() -> Statement:
    v_new, x_new, _ = after(A, P)
    return _by_changes(v_new - x_new / K >= rho + A - 1 / K - A * rho / K, "n5.d", P >= 0)


@section.step("theorem-3.5", "n9", "The case K A > 1")
def step_n9() -> Statement:
    margin = (v - wx / K) * (1 - K * A) + v * (K - 1 / K) * A
    lower = ((-K + A) * v + wx) * (K - 1 / K)
    return Statement(variables=GAIN, given=(A <= K, K * A > 1, K * v >= wx), then=margin >= lower)


@section.step("theorem-3.5", "n9.a", "-K + 1/K lies in (-0.2, 0]")
def step_n9_a() -> Statement:
    return Statement(variables={K: RATES}, then=And(Rational("-0.2") < -K + 1 / K, -K + 1 / K <= 0))


@section.step(
    "theorem-3.5",
    "n9.b",
    "Stage 1 preserves K v >= w_x as long as v <= 5 w_x",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_n9_b() -> Statement:
    v_new, x_new, _ = after(A, P)
    return _by_changes(K * v_new >= x_new, "n5.d, n10 and n10.b", *LEAST, P >= 0, K * rho >= 1, rho <= 5)


@section.step("theorem-3.5", "b.68", "The imbalance after a step", equations=("B.68",))
def step_b68() -> Statement:
    derived = step().update[0] - step().update[1]
    return display(STATE, {"imbalance": (derived, (1 - gain()) * (v - wx) + wy**2 / v * pull())})


IMBALANCE = Rational("0.4") * (rho - 1) + K * r / pi


@section.step("theorem-3.5", "b.68.a", "Upper bound on the imbalance after a step of stage 1", equations=("B.68",))
def step_b68_a() -> Statement:
    return Statement(
        variables={K: RATES, **RATIO, rho: POSITIVE, m: Interval.Lopen(0, push)}, then=v_after - wx_after <= IMBALANCE
    )


@section.step("theorem-3.5", "b.68.a.corrected", "The same for v >= w_x", equations=("B.68",))
def step_b68_a_corrected() -> Statement:
    v_new, x_new, _ = after(A, P)
    given = (*LEAST, *KEPT, rho >= 1)
    return _by_changes(v_new - x_new <= IMBALANCE, "n5.d and n10", *given)


@section.step(
    "theorem-3.5",
    "n10.a",
    "Stage 1 keeps v below 5 w_x",
    scope=part("the arithmetic of the bound; that it bounds the next imbalance is (B.68)"),
)
def step_n10_a() -> Statement:
    return Statement(
        variables={K: RATES, wx: POSITIVE, v: POSITIVE, wy: POSITIVE},
        given=(v <= 5 * wx, v >= wy),
        then=Rational("0.4") * (v - wx) + K * wy / pi <= 4 * wx,
    )


def _lower(factor: Expr) -> Expr:
    return rho + factor * (rho**2 + 1) + factor**2 * rho


@section.step("theorem-3.5", "n11", "Growth of v w_x in stage 1")
def step_n11() -> Statement:
    lower = _lower(K * growth)
    claim = And(v_after * wx_after >= lower, lower >= rho * (1 + growth) ** 2)
    return _per_wx(claim, GROWING, r <= STEEPEST, uses=("n5.a", "n10"))


@section.step("theorem-3.5", "n11.corrected", "Growth of v w_x in stage 1: K is already in A")
def step_n11_corrected() -> Statement:
    v_new, x_new, _ = after(A, P)
    claim = And(v_new * x_new >= _lower(A), _lower(A) >= rho * (1 + A) ** 2)
    return _by_changes(claim, "n5.d and n10", *LEAST, P >= 0)


def _fact(conclusion: Boolean) -> Statement:
    return _per_wx(conclusion, *INVARIANT)


@section.step(
    "theorem-3.5",
    "s1",
    "Fact 1: v w_x <= 1/(2 pi)",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s1() -> Statement:
    return _fact(m <= 1 / (2 * pi))


@section.step(
    "theorem-3.5",
    "s2",
    "Fact 2: w_x grows by at least 1.55",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s2() -> Statement:
    return _by_changes(after(A, P)[1] >= Rational("1.55"), "n10 and n10.b", *LEAST, K * rho >= 1)


@section.step(
    "theorem-3.5",
    "s3",
    "Fact 3: w_y grows by at most 1 + K/pi",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s3() -> Statement:
    return _fact(1 + turn <= 1 + K / pi)


@section.step(
    "theorem-3.5",
    "s4",
    "Fact 4: w_y / w_x keeps decreasing",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s4() -> Statement:
    _, x_new, y_new = after(A, P)
    return _by_changes(y_new < r * x_new, "n5.d, n10 and n10.b", *LEAST, *KEPT)


@section.step(
    "theorem-3.5",
    "s5",
    "Fact 5: v w_x grows by at least 2.56",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s5() -> Statement:
    v_new, x_new, _ = after(A, P)
    return _by_changes(v_new * x_new >= Rational("2.56") * rho, "n5.d and n10", *LEAST, P >= 0)


@section.step(
    "theorem-3.5",
    "s6",
    "Fact 6: v stays above w_y",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s6() -> Statement:
    v_new, _, y_new = after(A, P)
    return _by_changes(v_new >= y_new, "n5.a, n10 and the invariant", *LEAST, P >= 0, r * P <= K / pi * rho, rho >= r)


@section.step(
    "theorem-3.5",
    "s7",
    "Fact 7: v dw_y < (dw_x)^2",
    scope=part("one step of stage 1, from the invariants; that they hold at all its times is not stated"),
)
def step_s7() -> Statement:
    small = r**2 / (pi * (1 + r**2)) <= (ROUND - g) ** 2
    given = (*KEPT, K * (ROUND - g) <= A, g < ROUND, small)
    return _by_changes(rho * r * P < (A * rho) ** 2, "n5.d, n7, n8.corrected and n10.e", *given)


# The end of stage 1 -------------------------------------------------------------------------------------------------

WEIGHT = {w: Interval.Lopen(0, Rational("0.135"))}


@section.step("theorem-3.5", "b.69", "The threshold at the ratio 2.7 is 0.104, above 1/(4 pi)", equations=("B.69",))
def step_b69() -> Statement:
    value = r / (pi * (1 + r**2))
    rounded = And(value < Rational("0.1045"), value >= Rational("0.1035"))
    return Statement(variables={r: FiniteSet(STEEPEST)}, then=And(rounded, value > 1 / (4 * pi)))


def _steps_needed(level: Expr) -> Expr:
    return ceiling(log(level / (w**2 / STEEPEST)) / log(Rational("2.56")))


steps, slack = Symbol("n"), Symbol("f")
SLACK = {slack: Interval.Ropen(0, 1)}
"""n is the rounded logarithm, and n - f the logarithm itself."""


def _weight(level: Expr, count: Expr = steps) -> Expr:
    """w for which the logarithm is n - f: 2.56 is the square of 1.6."""
    return sqrt(level * STEEPEST) * Rational("1.6") ** (slack - count)


ROUNDED = (
    "n is the logarithm of level / (w^2 / 2.7) to the base 2.56 rounded up, and f what rounding adds, so that"
    " w = sqrt(2.7 level) 1.6^(f - n); n is at least {} because w is at most 0.135."
)


@section.step("theorem-3.5", "b.70.a", "What v w_x has grown to after that many steps", scope=own("a part of (B.70)"))
def step_b70_a() -> Statement:
    level = 1 / (2 * pi)
    grown = _weight(level) ** 2 / STEEPEST * Rational("2.56") ** steps
    return display({steps: Range(4, oo), **SLACK}, {"v w_x": (grown, level * Rational("2.56") ** slack)})


@section.step(
    "theorem-3.5",
    "b.70",
    "The length of stage 1",
    equations=("B.70",),
    scope=part("that the growth reaches the level; that stage 1 ends there is not stated"),
)
def step_b70() -> Statement:
    level = 1 / (2 * pi)
    return Statement(
        variables=SLACK,
        then=level * Rational("2.56") ** slack >= level,
        notes=f"{ROUNDED.format(4)} The left side is what v w_x has grown to, by b.70.a.",
    )


@section.step("theorem-3.5", "b.71", "Growth of w_y after the first step", equations=("B.71",))
def step_b71() -> Statement:
    return Statement(
        variables={**PER_WX, w: POSITIVE},
        given=(rho * r <= 1 + r**2, m * rho >= w**2),
        then=And(1 + turn <= 1 + K * (-m * rho + 1 / pi), 1 + turn <= 1 + MOST / pi - w**2),
        notes="v^2 is m rho. Where it is left undecided, a proof needs the product m rho as one variable.",
    )


def _end_of_stage_one(level: Expr, bound: str) -> Statement:
    return Statement(variables=WEIGHT, then=(1 + MOST / pi - w**2) ** _steps_needed(level) <= Rational(bound))


def _register_end(tag: str, case: str, level: Expr, first: int, bound: str) -> None:
    """w_y at the end of stage 1, starting from w_y(1): two lengths of the stage by themselves, and all longer ones."""
    most = Rational(bound)

    def exactly(count: int) -> Boolean:
        weight = _weight(level, Integer(count))
        return Implies(weight <= Rational("0.135"), weight * (1 + MOST / pi - weight**2) ** count <= most)

    def longer() -> Boolean:
        heaviest = sqrt(level * STEEPEST) * Rational("1.6")
        return heaviest * ((1 + MOST / pi) / Rational("1.6")) ** steps <= most

    def register_length(count: int) -> None:
        @section.step(
            "theorem-3.5",
            f"{tag}.n{count}",
            f"w_y at the end of stage 1, {case}: after {count} steps",
            scope=own("a part of the corrected bound"),
        )
        def step_length() -> Statement:
            return Statement(variables=SLACK, then=exactly(count))

    for count in (first, first + 1):
        register_length(count)

    @section.step(
        "theorem-3.5",
        f"{tag}.longer",
        f"w_y at the end of stage 1, {case}: after more steps",
        scope=own("a part of the corrected bound"),
    )
    def step_longer() -> Statement:
        return Statement(
            variables={steps: Range(first + 2, oo)},
            then=longer(),
            notes="For n steps w is at most sqrt(2.7 level) 1.6^(1 - n), and every step multiplies by at most"
            " 1 + 1.1 / pi.",
        )

    @section.step(
        "theorem-3.5",
        f"{tag}.corrected",
        f"w_y at the end of stage 1, {case}, starting from w_y(1)",
        equations=(tag.upper(),),
    )
    def step_end() -> Statement:
        return Statement(
            variables={steps: Range(first + 2, oo), **SLACK},
            then=And(exactly(first), exactly(first + 1), longer()),
            uses=(f"{tag}.n{first}", f"{tag}.n{first + 1}", f"{tag}.longer"),
            notes=ROUNDED.format(first),
        )


@section.step("theorem-3.5", "b.73", "w_y at the end of stage 1, case I", equations=("B.72", "B.73"))
def step_b73() -> Statement:
    return _end_of_stage_one(1 / (2 * pi), "0.44")


_register_end("b.73", "case I", 1 / (2 * pi), 4, "0.44")


@section.step("theorem-3.5", "b.81", "w_y at the end of stage 1, case II", equations=("B.80", "B.81"))
def step_b81() -> Statement:
    return _end_of_stage_one(1 / (4 * pi), "0.37")


_register_end("b.81", "case II", 1 / (4 * pi), 3, "0.37")


@section.step("theorem-3.5", "b.74", "Change of the imbalance", equations=("B.74",))
def step_b74() -> Statement:
    derived = (step().update[0] - step().update[1]) - (v - wx)
    printed = K * (v - wx) * (v * wx - 1 + gamma()) + wy**2 / v * pull()
    return display(STATE, {"change": (derived, printed)})


@section.step(
    "theorem-3.5",
    "b.75",
    "Range of its first factor in stage 1",
    equations=("B.75",),
    scope=part("with arctan(w_y / w_x) as a variable, of which n10.b is used"),
)
def step_b75() -> Statement:
    factor = m - 1 + angle / pi - push
    return Statement(
        variables={r: POSITIVE, m: POSITIVE, angle: S.Reals},
        given=(GROWING, angle / pi - push >= 0),
        then=And(factor >= -1, factor <= -1 + angle / pi),
        notes="phi is arctan(r), so that gamma is phi / pi - r / (pi (1 + r^2)), which is not negative by n10.b.",
    )


@section.step(
    "theorem-3.5",
    "b.76",
    "The factor of the imbalance lies in [1 - K, 0.4]",
    equations=("B.76",),
    scope=part("one step, with its changes as variables of which only bounds are used"),
)
def step_b76() -> Statement:
    factor = 1 - A
    bounds = And(factor >= 1 - K, factor <= Rational("0.4"), factor >= Rational("-0.1"))
    return _by_changes(bounds, "n10 and n10.b", *LEAST)


def _first_imbalance(c: Expr, s: Expr, phi: Expr) -> Expr:
    """v - w_x after the first step, divided by eps."""
    return (1 - c) * (1 - K + K * ((s + phi) / pi - eps**2))


@section.step("theorem-3.5", "b.77.a", "The imbalance after the first step is a product", scope=own("a part of (B.77)"))
def step_b77_a() -> Statement:
    v1, x1, _ = first_step()
    return display(STARTS, {"imbalance": (v1 - x1, _first_imbalance(cos(a0), sin(a0), a0))})


@section.step(
    "theorem-3.5",
    "b.77",
    "The imbalance after the first step",
    equations=("B.77",),
    scope=part("with the angle, its sine and its cosine as separate variables"),
)
def step_b77() -> Statement:
    imbalance = _first_imbalance(cosine, sine, angle)
    return Statement(
        variables={
            K: RATES,
            eps: STARTS[eps],
            cosine: Interval(0, 1),
            sine: Interval(0, 1),
            angle: Interval(0, pi / 2),
        },
        given=(sine >= pi * eps**2,),
        then=And(
            Rational("-0.01") <= -eps * (1 - cosine) / 10,
            -(1 - cosine) / 10 <= imbalance,
            imbalance <= 1 + K / pi - K / 2,
            (1 + K / pi - K / 2) * eps <= Rational("0.082"),
        ),
        notes="phi is alpha_0, c and s are its cosine and sine, of which no more is used; the imbalance is the product"
        " of b.77.a.",
    )


def _sum_bound(weight: str, steps: int) -> Expr:
    """The bracket of the bound before (B.78) after a number of steps, with K = 1.1 as the variable."""
    spread = Rational("1.55") / (1 + K / pi)
    terms = [
        Rational("0.4") ** (t - 1) * K * Rational(weight) / pi / (1 + spread ** (2 * (t - 1)) / STEEPEST)
        for t in range(1, steps + 1)
    ]
    return Rational("0.082") * Rational("0.4") ** steps + sum(terms, S.Zero)


def _imbalance_at_end(weight: str) -> Statement:
    claims = [_sum_bound(weight, steps) <= Rational("0.17") for steps in range(1, 9)]
    return Statement(variables={K: FiniteSet(MOST)}, then=And(*claims))


@section.step(
    "theorem-3.5",
    "b.78",
    "Upper bound on the imbalance at the end of stage 1",
    equations=("B.78",),
    scope=part("the numbers for T = 1 to 8; that they bound v - w_x, and longer T, are not stated"),
)
def step_b78() -> Statement:
    return _imbalance_at_end("4.4")


@section.step(
    "theorem-3.5",
    "b.78.reading-b",
    "The same with 0.44 for the printed 4.4",
    equations=("B.78",),
    scope=part("the numbers for T = 1 to 8, with 0.44 for the printed 4.4"),
)
def step_b78_reading_b() -> Statement:
    return _imbalance_at_end("0.44")


paper.nearest["theorem-3.5#b.78.reading-b"] = "theorem-3.5#b.78.corrected"


@section.step("theorem-3.5", "b.78.corrected", "The same with 0.44 and the bound 0.178", equations=("B.78",))
def step_b78_corrected() -> Statement:
    claims = [_sum_bound("0.44", steps) <= Rational("0.178") for steps in range(1, 9)]
    return Statement(variables={K: FiniteSet(MOST)}, then=And(*claims))


@section.step("theorem-3.5", "b.79", "In stage 1 the imbalance stays in [-0.017, 0.17]", equations=("B.78", "B.79"))
def step_b79() -> Statement:
    bounded = And(v - wx >= Rational("-0.017"), v - wx <= Rational("0.17"))
    growing = v * pi * (wx**2 + wy**2) <= wy
    return Statement(
        variables=STARTS,
        dynamics=descent(),
        start=START,
        then=Always(Implies(And(n >= 1, growing), bounded)),
        notes="A proof needs an induction that carries a bound on w_y / w_x which falls with t; our own proof of the"
        " theorem bounds v^2 - |w|^2 instead, in theorem-3.5.stage-1.",
    )


@section.step(
    "theorem-3.5", "b.83", "Case III: the ratio is far from 1 in the last step of stage 1", equations=("B.83",)
)
def step_b83() -> Statement:
    return _per_wx(push < m, turn > 0, m < 1 / (4 * pi))


@section.step("theorem-3.5", "b.83.corrected", "Case III: so it is in the first step of stage 2", equations=("B.83",))
def step_b83_corrected() -> Statement:
    return _per_wx(And(push < m, r / (1 + r**2) < Rational(1, 4)), turn < 0, m < 1 / (4 * pi))


@section.step("theorem-3.5", "b.84", "Case III: then one of the ratios is at least 2 + sqrt(3)", equations=("B.84",))
def step_b84() -> Statement:
    return Statement(
        variables={r: POSITIVE},
        given=(r / (1 + r**2) < Rational(1, 4),),
        then=Or(r >= 2 + sqrt(3), 1 / r >= 2 + sqrt(3)),
    )


@section.step("theorem-3.5", "b.85", "Case III: bound on w_y", equations=("B.85",))
def step_b85() -> Statement:
    return Statement(
        variables={v: POSITIVE, wx: POSITIVE, wy: POSITIVE},
        given=(v * wx <= 1 / (4 * pi), v - wx >= Rational("-0.017"), wx >= (2 + sqrt(3)) * wy),
        then=wy <= Rational("0.078"),
        uses=("b.84",),
    )
