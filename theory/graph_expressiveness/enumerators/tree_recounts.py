"""Counts on trees again: listed walks for matrices, unrolled trees for colours and back, formulas for lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import Any

from theory.enumerators import recount
from theory.graph_expressiveness.enumerators.classes import constructed_trees as construction
from theory.graph_expressiveness.enumerators.level_trees import FIGURE_LEFT, FIGURE_RIGHT
from theory.graph_expressiveness.enumerators.walk_counts import EXPONENTS, branch_tree
from theory.graph_expressiveness.graphs import Graph, featured_graphs
from theory.graph_expressiveness.refinement import Names, Tree, aggregation_tree, colours
from theory.graph_expressiveness.rooted_trees import bounded_trees, full_trees, tree_graph
from theory.graph_expressiveness.walks import walks


def unrolled(graph: Graph, depth: int) -> list[Tree]:
    """The unrolled trees of all nodes, from those of the neighbours one level less deep."""
    trees: list[Tree] = [(feature, ()) for feature in graph.features]
    for _ in range(depth):
        trees = [
            (feature, tuple(sorted(trees[j] for j in near)))
            for feature, near in zip(graph.features, graph.neighbours, strict=True)
        ]
    return trees


def listed_walks(graph: Graph, root: int, features: Sequence[int]) -> int:
    """How many walks from the root meet exactly these features, one by one."""
    wanted = list(features)
    return sum([graph.features[i] for i in walk] == wanted for walk in walks(graph, root, len(wanted)))


def weighted_walks(graph: Graph, root: int, length: int, before: int, after: int, feature: int) -> Fraction:
    """The sum over walks to nodes of a feature of d^-before at each departure and d^-after at each arrival."""
    total = Fraction(0)
    for walk in walks(graph, root, length):
        path = (root, *walk)
        if graph.features[path[-1]] == feature:
            weight = Fraction(1)
            for here, there in pairwise(path):
                weight /= Fraction(graph.degrees[here]) ** before * Fraction(graph.degrees[there]) ** after
            total += weight
    return total


def _seen(graph: Graph, depth: int, before: int, after: int, alphabet: Iterable[int]) -> list[tuple[Fraction, ...]]:
    """What the powers 0..depth show at the root, feature by feature."""
    return [
        tuple(weighted_walks(graph, 0, k, before, after, feature) for k in range(depth + 1)) for feature in alphabet
    ]


@recount("graph_expressiveness.common_tree")
def common_tree() -> dict[str, Any]:
    """Every node of both cycles has two neighbours, so that every level of the unrolled tree doubles."""
    triangle, hexagon = ([((i - 1) % n, (i + 1) % n) for i in range(n)] for n in (3, 6))
    return {"same_tree": {len(set(near)) for near in (*triangle, *hexagon)} == {2}, "orders_differ": len(hexagon) != 3}


@recount("graph_expressiveness.constructed_trees")
def constructed_trees(m: int, K: int) -> dict[str, Any]:
    """A tree is unrolled from a graph when under every child the parent returns, with the parent's own children."""
    factors = [(m - 1) ** (2**level) for level in range(1, K)]
    different = 2 * (m - 1)
    for factor in factors:
        different *= factor
    return {"different": different, "legitimate": sum(returns(tree, K) for tree in set(construction(m, K)))}


def _cut(tree: Tree, height: int) -> Tree:
    return (tree[0], tuple(sorted(_cut(branch, height - 1) for branch in tree[1])) if height else ())


def returns(tree: Tree, height: int) -> bool:
    """Whether under every child the parent comes back with its own children, as unrolling a graph makes it."""
    if height < 2:
        return True
    copy = _cut(tree, height - 2)
    return all(
        any(_cut(grandchild, height - 2) == copy for grandchild in child[1]) and returns(child, height - 1)
        for child in tree[1]
    )


