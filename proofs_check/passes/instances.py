"""Hypotheses about all arguments of an abstract function, used at the arguments that a statement mentions.

"phi(c*z) = c*phi(z) for all c > 0 and all z" also gives its derivatives, so Euler's relation follows by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sympy import And, Derivative, Eq, Expr, Implies, Interval, S, Set, Symbol, diff
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from proofs_check.goals import Goal
from theory.domains import is_discrete, membership
from theory.language.functions import rough
from theory.statements import Statement
from theory.temporal import ForAll, is_plain

_MOST_INSTANCES = 200


def universal_instances(statement: Statement) -> Goal | None:
    """The goal of a statement whose quantified hypotheses are replaced by instances; None when that is not possible.

    >>> from sympy import Function
    >>> x, z, phi = Symbol("x"), Symbol("z"), Function("phi")
    >>> odd = ForAll(z, S.Reals, Eq(phi(-z), -phi(z)))
    >>> goal = universal_instances(Statement(variables={x: S.Reals}, given=(odd,), then=Eq(phi(-x), -phi(x))))
    >>> Eq(phi(-x), -phi(x)) in goal.hypotheses
    True
    """
    universal = [part for part in statement.hypotheses if isinstance(part, ForAll)]
    plain = [part for part in statement.hypotheses if not isinstance(part, ForAll)]
    if statement.computed is not None or statement.dynamics is not None:
        return None
    if not all(is_plain(part) for part in (*plain, statement.conclusion)):
        return None
    arguments = _arguments([*plain, statement.conclusion])
    whole = set(statement.integers)
    smooth = any(part.has(Derivative) for part in (*plain, statement.conclusion))
    instances = [instance for part in universal for instance in _instances(part, arguments, whole, smooth=smooth)]
    hypotheses = And(*plain, *dict.fromkeys(instances[:_MOST_INSTANCES]))
    return Goal(
        dict(statement.variables),
        hypotheses.args if isinstance(hypotheses, And) else (hypotheses,),
        statement.conclusion,
    )


def _arguments(formulas: list[Boolean]) -> list[Expr]:
    found = {part for formula in formulas for use in formula.atoms(AppliedUndef) for part in use.args}
    free = set().union(*(formula.free_symbols for formula in formulas))
    return sorted((part for part in found if part.free_symbols <= free), key=lambda part: (part.count_ops(), str(part)))


def _instances(hypothesis: ForAll, arguments: list[Expr], whole: set[Symbol], *, smooth: bool) -> Iterator[Boolean]:
    """Instances of a hypothesis and, where the statement itself speaks of derivatives, of its derivatives."""
    bound: list[tuple[Symbol, Set]] = []
    body: Boolean = hypothesis
    while isinstance(body, ForAll):
        bound.append((body.symbol, body.domain))
        body = body.body
    if not is_plain(body):
        return
    bodies = [body]
    if smooth and isinstance(body, Eq) and not body.has(*rough()):
        bodies += [
            Eq(*(diff(side, symbol).doit() for side in body.args), evaluate=False)
            for symbol, domain in bound
            if _is_open(domain) and not any(symbol in other.free_symbols for _, other in bound)
        ]
    values = [S.One, S.Zero, *arguments]
    for choice in product(values, repeat=len(bound)):
        point = {symbol: value for (symbol, _), value in zip(bound, choice, strict=True)}
        counted = [point[symbol] for symbol, domain in bound if is_discrete(domain)]
        if not all(value.is_Integer or value in whole for value in counted):
            continue
        # all at once: a variable may have the name of a bound symbol
        guard = And(*(membership(*pair).subs(point, simultaneous=True) for pair in bound))
        if guard == False:  # noqa: E712 - SymPy's false
            continue
        for each in bodies:
            yield _guarded(guard, each.subs(point, simultaneous=True))


def _guarded(guard: Boolean, body: Boolean) -> Boolean:
    return body if guard == True else Implies(guard, body)  # noqa: E712 - SymPy's true


def _is_open(domain: object) -> bool:
    """Whether differentiating an equation that holds on the domain is allowed at each of its points."""
    return domain is S.Reals or (isinstance(domain, Interval) and bool(domain.left_open and domain.right_open))
