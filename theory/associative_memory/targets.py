"""Theorem 4.2 and phase 3 of Appendix C.4: the query-key matrix attends to targets, and when it avoids noise.

The value matrix is beta_1 on current and beta_2 on previous tokens; beta_1 and beta_2 are of order 1/N**2, so an
order 1/N**k here is the paper's N**-(k + 2).
"""

from __future__ import annotations

from functools import partial

from sympy import And, Eq, Expr, FiniteSet, Gt, Range, S, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, C, counted, paper
from theory.associative_memory.attention import ASSUMED, BETA_1, BETA_2, ORDER, expanded, of_order
from theory.associative_memory.leading import Laurent, large_data
from theory.associative_memory.query_key import projection
from theory.scope import case, own, part
from theory.statements import Statement

ANY = ("j", "trigger", "noise")


def logit_gap(first: tuple[str, str], second: tuple[str, str], *, long: bool = False) -> Laurent:
    """xi of one pair (previous, current) minus xi of another."""
    parts = [
        projection("previous", pair[0], long=long) + projection("current", pair[1], long=long)
        for pair in (first, second)
    ]
    return parts[0] - parts[1]


def _after_trigger(*, long: bool = False) -> Boolean:
    gaps = [logit_gap(("trigger", j), (k, l), long=long) for j in ANY for k in ("j", "noise") for l in ANY]
    return And(*[of_order(gap, 1, Gt) for gap in gaps])


def _avoids_noise(tokens: tuple[str, ...], *, long: bool = False) -> Boolean:
    gaps = [projection("current", token, long=long) - projection("current", "noise", long=long) for token in tokens]
    return And(*[of_order(gap, 2, Gt) for gap in gaps])


paper.unstated(
    "theorem-4.2",
    "One step on the query-key matrix attends to targets after the trigger and avoids noise",
    missing="what the value matrix is after two phases of training, for all N and T",
)


@paper.statement(
    "theorem-4.2.ratio",
    "One step on the query-key matrix attends to targets after the trigger and avoids noise",
    scope=case("T = c N, N to infinity, the value matrix as beta_1 and beta_2 times the identity"),
    claims="Under Assumption C.4.1 and N, T >> 1 one step on W_QK gives (4.3) and (4.4)",
)
def theorem_4_2_ratio() -> Statement:
    return expanded(And(_after_trigger(), _avoids_noise(("j", "trigger"))), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.3",
    "Positions after the trigger get the larger logits",
    scope=case("T = c N, N to infinity, the value matrix as beta_1 and beta_2 times the identity"),
    equations=("4.3",),
)
def equation_4_3() -> Statement:
    """The weights beta are of order 1/N**2, so an order 1/N here is N**-3 of the paper."""
    return expanded(_after_trigger(), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.4",
    "After the trigger a token gets a larger logit than noise",
    scope=case("T = c N, N to infinity, the value matrix as beta_1 and beta_2 times the identity"),
    equations=("4.4",),
)
def equation_4_4() -> Statement:
    return expanded(_avoids_noise(("j", "trigger")), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.4.token",
    "The same for tokens other than the trigger",
    scope=part("tokens other than the trigger; T = c N, the idealised value matrix"),
    label="Eq. (4.4)",
)
def equation_4_4_token() -> Statement:
    return expanded(_avoids_noise(("j",)), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.4.long-context",
    "The same for tokens other than the trigger when T = N**2",
    scope=part("tokens other than the trigger; T = N^2, the idealised value matrix"),
    label="Eq. (4.4)",
)
def equation_4_4_long() -> Statement:
    return expanded(_avoids_noise(("j",), long=True), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.4.corrected",
    "Noise is avoided once alpha beta_1 exceeds (1 - alpha) beta_2 and contexts are long",
    scope=own(
        "the nearest true form of equation-4.4, under conditions on alpha, beta_1, beta_2 and T that the print lacks"
    ),
)
def equation_4_4_corrected() -> Statement:
    enough = ALPHA * BETA_1 > (1 - ALPHA) * BETA_2
    long = C * (BETA_1 + BETA_2) * (1 - ALPHA + ALPHA**2) > ALPHA * (2 * BETA_1 + BETA_2)
    return expanded(_avoids_noise(("j", "trigger")), given=(enough, long))


