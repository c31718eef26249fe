"""Appendix A.8: one class of topological operators meets doubly exponentially many classes of networks."""

from __future__ import annotations

from sympy import And, Eq, Expr, FiniteSet, Implies, Integer, Max, Rational, S, Sum, Symbol
from sympy.logic.boolalg import Boolean

from theory.domains import POSITIVE
from theory.graph_expressiveness._paper import at_least, counted, for_all, listed, paper, recursion
from theory.graph_expressiveness.operator_classes import NUMBERS, many_large_classes, powers_in_network_classes
from theory.language.structure_words import entry, level_count
from theory.language.structures import FullTrees, Nodes, Operators, Sequences, number_of
from theory.scope import case, own, part, whole
from theory.statements import Statement
from theory.temporal import Exists, ForAll

n, m, K, k, q = Symbol("n"), Symbol("m"), Symbol("K"), Symbol("k"), Symbol("q")
h, s = Symbol("h"), Symbol("s")


@paper.statement("figure-2.3", "Two trees alike for topological operators and different for networks", scope=whole())
def figure_2_3() -> Statement:
    stated = {"same_levels": 1, "left_walks": 1, "right_walks": 0, "networks_separate": 1, "orbits_are_levels": 1}
    return counted(
        "figure_trees",
        And(*[Eq(Symbol(name), value) for name, value in stated.items()]),
        yields=tuple(stated),
        notes="An equivariant linear operator has equal coefficients on an orbit of the automorphisms that fix the"
        " root; the orbits are the levels, so only the features per level enter.",
    )


@paper.step(
    "figure-2.3",
    "all",
    "The set T_{2,2,(1,1,3)} consists of exactly these two trees",
    scope=own("not in print: how many trees the set has"),
)
def figure_set() -> Statement:
    return counted("figure_trees", Eq(Symbol("alike"), 2), yields=("alike",))


@paper.statement(
    "proposition-2.6",
    "Every family of topological operators has exponentially many large classes; networks refine powers",
    scope=whole(),
)
def proposition_2_6() -> Statement:
    operators, x = Symbol("Omega"), Symbol("x")
    sizes = {K: at_least(2), x: at_least(2), m: at_least(3)}
    return Statement(
        variables={**sizes, operators: Operators(K)},
        then=And(many_large_classes(operators), for_all(powers_in_network_classes(), K, x)),
        notes=NUMBERS + " The converse half, which is true, is proposition-2.6.b.",
    )


@paper.statement(
    "proposition-2.6.identity",
    "Every family of topological operators has exponentially many large classes, as printed",
    scope=case("the family {I}, m = 3, K = 1, 2, counted"),
    claims="Any topological operators have exponentially many classes that meet doubly exponentially many of networks",
)
def proposition_2_6_identity() -> Statement:
    return counted(
        "family_classes",
        Symbol("classes") > K,
        yields=("classes",),
        variables={K: at_least(1)},
        K=[1, 2],
        m=3,
        family="identity",
        notes="The family {I} is equivariant and depends on nothing but zero hops; it has as many classes as there are"
        " features at every depth, and an exponential number exceeds K.",
    )


@paper.statement(
    "proposition-2.6.b",
    "Depth-(K+1) network classes lie inside the classes of powers up to K",
    scope=part("the converse half, for all graphs, all K and all exponents"),
)
def proposition_2_6_b() -> Statement:
    return powers_in_network_classes()


@paper.statement(
    "proposition-2.6.b.small",
    "Depth-(K+1) network classes lie inside the classes of powers up to K, listed",
    scope=case("the converse half: all graphs of up to five nodes, depths up to three, counted"),
)
def proposition_2_6_b_in_small_graphs() -> Statement:
    return _bounds(1)


@paper.step(
    "proposition-2.6.b",
    "fewer-rounds",
    "Depth K would already suffice",
    scope=own("not in print: whether one round less suffices"),
)
def fewer_rounds() -> Statement:
    return _bounds(0).but(
        notes="Not claimed in print: it shows that the extra round cannot be saved when b is not 0, because the degree"
        " of the last node of a walk is seen one round later than its feature."
    )


