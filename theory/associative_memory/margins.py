"""Theorem 4.1: the margins of noise after one population step, for every test sequence."""

from __future__ import annotations

from functools import partial

from sympy import Expr, Interval, S, Symbol, symbols

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, C, E, N, paper
from theory.associative_memory.first_step import SIZES, feed_forward_mean
from theory.associative_memory.leading import SMALL, Laurent, large_data
from theory.displays import equal
from theory.domains import POSITIVE
from theory.scope import own, part
from theory.statements import Statement
from theory.temporal import Scaling

NOISE_SHARE, TRIGGER_SHARE = Symbol("x"), Symbol("f")
CLAIMED = ALPHA**2 * NOISE_SHARE + ALPHA * (1 - NOISE_SHARE)
SHARES = {NOISE_SHARE: Interval(0, 1), TRIGGER_SHARE: Interval(0, 1)}


def margin(model: str, *, long: bool = False) -> Laurent:
    """N times the noise logit after one population step, for a test sequence with given shares of noise and trigger.

    `tokens` embeds current tokens only, `positions` adds orthonormal positions, `literal` adds the previous token as
    Eq. (4.2) does. The logits of all other tokens are of order 1/N**2 and do not enter the leading order.
    """
    data = large_data(long=long)

    def learned(token: str, *, free: bool) -> Laurent:
        def given(target: str) -> Expr:
            sequence, role = data.sequence(target), data.role(token, target)
            count = sequence.free.mean(role) if free else sequence.mean(role)
            return -data.factor("noise", target) * count / data.length

        return data.average(given, token)

    def read(*, free: bool) -> Laurent:
        x, f = Laurent.of(NOISE_SHARE), Laurent.of(TRIGGER_SHARE)
        if free:
            f = f - 1 / data.length
        ordinary = learned("k", free=free)
        return x * learned("noise", free=free) + f * learned("trigger", free=free) + (1 - x - f) * ordinary

    total = read(free=False)
    if model == "positions":
        total = total + (data.noise - 1 / (data.vocabulary + 1)) / data.length
    if model == "literal":
        total = total + read(free=True)
    return total / SMALL


def _margin(model: str, printed: Expr, *, long: bool = False) -> Statement:
    found = margin(model, long=long).coefficient(0)
    used = found.free_symbols | printed.free_symbols
    domains = {ALPHA: NOISE_LEVEL, C: POSITIVE, **SHARES}
    given = (NOISE_SHARE + TRIGGER_SHARE <= 1,) if TRIGGER_SHARE in used else ()
    return Statement(variables={s: domains[s] for s in domains if s in used}, given=given, then=equal((found, printed)))


TWICE = 2 * CLAIMED + ALPHA * TRIGGER_SHARE / C
paper.unstated(
    "theorem-4.1",
    "The logits after one gradient step: noise is learnt by the feed-forward block first",
    missing="probabilities, m samples and an unnamed constant",
)
paper.unstated(
    "theorem-c.3",
    "Restatement of Theorem 4.1: the logits after one gradient step",
    missing="probabilities, m samples and an unnamed constant",
)

