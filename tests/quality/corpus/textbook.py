"""Textbook statements with their known answers: true ones, false ones, and famous traps.

Each entry is (name, statement); TRUE and FALSE say which it is. Nothing here is about a paper of the library.
"""

from __future__ import annotations

from sympy import (
    Abs,
    And,
    Eq,
    Equivalent,
    Expr,
    Function,
    Implies,
    Interval,
    LambertW,
    Max,
    Min,
    Ne,
    Or,
    Piecewise,
    Rational,
    S,
    Set,
    Symbol,
    acos,
    asin,
    atan,
    cos,
    cosh,
    diff,
    exp,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    tanh,
)  # fmt: skip
from sympy.logic.boolalg import Boolean

from theory import (
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    Exists,
    Flow,
    ForAll,
    HasPeriod,
    Map,
    Statement,
    gradient_descent,
    gradient_flow,
)

a, b, c, d, x, y, z, t, n, r, K, eta, beta = symbols("a b c d x y z t n r K eta beta")
x0, y0, u, v, u0, v0 = symbols("x0 y0 u v u0 v0")
R, P, NN = S.Reals, Interval.open(0, oo), Interval(0, oo)
UNIT, OPEN_UNIT = Interval(0, 1), Interval.open(0, 1)

TRUE: dict[str, Statement] = {}
FALSE: dict[str, Statement] = {}


def _add(
    store: dict[str, Statement], name: str, then: Boolean, domains: dict[Symbol, Set], *given: Boolean, **more: object
) -> None:
    if name in store:
        raise ValueError(f"two entries are called {name}")
    store[name] = Statement(id=f"corpus/{name}", variables=domains, given=given, then=then, **more)


def true(name: str, then: Boolean, domains: dict[Symbol, Set], *given: Boolean, **more: object) -> None:
    """Register a true statement."""
    _add(TRUE, name, then, domains, *given, **more)


def false(name: str, then: Boolean, domains: dict[Symbol, Set], *given: Boolean, **more: object) -> None:
    """Register a false statement."""
    _add(FALSE, name, then, domains, *given, **more)


def both(
    name: str, right: Boolean, wrong: Boolean, domains: dict[Symbol, Set], *given: Boolean, **more: object
) -> None:
    """Register a true statement and a false twin under the same hypotheses."""
    true(name, right, domains, *given, **more)
    false(name, wrong, domains, *given, **more)


# Polynomial inequalities ----------------------------------------------------------------------------------------------

