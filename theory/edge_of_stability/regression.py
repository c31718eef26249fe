"""Section 3.4.1, squared loss on a base model g: Propositions 1 and 2 and Corollaries 2 to 8.

"Allows stable oscillation around the minimum" is Definition 2: points near the minimum lie on 2-cycles, at rates beyond
the edge of stability. The conditions are those of Theorem 3.1, or of Lemma 3.2 with k = 4, where g(x) = y.
"""

from collections.abc import Callable

from sympy import (
    And,
    Eq,
    Equivalent,
    Expr,
    FiniteSet,
    Function,
    Interval,
    Ne,
    Or,
    Range,
    S,
    Set,
    Symbol,
    atanh,
    cos,
    exp,
    log,
    oo,
    sech,
    sin,
    tanh,
)
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.edge_of_stability._display import display
from theory.edge_of_stability._paper import paper
from theory.edge_of_stability.one_dimensional import NONZERO, allows_oscillation, taylor, x
from theory.scope import Scope, case, own, part, whole
from theory.statements import Statement

section = paper.section(steps=whole())

y = Symbol("y")
g0, g1, g2, g3, g4 = (Symbol(f"g_{order}") for order in range(5))
p1, p2, p3, q1, q2, q3 = (Symbol(f"{name}_{order}") for name in "pq" for order in (1, 2, 3))
alpha = Symbol("alpha")
JET = {g0: S.Reals, g1: S.Reals, g2: S.Reals, g3: S.Reals, g4: S.Reals, y: S.Reals}


def loss_derivative(order: int) -> Expr:
    """A derivative of (g(x) - y)^2 in terms of the derivatives of an arbitrary g.

    >>> loss_derivative(1)
    2*g_1*(g_0 - y)
    """
    model = Function("g")(x)
    derived = ((model - y) ** 2).diff(x, order)
    for number, symbol in reversed(list(enumerate((g0, g1, g2, g3, g4)))):
        derived = derived.subs(model.diff(x, number) if number else model, symbol)
    return derived


def by_either(second: Expr, third: Expr, fourth: Expr) -> Boolean:
    """Theorem 3.1, or Lemma 3.2 with k = 4, applies to a minimum with these derivatives."""
    by_theorem = And(Ne(third, 0), 3 * third**2 - second * fourth > 0)
    by_lemma = And(Eq(third, 0), fourth < 0)
    return And(second > 0, Or(by_theorem, by_lemma))


def oscillates(second: Expr, third: Expr, fourth: Expr) -> Boolean:
    """The same in one inequality: where the third derivative is 0, condition (ii) says that the fourth is negative."""
    return And(second > 0, 3 * third**2 - second * fourth > 0)


def conditions(model: Expr) -> Boolean:
    """Conditions (i) and (ii) of Proposition 1 on a base model in x."""
    first, second, third = (model.diff(x, order) for order in (1, 2, 3))
    return And(Ne(first, 0), first * third < 6 * second**2)


def condition_two(model: Expr) -> Expr:
    """g' g''' - 6 g''^2, which condition (ii) wants negative."""
    return model.diff(x) * model.diff(x, 3) - 6 * model.diff(x, 2) ** 2


# Proposition 1 ------------------------------------------------------------------------------------------------------


@paper.statement(
    "proposition-1",
    "Squared loss on a model with g' != 0 and g' g''' < 6 g''^2 allows stable oscillation",
    scope=whole(),
)
def proposition_1() -> Statement:
    return Statement(
        variables=JET,
        given=(Eq(g0, y), Ne(g1, 0), g1 * g3 < 6 * g2**2),
        then=by_either(*(loss_derivative(order) for order in (2, 3, 4))),
    )


@section.step("proposition-1", "b.10", "Second derivative of the loss", equations=("B.10",))
def step_b10() -> Statement:
    return display(JET, {"f_2": (loss_derivative(2), 2 * (g0 - y) * g2 + 2 * g1**2)})


