"""Section 2.5, first part, and Appendix A.6: graph networks induce doubly exponentially many classes."""

from __future__ import annotations

from sympy import And, Eq, Integer, Rational, Symbol

from theory.graph_expressiveness._paper import at_least, counted, listed, paper, recursion
from theory.language.structures import Colours, RegularColours, number_of
from theory.scope import case, own, part, whole
from theory.statements import Statement

m, K, b, c, x = Symbol("m"), Symbol("K"), Symbol("b"), Symbol("c"), Symbol("x")


@paper.statement(
    "figure-2.2",
    "Two different graphs with the same rooted aggregation tree at every depth",
    scope=case("a triangle and a hexagon in place of the drawn pair, all depths"),
)
def figure_2_2() -> Statement:
    same = And(Eq(Symbol("same_tree"), 1), Eq(Symbol("orders_differ"), 1))
    return counted("common_tree", same, yields=("same_tree", "orders_differ"))


@paper.statement(
    "proposition-2.3",
    "Networks of depth K induce a number of classes that grows at least doubly exponentially in K",
    scope=whole(),
)
def classes_of_networks() -> Statement:
    """A class of rooted graphs under networks of depth K is a colour after K rounds of refinement, see claim-2.3.a."""
    return Statement(
        variables={K: at_least(1), m: at_least(3), x: at_least(2)},
        then=number_of(Colours(m, K, x)) >= 2 ** (2**K),
        notes="All graphs of every size with degrees at most m and x features; 2^(2^K) makes `doubly exponentially`"
        " explicit.",
    )


@paper.statement(
    "proposition-2.3.growth",
    "With two features and degrees up to three the recursion of branches exceeds 2^(2^K)",
    scope=part("the growth of a recursion of numbers for m = 3; that it counts the classes is step `recursion`"),
)
def proposition_2_3() -> Statement:
    """b counts the branches of depth K with at most two children per node; larger m and the root only add to them."""
    return recursion(
        {b: x * (1 + b + b * (b + 1) / 2), c: c**2},
        {b: x, c: Integer(2)},
        And(b >= c, c >= 2),
        variables={x: at_least(2)},
        notes="x is the number of features. The recursion counts coloured trees with degrees at most three, which"
        " depth-K networks tell apart (step `recursion`); c runs through 2^(2^K).",
    )


@paper.step(
    "proposition-2.3",
    "recursion",
    "The recursion counts the unrolled trees of all rooted graphs",
    scope=own("not in print: the recursion behind proposition-2.3.growth, m = 2, 3 and K = 1, 2, counted"),
)
def counting_recursion() -> Statement:
    listed = And(Eq(Symbol("listed"), Symbol("counted")), Eq(Symbol("outside"), 0))
    return counted(
        "unrolled_classes",
        listed,
        yields=("listed", "counted", "outside"),
        variables={m: at_least(1), K: at_least(1)},
        m=[2, 3],
        K=[1, 2],
        alphabet=2,
        order=4,
        notes="For all sizes: every unrolled tree is a coloured tree with the degrees of the recursion, and such a"
        " tree is"
        " a graph that unrolls to it; a proof needs the correspondence written out for any depth.",
    )


@paper.step(
    "proposition-2.3",
    "bound",
    "The exact number of classes exceeds 2^(2^K) up to m = 5 and K = 4",
    scope=own("not in print: the bound 2^(2^K), counted for m = 3, 4, 5 and K up to 4, two features"),
)
def class_bound() -> Statement:
    return listed(
        "class_numbers",
        Symbol("classes") >= 2 ** (2**K),
        yields=("classes",),
        m=[3, 4, 5],
        K=[1, 2, 3, 4],
        alphabet=2,
    )


@paper.step(
    "proposition-2.3",
    "one-feature",
    "A single feature suffices for doubly exponential growth",
    scope=own("stronger than printed: one feature suffices"),
)
def one_feature() -> Statement:
    return recursion(
        {b: 1 + b + b * (b + 1) / 2, c: c**2},
        {b: Integer(3), c: Rational(3, 2)},
        And(b >= 2 * c, c >= 1),
        notes="Stronger than printed: the hypothesis of two features is not needed, because degrees vary.",
    )