MARGINS = "With probability 1 - delta both margins are within the printed deviations of eta_f alpha and eta_v alpha^/N"
ATTENTION = "the attention margin on the population, leading order"
for _name, _title, _model, _printed, _long, _scope in (
    (
        "theorem-4.1.attention",
        "Margin of the attention block of Eq. (4.2) after one step on the population",
        "literal",
        CLAIMED,
        False,
        part(f"{ATTENTION}, T = c N"),
    ),
    ("theorem-4.1.long-context", "The same when T = N**2", "literal", CLAIMED, True, part(f"{ATTENTION}, T = N^2")),
    (
        "theorem-4.1.corrected",
        "The previous token doubles it, and the forced trigger counts",
        "literal",
        TWICE,
        False,
        own(f"the nearest true form of theorem-4.1: {ATTENTION}, T = c N"),
    ),
    (
        "theorem-4.1.positions",
        "The margin with positions instead of previous tokens, as in the proof",
        "positions",
        CLAIMED,
        False,
        part(f"{ATTENTION}, T = c N, with the positions of the proof in place of previous tokens"),
    ),
    (
        "theorem-4.1.positions.corrected",
        "With positions and T = N**2",
        "positions",
        CLAIMED,
        True,
        own(f"the nearest true form of theorem-4.1.positions: {ATTENTION}, T = N^2"),
    ),
    (
        "theorem-4.1.tokens",
        "The margin with current tokens only",
        "tokens",
        CLAIMED,
        False,
        own("a question of ours: current tokens only, T = c N; the model has previous tokens too"),
    ),
    (
        "theorem-4.1.tokens.corrected",
        "With current tokens only and T = N**2",
        "tokens",
        CLAIMED,
        True,
        own(f"the nearest true form of theorem-4.1.tokens: {ATTENTION}, T = N^2"),
    ),
):
    _claims = MARGINS if _name == "theorem-4.1.attention" else ""
    paper.statement(_name, _title, scope=_scope, claims=_claims, label="Theorem 4.1")(
        partial(_margin, _model, _printed, long=_long)
    )


@paper.statement(
    "theorem-4.1.feed-forward",
    "The margin of the feed-forward block on the population is alpha",
    scope=own("the margin read as exact; the paper has N >> 1"),
)
def feed_forward_margin() -> Statement:
    margin_ = feed_forward_mean("token") - feed_forward_mean("noise")
    return Statement(variables=SIZES, then=equal((margin_, ALPHA)))


@paper.statement("theorem-4.1.feed-forward.corrected", "The margin of the feed-forward block is alpha - (1 - alpha)/N")
def feed_forward_margin_corrected() -> Statement:
    margin_ = feed_forward_mean("token") - feed_forward_mean("noise")
    return Statement(variables=SIZES, then=equal((margin_, ALPHA - (1 - ALPHA) / N)))


@paper.statement(
    "theorem-4.1.feed-forward.leading",
    "The margin of the feed-forward block is alpha up to order 1/N",
    scope=part("the feed-forward margin on the population, up to order 1/N"),
)
def feed_forward_margin_leading() -> Statement:
    rest = (feed_forward_mean("token") - feed_forward_mean("noise") - ALPHA).subs(N, 1 / E)
    return Statement(variables={ALPHA: NOISE_LEVEL}, then=Scaling(rest, E, 1, "at most"))


@paper.step(
    "theorem-4.1",
    "others",
    "Logits of tokens other than noise are smaller by a factor 1/N",
    scope=part("the leading order of the population entries, T = c N"),
)
def step_others() -> Statement:
    """Rows of ordinary tokens start at order 1/N**2, whatever the column."""
    data = large_data()
    entries = [data.entry(row, column) for row in ("trigger", "j") for column in ("noise", "trigger", "j", "k")]
    first = [entry.coefficient(1) for entry in entries]
    return Statement(variables={ALPHA: NOISE_LEVEL}, then=equal(*[(value, S.Zero) for value in first]))


@paper.statement(
    "claim-4.4.1.samples",
    "With m = K N L samples and step N the bound is sqrt((1 + 1/c)/(K N)) + 1/K",
    scope=part("the two summands of the bound at m = K N L; that they are small is not in it"),
    label="Section 4.4.1, ii",
)
def claim_samples() -> Statement:
    """The error N (sqrt((1/(TN) + 1/N**2) L/m) + L/m) at m = K N L is sqrt((1 + 1/c)/(K N)) + 1/K."""
    size, factor, logarithm, context = symbols("N K L c")
    samples = factor * size * logarithm
    inner = (1 / (context * size**2) + 1 / size**2) * logarithm / samples
    domains = dict.fromkeys((size, factor, logarithm, context), POSITIVE)
    claim = equal((size**2 * inner, (1 + 1 / context) / (factor * size)), (size * logarithm / samples, 1 / factor))
    return Statement(variables=domains, then=claim)
