"""Re-checks certificates that polynomial conditions contradict each other: a tree of cases, an identity at each leaf.

The conditions are read from the statement. At a leaf, products of conditions that are not negative, times sums of
squares, and multiples of equations add up to zero, and one of the summands is positive: no point satisfies them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import flint

from proofs_check.kernel.algebra import Conditions, claimed, counterexamples
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.formulas import OPPOSITE, Formula, Sign, Some
from theory.errors import LemmascopeError
from theory.polynomials import Polynomial, Ring
from theory.statements import Statement


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the certificate shows that the statement has no counterexample."""
    claim = claimed(statement)
    return claim is not None and check_claim(claim, certificate)


def check_claim(claim: Claim, certificate: Mapping[str, Any]) -> bool:
    """The same for a claim."""
    try:
        return contradicts(counterexamples(claim), certificate["tree"])
    except (LemmascopeError, LookupError, TypeError, ValueError, ZeroDivisionError):  # unreadable, or damaged
        return False


def contradicts(conditions: Conditions, tree: Mapping[str, Any]) -> bool:
    """Whether the tree shows that no point satisfies the conditions.

    >>> from sympy import Ge, S, Symbol
    >>> x = Symbol("x")
    >>> conditions = counterexamples(Claim({x: S.Reals}, (), Ge(x**2, 0)))
    >>> square = {"product": [], "squares": [["1", [[[1], "1"]]]]}
    >>> given = {"product": [[0, 1]], "squares": [["1", [[[0], "1"]]]]}
    >>> contradicts(conditions, {"sums": [square, given], "cofactors": []})
    True
    """
    return _closed(conditions.ring, Case().plus(conditions.everything), tree)


@dataclass(frozen=True)
class Case:
    """Conditions that hold together, and disjunctions of which a part holds."""

    signs: tuple[Sign, ...] = ()
    """Each a polynomial that is positive, not negative, zero or not zero."""

    pending: tuple[Some, ...] = ()

    def plus(self, formula: Formula) -> Case:
        """The case in which a formula holds, too."""
        if isinstance(formula, Sign):
            turned = {"<": ">", "<=": ">="}.get(formula.op)
            upright = formula if turned is None else Sign(-formula.value, turned)
            return Case((*self.signs, upright), self.pending)
        if isinstance(formula, Some):
            return Case(self.signs, (*self.pending, formula))
        case = self
        for part in formula.parts:
            case = case.plus(part)
        return case

    def split(self, place: int) -> list[Case]:
        """One case for each part of a disjunction."""
        rest = Case(self.signs, (*self.pending[:place], *self.pending[place + 1 :]))
        return [rest.plus(part) for part in self.pending[place].parts]

    def cut(self, value: Polynomial, op: str) -> list[Case]:
        """The case in which a polynomial has a sign, and the one in which it has not."""
        return [self.plus(Sign(value, op)), self.plus(Sign(value, OPPOSITE[op]))]


def _closed(ring: Ring, case: Case, node: Mapping[str, Any]) -> bool:
    if "split" in node:
        cases = case.split(int(node["split"]))
    elif "cut" in node:
        terms, op = node["cut"]
        cases = case.cut(polynomial(ring, terms), op)
    else:
        return adds_up(ring, case.signs, node)
    below = node["cases"]
    return len(below) == len(cases) and all(_closed(ring, *pair) for pair in zip(cases, below, strict=True))


def adds_up(ring: Ring, signs: Sequence[Sign], leaf: Mapping[str, Any]) -> bool:
    """Whether summands that are not negative, one of them positive, and multiples of zero add up to zero."""
    total, positive = ring.context.constant(0), False
    for part in leaf["sums"]:
        weight, strict = ring.context.constant(1), True
        for place, power in part["product"]:
            sign = signs[place]
            if power < 1 or not (sign.op in (">", ">=") or (sign.op == "!=" and power % 2 == 0)):
                return False
            weight *= sign.value**power
            strict = strict and sign.op != ">="
        for number, terms in part["squares"]:
            factor, root = flint.fmpq(*map(int, str(number).split("/"))), polynomial(ring, terms)
            if factor < 0:
                return False
            total += weight * root * root * factor
            positive = positive or (strict and factor > 0 and root.is_constant() and not root.is_zero())
    for place, terms in leaf["cofactors"]:
        if signs[place].op != "=":
            return False
        total += signs[place].value * polynomial(ring, terms)
    return positive and bool(total.is_zero())


def polynomial(ring: Ring, terms: Sequence[Any]) -> Polynomial:
    """The polynomial that data describe; ValueError for what is none."""
    read: dict[tuple[int, ...], Any] = {}
    for powers, number in terms:
        key = tuple(powers)
        if len(key) != len(ring.symbols) or not all(type(power) is int and power >= 0 for power in key) or key in read:
            raise ValueError("not a polynomial")
        read[key] = flint.fmpq(*map(int, str(number).split("/")))
    return ring.context.from_dict(read)
