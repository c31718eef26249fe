"""Where the 2-cycle of quasi-symmetric factorisation attracts: its exact boundary, and the corrected Observation 2.

Without loss of generality alpha >= 1, because the characteristic polynomial contains alpha^2 + 1/alpha^2 only. With
x = K - 1, c = K kappa alpha^2 and a = 1/alpha^2 in (0, 1] Jury's four quantities are polynomials, and the condition
K (1 + kappa alpha^2) < 2 is c < 1 - x, or t < 1 for t = c / (1 - x). The third quantity vanishes where x = 0 and
t = a = 1; near that corner it is split into its value at x = 0, a product of positive factors, and x times a positive
rest.
"""

from functools import cache

from sympy import And, Eq, Equivalent, Expr, Implies, Interval, Or, Poly, Rational, S, Symbol, div, horner

from theory.domains import POSITIVE
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.factorisation import alpha
from theory.edge_of_stability.factorisation_orbit import RANGE, SPREAD, cubic, jury, kappa, margins
from theory.edge_of_stability.quartic import BOUND, K
from theory.scope import own
from theory.statements import Statement
from theory.temporal import ForSmall

section = paper.section(steps=own("a part of our proof of the true boundary"))

x, c, t, a, s, b = (Symbol(name) for name in "xctasb")
STEEPNESS = Interval.open(0, BOUND - 1)
SHAPE = Interval.Lopen(0, 1)
UNITS = {x: STEEPNESS, t: Interval.open(0, 1), a: SHAPE}
CLOSED = {x: Interval(0, Rational("0.1214")), t: Interval(0, 1), a: Interval(0, 1)}
OWN = "Not a claim of the paper: a part of our proof of the corrected observation."
OF = "observation-2.corrected"
CORNER = Rational(4, 5)
QUANTITIES = ("one", "minus-one", "pair", "three")


@cache
def quantities() -> dict[str, Expr]:
    """Jury's four quantities as polynomials in (x, c, a): kappa K is c a, and the spread is a + 1/a."""
    spread = Symbol("S")
    units = {kappa: c * a / (1 + x), K: 1 + x}
    polynomials = [Poly(margin.subs(units), x, c, a, spread) for margin in margins(cubic(spread))]
    return dict(zip(QUANTITIES, (_without_spread(one) for one in polynomials), strict=True))


def _without_spread(polynomial: Poly) -> Expr:
    """S occurs with at least as many powers of a, so that S a = 1 + a^2 removes it."""
    terms = []
    for powers, coefficient in polynomial.terms():
        of_x, of_c, of_a, of_spread = powers
        terms.append(coefficient * x**of_x * c**of_c * a ** (of_a - of_spread) * (1 + a**2) ** of_spread)
    return sum(terms, S.Zero).expand()


def in_units(name: str) -> Expr:
    """One of the quantities with t in place of c."""
    return quantities()[name].subs(c, t * (1 - x)).expand()


# The boundary -------------------------------------------------------------------------------------------------------


def _about(products: Interval, claim: S, notes: str = "") -> Statement:
    """A claim about the quantities for c in an interval; kappa < 1 is c a < 1 + x."""
    return Statement(variables={x: STEEPNESS, c: products, a: SHAPE}, given=(c * a < 1 + x,), then=claim, notes=notes)


@paper.statement(
    "observation-2.boundary",
    "The true boundary: for K kappa alpha^2 < 3/2 the cycle attracts exactly where Jury's last two quantities are"
    " positive",
    scope=own("the true boundary"),
)
def boundary() -> Statement:
    return _about(
        Interval.open(0, Rational(3, 2)),
        quantities()["minus-one"] > 0,
        "The other two never bind: the second one, which is what is stated here, and the first, a product of positive"
        " factors (#one). x is K - 1, c is K kappa alpha^2 and a is 1/alpha^2 for alpha >= 1 (the other case is its"
        " mirror image, #mirror). Beyond 3/2 it never attracts (#beyond, #far), up to 1 the third quantity alone"
        " decides (#inside), and for alpha = 1 that is K (1 + kappa) = 2 (observation-1.b).",
    )


@section.step("observation-2.boundary", "units", "The quantities in these units")
def step_quantities() -> Statement:
    names = dict(zip(QUANTITIES, margins(cubic(a + 1 / a)), strict=True))
    units = {kappa: c * a / (1 + x), K: 1 + x}
    pairs = {name: (margin.subs(units), quantities()[name]) for name, margin in names.items()}
    return display({x: STEEPNESS, c: POSITIVE, a: SHAPE}, pairs)


