"""QEPCAD, when it is installed: conditions on parameters under which a polynomial system has a solution.

Its answer is a suggestion: whoever uses it lets the provers confirm both directions.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess

from sympy import Add, And, Eq, Expr, Ge, Gt, Integer, Le, Lt, Mul, Ne, Or, Symbol, false, true
from sympy.logic.boolalg import Boolean

from proofs_check.algebra.formulas import All, Formula, Sign
from proofs_check.algebra.systems import System
from theory.polynomials import Polynomial

_RELATIONS = {"=": Eq, "/=": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge}
_TOKEN = re.compile(r"\s*(/\\|\\/|/=|<=|>=|[\[\]=<>+\-^]|\d+|v\d+|TRUE|FALSE)")


def missing() -> str | None:
    """What is not installed, in one sentence."""
    return None if shutil.which("qepcad") else "install qepcad for conditions on several parameters"


def solvable(system: System, parameters: tuple[Symbol, ...], seconds: float, memory: int) -> Boolean | None:
    """For which parameters the system has a real solution, as a formula in them; None when QEPCAD does not say."""
    if missing() is not None:
        return None
    order = [*parameters, *(symbol for symbol in system.ring.symbols if symbol not in parameters)]
    names = {symbol: f"v{place}" for place, symbol in enumerate(order)}
    bound = "".join(f"(E {names[symbol]})" for symbol in order[len(parameters) :])
    body = _formula(system.constraint, [names[symbol] for symbol in system.ring.symbols])
    question = f"[]\n({','.join(names.values())})\n{len(parameters)}\n{bound}[{body}].\nfinish\n"
    try:
        done = subprocess.run(
            ["qepcad"], input=question, capture_output=True, text=True, timeout=seconds, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
        )  # fmt: skip
    except (subprocess.TimeoutExpired, OSError):
        return None
    _, mark, answer = done.stdout.partition("An equivalent quantifier-free formula:")
    text = answer.split("=====")[0].strip()
    return _Reader(text, dict(zip(names.values(), order, strict=True))).read() if mark and text else None


def _formula(formula: Formula, names: list[str]) -> str:
    if isinstance(formula, Sign):
        op = "/=" if formula.op == "!=" else formula.op
        return f"{_polynomial(formula.value, names)} {op} 0"
    parts = [f"[{_formula(part, names)}]" for part in formula.parts]
    if not parts:
        return "0 = 0" if isinstance(formula, All) else "0 = 1"
    return (" /\\ " if isinstance(formula, All) else " \\/ ").join(parts)


def _polynomial(polynomial: Polynomial, names: list[str]) -> str:
    scale = 1
    for number in polynomial.coeffs():
        scale *= int(number.q)
    terms = []
    for powers, number in polynomial.terms():
        factors = [f"{name}^{power}" for name, power in zip(names, powers, strict=True) if power]
        terms.append(" ".join([f"({int(number * scale)})", *factors]))
    return " + ".join(terms)


class _Reader:
    """Reads QEPCAD's formulas; anything unexpected is None, never evaluated."""

    def __init__(self, text: str, symbols: dict[str, Symbol]) -> None:
        self._tokens = [match.group(1) for match in _TOKEN.finditer(text)]
        self._complete = "".join(text.split()) == "".join(self._tokens)
        self._symbols, self._place = symbols, 0

    def read(self) -> Boolean | None:
        if not self._complete:
            return None
        try:
            formula = self._or()
        except (IndexError, KeyError, ValueError):
            return None
        return formula if self._place == len(self._tokens) else None

    @property
    def _next(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1]

    def _or(self) -> Boolean:
        parts = [self._and()]
        while self._next == "\\/":
            self._take()
            parts.append(self._and())
        return Or(*parts)

    def _and(self) -> Boolean:
        parts = [self._atom()]
        while self._next == "/\\":
            self._take()
            parts.append(self._atom())
        return And(*parts)

    def _atom(self) -> Boolean:
        if self._next in ("TRUE", "FALSE"):
            return true if self._take() == "TRUE" else false
        if self._next == "[":
            self._take()
            inner = self._or()
            if self._take() != "]":
                raise ValueError
            return inner
        left = self._sum()
        relation = _RELATIONS[self._take()]
        return relation(left, self._sum())

    def _sum(self) -> Expr:
        terms = [self._product()]
        while self._next in ("+", "-"):
            terms.append(self._product())
        return Add(*terms)

    def _product(self) -> Expr:
        sign = 1
        while self._next in ("+", "-"):
            sign = -sign if self._take() == "-" else sign
        factors: list[Expr] = [Integer(sign)]
        while self._next.isdigit() or self._next in self._symbols:
            token = self._take()
            factor = Integer(int(token)) if token.isdigit() else self._symbols[token]
            if self._next == "^":
                self._take()
                factor **= int(self._take())
            factors.append(factor)
        if len(factors) == 1:
            raise ValueError
        return Mul(*factors)
