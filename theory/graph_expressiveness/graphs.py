"""Finite graphs with features on their nodes, and all of them up to isomorphism for small orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product


@dataclass(frozen=True)
class Graph:
    """A graph: the sorted neighbours of every node, itself among them at a loop, and a feature for every node.

    >>> Graph.of(3, [(0, 1), (1, 2)]).degrees
    (1, 2, 1)
    """

    neighbours: tuple[tuple[int, ...], ...]
    features: tuple[int, ...]

    @classmethod
    def of(cls, order: int, edges: Iterable[tuple[int, int]], features: Iterable[int] = ()) -> Graph:
        """The graph with these edges; without features all nodes carry 0."""
        adjacent: list[set[int]] = [set() for _ in range(order)]
        for i, j in edges:
            adjacent[i].add(j)
            adjacent[j].add(i)
        return cls(tuple(tuple(sorted(part)) for part in adjacent), tuple(features) or (0,) * order)

    @property
    def order(self) -> int:
        """The number of nodes."""
        return len(self.neighbours)

    @property
    def degrees(self) -> tuple[int, ...]:
        """The degree of every node."""
        return tuple(map(len, self.neighbours))

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Every edge once, smaller node first."""
        return tuple((i, j) for i, near in enumerate(self.neighbours) for j in near if i <= j)

    def with_features(self, features: Iterable[int]) -> Graph:
        """The same graph with other features."""
        return Graph(self.neighbours, tuple(features))

    def adjacency(self) -> list[list[int]]:
        """The adjacency matrix."""
        return [[int(j in near) for j in range(self.order)] for near in self.neighbours]

    def permuted(self, image: tuple[int, ...]) -> Graph:
        """The graph whose node i is called image[i]."""
        features = [0] * self.order
        for i, j in enumerate(image):
            features[j] = self.features[i]
        return Graph.of(self.order, [(image[i], image[j]) for i, j in self.edges], features)

    def __add__(self, other: Graph) -> Graph:
        moved = [(i + self.order, j + self.order) for i, j in other.edges]
        return Graph.of(self.order + other.order, [*self.edges, *moved], self.features + other.features)

    def __str__(self) -> str:
        marks = f", features {self.features}" if any(self.features) else ""
        return f"{self.order} nodes, edges {' '.join(f'{i}-{j}' for i, j in self.edges) or 'none'}{marks}"


def cycle(order: int) -> Graph:
    """The cycle.

    >>> cycle(4).degrees
    (2, 2, 2, 2)
    """
    return Graph.of(order, [(i, (i + 1) % order) for i in range(order)])


def complete_bipartite(left: int, right: int) -> Graph:
    """All edges between two groups.

    >>> complete_bipartite(3, 3).degrees
    (3, 3, 3, 3, 3, 3)
    """
    return Graph.of(left + right, [(i, left + j) for i in range(left) for j in range(right)])


@cache
def graphs_of_order(order: int) -> tuple[Graph, ...]:
    """One graph of every isomorphism class, without features.

    >>> [len(graphs_of_order(n)) for n in range(1, 6)]
    [1, 2, 4, 11, 34]
    """
    if order <= 1:
        return (Graph.of(order, []),)
    found: dict[tuple[tuple[int, int], ...], Graph] = {}
    for smaller in graphs_of_order(order - 1):
        # the last node has the largest degree: every graph arises by adding such a node
        for size in range(max(smaller.degrees), order):
            for chosen in combinations(range(order - 1), size):
                graph = Graph.of(order, [*smaller.edges, *[(i, order - 1) for i in chosen]])
                if max(graph.degrees) == size:
                    found.setdefault(canonical_edges(graph), graph)
    return tuple(found.values())


def featured_graphs(order: int, alphabet: int, most: int | None = None) -> Iterator[Graph]:
    """Every graph of the order with every choice of features (features are not identified), degrees at most `most`.

    >>> len(list(featured_graphs(3, 2, most=1)))
    16
    """
    for graph in graphs_of_order(order):
        if most is None or max(graph.degrees, default=0) <= most:
            for features in product(range(alphabet), repeat=order):
                yield graph.with_features(features)


def canonical_edges(graph: Graph) -> tuple[tuple[int, int], ...]:
    """The least edge list over all orderings that respect the degrees around every node (features are not looked at).

    >>> canonical_edges(Graph.of(3, [(0, 1)])) == canonical_edges(Graph.of(3, [(1, 2)]))
    True
    """
    around = [tuple(sorted(graph.degrees[j] for j in near)) for near in graph.neighbours]
    twice = [(around[i], tuple(sorted(around[j] for j in near))) for i, near in enumerate(graph.neighbours)]
    groups = [[i for i in range(graph.order) if twice[i] == label] for label in sorted(set(twice))]
    best: tuple[tuple[int, int], ...] | None = None
    for parts in product(*[permutations(group) for group in groups]):
        place = {node: index for index, node in enumerate(node for part in parts for node in part)}
        edges = tuple(sorted((min(place[i], place[j]), max(place[i], place[j])) for i, j in graph.edges))
        if best is None or edges < best:
            best = edges
    return best or ()


def automorphisms(graph: Graph) -> Iterator[tuple[int, ...]]:
    """The permutations that keep all edges (features are not looked at), by extending partial ones.

    >>> len(list(automorphisms(cycle(5))))
    10
    """

    def extend(image: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        i = len(image)
        if i == graph.order:
            yield image
            return
        for j in range(graph.order):
            if j not in image and graph.degrees[i] == graph.degrees[j]:
                before = [(h in graph.neighbours[i]) == (image[h] in graph.neighbours[j]) for h in range(i)]
                if all(before):
                    yield from extend((*image, j))

    yield from extend(())
