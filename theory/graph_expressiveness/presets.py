"""Named operator families of existing models, evaluated exactly at one node of a graph.

Normalised adjacency matrices with self-loops contain square roots of degrees; a sum of such numbers is kept as rational
multiples of square roots of different squarefree integers, which are linearly independent over the rationals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from theory.graph_expressiveness.graphs import Graph

Surd = tuple[tuple[int, Fraction], ...]
"""Squarefree integers with their rational coefficients, sorted, none of them zero."""


def inverse_root(number: int) -> tuple[int, Fraction]:
    """1 / sqrt(number) as a rational multiple of the square root of a squarefree integer.

    >>> inverse_root(12)
    (3, Fraction(1, 6))
    """
    square, free = 1, number
    for divisor in range(2, number + 1):
        while free % divisor**2 == 0:
            free //= divisor**2
            square *= divisor
    return free, Fraction(1, free * square)


def surd(terms: Sequence[tuple[int, Fraction]]) -> Surd:
    """The sum of rational multiples of square roots, like terms collected.

    >>> surd([(2, Fraction(1)), (1, Fraction(3)), (2, Fraction(-1))])
    ((1, Fraction(3, 1)),)
    """
    total: dict[int, Fraction] = {}
    for root, coefficient in terms:
        total[root] = total.get(root, Fraction(0)) + coefficient
    return tuple(sorted((root, coefficient) for root, coefficient in total.items() if coefficient))


def looped_powers(
    graph: Graph, root: int, depth: int, alphabet: Sequence[int], loop: int = 1
) -> list[tuple[Surd, ...]]:
    """For k = 1..depth, what the k-th power of the normalised A + loop I makes of the indicator of every feature.

    >>> looped_powers(Graph.of(2, [(0, 1)]), 0, 1, (0,))
    [(((1, Fraction(1, 1)),),)]
    """
    near = [(*part, i) if loop else part for i, part in enumerate(graph.neighbours)]
    degrees = [degree + loop for degree in graph.degrees]
    weights = {root: Fraction(1)}
    rows = []
    for k in range(depth):
        following: dict[int, Fraction] = {}
        for i, weight in weights.items():
            passed = weight / degrees[i] if k else weight
            for j in near[i]:
                following[j] = following.get(j, Fraction(0)) + passed * (loop if i == j else 1)
        weights = following
        terms = [(inverse_root(degrees[root] * degrees[j]), weight, graph.features[j]) for j, weight in weights.items()]
        rows.append(
            tuple(surd([(free, part * w) for (free, part), w, feature in terms if feature == x]) for x in alphabet)
        )
    return rows


def preset_features(graph: Graph, root: int, depth: int, alphabet: Sequence[int]) -> dict[str, object]:
    """What the simple convolution, {power K}, and the graph feature network, {I, D, powers up to K}, see of a node.

    >>> sorted(preset_features(Graph.of(2, [(0, 1)]), 0, 1, (0,)))
    ['feature network', 'simple convolution']
    """
    powers = looped_powers(graph, root, depth, alphabet)
    own = graph.features[root]
    return {
        "simple convolution": powers[-1],
        "feature network": (own, graph.degrees[root], *powers),
    }
