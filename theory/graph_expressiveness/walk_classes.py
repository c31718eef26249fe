"""Section 2.5, second part, and Appendix A.7: powers of one operator induce poly-exponentially many classes."""

from __future__ import annotations

from sympy import And, Eq, Expr, Integer, Interval, Rational, S, Symbol, binomial, exp, log, oo

from theory.graph_expressiveness._paper import at_least, counted, listed, paper, recursion
from theory.scope import case, own, part
from theory.statements import Statement
from theory.temporal import Scaling

n, m, k, K, N, total = Symbol("n"), Symbol("m"), Symbol("k"), Symbol("K"), Symbol("N"), Symbol("S")
ORDERS = [1, 2, 3, 4]


paper.unstated(
    "equation-2.6",
    "The entries of (D^-a A D^-b)^k are sums over the walks of k steps",
    missing="sums over the walks of a graph",
)


@paper.statement(
    "equation-2.6.longer-walk",
    "One more step gives a walk the weight that (2.6) prints",
    scope=part("the weight of a walk that is one step longer; the sum over walks is in the note"),
)
def longer_walk() -> Statement:
    return _longer_walk()


def _longer_walk() -> Statement:
    """A walk from degree f to degree d has the printed weight, `inner` between them; one more step to degree g."""
    a, b, inner, weight = Symbol("a"), Symbol("b"), Symbol("inner"), Symbol("weight")
    d, f, g = Symbol("d"), Symbol("f"), Symbol("g")

    def power(base: Symbol, exponent: Expr) -> Expr:
        return exp(exponent * log(base))

    def printed(between: Expr, last: Symbol) -> Expr:
        return power(f, -a) * between * power(last, -b)

    return Statement(
        variables={a: S.Reals, b: S.Reals, inner: S.Reals, weight: S.Reals, **dict.fromkeys((d, f, g), at_least(1))},
        given=(Eq(weight, printed(inner, d)),),
        then=Eq(weight * power(d, -a) * power(g, -b), printed(inner * power(d, -a - b), g)),
        notes="Induction over the length of the walk for any degrees and real exponents: a walk of one step has the"
        " weight f^-a g^-b, which is the printed one with `inner` = 1, and the entry of a power of a matrix is the sum"
        " over walks of the products of its entries.",
    )


@paper.step(
    "equation-2.6",
    "counted",
    "Listed for up to four nodes, walks of up to three steps and seven (a, b)",
    scope=case("all graphs of up to four nodes, walks of up to three steps, seven pairs of exponents"),
)
def expansion_counted() -> Statement:
    return _listed_expansion()


def _listed_expansion() -> Statement:
    return listed("walk_expansion", Eq(Symbol("differing"), 0), yields=("differing",), n=ORDERS, longest=3, end="power")


@paper.step(
    "equation-2.6",
    "step",
    "One more step multiplies a walk by the power of the degree it passes",
    scope=part("the power of the degree that one more step passes"),
)
def one_more_step() -> Statement:
    """The end of a shorter walk carries d^-a from its own row and d^-b from the new column."""
    a, b, d, s = Symbol("a"), Symbol("b"), Symbol("d"), Symbol("s")
    passed = exp(-b * log(d)) * (exp(-a * log(d)) * s)
    return Statement(
        variables={a: S.Reals, b: S.Reals, s: S.Reals, d: at_least(1)}, then=Eq(passed, exp(-(a + b) * log(d)) * s)
    )


@paper.statement(
    "claim-a.4.a",
    "In a rooted tree, walks that never turn back at once are the paths to their ends",
    scope=case("trees with m = 2, 3 and depths up to three, counted"),
)
def straight_walks() -> Statement:
    return counted(
        "straight_walks",
        Eq(Symbol("violations"), 0),
        yields=("violations",),
        variables={m: at_least(1), K: at_least(1)},
        m=[2, 3],
        K=[1, 2, 3],
        notes="For all trees: a walk that never turns back at once goes down at every step, and one path leads to a"
        " node.",
    )


paper.unstated(
    "proposition-2.4",
    "Powers up to K of one operator induce a number of classes that is poly-exponential in K",
    missing="all rooted graphs with degrees at most m, and how a number of classes grows",
)


@paper.statement(
    "proposition-2.4.logarithm",
    "The logarithm of the product of the bounds over k is N l K (K + 1)/2",
    scope=part("the logarithm of a product over k, as a recursion of numbers"),
)
def proposition_2_4() -> Statement:
    return _logarithm()


