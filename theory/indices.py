"""Indices of families make sense: each is bound by a Sum or a ForEach that runs as far as the family does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sympy import Basic, Expr, Integer, S, Set, Sum, Symbol

from theory.errors import LemmascopeError
from theory.language.families import Entry, Entrywise, Family
from theory.temporal import ForEach


def require_bound_indices(parts: Iterable[Basic], variables: Mapping[Basic, Set]) -> None:
    """Refuse entries whose index is free or runs too far, and sums of entries that do not run from 1 to a size.

    >>> k, n = Symbol("k"), Symbol("n")
    >>> require_bound_indices([Sum(2**k, (k, 0, n)) > 0], {n: S.Naturals0})
    """
    for size in {size for key in variables if isinstance(key, Family) for size in key.sizes}:
        if isinstance(variables.get(size), Set) and not variables[size].is_subset(S.Naturals):
            raise LemmascopeError(f"the size {size} of a family is a positive whole number: {{{size}: Naturals}}")
    for part in parts:
        if part.has(Entry, ForEach):
            require_indices(part, {}, variables)


def require_bound_places(
    state: Iterable[Basic], roles: Iterable[Sequence[Expr]], variables: Mapping[Basic, Set]
) -> None:
    """Refuse an update, a velocity or a start of a family whose entries have an index that is free or runs too far."""
    moving = list(state)
    for numbers in roles:
        for symbol, number in zip(moving, numbers, strict=False):
            if isinstance(number, Entrywise) and isinstance(symbol, Family):
                require_indices(number.number, dict(zip(number.indices, symbol.sizes, strict=True)), variables)
            elif number.has(Entry, Sum):
                require_indices(number, {}, variables)


def require_indices(part: Basic, bound: Mapping[Symbol, Expr], variables: Mapping[Basic, Set]) -> None:
    """Refuse an expression about indices that are neither bound in it nor among those given with their sizes."""
    if not part.has(Entry, ForEach, Sum):
        return
    if isinstance(part, Entry):
        for index, size in zip(part.indices, part.family.sizes, strict=True):
            if index not in bound:
                raise LemmascopeError(
                    f"the index {index} of {part} is free: write ForEach({index}, {size}, ...) or"
                    f" Sum(..., ({index}, 1, {size}))"
                )
            if bound[index].name != size.name:
                raise LemmascopeError(f"the index {index} of {part} runs to {bound[index]}, not to {size}")
        return
    inside = dict(bound)
    if isinstance(part, Sum):
        for limit in part.limits:
            if len(limit) != 3 or limit[1] != Integer(1) or not isinstance(limit[2], Symbol):
                raise LemmascopeError(f"the sum {part} runs from 1 to a size: write Sum(..., ({limit[0]}, 1, d))")
            _bind(inside, limit[0], limit[2], variables)
        children: tuple[Basic, ...] = (part.function,)
    elif isinstance(part, ForEach):
        _bind(inside, part.symbol, part.size, variables)
        children = (part.body,)
    else:
        children = part.args
    for child in children:
        require_indices(child, inside, variables)


def _bind(bound: dict[Symbol, Expr], index: Symbol, size: Expr, variables: Mapping[Basic, Set]) -> None:
    if index in variables or index in bound:
        raise LemmascopeError(f"the index {index} also means something else: rename it")
    if isinstance(variables.get(size), Set) and not variables[size].is_subset(S.Naturals):
        raise LemmascopeError(f"the index {index} runs to {size}, a positive whole number: {{{size}: Naturals}}")
    bound[index] = size
