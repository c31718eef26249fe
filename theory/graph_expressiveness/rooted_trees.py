"""Coloured rooted trees: the classes of rooted graphs under graph networks, counted by recursion and listed.

A graph with degrees at most m looks, from one of its nodes and to depth K, like a tree whose root has at most m
branches and whose other nodes have at most m - 1: unrolling walks back along the edge it came by, and what it sees
there is already known. So the classes under depth-K networks are these trees, and a recursion counts them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import comb

from theory.graph_expressiveness.graphs import Graph
from theory.graph_expressiveness.refinement import Tree


def count_up_to(most: int, kinds: int) -> int:
    """The number of multisets of at most `most` things out of `kinds`.

    >>> count_up_to(2, 3)
    10
    """
    return comb(kinds + most, most)


def class_count(m: int, depth: int, alphabet: int) -> int:
    """The number of classes of rooted graphs with degrees at most m under networks of this depth.

    >>> [class_count(3, K, 1) for K in range(4)]
    [1, 4, 20, 286]
    """
    if depth == 0:
        return alphabet
    branches = alphabet
    for _ in range(depth - 1):
        branches = alphabet * count_up_to(m - 1, branches)
    return alphabet * count_up_to(m, branches)


def regular_class_count(m: int, depth: int, alphabet: int) -> int:
    """The same when every node that is not a leaf of the aggregation tree has exactly m neighbours.

    >>> [regular_class_count(3, K, 2) for K in range(4)]
    [2, 8, 112, 26488]
    """
    if depth == 0:
        return alphabet
    branches = alphabet
    for _ in range(depth - 1):
        branches = alphabet * comb(branches + m - 2, m - 1)
    return alphabet * comb(branches + m - 1, m)


@cache
def _branches(m: int, depth: int, alphabet: int, regular: bool) -> tuple[Tree, ...]:
    if depth == 0:
        return tuple((feature, ()) for feature in range(alphabet))
    below = _branches(m, depth - 1, alphabet, regular)
    return tuple(_joined(alphabet, below, range(m - 1 if regular else 0, m)))


def _joined(alphabet: int, below: tuple[Tree, ...], sizes: range) -> Iterator[Tree]:
    for feature in range(alphabet):
        for size in sizes:
            for chosen in combinations_with_replacement(below, size):
                yield (feature, tuple(sorted(chosen)))


def bounded_trees(m: int, depth: int, alphabet: int, *, regular: bool = False) -> Iterator[Tree]:
    """Every coloured rooted tree of the depth with degrees at most m (exactly m inside, when regular).

    >>> len(list(bounded_trees(3, 2, 1)))
    20
    """
    if depth == 0:
        yield from ((feature, ()) for feature in range(alphabet))
        return
    yield from _joined(alphabet, _branches(m, depth - 1, alphabet, regular), range(m if regular else 0, m + 1))


def tree_graph(tree: Tree) -> Graph:
    """The tree as a graph whose node 0 is the root, nodes in order of depth.

    >>> tree_graph((1, ((0, ()), (2, ())))).features
    (1, 0, 2)
    """
    features, edges = [tree[0]], []
    level = [(0, tree)]
    while level:
        deeper = []
        for node, (_, branches) in level:
            for branch in branches:
                edges.append((node, len(features)))
                deeper.append((len(features), branch))
                features.append(branch[0])
        level = deeper
    return Graph.of(len(features), edges, features)


def level_zeros(tree: Tree) -> tuple[int, ...]:
    """How many nodes of feature 0 every level has.

    >>> level_zeros((0, ((0, ()), (1, ()))))
    (1, 1)
    """
    zeros, level = [], [tree]
    while level:
        zeros.append(sum(feature == 0 for feature, _ in level))
        level = [branch for _, branches in level for branch in branches]
    return tuple(zeros)


@cache
def full_trees(m: int, depth: int) -> tuple[Tree, ...]:
    """Every full m-ary tree of the depth with features 0 and 1.

    >>> [len(full_trees(2, K)) for K in range(4)]
    [2, 6, 42, 1806]
    """
    if depth == 0:
        return ((0, ()), (1, ()))
    return tuple(_joined(2, full_trees(m, depth - 1), range(m, m + 1)))


def full_tree_count(m: int, depth: int) -> int:
    """The number of full m-ary trees of the depth with features 0 and 1.

    >>> full_tree_count(3, 2)
    240
    """
    count = 2
    for _ in range(depth):
        count = 2 * comb(count + m - 1, m)
    return count


Levels = tuple[int, ...]


@cache
def trees_by_levels(m: int, depth: int) -> dict[Levels, int]:
    """How many full m-ary 0-1 trees have given numbers of zeros per level, from the cycle index of the branches.

    >>> trees_by_levels(2, 2)[(1, 1, 3)]
    2
    """
    if depth == 0:
        return {(0,): 1, (1,): 1}
    below = trees_by_levels(m, depth - 1)
    # Multisets of m branches: m h_m = sum over j of p_j h_{m-j}, where p_j reads every level count times j.
    complete: list[dict[Levels, int]] = [{(0,) * depth: 1}]
    for size in range(1, m + 1):
        total: dict[Levels, int] = {}
        for j in range(1, size + 1):
            for levels, count in below.items():
                for other, times in complete[size - j].items():
                    key = tuple(j * a + b for a, b in zip(levels, other, strict=True))
                    total[key] = total.get(key, 0) + count * times
        complete.append({key: value // size for key, value in total.items()})
    return {(root, *levels): count for root in (0, 1) for levels, count in complete[m].items()}


def path_counts(tree: Tree) -> dict[tuple[int, ...], int]:
    """How many leaves lie under every sequence of features (the root's feature is not part of it).

    >>> path_counts((0, ((0, ()), (1, ()))))
    {(0,): 1, (1,): 1}
    """
    if not tree[1]:
        return {(): 1}
    found: dict[tuple[int, ...], int] = {}
    for branch in tree[1]:
        for path, count in path_counts(branch).items():
            key = (branch[0], *path)
            found[key] = found.get(key, 0) + count
    return found


def has_all_paths(tree: Tree, depth: int) -> bool:
    """Whether all 2^depth sequences of features occur on the way to the leaves.

    >>> has_all_paths((0, ((0, ()), (1, ()))), 1)
    True
    """
    return len(path_counts(tree)) == 2**depth
