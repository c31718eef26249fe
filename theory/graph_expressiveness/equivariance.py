"""Appendix A.1: general equivariant operators."""

from __future__ import annotations

from itertools import permutations

from sympy import And, Eq, Matrix, S, Symbol

from theory.graph_expressiveness._paper import G, at_least, counted, listed, paper
from theory.graph_expressiveness._paper import i as root
from theory.graph_expressiveness.attributed_walks import many_walk_counts, walk_numbers
from theory.graph_expressiveness.level_counts import shared_levels
from theory.graph_expressiveness.operator_classes import NUMBERS, many_large_classes
from theory.language.structure_words import aggregated, image, permuted
from theory.language.structures import GraphOperators, Graphs, Nodes, Permutations
from theory.scope import case, own, part, whole
from theory.statements import Statement

n, m, K = Symbol("n"), Symbol("m"), Symbol("K")


paper.unstated(
    "proposition-a.1",
    "Entry-wise functions, matrix products and their compositions are equivariant",
    missing="entry-wise functions of a matrix of any size",
)


@paper.statement(
    "proposition-a.1.powers",
    "Powers of D^-a A D^-b are equivariant",
    scope=part("the operators (D^-a A D^-b)^k, every number of nodes; other matrix functions are not stated"),
)
def powers_are_equivariant() -> Statement:
    n, k, a, b, f, p = (Symbol(name) for name in ("n", "k", "a", "b", "f", "p"))
    features = Symbol("x")
    sizes = {n: at_least(1), features: at_least(1), k: at_least(0), a: S.Reals, b: S.Reals, f: at_least(1)}
    return Statement(
        variables={**sizes, G: Graphs(n, features), p: Permutations(n), root: Nodes(n)},
        then=Eq(aggregated(permuted(G, p), image(p, root), k, a, b, f), aggregated(G, root, k, a, b, f)),
    )


@paper.statement(
    "proposition-a.1.small",
    "Entry-wise functions, matrix products and their compositions are equivariant",
    scope=case("up to four nodes, listed operators, counted"),
)
def proposition_a_1() -> Statement:
    return counted(
        "equivariant_words",
        Eq(Symbol("violations"), 0),
        yields=("violations",),
        variables={n: at_least(1)},
        n=[1, 2, 3, 4],
        notes="For all orders: each rule commutes with renaming, as step `product` shows for three nodes and any"
        " entries.",
    )


@paper.step(
    "proposition-a.1",
    "product",
    "For three nodes, renaming commutes with the product of arbitrary matrices",
    scope=case("three nodes"),
)
def product_of_matrices() -> Statement:
    size = range(3)
    first = Matrix(3, 3, lambda i, j: Symbol(f"a{i}{j}"))
    second = Matrix(3, 3, lambda i, j: Symbol(f"b{i}{j}"))
    images = [image for image in permutations(size) if image != (0, 1, 2)]
    identities = [
        Eq(
            sum(first[image[i], image[l]] * second[image[l], image[j]] for l in size),
            (first * second)[image[i], image[j]],
            evaluate=False,
        )
        for image in images
        for i in size
        for j in size
    ]
    symbols = [*first, *second]
    return Statement(variables=dict.fromkeys(symbols, S.Reals), then=And(*identities, evaluate=False))


@paper.statement(
    "claim-a.2.a",
    "For m = 3 and K = 1 feature networks see more than simple convolutions and less than networks",
    scope=own("a comparison of ours of the named models: m = 3, K = 1 against networks of depth 2"),
)
def presets() -> Statement:
    convolution, features, networks = (Symbol(name) for name in ("convolution", "feature_network", "networks"))
    return listed(
        "preset_classes",
        And(convolution < features, features < networks),
        yields=("convolution", "feature_network", "networks"),
        m=[3],
        K=[1],
    )


@paper.statement(
    "proposition-a.2",
    "Any equivariant operator has exponentially many classes that meet doubly exponentially many of networks",
    scope=whole(),
)
def proposition_a_2() -> Statement:
    operator, x = Symbol("omega"), Symbol("x")
    sizes = {K: at_least(2), x: at_least(2), m: at_least(3)}
    return Statement(variables={**sizes, operator: GraphOperators()}, then=many_large_classes(operator), notes=NUMBERS)


