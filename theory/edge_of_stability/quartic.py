"""Section 3.4.2 and Appendix B.6: gradient descent on (x^2 - mu)^2 / 4 with learning rate K / mu.

The 2-cycle is found by dividing the fixed points out of the two-step update. In the proof steps its smaller point is
a variable d with the polynomial relation that the derivation yields, so that every step stays polynomial.
"""

from functools import cache

from sympy import Abs, And, Eq, Equivalent, Expr, Interval, Ne, Or, Rational, S, Symbol, factor, oo, sqrt, together
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.dynamics import Map, gradient_descent
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import mu, quartic, x
from theory.scope import case, own, part, whole
from theory.statements import Computation, Constant, Statement
from theory.temporal import AlmostEvery, Always, ConvergesTo, Decreasing, Eventually

section = paper.section(steps=whole())

K, d, s, z = (Symbol(name) for name in ("K", "d", "s", "z"))
x0 = Symbol("x_0")
bound = Symbol("c")
BOUND = sqrt(Rational(9, 2)) - 1
"""sqrt(4.5) - 1, the upper end of the paper's range of K."""

RANGE = Interval.open(1, BOUND)
WIDER = Interval.open(1, Rational(3, 2))
"""For what holds beyond the paper's range: its end is rational, which makes easier goals."""

rate = K / mu


@cache
def descent() -> Map:
    """The update x + eta (mu - x^2) x with eta = K / mu."""
    return gradient_descent(quartic, x, rate)


@cache
def cycle() -> tuple[Expr, Expr]:
    """The two points of the positive 2-cycle, the smaller first.

    >>> [point.subs({K: 1, mu: 4}) for point in cycle()]
    [2, 2]
    """
    positive = {symbol: Symbol(symbol.name, positive=True) for symbol in (x, mu, K)}
    (orbit,) = descent().rename(positive).orbits(2)
    plain = {new: old for old, new in positive.items()}
    smaller, larger = sorted((point[0].xreplace(plain) for point in orbit.points or ()), key=_at_example)
    return smaller, larger


def _at_example(point: Expr) -> Expr:
    return point.subs({K: 2, mu: 1})


@cache
def on_cycle() -> Expr:
    """The polynomial in d that vanishes on the positive 2-cycle."""
    positive = {symbol: Symbol(symbol.name, positive=True) for symbol in (x, mu, K)}
    (orbit,) = descent().rename(positive).orbits(2)
    return orbit.relations[0].xreplace({positive[x]: d, positive[mu]: mu, positive[K]: K})


def image(point: Expr) -> Expr:
    """Where one step leads."""
    return descent().update[0].subs(x, point)


def second_image(point: Expr) -> Expr:
    """Where two steps lead."""
    return descent().two_step().update[0].subs(x, point)


def printed_rate(point: Expr) -> Expr:
    """The learning rate for which a point lies on the 2-cycle, as (3.4) has it."""
    return 1 / (point**2 * (sqrt(mu / point**2 - Rational(3, 4)) + Rational(1, 2)))


def turning_point() -> Expr:
    """x_s, where one step leads farthest: x_s^2 = (mu + 1 / eta) / 3."""
    return sqrt((mu + 1 / rate) / 3)


def smaller_point() -> tuple[Boolean, ...]:
    """d is the smaller point of the 2-cycle."""
    return (Eq(on_cycle(), 0), d**2 < mu)


BASIC = {K: RANGE, mu: POSITIVE}


# Theorem 3.3 --------------------------------------------------------------------------------------------------------


