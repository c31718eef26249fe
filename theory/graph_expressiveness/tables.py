"""Section 2.6 and Appendices A.3 and A.11: tables of class counts, and the remarks on the Bethe Hessian."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from sympy import And, Eq, Expr, FiniteSet, Interval, Piecewise, S, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.graph_expressiveness._paper import counted, listed, paper
from theory.graph_expressiveness.printed_tables import GRAPH_CLASSES, NODE_CLASSES
from theory.scope import measured, own, part, whole
from theory.statements import Computation, Statement

FILES = "Decided by counting as soon as the public files are in the folder that LEMMASCOPE_DATA names."

K = Symbol("K")
networks, walks = Symbol("networks"), Symbol("walks")


def _at_depth(values: Iterable[int]) -> Expr:
    """The printed number as a function of the depth K = 1, 2, ..."""
    values = list(values)
    cases = [(value, Eq(K, depth)) for depth, value in enumerate(values[:-1], start=1)]
    return Piecewise(*cases, (values[-1], True))


def _node_table(collection: str) -> Statement:
    by_networks, by_walks = zip(*NODE_CLASSES[collection], strict=True)
    return counted(
        "node_classes",
        And(Eq(networks, _at_depth(by_networks)), Eq(walks, _at_depth(by_walks))),
        yields=("networks", "walks"),
        variables={K: FiniteSet(1, 2, 3, 4, 5)},
        collection=collection,
        K=[1, 2, 3, 4, 5],
        notes=FILES,
    )


def _graph_table(collection: str) -> Statement:
    rows, truth = GRAPH_CLASSES[collection]
    printed = _at_depth(rows)
    return counted(
        "graph_classes",
        And(Eq(networks, printed), Eq(walks, printed), Symbol("refined") <= truth),
        yields=("networks", "walks", "refined"),
        variables={K: FiniteSet(1, 2, 3)},
        collection=collection,
        K=[1, 2, 3],
        notes=FILES,
    )


ONE_SIDE = part("both printed columns; the number of isomorphism classes only from one side")


def _register_tables() -> None:
    for collection in NODE_CLASSES:
        title = f"Classes of the nodes of {collection} for depths 1 to 5"
        paper.statement(f"table-2.1.{collection}", title, scope=whole(), label="Table 2.1")(
            partial(_node_table, collection)
        )
    for collection in GRAPH_CLASSES:
        name = collection.lower().replace("-", "")
        title = f"Classes of the graphs of {collection} for depths 1 to 3"
        paper.statement(f"table-a.1.{name}", title, scope=ONE_SIDE, label="Table A.1")(
            partial(_graph_table, collection)
        )


_register_tables()


@paper.statement(
    "table-2.1.bundled",
    "On a small social network walk counts never make more classes than networks",
    scope=own("another graph, 34 nodes, and weak inequalities"),
)
def bundled_nodes() -> Statement:
    return counted(
        "node_classes",
        And(walks <= networks, networks <= Symbol("nodes")),
        yields=("networks", "walks", "nodes"),
        variables={K: FiniteSet(1, 2, 3, 4, 5)},
        collection="bundled_club",
        K=[1, 2, 3, 4, 5],
    )


@paper.statement(
    "table-a.1.bundled",
    "On a small collection with the pairs of Section 2.4 walk counts make fewer classes",
    scope=own("other graphs, 40 small ones"),
)
def bundled_graphs() -> Statement:
    return counted(
        "graph_classes",
        And(walks < networks, networks <= Symbol("refined"), Symbol("refined") < Symbol("graphs")),
        yields=("networks", "walks", "refined", "graphs"),
        variables={K: FiniteSet(2, 3)},
        collection="bundled_small",
        K=[2, 3],
    )


@paper.statement("claim-2.6.a", "The printed relative difference of Table 2.1 is largest at K = 2", scope=whole())
def largest_difference() -> Statement:
    return counted(
        "printed_differences",
        Symbol("difference") <= Symbol("second"),
        yields=("difference", "second"),
        variables={K: FiniteSet(1, 2, 3, 4, 5), Symbol("table"): FiniteSet(0, 1, 2)},
        K=[1, 2, 3, 4, 5],
        table=[0, 1, 2],
    )


@paper.statement(
    "claim-a.3.a", "From K = 2 on the printed counts of Table A.1 equal the isomorphism classes", scope=whole()
)
def printed_truth() -> Statement:
    return counted(
        "printed_graph_classes",
        Eq(Symbol("printed"), Symbol("truth")),
        yields=("printed", "truth"),
        variables={K: FiniteSet(2, 3), Symbol("table"): FiniteSet(0, 1, 2, 3, 4)},
        K=[2, 3],
        table=[0, 1, 2, 3, 4],
    )


@paper.statement(
    "table-2.2",
    "Counting attributed walks of length 2: networks can be exact where functions of A^k X cannot",
    scope=own(
        "not in print: what no training can beat, on one random 6-regular graph of 1000 nodes, walks of length 2"
    ),
)
def table_2_2() -> Statement:
    limits = And(Eq(Symbol("network_error"), 0), Symbol("power_error") > 0)
    return listed(
        "walk_regression",
        limits,
        yields=("network_error", "power_error"),
        length=[2],
        order=1000,
        degree=6,
        seed=3,
        notes="No training: the least possible error, divided by the variance of the labels, of any function of the"
        " features each model sees, on one random 6-regular graph with alternating colours.",
    )


@paper.statement(
    "table-2.2.trained",
    "Trained to count attributed walks, networks err ten times less than models on powers of A",
    scope=measured("600 nodes, walks of length 2, 1500 steps, two graphs; the factor ten depends on the budget"),
)
def table_2_2_trained() -> Statement:
    computation = Computation(
        "graph_expressiveness.trained_walk_counts",
        {"order": 600, "degree": 6, "length": 2, "seen": 300, "steps": 1500, "seeds": [1, 2]},
        yields=("network_error", "power_error", "double_error"),
        exact=False,
    )
    network, power, double = (Symbol(name) for name in computation.yields)
    return Statement(
        then=And(10 * network < power, 10 * network < double),
        computed=computation,
        notes="Smaller than in print (600 nodes, one choice of widths and rates); the printed errors are not claimed."
        " The factor depends on the training budget: about 23 on each of three graphs after 1500 steps, but 23, 6 and"
        " 15 after 1200, where the mean of the first two misses ten. A proof would need what training attains;"
        " what no training can beat is table-2.2.",
    )


@paper.statement(
    "claim-a.11.a",
    "The smallest eigenvalues of H become the largest of kappa I - H",
    scope=part("two eigenvalues as numbers; that the eigenvectors stay what they are is not stated"),
)
def reversed_order() -> Statement:
    smaller, larger, kappa = Symbol("smaller"), Symbol("larger"), Symbol("kappa")
    return Statement(
        variables={smaller: S.Reals, larger: S.Reals, kappa: S.Reals},
        given=(smaller < larger,),
        then=kappa - smaller > kappa - larger,
    )


@paper.statement(
    "claim-a.11.b",
    "With kappa = 8 the largest eigenvalues of kappa I - H dominate power iterations",
    scope=part("two eigenvalues, the smaller one negative"),
)
def dominance() -> Statement:
    smaller, larger = Symbol("smaller"), Symbol("larger")
    return Statement(
        variables={smaller: S.Reals, larger: S.Reals},
        given=(smaller < larger, smaller < 0),
        then=(8 - smaller) ** 2 >= (8 - larger) ** 2,
        notes="Nearest true statement: step `range`. Power iterations follow the largest absolute value; an"
        " eigenvalue of H above 16 minus the smallest one"
        " takes over.",
    )


@paper.step(
    "claim-a.11.b", "range", "They do as long as the eigenvalues of H stay below 16", scope=own("what kappa = 8 needs")
)
def dominance_in_range() -> Statement:
    smaller, larger = Symbol("smaller"), Symbol("larger")
    return Statement(
        variables={smaller: Interval.open(-oo, 0), larger: Interval(-oo, 16)},
        given=(smaller < larger,),
        then=(8 - smaller) ** 2 >= (8 - larger) ** 2,
    )


def _communities(then: Boolean) -> Statement:
    computation = Computation(
        "graph_expressiveness.two_communities",
        {"order": 400, "degrees": [[4, 1], [5, 2], [5, 1], [6, 2], [7, 2]], "repeats": 3, "seed": 5},
        yields=("adjacency", "normalised", "bethe"),
        exact=False,
    )
    return Statement(
        then=then,
        computed=computation,
        notes="A finding on three graphs per pair of degrees, no confidence bound. Spectral stand-in for the trained"
        " models; the connectivities of the printed runs are not given. A proof would need the limit law of the"
        " spectra.",
    )


@paper.statement(
    "figure-2.4",
    "Powers of the Bethe Hessian recover communities better than powers of A",
    scope=measured(
        "a spectral stand-in for the models, 400 nodes, five pairs of degrees of our own, three graphs each"
    ),
)
def figure_2_4() -> Statement:
    return _communities(Symbol("bethe") > Symbol("adjacency"))


paper.unstated(
    "table-a.2",
    "GA-MLP with the normalised A + I does not improve on powers of A at recovering communities",
    missing="the trained models and the connectivities of the runs",
)


@paper.statement(
    "table-a.2.bethe",
    "The normalised A + I does not recover communities better than the Bethe Hessian",
    scope=own(
        "against the Bethe Hessian; the paper compares with A. A spectral stand-in, 400 nodes, three graphs each"
    ),
)
def table_a_2() -> Statement:
    return _communities(Symbol("normalised") <= Symbol("bethe"))
