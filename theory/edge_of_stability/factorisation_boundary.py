"""Where the 2-cycle of quasi-symmetric factorisation attracts: the proof of the corrected Observation 2.

Without loss of generality alpha >= 1, because the characteristic polynomial contains alpha^2 + 1/alpha^2 only. With
a = 1/alpha^2 in (0, 1] and t = K kappa alpha^2 / (2 - K) the condition K (1 + kappa alpha^2) < 2 is t < 1, and Jury's
quantities are polynomials in (x, t, a) with x = K - 1. The last two vanish where x = 0 and t = a = 1; near that corner
they are split into their value at x = 0, which is a product of positive factors, and x times a positive rest.
"""

from functools import cache

from sympy import And, Equivalent, Expr, Interval, Poly, Rational, Symbol, div

from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.factorisation import alpha
from theory.edge_of_stability.factorisation_orbit import SPREAD, cubic, jury, kappa, margins
from theory.edge_of_stability.quartic import BOUND, K
from theory.statements import Statement

x, t, a, s, b = (Symbol(name) for name in "xtasb")
UNITS = {x: Interval.open(0, BOUND - 1), t: Interval.open(0, 1), a: Interval.Lopen(0, 1)}
CLOSED = {x: Interval(0, Rational("0.1214")), t: Interval(0, 1), a: Interval(0, 1)}
OWN = "Not a claim of the paper: a part of our proof of the corrected observation."
OF = "observation-2.corrected"
QUANTITIES = ("one", "minus-one", "below", "above", "pair", "conjugate-pair")


@cache
def quantities() -> dict[str, Expr]:
    """Jury's quantities as polynomials in (x, t, a): kappa K is t (1 - x) a, and the spread is a + 1/a."""
    spread = Symbol("S")
    units = {kappa: t * a * (1 - x) / (1 + x), K: 1 + x}
    polynomials = [Poly(margin.subs(units), x, t, a, spread) for margin in margins(cubic(spread))]
    return dict(zip(QUANTITIES, (_without_spread(one) for one in polynomials), strict=True))


def _without_spread(polynomial: Poly) -> Expr:
    """S occurs with at least as many powers of a, so that S a = 1 + a^2 removes it."""
    terms = []
    for powers, coefficient in polynomial.terms():
        of_x, of_t, of_a, of_spread = powers
        terms.append(coefficient * x**of_x * t**of_t * a ** (of_a - of_spread) * (1 + a**2) ** of_spread)
    return sum(terms, Rational(0)).expand()


@cache
def split() -> tuple[Expr, Expr]:
    """(q, h) with pair = (1 - t) q + x (1 - a) h."""
    pair = quantities()["pair"]
    edge = pair.subs(t, 1)
    return _quotient(pair - edge, 1 - t), _quotient(edge, x * (1 - a))


def _quotient(dividend: Expr, divisor: Expr) -> Expr:
    """The exact quotient; that it is exact is a step of the proof."""
    quotient, _ = div(dividend, divisor, x, t, a)
    return quotient.expand()


def _rest(quantity: Expr) -> Expr:
    """What is left of a polynomial after its value at x = 0, divided by x, in the distances s, b from t = a = 1."""
    rest = Poly(_quotient(quantity - quantity.subs(x, 0), x), x, t, a)
    return _shifted(rest)


def _shifted(polynomial: Poly) -> Expr:
    """The polynomial with t = 1 - s and a = 1 - b."""
    powers_of_s = [Poly((1 - s) ** power, s) for power in range(polynomial.degree(t) + 1)]
    powers_of_b = [Poly((1 - b) ** power, b) for power in range(polynomial.degree(a) + 1)]
    total = Poly(0, x, s, b)
    for (of_x, of_t, of_a), coefficient in polynomial.terms():
        total += Poly(coefficient * x**of_x, x, s, b) * powers_of_s[of_t] * powers_of_b[of_a]
    return total.as_expr()


@paper.step(OF, "units", "In these units the condition is t < 1")
def step_units() -> Statement:
    stated = {kappa: t * (1 - x) * a / (1 + x), K: 1 + x, alpha: 1 / a ** Rational(1, 2)}
    return Statement(
        variables={**UNITS, t: Interval.open(0, 2)},
        then=Equivalent((K * (1 + kappa * alpha**2) < 2).subs(stated), t < 1),
        notes=OWN,
    )