@paper.step("proposition-2.6.b", "fewer-rounds.corrected", "Depth K suffices when b is 0, up to five nodes")
def fewer_rounds_corrected() -> Statement:
    return listed(
        "refinement_bounds",
        Eq(Symbol("violations"), 0),
        yields=("violations",),
        n=[1, 2, 3, 4, 5],
        deepest=3,
        extra=0,
        last_degree=False,
        notes="With b = 0 the degree of the last node of a walk does not enter, and the degrees before it are seen in"
        " the unrolled tree of depth K.",
    )


def _bounds(extra: int) -> Statement:
    return counted(
        "refinement_bounds",
        Eq(Symbol("violations"), 0),
        yields=("violations",),
        variables={n: at_least(1)},
        n=[1, 2, 3, 4, 5],
        deepest=3,
        extra=extra,
        notes="For all graphs: by (2.6) the sums over walks are read off the unrolled tree, degrees of the ends"
        " included.",
    )


@paper.statement(
    "proposition-2.6.corrected",
    "With the powers of A among the operators, large classes abound for m = 3",
    scope=own("the nearest true form of proposition-2.6 for m = 3, as a recursion of numbers"),
)
def proposition_2_6_corrected() -> Statement:
    return shared_levels()


def shared_levels() -> Statement:
    """t full binary trees of depth k share at most W tuples of zeros per level, and their average grows by squaring."""
    t, p, tuples, size = Symbol("t"), Symbol("p"), Symbol("W"), Symbol("size")
    return recursion(
        {t: t * (t + 1), p: 2 * p, tuples: tuples * (p + 1), size: size**2},
        {t: Integer(42), p: Integer(8), tuples: Integer(30), size: Rational(7, 5)},
        And(t >= tuples * size, tuples >= p + 1, p >= 1, size >= 1),
        notes="From depth 2 on: t counts full binary 0-1 trees (degrees at most 3), W the tuples of zeros on all their"
        " levels, p = 2^(k+1) the nodes of the next level. Some tuple is shared by size = (7/5)^(2^(k-2)) trees, each"
        " of which extends to p + 1 numbers of zeros on the next level; powers of A tell those apart (step `levels`).",
    )


@paper.step(
    "proposition-2.6", "subset", "Full m-ary trees have degrees at most m", scope=case("m = 3, 4 and K = 2, 3, counted")
)
def subset() -> Statement:
    return counted(
        "full_tree_degree",
        Symbol("degree") <= m,
        yields=("degree",),
        variables={m: at_least(3), K: at_least(2)},
        m=[3, 4],
        K=[2, 3],
        arity_below=0,
        notes="An inner node has m children and a parent. Full (m-1)-ary trees are meant.",
    )


@paper.step("proposition-2.6", "subset.corrected", "Full (m-1)-ary trees have degrees at most m")
def subset_corrected() -> Statement:
    """A node has its children, none or all, and at most one parent."""
    children, parents = Symbol("children"), Symbol("parents")
    return Statement(
        variables={m: at_least(3), children: at_least(0), parents: at_least(0)},
        given=(children <= m - 1, parents <= 1),
        then=children + parents <= m,
    )


@paper.step(
    "proposition-2.6",
    "a.18",
    "Topological operators see only the features per level",
    scope=case("m = 2, 3 and K = 1, 2, counted"),
    equations=("A.17", "A.18"),
)
def levels_are_orbits() -> Statement:
    return counted(
        "level_orbits",
        Eq(Symbol("differing"), 0),
        yields=("differing",),
        variables={m: at_least(1), K: at_least(0)},
        m=[2, 3],
        K=[1, 2],
        notes="A proof for all sizes exchanges whole branches: the automorphisms of a full tree move any node of a"
        " level to"
        " any other.",
    )


