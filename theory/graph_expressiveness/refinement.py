"""Weisfeiler-Leman refinement with exact names: what depth-K graph networks can tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

from theory.graph_expressiveness.graphs import Graph

Tree = tuple[int, tuple["Tree", ...]]
"""A rooted tree: the feature of its root and its branches in sorted order."""


class Names:
    """Gives equal things the same number and different things different numbers; nothing is hashed away.

    >>> names = Names()
    >>> names("a"), names("b"), names("a")
    (0, 1, 0)
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, int] = {}

    def __call__(self, thing: Hashable) -> int:  # noqa: D102 - the class says it
        return self._known.setdefault(thing, len(self._known))


def colours(graph: Graph, rounds: int, names: Names) -> tuple[int, ...]:
    """The colour of every node after some rounds; share `names` to compare graphs.

    >>> from theory.graph_expressiveness.graphs import cycle
    >>> names = Names()
    >>> set(colours(cycle(3), 4, names)) == set(colours(cycle(6), 4, names))
    True
    """
    current = tuple(names(("feature", feature)) for feature in graph.features)
    for _ in range(rounds):
        current = tuple(
            names((current[i], tuple(sorted(current[j] for j in near)))) for i, near in enumerate(graph.neighbours)
        )
    return current


def separated(first: Graph, second: Graph, rounds: int) -> bool:
    """Whether the multisets of colours differ after some rounds.

    >>> from theory.graph_expressiveness.graphs import cycle
    >>> separated(cycle(6), cycle(3) + cycle(3), 12)
    False
    """
    names = Names()
    return Counter(colours(first, rounds, names)) != Counter(colours(second, rounds, names))


def aggregation_tree(graph: Graph, root: int, depth: int) -> Tree:
    """The unrolled neighbourhood: the branches of a node are those of all its neighbours, its parent included.

    >>> aggregation_tree(Graph.of(2, [(0, 1)], [5, 7]), 0, 2)
    (5, ((7, ((5, ()),)),))
    """
    if depth == 0:
        return (graph.features[root], ())
    branches = (aggregation_tree(graph, near, depth - 1) for near in graph.neighbours[root])
    return (graph.features[root], tuple(sorted(branches)))


def partition(keys: Iterable[Hashable]) -> tuple[int, ...]:
    """Which places carry equal keys, as numbers in order of first appearance.

    >>> partition("abca")
    (0, 1, 2, 0)
    """
    names = Names()
    return tuple(names(key) for key in keys)
