"""Section 3.4.1, Lemma 3.2: the 2-cycle beyond the edge of stability when the third derivative vanishes.

The first nonzero derivative beyond the second has order k. Each k has its own statement: Taylor polynomials of fixed
degree keep the algebra exact. The mirror image u -> -u changes the sign of the odd derivatives only, so eps > 0 (and
f_k > 0 for odd k) is no loss of generality.
"""

from collections.abc import Callable

from sympy import And, Eq, Expr, Implies, Interval, Ne, Range, S, Symbol, factorial, oo, pi, sin
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import (
    ANY_LOSS,
    MINIMUM,
    REMAINDER,
    allows_oscillation,
    drift,
    e,
    eta,
    f2,
    returns_after_two_steps,
    t,
    taylor,
    two_steps,
    u,
    x,
)
from theory.library import Section
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.temporal import Exists, ForAll, ForSmall, Scaling

c = Symbol("c")
NEGATIVE = Interval.open(-S.Infinity, 0)
ORDERS = range(4, 10)


def _derivatives(k: int) -> tuple[Symbol, Symbol, Symbol]:
    """The derivatives of order k, k + 1 and k + 2."""
    first, second, third = (Symbol(f"f_{order}") for order in (k, k + 1, k + 2))
    return first, second, third


def _loss(k: int) -> Expr:
    fk, fk1, fk2 = _derivatives(k)
    return taylor({2: f2, k: fk, k + 1: fk1, k + 2: fk2})


def _domains(k: int) -> dict[Symbol, S]:
    fk, fk1, fk2 = _derivatives(k)
    if k % 2:
        return {f2: POSITIVE, fk: POSITIVE, fk1: NEGATIVE, fk2: S.Reals}
    return {f2: POSITIVE, fk: NEGATIVE, fk1: S.Reals, fk2: S.Reals}


def _free(k: int) -> dict[Symbol, S]:
    fk, fk1, fk2 = _derivatives(k)
    return {f2: POSITIVE, fk: S.Reals, fk1: S.Reals, fk2: S.Reals}


def _largest_rate(k: int, factor: Expr = S.One) -> Expr:
    fk = _derivatives(k)[0]
    return 2 / (f2 - (-1) ** (k + 1) * factor * fk * e ** (k - 2))


def _cycles(k: int, rates: Interval) -> Boolean:
    """Every start near the minimum returns after two steps at one of the rates."""
    start = -t * e
    cycle = Exists(eta, rates, Eq(two_steps(_loss(k), u, start), start))
    return ForSmall(e, ForAll(t, Interval.open(0, 1), cycle))


def _register(k: int) -> None:
    """The lemma for one order k and the displayed steps of its proof."""
    number = f"lemma-3.2.k{k}"
    parity = "odd" if k % 2 else "even"
    scope = case(f"k = {k}, f a polynomial of degree {k + 2}")

    @paper.statement(
        number, f"A 2-cycle beyond the edge when derivatives 3 to {k - 1} vanish, order {k} ({parity})", scope=scope
    )
    def lemma() -> Statement:
        rates = Interval.open(2 / f2, _largest_rate(k))
        return Statement(variables=_domains(k), then=_cycles(k, rates))

    (_odd_steps if k % 2 else _even_steps)(k, number, paper.section(steps=scope))


def _odd_steps(k: int, number: str, section: Section) -> None:
    fk, fk1, _ = _derivatives(k)

    @section.step(number, "l1", "Expansion of the drift for odd order")
    def step_l1() -> Statement:
        a = eta * f2 - 1
        printed = (
            (2 * f2 - eta * f2**2) * e
            + (-fk + eta * f2 * fk - fk * a ** (k - 1)) / factorial(k - 1) * e ** (k - 1)
            + (fk1 - eta * f2 * fk1 - fk1 * a**k) / factorial(k) * e**k
        )
        return Statement(
            variables={**_free(k), eta: POSITIVE},
            then=Scaling(drift(_loss(k), u, -e) - printed, e, k + 1, "at most"),
        )

    @section.step(number, "b.8", "Drift at the edge of stability", equations=("B.8",))
    def step_b8() -> Statement:
        printed = -2 * fk1 / factorial(k) * e**k
        return Statement(
            variables=_free(k),
            then=Scaling(drift(_loss(k), u, -e, 2 / f2) - printed, e, k + 1, "at most"),
            uses=("l1",),
        )

    @section.step(number, "b.9", "Drift at the largest rate", equations=("B.9",))
    def step_b9() -> Statement:
        quantity = drift(_loss(k), u, -e, _largest_rate(k)) + 2 * fk * e ** (k - 1)
        return Statement(variables=_free(k), then=Scaling(quantity, e, k, "at most"), uses=("l1",))


