"""Pairs and collections again: whole graphs by their labelled copies, and classes of nodes by splitting cells."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

from theory.enumerators import recount
from theory.graph_expressiveness.collections import load_graphs
from theory.graph_expressiveness.edge_growth import grown_graphs
from theory.graph_expressiveness.graphs import Graph
from theory.graph_expressiveness.pair import FIRST, SECOND
from theory.graph_expressiveness.printed_tables import NODE_CLASSES


def cells(graph: Graph, rounds: int) -> list[int]:
    """The classes after some rounds, numbered, from how many neighbours of each node lie in each class before."""
    current = [0] * graph.order
    for _ in range(rounds):
        around = [tuple(sorted(Counter(current[j] for j in near).items())) for near in graph.neighbours]
        keys = list(zip(current, around, strict=True))
        numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
        current = [numbers[key] for key in keys]
    return current


def _powers(graph: Graph, longest: int) -> list[tuple[int, ...]]:
    """(1, A 1, ..., A^longest 1) node by node, through integer matrices."""
    from flint import fmpz_mat

    A = fmpz_mat(graph.adjacency())
    column = fmpz_mat([[1]] * graph.order)
    columns = [column]
    for _ in range(longest):
        columns.append(A * columns[-1])
    return [tuple(int(found[i, 0]) for found in columns) for i in range(graph.order)]


def _parts(graphs: list[Graph], values: list[Any]) -> list[tuple[Any, ...]]:
    """The values of a union, sorted within each of its graphs."""
    found, start = [], 0
    for graph in graphs:
        found.append(tuple(sorted(values[start : start + graph.order])))
        start += graph.order
    return found


def _union(graphs: list[Graph]) -> Graph:
    edges, start = [], 0
    for graph in graphs:
        edges += [(start + i, start + j) for i, j in graph.edges]
        start += graph.order
    return Graph.of(start, edges)


@recount("graph_expressiveness.smaller_pairs")
def smaller_pairs(n: int) -> dict[str, Any]:
    """Over the graphs grown edge by edge, as sets of their walk vectors and of their cells in one large union."""
    graphs = list(grown_graphs(n))
    refined = _parts(graphs, cells(_union(graphs), n))
    kinds: dict[object, set[tuple[int, ...]]] = {}
    for graph, cell in zip(graphs, refined, strict=True):
        kinds.setdefault(tuple(sorted(_powers(graph, 2 * n))), set()).add(cell)
    return {"pairs": sum(len(list(combinations(alike, 2))) for alike in kinds.values())}


@recount("graph_expressiveness.neighbour_degrees")
def neighbour_degrees() -> dict[str, Any]:
    """From the columns of the adjacency matrices."""
    found = {}
    for name, graph in (("G", FIRST), ("H", SECOND)):
        A = graph.adjacency()
        degrees = [sum(row[j] for row in A) for j in range(graph.order)]
        for node in (1, 2):
            digits = sorted(degree for degree, entry in zip(degrees, A[node - 1], strict=True) if entry)
            found[f"{name}_{node}"] = sum(digit * 10**place for place, digit in enumerate(digits))
    return found


@recount("graph_expressiveness.node_classes")
def node_classes(collection: str, K: int) -> dict[str, Any]:
    (graph,) = load_graphs(collection)
    return {"nodes": graph.order, "networks": len(set(cells(graph, K))), "walks": len(set(_powers(graph, K)))}


@recount("graph_expressiveness.graph_classes")
def graph_classes(collection: str, K: int) -> dict[str, Any]:
    graphs = load_graphs(collection)
    union = _union(graphs)
    return {
        "graphs": len(graphs),
        "networks": len(set(_parts(graphs, cells(union, K)))),
        "walks": len({tuple(sorted(_powers(graph, K))) for graph in graphs}),
        "refined": len(set(_parts(graphs, cells(union, 6)))),
    }


@recount("graph_expressiveness.printed_differences")
def printed_differences(K: int, table: int) -> dict[str, Any]:
    shares = [1 - Fraction(by_walks, by_networks) for by_networks, by_walks in list(NODE_CLASSES.values())[table]]
    return {"difference": shares[K - 1], "second": shares[1]}
