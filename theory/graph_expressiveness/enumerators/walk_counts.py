"""Walks by their types: the expansion of operator powers, what refinement bounds, attributed walks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from theory.enumerators import enumerator
from theory.graph_expressiveness.graphs import Graph, featured_graphs
from theory.graph_expressiveness.refinement import Names, Tree, aggregation_tree, colours, partition
from theory.graph_expressiveness.rooted_trees import bounded_trees, level_zeros, tree_graph
from theory.graph_expressiveness.walks import WalkType, attributed_walk_count, augmented_features, walk_types, walks

EXPONENTS = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (0, -1), (-1, 2))


@enumerator("graph_expressiveness.unrolling")
def unrolling(n: int, deepest: int) -> dict[str, Any]:
    """Whether rounds of refinement and unrolled trees make the same classes of nodes, over all 0-1 featured graphs."""
    graphs = list(featured_graphs(n, 2))
    differing = 0
    for depth in range(deepest + 1):
        names = Names()
        by_colour = partition(colour for graph in graphs for colour in colours(graph, depth, names))
        by_tree = partition(aggregation_tree(graph, i, depth) for graph in graphs for i in range(n))
        differing += by_colour != by_tree
    return {
        "differing": differing,
        "cases": len(graphs) * (deepest + 1),
        "coverage": f"all graphs of the order with features 0 and 1, depths 0..{deepest}",
    }


@enumerator("graph_expressiveness.walk_expansion")
def walk_expansion(n: int, longest: int, end: str) -> dict[str, Any]:
    """How often (D^-a A D^-b)^k 1[X = 1] differs from its sum over walk types, over graphs, nodes, lengths, (a, b).

    `end` says how the degree of the last node enters: "power" as d^-b, "plain" as d (the grouped display).
    """
    example: dict[str, Any] = {}
    differing = cases = 0
    for graph in featured_graphs(n, 2):
        types = [walk_types(graph, k) for k in range(1, longest + 1)]
        for a, b in EXPONENTS:
            rows = augmented_features(graph, longest, a, b, alphabet=(1,))
            for k, i in product(range(1, longest + 1), range(n)):
                cases += 1
                total = _grouped(graph, i, types[k - 1][i], a, b, end)
                if total != rows[i][k]:
                    differing += 1
                    shown = {"graph": graph, "node": i, "k": k, "a": a, "b": b, "left": rows[i][k], "right": total}
                    example = example or shown
    coverage = f"all graphs of the order with features 0 and 1, k = 1..{longest}, (a, b) in {EXPONENTS}"
    return {"differing": differing, "cases": cases, "coverage": coverage, "counterexample": example}


def _grouped(graph: Graph, i: int, types: Counter[Any], a: int, b: int, end: str) -> Fraction:
    total = Fraction(0)
    for (middle, last, feature), count in types.items():
        if feature == 1:
            factor = Fraction(1)
            for degree in middle:
                factor /= Fraction(degree) ** (a + b)
            total += count * factor * (Fraction(last) ** -b if end == "power" else Fraction(last))
    return total / Fraction(max(graph.degrees[i], 1)) ** a


@enumerator("graph_expressiveness.refinement_bounds")
def refinement_bounds(n: int, deepest: int, extra: int, last_degree: bool = True) -> dict[str, Any]:
    """Pairs of nodes with equal colours after K + extra rounds and different walk types of some length up to K.

    Walk types with the degree of the node itself determine the features of D^-a A D^-b for every real a and b;
    without the degree of their last node those for b = 0.
    """
    names = Names()
    graphs = list(featured_graphs(n, 2))
    example: dict[str, Any] = {}
    violations = 0
    for depth in range(deepest + 1):
        seen: dict[int, tuple[object, Graph, int]] = {}
        for graph in graphs:
            coloured = colours(graph, depth + extra, names)
            types = [walk_types(graph, k) for k in range(depth + 1)]
            for i in range(n):
                seen_types = [types[k][i] if last_degree else _endless(types[k][i]) for k in range(1, depth + 1)]
                own = (graph.features[i], [frozenset(found.items()) for found in seen_types])
                known = seen.setdefault(coloured[i], (own, graph, i))
                if known[0] != own:
                    violations += 1
                    example = example or {
                        "K": depth,
                        "first": f"node {known[2]} of {known[1]}",
                        "second": f"node {i} of {graph}",
                    }
    return {
        "violations": violations,
        "cases": len(graphs) * n * (deepest + 1),
        "coverage": f"all graphs of the order with features 0 and 1, K = 0..{deepest}",
        "counterexample": example,
    }


def _endless(types: Counter[WalkType]) -> Counter[WalkType]:
    """The walk types without the degree of the last node."""
    total: Counter[WalkType] = Counter()
    for (middle, _, feature), count in types.items():
        total[middle, 0, feature] += count
    return total


@enumerator("graph_expressiveness.walk_totals")
def walk_totals(n: int, longest: int) -> dict[str, Any]:
    """Whether the walk types of a length add up to the walks, and these to at most m^k (m the largest degree)."""
    unequal = excess = cases = 0
    for graph in featured_graphs(n, 1):
        most = max(graph.degrees)
        for k in range(1, longest + 1):
            types = walk_types(graph, k)
            for i in range(n):
                count = sum(1 for _ in walks(graph, i, k))
                unequal += count != sum(types[i].values())
                excess += count > most**k
                cases += 1
    return {
        "unequal": unequal,
        "excess": excess,
        "cases": cases,
        "coverage": f"all graphs of the order, k = 1..{longest}",
    }


@enumerator("graph_expressiveness.straight_walks")
def straight_walks(m: int, K: int) -> dict[str, Any]:
    """Trees in which walks that never turn back at once are not just the paths to the nodes of their depth."""
    violations = cases = 0
    for tree in bounded_trees(m, K, 1):
        graph = tree_graph(tree)
        depth = {0: 0}
        for i, j in graph.edges:
            depth[j] = depth[i] + 1
        for k in range(1, K + 1):
            paths = [(0, *walk) for walk in walks(graph, 0, k)]
            ends = sorted(path[-1] for path in paths if all(path[i] != path[i + 2] for i in range(k - 1)))
            violations += ends != [node for node in range(graph.order) if depth[node] == k]
            cases += 1
    return {"violations": violations, "cases": cases, "coverage": "every tree with degrees at most m"}


@enumerator("graph_expressiveness.attributed_walks")
def attributed_walks(n: int, longest: int) -> dict[str, Any]:
    """Nodes with equal colours after k rounds and different numbers of walks with some prescribed k features."""
    names = Names()
    example: dict[str, Any] = {}
    violations = 0
    graphs = list(featured_graphs(n, 2))
    for k in range(1, longest + 1):
        seen: dict[int, tuple[int, ...]] = {}
        for graph in graphs:
            coloured = colours(graph, k, names)
            for i in range(n):
                counts = tuple(attributed_walk_count(graph, i, x) for x in product((0, 1), repeat=k))
                if seen.setdefault(coloured[i], counts) != counts:
                    violations += 1
                    example = example or {"graph": graph, "node": i, "k": k}
    coverage = f"all graphs of the order with features 0 and 1, k = 1..{longest}, all feature sequences"
    return {
        "violations": violations,
        "cases": len(graphs) * n * longest,
        "coverage": coverage,
        "counterexample": example,
    }


def branch_tree(m: int, features: tuple[int, ...], root: int, marked: int, others: int) -> Tree:
    """The tree of the construction: prescribed features in the first branch, their negations in the other branches.

    On the last level the first branch has `marked` nodes with the last feature, the other branches have `others`.

    >>> branch_tree(2, (1,), 0, 1, 0)
    (0, ((0, ()), (1, ())))
    """
    k = len(features)

    def leaves(count: int, total: int) -> list[int]:
        return [features[-1]] * count + [1 - features[-1]] * (total - count)

    def grow(level: int, inside: bool, supply: list[int]) -> Tree:
        if level == k:
            return (supply.pop(), ())
        feature = features[level - 1] if inside else 1 - features[level - 1]
        return (feature, tuple(sorted(grow(level + 1, inside, supply) for _ in range(m))))

    first, rest = leaves(marked, m ** (k - 1)), leaves(others, (m - 1) * m ** (k - 1))
    branches = [grow(1, inside, supply) for inside, supply in [(True, first), *[(False, rest)] * (m - 1)]]
    return (root, tuple(sorted(branches)))


@enumerator("graph_expressiveness.branch_walks")
def branch_walks(m: int, k: int) -> dict[str, Any]:
    """The walk counts on the trees of the construction, for every feature sequence and every feature of the root.

    `differing` counts the trees on which f_k is not the number of marked nodes; `fewest_values` is the least number
    of values that f_k takes for one sequence, one root and one number of zeros on every level.
    """
    example: dict[str, Any] = {}
    size = m ** (k - 1)
    differing, cases, fewest = 0, 0, size + 1
    for features, root in product(product((0, 1), repeat=k), (0, 1)):
        values = set()
        for marked in range(size + 1):
            tree = branch_tree(m, features, root, marked, size - marked)
            count = attributed_walk_count(tree_graph(tree), 0, features)
            values.add(count)
            cases += 1
            if count != marked:
                differing += 1
                shown = {"features": features, "root": root, "marked": marked, "walks": count}
                example = example or shown
        fewest = min(fewest, len(values))
    return {
        "differing": differing,
        "fewest_values": fewest,
        "cases": cases,
        "coverage": "every feature sequence, root feature and number of marked nodes",
        "counterexample": example,
    }


@enumerator("graph_expressiveness.branch_ranges")
def branch_ranges(m: int, k: int) -> dict[str, Any]:
    """The construction on full (m-1)-ary trees, whose degrees are at most m, for every feature sequence.

    For every number q of marked-feature nodes on the last level between half and three halves of a branch:
    `classes` is how many such q there are, `fewest_values` how many walk counts occur at least for one of them.
    """
    arity = m - 1
    size = arity ** (k - 1)
    allowed = [q for q in range(size * arity + 1) if size <= 2 * q <= 3 * size]
    fewest, cases = size + 1, 0
    for features in product((0, 1), repeat=k):
        for q in allowed:
            marks = [marked for marked in range(size + 1) if 0 <= q - marked <= (arity - 1) * size]
            trees = [branch_tree(arity, features, 0, marked, q - marked) for marked in marks]
            counts = {attributed_walk_count(tree_graph(tree), 0, features) for tree in trees}
            fewest, cases = min(fewest, len(counts)), cases + len(trees)
    return {"classes": len(allowed), "fewest_values": fewest, "cases": cases, "coverage": "every feature sequence"}


@enumerator("graph_expressiveness.branch_levels")
def branch_levels(m: int, k: int) -> dict[str, Any]:
    """Sequences for which a level of the construction does not have the stated number of zeros."""
    violations = cases = 0
    for features in product((0, 1), repeat=k):
        zeros = level_zeros(branch_tree(m, features, 0, 0, 0))
        for level in range(1, k):
            stated = m ** (level - 1) if features[level - 1] == 0 else (m - 1) * m ** (level - 1)
            violations += zeros[level] != stated
            cases += 1
    return {"violations": violations, "cases": cases, "coverage": "every feature sequence and level"}
