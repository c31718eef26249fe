"""Whole Coq files: a theorem and the tactics that close it, with the squares of a certificate where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from proofs_check.coq.equations import equation_proof
from proofs_check.coq.language import Names, NotCoqError, term, theorem, values
from proofs_check.coq.products import products_proof
from proofs_check.goals import Goal
from proofs_check.kernel.coq import USES_PRELUDE
from theory.language.functions import entries

_HEAD = "Require Import Reals Lra Psatz.\n"
_INTERVAL = "From Interval Require Import Tactic.\n"
_TRANSCENDENTAL = (*(entry.function for entry in entries() if entry.coq and not entry.roughness), sp.pi, sp.E)

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
    "equation": "",
    "products": "",
}
"""Named ways to close a theorem; the empty ones are written for the goal at hand. The checker of Coq proofs knows these
sentences one by one: what is new here has to be told there."""


def candidates(goal: Goal, certificate: Mapping[str, Any] | None) -> list[str]:
    """The tactics worth trying, the most promising first."""
    kind = None if certificate is None else certificate.get("kind")
    by_certificate = {"products": ["products"], "identity": ["equation"]}.get(str(kind), [])
    return [*by_certificate, *(name for name in _by_form(goal) if name not in by_certificate)]


def _by_form(goal: Goal) -> list[str]:
    formula = sp.And(*goal.hypotheses, goal.conclusion)
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
    return framed(theorem(goal, names), [_body(goal, names, tactic, certificate)])


def framed(said: str, proof: Iterable[str]) -> str:
    """A Coq file with one theorem, and what its proof needs."""
    body = "\n".join(proof)
    more = _INTERVAL if "interval" in body else "Require Import Nsatz.\n" if re.search(r"\bnsatz", body) else ""
    own = USES_PRELUDE if "ls_" in body else ""
    return f"{_HEAD}{more}{own}Open Scope R_scope.\nTheorem goal : {said}.\nProof.\n{body}\nQed."


def lemma(name: str, goal: Goal, names: Names, certificate: Mapping[str, Any] | None, choice: int = 0) -> list[str]:
    """The sentences that show a goal as a step of a proof, in the most promising way or the next."""
    for tactic in candidates(goal, certificate)[choice:]:
        with suppress(NotCoqError):
            body = _body(goal, names, tactic, certificate)
            return [f"assert ({name} : {theorem(goal, names)}).", "{", *body.split("\n"), "}"]
    raise NotCoqError("a step of the proof is not written for Coq")


def _body(goal: Goal, names: Names, tactic: str, certificate: Mapping[str, Any] | None) -> str:
    if tactic == "products" and certificate is not None:
        return "\n".join(products_proof(goal, names, certificate))
    if tactic == "equation":
        return "\n".join(equation_proof(goal, names, certificate or {}))
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
