"""Formulas for checkers: relations of an expression to 0, joined by "and" and "or"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Basic, Expr, Rational, false, true
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or

_ALLOWED = {">": {1}, ">=": {0, 1}, "==": {0}, "!=": {1, -1}}


@dataclass(frozen=True)
class Relation:
    """An expression compared with 0."""

    expression: Expr
    name: str

    def allows(self, sign: int) -> bool:
        """Whether the relation holds when the expression has this sign."""
        return sign in _ALLOWED[self.name]


Tree = Any
"""A Relation, or a pair of "and" or "or" with the parts."""

ALWAYS: Tree = ("and", ())
NEVER: Tree = ("or", ())


def tree(formula: Boolean, negate: bool = False) -> Tree:
    """A plain formula, or its negation, as a tree."""
    if formula in (true, false):
        return ALWAYS if (formula == true) != negate else NEVER
    if isinstance(formula, Relational):
        return _relation(formula.negated if negate else formula)
    if isinstance(formula, Not):
        return tree(formula.args[0], not negate)
    if isinstance(formula, Implies):
        return join("and" if negate else "or", [tree(formula.args[0], not negate), tree(formula.args[1], negate)])
    if isinstance(formula, Equivalent):
        yes = [tree(part) for part in formula.args]
        no = [tree(part, True) for part in formula.args]
        if negate:
            return join("and", [join("or", yes), join("or", no)])
        return join("or", [join("and", yes), join("and", no)])
    if isinstance(formula, (And, Or)):
        word = "and" if isinstance(formula, And) != negate else "or"
        return join(word, [tree(part, negate) for part in formula.args])
    raise ValueError("the formula is not plain")


def join(word: str, parts: list[Tree]) -> Tree:
    """Parts joined, flattened, with constants taken out."""
    flat: list[Tree] = []
    for part in parts:
        if part == (NEVER if word == "and" else ALWAYS):
            return part
        if isinstance(part, tuple) and part[0] == word:
            flat += part[1]
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else (word, tuple(flat))


def _relation(formula: Relational) -> Tree:
    left, right = formula.args
    if isinstance(formula, (Lt, Le)):
        left, right = right, left
    name = {Gt: ">", Lt: ">", Ge: ">=", Le: ">=", Eq: "==", Ne: "!="}[formula.func]
    return _decided(left - right, name)


def _decided(expression: Expr, name: str) -> Tree:
    if isinstance(expression, Rational):
        return ALWAYS if sign_of(expression) in _ALLOWED[name] else NEVER
    return Relation(expression, name)


def sign_of(number: Rational) -> int:
    """The sign of a rational number."""
    return 1 if number.is_positive else -1 if number.is_negative else 0


def parts_that_must_hold(formula: Tree) -> tuple[Tree, ...]:
    """The conjuncts of a formula."""
    return formula[1] if isinstance(formula, tuple) and formula[0] == "and" else (formula,)


def relations(formula: Tree) -> list[Relation]:
    """All relations of a formula, each once, in order."""
    if isinstance(formula, Relation):
        return [formula]
    found: list[Relation] = []
    for part in formula[1]:
        found += [relation for relation in relations(part) if relation not in found]
    return found


def replaced(formula: Tree, change: dict[Basic, Basic]) -> Tree:
    """The formula with symbols or other parts replaced."""
    if isinstance(formula, Relation):
        return _decided(formula.expression.subs(change, simultaneous=True), formula.name)
    return join(formula[0], [replaced(part, change) for part in formula[1]])
