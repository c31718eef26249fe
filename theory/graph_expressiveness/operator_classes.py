"""What powers of D^-a A D^-b compute at two roots of the same colour, in graphs of every size."""

from __future__ import annotations

from sympy import Eq, S, Symbol

from theory.graph_expressiveness._paper import G, H, alike, at_least, i, j, two_rooted_graphs
from theory.language.structure_words import aggregated
from theory.statements import Statement


def powers_in_network_classes(more: int = 1) -> Statement:
    """Roots of the same colour after K rounds and some more get the same values from all powers up to K.

    >>> len(powers_in_network_classes().given)
    2
    """
    K, k, a, b, f = (Symbol(name) for name in ("K", "k", "a", "b", "f"))
    return Statement(
        variables={**two_rooted_graphs(), K: at_least(0), k: at_least(0), a: S.Reals, b: S.Reals, f: at_least(1)},
        given=(alike(K + more), k <= K),
        then=Eq(aggregated(G, i, k, a, b, f), aggregated(H, j, k, a, b, f)),
        notes="All graphs of every size. Any transformation of the features is a combination of the vectors that are 1"
        " at the nodes with a feature f and 0 elsewhere, so that these decide for all of them.",
    )
