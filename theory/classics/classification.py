"""Chapter 5: logistic, exponential and hinge losses, softmax, margins."""

from typing import Any

from sympy import Abs, And, Eq, Expr, Interval, Max, Rational, S, Sum, exp, log, oo, symbols, tanh
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import HALF, NONNEGATIVE, POSITIVE, X, Y, c, eta, m, n, p, r, t, u, v, w, w0, y
from theory.dynamics import Flow, Map, gradient_flow
from theory.language.families import family
from theory.language.spaces import Vectors, inner, norm
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import Always

chapter = paper.section(
    steps=whole(),
    title="5 Classification",
    text=r"""On separable data the logistic loss $\log(1 + e^{-m})$ of the margin $m$ has no minimum: gradient flow
drives the margin to infinity like $\log t$. One data point already shows it: $\dot w = 1/(1 + e^w)$ keeps $e^w + w -
t$.

Sharp here: curvature at most $\frac{1}{4}$, third derivative at most the second, $\log(1 + t/2) \le w \le \log(1 +
t)$ from $w = 0$, softmax curvature at most $\frac{1}{2}$.

Folklore takes the loss for strongly convex, which holds on bounded sets only; takes steps beyond $2/L$ for unstable,
although on separable data every step size lowers the loss of one point; and expects label smoothing to change nothing
but the confidence, although it is what makes a minimum exist.""",
)

i, j, k = symbols("i j k")
chances, turns, logits, labels = (family(name, n) for name in "pvzy")
logistic = log(1 + exp(-w))
exponential = exp(-w)
probability = 1 / (1 + exp(-w))


def over(summand: Expr) -> Expr:
    """The sum over the classes k from 1 to n."""
    return Sum(summand, (k, 1, n))


def margin(then: Boolean, domain: Any = S.Reals, *given: Boolean) -> Statement:
    """A claim about the loss at every margin w of a domain."""
    return Statement(variables={w: domain}, given=given, then=then)


def flow(loss: Expr, then: Boolean, start: Expr = w0) -> Statement:
    """A claim about gradient flow of the margin of one data point."""
    timed = Flow((w,), tuple(part.simplify() for part in gradient_flow(loss, w).velocity), t)
    known = {w0: S.Reals} if start == w0 else {}
    return Statement(variables=known, dynamics=timed, start={w: start}, then=then)


@chapter.statement("lemma-5.1", "The logistic loss is convex with curvature at most 1/4", "Cox 1958", scope=whole())
def curvature() -> Statement:
    second = logistic.diff(w, 2).simplify()
    return margin(And(second >= 0, second <= Rational(1, 4)))


@chapter.statement(
    "lemma-5.2", "Self-concordance: its third derivative is at most its second", "Bach 2010", scope=whole()
)
def self_concordant() -> Statement:
    second, third = (logistic.diff(w, order).simplify() for order in (2, 3))
    return margin(third**2 <= second**2)


@chapter.statement("claim-5.3", "Folklore: the logistic loss is strongly convex", scope=whole())
def strongly_convex() -> Statement:
    return margin(logistic.diff(w, 2).simplify() >= Rational(1, 100))


@chapter.statement(
    "claim-5.3.corrected",
    "Up to the margin m it is strongly convex, by its curvature at m",
    "Bach 2010",
    scope=whole(),
)
def strongly_convex_inside() -> Statement:
    bend = logistic.diff(w, 2).simplify()
    return Statement(variables={w: S.Reals, m: NONNEGATIVE}, given=(Abs(w) <= m,), then=bend >= bend.subs(w, m))


@chapter.statement(
    "lemma-5.4",
    "The logistic loss bounds mistakes: at least log 2 where the margin is not positive",
    "Bartlett, Jordan and McAuliffe 2006",
    scope=whole(),
)
def surrogate() -> Statement:
    return margin(logistic >= log(2), Interval(-oo, 0))


@chapter.statement(
    "lemma-5.5", "The exponential loss bounds the logistic loss", "Schapire and Freund 2012", scope=whole()
)
def exponential_above() -> Statement:
    return margin(logistic <= exponential)


@chapter.statement(
    "lemma-5.6",
    "The logistic loss is at most the hinge loss of a shifted margin plus log 2",
    "Bartlett, Jordan and McAuliffe 2006",
    scope=whole(),
)
def hinge() -> Statement:
    return margin(logistic <= Max(0, -w) + log(2))


@chapter.statement(
    "theorem-5.7",
    "One separable point: gradient flow keeps exp(w) + w - t",
    "Soudry et al. 2018, The implicit bias of gradient descent on separable data",
    scope=case("one data point"),
    claims="growth of the margin like log t for all separable data",
)
def logistic_flow() -> Statement:
    return flow(logistic, Always(Eq(exp(w) + w, exp(w0) + w0 + t)))


@chapter.statement(
    "corollary-5.8",
    "Its margin stays below log(1 + t)",
    "Soudry et al. 2018",
    scope=case("one data point, from zero"),
    claims="growth of the margin like log t",
)
def slow_growth() -> Statement:
    return flow(logistic, Always(w <= log(1 + t)), S.Zero)