@section.step("observation-2.boundary", "mirror", "The cubic is the same for alpha and 1/alpha")
def step_mirror() -> Statement:
    one, other = cubic(alpha**2 + 1 / alpha**2), cubic((1 / alpha) ** 2 + alpha**2)
    sides = {f"c_{power}": pair for power, pair in zip((2, 1, 0), zip(one, other, strict=True), strict=True)}
    return display(SPREAD, sides)


@section.step("observation-2.boundary", "inside", "For K kappa alpha^2 <= 1 the fourth quantity is positive as well")
def step_inside() -> Statement:
    return _about(Interval.Lopen(0, 1), quantities()["three"] > 0)


@section.step("observation-2.boundary", "beyond", "For K kappa alpha^2 in [3/2, 2] one of the last two is negative")
def step_beyond() -> Statement:
    return _about(Interval(Rational(3, 2), 2), Or(quantities()["pair"] < 0, quantities()["three"] < 0))


@section.step("observation-2.boundary", "far", "For K kappa alpha^2 >= 2 the last one is negative")
def step_far_out() -> Statement:
    inverse = Symbol("w")
    kept = quantities()["three"] + a**4 * c**4
    return Statement(
        variables={x: STEEPNESS, inverse: Interval.Lopen(0, Rational(1, 2)), a: SHAPE},
        then=(kept.subs(c, 1 / inverse) * inverse**2).expand() < 0,
        notes="w is 1/c; even without its negative term -a^4 c^4 the quantity is negative, and so is w^2 times it.",
    )


@section.step("observation-2.boundary", "one", "The first quantity is a product of positive factors")
def step_one() -> Statement:
    product = (1 + x - c * a) * x * (1 + x + c * a) * (2 + c * (1 + a**2))
    return display({x: STEEPNESS, c: POSITIVE, a: SHAPE}, {"one": (quantities()["one"], product)})


# The corrected observation ------------------------------------------------------------------------------------------


@paper.statement(OF, "It does when eta (sigma_1^2 + sigma_2^2 max(alpha^2, 1/alpha^2)) < 2")
def observation_2_corrected() -> Statement:
    return Statement(
        variables=SPREAD,
        given=(K * (1 + kappa * alpha**2) < 2, K * (1 + kappa / alpha**2) < 2),
        then=jury(cubic(alpha**2 + 1 / alpha**2)),
        notes="Its steps prove each of Jury's four conditions in the variables of their first step, the first one in"
        " observation-2.boundary#one; the third is a sum whose terms are proved to be positive one by one and joined in"
        " the last step. A proof in one piece needs an engine that shows a polynomial in three variables of degree 24"
        " to be positive up to a corner where it is 0 (its Bernstein coefficients are not negative).",
    )


@cache
def split() -> tuple[Expr, Expr]:
    """(q, h) with pair = (1 - t) q + x (1 - a) h."""
    pair = in_units("pair")
    edge = pair.subs(t, 1)
    return _quotient(pair - edge, 1 - t), _quotient(edge, x * (1 - a))


def _quotient(dividend: Expr, divisor: Expr) -> Expr:
    """The exact quotient; that it is exact is a step of the proof."""
    quotient, _ = div(dividend, divisor, x, t, a)
    return quotient.expand()


@cache
def rest() -> Expr:
    """(q - q at x = 0) / x as a polynomial in x and the distances s = 1 - t and b = 1 - a."""
    q, _ = split()
    polynomial = _quotient(q - q.subs(x, 0), x)
    return horner(polynomial.subs({t: 1 - s, a: 1 - b}), x, s, b)


def corner() -> Expr:
    """q at K = 1."""
    return (1 + t) * (1 - a**2 * t**2) * (1 - a**4 * t**2) * (1 + a**2 * t**2)


@section.step(OF, "units", "In these units the condition is t < 1")
def step_units() -> Statement:
    stated = {kappa: t * (1 - x) * a / (1 + x), K: 1 + x, alpha: 1 / a ** Rational(1, 2)}
    return Statement(
        variables={**UNITS, t: Interval.open(0, 2)},
        then=Equivalent((K * (1 + kappa * alpha**2) < 2).subs(stated), t < 1),
        notes=OWN,
    )


def _register_sign(tag: str, title: str) -> None:
    @section.step(OF, tag, title)
    def step_sign() -> Statement:
        return Statement(variables=UNITS, then=in_units(tag) > 0, notes=OWN)


_register_sign("minus-one", "No eigenvalue -1: the second quantity is positive")
_register_sign("three", "The fourth quantity is positive")


