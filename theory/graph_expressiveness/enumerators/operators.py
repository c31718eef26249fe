"""Equivariant operators: words of entry-wise functions and products, and nonlinear ones that see the features."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

from theory.enumerators import enumerator
from theory.graph_expressiveness.enumerators.level_trees import depths, full_tree_graph
from theory.graph_expressiveness.graphs import Graph, automorphisms, graphs_of_order
from theory.graph_expressiveness.presets import preset_features
from theory.graph_expressiveness.refinement import Names, aggregation_tree, colours
from theory.graph_expressiveness.rooted_trees import bounded_trees, class_count, tree_graph
from theory.graph_expressiveness.walks import (
    Matrix,
    attributed_walk_count,
    augmented_features,
    capped,
    matrix_product,
)

WORDS: dict[str, Callable[[Matrix], Matrix]] = {
    "A": lambda A: A,
    "A A": lambda A: matrix_product(A, A),
    "min(A A, 1)": lambda A: capped(matrix_product(A, A)),
    "(A A)^2 entry-wise": lambda A: [[entry**2 for entry in row] for row in matrix_product(A, A)],
    "min(A A, 1) A": lambda A: matrix_product(capped(matrix_product(A, A)), A),
    "(A + 1 entry-wise) A": lambda A: matrix_product([[entry + 1 for entry in row] for row in A], A),
}


def _applied(matrix: Matrix, vector: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sum(a * v for a, v in zip(row, vector, strict=True)) for row in matrix)


def _moved(values: tuple[int, ...], image: tuple[int, ...]) -> tuple[int, ...]:
    """(pi * Z)_i = Z_{pi(i)}."""
    return tuple(values[j] for j in image)


@enumerator("graph_expressiveness.equivariant_words")
def equivariant_words(n: int) -> dict[str, Any]:
    """Graphs, words and permutations for which the word does not commute with the renaming of the nodes."""
    violations = cases = 0
    features = tuple(1 + i * i for i in range(n))
    for graph in graphs_of_order(n):
        A = graph.adjacency()
        for word in WORDS.values():
            straight = _applied(word(A), features)
            for image in permutations(range(n)):
                renamed = [[A[image[i]][image[j]] for j in range(n)] for i in range(n)]
                violations += _applied(word(renamed), _moved(features, image)) != _moved(straight, image)
                cases += 1
    return {"violations": violations, "cases": cases, "coverage": f"all graphs, {len(WORDS)} words, all permutations"}


def masked_walks(graph: Graph, features: tuple[int, ...]) -> tuple[int, ...]:
    """A (X o A X): a nonlinear equivariant operator that counts walks whose two steps end on nodes of feature 1.

    >>> masked_walks(Graph.of(3, [(0, 1), (1, 2)]), (0, 1, 1))
    (1, 1, 1)
    """
    near = [sum(features[j] for j in part) for part in graph.neighbours]
    masked = [x * y for x, y in zip(features, near, strict=True)]
    return tuple(sum(masked[j] for j in part) for part in graph.neighbours)


@enumerator("graph_expressiveness.level_permutations")
def level_permutations(m: int, K: int, kind: str) -> dict[str, Any]:
    """Whether A (X o A X) on the full m-ary tree commutes with permutations of its nodes, for all 0-1 features.

    `kind` is "exchange" (two nodes of one level) or "automorphism" (fixing the root). `unequal` counts the failures
    of omega[A](pi * Z) = pi * omega[A](Z), `root_unequal` those of its row at the root against the unpermuted one.
    """
    graph, level = full_tree_graph(m, K), depths(m, K)
    if kind == "exchange":
        images = [_exchange(graph.order, i, j) for i in range(graph.order) for j in range(i) if level[i] == level[j]]
    else:
        images = [image for image in automorphisms(graph) if image[0] == 0]
    unequal = root_unequal = 0
    example: dict[str, Any] = {}
    for mask in range(2**graph.order):
        features = tuple(mask >> i & 1 for i in range(graph.order))
        straight = masked_walks(graph, features)
        for image in images:
            moved = masked_walks(graph, _moved(features, image))
            if moved != _moved(straight, image):
                unequal += 1
                example = example or {"features": features, "permutation": image}
            if moved[0] != straight[0]:
                root_unequal += 1
                example["at the root"] = example.get("at the root") or f"{features} with {image}"
    return {
        "unequal": unequal,
        "root_unequal": root_unequal,
        "cases": len(images) * 2**graph.order,
        "coverage": f"every {kind}, all 0-1 features",
        "counterexample": {"operator": "A (X o A X)", **example},
    }


def _exchange(order: int, i: int, j: int) -> tuple[int, ...]:
    image = list(range(order))
    image[i], image[j] = j, i
    return tuple(image)


@enumerator("graph_expressiveness.network_as_operator")
def network_as_operator(K: int, m: int) -> dict[str, Any]:
    """K rounds of refinement are an equivariant graph operator: how many depth-K network classes one class of it meets.

    `values` is the largest number of attributed walk counts (features all 1) within one of its classes.
    """
    names, trees = Names(), Names()
    met: dict[int, set[int]] = {}
    counts: dict[int, set[int]] = {}
    for tree in bounded_trees(m, K, 2):
        graph = tree_graph(tree)
        own = colours(graph, K, names)[0]
        met.setdefault(own, set()).add(trees(aggregation_tree(graph, 0, K)))
        counts.setdefault(own, set()).add(attributed_walk_count(graph, 0, (1,) * K))
    return {
        "met": max(map(len, met.values())),
        "values": max(map(len, counts.values())),
        "cases": len(met),
        "coverage": f"all rooted graphs with degrees at most {m} and two features",
        "counterexample": {"operator": f"{K} rounds of neighbourhood aggregation with injective updates"},
    }


@enumerator("graph_expressiveness.family_classes")
def family_classes(K: int, m: int, family: str) -> dict[str, Any]:
    """How many classes of 0-1 rooted graphs with degrees at most m a family of operators induces, depth K.

    Families: "identity" is {I}, "last power" is {A^K}, "powers" is {I, A, ..., A^K}. `met` is the largest number of
    depth-K network classes that one class meets.
    """
    names = Names()
    met: dict[object, set[int]] = {}
    cases = 0
    for tree in bounded_trees(m, K, 2):
        cases += 1
        graph = tree_graph(tree)
        features = augmented_features(graph, K, alphabet=(0, 1))[0]
        chosen = {"identity": features[:: K + 1], "last power": features[K :: K + 1], "powers": features}[family]
        met.setdefault(chosen, set()).add(names(aggregation_tree(graph, 0, K)))
    return {
        "classes": len(met),
        "met": max(map(len, met.values())),
        "cases": cases,
        "coverage": f"all rooted graphs with degrees at most {m} and two features",
        "counterexample": {"operators": family, "classes in all": len(met)},
    }


@enumerator("graph_expressiveness.preset_classes")
def preset_classes(m: int, K: int) -> dict[str, Any]:
    """Classes of 0-1 rooted graphs with degrees at most m under named operator families, and under networks."""
    seen: dict[str, set[object]] = {}
    cases = 0
    for tree in bounded_trees(m, K + 1, 2):
        cases += 1
        for name, features in preset_features(tree_graph(tree), 0, K, (0, 1)).items():
            seen.setdefault(name, set()).add(features)
    return {
        "convolution": len(seen["simple convolution"]),
        "feature_network": len(seen["feature network"]),
        "networks": class_count(m, K + 1, 2),
        "cases": cases,
        "coverage": "all rooted graphs with degrees at most m and two features",
    }