@paper.step(
    "proposition-2.3",
    "degree-two",
    "With degrees up to two the growth is only exponential",
    scope=own("not in print: why m >= 3 is needed"),
)
def degree_two() -> Statement:
    return recursion(
        {b: x * (1 + b), c: 2 * x * c},
        {b: x, c: x},
        And(b <= c, b >= 1),
        variables={x: at_least(1)},
        notes="The hypothesis of degrees up to three is needed.",
    )


@paper.statement(
    "lemma-a.6",
    "There are at least (m - 1)^(2^K - 1) aggregation trees of depth K with m children everywhere",
    scope=whole(),
)
def lemma_a_6() -> Statement:
    """An aggregation tree in which all inner nodes have m children is a colour in graphs of that degree."""
    return Statement(
        variables={K: at_least(1), m: at_least(1), x: at_least(2)},
        then=number_of(RegularColours(m, K, x)) >= (m - 1) ** (2**K - 1),
        notes="For each m the numbers of trees are a recursion (lemma-a.6.m-3); a proof for all m needs the bound of"
        " step `quotient` at depth two joined to it.",
    )


@paper.statement(
    "lemma-a.6.m-3",
    "There are at least 2^(2^K - 1) aggregation trees of depth K with three children everywhere",
    scope=case("m = 3, every K"),
)
def trees_with_three_children() -> Statement:
    return Statement(
        variables={K: at_least(1), x: at_least(2)}, then=number_of(RegularColours(3, K, x)) >= 2 ** (2**K - 1)
    )


@paper.statement(
    "lemma-a.6.growth",
    "From depth two on the branches grow at least as (m - 1)^(2^k)",
    scope=part("the growth of a recursion of numbers from depth two on; that it counts the trees is in its steps"),
)
def lemma_a_6_growth() -> Statement:
    """From (m - 1)^4 branches at depth two on there are at least (m - 1)^(2^k), and as many trees at least."""
    return recursion(
        {b: b * (b + 1), c: c**2},
        {b: (m - 1) ** 4, c: (m - 1) ** 4},
        And(b >= c, c >= 1),
        variables={m: at_least(3)},
        notes="Step `squaring` gives b (b + 1) branches at least, step `quotient` the start; c runs through (m -"
        " 1)^(2^k)."
        " K = 1 and 2 are 2 (m + 1) >= m - 1 and 2 C(3m-1, m) >= 2 C(3m-2, m-1) >= (m - 1)^4; for m = 2 the bound is"
        " 1.",
    )


@paper.step(
    "lemma-a.6",
    "counted",
    "The exact numbers exceed the bound up to m = 5 and K = 4",
    scope=case("m up to 5 and K up to 4, two features"),
)
def counted_trees() -> Statement:
    return listed(
        "class_numbers",
        Symbol("regular") >= (m - 1) ** (2**K - 1),
        yields=("regular",),
        m=[2, 3, 4, 5],
        K=[1, 2, 3, 4],
        alphabet=2,
    )


@paper.step(
    "lemma-a.6",
    "base",
    "Depth one: 2 (m - 1) trees have leaves of both features",
    scope=part("the number of trees as a recursion in m"),
    equations=("A.14",),
)
def base_case() -> Statement:
    """Two trees have two leaves, one of each feature; one leaf more allows one more number of zeros."""
    t = Symbol("t")
    return recursion(
        {m: m + 1, t: t + 2},
        {m: Integer(2), t: Integer(2)},
        Eq(t, 2 * (m - 1)),
        notes="A tree of depth one is the feature of its root and the number of its leaves of feature 0, which is 1 to"
        " m - 1 when both features occur: with one leaf more it may also be m.",
    )


