"""Proposition B.2 with Remarks 4.2, B.3, B.4 and B.7, and the gradient and Hessian of Appendix B.1.1."""

from __future__ import annotations

from sympy import (
    And,
    Expr,
    Integer,
    Interval,
    Matrix,
    Max,
    Piecewise,
    Rational,
    Symbol,
    asin,
    binomial,
    cos,
    diff,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
)

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import case, own, part
from theory.simplicity_bias._display import REAL, about
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import (
    branches,
    c,
    density,
    gradient,
    hessian,
    inside_band,
    moment,
    normaliser,
    profile,
    projector,
    share,
    truncated_mass,
    xi,
)
from theory.statements import Constant, Statement
from theory.temporal import Scaling

ODD, EVEN = (3, 5, 7, 9), (2, 4, 6)
BAND = Interval.open(-1, 1)
CLOSED_BAND = Interval(-1, 1)
t, angle = Symbol("t"), Symbol("p")


# Proposition B.2 -----------------------------------------------------------------------------------------------------


paper.unstated(
    "proposition-b.2",
    "For every d phi(v, x) is the integral of (v.x + xi |v| a) (1 - a^2)^((d-1)/2) C_d over a > -c, "
    "and for odd d it lies in xi |v| Poly(c, sqrt(1 - c^2))",
    missing="means over the ball of R^d, integrals for every d",
)


@paper.statement(
    "proposition-b.2.profile",
    "phi / (xi |v|) is a function, even a polynomial, of c and sqrt(1 - c^2)",
    scope=part("the second half, d = 3: phi / (xi |v|) is a function of c"),
)
def proposition_b_2() -> Statement:
    """Where c has the same value, so has phi / (xi |v|).

    T and s are two values of v.x / (xi |v|) clipped to c, d = 3.
    """
    s = Symbol("s")
    clipped = [_clip(value) for value in (t, s)]
    return Statement(
        variables={t: REAL, s: REAL},
        given=(equal((clipped[0], clipped[1])),),
        then=equal((branches(3, t), branches(3, s))),
        notes="The branch c = 1 is v.x, which the clipped c does not determine.",
    )


def _clip(value: Symbol) -> Expr:
    return Piecewise((-1, value <= -1), (value, value < 1), (1, True))


@paper.statement(
    "proposition-b.2.corrected",
    "phi is v.x times the share plus xi |v| times the moment, on all branches",
    scope=own("the nearest true form of the second half of proposition-b.2, d = 3"),
)
def proposition_b_2_corrected() -> Statement:
    """share and moment are polynomials in c for odd d; d = 3, phi over xi |v|."""
    at = _clip(t)
    return Statement(
        variables={t: REAL},
        then=equal((branches(3, t), t * share(3).subs(c, at) + moment(3).subs(c, at))),
        notes="So phi is in v.x Poly(c) + xi |v| Poly(c), which is all that definability needs.",
    )


@paper.step(
    "proposition-b.2",
    "marginal",
    "A coordinate of a uniform point of the ball has total mass one",
    scope=case("d = 3, 5, 7, 9: the total mass; the density for d = 3"),
)
def step_marginal() -> Statement:
    pairs = [(share(d).subs(c, 1), Integer(1)) for d in ODD]
    pairs += [(moment(d).subs(c, -1), Integer(0)) for d in ODD]
    return Statement(variables={c: BAND}, then=equal(*pairs, (diff(share(3), c), density(3, c))))


for _d in (*ODD, *EVEN):

    @paper.step(
        "proposition-b.2",
        f"integral-{_d}",
        f"The closed form for d = {_d} is the integral over a > -c",
        scope=case(f"d = {_d}"),
    )
    def step_integral(d: int = _d) -> Statement:
        """The closed form vanishes at c = -1 and its derivative in c is the integrand at a = -c."""
        ratio = Symbol("v")
        closed = ratio * normaliser(d) * truncated_mass(d) + moment(d)
        return Statement(
            variables={c: BAND, ratio: REAL},
            then=equal((diff(closed, c), (ratio - c) * density(d, c)), (closed.subs(c, -1), Integer(0))),
            notes="v stands for v.x / (xi |v|).",
        )


