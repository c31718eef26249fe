"""What an argument is made of: a sentence, the formula it speaks of, and the passages that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from sympy import Basic, Expr, Mul, Number, Pow, Rational

from theory.notation import latex, stacked, width

_WIDE = 90
"""How much of a formula fits on a row."""

_DEEPEST = 4
"""How far below each other passages go in an appendix; the long form has the rest."""

_LONGEST_NUMBER = 12
"""Digits beyond which a person does not read a coefficient: the certificate has it."""


@dataclass(frozen=True)
class Passage:
    """A sentence and a formula in LaTeX (or none), with the passages that belong below it."""

    text: str
    formula: str = ""
    below: tuple[Passage, ...] = ()
    is_detail: bool = False
    """Whether only the long form has it: side conditions, such as that everything has a value."""
    is_summary: bool = False
    """Whether it stands for details, so that the long form does without."""

    def lines(self, depth: int = 0) -> Iterator[tuple[int, Passage]]:
        """The passage and all below it, with their depths, in the order in which they are read."""
        yield depth, self
        for part in self.below:
            yield from part.lines(depth + 1)


class Length(StrEnum):
    """How much of an argument is told: for a slide, for an appendix, or all of it."""

    SHORT = "short"
    DEFAULT = "default"
    LONG = "long"


def at_length(passages: Sequence[Passage], length: Length, depth: int = 0) -> tuple[Passage, ...]:
    """Passages as long as asked for.

    >>> side = Passage("It has a value.", is_detail=True)
    >>> [len(at_length([Passage("It rises.", "x", (side,)), side], length)) for length in Length]
    [1, 1, 2]
    """
    if length is Length.LONG:
        return tuple(replace(part, below=at_length(part.below, length)) for part in passages if not part.is_summary)
    kept = [part for part in passages if not part.is_detail]
    told = [
        replace(part, below=at_length(part.below, length, depth + 1) if _goes_on(part, length, depth) else ())
        for part in kept
    ]
    return tuple(told)


def _goes_on(passage: Passage, length: Length, depth: int) -> bool:
    if length is Length.SHORT:
        return depth < 2 and (not passage.formula or passage.text == "Case:")  # a case is nothing without its end
    return depth < _DEEPEST


def readable(*expressions: Basic) -> bool:
    """Whether all numbers in expressions are short.

    >>> readable(Rational(1, 3)), readable(Rational(10**20, 3))
    (True, False)
    """
    numbers = set().union(*(expression.atoms(Number) for expression in expressions))
    return all(len(str(number)) <= _LONGEST_NUMBER for number in numbers)


def signed_sum(summands: Sequence[str]) -> str:
    """Summands in LaTeX as one sum, with a minus for what begins with one.

    >>> signed_sum(["x", "- 2 y"])
    'x - 2 y'
    """
    text = ""
    for summand in summands or ["0"]:
        text += (
            f" - {summand[1:].lstrip()}" if text and summand.startswith("-") else f" + {summand}" if text else summand
        )
    return text


def rows_of_sum(head: str, summands: Sequence[str]) -> str:
    """`head` and a sum below each other, in rows that fit on a page."""
    rows, row = [], head
    for place, summand in enumerate(summands or ["0"]):
        more = summand if place == 0 else signed_sum([" ", summand]).strip()
        if row.strip() and width(row + more) > _WIDE:
            rows.append(row)
            row = r"\qquad "
        row += f" {more}"
    return stacked([*rows, row])


def scaled(number: Expr, name: str) -> str:
    """A number times something that is named in LaTeX; 1 is left out.

    >>> scaled(Rational(-1), "x"), scaled(Rational(2, 3), "x")
    ('- x', '\\\\frac{2}{3} x')
    """
    return name if number == 1 else f"- {name}" if number == -1 else f"{weighted(number, [])} {name}"


def renamed(passages: Sequence[Passage], names: Mapping[str, str]) -> list[Passage]:
    """Passages with other names, in LaTeX, for letters of the machinery."""
    pairs = sorted(names.items(), key=lambda pair: -len(pair[0]))

    def change(passage: Passage) -> Passage:
        formula = passage.formula
        for old, new in pairs:
            formula = formula.replace(old, new)
        return replace(passage, formula=formula, below=tuple(map(change, passage.below)))

    return [change(passage) for passage in passages]


def factor(expression: Expr) -> str:
    """An expression in LaTeX, in brackets where it is a sum.

    >>> from sympy import Symbol
    >>> factor(Symbol("x") + 1)
    '\\\\left(x + 1\\\\right)'
    """
    text = latex(expression)
    return text if expression.is_Symbol or expression.is_Integer else rf"\left({text}\right)"


def weighted(number: Rational | Expr, parts: Sequence[tuple[Expr, int]]) -> str:
    """A number times powers, in LaTeX.

    >>> from sympy import Integer, Symbol
    >>> weighted(Integer(2), [(Symbol("x") - 1, 2)])
    '2 \\\\left(x - 1\\\\right)^{2}'
    """
    shown = [f"{factor(base)}^{{{power}}}" if power != 1 else factor(base) for base, power in parts if base != 1]
    if number == -1 and shown:
        shown[0] = f"- {shown[0]}"
    elif number != 1 or not shown:
        shown.insert(0, latex(number) if isinstance(number, (Number, Mul, Pow)) or number.is_Symbol else factor(number))
    return " ".join(shown)