@paper.statement(
    "theorem-3.3",
    "Gradient descent on the quartic converges to the 2-cycle of (3.4), apart from a null set of starts to sqrt(mu)",
    equations=("3.4",),
    scope=whole(),
)
def theorem_3_3() -> Statement:
    smaller, larger = map(together, cycle())
    to_cycle = ConvergesTo(x, smaller, larger)
    roots = {point: 1 / (rate * point**2) - Rational(1, 2) for point in (smaller, larger)}
    return Statement(
        variables={K: RANGE, mu: POSITIVE, x0: Interval.open(0, sqrt(mu))},
        dynamics=descent(),
        start={x: x0},
        then=And(
            *(root > 0 for root in roots.values()),
            *(Eq(root**2, mu / point**2 - Rational(3, 4)) for point, root in roots.items()),
            *(smaller > 0, smaller < sqrt(mu), larger > sqrt(mu), larger < 2 * sqrt(mu)),
            AlmostEvery(x0, to_cycle),
            Or(to_cycle, ConvergesTo(x, sqrt(mu))),
        ),
        notes="That a point solves (3.4) reads: 1 / (eta delta^2) - 1/2 is positive, and it is the root in (3.4), since"
        " its square is mu / delta^2 - 3/4. Step b.15 has (3.4) itself. Where it is left undecided, a proof needs more"
        " time for its parts, of which theorem-3.3.almost-every and theorem-3.3.excepted are two.",
    )


@paper.statement(
    "theorem-3.3.almost-every",
    "Gradient descent on the quartic converges to a 2-cycle from almost every start",
    scope=part("from almost every start; that the excepted starts converge to sqrt(mu) is not stated"),
)
def theorem_3_3_almost_every() -> Statement:
    return Statement(
        variables={K: Interval.open(1, bound), mu: POSITIVE, x0: Interval.open(0, sqrt(mu))},
        dynamics=descent(),
        start={x: x0},
        then=ConvergesTo(x, *cycle()),
        constants=(Constant(bound, BOUND, best="largest"),),
        almost_all=(x0,),
    )


@paper.statement(
    "theorem-3.3.excepted",
    "Every start converges to the 2-cycle or to the minimum",
    scope=part("where every start leads, the excepted ones included; how many are excepted is not stated"),
)
def theorem_3_3_excepted() -> Statement:
    return Statement(
        variables={K: RANGE, mu: POSITIVE, x0: Interval.open(0, sqrt(mu))},
        dynamics=descent(),
        start={x: x0},
        then=Or(ConvergesTo(x, *cycle()), ConvergesTo(x, sqrt(mu))),
    )


@paper.statement(
    "theorem-3.3.a",
    "For K up to 3/2 the positive 2-cycle exists and is unique: one quadratic in x^2",
    scope=part("that its points are the positive roots of one quadratic in x^2; how many there are is not stated"),
    claims="For K in (1, 1.5] the positive orbit of period 2 exists and is unique",
)
def theorem_3_3_unique() -> Statement:
    returns = And(Eq(second_image(x), x), Ne(image(x), x), image(x) > 0)
    return Statement(
        variables={K: Interval.Lopen(1, Rational(3, 2)), mu: POSITIVE, x: POSITIVE},
        then=Equivalent(returns, Eq(on_cycle().subs(d, x), 0)),
        notes="For mu = 1 the discriminant of the quadratic is K^2 (K - 1)(K + 3), which is positive.",
    )


@paper.statement(
    "theorem-3.3.c", "Both points of the cycle solve that quadratic", scope=own("the orbit in closed form")
)
def theorem_3_3_points() -> Statement:
    relation = on_cycle().subs(mu, 1)
    return Statement(
        variables={K: Interval.open(1, oo)},
        then=And(*[Eq(relation.subs(d, point.subs(mu, 1)), 0, evaluate=False) for point in cycle()]),
    )


@paper.statement(
    "theorem-3.3.b",
    "The cycle surrounds the minimum and stays below twice its distance",
    scope=part("between which points the two points of the orbit lie"),
)
def theorem_3_3_place() -> Statement:
    smaller, larger = cycle()
    return Statement(
        variables={K: RANGE, mu: POSITIVE},
        then=And(smaller > 0, smaller < sqrt(mu), larger > sqrt(mu), larger < 2 * sqrt(mu)),
    )


@section.step("theorem-3.3", "b.15", "Both points of the cycle solve (3.4)", equations=("3.4", "B.15"))
def step_b15() -> Statement:
    return Statement(
        variables={K: Interval.Lopen(1, Rational(3, 2)), mu: POSITIVE, d: POSITIVE},
        given=(Eq(on_cycle(), 0),),
        then=Eq(rate, printed_rate(d)),
    )


