"""Section 4.4.3 and Appendix C.5: a linear associative memory with noise, its flow, its spectrum and its truncation.

For n inputs and uniform weights W stays in the span of two matrices: `signal` = [I - J/n; 0] of rank n - 1 and
`noise` = [1, ..., 1, -n]^T [1, ..., 1] of rank one.
"""

from __future__ import annotations

from functools import cache, partial

from sympy import (
    Abs,
    And,
    Expr,
    Interval,
    Matrix,
    Range,
    S,
    Symbol,
    diff,
    exp,
    eye,
    log,
    ones,
    oo,
    sqrt,
    together,
    zeros,
)  # fmt: skip

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, paper
from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import own, part, whole
from theory.statements import Statement
from theory.temporal import ForSmall, Scaling

SIGNAL, NOISE = Symbol("beta_1"), Symbol("beta_2")
A, B = Symbol("a"), Symbol("b")


paper.unstated(
    "assumption-c.5.1",
    "The embeddings of inputs and of outputs are orthonormal",
    missing="embeddings in R^d",
)
paper.unstated(
    "assumption-c.5.2",
    "The memory starts from the zero matrix",
    missing="matrices of any size",
)


def weights(n: int) -> Matrix:
    """A free (n + 1) x n matrix: column i holds the logits of input i."""
    return Matrix(n + 1, n, [Symbol(f"w_{j}{i}") for j in range(1, n + 2) for i in range(1, n + 1)])


def loss(n: int) -> Expr:
    """The population cross-entropy for uniform inputs; output n + 1 is the noise."""
    w, total = weights(n), S.Zero
    for i in range(n):
        partition = log(sum((exp(w[j, i]) for j in range(n + 1)), S.Zero))
        total += partition - (1 - ALPHA) * w[i, i] - ALPHA * w[n, i]
    return total / n


def span(n: int, signal: Expr = SIGNAL, noise: Expr = NOISE) -> Matrix:
    """The matrix with these two weights.

    >>> span(2)[2, 0]
    -2*beta_2
    """
    upper = signal * (eye(n) - ones(n, n) / n) + noise * ones(n, n)
    return upper.col_join(-n * noise * ones(1, n))


@cache
def velocity(n: int) -> Matrix:
    """Minus the gradient of the loss on the span."""
    w, energy = weights(n), loss(n)
    at = dict(zip(w, span(n), strict=True))
    return Matrix(n + 1, n, lambda j, i: -diff(energy, w[j, i]).xreplace(at))


def reduced(n: Expr) -> tuple[Expr, Expr]:
    """The velocities of the two weights, for any n."""
    own, other, noise = exp(SIGNAL * (1 - 1 / n) + NOISE), exp(-SIGNAL / n + NOISE), exp(-n * NOISE)
    partition = own + (n - 1) * other + noise
    return (1 - ALPHA - (own - other) / partition) / n, (noise / partition - ALPHA) / n**2


REALS = {SIGNAL: S.Reals, NOISE: S.Reals, ALPHA: NOISE_LEVEL}


def _reduction(n: int) -> Statement:
    """The flow stays in the span: each kind of entry moves as the two velocities say."""
    signal, noise = reduced(S(n))
    moved = span(n, signal, noise)
    places = ((0, 0), (1, 0), (n, 0))
    return Statement(variables=REALS, then=equal(*[(velocity(n)[place], moved[place]) for place in places]))


for _n in (2, 3, 4, 5):
    _scope = own(f"not in print: the reduction for n = {_n}")
    paper.statement(
        f"claim-4.4.3.any-n.reduction-{_n}", f"The two-parameter flow for n = {_n}", scope=_scope, label="Section 4.4.3"
    )(partial(_reduction, _n))

PAPER_SIGNAL = Matrix([1, -1, 0]) * Matrix([[1, -1]])
PAPER_NOISE = Matrix([1, 1, -2]) * Matrix([[1, 1]])


def _printed_velocity() -> tuple[Expr, Expr]:
    low, high = exp(-2 * SIGNAL), exp(-SIGNAL - 3 * NOISE)
    total = low + high + 1
    return (low - 1) / total + 1 - ALPHA, 3 * high / total - 3 * ALPHA


def _derived_velocity() -> tuple[Expr, Expr]:
    """Minus the gradient for two inputs in the paper's basis: inner products over squared norms."""
    w, energy = weights(2), loss(2)
    at = dict(zip(w, SIGNAL * PAPER_SIGNAL + NOISE * PAPER_NOISE, strict=True))
    force = Matrix(3, 2, lambda j, i: -diff(energy, w[j, i]).xreplace(at))
    bases = (PAPER_SIGNAL, PAPER_NOISE)
    first, second = (sum(force.multiply_elementwise(m)) / sum(m.multiply_elementwise(m)) for m in bases)
    return first, second