RRR, PPP, RR, PP = {a: R, b: R, c: R}, {a: P, b: P, c: P}, {a: R, b: R}, {a: P, b: P}
both("square", a**2 + 1 > 2 * a - 1, a**2 + 1 > 2 * a, {a: R})
both("am-gm-2", (a + b) ** 2 >= 4 * a * b, (a + b) ** 2 > 4 * a * b, RR)
both("am-gm-3", a**3 + b**3 + c**3 >= 3 * a * b * c, a**3 + b**3 + c**3 >= 4 * a * b * c, PPP)
both(
    "cauchy",
    (a * x + b * y) ** 2 <= (a**2 + b**2) * (x**2 + y**2),
    (a * x + b * y) ** 2 < (a**2 + b**2) * (x**2 + y**2),
    {a: R, b: R, x: R, y: R},
)
both(
    "rearrangement",
    a**2 + b**2 + c**2 >= a * b + b * c + c * a,
    a**2 + b**2 + c**2 >= a * b + b * c + c * a + Rational(1, 100),
    RRR,
)
both(
    "nesbitt",
    a / (b + c) + b / (a + c) + c / (a + b) >= Rational(3, 2),
    a / (b + c) + b / (a + c) + c / (a + b) > Rational(3, 2),
    PPP,
)
both(
    "schur",
    a * (a - b) * (a - c) + b * (b - a) * (b - c) + c * (c - a) * (c - b) >= 0,
    a * (a - b) * (a - c) + b * (b - a) * (b - c) + c * (c - a) * (c - b) >= a * b * c / 100,
    PPP,
)
motzkin = x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2
both("motzkin", motzkin >= 0, motzkin > 0, {x: R, y: R})
robinson = x**6 + y**6 + 1 - (x**4 * y**2 + x**4 + y**4 * x**2 + y**4 + x**2 + y**2) + 3 * x**2 * y**2
both("robinson", robinson >= 0, robinson >= Rational(1, 10**6), {x: R, y: R})
choi_lam = 1 + x**2 * y**2 + y**2 * z**2 + z**2 * x**2 - 4 * x * y * z
both("choi-lam", choi_lam >= 0, choi_lam > 0, {x: R, y: R, z: R})
both("bernoulli-5", (1 + x) ** 5 >= 1 + 5 * x, (1 + x) ** 5 > 1 + 5 * x, {x: Interval(-1, oo)})
false("bernoulli-without-bound", (1 + x) ** 5 >= 1 + 5 * x, {x: R})
both("quartic-well", (x**2 - 1) ** 2 + x**2 / 100 > 0, (x**2 - 1) ** 2 + x**2 / 100 > Rational(1, 100), {x: R})
both("cubic-on-interval", x**3 - 3 * x + 2 >= 0, x**3 - 3 * x + 2 > 0, {x: Interval(-2, 2)})
both("power-mean", 2 * (a**4 + b**4) >= (a**2 + b**2) ** 2, 2 * (a**4 + b**4) >= (a + b) ** 4, RR)
both("triangle", Abs(a + b) <= Abs(a) + Abs(b), Abs(a + b) < Abs(a) + Abs(b), RR)
both("reverse-triangle", Abs(Abs(a) - Abs(b)) <= Abs(a - b), Abs(Abs(a) - Abs(b)) < Abs(a - b), RR)
both("max-plus-min", Eq(Max(a, b) + Min(a, b), a + b), Eq(Max(a, b) - Min(a, b), a - b), RR)
both("max-abs", Eq(Max(a, b), (a + b + Abs(a - b)) / 2), Eq(Max(a, b), (a + b - Abs(a - b)) / 2), RR)
both("sqrt-subadditive", sqrt(a + b) <= sqrt(a) + sqrt(b), sqrt(a + b) < sqrt(a) + sqrt(b), {a: NN, b: NN})
both("sqrt-tangent", sqrt(1 + x) <= 1 + x / 2, sqrt(1 + x) < 1 + x / 2, {x: Interval(-1, oo)})
both("sqrt-square", Eq(sqrt(x**2), Abs(x)), Eq(sqrt(x**2), x), {x: R})
both("gm-hm", sqrt(a * b) >= 2 * a * b / (a + b), sqrt(a * b) > 2 * a * b / (a + b), PP)
both("rational-bound", x / (1 + x**2) <= Rational(1, 2), x / (1 + x**2) < Rational(1, 2), {x: R})
both("reciprocal", a + 1 / a >= 2, a + 1 / a > 2, {a: P})
false("reciprocal-everywhere", a + 1 / a >= 2, {a: S.Reals - {0}})
both(
    "isoperimetric-box",
    (a * b * c) ** 2 <= ((a * b + b * c + c * a) / 3) ** 3,
    (a * b * c) ** 2 < ((a * b + b * c + c * a) / 3) ** 3,
    PPP,
)
both("unit-circle", x + y <= sqrt(2), x + y < sqrt(2), {x: R, y: R}, Eq(x**2 + y**2, 1))
both("unit-disc", x * y <= Rational(1, 2), x * y < Rational(1, 2), {x: R, y: R}, x**2 + y**2 <= 1)
both("open-disc", x * y < Rational(1, 2), x * y < Rational(49, 100), {x: R, y: R}, x**2 + y**2 < 1)
both("simplex-product", a * b * c <= Rational(1, 27), a * b * c < Rational(1, 27), PPP, Eq(a + b + c, 1))
both("hidden-equality", Eq(x, y), Eq(x, y + 1), {x: R, y: R}, (x - y) ** 2 <= 0)
both(
    "wilkinson",
    (x - 1) * (x - 2) * (x - 3) * (x - 4) * (x - 5) > 0,
    (x - 1) * (x - 2) * (x - 3) * (x - 4) * (x - 5) < 0,
    {x: Interval.open(5, 6)},
)
both(
    "cancellation",
    (10**8 * x - 1) ** 2 + Rational(1, 10**20) > 0,
    (10**8 * x - 1) ** 2 - Rational(1, 10**20) > 0,
    {x: R},
)
both("false-by-a-hair", x**2 - 2 * x + 1 + Rational(1, 10**12) > 0, x**2 - 2 * x + 1 - Rational(1, 10**12) > 0, {x: R})
both("by-1e-40", (x - 1) ** 2 + Rational(1, 10**40) > 0, (x - 1) ** 2 > Rational(1, 10**40), {x: UNIT})
both("only-on-a-curve", (x**2 + y**2 - 1) ** 2 >= 0, (x**2 + y**2 - 1) ** 2 > 0, {x: R, y: R})
both("implication", Implies(x > 2, x**2 > 4), Implies(x**2 > 4, x > 2), {x: R})
both("equivalence", Equivalent(x**2 < 1, And(x < 1, x > -1)), Equivalent(x**2 < 1, x < 1), {x: R})
both("disjunction", Or(x**2 >= 1, x < 1), Or(x**2 > 1, x < 1), {x: R})
both("integers", n * (n - 1) >= 0, n * (n - 1) > 0, {n: S.Integers})
false("reals-not-integers", x * (x - 1) >= 0, {x: R})
both("small-integers", 2**n >= n + 1, 2**n > n + 1, {n: S.Naturals0.intersect(Interval(0, 12))})
both("piecewise-relu", Piecewise((x, x > 0), (0, True)) >= x, Piecewise((x, x > 0), (0, True)) > x, {x: R})
both(
    "leaky-relu",
    Piecewise((x, x > 0), (x / 10, True)) <= Abs(x),
    Piecewise((x, x > 0), (x / 10, True)) < Abs(x),
    {x: R},
)
both(
    "huber",
    Piecewise((x**2 / 2, Abs(x) <= 1), (Abs(x) - Rational(1, 2), True)) <= x**2 / 2,
    Piecewise((x**2 / 2, Abs(x) <= 1), (Abs(x) - Rational(1, 2), True)) < x**2 / 2,
    {x: R},
)

