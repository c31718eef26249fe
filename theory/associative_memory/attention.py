"""Section 4.4.2, the end of 4.4.4.3 and Appendix C.4: what the query-key matrix learns, by exact leading orders.

Theta and Omega are read for N to infinity with alpha fixed and T = c N (the regime in which both terms of the
table's variances count), and beside it for T = N**2. Coefficients of powers of 1/N are exact; a claim of order k
with a sign says that the lower coefficients vanish and that the coefficient of order k has that sign.
"""

from __future__ import annotations

from functools import partial

from sympy import And, Eq, Expr, FiniteSet, Gt, Interval, Lt, Ne, Range, Rational, S, Symbol, oo, sqrt
from sympy.logic.boolalg import Boolean

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, POSITIVE, C, counted, paper
from theory.associative_memory.leading import SMALL, Laurent, large_data
from theory.associative_memory.query_key import PREDICTION, first_step, projection
from theory.statements import Statement

BETA_1, BETA_2 = Symbol("beta_1"), Symbol("beta_2")
LIMIT = Rational(3, 2) - sqrt(5) / 2
"""The largest noise level of Assumption C.4.1: a root of alpha**2 - 3 alpha + 1."""

ASSUMED = Interval.Lopen(0, LIMIT)
WEIGHTS = {ALPHA: ASSUMED, C: POSITIVE, BETA_1: POSITIVE, BETA_2: POSITIVE}
ORDER = (BETA_2 <= BETA_1,)
EXPANDED = (
    "Leading coefficients are exact Laurent expansions of the closed forms in 1/N; T = c N unless said otherwise."
)


def of_order(series: Laurent, order: int, sign: type[Boolean] = Ne) -> Boolean:
    """The series starts at this order, with a coefficient of this sign.

    >>> of_order(SMALL**2, 2, Gt)
    True
    """
    lower = [series.coefficient(k) for k in range(series.start, order)]
    zero = [Eq(value, 0, evaluate=False) for value in lower if value != 0]
    return And(*zero, sign(series.coefficient(order), 0))


def _statement(then: Boolean, *, given: tuple[Boolean, ...] = (), level: Interval = NOISE_LEVEL) -> Statement:
    used = then.free_symbols | set().union(*(part.free_symbols for part in given))
    domains = {**WEIGHTS, ALPHA: level, PREDICTION: POSITIVE}
    return Statement(variables={s: domains[s] for s in domains if s in used}, given=given, then=then, notes=EXPANDED)


BELOW = (PREDICTION < ALPHA,)


def share(token: str, *, forced: bool = True, long: bool = False) -> Laurent:
    """N E[n_k] / T, averaged over the targets."""
    data = large_data(forced=forced, long=long)
    mean = data.average(lambda target: data.sequence(target).mean(data.role(token, target)), token)
    return mean / data.length / SMALL  # type: ignore[return-value]


def _projected(tokens: tuple[str, ...], *, long: bool = False) -> Statement:
    """Eq. (4.6) without its common factor (alpha - p)/N: 1 on ordinary tokens, alpha on noise."""
    printed = {"noise": ALPHA}
    parts = [Eq(share(token, long=long).coefficient(0), printed.get(token, S.One), evaluate=False) for token in tokens]
    return _statement(And(*parts))


def _register_shares() -> None:
    readings = (
        ("equation-4.6", "Noise row of the value gradient on every token", ("j", "trigger", "noise"), False),
        ("equation-4.6.corrected", "The same on every token but the trigger", ("j", "noise"), False),
        ("equation-4.6.long-context", "The same on every token when T = N**2", ("j", "trigger", "noise"), True),
    )
    for name, title, tokens, long in readings:
        paper.statement(name, title, label="Eq. (4.6)", equations=("4.6",))(partial(_projected, tokens, long=long))


_register_shares()


@paper.statement("equation-4.7", "The noise row pushes the query-key matrix away from noise and towards tokens")
def equation_4_7() -> Statement:
    """B on noise and on an ordinary token: (alpha/N) c' (alpha - 1) and (alpha/N) c' (1 - alpha)/N, c' = alpha/N."""
    step = first_step(long=True)
    noise, token = step.noise_part("noise"), step.noise_part("j")
    printed = ALPHA**2 * (ALPHA - 1)
    parts = (Eq(noise.coefficient(2), printed, evaluate=False), Eq(token.coefficient(3), -printed, evaluate=False))
    return _statement(And(of_order(noise, 2, Lt), of_order(token, 3, Gt), *parts))


@paper.statement("equation-4.7.proportional", "The same with T = c N, where the forced trigger counts")
def equation_4_7_proportional() -> Statement:
    step = first_step()
    return _statement(And(of_order(step.noise_part("noise"), 2, Lt), of_order(step.noise_part("j"), 3, Gt)))


