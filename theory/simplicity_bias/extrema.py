"""Lemma 5.2 for every data set of Assumption 5.1: any number of points, any dimension, the activation of the print.

A data set with the symmetries consists, after each of its points is repeated equally often, of the sixteen images of n
points x_i around e_1: the coordinates p_i = e_1 . x_i and q_i = e_2 . x_i may be exchanged, and each of them and the
rest may change its sign. The mean G does not see repetitions. With v^1 = e_1 . v, v^2 = e_2 . v and
t_i = v . x_i - v^1 p_i - v^2 q_i the eight images with label 1 have v . x = +-a_i +- t_i and +-b_i +- t_i, those with
label -1 have +-c_i +- t_i and +-h_i +- t_i.
"""

from __future__ import annotations

from functools import partial
from itertools import product

from sympy import Abs, Add, And, Eq, Expr, Implies, Max, Or, Rational, S, Symbol, symbols
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.language.ball_means import BallMean
from theory.language.families import Entry, Family, Sum, family
from theory.scope import own, whole
from theory.simplicity_bias._display import NONNEGATIVE
from theory.simplicity_bias._paper import paper
from theory.statements import Statement
from theory.temporal import ForEach

n, d, i, k = symbols("n d i k")
xi, delta, Delta = symbols("xi delta Delta")
f, g = symbols("v_1 v_2")
mean, top, low, up, down = symbols("G G_1 G_3 G_2 G_4")
x, v, z = family("x", n, d), family("v", d), family("z", d)
e1, e2 = family("e1", d), family("e2", d)
p, q, t, a, b, c, h = (family(name, n) for name in ("p", "q", "t", "a", "b", "c", "h"))
s, s1, s2, s3, s4 = (family(name, n) for name in ("s", "s1", "s2", "s3", "s4"))

section = paper.section(steps=own("a step of our proof for every data set"))


def over(summand: Expr) -> Sum:
    """A sum over the coordinates."""
    return Sum(summand, (k, 1, d))


def activation(row: Expr, value: Expr) -> BallMean:
    """phi at a vector of length one, given by its entries, and a point that has this inner product with it."""
    return BallMean(Max(value + xi * over(row * z[k]), 0), z)


def distance(value: Expr, turn: int) -> BallMean:
    """The mean of |v . (x + xi z)|, which is that of |v . (x - xi z)|."""
    return BallMean(Abs(value + turn * xi * over(v[k] * z[k])), z)


def images(of: Entry) -> Expr:
    """The sum of phi(v, x) over four images."""
    return Add(*(activation(v[k], first * of + second * t[i]) for first, second in product((1, -1), repeat=2)))


def pairs(of: Entry) -> Expr:
    """The same with the two opposite ones put together."""
    return distance(of + t[i], 1) + distance(of - t[i], -1)


PULL = images(a[i]) + images(b[i]) - images(c[i]) - images(h[i])
"""What the images of x_i say about v: the sum of phi(v, x) y."""


def pull_at(row: Expr, near: Entry, far: Entry) -> Expr:
    """The same at a coordinate vector: each inner product is that of four images."""
    signs = (1, -1)
    return 4 * Add(*(activation(row, s * near) - activation(row, s * far) for s in signs))