@section.step(
    "theorem-3.3",
    "scale",
    "Without loss of generality mu is 1: x / sqrt(mu) moves as for mu = 1",
    scope=own("a change of units that later steps use"),
)
def step_scale() -> Statement:
    return display(
        {K: POSITIVE, mu: POSITIVE, x: S.Reals}, {"step": (image(sqrt(mu) * x), sqrt(mu) * image(x).subs(mu, 1))}
    )


@section.step("theorem-3.3", "q1", "One step leads farthest from x_s")
def step_q1() -> Statement:
    farthest = turning_point() * (Rational(2, 3) + 2 * K / 3)
    return Statement(
        variables={**BASIC, x: Interval.open(0, sqrt(mu + 1 / rate))},
        then=image(x) <= farthest,
    )


@section.step("theorem-3.3", "q1.a", "The largest image is at most 1.4 x_s")
def step_q1_a() -> Statement:
    return Statement(variables={K: RANGE}, then=Rational(2, 3) + 2 * K / 3 <= Rational(7, 5))


@section.step("theorem-3.3", "q1.a.corrected", "The largest image is at most sqrt(2) x_s")
def step_q1_a_corrected() -> Statement:
    return Statement(variables={K: RANGE}, then=Rational(2, 3) + 2 * K / 3 <= sqrt(2))


@section.step("theorem-3.3", "q1.b", "The largest image does not reach the point that is mapped to zero")
def step_q1_b() -> Statement:
    return Statement(
        variables=BASIC,
        then=turning_point() * (Rational(2, 3) + 2 * K / 3) < sqrt(mu + 1 / rate),
        uses=("q1.a.corrected",),
    )


@section.step(
    "theorem-3.3",
    "q1.c",
    "All iterates stay positive, from every start below the point that is mapped to zero",
    scope=case("mu = 1; from a larger set of starts, and for K up to 3/2"),
)
def step_q1_c() -> Statement:
    return Statement(
        variables={K: WIDER, x0: POSITIVE},
        given=(K * x0**2 < K + 1,),
        dynamics=descent().substitute({mu: 1}),
        start={x: x0},
        then=Always(x > 0),
        notes="For mu = 1, without loss of generality by the step scale, and for K up to 3/2. The print starts below"
        " the minimum, which is part of this set; the set itself is kept, by q1 and q1.b."
        " Where it is left undecided, a proof needs more time for the induction over one step.",
    )


@section.step("theorem-3.3", "q2", "The two-step equation factors")
def step_q2() -> Statement:
    growth = 1 + rate * (mu - x**2)
    return display(
        {**BASIC, x: S.Reals, z: S.Reals},
        {
            "returns": (second_image(x) - x, (rate * x * (mu - x**2 + (mu - z**2 * x**2) * z)).subs(z, growth)),
            "product": (mu - x**2 + (mu - z**2 * x**2) * z, (z + 1) * (-(x**2) * z**2 + x**2 * z + mu - x**2)),
            "square": (
                (z + 1) * (-(x**2) * z**2 + x**2 * z + mu - x**2),
                (z + 1) * (-(x**2) * (z - Rational(1, 2)) ** 2 + mu - 3 * x**2 / 4),
            ),
        },
    )


@section.step("theorem-3.3", "q3", "The branch with the minus sign lies far above the minimum")
def step_q3() -> Statement:
    return Statement(
        variables={**BASIC, x: POSITIVE},
        given=(rate * (mu - x**2) < Rational(-1, 2),),
        then=x**2 > mu + 1 / (2 * rate),
    )


@section.step("theorem-3.3", "q3.a", "Hence x^2 > mu (1 + 1/1.242)")
def step_q3_a() -> Statement:
    return Statement(
        variables={K: Interval.Lopen(1, Rational("1.121")), mu: POSITIVE, x: POSITIVE},
        given=(x**2 > mu + 1 / (2 * rate),),
        then=x**2 > mu * (1 + 1 / Rational("1.242")),
        uses=("q3",),
    )


@section.step("theorem-3.3", "q3.a.corrected", "Hence x^2 > mu (1 + 1/2.242)")
def step_q3_a_corrected() -> Statement:
    return Statement(
        variables={K: Interval.Lopen(1, Rational("1.121")), mu: POSITIVE, x: POSITIVE},
        given=(x**2 > mu + 1 / (2 * rate),),
        then=x**2 > mu * (1 + 1 / Rational("2.242")),
        uses=("q3",),
    )


