"""Lemma C.2 and Table C.1: mean, variance and range of each entry of the value matrix's first gradient.

The table is checked for the process itself, whose last token is the trigger, in the regime T = c N; the proof's own
reading, which leaves the last token out, and the regime T = N**2 stand beside it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sympy import And, Expr, Interval, Range, Symbol, oo, together

from theory.associative_memory._paper import ALPHA, NOISE_LEVEL, POSITIVE, C, E, N, T, counted, paper
from theory.associative_memory.chain import OTHER_SMALL_POWER, SMALL_POWER, in_regime, order_of
from theory.associative_memory.gradients import Data
from theory.associative_memory.leading import large_data
from theory.associative_memory.printed_table import CASES, Case
from theory.displays import equal
from theory.statements import Statement
from theory.temporal import Scaling

BOUNDED = Interval(-1, 1)
REGIME = {C: POSITIVE, ALPHA: NOISE_LEVEL, SMALL_POWER: BOUNDED, OTHER_SMALL_POWER: BOUNDED}


def agrees(exact: Expr, printed: Expr) -> Scaling:
    """The exact value differs from the printed leading order by a higher order in e = 1/N."""
    return Scaling(together(in_regime(exact - printed)), E, order_of(printed) + 1, "at most")


def _stated(case: Case, what: str, *, forced: bool) -> Scaling:
    data = Data(forced=forced)
    if what == "mean":
        return agrees(data.entry(case.row, case.column), case.mean)
    return agrees(data.variance(case.row, case.column), case.variance)


def _row(case: Case, what: str, *, forced: bool) -> Statement:
    return Statement(variables=REGIME, then=_stated(case, what, forced=forced))


def _corrected(case: Case) -> Statement:
    data, (mean, variance) = Data(), case.right
    parts = (agrees(data.entry(case.row, case.column), mean), agrees(data.variance(case.row, case.column), variance))
    return Statement(variables=REGIME, then=And(*parts))


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


def _square(case: Case) -> Statement:
    return Statement(variables=REGIME, then=agrees(Data(forced=False).entry(case.row, case.column, 2), case.square))


def _reach(case: Case) -> Statement:
    length = Symbol("T")
    return counted(
        "reach",
        Symbol("reach") <= case.reach,
        yields=("reach",),
        variables={length: Range(2, oo)},
        row=case.row,
        column=case.column,
        vocabulary=40,
        noise="1/2",
        T=[9, 10, 31, 80],
    )


def _register(number: int, case: Case) -> None:
    of = f"table-c.1.row-{number}"
    name = f"row {number} of the table of value gradients"
    paper.statement(f"{of}.mean", f"Mean in {name}", label="Table C.1")(partial(_row, case, "mean", forced=True))
    paper.statement(f"{of}.variance", f"Variance in {name}", label="Table C.1")(
        partial(_row, case, "variance", forced=True)
    )
    paper.statement(f"{of}.mean.free", f"Mean in {name}, without the forced last token", label="Table C.1")(
        partial(_row, case, "mean", forced=False)
    )
    paper.statement(f"{of}.variance.free", f"Variance in {name}, without the forced last token", label="Table C.1")(
        partial(_row, case, "variance", forced=False)
    )
    paper.statement(f"{of}.mean.long-context", f"Mean in {name} when T = N**2", label="Table C.1")(partial(_long, case))
    paper.statement(f"{of}.range", f"Range in {name}", label="Table C.1")(partial(_reach, case))
    paper.statement(f"{of}.corrected", f"Mean and variance in {name}, corrected", label="Table C.1")(
        partial(_corrected, case)
    )
    for target, mean, square in case.given:
        told = {"trigger": "the target is the trigger", "": "the target is none of the tokens"}
        text = told.get(target, f"the target is the token {target}")
        tag = f"case-{number}.{target or 'else'}"
        paper.step("lemma-c.2", f"{tag}.mean", f"Case {number}, mean when {text}")(
            partial(_given, case, target, 1, mean)
        )
        paper.step("lemma-c.2", f"{tag}.square", f"Case {number}, square when {text}")(
            partial(_given, case, target, 2, square)
        )
    paper.step("lemma-c.2", f"case-{number}.square", f"Case {number}, mean square")(partial(_square, case))


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


@paper.statement("table-c.1", "Means and variances of all ten kinds of entries of the value gradient")
def table() -> Statement:
    pairs = [pair for case in CASES for pair in _coefficients(case, forced=True)]
    return Statement(variables=LEADING, then=equal(*pairs))


@paper.statement("table-c.1.means", "Means of all ten kinds of entries, without the forced last token")
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


@paper.statement("table-c.1.conservative", "Every printed variance is at least the exact leading one for free chains")
def conservative() -> Statement:
    """The printed variances are too large, so that the bounds built on them stay valid."""
    pairs = [_coefficients(case, forced=False)[1] for case in CASES]
    return Statement(variables=LEADING, then=And(*[printed - exact >= 0 for exact, printed in pairs]))


for _number, _case in enumerate(CASES, start=1):
    _register(_number, _case)
