"""Re-checks an identity: SymPy expands the stored combination, solvers see the equation in a second translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import expand

from proofs_check.algebra.instances import universal_instances
from proofs_check.checkers.real import check_goal
from proofs_check.goals import goal_of
from theory.statements import Statement
from theory.trees import decode


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether every combination adds up and the equations have no counterexample in the second translation."""
    goal = goal_of(statement) or universal_instances(statement)
    combinations = certificate["combinations"]
    return goal is not None and bool(combinations) and all(map(adds_up, combinations)) and check_goal(goal)


def adds_up(combination: Mapping[str, Any]) -> bool:
    """Whether target = sum of cofactor times generator.

    >>> from sympy import Symbol
    >>> from theory.trees import encode
    >>> x = Symbol("x")
    >>> parts = {"target": x**2 - x, "generators": [x - 1], "cofactors": [x]}
    >>> adds_up({key: encode(v) if key == "target" else list(map(encode, v)) for key, v in parts.items()})
    True
    """
    generators, cofactors = ([decode(part) for part in combination[key]] for key in ("generators", "cofactors"))
    if len(cofactors) != len(generators):
        return False
    total = sum(cofactor * generator for cofactor, generator in zip(cofactors, generators, strict=True))
    return bool(expand(decode(combination["target"]) - total) == 0)
