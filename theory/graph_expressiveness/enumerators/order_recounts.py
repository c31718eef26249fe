"""Counts over all graphs of one order again: graphs grown edge by edge, integers over a common denominator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import lcm
from typing import Any

from theory.enumerators import recount
from theory.graph_expressiveness.edge_growth import grown_graphs, labelled_copies
from theory.graph_expressiveness.enumerators.tree_recounts import unrolled
from theory.graph_expressiveness.graphs import Graph
from theory.graph_expressiveness.refinement import Tree
from theory.graph_expressiveness.walks import walks


def coloured(n: int) -> list[Graph]:
    """The grown graphs with every choice of features 0 and 1."""
    return [graph.with_features(marks) for graph in grown_graphs(n) for marks in product((0, 1), repeat=n)]


def _least_exponent(n: int) -> int:
    return next(a for a in range(1, n * n + 2) if n == 1 or Fraction(n, n - 1) ** a > n)


@recount("graph_expressiveness.unrolling")
def unrolling(n: int, deepest: int) -> dict[str, Any]:
    """Cells are split by counting neighbours in each cell; trees and cells must determine each other."""
    graphs = coloured(n)
    cells = [list(graph.features) for graph in graphs]
    differing = 0
    for depth in range(deepest + 1):
        if depth:
            keys = [
                [(own[i], tuple(sorted(Counter(own[j] for j in near).items()))) for i, near in enumerate(g.neighbours)]
                for g, own in zip(graphs, cells, strict=True)
            ]
            number = {key: place for place, key in enumerate(sorted({key for row in keys for key in row}))}
            cells = [[number[key] for key in row] for row in keys]
        pairs = {
            (cell, tree)
            for graph, own in zip(graphs, cells, strict=True)
            for cell, tree in zip(own, unrolled(graph, depth), strict=True)
        }
        matched = len(pairs) == len({cell for cell, _ in pairs}) == len({tree for _, tree in pairs})
        differing += not matched
    return {"differing": differing}


@recount("graph_expressiveness.degree_test")
def degree_test(n: int) -> dict[str, Any]:
    """The classes by neighbour degrees and, for the literal features, by whole numbers over a common denominator."""
    a = _least_exponent(n)
    common = lcm(*range(1, n + 1)) ** a
    codes: dict[object, list[int]] = {}
    literal = set()
    for graph in grown_graphs(n):
        degrees = [sum(row) for row in graph.adjacency()]
        near = [[degrees[j] for j, entry in enumerate(row) if entry] for row in graph.adjacency()]
        code = frozenset(
            Counter((d, frozenset(Counter(part).items())) for d, part in zip(degrees, near, strict=True)).items()
        )
        codes.setdefault(code, []).append(labelled_copies(graph))
        literal.add(
            tuple(sorted((d, sum(common // u**a for u in part)) for d, part in zip(degrees, near, strict=True)))
        )
    return {
        "failing": Fraction(sum(sum(copies) for copies in codes.values() if len(copies) > 1), 2 ** (n * (n - 1) // 2)),
        "unequal": 0 if len(literal) == len(codes) else len(grown_graphs(n)),
        "classes": len(codes),
    }


@recount("graph_expressiveness.degree_operators")
def degree_operators(n: int) -> dict[str, Any]:
    """Rational matrices applied to the all-one column."""
    from flint import fmpq, fmpq_mat

    a, ones = _least_exponent(n), fmpq_mat(n, 1, [1] * n)
    rows, projections = 0, 0
    parts_of: dict[object, set[object]] = {}
    for graph in grown_graphs(n):
        A = graph.adjacency()
        degrees = [sum(row) for row in A]
        if 0 in degrees:
            continue
        places = range(n)
        D, inverse = (
            fmpq_mat(n, n, [fmpq(values[i]) if i == j else fmpq(0) for i in places for j in places])
            for values in (degrees, [fmpq(1) / fmpq(degree) ** a for degree in degrees])
        )
        first, second = D * ones, fmpq_mat(n, n, [entry for row in A for entry in row]) * (inverse * ones)
        left, right = [int(first[i, 0].p) for i in places], [str(second[i, 0]) for i in places]
        near = [
            sum((fmpq(1) / fmpq(len(graph.neighbours[j])) ** a for j in graph.neighbours[i]), fmpq(0)) for i in places
        ]
        rows += (left != [len(part) for part in graph.neighbours]) + (right != list(map(str, near)))
        pairs = tuple(sorted(zip(left, right, strict=True)))
        parts_of.setdefault(pairs, set()).add((tuple(sorted(left)), tuple(sorted(right))))
    projections = sum(len(parts) - 1 for parts in parts_of.values())
    return {"rows": rows, "projections": projections}


@recount("graph_expressiveness.walk_totals")
def walk_totals(n: int, longest: int) -> dict[str, Any]:
    """Walks by powers of the matrix, their types from the listed walks."""
    from flint import fmpz_mat

    unequal = excess = 0
    for graph in grown_graphs(n):
        A, column = fmpz_mat(graph.adjacency()), fmpz_mat([[1]] * n)
        degrees = graph.degrees
        for k in range(1, longest + 1):
            column = A * column
            for i in range(n):
                types = Counter(
                    (tuple(sorted(degrees[j] for j in walk[:-1])), degrees[walk[-1]]) for walk in walks(graph, i, k)
                )
                unequal += int(column[i, 0]) != types.total()
                excess += int(column[i, 0]) > max(degrees) ** k
    return {"unequal": unequal, "excess": excess}


@recount("graph_expressiveness.attributed_walks")
def attributed_walks(n: int, longest: int) -> dict[str, Any]:
    """Walks listed one by one, classes by unrolled trees; how many trees come with more than one list of numbers."""
    violations = 0
    for k in range(1, longest + 1):
        numbers: dict[Tree, set[tuple[int, ...]]] = {}
        for graph in coloured(n):
            for i, tree in enumerate(unrolled(graph, k)):
                met = Counter(tuple(graph.features[j] for j in walk) for walk in walks(graph, i, k))
                numbers.setdefault(tree, set()).add(tuple(met[x] for x in product((0, 1), repeat=k)))
        violations += sum(len(found) - 1 for found in numbers.values())
    return {"violations": violations}


@recount("graph_expressiveness.equivariant_words")
def equivariant_words(n: int) -> dict[str, Any]:
    """Conjugation by permutation matrices: a word of the renamed matrix is the renamed word."""
    from flint import fmpz_mat

    def entrywise(function: Callable[[int], int], M: fmpz_mat) -> fmpz_mat:
        return fmpz_mat(n, n, [function(int(M[i, j])) for i in range(n) for j in range(n)])

    words: list[Callable[[fmpz_mat], fmpz_mat]] = [
        lambda A: A,
        lambda A: A * A,
        lambda A: entrywise(lambda x: min(x, 1), A * A),
        lambda A: entrywise(lambda x: x * x, A * A),
        lambda A: entrywise(lambda x: min(x, 1), A * A) * A,
        lambda A: entrywise(lambda x: x + 1, A) * A,
    ]
    violations = 0
    for graph in grown_graphs(n):
        A = fmpz_mat(graph.adjacency())
        for image in permutations(range(n)):
            P = fmpz_mat(n, n, [int(image[i] == j) for i in range(n) for j in range(n)])
            back = P.transpose()
            violations += sum(word(P * A * back) != P * word(A) * back for word in words)
    return {"violations": violations}
