"""Quantifiers that only add variables: "for all" in a conclusion, "there is" in a hypothesis."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import And, Set, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.goals import Goal
from theory.domains import membership
from theory.statements import Statement
from theory.temporal import Exists, ForAll, Quantifier, is_plain


def opened_goal(statement: Statement) -> Goal | None:
    """The plain goal of a statement with such quantifiers; None when it has others.

    >>> from sympy import Interval, S
    >>> x, y = Symbol("x"), Symbol("y")
    >>> lemma = Statement(variables={x: S.Reals}, then=ForAll(y, Interval(0, 1), x**2 + y >= 0))
    >>> opened_goal(lemma).hypotheses
    (0 <= y, y <= 1)
    """
    if statement.computed is not None or statement.dynamics is not None:
        return None
    variables = dict(statement.variables)
    hypotheses: list[Boolean] = []
    for part in statement.hypotheses:
        body, inside = _opened(part, Exists, variables)
        hypotheses += [*inside, body]
    conclusion, inside = _opened(statement.conclusion, ForAll, variables)
    goal = Goal.over({}, (*inside, *hypotheses), conclusion)
    plain = all(is_plain(part) for part in (*goal.hypotheses, goal.conclusion))
    return Goal(variables, goal.hypotheses, goal.conclusion) if plain else None


def _opened(formula: Boolean, kind: type[Quantifier], variables: dict[Symbol, Set]) -> tuple[Boolean, list[Boolean]]:
    """The body below a prefix of one kind of quantifier; bound symbols become variables with their domains."""
    inside: list[Boolean] = []
    while isinstance(formula, kind):
        symbol = formula.symbol
        body = formula.body
        while symbol in variables:
            symbol = Symbol(f"{symbol.name}'")
        body = body.xreplace({formula.symbol: symbol})
        variables[symbol] = formula.domain
        condition = membership(symbol, formula.domain)
        inside += condition.args if isinstance(condition, And) else (condition,)
        formula = body
    return formula, inside


def relations(formula: Boolean) -> Iterator[Relational]:
    """The relations of a plain formula."""
    if isinstance(formula, Relational):
        yield formula
    else:
        for part in formula.args:
            yield from relations(part)
