"""Finite structures: true statements are proved or listed, false ones refuted, twins of the rules are not proved."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest
from sympy import (
    And,
    Eq,
    Equivalent,
    Implies,
    Interval,
    Naturals,
    Naturals0,
    Ne,
    Or,
    Range,
    Rational,
    S,
    Sum,
    Symbol,
    binomial,
    factorial,
    oo,
    symbols,
)

from proofs_check import as_property_test, verify
from proofs_check.budget import Budget
from proofs_check.engines.structures.search import decide
from proofs_check.kernel.structure_cases import claimed, how_many, listed
from proofs_check.kernel.structure_facts import bounds, determined
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Verdict
from tests.quality.forgeries import changed, places
from theory import (
    Colours,
    Exists,
    ForAll,
    FullTrees,
    GraphOperators,
    Graphs,
    LemmascopeError,
    Multisets,
    Nodes,
    Operators,
    Permutations,
    RandomGraphs,
    RandomTokens,
    RegularColours,
    RootedTrees,
    Sequences,
    Statement,
    adjacent,
    aggregated,
    attributed_walks,
    bigrams,
    closed_walks,
    colour,
    colour_count,
    colours,
    complete_graph,
    components,
    composed,
    connected,
    cycle_graph,
    degree,
    disjoint,
    distinct,
    edges,
    entry,
    feature,
    fixed_points,
    graph,
    image,
    inverse,
    inversions,
    isomorphic,
    largest_degree,
    leaves,
    level_count,
    mean,
    meeting_classes,
    multiplicity,
    multiset_of,
    nodes,
    number_of,
    occurrences,
    parity,
    permuted,
    probability,
    rearranged,
    spread_classes,
    tree_nodes,
    triangles,
    two_steps,
    unrolled,
    walks,
)
from theory.language.structure_types import kind_of, kind_of_domain
from theory.language.structure_values import MEANINGS, Graph, colours_of, graphs, near
from theory.language.structures import Word
from theory.trees import content_hash, decode_statement, encode_statement

n, m, k, K, x, G, H, i, j, p, q, r, s, t, T, M, O, a, b = symbols("n m k K x G H i j p q r s t T M O a b")
ANY, PAIR = {n: Naturals, G: Graphs(n)}, {n: Naturals, m: Naturals, G: Graphs(n), H: Graphs(m)}
AT = {**ANY, i: Nodes(n)}
NODES = {**PAIR, i: Nodes(n), j: Nodes(m), k: Naturals0}
MOVED = {**AT, k: Naturals0, p: Permutations(n)}
ALIKE = Eq(colour(G, i, k), colour(H, j, k))
DEPTHS = {K: Range(1, oo), m: Range(3, oo), x: Range(2, oo)}


def claim(variables: dict[Any, Any], then: Any, *given: Any) -> Statement:
    return Statement(variables=variables, then=then, given=given)


EVERY_SIZE = {
    "degrees add up to twice the edges": claim(ANY, Eq(Sum(degree(G, i), (i, 1, n)), 2 * edges(G))),
    "walks do not see names": claim(MOVED, Eq(walks(permuted(G, p), image(p, i), k), walks(G, i, k))),
    "colours do not see names": claim(MOVED, Eq(colour(permuted(G, p), image(p, i), k), colour(G, i, k))),
    "operators are equivariant": claim(
        {**MOVED, a: S.Reals, b: S.Reals, x: Naturals},
        Eq(aggregated(permuted(G, p), image(p, i), k, a, b, x), aggregated(G, i, k, a, b, x)),
    ),
    "renaming twice": claim(
        {**MOVED, q: Permutations(n)}, Eq(permuted(G, composed(p, q)), permuted(permuted(G, q), p))
    ),
    "renaming back": claim({**ANY, p: Permutations(n)}, Eq(permuted(permuted(G, p), inverse(p)), G)),
    "edges do not see names": claim({**ANY, p: Permutations(n)}, Eq(edges(permuted(G, p)), edges(G))),
    "refinement sees walks": claim(NODES, Eq(walks(G, i, k), walks(H, j, k)), ALIKE),
    "refinement is unrolling": claim(NODES, Equivalent(ALIKE, Eq(unrolled(G, i, k), unrolled(H, j, k)))),
    "one more round sees operators": claim(
        {**NODES, a: S.Reals, b: S.Reals, x: Naturals},
        Eq(aggregated(G, i, k, a, b, x), aggregated(H, j, k, a, b, x)),
        Eq(colour(G, i, k + 1), colour(H, j, k + 1)),
    ),
    "rounds refine": claim(NODES, ALIKE, Eq(colour(G, i, k + 1), colour(H, j, k + 1))),
    "a round sees degrees": claim(NODES, Implies(ALIKE, Eq(degree(G, i), degree(H, j))), k >= 1),
    "connected graphs have edges": claim(ANY, edges(G) >= n - 1, connected(G)),
    "isomorphic graphs have equal triangles": claim(
        {n: Naturals, G: Graphs(n), H: Graphs(n)}, Eq(triangles(G), triangles(H)), isomorphic(G, H)
    ),
    "side by side": claim(PAIR, Eq(closed_walks(disjoint(G, H), 3), 6 * triangles(G) + 6 * triangles(H))),
    "closed walks of two steps": claim(ANY, Eq(closed_walks(G, 2), Sum(degree(G, i), (i, 1, n)))),
    "the largest degree": claim(ANY, 2 * edges(G) <= n * largest_degree(G)),
    "counting graphs": claim({n: Naturals}, Eq(number_of(Graphs(n)), 2 ** (n * (n - 1) / 2))),
    "counting permutations": claim({n: Naturals}, Eq(number_of(Permutations(n)), factorial(n))),
    "counting sequences": claim({t: Naturals, n: Naturals}, Eq(number_of(Sequences(t, n)), t**n)),
    "tokens add up to the length": claim(
        {t: Naturals, n: Naturals, s: Sequences(t, n)}, Eq(Sum(occurrences(s, k), (k, 1, t)), n)
    ),
    "order does not count": claim(
        {t: Naturals, n: Naturals, k: Naturals, s: Sequences(t, n), p: Permutations(n)},
        Eq(multiplicity(multiset_of(rearranged(s, p)), k), occurrences(s, k)),
    ),
    "colours grow doubly exponentially": claim(DEPTHS, number_of(Colours(m, K, x)) >= 2 ** (2**K)),
    "trees grow doubly exponentially": claim(
        {K: Naturals0, m: Range(2, oo), x: Range(2, oo)}, number_of(RootedTrees(m, K, x)) >= 2 ** (2**K)
    ),
    "refinement sees walks with features": claim(
        {
            s: Sequences(x, k),
            x: Naturals,
            n: Naturals,
            m: Naturals,
            k: Naturals,
            G: Graphs(n, x),
            H: Graphs(m, x),
            i: Nodes(n),
            j: Nodes(m),
        },
        Eq(attributed_walks(G, i, s), attributed_walks(H, j, s)),
        ALIKE,
    ),
    "regular colours": claim({K: Naturals, x: Range(2, oo)}, number_of(RegularColours(3, K, x)) >= 2 ** (2**K - 1)),
    "full trees": claim({K: Naturals0}, number_of(FullTrees(2, K, 2)) >= 2 ** (2**K)),
}
"""Proved for every size by a rule."""

HEXAGON, TRIANGLES = cycle_graph(6), disjoint(cycle_graph(3), cycle_graph(3))
LISTED = {
    "five of six edges close a triangle": claim({G: Graphs(4)}, triangles(G) >= 1, edges(G) >= 5),
    "refinement confuses a hexagon with two triangles": claim(
        {k: Range(0, 7)}, Eq(colours(HEXAGON, k), colours(TRIANGLES, k))
    ),
    "they are not isomorphic": claim({k: Range(3, 5)}, Ne(closed_walks(HEXAGON, k), closed_walks(TRIANGLES, k)), k < 4),
    "two steps tell them apart": claim(
        {k: Range(1, 4)}, Ne(colours(two_steps(HEXAGON), k), colours(two_steps(TRIANGLES), k))
    ),
    "edges of a random graph": claim(
        {n: Range(1, 5), a: Interval(0, 1)}, Eq(mean(G, RandomGraphs(n, a), edges(G)), a * n * (n - 1) / 2)
    ),
    "triangles of a random graph": claim(
        {n: Range(1, 5), a: Interval(0, 1)}, Eq(mean(G, RandomGraphs(n, a), triangles(G)), binomial(n, 3) * a**3)
    ),
    "half of the graphs are connected": claim(
        {n: Range(2, 5)}, probability(G, Graphs(n), connected(G)) >= Rational(1, 2)
    ),
    "an isolated node": claim({}, Eq(probability(G, Graphs(4), Eq(degree(G, 1), 0)), Rational(1, 8))),
    "one fixed point in the mean": claim({n: Range(1, 6)}, Eq(mean(p, Permutations(n), fixed_points(p)), 1)),
    "even and odd permutations": claim({n: Range(2, 6)}, Eq(mean(p, Permutations(n), parity(p)), 0)),
    "a trigger before its answer": claim(
        {a: Interval(0, 1)},
        Eq(mean(s, RandomTokens((a, 1 - a), 3), bigrams(s, 1, 2)), 2 * a * (1 - a)),
    ),
    "every graph of four nodes has two equal degrees": claim(
        {G: Graphs(4)}, Or(*[Eq(degree(G, u), degree(G, v)) for u in range(1, 5) for v in range(1, u)])
    ),
    "isomorphism is some renaming": claim(
        {G: Graphs(3), H: Graphs(3)},
        Equivalent(isomorphic(G, H), Exists(p, Permutations(3), Eq(permuted(G, p), H))),
    ),
    "full binary trees": claim({T: FullTrees(2, 2, 2)}, And(Eq(tree_nodes(T), 7), Eq(leaves(T), 4))),
}
"""Proved by listing finitely many sizes."""

SAMPLED = {
    "Mantel": claim(ANY, 4 * edges(G) <= n**2, Eq(triangles(G), 0)),
    "complete graphs have the most triangles": claim(ANY, triangles(G) <= triangles(complete_graph(n))),
    "refinement becomes stable": claim({**ANY, k: Naturals0}, Eq(colour_count(G, n + k), colour_count(G, n))),
}
"""True for every size; sizes up to some number are listed, and no rule says more."""

FALSE = {
    "degrees add up to the edges": claim(ANY, Eq(Sum(degree(G, i), (i, 1, n)), edges(G))),
    "walks see names": claim(MOVED, Eq(walks(permuted(G, p), i, k), walks(G, i, k))),
    "renaming in the other order": claim(
        {**MOVED, q: Permutations(n)}, Eq(permuted(G, composed(p, q)), permuted(permuted(G, p), q))
    ),
    "a round too few": claim(NODES, Eq(walks(G, i, k + 1), walks(H, j, k + 1)), ALIKE),
    "no round sees degrees": claim(NODES, Implies(ALIKE, Eq(degree(G, i), degree(H, j)))),
    "operators without the extra round": claim(
        NODES, Eq(aggregated(G, i, k, 1, 1, 1), aggregated(H, j, k, 1, 1, 1)), ALIKE
    ),
    "refinement tells all graphs apart": claim({k: Range(0, 7)}, Ne(colours(HEXAGON, k), colours(TRIANGLES, k))),
    "enough edges connect": claim(ANY, connected(G), edges(G) >= n - 1),
    "Mantel, too strong": claim(ANY, 4 * edges(G) < n**2, Eq(triangles(G), 0)),
    "equal edges are isomorphic": claim(
        {n: Naturals, G: Graphs(n), H: Graphs(n)}, isomorphic(G, H), Eq(edges(G), edges(H))
    ),
    "colours with one feature": claim({**DEPTHS, x: Naturals}, number_of(Colours(m, K, x)) >= 2 ** (2**K) + 1),
    "colours with two neighbours": claim({**DEPTHS, m: Naturals}, number_of(Colours(m, K, x)) >= 2 ** (2**K)),
    "colours even faster": claim(DEPTHS, number_of(Colours(m, K, x)) >= 2 ** (3**K)),
    "most graphs are connected": claim({n: Naturals}, probability(G, Graphs(n), connected(G)) > Rational(1, 2)),
    "permutations have two fixed points": claim({n: Naturals}, mean(p, Permutations(n), fixed_points(p)) > 1),
    "order counts": claim({t: Naturals, n: Naturals, s: Sequences(t, n), p: Permutations(n)}, Eq(rearranged(s, p), s)),
    "two neighbours are too few": claim({K: Naturals}, number_of(RegularColours(2, K, 2)) >= 2 ** (2**K - 1)),
    "walks with features, a round too few": claim(
        {n: Naturals, m: Naturals, G: Graphs(n, 2), H: Graphs(m, 2), i: Nodes(n), j: Nodes(m), s: Sequences(2, 2)},
        Eq(attributed_walks(G, i, s), attributed_walks(H, j, s)),
        Eq(colour(G, i, 1), colour(H, j, 1)),
    ),
    "a degree of n": claim(AT, degree(G, i) < n - 1),
    "few components": claim(ANY, components(G) + edges(G) > n),
    "levels of full trees": claim({T: FullTrees(2, 2, 2)}, Eq(level_count(T, 1, 1), 1)),
    "every operator sees neighbours": claim({O: Operators(2)}, meeting_classes(O, 3, 2, 1, 1) >= 3),
    "a false part beside one that is open": claim(
        {O: GraphOperators(), s: Sequences(2, 1)},
        And(ForAll(n, Naturals, ForAll(G, Graphs(n), edges(G) >= 0)), spread_classes(O, 2, 2, s, 3) >= 5),
    ),
    "distinct tokens": claim({t: Naturals, n: Naturals, s: Sequences(t, n)}, Eq(distinct(s), n)),
}


@cache
def verdict_of(name: str) -> Verdict:
    """Deep effort begins with the others: it is needed only where a busy machine left no time for a counterexample."""
    return verify({**EVERY_SIZE, **LISTED, **FALSE}[name], effort="deep" if name in FALSE else "standard")


@pytest.mark.parametrize("name", EVERY_SIZE)
def test_every_size_is_proved_by_a_rule(name: str) -> None:
    verdict = verdict_of(name)
    assert verdict.outcome == "proved", verdict.notes
    assert verdict.certificate["rule"] in ("every size", "recursion"), "a list of some sizes proves nothing"


@pytest.mark.parametrize("name", LISTED)
def test_finitely_many_sizes_are_listed(name: str) -> None:
    verdict = verdict_of(name)
    assert verdict.outcome == "proved", verdict.notes


@pytest.mark.parametrize("name", SAMPLED)
def test_sizes_that_were_listed_are_said_and_nothing_is_proved(name: str) -> None:
    found = decide(SAMPLED[name], Budget.of("glance"))
    assert found is not None
    assert found.outcome == "sampled"
    assert str(found.coverage).startswith("all structures with n = 1..")


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted_by_a_small_structure(name: str) -> None:
    verdict = verdict_of(name)
    assert verdict.outcome == "refuted", verdict.notes
    assert verdict.counterexample is not None or not FALSE[name].variables


def test_the_corpus_is_large_and_a_third_of_it_false() -> None:
    assert len(EVERY_SIZE) + len(LISTED) + len(FALSE) >= 24
    assert 3 * len(FALSE) >= len(EVERY_SIZE) + len(LISTED) + len(FALSE)


def test_the_counterexample_is_the_smallest() -> None:
    verdict = verdict_of("enough edges connect")
    assert verdict.counterexample == {"n": "4", "G": "4 nodes, edges 1-2 1-3 2-3"}


def test_contradictory_hypotheses_are_vacuous() -> None:
    assert verify(claim({G: Graphs(3)}, edges(G) >= 5, edges(G) >= 4)).outcome == "vacuous"


def test_what_has_no_value_is_not_proved() -> None:
    """The quotient of a degree by itself has no value at an isolated node."""
    for then in (Eq(walks(G, i, 1) / degree(G, i), 1), Eq(Sum(degree(G, i) / edges(G), (i, 1, n)), 2)):
        variables = AT if then.free_symbols >= {i} else ANY
        found = decide(claim(variables, then), Budget.of("glance"))
        assert found is None or found.outcome != "proved"


GROUPS = {
    "degree": degree(G, i), "largest_degree": largest_degree(G), "edges": edges(G), "components": components(G),
    "adjacent": adjacent(G, i, j), "walks": walks(G, i, 2), "closed_walks": closed_walks(G, 4),
    "triangles": triangles(G), "colour_count": colour_count(G, 1), "feature": feature(G, i), "entry": entry(s, i),
    "image": image(p, i), "inversions": inversions(p), "fixed_points": fixed_points(p), "parity": parity(p),
    "occurrences": occurrences(s, 1), "bigrams": bigrams(s, 1, 2), "distinct": distinct(s),
}  # fmt: skip
SMALL = {G: Graphs(n, features=2), s: Sequences(2, n), p: Permutations(n), i: Nodes(n), j: Nodes(n)}


@pytest.mark.parametrize("name", GROUPS)
def test_every_bound_is_true_and_attained(name: str) -> None:
    """A fact of the kernel holds in all small structures, and one that is stronger by one does not."""
    term = GROUPS[name]
    scope = {symbol: kind_of_domain(domain) for symbol, domain in SMALL.items()} | {n: kind_of_domain(Naturals)}
    domains = {**SMALL, n: Naturals}
    facts = list(bounds(term, lambda part: kind_of(part, scope, domains)))
    assert facts
    for fact in facts:
        used = {symbol: SMALL[symbol] for symbol in SMALL if symbol in fact.free_symbols}
        about = claim({n: Range(1, 4), **used}, fact)
        assert verify(about, effort="quick").outcome == "proved"
        if not isinstance(fact, Eq):
            stronger = fact.func(fact.lhs, fact.rhs + (1 if fact.gts == fact.lhs else -1), evaluate=False)
            wider = about.but(variables={n: Range(1, 5), **used}, then=stronger)
            assert verify(wider, effort="quick").outcome == "refuted"


@pytest.mark.parametrize(("word", "rest", "rounds"), [
    ("walks", (2,), 2), ("unrolled", (2,), 2), ("aggregated", (2, 1, 1, 1), 3), ("attributed_walks", ((1, 2),), 2),
    ("degree", (), 1), ("feature", (), 0),
])  # fmt: skip
def test_words_are_determined_by_as_many_rounds_as_the_table_says(word: str, rest: Any, rounds: int) -> None:
    """Equal colours after so many rounds give equal values in all small graphs; one round fewer does not."""
    meaning = MEANINGS[word]
    steps = 0 if meaning.rounds is None else len(rest[0]) if isinstance(rest[0], tuple) else rest[0]
    assert rounds == steps + meaning.after
    small = [one for order in range(1, 6) for one in graphs(order)] + [
        one for order in (1, 2, 3) for one in graphs(order, 2)
    ]
    for given in (rounds, rounds - 1) if rounds else (rounds,):
        seen: dict[Any, set[Any]] = {}
        for one in small:
            for node, found in enumerate(colours_of(one, given), 1):
                seen.setdefault(found, set()).add(meaning.value(one, node, *rest))
        assert all(len(values) == 1 for values in seen.values()) is (given == rounds)


def without_sequences(_term: Any) -> Any:
    raise AssertionError("no sequence is asked for its length")


def test_facts_about_colours_need_every_hypothesis() -> None:
    one, other = colour(G, i, k), colour(H, j, k)
    assert list(determined([one, other, walks(G, i, k), walks(H, j, k)], without_sequences))
    assert not list(determined([one, colour(H, j, k + 1), walks(G, i, k), walks(H, j, k)], without_sequences)), (
        "not the same round"
    )
    assert not list(determined([one, other, walks(G, i, k), walks(H, j, 2)], without_sequences)), "not the same length"
    assert not list(determined([one, other, walks(G, i, k), walks(G, j, k)], without_sequences)), "not the same nodes"


def test_the_numbers_of_members_are_those_of_the_lists() -> None:
    sorts = [
        (Graphs(3, 2), [3, 2]), (Permutations(4), [4]), (Sequences(2, 3), [2, 3]), (Multisets(3, 2), [3, 2]),
        (RootedTrees(2, 2, 2), [2, 2, 2]), (FullTrees(2, 2, 2), [2, 2, 2]), (FullTrees(3, 1, 1), [3, 1, 1]),
        (RegularColours(3, 2, 2), [3, 2, 2]),
        (Colours(3, 2, 1), [3, 2, 1]), (Colours(1, 3, 2), [1, 3, 2]), (Colours(2, 1, 2), [2, 1, 2]),
    ]  # fmt: skip
    for sort, sizes in sorts:
        found = list(listed(sort, sizes))
        assert len(set(found)) == len(found) == how_many(sort, sizes)


@pytest.mark.parametrize(
    ("most", "rounds", "features", "size"), [(2, 1, 1, 3), (2, 2, 1, 5), (1, 2, 2, 2), (2, 1, 2, 3)]
)
def test_colours_are_counted_as_they_occur_in_graphs(most: int, rounds: int, features: int, size: int) -> None:
    """The colours of all nodes of all graphs with few neighbours, against the number that the recursion gives."""
    met = {
        found
        for order in range(1, size + 1)
        for one in graphs(order, features)
        if max(map(len, near(one))) <= most
        for found in colours_of(one, rounds)
    }
    assert len(met) == how_many(Colours(most, rounds, features), [most, rounds, features])


def test_refinement_agrees_with_a_second_implementation() -> None:
    """Colours by renaming round after round with the colour of the node itself, as the literature writes it."""
    for one in graphs(4):
        for rounds in range(4):
            names: list[Any] = list(one.features)
            for _ in range(rounds):
                names = [(names[v], tuple(sorted(repr(names[u - 1]) for u in near(one)[v]))) for v in range(4)]
            ours = colours_of(one, rounds)
            assert all((names[u] == names[v]) is (ours[u] == ours[v]) for u in range(4) for v in range(4))


def test_words_do_not_see_names_where_the_table_says_so() -> None:
    """Naturality of every word of the table, in all graphs of three nodes with two features."""
    arguments = {"whole": 2, "number": 1, "sequence": (1, 2)}
    for one in graphs(3, 2):
        for images in permutations((1, 2, 3)):
            moved = Word("permuted", G, p).meaning.value(one, images)
            for word in _natural():
                rest = [arguments.get(kind) for kind in word.takes[1:]]
                for node in (1, 2, 3):
                    here = [node if value is None else value for value in rest]
                    there = [images[node - 1] if value is None else value for value in rest]
                    assert word.value(one, *here) == word.value(moved, *there), word.name


def _natural() -> list[Any]:
    return [word for word in MEANINGS.values() if word.natural]


@pytest.fixture(scope="module")
def decided() -> list[tuple[Statement, Sense, dict[str, Any]]]:
    found = []
    for name, statement in {**EVERY_SIZE, **LISTED, **FALSE}.items():
        verdict = verdict_of(name)
        if verdict.certificate is not None:
            found.append((statement, Sense(str(verdict.outcome)), json.loads(json.dumps(verdict.certificate))))
    return found


def test_changed_certificates_never_turn_a_verdict(decided: list[tuple[Statement, Sense, dict[str, Any]]]) -> None:
    """No certificate of one statement, whole or changed, proves a false one or refutes a true one."""
    random, rejected = Random(0), 0  # noqa: S311 - a repeatable choice
    for statement, sense, certificate in decided:
        assert isinstance(accept(statement, sense, certificate), Theorem)
        opposite = Sense.HOLDS if sense is Sense.FAILS else Sense.FAILS
        where = list(places(certificate))
        forged = [changed(certificate, random.choice(where), random) for _ in range(4) if where]
        for other, _, foreign in random.sample(decided, 5):
            forged += [deepcopy(foreign)] if other is not statement else []
        for one in forged:
            flipped = {**one, "rule": "counterexample" if opposite is Sense.FAILS else random.choice(RULES)}
            for attempt in (one, flipped):
                assert not isinstance(accept(statement, opposite, attempt), Theorem)
                rejected += 1
    assert rejected >= 400


RULES = ("cases", "every size", "recursion")


def test_changed_counts_and_cases_are_rejected(decided: list[tuple[Statement, Sense, dict[str, Any]]]) -> None:
    rejected = 0
    for statement, sense, certificate in decided:
        if certificate["rule"] == "cases":
            for shift in (1, -1, 7):
                forged = {**certificate, "cases": certificate["cases"] + shift}
                assert not isinstance(accept(statement, sense, forged), Theorem)
                rejected += 1
            if certificate["left"]:
                assert not isinstance(accept(statement, sense, {**certificate, "left": []}), Theorem)
        if certificate["rule"] == "counterexample":
            for name in certificate["case"]:
                for value in ("5/2", -1, [9, 9], {"features": [1], "edges": [[1, 2]]}):
                    forged = {**certificate, "case": {**certificate["case"], name: value}}
                    assert not isinstance(accept(statement, sense, forged), Theorem), (statement.then, forged)
                    rejected += 1
            lacking = dict(list(certificate["case"].items())[1:])
            assert not isinstance(accept(statement, sense, {**certificate, "case": lacking}), Theorem)
    assert rejected >= 200


def test_a_list_of_some_members_proves_nothing() -> None:
    about = claim({O: Operators(1)}, meeting_classes(O, 3, 2, 1, 1) >= 2)
    assert verify(about, effort="quick").outcome not in ("proved", "vacuous")
    forged = {"kind": "structures", "rule": "cases", "cases": 2, "left": []}
    assert not isinstance(accept(about, Sense.HOLDS, forged), Theorem)
    assert isinstance(accept(claim({O: Nodes(2)}, O >= 1), Sense.HOLDS, forged), Theorem)
    assert claimed(claim({n: Naturals}, ForAll(O, Operators(1), meeting_classes(O, n, 2, 1, 1) >= 2)), {n: 1}) is None


def test_a_structure_outside_its_sort_refutes_nothing() -> None:
    about = claim({G: Graphs(3)}, edges(G) <= 3)
    loop = {"features": [1, 1, 1], "edges": [[1, 1], [1, 2], [1, 3], [2, 3]]}
    twice = {"features": [1, 1, 1], "edges": [[1, 2], [1, 2], [1, 3], [2, 3]]}
    for value in (loop, twice, {"features": [1] * 4, "edges": [[1, 2], [1, 3], [1, 4], [2, 3]]}):
        forged = {"kind": "structures", "rule": "counterexample", "case": {"G": value}}
        assert not isinstance(accept(about, Sense.FAILS, forged), Theorem)


@pytest.mark.parametrize(
    "make",
    [
        lambda: claim({n: Naturals, G: Graphs(n), i: S.Reals}, degree(G, i) >= 0),
        lambda: claim({n: Naturals, m: Naturals, G: Graphs(n), i: Nodes(m)}, degree(G, i) >= 0),
        lambda: claim(ANY, G + 1 > 0),
        lambda: claim(ANY, edges(n) >= 0),
        lambda: claim(ANY, Eq(G, n)),
        lambda: claim(AT, colour(G, i, 2) < colour(G, i, 1)),
        lambda: claim({x: S.Reals, G: Graphs(x)}, edges(G) >= 0),
        lambda: claim({n: Naturals, m: Naturals, G: Graphs(n), p: Permutations(m)}, Eq(permuted(G, p), G)),
        lambda: claim({G: RandomGraphs(3, Rational(1, 2))}, edges(G) >= 0),
        lambda: claim({n: Naturals, x: S.Reals}, mean(G, RandomGraphs(n, x), edges(G)) >= 0),
        lambda: claim(ANY, mean(G, Graphs(n), edges(G)) >= 0),
        lambda: claim(ANY, degree(G, 3) >= 0),
        lambda: claim(ANY, edges(G, n) >= 0),
        lambda: claim(MOVED, Eq(walks(permuted(G, p), image(p, i), k - 1), walks(G, i, k - 1))),
        lambda: claim({n: Naturals, G: Graphs(n - 1)}, components(G) >= 1),
        lambda: claim({n: Naturals, G: Graphs(n)}, Eq(closed_walks(G, n / 2), 0)),
        lambda: claim({n: Naturals0}, edges(complete_graph(n)) >= 0),
        lambda: claim({n: Naturals}, number_of(Operators(n)) >= 1),
        lambda: claim({G: Graphs(2)}, meeting_classes(G, 3, 2, 1, 1) >= 1),
        lambda: Graphs(-1),
        lambda: graph(3, (1, 4)),
        lambda: RandomTokens((Rational(1, 2), Rational(1, 3)), 2),
        lambda: RandomGraphs(3, 2),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(make: Any) -> None:
    with pytest.raises(LemmascopeError) as refusal:
        make()
    assert ":" in str(refusal.value) or "is no" in str(refusal.value) or "do not" in str(refusal.value)


@pytest.mark.parametrize("name", [*EVERY_SIZE, *LISTED, *FALSE])
def test_statements_are_stored_and_printed(name: str) -> None:
    statement = {**EVERY_SIZE, **LISTED, **FALSE}[name]
    again = decode_statement(json.loads(json.dumps(encode_statement(statement))))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()


def test_the_print_shows_the_words() -> None:
    printed = EVERY_SIZE["degrees add up to twice the edges"].latex()
    assert printed.endswith(r"\sum_{i=1}^{n} d_{G}(i) = 2 \left|E(G)\right|")


@pytest.mark.parametrize("name", ["walks do not see names", "refinement sees walks", "tokens add up to the length"])
def test_true_statements_pass_as_property_tests(name: str) -> None:
    as_property_test(EVERY_SIZE[name], max_examples=15)()


@pytest.mark.parametrize("name", ["walks see names", "few components", "distinct tokens", "levels of full trees"])
def test_false_statements_fail_as_property_tests(name: str) -> None:
    with pytest.raises(AssertionError):
        as_property_test(FALSE[name], max_examples=200)()


def test_one_case_is_what_it_says() -> None:
    path = Graph((1, 1, 1), ((1, 2), (2, 3)))
    assert claimed(claim(AT, degree(G, i) <= 1), {n: 3, G: path, i: 2}) is False
    assert claimed(claim(AT, ForAll(j, Nodes(n), adjacent(G, i, j) <= 1)), {n: 3, G: path, i: 2}) is True
    assert nodes(G).free_symbols == {G}
    assert Symbol("n") in claim(ANY, edges(G) >= 0).variables