def _token_rows(token: str, order: int) -> Statement:
    return _statement(of_order(first_step(long=True).token_part(token, "k"), order))


for _tag, _title, _token, _order in (
    ("a-noise", "The row of a token, on noise: order 1/N**3", "noise", 3),
    ("a-token", "The row of a token, on the same token: order 1/N**4", "k", 4),
    ("a-token.corrected", "The row of a token, on the same token: order 1/N**3", "k", 3),
):
    paper.step("equation-4.7", _tag, _title)(partial(_token_rows, _token, _order))


def _movement(tokens: tuple[tuple[str, int, type[Boolean]], ...], *, long: bool = False) -> Statement:
    step = first_step(long=long)
    parts = [of_order(step.total(token), order, sign) for token, order, sign in tokens]
    return _statement(And(*parts), given=BELOW)


AWAY = (("noise", 2, Lt),)
TOWARDS = (("j", 3, Gt), ("trigger", 3, Gt))

for _name, _title, _tokens, _long in (
    ("equation-c.19", "The first query-key gradient: away from noise, towards every token", AWAY + TOWARDS, False),
    ("equation-c.19.noise", "The first query-key gradient points away from noise at order 1/N**2", AWAY, False),
    ("equation-c.19.token", "It points towards an ordinary token at order 1/N**3", TOWARDS[:1], False),
    ("equation-c.19.trigger", "It points towards the trigger at order 1/N**3", TOWARDS[1:], False),
    ("equation-c.19.trigger.corrected", "It points towards the trigger at order 1/N**2", (("trigger", 2, Gt),), False),
    ("equation-c.19.corrected", "All three signs and orders when T = N**2", AWAY + TOWARDS, True),
):
    paper.statement(_name, _title, label="Eq. (C.19)", equations=("C.19",))(partial(_movement, _tokens, long=_long))


@paper.statement(
    "claim-4.4.4.3.uniform", "In this phase the query-key matrix attends uniformly to all tokens but noise"
)
def uniform_attention() -> Statement:
    step = first_step(long=True)
    trigger, token = (step.total(name).coefficient(3) for name in ("trigger", "j"))
    return _statement(Eq(trigger, token, evaluate=False), given=BELOW)


@paper.statement("assumption-c.4.1", "Below 3/2 - sqrt(5)/2 the diagonal of the value gradient is positive")
def assumption() -> Statement:
    return _statement(-large_data().entry("j", "j").coefficient(2) > 0, level=ASSUMED)  # type: ignore[attr-defined]


@paper.statement("assumption-c.4.1.corrected", "Strictly below the root it is positive")
def assumption_corrected() -> Statement:
    diagonal = large_data().entry("j", "j").coefficient(2)  # type: ignore[attr-defined]
    return _statement(-diagonal > 0, level=Interval.open(0, LIMIT))


ENTRIES = (
    ("noise", "noise", 1, Lt), ("noise", "trigger", 1, Lt), ("noise", "k", 1, Lt), ("trigger", "noise", 2, Lt),
    ("trigger", "trigger", 2, Lt), ("trigger", "k", 2, Gt), ("j", "noise", 2, Gt), ("j", "trigger", 2, Gt),
    ("j", "j", 2, Lt), ("j", "k", 2, Gt),
)  # fmt: skip
"""Rows, columns, orders and the signs that (C.18) gives to plus the gradient."""


def _signs(*, forced: bool, level: Interval, signed: bool) -> Statement:
    data = large_data(forced=forced)
    parts = [of_order(data.entry(row, column), order, sign if signed else Ne) for row, column, order, sign in ENTRIES]  # type: ignore[arg-type]
    return _statement(And(*parts), level=level)


OPEN = Interval.open(0, LIMIT)
for _name, _title, _forced, _level, _signed in (
    ("equation-c.17", "Orders of the entries of the value gradient", False, NOISE_LEVEL, False),
    ("equation-c.17.corrected", "The same for small noise", False, OPEN, False),
    ("equation-c.18", "Signs of the entries of the value gradient", True, ASSUMED, True),
    ("equation-c.18.corrected", "The same without the forced trigger and strictly below the root", False, OPEN, True),
):
    paper.statement(_name, _title, label="Eq. (C.17)" if "17" in _name else "Eq. (C.18)")(
        partial(_signs, forced=_forced, level=_level, signed=_signed)
    )


def second_phase(row: str, column: str, *, before: bool = False) -> Laurent:
    """Minus the value gradient once noise is predicted with probability alpha."""
    data = large_data()

    def given(target: str) -> Expr:
        sequence, role = data.sequence(target), data.role(column, target)
        count = sequence.free.mean(role) if before else sequence.mean(role)
        return (data.label(row, target) - (1 - data.noise) / data.vocabulary) * count / data.length

    return data.average(given, row, column)  # type: ignore[return-value]


