"""Graphs told apart or not: regular pairs, the 14-node pair, the hexagon, neighbour degrees, power sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial
from operator import add, mul
from typing import Any

from sympy import Integer, Symbol

from theory.enumerators import enumerator
from theory.graph_expressiveness.graphs import Graph, automorphisms, complete_bipartite, cycle, graphs_of_order
from theory.graph_expressiveness.pair import FIRST, FIRST_NEIGHBOURS, SECOND, SECOND_NEIGHBOURS, from_neighbours
from theory.graph_expressiveness.refinement import Names, colours, separated
from theory.graph_expressiveness.walks import Matrix, capped, matrix_product, row_sums


def walk_count_rows(graph: Graph, longest: int) -> list[tuple[int, ...]]:
    """A^k 1 for k = 0..longest.

    >>> walk_count_rows(cycle(3), 2)
    [(1, 1, 1), (2, 2, 2), (4, 4, 4)]
    """
    rows = [(1,) * graph.order]
    for _ in range(longest):
        rows.append(tuple(sum(rows[-1][j] for j in near) for near in graph.neighbours))
    return rows


def first_separating_round(first: Graph, second: Graph) -> int:
    """The first round of refinement that tells the graphs apart, 0 when none does.

    >>> first_separating_round(cycle(6), complete_bipartite(3, 3))
    1
    """
    return next((k for k in range(1, first.order + second.order) if separated(first, second, k)), 0)


@enumerator("graph_expressiveness.separating_pairs")
def separating_pairs() -> dict[str, Any]:
    """The two constructions: regular graphs for normalised operators, the 14-node pair for the adjacency matrix.

    The difference of the walk counts obeys the linear recursion of the joint characteristic polynomial, whose degree
    is the number of nodes of both graphs: when it vanishes for that many lengths it vanishes for all.
    """
    a = Symbol("a")
    hexagon, bipartite = cycle(6), complete_bipartite(3, 3)
    sums = [Integer(d) ** (-a) * Integer(d) ** (a - 1) * d for d in (hexagon.degrees[0], bipartite.degrees[0])]
    lengths = FIRST.order + SECOND.order
    differing = sum(
        one != other
        for first, second in zip(walk_count_rows(FIRST, lengths), walk_count_rows(SECOND, lengths), strict=True)
        for one, other in zip(first, second, strict=True)
    )
    return {
        "first_row": sums[0],
        "second_row": sums[1],
        "regular_round": first_separating_round(hexagon, bipartite),
        "differing_walks": differing,
        "pair_round": first_separating_round(FIRST, SECOND),
        "coverage": "the hexagon with K_3,3 for all a; the 14-node pair for all walk lengths",
        "cases": 2,
    }


@enumerator("graph_expressiveness.smaller_pairs")
def smaller_pairs(n: int) -> dict[str, Any]:
    """Pairs of graphs of one order that refinement tells apart and walk counts of all lengths do not."""
    names = Names()
    kinds: dict[object, set[tuple[int, ...]]] = {}
    for graph in graphs_of_order(n):
        walk_vectors = tuple(sorted(zip(*walk_count_rows(graph, 2 * n), strict=True)))
        kinds.setdefault(walk_vectors, set()).add(tuple(sorted(colours(graph, n, names))))
    pairs = sum(len(alike) * (len(alike) - 1) // 2 for alike in kinds.values())
    return {"pairs": pairs, "cases": len(graphs_of_order(n)), "coverage": "every graph of the order"}


@enumerator("graph_expressiveness.pair_walks")
def pair_walks(seventh: list[int]) -> dict[str, Any]:
    """The four families of identities between walk counts of the 14-node pair, for all lengths at once."""
    first, second = (
        from_neighbours({**near, 7: tuple(map(int, seventh))}) for near in (FIRST_NEIGHBOURS, SECOND_NEIGHBOURS)
    )
    lengths = first.order + second.order
    rows, others = walk_count_rows(first, lengths), walk_count_rows(second, lengths)
    sides = {"A.30": ((1,), (2,)), "A.31": ((3, 9), (6, 8)), "A.32": ((5, 7), (4, 10))}
    failing = {
        name: [k for k, row in enumerate(rows) if sum(row[i - 1] for i in left) != sum(row[i - 1] for i in right)]
        for name, (left, right) in sides.items()
    }
    return {
        "unequal_walks": sum(row != other for row, other in zip(rows, others, strict=True)),
        "unequal_sides": sum(map(len, failing.values())),
        "coverage": "all walk lengths (28 of them determine the rest)",
        "cases": lengths + 1,
        "counterexample": {name: f"first false for walks of length {bad[0]}" for name, bad in failing.items() if bad},
    }


@enumerator("graph_expressiveness.neighbour_degrees")
def neighbour_degrees() -> dict[str, Any]:
    """The neighbour-degree multisets of the nodes 1 and 2, written as decimal digits in falling order."""

    def digits(graph: Graph, node: int) -> int:
        falling = sorted((graph.degrees[j] for j in graph.neighbours[node - 1]), reverse=True)
        return int("".join(map(str, falling)))

    found = {f"{name}_{node}": digits(graph, node) for name, graph in (("G", FIRST), ("H", SECOND)) for node in (1, 2)}
    return {**found, "cases": 4, "coverage": "the 14-node pair"}


def _entrywise(combine: Callable[[int, int], int], first: Matrix, second: Matrix) -> Matrix:
    return [[combine(x, y) for x, y in zip(*rows, strict=True)] for rows in zip(first, second, strict=True)]


_OPERATORS: dict[str, Callable[[Matrix], Matrix]] = {
    "min(A^2, 1)": lambda A: capped(matrix_product(A, A)),
    "min(A + A^2, 1)": lambda A: capped(_entrywise(add, A, matrix_product(A, A))),
    "A entry-wise times A^2": lambda A: _entrywise(mul, A, matrix_product(A, A)),
}


@enumerator("graph_expressiveness.hexagon")
def hexagon_and_triangles(operator: str) -> dict[str, Any]:
    """Whether an operator sums differently over the rows of the hexagon and of two triangles with equal features."""
    pair = (cycle(6), cycle(3) + cycle(3))
    chosen = [_OPERATORS[operator](graph.adjacency()) for graph in pair]
    sums = [Counter(row_sums(matrix)) for matrix in chosen]
    words = [Counter(_word_sums(graph.adjacency(), matrix)) for graph, matrix in zip(pair, chosen, strict=True)]
    return {
        "separated": sums[0] != sums[1],
        "words_separated": words[0] != words[1],
        "refinement_round": first_separating_round(*pair),
        "coverage": "the hexagon and two triangles, all refinement rounds, words of up to four factors",
        "cases": 2,
        "counterexample": {
            "operator": operator,
            "row sums of the hexagon": sorted(sums[0].elements()),
            "row sums of the triangles": sorted(sums[1].elements()),
        },
    }


def _word_sums(adjacency: Matrix, operator: Matrix) -> list[tuple[int, ...]]:
    """What all words of up to four factors in A and the operator make of the all-one vector, node by node."""
    order = len(adjacency)
    vectors = []
    for length in range(5):
        for word in product((adjacency, operator), repeat=length):
            vector = [1] * order
            for matrix in word:
                vector = [sum(a * v for a, v in zip(row, vector, strict=True)) for row in matrix]
            vectors.append(vector)
    return list(zip(*vectors, strict=True))


def neighbourhood_code(graph: Graph) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The multiset of degrees together with the degrees of the neighbours, sorted.

    >>> neighbourhood_code(Graph.of(2, [(0, 1)]))
    ((1, (1,)), (1, (1,)))
    """
    degrees = graph.degrees
    return tuple(
        sorted((degrees[i], tuple(sorted(degrees[j] for j in near))) for i, near in enumerate(graph.neighbours))
    )


