"""Identities, written out as Coq proofs: values first, then the stored combination, then field arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import sympy as sp
from sympy import Dummy, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.coq.language import Names, NotCoqError, proposition, term, values
from proofs_check.goals import Goal
from theory.trees import decode

_LONGEST = 300
"""Operations of a cofactor above which it is left to Coq's own search."""


def equation_proof(goal: Goal, names: Names, certificate: Mapping[str, Any]) -> list[str]:
    """The sentences that prove equations, with the multiples of relations that a certificate names."""
    formula = sp.And(*goal.hypotheses, goal.conclusion)
    roots = {part.base for part in formula.atoms(sp.Pow) if part.exp.is_Rational and part.exp.q == 2}
    angles = {part.args[0] for part in formula.atoms(sp.sin, sp.cos)}
    exponents = {part.args[0] for part in formula.atoms(sp.exp)}
    lines = ["intros."]
    for word, parts in (("ls_root", roots), ("ls_circle", angles), ("ls_exp", exponents)):
        lines += [
            f"{word} ({term(part, names)})." for part in sorted(parts, key=lambda one: (one.count_ops(), str(one)))
        ]
    shown = sorted(values(goal), key=lambda part: (part.count_ops(), str(part)))
    for place, condition in enumerate(shown):
        lines.append(f"assert (V{place} : {proposition(condition, names)}) by {_value(condition, names)}.")
    return [*lines, *(["ls_roots."] if roots else []), *_multiples(goal, certificate), "repeat split; ls_equation."]


def _multiples(goal: Goal, certificate: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for combination in certificate.get("combinations", ()):
        origins = {Symbol(name): decode(tree) for name, tree in combination["origins"].items()}
        pairs = zip(combination["generators"], combination["cofactors"], strict=True)
        with suppress(NotCoqError):
            known = Names(goal, origins)
            for zero, factor in ((decode(generator), decode(cofactor)) for generator, cofactor in pairs):
                if factor != 0 and factor.count_ops() <= _LONGEST:
                    product = f"{term(factor, known)} * ({term(zero, known)})"
                    lines.append(f"assert (E{len(lines)} : {product} = 0) by ls_multiple_of_zero.")
    return lines


def _value(condition: Boolean, names: Names) -> str:
    """How a term is seen to have a value: by its structure, or by that of its numerator where it is a quotient."""
    if isinstance(condition, Relational) and condition.rhs == 0:
        functions = {part: Dummy() for part in condition.lhs.atoms(sp.Function)}
        above, below = sp.fraction(sp.together(condition.lhs.xreplace(functions)))
        if below.free_symbols:
            meant = {symbol: part for part, symbol in functions.items()}
            parts = [part.xreplace(meant) for part in (below, sp.factor(above))]
            texts = " ".join(f"({term(part, names)})" for part in parts)
            return f"(first [ls_value | ls_quotient {texts}])"
    return "ls_value"
