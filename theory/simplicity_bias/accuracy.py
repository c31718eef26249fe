"""Proposition 5.7: the four-neuron network classifies every point with a margin, and for which delta + xi."""

from __future__ import annotations

from sympy import And, Ei, Expr, Integer, Interval, Max, Rational, Symbol, diff, exp, log, symbols

from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import measured as measured_at
from theory.scope import own, part, whole
from theory.simplicity_bias._display import NONNEGATIVE, REAL, UNIT, counted, measured
from theory.simplicity_bias._paper import paper
from theory.simplicity_bias.activation import xi
from theory.statements import Constant, Statement

section = paper.section(steps=whole())

delta = Symbol("delta")
a, b, c, x, u = symbols("a b c x u")
Q = Rational(8, 3)


def growth(at: Expr, level: Expr) -> Expr:
    """h(x) = ln x + C (Ei(x) - Ei(1)), the integral of (1 + C e^z)/z from 1 to x."""
    return log(at) + level * (Ei(at) - Ei(Integer(1)))


def numbers() -> dict[str, Expr]:
    """A, B, C and the lower bound of h(X(T)) in the letters a, b, c of the proof, with q = 8/3."""
    low = ((1 - 2 * a) * exp(-7 * Q**2 * a) - 4 * a) / 2
    high = (1 + a) / 2
    level = exp(-4 * Q**2 * a)
    bottom = (1 + level * exp(1)) * log((1 - 2 * a) * b**2)
    gap = (1 + level * exp((1 - 2 * a) / 4)) * log(c**2)
    top = growth((1 - 2 * a) * Q**2, level)
    return {"A": low, "B": high, "C": level, "bound": low / high * top + (high - low) / high * bottom - gap}


low, high, margin = symbols("low high margin")
NUMBERS = ("low", "high", "margin")


def reached() -> Expr:
    """X = (1 - 2a) x^2 at x = 9/4."""
    return (1 - 2 * a) * Rational(81, 16)


paper.unstated(
    "proposition-5.7",
    "If the scales differ at most by 1000, the largest is in (0.001, 0.5) and delta + epsilon <= "
    "0.01, there is a time at which every margin exceeds 4.67",
    missing="a flow of four neurons on every data set of Assumption 5.1, first times along it",
)


@paper.statement(
    "proposition-5.7.numbers",
    "The numbers of the proof give the margin 4.67",
    label="Proposition 5.7",
    scope=part("the numbers of the proof at delta + xi = 0.01, b = 0.001, c = 1000"),
)
def proposition_5_7() -> Statement:
    """The numbers of the proof in ball arithmetic: h(X(T)) is at least h at x(T) = 9/4.

    where the margin exceeds 4.67.
    """
    return counted(
        And(low >= high, margin > Rational(467, 100)), "accuracy", *NUMBERS, a="1/100", b="1/1000", c=1000,
        notes="a bounds delta + xi, as the proof and the discussion have it; the statement prints delta + epsilon.",
    )  # fmt: skip


largest = Symbol("k")
START = {b: Rational(1, 1000), c: Integer(1000)}


@paper.statement(
    "proposition-5.7.a",
    "The proof gives the margin 4.67 for every delta + xi up to 0.01",
    scope=part("the numbers of the proof for every delta + xi up to 0.01"),
)
def proposition_5_7_largest() -> Statement:
    """Its two inequalities as functions of a; the exponential integrals are evaluated in balls."""
    values = numbers()
    bound, target = values["bound"].subs(START), growth(reached(), values["C"])
    return Statement(
        variables={a: Interval(0, largest)},
        then=And(bound >= target, reached() - 4 * Q**2 * a > Rational(467, 100)),
        constants=(Constant(largest, Rational(1, 100), best="largest"),),
        notes="Sharpened: the largest admissible delta + xi of the proof is 1413/138850 = 0.010176..., where the "
        "margin itself falls to 4.67.",
    )


@paper.statement(
    "proposition-5.7.e",
    "The proof gives perfect accuracy for every delta + xi up to 0.0125",
    scope=own("a wider range of ours"),
)
def proposition_5_7_accuracy() -> Statement:
    """h(X(T)) > h(4 q^2 a): then (1 - 2a) x(T)^2 > 4 q^2 a and every margin is positive; A must be positive."""
    values = numbers()
    bound, target = values["bound"].subs(START), growth(4 * Q**2 * a, values["C"])
    return Statement(
        variables={a: Interval(Rational(1, 100), largest)},
        then=And(bound > target, values["A"] > 0),
        constants=(Constant(largest, Rational(1, 80), best="largest"),),
        notes="Below 0.01 it follows from proposition-5.7.a; the value 0.0125 is ours, `sharpen` gives the largest "
        "one.",
    )