# Identities -----------------------------------------------------------------------------------------------------------

both(
    "binomial-4",
    Eq((a + b) ** 4, a**4 + 4 * a**3 * b + 6 * a**2 * b**2 + 4 * a * b**3 + b**4),
    Eq((a + b) ** 4, a**4 + 4 * a**3 * b + 5 * a**2 * b**2 + 4 * a * b**3 + b**4),
    RR,
)
both(
    "brahmagupta",
    Eq((a**2 + b**2) * (x**2 + y**2), (a * x - b * y) ** 2 + (a * y + b * x) ** 2),
    Eq((a**2 + b**2) * (x**2 + y**2), (a * x + b * y) ** 2 + (a * y + b * x) ** 2),
    {a: R, b: R, x: R, y: R},
)
both(
    "difference-quotient",
    Eq((x**3 - y**3) / (x - y), x**2 + x * y + y**2),
    Eq((x**3 - y**3) / (x - y), x**2 - x * y + y**2),
    {x: R, y: R},
    Ne(x, y),
)
both(
    "partial-fractions", Eq(1 / (x * (x + 1)), 1 / x - 1 / (x + 1)), Eq(1 / (x * (x + 1)), 1 / x + 1 / (x + 1)), {x: P}
)
both(
    "nested-root",
    Eq(sqrt(3 + 2 * sqrt(2)) * x, (1 + sqrt(2)) * x),
    Eq(sqrt(3 + 2 * sqrt(2)) * x, (1 + sqrt(3)) * x),
    {x: R},
)
both("pythagoras", Eq(sin(x) ** 2 + cos(x) ** 2, 1), Eq(sin(x) ** 2 - cos(x) ** 2, 1), {x: R})
both("double-angle", Eq(sin(2 * x), 2 * sin(x) * cos(x)), Eq(sin(2 * x), 2 * sin(x)), {x: R})
both("triple-angle", Eq(cos(3 * x), 4 * cos(x) ** 3 - 3 * cos(x)), Eq(cos(3 * x), 4 * cos(x) ** 3 + 3 * cos(x)), {x: R})
both(
    "addition",
    Eq(sin(x + y), sin(x) * cos(y) + cos(x) * sin(y)),
    Eq(sin(x + y), sin(x) * cos(y) - cos(x) * sin(y)),
    {x: R, y: R},
)
both("hyperbolic", Eq(cosh(x) ** 2 - sinh(x) ** 2, 1), Eq(cosh(x) ** 2 + sinh(x) ** 2, 1), {x: R})
both("tanh-exp", Eq(tanh(x), (exp(2 * x) - 1) / (exp(2 * x) + 1)), Eq(tanh(x), (exp(x) - 1) / (exp(x) + 1)), {x: R})
both(
    "sigmoid-symmetry", Eq(1 / (1 + exp(-x)) + 1 / (1 + exp(x)), 1), Eq(1 / (1 + exp(-x)) - 1 / (1 + exp(x)), 1), {x: R}
)
both("exp-sum", Eq(exp(x + y), exp(x) * exp(y)), Eq(exp(x + y), exp(x) + exp(y)), {x: R, y: R})
both("log-product", Eq(log(x * y), log(x) + log(y)), Eq(log(x * y), log(x) * log(y)), {x: P, y: P})
f = Function("f")
both(
    "chain-rule",
    Eq(diff(f(x**2), x), 2 * x * diff(f(t), t).subs(t, x**2), evaluate=False),
    Eq(diff(f(x**2), x), x * diff(f(t), t).subs(t, x**2)),
    {x: R},
)