@paper.statement(
    "theorem-4.2.corrected",
    "Both patterns under the conditions that Eq. (4.4) needs",
    scope=own(
        "the nearest true form of theorem-4.2, under conditions on alpha, beta_1, beta_2 and T that the print lacks"
    ),
)
def theorem_4_2_corrected() -> Statement:
    corrected = equation_4_4_corrected()
    return expanded(And(_after_trigger(), corrected.then), given=corrected.given)


def _in_numbers(matrix: str, noise: str, rho: str, sizes: list[int]) -> Statement:
    names = ("now_token", "now_noise", "now_trigger")
    token, off, trigger = (Symbol(name) for name in names)
    size, length = Symbol("N"), Symbol("T")
    return counted(
        "query_key",
        And(token > off, trigger > off),
        yields=names,
        variables={size: Range(4, oo), length: Range(4, oo)},
        given=(Eq(length, 3 * size),),
        noise=noise,
        rho=rho,
        matrix=matrix,
        N=sizes,
        T=[3 * value for value in sizes],
        notes="Exact gradients at the sizes that are named; for all large N with T = N**2 it is"
        " equation-4.4.corrected, and a"
        " proof for every N needs the signs of the closed forms there.",
    )


for _name, _title, _matrix, _noise, _rho, _sizes in (
    ("trained", "Eq. (4.4) for the value matrix that phases 1 and 2 really make", "trained", "1/5", "1/2", [6, 8]),
    ("idealised", "Eq. (4.4) at finite size, beta_2 = beta_1", "idealised", "1/10", "1", [6, 8]),
    ("early", "Eq. (4.4) at finite size, beta_2 = beta_1 / 10", "idealised", "1/5", "1/10", [12]),
):
    _what = "exact numbers: T = 3 N, N = " + ", ".join(map(str, _sizes)) + f", alpha = {_noise}, one ratio of the betas"
    paper.statement(f"equation-4.4.{_name}", _title, scope=case(_what), label="Eq. (4.4)")(
        partial(_in_numbers, _matrix, _noise, _rho, _sizes)
    )


def difference(k: str, b: str, kind: str) -> Laurent:
    """E[sum_t B | y = k] - E[sum_t B] of (C.23), or the same of C for previous tokens."""
    data = large_data()
    one, two = Laurent.of(BETA_1), Laurent.of(BETA_2)

    def given(target: str) -> Laurent:
        sequence, length = data.sequence(target), data.length
        goal, own = data.role(k, target), data.role(b, target)
        same = sequence.mean(own) if goal == own and k == b else 0
        if kind == "current":
            first = same - sequence.product(goal, own) / length
            second = sequence.pairs(goal, own) - sequence.before_product(goal, own) / length
            return one * first + two * second
        first = sequence.pairs(own, goal) - sequence.before_product(own, goal) / length
        free = sequence.free
        second = (free.mean(own) if k == b else 0) - free.product(goal, own) / length
        return one * first + two * second

    return given(k) - data.average(given, k, b)


def _difference(k: str, b: str, kind: str, printed: Expr) -> Statement:
    return expanded(Eq(difference(k, b, kind).coefficient(0), printed, evaluate=False))


GAIN = BETA_1 * (1 - ALPHA) * C
section = paper.section(steps=case("T = c N, N to infinity, the idealised value matrix"))
for _tag, _title, _k, _b, _kind, _printed in (
    ("c.24", "b1 = k: beta_1 (1 - alpha) T/N", "k", "k", "current", GAIN),
    ("c.25.token", "b1 another token: smaller than T/N", "k", "b", "current", S.Zero),
    ("c.25.noise", "b1 = noise and k an ordinary token: smaller than T/N", "k", "noise", "current", S.Zero),
    ("c.25.trigger", "b1 = noise and k the trigger: smaller than T/N", "trigger", "noise", "current", S.Zero),
    ("c.26", "b2 = q: beta_1 (1 - alpha) T/N", "k", "trigger", "previous", GAIN),
    ("c.27", "b2 = k: beta_2 (1 - alpha) T/N", "k", "k", "previous", BETA_2 * (1 - ALPHA) * C),
    ("c.28", "b2 another token: smaller than T/N", "k", "b", "previous", S.Zero),
):
    section.step("theorem-4.2", _tag, _title)(partial(_difference, _k, _b, _kind, _printed))