def _logarithm() -> Statement:
    """The logarithm L of the product over k of (m + 1)^(k N), with l = log(m + 1) and N the types of the longest."""
    L, l = Symbol("L"), Symbol("l")
    return recursion(
        {k: k + 1, L: L + (k + 1) * N * l},
        {k: Integer(0), L: Integer(0)},
        And(Eq(2 * L, N * l * k * (k + 1)), k >= 0),
        variables={N: at_least(1), l: Interval.open(0, oo)},
        notes="The classes of one power k are no more than the choices of N counts with sum at most m^k (steps a.16 and"
        " `assignments.corrected`), so at most (m^k + 1)^N <= (m + 1)^(k N) (steps `tuples-power` and `base`), and N is"
        " at most |X| m K^(m-1) for all k up to K (step `multisets-power`). The logarithm of the product over k,"
        " N l K (K + 1)/2, is therefore at most |X| m l K^m (K + 1)/2: polynomial in K.",
    )


@paper.step(
    "proposition-2.4",
    "counted",
    "The exact numbers are below the bound for m = 2, 3 and K = 1, 2",
    scope=case("m = 2, 3 and K = 1, 2, one feature, the exponents 0 and 2"),
)
def classes_counted() -> Statement:
    return listed(
        "feature_classes",
        Symbol("types") <= Symbol("bound"),
        yields=("types", "bound"),
        m=[2, 3],
        K=[1, 2],
        alphabet=1,
        before=0,
        after=2,
        notes="`types` bounds the classes for every real pair of exponents; `bound` is the product of the corrected"
        " bounds for k = 1..K.",
    )


@paper.step(
    "proposition-2.4",
    "a.15",
    "The grouped sum over walk types, as printed",
    scope=case("all graphs of up to four nodes, walks of up to three steps, seven pairs of exponents, counted"),
    equations=("A.15",),
)
def grouped() -> Statement:
    return counted(
        "walk_expansion",
        Eq(Symbol("differing"), 0),
        yields=("differing",),
        variables={n: at_least(1)},
        n=ORDERS,
        longest=3,
        end="plain",
        notes="As printed the degree of the end enters as d_k, not as d_k^-b.",
    )


@paper.step(
    "proposition-2.4", "a.15.corrected", "The grouped sum with the end degree to the power -b", equations=("A.15",)
)
def grouped_corrected() -> Statement:
    """Two walks with the same first degree, product between and last degree have the same weight: they are grouped."""
    return _longer_walk()


@paper.step(
    "proposition-2.4",
    "a.15-counted",
    "The grouped sum, listed as for equation-2.6",
    scope=own("the corrected sum, counted for graphs of up to four nodes"),
    equations=("A.15",),
)
def grouped_counted() -> Statement:
    return _listed_expansion()


@paper.step(
    "proposition-2.4",
    "multisets",
    "There are C(k + m - 2, m - 1) multisets of k - 1 degrees up to m",
    scope=part("the rule of Pascal that the number obeys"),
)
def multisets() -> Statement:
    """Without the degree m, or with it once at least: C(k+m-3, m-2) and C(k+m-3, m-1), whose sum must be the next."""
    c = Symbol("c")
    return Statement(
        variables={m: at_least(2), k: at_least(1), c: at_least(1)},
        then=Eq(c + c * (k - 1) / (m - 1), c * (k + m - 2) / (m - 1)),
        notes="c is C(k + m - 3, m - 2); then C(k + m - 3, m - 1) = c (k-1)/(m-1) and C(k + m - 2, m - 1) ="
        " c (k+m-2)/(m-1). One degree, or no place, leaves one multiset.",
    )


@paper.step(
    "proposition-2.4",
    "multisets-counted",
    "Listed for up to 5 degrees and 5 places",
    scope=case("up to 5 degrees and 5 places"),
)
def multisets_counted() -> Statement:
    return listed(
        "degree_multisets",
        Eq(Symbol("multisets"), binomial(k + m - 2, m - 1)),
        yields=("multisets",),
        m=[1, 2, 3, 4, 5],
        k=[1, 2, 3, 4, 5, 6],
    )


@paper.step(
    "proposition-2.4",
    "multisets-power",
    "That is at most k^(m - 1), and so at most (k + m - 2)^(m - 1)",
    scope=own("sharper than printed: at most k^(m - 1)"),
)
def multisets_power() -> Statement:
    """c is C(k + r - 1, r), p is k^r; at r = m - 1 they are the number of multisets and its bound."""
    r, c, p = Symbol("r"), Symbol("c"), Symbol("p")
    return recursion(
        {r: r + 1, c: c * (k + r) / (r + 1), p: k * p},
        {r: Integer(0), c: Integer(1), p: Integer(1)},
        And(c <= p, c >= 0, r >= 0),
        variables={k: at_least(1)},
    )


