"""Appendix B.9, stage 1 of Theorem 3.5: v w_x grows from a small start while w_y still increases.

r is w_y / w_x; a claim about a number such as 2.7 has it as a variable with a one-point domain, so that the engines
see what is computed. `INVARIANT` collects what the proof carries from step to step.
"""

from sympy import (
    And,
    Expr,
    FiniteSet,
    Implies,
    Interval,
    Or,
    Rational,
    S,
    Symbol,
    atan,
    ceiling,
    cos,
    log,
    pi,
    sin,
    sqrt,
)

from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import POSITIVE
from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_neuron import (
    GROWING,
    RATES,
    START,
    STATE,
    a0,
    descent,
    eps,
    gain,
    gamma,
    n,
    pull,
    step,
    v,
    wx,
    wy,
)
from theory.statements import Statement
from theory.temporal import Always

r, A, w = (Symbol(name) for name in ("r", "A", "w"))
STEEPEST = Rational("2.7")
MOST = Rational("1.1")
STARTS = {K: RATES, eps: Interval.Lopen(0, Rational("0.1")), a0: Interval(0, pi / 2)}
RATIO = {r: Interval.Lopen(0, STEEPEST)}

dv, dwx, dwy = gain() * wx + wy**2 / v * pull(), gain() * v, wy * pull()
INVARIANT = (wy <= STEEPEST * wx, v >= wy, K * v >= wx, v * wy <= wx**2 + wy**2, GROWING)


def _first() -> tuple[Expr, Expr, Expr]:
    """The state after one step from the balanced start, with w_x = eps cos(alpha_0)."""
    at_start = {v: eps, wx: eps * cos(a0), wy: eps * sin(a0)}
    first, second, third = (entry.subs(at_start, simultaneous=True) for entry in step().update)
    return first, second, third


def _first_polar() -> tuple[Expr, Expr, Expr]:
    """The same with the angle in place of the arctangent, which is alpha_0 itself, and |w| = eps."""
    growth = K * (1 - eps**2 * cos(a0) - (a0 - sin(a0) * cos(a0)) / pi)
    turn = K * (-(eps**2) + sin(a0) / pi)
    return (
        eps + eps * cos(a0) * growth + eps * sin(a0) ** 2 * turn,
        eps * cos(a0) + eps * growth,
        eps * sin(a0) * (1 + turn),
    )


# The first step -----------------------------------------------------------------------------------------------------


@paper.step("theorem-3.5", "n2", "The first step in terms of the starting angle")
def step_n2() -> Statement:
    angle = Interval.open(0, pi / 2)
    sides = {
        f"first_{name}": pair for name, pair in zip("vxy", zip(_first(), _first_polar(), strict=True), strict=True)
    }
    return display({**STARTS, a0: angle}, sides)


@paper.step("theorem-3.5", "b.63", "w_y after the first step", equations=("B.63",))
def step_b63() -> Statement:
    printed = eps * (1 + K * (-(eps**2) + sin(a0) / pi))
    return display(STARTS, {"w_y1": (_first_polar()[2], printed)})


@paper.step(
    "theorem-3.5", "b.63.corrected", "w_y after the first step, with the sine of the angle", equations=("B.63",)
)
def step_b63_corrected() -> Statement:
    printed = eps * sin(a0) * (1 + K * (-(eps**2) + sin(a0) / pi))
    return display(STARTS, {"w_y1": (_first_polar()[2], printed)})


@paper.step("theorem-3.5", "b.64", "w_x after the first step", equations=("B.64",))
def step_b64() -> Statement:
    printed = eps * (cos(a0) + K * (1 - eps**2 * cos(a0) + (cos(a0) * sin(a0) - a0) / pi))
    return display(STARTS, {"w_x1": (_first_polar()[1], printed)})


@paper.step("theorem-3.5", "n3", "Its derivative with respect to the angle")
def step_n3() -> Statement:
    derived = _first_polar()[1].diff(a0)
    first = eps * (-sin(a0) + K * (eps**2 * sin(a0) + (-(sin(a0) ** 2) + cos(a0) ** 2 - 1) / pi))
    second = eps * (-sin(a0) + K * ((eps**2 - sin(a0) / pi) * sin(a0) - sin(a0) ** 2 / pi))
    return display(STARTS, {"first": (derived, first), "second": (derived, second)})


