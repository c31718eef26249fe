"""Goals as Coq propositions over the real numbers.

Coq's division, root, logarithm and tangent have a value everywhere. That the conclusion has a value is therefore part
of the theorem: it concludes the conditions for it and the conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import sympy as sp
from sympy import Expr, Integer, Symbol
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Not, Or

from proofs_check.goals import Goal, relations
from theory.errors import LemmascopeError
from theory.language.definedness import demands
from theory.language.functions import entry_of

AND = " /\\ "
_RELATIONS = {Eq: "=", Ne: "<>", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}


class NotCoqError(LemmascopeError):
    """A formula has a part without a counterpart in Coq's library."""


class Names:
    """Valid Coq names for the variables of a goal."""

    def __init__(
        self, goal: Goal, origins: Mapping[Symbol, Expr] | None = None, bound: Mapping[Expr, str] | None = None
    ) -> None:
        """Symbols and terms that are no variables may be bound, or stand for terms, each for one in those before it."""
        numbered = enumerate(goal.variables)
        self._names: dict[Expr, str] = {symbol: f"{plain_name(symbol.name)}_{k}" for k, symbol in numbered}
        self._variables = tuple(self._names.values())
        self._names |= bound or {}
        for symbol, origin in (origins or {}).items():
            self._names[symbol] = term(origin, self)

    def __contains__(self, part: Expr) -> bool:
        return part in self._names

    def __getitem__(self, symbol: Expr) -> str:
        if symbol not in self._names:
            raise NotCoqError(f"{symbol} is no variable of the goal")
        return self._names[symbol]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)


def plain_name(name: str) -> str:
    """A name of ASCII letters and digits.

    >>> plain_name("w_y*"), plain_name("\u03b1")
    ('w_y_', 'v')
    """
    return re.sub(r"[^A-Za-z0-9]", "_", name) if name[:1].isascii() and name[:1].isalpha() else "v"


def theorem(goal: Goal, names: Names) -> str:
    """The proposition of a goal; whole numbers become real ones, of which more is claimed.

    >>> from sympy import S
    >>> x = Symbol("x")
    >>> goal = Goal({x: S.Reals}, (x > 1,), x**2 > 1)
    >>> theorem(goal, Names(goal))
    'forall (x_0 : R), (x_0 > 1) -> ((x_0 ^ 2) > 1)'
    >>> goal = Goal({x: S.Reals}, (x > 1,), 1 / x < 1)
    >>> theorem(goal, Names(goal)).split(") -> ")[1].replace(AND, " and ")
    '((x_0 <> 0) and ((/ (x_0)) < 1))'
    """
    parts = [f"({proposition(part, names)})" for part in goal.hypotheses if part != sp.true]
    parts.append(conclusion(goal.conclusion, names))
    bound = " ".join(names)
    return f"forall ({bound} : R), {' -> '.join(parts)}" if bound else " -> ".join(parts)


def conclusion(formula: Boolean, names: Names) -> str:
    """What a theorem concludes: that a formula has a value, and that it holds."""
    parts = [f"({proposition(part, names)})" for part in (*values_of_formula(formula), formula)]
    return parts[0] if len(parts) == 1 else f"({AND.join(parts)})"


def values(goal: Goal) -> list[Boolean]:
    """The conditions for the conclusion of a goal to have a value."""
    return values_of_formula(goal.conclusion)


def values_of_formula(formula: Boolean) -> list[Boolean]:
    """The conditions for every relation of a formula to have a value."""
    return values_of([side for relation in sorted(relations(formula), key=str) for side in relation.args])


def values_of(terms: Iterable[Expr]) -> list[Boolean]:
    """The conditions for terms to have values."""
    found = demands(terms)
    if sp.false in found:
        raise NotCoqError("it is not known where the conclusion has a value")
    return sorted(found, key=str)


def proposition(formula: Boolean, names: Names) -> str:
    """A plain formula as a Coq proposition."""
    if isinstance(formula, (BooleanTrue, BooleanFalse)):
        return "True" if formula else "False"
    if isinstance(formula, Relational):
        left, right = (term(side, names) for side in formula.args)
        return f"{left} {_RELATIONS[formula.func]} {right}"
    parts = [f"({proposition(part, names)})" for part in formula.args]
    if isinstance(formula, Not):
        return f"~ {parts[0]}"
    joint = {And: AND, Or: r" \/ ", Implies: " -> ", Equivalent: " <-> "}.get(formula.func)
    if joint is None or (isinstance(formula, Equivalent) and len(parts) != 2):
        raise NotCoqError(f"{formula} has no counterpart in Coq")
    return joint.join(parts)


def term(expression: Expr, names: Names) -> str:
    """A real expression as a Coq term."""
    if isinstance(expression, Integer):
        return str(expression) if expression >= 0 else f"(- {-expression})"
    if expression.is_Rational:
        return f"({term(Integer(expression.p), names)} / {expression.q})"
    if isinstance(expression, Symbol) or expression in names:
        return names[expression]
    if expression is sp.pi:
        return "PI"
    if expression is sp.E:
        return "exp 1"
    if isinstance(expression, (sp.Add, sp.Mul)):
        joint = " + " if expression.is_Add else " * "
        return f"({joint.join(term(part, names) for part in expression.args)})"
    if isinstance(expression, sp.Pow):
        return _power(expression, names)
    entry = entry_of(expression)
    if entry is None or entry.coq is None:
        raise NotCoqError(f"{expression} has no counterpart in Coq")
    if not entry.arity:
        first, *rest = [term(part, names) for part in expression.args]
        for part in rest:
            first = f"({entry.coq} {first} {part})"
        return first
    return f"({entry.coq} {' '.join(term(part, names) for part in expression.args)})"


def _power(expression: sp.Pow, names: Names) -> str:
    base, exponent = expression.args
    if isinstance(exponent, Integer):
        inner = term(base, names) if exponent in (1, -1) else f"{term(base, names)} ^ {abs(exponent)}"
        return f"({inner})" if exponent > 0 else f"(/ ({inner}))"
    if exponent.is_Rational and exponent.q == 2:
        root = f"(sqrt {term(base, names)})"
        inner = root if abs(exponent.p) == 1 else f"{root} ^ {abs(exponent.p)}"
        return f"({inner})" if exponent > 0 else f"(/ ({inner}))"
    raise NotCoqError(f"{expression} has no counterpart in Coq")
