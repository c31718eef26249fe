"""Inequalities between traces as sums of squares of matrices and tensors, in every size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import MatrixSymbol, Rational, Symbol

from proofs_check.kernel.tensors import Form, Problem
from proofs_check.report.arguments.passages import Passage, rows_of_sum, scaled, signed_sum
from theory.language.words import Word
from theory.notation import latex
from theory.statements import Statement


def of_tensors(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    """For each goal: the squares, with their weights, whose sum it is."""
    problem = Problem(statement, with_roots=bool(certificate["roots"]))
    writer = _Writer(problem)
    passages = writer.roots()
    for goal, proof in zip(problem.goals, certificate["proofs"], strict=True):
        scale = [Symbol(str(name)) for name in proof.get("scale", ())]
        left = writer.form(goal)
        left = " ".join([*map(latex, scale), rf"\left({left}\right)"]) if scale else left
        text = "It is a sum of squares in every size, each times something that is not negative:"
        if proof.get("multiples"):
            text = f"{text[:-1]}; the multiples of what is zero vanish:"
        passages.append(Passage(text, rows_of_sum(f"{left} =", writer.summands(proof))))
    return passages


class _Writer:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._traces = {name.name: word for word, name in problem.alphabet.names.items()}

    def roots(self) -> list[Passage]:
        """The letters that stand for semidefinite ones."""
        rows = [rf"{latex(letter)} = {latex(square)}" for letter, square in self._problem.roots.items()]
        text = "A semidefinite matrix is the square of a symmetric one:"
        return [Passage(text, r",\quad ".join(rows))] if rows else []

    def summands(self, proof: Mapping[str, Any]) -> list[str]:
        """The squares of a proof and the multiples of zero, in LaTeX."""
        shown = []
        for block in proof["blocks"]:
            weight, tensors = self._problem.known[int(block["weight"])], block["tensors"]
            names = [self._tensor(tensor) for tensor in tensors]
            between = block.get("between")
            for pivot, row in block["squares"]:
                if Rational(pivot) == 0:
                    continue
                parts = [
                    scaled(value, name)
                    for name, value in zip(names, map(Rational, row), strict=True) if value != 0
                ]  # fmt: skip
                square = rf"\left\| {signed_sum(parts)} \right\|^2"
                if between is not None:
                    square = f"{square}_{{{self._between(int(between[0]))}}}"
                shown.append(scaled(Rational(pivot), " ".join(filter(None, [self._weight(weight), square]))))
        for place, factor, names in proof.get("multiples", ()):
            zero = rf"\left({self.form(self._problem.zero[int(place)])}\right)"
            shown.append(scaled(Rational(factor), " ".join([*(latex(Symbol(name)) for name in names), zero])))
        return shown

    def _weight(self, form: Form) -> str:
        text = self.form(form)
        return "" if text == "1" else rf"\left({text}\right)"

    def form(self, form: Form) -> str:
        """A polynomial in traces, in LaTeX."""
        return signed_sum(
            [self._monomial(names, Rational(int(number.p), int(number.q))) for names, number in form.items()]
        )

    def _monomial(self, names: Sequence[str], number: Rational) -> str:
        shown = " ".join(self._trace(name) for name in names)
        if not shown:
            return latex(number)
        return scaled(number, shown)

    def _trace(self, name: str) -> str:
        return (
            rf"\operatorname{{tr}}({self._word(self._traces[name])})" if name in self._traces else latex(Symbol(name))
        )

    def _word(self, word: Word) -> str:
        return " ".join(f"{latex(letter)}^{{T}}" if turned else latex(letter) for letter, turned in word) or "I"

    def _tensor(self, stored: Mapping[str, Any]) -> str:
        """A product of words; their legs are named where there is more than one word, or a transposed one."""
        strands = [(self._stored_word(word), int(row), int(column)) for word, row, column, _ in stored["strands"]]
        factors = [latex(Symbol(part)) if isinstance(part, str) else rf"\operatorname{{tr}}({self._stored_word(part)})"
                   for part in stored["factor"]]  # fmt: skip
        if [(row, column) for _, row, column in strands] == [(0, 1)]:
            return " ".join([*factors, strands[0][0]])
        return " ".join([*factors, *(rf"({word})_{{i_{row} i_{column}}}" for word, row, column in strands)])

    def _stored_word(self, letters: Any) -> str:
        by_name: dict[str, MatrixSymbol] = {letter.name: letter for letter in self._problem.sizes}
        return self._word(tuple((by_name[str(name)], bool(turned)) for name, turned in letters))

    def _between(self, place: int) -> str:
        words = self._problem.between[place][1]
        return signed_sum([scaled(value, self._word(word)) for word, value in words.items()])