@chapter.statement(
    "corollary-5.9",
    "Its margin stays above log(1 + t/2)",
    "Soudry et al. 2018",
    scope=case("one data point, from zero"),
    claims="growth of the margin like log t",
)
def steady_growth() -> Statement:
    return flow(logistic, Always(exp(w) >= 1 + t / 2), S.Zero)


@chapter.statement(
    "proposition-5.10",
    "With the exponential loss the margin is log(exp(w_0) + t)",
    "Soudry et al. 2018",
    scope=case("one data point"),
    claims="growth like log t for all separable data",
)
def exponential_flow() -> Statement:
    return flow(exponential, Always(Eq(exp(w), exp(w0) + t)))


@chapter.statement("claim-5.11", "Folklore: steps beyond 2/L = 8 raise the logistic loss", scope=whole())
def large_steps_raise() -> Statement:
    return _step(logistic.subs(w, _later(logistic)) >= logistic, eta > 8)


@chapter.statement(
    "claim-5.11.corrected",
    "On one separable point every step lowers it",
    "Wu, Bartlett, Telgarsky and Yu 2024, Large stepsize gradient descent for logistic loss",
    scope=case("one data point"),
)
def every_step_lowers() -> Statement:
    return _step(_later(logistic) >= w)


def _later(loss: Expr) -> Expr:
    return w - eta * loss.diff(w).simplify()


def _step(then: Boolean, *given: Boolean) -> Statement:
    return Statement(
        variables={w: S.Reals, eta: POSITIVE}, given=given, then=then, notes="The loss falls where the margin grows."
    )


@chapter.statement(
    "proposition-5.12",
    "Gradient descent on one separable point never loses margin",
    "Wu et al. 2024",
    scope=case("one data point"),
    claims="in the long run, for all separable data",
)
def margin_grows() -> Statement:
    return Statement(
        variables={w0: S.Reals, eta: POSITIVE},
        dynamics=Map((w,), (_later(exponential),)),
        start={w: w0},
        then=Always(w >= w0),
    )


@chapter.statement(
    "lemma-5.13",
    "Cross-entropy of two classes: the slope in the logit is probability minus label",
    "Cox 1958; Bridle 1990",
    scope=whole(),
)
def cross_entropy_slope() -> Statement:
    loss = -y * log(probability) - (1 - y) * log(1 - probability)
    return Statement(variables={w: S.Reals, y: Interval(0, 1)}, then=Eq(loss.diff(w), probability - y, evaluate=False))


@chapter.statement("claim-5.14", "Folklore: with smoothed labels the margin still grows for ever", scope=whole())
def smoothing_grows() -> Statement:
    return Statement(variables={w: S.Reals, p: Interval.open(HALF, 1)}, then=_smoothed().diff(w).simplify() < 0)


@chapter.statement(
    "claim-5.14.corrected",
    "With two classes label smoothing has a minimum, at the logit log(p/(1 - p))",
    "Szegedy et al. 2016; Mueller, Kornblith and Hinton 2019",
    scope=whole(),
)
def smoothing_rests() -> Statement:
    slope = _smoothed().diff(w).simplify()
    return Statement(variables={p: Interval.open(HALF, 1)}, then=Eq(slope.subs(w, log(p / (1 - p))), 0, evaluate=False))


def _smoothed() -> Expr:
    """The loss of a logit w for the label p."""
    return p * log(1 + exp(-w)) + (1 - p) * log(1 + exp(w))


weights = symbols("p_1:4")
direction = symbols("v_1:4")
SIMPLEX = (Eq(sum(weights), 1),)
MIXTURE = dict.fromkeys(weights, Interval(0, 1)) | dict.fromkeys(direction, S.Reals)


def bend() -> Expr:
    """The quadratic form of diag(p) - p p^T, the Hessian of log-sum-exp and the Jacobian of softmax."""
    mean = sum(weight * entry for weight, entry in zip(weights, direction, strict=True))
    return sum(weight * entry**2 for weight, entry in zip(weights, direction, strict=True)) - mean**2


@chapter.statement(
    "proposition-5.15",
    "Log-sum-exp is convex: its curvature is half the sum of all p_i p_j (v_i - v_j)^2",
    "Boyd and Vandenberghe 2004, section 3.1",
    scope=whole(),
)
def softmax_semidefinite() -> Statement:
    mean = over(chances[k] * turns[k])
    spread = Sum(chances[i] * chances[j] * (turns[i] - turns[j]) ** 2, (i, 1, n), (j, 1, n)) / 2
    return Statement(
        variables={chances: NONNEGATIVE, turns: S.Reals},
        given=(Eq(over(chances[k]), 1),),
        then=Eq(over(chances[k] * turns[k] ** 2) - mean**2, spread, evaluate=False),
        notes="p are the probabilities of softmax, v is a direction; every term on the right is not negative.",
    )


