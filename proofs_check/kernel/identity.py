"""Re-checks an identity: the equation as rational functions, in which functions and roots are generators.

A stored combination must add up, its generators must be relations that hold or hypotheses of the statement, and that
all terms have values must be shown by stored proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Eq, Expr, Symbol, sympify
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import UNREADABLE, follows
from proofs_check.kernel.instances import with_instances
from theory.language.definedness import undefined
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import negation
from theory.trees import decode


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether every combination adds up, the equations follow from them, and their terms have values."""
    goal = claim_of(statement) or with_instances(statement)
    return goal is not None and holds(goal, certificate["combinations"], Shown(certificate.get("obligations", ())))


def holds(goal: Claim, combinations: Sequence[Mapping[str, Any]], shown: Shown) -> bool:
    """The same, with what shows that the terms have values."""
    if not combinations or not all(map(adds_up, combinations)) or not _as_fractions(goal, combinations):
        return False
    return all(shown.follows(part, goal.variables, goal.hypotheses) for part in _needed(goal, combinations))


def _needed(goal: Claim, combinations: Sequence[Mapping[str, Any]]) -> list[Boolean]:
    """Conditions under which both sides of the equations, and what the combinations speak of, have values."""
    valued = [*clauses(goal.conclusion), *(part for one in combinations for part in _stood_for(one))]
    return list(dict.fromkeys(negation(place) for part in valued for place in undefined(part)))


def _as_fractions(goal: Claim, combinations: Sequence[Mapping[str, Any]]) -> bool:
    equations = clauses(goal.conclusion)
    if len(equations) != len(combinations):
        return False
    assumed = [part.lhs - part.rhs for part in goal.hypotheses if isinstance(part, Eq)]
    try:
        return all(_shown(*pair, assumed) for pair in zip(equations, combinations, strict=True))
    except UNREADABLE:
        return False


def _origins(combination: Mapping[str, Any]) -> dict[Symbol, Expr]:
    return {Symbol(name): decode(tree) for name, tree in combination["origins"].items()}


def _stood_for(combination: Mapping[str, Any]) -> list[Expr]:
    """What auxiliary symbols of a sum of multiples stand for: without a value, a multiple of zero is not zero."""
    origins = _origins(combination)
    return [_original(part, origins) for part in origins.values()] if combination["generators"] else []


def _shown(equation: Eq, combination: Mapping[str, Any], assumed: list[Expr]) -> bool:
    origins = _origins(combination)
    generators = [_original(decode(part), origins) for part in combination["generators"]]
    return follows(equation, _original(decode(combination["target"]), origins), generators, assumed)


def _original(part: Expr, origins: Mapping[Symbol, Expr]) -> Expr:
    """A polynomial with what its auxiliary symbols stand for, which may have such symbols again."""
    for _ in origins:
        if not part.free_symbols & set(origins):
            break
        part = part.xreplace(dict(origins))
    return part


def adds_up(combination: Mapping[str, Any]) -> bool:
    """Whether target = sum of cofactor times generator, polynomials all of them.

    >>> from theory.trees import encode
    >>> x = Symbol("x")
    >>> parts = {"target": x**2 - x, "generators": [x - 1], "cofactors": [x]}
    >>> adds_up({key: encode(v) if key == "target" else list(map(encode, v)) for key, v in parts.items()})
    True
    """
    generators, cofactors = ([decode(part) for part in combination[key]] for key in ("generators", "cofactors"))
    if len(cofactors) != len(generators) or not all(part.is_polynomial() for part in (*cofactors, *generators)):
        return False
    total = sum(cofactor * generator for cofactor, generator in zip(cofactors, generators, strict=True))
    return same(decode(combination["target"]), sympify(total))