def _even_steps(k: int, number: str, section: Section) -> None:
    fk = _derivatives(k)[0]
    least = S.One / factorial(k - 1)

    @paper.statement(
        f"{number}.sharp",
        f"The same with c f_{k} for any c above {least} in place of f_{k} in the rates",
        scope=own(f"a larger range of rates, for k = {k}"),
    )
    def sharper() -> Statement:
        rates = Interval.open(2 / f2, _largest_rate(k, c))
        return Statement(
            variables={**_domains(k), c: Interval.open(least, oo)},
            then=_cycles(k, rates),
            notes=f"The lemma has c = 1. Below {least} the drift has the same sign at both ends of the range, by l5 and"
            " l6.",
        )

    def expansion(last: Expr) -> Statement:
        """The drift to order k - 1, whose coefficient ends with the given term."""
        bracket = fk / factorial(k - 1) - eta * f2 * fk / factorial(k - 1) - last
        printed = (2 * f2 - eta * f2**2) * e + bracket * e ** (k - 1)
        return Statement(
            variables={**_free(k), eta: POSITIVE},
            then=Scaling(drift(_loss(k), u, -e) - printed, e, k, "at most"),
        )

    @section.step(number, "l4", "Expansion of the drift for even order")
    def step_l4() -> Statement:
        return expansion((eta * f2 - 1) ** (k - 1) / factorial(k - 1))

    @section.step(number, "l4.corrected", "Expansion of the drift for even order, with the derivative in its last term")
    def step_l4_corrected() -> Statement:
        return expansion(fk * (eta * f2 - 1) ** (k - 1) / factorial(k - 1))

    @section.step(number, "l5", "Drift at the edge of stability, even order")
    def step_l5() -> Statement:
        quantity = drift(_loss(k), u, -e, 2 / f2) + 2 * fk / factorial(k - 1) * e ** (k - 1)
        return Statement(variables=_free(k), then=Scaling(quantity, e, k, "at most"), uses=("l4.corrected",))

    @section.step(number, "l6", "Drift at the largest rate with a free constant, even order")
    def step_l6() -> Statement:
        printed = 2 * (c - least) * fk * e ** (k - 1)
        quantity = drift(_loss(k), u, -e, _largest_rate(k, c)) - printed
        return Statement(
            variables={**_free(k), c: POSITIVE},
            then=Scaling(quantity, e, k, "at most"),
            uses=("l4.corrected",),
        )


@paper.statement(
    "lemma-3.2",
    "The same where the first nonzero derivative beyond the second has order k, for every k >= 4 and every f",
    scope=whole(),
)
def lemma_3_2() -> Statement:
    """Powers of h, which has both signs, are powers of its square: k is 2 j + 1 or 2 j."""
    j, fk, further = Symbol("j"), Symbol("f_k"), Symbol("f_k1")

    def odd(h: Expr) -> Expr:
        rest = fk / factorial(2 * j) + further * h / factorial(2 * j + 1) + h**2 * REMAINDER(h)
        return f2 * h + (h**2) ** j * rest

    def even(h: Expr) -> Expr:
        return f2 * h + h * (h**2) ** (j - 1) * (fk / factorial(2 * j - 1) + h * REMAINDER(h))

    def cycles(slope: Callable[[Expr], Expr], small: Expr, largest: Expr) -> Boolean:
        rates = Interval.open(2 / f2, 2 / (f2 - largest))
        cycle = Exists(eta, rates, returns_after_two_steps(slope, MINIMUM - t * small))
        return ForSmall(e, ForAll(t, Interval.open(0, 1), cycle))

    of_odd = cycles(odd, e * fk, fk * (e * fk) * ((e * fk) ** 2) ** (j - 1))
    of_even = cycles(even, e, -fk * (e**2) ** (j - 1))
    return Statement(
        variables={j: Range(2, oo), MINIMUM: S.Reals, f2: POSITIVE, fk: S.Reals, further: S.Reals},
        then=And(Implies(And(Ne(fk, 0), further < 0), of_odd), Implies(fk < 0, of_even)),
        notes=ANY_LOSS.format("f_2 h + f^(k) h^(k-1)/(k-1)! + ... + R(h) times the power after the last one printed")
        + " Odd k is 2 j + 1, even k is 2 j; f_k1 is f^(k+1). For odd k eps is a small positive number times f^(k)."
        " Decided for k = 4 to 9 (lemma-3.2.k4 to lemma-3.2.k9); a proof for every k needs series with a symbol for an"
        " exponent.",
    )


for _order in ORDERS:
    _register(_order)


@paper.statement("corollary-1", "The sine allows stable oscillation around each of its minima", scope=whole())
def corollary_1() -> Statement:
    whole_turns, turns = Symbol("k", integer=True), Symbol("k")
    claim = allows_oscillation(sin(x), x, -pi / 2 + 2 * pi * whole_turns, S.One)
    return Statement(variables={turns: S.Integers}, then=claim.xreplace({whole_turns: turns}))


@paper.statement(
    "corollary-1.condition",
    "The sine satisfies Lemma 3.2 with order 4 at each of its minima",
    scope=part("that Lemma 3.2 applies, with order 4; the oscillation is left to it"),
)
def corollary_1_condition() -> Statement:
    loss = sin(x)
    return Statement(
        variables={x: S.Reals},
        given=(Eq(loss.diff(x), 0), loss.diff(x, 2) > 0),
        then=And(Eq(loss.diff(x, 3), 0), loss.diff(x, 4) < 0),
    )


@paper.statement(
    "corollary-1.a",
    "Around its minimum the sine has a 2-cycle through every point less than a half turn away",
    scope=own("an explicit cycle through every point, of any size, around the minimum -pi/2"),
)
def corollary_1_a() -> Statement:
    start = -pi / 2 + u
    rate = 2 * u / sin(u)
    returns = Eq(two_steps(sin(x), x, start).subs(eta, rate), start, evaluate=False)
    return Statement(
        variables={u: Interval.open(0, pi)},
        then=And(returns, rate > 2),
        notes="The rate is 2 u / sin u: the step leads to the mirror image of the start.",
    )