# Transcendental inequalities ------------------------------------------------------------------------------------------

both("exp-tangent", exp(x) >= 1 + x, exp(x) > 1 + x, {x: R})
both("exp-above-quadratic", exp(x) >= 1 + x + x**2 / 2, exp(x) >= 1 + x + x**2, {x: NN})
false("exp-above-quadratic-everywhere", exp(x) >= 1 + x + x**2 / 2, {x: R})
both("exp-limit-form", exp(x) >= (1 + x / 3) ** 3, exp(x) > (1 + x / 3) ** 3, {x: NN})
both("log-tangent", log(x) <= x - 1, log(x) < x - 1, {x: P})
both("log-two-sided", log(1 + x) >= x / (1 + x), log(1 + x) > x / (1 + x), {x: NN})
both("sin-below", sin(x) < x, sin(x) < x - x**3 / 6, {x: P})
both("sin-closed", sin(x) <= x, sin(x) < x, {x: NN})
both("sin-cubic", sin(x) >= x - x**3 / 6, sin(x) > x - x**3 / 6, {x: NN})
both("jordan", sin(x) >= 2 * x / pi, sin(x) > 2 * x / pi, {x: Interval(0, pi / 2)})
both("cos-quadratic", cos(x) >= 1 - x**2 / 2, cos(x) > 1 - x**2 / 2, {x: R})
both("tan-above", tan(x) > x, tan(x) > x + x**3, {x: Interval.open(0, pi / 2)})
both("tanh-below", tanh(x) < x, tanh(x) < x - x**3 / 3, {x: P})
both("tanh-bounded", tanh(x) ** 2 < 1, tanh(x) ** 2 < Rational(999, 1000), {x: R})
both("atan-below", atan(x) <= x, atan(x) < x, {x: NN})
both("atan-bound", atan(x) < pi / 2, atan(x) < Rational(157, 100), {x: R})
both("cosh-bound", cosh(x) <= exp(x**2 / 2), cosh(x) < exp(x**2 / 2), {x: R})
both("softplus-relu", log(1 + exp(x)) > Max(x, 0), log(1 + exp(x)) > Max(x, 0) + Rational(1, 10), {x: R})
both(
    "sigmoid-derivative",
    exp(x) / (1 + exp(x)) ** 2 <= Rational(1, 4),
    exp(x) / (1 + exp(x)) ** 2 < Rational(1, 4),
    {x: R},
)
both("x-exp-minus-x", x * exp(-x) <= exp(-1), x * exp(-x) < exp(-1), {x: R})
both("gauss-bound", x**2 * exp(-(x**2)) <= exp(-1), x**2 * exp(-(x**2)) <= Rational(36, 100), {x: R})
both(
    "entropy", -x * log(x) - (1 - x) * log(1 - x) <= log(2), -x * log(x) - (1 - x) * log(1 - x) < log(2), {x: OPEN_UNIT}
)
both(
    "pinsker",
    x * log(2 * x) + (1 - x) * log(2 * (1 - x)) >= 2 * (x - Rational(1, 2)) ** 2,
    x * log(2 * x) + (1 - x) * log(2 * (1 - x)) >= 3 * (x - Rational(1, 2)) ** 2,
    {x: OPEN_UNIT},
)
both(
    "exp-quadratic-interval",
    exp(x) - 1 - x - x**2 / 2 <= Rational(22, 100),
    exp(x) - 1 - x - x**2 / 2 <= Rational(21, 100),
    {x: UNIT},
)
both("sin-of-square", sin(x**2) <= x**2, sin(x**2) < x**2, {x: R})
both("two-variable-exp", exp(x * y) >= 1 + x * y, exp(x * y) > 1 + x * y, {x: UNIT, y: UNIT})
both("log-mean", log(x) - log(y) <= (x - y) / y, log(x) - log(y) < (x - y) / y, {x: Interval(1, 2), y: Interval(1, 2)})
both("lambert", LambertW(x) <= x, LambertW(x) < x, {x: Interval(0, 3)})
both("asin-acos", asin(x) + acos(x) > Rational(157, 100), asin(x) + acos(x) > Rational(158, 100), {x: UNIT})
both("pi-22-7", pi * x < Rational(22, 7) * x, pi * x < Rational(314, 100) * x, {x: P})
both("sinh-above", sinh(x) >= x + x**3 / 6, sinh(x) >= x + x**3 / 5, {x: NN})
both("sqrt-exp", sqrt(x) * exp(-x) < Rational(43, 100), sqrt(x) * exp(-x) < Rational(42, 100), {x: NN})

