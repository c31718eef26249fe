"""The constructions of the appendix again: polynomials for lists, generators for whole groups, bounds that meet."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

from theory.enumerators import recount
from theory.graph_expressiveness.edge_growth import grown_graphs, multisets
from theory.graph_expressiveness.enumerators.collected import random_regular_graph
from theory.graph_expressiveness.enumerators.tree_recounts import returns, unrolled
from theory.graph_expressiveness.enumerators.walk_counts import branch_tree
from theory.graph_expressiveness.refinement import Tree
from theory.graph_expressiveness.rooted_trees import bounded_trees, tree_graph
from theory.graph_expressiveness.walks import walks

PRINTED_GRAPH_CLASSES = """
1 51 51 49 49 781 781 1365 1365 294 294
2 537 537 387 387 1998 1998 4999 4999 4080 4080
3 537 537 387 387 1998 1998 4999 4999 4080 4080
truth 537 387 1998 4999 4080
"""
"""Table A.1 line by line: K, then the columns GNN and GA-MLP of every collection; last the isomorphism classes."""


@recount("graph_expressiveness.printed_graph_classes")
def printed_graph_classes(K: int, table: int) -> dict[str, Any]:
    """From a second copy of the table; both columns of a collection must agree for one number to stand for them."""
    rows = {line.split()[0]: list(map(int, line.split()[1:])) for line in PRINTED_GRAPH_CLASSES.strip().splitlines()}
    columns = set(rows[str(K)][2 * table : 2 * table + 2])
    return {"truth": rows["truth"][table], **({"printed": columns.pop()} if len(columns) == 1 else {})}


@recount("graph_expressiveness.unrolled_classes")
def unrolled_classes(m: int, K: int, alphabet: int, order: int) -> dict[str, Any]:
    """Trees in which every parent returns under its children are what unrolling yields; their number by Burnside."""
    listed = {unrolled(tree_graph(tree), K)[0] for tree in bounded_trees(m, K, alphabet)}
    branches = alphabet
    for _ in range(K - 1):
        branches = alphabet * sum(multisets(size, branches) for size in range(m))
    outside = {
        tree
        for n in range(1, order + 1)
        for graph in grown_graphs(n)
        if max(graph.degrees) <= m
        for marks in product(range(alphabet), repeat=n)
        for tree in unrolled(graph.with_features(marks), K)
        if not (returns(tree, K) and _widest(tree) <= m)
    }
    counted = alphabet * sum(multisets(size, branches) for size in range(m + 1))
    return {"listed": len(listed), "counted": counted, "outside": len(outside)}


def _widest(tree: Tree) -> int:
    return max(len(tree[1]), *map(_widest, tree[1])) if tree[1] else 0


@recount("graph_expressiveness.built_trees")
def built_trees(m: int, K: int) -> dict[str, Any]:
    """At most as many different trees as choices, at least as many as tables of leaves for every path of features."""
    choices = [list(product(range(1, m), repeat=2**level)) for level in range(K)]
    built = 2 * prod(map(len, choices))
    tables = set()
    for chosen in product(*choices):
        leaves: dict[tuple[int, ...], int] = {(): 1}
        for zeros in chosen:
            longer: dict[tuple[int, ...], int] = {}
            for (path, count), few in zip(sorted(leaves.items()), zeros, strict=True):
                longer[*path, 0], longer[*path, 1] = count * few, count * (m - few)
            leaves = longer
        tables.add(tuple(leaves[path] for path in sorted(leaves)))
    # the feature of the root doubles both numbers
    return {"built": built, "different": built} if 2 * len(tables) == built else {"built": built}


@recount("graph_expressiveness.straight_walks")
def straight_walks(m: int, K: int) -> dict[str, Any]:
    """Walks that never turn back at once by their matrices: B_2 = A^2 - D, B_(k+1) = B_k A - B_(k-1) (D - 1)."""
    from flint import fmpz_mat

    violations = 0
    for tree in bounded_trees(m, K, 1):
        graph = tree_graph(tree)
        order, degrees = graph.order, graph.degrees
        A = fmpz_mat(graph.adjacency())
        D, one = (fmpz_mat(order, order, [v[i] * (i == j) for i in range(order) for j in range(order)])
                  for v in (degrees, (1,) * order))  # fmt: skip
        matrices = [one, A, A * A - D]
        while len(matrices) <= K:
            matrices.append(matrices[-1] * A - matrices[-2] * (D - one))
        for k in range(1, K + 1):
            here = [int(matrices[k][0, j]) for j in range(order)]
            violations += here != [int(depth == k) for depth in _distances(graph.neighbours)]
    return {"violations": violations}


def _distances(neighbours: tuple[tuple[int, ...], ...]) -> list[int]:
    known, level = {0: 0}, [0]
    while level:
        level = [j for i in level for j in neighbours[i] if j not in known and known.setdefault(j, known[i] + 1)]
    return [known[i] for i in range(len(neighbours))]


@recount("graph_expressiveness.shattering")
def shattering(m: int, K: int) -> dict[str, Any]:
    """One rooted graph of each class is shattered by the functions that are free on classes, two of one class never."""
    classes = {unrolled(tree_graph(tree), K)[0] for tree in bounded_trees(m, K + 1, 1)}
    return {"dimension": len(classes), "classes": len(classes)}


@recount("graph_expressiveness.level_orbits")
def level_orbits(m: int, K: int) -> dict[str, Any]:
    """Orbits of the exchanges of neighbouring branches, which generate all automorphisms that fix the root."""
    order = sum(m**k for k in range(K + 1))
    children = [[node * m + place for place in range(1, m + 1) if node * m + place < order] for node in range(order)]

    def below(node: int) -> list[int]:
        return [node, *[deeper for child in children[node] for deeper in below(child)]]

    orbit = list(range(order))
    for siblings in children:
        for one, other in pairwise(siblings):
            for i, j in zip(below(one), below(other), strict=True):
                old, new = orbit[i], orbit[j]
                orbit = [new if label == old else label for label in orbit]
    orbits = {frozenset(i for i in range(order) if orbit[i] == label) for label in orbit}
    starts = [sum(m**j for j in range(k)) for k in range(K + 2)]
    levels = {frozenset(range(start, end)) for start, end in pairwise(starts)}
    return {"differing": len(orbits ^ levels)}


@recount("graph_expressiveness.extension_factor")
def extension_factor(m: int, K: int) -> dict[str, Any]:
    """Depth 2 by Gaussian binomials: multisets of q numbers from 0 to m by their sum."""
    if K != 2:
        return {}
    sums = [_gaussian(m, q) for q in range(m + 1)]
    surplus = []
    for first in range(1, m):
        rest = m - first
        for zeros in range(3, m * m // 2 + 1):
            inside = range(max(1, zeros - m * rest + 1), min(m * first, zeros))
            surplus.append(sum(sums[first][s] * sums[rest][zeros - s] for s in inside) - 2)
    return {"surplus": min(surplus)}


def _gaussian(m: int, q: int) -> list[int]:
    """How many multisets of q numbers from 0 to m have which sum."""
    from flint import fmpz_poly

    def factor(k: int) -> fmpz_poly:
        return fmpz_poly([1] + [0] * (k - 1) + [-1])

    top = prod((factor(m + k) for k in range(1, q + 1)), start=fmpz_poly([1]))
    bottom = prod((factor(k) for k in range(1, q + 1)), start=fmpz_poly([1]))
    return [int(count) for count in (top // bottom).coeffs()]


@recount("graph_expressiveness.reachable_sums")
def reachable_sums(terms: int, largest: int) -> dict[str, Any]:
    """The sums are the exponents of a product of polynomials."""
    from flint import fmpz_poly

    missed = 0
    for limits in product(range(1, largest + 1), repeat=terms):
        ways = prod((fmpz_poly([0] + [1] * limit) for limit in limits), start=fmpz_poly([1]))
        missed += sum(ways[total] == 0 for total in range(terms, sum(limits) + 1))
    return {"missed": missed}


@recount("graph_expressiveness.branch_levels")
def branch_levels(m: int, k: int) -> dict[str, Any]:
    """Every level is met by the walks that go down at every step; their ends carry its features."""
    violations = 0
    for features in product((0, 1), repeat=k):
        graph = tree_graph(branch_tree(m, features, 0, 0, 0))
        depth = _distances(graph.neighbours)
        for level in range(1, k):
            zeros = sum(graph.features[i] == 0 for i in range(graph.order) if depth[i] == level)
            inside = m ** (level - 1)
            violations += zeros != (inside if features[level - 1] == 0 else m**level - inside)
    return {"violations": violations}


@recount("graph_expressiveness.walk_regression")
def walk_regression(length: int, order: int, degree: int, seed: int) -> dict[str, Any]:
    """Labels from listed walks, classes from unrolled trees and integer matrices, variances from means of squares."""
    from flint import fmpz_mat

    graph = random_regular_graph(order, degree, seed).with_features(i % 2 for i in range(order))
    labels = [sum(all(j % 2 == 0 for j in walk) for walk in walks(graph, i, length)) for i in range(order)]
    A, column = fmpz_mat(graph.adjacency()), fmpz_mat([[1 - i % 2] for i in range(order)])
    columns = [column]
    for _ in range(2 * length):
        columns.append(A * columns[-1])
    seen = [tuple(int(found[i, 0]) for found in columns) for i in range(order)]
    return {
        "network_error": _within(labels, unrolled(graph, length)),
        "power_error": _within(labels, [row[: length + 1] for row in seen]),
        "double_error": _within(labels, seen),
    }


def _within(labels: list[int], classes: list[Any]) -> Fraction:
    """1 minus the share of the variance between the classes."""
    sizes, totals = Counter(classes), Counter[Any]()
    for label, name in zip(labels, classes, strict=True):
        totals[name] += label
    mean = Fraction(sum(labels), len(labels))
    between = sum((size * (Fraction(totals[name], size) - mean) ** 2 for name, size in sizes.items()), Fraction(0))
    whole = sum(label * label for label in labels) - len(labels) * mean**2
    return 1 - between / whole if whole else Fraction(0)