@enumerator("graph_expressiveness.degree_test")
def degree_test(n: int) -> dict[str, Any]:
    """On all graphs of one order: which share of the labelled graphs the degree test confuses with another graph.

    `unequal` counts the graphs on which the literal features (d_i, sum of d_j^-a), with the least whole a above the
    bound of Lemma A.4, and the multisets of neighbour degrees give different classes.
    """
    graphs = graphs_of_order(n)
    codes = [neighbourhood_code(graph) for graph in graphs]
    a = least_power(n)
    literal = [
        tuple(sorted((d, sum((Fraction(1, graph.degrees[j] ** a) for j in near), Fraction(0)))
                     for d, near in zip(graph.degrees, graph.neighbours, strict=True)))
        for graph in graphs
    ]  # fmt: skip
    shared = Counter(codes)
    labelled = [factorial(n) // sum(1 for _ in automorphisms(graph)) for graph in graphs]
    confused = sum(count for count, code in zip(labelled, codes, strict=True) if shared[code] > 1)
    return {
        "failing": Fraction(confused, 2 ** (n * (n - 1) // 2)),
        "unequal": len(graphs) if len(set(literal)) != len(shared) else 0,
        "classes": len(shared),
        "cases": len(graphs),
        "coverage": "every graph of the order",
    }


@enumerator("graph_expressiveness.degree_operators")
def degree_operators(n: int) -> dict[str, Any]:
    """Failures of the displays about D 1 and A D^-a 1 on all graphs of one order without isolated nodes.

    `rows` compares with degrees and with sums over neighbours; `projections` counts pairs of graphs with the same
    multiset of pairs but different multisets of its two components.
    """
    a = least_power(n)
    rows, cases = 0, 0
    seen: dict[object, tuple[object, object]] = {}
    projections = 0
    for graph in graphs_of_order(n):
        if 0 in graph.degrees:
            continue
        cases += 1
        A, weights = graph.adjacency(), [Fraction(1, degree**a) for degree in graph.degrees]
        first = row_sums([[degree if i == j else 0 for j in range(n)] for i, degree in enumerate(graph.degrees)])
        second = tuple(sum((entry * w for entry, w in zip(row, weights, strict=True)), Fraction(0)) for row in A)
        near = tuple(sum((weights[j] for j in part), Fraction(0)) for part in graph.neighbours)
        rows += (first != graph.degrees) + (second != near)
        parts = (tuple(sorted(first)), tuple(sorted(second)))
        projections += seen.setdefault(tuple(sorted(zip(first, second, strict=True))), parts) != parts
    return {"rows": rows, "projections": projections, "cases": cases, "coverage": "every graph without isolated nodes"}


def least_power(n: int) -> int:
    """The least whole a with a > log n / (log n - log(n - 1)), that is n^a > n (n - 1)^a.

    >>> [least_power(n) for n in (1, 2, 3, 4)]
    [1, 2, 3, 5]
    """
    a = 1
    while n > 1 and n**a <= n * (n - 1) ** a:
        a += 1
    return a


@enumerator("graph_expressiveness.power_sums")
def power_sums(n: int, least: int, exponent: str = "above") -> dict[str, Any]:
    """How many pairs of multisets (at most n elements of least..n) share the sum of their -a-th powers.

    `exponent` is "above" for the least whole a beyond the bound, "at n = 2" for the bound itself, which is 1 there.
    A multiset with a zero has no finite sum; two of them are never told apart.
    """
    a = least_power(n) if exponent == "above" else 1
    seen: dict[object, tuple[int, ...]] = {}
    example: dict[str, Any] = {}
    collisions = cases = 0
    for size in range(n + 1):
        for chosen in combinations_with_replacement(range(least, n + 1), size):
            cases += 1
            value: object = "not finite" if 0 in chosen else sum((Fraction(1, u**a) for u in chosen), Fraction(0))
            if value in seen:
                collisions += 1
                example = example or {"first multiset": seen[value], "second multiset": chosen, "a": a, "sum": value}
            seen.setdefault(value, chosen)
    return {"collisions": collisions, "cases": cases, "coverage": "every multiset", "counterexample": example}