@paper.step(
    "proposition-2.6",
    "levels",
    "The powers of A up to K tell all level counts apart",
    scope=own("not in print: what the corrected statement needs, as a recursion of numbers"),
    equations=("A.19",),
)
def levels_are_seen() -> Statement:
    """d walks of length k lead to a node of level k, and z to one of a deeper level: the matrix is triangular."""
    d, z = Symbol("d"), Symbol("z")
    return recursion(
        {d: d + m * z, z: (m + 1) * z},
        {d: Integer(1), z: Integer(0)},
        And(Eq(d, 1), Eq(z, 0)),
        variables={m: at_least(1)},
        notes="The last step to a node comes from its parent or one of its m children; what is deeper is out of reach.",
    )


@paper.step(
    "proposition-2.6",
    "levels-counted",
    "The determinant is 1 for m = 2, 3, 4 and depths up to 5",
    scope=own("not in print: counted for m = 2, 3, 4 and depths up to 5"),
)
def levels_counted() -> Statement:
    return listed("level_walks", Eq(Symbol("determinant"), 1), yields=("determinant",), m=[2, 3, 4], K=[1, 2, 3, 4, 5])


@paper.step(
    "proposition-2.6",
    "powers",
    "For K = 1, 2 the powers of A induce more than 4^K classes, some of which are large",
    scope=own("not in print: the corrected statement counted for K = 1, 2 and m = 3"),
)
def families() -> Statement:
    return listed(
        "family_classes",
        And(Symbol("classes") > 4**K, Symbol("met") >= K),
        yields=("classes", "met"),
        K=[1, 2],
        m=3,
        family="powers",
    )


@paper.step(
    "proposition-2.6",
    "growth",
    "For m at least 2 the interval of (A.20) grows exponentially",
    scope=case("m = 2, 3, 4, 5"),
)
def growth() -> Statement:
    return Statement(
        variables={m: FiniteSet(2, 3, 4, 5), K: at_least(2)},
        then=m**K / 2 - (2**K - 2 ** (K - 2)) > 0,
        notes="The hypotheses say m >= 3, the sentence says m >= 2; for m = 2 the interval is empty.",
    )


@paper.step("proposition-2.6", "growth.corrected", "For m at least 3 the interval of (A.20) grows exponentially")
def growth_corrected() -> Statement:
    p, r = Symbol("p"), Symbol("r")
    return recursion(
        {p: m * p, r: 2 * r},
        {p: m**2, r: Integer(4)},
        And(4 * p >= 7 * r, r >= 4),
        variables={m: at_least(3)},
        notes="p runs through m^K and r through 2^K, from K = 2 on: then p/2 - 3 r/4, the length, is at least r/8.",
    )


def _fewest(least_first: int) -> Statement:
    return counted(
        "trees_with_levels",
        Symbol("fewest") >= 2 ** (2 ** (K - 1) - 1),
        yields=("fewest",),
        variables={m: at_least(3), K: at_least(2)},
        m=[3, 4],
        K=[2, 3],
        least_first=least_first,
        notes="A proof for all sizes: as for lemma-a.7.corrected; what is left is to start the induction when the first"
        " level has one feature only.",
    )


@paper.statement(
    "lemma-a.7",
    "Within (A.20) at least 2^(2^(K-1) - 1) trees share their level counts",
    scope=whole(),
    equations=("A.19", "A.20", "A.21"),
)
def lemma_a_7() -> Statement:
    """Place k of the sequence is q_(k-1) + 1; (A.19) has q_k <= m^k on all levels, (A.20) narrows it from k = 2 on."""
    levels, tree, most = Symbol("s"), Symbol("T"), Symbol("l")
    zeros = entry(levels, k) - 1
    narrow = And(zeros >= 2 ** (k - 1) - 2 ** (k - 3), 2 * zeros <= m ** (k - 1))
    shared = ForAll(k, Nodes(K + 1), Eq(level_count(tree, k - 1, 1), zeros))
    return Statement(
        variables={K: at_least(1), m: at_least(1), most: at_least(1), levels: Sequences(most, K + 1)},
        given=(ForAll(k, Nodes(K + 1), And(zeros <= m ** (k - 1), Implies(k >= 3, narrow))),),
        then=number_of(tree, FullTrees(m, K, 2), shared) >= 2 ** (2 ** (K - 1) - 1),
        notes="The feature 1 stands for the 0 of the print. A proof for all sizes: as for lemma-a.7.corrected; what is"
        " left is to start the induction when the first level has one feature only.",
    )


