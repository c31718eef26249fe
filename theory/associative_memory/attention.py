"""Section 4.4.2, the end of 4.4.4.3 and Appendix C.4: what the query-key matrix learns, by exact leading orders.

Theta and Omega are read for N to infinity with alpha fixed and T = c N (the regime in which both terms of the
table's variances count), and beside it for T = N**2. Coefficients of powers of 1/N are exact; a claim of order k
with a sign says that the lower coefficients vanish and that the coefficient of order k has that sign.
"""

from __future__ import annotations

from functools import partial

from sympy import And, Eq, Expr, Gt, Interval, Lt, Ne, Rational, S, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, C, paper
from theory.associative_memory.leading import SMALL, Laurent, large_data
from theory.associative_memory.query_key import PREDICTION, first_step
from theory.domains import POSITIVE
from theory.library import correction_of
from theory.scope import case, part
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


def expanded(then: Boolean, *, given: tuple[Boolean, ...] = (), level: Interval = NOISE_LEVEL) -> Statement:
    """A statement about exact leading coefficients, over the domains of its symbols."""
    used = then.free_symbols | set().union(*(part.free_symbols for part in given))
    domains = {**WEIGHTS, ALPHA: level, PREDICTION: POSITIVE}
    return Statement(variables={s: domains[s] for s in domains if s in used}, given=given, then=then, notes=EXPANDED)


BELOW = (PREDICTION < ALPHA,)


def share(token: str, *, forced: bool = True, long: bool = False) -> Laurent:
    """N E[n_k] / T, averaged over the targets."""
    data = large_data(forced=forced, long=long)
    mean = data.average(lambda target: data.sequence(target).mean(data.role(token, target)), token)
    return mean / data.length / SMALL


def _projected(tokens: tuple[str, ...], *, long: bool = False) -> Statement:
    """Eq. (4.6) without its common factor (alpha - p)/N: 1 on ordinary tokens, alpha on noise."""
    printed = {"noise": ALPHA}
    parts = [Eq(share(token, long=long).coefficient(0), printed.get(token, S.One), evaluate=False) for token in tokens]
    return expanded(And(*parts))


def _register_shares() -> None:
    large, long_ = case("T = c N, N to infinity"), case("T = N^2, N to infinity")
    readings = (
        ("equation-4.6", "Noise row of the value gradient on every token", ("j", "trigger", "noise"), False),
        ("equation-4.6.corrected", "The same on every token but the trigger", ("j", "noise"), False),
        ("equation-4.6.long-context", "The same on every token when T = N**2", ("j", "trigger", "noise"), True),
    )
    for name, title, tokens, long in readings:
        scope = correction_of(name) or (long_ if long else large)
        paper.statement(name, title, scope=scope, label="Eq. (4.6)", equations=("4.6",))(
            partial(_projected, tokens, long=long)
        )


_register_shares()


@paper.statement(
    "equation-4.7",
    "The noise row pushes the query-key matrix away from noise and towards tokens",
    scope=case("T = N^2, N to infinity"),
)
def equation_4_7() -> Statement:
    """B on noise and on an ordinary token: (alpha/N) c' (alpha - 1) and (alpha/N) c' (1 - alpha)/N, c' = alpha/N."""
    step = first_step(long=True)
    noise, token = step.noise_part("noise"), step.noise_part("j")
    printed = ALPHA**2 * (ALPHA - 1)
    parts = (Eq(noise.coefficient(2), printed, evaluate=False), Eq(token.coefficient(3), -printed, evaluate=False))
    return expanded(And(of_order(noise, 2, Lt), of_order(token, 3, Gt), *parts))


@paper.statement(
    "equation-4.7.proportional",
    "The same with T = c N, where the forced trigger counts",
    scope=case("T = c N, N to infinity"),
)
def equation_4_7_proportional() -> Statement:
    step = first_step()
    return expanded(And(of_order(step.noise_part("noise"), 2, Lt), of_order(step.noise_part("j"), 3, Gt)))


def _token_rows(token: str, order: int) -> Statement:
    return expanded(of_order(first_step(long=True).token_part(token, "k"), order))


section = paper.section(steps=case("T = N^2, N to infinity"))
for _tag, _title, _token, _order in (
    ("a-noise", "The row of a token, on noise: order 1/N**3", "noise", 3),
    ("a-token", "The row of a token, on the same token: order 1/N**4", "k", 4),
    ("a-token.corrected", "The row of a token, on the same token: order 1/N**3", "k", 3),
):
    section.step("equation-4.7", _tag, _title)(partial(_token_rows, _token, _order))


def _movement(tokens: tuple[tuple[str, int, type[Boolean]], ...], *, long: bool = False) -> Statement:
    step = first_step(long=long)
    parts = [of_order(step.total(token), order, sign) for token, order, sign in tokens]
    return expanded(And(*parts), given=BELOW)


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
    _scope = case("T = c N, N to infinity") if len(_tokens) == 3 else part("one kind of token; T = c N, N to infinity")
    paper.statement(_name, _title, scope=correction_of(_name) or _scope, label="Eq. (C.19)", equations=("C.19",))(
        partial(_movement, _tokens, long=_long)
    )


