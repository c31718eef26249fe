"""Whole Coq files: a theorem and the tactics that close it, with the squares of a certificate where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.coq.language import Names, term, theorem, values
from proofs_check.goals import Goal
from proofs_check.kernel.algebra import Conditions, counterexamples
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.products import Case
from theory.language.functions import entries

_HEAD = "Require Import Reals Lra Psatz.\n"
_INTERVAL = "From Interval Require Import Tactic.\n"
_TRANSCENDENTAL = (*(entry.function for entry in entries() if entry.coq and not entry.roughness), sp.pi, sp.E)
_BY_CONTRADICTION = {Le: "Rnot_lt_le", Lt: "Rnot_le_lt", Ge: "Rnot_lt_ge", Gt: "Rnot_le_gt"}

TACTICS: dict[str, str] = {
    "ring": "intros; repeat split; ring",
    "field": "intros; repeat split; first [lra | (field; repeat split; (lra || nra)) | nra]",
    "lra": "intros; repeat split; lra",
    "nra": "intros; repeat split; nra",
    "nsatz": "intros; repeat split; first [nsatz | lra | nra]",
    "psatz": "intros; repeat split; (psatz R 2 || psatz R 4)",
    "kinks": "intros; unfold Rabs, Rmax, Rmin in *; repeat destruct Rcase_abs; repeat destruct Rle_dec; "
    "repeat split; (lra || nra)",
    "interval": "",
    "facts": "",
    "squares": "",
}
"""Named ways to close a theorem; the empty ones are written for the goal at hand. The checker of Coq proofs knows these
sentences one by one: what is new here has to be told there."""


def candidates(goal: Goal, certificate: Mapping[str, Any] | None) -> list[str]:
    """The tactics worth trying, the most promising first."""
    formula = sp.And(*goal.hypotheses, goal.conclusion)
    if certificate is not None and certificate.get("kind") == "products" and _has_explicit_squares(goal, certificate):
        return ["squares", "nra"]
    if formula.has(*_TRANSCENDENTAL):
        return ["interval", "field"]
    if formula.has(sp.Abs, sp.Max, sp.Min):
        return ["kinks"]
    if isinstance(goal.conclusion, sp.Eq) and not _roots(formula):
        return ["ring", "field", "nsatz", "lra", "nra"]
    return ["facts"] if _roots(formula) or _denominators(formula) else ["lra", "nra", "psatz"]


def script(goal: Goal, tactic: str, certificate: Mapping[str, Any] | None = None) -> str:
    """A Coq file that states the goal and closes it with a named tactic.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> print(script(Goal({x: S.Reals}, (), x**2 >= 0), "nra"))
    Require Import Reals Lra Psatz.
    Open Scope R_scope.
    Theorem goal : forall (x_0 : R), ((x_0 ^ 2) >= 0).
    Proof.
    intros; repeat split; nra.
    Qed.
    """
    names = Names(goal)
    body = _body(goal, names, tactic, certificate)
    head = _HEAD + {"interval": _INTERVAL, "nsatz": "Require Import Nsatz.\n"}.get(tactic, "")
    return f"{head}Open Scope R_scope.\nTheorem goal : {theorem(goal, names)}.\nProof.\n{body}\nQed."


def _body(goal: Goal, names: Names, tactic: str, certificate: Mapping[str, Any] | None) -> str:
    if tactic == "squares" and certificate is not None:
        return _squares(goal, names, certificate)
    if tactic == "facts":
        return _facts(goal, names)
    if tactic == "interval":
        halves = ", ".join(f"i_bisect {name}" for name in names)
        more = f" | interval with ({halves}, i_depth 25)" if halves else ""
        first = next(iter(names), None)
        more += f" | interval with (i_bisect {first}, i_taylor {first}, i_degree 8, i_depth 20)" if first else ""
        return f"{_positive(goal, names)}intros; repeat split; first [interval{more} | lra | nra]."
    return f"{_positive(goal, names)}{TACTICS[tactic]}."


def _positive(goal: Goal, names: Names) -> str:
    """The exponentials among the conditions for values are positive."""
    found = {part for condition in values(goal) for part in condition.atoms(sp.exp)}
    facts = [f"pose proof (exp_pos {term(part.args[0], names)}).\n" for part in sorted(found, key=str)]
    return "".join(["intros.\n", *facts]) if facts else ""


def _roots(formula: Boolean) -> list[sp.Expr]:
    found = {part.base for part in formula.atoms(sp.Pow) if part.exp.is_Rational and part.exp.q == 2}
    return sorted(found, key=lambda part: (part.count_ops(), str(part)))


def _denominators(formula: Boolean) -> list[sp.Expr]:
    found = {part.base for part in formula.atoms(sp.Pow) if part.exp.is_Rational and part.exp < 0}
    return sorted(found, key=lambda part: (part.count_ops(), str(part)))


def _facts(goal: Goal, names: Names) -> str:
    """What defines roots and reciprocals, and how far they are from 1, handed to nonlinear arithmetic."""
    formula = sp.And(*goal.hypotheses, goal.conclusion)
    lines = ["intros; unfold Rdiv in *."]
    for root in _roots(formula):
        inner = term(root, names)
        lines.append(f"pose proof (sqrt_pos {inner}).")
        lines.append(f"pose proof (pow2_ge_0 ((sqrt {inner}) - 1)).")
        lines.append(f"try pose proof (sqrt_sqrt {inner} ltac:(lra || nra)).")
        lines.append(f"try pose proof (sqrt_lt_R0 {inner} ltac:(lra || nra)).")
    for below in _denominators(formula):
        inner = term(below, names)
        lines.append(f"pose proof (pow2_ge_0 ({inner} - 1)).")
        lines.append(f"try pose proof (Rinv_r {inner} ltac:(lra || nra)).")
        lines.append(f"try pose proof (Rinv_0_lt_compat {inner} ltac:(lra || nra)).")
    return "\n".join([*lines, "repeat split; first [lra | nra | psatz R 3]."])


def _conditions(goal: Goal) -> Conditions:
    """What a counterexample satisfies, in the order in which a certificate counts it."""
    return counterexamples(Claim(goal.variables, goal.hypotheses, goal.conclusion))


def _has_explicit_squares(goal: Goal, certificate: Mapping[str, Any]) -> bool:
    """Whether the certificate is one identity in the variables of the goal."""
    leaf = certificate["tree"]
    if "sums" not in leaf or _denominators(goal.refutation) or type(goal.conclusion) not in _BY_CONTRADICTION:
        return False
    conditions = _conditions(goal)
    used = {place for part in leaf["sums"] for place, _ in part["product"]}
    signs = Case().plus(conditions.formula).signs
    return set(conditions.ring.symbols) <= set(goal.variables) and all(signs[place].op != "!=" for place in used)


def _squares(goal: Goal, names: Names, certificate: Mapping[str, Any]) -> str:
    """Each square times its product is a fact; their sum is the contradiction, which linear arithmetic sees."""
    conditions, leaf = _conditions(goal), certificate["tree"]
    symbols = [names.of(str(symbol)) for symbol in conditions.ring.symbols]
    lines = ["intros.", f"apply {_BY_CONTRADICTION[type(goal.conclusion)]}; intro."]
    signs, values = Case().plus(conditions.formula).signs, []
    for k, sign in enumerate(signs):
        values.append(_polynomial([[powers, str(number)] for powers, number in sign.value.terms()], symbols))
        if sign.op != "!=":
            relation = {">": "0 < ", ">=": "0 <= ", "=": "0 = "}[sign.op]
            lines.append(f"assert (C{k} : {relation}{values[-1]}) by (lra || nra).")
    count = 0
    for part in leaf["sums"]:
        places = [place for place, power in part["product"] for _ in range(power)]
        for weight, terms in part["squares"]:
            strict = all(signs[place].op == ">" for place in places) and not any(map(any, (e for e, _ in terms)))
            reason = "lra" if strict else "apply Rmult_le_pos; [lra | apply pow2_ge_0]"
            fact = f"0 {'<' if strict else '<='} {_number(weight)} * ({_polynomial(terms, symbols)})^2"
            lines.append(f"assert (Q{count} : {fact}) by ({reason}).")
            rule = "Rmult_lt_0_compat" if strict else "Rmult_le_pos"
            for place in places:
                known = f"(Rlt_le _ _ C{place})" if signs[place].op == ">" and not strict else f"C{place}"
                lines.append(f"apply (fun H => {rule} _ _ H {known}) in Q{count}.")
            count += 1
    for k, (place, terms) in enumerate(leaf["cofactors"]):
        product = f"{_polynomial(terms, symbols)} * {values[place]}"
        lines.append(f"assert (E{k} : {product} = 0) by (rewrite <- C{place}; ring).")
    return "\n".join([*lines, "lra."])


def _polynomial(terms: list[Any], symbols: list[str]) -> str:
    parts = []
    for powers, number in terms:
        present = [(symbol, power) for symbol, power in zip(symbols, powers, strict=True) if power]
        factors = [f"{symbol}^{power}" if power > 1 else symbol for symbol, power in present]
        parts.append(" * ".join([_number(number), *factors]))
    return f"({' + '.join(parts) or '0'})"


def _number(text: str) -> str:
    number = Fraction(text)
    size = f"{abs(number.numerator)} / {number.denominator}" if number.denominator != 1 else str(abs(number.numerator))
    return f"({size})" if number >= 0 else f"(- ({size}))"