@paper.step(
    "proposition-2.4",
    "a.16",
    "The walk types add up to the walks, of which there are at most m^k",
    scope=case("all graphs of up to five nodes, walks of up to four steps, counted"),
    equations=("A.16",),
)
def walk_totals() -> Statement:
    return counted(
        "walk_totals",
        And(Eq(Symbol("unequal"), 0), Eq(Symbol("excess"), 0)),
        yields=("unequal", "excess"),
        variables={n: at_least(1)},
        n=[1, 2, 3, 4, 5],
        longest=4,
        notes="For all sizes: step `a.16-step`, starting from one walk of length 0.",
    )


@paper.step(
    "proposition-2.4",
    "a.16-step",
    "A node with d neighbours, d at most m, has at most m times as many walks",
    scope=part("one more step of the bound m^k"),
)
def one_more_walk_step() -> Statement:
    w, p, d = Symbol("w"), Symbol("p"), Symbol("d")
    return Statement(
        variables={m: at_least(1), d: at_least(0), w: at_least(0), p: at_least(1)},
        given=(d <= m, w <= p),
        then=d * w <= m * p,
    )


@paper.step(
    "proposition-2.4",
    "assignments",
    "N counts with sum at most S can be chosen in C(S + N - 1, N) ways",
    scope=case("N up to 4 and S up to 5, counted"),
)
def assignments() -> Statement:
    return counted(
        "tuples",
        Symbol("tuples") <= binomial(total + N - 1, N),
        yields=("tuples",),
        variables={N: at_least(1), total: at_least(1)},
        N=[1, 2, 3, 4],
        S=[1, 2, 3, 4, 5],
        notes="The printed binomial counts the sums up to S - 1.",
    )


@paper.step("proposition-2.4", "assignments.corrected", "N counts with sum at most S can be chosen in C(S + N, N) ways")
def assignments_corrected() -> Statement:
    """Tuples with first entry 0, and those that stay allowed when it is lowered: C(S+N-1, N-1) and C(S+N-1, N)."""
    c = Symbol("c")
    return Statement(
        variables={N: at_least(1), total: at_least(0), c: at_least(1)},
        then=Eq(c + c * total / N, c * (total + N) / N),
        notes="c is C(S + N - 1, N - 1); then C(S + N - 1, N) = c S/N and C(S + N, N) = c (S + N)/N. No entry, or the"
        " sum 0, leaves one tuple.",
    )


@paper.step(
    "proposition-2.4",
    "assignments-counted",
    "Listed for up to 4 counts with sum at most 5",
    scope=own("the corrected number, for up to 4 counts with sum at most 5"),
)
def assignments_counted() -> Statement:
    return listed(
        "tuples",
        Eq(Symbol("tuples"), binomial(total + N, N)),
        yields=("tuples",),
        N=[1, 2, 3, 4],
        S=[0, 1, 2, 3, 4, 5],
    )


@paper.step(
    "proposition-2.4",
    "bound",
    "One power k induces at most the printed binomial of classes",
    scope=case("m = 2, 3 and k = 1, 2, one feature, the exponents 0 and 2, counted"),
)
def printed_bound() -> Statement:
    types = m * (k + m - 2) ** (m - 1)
    return counted(
        "power_classes",
        Symbol("single") <= binomial(m**k + types - 1, types),
        yields=("single",),
        variables={m: at_least(2), k: at_least(1)},
        m=[2, 3],
        k=[1, 2],
        alphabet=1,
        before=0,
        after=2,
        notes="Nearest true statement: the binomial C(m^k + N, N) of step `assignments.corrected`. One feature: for m"
        " = 2, k = 1 the exponents (0, 2) tell six rooted graphs apart, and the bound is 3.",
    )


@paper.step(
    "proposition-2.4",
    "order",
    "For m = 3 and one feature the printed bound is O(m^(k^m))",
    scope=case("m = 3, one feature"),
)
def order() -> Statement:
    e = Symbol("e")
    exponent = 3 * (1 / e + 1) ** 2 / e / 2
    return Statement(
        variables={},
        then=Scaling(exponent - 1 / e**3, e, 0, "at most"),
        notes="e is 1/k. With N = 3 (k+1)^2 types the binomial is at least (3^k / N)^N, and N <= 3^(k/2) from k = 12"
        " on, so its base-3 logarithm is at least N k/2; what that exceeds k^3 by would have to stay bounded.",
    )


@paper.step(
    "proposition-2.4", "order.corrected", "For m = 3 and one feature the logarithm of the bound is of order k^m"
)
def order_corrected() -> Statement:
    e = Symbol("e")
    return Statement(variables={}, then=Scaling(3 * (1 / e + 1) ** 2 / e, e, -3))


