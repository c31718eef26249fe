"""Rates of methods on function classes, the way a paper proves them: inequalities, multipliers, squares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Rational

from proofs_check.kernel.classes import ONE, Problem, at_the_edge, between_means, either_side
from proofs_check.report.arguments.passages import Passage, rows_of_sum, scaled, signed_sum, weighted
from theory.language.classes import FunctionSymbol
from theory.notation import latex
from theory.statements import Statement
from theory.trees import decode

_MOST_INEQUALITIES = 24


def combined(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    """For each goal: the inequalities of the class that are used, and the sum that gives the goal; case by case."""
    if "border" in certificate:
        passages = []
        for side, proof in zip(
            either_side(statement, decode(certificate["border"])), certificate["proofs"], strict=True
        ):
            passages += [Passage("Where", latex(side.given[-1])), *combined(side, proof)]
        return passages
    if "edge" in certificate:
        sides = zip(at_the_edge(statement, certificate["edge"]), certificate["proofs"], strict=True)
        (below, first), (equal, second) = sides
        text = "Where the two are equal"
        return [
            Passage("Where", latex(below.given[-1])),
            *combined(below, first),
            Passage(text),
            *combined(equal, second),
        ]
    if "means" in certificate:
        about = between_means(statement)
        text = "The geometric mean is the least of the arithmetic ones, so that this holds for every t > 0:"
        return [Passage(text, latex(about.then)), *combined(about, certificate["means"])]
    problem = Problem(statement, certificate.get("signs", ()))
    writer = _Writer(problem)
    passages = writer.points()
    for goal, proof in zip(problem.goals, certificate["proofs"], strict=True):
        passages += writer.goal(goal, proof)
    return passages


class _Writer:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def points(self) -> list[Passage]:
        """The points at which functions are looked at, with the letters for values and gradients there."""
        problem, rows = self._problem, []
        for f, entries in problem.entries.items():
            for place, (point, _, _) in enumerate(entries):
                rows.append(rf"p_{{{place}}}^{{{f.name}}} = {self._vector(point)}" if self._several else
                            rf"p_{{{place}}} = {self._vector(point)}")  # fmt: skip
        text = "Look at these points; the value and the gradient at the k-th are called f and g with index k."
        return [Passage(text, r",\quad ".join(rows))] if rows else []

    @property
    def _several(self) -> bool:
        return len(self._problem.entries) > 1

    def goal(self, goal: Any, proof: Mapping[str, Any]) -> list[Passage]:
        """The inequalities with their multipliers, and the sum."""
        used = [(int(place), _number(number)) for place, number in proof["multipliers"]]
        passages = []
        for number, (place, multiplier) in enumerate(used[:_MOST_INEQUALITIES], start=1):
            shown = rows_of_sum(r"0 \leq", self._terms(self._problem.known[place][0]))
            passages.append(Passage(f"Inequality (I{number}):", shown))
            passages.append(Passage("multiplied by", latex(multiplier)))
        if len(used) > _MOST_INEQUALITIES:
            passages.append(Passage(f"and {len(used) - _MOST_INEQUALITIES} more of the same kind."))
        (claimed, *_) = goal
        squares = [self._square(pivot, row) for pivot, row in proof["squares"]]
        names = [scaled(multiplier, rf"(\mathrm{{I{number}}})") for number, (_, multiplier) in enumerate(used, start=1)]
        if not used and not any(squares):
            return [Passage("Both sides are the same.")]
        text = "The sum of these and of squares is the claim, so that it holds in every dimension:"
        return [*passages, Passage(text, rows_of_sum(f"{self._form(claimed[0])} =", [*names, *filter(None, squares)]))]

    def _square(self, pivot: Any, row: list[Any]) -> str:
        number = _number(pivot)
        vector = signed_sum([
            scaled(value, self._base(place))
            for place, value in enumerate(map(_number, row)) if value != 0
        ])  # fmt: skip
        return "" if number == 0 else rf"{weighted(number, [])} \left\| {vector} \right\|^2"

    def _vector(self, vector: Mapping[Any, Any]) -> str:
        order = self._problem.bases
        parts = [(self._base(order.index(key)), self._expression(number)) for key, number in vector.items()]
        return signed_sum([scaled(number, name) for name, number in parts])

    def _form(self, form: Mapping[Any, Any]) -> str:
        return signed_sum(self._terms(form))

    def _terms(self, form: Mapping[Any, Any]) -> list[str]:
        shown = []
        for key, number in form.items():
            value, name = self._expression(number), self._quantity(key)
            shown.append(scaled(value, name) if name else latex(value))
        return shown

    def _quantity(self, key: Any) -> str:
        if key == ONE:
            return ""
        if key[0] in ("value", "minimum"):
            return self._letter("f", key)
        one, two = (self._base(place) for place in key)
        return rf"\|{one}\|^2" if one == two else rf"\langle {one}, {two} \rangle"

    def _base(self, place: int) -> str:
        key = self._problem.bases[place]
        if isinstance(key, str):
            return latex(next((s for s in self._problem.statement.variables if str(s) == key), key)) if key else key
        return self._letter({"slope": "g", "minimiser": "x"}.get(key[0], str(key[0])), key)

    def _letter(self, letter: str, key: tuple[Any, ...]) -> str:
        """A letter with the number of the point, or a star for the minimum."""
        index = r"\star" if key[0] in ("minimiser", "minimum") else str(key[2])
        name = key[1].name if isinstance(key[1], FunctionSymbol) else str(key[1])
        return f"{letter}_{{{index}}}^{{{name}}}" if self._several else f"{letter}_{{{index}}}"

    def _expression(self, number: Any) -> Expr:
        ring = self._problem.ring
        return ring.expression(number.numerator) / ring.expression(number.denominator)


def _number(stored: Any) -> Expr:
    """A number of a certificate: a fraction in text, or a tree."""
    return decode(stored) if isinstance(stored, Mapping) else Rational(str(stored))