@paper.statement(
    "equation-c.35",
    "The gradient at any matrix is a combination of the two matrices",
    scope=part("what a combination needs: its two diagonal entries agree"),
    equations=("C.35",),
)
def equation_c_35() -> Statement:
    """A combination has equal first and last entries on the diagonal."""
    w, energy = weights(2), loss(2)
    return Statement(
        variables={**dict.fromkeys(w, S.Reals), ALPHA: NOISE_LEVEL},
        then=equal((diff(energy, w[0, 0]), diff(energy, w[1, 1]))),
    )


@paper.statement(
    "equation-c.35.corrected", "The gradient at a combination of the two matrices is one", equations=("C.36",)
)
def equation_c_35_corrected() -> Statement:
    first, second = _derived_velocity()
    w, energy = weights(2), loss(2)
    at = dict(zip(w, SIGNAL * PAPER_SIGNAL + NOISE * PAPER_NOISE, strict=True))
    moved = first * PAPER_SIGNAL + second * PAPER_NOISE
    pairs = [(-diff(energy, w[j, i]).xreplace(at), moved[j, i]) for j in range(3) for i in range(2)]
    return Statement(variables=REALS, then=equal(*pairs))


@paper.statement(
    "equation-c.37", "Velocities of the two weights under gradient flow", scope=whole(), equations=("C.37",)
)
def equation_c_37() -> Statement:
    return Statement(variables=REALS, then=equal(*zip(_derived_velocity(), _printed_velocity(), strict=True)))


@paper.statement(
    "equation-c.37.rescaled",
    "The printed velocities are the true ones up to a change of time",
    scope=own("a question of ours: whether a change of time explains the difference"),
)
def equation_c_37_rescaled() -> Statement:
    first, second = _derived_velocity()
    one, two = _printed_velocity()
    return Statement(variables=REALS, then=equal((first * two, second * one)))


@paper.statement(
    "equation-c.37.corrected", "The printed velocities over the squared norms 4 and 12", equations=("C.37",)
)
def equation_c_37_corrected() -> Statement:
    one, two = _printed_velocity()
    return Statement(variables=REALS, then=equal(*zip(_derived_velocity(), (one / 4, two / 12), strict=True)))


PRINTED = (
    (2 - 2 * exp(A)) / (exp(A) + exp(B) + 1) - 2 + 2 * ALPHA,
    (2 - 8 * exp(B)) / (exp(A) + exp(B) + 1) - 2 + 10 * ALPHA,
)


@paper.step(
    "theorem-4.3",
    "c.38",
    "The printed velocities in a = -2 beta_1, b = -beta_1 - 3 beta_2",
    scope=whole(),
    equations=("C.38",),
)
def equation_c_38() -> Statement:
    one, two = _printed_velocity()
    at = {A: -2 * SIGNAL, B: -SIGNAL - 3 * NOISE}
    pairs = ((-2 * one, PRINTED[0].xreplace(at)), (-one - 3 * two, PRINTED[1].xreplace(at)))
    return Statement(variables=REALS, then=equal(*pairs))


@paper.step("theorem-4.3", "margins", "Margins of the full model and of its signal part", scope=whole())
def margins() -> Statement:
    full, part = SIGNAL * PAPER_SIGNAL + NOISE * PAPER_NOISE, SIGNAL * PAPER_SIGNAL
    return Statement(
        variables={SIGNAL: S.Reals, NOISE: S.Reals},
        then=equal(
            (full[0, 0] - full[1, 0], 2 * SIGNAL),
            (full[0, 0] - full[2, 0], SIGNAL + 3 * NOISE),
            (part[0, 0] - part[1, 0], 2 * SIGNAL),
            (part[0, 0] - part[2, 0], SIGNAL),
        ),
    )


@paper.step("theorem-4.3", "truncation", "beta_1 > beta_2 makes the signal the larger singular value", scope=whole())
def truncation() -> Statement:
    """The squared singular values are 4 beta_1**2 and 12 beta_2**2."""
    return Statement(
        variables={SIGNAL: S.Reals, NOISE: S.Reals}, given=(SIGNAL > NOISE,), then=4 * SIGNAL**2 > 12 * NOISE**2
    )


@paper.step("theorem-4.3", "truncation.corrected", "|beta_1| > sqrt(3) |beta_2| does")
def truncation_corrected() -> Statement:
    return Statement(
        variables={SIGNAL: S.Reals, NOISE: S.Reals},
        given=(Abs(SIGNAL) > sqrt(3) * Abs(NOISE),),
        then=4 * SIGNAL**2 > 12 * NOISE**2,
    )


def _gram(n: int) -> Statement:
    """W^T W is beta_1**2 on vectors of sum zero and beta_2**2 n**2 (n + 1) on the constant vector."""
    matrix = span(n)
    gram = matrix.T * matrix
    constant, balanced = ones(n, 1), zeros(n, 1)
    balanced[0], balanced[1] = 1, -1
    pairs = [(value, NOISE**2 * n**2 * (n + 1)) for value in gram * constant]
    pairs += list(zip(gram * balanced, SIGNAL**2 * balanced, strict=True))
    return Statement(variables={SIGNAL: S.Reals, NOISE: S.Reals}, then=equal(*pairs))