@section.step("theorem-3.3", "q3.b", "That contradicts mu >= 3 x^2 / 4")
def step_q3_b() -> Statement:
    return Statement(
        variables={**BASIC, x: POSITIVE},
        given=(x**2 > mu + 1 / (2 * rate),),
        then=mu < 3 * x**2 / 4,
        uses=("q3",),
    )


@section.step("theorem-3.3", "b.16", "The other branch is equation (3.4)", equations=("B.16",))
def step_b16() -> Statement:
    return Statement(
        variables={**BASIC, x: POSITIVE},
        given=(mu >= 3 * x**2 / 4, Ne(x**2, mu)),
        then=Equivalent(
            Eq(rate * (mu - x**2), Rational(-1, 2) + sqrt(mu / x**2 - Rational(3, 4))), Eq(rate, printed_rate(x))
        ),
    )


@section.step("theorem-3.3", "q5", "The right side of (B.16) increases with x^2 above mu")
def step_q5() -> Statement:
    right = printed_rate(x).subs(x, sqrt(s))
    return Statement(variables={mu: POSITIVE, s: Interval.open(mu, 4 * mu / 3)}, then=right.diff(s) > 0)


@section.step(
    "theorem-3.3", "b.17", "A point above the minimum solves (B.16) only for K up to 3/2", equations=("B.17",)
)
def step_b17() -> Statement:
    return Statement(
        variables={K: POSITIVE, mu: POSITIVE, x: POSITIVE},
        given=(x**2 > mu, x**2 <= 4 * mu / 3, Eq(rate, printed_rate(x))),
        then=Rational(3, 2) >= K,
        uses=("q5",),
    )


@section.step("theorem-3.3", "q6", "x_s lies below the minimum, and one step increases exactly below x_s")
def step_q6() -> Statement:
    slope = descent().jacobian[0]
    return Statement(
        variables={**BASIC, x: POSITIVE},
        then=And(
            (mu + 1 / rate) / 3 < mu,
            Eq(slope, 1 + K - 3 * rate * x**2),
            Equivalent(slope > 0, x**2 < (mu + 1 / rate) / 3),
        ),
    )


@section.step("theorem-3.3", "b.18", "When the smaller point of the cycle is at least x_s", equations=("B.18",))
def step_b18() -> Statement:
    return Statement(
        variables={mu: POSITIVE, d: Interval.open(0, sqrt(mu))},
        then=Equivalent(d**2 >= (mu + 1 / printed_rate(d)) / 3, d**2 >= (3 + sqrt(2)) * mu / 7),
    )


@section.step("theorem-3.3", "b.19", "Then K is at most sqrt(4.5) - 1", equations=("B.19",))
def step_b19() -> Statement:
    return Statement(
        variables={mu: POSITIVE, K: POSITIVE, d: Interval.open(0, sqrt(mu))},
        given=(d**2 >= (3 + sqrt(2)) * mu / 7, Eq(rate, printed_rate(d))),
        then=K <= BOUND,
        uses=("b.18",),
    )


@section.step(
    "theorem-3.3",
    "b.19.a",
    "Conversely, for such K the smaller point of the cycle is at least x_s",
    scope=own("the converse of (B.19), which the proof needs"),
)
def step_b19_a() -> Statement:
    return Statement(
        variables={**BASIC, d: POSITIVE},
        given=smaller_point(),
        then=3 * K * d**2 >= mu * (K + 1),
        notes="This direction is the one that the proof needs.",
    )


@section.step("theorem-3.3", "q8", "The first two images of x_s")
def step_q8() -> Statement:
    turn = turning_point()
    once = turn * Rational(2, 3) * (1 + K)
    return display(
        BASIC,
        {
            "once": (image(turn), once),
            "twice": (second_image(turn), once * (1 + K - Rational(4, 27) * (1 + K) ** 3)),
        },
    )