# Existence ------------------------------------------------------------------------------------------------------------

both("root-of-cos", Exists(x, UNIT, Eq(cos(x), x)), Exists(x, Interval(0, Rational(1, 2)), Eq(cos(x), x)), {a: UNIT})
both("parametric-root", Exists(x, UNIT, Eq(x**3 + a * x, 1)), Exists(x, UNIT, Eq(x**3 + a * x, 3)), {a: UNIT})
both("for-all-inside", ForAll(y, UNIT, x + y < 3), ForAll(y, UNIT, x + y < 2), {x: UNIT})

# Invariants and trajectories of maps ----------------------------------------------------------------------------------

logistic = Map((x,), (r * x * (1 - x),))
both(
    "logistic-stays",
    Always(And(x >= 0, x <= 1)),
    Always(x <= Rational(9, 10)),
    {r: Interval(0, 4), x0: UNIT},
    dynamics=logistic,
    start={x: x0},
)
false(
    "logistic-leaves",
    Always(And(x >= 0, x <= 1)),
    {r: Interval(0, Rational(401, 100)), x0: UNIT},
    dynamics=logistic,
    start={x: x0},
)
both(
    "logistic-dies",
    ConvergesTo(x, 0),
    ConvergesTo(x, 1),
    {r: Interval(0, Rational(9, 10)), x0: UNIT},
    dynamics=logistic,
    start={x: x0},
)
both(
    "linear-contraction",
    ConvergesTo(x, 0),
    ConvergesTo(x, 1),
    {a: Interval.open(-1, 1), x0: R},
    dynamics=Map((x,), (a * x,)),
    start={x: x0},
)
false(
    "linear-boundary", ConvergesTo(x, 0), {a: Interval.Lopen(-1, 1), x0: R}, dynamics=Map((x,), (a * x,)), start={x: x0}
)
both("affine", ConvergesTo(x, 2), ConvergesTo(x, 1), {x0: R}, dynamics=Map((x,), (x / 2 + 1,)), start={x: x0})
quadratic_step = gradient_descent(x**2 / 2, x, eta)
both(
    "descent-shrinks",
    Always(Abs(x) <= Abs(x0)),
    Always(Abs(x) < Abs(x0)),
    {eta: Interval.open(0, 2), x0: R},
    dynamics=quadratic_step,
    start={x: x0},
)
both(
    "descent-positive",
    Always(x > 0),
    Always(x > Rational(1, 10)),
    {eta: OPEN_UNIT, x0: Interval(1, 2)},
    dynamics=quadratic_step,
    start={x: x0},
)
both(
    "descent-converges",
    ConvergesTo(x, 0),
    ConvergesTo(x, 1),
    {eta: Interval.open(0, 2), x0: R},
    dynamics=quadratic_step,
    start={x: x0},
)
false(
    "descent-too-fast",
    ConvergesTo(x, 0),
    {eta: Interval(0, 2), x0: Interval(1, 2)},
    dynamics=quadratic_step,
    start={x: x0},
)
both(
    "rotation-conserves",
    Always(Eq(x**2 + y**2, x0**2 + y0**2)),
    Always(Eq(x + y, x0 + y0)),
    {x0: R, y0: R},
    dynamics=Map((x, y), (Rational(3, 5) * x - Rational(4, 5) * y, Rational(4, 5) * x + Rational(3, 5) * y)),
    start={x: x0, y: y0},
)
both("counter", Always(x >= x0), Always(x <= x0 + 1000), {x0: R}, dynamics=Map((x,), (x + 1,)), start={x: x0})
both("swap-period", HasPeriod(2), HasPeriod(1), {x0: Interval(2, 3)}, dynamics=Map((x,), (1 / x,)), start={x: x0})
both(
    "babylonian",
    Always(x >= sqrt(2)),
    Always(x > Rational(3, 2)),
    {x0: Interval(2, 3)},
    dynamics=Map((x,), ((x + 2 / x) / 2,)),
    start={x: x0},
)
both(
    "eventually-small",
    Eventually(x < Rational(1, 100)),
    Eventually(x < 0),
    {x0: Interval(1, 2)},
    dynamics=Map((x,), (x / 2,)),
    start={x: x0},
)
both(
    "slow-growth",
    Always(x <= 2 * x0),
    Always(x <= Rational(3, 2) * x0),
    {x0: Interval(1, 2)},
    dynamics=Map((x,), (x / 2 + x0,)),
    start={x: x0},
)
false("after-many-steps", Always(x < 10000), {x0: UNIT}, dynamics=Map((x,), (x + Rational(1, 10),)), start={x: x0})
period_three = Map((x,), (Rational(383, 100) * x * (1 - x),))
true("period-three-window-stays", Always(And(x >= 0, x <= 1)), {x0: UNIT}, dynamics=period_three, start={x: x0})
false(
    "period-three-no-fixed-limit",
    ConvergesTo(x, 1 - Rational(100, 383)),
    {x0: Interval(Rational(1, 10), Rational(1, 5))},
    dynamics=period_three,
    start={x: x0},
)