@recount("graph_expressiveness.feature_classes")
def feature_classes(m: int, K: int, alphabet: int, before: int, after: int) -> dict[str, Any]:
    single, joint, networks, types = set(), set(), set(), set()
    names = Names()
    for tree in bounded_trees(m, K + 1, alphabet):
        graph = tree_graph(tree)
        seen = _seen(graph, K, before, after, range(alphabet))
        joint.add(tuple(seen))
        single.add(tuple(row[K] for row in seen))
        networks.add(colours(graph, K + 1, names)[0])
        listed = (str(_degrees_along(graph, 0, k)) for k in range(1, K + 1))
        types.add((graph.features[0], graph.degrees[0], *listed))
    return {
        "single": len(single),
        "joint": len(joint),
        "networks": len(networks),
        "types": len(types),
        "bound": _choices(m, K, alphabet),
    }


def _choices(m: int, K: int, alphabet: int) -> int:
    """Ways to choose the feature of the root and, for every length, how often each kind of walk occurs."""
    ways = Fraction(alphabet)
    for k in range(1, K + 1):
        kinds = alphabet * m * (k + m - 2) ** (m - 1)
        for place in range(1, kinds + 1):
            ways *= Fraction(m**k + place, place)
    return int(ways)


@recount("graph_expressiveness.power_classes")
def power_classes(m: int, k: int, alphabet: int, before: int, after: int) -> dict[str, Any]:
    return {"single": feature_classes(m, k, alphabet, before, after)["single"]}


@recount("graph_expressiveness.family_classes")
def family_classes(K: int, m: int, family: str) -> dict[str, Any]:
    names = Names()
    met: dict[object, set[int]] = {}
    for tree in bounded_trees(m, K, 2):
        graph = tree_graph(tree)
        rows = _seen(graph, K, 0, 0, (0, 1))
        kept = {"identity": slice(1), "last power": slice(K, None), "powers": slice(None)}[family]
        met.setdefault(tuple(row[kept] for row in rows), set()).add(colours(graph, K, names)[0])
    return {"classes": len(met), "met": max(map(len, met.values()))}


@recount("graph_expressiveness.preset_classes")
def preset_classes(m: int, K: int) -> dict[str, Any]:
    """For K = 1 a neighbour of degree q adds 1/sqrt(p q) to a node of degree p, loops counted."""
    if K != 1:
        return {}
    convolution, features, networks = set(), set(), set()
    names = Names()
    for tree in bounded_trees(m, 2, 2):
        graph = tree_graph(tree)
        degrees = [degree + 1 for degree in graph.degrees]
        near = [*graph.neighbours[0], 0]
        sums = tuple(
            _roots([degrees[j] for j in near if graph.features[j] == feature], degrees[0]) for feature in (0, 1)
        )
        convolution.add(sums)
        features.add((graph.features[0], graph.degrees[0], sums))
        networks.add(colours(graph, 2, names)[0])
    return {"convolution": len(convolution), "feature_network": len(features), "networks": len(networks)}


def _roots(degrees: list[int], own: int) -> tuple[tuple[int, Fraction], ...]:
    """The sum of 1/sqrt(own q) as coefficients of square roots of squarefree numbers, which are independent."""
    parts: dict[int, Fraction] = {}
    for q in degrees:
        free, square = own * q, 1
        for p in range(2, own * q + 1):
            while free % (p * p) == 0:
                free, square = free // (p * p), square * p
        parts[free] = parts.get(free, Fraction(0)) + Fraction(1, square * free)
    return tuple(sorted(parts.items()))


@recount("graph_expressiveness.full_tree_degree")
def full_tree_degree(m: int, K: int, arity_below: int) -> dict[str, Any]:
    """Children and a parent, as soon as some node has both."""
    arity = m - arity_below
    return {"degree": arity + 1 if K >= 2 else arity}


@recount("graph_expressiveness.base_trees")
def base_trees(m: int, K: int, zeros: list[int]) -> dict[str, Any]:
    """A tree of depth 1 is known by its zeros, and has both features when they are neither none nor all."""
    counts = [int(K == 0 or 0 < first < m) for first in zeros]
    return {"least": min(counts), "most": max(counts)} if K <= 1 else {}