@paper.statement(
    "proposition-a.2.aggregation",
    "Any equivariant operator has classes that meet several network classes, as printed",
    scope=case("aggregation itself as the operator, m = 3, K = 1, 2, counted"),
    claims="Any equivariant operator has exponentially many classes that meet doubly exponentially many of networks",
)
def proposition_a_2_aggregation() -> Statement:
    return counted(
        "network_as_operator",
        Symbol("met") >= 2,
        yields=("met",),
        variables={K: at_least(1)},
        K=[1, 2],
        m=3,
        notes="Neighbourhood aggregation is itself a nonlinear equivariant operator, and its classes are the network"
        " classes. The symmetry argument needs operators that are linear in the features.",
    )


@paper.statement(
    "proposition-a.2.corrected",
    "For operators linear in the features, with powers of A, large classes abound",
    scope=own("the nearest true form of proposition-a.2 for m = 3, as a recursion of numbers"),
)
def proposition_a_2_corrected() -> Statement:
    return shared_levels()


@paper.step(
    "proposition-a.2",
    "symmetry",
    "Exchanging two nodes of one level of a full tree keeps its adjacency matrix",
    scope=case("m = 2, 3 and K = 1, 2, counted"),
)
def symmetry() -> Statement:
    return counted(
        "level_swaps",
        Eq(Symbol("kept"), Symbol("swaps")),
        yields=("kept", "swaps"),
        variables={m: at_least(2), K: at_least(1)},
        m=[2, 3],
        K=[1, 2],
        notes="Nearest true statement: proposition-a.2#a.2.corrected. Only leaves of one parent can be exchanged;"
        " other nodes must take their subtrees along.",
    )


def _commutes(symbol: str, kind: str) -> Statement:
    return counted(
        "level_permutations",
        Eq(Symbol(symbol), 0),
        yields=(symbol,),
        variables={K: at_least(1)},
        m=2,
        K=[1, 2],
        kind=kind,
        notes="For all sizes, under automorphisms, it is the definition of equivariance, with A unchanged by renaming.",
    )


@paper.step(
    "proposition-a.2",
    "a.2",
    "Equivariant operators commute with exchanges inside a level",
    scope=case("m = 2 and K = 1, 2, listed operators, counted"),
    equations=("A.2",),
)
def exchanges() -> Statement:
    return _commutes("unequal", "exchange")


@paper.step("proposition-a.2", "a.2.corrected", "Equivariant operators commute with automorphisms of the tree")
def automorphisms() -> Statement:
    return _commutes("unequal", "automorphism")


@paper.step(
    "proposition-a.2",
    "a.3",
    "Exchanges inside a level do not change the output at the root",
    scope=case("m = 2 and K = 1, 2, listed operators, counted"),
    equations=("A.3",),
)
def exchanged_root() -> Statement:
    return _commutes("root_unequal", "exchange")


@paper.step("proposition-a.2", "a.3.corrected", "Automorphisms of the tree do not change the output at the root")
def permuted_root() -> Statement:
    return _commutes("root_unequal", "automorphism")


@paper.statement(
    "proposition-a.3",
    "Constant on network classes, walk counts take many values on many classes of any equivariant operator",
    scope=whole(),
)
def proposition_a_3() -> Statement:
    operator = Symbol("omega")
    return walk_numbers(operator, {operator: GraphOperators()})


@paper.statement(
    "proposition-a.3.aggregation",
    "Any equivariant operator has classes with several attributed walk counts, as printed",
    scope=case("aggregation itself as the operator, m = 3, K = 1, 2, counted"),
    claims="For every equivariant operator exponentially many classes have exponentially many attributed walk counts",
)
def proposition_a_3_aggregation() -> Statement:
    return counted(
        "network_as_operator",
        Symbol("values") >= 2,
        yields=("values",),
        variables={K: at_least(1)},
        K=[1, 2],
        m=3,
        notes="Neighbourhood aggregation determines the attributed walk counts.",
    )


@paper.statement(
    "proposition-a.3.corrected",
    "For operators linear in the features, with powers of A, many counts occur",
    scope=own("the nearest true form of proposition-a.3, its number of values; the numbers of nodes are symbols"),
)
def proposition_a_3_corrected() -> Statement:
    return many_walk_counts()