@section.step("proposition-1", "b.11", "Third derivative of the loss", equations=("B.11",))
def step_b11() -> Statement:
    return display(JET, {"f_3": (loss_derivative(3), 2 * (g0 - y) * g3 + 6 * g2 * g1)})


@section.step("proposition-1", "b.12", "Fourth derivative of the loss", equations=("B.12",))
def step_b12() -> Statement:
    return display(JET, {"f_4": (loss_derivative(4), 2 * (g0 - y) * g4 + 6 * g2**2 + 8 * g1 * g3)})


@section.step("proposition-1", "b.13", "Condition (ii) of Theorem 3.1 at the minimum", equations=("B.13",))
def step_b13() -> Statement:
    second, third, fourth = (loss_derivative(order) for order in (2, 3, 4))
    printed = 36 * g2**2 * g1**2 / (2 * g1**2) - (6 * g2**2 + 8 * g1 * g3) / 3
    return Statement(
        variables=JET,
        given=(Eq(g0, y), Ne(g1, 0)),
        then=Equivalent(3 * third**2 - second * fourth > 0, printed > 0),
        uses=("b.10", "b.11", "b.12"),
    )


@section.step("proposition-1", "b.14", "It is the condition on the base model", equations=("B.14",))
def step_b14() -> Statement:
    printed = 36 * g2**2 * g1**2 / (2 * g1**2) - (6 * g2**2 + 8 * g1 * g3) / 3
    return Statement(
        variables={g1: NONZERO, g2: S.Reals, g3: S.Reals},
        then=Equivalent(printed > 0, 6 * g2**2 > g1 * g3),
    )


@section.step(
    "proposition-1",
    "p2",
    "3 f'''^2 - f'' f'''' as a multiple of 6 g''^2 - g' g'''",
    scope=own("the identity behind (B.13) and (B.14)"),
)
def step_p2() -> Statement:
    second, third, fourth = (loss_derivative(order) for order in (2, 3, 4))
    return Statement(
        variables=JET,
        given=(Eq(g0, y),),
        then=Eq(3 * third**2 - second * fourth, 16 * g1**2 * (6 * g2**2 - g1 * g3)),
    )


# Corollaries 2 to 8 -------------------------------------------------------------------------------------------------


CONDITION = part("that Theorem 3.1 or Lemma 3.2 applies; the oscillation is left to them")
minimum = Symbol("xbar")


def _corollary(
    number: str, title: str, model: Expr, at: tuple[dict[Symbol, Set], Expr, Expr], domain: Set, note: str = "",
    condition: Scope = CONDITION,
) -> None:  # fmt: skip
    """Register that the squared loss on a model allows stable oscillation, and that Proposition 1 applies to it.

    `at` has the variables, the target and the minimiser; the condition is about the minimisers in a domain.
    """

    @paper.statement(number, title, scope=whole())
    def corollary() -> Statement:
        variables, target, place = at
        curvature = (2 * model.diff(x) ** 2).subs(x, place)
        return Statement(variables=variables, then=allows_oscillation((model - target) ** 2, x, place, curvature))

    of_it = f"The condition for it: {title[0].lower()}{title[1:]}"
    _condition(number, f"{number}.condition", of_it, model, domain, note, scope=condition)


def _condition(
    of: str, number: str, title: str, model: Expr, domain: Set, note: str = "", *, scope: Scope = CONDITION,
    steps: Scope | None = None,
) -> None:  # fmt: skip
    """Register that Theorem 3.1 or Lemma 3.2 applies to the squared loss on a model, and what Proposition 1 asks."""

    @paper.statement(number, title, scope=scope)
    def applies() -> Statement:
        derivatives = [((model - y) ** 2).diff(x, order).subs(y, model) for order in (2, 3, 4)]
        return about(oscillates(*derivatives))

    @section.step(of, "i-ii", "Conditions (i) and (ii) of Proposition 1", scope=steps)
    def step() -> Statement:
        return about(conditions(model))

    def about(claim: Boolean) -> Statement:
        if not model.has(alpha):
            return Statement(variables={x: domain}, then=claim, notes=note)
        variables = {**_variables(model, domain), power: NONZERO}
        return Statement(variables=variables, then=claim.subs(monomial, power), notes=note)


