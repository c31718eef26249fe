"""What can be said of the hypotheses of a statement on request: which are redundant, how large variables can be."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sympy import Expr, Rational, Symbol, sympify
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.goals import Goal, domains
from proofs_check.points.witness import implied_hypotheses, parameter_ranges
from proofs_check.repair.repairs import spoken
from proofs_check.report.terminal import ticker
from proofs_check.verdict import Outcome, Verdict
from theory.statements import Statement
from theory.temporal import is_plain

_PATIENCE = 2.0
"""How much longer than an engine each of the two questions may take: somebody asked."""
_MOST_MUTUAL = 8
_LONG = 8
"""Digits of a power of ten that is written as one."""


def about_hypotheses(statement: Statement, budget: Budget) -> list[str]:
    """Sentences on redundant and mutually implied hypotheses, and on variables that they bound more than is stated.

    >>> from sympy import Interval, oo
    >>> w, x = Symbol("w"), Symbol("x")
    >>> tiny = Statement(variables={w: Interval.open(0, oo), x: Interval(0, 1)}, given=(w < Rational(1, 10**60), x < 2),
    ...     then=w < 1)
    >>> about_hypotheses(tiny, Budget.of("standard"))
    ['the hypothesis x < 2 follows from the others', 'satisfiable only for w <= 10**-60']
    """
    share = replace(budget, seconds=_PATIENCE * budget.seconds)
    implied = implied_hypotheses(statement, share.start())
    notes = [f"the hypothesis {part} follows from the others{_mutual(statement, part, share)}" for part in implied]
    return notes + _bounds(statement, share)


def with_hypotheses(
    verdicts: Sequence[Verdict], statements: Mapping[str, Statement], options: argparse.Namespace
) -> list[Verdict]:
    """The verdicts with what can be said of the hypotheses of their statements, where there is one."""

    tick = ticker("looking at hypotheses", quiet=options.json)
    noted = []
    for verdict in verdicts:
        tick(verdict.id)
        statement = statements.get(verdict.id)
        found = about_hypotheses(statement, Budget.of(options.effort)) if statement is not None else []
        noted.append(verdict.note(*found))
    return noted


def _mutual(statement: Statement, implied: str, budget: Budget) -> str:
    """Which hypothesis a redundant one could replace in its turn."""
    parts = [part.subs(statement.stated) for part in statement.given if is_plain(part)]
    names = [str(part) for part in statement.given if is_plain(part)]
    if len(parts) > _MOST_MUTUAL:
        return ""
    mine = parts[names.index(implied)]
    equal = [
        spoken(other)
        for other in parts
        if other is not mine and _is_exchangeable(statement, parts, mine, other, budget)
    ]
    return f"; next to them it says the same as {' and as '.join(equal)}" if equal else ""


def _is_exchangeable(statement: Statement, parts: list[Boolean], mine: Boolean, other: Boolean, budget: Budget) -> bool:
    """Whether, next to all the rest, each of two hypotheses implies the other but is not implied without it."""

    rest = [part for part in parts if part is not mine and part is not other]

    def proved(given: list[Boolean], claim: Boolean) -> bool:
        verdict = discharge(
            Goal.over(domains(statement), given, claim), replace(budget, seconds=budget.seconds / 8).start()
        )
        return verdict is not None and verdict.outcome is Outcome.PROVED

    return proved([*rest, mine], other) and proved([*rest, other], mine) and not proved(rest, mine)


def _bounds(statement: Statement, budget: Budget) -> list[str]:
    """Bounds on single variables that the hypotheses imply and the domains do not state."""
    found: list[str] = []
    stated = domains(statement)
    ranges = parameter_ranges(statement, budget.start())
    for symbol in statement.variables if ranges else ():
        low, high = (sympify(end) for end in ranges[symbol.name])
        if _is_more(low - high):
            return ["no value satisfies the hypotheses"]
        low = low if _is_more(low - stated[symbol].inf) else None
        high = high if _is_more(stated[symbol].sup - high) else None
        if low is not None or high is not None:
            found.append(f"satisfiable only for {_range(symbol, low, high)}")
    return found


def _is_more(gap: Expr) -> bool:
    return bool(gap.is_extended_positive)


def _range(symbol: Symbol, low: Expr | None, high: Expr | None) -> str:
    left = "" if low is None else f"{_short(low)} <= "
    right = "" if high is None else f" <= {_short(high)}"
    return f"{symbol} >= {_short(low)}" if high is None and low is not None else f"{left}{symbol}{right}"


def _short(number: Expr) -> str:
    """A number of a statement, powers of ten as such.

    >>> _short(Rational(1, 10**60)), _short(Rational(-1, 2))
    ('10**-60', '-1/2')
    """
    for sign, value in (("", number), ("-", -number)):
        digits = len(str(value.q)) - 1
        if value.is_Rational and value == Rational(1, 10**digits) and digits >= _LONG:
            return f"{sign}10**-{digits}"
    return str(number)
