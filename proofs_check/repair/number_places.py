"""Places of a formula where a number stands, or could stand, and what the formula becomes with another one there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import sympy as sp
from sympy import Add, Eq, Expr, Mul, Pow, Rational, S
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Implies, Or

from proofs_check.repair.repairs import spoken
from theory.temporal import Always

_LONG, _SHORT = 160, 20
"""Characters of a line of which only the part around the change is shown, and of a part that tells too little."""

_TINY = Rational(1, 10)

_CLOSED = (sp.Derivative, sp.Subs, sp.Piecewise)
"""What has arguments that are no numbers of the formula."""

Kind = Literal["number", "factor", "exponent", "power"]


@dataclass(frozen=True)
class Slot:
    """A place of a relation: a printed number or exponent, or the factor or power 1 that is not printed."""

    relation: Relational
    path: tuple[int, ...]
    number: Rational
    kind: Kind

    @property
    def is_printed(self) -> bool:
        """Whether the number can be read in the formula."""
        return self.kind in ("number", "exponent")

    @property
    def is_exponent(self) -> bool:
        """Whether the number is, or would be, an exponent."""
        return self.kind in ("exponent", "power")

    @property
    def may_vanish(self) -> bool:
        """Whether 0 may stand there: for a term of its own or a small coefficient; else nobody made the claim left."""
        is_term = isinstance(_at(self.relation, self.path[:-1]), (Add, Relational))
        return self.kind == "number" and (is_term or abs(self.number) <= _TINY)

    def filled(self, value: Expr) -> Boolean:
        """The relation with another number in the slot.

        >>> x = sp.Symbol("x")
        >>> [str(slot.filled(S(7))) for slot in slots(sp.Gt(x**2, 3 * x, evaluate=False))]
        ['x**7 > 3*x', 'x**2 > 7*x', '7*x**2 > 3*x', 'x**2 > 3*x**7']
        """
        return _replaced(self.relation, self.path, self._content(value))

    def _content(self, value: Expr) -> Expr:
        held = _at(self.relation, self.path)
        if self.kind == "factor":
            return value * held / self.number
        return held**value if self.kind == "power" else value

    def shown(self, value: Expr) -> tuple[str, str]:
        """The changed line and the line as it was; only the parts around the slot where the line is long."""
        if len(str(self.relation)) < _LONG:
            return spoken(self.filled(value)), spoken(self.relation)
        above = self.path[:-1] if self.is_printed and len(self.path) > 1 else self.path
        while len(above) > 1 and len(str(_at(self.relation, above))) < _SHORT:
            above = above[:-1]
        part = _at(self.relation, above)
        return str(_replaced(part, self.path[len(above) :], self._content(value))), str(part)


def claims(formula: Boolean) -> list[Relational]:
    """The relations that a formula claims: not those that it assumes as well, and none that it only compares.

    >>> x = sp.Symbol("x")
    >>> claims(sp.Implies(x > 1, x > 0, evaluate=False) & (x < 5))
    [x < 5, x > 0]
    """
    claimed, assumed = _positions(formula)
    return sorted(claimed - assumed, key=str)


def _positions(formula: Boolean) -> tuple[set[Relational], set[Relational]]:
    """The relations that a formula claims, and the others."""
    if isinstance(formula, Relational):
        return {formula}, set()
    if isinstance(formula, Implies):
        given, (claimed, assumed) = formula.args[0], _positions(formula.args[1])
        return claimed, assumed | given.atoms(Relational)
    if isinstance(formula, (And, Or, Always)):
        parts = [_positions(part) for part in formula.args]
        return set().union(*(part[0] for part in parts)), set().union(*(part[1] for part in parts))
    return set(), formula.atoms(Relational)


def slots(relation: Relational) -> list[Slot]:
    """The places of a relation where a number stands, then those where a 1 could be another number."""
    found = [Slot(relation, path, *what) for path, node, above in _nodes(relation) for what in _held(path, node, above)]
    return sorted(found, key=lambda slot: not slot.is_printed)


def with_other_term(relation: Relational, change: Callable[[Expr], Iterable[Expr]]) -> Iterator[Boolean]:
    """The relation with one of its terms changed, those of the right side first, outer ones before inner ones.

    >>> x, y = sp.symbols("x y")
    >>> list(with_other_term(sp.Gt(x**2, 1 / (2 + y)), lambda term: [3 * term] if term.has(y) else []))
    [x**2 > 3/(y + 2), x**2 > 1/(3*y + 2)]
    """
    terms = [(path, node) for path, node, above in _nodes(relation) if isinstance(node, Expr) and _is_term(path, above)]
    for path, node in sorted(terms, key=lambda term: (-term[0][0], len(term[0]))):
        yield from (_replaced(relation, path, other) for other in change(node))


def _is_term(path: tuple[int, ...], above: sp.Basic) -> bool:
    return not isinstance(above, (Mul, Pow)) and not (len(path) == 1 and isinstance(above.args[path[0]], Add))


def _held(path: tuple[int, ...], node: sp.Basic, above: sp.Basic) -> Iterator[tuple[Rational, Kind]]:
    if not isinstance(node, Expr):
        return
    is_exponent = isinstance(above, Pow) and path[-1] == 1
    if isinstance(node, Rational):
        if not (node == -1 and isinstance(above, (Mul, Pow))):
            yield node, "exponent" if is_exponent else "number"
        return
    if not isinstance(above, (Mul, Pow)) and not isinstance(node, Add) and node.as_coeff_Mul()[0] in (1, -1):
        yield node.as_coeff_Mul()[0], "factor"
    if not isinstance(above, Pow) and (node.is_Symbol or isinstance(node, sp.Function)):
        yield S.One, "power"


def _nodes(relation: Relational) -> Iterator[tuple[tuple[int, ...], sp.Basic, sp.Basic]]:
    pending: list[tuple[tuple[int, ...], sp.Basic, sp.Basic]] = [
        ((place,), side, relation) for place, side in enumerate(relation.args)
    ]
    while pending:
        path, node, above = pending.pop(0)
        yield path, node, above
        if not isinstance(node, _CLOSED):
            pending += [((*path, place), part, node) for place, part in enumerate(node.args)]


def _at(node: sp.Basic, path: Sequence[int]) -> sp.Basic:
    for place in path:
        node = node.args[place]
    return node


def _replaced(node: sp.Basic, path: Sequence[int], new: sp.Basic) -> sp.Basic:
    if not path:
        return new
    arguments = list(node.args)
    arguments[path[0]] = _replaced(arguments[path[0]], path[1:], new)
    if isinstance(node, Eq):
        return Eq(*arguments, evaluate=False)  # equal sides are what a repaired equation may have
    return node.func(*arguments)