@section.step("theorem-3.3", "b.20", "Two steps from x_s lead upwards", equations=("B.20",))
def step_b20() -> Statement:
    return Statement(
        variables={K: Interval.open(1, bound)},
        then=Rational(2, 3) * (1 + K) * (1 + K - Rational(4, 27) * (1 + K) ** 3) > 1,
        constants=(Constant(bound, BOUND, best="largest"),),
    )


@section.step("theorem-3.3", "q9", "The minimum repels")
def step_q9() -> Statement:
    slope = (descent().two_step().update[0] - x).diff(x).subs(x, sqrt(mu))
    return Statement(variables=BASIC, then=And(Eq(slope, (1 - 2 * K) ** 2 - 1), (1 - 2 * K) ** 2 - 1 > 0))


def _between(conclusion: Boolean, *given: Boolean, notes: str = "") -> Statement:
    """A claim about a point x and the smaller point d of the cycle, with mu = 1 by the step `scale`."""
    hypotheses = tuple(part.subs(mu, 1) for part in (*smaller_point(), *given))
    return Statement(
        variables={K: RANGE, d: Interval.open(0, 1), x: Interval.open(0, 1)},
        given=hypotheses,
        then=conclusion.subs(mu, 1),
        notes=notes,
    )


def rise() -> Expr:
    """How far two steps lead from x, as a product, for mu = 1."""
    return factor(second_image(x).subs(mu, 1) - x)


AFTER_TURN = 3 * K * x**2 >= mu * (K + 1)
"""x >= x_s without a root."""


@section.step(
    "theorem-3.3", "b.21", "Between x_s and the cycle two steps lead upwards", equations=("B.21",), scope=case("mu = 1")
)
def step_b21() -> Statement:
    return _between(rise() > 0, x < d, notes="Below x_s as well, which the print leaves out.")


@section.step(
    "theorem-3.3",
    "b.22",
    "Between the cycle and the minimum two steps lead downwards",
    equations=("B.22",),
    scope=case("mu = 1"),
)
def step_b22() -> Statement:
    return _between(rise() < 0, x > d, x**2 < mu)


@section.step("theorem-3.3", "q10", "Two steps increase between x_s and the minimum")
def step_q10() -> Statement:
    slope = descent().two_step().update[0].diff(x)
    return Statement(variables={**BASIC, x: POSITIVE}, given=(AFTER_TURN, x**2 <= mu), then=slope >= 0)


def _slope(first: Expr, second: Expr) -> Expr:
    """The slope of the line through two points of the graph of one step, for mu = 1."""
    return 1 + K - K * (first**2 + first * second + second**2)


