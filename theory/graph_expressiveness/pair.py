"""The two graphs on 14 nodes that count the same walks from every node and still differ after two rounds.

The paper draws them and, in the induction on the length of the walks, writes the neighbours of the nodes 1 to 10 out
twice: once in the display of the node and once in the three side identities. Both readings agree except for node 7,
whose display repeats the neighbours of node 5; the side identity (A.46) and the symmetry of the drawing say 1 and 14.
"""

from __future__ import annotations

from theory.graph_expressiveness.graphs import Graph

FIRST_NEIGHBOURS = {
    1: (3, 5, 7, 9), 2: (4, 6, 8, 10), 3: (1, 11, 12), 4: (2, 13, 14), 5: (1, 13),
    6: (2, 11), 7: (1, 14), 8: (2, 12), 9: (1,), 10: (2,),
}  # fmt: skip
SECOND_NEIGHBOURS = {
    1: (5, 6, 7, 8), 2: (3, 4, 9, 10), 3: (2, 11, 12), 4: (2, 13, 14), 5: (1, 13),
    6: (1, 11), 7: (1, 14), 8: (1, 12), 9: (2,), 10: (2,),
}  # fmt: skip

PRINTED_LINES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((3, 5, 7, 9), (5, 6, 7, 8)),
    2: ((4, 6, 8, 10), (3, 4, 9, 10)),
    3: ((1, 11, 12), (2, 11, 12)),
    4: ((2, 13, 14),),
    5: ((1, 13),),
    6: ((2, 11), (1, 11)),
    7: ((1, 13),),
    8: ((2, 12), (1, 12)),
    9: ((1,), (2,)),
    10: ((2,),),
}
"""For every node the sums that its display (A.33)-(A.42) passes through, as printed."""


def from_neighbours(neighbours: dict[int, tuple[int, ...]]) -> Graph:
    """The graph on 14 nodes in which these nodes have these neighbours (nodes are counted from 1).

    >>> from_neighbours(FIRST_NEIGHBOURS).degrees == from_neighbours(SECOND_NEIGHBOURS).degrees
    True
    """
    return Graph.of(14, [(i - 1, j - 1) for i, near in neighbours.items() for j in near])


FIRST = from_neighbours(FIRST_NEIGHBOURS)
SECOND = from_neighbours(SECOND_NEIGHBOURS)
