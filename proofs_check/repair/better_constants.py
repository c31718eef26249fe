"""Another number in an inequality: the exact values that elimination gives, nearest first.

A number that the statement marks as a constant, or else one that its conclusion prints, is eliminated for; where the
claim is strict and the value is attained, equality is allowed as well. None of this is claimed to help.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from sympy import CRootOf, Expr, Rational, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt

from proofs_check.points.candidate_values import place
from proofs_check.repair.number_places import claims, slots
from proofs_check.repair.repairs import Repair, spoken
from proofs_check.repair.single_edits import says_something
from proofs_check.repair.thresholds import exact_candidates
from theory.statements import Constant, Statement

_RELAXED = {Gt: Ge, Lt: Le}
_MOST_NUMBERS = 4
_MOST_VALUES = 8
_SHORT, _DIGITS = 5, 3


def other_constants(statement: Statement, seconds: float) -> Iterator[Repair]:
    """The statement with one of its numbers exchanged for an exact value at which it may become true.

    >>> from sympy import Interval, Rational
    >>> x = Symbol("x")
    >>> claim = Statement(variables={x: Interval(0, 1)}, then=x * (1 - x) <= Rational(1, 5))
    >>> next(other_constants(claim, 1.0)).words
    'with x*(1 - x) <= 1/4 instead of x*(1 - x) <= 1/5'
    """
    if statement.constants:
        yield from _marked(statement, seconds)
    else:
        yield from _printed(statement, seconds)


def _marked(statement: Statement, seconds: float) -> Iterator[Repair]:
    for constant in statement.constants:
        for value in _nearest(exact_candidates(statement, constant.symbol, seconds), constant.value):
            changed = tuple(replace(c, value=value) if c is constant else c for c in statement.constants)
            words = f"with {constant.symbol} = {value} instead of {constant.value}"
            yield Repair(statement, words, constants=changed)


def _printed(statement: Statement, seconds: float) -> Iterator[Repair]:
    number = Symbol("printed number")
    for relation in claims(statement.then):
        if not isinstance(relation, (Lt, Le, Gt, Ge)):
            continue
        places = [slot for slot in slots(relation) if slot.kind == "number"]
        for slot in islice(places, _MOST_NUMBERS):
            marked = statement.then.xreplace({relation: slot.filled(number)})
            claim = statement.but(then=marked, constants=(Constant(number, slot.number, "largest"),))
            found = exact_candidates(claim, number, seconds / 2)
            for value in _nearest(found, slot.number):
                line, old = slot.filled(value), slot.shown(value)[1]
                if not says_something(line) or (value == 0 and not slot.may_vanish):
                    continue
                for other in (line, *([_RELAXED[line.func](*line.args)] if line.func in _RELAXED else ())):
                    new = slot.shown(value)[0] if other is line and len(old) < len(str(relation)) else spoken(other)
                    yield Repair(
                        statement, f"with {new} instead of {old}", then=statement.then.xreplace({relation: other})
                    )


def _nearest(values: list[Expr], stated: Expr) -> list[Expr]:
    """Readable values other than the stated one, the nearest first."""
    home = place(stated)
    readable = [near for value in values for near in _readable(value)]
    known = {value: at for value in readable if (at := place(value)) is not None and at != home}
    return sorted(known, key=lambda value: abs(known[value] - (home or 0)))[:_MOST_VALUES]


def _readable(value: Expr) -> list[Expr]:
    """The value where it is short, else the two decimal numbers of three digits next to it.

    >>> from sympy import Rational, atan, sqrt
    >>> _readable(sqrt(2) / 3), _readable(atan(Rational(27, 10)) / 7 - sqrt(17) / 5 + sqrt(3))
    ([sqrt(2)/3], [27/25, 109/100])
    """
    if not value.has(CRootOf) and value.count_ops() <= _SHORT:
        return [value]
    at = place(value)
    if at is None or at == 0:
        return []
    scale = Fraction(10) ** (_DIGITS - math.floor(math.log10(abs(at))) - 1)
    return [
        Rational(whole * scale.denominator, scale.numerator)
        for whole in (math.floor(at * scale), math.ceil(at * scale))
    ]
