"""Walks from a node, counted by what a graph-augmented perceptron sees of them, and operators that count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from theory.graph_expressiveness.graphs import Graph

Matrix = list[list[int]]
WalkType = tuple[tuple[int, ...], int, int]
"""The sorted degrees on the way, the degree of the end, the feature of the end."""


def walks(graph: Graph, root: int, length: int) -> Iterator[tuple[int, ...]]:
    """All walks of the length from the root, without the root itself.

    >>> list(walks(Graph.of(3, [(0, 1), (1, 2)]), 0, 2))
    [(1, 0), (1, 2)]
    """
    if length == 0:
        yield ()
        return
    for near in graph.neighbours[root]:
        for rest in walks(graph, near, length - 1):
            yield (near, *rest)


def walk_types(graph: Graph, length: int) -> list[Counter[WalkType]]:
    """For every node, how many walks of the length have each type, extended step by step from the end.

    >>> dict(walk_types(Graph.of(3, [(0, 1), (1, 2)]), 2)[0])
    {((2,), 1, 0): 2}
    """
    current: list[Counter[WalkType]] = [
        Counter({((), degree, feature): 1}) for degree, feature in zip(graph.degrees, graph.features, strict=True)
    ]
    for step in range(length):
        following: list[Counter[WalkType]] = []
        for near in graph.neighbours:
            total: Counter[WalkType] = Counter()
            for j in near:
                for (middle, end, feature), count in current[j].items():
                    passed = middle if step == 0 else tuple(sorted((*middle, graph.degrees[j])))
                    total[passed, end, feature] += count
            following.append(total)
        current = following
    return current


def attributed_walk_count(graph: Graph, root: int, features: Sequence[int]) -> int:
    """How many walks from the root meet exactly these features.

    >>> attributed_walk_count(Graph.of(3, [(0, 1), (1, 2)], [1, 1, 0]), 0, [1, 0])
    1
    """
    return attributed_walk_counts(graph, features)[root]


def attributed_walk_counts(graph: Graph, features: Sequence[int]) -> list[int]:
    """For every node, how many walks from it meet exactly these features, by masked steps from the end.

    >>> attributed_walk_counts(Graph.of(3, [(0, 1), (1, 2)], [1, 1, 0]), [1, 0])
    [1, 0, 1]
    """
    counts = [1] * graph.order
    for feature in reversed(features):
        masked = [count if graph.features[i] == feature else 0 for i, count in enumerate(counts)]
        counts = [sum(masked[j] for j in near) for near in graph.neighbours]
    return counts


def augmented_features(
    graph: Graph, depth: int, before: int = 0, after: int = 0, alphabet: Sequence[int] = (0,)
) -> list[tuple[Fraction, ...]]:
    """For every node the vector of (D^-before A D^-after)^k 1[X = x] over k = 0..depth and x in the alphabet.

    A node without neighbours has an empty row in A, so its inverse degree is never used.

    >>> augmented_features(Graph.of(2, [(0, 1)]), 1)
    [(Fraction(1, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(1, 1))]
    """
    degrees = [Fraction(max(degree, 1)) for degree in graph.degrees]
    rows: list[list[Fraction]] = [[] for _ in range(graph.order)]
    for x in alphabet:
        current = [Fraction(int(feature == x)) for feature in graph.features]
        for k in range(depth + 1):
            if k:
                scaled = [value / degrees[i] ** after for i, value in enumerate(current)]
                current = [
                    sum((scaled[j] for j in near), Fraction(0)) / degrees[i] ** before
                    for i, near in enumerate(graph.neighbours)
                ]
            for row, value in zip(rows, current, strict=True):
                row.append(value)
    return [tuple(row) for row in rows]


def matrix_product(first: Matrix, second: Matrix) -> Matrix:
    """The product of two integer matrices.

    >>> matrix_product([[0, 1], [1, 0]], [[1, 2], [3, 4]])
    [[3, 4], [1, 2]]
    """
    columns = list(zip(*second, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in first]


def capped(matrix: Matrix) -> Matrix:
    """The entry-wise minimum with 1.

    >>> capped([[2, 0], [1, 5]])
    [[1, 0], [1, 1]]
    """
    return [[min(entry, 1) for entry in row] for row in matrix]


def row_sums(matrix: Matrix) -> tuple[int, ...]:
    """What the operator makes of the all-one vector.

    >>> row_sums([[1, 2], [3, 4]])
    (3, 7)
    """
    return tuple(map(sum, matrix))
