"""Property tests of claims about finite structures: sizes and structures drawn by Hypothesis, small ones first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from sympy import Rational, Set, Symbol, oo

from proofs_check.kernel.structure_cases import Case, claimed, listed, size
from proofs_check.kernel.structure_cases import free_numbers as with_many_values
from proofs_check.points.exact import holds
from theory.domains import is_discrete
from theory.language.structure_values import Graph, Tree, shown
from theory.language.structures import (
    FullTrees,
    Graphs,
    Multisets,
    Nodes,
    Permutations,
    RootedTrees,
    Sequences,
    Structures,
)
from theory.statements import Statement

_MORE = 4
"""How far beyond the smallest value sizes are drawn."""
_MOST_CHILDREN = 4


def drawn_cases(statement: Statement) -> st.SearchStrategy[Case]:
    """A value for every variable: sizes first, then the structures of these sizes.

    >>> from sympy import Naturals
    >>> n, G = Symbol("n"), Symbol("G")
    >>> claim = Statement(variables={n: Naturals, G: Graphs(n)}, then=n >= 1)
    >>> drawn_cases(claim).is_empty
    False
    """
    numbers = {s: domain for s, domain in statement.variables.items() if not isinstance(domain, Structures)}
    structures = {s: domain for s, domain in statement.variables.items() if isinstance(domain, Structures)}

    def with_structures(chosen: dict[Symbol, Any]) -> st.SearchStrategy[Case]:
        parts = {
            symbol: _members(sort, [size(part, chosen) for part in sort.args]) for symbol, sort in structures.items()
        }
        return st.fixed_dictionaries(parts).map(lambda more: {**chosen, **more})

    return st.fixed_dictionaries({s: _numbers(domain) for s, domain in numbers.items()}).flatmap(with_structures)


def case_check(statement: Statement) -> Callable[[Case], None]:
    """A function that fails where a case violates the statement."""
    open_numbers = {s for s, domain in with_many_values(statement).items() if not is_discrete(domain)}

    def check(case: Case) -> None:
        __tracebackhide__ = True
        settled = {symbol: value for symbol, value in case.items() if symbol not in open_numbers}
        found = claimed(statement, settled)
        if isinstance(found, Statement):
            point = {s: Rational(v.numerator, v.denominator) for s, v in case.items() if s in open_numbers}
            met = all(holds(part, point) is True for part in found.hypotheses)
            found = not (met and holds(found.conclusion, point) is False)
        if found is False:
            where = ", ".join(f"{symbol} = {shown(value)}" for symbol, value in case.items())
            raise AssertionError(f"{statement.then} is false for {where}")

    return check


def _numbers(domain: Set) -> st.SearchStrategy[Any]:
    if domain.is_finite_set:
        return st.sampled_from([Fraction(int(value.p), int(value.q)) for value in sorted(domain)])
    if is_discrete(domain):
        first = int(domain.inf) if domain.inf.is_Integer else 0
        return st.integers(first, first + _MORE).filter(lambda value: domain.contains(value) == True)  # noqa: E712
    low, high = ((int(end) if abs(end) != oo else None) for end in (domain.inf, domain.sup))
    drawn = st.fractions(low, high, max_denominator=12)
    return drawn.filter(lambda value: domain.contains(Rational(value.numerator, value.denominator)) == True)  # noqa: E712


def _members(sort: Structures, sizes: list[int]) -> st.SearchStrategy[Any]:
    if not sort.complete:
        return st.sampled_from(list(listed(sort, sizes)))
    match sort:
        case Graphs():
            return _graphs(*sizes)
        case Nodes():
            return st.integers(1, sizes[0])
        case Permutations():
            return st.permutations(range(1, sizes[0] + 1)).map(tuple)
        case Sequences():
            return st.tuples(*[st.integers(1, sizes[0])] * sizes[1])
        case Multisets():
            return st.tuples(*[st.integers(1, sizes[0])] * sizes[1]).map(lambda found: tuple(sorted(found)))
        case RootedTrees():
            return _trees(isinstance(sort, FullTrees), *sizes)
    raise TypeError(f"{sort} is not drawn from")


def _graphs(nodes: int, features: int) -> st.SearchStrategy[Graph]:
    pairs = [(i, j) for j in range(1, nodes + 1) for i in range(1, j)]
    there = st.tuples(*[st.booleans()] * len(pairs))
    marks = st.tuples(*[st.integers(1, features)] * nodes)
    return st.builds(
        lambda chosen, seen: Graph(seen, tuple(sorted(p for p, is_in in zip(pairs, chosen, strict=True) if is_in))),
        there,
        marks,
    )


def _trees(full: bool, children: int, depth: int, features: int) -> st.SearchStrategy[Tree]:
    feature = st.integers(1, features)
    if depth == 0:
        return feature.map(lambda mark: (mark, ()))
    below = _trees(full, children, depth - 1, features)
    few = children if full else min(children, _MOST_CHILDREN)
    branches = st.lists(below, min_size=children if full else 0, max_size=few)
    return st.builds(lambda mark, found: (mark, tuple(sorted(found))), feature, branches)