@paper.statement(
    "proposition-5.7.b",
    "The proof's numbers cover the printed hypothesis delta + epsilon <= 0.01",
    scope=own("a question of ours about the proof: it uses delta + xi where the proposition prints delta + epsilon"),
)
def proposition_5_7_printed() -> Statement:
    """By assumption-5.1.d xi < delta, so with the printed hypothesis delta + xi may be anything below 0.02."""
    values = numbers()
    return Statement(
        variables={a: Interval.open(Rational(1, 100), Rational(1, 50))},
        then=And(
            values["bound"].subs(START) >= growth(reached(), values["C"]), reached() - 4 * Q**2 * a > Rational(467, 100)
        ),
        notes="About the proof, not the proposition: its chain of estimates does not reach that range.",
    )


@paper.statement("proposition-5.7.b.corrected", "The proof's numbers cover delta + xi up to 0.01017")
def proposition_5_7_reached() -> Statement:
    """Past the printed 0.01 as far as the chain of estimates goes; proposition-5.7.a covers everything below."""
    values = numbers()
    return Statement(
        variables={a: Interval(Rational(1, 100), Rational(1017, 100000))},
        then=And(
            values["bound"].subs(START) >= growth(reached(), values["C"]), reached() - 4 * Q**2 * a > Rational(467, 100)
        ),
    )


@paper.statement(
    "proposition-5.7.c",
    "Flows from the allowed starts reach the margin 4.67",
    scope=measured_at("one start, seed 5, the orbit of (0.995, 0.004, 0), xi = 0.001"),
)
def proposition_5_7_measured() -> Statement:
    return measured(
        Symbol("margin") > Rational(467, 100), "perfect_accuracy", "margin", seed=5, runs=1,
        notes="An instance of the proposition; proposition-5.7.numbers and the steps are the lines of its proof.",
    )  # fmt: skip


@paper.statement(
    "proposition-5.7.d",
    "With half the smallest scale, 0.0005, the inequality still holds",
    scope=own("a wider range of ours"),
)
def proposition_5_7_smaller() -> Statement:
    return counted(low >= high, "accuracy", *NUMBERS, a="1/100", b="1/2000", c=1000)


@section.step(
    "proposition-5.7", "d.activation", "Neurons of the other axis see at most 2 delta + xi", scope=part("the integrand")
)
def step_activation() -> Statement:
    """The integrand: (|sin a| + delta + xi z)_+ <= 2 delta + xi + xi z for |sin a| <= delta + xi, |z| <= 1."""
    z, w = symbols("z w")
    return Statement(
        variables={delta: NONNEGATIVE, xi: POSITIVE, w: NONNEGATIVE, z: Interval(-1, 1)},
        given=(w <= delta + xi,),
        then=Max(w + delta + xi * z, 0) <= 2 * delta + xi + xi * z,
    )


@section.step(
    "proposition-5.7",
    "d.output",
    "(1 - 2a) u_1^2 - 4 q^2 a <= f <= (1 + a) u_1^2 on C(+1)",
    scope=part("the last inequality of both lines, on C(+1)"),
)
def step_output() -> Statement:
    """k is cos(alpha) with sin^2 <= (delta + xi)^2; f >= u^2 (k - delta) - q^2 (4 delta + 2 xi)."""
    k, q = symbols("k q")
    value = u**2 * (k - delta) - q**2 * (4 * delta + 2 * xi)
    return Statement(
        variables={delta: NONNEGATIVE, xi: POSITIVE, a: Interval(0, 1), u: REAL, q: POSITIVE, k: UNIT},
        given=(delta + xi <= a, k**2 >= 1 - (delta + xi) ** 2),
        then=And(value >= (1 - 2 * a) * u**2 - 4 * q**2 * a, u**2 * (1 + delta) <= u**2 * (1 + a)),
    )


@section.step(
    "proposition-5.7",
    "d.exponentials",
    "(1 + e^B) / (1 + e^A) >= e^(B - A) for B <= A",
    scope=part("the reason of the second inequality for dx/dt"),
)
def step_exponentials() -> Statement:
    """With p = e^A, r = e^(B - A) <= 1: (1 + p r) >= r (1 + p)."""
    p, r = symbols("p r")
    return Statement(variables={p: POSITIVE, r: Interval.Lopen(0, 1)}, then=1 + p * r >= r * (1 + p))


