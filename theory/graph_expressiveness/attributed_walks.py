"""Appendix A.9: counting walks with prescribed features, which networks can and topological operators cannot."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import And, Eq, Integer, Interval, Max, Min, S, Set, Symbol, oo

from theory.graph_expressiveness._paper import at_least, counted, for_all, listed, paper, recursion
from theory.graph_expressiveness.operator_classes import NUMBERS, many_walk_numbers, walks_in_network_classes
from theory.language.structures import Operators, Sequences
from theory.scope import case, own, part, whole
from theory.statements import Statement

n, m, k, q, z, M = Symbol("n"), Symbol("m"), Symbol("k"), Symbol("q"), Symbol("z"), Symbol("M")


@paper.statement(
    "proposition-2.7",
    "Constant on network classes, walk counts take many values on many classes of any topological operators",
    scope=whole(),
)
def proposition_2_7() -> Statement:
    operators, hops = Symbol("Omega"), Symbol("l")
    return walk_numbers(operators, {hops: at_least(0), operators: Operators(hops)})


def walk_numbers(operators: Symbol, domains: Mapping[Symbol, Set]) -> Statement:
    """Both halves of the proposition for operators of a sort."""
    features, x = Symbol("s"), Symbol("x")
    sizes = {k: at_least(2), x: at_least(2), m: at_least(3)}
    return Statement(
        variables={**sizes, features: Sequences(x, k), **domains},
        then=And(many_walk_numbers(operators), for_all(walks_in_network_classes(), k, x, features)),
        notes=NUMBERS + " From k = 2 on. The first half, which is true, is proposition-2.7.a.",
    )


@paper.statement(
    "proposition-2.7.identity",
    "Every topological operator family has exponentially many classes with many walk counts",
    scope=case("the family {I}, m = 3, K = 1, 2, counted"),
    claims="Constant on network classes, walk counts take exponentially many values on many classes of any operators",
)
def proposition_2_7_identity() -> Statement:
    return counted(
        "family_classes",
        Symbol("classes") > Symbol("K"),
        yields=("classes",),
        variables={Symbol("K"): at_least(1)},
        K=[1, 2],
        m=3,
        family="identity",
        notes="As for Proposition 2.6: the family {I} has only as many classes as there are features.",
    )


@paper.statement(
    "proposition-2.7.a",
    "Attributed walk counts are constant on network classes",
    scope=part("the first half, for all graphs, all k and all sequences of features"),
)
def proposition_2_7_a() -> Statement:
    return walks_in_network_classes()


@paper.statement(
    "proposition-2.7.a.small",
    "Attributed walk counts are constant on network classes, listed",
    scope=case("the first half: all graphs of up to five nodes, walks of up to three steps, counted"),
)
def proposition_2_7_a_in_small_graphs() -> Statement:
    return counted(
        "attributed_walks",
        Eq(Symbol("violations"), 0),
        yields=("violations",),
        variables={n: at_least(1)},
        n=[1, 2, 3, 4, 5],
        longest=3,
        notes="For all graphs: the walks with given features can be counted in the unrolled tree of depth k.",
    )


@paper.statement(
    "proposition-2.7.corrected",
    "With the powers of A, 2^(k-1) + 1 classes have 2^(k-2) + 1 walk counts each",
    scope=own("the nearest true form of proposition-2.7, its number of values; the numbers of nodes are symbols"),
)
def proposition_2_7_corrected() -> Statement:
    return many_walk_counts()


def many_walk_counts() -> Statement:
    """On full binary trees, whose degrees are at most 3: M = 2^(k-1) nodes of each branch on level k, q zeros there.

    The zeros in the first branch run from max(0, q - M) to min(M, q); the M + 1 classes are q from M/2 to 3M/2.
    """
    return Statement(
        variables={M: Interval(2, oo), q: S.Reals},
        given=(2 * q >= M, 2 * q <= 3 * M),
        then=Min(M, q) - Max(0, q - M) + 1 >= M / 2 + 1,
        notes="Walks that turn back end above the last level and add the same number to all counts; the powers of A"
        " tell"
        " the M + 1 values of q apart (step `levels` of Proposition 2.6).",
    )


@paper.step(
    "proposition-2.7",
    "ranges-counted",
    "Up to k = 4 there are as many classes and walk counts, m = 3",
    scope=own("the corrected statement, counted up to k = 4 for m = 3"),
)
def ranges_counted() -> Statement:
    many = And(Symbol("classes") >= 2 ** (k - 1) + 1, Symbol("fewest_values") >= 2 ** (k - 2) + 1)
    return listed("branch_ranges", many, yields=("classes", "fewest_values"), m=3, k=[2, 3, 4])


@paper.step(
    "proposition-2.7",
    "levels",
    "The construction has m^(k'-1) or (m-1) m^(k'-1) zeros on level k'",
    scope=part("the numbers of nodes, as a recursion of numbers"),
)
def levels() -> Statement:
    """Level by level every node has m children: the first branch has P = m^(k'-1) nodes, the others the rest."""
    first, others, P = Symbol("first"), Symbol("others"), Symbol("P")
    return recursion(
        {first: m * first, others: m * others, P: m * P},
        {first: Integer(1), others: m - 1, P: Integer(1)},
        And(Eq(first, P), Eq(others, (m - 1) * P)),
        variables={m: at_least(2)},
        notes="From level 1 on. All nodes of the first branch on a level have one feature and all others the other one,"
        " so the zeros are the nodes of the one or of the other.",
    )


@paper.step(
    "proposition-2.7",
    "levels-counted",
    "Listed for m = 2 and 3, all feature sequences and levels up to 3",
    scope=case("m = 2, 3, all feature sequences, levels up to 3"),
)
def levels_counted() -> Statement:
    return listed("branch_levels", Eq(Symbol("violations"), 0), yields=("violations",), m=[2, 3], k=[2, 3])


@paper.step(
    "proposition-2.7",
    "count",
    "The walk count is the number of nodes with the last feature in the first branch",
    scope=case("m = 2, 3 and k = 2, 3, all feature sequences, counted"),
)
def count() -> Statement:
    return counted(
        "branch_walks",
        Eq(Symbol("differing"), 0),
        yields=("differing",),
        variables={m: at_least(2), k: at_least(2)},
        m=[2, 3],
        k=[2, 3],
        notes="Walks may turn back: to the root when it carries the second feature, and so on.",
    )


@paper.step(
    "proposition-2.7", "count.corrected", "The walk count takes m^(k-1) + 1 values for one tuple of level counts"
)
def count_corrected() -> Statement:
    """One marked node more on the last level of the first branch adds the one walk that goes straight to it."""
    marked, walks, values, turning = Symbol("marked"), Symbol("walks"), Symbol("values"), Symbol("turning")
    return recursion(
        {marked: marked + 1, walks: walks + 1, values: values + 1},
        {marked: Integer(0), walks: turning, values: Integer(1)},
        And(Eq(walks, turning + marked), Eq(values, marked + 1)),
        variables={turning: at_least(0)},
        notes="`turning` counts the walks that turn back, which end above the last level (step `straight`) and do not"
        " see its features. With 0 to M = m^(k-1) marked nodes, all of which fit (step `range`), the counts are M + 1"
        " different numbers.",
    )


@paper.step(
    "proposition-2.7",
    "straight",
    "A walk of k steps from the root that ends on level k never turns back",
    scope=own("a step of ours for the corrected count"),
)
def straight() -> Statement:
    down, up = Symbol("down"), Symbol("up")
    return Statement(
        variables={k: at_least(1), down: at_least(0), up: at_least(0)},
        given=(Eq(down + up, k), Eq(down - up, k)),
        then=Eq(up, 0),
    )


@paper.step(
    "proposition-2.7",
    "count-counted",
    "Listed for m = 2 and 3, k = 2 and 3 and all feature sequences",
    scope=own("the corrected count, for m = 2, 3 and k = 2, 3"),
)
def count_counted() -> Statement:
    return listed(
        "branch_walks",
        Eq(Symbol("fewest_values"), m ** (k - 1) + 1),
        yields=("fewest_values",),
        m=[2, 3],
        k=[2, 3],
    )


@paper.step(
    "proposition-2.7",
    "range",
    "Any number up to M = m^(k-1) of zeros in the first branch fits with q in the range",
    scope=whole(),
)
def fits() -> Statement:
    return Statement(
        variables={m: at_least(2), M: at_least(1), q: S.Integers, z: S.Integers},
        given=(q >= M, q <= (m - 1) * M, z >= 0, z <= M),
        then=And(q - z >= 0, q - z <= (m - 1) * M),
    )


def _choices(extra: int) -> Statement:
    return Statement(variables={m: at_least(2), M: at_least(1)}, then=Eq((m - 1) * M - M + 1, (m - 2) * M + extra))


@paper.step("proposition-2.7", "choices", "There are (m - 2) m^(k-1) choices of q, as printed", scope=whole())
def choices() -> Statement:
    return _choices(0).but(notes="Both ends of the range belong to it.")


@paper.step("proposition-2.7", "choices.corrected", "There are (m - 2) m^(k-1) + 1 choices of q")
def choices_corrected() -> Statement:
    return _choices(1).but(then=(m - 1) * M - M + 1 >= (m - 2) * M + 1)
