"""Class counts on collections of real graphs, read from the user's files or from the small bundled ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from theory.enumerators import enumerator
from theory.graph_expressiveness.collections import absent, load_graphs
from theory.graph_expressiveness.enumerators.isomorphism import walk_count_rows
from theory.graph_expressiveness.graphs import Graph
from theory.graph_expressiveness.printed_tables import GRAPH_CLASSES, NODE_CLASSES
from theory.graph_expressiveness.refinement import Names, colours
from theory.graph_expressiveness.walks import attributed_walk_counts, augmented_features


@enumerator("graph_expressiveness.node_classes", reads_files=True)
def node_classes(collection: str, K: int) -> dict[str, Any]:
    """Classes of the nodes of a graph, features removed, under depth-K networks and under (1, A1, ..., A^K 1)."""
    missing = absent(collection)
    if missing:
        return {"missing": missing}
    (graph,) = load_graphs(collection)
    vectors = set(zip(*walk_count_rows(graph, K), strict=True))
    return {
        "nodes": graph.order,
        "networks": len(set(colours(graph, K, Names()))),
        "walks": len(vectors),
        "cases": graph.order,
        "coverage": f"every node of {collection}",
    }


@enumerator("graph_expressiveness.graph_classes", reads_files=True)
def graph_classes(collection: str, K: int) -> dict[str, Any]:
    """Classes of whole graphs as multisets of node classes; `refined`, after six rounds, bounds isomorphism classes."""
    missing = absent(collection)
    if missing:
        return {"missing": missing}
    graphs = load_graphs(collection)
    names = Names()
    return {
        "graphs": len(graphs),
        "networks": len({_multiset(colours(graph, K, names)) for graph in graphs}),
        "walks": len({_multiset(tuple(zip(*walk_count_rows(graph, K), strict=True))) for graph in graphs}),
        "refined": len({_multiset(colours(graph, 6, names)) for graph in graphs}),
        "cases": len(graphs),
        "coverage": f"every graph of {collection}",
    }


def _multiset(values: tuple[Any, ...]) -> frozenset[tuple[Any, int]]:
    return frozenset(Counter(values).items())


@enumerator("graph_expressiveness.printed_differences")
def printed_differences(K: int, table: int) -> dict[str, Any]:
    """The relative difference of the two printed columns of Table 2.1 at depth K and at depth 2."""
    rows = list(NODE_CLASSES.values())[table]
    differences = [Fraction(by_networks - by_walks, by_networks) for by_networks, by_walks in rows]
    return {"difference": differences[K - 1], "second": differences[1], "coverage": "the printed numbers"}


@enumerator("graph_expressiveness.printed_graph_classes")
def printed_graph_classes(K: int, table: int) -> dict[str, Any]:
    """The printed number of classes at depth K, and of isomorphism classes, in Table A.1."""
    rows, truth = list(GRAPH_CLASSES.values())[table]
    return {"printed": rows[K - 1], "truth": truth, "coverage": "the printed numbers"}


def random_regular_graph(order: int, degree: int, seed: int) -> Graph:
    """A regular graph: a circulant one whose edges are exchanged in pairs many times.

    >>> set(random_regular_graph(20, 4, 1).degrees)
    {4}
    """
    chance = Random(seed)  # noqa: S311 - a reproducible graph, not a secret
    edges = [(i, (i + step) % order) for step in range(1, degree // 2 + 1) for i in range(order)]
    present = {frozenset(edge) for edge in edges}
    for _ in range(20 * len(edges)):
        one, other = chance.randrange(len(edges)), chance.randrange(len(edges))
        (i, j), (k, l) = edges[one], edges[other]
        changed = (frozenset((i, l)), frozenset((k, j)))
        if len({i, j, k, l}) == 4 and not present.intersection(changed):
            present -= {frozenset((i, j)), frozenset((k, l))}
            present |= set(changed)
            edges[one], edges[other] = (i, l), (k, j)
    return Graph.of(order, edges)


@enumerator("graph_expressiveness.walk_regression")
def walk_regression(length: int, order: int, degree: int, seed: int) -> dict[str, Any]:
    """The share of the label variance that no function of a model's features explains, on one random regular graph.

    Labels count the walks of the length all of whose nodes after the first are blue (even index). Networks see
    the colour after `length` rounds; the other models see the powers of A up to the length, or up to twice the
    length, applied to the colours (on a regular graph powers of the normalised A + I carry the same information).
    """
    graph = random_regular_graph(order, degree, seed).with_features(i % 2 for i in range(order))
    labels = attributed_walk_counts(graph, (0,) * length)
    return {
        "network_error": unexplained(labels, colours(graph, length, Names())),
        "power_error": unexplained(labels, augmented_features(graph, length, alphabet=(0,))),
        "double_error": unexplained(labels, augmented_features(graph, 2 * length, alphabet=(0,))),
        "cases": order,
        "complete": False,
        "coverage": f"one random {degree}-regular graph with {order} nodes",
    }


def unexplained(labels: Sequence[int], classes: Sequence[Any]) -> Fraction:
    """The share of the variance of the labels that no function of the classes can explain.

    >>> unexplained([0, 2, 5], ["a", "a", "b"])
    Fraction(3, 19)
    """
    mean = Fraction(sum(labels), len(labels))
    groups: dict[Any, list[int]] = {}
    for label, name in zip(labels, classes, strict=True):
        groups.setdefault(name, []).append(label)
    within = sum(
        (sum((label - Fraction(sum(group), len(group))) ** 2 for label in group) for group in groups.values()),
        Fraction(0),
    )
    total = sum(((label - mean) ** 2 for label in labels), Fraction(0))
    return within / total if total else Fraction(0)