@paper.step("theorem-3.5", "n3.a", "w_x after the first step decreases with the angle")
def step_n3_a() -> Statement:
    return Statement(
        variables=STARTS, given=(sin(a0) >= pi * eps**2,), then=_first_polar()[1].diff(a0) <= 0, uses=("n3",)
    )


@paper.step("theorem-3.5", "n4", "Bounds on w after the first step")
def step_n4() -> Statement:
    _, x1, y1 = _first_polar()
    return Statement(
        variables=STARTS,
        then=And(x1 >= K * eps / 2, y1 <= (1 + K / pi) * eps, y1 <= (2 + 2 * K / pi) / K * x1),
        uses=("n3.a",),
    )


@paper.step("theorem-3.5", "n4.a", "The steepest ratio after the first step is 2.7")
def step_n4_a() -> Statement:
    return Statement(variables={K: RATES}, then=(2 + 2 * K / pi) / K <= STEEPEST)


@paper.step("theorem-3.5", "n4.b", "v w_x is at least w_y^2 / 2.7 after the first step")
def step_n4_b() -> Statement:
    v1, x1, y1 = _first_polar()
    return Statement(variables=STARTS, then=v1 * x1 >= y1**2 / STEEPEST, uses=("n4", "n4.a"))


# What is carried from step to step ----------------------------------------------------------------------------------


@paper.step("theorem-3.5", "n5", "The change of v balances the changes of w")
def step_n5() -> Statement:
    first, second, third = (new - old for new, old in zip(step().update, (v, wx, wy), strict=True))
    return display(STATE, {"balance": (v * first, wx * second + wy * third)})


@paper.step("theorem-3.5", "n5.a", "In stage 1 the change of w_y is between 0 and K v / pi")
def step_n5_a() -> Statement:
    return Statement(variables=STATE, given=(GROWING,), then=And(dwy >= 0, dwy <= K / pi * v))


@paper.step("theorem-3.5", "n5.b", "Stage 1 preserves v >= w_y")
def step_n5_b() -> Statement:
    return Statement(variables=STATE, given=(GROWING, v >= wy), then=v + dv >= wy + dwy, uses=("n5", "n5.a"))


@paper.step("theorem-3.5", "n6", "The chain that bounds v w_y - |w|^2 after a step")
def step_n6() -> Statement:
    after = (v + dv) * (wy + dwy) - ((wx + dwx) ** 2 + (wy + dwy) ** 2)
    return Statement(
        variables=STATE,
        given=(GROWING, v >= wy, v * wy <= wx**2 + wy**2, gain() >= 0),
        then=after <= v * dwy * (1 - wy / v) ** 2 - dwx**2,
        uses=("n5", "n5.a"),
    )


@paper.step("theorem-3.5", "n6.a", "Upper bound on v dw_y - dw_x^2")
def step_n6_a() -> Statement:
    bound = K * v**2 * wy**2 / (pi * (wx**2 + wy**2)) - K**2 * v**2 * (1 - 1 / (2 * pi) - gamma()) ** 2
    return Statement(variables=STATE, given=(GROWING,), then=v * dwy - dwx**2 <= bound)


@paper.step("theorem-3.5", "n7", "That bound is not positive for ratios up to 2.7")
def step_n7() -> Statement:
    return Statement(variables=RATIO, then=1 / (pi * (1 + 1 / r**2)) <= (1 - 1 / (2 * pi) - gamma(r)) ** 2)


@paper.step("theorem-3.5", "b.65", "Lower bound on the growth of w_x", equations=("B.65",))
def step_b65() -> Statement:
    return Statement(variables=STATE, given=(GROWING, K * v >= wx), then=dwx / wx >= 1 - 1 / pi - gamma())


@paper.step("theorem-3.5", "n8", "That bound is at least 0.55 for ratios up to 2.7")
def step_n8() -> Statement:
    return Statement(variables=RATIO, then=1 - 1 / pi - gamma(r) >= Rational("0.55"))


@paper.step("theorem-3.5", "n8.corrected", "With 1/(2 pi) in place of 1/pi it is at least 0.55")
def step_n8_corrected() -> Statement:
    return Statement(variables=RATIO, then=1 - 1 / (2 * pi) - gamma(r) >= Rational("0.55"))


@paper.step("theorem-3.5", "n8.a", "0.55 exceeds the growth of w_y")
def step_n8_a() -> Statement:
    return Statement(
        variables={**STATE},
        given=(v * wy <= wx**2 + wy**2,),
        then=And(dwy / wy <= MOST / pi, MOST / pi * wy < Rational("0.55") * wy),
    )


