"""Sections 4.4, 4.4.1 and Appendices C.2, C.6: the first gradient step, its means and its deviations.

The bounds hold with probability 1 - delta "for N large", but for any number m of samples: as m grows they tend to 0,
so a mean that is only right to leading order is noticed sooner or later.
"""

from __future__ import annotations

from sympy import (
    And,
    Eq,
    Expr,
    Integer,
    Interval,
    Matrix,
    Max,
    Ne,
    Range,
    S,
    Symbol,
    Union,
    diff,
    exp,
    log,
    oo,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean

from theory.associative_memory._paper import (
    ALPHA,
    NOISE,
    NOISE_LEVEL,
    E,
    N,
    T,
    counted,
    paper,
)  # fmt: skip
from theory.associative_memory.leading import large_data
from theory.displays import equal
from theory.domains import POSITIVE
from theory.language.families import Sum, family
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.temporal import ForEach, Scaling

SIZES = {N: Interval(2, oo), ALPHA: NOISE_LEVEL}
SAMPLES = Symbol("m")


def chance(token: str) -> Expr:
    """P(y = token), over the targets."""
    return ALPHA if token == NOISE else (1 - ALPHA) / N


def feed_forward_mean(token: str) -> Expr:
    """The population gradient of the feed-forward matrix at the trigger, in the row of a token."""
    return 1 / (N + 1) - chance(token)


paper.unstated(
    "assumption-c.2.1",
    "The embeddings are orthonormal, and a random matrix maps each of them to a vector orthogonal to all",
    missing="embeddings in R^d",
)


@paper.statement(
    "equation-4.2",
    "Gradients of the one-layer model at zero, from the losses of all sequences",
    scope=case("N and T in {2, 3}, alpha = 1/3, all sequences, counted"),
)
def equation_4_2() -> Statement:
    """The value gradient is the closed form, the query-key one vanishes, the feed-forward one is 1/(N+1) - P(y)."""
    noise, other = Symbol("feed_noise"), Symbol("feed_other")
    level = S(1) / 3
    claims = (
        Eq(Symbol("mismatch"), 0),
        Eq(Symbol("query_key"), 0),
        Eq(noise, 1 / (N + 1) - level),
        Eq(other, 1 / (N + 1) - (1 - level) / N),
    )
    return counted(
        "gradients",
        And(*claims),
        yields=("mismatch", "query_key", "feed_noise", "feed_other"),
        variables={N: Range(2, oo), T: Range(2, oo)},
        noise="1/3",
        N=[2, 3],
        T=[2, 3],
        notes="For all sizes: the closed forms of the counts are proved by induction (the statements .exact of Lemmas"
        " C.4"
        " to C.10); what is left is the sum over sequences that turns the loss into them.",
    )


paper.unstated(
    "lemma-c.1",
    "The feed-forward gradient is entry by entry within the printed radius of its mean",
    missing="probabilities over m samples of N + 1 tokens, m and N symbols",
    equations=("C.1",),
)


@paper.statement(
    "lemma-c.1.counted",
    "Deviation of the feed-forward gradient, for any number of samples",
    scope=case("N = 10, alpha = 1/2, delta = 1/10 and m = 10, 100, 1000, counted"),
    claims="With probability 1 - delta the feed-forward gradient is entry by entry within the printed radius of mu",
    equations=("C.1",),
)
def lemma_c_1_printed() -> Statement:
    return _feed_forward("printed")


SHARE, REACH = Symbol("x"), Symbol("R")
"""x is L/m, the logarithm of the union bound divided by the number of samples; R bounds the deviation of a sample."""

BERNSTEIN = (
    "Bernstein's inequality, taken as known: samples with variance v and deviations up to R leave the radius t with"
    " probability at most 2 exp(-m t**2 / (2 (v + R t/3))). So the claim is that t**2 >= 2 x (v + R t/3) at the printed"
    " radius t; then every entry fails with probability at most 2 exp(-L), and {entries} of them with at most delta."
)


def _within_bernstein(root: Expr, variance: Expr, reach: Expr) -> Boolean:
    """The printed radius sqrt(4 s x) + 4 R x, whose first part is the root, against the exact variance."""
    radius = root + 4 * reach * SHARE
    return radius**2 >= 2 * SHARE * (variance + reach * radius / 3)


@paper.statement(
    "lemma-c.1.corrected",
    "With the exact mean 1/(N+1) - alpha of the noise row the bound holds for all sizes",
    scope=own("the nearest true form of lemma-c.1, its radii, given Bernstein's inequality"),
)
def lemma_c_1_corrected() -> Statement:
    noise, token = symbols("r_1 r_2")
    p = (1 - ALPHA) / N
    return Statement(
        variables={**SIZES, SHARE: POSITIVE, REACH: POSITIVE, noise: POSITIVE, token: POSITIVE},
        given=(
            REACH >= ALPHA,
            REACH >= 1 - ALPHA,
            Eq(noise**2, 4 * ALPHA * (1 - ALPHA) * SHARE),
            Eq(token**2, 4 * p * SHARE),
        ),
        then=And(
            _within_bernstein(noise, ALPHA * (1 - ALPHA), REACH), _within_bernstein(token, p * (1 - p), Integer(1))
        ),
        notes=BERNSTEIN.format(entries="N + 1") + " The exact variances are those of steps c.3 and c.4.",
    )


@paper.statement(
    "lemma-c.1.corrected.counted",
    "The same from exact binomial tails, at N = 10 and some sample sizes",
    scope=own("the corrected lemma at N = 10, alpha = 1/2, delta = 1/10 and m = 10, 100, 1000"),
)
def lemma_c_1_counted() -> Statement:
    return _feed_forward("exact")


def _feed_forward(mean: str) -> Statement:
    return counted(
        "feed_forward_bound",
        Eq(Symbol("holds"), 1),
        yields=("holds",),
        variables={SAMPLES: Range(1, oo)},
        vocabulary=10,
        noise="1/2",
        delta="1/10",
        mean=mean,
        m=[10, 100, 1000],
        notes="Exact at these sample sizes; lemma-c.1.corrected proves all of them from Bernstein's inequality.",
    )


@paper.step("lemma-c.1", "c.2", "The mean of the projection", scope=whole(), equations=("C.2",))
def step_c_2() -> Statement:
    draws = {"noise": ALPHA, "token": 1 - ALPHA}
    noise = sum((share * (1 / (N + 1) - int(label == "noise")) for label, share in draws.items()), S.Zero)
    token = (1 - chance("token")) / (N + 1) + chance("token") * (1 / (N + 1) - 1)
    return Statement(variables=SIZES, then=equal((noise, 1 / (N + 1) - ALPHA), (token, 1 / (N + 1) - (1 - ALPHA) / N)))


@paper.step(
    "lemma-c.1",
    "mu",
    "The listed mean -alpha of the noise row is the exact one",
    scope=own("the listed mean read as exact; the paper has N >> 1"),
)
def step_mu() -> Statement:
    return Statement(variables=SIZES, then=equal((feed_forward_mean("noise"), -ALPHA)))


@paper.step(
    "lemma-c.1", "mu.leading", "The listed mean -alpha of the noise row is right up to order 1/N", scope=whole()
)
def step_mu_leading() -> Statement:
    value = (feed_forward_mean("noise") + ALPHA).subs(N, 1 / E)
    return Statement(variables={ALPHA: NOISE_LEVEL}, then=Scaling(value, E, 1, "at most"))


@paper.step(
    "lemma-c.1",
    "signs",
    "Rows of ordinary tokens of minus the gradient are negative and O(1/N)",
    scope=own("for all N and alpha; the paper has N >> 1 and alpha = Theta(1)"),
)
def step_signs() -> Statement:
    value = -feed_forward_mean("token")
    return Statement(variables=SIZES, then=And(value < 0, -value <= 1 / N))


@paper.step("lemma-c.1", "signs.corrected", "They are negative exactly when alpha exceeds 1/(N+1)")
def step_signs_corrected() -> Statement:
    return Statement(variables=SIZES, given=(ALPHA > 1 / (N + 1),), then=-feed_forward_mean("token") < 0)


def _variance(token: str) -> Expr:
    p, guess = chance(token), 1 / (N + 1)
    square = p * (guess - 1) ** 2 + (1 - p) * guess**2
    return square - (guess - p) ** 2


@paper.step("lemma-c.1", "c.3", "The variance of the noise row", scope=whole(), equations=("C.3",))
def step_c_3() -> Statement:
    return Statement(variables=SIZES, then=equal((_variance("noise"), ALPHA * (1 - ALPHA))))


@paper.step(
    "lemma-c.1",
    "c.4",
    "The variance of the other rows, and the listed one is larger",
    scope=whole(),
    equations=("C.4",),
)
def step_c_4() -> Statement:
    p = (1 - ALPHA) / N
    return Statement(variables=SIZES, then=And(equal((_variance("token"), p * (1 - p))), _variance("token") <= p))


@paper.step("lemma-c.1", "c.5", "Ranges of the deviations", scope=whole(), equations=("C.5",))
def step_c_5() -> Statement:
    p = (1 - ALPHA) / N
    return Statement(
        variables=SIZES,
        then=And(Max(ALPHA, 1 - ALPHA) >= ALPHA, Max(ALPHA, 1 - ALPHA) >= 1 - ALPHA, p <= 1, 1 - p <= 1),
    )


@paper.step(
    "lemma-c.1",
    "c.6",
    "Bernstein's inequality gives the printed constants",
    scope=part("the constants of one entry, not the union bound"),
    equations=("C.6",),
)
def step_c_6() -> Statement:
    """With L = ln(2/delta): sqrt(2 s L/m) + 2 R L/(3 m) is at most the printed bound."""
    deviation, reach, logarithm = symbols("sigma R L")
    textbook = deviation * sqrt(2 * logarithm) + 2 * reach * logarithm / 3
    printed = deviation * sqrt(4 * logarithm) + 4 * reach * logarithm
    return Statement(variables=dict.fromkeys((deviation, reach, logarithm), POSITIVE), then=textbook <= printed)


def _attention(mean: str) -> Statement:
    return counted(
        "attention_bound",
        Eq(Symbol("holds"), 1),
        yields=("holds",),
        variables={SAMPLES: Range(1, oo)},
        vocabulary=20,
        length=40,
        noise="1/2",
        delta="1/10",
        mean=mean,
        m=[100, 10**4, 10**8],
        notes="Exact variances at these sizes; lemma-c.2.corrected proves all m from Bernstein's inequality.",
    )


paper.unstated(
    "lemma-c.2",
    "The value gradient is entry by entry within the radius of Table C.1 of its mean",
    missing="probabilities over m sequences of T tokens, m, T and N symbols",
    equations=("C.7", "C.8"),
)


@paper.statement(
    "lemma-c.2.counted",
    "Deviation of the value gradient, for any number of samples",
    scope=case("N = 20, T = 40, alpha = 1/2, delta = 1/10 and m = 10^2, 10^4, 10^8, counted"),
    claims="With probability 1 - delta every entry of the value gradient is within the radius of Table C.1 of its mu",
    equations=("C.7", "C.8"),
)
def lemma_c_2_printed() -> Statement:
    return _attention("printed")


@paper.statement(
    "lemma-c.2.corrected",
    "With the exact means the bound holds while the variance is at most twice the listed one",
    scope=own("the nearest true form of lemma-c.2, its radius, given Bernstein's inequality and the variance"),
)
def lemma_c_2_corrected() -> Statement:
    root, listed, variance = symbols("r s v")
    return Statement(
        variables={**dict.fromkeys((SHARE, REACH, root, listed), POSITIVE), variance: Interval(0, oo)},
        given=(Eq(root**2, 4 * listed * SHARE), variance <= 2 * listed),
        then=_within_bernstein(root, variance, REACH),
        notes=BERNSTEIN.format(entries="(N + 1)**2") + " L is 2 ln(N+1) + ln(2/delta). The listed variances are"
        " leading orders (table-c.1), so that for N and T large enough the hypothesis is met.",
    )


@paper.statement(
    "lemma-c.2.corrected.counted",
    "The same with exact means and variances at N = 20, T = 40",
    scope=own("the corrected lemma at N = 20, T = 40, alpha = 1/2, delta = 1/10"),
)
def lemma_c_2_counted() -> Statement:
    return _attention("exact")


@paper.step(
    "lemma-c.2",
    "factor",
    "The square of the label's factor when the label can be the row",
    scope=part("the leading order for the noise row"),
)
def factor_hit() -> Statement:
    exact = large_data().factor("noise", "", 2).coefficient(0)
    return Statement(variables={ALPHA: NOISE_LEVEL}, then=equal((exact, ALPHA)))


@paper.step(
    "lemma-c.2",
    "factor-missed",
    "The square of the label's factor when it cannot: 1/(N+1), as the cases use it",
    scope=whole(),
)
def factor_missed() -> Statement:
    return Statement(variables={N: Interval(2, oo)}, then=equal(((1 / (N + 1)) ** 2, 1 / (N + 1))))


@paper.step("lemma-c.2", "factor-missed.corrected", "The square of the label's factor when it cannot: below 1/(N+1)")
def factor_missed_corrected() -> Statement:
    return Statement(variables={N: Interval(2, oo)}, then=(1 / (N + 1)) ** 2 < 1 / (N + 1))


def _softmax(entries: list[Expr]) -> list[Expr]:
    total = sum((exp(value) for value in entries), S.Zero)
    return [exp(value) / total for value in entries]


@paper.statement(
    "lemma-c.12",
    "The gradient of the cross-entropy is the mean of (prediction - label) W_U(k) x^T, and its population form",
    scope=whole(),
)
def lemma_c_12_whole() -> Statement:
    """The matrix whose inner product with every direction D is the slope of the loss from W along D."""
    outcomes, classes, rows, columns, along = symbols("m c e d t")
    s, r, k, j, a, b, f, g = symbols("s r k j a b f g")
    x, y, chance_of = family("x", outcomes, columns), family("y", outcomes, classes), family("p", outcomes)
    unembed, weight, toward = family("W_U", classes, rows), family("W", rows, columns), family("D", rows, columns)

    def logit(of: Symbol, outcome: Symbol, moved: Expr) -> Expr:
        entry = unembed[of, a] * (weight[a, b] + moved * toward[a, b]) * x[outcome, b]
        return Sum(entry, (a, 1, rows), (b, 1, columns))

    def predicted(outcome: Symbol) -> Expr:
        total = Sum(exp(logit(j, outcome, S.Zero)), (j, 1, classes))
        return exp(logit(k, outcome, S.Zero)) / total

    def mean(of: Expr, outcome: Symbol) -> Expr:
        return Sum(chance_of[outcome] * of, (outcome, 1, outcomes))

    def over_classes(of: Expr) -> Expr:
        return Sum(of, (k, 1, classes))

    entropy = log(over_classes(exp(logit(k, s, along)))) - over_classes(y[s, k] * logit(k, s, along))
    slope = mean(entropy, s).diff(along).subs(along, 0)
    gradient = mean(over_classes((predicted(s) - y[s, k]) * unembed[k, f]) * x[s, g], s)
    label = mean(y[r, k], r)
    means = mean(predicted(s) * x[s, g], s) / label, mean(y[s, k] * x[s, g], s) / label
    population = over_classes(label * unembed[k, f] * (means[0] - means[1]))
    every_entry = ForEach(f, rows, ForEach(g, columns, Eq(gradient, population, evaluate=False)))
    return Statement(
        variables=dict.fromkeys((x, y, chance_of, unembed, weight, toward), S.Reals),
        given=(ForEach(k, classes, label > 0),),
        then=And(Eq(slope, Sum(gradient * toward[f, g], (f, 1, rows), (g, 1, columns)), evaluate=False), every_entry),
        notes="p_s is the chance of the outcome s of (x, y): 1/m for m samples, and that of the population, which has"
        " finitely many outcomes, as sequences of T tokens have. y_{s,k} is 1 where the label is k and 0 elsewhere,"
        " which is not needed, nor that the chances add up to 1. The slope is derived from the loss at W + t D. The"
        " second part is the population form: p(y = k) must be positive for its means to have a value.",
    )


paper.unstated(
    "remark-9",
    "Lemma C.12 is a lemma of another paper",
    missing="the other paper",
)


@paper.statement(
    "lemma-c.12.small",
    "Gradient of the cross-entropy with respect to the middle matrix",
    scope=case("two samples of dimension two, three classes"),
)
def lemma_c_12() -> Statement:
    """Two samples of dimension 2, three classes, output embeddings of dimension 2, at any weights."""
    unembed = Matrix(3, 2, symbols("u_1:7"))
    weight = Matrix(2, 2, symbols("w_1:5"))
    points, labels = [Matrix(symbols("x_1:3")), Matrix(symbols("y_1:3"))], (0, 2)
    loss, formula = S.Zero, Matrix.zeros(2, 2)
    for point, label in zip(points, labels, strict=True):
        logits = list(unembed * weight * point)
        loss += (log(sum((exp(value) for value in logits), S.Zero)) - logits[label]) / 2
        for k, share in enumerate(_softmax(logits)):
            formula += (share - int(k == label)) * unembed[k, :].T * point.T / 2
    names = sorted(loss.free_symbols, key=str)
    pairs = [(diff(loss, weight[i, j]), formula[i, j]) for i in range(2) for j in range(2)]
    return Statement(variables=dict.fromkeys(names, S.Reals), then=equal(*pairs))


@paper.step(
    "lemma-c.12",
    "population",
    "Grouping by the label: p(y=k) times the difference of the two means",
    scope=case("two points and two labels"),
)
def population_form() -> Statement:
    """Two points x and two labels, with joint law p and predictions g."""
    joint, predicted, points = symbols("p_1:5", positive=True), symbols("g_1:5"), symbols("x_1:3")
    x = [points[0], points[0], points[1], points[1]]
    unembed = symbols("u_1:3")
    marginal = [joint[0] + joint[1], joint[2] + joint[3]]
    direct = S.Zero
    for i in range(2):
        for k in range(2):
            direct += unembed[k] * (marginal[i] * predicted[2 * i + k] - joint[2 * i + k]) * points[i]
    grouped = S.Zero
    for k in range(2):
        label = joint[k] + joint[2 + k]
        mean = (joint[k] * x[0] + joint[2 + k] * x[2]) / label
        weighted = sum((marginal[i] * predicted[2 * i + k] * points[i] for i in range(2)), S.Zero) / label
        grouped += label * unembed[k] * (weighted - mean)
    domains = {**dict.fromkeys(joint, POSITIVE), **dict.fromkeys((*predicted, *points, *unembed), S.Reals)}
    return Statement(variables=domains, then=equal((direct, grouped)))


@paper.statement(
    "lemma-c.13", "The sum of t a^t for t up to T is a (1 - a^T)/(a - 1)^2 + a^(T+1) T/(a - 1)", scope=whole()
)
def lemma_c_13_whole() -> Statement:
    a, moment, last = Symbol("a"), Symbol("t"), Symbol("T")
    closed = a * (1 - a**last) / (a - 1) ** 2 + a ** (last + 1) * last / (a - 1)
    return Statement(
        variables={a: S.Reals - {1}, last: S.Naturals},
        then=Eq(Sum(a**moment * moment, (moment, 1, last)), closed),
        notes="For positive a it is proved by induction over T (lemma-c.13.positive).",
    )


@paper.statement("lemma-c.13.positive", "The sum of t a^t for t up to T, for positive a", scope=case("a > 0"))
def lemma_c_13_positive() -> Statement:
    a = Symbol("a")
    whole_line = lemma_c_13_whole()
    return whole_line.but(
        variables=dict(whole_line.variables) | {a: Union(Interval.open(0, 1), Interval.open(1, oo))}, notes=""
    )


@paper.statement(
    "lemma-c.13.induction",
    "The sum of t a**t, by induction",
    scope=part("the start and the step of the induction over T; a^T is a symbol"),
)
def lemma_c_13() -> Statement:
    """Q stands for a**T; the sum starts right and grows by the next term."""
    a, power, last = Symbol("a"), Symbol("Q"), Symbol("T")

    def total(value: Expr, steps: Expr) -> Expr:
        return a * (1 - value) / (a - 1) ** 2 + a * value * steps / (a - 1)

    further = total(a * power, last + 1) - total(power, last)
    domains = {a: S.Reals, power: S.Reals, last: Interval(1, oo)}
    return Statement(
        variables=domains, given=(Ne(a, 1),), then=equal((total(a, S.One), a), (further, (last + 1) * a * power))
    )
