"""A line with one thing changed: its relation, a number or a sign, an index, a missing factor.

What is put into the line is tried on sample points first, so that only lines that look true are proposed. None of them
is claimed to be true; that is proved elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import sympy as sp
from sympy import Eq, Expr, Rational, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.points.exact import holds
from proofs_check.repair.number_places import Kind, Slot, claims, slots, with_other_term
from proofs_check.repair.repairs import Repair, spoken
from theory.statements import Statement
from theory.temporal import ConvergesTo

Sample = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

_RELAXED = {Gt: Ge, Lt: Le}
_REVERSED = {Gt: Lt, Lt: Gt, Ge: Le, Le: Ge}
_FACTORS = tuple(Rational(n, d) for n, d in ((2, 1), (1, 2), (3, 2), (2, 3), (3, 1), (1, 3), (4, 1), (1, 4), (-1, 1)))
_TOLERANCE, _NOISE = 1e-8, 0.1
_LARGEST_DENOMINATOR = 1000
_MOST_VARIABLES = 12
_MOST_LIMITS = 3
_NUMBER = Symbol("the number in a slot")


def relaxed(statement: Statement) -> Iterator[Repair]:
    """The conclusion with equality allowed where a strict inequality was claimed.

    >>> x = Symbol("x")
    >>> [repair.words for repair in relaxed(Statement(variables={x: sp.Reals}, then=x**2 > 0))]
    ['with x**2 >= 0 instead of x**2 > 0']
    """
    for relation in claims(statement.then):
        if relation.func in _RELAXED:
            yield changed(statement, relation, _RELAXED[relation.func](*relation.args))


def changed_lines(
    statement: Statement, sample: Sample, points: Sequence[Mapping[Symbol, Expr]] = ()
) -> Iterator[Repair]:
    """The conclusion with one relation reversed, one number, one index, one missing factor or exponent changed.

    In an equation a number may change its sign; an inequality might become trivial by that.
    """
    relations = claims(statement.then)
    for relation in relations:
        if relation.func in _REVERSED:
            yield changed(statement, relation, _REVERSED[relation.func](*relation.args))
    for relation in relations:
        signs = isinstance(relation, Eq)
        yield from _other_numbers(statement, relation, sample, ("number", "exponent", "factor"), signs=signs)
    for relation in relations:
        for line in _other_symbols(statement, relation):
            if says_something(line) and not any(holds(line, point) is False for point in points):
                known = _Line.of(line, list(statement.variables))
                if known is not None and known.looks_true(sample, Rational(0)):
                    yield changed(statement, relation, line)
    for relation in relations:
        yield from _other_numbers(statement, relation, sample, ("power",), signs=True)


def other_signs(statement: Statement, sample: Sample) -> Iterator[Repair]:
    """An inequality of the conclusion with the sign of one term changed, and perhaps its number."""
    for relation in claims(statement.then):
        if not isinstance(relation, Eq):
            yield from _other_numbers(statement, relation, sample, ("number", "factor"), signs=True)


def other_limits(statement: Statement) -> Iterator[Repair]:
    """A claim of convergence with another fixed point as its limit.

    >>> from theory.dynamics import Map
    >>> x, a = Symbol("x"), Symbol("a")
    >>> claim = Statement(dynamics=Map((x,), (x / 2,)), start={x: a}, variables={a: sp.Reals}, then=ConvergesTo(x, 1))
    >>> [repair.words for repair in other_limits(claim)]
    ['with 0 as its limit instead of 1']
    """
    claim = statement.then
    if not isinstance(claim, ConvergesTo) or statement.dynamics is None or len(claim.points) != 1:
        return
    state = statement.dynamics.state
    if claim.quantity != sp.Tuple(*state):
        return
    known = [limit for fixed in statement.dynamics.fixed_points() for limit in fixed.points or ()]
    for limit in known[:_MOST_LIMITS]:
        if sp.Tuple(*limit) != sp.Tuple(*claim.points[0]):
            words = f"with {_listed(limit)} as its limit instead of {_listed(claim.points[0])}"
            yield Repair(statement, words, then=ConvergesTo(claim.quantity, limit))


def _listed(values: Sequence[Expr]) -> str:
    return str(values[0]) if len(values) == 1 else f"({', '.join(map(str, values))})"


def says_something(line: Boolean) -> bool:
    """Whether a line is a relation whose sides differ by more than a number, or an equation of equal sides.

    >>> x = Symbol("x")
    >>> says_something(sp.Gt(x + 1, x, evaluate=False)), says_something(Eq(2 * x, 2 * x, evaluate=False))
    (False, True)
    """
    if not isinstance(line, Relational) or not line.free_symbols:
        return False
    difference = line.lhs - line.rhs
    return not difference.is_number or (isinstance(line, Eq) and difference == 0)


def changed(statement: Statement, relation: Relational, line: Boolean) -> Repair:
    """The statement with one relation of its conclusion exchanged for another."""
    words = f"with {spoken(line)} instead of {spoken(relation)}"
    return Repair(statement, words, then=statement.then.xreplace({relation: line}))


def _other_numbers(
    statement: Statement, relation: Relational, sample: Sample, kinds: Sequence[Kind], *, signs: bool
) -> Iterator[Repair]:
    proposed = [
        (_distance(slot, value), slot, value)
        for slot in slots(relation)
        if slot.kind in kinds
        for value in _values(slot, list(statement.variables), sample)
        if signs or slot.number * value >= 0 or slot.is_exponent
    ]
    proposed.sort(key=lambda item: item[0])
    seen: set[Boolean] = {relation}
    for _, slot, value in proposed:
        line = slot.filled(value)
        if line not in seen and says_something(line):
            seen.add(line)
            new, old = _sides(slot, line) or slot.shown(value)
            yield Repair(statement, f"with {new} instead of {old}", then=statement.then.xreplace({relation: line}))


def _sides(slot: Slot, line: Boolean) -> tuple[str, str] | None:
    """The changed side and the one it replaces, where the two sides of the line have become the same."""
    place = slot.path[0]
    return (str(line.args[place]), str(slot.relation.args[place])) if line.lhs == line.rhs else None


def _distance(slot: Slot, value: Rational) -> float:
    """How much a reader would mind the change: printed numbers, the right side and small changes first."""
    size = abs(float(value - slot.number)) / (1 + abs(float(slot.number)))
    return size + (0 if slot.is_printed else 2) + (0 if slot.path[0] == 1 else 0.5)


def _values(slot: Slot, variables: Sequence[Symbol], sample: Sample) -> list[Rational]:
    """Numbers that make the line look true on the sample: solved for where it is linear in them, else tried."""
    number = slot.number
    tried = [number - 1, number + 1, number * 2, number / 2, -number, number - 2, number + 2]
    if not slot.is_exponent:
        tried += [number * factor for factor in _FACTORS]
        tried += [Rational(0)]
    line = _Line.of(slot.filled(_NUMBER), variables)
    if line is not None and isinstance(slot.relation, Eq):
        tried = [*line.solutions(sample), *tried]
    values = [value for value in dict.fromkeys(tried) if value != number and (value != 0 or slot.may_vanish)]
    return values if line is None else [value for value in values if line.looks_true(sample, value)]


class _Line:
    """The two sides of a relation as float functions of the variables and of a number in a slot."""

    def __init__(self, relation: Relational, variables: Sequence[Symbol]) -> None:
        self.relation = relation.func
        self.sides = sp.lambdify([*variables, _NUMBER], list(relation.args), modules=["numpy", "scipy"])

    @classmethod
    def of(cls, relation: Boolean, variables: Sequence[Symbol]) -> _Line | None:
        """None for what is no relation between numbers any more, or cannot be computed."""
        if not isinstance(relation, Relational) or not relation.free_symbols <= {*variables, _NUMBER}:
            return None
        try:
            return cls(relation, variables)
        except (NotImplementedError, SyntaxError, TypeError, ValueError):
            return None

    def _at(self, sample: Sample, number: float) -> tuple[Sample, Sample] | None:
        try:
            with np.errstate(all="ignore"):
                left, right = (np.asarray(side, dtype=np.float64) for side in self.sides(*sample, number))
        except (TypeError, ValueError, NameError, AttributeError, ArithmeticError):
            return None
        return np.broadcast_to(left, sample.shape[1:]), np.broadcast_to(right, sample.shape[1:])

    def looks_true(self, sample: Sample, number: Expr) -> bool:
        """Whether no point contradicts the line beyond rounding; what cannot be computed may be true."""
        sides = self._at(sample, float(number))
        if sides is None:
            return True
        left, right = sides
        with np.errstate(all="ignore"):
            excess, slack = left - right, _TOLERANCE * (_NOISE + np.abs(left) + np.abs(right))
            above, below = np.any(excess > slack), np.any(excess < -slack)
        return not (above and self.relation in (Eq, Lt, Le)) and not (below and self.relation in (Eq, Gt, Ge))

    def solutions(self, sample: Sample) -> list[Rational]:
        """The number that makes an equation true at every point of the sample, where it depends on it linearly.

        >>> x = Symbol("x")
        >>> _Line(Eq((x + 1) ** 2, x**2 + _NUMBER * x + 1), [x]).solutions(np.array([[1.0, 3.0]]))
        [2]
        """
        values = [self._at(sample, number) for number in (0.0, 1.0, 2.0)]
        if not sample.shape[1] or any(value is None for value in values):
            return []
        with np.errstate(all="ignore"):
            first, second, third = (left - right for left, right in values)  # type: ignore[misc]
            slope = second - first
            linear = np.abs(third - second - slope) <= _TOLERANCE * np.abs(slope)
            roots = (-first / slope)[linear & (slope != 0)]
        if not roots.size or not np.all(np.isfinite(roots)) or np.ptp(roots) > _TOLERANCE * (1 + abs(roots[0])):
            return []
        nice = Fraction(float(np.median(roots))).limit_denominator(_LARGEST_DENOMINATOR)
        return [Rational(nice.numerator, nice.denominator)]


def _other_symbols(statement: Statement, relation: Relational) -> Iterator[Boolean]:
    """A variable exchanged for one of the same name with another index, a term with a variable more or less."""
    variables = sorted(relation.free_symbols & set(statement.variables), key=str)[:_MOST_VARIABLES]
    yield from with_other_term(relation, partial(_other_indices, statement))
    yield from with_other_term(relation, lambda term: (term * v**power for power in (1, -1) for v in variables))
    for place in (1, 0):
        sides = list(relation.args)
        for other in _other_indices(statement, sides[place]):
            sides[place] = other
            yield relation.func(*sides)


def _other_indices(statement: Statement, part: Expr) -> Iterator[Expr]:
    for symbol in sorted(part.free_symbols, key=str):
        for other in statement.variables:
            if other != symbol and _stem(other) == _stem(symbol):
                yield part.xreplace({symbol: other})


def _stem(symbol: Symbol) -> str:
    """A name without its index.

    >>> _stem(Symbol("w_12")), _stem(Symbol("x"))
    ('w', 'x')
    """
    return re.sub(r"_?\d+$|_[a-z]$", "", symbol.name)