def _variables(model: Expr, domain: Set) -> dict[Symbol, Set]:
    return {x: domain, alpha: Range(2, oo)} if model.has(alpha) else {x: domain}


def _display(
    number: str,
    tag: str,
    title: str,
    domain: Set,
    sides: Callable[[], tuple[Expr, Expr]],
    scope: Scope | None = None,
) -> None:
    """Register a displayed equality of a corollary's proof: what is derived, and what is printed."""

    @section.step(number, tag, title, scope=scope)
    def step() -> Statement:
        derived, printed = sides()
        return display(_variables(derived, domain), {"g": (derived, printed)})


sigmoid = 1 / (1 + exp(-x))
softplus = log(1 + exp(x))
gaussian = exp(-(x**2))
monomial, power = x**alpha, Symbol("p")
QUARTER_TURN = Interval.open(-S.Pi / 2, S.Pi / 2)

_corollary(
    "corollary-2", "The square allows stable oscillation for the target 1", x**2, ({}, S.One, S.One), FiniteSet(1)
)
_corollary(
    "corollary-3",
    "The sine allows stable oscillation for targets in (-1, 1)",
    sin(x),
    ({minimum: QUARTER_TURN}, sin(minimum), minimum),
    QUARTER_TURN,
)
_display(
    "corollary-3", "c3", "Condition (ii) for the sine", QUARTER_TURN,
    lambda: (condition_two(sin(x)), -(cos(x) ** 2) - 6 * sin(x) ** 2),
)  # fmt: skip
_corollary(
    "corollary-4",
    "The hyperbolic tangent allows stable oscillation for targets in (-1, 1)",
    tanh(x),
    ({y: Interval.open(-1, 1)}, y, atanh(y)),
    S.Reals,
)
_display(
    "corollary-4", "c4", "Third derivative of the hyperbolic tangent", S.Reals,
    lambda: (tanh(x).diff(x, 3), -2 * sech(x) ** 4 + 4 * sech(x) ** 2 * tanh(x) ** 2),
)  # fmt: skip
_display(
    "corollary-4", "c4.a", "Condition (ii) for the hyperbolic tangent", S.Reals,
    lambda: (condition_two(tanh(x)), -2 * sech(x) ** 6 - 20 * sech(x) ** 4 * tanh(x) ** 2),
)  # fmt: skip
_corollary(
    "corollary-5",
    "Monomials allow stable oscillation for every target but 0",
    monomial,
    ({minimum: NONZERO, alpha: Range(2, oo)}, minimum**alpha, minimum),
    NONZERO,
    "p is x^alpha, of which only p != 0 is used: every derivative is p times a rational function of x and alpha.",
    part("that Theorem 3.1 or Lemma 3.2 applies, with any p != 0 in place of x^alpha, which says more"),
)


@paper.statement(
    "corollary-5.unit",
    "Monomials allow stable oscillation for the target 1",
    scope=case("y = 1, to which x / xbar and eta y^2 / xbar^2 as units lead"),
)
def corollary_5_unit() -> Statement:
    claim = allows_oscillation((monomial - 1) ** 2, x, S.One, 2 * alpha**2)
    return Statement(variables={alpha: Range(2, oo)}, then=claim)


_display(
    "corollary-5", "c5", "Condition (ii) for a monomial", POSITIVE,
    lambda: (condition_two(monomial), alpha**2 * (alpha - 1) * (4 - 5 * alpha) * x ** (2 * alpha - 4)),
    case("x > 0"),
)  # fmt: skip