@chapter.statement(
    "proposition-5.16",
    "Softmax has curvature at most 1/2",
    "Gao and Pavel 2017",
    scope=case("three classes"),
    claims="every number of classes",
)
def softmax_bound() -> Statement:
    first, second, third = weights
    known = {symbol: domain for symbol, domain in MIXTURE.items() if symbol != third}
    curved = bend().subs(third, 1 - first - second)
    return Statement(
        variables=known, given=(first + second <= 1,), then=2 * curved <= sum(entry**2 for entry in direction)
    )


@chapter.statement(
    "lemma-5.17",
    "The slopes of log-sum-exp are the softmax, which adds up to one",
    "Bridle 1990",
    scope=whole(),
)
def softmax_sums() -> Statement:
    along = log(over(exp(logits[k] + t * turns[k]))).diff(t).subs(t, 0)
    chance = exp(logits[k]) / Sum(exp(logits[j]), (j, 1, n))
    return Statement(
        variables={logits: S.Reals, turns: S.Reals},
        then=Eq(along, over(chance * turns[k]), evaluate=False) & Eq(over(chance), 1, evaluate=False),
        notes="The slope along every direction v.",
    )


@chapter.statement(
    "lemma-5.18", "The logistic function is a hyperbolic tangent of half the logit", "Verhulst 1845", scope=whole()
)
def hyperbolic() -> Statement:
    return margin(Eq(2 * probability - 1, tanh(w / 2), evaluate=False))


@chapter.statement(
    "theorem-5.19",
    "Perceptron: a mistake adds at most R^2 to the squared norm, in every dimension",
    "Novikoff 1962",
    scope=whole(),
)
def perceptron_norm() -> Statement:
    return Statement(
        variables={X: Vectors(), Y: Vectors(), r: POSITIVE},
        given=(inner(X, Y) <= 0, norm(Y) <= r),
        then=norm(X + Y) ** 2 <= norm(X) ** 2 + r**2,
        notes="X are the weights and Y is the example with its sign.",
    )


@chapter.statement("theorem-5.20", "Perceptron: at most (R/margin)^2 mistakes", "Novikoff 1962", scope=whole())
def perceptron_mistakes() -> Statement:
    mistakes = symbols("k")
    return Statement(
        variables={X: Vectors(), Y: Vectors(), r: POSITIVE, c: POSITIVE, mistakes: POSITIVE},
        given=(norm(X) ** 2 <= mistakes * r**2, inner(X, Y) >= mistakes * c, norm(Y) <= 1),
        then=mistakes * c**2 <= r**2,
        notes="X are the weights after k mistakes, Y a unit vector that separates with margin c.",
    )


@chapter.statement(
    "lemma-5.21",
    "Euler: the slope of a homogeneous model along its weights is its degree times its value",
    "Euler 1755; Lyu and Li 2020",
    scope=case("three factors"),
    claims="every homogeneous model",
)
def euler() -> Statement:
    model = u * v * w
    radial = sum(letter * model.diff(letter) for letter in (u, v, w))
    return Statement(variables=dict.fromkeys((u, v, w), S.Reals), then=Eq(radial, 3 * model, evaluate=False))


@chapter.statement(
    "proposition-5.22",
    "Two homogeneous layers gain norm like the loss gives margin: (|a|^2)' = 2 q l",
    "Lyu and Li 2020; Du, Hu and Lee 2018",
    scope=case("two layers of width one, exponential loss"),
    claims="every homogeneous model",
)
def norm_growth() -> Statement:
    loss = exp(-u * v)
    speed = gradient_flow(loss, (u, v)).velocity
    growth = sum(2 * letter * part for letter, part in zip((u, v), speed, strict=True))
    return Statement(variables={u: S.Reals, v: S.Reals}, then=Eq(growth, 4 * u * v * loss, evaluate=False))


@chapter.statement(
    "proposition-5.23",
    "With the exponential loss both layers stay balanced",
    "Du, Hu and Lee 2018",
    scope=case("two layers of width one"),
    claims="every homogeneous model",
)
def balanced() -> Statement:
    u0, v0 = symbols("u_0 v_0")
    return Statement(
        variables={u0: S.Reals, v0: S.Reals},
        dynamics=gradient_flow(exp(-u * v), (u, v)),
        start={u: u0, v: v0},
        then=Always(Eq(u**2 - v**2, u0**2 - v0**2)),
    )


@chapter.statement(
    "lemma-5.24",
    "Cross-entropy of n classes: the slopes in the logits are probabilities minus labels",
    "Bridle 1990",
    scope=whole(),
)
def cross_entropy_slopes() -> Statement:
    moved = logits[k] + t * turns[k]
    loss = over(labels[k]) * log(over(exp(moved))) - over(labels[k] * moved)
    gap = exp(logits[k]) / Sum(exp(logits[j]), (j, 1, n)) - labels[k]
    return Statement(
        variables={logits: S.Reals, turns: S.Reals, labels: S.Reals},
        given=(Eq(over(labels[k]), 1),),
        then=Eq(loss.diff(t).subs(t, 0), over(gap * turns[k]), evaluate=False),
        notes="The slope along every direction v.",
    )
