"""Certificates that polynomial conditions contradict each other, written out as Coq proofs.

Every step of the tree is a step of the proof: a case is a disjunction taken apart, a leaf is a sum of products of
conditions and squares, none of them negative and one positive, that is zero by ring arithmetic. Nothing is searched
for but how the conditions follow from the hypotheses, which is linear once denominators are cleared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import Expr

from proofs_check.coq.language import Names, NotCoqError, proposition, term, values
from proofs_check.goals import Goal, relations
from proofs_check.kernel.algebra import Conditions, counterexamples
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.formulas import OPPOSITE, All, Formula, Sign, Some
from proofs_check.kernel.products import Case, polynomial
from theory.errors import LemmascopeError

_RELATION = {">": "0 < {}", ">=": "0 <= {}", "=": "{} = 0", "!=": "{} <> 0", "<": "{} < 0", "<=": "{} <= 0"}


def products_proof(goal: Goal, names: Names, certificate: Mapping[str, Any]) -> list[str]:
    """The sentences that prove a goal by its certificate; NotCoqError for what has no words in Coq."""
    try:
        conditions = counterexamples(Claim(goal.variables, goal.hypotheses, goal.conclusion))
    except LemmascopeError as error:
        raise NotCoqError(str(error)) from error
    return _Writer(goal, names, conditions).proof(certificate["tree"])


@dataclass
class _Known:
    """A case of the certificate, with the Coq names of its conditions; those of the start are shown when needed."""

    case: Case
    signs: dict[int, str] = field(default_factory=dict)
    pending: list[str | None] = field(default_factory=list)

    def plus(self, formula: Formula, name: str) -> _Known:
        """The case in which a formula holds, too, whose parts were named after it."""
        case, signs, pending = self.case.plus(formula), dict(self.signs), list(self.pending)
        for part, part_name in _named(formula, name):
            if isinstance(part, Sign):
                signs[len(self.case.signs) + sum(key >= len(self.case.signs) for key in signs)] = part_name
            else:
                pending.append(part_name)
        return _Known(case, signs, pending)


def _named(formula: Formula, name: str) -> Iterator[tuple[Formula, str]]:
    """The conditions that a formula opens up to, with names for them."""
    if not isinstance(formula, All):
        yield formula, name
        return
    for place, part in enumerate(formula.parts):
        yield from _named(part, f"{name}_{place}")


def _pattern(formula: Formula, name: str) -> str:
    """The pattern by which Coq names the parts of a conjunction."""
    if not isinstance(formula, All):
        return name
    if not formula.parts:
        return "_"
    *first, last = [_pattern(part, f"{name}_{place}") for place, part in enumerate(formula.parts)]
    for one in reversed(first):
        last = f"[{one} {last}]"
    return last


class _Writer:
    def __init__(self, goal: Goal, names: Names, conditions: Conditions) -> None:
        self._goal, self._names, self._conditions = goal, names, conditions
        origins = conditions.origins
        known = Names(goal, {symbol: origins[symbol] for symbol in conditions.ring.symbols if symbol in origins})
        self._symbols = [known[symbol] for symbol in conditions.ring.symbols]
        self._fresh = {origin: symbol for symbol, origin in origins.items()}
        self._count = 0

    def proof(self, tree: Mapping[str, Any]) -> list[str]:
        """All sentences."""
        lines = ["intros.", *self._about_terms(), *self._cleared(self._goal.hypotheses), "ls_suppose denied."]
        start = Case().plus(self._conditions.everything)
        known = _Known(start, {}, [None] * len(start.pending))
        for place in sorted(_used(tree, len(start.signs))):
            known.signs[place] = f"C{place}"
            lines.append(f"assert (C{place} : {self._sign(start.signs[place])}) by ({self._shown()}).")
        return [*lines, *self._below(known, tree)]

    # -- what holds for roots, kinks and quotients ------------------------------------------------------------------

    def _about_terms(self) -> list[str]:
        parts = sp.And(*self._goal.hypotheses, self._goal.conclusion)
        lines = []
        for root in _ordered({one.base for one in parts.atoms(sp.Pow) if one.exp.is_Rational and one.exp.q == 2}):
            lines.append(f"ls_root {self._term(root)}.")
            lines += self._cleared([sp.Ge(root, 0, evaluate=False)])
        for kind, word in ((sp.Abs, "abs"), (sp.exp, "exp"), (sp.log, "ln")):
            lines += [f"ls_{word} {self._term(one.args[0])}." for one in _ordered(parts.atoms(kind))]
        for one in _ordered({use.args[0] for use in parts.atoms(sp.sin, sp.cos)}):
            lines.append(f"ls_circle {self._term(one)}.")
        for kind, word in ((sp.Max, "max"), (sp.Min, "min")):
            for one in _ordered(parts.atoms(kind)):
                if len(one.args) != 2:
                    raise NotCoqError("an extremum of more than two terms")
                lines.append(f"ls_{word} {' '.join(map(self._term, one.args))}.")
        return lines

    def _cleared(self, formulas: Sequence[sp.Basic]) -> list[str]:
        """The sign of every relation with a denominator, through a polynomial."""
        lines = []
        for relation in dict.fromkeys(part for one in formulas for part in relations(one)):
            difference = relation.lhs - relation.rhs
            try:
                fraction = self._conditions.ring.fraction(self._read(difference))
            except (LemmascopeError, ValueError, KeyError, ZeroDivisionError):
                continue
            if not any(part.exp.is_negative for part in relation.atoms(sp.Pow)):
                continue
            below, above = (self._polynomial(one) for one in (fraction.denominator, fraction.numerator))
            gap = f"({term(relation.lhs, self._names)} - {term(relation.rhs, self._names)})"
            if isinstance(relation, (sp.Eq, sp.Ne)):
                lines.append(f"try ls_clear_zero {gap} {below} {above}.")
            else:
                product = self._polynomial(fraction.numerator * fraction.denominator)
                lines.append(f"try ls_clear {gap} {below} {product}.")
        return lines

    def _read(self, expression: Expr) -> Expr:
        """An expression with the fresh symbols of the conditions in the place of what they stand for."""

        def root(part: sp.Pow) -> Expr:
            radicand = sp.cancel(part.base) if part.base.is_rational_function() else part.base
            keys = (sp.Pow(one, sp.Rational(1, 2), evaluate=False) for one in (radicand, part.base))
            return next(self._fresh[key] for key in keys if key in self._fresh) ** part.exp.p

        try:
            read = expression.replace(lambda part: part.is_Pow and part.exp.is_Rational and part.exp.q == 2, root)
        except StopIteration:
            raise NotCoqError("a root without a symbol") from None
        return read.xreplace(self._fresh)

    def _shown(self, *, conclusion: bool = False) -> str:
        """How a condition follows from the context, or from the denial of the conclusion."""
        steps = [f"try ls_either ({proposition(part, self._names)})" for part in values(self._goal)]
        steps += [line.removesuffix(".") for line in self._cleared([self._goal.conclusion])]
        if conclusion:
            whole = dict.fromkeys(relations(self._goal.conclusion))
            steps += [f"ls_either ({proposition(part, self._names)})" for part in whole]
        return f"first [ls_condition | {'; '.join([*steps, 'ls_pick denied'])}]"

    # -- the tree ---------------------------------------------------------------------------------------------------

    def _below(self, known: _Known, node: Mapping[str, Any]) -> list[str]:
        if "split" in node:
            place = int(node["split"])
            formula, name = known.case.pending[place], known.pending[place]
            lines, parts = [], list(formula.parts)
            if name is None:
                name = self._new("P")
                lines.append(f"assert ({name} : {self._formula(formula)}) by ({self._shown(conclusion=True)}).")
            pending = [*known.case.pending[:place], *known.case.pending[place + 1 :]]
            rest = _Known(
                Case(known.case.signs, tuple(pending)),
                known.signs, [*known.pending[:place], *known.pending[place + 1 :]],
            )  # fmt: skip
        elif "cut" in node:
            terms, op = node["cut"]
            value = polynomial(self._conditions.ring, terms)
            name, rest = self._new("X"), known
            parts = [next(iter(Case().plus(Sign(value, sign)).signs)) for sign in (op, OPPOSITE[op])]
            lines = [f"assert ({name} : {self._formula(Some(tuple(parts)))}) by ls_condition."]
        else:
            return self._leaf(known, node)
        below = node["cases"]
        labels = [self._new("H") for _ in parts]
        patterns = [_pattern(part, label) for part, label in zip(parts, labels, strict=True)]
        lines.append(f"destruct {name} as {_alternatives(patterns)}.")
        for part, label, child in zip(parts, labels, below, strict=True):
            lines += ["{", *self._below(rest.plus(part, label), child), "}"]
        return lines

    def _leaf(self, known: _Known, leaf: Mapping[str, Any]) -> list[str]:
        """The sum, its positive summand first."""
        signs, summands = known.case.signs, []
        for part in leaf["sums"]:
            strict_part = all(signs[place].op != ">=" for place, _ in part["product"])
            factors = [text for place, power in part["product"] for text in self._powers(signs[place], power)]
            for number, terms in part["squares"]:
                root = polynomial(self._conditions.ring, terms)
                if Fraction(number) == 0 or root.is_zero():
                    continue
                strict = strict_part and root.is_constant()
                weight = Fraction(number) * (Fraction(str(root.leading_coefficient())) ** 2 if strict else 1)
                square = [] if strict else [f"{self._polynomial(root)} ^ 2"]
                summands.append((strict, " * ".join([_number(weight), *factors, *square])))
        summands.sort(key=lambda one: not one[0])
        if not summands or not summands[0][0]:
            raise NotCoqError("no summand is positive")
        total, *others = summands
        name = self._new("S")
        lines = [f"assert ({name} : 0 < {total[1]}) by ls_product."]
        for _, text in others:
            label = self._new("Q")
            lines += [f"assert ({label} : 0 <= {text}) by ls_product.", f"ls_plus {name} {label}."]
        for place, terms in leaf["cofactors"]:
            label, factor = self._new("E"), self._polynomial(polynomial(self._conditions.ring, terms))
            value = self._polynomial(signs[place].value)
            lines.append(f"assert ({label} : 0 <= {factor} * {value}) by ls_multiple {known.signs[place]}.")
            lines.append(f"ls_plus {name} {label}.")
        return [*lines, f"ls_close {name}."]

    def _powers(self, sign: Sign, power: int) -> list[str]:
        value = self._polynomial(sign.value)
        return [f"{value} ^ 2"] * (power // 2) if sign.op == "!=" else [value] * power

    def _new(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}x"

    # -- texts ------------------------------------------------------------------------------------------------------

    def _term(self, expression: Expr) -> str:
        return f"({term(expression, self._names)})"

    def _formula(self, formula: Formula) -> str:
        if isinstance(formula, Sign):
            (sign,) = Case().plus(formula).signs
            return self._sign(sign)
        if not formula.parts:
            return "True" if isinstance(formula, All) else "False"
        joint = r" /\ " if isinstance(formula, All) else r" \/ "
        return joint.join(f"({self._formula(part)})" for part in formula.parts)

    def _sign(self, sign: Sign) -> str:
        return _RELATION[sign.op].format(self._polynomial(sign.value))

    def _polynomial(self, value: Any) -> str:
        parts = []
        for powers, number in value.terms():
            present = [(symbol, power) for symbol, power in zip(self._symbols, powers, strict=True) if power]
            factors = [f"{symbol} ^ {power}" if power > 1 else symbol for symbol, power in present]
            parts.append(" * ".join([_number(Fraction(str(number))), *factors]))
        return f"({' + '.join(parts) or '0'})"


def _used(tree: Mapping[str, Any], count: int) -> set[int]:
    """The conditions of the start that a leaf makes use of."""
    if "cases" in tree:
        return set().union(*(_used(part, count) for part in tree["cases"]))
    places = [place for part in tree["sums"] for place, _ in part["product"]]
    return {place for place in (*places, *(place for place, _ in tree["cofactors"])) if place < count}


def _alternatives(patterns: Sequence[str]) -> str:
    """The pattern of a disjunction, which Coq nests to the right."""
    if not patterns:
        return "[]"
    *first, last = patterns
    for one in reversed(first):
        last = f"[{one} | {last}]"
    return last


def _ordered(parts: set[Any]) -> list[Any]:
    return sorted(parts, key=lambda part: (part.count_ops(), str(part)))


def _number(number: Fraction) -> str:
    size = f"{abs(number.numerator)} / {number.denominator}" if number.denominator != 1 else str(abs(number.numerator))
    return f"({size})" if number >= 0 else f"(- ({size}))"