@paper.statement(
    "lemma-a.7.small",
    "Within (A.20) at least 2^(2^(K-1) - 1) trees share their level counts",
    scope=case("m = 3, 4 and K = 2, 3, counted"),
    equations=("A.20", "A.21"),
)
def lemma_a_7_small() -> Statement:
    return _fewest(0)


@paper.statement(
    "lemma-a.7.corrected",
    "The same with both features on the first level, where the induction works",
    scope=own("the nearest true form of lemma-a.7, as a recursion of numbers"),
)
def lemma_a_7_corrected() -> Statement:
    """t trees at least at depth k, and f = 2^(2^(k-1)) ways at least to extend each, see step a.23."""
    t, f = Symbol("t"), Symbol("f")
    return recursion(
        {t: t * f, f: f**2},
        {t: Integer(1), f: Integer(2)},
        And(2 * t >= f, f >= 2),
        notes="From depth 1 on, where step `depth-1.corrected` gives one tree; 2 t >= f is t >= 2^(2^(k-1) - 1). Each"
        " tree is extended in f ways at least (steps a.23 and lemma-a.8), and different choices give different trees.",
    )


@paper.step(
    "lemma-a.7",
    "counted",
    "With both features on level one the exact numbers exceed the bound, K = 2, 3",
    scope=own("the corrected lemma, counted for m = 3, 4 and K = 2, 3"),
)
def fewest_counted() -> Statement:
    return listed(
        "trees_with_levels",
        Symbol("fewest") >= 2 ** (2 ** (K - 1) - 1),
        yields=("fewest",),
        m=[3, 4],
        K=[2, 3],
        least_first=1,
    )


@paper.step(
    "lemma-a.7",
    "two-children",
    "For m = 2 the hypothesis (A.20) can be met",
    scope=own("not in print: whether m = 2 is possible"),
    equations=("A.20",),
)
def two_children() -> Statement:
    """With h = 2^(k-2) the interval from 2^k - 2^(k-2) to 2^k / 2 runs from 3 h down to 2 h."""
    return Statement(variables={h: at_least(1), q: S.Reals}, given=(q >= 3 * h, q <= 2 * h), then=q >= 0)


@paper.step(
    "lemma-a.7", "depth-0", "There is one tree of depth 0 for each feature", scope=case("m = 2; m does not enter")
)
def depth_zero() -> Statement:
    alone = And(Eq(Symbol("least"), 1), Eq(Symbol("most"), 1))
    return counted(
        "base_trees",
        alone,
        yields=("least", "most"),
        m=2,
        K=0,
        zeros=[0],
        notes="A tree of depth 0 is the feature of its root and has no children, so that m does not enter.",
    )


def _depth_one(zeros: list[int]) -> Statement:
    alone = And(Eq(Symbol("least"), 1), Eq(Symbol("most"), 1))
    return counted(
        "base_trees",
        alone,
        yields=("least", "most"),
        variables={m: at_least(3)},
        m=[3, 4, 5],
        K=1,
        zeros=zeros,
        notes="For all m: a tree of depth 1 is the feature of its root and the number of its leaves of feature 0.",
    )


@paper.step(
    "lemma-a.7",
    "depth-1",
    "There is one tree of depth 1 with both features for 0, 1 and 2 zeros",
    scope=case("m = 3, 4, 5, counted"),
    equations=("A.22",),
)
def depth_one() -> Statement:
    return _depth_one([0, 1, 2]).but(notes="By (A.22) both features occur on level 1, so no zeros leave no tree.")


