"""Theorem 3.5: the three stages of relu_alignment are joined over time.

What holds after n >= 1 steps is one of five cases: stage 1 with v w_x >= 0.65 eps^2 2.56^(n - 1); the start of the
first, second or third step of stage 2 at a time n <= T_1 + 1, T_1 + 2, T_1 + 3; or the basin, where w_y <= 0.1 and
from n = T_1 + 4 on w_y < 0.1 (1 - 0.030 K)^(n - T_1 - 4). The steps below say that the start is in the first case and
that every case leads to one of the five. In them a quantity after a step is a plain variable, and all that is known of
it is what the parts of the proof say, taken from the same formulas: nothing here depends on the dynamics any more. What
is left to the reader is the principle of induction over n.
"""

from sympy import And, Eq, Expr, Implies, Interval, Or, Rational, S, Set, Symbol
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE, membership
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.quartic import K
from theory.edge_of_stability.relu_alignment import (
    BASIN_BOX,
    CLOSED_RATES,
    EARLY,
    ENDED,
    FIRST_BOX,
    LARGEST,
    SECOND_BOX,
    SHAPED,
    THIRD_BOX,
    D,
    base,
    basin,
    contraction,
    first_arrow,
    growing,
    leaving,
    second_arrow,
    theta,
    third_arrow,
)
from theory.edge_of_stability.relu_neuron import wy
from theory.edge_of_stability.relu_stage_one import m, r, rho
from theory.scope import own
from theory.statements import Statement

OURS = own("a part of our proof of Theorem 3.5")
section = paper.section(steps=OURS)

OF = "theorem-3.5.join"
OWN = "Not a claim of the paper: a part of our proof of Theorem 3.5."
NONNEGATIVE = Interval(0, S.Infinity)

m_new, r_new, theta_new, D_new, wy_new, signed = (Symbol(f"{name}'") for name in ("m", "r", "theta", "D", "w_y", "u"))
v_new, x_new, gained, turned, moved = (Symbol(name) for name in ("v_1", "x_1", "A", "P", "theta_1"))
kept, lost, bent = (Symbol(name) for name in ("kappa", "lost", "S"))
n, T, small, power, last = (Symbol(name) for name in ("n", "T", "e", "g", "G"))
STATED = {base: Rational("2.56"), contraction: Rational("0.030")}
"""The constants of the parts: what follows from the parts says nothing about their best values."""

Region = tuple[dict[Symbol, Set], tuple[Boolean, ...]]


def inside(region: Region, product: Expr = m, excess: Expr = D, across: Expr = wy) -> Boolean:
    """That a state lies in a region of stage 2 or 3."""
    domains, given = region
    relations = [membership(symbol, domain) for symbol, domain in domains.items() if symbol != K]
    return And(*relations, *given).subs({m: product, D: excess, wy: across}, simultaneous=True)


def growing_inside(region: Region, product: Expr, ratio: Expr, balance: Expr) -> Boolean:
    """That a state lies in a region of stage 1."""
    domains, given = region
    relations = [membership(symbol, domain) for symbol, domain in domains.items() if symbol != K]
    return And(*relations, *given).subs({m: product, r: ratio, theta: balance}, simultaneous=True)


STAGE_1: Region = (EARLY, SHAPED)
FEW = Rational("0.65") * small * power


# Stage 1 ------------------------------------------------------------------------------------------------------------


def _within(*symbols: Symbol) -> dict[Symbol, Set]:
    return {symbol: EARLY[symbol] for symbol in symbols}


STEP = {
    **_within(m, r, theta),
    rho: POSITIVE,
    **dict.fromkeys((v_new, x_new, gained, turned, moved), S.Reals),
}


def _grown(conclusion: Boolean, parts: str, *given: Boolean) -> Statement:
    """What follows from parts of stage 1: v_1 and x_1 are v and w_x after the step, theta_1 is D, in units of w_x."""
    said = growing((v_new, x_new, r * (1 + turned)), gained, turned, moved)
    chosen = [said[tag].subs(STATED) >= 0 for tag in parts.split()]
    return Statement(variables=STEP, given=(*chosen, *given), then=conclusion, notes=f"{OWN} It uses {parts}.")