@section.step(OF, "split", "The third quantity is (1 - t) q + x (1 - a) h")
def step_split() -> Statement:
    q, h = split()
    return display(UNITS, {"pair": (in_units("pair"), (1 - t) * q + x * (1 - a) * h)}, notes=OWN)


@section.step(OF, "h", "h is positive")
def step_h() -> Statement:
    return Statement(variables={x: CLOSED[x], a: CLOSED[a]}, then=split()[1] > 0, notes=OWN)


@section.step(OF, "q.corner", "q is its value at K = 1, a product of factors that are not negative, and x times a rest")
def step_q_corner() -> Statement:
    return display(UNITS, {"q": (split()[0], corner() + x * rest().subs({s: 1 - t, b: 1 - a}))}, notes=OWN)


@section.step(OF, "q.corner.sign", "That value is not negative")
def step_corner_sign() -> Statement:
    return Statement(variables=UNITS, then=corner() >= 0, notes=OWN)


@section.step(OF, "q.near", f"For t and a above {CORNER} the rest is positive")
def step_near() -> Statement:
    near = {x: CLOSED[x], s: Interval(0, 1 - CORNER), b: Interval(0, 1 - CORNER)}
    return Statement(variables=near, then=rest() > 0, notes=OWN)


def _register_far(symbol: Symbol) -> None:
    @section.step(OF, f"q.far.{symbol}", f"For {symbol} up to {CORNER} the polynomial q itself is positive")
    def step_far() -> Statement:
        return Statement(
            variables={**CLOSED, symbol: Interval(0, CORNER)}, then=horner(split()[0], x, t, a) > 0, notes=OWN
        )


for _symbol in (t, a):
    _register_far(_symbol)


@section.step(OF, "join", "Together: the third quantity is positive")
def step_join() -> Statement:
    """The polynomials enter by name: what the steps before say of them, and nothing else."""
    pair, q, h, start, left = (Symbol(name) for name in ("pair", "q", "h", "corner", "rest"))
    return Statement(
        variables={**UNITS, **dict.fromkeys((pair, q, h, start, left), S.Reals)},
        given=(
            Eq(pair, (1 - t) * q + x * (1 - a) * h),
            h > 0,
            Eq(q, start + x * left),
            start >= 0,
            Implies(And(t >= CORNER, a >= CORNER), left > 0),
            Implies(t <= CORNER, q > 0),
            Implies(a <= CORNER, q > 0),
        ),
        then=pair > 0,
        notes=f"{OWN} pair, q, h, corner and rest stand for the polynomials of the steps split, h and q.*.",
    )


# The range of (3.9) -------------------------------------------------------------------------------------------------

BEST = 3 / S(2) ** Rational(2, 3)
"""The best right side of (3.9)."""


@paper.statement(
    "observation-2.range",
    "(3.9) suffices with 3 / 2^(2/3) = 1.8899 in place of 2",
    scope=own("the largest constant with which (3.9) suffices"),
)
def best_range() -> Statement:
    squared = Symbol("s")
    return Statement(
        variables={K: RANGE, kappa: Interval.open(0, 1), squared: POSITIVE},
        given=((K * (squared**2 + kappa)) ** 3 <= Rational(27, 4) * squared**3,),
        then=K * (1 + kappa * squared) < 2,
        notes="Not a claim of the paper: what is concluded is the condition of observation-2.corrected. s is alpha^2,"
        " and 27/4 = (3 / 2^(2/3))^3 the cube of the right side; the entry of the maximum in (3.9) that contains"
        " sigma_1^2 alpha^2 suffices for alpha >= 1, and the other one for alpha <= 1 by the mirror image. No larger"
        " number does, by observation-2.range.a.",
    )


@paper.statement(
    "observation-2.range.a",
    "No larger constant does: just above it the cycle repels near K = 1",
    scope=own("the largest constant with which (3.9) suffices"),
)
def best_range_sharp() -> Statement:
    """At a = 2^(-1/3), where K/a + c a^2 is smallest for K = c = 1, on the way to that point."""
    e, narrow = Symbol("e"), S(2) ** Rational(-1, 3)
    there = {x: e, c: 1 + 2 * e, a: narrow}
    steep, product = 1 + e, 1 + 2 * e
    flat = And(steep / narrow + product * narrow**2 <= BEST + 3 * e, steep * narrow + product <= BEST)
    return Statement(
        then=ForSmall(e, And(quantities()["pair"].subs(there) < 0, flat)),
        notes="Not a claim of the paper: e is K - 1, and the left sides of (3.9) tend to 3 / 2^(2/3) and less.",
    )