@section.step(
    "theorem-3.3",
    "q10.a",
    "The slope of two steps between two points is a product of two slopes of one step",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_q10_a() -> Statement:
    first, second = (second_image(point).subs(mu, 1) for point in (x, z))
    slopes = _slope(x, z) * _slope(image(x).subs(mu, 1), image(z).subs(mu, 1))
    return display({K: POSITIVE, x: S.Reals, z: S.Reals}, {"slope": (first - second, (x - z) * slopes)})


@section.step(
    "theorem-3.3",
    "q10.b",
    "Between x_s and the minimum one step does not lead below the minimum",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_q10_b() -> Statement:
    return Statement(
        variables={K: RANGE, x: Interval.open(0, 1)}, given=(AFTER_TURN.subs(mu, 1),), then=image(x).subs(mu, 1) >= 1
    )


@section.step(
    "theorem-3.3",
    "q10.c",
    "Hence two steps keep the order of two points between x_s and the minimum",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_q10_c() -> Statement:
    first, second = Symbol("X"), Symbol("Z")
    return Statement(
        variables={
            K: RANGE,
            **dict.fromkeys((x, z), Interval.open(0, 1)),
            **dict.fromkeys((first, second), Interval(1, oo)),
        },
        given=(AFTER_TURN.subs(mu, 1), x < z),
        then=And(_slope(x, z) < 0, _slope(first, second) < 0),
        notes="X and Z are the images of x and z, at least 1 by q10.b; by q10.a the difference of two steps from x and"
        " z is x - z times the product of both slopes.",
    )


X, Z = Symbol("X"), Symbol("D")
"""One step from x and from d."""


def _ordered(conclusion: Boolean, *given: Boolean) -> Statement:
    """A claim about x, d and their images X and D, with mu = 1."""
    hypotheses = (*smaller_point(), *given, Eq(X, image(x)), Eq(Z, image(d)))
    return Statement(
        variables={K: RANGE, **dict.fromkeys((d, x), Interval.open(0, 1)), X: S.Reals, Z: S.Reals},
        given=tuple(part.subs(mu, 1) for part in hypotheses),
        then=conclusion.subs(mu, 1),
        notes="X and D are the images of x and d.",
    )


BELOW, ABOVE = (AFTER_TURN, x < d), (x > d, x**2 < mu)


@section.step(
    "theorem-3.3",
    "b.23.a",
    "A step from the larger point of the cycle leads back to d, and D is at least 1",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_b23_a() -> Statement:
    return Statement(
        variables={K: RANGE, d: Interval.open(0, 1), Z: S.Reals},
        given=tuple(part.subs(mu, 1) for part in (*smaller_point(), Eq(Z, image(d)))),
        then=And(Eq(image(Z).subs(mu, 1), d), Z >= 1),
    )


@section.step(
    "theorem-3.3",
    "b.23.b",
    "One step turns the order of x and d round when x is below d",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_b23_b() -> Statement:
    return _ordered(X >= Z, *BELOW)


@section.step(
    "theorem-3.3",
    "b.24.b",
    "One step turns the order of x and d round when x is above d",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_b24_b() -> Statement:
    return _ordered(And(X <= Z, X >= 1), *ABOVE)


RETURNS = (Eq(image(Z), d), Z >= 1)
"""What b.23.a says of D."""


def _turned_back(order: Boolean, conclusion: Boolean) -> Statement:
    return Statement(
        variables={K: RANGE, d: Interval.open(0, 1), X: S.Reals, Z: S.Reals},
        given=tuple(part.subs(mu, 1) for part in (*RETURNS, order)),
        then=conclusion.subs(mu, 1),
    )


@section.step(
    "theorem-3.3",
    "b.23.c",
    "Beyond the minimum one step turns the order round again: X above D",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_b23_c() -> Statement:
    return _turned_back(X >= Z, image(X) <= d)


@section.step(
    "theorem-3.3",
    "b.24.c",
    "Beyond the minimum one step turns the order round again: X below D",
    scope=own("a part of our proof that two steps keep the order of points"),
)
def step_b24_c() -> Statement:
    return _turned_back(And(X <= Z, X >= 1), image(X) >= d)


def _two_steps(conclusion: Boolean, order: Boolean, *given: Boolean, uses: tuple[str, ...], known: str) -> Statement:
    """A claim about x and its image X, of which only what the steps before have shown is used."""
    hypotheses = (*smaller_point(), *given, *RETURNS, order)
    return Statement(
        variables={K: RANGE, **dict.fromkeys((d, x), Interval.open(0, 1)), X: S.Reals, Z: S.Reals},
        given=tuple(part.subs(mu, 1) for part in hypotheses),
        then=conclusion.subs(mu, 1),
        uses=uses,
        notes="X and D are the images of x and d; all that is used of them is what b.23.a and"
        f" {known} say, and two steps from x lead to the image of X.",
    )


@section.step(
    "theorem-3.3",
    "b.23",
    "Below the cycle two steps do not overshoot it",
    equations=("B.23",),
    scope=case("mu = 1, from what b.23.a and b.23.b say of the images"),
)
def step_b23() -> Statement:
    return _two_steps(And(rise() > 0, image(X) <= d), X >= Z, *BELOW, uses=("b.21", "b.23.c"), known="b.23.b")


@section.step(
    "theorem-3.3",
    "b.24",
    "Above the cycle two steps do not overshoot it",
    equations=("B.24",),
    scope=case("mu = 1, from what b.23.a and b.24.b say of the images"),
)
def step_b24() -> Statement:
    order = And(X <= Z, X >= 1)
    return _two_steps(And(image(X) >= d, rise() < 0), order, *ABOVE, uses=("b.22", "b.24.c"), known="b.24.b")


@section.step(
    "theorem-3.3", "b.25", "Every second iterate increases towards the cycle", equations=("B.25",), scope=case("mu = 1")
)
def step_b25() -> Statement:
    return Statement(
        variables={K: RANGE, d: POSITIVE, x0: POSITIVE},
        given=tuple(part.subs({mu: 1, x: x0}) for part in (*smaller_point(), *BELOW)),
        dynamics=descent().two_step().substitute({mu: 1}),
        start={x: x0},
        then=And(Always(x <= d), Decreasing(-x)),
        notes="For mu = 1 by the step scale. One step of the induction is b.23, which is proved; a proof in one piece"
        " needs an engine that takes it as known, because the two-step map has degree nine.",
    )


@section.step(
    "theorem-3.3", "b.26", "Every second iterate converges to the cycle", equations=("B.26",), scope=case("mu = 1")
)
def step_b26() -> Statement:
    return Statement(
        variables={K: RANGE, d: POSITIVE, x0: POSITIVE},
        given=tuple(part.subs({mu: 1, x: x0}) for part in (*smaller_point(), AFTER_TURN, x**2 < mu)),
        dynamics=descent().two_step().substitute({mu: 1}),
        start={x: x0},
        then=ConvergesTo(x, d),
        notes="For mu = 1 by the step scale. A proof needs a rule for monotone bounded sequences that takes b.23 and"
        " b.24, which are proved, as known; theorem-3.3 itself is proved by another route.",
    )


@section.step("theorem-3.3", "q11", "Below the minimum one step leads farthest from x_s")
def step_q11() -> Statement:
    return Statement(variables={**BASIC, x: Interval(0, sqrt(mu))}, then=image(x) <= image(turning_point()))


@section.step("theorem-3.3", "q11.a", "From above the minimum one step leads into [x_s, sqrt(mu))")
def step_q11_a() -> Statement:
    return Statement(
        variables={**BASIC, x: POSITIVE},
        given=(x**2 > mu, x <= image(turning_point())),
        then=And(image(x) >= turning_point(), image(x) < sqrt(mu)),
        uses=("b.20", "q8"),
    )


@section.step(
    "theorem-3.3",
    "q11.b",
    "Every start below the minimum reaches x_s or passes it",
    scope=case("mu = 1; from a larger set of starts, and for K up to 3/2"),
)
def step_q11_b() -> Statement:
    """x^2 >= x_s^2 by inverses: below x_s every step takes a fixed amount from 1 / x^2."""
    return Statement(
        variables={K: WIDER, x0: POSITIVE},
        given=(K * x0**2 < K + 1,),
        dynamics=descent().substitute({mu: 1}),
        start={x: x0},
        then=Eventually(1 / x**2 <= 3 * K / (K + 1)),
        notes="For mu = 1 by the step scale, for K up to 3/2, and from every start below the point that is mapped to 0:"
        " that contains what the print has. Where it is left undecided, a proof needs more time to find that 1 / x^2"
        " loses a fixed amount with every step below x_s.",
    )


# Appendix B.12 ------------------------------------------------------------------------------------------------------


@cache
def multiplier() -> Expr:
    """The multiplier of the positive 2-cycle, derived from its relation without solving it.

    >>> multiplier()
    -2*K**2 - 4*K + 7
    """
    positive = {symbol: Symbol(symbol.name, positive=True) for symbol in (x, mu, K)}
    step = descent().rename(positive)
    (orbit,) = step.orbits(2)
    return step.multiplier(orbit).xreplace({new: old for old, new in positive.items()})


@paper.statement(
    "claim-b.12.a",
    "The multiplier of the 2-cycle",
    label="Appendix B.12",
    scope=part("the multiplier of the orbit"),
    claims="The orbit attracts nearby starts for K below sqrt(5) - 1, and beyond it they escape",
)
def claim_b12_multiplier() -> Statement:
    slope = descent().two_step().update[0].diff(x).subs(x, d)
    return Statement(
        variables={K: Interval.open(1, oo), mu: POSITIVE, d: POSITIVE},
        given=(Eq(on_cycle(), 0),),
        then=Eq(slope, 9 - 2 * (K + 1) ** 2, evaluate=False),
    )


@paper.statement(
    "claim-b.12.b",
    "The 2-cycle attracts exactly for K below sqrt(5) - 1",
    label="Appendix B.12",
    scope=part("where the multiplier lies in (-1, 1); what nearby starts do is left to linearisation"),
    claims="The orbit attracts nearby starts for K below sqrt(5) - 1, and beyond it they escape",
)
def claim_b12_stability() -> Statement:
    """The multiplier is the one of claim-b.12.a: the slope of two steps at either point of the cycle."""
    return Statement(
        variables={K: Interval.open(1, oo)},
        then=Equivalent(And(multiplier() > -1, multiplier() < 1), sqrt(5) - 1 > K),
    )


@paper.statement(
    "claim-b.12.c",
    "Where the 2-cycle is known to attract",
    label="Appendix B.12",
    scope=part("the multiplier lies in (-1, 1) below the bound, which can be sharpened"),
    claims="The orbit attracts nearby starts for K below sqrt(5) - 1",
)
def claim_b12_range() -> Statement:
    return Statement(
        variables={K: Interval.open(1, bound)},
        then=And(multiplier() > -1, multiplier() < 1),
        constants=(Constant(bound, sqrt(5) - 1, best="largest"),),
    )


def cascade(model: str, claim: Boolean) -> Statement:
    """A claim about the certified values of K at which periods double, for mu = 1."""
    yields = tuple(sorted(symbol.name for symbol in claim.free_symbols))
    window = {"model": model, "low": "1.2", "high": "1.302"}
    return Statement(
        then=claim,
        computed=Computation("edge_of_stability.cascade", window, yields=yields),
        notes="Each value of K lies in an enclosure that Krawczyk's test proves to hold exactly one period doubling.",
    )


def doublings() -> tuple[tuple[Symbol, Symbol], ...]:
    """The ends of the enclosures where period 2, 4 and 8 double."""
    return tuple((Symbol(f"low_{period}"), Symbol(f"high_{period}")) for period in (2, 4, 8))


def thresholds() -> Boolean:
    """Period 2 doubles at sqrt(5) - 1, period 4 at 1.288031754..., period 8 at 1.29922793..."""
    (low2, high2), (low4, high4), (low8, high8) = doublings()
    return And(
        low2 <= sqrt(5) - 1,
        sqrt(5) - 1 <= high2,
        low4 > Rational("1.288031754"),
        high4 < Rational("1.288031755"),
        low8 > Rational("1.299227939"),
        high8 < Rational("1.299227940"),
    )


@paper.statement(
    "claim-b.12.d",
    "Where periods 2, 4 and 8 of the quartic double",
    label="Appendix B.12",
    scope=own("where the periods double, to nine digits"),
)
def claim_b12_doublings() -> Statement:
    return cascade("quartic", thresholds())


@paper.statement(
    "claim-b.12.e",
    "The bilinear loss doubles its periods at the same K",
    label="Appendix B.12",
    scope=own("the same for the bilinear loss"),
)
def claim_b12_bilinear() -> Statement:
    return cascade("bilinear", thresholds())


@paper.statement(
    "figure-3.3.a",
    "The windows 1.23 and 1.28 of the bifurcation diagram are right to 0.01",
    scope=case("the scalar quartic in place of matrices"),
    claims="Period 2 up to 1.23 and period 4 up to 1.28, for matrix factorisation",
)
def figure_3_3_windows() -> Statement:
    (low2, _), (low4, _), _ = doublings()
    near = Rational("0.01")
    return cascade("quartic", And(Abs(low2 - Rational("1.23")) < near, Abs(low4 - Rational("1.28")) < near))


@paper.statement(
    "figure-3.3.b",
    "Beyond K = 1.28 no period is left: period 8 has doubled",
    scope=own("a reading of ours, on the scalar quartic: 'rather chaotic' as 'period 8 has doubled'"),
)
def figure_3_3_chaos() -> Statement:
    *_, (_, high8) = doublings()
    return cascade("quartic", high8 <= Rational("1.28"))


@paper.statement("figure-3.3.b.corrected", "Period 4 lasts up to 1.288, period 8 up to 1.299")
def figure_3_3_chaos_corrected() -> Statement:
    _, (low4, _), (low8, high8) = doublings()
    return cascade("quartic", And(low4 > Rational("1.288"), low8 > Rational("1.299"), high8 < Rational("1.3")))