GAIN = {K: RATES, v: POSITIVE, wx: POSITIVE, A: POSITIVE}


@paper.step("theorem-3.5", "b.67", "How v - w_x / K changes", equations=("B.66", "B.67"))
def step_b67() -> Statement:
    printed = (v - wx / K) * (1 - K * A) + v * (K - 1 / K) * A
    return display(GAIN, {"margin": (v + A * wx - wx / K - A * v / K, printed)})


@paper.step("theorem-3.5", "b.67.a", "The change of v is at least A w_x in stage 1", equations=("B.67",))
def step_b67_a() -> Statement:
    return Statement(
        variables=STATE,
        given=(GROWING,),
        then=(v + dv) - (wx + dwx) / K >= v + gain() * wx - wx / K - gain() * v / K,
    )


@paper.step("theorem-3.5", "n9", "The case K A > 1")
def step_n9() -> Statement:
    margin = (v - wx / K) * (1 - K * A) + v * (K - 1 / K) * A
    lower = ((-K + A) * v + wx) * (K - 1 / K)
    return Statement(variables=GAIN, given=(A <= K, K * A > 1, K * v >= wx), then=margin >= lower)


@paper.step("theorem-3.5", "n9.a", "-K + 1/K lies in (-0.2, 0]")
def step_n9_a() -> Statement:
    return Statement(variables={K: RATES}, then=And(Rational("-0.2") < -K + 1 / K, -K + 1 / K <= 0))


@paper.step("theorem-3.5", "n9.b", "Stage 1 preserves K v >= w_x as long as v <= 5 w_x")
def step_n9_b() -> Statement:
    return Statement(
        variables=STATE,
        given=(GROWING, wy <= STEEPEST * wx, K * v >= wx, v <= 5 * wx),
        then=K * (v + dv) >= wx + dwx,
        uses=("b.67", "b.67.a", "n9", "n9.a"),
    )


@paper.step("theorem-3.5", "b.68", "The imbalance after a step", equations=("B.68",))
def step_b68() -> Statement:
    derived = step().update[0] - step().update[1]
    return display(STATE, {"imbalance": (derived, (1 - gain()) * (v - wx) + wy**2 / v * pull())})


@paper.step("theorem-3.5", "b.68.a", "Upper bound on the imbalance after a step of stage 1", equations=("B.68",))
def step_b68_a() -> Statement:
    return _imbalance_bound()


@paper.step("theorem-3.5", "b.68.a.corrected", "The same for v >= w_x", equations=("B.68",))
def step_b68_a_corrected() -> Statement:
    return _imbalance_bound(v >= wx)


def _imbalance_bound(*given: Expr) -> Statement:
    after = (v + dv) - (wx + dwx)
    return Statement(
        variables=STATE,
        given=(GROWING, wy <= STEEPEST * wx, *given),
        then=after <= Rational("0.4") * (v - wx) + K * wy / pi,
    )


@paper.step("theorem-3.5", "n10", "A is at least 0.6 for ratios up to 2.7")
def step_n10() -> Statement:
    return Statement(variables=STATE, given=(GROWING, wy <= STEEPEST * wx), then=gain() >= Rational("0.6"))


@paper.step("theorem-3.5", "n10.a", "Stage 1 keeps v below 5 w_x")
def step_n10_a() -> Statement:
    w = wx
    return Statement(
        variables={K: RATES, w: POSITIVE, v: POSITIVE, wy: POSITIVE},
        given=(v <= 5 * w, v >= wy),
        then=Rational("0.4") * (v - w) + K * wy / pi <= 4 * w,
    )


@paper.step("theorem-3.5", "n11", "Growth of v w_x in stage 1")
def step_n11() -> Statement:
    return _product_growth(K * gain())


@paper.step("theorem-3.5", "n11.corrected", "Growth of v w_x in stage 1: K is already in A")
def step_n11_corrected() -> Statement:
    return _product_growth(gain())


def _product_growth(growth: Expr) -> Statement:
    after = (v + dv) * (wx + dwx)
    lower = v * wx + growth * (v**2 + wx**2) + growth**2 * v * wx
    return Statement(
        variables=STATE,
        given=(GROWING, wy <= STEEPEST * wx),
        then=And(after >= lower, lower >= v * wx * (1 + gain()) ** 2),
    )


def _fact(conclusion: Expr) -> Statement:
    return Statement(variables=STATE, given=INVARIANT, then=conclusion)


