"""The same numbers by other routes: brute force against recursion, matrices against lists, direct sums."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, lcm, prod
from typing import Any

from theory.enumerators import recount
from theory.graph_expressiveness.edge_growth import multisets
from theory.graph_expressiveness.graphs import Graph
from theory.graph_expressiveness.pair import FIRST, FIRST_NEIGHBOURS, SECOND, SECOND_NEIGHBOURS, from_neighbours
from theory.graph_expressiveness.refinement import Tree, aggregation_tree
from theory.graph_expressiveness.rooted_trees import bounded_trees, full_trees, level_zeros, tree_graph
from theory.graph_expressiveness.walks import walks


def _powers(graph: Graph, longest: int) -> list[list[int]]:
    """A^k 1 through integer matrix powers."""
    from flint import fmpz_mat

    A = fmpz_mat(graph.adjacency())
    power = fmpz_mat([[int(i == j) for j in range(graph.order)] for i in range(graph.order)])
    rows = []
    for _ in range(longest + 1):
        rows.append([sum(int(power[i, j]) for j in range(graph.order)) for i in range(graph.order)])
        power = power * A
    return rows


@recount("graph_expressiveness.separating_pairs")
def separating_pairs() -> dict[str, Any]:
    """Matrix powers and unrolled trees; degrees 2 and 3 differ after one round."""
    first, second = _powers(FIRST, 28), _powers(SECOND, 28)
    trees = [sorted(aggregation_tree(graph, i, 2) for i in range(14)) for graph in (FIRST, SECOND)]
    flat = [sorted(aggregation_tree(graph, i, 1) for i in range(14)) for graph in (FIRST, SECOND)]
    pair = ([[(i - 1) % 6, (i + 1) % 6] for i in range(6)], [[3, 4, 5]] * 3 + [[0, 1, 2]] * 3)
    rows = [{sum(Fraction(1, len(near[j])) for j in near[i]) for i in range(6)} for near in pair]
    return {
        # d^-a d^(a-1) is 1/d for every a, and a node of a regular graph has d such summands
        **{name: row.pop() for name, row in zip(("first_row", "second_row"), rows, strict=True) if len(row) == 1},
        "differing_walks": sum(a != b for rows in zip(first, second, strict=True) for a, b in zip(*rows, strict=True)),
        "pair_round": 1 if flat[0] != flat[1] else 2 if trees[0] != trees[1] else 0,
        "regular_round": 1,
    }


@recount("graph_expressiveness.pair_walks")
def pair_walks(seventh: list[int]) -> dict[str, Any]:
    near = {7: (seventh[0], seventh[1])}
    first = _powers(from_neighbours({**FIRST_NEIGHBOURS, **near}), 28)
    second = _powers(from_neighbours({**SECOND_NEIGHBOURS, **near}), 28)
    sides = [w[0] != w[1] for w in first]
    sides += [w[2] + w[8] != w[5] + w[7] for w in first] + [w[4] + w[6] != w[3] + w[9] for w in first]
    return {"unequal_walks": sum(a != b for a, b in zip(first, second, strict=True)), "unequal_sides": sum(sides)}


@recount("graph_expressiveness.hexagon")
def hexagon(operator: str) -> dict[str, Any]:
    """Count the nodes that the operator reaches by listing walks instead of multiplying matrices."""
    pair = [
        Graph.of(6, [(i, (i + 1) % 6) for i in range(6)]),
        Graph.of(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]),
    ]

    def reached(graph: Graph, root: int) -> int:
        two = [walk[-1] for walk in walks(graph, root, 2)]
        if operator == "min(A^2, 1)":
            return len(set(two))
        if operator == "min(A + A^2, 1)":
            return len({*two, *graph.neighbours[root]})
        return sum(end in graph.neighbours[root] for end in two)

    counts = [sorted(reached(graph, i) for i in range(6)) for graph in pair]
    # Two neighbours everywhere: no round splits anything, and words of matrices with equal constant rows agree.
    regular = {len(near) for graph in pair for near in graph.neighbours} == {2}
    found = {"separated": counts[0] != counts[1]} | ({"refinement_round": 0} if regular else {})
    return {**found, "words_separated": 0} if len({*counts[0], *counts[1]}) == 1 else found


@recount("graph_expressiveness.class_numbers")
def class_numbers(m: int, K: int, alphabet: int) -> dict[str, Any]:
    """List the unrolled trees when there are few; otherwise count the ways to choose branches by Burnside's lemma."""
    if (m, K, alphabet) in {(3, 1, 1), (3, 2, 1), (3, 1, 2), (3, 2, 2), (2, 1, 2), (2, 2, 2), (2, 3, 1), (4, 1, 2)}:
        found = {aggregation_tree(tree_graph(tree), 0, K) for tree in bounded_trees(m, K, alphabet)}
        return {"classes": len(found), "regular": sum(_regular(tree, m) for tree in found)}
    branches, full = alphabet, alphabet
    for _ in range(K - 1):
        branches = alphabet * sum(multisets(size, branches) for size in range(m))
        full = alphabet * multisets(m - 1, full)
    return {
        "classes": alphabet * sum(multisets(size, branches) for size in range(m + 1)),
        "regular": alphabet * multisets(m, full),
    }