HEIGHT = p[i] - Abs(q[i])
DOMAINS = {
    **dict.fromkeys((x, v, e1, e2, p, q, t, a, b, c, h, s, s1, s2, s3, s4, f, g, mean, top, low, up, down), S.Reals),
    xi: POSITIVE, delta: NONNEGATIVE, Delta: POSITIVE,
}  # fmt: skip
AXES = (Eq(over(e1[k] ** 2), 1), Eq(over(e2[k] ** 2), 1), Eq(over(e1[k] * e2[k]), 0))
NEAR = ForEach(i, n, over((x[i, k] - e1[k]) ** 2) <= delta**2)
CLOSE = delta + xi < Rational(1, 6)
COORDINATES = (ForEach(i, n, Eq(p[i], over(e1[k] * x[i, k]))), ForEach(i, n, Eq(q[i], over(e2[k] * x[i, k]))))
REGULAR = (ForEach(i, n, Abs(p[i]) >= xi + 2 * Delta), ForEach(i, n, Abs(q[i]) >= xi + 2 * Delta))
UNIT = Eq(over(v[k] ** 2), 1)
FIRST, SECOND = Eq(f, over(v[k] * e1[k])), Eq(g, over(v[k] * e2[k]))
REST = ForEach(i, n, Eq(t[i], over(v[k] * x[i, k]) - f * p[i] - g * q[i]))
PRODUCTS = (
    ForEach(i, n, Eq(a[i], f * p[i] + g * q[i])), ForEach(i, n, Eq(b[i], f * p[i] - g * q[i])),
    ForEach(i, n, Eq(c[i], f * q[i] + g * p[i])), ForEach(i, n, Eq(h[i], f * q[i] - g * p[i])),
)  # fmt: skip
SUMS = ForEach(i, n, Eq(s[i], PULL))
CORNERS = {
    s1: (top, pull_at(e1[k], p[i], q[i]), 1),
    s3: (low, pull_at(-e1[k], p[i], q[i]), 1),
    s2: (up, pull_at(e2[k], q[i], p[i]), -1),
    s4: (down, pull_at(-e2[k], q[i], p[i]), -1),
}
"""At e_1, -e_1, e_2 and -e_2: what the images of x_i say, the value of G, and its sign."""
ROWS = {s1: e1[k], s3: -e1[k], s2: e2[k], s4: -e2[k]}
CORNER_SUMS = {of: ForEach(i, n, Eq(of[i], pull)) for of, (_, pull, _) in CORNERS.items()}
VALUES = tuple(
    Eq(name, Sum(of[i], (i, 1, n)) / (32 * n)) for of, name in ((s, mean), (s1, top), (s3, low), (s2, up), (s4, down))
)
"""G, G_1, G_3, G_2, G_4 are the values at v, e_1, -e_1, e_2, -e_2; -l'(0) = 1/2, and there are 16 n points."""
HIGHER = ForEach(i, n, HEIGHT > 0)


def about(then: Boolean, *given: Boolean, uses: tuple[str, ...] = ()) -> Statement:
    """A claim about these data, with the domains of what it speaks of."""
    spoken = set().union(*(part.free_symbols for part in (then, *given)))
    domains = {of: set_ for of, set_ in DOMAINS.items() if of in spoken}
    return Statement(variables=domains, given=given, then=then, uses=uses)


@section.step("lemma-5.2", "a.rest", "What is left of x_i beside its first two coordinates has a length")
def step_rest() -> Statement:
    return about(ForEach(i, n, over((x[i, k] - p[i] * e1[k] - q[i] * e2[k]) ** 2) >= 0))


PLANE = ForEach(i, n, (p[i] - 1) ** 2 + q[i] ** 2 <= delta**2)


@section.step("lemma-5.2", "a.coordinates", "(p_i - 1)^2 + q_i^2 <= delta^2")
def step_coordinates() -> Statement:
    return about(PLANE, *AXES, NEAR, *COORDINATES, uses=("a.rest",))


@section.step("lemma-5.2", "a.higher", "p_i > |q_i|")
def step_higher() -> Statement:
    return about(HIGHER, CLOSE, PLANE)


def opposite(value: Expr, turn: int) -> Statement:
    """Two opposite points together activate a direction by the mean of |v . (x + xi z)|."""
    both = activation(v[k], value) + activation(v[k], -value)
    return about(ForEach(i, n, Eq(both, distance(value, turn))))


def opposites(of: Entry, *tags: str) -> Statement:
    """Four images together."""
    return about(ForEach(i, n, Eq(images(of), pairs(of))), uses=tags)


