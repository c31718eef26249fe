"""Polynomial conditions in SMT-LIB, with the logic named."""

from __future__ import annotations

from functools import reduce
from math import lcm
from operator import mul

from proofs_check.kernel.algebra import Conditions
from proofs_check.kernel.definite import never_negative
from proofs_check.kernel.formulas import FALSE, TRUE, All, Formula, Sign, map_signs
from theory.polynomials import Polynomial, Ring

_LARGEST_TO_FACTOR = 3000


def script(conditions: Conditions, *, whole: bool = False) -> str:
    """The conditions as an SMT-LIB script; with `whole`, symbols for whole numbers are declared as such.

    >>> from sympy import Ge, S, Symbol
    >>> from proofs_check.kernel.algebra import counterexamples
    >>> from proofs_check.kernel.claims import Claim
    >>> x = Symbol("x")
    >>> print(script(counterexamples(Claim({x: S.Reals}, (), Ge(x**2, 1)))))
    (set-logic QF_NRA)
    (declare-const v0 Real)
    (assert (< (+ (* v0 v0) (- 1)) 0))
    (check-sat)
    """
    ring, formula = conditions.ring, map_signs(conditions.formula, _decided)
    integers = set(conditions.whole) if whole else set()
    logic = "QF_NIA" if integers == set(ring.symbols) else "QF_NIRA" if integers else "QF_NRA"
    names = [f"v{place}" for place in range(len(ring.symbols))]
    kinds = ["Int" if symbol in integers else "Real" for symbol in ring.symbols]
    if logic == "QF_NIRA":
        names = [f"(to_real {name})" if kind == "Int" else name for name, kind in zip(names, kinds, strict=True)]
    parts = formula.parts if isinstance(formula, All) else (formula,)
    return "\n".join([
        f"(set-logic {logic})",
        *(f"(declare-const v{place} {kind})" for place, kind in enumerate(kinds)),
        *(f"(assert {_formula(ring, part, names)})" for part in parts),
        "(check-sat)",
    ])  # fmt: skip


def _decided(sign: Sign) -> Formula:
    """The condition, or its truth where that is plain."""
    if sign.op in (">=", "<") and never_negative(sign.value):
        return TRUE if sign.op == ">=" else FALSE
    if sign.op in ("<=", ">") and never_negative(-sign.value):
        return TRUE if sign.op == "<=" else FALSE
    return sign


def _formula(ring: Ring, formula: Formula, names: list[str]) -> str:
    if isinstance(formula, Sign):
        text = _polynomial(_reduced(ring, formula.value, formula.op), names)
        return f"(not (= {text} 0))" if formula.op == "!=" else f"({formula.op} {text} 0)"
    head, empty = ("and", "true") if isinstance(formula, All) else ("or", "false")
    if not formula.parts:
        return empty
    return f"({head} {' '.join(_formula(ring, part, names) for part in formula.parts)})"


def _reduced(ring: Ring, polynomial: Polynomial, op: str) -> Polynomial:
    """A polynomial with the same sign condition and smaller powers of its factors."""
    if len(polynomial) > _LARGEST_TO_FACTOR:
        return polynomial
    factors = ring.factors(polynomial)
    positive = ring.context.constant(1 if polynomial.leading_coefficient() > 0 or op in ("=", "!=") else -1)
    powers = (1 if op in ("=", "!=") else 2 - power % 2 for _, power in factors)
    return reduce(mul, (factor**power for (factor, _), power in zip(factors, powers, strict=True)), positive)


def _polynomial(polynomial: Polynomial, names: list[str]) -> str:
    denominator = lcm(*(int(number.q) for number in polynomial.coeffs()))
    terms = [_term(powers, int(number * denominator), names) for powers, number in polynomial.terms()]
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def _term(powers: tuple[int, ...], number: int, names: list[str]) -> str:
    factors = [name for name, power in zip(names, powers, strict=True) for _ in range(power)]
    if number != 1 or not factors:
        factors.insert(0, str(number) if number >= 0 else f"(- {-number})")
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"
