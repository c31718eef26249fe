"""Contradictions by sums of products and squares, and equations by combinations of equations, written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy import Expr, Rational, Symbol

from proofs_check.kernel.algebra import Conditions, counterexamples
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.formulas import Sign, Some
from proofs_check.kernel.products import Case, polynomial
from proofs_check.report.arguments.passages import Passage, readable, rows_of_sum, weighted
from theory.errors import LemmascopeError
from theory.notation import latex
from theory.polynomials import Polynomial
from theory.trees import decode

_RELATION = {"=": "=", "!=": r"\neq", ">": ">", ">=": r"\geq", "<": "<", "<=": r"\leq"}
_MOST_CASES = 24
_SHORT = 6


def contradiction(claim: Claim, certificate: Mapping[str, Any]) -> list[Passage]:
    """The tree of cases in which the conditions on a counterexample contradict each other."""
    conditions = counterexamples(claim)
    letters = _letters(conditions)
    passages = []
    if letters:
        meanings = r",\quad ".join(
            f"{latex(letter)} = {latex(conditions.origins[old])}" for old, letter in letters.items()
        )
        passages.append(Passage("Write short letters for what is not a polynomial.", meanings))
    writer = _Contradiction(conditions, letters, _opposite(claim))
    return [*passages, *writer.closed(Case().plus(conditions.everything), certificate["tree"])]


def _letters(conditions: Conditions) -> dict[Symbol, Symbol]:
    fresh = [symbol for symbol in conditions.ring.symbols if symbol in conditions.origins]
    return {symbol: Symbol(f"w_{place}") for place, symbol in enumerate(fresh, start=1)}


def _opposite(claim: Claim) -> Expr | None:
    """What is positive, or not negative, where a claim of one inequality fails."""
    try:
        alone = counterexamples(Claim(claim.variables, (), claim.conclusion))
    except LemmascopeError:
        return None
    (sign,) = (alone.formula,) if isinstance(alone.formula, Sign) else (None,)
    if sign is None or sign.op not in ("<", "<=", ">", ">="):
        return None
    return alone.ring.expression(sign.value if sign.op in (">", ">=") else -sign.value)


class _Contradiction:
    def __init__(self, conditions: Conditions, letters: Mapping[Symbol, Symbol], opposite: Expr | None) -> None:
        self._ring = conditions.ring
        self._letters = letters
        self._opposite = opposite
        self._cases = 0

    def _shown(self, value: Polynomial) -> Expr:
        return self._ring.expression(value).xreplace(self._letters)

    def _condition(self, sign: Sign) -> str:
        return f"{latex(self._shown(sign.value))} {_RELATION[sign.op]} 0"

    def closed(self, case: Case, node: Mapping[str, Any]) -> list[Passage]:
        if "split" in node:
            pending = case.pending[int(node["split"])]
            cases, titles = case.split(int(node["split"])), self._alternatives(pending)
        elif "cut" in node:
            terms, op = node["cut"]
            cut = polynomial(self._ring, terms)
            cases = case.cut(cut, op)
            titles = [self._condition(sign) for one in cases for sign in one.signs[len(case.signs) :]]
        else:
            return [self._leaf(case.signs, node)]
        self._cases += len(cases)
        if self._cases > _MOST_CASES:
            return [Passage(f"The remaining {len(cases)} cases contradict themselves in the same way.")]
        passages = []
        for title, one, below in zip(titles, cases, node["cases"], strict=True):
            is_plain = self._is_plain(below, one)
            passages.append(Passage("Case:", title, tuple(self.closed(one, below)), is_detail=is_plain))
        plain = [passage.formula for passage in passages if passage.is_detail]
        if plain and len(plain) < len(passages):
            text = "These cases contradict what is given at once:" if len(plain) > 1 else "Not possible, as is plain:"
            passages.insert(0, Passage(text, r";\quad ".join(plain), is_summary=True))
        elif plain:
            passages = [replace(passage, is_detail=False) for passage in passages]
        return passages or [Passage("No case is left.")]

    def _is_plain(self, node: Mapping[str, Any], case: Case) -> bool:
        """Whether a case is closed by numbers times what is given, without products and squares."""
        if "sums" not in node:
            return False
        used = [case.signs[place].value for part in node["sums"] for place, power in part["product"]]
        simple = all(sum(int(power) for _, power in part["product"]) <= 1 for part in node["sums"])
        bases = [polynomial(self._ring, terms) for part in node["sums"] for _, terms in part["squares"]]
        cofactors = [polynomial(self._ring, terms) for _, terms in node["cofactors"]]
        numbers = all(self._shown(base).is_number for base in (*bases, *cofactors))
        return simple and numbers and all(self._shown(value).count_ops() <= _SHORT for value in used)

    def _alternatives(self, pending: Some) -> list[str]:
        return [_formula(part, self._condition) for part in pending.parts]

    def _leaf(self, signs: Sequence[Sign], leaf: Mapping[str, Any]) -> Passage:
        sums = [self._summand(signs, part) for part in leaf["sums"]]
        rest = [(self._shown(polynomial(self._ring, terms)), self._shown(signs[place].value))
                for place, terms in leaf["cofactors"]]  # fmt: skip
        parts = [entry for rows in sums for entry in rows]
        numbers = [number for number, _ in parts] + [base for _, factors in parts for base, _ in factors]
        if not readable(*numbers, *(part for pair in rest for part in pair)):
            squares = sum(len(rows) for rows in sums)
            text = (
                f"A combination of what holds here, with {squares} squares and coefficients of many digits (the"
                " certificate has them), adds up to zero although no summand is negative and one is positive."
            )
            return Passage(f"{text} This is impossible.")
        direct = self._direct(signs, parts, rest)
        if direct is not None:
            return direct
        used = sorted({place for part in leaf["sums"] for place, _ in part["product"]}
                      | {place for place, _ in leaf["cofactors"]})  # fmt: skip
        shown = [weighted(number, factors) for number, factors in parts]
        shown += [weighted(cofactor, [(zero, 1)]) for cofactor, zero in rest]
        there = tuple(
            Passage("and" if later else "At a counterexample", self._condition(signs[place]))
            for later, place in enumerate(used)
        )
        end = "No summand is negative, one is positive, and what is a multiple of zero vanishes: impossible."
        return Passage(end, rows_of_sum("0 =", shown), there)

    def _summand(self, signs: Sequence[Sign], part: Mapping[str, Any]) -> list[tuple[Expr, list[tuple[Expr, int]]]]:
        common = [(self._shown(signs[place].value), int(power)) for place, power in part["product"]]
        return [
            (Rational(number), [*common, (self._shown(polynomial(self._ring, terms)), 2)])
            for number, terms in part["squares"]
        ]

    def _direct(
        self,
        signs: Sequence[Sign],
        parts: Sequence[tuple[Expr, list[tuple[Expr, int]]]],
        rest: Sequence[tuple[Expr, Expr]],
    ) -> Passage | None:
        """The claim as a sum, where its opposite occurs once and alone."""
        if self._opposite is None:
            return None
        opposite = self._opposite
        uses = [
            place for place, (_, factors) in enumerate(parts) if any(sp.expand(b - opposite) == 0 for b, _ in factors)
        ]
        if len(uses) != 1 or any(sp.expand(zero - opposite) == 0 for _, zero in rest):
            return None
        number, factors = parts[uses[0]]
        if [power for base, power in factors if base != 1] != [1]:
            return None
        others = [weighted(n / number, f) for place, (n, f) in enumerate(parts) if place != uses[0]]
        others += [weighted(cofactor / number, [(zero, 1)]) for cofactor, zero in rest]
        strict = next((s.op for s in signs if sp.expand(self._shown(s.value) - opposite) == 0), ">") == ">="
        end = "No summand is negative" + (", and one is positive." if strict else ".")
        if rest:
            end = end[:-1] + "; a multiple of what is zero vanishes."
        left = latex(sp.expand(-opposite))
        if others == [left]:
            return Passage("It is made of squares and of what is given:", left)
        return Passage(end, rows_of_sum(f"{left} =", others))


def _formula(part: Any, condition: Any) -> str:
    if isinstance(part, Sign):
        return str(condition(part))
    word = r" \;\text{or}\; " if isinstance(part, Some) else r",\; "
    return word.join(_formula(inner, condition) for inner in part.parts)


def combination(certificate: Mapping[str, Any]) -> list[Passage]:
    """Each difference of two sides as a combination of equations that hold."""
    passages = []
    for found in certificate["combinations"]:
        target, *others = (decode(part) for part in (found["target"], *found["generators"], *found["cofactors"]))
        generators, cofactors = others[: len(found["generators"])], others[len(found["generators"]) :]
        meant = {name: decode(origin) for name, origin in found["origins"].items()}
        if meant:
            named = r",\quad ".join(f"{latex(Symbol(name))} = {latex(value)}" for name, value in meant.items())
            passages.append(Passage("Write short letters for what is not a polynomial.", named))
        if not generators:
            passages.append(Passage("Multiplied out, both sides are the same."))
            continue
        pairs = [(c, g) for c, g in zip(cofactors, generators, strict=True) if c != 0]
        if not readable(target, *(part for pair in pairs for part in pair)):
            passages.append(
                Passage(f"The difference of the sides is a combination of {len(pairs)} equations that hold.")
            )
            continue
        shown = [weighted(cofactor, [(generator, 1)]) for cofactor, generator in pairs]
        text = "The difference of the sides, over a common denominator, is a combination of what is zero:"
        passages.append(Passage(text, rows_of_sum(f"{latex(target)} =", shown)))
    return passages