@paper.step("theorem-3.5", "s1", "Fact 1: v w_x <= 1/(2 pi)")
def step_s1() -> Statement:
    return _fact(v * wx <= 1 / (2 * pi))


@paper.step("theorem-3.5", "s2", "Fact 2: w_x grows by at least 1.55")
def step_s2() -> Statement:
    return _fact(dwx / wx + 1 >= Rational("1.55"))


@paper.step("theorem-3.5", "s3", "Fact 3: w_y grows by at most 1 + K/pi")
def step_s3() -> Statement:
    return _fact(dwy / wy + 1 <= 1 + K / pi)


@paper.step("theorem-3.5", "s4", "Fact 4: w_y / w_x keeps decreasing")
def step_s4() -> Statement:
    return _fact((wy + dwy) * wx < wy * (wx + dwx))


@paper.step("theorem-3.5", "s5", "Fact 5: v w_x grows by at least 2.56")
def step_s5() -> Statement:
    return _fact((v + dv) * (wx + dwx) >= Rational("2.56") * v * wx)


@paper.step("theorem-3.5", "s6", "Fact 6: v stays above w_y")
def step_s6() -> Statement:
    return _fact(v + dv >= wy + dwy)


@paper.step("theorem-3.5", "s7", "Fact 7: v dw_y < (dw_x)^2")
def step_s7() -> Statement:
    return _fact(v * dwy < dwx**2)


# The end of stage 1 -------------------------------------------------------------------------------------------------

WEIGHT = {w: Interval.Lopen(0, Rational("0.135"))}


@paper.step("theorem-3.5", "b.69", "The threshold at the ratio 2.7 is 0.104, above 1/(4 pi)", equations=("B.69",))
def step_b69() -> Statement:
    value = r / (pi * (1 + r**2))
    rounded = And(value < Rational("0.1045"), value >= Rational("0.1035"))
    return Statement(variables={r: FiniteSet(STEEPEST)}, then=And(rounded, value > 1 / (4 * pi)))


def _steps_needed(level: Expr) -> Expr:
    return ceiling(log(level / (w**2 / STEEPEST)) / log(Rational("2.56")))


@paper.step("theorem-3.5", "b.70", "The length of stage 1", equations=("B.70",))
def step_b70() -> Statement:
    count = _steps_needed(1 / (2 * pi))
    return Statement(variables=WEIGHT, then=w**2 / STEEPEST * Rational("2.56") ** count >= 1 / (2 * pi))


@paper.step("theorem-3.5", "b.71", "Growth of w_y after the first step", equations=("B.71",))
def step_b71() -> Statement:
    growth = 1 + pull()
    return Statement(
        variables={**STATE, w: POSITIVE},
        given=(v * wy <= wx**2 + wy**2, v >= w),
        then=And(growth <= 1 + K * (-(v**2) + 1 / pi), growth <= 1 + MOST / pi - w**2),
    )


def _end_of_stage_one(level: Expr, factor: Expr, bound: str) -> Statement:
    return Statement(variables=WEIGHT, then=factor * (1 + MOST / pi - w**2) ** _steps_needed(level) <= Rational(bound))


@paper.step("theorem-3.5", "b.73", "w_y at the end of stage 1, case I", equations=("B.72", "B.73"))
def step_b73() -> Statement:
    return _end_of_stage_one(1 / (2 * pi), S.One, "0.44")


@paper.step(
    "theorem-3.5", "b.73.corrected", "w_y at the end of stage 1, case I, starting from w_y(1)", equations=("B.73",)
)
def step_b73_corrected() -> Statement:
    return _end_of_stage_one(1 / (2 * pi), w, "0.44")


@paper.step("theorem-3.5", "b.81", "w_y at the end of stage 1, case II", equations=("B.80", "B.81"))
def step_b81() -> Statement:
    return _end_of_stage_one(1 / (4 * pi), S.One, "0.37")


@paper.step(
    "theorem-3.5", "b.81.corrected", "w_y at the end of stage 1, case II, starting from w_y(1)", equations=("B.81",)
)
def step_b81_corrected() -> Statement:
    return _end_of_stage_one(1 / (4 * pi), w, "0.37")


@paper.step("theorem-3.5", "b.74", "Change of the imbalance", equations=("B.74",))
def step_b74() -> Statement:
    derived = (step().update[0] - step().update[1]) - (v - wx)
    printed = K * (v - wx) * (v * wx - 1 + gamma()) + wy**2 / v * pull()
    return display(STATE, {"change": (derived, printed)})


