"""Sign conditions on expressions, joined by conjunction and disjunction; negation is pushed down when it is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True)
class Sign:
    """`value op 0`, where the value is an expression or, in a system, a polynomial."""

    value: Any
    op: str

    def __hash__(self) -> int:
        """By the operator alone: flint polynomials have equality but no hash."""
        return hash(self.op)


@dataclass(frozen=True)
class All:
    """Every part holds; no part is truth."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Some:
    """Some part holds; no part is falsity."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Sign | All | Some

TRUE = All(())
FALSE = Some(())


@dataclass(frozen=True)
class Term:
    """A rational expression in plain and fresh symbols, and when it stands for a real number."""

    value: Any
    defined: Formula = TRUE


def all_of(parts: Iterable[Formula]) -> Formula:
    """The conjunction, flattened, without repetitions.

    >>> all_of([TRUE, FALSE]) == FALSE
    True
    """
    kept: dict[Formula, None] = {}
    for part in parts:
        if part == FALSE:
            return FALSE
        kept.update(dict.fromkeys(part.parts if isinstance(part, All) else (part,)))
    return next(iter(kept)) if len(kept) == 1 else All(tuple(kept))


def any_of(parts: Iterable[Formula]) -> Formula:
    """The disjunction, flattened, without repetitions.

    >>> any_of([FALSE]) == FALSE
    True
    """
    kept: dict[Formula, None] = {}
    for part in parts:
        if part == TRUE:
            return TRUE
        kept.update(dict.fromkeys(part.parts if isinstance(part, Some) else (part,)))
    return next(iter(kept)) if len(kept) == 1 else Some(tuple(kept))


def negate(formula: Formula) -> Formula:
    """The negation.

    >>> negate(Sign("p", "<="))
    Sign(value='p', op='>')
    """
    if isinstance(formula, Sign):
        return Sign(formula.value, OPPOSITE[formula.op])
    if isinstance(formula, All):
        return any_of(map(negate, formula.parts))
    return all_of(map(negate, formula.parts))


def implies(premise: Formula, conclusion: Formula) -> Formula:
    """Not the premise, or the conclusion."""
    return any_of((negate(premise), conclusion))


def signs(formula: Formula) -> Iterator[Sign]:
    """The sign conditions that occur."""
    if isinstance(formula, Sign):
        yield formula
    else:
        for part in formula.parts:
            yield from signs(part)


def map_signs(formula: Formula, change: Callable[[Sign], Formula]) -> Formula:
    """The formula with every sign condition replaced."""
    if isinstance(formula, Sign):
        return change(formula)
    parts = [map_signs(part, change) for part in formula.parts]
    return all_of(parts) if isinstance(formula, All) else any_of(parts)