@paper.statement(OF, "Every case leads to one of the five: stage 1 is kept, or stage 2 begins in time", scope=OURS)
def join() -> Statement:
    """The first and longest of the cases; what is known of the step is what the steps `signs` to `shape` conclude."""
    stays = And(growing_inside(STAGE_1, m_new, r_new, theta_new), m_new >= Rational("2.56") * FEW)
    leaves = And(growing_inside(ENDED, m_new, r_new, theta_new), n + 1 <= T + 1)
    return Statement(
        variables={
            **_within(m, r, theta),
            **dict.fromkeys((m_new, theta_new, n, T), S.Reals),
            **dict.fromkeys((small, power, last), POSITIVE),
            r_new: NONNEGATIVE,
        },
        given=(
            *SHAPED,
            m >= FEW,
            *after_growing(),
            Rational("0.65") * small * last > Rational("0.153"),
            Implies(n >= T + 1, power >= last),
            Or(n <= T, n >= T + 1),
        ),
        then=Or(stays, leaves),
        notes=f"{OWN} e is eps^2, g is 2.56^(n - 1) and G is 2.56^T: n and T are whole numbers, and G is at least"
        " 1.35 / (pi beta^2) because T is the logarithm of that rounded up, so that theorem-3.5.stage-1#count applies."
        " The other cases are the steps; with the principle of induction over n, which is left to the reader, they"
        " prove Theorem 3.5.",
    )


def after_growing() -> tuple[Boolean, ...]:
    """What one step of stage 1 does to v w_x, r and theta."""
    return (
        m_new >= Rational("2.56") * m,
        m_new <= Rational("0.6"),
        r_new <= r,
        r_new**3 * m_new <= Rational("0.88") * r**3 * m,
        theta_new >= -Rational("0.28") - r_new**2 / 10,
        theta_new <= Rational("0.03"),
    )


@section.step(OF, "start", "After the first step the state is in the first case")
def step_start() -> Statement:
    v1, x1, y1, excess = (Symbol(name) for name in ("v_1", "x_1", "y_1", "excess"))
    ratio = y1 / x1
    return Statement(
        variables={
            v1: S.Reals,
            x1: S.Reals,
            y1: NONNEGATIVE,
            excess: S.Reals,
            small: Interval.Lopen(0, LARGEST**2),
        },
        given=(
            v1 * x1 >= Rational("0.65"),
            x1 >= Rational("0.4"),
            small * v1 * x1 <= Rational("0.153"),
            y1 <= Rational("2.7") * x1,
            small * y1**3 * v1 <= x1**2 / 8,
            excess >= -Rational("0.45") * x1**2 - y1**2 / 10,
            excess <= x1**2 / 10,
        ),
        then=And(
            growing_inside(STAGE_1, small * v1 * x1, ratio, excess / x1**2), small * v1 * x1 >= FEW.subs(power, 1)
        ),
        notes=f"{OWN} v_1, x_1 and y_1 are the weights after the first step divided by eps.",
    )


@section.step(OF, "signs", "After a step of stage 1 v and w_x are positive")
def step_signs() -> Statement:
    return _grown(And(v_new > 0, x_new > 0), "grow sign ratio", Eq(x_new, 1 + gained * rho))


@section.step(OF, "product", "v w_x grows by at least 2.56, to at most 0.6")
def step_product() -> Statement:
    after = m * v_new * x_new / rho
    return _grown(And(after >= Rational("2.56") * m, after <= Rational("0.6")), "grow end")


@section.step(OF, "ratio", "w_y / w_x does not grow and is not negative")
def step_ratio() -> Statement:
    after = r * (1 + turned) / x_new
    return _grown(And(after <= r, after >= 0), "sign ratio", x_new > 0, Eq(x_new, 1 + gained * rho))


@section.step(OF, "shape", "r^3 v w_x shrinks by 0.88")
def step_shape() -> Statement:
    shrink = (1 + turned) ** 3 * v_new / (rho * x_new**2)
    return _grown(shrink <= Rational("0.88"), "shape", x_new > 0)


@section.step(OF, "shape.a", "That factor is the one of r^3 v w_x")
def step_shape_factor() -> Statement:
    shrink = (1 + turned) ** 3 * v_new / (rho * x_new**2)
    after = (r * (1 + turned) / x_new) ** 3 * (m * v_new * x_new / rho)
    return Statement(variables={**STEP, x_new: POSITIVE}, then=Eq(after, r**3 * m * shrink, evaluate=False), notes=OWN)


@section.step(OF, "balance", "theta lies between -0.28 - r^2 / 10 and 0.03")
def step_balance() -> Statement:
    ratio, after = r * (1 + turned) / x_new, moved / x_new**2
    return _grown(And(after >= -Rational("0.28") - ratio**2 / 10, after <= Rational("0.03")), "low high", x_new > 0)


# Stage 2 ------------------------------------------------------------------------------------------------------------

HERE = {m: POSITIVE, D: S.Reals, wy: NONNEGATIVE}
THERE = {m_new: S.Reals, D_new: S.Reals, signed: S.Reals, wy_new: NONNEGATIVE, kept: Interval(0, 1), lost: NONNEGATIVE}
REFLECTED = (
    Or(And(Eq(wy_new, signed), signed >= 0), And(Eq(wy_new, -signed), signed <= 0)),
    Eq(D_new, D * kept - lost),
)
"""w_y is made nonnegative, and D changes by theorem-3.5.balance: 1 minus two squares lies in [0, 1] by the part
upper-balance of the stage."""