def _regular(tree: Tree, m: int) -> bool:
    level = [tree]
    while any(branches for _, branches in level):
        if any(len(branches) != m for _, branches in level):
            return False
        level = [branch for _, branches in level for branch in branches]
    return bool(tree[1])


@recount("graph_expressiveness.tuples")
def tuples(N: int, S: int) -> dict[str, Any]:
    return (
        {"tuples": sum(1 for chosen in product(range(S + 1), repeat=N) if sum(chosen) <= S)}
        if (S + 1) ** N < 10**5
        else {}
    )


@recount("graph_expressiveness.degree_multisets")
def degree_multisets(m: int, k: int) -> dict[str, Any]:
    return {"multisets": comb(k + m - 2, m - 1)}


@recount("graph_expressiveness.trees_with_levels")
def trees_with_levels(m: int, K: int, least_first: int) -> dict[str, Any]:
    """List the trees when there are few enough of them, otherwise choose the branches kind by kind."""
    counted = dict(Counter(map(level_zeros, full_trees(m, K)))) if m**K <= 25 else _by_kinds(m, K)

    def admissible(levels: tuple[int, ...]) -> bool:
        first = K < 1 or least_first <= levels[1] <= m - least_first
        return first and all(4 * q >= 3 * 2**k and 2 * q <= m**k for k, q in enumerate(levels) if k >= 2)

    return {"fewest": min(count for levels, count in counted.items() if admissible(levels))}


def _by_kinds(m: int, K: int) -> dict[tuple[int, ...], int]:
    """How many trees have which zeros per level: branches with the same zeros are chosen together, with repetition.

    A row of zeros is the exponent of a polynomial, one digit per level.
    """
    from flint import fmpz_poly

    bases = [m ** (level + 1) + 1 for level in range(K)]
    weights = [prod(bases[:level]) for level in range(K)]
    chosen = [fmpz_poly([1])] + [fmpz_poly([0])] * m
    for levels, count in Counter(map(level_zeros, full_trees(m, K - 1))).items():
        shift = sum(zeros * weight for zeros, weight in zip(levels, weights, strict=True))
        for size in range(m, 0, -1):
            for times in range(1, size + 1):
                step = fmpz_poly([0] * (times * shift) + [comb(count + times - 1, times)])
                chosen[size] += step * chosen[size - times]
    found: dict[tuple[int, ...], int] = {}
    for exponent, count in enumerate(chosen[m].coeffs()):
        if count:
            digits = tuple(exponent // weight % base for weight, base in zip(weights, bases, strict=True))
            found |= {(root, *digits): int(count) for root in (0, 1)}
    return found


@recount("graph_expressiveness.level_walks")
def level_walks(m: int, K: int) -> dict[str, Any]:
    """Count the walks in the tree itself and take the determinant over the integers."""
    from flint import fmpz_mat

    order = sum(m**k for k in range(K + 1))
    parent = [(node - 1) // m for node in range(order)]
    ways = [1] + [0] * (order - 1)
    firsts = [sum(m**k for k in range(j)) for j in range(K + 1)]
    rows = []
    for _ in range(K + 1):
        rows.append([ways[node] for node in firsts])
        following = [0] * order
        for node in range(1, order):
            following[node] += ways[parent[node]]
            following[parent[node]] += ways[node]
        ways = following
    return {"determinant": int(fmpz_mat(rows).det())}


@recount("graph_expressiveness.level_swaps")
def level_swaps(m: int, K: int) -> dict[str, Any]:
    """Exchanging two nodes keeps the tree exactly when both are leaves of one parent."""
    leaves = m**K
    pairs = sum(comb(m**k, 2) for k in range(1, K + 1))
    return {"swaps": pairs, "kept": leaves // m * comb(m, 2)}


@recount("graph_expressiveness.power_sums")
def power_sums(n: int, least: int, exponent: str = "above") -> dict[str, Any]:
    """Compare over a common denominator instead of adding fractions; all multisets with a zero are one value."""
    with_zero = comb(2 * n + 1, n) - comb(2 * n, n) if least == 0 else 0
    a = 1
    while exponent == "above" and n > 1 and n**a <= n * (n - 1) ** a:
        a += 1
    common = lcm(*[u**a for u in range(1, n + 1)])
    values = [
        sum(common // u**a for u in chosen)
        for size in range(n + 1)
        for chosen in combinations_with_replacement(range(1, n + 1), size)
    ]
    return {"collisions": len(values) - len(set(values)) + max(with_zero - 1, 0)}
