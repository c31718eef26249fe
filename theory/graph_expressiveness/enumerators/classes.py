"""Classes of rooted graphs: how many trees graph networks tell apart, and how many walk-count vectors there are."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Any

from theory.enumerators import enumerator
from theory.graph_expressiveness.graphs import cycle, featured_graphs
from theory.graph_expressiveness.refinement import Names, Tree, aggregation_tree, colours
from theory.graph_expressiveness.rooted_trees import bounded_trees, class_count, regular_class_count, tree_graph
from theory.graph_expressiveness.walks import augmented_features, walk_types


@enumerator("graph_expressiveness.common_tree")
def common_tree() -> dict[str, Any]:
    """A triangle and a hexagon from one of their nodes: same unrolled tree at every depth, different graphs.

    Once a round of refinement splits no class, no later round does; the joint graph has nine nodes.
    """
    triangle, hexagon = cycle(3), cycle(6)
    names = Names()
    rounds = triangle.order + hexagon.order
    same = all(colours(triangle, k, names)[0] == colours(hexagon, k, names)[0] for k in range(rounds + 1))
    trees = all(aggregation_tree(triangle, 0, k) == aggregation_tree(hexagon, 0, k) for k in range(6))
    return {
        "same_tree": same and trees,
        "orders_differ": triangle.order != hexagon.order,
        "cases": rounds + 1,
        "coverage": "all depths (9 rounds are stable)",
    }


@enumerator("graph_expressiveness.unrolled_classes")
def unrolled_classes(m: int, K: int, alphabet: int, order: int) -> dict[str, Any]:
    """The number of different unrolled trees: listed from all trees of bounded degree, and by the recursion.

    `outside` counts the unrolled trees of general graphs of up to the given order that no tree of the list has.
    """
    unrolled = {aggregation_tree(tree_graph(tree), 0, K) for tree in bounded_trees(m, K, alphabet)}
    outside = {
        tree
        for n in range(1, order + 1)
        for graph in featured_graphs(n, alphabet, most=m)
        for tree in (aggregation_tree(graph, i, K) for i in range(n))
    } - unrolled
    return {
        "listed": len(unrolled),
        "counted": class_count(m, K, alphabet),
        "outside": len(outside),
        "cases": len(unrolled),
        "coverage": f"alphabet of {alphabet}, all rooted graphs with up to {order} nodes",
    }


@enumerator("graph_expressiveness.class_numbers")
def class_numbers(m: int, K: int, alphabet: int) -> dict[str, Any]:
    """The number of classes of rooted graphs with degrees at most m under depth-K networks, by the recursion."""
    return {"classes": class_count(m, K, alphabet), "regular": regular_class_count(m, K, alphabet)}


def extended(tree: Tree, m: int, zeros: dict[tuple[int, ...], int], path: tuple[int, ...] = ()) -> Tree:
    """Give every leaf m children; the number of zeros among them depends on the features on the way to the leaf.

    >>> extended((1, ()), 2, {(): 1})
    (1, ((0, ()), (1, ())))
    """
    feature, branches = tree
    if not branches:
        count = zeros[path]
        return (feature, ((0, ()),) * count + ((1, ()),) * (m - count))
    return (feature, tuple(sorted(extended(branch, m, zeros, (*path, branch[0])) for branch in branches)))


def constructed_trees(m: int, depth: int) -> list[Tree]:
    """The trees that the induction of Lemma A.6 builds, with repetitions if there are any.

    >>> len(constructed_trees(3, 2))
    16
    """
    trees: list[Tree] = [extended((root, ()), m, {(): count}) for root in (0, 1) for count in range(1, m)]
    for level in range(1, depth):
        paths = list(product((0, 1), repeat=level))
        choices = list(product(range(1, m), repeat=len(paths)))
        trees = [extended(tree, m, dict(zip(paths, chosen, strict=True))) for tree in trees for chosen in choices]
    return trees


@enumerator("graph_expressiveness.constructed_trees")
def constructed(m: int, K: int) -> dict[str, Any]:
    """How many different trees the induction builds, and how many of them are unrolled trees of some graph."""
    different = set(constructed_trees(m, K))
    legitimate = {aggregation_tree(tree_graph(tree), 0, K) for tree in bounded_trees(m, K, 2, regular=True)}
    bad = sorted(different - legitimate)
    return {
        "different": len(different),
        "legitimate": len(different & legitimate),
        "cases": len(different),
        "coverage": "every tree of the construction against every unrolled tree",
        "counterexample": {"tree that no graph unrolls to": bad[0]} if bad else {},
    }


@enumerator("graph_expressiveness.built_trees")
def built_trees(m: int, K: int) -> dict[str, Any]:
    """How many trees the induction builds, and how many of them are different."""
    trees = constructed_trees(m, K)
    coverage = "every tree of the construction"
    return {"built": len(trees), "different": len(set(trees)), "cases": len(trees), "coverage": coverage}


@enumerator("graph_expressiveness.feature_classes")
def feature_classes(m: int, K: int, alphabet: int, before: int, after: int) -> dict[str, Any]:
    """Classes of rooted graphs with degrees at most m under (D^-before A D^-after)^k.

    `single` is for the power K alone, `joint` for all powers up to K, `types` for all walk types up to K with the
    degree of the root, which bounds `joint` for every choice of the two exponents; `bound` multiplies, over k, the
    numbers of ways to choose the counts of all walk types with sum at most m^k.
    """
    single, joint, types = set(), set(), set()
    total, bound = 0, alphabet
    for k in range(1, K + 1):
        kinds = alphabet * m * (k + m - 2) ** (m - 1)
        bound *= comb(m**k + kinds, kinds)
    for tree in bounded_trees(m, K + 1, alphabet):
        total += 1
        graph = tree_graph(tree)
        values = augmented_features(graph, K, before, after, range(alphabet))[0]
        joint.add(values)
        single.add(values[K :: K + 1])
        lengths = [walk_types(graph, k)[0] for k in range(K + 1)]
        types.add((graph.degrees[0], *[frozenset(found.items()) for found in lengths]))
    return {
        "single": len(single),
        "joint": len(joint),
        "types": len(types),
        "bound": bound,
        "networks": class_count(m, K + 1, alphabet),
        "cases": total,
        "coverage": f"all rooted graphs with degrees at most m and {alphabet} features, exponents ({before}, {after})",
    }


@enumerator("graph_expressiveness.power_classes")
def power_classes(m: int, k: int, alphabet: int, before: int, after: int) -> dict[str, Any]:
    """Classes of rooted graphs with degrees at most m under the single power k of D^-before A D^-after."""
    found = feature_classes(m, k, alphabet, before, after)
    return {key: found[key] for key in ("single", "cases", "coverage")}


@enumerator("graph_expressiveness.degree_multisets")
def degree_multisets(m: int, k: int) -> dict[str, Any]:
    """The number of multisets of k - 1 degrees between 1 and m, listed."""
    return {"multisets": sum(1 for _ in combinations_with_replacement(range(1, m + 1), k - 1))}


@enumerator("graph_expressiveness.tuples")
def tuples(N: int, S: int) -> dict[str, Any]:
    """The number of N-tuples of non-negative integers whose sum is at most S, by adding one entry at a time."""
    by_sum = [1] + [0] * S
    for _ in range(N):
        by_sum = [sum(by_sum[: total + 1]) for total in range(S + 1)]
    return {"tuples": sum(by_sum), "coverage": "every tuple", "cases": sum(by_sum)}


@enumerator("graph_expressiveness.shattering")
def shattering(m: int, K: int) -> dict[str, Any]:
    """The largest set of rooted graphs on which functions that are constant on network classes take all 0-1 values.

    The functions are listed as sets of classes; the rooted graphs are all trees one level deeper, so that classes
    have several members.
    """
    names = Names()
    members = [names(aggregation_tree(tree_graph(tree), 0, K)) for tree in bounded_trees(m, K + 1, 1)]
    classes = class_count(m, K, 1)
    functions = [{label for label in range(classes) if mask >> label & 1} for mask in range(2**classes)]

    def shattered(chosen: tuple[int, ...]) -> bool:
        return len({tuple(label in function for label in chosen) for function in functions}) == 2 ** len(chosen)

    dimension = 0
    while any(shattered(chosen) for chosen in combinations(members[: 2 * classes + 2], dimension + 1)):
        dimension += 1
    return {
        "dimension": dimension,
        "classes": classes,
        "cases": len(functions),
        "coverage": "one feature, every function",
    }
