"""Appendix A.5: degrees and neighbour degrees identify almost all graphs."""

from __future__ import annotations

from sympy import And, Eq, Expr, FiniteSet, Interval, Ne, Not, Or, Rational, S, Sum, Symbol, oo

from theory.graph_expressiveness._paper import at_least, counted, listed, paper
from theory.language.structure_words import multiplicity
from theory.language.structures import Multisets
from theory.scope import case, measured, own, part, whole
from theory.statements import Computation, Statement

n, l, a = Symbol("n"), Symbol("l"), Symbol("a")
failing, outside = Symbol("failing"), Symbol("outside")
FRACTION = Interval(0, 1)


paper.unstated(
    "proposition-2.2",
    "With D and A D^-a among the operators almost all pairs of graphs on n nodes are told apart",
    missing="the share of all graphs on n nodes, n a symbol",
)


@paper.statement(
    "proposition-2.2.share",
    "The share of graphs on which the degree test fails is 1 - o(1), as printed",
    scope=part("the order 1 - o(1) of the failing share, given the bound of the proof; shares are symbols"),
)
def proposition_2_2() -> Statement:
    return Statement(
        variables={failing: FRACTION, outside: FRACTION},
        given=(failing <= outside, outside <= Rational(1, 4)),
        then=failing >= Rational(1, 2),
        notes="The proof bounds the failing share by the share of graphs outside the set of Lemma A.5, which tends to"
        " 0; once that is at most 1/4, a failing share that tends to 1 would have to exceed 1/2.",
    )


@paper.statement(
    "proposition-2.2.corrected",
    "The share of graphs on which the degree test fails is o(1)",
    scope=own("the nearest true form of proposition-2.2, its last line: the share is o(1), given Lemma A.5"),
)
def proposition_2_2_corrected() -> Statement:
    bound = Symbol("bound")
    return Statement(
        variables={failing: FRACTION, outside: FRACTION, bound: Interval.open(0, 1)},
        given=(failing <= outside, outside <= bound),
        then=failing <= bound,
        notes="Given Lemma A.5: the share outside its set falls below every bound, and so does the failing one.",
    )


@paper.step(
    "proposition-2.2",
    "small-orders",
    "Up to order 7 less than a fifth of the labelled graphs is confused",
    scope=own("not in print: the share counted up to order seven"),
)
def small_orders() -> Statement:
    return counted(
        "degree_test",
        failing < Rational(1, 5),
        yields=("failing",),
        variables={n: FiniteSet(*range(1, 8))},
        n=list(range(1, 8)),
    )


def _operators(symbol: str) -> Statement:
    return counted(
        "degree_operators",
        Eq(Symbol(symbol), 0),
        yields=(symbol,),
        variables={n: at_least(2)},
        n=[2, 3, 4, 5, 6],
        notes="For all graphs it is the definition of the two operators; without isolated nodes, where D^-a has no"
        " value.",
    )


@paper.step(
    "proposition-2.2",
    "a.10",
    "D and A D^-a turn ones into degrees and sums over neighbours",
    scope=case("all graphs of two to six nodes without isolated ones, counted"),
    equations=("A.9", "A.10"),
)
def operators_on_ones() -> Statement:
    return _operators("rows")


@paper.step(
    "proposition-2.2",
    "a.12",
    "Equal multisets of pairs have equal components",
    scope=case("all graphs of two to six nodes without isolated ones, counted"),
    equations=("A.11", "A.12"),
)
def components() -> Statement:
    return _operators("projections")


@paper.step(
    "proposition-2.2",
    "a.13",
    "The features (d_i, sum of d_j^-a) make the same classes as degrees with neighbour-degree multisets",
    scope=part("different multisets have different sums, given x > n y; the terms are symbols"),
    equations=("A.13",),
)
def literal_features() -> Statement:
    """Two multisets of up to n degrees, the smallest that differs p times in one and u < p times in the other."""
    p, u, more = Symbol("p"), Symbol("u"), Symbol("more")
    x, y, common, first, second = (Symbol(name) for name in ("x", "y", "common", "first", "second"))
    sizes = {n: at_least(1), p: at_least(1), u: at_least(0), more: at_least(0), x: Interval.open(0, oo)}
    sums = {y: Interval.open(0, oo), common: S.Reals, first: Interval(0, oo), second: Interval(0, oo)}
    return Statement(
        variables={**sizes, **sums},
        given=(x > n * y, p >= u + 1, more <= n, second <= more * y),
        then=Ne(common + p * x + first, common + u * x + second),
        notes="x is l^-a for the smallest degree l that differs and y is (l+1)^-a, so that x > n y by"
        " lemma-a.4.corrected; `common` is the sum over smaller degrees, `first` and `second` those over larger ones,"
        " of which the second multiset has `more`. Different multisets have different sums, and equal ones equal sums.",
    )


@paper.step(
    "proposition-2.2",
    "a.13-counted",
    "Listed for all graphs of up to six nodes",
    scope=case("all graphs of up to six nodes"),
    equations=("A.13",),
)
def literal_features_counted() -> Statement:
    return listed("degree_test", Eq(Symbol("unequal"), 0), yields=("unequal",), n=list(range(1, 7)))


