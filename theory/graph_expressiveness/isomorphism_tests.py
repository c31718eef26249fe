"""Sections 2.3 and 2.4: graph networks as refinement, and pairs of graphs that augmented perceptrons confuse."""

from __future__ import annotations

from sympy import And, Eq, Equivalent, FiniteSet, Interval, Symbol, exp, log

from theory.graph_expressiveness._paper import G, H, alike, at_least, counted, i, j, paper, two_rooted_graphs
from theory.graph_expressiveness.operator_classes import powers_in_network_classes
from theory.language.structure_words import unrolled
from theory.scope import case, own, part, whole
from theory.statements import Statement

n, a, d, K = Symbol("n"), Symbol("a"), Symbol("d"), Symbol("K")
ORDERS = [1, 2, 3, 4, 5]


@paper.statement(
    "claim-2.3.a",
    "Depth-K networks see as much as K rounds of refinement: the unrolled tree",
    scope=whole(),
)
def refinement_is_unrolling() -> Statement:
    same_tree = Eq(unrolled(G, i, K), unrolled(H, j, K))
    return Statement(
        variables={**two_rooted_graphs(), K: at_least(0)},
        then=Equivalent(alike(K), same_tree),
        notes="All graphs of every size, with features. What a network of depth K computes at a node is a function of"
        " its colour after K rounds.",
    )


@paper.statement(
    "claim-2.3.a.small",
    "Depth-K networks see as much as K rounds of refinement, listed",
    scope=case("all graphs of up to five nodes, depths up to three, counted"),
)
def refinement_is_unrolling_in_small_graphs() -> Statement:
    return counted(
        "unrolling",
        Eq(Symbol("differing"), 0),
        yields=("differing",),
        variables={n: at_least(1)},
        n=ORDERS,
        deepest=3,
        notes="For all graphs: by induction over K, a colour after K rounds names the unrolled tree of depth K.",
    )


@paper.statement(
    "claim-2.4.a",
    "K + 1 rounds of refinement bound what powers up to K of D^-a A D^-b tell apart",
    scope=whole(),
)
def refinement_bounds_powers() -> Statement:
    return powers_in_network_classes()


@paper.statement(
    "claim-2.4.a.small",
    "K + 1 rounds of refinement bound what powers up to K of D^-a A D^-b tell apart, listed",
    scope=case("all graphs of up to five nodes, K up to three, some exponents, counted"),
)
def refinement_bounds_powers_in_small_graphs() -> Statement:
    return counted(
        "refinement_bounds",
        Eq(Symbol("violations"), 0),
        yields=("violations",),
        variables={n: at_least(1)},
        n=ORDERS,
        deepest=3,
        extra=1,
        notes="For all graphs: by (2.6) the sums over walks are read off the unrolled tree, degrees of the ends"
        " included.",
    )


@paper.statement(
    "claim-2.4.b",
    "Normalised operators turn the all-one vector of every regular graph into itself",
    scope=part("the row sums of the operator on a regular graph"),
)
def regular_graphs() -> Statement:
    row_sum = d * exp(-a * log(d)) * exp(-(1 - a) * log(d))
    return Statement(variables={d: at_least(1), a: Interval(0, 1)}, then=Eq(row_sum, 1))


@paper.statement(
    "proposition-2.1",
    "For powers of A or of D^-a A D^-(1-a) some pair is told apart by networks but not by them",
    scope=whole(),
)
def proposition_2_1() -> Statement:
    first, second = Symbol("first_row"), Symbol("second_row")
    regular = And(Eq(first, second), Symbol("regular_round") >= 1)
    pair = And(Eq(Symbol("differing_walks"), 0), Symbol("pair_round") >= 1)
    return counted(
        "separating_pairs",
        And(regular, pair),
        yields=("first_row", "second_row", "regular_round", "differing_walks", "pair_round"),
        variables={a: Interval(0, 1)},
    )


@paper.step(
    "proposition-2.1",
    "figure-2.1",
    "Two rounds of refinement are needed for the 14-node pair and suffice",
    scope=whole(),
)
def two_rounds() -> Statement:
    return counted("separating_pairs", Eq(Symbol("pair_round"), 2), yields=("pair_round",))


@paper.step(
    "proposition-2.1",
    "smaller",
    "Up to seven nodes walk counts tell apart whatever refinement tells apart",
    scope=own("not in print: no smaller pair, counted up to seven nodes"),
)
def smaller_pairs() -> Statement:
    return counted(
        "smaller_pairs",
        Eq(Symbol("pairs"), 0),
        yields=("pairs",),
        variables={n: FiniteSet(*range(1, 8))},
        n=list(range(1, 8)),
    )


@paper.step(
    "proposition-2.1", "degrees", "The neighbour degrees of nodes 1 and 2 are the stated multisets", scope=whole()
)
def neighbour_degrees() -> Statement:
    stated = {"G_1": 3221, "G_2": 3221, "H_1": 2222, "H_2": 3311}
    return counted(
        "neighbour_degrees",
        And(*[Eq(Symbol(name), digits) for name, digits in stated.items()]),
        yields=tuple(stated),
        notes="A multiset is written as its digits in falling order.",
    )


def _hexagon(operator: str) -> Statement:
    separates = And(Eq(Symbol("separated"), 1), Eq(Symbol("refinement_round"), 0))
    return counted("hexagon", separates, yields=("separated", "refinement_round"), operator=operator)


@paper.statement(
    "remark-hexagon",
    "The power graph min(A^2, 1) tells a hexagon from two triangles, which refinement cannot",
    scope=whole(),
    label="Section 2.4, last remark",
)
def hexagon() -> Statement:
    return _hexagon("min(A^2, 1)").but(
        notes="Every row of min(A^2, 1) has three ones in both graphs: the closed walk, and two nodes at distance two"
        " in the hexagon against the two neighbours in a triangle. All words in A and min(A^2, 1) fail as well."
    )


@paper.step(
    "remark-hexagon",
    "words",
    "No word of up to four factors A and min(A^2, 1) tells them apart either",
    scope=own("not in print: further operators, words of up to four factors"),
)
def hexagon_words() -> Statement:
    return counted("hexagon", Eq(Symbol("words_separated"), 0), yields=("words_separated",), operator="min(A^2, 1)")


@paper.statement(
    "remark-hexagon.corrected",
    "The graph of distance at most two, min(A + A^2, 1), tells a hexagon from two triangles",
    label="Section 2.4, last remark, corrected",
)
def hexagon_corrected() -> Statement:
    return _hexagon("min(A + A^2, 1)")