@paper.step(
    "proposition-2.4",
    "tuples-power",
    "C(S + N, N) is at most (S + 1)^N",
    scope=own("a step of ours towards proposition-2.4.logarithm"),
)
def tuples_power() -> Statement:
    """One entry more multiplies C(S + N, N) by (S + N + 1)/(N + 1), which is at most S + 1."""
    c, p = Symbol("c"), Symbol("p")
    return recursion(
        {N: N + 1, c: c * (total + N + 1) / (N + 1), p: p * (total + 1)},
        {N: Integer(0), c: Integer(1), p: Integer(1)},
        And(c <= p, c >= 0, N >= 0),
        variables={total: at_least(0)},
    )


@paper.step(
    "proposition-2.4",
    "base",
    "m^k + 1 is at most (m + 1)^k, so the logarithm of the bound is polynomial in k",
    scope=own("a step of ours towards proposition-2.4.logarithm"),
)
def base() -> Statement:
    p, r = Symbol("p"), Symbol("r")
    return recursion({p: m * p, r: (m + 1) * r}, {p: m, r: m + 1}, And(r >= p + 1, p >= 1), variables={m: at_least(1)})


paper.unstated(
    "corollary-2.5",
    "The VC dimension is at least doubly exponential in K for networks, at most poly-exponential for powers",
    missing="the VC dimension of a class of functions on graphs",
)


@paper.statement(
    "corollary-2.5.patterns",
    "Beyond the number of classes there are more patterns than functions",
    scope=part("more patterns than functions beyond the number of classes; the halves are corollary-2.5.a and .b"),
)
def corollary_2_5() -> Statement:
    """c classes have F = 2^c functions; s members of E have `patterns` = 2^s patterns, beyond s = c more than F."""
    s, c, F, patterns = Symbol("s"), Symbol("c"), Symbol("F"), Symbol("patterns")
    return recursion(
        {s: s + 1, patterns: 2 * patterns},
        {s: c, patterns: F},
        And(patterns >= F + s - c, s >= c),
        variables={c: at_least(1), F: at_least(2)},
        notes="The hypothesis class is all 0-1 functions that are constant on classes: one member of each class has all"
        " 2^c patterns, and s > c members would need more patterns than there are functions. With it the two halves of"
        " the corollary are Propositions 2.3 and 2.4 (corollary-2.5.a and corollary-2.5.b).",
    )


@paper.step(
    "corollary-2.5",
    "counted",
    "Every function listed, one feature, degrees up to two and depths 1 and 2",
    scope=case("one feature, degrees up to two, depths 1 and 2"),
)
def shattering_counted() -> Statement:
    return listed(
        "shattering", Eq(Symbol("dimension"), Symbol("classes")), yields=("dimension", "classes"), m=2, K=[1, 2]
    )


@paper.statement(
    "corollary-2.5.a",
    "The recursion of branches behind the first half exceeds 2^(2^K)",
    scope=part("the first half: the recursion of proposition-2.3.growth"),
)
def corollary_2_5_a() -> Statement:
    b, c, x = Symbol("b"), Symbol("c"), Symbol("x")
    return recursion(
        {b: x * (1 + b + b * (b + 1) / 2), c: c**2},
        {b: x, c: Integer(2)},
        And(b >= c, c >= 2),
        variables={x: at_least(2)},
    )


@paper.statement(
    "corollary-2.5.b",
    "The logarithm of the bound behind the second half is N l K (K + 1)/2",
    scope=part("the second half: the recursion of proposition-2.4.logarithm"),
)
def corollary_2_5_b() -> Statement:
    return _logarithm()


@paper.step(
    "corollary-2.5.b",
    "counted",
    "For two features, m = 2 and K up to 3 the exact numbers are below the bound",
    scope=case("two features, m = 2, K up to 3, the exponents 1 and 1"),
)
def power_classes_counted() -> Statement:
    return listed(
        "feature_classes",
        And(Symbol("joint") <= Symbol("types"), Symbol("types") <= Symbol("bound")),
        yields=("joint", "types", "bound"),
        m=[2],
        K=[1, 2, 3],
        alphabet=2,
        before=1,
        after=1,
    )


paper.unstated(
    "claim-2.5.a",
    "Powers up to K induce exponentially fewer classes than networks of depth K",
    missing="all rooted graphs with degrees at most m, and how a number of classes grows",
)


@paper.statement(
    "claim-2.5.a.depth-two",
    "Networks of depth 2 induce twice as many classes at least as powers up to 1, m = 3",
    scope=own("depth 2 against powers up to 1 for m = 3; the paper compares equal K"),
)
def fewer_classes() -> Statement:
    return listed(
        "feature_classes",
        Symbol("joint") <= Symbol("networks") * Rational(1, 2),
        yields=("joint", "networks"),
        m=[3],
        K=[1],
        alphabet=2,
        before=0,
        after=0,
    )
