"""Graphs, refinement, trees and walks are what they are called: each object agrees with a slower, direct definition."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Matrix, Rational, sqrt

from theory.graph_expressiveness.enumerators.operators import family_classes
from theory.graph_expressiveness.graphs import Graph, automorphisms, canonical_edges, cycle, graphs_of_order
from theory.graph_expressiveness.presets import inverse_root, looped_powers
from theory.graph_expressiveness.refinement import Names, aggregation_tree, colours, partition
from theory.graph_expressiveness.rooted_trees import (
    bounded_trees,
    class_count,
    full_tree_count,
    full_trees,
    has_all_paths,
    level_zeros,
    path_counts,
    regular_class_count,
    tree_graph,
    trees_by_levels,
)
from theory.graph_expressiveness.walks import (
    attributed_walk_count,
    augmented_features,
    capped,
    matrix_product,
    walk_types,
    walks,
)
from theory.language.structure_values import classes


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> Graph:
    order = draw(st.integers(1, most))
    pairs = [(i, j) for j in range(order) for i in range(j)]
    edges = [pair for pair in pairs if draw(st.booleans())]
    return Graph.of(order, edges, [draw(st.integers(0, 1)) for _ in range(order)])


def test_there_are_as_many_graphs_as_known() -> None:
    assert [len(graphs_of_order(n)) for n in range(1, 7)] == [1, 2, 4, 11, 34, 156]


def test_labelled_graphs_are_counted_by_automorphisms() -> None:
    for n in range(1, 6):
        labelled = sum(factorial(n) // len(list(automorphisms(graph))) for graph in graphs_of_order(n))
        assert labelled == 2 ** (n * (n - 1) // 2)


@given(graphs(5))
def test_automorphisms_are_the_permutations_that_keep_the_edges(graph: Graph) -> None:
    plain = graph.with_features([0] * graph.order)
    direct = {image for image in permutations(range(graph.order)) if plain.permuted(image) == plain}
    assert set(automorphisms(graph)) == direct


@given(graphs(), st.randoms(use_true_random=False))
def test_renaming_nodes_changes_no_invariant(graph: Graph, chance: object) -> None:
    image = list(range(graph.order))
    chance.shuffle(image)  # type: ignore[attr-defined]
    renamed = graph.permuted(tuple(image))
    names = Names()
    assert canonical_edges(graph) == canonical_edges(renamed)
    assert Counter(colours(graph, 3, names)) == Counter(colours(renamed, 3, names))
    assert Counter(augmented_features(graph, 3, 1, 1, (0, 1))) == Counter(augmented_features(renamed, 3, 1, 1, (0, 1)))


@given(graphs(5), st.integers(0, 3))
def test_refinement_makes_the_classes_of_unrolled_trees(graph: Graph, depth: int) -> None:
    trees = [aggregation_tree(graph, i, depth) for i in range(graph.order)]
    assert partition(colours(graph, depth, Names())) == partition(trees)


@given(graphs(5), st.integers(1, 4))
def test_walk_types_are_those_of_the_listed_walks(graph: Graph, length: int) -> None:
    for root in range(graph.order):
        listed: Counter[tuple[tuple[int, ...], int, int]] = Counter()
        for walk in walks(graph, root, length):
            middle = tuple(sorted(graph.degrees[node] for node in walk[:-1]))
            listed[middle, graph.degrees[walk[-1]], graph.features[walk[-1]]] += 1
        assert walk_types(graph, length)[root] == listed


@given(graphs(5), st.lists(st.integers(0, 1), min_size=1, max_size=4))
def test_attributed_walks_are_those_of_the_listed_walks(graph: Graph, features: list[int]) -> None:
    for root in range(graph.order):
        listed = [walk for walk in walks(graph, root, len(features)) if [graph.features[i] for i in walk] == features]
        assert attributed_walk_count(graph, root, features) == len(listed)


@given(graphs(4), st.integers(-1, 2), st.integers(-1, 2))
def test_augmented_features_are_matrix_powers(graph: Graph, before: int, after: int) -> None:
    degrees = [max(degree, 1) for degree in graph.degrees]
    D = Matrix.diag(*[Rational(degree) for degree in degrees])
    operator = D**-before * Matrix(graph.adjacency()) * D**-after
    ones = Matrix([int(feature == 1) for feature in graph.features])
    expected = [operator**k * ones for k in range(4)]
    found = augmented_features(graph, 3, before, after, (1,))
    assert all(Rational(found[i][k]) == expected[k][i] for k in range(4) for i in range(graph.order))


@given(graphs(4))
def test_normalised_powers_agree_with_square_roots(graph: Graph) -> None:
    scale = Matrix.diag(*[1 / sqrt(Rational(degree + 1)) for degree in graph.degrees])
    operator = scale * (Matrix(graph.adjacency()) + Matrix.eye(graph.order)) * scale
    blue = Matrix([int(feature == 0) for feature in graph.features])
    for k, (surd,) in enumerate(looped_powers(graph, 0, 3, (0,)), start=1):
        value = sum(Rational(coefficient) * sqrt(free) for free, coefficient in surd)
        assert ((operator**k * blue)[0] - value).expand() == 0


def test_inverse_roots() -> None:
    for number in range(1, 60):
        free, coefficient = inverse_root(number)
        assert sqrt(free) * Rational(coefficient) == 1 / sqrt(Rational(number))


def test_classes_are_counted_by_recursion_and_by_listing() -> None:
    for m, depth, alphabet in [(2, 3, 1), (2, 2, 2), (3, 1, 2), (3, 2, 1), (3, 2, 2), (4, 1, 2)]:
        trees = list(bounded_trees(m, depth, alphabet))
        unrolled = {aggregation_tree(tree_graph(tree), 0, depth) for tree in trees}
        assert len(trees) == len(unrolled) == class_count(m, depth, alphabet)
        inside = list(bounded_trees(m, depth, alphabet, regular=True))
        assert len(set(inside)) == regular_class_count(m, depth, alphabet)


@pytest.mark.parametrize("family", ["identity", "powers"])
def test_classes_of_operators_agree_with_their_features_on_graphs(family: str) -> None:
    for m, depth in [(2, 1), (2, 2), (3, 1), (3, 2)]:
        exponents = tuple(range(depth + 1)) if family == "powers" else (0,)
        counted = family_classes(depth, m, family)
        met = [len(part) for part in classes(exponents, m, 2, depth)]
        assert (len(met), max(met), sum(met)) == (counted["classes"], counted["met"], class_count(m, depth, 2))


def test_level_counts_agree_with_the_listed_trees() -> None:
    for m, depth in [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 2), (5, 1)]:
        listed = Counter(level_zeros(tree) for tree in full_trees(m, depth))
        assert listed == trees_by_levels(m, depth)
        assert full_tree_count(m, depth) == sum(listed.values())


def test_paths_are_read_off_the_tree_as_a_graph() -> None:
    for tree in full_trees(2, 2):
        graph = tree_graph(tree)
        listed = Counter((graph.features[i], graph.features[j]) for i in (1, 2) for j in graph.neighbours[i] if j > i)
        assert listed == path_counts(tree)
        assert has_all_paths(tree, 2) == (len(listed) == 4)


def test_matrix_words_count_walks() -> None:
    A = cycle(5).adjacency()
    square = matrix_product(A, A)
    for i, j in product(range(5), repeat=2):
        assert square[i][j] == sum(walk[-1] == j for walk in walks(cycle(5), i, 2))
        assert capped(square)[i][j] == min(square[i][j], 1)
