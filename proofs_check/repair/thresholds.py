"""Numbers at which a claim may begin or cease to be true: the ends of a corrected range, and corrected constants.

They come from the exact zeros of the claim, from elimination, and from the numbers that the statement prints. None of
them is claimed to help; that is proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice

from sympy import CRootOf, Expr, Float, Interval, Rational, S, Set, Symbol, Union, ceiling, floor
from sympy.core.relational import Relational

from proofs_check.budget import PATIENCE
from proofs_check.goals import domains
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.points.candidate_values import place, zeros
from proofs_check.points.rationals import nice_between
from proofs_check.repair.eliminants import candidates
from theory.statements import Constant, Statement
from theory.temporal import is_plain

_LANDMARKS = tuple(Rational(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (1, 2), (2, 1)))
_MOST, _MOST_ROUNDED = 16, 6
_MOST_VARIABLES = 3
_NOISE = 1e-6
"""Zeros that are searched in floating point and smaller than this are zero."""
_ROUNDING = Fraction(1, 50)
"""How far, relatively, a round number may lie from the zero that it stands for."""


def thresholds(statement: Statement, symbol: Symbol, seconds: float) -> list[Expr]:
    """Numbers at which a range of the variable may end, the most telling ones first.

    >>> from sympy import Reals
    >>> x = Symbol("x")
    >>> thresholds(Statement(variables={x: Reals}, then=x**2 <= 7), x, 1.0)[:3]
    [-sqrt(7), sqrt(7), 0]
    """
    exact, rounds = own_zeros(statement, symbol)
    found = [*exact, *_eliminated(statement, symbol, seconds), *_LANDMARKS, *islice(rounds, _MOST_ROUNDED)]
    found += [end for domain in domains(statement).values() for end in ends(domain)]
    found += sorted(_printed(statement), key=lambda number: (number.q, abs(number)))
    if symbol in statement.integers:
        found = [whole for number in found for whole in _whole(number)]
    return list(dict.fromkeys(number for number in found if place(number) is not None))[:_MOST]


def _whole(number: Expr) -> list[Expr]:
    """The whole numbers on both sides of a number.

    >>> _whole(Rational(51, 13)), _whole(S(4))
    ([3, 4], [4])
    """
    return list(dict.fromkeys((floor(number), ceiling(number))))


def ends(domain: Set) -> list[Expr]:
    """The finite ends of an interval, or of those of a union.

    >>> ends(Interval(0, 1)), ends(S.Integers)
    ([0, 1], [])
    """
    intervals = [
        part for part in (domain.args if isinstance(domain, Union) else (domain,)) if isinstance(part, Interval)
    ]
    return [end for part in intervals for end in (part.start, part.end) if end.is_finite]


def own_zeros(statement: Statement, symbol: Symbol) -> tuple[list[Expr], list[Expr]]:
    """Where a conclusion about this variable alone is an equality, and round numbers next to what nobody can read."""
    exact: list[Expr] = []
    near: list[Fraction] = []
    for relation in sorted(statement.conclusion.atoms(Relational), key=str):
        if relation.free_symbols == {symbol}:
            known, searched = zeros(relation.lhs - relation.rhs, symbol)
            exact += [zero for zero in known if not zero.has(CRootOf, Float)]
            near += [value for zero in known if zero.has(CRootOf) and (value := place(zero)) is not None]
            near += [Fraction(zero) for zero in searched if abs(zero) > _NOISE]
    return exact, [number for value in near for number in rounded(value)]


def rounded(value: Fraction) -> Iterator[Rational]:
    """The simplest numbers a little below and a little above a value.

    >>> list(rounded(Fraction(1414, 1000)))
    [7/5, 10/7]
    """
    width = _ROUNDING * (abs(value) or 1)
    for low, high in ((value - width, value), (value, value + width)):
        nice = nice_between(low, high)
        yield Rational(nice.numerator, nice.denominator)


def _eliminated(statement: Statement, symbol: Symbol, seconds: float) -> list[Expr]:
    """What elimination says of the end of the variable's range, from the claim or what it says of the first step."""
    plain = is_plain(statement.conclusion)
    if len(statement.variables) > _MOST_VARIABLES or (plain and statement.conclusion.free_symbols == {symbol}):
        return []
    end = _fresh(statement, "end")
    low = domains(statement)[symbol].inf
    ranges = dict(statement.variables) | {symbol: Interval(low if low.is_finite else S.NegativeInfinity, end)}
    try:
        claim = statement.but(variables=ranges, constants=(*statement.constants, Constant(end, 1, "largest")))
    except (TypeError, ValueError):
        return []
    return [value for value in exact_candidates(claim, end, seconds) if not value.has(CRootOf)]


def exact_candidates(claim: Statement, constant: Symbol, seconds: float) -> list[Expr]:
    """The candidates of elimination for a constant, or none when they take too long."""
    with suppress(OutOfTimeError), at_most(PATIENCE * seconds, work=seconds):
        return candidates(claim, constant)
    return []


def _printed(statement: Statement) -> set[Rational]:
    """Numbers that the statement itself shows."""
    parts = [statement.conclusion, *statement.given]
    parts += list(statement.dynamics.right_side) if statement.dynamics is not None else []
    numbers = {number for part in parts for number in part.atoms(Rational)}
    return {number for number in numbers if number.q < 1000 and abs(number.p) < 10**6}


def _fresh(statement: Statement, name: str) -> Symbol:
    symbol = Symbol(name)
    while symbol in statement.then.free_symbols | set(statement.variables):
        symbol = Symbol(f"{symbol.name}'")
    return symbol