def gain(larger: Entry, smaller: Entry) -> Statement:
    """How much more two pairs say than two others."""
    gap = Abs(larger) - Abs(smaller)
    return about(ForEach(i, n, pairs(larger) - pairs(smaller) <= gap + Abs(gap)))


for _of in (a, b, c, h):
    _title = f"Opposite points at +-{_of.name} +- t act by the mean of |v . (x + xi z)|"
    _tags = [f"a.opposite-{_of.name}-{end}" for end in ("plus", "minus")]
    for _tag, _turn in zip(_tags, (1, -1), strict=True):
        section.step("lemma-5.2", _tag, _title)(partial(opposite, _of[i] + _turn * t[i], _turn))
    section.step("lemma-5.2", f"a.opposite-{_of.name}", _title)(partial(opposites, _of[i], *_tags))

for _one, _two in ((a, c), (b, h), (c, a), (h, b)):
    _title = (
        f"The means at +-{_one.name} +- t exceed those at +-{_two.name} +- t by at most twice the gap of their sizes"
    )
    section.step("lemma-5.2", f"a.gain-{_one.name}", _title)(partial(gain, _one[i], _two[i]))


LONG = (f * p[i] + g * q[i], f * p[i] - g * q[i])
SHORT = (f * q[i] + g * p[i], f * q[i] - g * p[i])