@paper.step(OF, "one", "No eigenvalue 1: the first quantity is a product of positive factors")
def step_one() -> Statement:
    c = t * (1 - x) * a
    product = (1 + x - c) * x * (1 + x + c) * (2 + t * (1 - x) * (1 + a**2))
    return display(UNITS, {"one": (quantities()["one"], product)}, notes=OWN)


def _register_sign(tag: str, title: str) -> None:
    @paper.step(OF, tag, title)
    def step_sign() -> Statement:
        return Statement(variables=UNITS, then=quantities()[tag] > 0, notes=OWN)


for _tag, _title in (
    ("minus-one", "No eigenvalue -1: the second quantity is positive"),
    ("below", "The product of the eigenvalues is above -1"),
    ("above", "The product of the eigenvalues is below 1"),
):
    _register_sign(_tag, _title)


@paper.step(OF, "split", "The fifth quantity is (1 - t) q + x (1 - a) h")
def step_split() -> Statement:
    q, h = split()
    pair = quantities()["pair"]
    return display(UNITS, {"pair": (pair, (1 - t) * q + x * (1 - a) * h)}, notes=OWN)


@paper.step(OF, "h", "h is positive")
def step_h() -> Statement:
    return Statement(variables={x: CLOSED[x], a: CLOSED[a]}, then=split()[1] > 0, notes=OWN)


@paper.step(OF, "q.corner", "At K = 1 the polynomial q is a product of factors that are not negative")
def step_q_corner() -> Statement:
    product = (1 + t) * (1 - a**2 * t**2) * (1 - a**4 * t**2) * (1 + a**2 * t**2)
    return display(UNITS, {"q": (split()[0].subs(x, 0), product)}, notes=OWN)


@paper.step(OF, "conjugate-pair.corner", "At K = 1 the sixth quantity is a product of positive factors")
def step_d_corner() -> Statement:
    product = (1 + t**2) * (1 - a**2 * t**2) * (1 + a**2 * t**2) * (1 + a**4 * t**2)
    return display(UNITS, {"d": (quantities()["conjugate-pair"].subs(x, 0), product)}, notes=OWN)


def _register_split(name: str, radius: Rational) -> None:
    """Near the corner t = a = 1 the rest is positive, elsewhere the polynomial itself."""
    near = {x: CLOSED[x], s: Interval(0, 1 - radius), b: Interval(0, 1 - radius)}

    def polynomial() -> Expr:
        return split()[0] if name == "q" else quantities()[name]

    @paper.step(OF, f"{name}.near", f"For t and a above {radius} the rest is positive")
    def step_near() -> Statement:
        return Statement(variables=near, then=_rest(polynomial()) > 0, notes=OWN)

    for symbol in (t, a):
        _register_far(name, symbol, radius)


def _register_far(name: str, symbol: Symbol, radius: Rational) -> None:
    @paper.step(OF, f"{name}.far.{symbol}", f"For {symbol} up to {radius} the polynomial itself is positive")
    def step_far() -> Statement:
        quantity = split()[0] if name == "q" else quantities()[name]
        return Statement(variables={**CLOSED, symbol: Interval(0, radius)}, then=quantity > 0, notes=OWN)


_register_split("q", Rational(4, 5))
_register_split("conjugate-pair", Rational(9, 10))


@paper.statement(
    "observation-2.boundary", "The true boundary: the cycle attracts exactly where Jury's fifth quantity is positive"
)
def boundary() -> Statement:
    conditions = margins(cubic(alpha**2 + 1 / alpha**2))
    inside = And(K * kappa * alpha**2 < 1, K * kappa / alpha**2 < 1)
    return Statement(
        variables=SPREAD,
        given=(inside,),
        then=Equivalent(jury(cubic(alpha**2 + 1 / alpha**2)), conditions[4] > 0),
        notes=f"{OWN} For alpha = 1 the fifth quantity vanishes on K (1 + kappa) = 2; undivided the statement is beyond"
        " an engine: a proof needs the split of the corrected observation in the units t = K kappa alpha^2.",
    )
