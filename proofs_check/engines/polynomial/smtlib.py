"""Polynomial systems in SMT-LIB, with the logic named."""

from __future__ import annotations

from proofs_check.kernel.formulas import All, Formula, Sign
from proofs_check.passes.systems import System
from theory.polynomials import Polynomial


def script(system: System, *, whole: bool = False) -> str:
    """The system as an SMT-LIB script; with `whole`, integer variables are declared as such.

    >>> from sympy import S, Symbol
    >>> from proofs_check.passes.systems import systems_of
    >>> from proofs_check.goals import Goal
    >>> x = Symbol("x")
    >>> [system] = systems_of(Goal({x: S.Reals}, (), x**2 >= 1))
    >>> print(script(system))
    (set-logic QF_NRA)
    (declare-const v0 Real)
    (assert (< (+ (* v0 v0) (- 1)) 0))
    (check-sat)
    """
    integers = set(system.integers) if whole else set()
    logic = "QF_NIA" if integers == set(system.ring.symbols) else "QF_NIRA" if integers else "QF_NRA"
    names = [f"v{place}" for place in range(len(system.ring.symbols))]
    kinds = ["Int" if symbol in integers else "Real" for symbol in system.ring.symbols]
    if logic == "QF_NIRA":
        names = [f"(to_real {name})" if kind == "Int" else name for name, kind in zip(names, kinds, strict=True)]
    parts = system.constraint.parts if isinstance(system.constraint, All) else (system.constraint,)
    return "\n".join(
        [
            f"(set-logic {logic})",
            *(f"(declare-const v{place} {kind})" for place, kind in enumerate(kinds)),
            *(f"(assert {_formula(part, names)})" for part in parts),
            "(check-sat)",
        ]
    )


def _formula(formula: Formula, names: list[str]) -> str:
    if isinstance(formula, Sign):
        text = _polynomial(formula.value, names)
        return f"(not (= {text} 0))" if formula.op == "!=" else f"({formula.op} {text} 0)"
    head, empty = ("and", "true") if isinstance(formula, All) else ("or", "false")
    if not formula.parts:
        return empty
    return f"({head} {' '.join(_formula(part, names) for part in formula.parts)})"


def _polynomial(polynomial: Polynomial, names: list[str]) -> str:
    denominator = 1
    for number in polynomial.coeffs():
        denominator = denominator * int(number.q) // _gcd(denominator, int(number.q))
    terms = [_term(powers, int(number * denominator), names) for powers, number in polynomial.terms()]
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def _term(powers: tuple[int, ...], number: int, names: list[str]) -> str:
    factors = [name for name, power in zip(names, powers, strict=True) for _ in range(power)]
    if number != 1 or not factors:
        factors.insert(0, str(number) if number >= 0 else f"(- {-number})")
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a
