"""Further hypotheses that might make a false statement true, each with the words that describe it.

A variable is kept away from single values or restricted to a range, or a polynomial inequality is added. None of them
is claimed to help; that is proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import sympy as sp
from sympy import And, Eq, Expr, Interval, Ne, S, Set, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean, Or

from proofs_check.goals import domains
from proofs_check.points.candidate_values import place, small_polynomial, zeros
from proofs_check.points.exact import holds
from proofs_check.points.rationals import cost
from theory.dynamics import Map
from theory.language.formulas import clauses
from theory.statements import Constant, Statement
from theory.temporal import ConvergesTo, Exists, is_plain

_MOST_ZEROS = 3
_IRRATIONAL, _PART = 8.0, 20.0
_SHORT = 6
"""Operations of a discriminant that a reader would take as a hypothesis."""


@dataclass(frozen=True)
class Repair:
    """A change of a statement: in words, as a hypothesis that is added, another conclusion or other constants."""

    original: Statement
    words: str
    added: Boolean | None = None
    then: Boolean | None = None
    constants: tuple[Constant, ...] | None = None

    @cached_property
    def statement(self) -> Statement:
        """The changed statement; most changes are dismissed before anybody asks for it."""
        original = self.original
        return original.but(
            given=original.given if self.added is None else (*original.given, self.added),
            then=original.then if self.then is None else self.then,
            constants=original.constants if self.constants is None else self.constants,
        )


def touches(conclusion: Boolean, point: Mapping[Symbol, Expr]) -> bool:
    """Whether the violation is an equality where a strict inequality was claimed.

    >>> x = Symbol("x")
    >>> touches(x**2 > 0, {x: S.Zero}), touches(x > 0, {x: -S.One})
    (True, False)
    """
    if not is_plain(conclusion):
        return False
    relations = [relation for relation in conclusion.atoms(Relational) if isinstance(relation, (Lt, Gt, Ne))]
    return any(holds(Eq(*relation.args), point) is True for relation in relations)


def exclusions(
    statement: Statement, point: Mapping[Symbol, Expr], others: Sequence[Mapping[Symbol, Expr]] = ()
) -> Iterator[Repair]:
    """A variable other than the values at which a strict claim is an equality, or at which nothing exists.

    Further false points may be known.

    >>> x = Symbol("x")
    >>> claim = Statement(variables={x: Interval(-1, 1)}, then=x**2 * (x + 1) > 0)
    >>> [repair.words for repair in exclusions(claim, {x: S.Zero})]
    ['for x != 0', 'for x > -1 and x != 0']
    """
    if not touches(statement.conclusion, point) and not isinstance(statement.conclusion, Exists):
        return
    for symbol in statement.variables:
        if symbol in point:
            yield _without(statement, symbol, [point[symbol]])
            values = _false_values(statement, symbol, others)
            if 1 < len(values) <= _MOST_ZEROS:
                yield _without(statement, symbol, values)


def _false_values(statement: Statement, symbol: Symbol, others: Sequence[Mapping[Symbol, Expr]]) -> list[Expr]:
    """The zeros of a conclusion about this variable alone, and ends of its range, at which the claim is false."""
    alone = statement.conclusion.free_symbols == {symbol} and len(statement.variables) == 1
    if not alone or not is_plain(statement.conclusion):
        return []
    relations = sorted(statement.conclusion.atoms(Relational), key=str)
    found = [zero for relation in relations for zero in zeros(relation.lhs - relation.rhs, symbol)[0]]
    found += [other[symbol] for other in others]
    found += [end for end in _ends(domains(statement)[symbol]) if end is not None]
    given, claim = And(*statement.hypotheses), statement.conclusion
    false = [
        value
        for value in dict.fromkeys(found)
        if holds(given, {symbol: value}) and holds(claim, {symbol: value}) is False
    ]
    return sorted(false, key=lambda value: place(value) or 0)


def _ends(domain: Set) -> tuple[Expr | None, Expr | None]:
    if not isinstance(domain, Interval):
        return None, None
    return domain.start if domain.start.is_finite else None, domain.end if domain.end.is_finite else None


def _without(statement: Statement, symbol: Symbol, values: Sequence[Expr]) -> Repair:
    low, high = _ends(domains(statement)[symbol])
    parts = [symbol > v if v == low else symbol < v if v == high else Ne(symbol, v) for v in values]
    if len(parts) == 2 and parts[0].func is Gt and parts[1].func is Lt:
        return _between(statement, symbol, values[0], values[1], strict=True)
    return Repair(statement, f"for {' and '.join(spoken(part) for part in parts)}", And(*parts))


def ranges(statement: Statement, marks: Mapping[Symbol, Sequence[Expr]]) -> Iterator[Repair]:
    """A variable on one side of a mark, between two, or outside of two unless it is a whole number.

    >>> x = Symbol("x")
    >>> found = ranges(Statement(variables={x: S.Reals}, then=x**3 >= 0), {x: [S.Zero, S.One]})
    >>> [repair.words for repair in found][-6:-2]
    ['for 0 <= x <= 1', 'for x <= 0 or x >= 1', 'for x < 0 or x >= 1', 'for x <= 0 or x > 1']
    """
    for symbol, known in marks.items():
        for mark in known:
            for relation in (symbol >= mark, symbol > mark, symbol <= mark, symbol < mark):
                yield _with(statement, relation)
        domain = domains(statement)[symbol]
        for strict in (False, True):
            # an end of the domain is no restriction, unless it belongs to the domain and is excluded
            inside = [mark for mark in known if (domain if strict else domain.interior).contains(mark) is S.true]
            for low, high in combinations(sorted(inside, key=lambda mark: place(mark) or 0), 2):
                yield _between(statement, symbol, low, high, strict=strict)
                if symbol not in statement.integers:
                    yield from _outside(statement, symbol, low, high, strict=strict)


def _between(statement: Statement, symbol: Symbol, low: Expr, high: Expr, *, strict: bool) -> Repair:
    inside = And(symbol > low, symbol < high) if strict else And(symbol >= low, symbol <= high)
    sign = "<" if strict else "<="
    return Repair(statement, f"for {low} {sign} {symbol} {sign} {high}", inside)


def _outside(statement: Statement, symbol: Symbol, low: Expr, high: Expr, *, strict: bool) -> Iterator[Repair]:
    """Without what is between two numbers, of which none, one or both belong to what is left."""
    cases = [(symbol < low, symbol > high)] if strict else [(symbol <= low, symbol >= high)]
    cases += [] if strict else [(symbol < low, symbol >= high), (symbol <= low, symbol > high)]
    for below, above in cases:
        yield Repair(statement, f"for {below} or {above}", Or(below, above))


def hypotheses(statement: Statement) -> Iterator[Repair]:
    """A polynomial inequality between variables, or on a factor or a discriminant of the conclusion."""
    shapes = [*_multipliers(statement), *_pairs(statement)]
    if is_plain(statement.conclusion):
        shapes += _factors(statement)
    for left, right in dict.fromkeys(shapes):
        for relation in (Ne(left, right), left >= right, left > right, left <= right, left < right):
            if isinstance(relation, Relational):
                yield _with(statement, relation)


def _pairs(statement: Statement) -> list[tuple[Expr, Expr]]:
    shapes: list[tuple[Expr, Expr]] = []
    for first, second in combinations(statement.variables, 2):
        shapes += [(first, second), (first + second, S.Zero), (first * second, S.Zero)]
        shapes += [(first * second, S.One), (first * second, S(2)), (first + second, S.One)]
        shapes.append((first**2 + second**2, S.One))
    return shapes


def _factors(statement: Statement) -> list[tuple[Expr, Expr]]:
    """Factors of the margin of the conclusion, and its discriminants where it is a quadratic or a little more."""
    shapes: list[tuple[Expr, Expr]] = []
    variables = set(statement.variables)
    for relation in sorted(statement.conclusion.atoms(Relational), key=str):
        numerator = sp.fraction(sp.together(relation.lhs - relation.rhs))[0]
        if not numerator.is_polynomial() or sp.expand(numerator).is_number or not numerator.free_symbols <= variables:
            continue
        factors = [(factor, power) for factor, power in sp.factor_list(numerator)[1]]
        shapes += [(factor, S.Zero) for factor, power in factors if len(factors) > 1 or power > 1]
        for symbol in sorted(numerator.free_symbols, key=str):
            polynomial = small_polynomial(numerator, symbol)
            if len(variables) > 1 and polynomial is not None and polynomial.degree() == 2:
                found = sp.factor_list(sp.discriminant(polynomial))[1]
                short = [factor for factor, _ in found if factor.free_symbols and factor.count_ops() <= _SHORT]
                shapes += [(factor, S.Zero) for factor in short]
    return shapes


def _multipliers(statement: Statement) -> list[tuple[Expr, Expr]]:
    """Where the multiplier of the limit of a map in one dimension is 1 or -1, solved for products of parameters."""
    dynamics = statement.dynamics
    shapes: list[tuple[Expr, Expr]] = []
    if not isinstance(dynamics, Map) or len(dynamics.state) != 1:
        return shapes
    (state,) = dynamics.state
    slope = sp.diff(dynamics.update[0], state)
    for claim in statement.conclusion.atoms(ConvergesTo):
        if claim.quantity == sp.Tuple(state) and len(claim.points) == 1:
            for edge in (-1, 1):
                offset, rest = sp.expand(slope.subs(state, claim.points[0][0]) - edge).as_independent(
                    *statement.variables
                )
                factor, product = rest.as_independent(*statement.variables, as_Add=False)
                if product.free_symbols and factor != 0:
                    shapes.append((product, -offset / factor))
    return shapes


def _with(statement: Statement, relation: Boolean) -> Repair:
    return Repair(statement, f"for {spoken(relation)}", relation)


def spoken(formula: Boolean) -> str:
    """A relation as a reader writes it.

    >>> spoken(Ne(Symbol("x"), 0)), spoken(Eq(Symbol("x"), 1))
    ('x != 0', 'x = 1')
    """
    if isinstance(formula, (Eq, Ne)):
        return f"{formula.lhs} {'=' if isinstance(formula, Eq) else '!='} {formula.rhs}"
    return str(formula)


def readability(formula: Boolean) -> float:
    """How hard a further hypothesis is to read.

    >>> x = Symbol("x")
    >>> readability(x > 0) < readability(x > sp.Rational(22, 7)) < readability((x > 0) & (x < sp.sqrt(2)))
    True
    """
    numbers = [side for part in formula.atoms(Relational) for side in part.args if side.is_number]
    costs = [cost(number) if number.is_Rational else _IRRATIONAL + number.count_ops() for number in numbers]
    return float(sum(costs)) + _PART * len(formula.atoms(Relational))


def is_conclusion(statement: Statement, added: Boolean) -> bool:
    """Whether an added hypothesis, or a part of it, merely repeats the conclusion.

    For a conclusion about one variable it does not: solved for that variable, it says where the claim is true.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> is_conclusion(Statement(variables={x: S.Reals, y: S.Reals}, then=2 * x > 2 * y), x > y)
    True
    >>> is_conclusion(Statement(variables={x: S.Reals}, then=2 * x > 2), x > 1)
    False
    """
    claims = [part for part in clauses(statement.conclusion) if isinstance(part, Relational)]
    parts = [part for part in clauses(added) if isinstance(part, Relational)]
    if len(claims) != 1 or len(claims[0].free_symbols) == 1:
        return False
    return any(_same(part, claim) for part in parts for claim in claims)


def _same(first: Relational, second: Relational) -> bool:
    if first.free_symbols != second.free_symbols:
        return False
    if {first.func, second.func} <= {Lt, Le, Gt, Ge}:
        ratio = sp.cancel((first.gts - first.lts) / (second.gts - second.lts))
        return bool(ratio.is_Rational and ratio > 0)
    return first == second