RATE = (1 - ALPHA) ** 2 * BETA_1


def _sum_over_tokens(current: str, second: Expr | None) -> Statement:
    total = projection("previous", "trigger") + projection("current", current)
    parts = [Eq(total.coefficient(1), RATE, evaluate=False)]
    if second is not None:
        parts.append(Eq(total.coefficient(2), second, evaluate=False))
    return expanded(And(*parts))


for _tag, _title, _current, _second in (
    ("c.29", "b2 = q and a token: both printed orders", "j", RATE),
    ("c.29.leading", "b2 = q and a token: the leading order", "j", None),
    ("c.31", "b2 = q and noise: the leading order and no next one", "noise", S.Zero),
    ("c.31.leading", "b2 = q and noise: the leading order", "noise", None),
):
    _scope = part("the leading order, T = c N") if _tag.endswith("leading") else None
    section.step("theorem-4.2", _tag, _title, scope=_scope)(partial(_sum_over_tokens, _current, _second))


@paper.step(
    "theorem-4.2",
    "c.30",
    "b1 = b2 = q: at least the printed sum",
    scope=case("T = c N, N to infinity, the value matrix as beta_1 and beta_2 times the identity"),
)
def step_c_30() -> Statement:
    total = projection("previous", "trigger") + projection("current", "trigger")
    lead = Eq(total.coefficient(1), RATE, evaluate=False)
    return expanded(And(lead, total.coefficient(2) >= (1 - ALPHA) ** 2 * BETA_2), given=ORDER, level=ASSUMED)


@paper.step(
    "theorem-4.2",
    "c.32",
    "b2 not q: at most the printed sum",
    scope=case("T = c N, N to infinity, the value matrix as beta_1 and beta_2 times the identity"),
)
def step_c_32() -> Statement:
    most = (1 - ALPHA) ** 2 * (BETA_1 + 2 * BETA_2)
    sums = [projection("previous", b) + projection("current", a) for b in ("j", "noise") for a in ANY]
    lower = [Eq(value, 0, evaluate=False) for total in sums if (value := total.coefficient(1)) != 0]
    return expanded(And(*lower, *[total.coefficient(2) <= most for total in sums]), given=ORDER, level=ASSUMED)


@paper.step(
    "theorem-4.2",
    "gap",
    "The gap between a token and noise is at least (1 - alpha)**2 beta_2/N**2",
    scope=case("T = c N, N to infinity, the value matrix as beta_1 and beta_2 times the identity"),
)
def step_gap() -> Statement:
    gap = projection("current", "j") - projection("current", "noise")
    return expanded(gap.coefficient(2) >= (1 - ALPHA) ** 2 * BETA_2, given=ORDER, level=ASSUMED)


@paper.step(
    "theorem-4.2",
    "gap.sharp",
    "The exact leading coefficient of that gap",
    scope=own("not in print: the exact coefficient"),
)
def step_gap_sharp() -> Statement:
    gap = projection("current", "j") - projection("current", "noise")
    exact = (1 - ALPHA) ** 2 * (ALPHA * BETA_1 - (1 - ALPHA) * BETA_2)
    return expanded(Eq(gap.coefficient(2), exact, evaluate=False))


@paper.step(
    "theorem-4.2",
    "rare-noise",
    "Noise follows a token k with probability O(1/N) and only if k is the trigger",
    scope=case("the constant 10 in O(1/N)"),
)
def rare_noise() -> Statement:
    """After the trigger the noise token has probability alpha, whatever N."""
    size = Symbol("N")
    bound = Symbol("K")
    return Statement(
        variables={ALPHA: NOISE_LEVEL, bound: FiniteSet(10), size: Range(2, oo)}, then=bound / size >= ALPHA
    )
