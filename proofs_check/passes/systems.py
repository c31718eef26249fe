"""Polynomial constraint systems whose unsatisfiability proves a goal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

from sympy import Symbol

from proofs_check.goals import Goal
from proofs_check.kernel.formulas import FALSE, TRUE, Formula, Sign, all_of, map_signs, negate, signs
from proofs_check.passes.definite import never_negative
from proofs_check.passes.elimination import Elimination, UnsupportedError
from theory.errors import LemmascopeError
from theory.polynomials import Polynomial, Ring
from theory.trees import encode

_LARGEST_TO_FACTOR = 3000


@dataclass(frozen=True)
class System:
    """`constraint` over the polynomials of `ring`; without a real solution the goal it came from is proved.

    `exact` tells that every real solution is a counterexample of the goal, integrality aside.
    """

    ring: Ring
    constraint: Formula
    integers: tuple[Symbol, ...]
    exact: bool
    origins: dict[str, Any]
    """What the fresh symbols stand for, as trees."""


def systems_of(goal: Goal) -> tuple[System, ...]:
    """The system of a goal and, where transcendental functions occur, a stronger one with bounds on them.

    >>> from sympy import S, sqrt
    >>> x = Symbol("x")
    >>> [system] = systems_of(Goal({x: S.Reals}, (x >= 0,), sqrt(x) <= 1 + x))
    >>> len(system.ring.symbols), system.exact
    (2, True)
    """
    elimination = eliminating(goal)
    hypotheses = [elimination.truth(part) for part in goal.hypotheses]
    claim = negate(elimination.truth(goal.conclusion))
    levels = [all_of((*hypotheses, *elimination.facts, claim))]
    if elimination.bounds:
        levels.append(all_of((levels[0], *elimination.bounds)))
    return tuple(system_of(level, goal, elimination) for level in levels)


def eliminating(goal: Goal) -> Elimination:
    """An elimination that has seen all formulas of a goal."""
    elimination = Elimination()
    for formula in (*goal.hypotheses, goal.conclusion):
        elimination.elementary.scan(formula)
    return elimination


def system_of(formula: Formula, goal: Goal, elimination: Elimination) -> System:
    """A formula over the variables of a goal and the fresh symbols as a polynomial system."""
    variables, whole = goal.variables, (*goal.integers, *elimination.whole)
    used: set[Symbol] = set().union(*(sign.value.free_symbols for sign in signs(formula)), set())
    unknown = used - set(variables) - set(elimination.fresh)
    if unknown:
        raise UnsupportedError(f"{', '.join(sorted(map(str, unknown)))} is no variable of the goal")
    ring = Ring((*(symbol for symbol in variables if symbol in used), *(s for s in elimination.fresh if s in used)))
    polynomial = map_signs(formula, lambda sign: sign_condition(ring, sign))
    origins = {str(symbol): encode(elimination.origin[symbol]) for symbol in ring.symbols if symbol not in variables}
    return System(ring, polynomial, tuple(s for s in whole if s in used), not elimination.opaque, origins)


def sign_condition(ring: Ring, sign: Sign) -> Formula:
    """A sign condition on a rational expression as one on a polynomial of low degree; constants are decided.

    Where the denominator vanishes the result means nothing: definedness is a condition of its own.
    """
    try:
        fraction = ring.fraction(sign.value)
    except LemmascopeError as error:
        raise UnsupportedError(str(error)) from error
    above, below = fraction.numerator, fraction.denominator
    if above.is_constant() and below.is_constant():
        number = above.leading_coefficient() / below.leading_coefficient() if not above.is_zero() else 0
        return TRUE if compare(number, sign.op) else FALSE
    polynomial = reduced(ring, above if sign.op in ("=", "!=") else above * below, sign.op)
    if sign.op in (">=", "<") and never_negative(polynomial):
        return TRUE if sign.op == ">=" else FALSE
    if sign.op in ("<=", ">") and never_negative(-polynomial):
        return TRUE if sign.op == "<=" else FALSE
    return Sign(polynomial, sign.op)


def reduced(ring: Ring, polynomial: Polynomial, op: str) -> Polynomial:
    """A polynomial with the same sign condition and smaller powers of its factors."""
    if len(polynomial) > _LARGEST_TO_FACTOR:
        return polynomial
    number, factors = polynomial.factor()
    positive = ring.context.constant(1 if number > 0 or op in ("=", "!=") else -1)
    powers = (1 if op in ("=", "!=") else 2 - power % 2 for _, power in factors)
    return reduce(mul, (factor**power for (factor, _), power in zip(factors, powers, strict=True)), positive)


def compare(number: object, op: str) -> bool:
    """Whether `number op 0`."""
    sign = (number > 0) - (number < 0)  # type: ignore[operator]
    return {"=": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[op]
