"""Full m-ary trees with two features: symmetry of the levels, and how many trees share their counts per level."""

from __future__ import annotations

from itertools import product
from typing import Any

from theory.enumerators import enumerator
from theory.graph_expressiveness.graphs import Graph, automorphisms
from theory.graph_expressiveness.refinement import separated
from theory.graph_expressiveness.rooted_trees import (
    full_trees,
    has_all_paths,
    level_zeros,
    path_counts,
    tree_graph,
    trees_by_levels,
)
from theory.graph_expressiveness.walks import attributed_walk_count


def full_tree_graph(m: int, depth: int) -> Graph:
    """The full m-ary tree without features; node 0 is the root, nodes in order of depth.

    >>> full_tree_graph(2, 1).degrees
    (2, 1, 1)
    """
    order = sum(m**k for k in range(depth + 1))
    return Graph.of(order, [((node - 1) // m, node) for node in range(1, order)])


def depths(m: int, depth: int) -> list[int]:
    """The depth of every node of the full m-ary tree.

    >>> depths(2, 1)
    [0, 1, 1]
    """
    return [k for k in range(depth + 1) for _ in range(m**k)]


@enumerator("graph_expressiveness.full_tree_degree")
def full_tree_degree(m: int, K: int, arity_below: int) -> dict[str, Any]:
    """The largest degree in the full tree of the depth whose nodes have m - arity_below children."""
    graph = full_tree_graph(m - arity_below, K)
    node = max(range(graph.order), key=lambda i: graph.degrees[i])
    return {
        "degree": graph.degrees[node],
        "cases": graph.order,
        "counterexample": {"node": f"{node}, with its parent and its {m - arity_below} children"},
    }


@enumerator("graph_expressiveness.level_orbits")
def level_orbits(m: int, K: int) -> dict[str, Any]:
    """Whether the orbits of the root-preserving automorphisms of the full m-ary tree are its levels."""
    graph, level = full_tree_graph(m, K), depths(m, K)
    reached = [{i} for i in range(graph.order)]
    cases = 0
    for image in automorphisms(graph):
        if image[0] == 0:
            cases += 1
            for i, j in enumerate(image):
                reached[i].add(j)
    orbits = {frozenset(found) for found in reached}
    levels = {frozenset(i for i in range(graph.order) if level[i] == k) for k in range(K + 1)}
    return {"orbits": len(orbits), "differing": len(orbits ^ levels), "cases": cases, "coverage": "every automorphism"}


@enumerator("graph_expressiveness.level_swaps")
def level_swaps(m: int, K: int) -> dict[str, Any]:
    """The exchanges of two nodes of one level, and how many of them leave the adjacency matrix as it was."""
    graph, level = full_tree_graph(m, K), depths(m, K)
    kept = swaps = 0
    example: dict[str, Any] = {}
    for i in range(1, graph.order):
        for j in range(i + 1, graph.order):
            if level[i] == level[j]:
                image = list(range(graph.order))
                image[i], image[j] = j, i
                swaps += 1
                if graph.permuted(tuple(image)) == graph:
                    kept += 1
                elif not example:
                    example = {"exchanged nodes": (i, j), "level": level[i], "tree": graph}
    return {"swaps": swaps, "kept": kept, "cases": swaps, "coverage": "every exchange", "counterexample": example}


@enumerator("graph_expressiveness.level_walks")
def level_walks(m: int, K: int) -> dict[str, Any]:
    """The determinant of the map from zeros per level to (A^k 1[X = 0])_root, k = 0..K, on full m-ary trees.

    Entry (k, j) counts the walks of length k from the root to one node of depth j; none is longer than it must be on
    the diagonal, so the matrix is triangular.
    """
    row = [1] + [0] * K
    rows = [row]
    for _ in range(K):
        row = [
            (row[j - 1] if j else 0) + (m * row[j + 1] if j < K else 0)
            for j in range(K + 1)
        ]  # fmt: skip
        rows.append(row)
    triangular = all(rows[k][j] == 0 for k in range(K + 1) for j in range(k + 1, K + 1))
    diagonal = 1
    for k in range(K + 1):
        diagonal *= rows[k][k]
    return {"determinant": diagonal if triangular else 0, "cases": K + 1}


@enumerator("graph_expressiveness.trees_with_levels")
def trees_with_levels(m: int, K: int, least_first: int) -> dict[str, Any]:
    """The least number of full m-ary trees that share their zeros per level, over all level counts of (A.20).

    The zeros of the first level run from least_first to m - least_first.
    """
    counted = trees_by_levels(m, K)
    ranges = [range(2), range(least_first, m - least_first + 1)]
    ranges += [range(2**k - 2 ** (k - 2), m**k // 2 + 1) for k in range(2, K + 1)]
    admissible = {levels: counted.get(levels, 0) for levels in product(*ranges[: K + 1])}
    fewest = min(admissible, key=lambda levels: admissible[levels])
    return {
        "fewest": admissible[fewest],
        "cases": len(admissible),
        "coverage": "every admissible choice of zeros per level",
        "counterexample": {"zeros per level": fewest},
    }


@enumerator("graph_expressiveness.base_trees")
def base_trees(m: int, K: int, zeros: list[int]) -> dict[str, Any]:
    """The numbers of trees that contain all 2^K feature paths, over root features and the given zeros of level 1."""
    counts = {}
    for root in (0, 1):
        for first in zeros if K else [0]:
            levels = (root, first)[: K + 1]
            alike = [tree for tree in full_trees(m, K) if level_zeros(tree) == levels and has_all_paths(tree, K)]
            counts[levels] = len(alike)
    smallest = min(counts, key=lambda levels: counts[levels])
    return {
        "least": counts[smallest],
        "most": max(counts.values()),
        "cases": len(counts),
        "coverage": "root features 0 and 1",
        "counterexample": {"zeros per level": smallest, "trees": counts[smallest]},
    }


@enumerator("graph_expressiveness.extension_factor")
def extension_factor(m: int, K: int) -> dict[str, Any]:
    """The least ratio of trees with all paths of depth K to those of depth K - 1, over admissible level counts."""
    deep: dict[tuple[int, ...], int] = {}
    flat: dict[tuple[int, ...], int] = {}
    for found, depth in ((deep, K), (flat, K - 1)):
        for tree in full_trees(m, depth):
            if has_all_paths(tree, depth):
                levels = level_zeros(tree)
                found[levels] = found.get(levels, 0) + 1
    allowed = range(2**K - 2 ** (K - 2), m**K // 2 + 1)
    surplus = [
        deep.get((*levels, q), 0) - 2 ** (2 ** (K - 2)) * count for levels, count in flat.items() for q in allowed
    ]
    return {"surplus": min(surplus), "cases": len(surplus), "coverage": "every admissible choice of zeros per level"}


@enumerator("graph_expressiveness.completions")
def completions(m: int, K: int) -> dict[str, Any]:
    """Choices of 1 or 2 zeros under the rarer half of the paths that no choice under the others completes."""
    failing = cases = 0
    example: dict[str, Any] = {}
    for tree in full_trees(m, K - 1):
        paths = sorted(path_counts(tree).items(), key=lambda item: item[1])
        if len(paths) < 2 ** (K - 1):
            continue
        rare, common = paths[: 2 ** (K - 2)], paths[2 ** (K - 2) :]
        most = [m * count - 1 for _, count in common]
        for chosen in product((1, 2), repeat=len(rare)):
            for q in range(2**K - 2 ** (K - 2), m**K // 2 + 1):
                cases += 1
                fits = all(c <= m * count - 1 for c, (_, count) in zip(chosen, rare, strict=True))
                if not (fits and len(most) <= q - sum(chosen) <= sum(most)):
                    failing += 1
                    example = example or {"tree": tree, "zeros under the rarer half": chosen, "q": q}
    return {"failing": failing, "cases": cases, "coverage": "every tree, choice and q", "counterexample": example}


@enumerator("graph_expressiveness.reachable_sums")
def reachable_sums(terms: int, largest: int) -> dict[str, Any]:
    """Integers between the least and the largest sum that no choice of terms, each from 1 to its own limit, reaches."""
    missed = cases = 0
    for limits in product(range(1, largest + 1), repeat=terms):
        sums = {sum(chosen) for chosen in product(*[range(1, limit + 1) for limit in limits])}
        missed += len(set(range(terms, sum(limits) + 1)) - sums)
        cases += 1
    return {"missed": missed, "cases": cases, "coverage": f"all limits up to {largest}"}


FIGURE_LEFT = (0, ((0, ((0, ()), (0, ()))), (1, ((0, ()), (1, ())))))
FIGURE_RIGHT = (0, ((0, ((0, ()), (1, ()))), (1, ((0, ()), (0, ())))))


@enumerator("graph_expressiveness.figure_trees")
def figure_trees() -> dict[str, Any]:
    """The two trees of the figure: level counts, walks with features (1, 1), refinement, and all trees like them."""
    left, right = tree_graph(FIGURE_LEFT), tree_graph(FIGURE_RIGHT)
    return {
        "alike": sum(level_zeros(tree) == (1, 1, 3) for tree in full_trees(2, 2)),
        "same_levels": level_zeros(FIGURE_LEFT) == level_zeros(FIGURE_RIGHT) == (1, 1, 3),
        "left_walks": attributed_walk_count(left, 0, (1, 1)),
        "right_walks": attributed_walk_count(right, 0, (1, 1)),
        "networks_separate": separated(left, right, 2),
        "orbits_are_levels": level_orbits(2, 2)["differing"] == 0,
        "cases": len(full_trees(2, 2)),
        "coverage": "both trees, all automorphisms, all 42 trees of their shape",
    }