def _second_phase(coefficient: Expr) -> Statement:
    parts = []
    for before in (False, True):
        diagonal, other = (second_phase("j", column, before=before) for column in ("j", "k"))
        parts += [Eq(diagonal.coefficient(2), coefficient, evaluate=False)]
        parts += [Eq(value, 0, evaluate=False) for k in (1, 2) if (value := other.coefficient(k)) != 0]
    return _statement(And(*parts))


for _name, _title, _value in (
    ("equation-c.20", "Phase 2 makes the value matrix the identity at rate 1/N**2", S.One),
    (
        "equation-c.20.corrected",
        "Phase 2 makes the value matrix the identity at rate (1 - alpha)**2/N**2",
        (1 - ALPHA) ** 2,
    ),
):
    paper.statement(_name, _title, label="Eq. (C.20)", equations=("C.20",))(partial(_second_phase, _value))


@paper.step("equation-c.20", "display", "The display before it: (1 - alpha)/N**2 on the diagonal")
def second_phase_display() -> Statement:
    return _second_phase(1 - ALPHA)


ANY = ("j", "trigger", "noise")


def logit_gap(first: tuple[str, str], second: tuple[str, str], *, long: bool = False) -> Laurent:
    """xi of one pair (previous, current) minus xi of another."""
    parts = [
        projection("previous", pair[0], long=long) + projection("current", pair[1], long=long)
        for pair in (first, second)
    ]
    return parts[0] - parts[1]


def _after_trigger(*, long: bool = False) -> Boolean:
    gaps = [logit_gap(("trigger", j), (k, l), long=long) for j in ANY for k in ("j", "noise") for l in ANY]  # noqa: E741
    return And(*[of_order(gap, 1, Gt) for gap in gaps])


def _avoids_noise(tokens: tuple[str, ...], *, long: bool = False) -> Boolean:
    gaps = [projection("current", token, long=long) - projection("current", "noise", long=long) for token in tokens]
    return And(*[of_order(gap, 2, Gt) for gap in gaps])


@paper.statement(
    "theorem-4.2", "One step on the query-key matrix attends to targets after the trigger and avoids noise"
)
def theorem_4_2() -> Statement:
    return _statement(And(_after_trigger(), _avoids_noise(("j", "trigger"))), given=ORDER, level=ASSUMED)


@paper.statement("equation-4.3", "Positions after the trigger get the larger logits", equations=("4.3",))
def equation_4_3() -> Statement:
    """The weights beta are of order 1/N**2, so an order 1/N here is N**-3 of the paper."""
    return _statement(_after_trigger(), given=ORDER, level=ASSUMED)


@paper.statement("equation-4.4", "After the trigger a token gets a larger logit than noise", equations=("4.4",))
def equation_4_4() -> Statement:
    return _statement(_avoids_noise(("j", "trigger")), given=ORDER, level=ASSUMED)


@paper.statement("equation-4.4.token", "The same for tokens other than the trigger", label="Eq. (4.4)")
def equation_4_4_token() -> Statement:
    return _statement(_avoids_noise(("j",)), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.4.long-context", "The same for tokens other than the trigger when T = N**2", label="Eq. (4.4)"
)
def equation_4_4_long() -> Statement:
    return _statement(_avoids_noise(("j",), long=True), given=ORDER, level=ASSUMED)


@paper.statement(
    "equation-4.4.corrected", "Noise is avoided once alpha beta_1 exceeds (1 - alpha) beta_2 and contexts are long"
)
def equation_4_4_corrected() -> Statement:
    enough = ALPHA * BETA_1 > (1 - ALPHA) * BETA_2
    long = C * (BETA_1 + BETA_2) * (1 - ALPHA + ALPHA**2) > ALPHA * (2 * BETA_1 + BETA_2)
    return _statement(_avoids_noise(("j", "trigger")), given=(enough, long))


@paper.statement("theorem-4.2.corrected", "Both patterns under the conditions that Eq. (4.4) needs")
def theorem_4_2_corrected() -> Statement:
    corrected = equation_4_4_corrected()
    return _statement(And(_after_trigger(), corrected.then), given=corrected.given)


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
    )