def gaps(longer: tuple[Expr, ...], shorter: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """How much longer each of two numbers is than another one."""
    return tuple(Abs(one) - Abs(two) for one, two in zip(longer, shorter, strict=True))


EXCESS = [
    ForEach(i, n, gap <= 2 * Abs(factor) * HEIGHT)
    for factor, (one, two) in ((f, gaps(LONG, SHORT)), (g, gaps(SHORT, LONG)))
    for gap in (one, two, one + two)
]
for _place, _claim in enumerate(EXCESS):
    _title = "A gap of sizes, or the sum of both, is at most 2 |v^1| or 2 |v^2| times p - |q|"
    section.step("lemma-5.2", f"a.longer-{_place + 1}", _title)(partial(about, _claim, HIGHER))


LETTERS = ((a[i], b[i]), (c[i], h[i]))
NAMED = [
    ForEach(i, n, gap <= 2 * Abs(factor) * HEIGHT)
    for factor, (one, two) in ((f, gaps(*LETTERS)), (g, gaps(*LETTERS[::-1])))
    for gap in (one, two, one + two)
]
for _place, _claim in enumerate(NAMED):
    _tag = f"a.longer-{_place + 1}"
    section.step("lemma-5.2", f"{_tag}-named", "The same for the letters of the inner products")(
        partial(about, _claim, *PRODUCTS, HIGHER, uses=(_tag,))
    )


def gained(longer: tuple[Expr, ...], shorter: tuple[Expr, ...], factor: Symbol, *known: Boolean) -> Statement:
    """Twice the gaps that are positive are at most four times the multiple."""
    total = Add(*(gap + Abs(gap) for gap in gaps(longer, shorter)))
    return about(ForEach(i, n, total <= 4 * Abs(factor) * HEIGHT), HIGHER, *known)


section.step("lemma-5.2", "a.gains", "So the gains for label 1 are at most 4 |v^1| (p - |q|)")(
    partial(gained, *LETTERS, f, *NAMED[:3])
)
section.step("lemma-5.2", "a.gains-back", "The gains for label -1 are at most 4 |v^2| (p - |q|)")(
    partial(gained, *LETTERS[::-1], g, *NAMED[3:])
)
NAMES = tuple(f"a.longer-{place + 1}-named" for place in range(6))


BELOW = ForEach(i, n, s[i] <= 4 * Abs(f) * HEIGHT)
ABOVE = ForEach(i, n, -s[i] <= 4 * Abs(g) * HEIGHT)
twofold = pairs(a[i]) + pairs(b[i]) - pairs(c[i]) - pairs(h[i])
PAIRED = ForEach(i, n, Eq(s[i], twofold))
TOTALS = ForEach(i, n, twofold <= 4 * Abs(f) * HEIGHT), ForEach(i, n, -twofold <= 4 * Abs(g) * HEIGHT)


@section.step("lemma-5.2", "a.paired", "What the images of a point say, by the means of |v . (x + xi z)|")
def step_paired() -> Statement:
    return about(PAIRED, SUMS, uses=tuple(f"a.opposite-{of}" for of in "abch"))


@section.step("lemma-5.2", "a.twofold", "These means say at most 4 |v^1| (p - |q|)")
def step_twofold() -> Statement:
    return about(TOTALS[0], *PRODUCTS, HIGHER, uses=("a.gain-a", "a.gain-b", *NAMES[:3], "a.gains"))


@section.step("lemma-5.2", "a.twofold-back", "They say at least -4 |v^2| (p - |q|)")
def step_twofold_back() -> Statement:
    return about(TOTALS[1], *PRODUCTS, HIGHER, uses=("a.gain-c", "a.gain-h", *NAMES[3:], "a.gains-back"))


@section.step("lemma-5.2", "a.below", "What the images of a point say is at most 4 |v^1| (p - |q|)")
def step_below() -> Statement:
    return about(BELOW, PAIRED, TOTALS[0])


@section.step("lemma-5.2", "a.above", "It is at least -4 |v^2| (p - |q|)")
def step_above() -> Statement:
    return about(ABOVE, PAIRED, TOTALS[1])


HIGH = Sum(HEIGHT, (i, 1, n)) / (8 * n)


@section.step("lemma-5.2", "a.positive", "The mean of (p - |q|) / 8 is positive")
def step_positive() -> Statement:
    return about(Sum(HEIGHT, (i, 1, n)) > 0, HIGHER)


@section.step("lemma-5.2", "a.least", "G(v) is at most |v^1| times that mean")
def step_least() -> Statement:
    return about(Sum(s[i], (i, 1, n)) / (32 * n) <= Abs(f) * HIGH, BELOW)


@section.step("lemma-5.2", "a.most", "It is at least -|v^2| times that mean")
def step_most() -> Statement:
    return about(-Sum(s[i], (i, 1, n)) / (32 * n) <= Abs(g) * HIGH, ABOVE)


def active(row: Expr, of: Entry, place: int) -> Statement:
    """Two opposite points outside of the band activate a coordinate vector by the size of their inner product."""
    both = activation(row, of) + activation(row, -of)
    return about(ForEach(i, n, Eq(both, Abs(of))), *AXES[:2], REGULAR[place])


def axis(of: Family, *tags: str) -> Statement:
    """What the images of a point say about a coordinate vector."""
    _, pull, sign = CORNERS[of]
    return about(ForEach(i, n, Eq(pull, sign * 4 * HEIGHT)), *AXES[:2], *REGULAR, HIGHER, uses=tags)


def named(of: Family) -> Statement:
    """The same for its letter."""
    claim = ForEach(i, n, Eq(of[i], CORNERS[of][2] * 4 * HEIGHT))
    return about(claim, *AXES[:2], *REGULAR, HIGHER, CORNER_SUMS[of], uses=(f"a.axis-{of.name}",))


def corner(of: Family) -> Statement:
    """The value of G at a coordinate vector."""
    sign = CORNERS[of][2]
    claim = Eq(Sum(of[i], (i, 1, n)) / (32 * n), sign * HIGH)
    return about(claim, ForEach(i, n, Eq(of[i], sign * 4 * HEIGHT)))


for _of, _vector in zip(CORNERS, ("e_1", "-e_1", "e_2", "-e_2"), strict=True):
    _tags = [f"a.active-{_of.name}-{_near}" for _near in ("p", "q")]
    _title = f"The images of a point activate {_vector} by p - |q| each"
    for _place, _tag in enumerate(_tags):
        section.step("lemma-5.2", _tag, f"Opposite points activate {_vector} by the sizes of their inner products")(
            partial(active, ROWS[_of], (p[i], q[i])[_place], _place)
        )
    section.step("lemma-5.2", f"a.axis-{_of.name}", _title)(partial(axis, _of, *_tags))
    section.step("lemma-5.2", f"a.sum-{_of.name}", f"The same for the sum at {_vector}")(partial(named, _of))
    section.step("lemma-5.2", f"a.value-{_of.name}", f"|G({_vector})| is the mean of (p - |q|) / 8")(
        partial(corner, _of)
    )


@section.step("lemma-5.2", "a.remainder", "What is left of v beside its first two coordinates has a length")
def step_remainder() -> Statement:
    return about(over((v[k] - f * e1[k] - g * e2[k]) ** 2) >= 0)


@section.step("lemma-5.2", "a.plane", "(v^1)^2 + (v^2)^2 <= 1 for a unit vector v")
def step_plane() -> Statement:
    return about(f**2 + g**2 <= 1, *AXES, UNIT, FIRST, SECOND, uses=("a.remainder",))


ALIKE = And(Eq(low, top), Eq(up, -top), Eq(down, -top), evaluate=False)
LARGEST = Abs(mean) <= top
ONLY = Implies(Eq(Abs(mean), top), Or(Eq(f**2, 1), Eq(g**2, 1)))


def alike(of: Family, claim: Boolean) -> Statement:
    """The value at a coordinate vector is that at e_1, or minus it."""
    values = [value for value in VALUES if value.lhs in (top, CORNERS[of][0])]
    return about(claim, *values, corner(s1).then, corner(of).then)


for _of, _claim in zip((s3, s2, s4), ALIKE.args, strict=True):
    section.step("lemma-5.2", f"a.alike-{_of.name}", "The four values are equal up to their signs")(
        partial(alike, _of, _claim)
    )


def compared(then: Boolean) -> Statement:
    """A comparison of G(v) with G(e_1)."""
    bounds = (step_positive().then, step_least().then, step_most().then, step_plane().then)
    return about(then, *VALUES[:2], corner(s1).then, *bounds)


section.step("lemma-5.2", "a.largest", "|G(v)| <= G(e_1)")(partial(compared, LARGEST))
section.step("lemma-5.2", "a.only", "Where they are equal, (v^1)^2 = 1 or (v^2)^2 = 1")(partial(compared, ONLY))


@paper.statement("lemma-5.2", "|G| is largest at e_1, -e_1, e_2 and -e_2, and at no other directions", scope=whole())
def lemma_5_2() -> Statement:
    """The four values are G_1 up to sign; where |G| reaches it, v is one of the four vectors."""
    data = (*AXES, NEAR, CLOSE, *COORDINATES, *REGULAR)
    direction = (UNIT, FIRST, SECOND, REST, *PRODUCTS, SUMS, *CORNER_SUMS.values(), *VALUES)
    corners = (f"a.{kind}-{of.name}" for of in CORNERS for kind in ("sum", "value"))
    tags = (
        "a.coordinates",
        "a.higher",
        "a.paired",
        "a.twofold",
        "a.twofold-back",
        "a.below",
        "a.above",
        "a.positive",
        "a.least",
        "a.most",
        "a.plane",
    )
    return about(
        And(ALIKE, LARGEST, ONLY),
        *data,
        *direction,
        uses=(*tags, *corners, *(f"a.alike-{of.name}" for of in (s3, s2, s4)), "a.largest", "a.only"),
    ).but(
        notes="n points x_i around e_1 with their 16 images; every data set of Assumption 5.1 is such a one after each "
        "point is repeated equally often, which G does not see."
    )
