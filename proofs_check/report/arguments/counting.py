"""Whole numbers: all residues, induction with its base and its step, and cases that are counted one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Basic, Eq, Expr, Ge, Gt, Integer, Mod, Symbol, expand
from sympy.core.relational import Relational

from proofs_check.kernel.claims import Claim
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.ratios import ratio_goals
from proofs_check.kernel.whole_numbers import Names, first_of
from proofs_check.report.arguments.passages import Passage, renamed
from proofs_check.report.arguments.signs import Inner, side_conditions
from theory.notation import latex, stacked
from theory.statements import Statement
from theory.trees import decode

_MOST_ROWS = 6


def of_whole_numbers(claim: Claim, certificate: Mapping[str, Any], inner: Inner) -> list[Passage]:
    """All residues, or an induction: what grows with n, the base, and the step."""
    if certificate["by"] == "residues":
        moduli = sorted({part.args[1] for part in claim.conclusion.atoms(Mod)}, key=str)
        text = "Remainders of polynomials with whole coefficients repeat, so that finitely many residues decide"
        return [Passage(f"{text}; each of them was put in.", r",\; ".join(rf"\bmod {latex(m)}" for m in moduli))]
    n, skipped = decode(certificate["variable"]), int(certificate["skipped"])
    if certificate["by"] in ("ratios", "real numbers"):
        return _from_first(claim, n, skipped, certificate, inner)
    return _Induction(claim, n, skipped).told(certificate, inner)


def _from_first(claim: Claim, n: Symbol, skipped: int, certificate: Mapping[str, Any], inner: Inner) -> list[Passage]:
    """The first numbers, and then the ratios of both sides, or the claim for all real numbers."""
    first, relation = first_of(claim.variables[n]), claim.conclusion
    if first is None or not isinstance(relation, Relational):
        raise ValueError("the certificate is for another statement")
    begin = first + skipped
    rows = []
    for value in range(int(first), int(begin) + 1):
        sides = [side.xreplace({n: Integer(value)}) for side in relation.args]
        rows.append(rf"{latex(n)} = {value}:\quad {latex(relation.func(*sides, evaluate=False))}")
    passages = [Passage("It holds at the start:", stacked(rows))]
    goals = ratio_goals(relation, n, begin) if certificate["by"] == "ratios" else None
    if goals:
        text = "Both sides are positive, and from each number to the next the larger one grows by at least the factor"
        passages.append(Passage(f"{text} of the other, or the same is said of logarithms:", latex(goals[-1])))
    else:
        passages.append(Passage(f"It holds for all real numbers from {begin} on.", ""))
    return [*passages, *side_conditions(certificate.get("obligations", ()), set(), inner)]


class _Induction:
    def __init__(self, claim: Claim, n: Symbol, skipped: int) -> None:
        first = first_of(claim.variables[n])
        if first is None or not isinstance(claim.conclusion, Relational):
            raise ValueError("the certificate is for another statement")
        self._n, self._first, self._begin = n, int(first), int(first) + skipped
        self._names = Names(n, first)
        self._named: Relational = self._names.put(claim.conclusion)
        self._names.close()
        self._relation = claim.conclusion
        parts = self._names.parts.values()
        self._letters = {part.name: Symbol(f"S_{place}") for place, part in enumerate(parts, start=1)}

    def told(self, certificate: Mapping[str, Any], inner: Inner) -> list[Passage]:
        """The induction as it is told in a lecture."""
        stored, n = certificate.get("obligations", ()), latex(self._n)
        later = self._later()
        growth = self._growth(later)
        passages = [*self._meanings(), self._base()]
        is_even = isinstance(self._named, Eq) and same(growth, Integer(0))
        step = self._named.func(*later)
        rises = Ge(growth, 0)
        goal = rises if self._stored(stored, rises) is not None or rises == True else step  # noqa: E712
        place = None if is_even else self._stored(stored, goal)
        why = [] if place is None else side_conditions([stored[place]], set(), inner, "because")
        below = tuple(Passage(part.text, part.formula, part.below) for part in why)
        if is_even:
            passages.append(Passage(f"From {n} to {n} + 1 both sides change by the same.", self._shown(later)))
        elif goal == rises:
            text = f"From {n} to {n} + 1 the difference of the sides does not shrink:"
            passages.append(Passage(text, f"{latex(growth.xreplace(self._letters))} \\geq 0", below))
        else:
            passages.append(Passage("What is claimed for one number follows for the next:", self._shown(later), below))
        used = {place} if place is not None else set()
        names = {latex(part): latex(letter) for part, letter in self._letters.items()}
        return renamed([*passages, *side_conditions(stored, used, inner)], names)

    def _meanings(self) -> list[Passage]:
        rows = []
        for key, part in self._names.parts.items():
            meaning = key if isinstance(key, Basic) else key[0] ** (key[1] * self._n)
            following = self._names.following[part.name].xreplace(self._letters)
            letter = latex(self._letters[part.name])
            rows.append(rf"{letter} = {latex(meaning)}, \quad \text{{next: }} {latex(following)}")
        return [Passage("Of what grows, only the next value is used:", stacked(rows))] if rows else []

    def _base(self) -> Passage:
        rows = []
        for value in range(self._first, self._begin + 1):
            values = {part.name: part.at(Integer(value)) for part in self._names.parts.values()}
            sides = [side.subs(self._n, value).xreplace(values) for side in self._named.args]
            sign = latex(self._relation.func(Symbol("a"), Symbol("b"))).split(" ")[1]
            rows.append(rf"{latex(self._n)} = {value}:\quad {latex(sides[0])} {sign} {latex(sides[1])}")
        return Passage("It holds at the start:", stacked(rows))

    def _later(self) -> list[Expr]:
        return [side.subs(self._n, self._n + 1).xreplace(self._names.following) for side in self._named.args]

    def _growth(self, later: list[Expr]) -> Expr:
        rises = 1 if isinstance(self._named, (Ge, Gt)) else -1
        return expand(rises * ((later[0] - later[1]) - (self._named.lhs - self._named.rhs)))

    def _shown(self, later: list[Expr]) -> str:
        return latex(self._relation.func(*(side.xreplace(self._letters) for side in later), evaluate=False))

    @staticmethod
    def _stored(stored: Any, goal: Any) -> int | None:
        for place, item in enumerate(stored):
            condition = decode(item["condition"])
            if condition == goal or (
                isinstance(condition, Relational)
                and condition.func is getattr(goal, "func", None)
                and same(condition.lhs - condition.rhs, goal.lhs - goal.rhs)
            ):
                return place
        return None


def counted(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    """How many cases there are, and the first of them with their values."""
    rows = list(certificate["rows"])
    shown = []
    for row in rows[:_MOST_ROWS]:
        parts = [f"{latex(Symbol(name))} = {value}" for name, value in row["point"].items()]
        parts += [f"{latex(Symbol(name))} = {latex(decode(value))}" for name, value in row["values"].items()]
        if parts:
            shown.append(r",\; ".join(parts))
    more = rf"\dots\;({len(rows)}\text{{ in all}})"
    procedure = "" if statement.computed is None else f" by the procedure {statement.computed.name}"
    cases = "The one case is" if len(rows) == 1 else f"All {len(rows)} cases are"
    return [Passage(f"{cases} counted{procedure}:", stacked([*shown, *([more] if len(rows) > _MOST_ROWS else [])]))]