@paper.step("theorem-3.5", "b.75", "Range of its first factor in stage 1", equations=("B.75",))
def step_b75() -> Statement:
    factor = v * wx - 1 + gamma()
    return Statement(variables=STATE, given=(GROWING,), then=And(factor >= -1, factor <= -1 + atan(wy / wx) / pi))


@paper.step("theorem-3.5", "b.76", "The factor of the imbalance lies in [1 - K, 0.4]", equations=("B.76",))
def step_b76() -> Statement:
    factor = 1 + K * (v * wx - 1 + gamma())
    return Statement(
        variables=STATE,
        given=(GROWING, wy <= STEEPEST * wx),
        then=And(factor >= 1 - K, factor <= Rational("0.4"), factor >= Rational("-0.1")),
    )


@paper.step("theorem-3.5", "b.77", "The imbalance after the first step", equations=("B.77",))
def step_b77() -> Statement:
    v1, x1, _ = _first_polar()
    return Statement(
        variables=STARTS,
        given=(sin(a0) >= pi * eps**2,),
        then=And(
            Rational("-0.01") <= -(eps - eps * cos(a0)) / 10,
            -(eps - eps * cos(a0)) / 10 <= v1 - x1,
            v1 - x1 <= (1 + K / pi - K / 2) * eps,
            (1 + K / pi - K / 2) * eps <= Rational("0.082"),
        ),
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


@paper.step("theorem-3.5", "b.78", "Upper bound on the imbalance at the end of stage 1", equations=("B.78",))
def step_b78() -> Statement:
    return _imbalance_at_end("4.4")


@paper.step("theorem-3.5", "b.78.reading-b", "The same with 0.44 for the printed 4.4", equations=("B.78",))
def step_b78_reading_b() -> Statement:
    return _imbalance_at_end("0.44")


@paper.step("theorem-3.5", "b.78.corrected", "The same with 0.44 and the bound 0.178", equations=("B.78",))
def step_b78_corrected() -> Statement:
    claims = [_sum_bound("0.44", steps) <= Rational("0.178") for steps in range(1, 9)]
    return Statement(variables={K: FiniteSet(MOST)}, then=And(*claims))


@paper.step("theorem-3.5", "b.79", "In stage 1 the imbalance stays in [-0.017, 0.17]", equations=("B.78", "B.79"))
def step_b79() -> Statement:
    bounded = And(v - wx >= Rational("-0.017"), v - wx <= Rational("0.17"))
    growing = v * pi * (wx**2 + wy**2) <= wy
    return Statement(
        variables=STARTS,
        dynamics=descent(),
        start=START,
        then=Always(Implies(And(n >= 1, growing), bounded)),
    )


@paper.step("theorem-3.5", "b.83", "Case III: the ratio is far from 1 in the last step of stage 1", equations=("B.83",))
def step_b83() -> Statement:
    return Statement(
        variables=STATE,
        given=(dwy > 0, v * wx < 1 / (4 * pi)),
        then=wx * wy / (pi * (wx**2 + wy**2)) < v * wx,
    )


@paper.step("theorem-3.5", "b.83.corrected", "Case III: so it is in the first step of stage 2", equations=("B.83",))
def step_b83_corrected() -> Statement:
    return Statement(
        variables=STATE,
        given=(dwy < 0, v * wx < 1 / (4 * pi)),
        then=And(wx * wy / (pi * (wx**2 + wy**2)) < v * wx, wx * wy / (wx**2 + wy**2) < Rational(1, 4)),
    )


@paper.step("theorem-3.5", "b.84", "Case III: then one of the ratios is at least 2 + sqrt(3)", equations=("B.84",))
def step_b84() -> Statement:
    return Statement(
        variables={r: POSITIVE},
        given=(r / (1 + r**2) < Rational(1, 4),),
        then=Or(r >= 2 + sqrt(3), 1 / r >= 2 + sqrt(3)),
    )


@paper.step("theorem-3.5", "b.85", "Case III: bound on w_y", equations=("B.85",))
def step_b85() -> Statement:
    return Statement(
        variables={v: POSITIVE, wx: POSITIVE, wy: POSITIVE},
        given=(v * wx <= 1 / (4 * pi), v - wx >= Rational("-0.017"), wx >= (2 + sqrt(3)) * wy),
        then=wy <= Rational("0.078"),
        uses=("b.84",),
    )