@paper.step(
    "lemma-a.6", "base-counted", "Listed for up to five leaves", scope=case("up to five leaves"), equations=("A.14",)
)
def base_counted() -> Statement:
    return listed("built_trees", Eq(Symbol("different"), 2 * (m - 1)), yields=("different",), m=[2, 3, 4, 5], K=1)


@paper.step(
    "lemma-a.6",
    "legitimate",
    "Every tree of the induction is the unrolled tree of some graph",
    scope=case("m = 3 and K = 1, 2, 3, counted"),
)
def legitimate() -> Statement:
    return counted(
        "constructed_trees",
        Eq(Symbol("legitimate"), Symbol("different")),
        yields=("legitimate", "different"),
        variables={K: at_least(1)},
        m=3,
        K=[1, 2, 3],
        notes="The argument asks only that the parent's feature occurs among the children; from depth three on the"
        " copy of the parent must also carry the parent's own neighbours. What the lemma needs, the number of trees,"
        " comes from the recursion of lemma-a.6.growth instead.",
    )


@paper.step("lemma-a.6", "legitimate.corrected", "Up to depth two every tree of the induction is unrolled from a graph")
def legitimate_corrected() -> Statement:
    return listed(
        "constructed_trees",
        Eq(Symbol("legitimate"), Symbol("different")),
        yields=("legitimate", "different"),
        m=[3, 4],
        K=[1, 2],
        notes="Up to depth two the copy of the parent is a leaf, which has a feature only; for m = 3 and 4.",
    )


@paper.step(
    "lemma-a.6",
    "different",
    "Different tuples of the induction give different trees",
    scope=part("one path: equal numbers of leaves give equal entries of the tuple"),
)
def different() -> Statement:
    """W nodes end a path of features, and each has q children of feature 0: the tree shows q W leaves there."""
    W, q, other = Symbol("W"), Symbol("q"), Symbol("other")
    return Statement(
        variables={W: at_least(1), q: at_least(1), other: at_least(1)},
        given=(Eq(q * W, other * W),),
        then=Eq(q, other),
        notes="Every path of features occurs, so W is at least 1: the leaves of feature 0 that follow each path give"
        " back the tuple. The shorter tree is what is left without the leaves, so earlier tuples are seen as well.",
    )


@paper.step(
    "lemma-a.6",
    "different-counted",
    "Listed for m = 3 and depths up to three",
    scope=case("m = 3 and depths up to three"),
)
def different_counted() -> Statement:
    return listed(
        "built_trees", Eq(Symbol("built"), Symbol("different")), yields=("built", "different"), m=3, K=[1, 2, 3]
    )


@paper.step(
    "lemma-a.6", "exponent", "The exponents 1 + 2 + ... + 2^(K-1) of the factors add up to 2^K - 1", scope=whole()
)
def exponents() -> Statement:
    e, p = Symbol("e"), Symbol("p")
    return recursion({e: e + p, p: 2 * p}, {e: Integer(1), p: Integer(2)}, Eq(e, p - 1))


@paper.step(
    "lemma-a.6",
    "squaring",
    "For m at least three one more level squares the number of branches at least",
    scope=own("a step of ours: the recursion in place of the printed induction"),
)
def squaring() -> Statement:
    return Statement(
        variables={x: at_least(2), b: at_least(1)},
        then=x * b * (b + 1) / 2 >= b**2,
        notes="The branches of the next level are x times the multisets of m - 1 >= 2 branches, at least x b (b+1)/2.",
    )


@paper.step(
    "lemma-a.6",
    "quotient",
    "At depth two the branches grow faster in m than (m - 1)^4",
    scope=own("a step of ours: the recursion in place of the printed induction"),
)
def quotient() -> Statement:
    grown = (3 * m + 1) * 3 * m * (3 * m - 1) * (m - 1) ** 4
    return Statement(
        variables={m: at_least(3)},
        then=grown >= m**4 * m * (2 * m + 1) * 2 * m,
        notes="The quotient of 2 C(3m+1, m) and 2 C(3m-2, m-1) against that of m^4 and (m-1)^4; at m = 3 the branches"
        " are 42 and (m-1)^4 is 16.",
    )