@paper.step("lemma-a.7", "depth-1.corrected", "There is one tree of depth 1 with both features for 1 and 2 zeros")
def depth_one_corrected() -> Statement:
    """Two trees with the same root and z leaves of feature 0 have as many ones, and one at least."""
    z, ones, others = Symbol("z"), Symbol("ones"), Symbol("others")
    return Statement(
        variables={m: at_least(3), z: FiniteSet(1, 2), ones: at_least(0), others: at_least(0)},
        given=(Eq(z + ones, m), Eq(z + others, m)),
        then=And(Eq(ones, others), ones >= 1),
        notes="A tree of depth 1 is the feature of its root and how many of its m leaves have each feature.",
    )


@paper.step(
    "lemma-a.7",
    "depth-1-counted",
    "Listed for up to five leaves",
    scope=own("the corrected step, counted for up to five leaves"),
)
def depth_one_counted() -> Statement:
    return listed(
        "base_trees",
        And(Eq(Symbol("least"), 1), Eq(Symbol("most"), 1)),
        yields=("least", "most"),
        m=[3, 4, 5],
        K=1,
        zeros=(1, 2),
    )


@paper.step(
    "lemma-a.7",
    "a.23",
    "Each further level multiplies the number of trees by 2^(2^(K-2))",
    scope=part("the doubling path by path, as a recursion of numbers"),
    equations=("A.23", "A.24"),
)
def further_level() -> Statement:
    """Path after path of the rarer half: two choices each, c in all after j paths, so n trees become n c at least."""
    j, c, built = Symbol("j"), Symbol("c"), Symbol("built")
    return recursion(
        {j: j + 1, c: 2 * c, built: 2 * built},
        {j: Integer(0), c: Integer(1), built: n},
        And(Eq(built, n * c), c >= j + 1, j >= 0),
        variables={n: at_least(1)},
        notes="At j = 2^(K-2) paths c is 2^(2^(K-2)). Lemma A.8 completes each choice to a tree, and different choices"
        " give different trees: 1 or 2 leaves of feature 0 follow each of these paths in all.",
    )


@paper.step(
    "lemma-a.7",
    "a.23-counted",
    "The exact numbers exceed the factor at depth 2 for m up to 5",
    scope=case("depth 2, m up to 5"),
)
def further_level_counted() -> Statement:
    return listed("extension_factor", Symbol("surplus") >= 0, yields=("surplus",), m=[3, 4, 5], K=2)


@paper.step(
    "lemma-a.7", "a.27", "The exponents of the factors add up to 2^(K-1) - 1", scope=whole(), equations=("A.27",)
)
def exponents() -> Statement:
    e, p = Symbol("e"), Symbol("p")
    return recursion({e: e + p, p: 2 * p}, {e: Integer(1), p: Integer(2)}, Eq(e, p - 1))


@paper.statement(
    "lemma-a.8",
    "Every choice of 1 or 2 zeros under the rarer half of the paths can be completed",
    scope=whole(),
    equations=("A.24", "A.25", "A.26"),
)
def lemma_a_8() -> Statement:
    """Of 2 h paths h are rarer: `few` and `many` are how many nodes end them, h = 2^(K-2), together m^(K-1) nodes.

    Stated for every h and every number of nodes, of which (A.20) is 3 h <= q and 2 q <= m times that number.
    """
    few, many, chosen, others = (Symbol(name) for name in ("V", "W", "r", "s"))
    i, j, most = Symbol("i"), Symbol("j"), Symbol("l")

    def total(sequence: Symbol) -> Expr:
        return Sum(entry(sequence, i), (i, 1, h))

    def fits(sequence: Symbol, nodes: Symbol) -> Boolean:
        return ForAll(j, Nodes(h), entry(sequence, j) <= m * entry(nodes, j) - 1)

    completed = And(fits(chosen, few), fits(others, many), Eq(total(chosen) + total(others), q))
    return Statement(
        variables={
            h: at_least(1), m: at_least(3), most: at_least(1), few: Sequences(most, h), many: Sequences(most, h),
            chosen: Sequences(2, h), q: at_least(3),
        },
        given=(
            ForAll(i, Nodes(h), ForAll(j, Nodes(h), entry(few, i) <= entry(many, j))),
            3 * h <= q,
            2 * q <= m * (total(few) + total(many)),
        ),
        then=Exists(others, Sequences(q, h), completed),
        notes="Listed for the first sizes. A proof for all sizes: what is left lies between the sums that the commoner"
        " half can carry (lemma-a.8.sums), and each of these is reached (step `a.26`).",
    )  # fmt: skip