@paper.statement(
    "lemma-a.4",
    "Sums of -a-th powers determine multisets of at most n integers between 0 and n",
    scope=whole(),
)
def lemma_a_4() -> Statement:
    """0 enters as one more kind: a multiset with zeros has the sum oo, for any number of them."""
    first, second, u, s, t = (Symbol(name) for name in ("S", "T", "u", "s", "t"))

    def total(multiset: Symbol) -> Expr:
        return Sum(multiplicity(multiset, u + 1) * u ** (-a), (u, 1, n))

    zeros, others = multiplicity(first, 1), multiplicity(second, 1)
    both_infinite = And(zeros >= 1, others >= 1)
    both_finite = And(Eq(zeros, 0), Eq(others, 0), Eq(total(first), total(second)))
    return Statement(
        variables={
            n: at_least(2), s: at_least(0), t: at_least(0),
            first: Multisets(n + 1, s), second: Multisets(n + 1, t), a: S.Reals,
        },
        given=(s <= n, t <= n, (n - 1) ** (-a) > n ** (1 - a), Ne(first, second)),
        then=Not(Or(both_infinite, both_finite)),
        notes="The kind u + 1 of a multiset is the integer u, and 0^-a is infinite. The bound on a reads (n - 1)^-a >"
        " n^(1 - a), as in the proof. With 0 among the integers multisets with zeros are never told apart.",
    )  # fmt: skip


@paper.statement(
    "lemma-a.4.small",
    "Sums of -a-th powers determine multisets of at most n integers between 0 and n",
    scope=case("n up to seven, the least whole exponent above the bound, counted"),
    claims="Above log n / (log n - log(n - 1)) sums of -a-th powers determine multisets of at most n integers up to n",
)
def lemma_a_4_small() -> Statement:
    return counted(
        "power_sums",
        Eq(Symbol("collisions"), 0),
        yields=("collisions",),
        variables={n: at_least(1)},
        n=list(range(1, 8)),
        least=0,
        notes="With 0 among the integers the sum is not finite, and multisets with zeros are never told apart.",
    )


@paper.statement(
    "lemma-a.4.corrected",
    "Without zero, the smallest element that differs outweighs up to n others",
    scope=own("the nearest true form of lemma-a.4, its key inequality; the logarithms are symbols"),
)
def lemma_a_4_corrected() -> Statement:
    """With s = log(l+1) - log(l), t = log n - log(n-1), L = log n the claim l^-a > n (l+1)^-a reads a s > L."""
    s, t, L = Symbol("s"), Symbol("t"), Symbol("L")
    return Statement(
        variables={a: S.Reals, s: S.Reals, t: Interval.open(0, oo), L: Interval(0, oo)},
        given=(a > L / t, s >= t),
        then=a * s > L,
        notes="Read with s = log((l+1)/l), t = log(n/(n-1)) and L = log n: then l^-a > n (l+1)^-a, so the sum that"
        " contains the smallest differing element l is larger. Step `ratio` gives s >= t.",
    )


@paper.step("lemma-a.4", "ratio", "The quotient (l+1)/l is least for l = n - 1", scope=whole())
def least_quotient() -> Statement:
    return Statement(variables={n: at_least(2), l: at_least(1)}, given=(l <= n - 1,), then=(l + 1) / l >= n / (n - 1))


@paper.step(
    "lemma-a.4",
    "sums",
    "A larger smallest term decides between the two sums",
    scope=part("the comparison of the two sums; the terms are symbols"),
)
def sums() -> Statement:
    x, y, first, second = (Symbol(name) for name in ("x", "y", "first", "second"))
    return Statement(
        variables={n: at_least(2), x: Interval.open(0, oo), y: Interval.open(0, oo), first: S.Reals, second: S.Reals},
        given=(x > n * y, first >= x, second <= n * y),
        then=first > second,
    )


@paper.step(
    "lemma-a.4",
    "counted",
    "Listed up to n = 7 without zero, with the least whole exponent above the bound",
    scope=own("the corrected lemma, counted up to n = 7"),
)
def injective_without_zero() -> Statement:
    return listed("power_sums", Eq(Symbol("collisions"), 0), yields=("collisions",), n=list(range(1, 8)), least=1)


@paper.step(
    "lemma-a.4",
    "sharp",
    "At the bound itself, n = 2 and a = 1, the sums are still different",
    scope=own("not in print: whether the strict inequality is needed, n = 2 and a = 1"),
)
def at_the_bound() -> Statement:
    return counted(
        "power_sums", Eq(Symbol("collisions"), 0), yields=("collisions",), n=2, least=1, exponent="at n = 2"
    ).but(
        notes="Nearest true statement: lemma-a.4.corrected. Not claimed in print: it shows that the strict inequality"
        " of the lemma is needed."
    )


paper.unstated(
    "lemma-a.5",
    "Almost all graphs have distinct largest degrees, and these identify them (quoted)",
    missing="the share of all graphs on n nodes, n a symbol",
)


@paper.statement(
    "lemma-a.5.frequency",
    "Almost all graphs have distinct largest degrees and are identified by them (quoted)",
    scope=measured("200 graphs each of order 50, 200 and 800 (seed 1); only that the largest degrees are distinct"),
)
def lemma_a_5() -> Statement:
    computation = Computation(
        "graph_expressiveness.largest_degrees",
        {"orders": [50, 200, 800], "trials": 200, "seed": 1},
        yields=("lower",),
        exact=False,
    )
    return Statement(
        then=Symbol("lower") > Rational(1, 2),
        computed=computation,
        notes="A finding against small orders: of 200 graphs each of order 50, 200 and 800 none has distinct largest"
        " degrees, so"
        " that the share is below 3% with 99% confidence; the theorem speaks of n without bound, and its proof is"
        " quoted, not"
        " here. Measured: a lower 99% confidence bound for the share of G(n, 1/2) at the"
        " largest order whose r largest degrees are distinct, r the integer part of 3 log n / log 2.",
    )