# Flows ----------------------------------------------------------------------------------------------------------------

balanced = gradient_flow((u * v - 1) ** 2 / 2, (u, v))
both(
    "balance",
    Always(Eq(u**2 - v**2, u0**2 - v0**2)),
    Always(Eq(u**2 + v**2, u0**2 + v0**2)),
    {u0: R, v0: R},
    dynamics=balanced,
    start={u: u0, v: v0},
)
both("decay", Decreasing(x), Decreasing(-x), {x0: P}, dynamics=Flow((x,), (-x,)), start={x: x0})
false("decay-at-zero", Decreasing(x), {x0: NN}, dynamics=Flow((x,), (-x,)), start={x: x0})
both("flow-positive", Always(x > 0), Always(x > 1), {x0: Interval(2, 3)}, dynamics=Flow((x,), (-x,)), start={x: x0})
both(
    "logistic-flow",
    Always(And(x > 0, x < 1)),
    Always(x < Rational(9, 10)),
    {x0: Interval(Rational(1, 10), Rational(1, 2))},
    dynamics=Flow((x,), (x * (1 - x),)),
    start={x: x0},
)
both(
    "logistic-flow-limit",
    ConvergesTo(x, 1),
    ConvergesTo(x, 0),
    {x0: P},
    dynamics=Flow((x,), (x * (1 - x),)),
    start={x: x0},
)
both(
    "oscillator",
    Always(Eq(x**2 + y**2, x0**2 + y0**2)),
    Always(Eq(x**2 - y**2, x0**2 - y0**2)),
    {x0: R, y0: R},
    dynamics=Flow((x, y), (y, -x)),
    start={x: x0, y: y0},
)
both(
    "loss-decreases",
    Always((x**2 - 1) ** 2 <= (x0**2 - 1) ** 2),
    Always((x**2 - 1) ** 2 < (x0**2 - 1) ** 2),
    {x0: R},
    dynamics=gradient_flow((x**2 - 1) ** 2 / 4, x),
    start={x: x0},
)
both(
    "linear-flow",
    ConvergesTo((x, y), (0, 0)),
    ConvergesTo((x, y), (1, 0)),
    {x0: R, y0: R},
    dynamics=Flow((x, y), (-x + y, -y)),
    start={x: x0, y: y0},
)
false("saddle-flow", ConvergesTo((x, y), (0, 0)), {x0: R, y0: R}, dynamics=Flow((x, y), (-x, y)), start={x: x0, y: y0})