@paper.statement(
    "claim-4.4.4.3.uniform",
    "In this phase the query-key matrix attends uniformly to all tokens but noise",
    scope=case("T = N^2, the order 1/N^3"),
)
def uniform_attention() -> Statement:
    step = first_step(long=True)
    trigger, token = (step.total(name).coefficient(3) for name in ("trigger", "j"))
    return expanded(Eq(trigger, token, evaluate=False), given=BELOW)


@paper.statement(
    "assumption-c.4.1",
    "Below 3/2 - sqrt(5)/2 the diagonal of the value gradient is positive",
    scope=part("item 4, that the bound ensures the sign; T = c N, N to infinity"),
    claims="Orthonormal embeddings, noise predicted at alpha, m infinite, and alpha <= 3/2 - sqrt(5)/2 for the sign",
)
def assumption() -> Statement:
    return expanded(-large_data().entry("j", "j").coefficient(2) > 0, level=ASSUMED)


@paper.statement("assumption-c.4.1.corrected", "Strictly below the root it is positive")
def assumption_corrected() -> Statement:
    diagonal = large_data().entry("j", "j").coefficient(2)
    return expanded(-diagonal > 0, level=Interval.open(0, LIMIT))


ENTRIES = (
    ("noise", "noise", 1, Lt), ("noise", "trigger", 1, Lt), ("noise", "k", 1, Lt), ("trigger", "noise", 2, Lt),
    ("trigger", "trigger", 2, Lt), ("trigger", "k", 2, Gt), ("j", "noise", 2, Gt), ("j", "trigger", 2, Gt),
    ("j", "j", 2, Lt), ("j", "k", 2, Gt),
)  # fmt: skip
"""Rows, columns, orders and the signs that (C.18) gives to plus the gradient."""


def _signs(*, forced: bool, level: Interval, signed: bool) -> Statement:
    data = large_data(forced=forced)
    parts = [of_order(data.entry(row, column), order, sign if signed else Ne) for row, column, order, sign in ENTRIES]
    return expanded(And(*parts), level=level)


OPEN = Interval.open(0, LIMIT)
for _name, _title, _forced, _level, _signed in (
    ("equation-c.17", "Orders of the entries of the value gradient", False, ASSUMED, False),
    ("equation-c.17.corrected", "The same strictly below the root", False, OPEN, False),
    ("equation-c.18", "Signs of the entries of the value gradient", True, ASSUMED, True),
    ("equation-c.18.corrected", "The same without the forced trigger and strictly below the root", False, OPEN, True),
):
    _scope = case(f"T = c N, N to infinity{'' if _forced else ', without the forced last token'}")
    _label = "Eq. (C.17)" if "17" in _name else "Eq. (C.18)"
    paper.statement(_name, _title, scope=correction_of(_name) or _scope, label=_label)(
        partial(_signs, forced=_forced, level=_level, signed=_signed)
    )


def second_phase(row: str, column: str, *, before: bool = False) -> Laurent:
    """Minus the value gradient once noise is predicted with probability alpha."""
    data = large_data()

    def given(target: str) -> Expr:
        sequence, role = data.sequence(target), data.role(column, target)
        count = sequence.free.mean(role) if before else sequence.mean(role)
        return (data.label(row, target) - (1 - data.noise) / data.vocabulary) * count / data.length

    return data.average(given, row, column)


def _second_phase(coefficient: Expr) -> Statement:
    parts = []
    for before in (False, True):
        diagonal, other = (second_phase("j", column, before=before) for column in ("j", "k"))
        parts += [Eq(diagonal.coefficient(2), coefficient, evaluate=False)]
        parts += [Eq(value, 0, evaluate=False) for k in (1, 2) if (value := other.coefficient(k)) != 0]
    return expanded(And(*parts))


for _name, _title, _value in (
    ("equation-c.20", "Phase 2 makes the value matrix the identity at rate 1/N**2", S.One),
    (
        "equation-c.20.corrected",
        "Phase 2 makes the value matrix the identity at rate (1 - alpha)**2/N**2",
        (1 - ALPHA) ** 2,
    ),
):
    _scope = correction_of(_name) or case("T = c N, N to infinity")
    paper.statement(_name, _title, scope=_scope, label="Eq. (C.20)", equations=("C.20",))(
        partial(_second_phase, _value)
    )


@paper.step(
    "equation-c.20",
    "display",
    "The display before it: (1 - alpha)/N**2 on the diagonal",
    scope=case("T = c N, N to infinity"),
)
def second_phase_display() -> Statement:
    return _second_phase(1 - ALPHA)


@paper.statement(
    "equation-c.21",
    "After phase 2 the entry (trigger, noise) of the value matrix grew in phase 1 only",
    scope=part("the entry (trigger, noise), T = c N, N to infinity"),
)
def equation_c_21() -> Statement:
    """The coefficient of 1/N**2 that phase 2 adds to it."""
    return expanded(Eq(second_phase("trigger", "noise").coefficient(2), 0, evaluate=False))


@paper.statement("equation-c.21.corrected", "Phase 2 adds (1 - alpha)**2/N**2 to that entry as to the diagonal")
def equation_c_21_corrected() -> Statement:
    return expanded(Eq(second_phase("trigger", "noise").coefficient(2), (1 - ALPHA) ** 2, evaluate=False))