@section.step(
    "corollary-5",
    "c5.a",
    "The sign of condition (ii) for a monomial, with x^(alpha - 2) as a variable",
    scope=own("the sign with x^(alpha - 2) as a variable, for real alpha"),
)
def step_c5_a() -> Statement:
    first, second, third = alpha * power * x, alpha * (alpha - 1) * power, alpha * (alpha - 1) * (alpha - 2) * power / x
    return Statement(
        variables={x: NONZERO, power: NONZERO, alpha: Interval(2, oo)},
        then=And(Ne(first, 0), first * third - 6 * second**2 < 0),
    )


_corollary(
    "corollary-6",
    "The exponential allows stable oscillation for positive targets",
    exp(x),
    ({y: POSITIVE}, y, log(y)),
    S.Reals,
)
_corollary(
    "corollary-7",
    "The logarithm allows stable oscillation for every target",
    log(x),
    ({minimum: POSITIVE}, log(minimum), minimum),
    POSITIVE,
)
_display("corollary-7", "c7", "Third derivative of the logarithm", POSITIVE, lambda: (log(x).diff(x, 3), -2 / x**3))
_display(
    "corollary-7", "c7.corrected", "Third derivative of the logarithm, with its sign", POSITIVE,
    lambda: (log(x).diff(x, 3), 2 / x**3),
)  # fmt: skip
_corollary(
    "corollary-8",
    "The sigmoid allows stable oscillation for targets in (0, 1)",
    sigmoid,
    ({y: Interval.open(0, 1)}, y, log(y / (1 - y))),
    S.Reals,
)
_display(
    "corollary-8", "c8", "Second derivative of the sigmoid", S.Reals,
    lambda: (sigmoid.diff(x, 2), -exp(x) * (exp(x) - 1) / (exp(x) + 1) ** 3),
)  # fmt: skip
_display(
    "corollary-8", "c8.a", "Third derivative of the sigmoid", S.Reals,
    lambda: (sigmoid.diff(x, 3), exp(x) * (exp(2 * x) - 4 * exp(x) + 1) / (exp(x) + 1) ** 4),
)  # fmt: skip


@section.step("corollary-8", "c8.b", "The sign of condition (ii) for the sigmoid")
def step_c8_b() -> Statement:
    printed = exp(2 * x) - 4 * exp(x) + 1 - 6 * (exp(x) - 1) ** 2
    return Statement(variables={x: S.Reals}, then=And(Equivalent(condition_two(sigmoid) < 0, printed < 0), printed < 0))


UNPROVED = own("the print names the function and gives no proof")
_condition(
    "claim-3.4.softplus",
    "claim-3.4.softplus",
    "The softplus allows stable oscillation for positive targets",
    softplus,
    S.Reals,
    steps=UNPROVED,
)
_condition(
    "claim-3.4.gaussian",
    "claim-3.4.gaussian",
    "The Gaussian allows stable oscillation for targets in (0, 1)",
    gaussian,
    NONZERO,
    steps=UNPROVED,
)


# Proposition 2 ------------------------------------------------------------------------------------------------------

SIX = dict.fromkeys((p1, p2, p3, q1, q2, q3), S.Reals)


def composed() -> tuple[Expr, Expr, Expr]:
    """The first three derivatives of q(p(x)) from those of p and q.

    >>> composed()[1]
    p_1**2*q_2 + p_2*q_1
    """
    inner = taylor({1: p1, 2: p2, 3: p3}, x)
    chain = taylor({1: q1, 2: q2, 3: q3}, y).subs(y, inner)
    first, second, third = (chain.diff(x, order).subs(x, 0).expand() for order in (1, 2, 3))
    return first, second, third


def _given() -> tuple[Boolean, ...]:
    return (Ne(p1, 0), Ne(q1, 0), p1 * p3 < 6 * p2**2, q1 * q3 < 6 * q2**2)