# Stability claims -----------------------------------------------------------------------------------------------------


def stable(map_: Map, point: Expr) -> Boolean:
    """The fixed point of a one-dimensional map attracts to first order."""
    slope = map_.jacobian[0].subs(map_.state[0], point)
    return And(slope > -1, slope < 1)


true("logistic-first-window", stable(logistic, 1 - 1 / r), {r: Interval.open(1, 3)})
false("logistic-window-too-wide", stable(logistic, 1 - 1 / r), {r: Interval.open(1, Rational(301, 100))})
both(
    "edge-of-stability",
    Equivalent(stable(gradient_descent(b * x**2 / 2, x, eta), S.Zero), eta * b < 2),
    Equivalent(stable(gradient_descent(b * x**2 / 2, x, eta), S.Zero), eta * b < 1),
    {b: P, eta: P},
)
quartic_step = gradient_descent((x**2 - 1) ** 2 / 4, x, K)
both(
    "quartic-edge",
    Equivalent(stable(quartic_step, S.One), K < 1),
    Equivalent(stable(quartic_step, S.One), K < 2),
    {K: P},
)
true("no-two-cycle-below-the-edge", Ne(quartic_step.two_step().update[0], x), {K: OPEN_UNIT, x: OPEN_UNIT})
false(
    "two-cycle-above-the-edge",
    Ne(quartic_step.two_step().update[0], x),
    {K: Interval.open(1, Rational(3, 2)), x: OPEN_UNIT},
)
both(
    "jury",
    Equivalent(And(1 + a + b > 0, 1 - a + b > 0, b < 1), And(Abs(a) < 1 + b, b < 1)),
    Equivalent(And(1 + a + b > 0, 1 - a + b > 0, b < 1), Abs(a) < 1 + b),
    RR,
)
both(
    "hurwitz",
    Implies(And(a > 0, b > 0), Eq(Max(-a, -b), -Min(a, b))),
    Implies(And(a > 0, b > 0), Eq(Max(-a, -b), Min(a, b))),
    RR,
)

# More of each kind ----------------------------------------------------------------------------------------------------

