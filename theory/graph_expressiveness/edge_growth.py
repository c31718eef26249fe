"""All small graphs a second time: grown edge by edge, told apart by searching for an isomorphism, counted by Burnside.

Nothing here is shared with `graphs_of_order`, which adds nodes and compares canonical edge lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import factorial, gcd, prod

from theory.errors import LemmascopeError
from theory.graph_expressiveness.graphs import Graph

Rows = tuple[int, ...]
"""A graph as the rows of its adjacency matrix, each an integer whose bits are the neighbours."""


def cycle_types(order: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The partitions of a number, which are the cycle types of its permutations.

    >>> list(cycle_types(3))
    [(3,), (2, 1), (1, 1, 1)]
    """
    if order == 0:
        yield ()
    for part in range(min(order, largest or order), 0, -1):
        for rest in cycle_types(order - part, part):
            yield (part, *rest)


def graph_count(order: int) -> int:
    """The number of graphs up to isomorphism: the average number of graphs that a permutation keeps.

    >>> [graph_count(n) for n in range(1, 8)]
    [1, 2, 4, 11, 34, 156, 1044]
    """
    kept = 0
    for parts in cycle_types(order):
        alike = Counter(parts)
        centraliser = prod(size**times * factorial(times) for size, times in alike.items())
        orbits = sum(size // 2 for size in parts) + sum(gcd(*pair) for pair in combinations(parts, 2))
        kept += factorial(order) // centraliser * 2**orbits
    return kept // factorial(order)


def isomorphisms(first: Rows, second: Rows) -> Iterator[tuple[int, ...]]:
    """Every bijection of the nodes that carries edges to edges and gaps to gaps, node by node.

    >>> len(list(isomorphisms((2, 1), (2, 1))))
    2
    """
    order = len(first)

    def extend(image: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        i = len(image)
        if i == order:
            yield image
            return
        for j in range(order):
            if j in image or first[i].bit_count() != second[j].bit_count():
                continue
            if all(first[i] >> h & 1 == second[j] >> there & 1 for h, there in enumerate(image)):
                yield from extend((*image, j))

    yield from extend(())


def _fingerprint(rows: Rows) -> tuple[object, ...]:
    """Equal for isomorphic graphs: degrees with those of the neighbours, common neighbours of all pairs."""
    degrees = [row.bit_count() for row in rows]
    order = range(len(rows))
    around = sorted((degrees[i], tuple(sorted(degrees[j] for j in order if rows[i] >> j & 1))) for i in order)
    shared = sorted(((rows[i] & rows[j]).bit_count(), rows[i] >> j & 1) for i in order for j in range(i))
    return (*around, *shared)


@cache
def grown_graphs(order: int) -> tuple[Graph, ...]:
    """One graph of every class, from the empty graph by adding one edge at a time.

    >>> len(grown_graphs(5))
    34
    """
    level: list[Rows] = [(0,) * order]
    found = list(level)
    while level:
        kinds: dict[tuple[object, ...], list[Rows]] = {}
        for rows, (i, j) in product(level, combinations(range(order), 2)):
            if rows[i] >> j & 1:
                continue
            larger = tuple(row | (1 << j) * (h == i) | (1 << i) * (h == j) for h, row in enumerate(rows))
            alike = kinds.setdefault(_fingerprint(larger), [])
            if not any(next(isomorphisms(larger, known), None) for known in alike):
                alike.append(larger)
        level = [rows for alike in kinds.values() for rows in alike]
        found += level
    if len(found) != graph_count(order):
        raise LemmascopeError(f"grew {len(found)} graphs of order {order}, Burnside counts {graph_count(order)}")
    return tuple(_graph(rows) for rows in found)


def _graph(rows: Rows) -> Graph:
    pairs = combinations(range(len(rows)), 2)
    return Graph.of(len(rows), [(i, j) for i, j in pairs if rows[i] >> j & 1])


def labelled_copies(graph: Graph) -> int:
    """How many graphs on the same nodes are isomorphic to this one.

    >>> sum(map(labelled_copies, grown_graphs(4))) == 2 ** 6
    True
    """
    rows = tuple(sum(1 << j for j in near) for near in graph.neighbours)
    return factorial(graph.order) // sum(1 for _ in isomorphisms(rows, rows))


def multisets(size: int, kinds: int) -> int:
    """The multisets of a size out of some kinds, as the average number of words that a permutation of places keeps.

    >>> multisets(2, 3)
    6
    """
    words = [1]  # coefficients of kinds (kinds + 1) ... (kinds + size - 1): permutations by their number of cycles
    for place in range(size):
        words = [place * here + before for here, before in zip([*words, 0], [0, *words], strict=True)]
    return sum(count * kinds**cycles for cycles, count in enumerate(words)) // factorial(size)