for _d in (3, 5, 7):

    @paper.step(
        "proposition-b.2",
        f"cosine-{_d}",
        f"The printed sum is the integral of cos^{_d} over (-arcsin c, pi/2)",
        scope=case(f"d = {_d}"),
    )
    def step_cosine(d: int = _d) -> Statement:
        """In p = arcsin(c): equal derivatives, and both vanish at p = -pi/2."""
        printed = sum(
            binomial(d, k) * (sin((d - 2 * k) * angle) + sin((d - 2 * k) * pi / 2)) / ((d - 2 * k) * 2 ** (d - 1))
            for k in range((d + 1) // 2)
        )
        return Statement(
            variables={angle: Interval(-pi / 2, pi / 2)},
            then=equal((diff(printed, angle), cos(angle) ** d), (printed.subs(angle, -pi / 2), Integer(0))),
        )


@paper.step(
    "proposition-b.2", "sine", "The integral of sin p cos^d p is (1 - c^2)^((d+1)/2) / (d+1)", scope=case("d = 3 and 5")
)
def step_sine() -> Statement:
    """In p = arcsin(c), with the sign of the lower limit: derivative at -p, d = 3 and 5."""
    pairs = [(diff(cos(angle) ** (d + 1) / (d + 1), angle), -sin(angle) * cos(angle) ** d) for d in (3, 5)]
    return Statement(variables={angle: Interval(-pi / 2, pi / 2)}, then=equal(*pairs))


@paper.step(
    "proposition-b.2",
    "moivre",
    "sin(k arcsin c) is the imaginary part of (sqrt(1 - c^2) + i c)^k",
    scope=case("k = 3, 5, 7"),
)
def step_moivre() -> Statement:
    """Written out for k = 3, 5, 7: odd multiples give polynomials in sin p alone."""
    s = sin(angle)
    pairs = [
        (sin(3 * angle), 3 * s - 4 * s**3),
        (sin(5 * angle), 5 * s - 20 * s**3 + 16 * s**5),
        (sin(7 * angle), 7 * s - 56 * s**3 + 112 * s**5 - 64 * s**7),
    ]
    return Statement(variables={angle: REAL}, then=equal(*pairs))


paper.unstated(
    "remark-4.2",
    "The authors expect that Theorem 4.1 extends to even d",
    missing="definable functions of an o-minimal structure",
)


@paper.statement(
    "remark-b.3.d-2",
    "For even d the activation contains arcsin(c)",
    label="Remark B.3",
    scope=case("d = 2: the closed form with its arcsine"),
)
def remark_4_2() -> Statement:
    """d = 2: share and profile with their arcsine, from the derivative and the value at c = 0."""
    printed = c / 2 + (c * asin(c) + sqrt(1 - c**2)) / pi - (1 - c**2) ** Rational(3, 2) / (3 * pi)
    return Statement(variables={c: BAND}, then=equal((profile(2), printed)))


paper.unstated(
    "remark-b.3",
    "For even d phi has a term proportional to arcsin(c), which is definable with restricted analytic functions",
    missing="definable functions of an o-minimal structure, families with a symbolic d",
)


@paper.statement(
    "remark-b.3.odd",
    "For odd d no arcsine is left: the profile is a polynomial",
    label="Remark B.3",
    scope=own("the contrast, d = 3 and 5: no arcsine is left"),
)
def remark_b_3() -> Statement:
    printed = {
        3: (c + 1) ** 3 * (3 - c) / 16,
        5: (c + 1) ** 4 * (c**2 - 4 * c + 5) / 32,
    }
    return Statement(variables={c: BAND}, then=equal(*[(profile(d), form) for d, form in printed.items()]))


# Gradient and Hessian ------------------------------------------------------------------------------------------------

v3, x3 = Matrix(symbols("v_1:4")), Matrix(symbols("x_1:4"))
length3 = sqrt(v3.dot(v3))
VECTORS = {**dict.fromkeys((*v3, *x3), REAL), xi: POSITIVE}
INSIDE = (v3.dot(v3) > 0, v3.dot(x3) ** 2 < xi**2 * v3.dot(v3))
n = Symbol("n")
"""|v|, with n^2 = v . v as a hypothesis, so that claims stay rational."""


@paper.statement(
    "claim-b.gradient",
    "The gradient of phi is the integral of x + xi a v/|v| over a > -c",
    scope=case("the first coordinate, d = 3, inside the band"),
)
def claim_gradient() -> Statement:
    """d = 3, inside the band: differentiated and printed."""
    value = inside_band(3, v3, x3)
    derived = Matrix([diff(value, entry) for entry in v3[:1]])
    return Statement(variables=VECTORS, given=INSIDE, then=equal((derived, gradient(3, v3, x3, length3)[:1])))


@paper.statement(
    "claim-b.gradient.a", "The gradient is continuous at both edges of the band", scope=case("d = 3, 5, 7, 9")
)
def claim_gradient_edges() -> Statement:
    """share is 0 and 1, moment is 0 at c = -1 and 1: the gradient tends to 0 and to x. All d."""
    pairs = [(share(d).subs(c, -1), Integer(0)) for d in ODD] + [(share(d).subs(c, 1), Integer(1)) for d in ODD]
    pairs += [(moment(d).subs(c, edge), Integer(0)) for d in ODD for edge in (-1, 1)]
    return Statement(variables={c: BAND}, then=equal(*pairs, (diff(profile(3), c), share(3))))


@paper.statement(
    "claim-b.hessian", "Inside the band the gradient of c is P_v x / xi", scope=case("the first coordinate, d = 3")
)
def claim_hessian() -> Statement:
    """First coordinate, d = 3; true only where |v| = 1."""
    ratio = v3.dot(x3) / (xi * length3)
    printed = (projector(v3, length3) * x3 / xi)[0]
    return Statement(variables=VECTORS, given=INSIDE, then=equal((diff(ratio, v3[0]), printed)))


@paper.statement(
    "claim-b.hessian.corrected",
    "Inside the band the gradient of c is P_v x / (xi |v|)",
    scope=own("the nearest true form of claim-b.hessian, the first coordinate, d = 3"),
)
def claim_hessian_corrected() -> Statement:
    """Cleared of xi |v|^3, which is positive, so that polynomials are compared."""
    ratio = v3.dot(x3) / (xi * length3)
    printed = v3.dot(v3) * x3[0] - v3.dot(x3) * v3[0]
    cleared = (diff(ratio, v3[0]) * xi * length3**3).expand()
    return Statement(variables=VECTORS, given=INSIDE, then=equal((cleared, printed)))


@paper.statement(
    "claim-b.hessian.a",
    "With that gradient of c the printed Hessian is the derivative of the gradient",
    scope=case("the entries (1, 2) and (2, 2) at v = e_1, d = 3, inside the band"),
)
def claim_hessian_entry() -> Statement:
    """Entry (1, 2) in d = 3, at v = (1, 0, 0) + tangent: differentiated at a unit vector along e_1."""
    value = gradient(3, v3, x3, length3)[0]
    at = {v3[0]: Integer(1), v3[1]: Integer(0), v3[2]: Integer(0)}
    derived = diff(value, v3[1]).subs(at), diff(gradient(3, v3, x3, length3)[1], v3[1]).subs(at)
    printed = hessian(3, v3, x3, length3)
    return Statement(
        variables={**dict.fromkeys(x3, REAL), xi: POSITIVE},
        given=(x3[0] ** 2 < xi**2,),
        then=equal((derived[0], printed[0, 1].subs(at)), (derived[1], printed[1, 1].subs(at))),
        notes="By rotation e_1 is any unit vector; other lengths follow from homogeneity of degree -1.",
    )


@paper.statement(
    "claim-b.hessian.b",
    "The Hessian has the form P A P and is continuous at the edges of the band",
    scope=case("v along e_1, d = 3; the edges for d = 2 to 5"),
)
def claim_hessian_form() -> Statement:
    """H v = 0 at v along e_1, and the two coefficients vanish at c = -1 and 1, d = 2 to 5."""
    at = {v3[0]: Integer(1), v3[1]: Integer(0), v3[2]: Integer(0)}
    column = hessian(3, v3, x3, Integer(1)).subs(at)[:, 0]
    edges = [(form(d, edge), Integer(0)) for d in (2, 3, 4, 5) for edge in (-1, 1) for form in (density, _moment_at)]
    return Statement(
        variables={**dict.fromkeys(x3, REAL), xi: POSITIVE},
        then=equal(*[(entry, Integer(0)) for entry in column], *edges),
    )


def _moment_at(d: int, edge: int) -> Expr:
    return moment(d).subs(c, edge)


# Remarks B.4 and B.7 -------------------------------------------------------------------------------------------------


def squared_gradient(d: int) -> Expr:
    """|grad phi|^2 at a unit v for |x| = 1, as a function of c and xi."""
    return (xi * profile(d)) ** 2 + (1 - xi**2 * c**2) * share(d) ** 2


SCALES = {c: CLOSED_BAND, xi: POSITIVE}
REACHED = (xi**2 * c**2 <= 1,)


paper.unstated(
    "remark-b.4",
    "The Lipschitz constant b_0 of G is at most (-l'(0)) (1 + xi)",
    missing="Lipschitz constants, vectors in R^d",
)


@paper.statement(
    "remark-b.4.d-3",
    "For d = 3 the gradient of phi is at most 1 + xi",
    label="Remark B.4",
    scope=case("one point, d = 3, inside the band"),
)
def remark_b_4() -> Statement:
    """|grad phi| <= 1 + xi for |x| <= 1, d = 3; G is half an average of them."""
    return Statement(variables=SCALES, given=REACHED, then=squared_gradient(3) <= (1 + xi) ** 2)


bound = Symbol("b")


@paper.statement(
    "remark-b.4.a",
    "For xi <= 1 the constant is 1/2: |grad phi| <= 1 for d = 3",
    scope=own("a sharper form of ours, d = 3"),
)
def remark_b_4_sharp() -> Statement:
    return Statement(
        variables={c: CLOSED_BAND, xi: Interval.Lopen(0, 1)},
        then=squared_gradient(3) <= bound,
        constants=(Constant(bound, 1, best="smallest"),),
    )


@paper.statement(
    "remark-b.4.b", "For xi <= 1 also |grad phi| <= 1 for d = 5", scope=own("a sharper form of ours, d = 5")
)
def remark_b_4_five() -> Statement:
    return Statement(variables={c: CLOSED_BAND, xi: Interval.Lopen(0, 1)}, then=squared_gradient(5) <= 1)


def largest_curvature(d: int) -> Expr:
    """The largest eigenvalue of the Hessian at a unit v over |x| <= 1 with given c."""
    return xi * moment(d) + (1 - xi**2 * c**2) * density(d, c) / xi


paper.unstated(
    "remark-b.7",
    "b_1 is at most 2 sup|g| + (-l'(0)) sup|Hess phi|, hence of order 1 / xi as xi -> 0",
    missing="Lipschitz constants, suprema over the sphere of R^d",
)


@paper.statement(
    "remark-b.7.hessian",
    "The Hessian of phi is at most C_d / xi + xi C_d / (d + 1), attained at c = 0",
    label="Remark B.7",
    scope=part("the supremum of the Hessian of phi, d = 3 and 5; the bound of b_1 is not stated"),
)
def remark_b_7() -> Statement:
    claims = [largest_curvature(d) <= normaliser(d) * (1 / xi + xi / (d + 1)) for d in (3, 5)]
    return Statement(
        variables=SCALES,
        given=REACHED,
        then=And(*claims),
        notes="With |g| <= (1 + xi)/2 this gives b_1 <= 2 sup|g| + half the bound, of order 1/xi.",
    )


@paper.statement(
    "remark-b.7.a",
    "The Lipschitz bound is of order 1 / xi as xi -> 0",
    scope=part("the order of the bound, d = 3, with sup|g| replaced by (1 + xi) / 2"),
)
def remark_b_7_order() -> Statement:
    whole = (1 + xi) + Rational(1, 2) * normaliser(3) * (1 / xi + xi / 4)
    return Statement(then=Scaling(whole, xi, -1), variables={})


@paper.statement(
    "remark-b.7.b",
    "The projectors differ by at most the distance of their directions",
    scope=part("how far two projectors differ"),
)
def remark_b_7_projectors() -> Statement:
    """The norm of the difference is sin(b), the distance is 2 sin(b/2); s and k are sine and cosine of b/2."""
    s, k = Symbol("s"), Symbol("k")
    return Statement(
        variables={s: Interval(0, 1), k: Interval(0, 1)},
        given=(equal((s**2 + k**2, Integer(1))),),
        then=2 * s * k <= 2 * s,
    )


@paper.statement(
    "remark-b.7.c",
    "The proof's b_1 >= 4 lambda holds for every data set",
    scope=own("a question of ours about the proof of Theorem 4.1, which assumes it: one point, d = 3, xi <= 1"),
)
def remark_b_7_gap() -> Statement:
    """One point x = e_1, d = 3: an upper bound of b_1 is (pi/2)(sup|g| + sup|Hess G|).

    lambda = G(e_1) = 1/2 for xi <= 1.
    """
    upper = pi / 2 * Rational(1, 2) * (1 + normaliser(3) * (1 / xi + xi / 4))
    return Statement(
        variables={xi: Interval.Lopen(0, 1)},
        then=upper >= 4 * Rational(1, 2),
        notes="Where it fails b_1 may be replaced by any larger number, so only the words are wrong.",
    )


@paper.statement("remark-b.7.c.corrected", "In place of b_1 the estimates may use max(b_1, 4 lambda)")
def remark_b_7_gap_corrected() -> Statement:
    """Directions differ by x, their speeds by at most b_1 x."""
    b, lam, x, speed = symbols("b lambda x s")
    return Statement(
        variables={b: POSITIVE, lam: POSITIVE, x: Interval(0, 2), speed: REAL},
        given=(speed <= b * x,),
        then=And(speed <= Max(b, 4 * lam) * x, Max(b, 4 * lam) >= 4 * lam),
    )


@paper.statement(
    "claim-b.bound",
    "The activation never exceeds 1 on the unit sphere when xi <= 1",
    scope=own("a sharper form of ours, d = 3"),
)
def claim_activation_bound() -> Statement:
    """phi <= max(1, ...): inside the band phi = xi profile(c) <= 1 for |x| <= 1, d = 3."""
    return Statement(variables=about({"c": CLOSED_BAND, "xi": Interval.Lopen(0, 1)}), then=xi * profile(3) <= 1)


@paper.statement("claim-b.relu", "Outside the band phi is the rectifier", scope=case("d = 3"))
def claim_relu() -> Statement:
    """For v.x >= xi |v| the profile continues as the identity with equal value and slope, d = 3."""
    return Statement(
        variables={t: Interval(1, oo)},
        then=equal((branches(3, t), t), (profile(3).subs(c, 1), Integer(1)), (share(3).subs(c, 1), Integer(1))),
    )
