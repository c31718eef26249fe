"""What a counterexample satisfies, as conjunctions and disjunctions of signs of expressions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from sympy import Abs, Basic, Expr, Max, Min, Rational, false, true
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or

from theory.language.functions import entry_of
from theory.temporal import put_at_once

MINUS, ZERO, PLUS = 1, 2, 4
"""A set of signs is a bit mask of these."""
MASKS = {-1: MINUS, 0: ZERO, 1: PLUS}

WANTED = {">": PLUS, ">=": PLUS | ZERO, "==": ZERO, "!=": PLUS | MINUS}
_NAMES = {Gt: ">", Lt: ">", Ge: ">=", Le: ">=", Eq: "==", Ne: "!="}


@dataclass(frozen=True)
class Atom:
    """The expression has one of the wanted signs."""

    expression: Expr
    relation: str

    @property
    def wanted(self) -> int:
        """The signs that make the atom true."""
        return WANTED[self.relation]

    def allows(self, sign: int) -> bool:
        """Whether the atom is true when the expression has this sign."""
        return bool(self.wanted & MASKS[sign])


@dataclass(frozen=True)
class Junction:
    """All of the parts (`every`), or at least one of them."""

    every: bool
    parts: tuple[Node, ...]


Node: TypeAlias = Atom | Junction
TRUE = Junction(True, ())
FALSE = Junction(False, ())


def normal_form(formula: Boolean, positive: bool = True) -> Node | None:
    """A plain formula, or its negation, with all negations pushed into the atoms; None when it is not plain.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> normal_form(x > 1, positive=False)
    Atom(expression=1 - x, relation='>=')
    """
    if formula in (true, false):
        return TRUE if (formula == true) is positive else FALSE
    if isinstance(formula, Relational):
        return _atom(formula if positive else formula.negated)
    if isinstance(formula, Not):
        return normal_form(formula.args[0], not positive)
    if isinstance(formula, Implies):
        premise, conclusion = formula.args
        return junction(not positive, [normal_form(premise, not positive), normal_form(conclusion, positive)])
    if isinstance(formula, Equivalent):
        yes, no = ([normal_form(part, side) for part in formula.args] for side in (True, False))
        return junction(not positive, [junction(positive, yes), junction(positive, no)])
    if isinstance(formula, (And, Or)):
        every = isinstance(formula, And) is positive
        return junction(every, [normal_form(part, positive) for part in formula.args])
    return None


def junction(every: bool, parts: Iterable[Node | None]) -> Node | None:
    """Parts joined, flattened, with constants taken out; None where one is."""
    flat: list[Node] = []
    for part in parts:
        if part is None:
            return None
        if part == (FALSE if every else TRUE):
            return part
        if isinstance(part, Junction) and part.every is every:
            flat.extend(part.parts)
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else Junction(every, tuple(flat))


def _atom(relation: Relational) -> Node | None:
    left, right = relation.args
    if isinstance(relation, (Lt, Le)):
        left, right = right, left
    name = _NAMES.get(relation.func)
    if name is None or not (isinstance(left, Expr) and isinstance(right, Expr)):
        return None
    return settled(left - right, name)


def settled(expression: Expr, relation: str) -> Node:
    """The atom, or its truth when the expression is a rational number."""
    atom = Atom(expression, relation)
    if not isinstance(expression, Rational):
        return atom
    return TRUE if atom.allows(sign_of(expression)) else FALSE


def sign_of(number: Rational) -> int:
    """The sign of a rational number."""
    return 1 if number > 0 else -1 if number < 0 else 0


def conjuncts(node: Node) -> tuple[Node, ...]:
    """The parts that must all hold."""
    return node.parts if isinstance(node, Junction) and node.every else (node,)


def demands(node: Node) -> list[Atom]:
    """The atoms among the parts that must all hold."""
    return [part for part in conjuncts(node) if isinstance(part, Atom)]


def atoms(node: Node) -> list[Atom]:
    """The atoms of a formula, each once, in order."""
    if isinstance(node, Atom):
        return [node]
    return list(dict.fromkeys(atom for part in node.parts for atom in atoms(part)))


def map_atoms(node: Node, change: dict[Basic, Basic]) -> Node:
    """The formula with symbols or other parts replaced at once."""
    if isinstance(node, Atom):
        return settled(put_at_once(node.expression, change), node.relation)
    mapped = junction(node.every, [map_atoms(part, change) for part in node.parts])
    return FALSE if mapped is None else mapped


def unfolded(formula: Boolean) -> Boolean:
    """The formula with comparisons of whole absolute values, maxima and minima written without them.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> unfolded(Abs(x) <= 1)
    (x <= 1) & (-x <= 1)
    """
    changes = {}
    for relation in formula.atoms(Ge, Gt, Le, Lt):
        left, right = relation.args
        kinked = next((side for side in (left, right) if isinstance(side, (Abs, Max, Min))), None)
        if kinked is not None:
            pieces = (kinked.args[0], -kinked.args[0]) if isinstance(kinked, Abs) else kinked.args
            below = isinstance(relation, (Le, Lt)) == (kinked == left)
            join = Or if below == isinstance(kinked, Min) else And
            changes[relation] = join(*[relation.func(*((p, right) if kinked == left else (left, p))) for p in pieces])
    return formula.xreplace(changes)


def cases_of(kink: Basic) -> list[tuple[Boolean, Expr]] | None:
    """Conditions that cover everything, each with the smooth value that the kink has there."""
    entry = entry_of(kink)
    if entry is not None:
        return None if entry.pieces is None else [(condition, value) for value, condition in entry.pieces(*kink.args)]
    if kink.args[-1][1] != true:
        return None
    choices, before = [], true
    for value, condition in kink.args:
        choices.append((And(before, condition), value))
        before = And(before, Not(condition))
    return choices