@paper.statement(
    "proposition-2", "The conditions of Proposition 1 pass from p and q to their composition", scope=whole()
)
def proposition_2() -> Statement:
    first, second, third = composed()
    return Statement(variables=SIX, given=_given(), then=And(Ne(first, 0), first * third < 6 * second**2))


@paper.statement("proposition-2.corrected", "They do when q' q'' p'' is not negative")
def proposition_2_corrected() -> Statement:
    first, second, third = composed()
    return Statement(
        variables=SIX,
        given=(*_given(), q1 * q2 * p2 >= 0),
        then=And(Ne(first, 0), first * third < 6 * second**2),
    )


@section.step("proposition-2", "c1", "Chain rule for the first three derivatives")
def step_c1() -> Statement:
    first, second, third = composed()
    return display(
        SIX,
        {
            "F_1": (first, q1 * p1),
            "F_2": (second, q2 * p1**2 + q1 * p2),
            "F_3": (third, q3 * p1**3 + 3 * q2 * p1 * p2 + q1 * p3),
        },
    )


@section.step("proposition-2", "c2", "Upper bound on condition (ii) of the composition")
def step_c2() -> Statement:
    first, second, third = composed()
    return Statement(
        variables=SIX, given=_given(), then=first * third - 6 * second**2 <= -9 * q1 * q2 * p1**2 * p2, uses=("c1",)
    )


HATS = [Symbol(f"{name}hat_{order}") for name in "pq" for order in (1, 2, 3)]


def mirrored() -> tuple[Boolean, ...]:
    """The derivatives of -p(x) and q(-y) at the mirrored point, as definitions of the symbols with a hat."""
    inner = -taylor({1: p1, 2: p2, 3: p3}, x)
    outer = taylor({1: q1, 2: q2, 3: q3}, y).subs(y, -y)
    derived = [inner.diff(x, order).subs(x, 0) for order in (1, 2, 3)]
    derived += [outer.diff(y, order).subs(y, 0) for order in (1, 2, 3)]
    return tuple(Eq(hat, value) for hat, value in zip(HATS, derived, strict=True))


def _about_mirrored(conclusion: Boolean, *given: Boolean) -> Statement:
    return Statement(variables={**SIX, **dict.fromkeys(HATS, S.Reals)}, given=(*mirrored(), *given), then=conclusion)


@section.step(
    "proposition-2",
    "c3",
    "Derivatives of the mirrored pair -p(x), q(-y)",
    scope=part("assumed as what the mirrored functions are; the chain rule is not stated"),
)
def step_c3() -> Statement:
    P1, P2, P3, Q1, Q2, Q3 = HATS
    return _about_mirrored(And(Eq(Q1, -q1), Eq(Q2, q2), Eq(Q3, -q3), Eq(P1, -p1), Eq(P2, -p2), Eq(P3, -p3)))


@section.step("proposition-2", "c3.a", "The mirrored pair satisfies the conditions of Proposition 1")
def step_c3_a() -> Statement:
    P1, P2, P3, Q1, Q2, Q3 = HATS
    return _about_mirrored(And(Ne(P1, 0), Ne(Q1, 0), P1 * P3 < 6 * P2**2, Q1 * Q3 < 6 * Q2**2), *_given())


@section.step("proposition-2", "c4", "Mirroring changes the sign of q' q'' p''")
def step_c4() -> Statement:
    _, P2, _, Q1, Q2, _ = HATS
    return _about_mirrored(Eq(Q1 * Q2 * P2, -q1 * q2 * p2))


@section.step("proposition-2", "c4.corrected", "Mirroring leaves q' q'' p'' as it is")
def step_c4_corrected() -> Statement:
    _, P2, _, Q1, Q2, _ = HATS
    return _about_mirrored(Eq(Q1 * Q2 * P2, q1 * q2 * p2))