for _n in (2, 3, 4, 5, 6):
    paper.step(
        "claim-4.4.3.any-n",
        f"spectrum-{_n}",
        f"Singular values of the memory for n = {_n}",
        scope=own(f"not in print: n = {_n}"),
    )(partial(_gram, _n))

LARGE, SMALLER, COUNT = Symbol("ell"), Symbol("w"), Symbol("N")


def squared_values(n: Expr, signal: Expr, odds: Expr) -> tuple[Expr, Expr]:
    """The squared singular values of signal and noise when the margin to the noise output is `odds`.

    That margin is beta_1 (1 - 1/n) + (n + 1) beta_2, and it tends to log((1 - alpha)/alpha) while beta_1 grows.
    """
    noise = (odds - signal * (1 - 1 / n)) / (n + 1)
    return signal**2, noise**2 * n**2 * (n + 1)


def _noise_smallest(count: Range | int, odds: Interval) -> Statement:
    n = S(count) if isinstance(count, int) else COUNT
    signal, noise = squared_values(n, 1 / SMALLER, LARGE)
    sizes = {} if isinstance(count, int) else {COUNT: count}
    return Statement(
        variables={**sizes, LARGE: odds},
        then=ForSmall(SMALLER, together(noise - signal) < 0),
        notes="ell is log((1 - alpha)/alpha), w is 1/beta_1, and beta_1 tends to infinity along the flow.",
    )


IN_THE_LIMIT = part("the order of the singular values, given that beta_1 grows and the margin tends to the log odds")
for _name, _title, _domain, _odds in (
    ("claim-4.4.3.any-n", "For every n > 2 the noise sits in the smallest singular value", Range(3, oo), S.Reals),
    ("claim-4.4.3.two", "For n = 2 it does, whatever alpha", 2, S.Reals),
    ("claim-4.4.3.three", "For n = 3 it does when alpha < 1/2", 3, POSITIVE),
):
    paper.statement(_name, _title, scope=IN_THE_LIMIT, label="Section 4.4.3")(partial(_noise_smallest, _domain, _odds))


@paper.statement(
    "claim-4.4.3.any-n.corrected",
    "For n > 3 the noise ends in the largest singular value, whatever alpha",
    scope=own(
        "the nearest true form of claim-4.4.3.any-n, given that beta_1 grows and the margin tends to the log odds"
    ),
)
def noise_largest() -> Statement:
    signal, noise = squared_values(COUNT, 1 / SMALLER, LARGE)
    return Statement(
        variables={COUNT: Range(4, oo), LARGE: S.Reals}, then=ForSmall(SMALLER, together(noise - signal) > 0)
    )


@paper.statement(
    "claim-4.4.3.any-n.ratio",
    "The singular values' ratio tends to (n - 1)/sqrt(n + 1)",
    scope=own("not in print: the ratio, given that beta_1 grows and the margin tends to the log odds"),
)
def ratio() -> Statement:
    signal, noise = squared_values(COUNT, 1 / SMALLER, LARGE)
    rest = together(noise / signal - (COUNT - 1) ** 2 / (COUNT + 1))
    return Statement(variables={COUNT: Range(2, oo), LARGE: S.Reals}, then=Scaling(rest, SMALLER, 1, "at most"))


def _rank_one_probabilities() -> tuple[Expr, Expr, Expr]:
    """P(1, .) of the signal part alone, with w = exp(-beta_1): margins 2 beta_1 and beta_1."""
    total = 1 + SMALLER**2 + SMALLER
    return 1 / total, SMALLER**2 / total, SMALLER / total


paper.unstated(
    "theorem-4.3",
    "As t grows the full memory predicts noise with probability alpha, the rank-one memory with Theta(t^(-1/2))",
    missing="the order in t of what a trajectory predicts",
)
paper.unstated(
    "theorem-c.11",
    "Restatement of Theorem 4.3 for n = 2 inputs and c = 3 outputs",
    missing="the order in t of what a trajectory predicts",
)


@paper.statement(
    "theorem-4.3.rank-one",
    "Truncated to rank one, the memory predicts noise with probability of order exp(-beta_1)",
    scope=part("the second line, in powers of exp(-beta_1); its order in t is Lemma C.14"),
)
def theorem_4_3() -> Statement:
    """exp(-2 beta_1) = exp(a) is of order 1/t by Lemma C.14, so w = exp(-beta_1) is of order t**(-1/2)."""
    own, _, noise = _rank_one_probabilities()
    return Statement(then=And(Scaling(noise, SMALLER, 1), Scaling(together(1 - own), SMALLER, 1)))


@paper.step(
    "theorem-4.3",
    "other",
    "The other token keeps a probability of order 1/t",
    scope=part("in powers of exp(-beta_1); its order in t is Lemma C.14"),
)
def other_token() -> Statement:
    return Statement(then=Scaling(_rank_one_probabilities()[1], SMALLER, 2))