@section.step(
    "proposition-5.7",
    "d.exponents",
    "x^2 (1 + a) - (x^2 (1 - 2a) - 4 q^2 a) <= 7 q^2 a for x <= q",
    scope=part("the exponents of the second inequality for dx/dt"),
)
def step_exponents() -> Statement:
    q = Symbol("q")
    return Statement(
        variables={x: NONNEGATIVE, q: POSITIVE, a: UNIT},
        given=(x <= q,),
        then=x**2 * (1 + a) - (x**2 * (1 - 2 * a) - 4 * q**2 * a) <= 7 * q**2 * a,
    )


@section.step(
    "proposition-5.7",
    "d.squares",
    "X = (1 - 2a) x^2 turns x' >= k x / 4 into X' >= (k / 2) X",
    scope=part("the change of variables"),
)
def step_squares() -> Statement:
    k = Symbol("k")
    return Statement(
        variables={x: POSITIVE, a: UNIT, k: REAL},
        then=equal(((1 - 2 * a) * 2 * x * (k * x / 4), k / 2 * (1 - 2 * a) * x**2)),
        notes="k is ((1 - 2a) e^(-7 q^2 a) - 4a) / (1 + C e^X), so A = k (1 + C e^X) / 2.",
    )


@section.step(
    "proposition-5.7",
    "d.primitive",
    "h(x) = ln x + C (Ei(x) - Ei(1)) has the derivative (1 + C e^x) / x",
    scope=own("a closed form of ours for the printed integral"),
)
def step_primitive() -> Statement:
    C = Symbol("C")
    return Statement(
        variables={x: POSITIVE, C: POSITIVE},
        then=equal((diff(growth(x, C), x), (1 + C * exp(x)) / x), (growth(Integer(1), C), Integer(0))),
    )


@section.step("proposition-5.7", "d.compare", "Eliminating T: h(X) >= (A/B) h(Y) + ((B - A)/B) h_0 - (h_0 - k_0)")
def step_compare() -> Statement:
    """hX - kX >= A T, hY - kY <= B T with kX, kY the values at time 0."""
    hX, kX, hY, kY, A, B, T = symbols("h_X k_X h_Y k_Y A B T")
    return Statement(
        variables={**dict.fromkeys((hX, kX, hY, kY), REAL), A: POSITIVE, B: POSITIVE, T: NONNEGATIVE},
        given=(hX - kX >= A * T, hY - kY <= B * T),
        then=hX >= A / B * hY + (B - A) / B * kY - kY + kX,
    )


@paper.step("proposition-5.7", "d.start", "h(Y) >= (1 + C e) ln Y for Y <= 1", scope=part("the derivatives"))
def step_start() -> Statement:
    """The derivative of the difference: (1 + C e^z)/z <= (1 + C e)/z on (0, 1], both vanish at 1."""
    C = Symbol("C")
    return Statement(variables={x: Interval.Lopen(0, 1), C: UNIT}, then=(1 + C * exp(x)) / x <= (1 + C * exp(1)) / x)


@paper.step(
    "proposition-5.7",
    "d.ratio",
    "(1 + C e^z) <= 1 + C e^((1-2a)/4) for z <= Y(0) <= (1 - 2a)/4",
    scope=part("the numerators of the integrand"),
)
def step_ratio() -> Statement:
    y, C = symbols("y C")
    return Statement(
        variables={y: NONNEGATIVE, C: UNIT},
        then=C * exp(y) >= C,
        notes="y = (1-2a)/4 - z >= 0; max|u| < 1/2 gives Y(0) < (1 - 2a)/4, the ratio of scales is at most c.",
    )


@section.step("proposition-5.7", "d.number", "h(X(T)) >= 31.52")
def step_number() -> Statement:
    return counted(low >= Rational(3152, 100), "accuracy", *NUMBERS, a="1/100", b="1/1000", c=1000)


@section.step("proposition-5.7", "d.inverse", "h(X) >= 31.52 gives x(T) >= 9/4")
def step_inverse() -> Statement:
    """h is increasing, and h at (1 - 2a)(9/4)^2 is at most 31.52."""
    return counted(high <= Rational(3152, 100), "accuracy", *NUMBERS, a="1/100", b="1/1000", c=1000)


@section.step("proposition-5.7", "d.margin", "(1 - 2a)(9/4)^2 - 4 q^2 a > 4.67")
def step_margin() -> Statement:
    least = Symbol("k")
    return Statement(
        then=Rational(98, 100) * Rational(81, 16) - 4 * Q**2 / 100 > least,
        constants=(Constant(least, Rational(467, 100), best="largest"),),
    )


@section.step("proposition-5.7", "d.finite", "x keeps growing while max|u| < q: A is positive", scope=part("A > 0"))
def step_finite() -> Statement:
    return Statement(variables={a: Interval(0, Rational(1, 100))}, then=numbers()["A"] > 0)
