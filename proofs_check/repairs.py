"""Small changes that might make a false statement true, each with the words that describe it.

They come in the order in which a reader would like them: a restricted variable, a further hypothesis, another constant,
a repaired number of the conclusion. None of them is claimed to help; that is proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import sympy as sp
from sympy import Add, And, Eq, Expr, Ne, Pow, Rational, S, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.cells import zeros
from proofs_check.exact import holds
from proofs_check.goals import domains
from proofs_check.rationals import cost
from theory.statements import Statement
from theory.temporal import is_plain

_LANDMARKS = tuple(Rational(n, d) for n, d in ((0, 1), (1, 1), (-1, 1), (1, 2), (2, 1)))
_FACTORS = tuple(Rational(n, d) for n, d in ((-1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (1, 4), (3, 2), (2, 3)))
_FLIPS = {Gt: (Ge, Lt), Lt: (Le, Gt), Ge: (Le,), Le: (Ge,)}


@dataclass(frozen=True)
class Repair:
    """A change of a statement: in words, as a hypothesis that is added or as another conclusion."""

    original: Statement
    words: str
    added: Boolean | None = None
    then: Boolean | None = None

    @cached_property
    def statement(self) -> Statement:
        """The changed statement; most changes are dismissed before anybody asks for it."""
        given = self.original.given if self.added is None else (*self.original.given, self.added)
        return self.original.but(given=given, then=self.original.then if self.then is None else self.then)


def restrictions(statement: Statement, point: Mapping[Symbol, Expr]) -> Iterator[Repair]:
    """A variable other than one value, on one side of a landmark, or between two; the counterexample is excluded.

    >>> from sympy import Reals
    >>> x = Symbol("x")
    >>> first = next(restrictions(Statement(variables={x: Reals}, then=x**3 >= 0), {x: sp.Integer(-1)}))
    >>> first.words
    'for x >= 1'
    """
    for symbol in statement.variables:
        value = point.get(symbol)
        if value is None:
            continue
        if _touches(statement.conclusion, point):
            yield _with(statement, Ne(symbol, value))
        for mark in _landmarks(statement, symbol):
            for relation in (symbol >= mark, symbol > mark, symbol <= mark, symbol < mark):
                if holds(relation, point) is False:
                    yield _with(statement, relation)
        yield from _between(statement, symbol, point)


def _between(statement: Statement, symbol: Symbol, point: Mapping[Symbol, Expr]) -> Iterator[Repair]:
    known = [mark for mark in _landmarks(statement, symbol) if mark.is_comparable]
    for low, high in combinations(sorted(known, key=float), 2):
        inside = And(symbol >= low, symbol <= high)
        if isinstance(inside, And) and holds(inside, point) is False:
            yield Repair(statement, f"for {low} <= {symbol} <= {high}", inside)


def _touches(conclusion: Boolean, point: Mapping[Symbol, Expr]) -> bool:
    """Whether the violation is an equality where a strict inequality was claimed."""
    if not is_plain(conclusion):
        return False
    relations = [relation for relation in conclusion.atoms(Relational) if isinstance(relation, (Lt, Gt, Ne))]
    return any(holds(Eq(*relation.args), point) is True for relation in relations)


def _landmarks(statement: Statement, symbol: Symbol) -> list[Expr]:
    """0, 1 and their like, and where a conclusion about this variable alone is an equality; nice ones first."""
    found: list[Expr] = list(_LANDMARKS)
    for relation in statement.conclusion.atoms(Relational):
        if relation.free_symbols == {symbol}:
            found += zeros(relation.lhs - relation.rhs, symbol)[0]
    ends = [end for domain in domains(statement).values() for end in domain.boundary.atoms(Rational)]
    return sorted(dict.fromkeys([*found, *ends]), key=lambda mark: cost(mark) if mark.is_Rational else 20.0)


def hypotheses(statement: Statement, point: Mapping[Symbol, Expr]) -> Iterator[Repair]:
    """A polynomial inequality between variables, or on a factor of the conclusion, that excludes the counterexample."""
    shapes: list[tuple[Expr, Expr]] = []
    for first, second in combinations(statement.variables, 2):
        shapes += [(first, second), (first + second, S.Zero), (first * second, S.Zero)]
        shapes += [(first * second, S.One), (first + second, S.One), (first**2 + second**2, S.One)]
    for relation in statement.conclusion.atoms(Relational):
        numerator = sp.fraction(sp.together(relation.lhs - relation.rhs))[0]
        usable = numerator.is_polynomial() and not sp.expand(numerator).is_number
        factors = [factor for factor, _ in sp.factor_list(numerator)[1]] if usable else []
        known = [factor for factor in factors if factor.free_symbols <= set(statement.variables)]
        shapes += [(factor, S.Zero) for factor in known if len(factors) > 1]
    for left, right in dict.fromkeys(shapes):
        for relation in (left >= right, left > right, left <= right, left < right):
            if isinstance(relation, Relational) and holds(relation, point) is False:
                yield _with(statement, relation)


def coefficients(statement: Statement) -> Iterator[Repair]:
    """The conclusion with one relation, one sign or one number changed."""
    conclusion = statement.then
    for relation in sorted(conclusion.atoms(Relational), key=str):
        for changed in _changed(relation):
            words = f"with {spoken(changed)} instead of {spoken(relation)}"
            yield Repair(statement, words, then=conclusion.xreplace({relation: changed}))


def _changed(relation: Relational) -> Iterator[Boolean]:
    seen: set[Boolean] = {relation}
    variants: list[Boolean] = [flipped(*relation.args) for flipped in _FLIPS.get(relation.func, ())]
    for place, side in enumerate(relation.args):
        for other in _changed_sides(side):
            sides = list(relation.args)
            sides[place] = other
            variants.append(relation.func(*sides))
    for variant in variants:
        says_nothing = isinstance(variant, Relational) and (variant.lhs - variant.rhs).is_number
        if isinstance(variant, Relational) and variant not in seen and not says_nothing:
            seen.add(variant)
            yield variant


def _changed_sides(side: Expr) -> Iterator[Expr]:
    """A term of the other sign, a number multiplied by a small factor, an exponent moved by one."""
    for term in Add.make_args(side) if side.is_Add else ():
        yield side - 2 * term
    for path, number in _numbers(side):
        for factor in _FACTORS if not isinstance(path, Pow) else ():
            yield _replaced(side, path, number, number * factor)
        for step in (-1, 1):
            yield _replaced(side, path, number, number + step)
    for term in Add.make_args(side):
        if term.as_coeff_Mul()[0] in (1, -1) and not term.is_Rational:
            for factor in _FACTORS[1:]:
                yield side + (factor - 1) * term


def _numbers(side: Expr) -> list[tuple[Expr, Rational]]:
    """Rational numbers of an expression with the node that holds them."""
    found: list[tuple[Expr, Rational]] = [(side, side)] if side.is_Rational else []
    for node in sp.preorder_traversal(side):
        found += [(node, part) for part in node.args if isinstance(part, Rational) and part != -1]
    return found


def _replaced(side: Expr, node: Expr, number: Rational, other: Rational) -> Expr:
    if node == number:
        return side.xreplace({number: other})
    place = node.args.index(number)
    arguments = (*node.args[:place], other, *node.args[place + 1 :])
    return side.xreplace({node: node.func(*arguments)})


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


def is_conclusion(statement: Statement, added: Boolean) -> bool:
    """Whether an added hypothesis, or a part of it, merely repeats the conclusion.

    >>> x = Symbol("x")
    >>> is_conclusion(Statement(variables={x: sp.Reals}, then=2 * x > 2), x > 1)
    True
    >>> is_conclusion(Statement(variables={x: sp.Reals}, then=x <= 0), (x >= -1) & (x <= 0))
    True
    """
    claims = [part for part in And.make_args(statement.conclusion) if isinstance(part, Relational)]
    parts = [part for part in And.make_args(added) if isinstance(part, Relational)]
    return len(claims) == 1 and any(_same(part, claim) for part in parts for claim in claims)


def _same(first: Relational, second: Relational) -> bool:
    if {first.func, second.func} <= {Lt, Le, Gt, Ge}:
        ratio = sp.cancel((first.gts - first.lts) / (second.gts - second.lts))
        return bool(ratio.is_Rational and ratio > 0)
    return first == second