CLOCK = {n: S.Reals, T: S.Reals}


def _arrow(region: Region, said: dict[str, Boolean], conclusion: Boolean, *given: Boolean) -> Statement:
    """What follows from the parts of one step of stage 2."""
    return Statement(
        variables={**HERE, **THERE, **CLOCK},
        given=(inside(region), *REFLECTED, *said.values(), *given),
        then=conclusion,
        notes=f"{OWN} u is w_y after the step, before it is made nonnegative.",
    )


@section.step(OF, "turn", "Where stage 1 ends the first step of stage 2 begins")
def step_turn() -> Statement:
    return Statement(
        variables={**ENDED[0], rho: POSITIVE, D: S.Reals, wy: NONNEGATIVE},
        given=(*ENDED[1], *leaving(rho).values(), Eq(D * rho, theta * m), Eq(wy**2 * rho, r**2 * m)),
        then=inside(FIRST_BOX),
        notes=OWN,
    )


@section.step(OF, "first", "The first step of stage 2 leads to where the second begins")
def step_first() -> Statement:
    said = first_arrow(m_new, D_new, signed)
    landed = And(inside(SECOND_BOX, m_new, D_new, wy_new), n + 1 <= T + 2)
    return _arrow(FIRST_BOX, said, landed, n <= T + 1)


def in_basin(product: Expr, excess: Expr, across: Expr) -> Boolean:
    """The basin: the box of stage 3 with D - 6 w_y^2 >= -0.7."""
    return And(inside(BASIN_BOX, product, excess, across), excess - 6 * across**2 >= -Rational("0.7"))


@section.step(OF, "second", "The second step of stage 2 leads to where the third begins, or into the basin")
def step_second() -> Statement:
    said = second_arrow(m_new, D_new, signed)
    third = inside(THIRD_BOX, m_new, D_new, wy_new)
    return _arrow(SECOND_BOX, said, And(Or(third, in_basin(m_new, D_new, wy_new)), n + 1 <= T + 3), n <= T + 2)


@section.step(OF, "third", "The third step of stage 2 leads into the basin, with w_y < 0.1")
def step_third() -> Statement:
    said = third_arrow(m_new, D_new, signed)
    landed = And(in_basin(m_new, D_new, wy_new), wy_new < Rational("0.1"), n + 1 <= T + 4)
    return _arrow(THIRD_BOX, said, landed, n <= T + 3)


# Stage 3 ------------------------------------------------------------------------------------------------------------


def _kept(conclusion: Boolean, *given: Boolean) -> Statement:
    """What follows from the parts of stage 3; S is (A - P w_x / v)^2."""
    said = {tag: part.subs(STATED) for tag, part in basin(m_new, turned, bent).items()}
    return Statement(
        variables={K: CLOSED_RATES, **HERE, **THERE, turned: S.Reals, bent: NONNEGATIVE},
        given=(
            in_basin(m, D, wy),
            *REFLECTED,
            *said.values(),
            Eq(signed, wy * (1 + turned)),
            Eq(lost, wy**2 * bent),
            *given,
        ),
        then=conclusion.subs(STATED),
        notes=OWN,
    )


@section.step(OF, "rate", "In the basin w_y shrinks by 1 - 0.030 K")
def step_rate() -> Statement:
    return _kept(And(wy_new <= (1 - contraction * K) * wy, wy_new <= Rational("0.1")))


@section.step(OF, "basin", "The basin is kept")
def step_basin() -> Statement:
    return _kept(in_basin(m_new, D_new, wy_new), wy_new <= Rational("0.1"))


@section.step(OF, "decay", "The bound on w_y passes from one step to the next")
def step_decay() -> Statement:
    """p is (1 - 0.030 K)^(n - T - 4), and at n = T + 4 it is 1."""
    factor, before, after = Symbol("q"), Symbol("p"), Symbol("p'")
    tenth = Rational("0.1")
    bounded = Implies(n >= T + 4, wy < tenth * before)
    return Statement(
        variables={factor: Interval.open(0, 1), before: POSITIVE, after: POSITIVE, wy: Interval(0, tenth), **CLOCK}
        | {wy_new: NONNEGATIVE},
        given=(
            wy_new <= factor * wy,
            bounded,
            Implies(n >= T + 4, Eq(after, factor * before)),
            Implies(Eq(n, T + 3), Eq(after, 1)),
            Or(n <= T + 2, Eq(n, T + 3), n >= T + 4),
        ),
        then=Implies(n + 1 >= T + 4, wy_new < tenth * after),
        notes=f"{OWN} q is 1 - 0.030 K, p and p' are its powers at the steps n and n + 1; n and T are whole numbers.",
    )
