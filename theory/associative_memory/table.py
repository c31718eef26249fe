"""Lemma C.2 and Table C.1: mean, variance and range of each entry of the value matrix's first gradient.

The table is checked for the process itself, whose last token is the trigger, in the regime T = c N; the proof's own
reading, which leaves the last token out, and the regime T = N**2 stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sympy import And, Expr, Interval, together

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, C, E, N, T, paper
from theory.associative_memory.chain import OTHER_SMALL_POWER, SMALL_POWER, in_regime, order_of
from theory.associative_memory.gradients import Data
from theory.associative_memory.leading import large_data
from theory.associative_memory.printed_table import CASES, Case, right_mean_square, right_square
from theory.displays import equal
from theory.domains import POSITIVE
from theory.library import correction_of
from theory.scope import Scope, own, part
from theory.scope import case as case_
from theory.statements import Statement
from theory.temporal import Scaling

BOUNDED = Interval(-1, 1)
REGIME = {C: POSITIVE, ALPHA: NOISE_LEVEL, SMALL_POWER: BOUNDED, OTHER_SMALL_POWER: BOUNDED}


def agrees(exact: Expr, printed: Expr) -> Scaling:
    """The exact value differs from the printed leading order by a higher order in e = 1/N."""
    return Scaling(together(in_regime(exact - printed)), E, order_of(printed) + 1, "at most")


def _row(case: Case, what: str, printed: Expr, *, forced: bool) -> Statement:
    data = Data(forced=forced)
    exact = (data.entry if what == "mean" else data.variance)(case.row, case.column)
    return Statement(variables=REGIME, then=agrees(exact, printed))


def _long(case: Case) -> Statement:
    """Far longer contexts, T = N**2: the forced token is one among many."""
    long = {T: E**-2, N: 1 / E}
    exact = Data(powers=(SMALL_POWER * E**3, OTHER_SMALL_POWER * E**3)).entry(case.row, case.column)
    rest = together((exact - case.mean).subs(long, simultaneous=True))
    variables = {symbol: REGIME[symbol] for symbol in (ALPHA, SMALL_POWER, OTHER_SMALL_POWER)}
    return Statement(variables=variables, then=Scaling(rest, E, order_of(case.mean) + 1, "at most"))


def _given(case: Case, target: str, power: int, printed: Expr) -> Statement:
    exact = Data(forced=False).given(case.row, case.column, target, power)
    return Statement(variables=REGIME, then=agrees(exact, printed))


def _square(case: Case, printed: Expr) -> Statement:
    return Statement(variables=REGIME, then=agrees(Data(forced=False).entry(case.row, case.column, 2), printed))


LARGE = case_("T = c N, N to infinity")
WITHOUT_LAST = case_("T = c N, N to infinity, without the forced last token")
LONG = case_("T = N^2, N to infinity")
section = paper.section(steps=WITHOUT_LAST)


def _register(number: int, case: Case) -> None:
    of = f"table-c.1.row-{number}"
    name = f"row {number} of the table of value gradients"
    free = f"{name}, without the forced last token"

    def state(id_: str, title: str, build: Callable[[], Statement], scope: Scope = LARGE) -> None:
        named = correction_of(f"{of}.{id_}") or scope
        paper.statement(f"{of}.{id_}", title, scope=named, label="Table C.1")(build)

    for what, printed, right in (("mean", case.mean, case.right[0]), ("variance", case.variance, case.right[1])):
        title = f"{what.capitalize()} in"
        state(what, f"{title} {name}", partial(_row, case, what, printed, forced=True))
        if right != printed:
            state(f"{what}.corrected", f"{title} {name}, corrected", partial(_row, case, what, right, forced=True))
        state(f"{what}.free", f"{title} {free}", partial(_row, case, what, printed, forced=False), WITHOUT_LAST)
    if case.row != "noise":
        right = right_mean_square(case)
        state(
            "variance.free.corrected",
            f"Variance in {free}, corrected",
            partial(_row, case, "variance", right, forced=False),
        )
    state("mean.long-context", f"Mean in {name} when T = N**2", partial(_long, case), LONG)
    _register_case(number, case)


def _register_case(number: int, case: Case) -> None:
    told = {"trigger": "the target is the trigger", "": "the target is none of the tokens"}
    for target, mean, square in case.given:
        text = told.get(target, f"the target is the token {target}")
        tag = f"case-{number}.{target or 'else'}"
        right = right_square(case, target)
        section.step("lemma-c.2", f"{tag}.mean", f"Case {number}, mean when {text}")(
            partial(_given, case, target, 1, mean)
        )
        section.step("lemma-c.2", f"{tag}.square", f"Case {number}, square when {text}")(
            partial(_given, case, target, 2, square)
        )
        if right != square:
            section.step("lemma-c.2", f"{tag}.square.corrected", f"Case {number}, square when {text}, corrected")(
                partial(_given, case, target, 2, right)
            )
    tag, title = f"case-{number}.square", f"Case {number}, mean square"
    section.step("lemma-c.2", tag, title)(partial(_square, case, case.square))
    if case.row != "noise":
        section.step("lemma-c.2", f"{tag}.corrected", f"{title}, corrected")(
            partial(_square, case, right_mean_square(case))
        )


def _coefficients(case: Case, *, forced: bool) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    """The exact leading coefficients of mean and variance, each with the printed one."""
    data = large_data(forced=forced)
    exact = (data.entry(case.row, case.column), data.variance(case.row, case.column))
    pairs = [
        (value.coefficient(order_of(printed)), in_regime(printed).subs(E, 1))
        for value, printed in zip(exact, (case.mean, case.variance), strict=True)
    ]
    return pairs[0], pairs[1]


LEADING = {C: POSITIVE, ALPHA: NOISE_LEVEL}


@paper.statement(
    "table-c.1",
    "Means and variances of all ten kinds of entries of the value gradient",
    scope=part("means and variances, not ranges; T = c N, N to infinity"),
)
def table() -> Statement:
    pairs = [pair for case in CASES for pair in _coefficients(case, forced=True)]
    return Statement(variables=LEADING, then=equal(*pairs))


@paper.statement(
    "table-c.1.means",
    "Means of all ten kinds of entries, without the forced last token",
    scope=part("the means without the forced last token, T = c N, N to infinity"),
)
def means() -> Statement:
    pairs = [_coefficients(case, forced=False)[0] for case in CASES]
    return Statement(variables={ALPHA: NOISE_LEVEL}, then=equal(*pairs))


@paper.statement("table-c.1.corrected", "Means and variances of all ten kinds of entries, corrected")
def corrected() -> Statement:
    pairs: list[tuple[Expr, Expr]] = []
    for case in CASES:
        mean, variance = case.right
        pairs += _coefficients(replace(case, mean=mean, variance=variance), forced=True)
    return Statement(variables=LEADING, then=equal(*pairs))


@paper.statement(
    "table-c.1.conservative",
    "Every printed variance is at least the exact leading one for free chains",
    scope=own("not in print: the listed variances are large enough"),
)
def conservative() -> Statement:
    """The printed variances are too large, so that the bounds built on them stay valid."""
    pairs = [_coefficients(case, forced=False)[1] for case in CASES]
    return Statement(variables=LEADING, then=And(*[printed - exact >= 0 for exact, printed in pairs]))


for _number, _case in enumerate(CASES, start=1):
    _register(_number, _case)