@recount("graph_expressiveness.completions")
def completions(m: int, K: int) -> dict[str, Any]:
    """Add up the choices under the commoner half one path at a time."""
    failing = 0
    for tree in full_trees(m, K - 1):
        ends: dict[tuple[int, ...], int] = {}
        for path in _paths(tree):
            ends[path] = ends.get(path, 0) + 1
        if len(ends) < 2 ** (K - 1):
            continue
        sizes = sorted(ends.values())
        rare, sums = sizes[: len(sizes) // 2], {0}
        for size in sizes[len(sizes) // 2 :]:
            sums = {total + zeros for total in sums for zeros in range(1, m * size)}
        for chosen in product((1, 2), repeat=len(rare)):
            fits = all(zeros < m * size for zeros, size in zip(chosen, rare, strict=True))
            wanted = [q - sum(chosen) for q in range(3 * 2 ** (K - 2), m**K // 2 + 1)]
            failing += sum(not (fits and rest in sums) for rest in wanted)
    return {"failing": failing}


def _paths(tree: Tree) -> list[tuple[int, ...]]:
    if not tree[1]:
        return [()]
    return [(branch[0], *path) for branch in tree[1] for path in _paths(branch)]


@recount("graph_expressiveness.figure_trees")
def figure_trees() -> dict[str, Any]:
    """Both trees among the 128 colourings of seven nodes, with the symmetries written out."""
    flips = [(0, 1, 2, 4, 3, 5, 6), (0, 1, 2, 3, 4, 6, 5), (0, 2, 1, 5, 6, 3, 4)]
    group = {tuple(range(7))}
    while (larger := group | {tuple(p[i] for i in flip) for p in group for flip in flips}) != group:
        group = larger
    shape = [c for c in product((0, 1), repeat=7) if (c[0], sum(c[1:3]), sum(c[3:])) == (0, 1, 1)]
    kinds = {min(tuple(colouring[i] for i in image) for image in group) for colouring in shape}
    left, right = tree_graph(FIGURE_LEFT), tree_graph(FIGURE_RIGHT)
    unrolled = [sorted(aggregation_tree(graph, i, 2) for i in range(7)) for graph in (left, right)]
    orbits = {frozenset(image[i] for image in group) for i in range(7)}
    alike = {min(tuple(graph.features[i] for i in image) for image in group) for graph in (left, right)}
    return {
        "alike": len(kinds),
        "same_levels": alike <= kinds,
        "left_walks": listed_walks(left, 0, (1, 1)),
        "right_walks": listed_walks(right, 0, (1, 1)),
        "networks_separate": unrolled[0] != unrolled[1],
        "orbits_are_levels": orbits == {frozenset({0}), frozenset({1, 2}), frozenset({3, 4, 5, 6})},
    }


@recount("graph_expressiveness.branch_walks")
def branch_walks(m: int, k: int) -> dict[str, Any]:
    size = m ** (k - 1)
    differing, fewest = 0, size + 1
    for features, root in product(product((0, 1), repeat=k), (0, 1)):
        trees = [tree_graph(branch_tree(m, features, root, marked, size - marked)) for marked in range(size + 1)]
        counts = [listed_walks(tree, 0, features) for tree in trees]
        differing += sum(count != marked for marked, count in enumerate(counts))
        fewest = min(fewest, len(set(counts)))
    return {"differing": differing, "fewest_values": fewest}


@recount("graph_expressiveness.branch_ranges")
def branch_ranges(m: int, k: int) -> dict[str, Any]:
    """As many classes as whole numbers from size/2 to 3 size/2; the walks are listed."""
    arity, size = m - 1, (m - 1) ** (k - 1)
    fewest = size + 1
    for features in product((0, 1), repeat=k):
        for q in range((size + 1) // 2, 3 * size // 2 + 1):
            marks = range(max(0, q - (arity - 1) * size), min(size, q) + 1)
            trees = [tree_graph(branch_tree(arity, features, 0, marked, q - marked)) for marked in marks]
            fewest = min(fewest, len({listed_walks(tree, 0, features) for tree in trees}))
    return {"classes": 3 * size // 2 - (size + 1) // 2 + 1, "fewest_values": fewest}


@recount("graph_expressiveness.network_as_operator")
def network_as_operator(K: int, m: int) -> dict[str, Any]:
    """The classes by unrolled trees, which the network classes are: each meets one; walks are listed."""
    counts: dict[Tree, set[int]] = {}
    for tree in bounded_trees(m, K, 2):
        graph = tree_graph(tree)
        counts.setdefault(aggregation_tree(graph, 0, K), set()).add(listed_walks(graph, 0, (1,) * K))
    return {"met": 1, "values": max(map(len, counts.values()))}


@recount("graph_expressiveness.level_permutations")
def level_permutations(m: int, K: int, kind: str) -> dict[str, Any]:
    """The operator as a sum over walks of length two, the permutations from all those that keep every level."""
    order = sum(m**k for k in range(K + 1))
    if order > 7:
        return {}
    tree = Graph.of(order, [((node - 1) // m, node) for node in range(1, order)])
    level = [next(k for k in range(K + 1) if node < sum(m**j for j in range(k + 1))) for node in range(order)]
    kept = [image for image in permutations(range(order)) if all(level[i] == level[j] for i, j in enumerate(image))]
    edges = {frozenset(edge) for edge in tree.edges}
    if kind == "exchange":
        images = [image for image in kept if sum(i != j for i, j in enumerate(image)) == 2]
    else:
        images = [image for image in kept if {frozenset(image[i] for i in edge) for edge in edges} == edges]
    pairs = [list(walks(tree, node, 2)) for node in range(order)]
    unequal = root_unequal = 0
    for features in product((0, 1), repeat=order):
        straight = [sum(features[i] * features[j] for i, j in found) for found in pairs]
        for image in images:
            moved = [sum(features[image[i]] * features[image[j]] for i, j in found) for found in pairs]
            unequal += moved != [straight[i] for i in image]
            root_unequal += moved[0] != straight[0]
    return {"unequal": unequal, "root_unequal": root_unequal}


@recount("graph_expressiveness.refinement_bounds")
def refinement_bounds(n: int, deepest: int, extra: int, last_degree: bool = True) -> dict[str, Any]:
    """Unrolled trees instead of colours, and the degrees along listed walks instead of walk types."""
    violations = 0
    for depth in range(deepest + 1):
        seen: dict[Tree, object] = {}
        for graph in featured_graphs(n, 2):
            for i, tree in enumerate(unrolled(graph, depth + extra)):
                along = [_degrees_along(graph, i, k, last_degree) for k in range(1, depth + 1)]
                own = (graph.features[i], along)
                violations += seen.setdefault(tree, own) != own
    return {"violations": violations}


def _degrees_along(graph: Graph, root: int, length: int, last_degree: bool = True) -> list[tuple[list[int], int, int]]:
    degrees = graph.degrees
    return sorted(
        (sorted(degrees[i] for i in walk[:-1]), degrees[walk[-1]] if last_degree else 0, graph.features[walk[-1]])
        for walk in walks(graph, root, length)
    )


@recount("graph_expressiveness.walk_expansion")
def walk_expansion(n: int, longest: int, end: str) -> dict[str, Any]:
    """The powers as sums over listed walks; the grouped display with its own reading of the last degree."""
    differing = 0
    for graph in featured_graphs(n, 2):
        for (a, b), k, i in product(EXPONENTS, range(1, longest + 1), range(n)):
            total = Fraction(0)
            for walk in walks(graph, i, k):
                if graph.features[walk[-1]] == 1:
                    last = Fraction(graph.degrees[walk[-1]])
                    weight = Fraction(1, 1) / Fraction(graph.degrees[i]) ** a
                    for j in walk[:-1]:
                        weight /= Fraction(graph.degrees[j]) ** (a + b)
                    total += weight * (last**-b if end == "power" else last)
            differing += total != weighted_walks(graph, i, k, a, b, 1)
    return {"differing": differing}