@paper.statement(
    "lemma-a.8.sums",
    "What is left lies within the sums that the commoner half of the paths can carry",
    scope=part("what is left lies within the sums that the commoner half can carry"),
)
def lemma_a_8_sums() -> Statement:
    """h = 2^(K-2) paths in each half, s zeros chosen, P = m^K, M = m times the leaves under the commoner half."""
    P, M = Symbol("P"), Symbol("M")
    return Statement(
        variables={h: at_least(1), q: S.Reals, s: S.Reals, P: POSITIVE, M: POSITIVE},
        given=(h <= s, s <= 2 * h, 3 * h <= q, 2 * q <= P, 2 * M >= P),
        then=And(h <= q - s, q - s <= M - h),
        notes="What is left, q - s, lies between the least and the largest sum that the commoner half can carry; every"
        " integer in between is reached (step a.26), and step `half` gives 2 M >= m^K.",
    )


@paper.step("lemma-a.8", "half", "The rarer half of the paths carries at most half of the leaves", scope=whole())
def half() -> Statement:
    rare, common, leaves = Symbol("rare"), Symbol("common"), Symbol("leaves")
    return Statement(
        variables={rare: POSITIVE, common: POSITIVE, leaves: POSITIVE},
        given=(rare <= common, Eq(rare + common, leaves)),
        then=And(2 * rare <= leaves, 2 * common >= leaves),
    )


@paper.step(
    "lemma-a.8", "room", "Two zeros fit under a path with at least one leaf when m is at least 3", scope=whole()
)
def room() -> Statement:
    w = Symbol("w")
    return Statement(variables={m: at_least(3), w: at_least(1)}, then=m * w - 1 >= 2)


@paper.step(
    "lemma-a.8", "a.25", "What is left lies between q - 2^(K-1) and q - 2^(K-2)", scope=whole(), equations=("A.25",)
)
def what_is_left() -> Statement:
    return Statement(
        variables={h: at_least(1), q: S.Reals, s: S.Reals},
        given=(h <= s, s <= 2 * h),
        then=And(q - 2 * h <= q - s, q - s <= q - h),
    )


@paper.step(
    "lemma-a.8",
    "a.26",
    "Integers from 1 to given limits reach every sum in between",
    scope=part("one more term; the induction is in the note"),
    equations=("A.26",),
)
def reachable() -> Statement:
    """If r terms reach every sum from r to L, a further term from 1 to l makes every sum from r + 1 to L + l."""
    r, L, l, total = Symbol("r"), Symbol("L"), Symbol("l"), Symbol("total")
    last = Max(1, total - L)
    return Statement(
        variables={r: at_least(1), L: at_least(1), l: at_least(1), total: at_least(1)},
        given=(r <= L, r + 1 <= total, total <= L + l),
        then=And(last >= 1, last <= l, total - last >= r, total - last <= L),
        notes="Induction over the number of terms: one term from 1 to l reaches the sums from 1 to l.",
    )


@paper.step(
    "lemma-a.8",
    "a.26-counted",
    "Listed for up to four terms with limits up to 3",
    scope=case("up to four terms with limits up to 3"),
    equations=("A.26",),
)
def reachable_counted() -> Statement:
    return listed("reachable_sums", Eq(Symbol("missed"), 0), yields=("missed",), terms=[1, 2, 3, 4], largest=3)


@paper.step(
    "lemma-a.8",
    "counted",
    "No choice fails to be completed for m = 3 and 4 and depths 2 and 3",
    scope=case("m = 3, 4 and depths 2, 3"),
)
def completions() -> Statement:
    return listed(
        "completions",
        Eq(Symbol("failing"), 0),
        yields=("failing",),
        m=[3, 4],
        K=[2, 3],
    )