for _name, _title, _matrix, _noise, _rho, _sizes in (
    ("trained", "Eq. (4.4) for the value matrix that phases 1 and 2 really make", "trained", "1/5", "1/2", [6, 8]),
    ("idealised", "Eq. (4.4) at finite size, beta_2 = beta_1", "idealised", "1/10", "1", [6, 8]),
    ("early", "Eq. (4.4) at finite size, beta_2 = beta_1 / 10", "idealised", "1/5", "1/10", [12]),
):
    paper.statement(f"equation-4.4.{_name}", _title, label="Eq. (4.4)")(
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

    return given(k) - data.average(given, k, b)  # type: ignore[arg-type,operator]


def _difference(k: str, b: str, kind: str, printed: Expr) -> Statement:
    return _statement(Eq(difference(k, b, kind).coefficient(0), printed, evaluate=False))


GAIN = BETA_1 * (1 - ALPHA) * C
for _tag, _title, _k, _b, _kind, _printed in (
    ("c.24", "b1 = k: beta_1 (1 - alpha) T/N", "k", "k", "current", GAIN),
    ("c.25.token", "b1 another token: smaller than T/N", "k", "b", "current", S.Zero),
    ("c.25.noise", "b1 = noise and k an ordinary token: smaller than T/N", "k", "noise", "current", S.Zero),
    ("c.25.trigger", "b1 = noise and k the trigger: smaller than T/N", "trigger", "noise", "current", S.Zero),
    ("c.26", "b2 = q: beta_1 (1 - alpha) T/N", "k", "trigger", "previous", GAIN),
    ("c.27", "b2 = k: beta_2 (1 - alpha) T/N", "k", "k", "previous", BETA_2 * (1 - ALPHA) * C),
    ("c.28", "b2 another token: smaller than T/N", "k", "b", "previous", S.Zero),
):
    paper.step("theorem-4.2", _tag, _title)(partial(_difference, _k, _b, _kind, _printed))

RATE = (1 - ALPHA) ** 2 * BETA_1


def _sum_over_tokens(current: str, second: Expr | None) -> Statement:
    total = projection("previous", "trigger") + projection("current", current)
    parts = [Eq(total.coefficient(1), RATE, evaluate=False)]
    if second is not None:
        parts.append(Eq(total.coefficient(2), second, evaluate=False))
    return _statement(And(*parts))


for _tag, _title, _current, _second in (
    ("c.29", "b2 = q and a token: both printed orders", "j", RATE),
    ("c.29.leading", "b2 = q and a token: the leading order", "j", None),
    ("c.31", "b2 = q and noise: the leading order and no next one", "noise", S.Zero),
    ("c.31.leading", "b2 = q and noise: the leading order", "noise", None),
):
    paper.step("theorem-4.2", _tag, _title)(partial(_sum_over_tokens, _current, _second))


@paper.step("theorem-4.2", "c.30", "b1 = b2 = q: at least the printed sum")
def step_c_30() -> Statement:
    total = projection("previous", "trigger") + projection("current", "trigger")
    lead = Eq(total.coefficient(1), RATE, evaluate=False)
    return _statement(And(lead, total.coefficient(2) >= (1 - ALPHA) ** 2 * BETA_2), given=ORDER, level=ASSUMED)


@paper.step("theorem-4.2", "c.32", "b2 not q: at most the printed sum")
def step_c_32() -> Statement:
    most = (1 - ALPHA) ** 2 * (BETA_1 + 2 * BETA_2)
    sums = [projection("previous", b) + projection("current", a) for b in ("j", "noise") for a in ANY]
    lower = [Eq(value, 0, evaluate=False) for total in sums if (value := total.coefficient(1)) != 0]
    return _statement(And(*lower, *[total.coefficient(2) <= most for total in sums]), given=ORDER, level=ASSUMED)


@paper.step("theorem-4.2", "gap", "The gap between a token and noise is at least (1 - alpha)**2 beta_2/N**2")
def step_gap() -> Statement:
    gap = projection("current", "j") - projection("current", "noise")
    return _statement(gap.coefficient(2) >= (1 - ALPHA) ** 2 * BETA_2, given=ORDER, level=ASSUMED)


@paper.step("theorem-4.2", "gap.sharp", "The exact leading coefficient of that gap")
def step_gap_sharp() -> Statement:
    gap = projection("current", "j") - projection("current", "noise")
    exact = (1 - ALPHA) ** 2 * (ALPHA * BETA_1 - (1 - ALPHA) * BETA_2)
    return _statement(Eq(gap.coefficient(2), exact, evaluate=False))


@paper.step("theorem-4.2", "rare-noise", "Noise follows a token k with probability O(1/N) and only if k is the trigger")
def rare_noise() -> Statement:
    """After the trigger the noise token has probability alpha, whatever N."""
    size = Symbol("N")
    bound = Symbol("K")
    return Statement(
        variables={ALPHA: NOISE_LEVEL, bound: FiniteSet(10), size: Range(2, oo)}, then=ALPHA <= bound / size
    )
