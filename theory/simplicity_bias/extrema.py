"""Lemma 5.2 for every data set of Assumption 5.1: any number of points, any dimension, the activation of the print.

A data set with the symmetries consists, after each of its points is repeated equally often, of the sixteen images of n
points x_i around e_1: the coordinates p_i = e_1 . x_i and q_i = e_2 . x_i may be exchanged, and each of them and the rest may
change its sign. The mean G does not see repetitions. With v^1 = e_1 . v, v^2 = e_2 . v and t_i = v . x_i - v^1 p_i - v^2 q_i the
eight images with label 1 have v . x = +-a_i +- t_i and +-b_i +- t_i, those with label -1 have +-c_i +- t_i and +-h_i +- t_i.
"""

from __future__ import annotations

from functools import partial
from itertools import product

from sympy import Abs, Add, And, Eq, Expr, Implies, Integer, Max, Or, Rational, S, Symbol, symbols
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.language.ball_means import BallMean
from theory.language.families import Entry, Sum, family
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
    x: S.Reals, v: S.Reals, e1: S.Reals, e2: S.Reals, **dict.fromkeys((p, q, t, a, b, c, h), S.Reals),
    xi: POSITIVE, delta: NONNEGATIVE, Delta: POSITIVE, **dict.fromkeys((f, g, mean, top, low, up, down), S.Reals),
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
AVERAGE = Eq(mean, Sum(PULL, (i, 1, n)) / (32 * n))
CORNERS = {
    top: pull_at(e1[k], p[i], q[i]), low: pull_at(-e1[k], p[i], q[i]),
    up: pull_at(e2[k], q[i], p[i]), down: pull_at(-e2[k], q[i], p[i]),
}  # fmt: skip
VALUES = tuple(Eq(name, Sum(pull, (i, 1, n)) / (32 * n)) for name, pull in CORNERS.items())
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


@section.step("lemma-5.2", "a.higher", "p_i > |q_i|")
def step_higher() -> Statement:
    return about(HIGHER, *AXES, NEAR, CLOSE, *COORDINATES, uses=("a.rest",))


def opposite(of: Entry) -> Statement:
    """Opposite points together activate a direction by the mean of |v . (x + xi z)|."""
    return about(ForEach(i, n, Eq(images(of), pairs(of))))


def gain(larger: Entry, smaller: Entry) -> Statement:
    """How much more two pairs say than two others."""
    return about(ForEach(i, n, pairs(larger) - pairs(smaller) <= 2 * Max(Abs(larger) - Abs(smaller), 0)))


for _of in (a, b, c, h):
    section.step(
        "lemma-5.2", f"a.opposite-{_of.name}", f"Opposite points act by the mean of |v . (x + xi z)|: +-{_of.name} +- t"
    )(partial(opposite, _of[i]))

for _one, _two in ((a, c), (b, h), (c, a), (h, b)):
    section.step(
        "lemma-5.2", f"a.gain-{_one.name}", f"+-{_one.name} +- t say at most 2 max(|{_one.name}| - |{_two.name}|, 0) more than +-{_two.name} +- t"
    )(partial(gain, _one[i], _two[i]))  # fmt: skip


def longer(one: Expr, two: Expr, other: Expr, last: Expr, factor: Symbol) -> Boolean:
    """How much longer two lengths are than two others, where they are, is at most a multiple of p - |q|."""
    gains = Max(Abs(one) - Abs(other), 0) + Max(Abs(two) - Abs(last), 0)
    return ForEach(i, n, gains <= 2 * Abs(factor) * HEIGHT)


LONG = (f * p[i] + g * q[i], f * p[i] - g * q[i])
SHORT = (f * q[i] + g * p[i], f * q[i] - g * p[i])


@section.step("lemma-5.2", "a.longer", "The gains for label 1 are at most 2 |v^1| (p - |q|)")
def step_longer() -> Statement:
    return about(longer(*LONG, *SHORT, f), HIGHER)


@section.step("lemma-5.2", "a.shorter", "The gains for label -1 are at most 2 |v^2| (p - |q|)")
def step_shorter() -> Statement:
    return about(longer(*SHORT, *LONG, g), HIGHER)


@section.step("lemma-5.2", "a.lengths", "The same for the letters of the inner products")
def step_lengths() -> Statement:
    claims = longer(a[i], b[i], c[i], h[i], f), longer(c[i], h[i], a[i], b[i], g)
    return about(And(*claims), *PRODUCTS, HIGHER, uses=("a.longer", "a.shorter"))


BELOW = ForEach(i, n, PULL <= 4 * Abs(f) * HEIGHT)
ABOVE = ForEach(i, n, -PULL <= 4 * Abs(g) * HEIGHT)


@section.step(
    "lemma-5.2", "a.pull", "What the images of a point say is between -4 |v^2| (p - |q|) and 4 |v^1| (p - |q|)"
)
def step_pull() -> Statement:
    return about(
        And(BELOW, ABOVE),
        *PRODUCTS,
        HIGHER,
        uses=(*(f"a.opposite-{of}" for of in "abch"), *(f"a.gain-{of}" for of in "abch"), "a.lengths"),
    )


def axis(pull: Expr, sign: int) -> Statement:
    """What the images of a point say about a coordinate vector."""
    return about(ForEach(i, n, Eq(pull, sign * 4 * HEIGHT)), *AXES[:2], *REGULAR, HIGHER)


SIGNS = {top: 1, low: 1, up: -1, down: -1}
for _name, _pull in CORNERS.items():
    section.step(
        "lemma-5.2",
        f"a.axis-{_name.name[2:]}",
        f"At the vector of ${_name.name}$ the images of $x_i$ say $\\pm 4 (p_i - |q_i|)$",
    )(partial(axis, _pull, SIGNS[_name]))