both("young", a * b <= a**2 / (2 * t) + t * b**2 / 2, a * b < a**2 / (2 * t) + t * b**2 / 2, {a: R, b: R, t: P})
both("convex-quartic", ((a + b) / 2) ** 4 <= (a**4 + b**4) / 2, ((a + b) / 2) ** 4 < (a**4 + b**4) / 2, RR)
both("positive-form", 2 * a**2 - 3 * a * b + 2 * b**2 >= 0, 2 * a**2 - 5 * a * b + 2 * b**2 >= 0, RR)
both("form-in-three", a**2 + b**2 + c**2 - a * b - b * c >= 0, a**2 + b**2 + c**2 - a * b - 2 * b * c >= 0, RRR)
both(
    "chebyshev-sum",
    2 * (a * x + b * y) >= (a + b) * (x + y),
    2 * (a * x + b * y) <= (a + b) * (x + y),
    {a: R, b: R, x: R, y: R},
    a >= b,
    x >= y,
)
both("box-corner", (1 - x) * (1 - y) >= 0, (1 - x) * (1 - y) > 0, {x: UNIT, y: UNIT})
both("bilinear-box", x + y - x * y <= 1, x + y - x * y < 1, {x: UNIT, y: UNIT})
both("hessian-of-bilinear", (x**2 + y**2) ** 2 >= 4 * x**2 * y**2, (x**2 + y**2) ** 2 >= 5 * x**2 * y**2, {x: R, y: R})
both("sharpness-of-minimum", x**2 + y**2 >= 2, x**2 + y**2 > 2, {x: P, y: P}, Eq(x * y, 1))
both("loss-at-step", (1 - eta) ** 2 <= 1, (1 - eta) ** 2 < 1, {eta: Interval(0, 2)})
both("polyak", (1 - eta * a) ** 2 <= 1 - eta * a, (1 - eta * a) ** 2 < 1 - eta * a, {eta: UNIT, a: UNIT})
both("smoothness", a * (x - y) ** 2 / 2 >= 0, a * (x - y) ** 2 / 2 > 0, {a: P, x: R, y: R})
both("cube-root", x ** Rational(1, 3) <= 1 + (x - 1) / 3, x ** Rational(1, 3) < 1 + (x - 1) / 3, {x: NN})
both(
    "distance",
    sqrt((a - x) ** 2 + (b - y) ** 2) >= Abs(a - x),
    sqrt((a - x) ** 2 + (b - y) ** 2) > Abs(a - x),
    {a: R, b: R, x: R, y: R},
)
both(
    "mediant",
    And(a / b <= (a + x) / (b + y), (a + x) / (b + y) <= x / y),
    And(a / b < (a + x) / (b + y), (a + x) / (b + y) < x / y),
    {a: P, b: P, x: P, y: P},
    a * y <= x * b,
)
both("clipping", Max(Min(x, 1), 0) <= 1, Max(Min(x, 1), 0) < 1, {x: R})
both(
    "soft-threshold",
    Abs(Max(x - 1, 0) - Max(-x - 1, 0)) <= Abs(x),
    Abs(Max(x - 1, 0) - Max(-x - 1, 0)) < Abs(x),
    {x: R},
)
both(
    "telescoping",
    Eq(1 / (x + 1) - 1 / (x + 2), 1 / ((x + 1) * (x + 2))),
    Eq(1 / (x + 1) - 1 / (x + 2), 1 / ((x + 1) ** 2)),
    {x: P},
)
both(
    "sum-of-cubes",
    Eq(a**3 + b**3, (a + b) * (a**2 - a * b + b**2)),
    Eq(a**3 + b**3, (a + b) * (a**2 + a * b + b**2)),
    RR,
)
both(
    "vandermonde",
    Eq((b - a) * (c - a) * (c - b), b * c**2 - b**2 * c - a * c**2 + a**2 * c + a * b**2 - a**2 * b),
    Eq((b - a) * (c - a) * (c - b), b * c**2 - b**2 * c),
    RRR,
)
both("half-angle", Eq(1 - cos(x), 2 * sin(x / 2) ** 2), Eq(1 - cos(x), sin(x / 2) ** 2), {x: R})
both("log-power", Eq(log(x**3), 3 * log(x)), Eq(log(x**3), log(x) ** 3), {x: P})
both(
    "sech-derivative",
    Eq(diff(tanh(x), x), 1 - tanh(x) ** 2, evaluate=False),
    Eq(diff(tanh(x), x), 1 + tanh(x) ** 2),
    {x: R},
)
both(
    "exp-convex",
    exp((x + y) / 2) <= (exp(x) + exp(y)) / 2,
    exp((x + y) / 2) < (exp(x) + exp(y)) / 2,
    {x: Interval(-2, 2), y: Interval(-2, 2)},
)
both(
    "log-concave",
    log((x + y) / 2) >= (log(x) + log(y)) / 2,
    log((x + y) / 2) > (log(x) + log(y)) / 2,
    {x: Interval(1, 3), y: Interval(1, 3)},
)
both("exp-beats-cube", exp(x) > x**3 / 6, exp(x) > x**3, {x: NN})
both("log-below-root", log(x) < sqrt(x), log(x) < sqrt(x) / 2, {x: P})
both("sin-lipschitz", Abs(sin(x) - sin(y)) <= 2, Abs(sin(x) - sin(y)) < 2, {x: Interval(-2, 2), y: Interval(-2, 2)})
both("tanh-odd-part", tanh(x) * x >= 0, tanh(x) * x > 0, {x: R})
both("mish-bound", x * tanh(log(1 + exp(x))) <= Max(x, 0), x * tanh(log(1 + exp(x))) <= x, {x: Interval(-5, 5)})
both("swish-lower", x / (1 + exp(-x)) > Rational(-3, 10), x / (1 + exp(-x)) > Rational(-1, 4), {x: R})
both("gradient-of-log-loss", 1 / (1 + exp(x)) > 0, 1 / (1 + exp(x)) > Rational(1, 1000), {x: R})
both(
    "momentum-energy",
    ConvergesTo((x, y), (0, 0)),
    ConvergesTo((x, y), (0, 1)),
    {x0: R, y0: R},
    dynamics=Map((x, y), (y, y - x / 4)),
    start={x: x0, y: y0},
)
both("halving", Always(x <= x0), Always(x < x0), {x0: P}, dynamics=Map((x,), (x / 2,)), start={x: x0})
both("cubic-flow", ConvergesTo(x, 0), ConvergesTo(x, 1), {x0: R}, dynamics=Flow((x,), (-(x**3),)), start={x: x0})
