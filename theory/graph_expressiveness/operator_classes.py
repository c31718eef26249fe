"""What powers of D^-a A D^-b compute at two roots of the same colour, in graphs of every size."""

from __future__ import annotations

from sympy import Eq, Expr, S, Symbol
from sympy.logic.boolalg import Boolean

from theory.graph_expressiveness._paper import G, H, alike, at_least, i, j, two_rooted_graphs
from theory.language.structure_words import aggregated, attributed_walks, meeting_classes, spread_classes
from theory.language.structures import Sequences
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


def walks_in_network_classes() -> Statement:
    """Roots of the same colour after k rounds have as many walks of k steps past prescribed features.

    >>> len(walks_in_network_classes().given)
    1
    """
    k, features = Symbol("k"), Symbol("s")
    return Statement(
        variables={**two_rooted_graphs(), k: at_least(1), features: Sequences(Symbol("x"), k)},
        given=(alike(k),),
        then=Eq(attributed_walks(G, i, features), attributed_walks(H, j, features)),
    )


NUMBERS = (
    "The numbers are those of the printed proof. A family that consists of the identity alone has as many classes as"
    " there are features whatever the depth, so that no other exponential number is reached either."
)


def many_large_classes(operators: Expr) -> Boolean:
    """m^K/2 - (2^K - 2^(K-2)) classes at least meet 2^(2^(K-1) - 1) classes of networks at least, see (A.20), (A.21).

    >>> many_large_classes(Symbol("O")).rhs.subs({Symbol("m"): 3, Symbol("K"): 3})
    15/2
    """
    m, x, K = Symbol("m"), Symbol("x"), Symbol("K")
    large = meeting_classes(operators, m, x, K, 2 ** (2 ** (K - 1) - 1))
    return large >= m**K / 2 - (2**K - 2 ** (K - 2))


def many_walk_numbers(operators: Expr) -> Boolean:
    """On (m - 2) m^(k-1) classes at least the number of walks takes m^(k-1) + 1 values at least, see Appendix A.9.

    >>> many_walk_numbers(Symbol("O")).rhs.subs({Symbol("m"): 3, Symbol("k"): 2})
    3
    """
    m, x, k = Symbol("m"), Symbol("x"), Symbol("k")
    return spread_classes(operators, m, x, Symbol("s"), m ** (k - 1) + 1) >= (m - 2) * m ** (k - 1)
