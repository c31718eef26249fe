"""What is true of words about structures in all structures: bounds, and what refinement determines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from sympy import Add, And, Basic, Eq, Expr, Ge, Le, Pow, S, sympify
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.fields import expanded
from theory.language.structure_types import Kind
from theory.language.structures import Relation, Word


def bounds(term: Word, kind: Callable[[Basic], Kind]) -> Iterator[Boolean]:
    """What is true of a term in all structures: bounds, each attained, that a count of pairs or choices gives.

    Among them: degrees are below n and at most the number of edges; every edge joins two components at most, so that
    components and edges together are at least n; twice the edges are at most n times the largest degree; a walk has at
    most n - 1 choices for each step; a pair of tokens occurs at most as often as each of them. Hypotheses: the node is
    one of the graph, graphs have no loops, sizes are at least 1.
    """
    first, of = term.args[1], kind(term.args[1])
    n, letters = of.size, of.letters
    least, most, *others = _TABLE[term.name](term, first, n, letters) if term.name in _TABLE else (None, None)
    if least is not None:
        yield Ge(term, least, evaluate=False)
    if most is not None:
        yield Le(term, most, evaluate=False)
    yield from others


def _at_most(left: Any, right: Any) -> Boolean:
    return Le(left, right, evaluate=False)


def _edges(graph: Basic) -> Word:
    return Word("edges", graph)


_TABLE: dict[str, Callable[[Word, Any, Any, Any], tuple[Any, ...]]] = {
    "degree": lambda t, g, n, _: (0, n - 1, _at_most(t, _edges(g)), _at_most(t, Word("largest_degree", g))),
    "largest_degree": lambda t, g, n, _: (0, n - 1, _at_most(2 * _edges(g), n * t), _at_most(t, _edges(g))),
    "edges": lambda _t, _g, n, _: (0, n * (n - 1) / 2),
    "components": lambda t, g, n, _: (1, n, _at_most(n, t + _edges(g))),
    "adjacent": lambda t, g, _n, _: (0, 1, _at_most(t, Word("degree", g, t.args[2]))),
    "walks": lambda t, _g, n, _: (0, Pow(n - 1, t.args[3]) if t.args[3].is_number else None),
    "closed_walks": lambda _t, _g, _n, _: (0, None),
    "triangles": lambda _t, _g, _n, _: (0, None),
    "colour_count": lambda _t, _g, n, _: (1, n),
    "feature": lambda _t, _g, _n, letters: (1, letters),
    "entry": lambda _t, _s, _n, letters: (1, letters),
    "image": lambda _t, _p, n, _: (1, n),
    "inversions": lambda _t, _p, n, _: (0, n * (n - 1) / 2),
    "fixed_points": lambda _t, _p, n, _: (0, n),
    "parity": lambda t, _p, _n, _: (None, None, Eq(t**2, 1, evaluate=False)),
    "occurrences": lambda _t, _s, n, _: (0, n),
    "bigrams": lambda t, s, n, _: (0, n - 1, *(_at_most(t, Word("occurrences", s, part)) for part in t.args[2:])),
    "distinct": lambda t, _s, n, letters: (1, n, _at_most(t, letters)),
}
"""For each word its least and its largest value, and what else is true of it."""


def determined(words: list[Any], kind: Callable[[Basic], Kind]) -> Iterator[tuple[Boolean, Word, Word]]:
    """What refinement determines: (condition, one term, the other term that is then equal).

    Theorem (Weisfeiler and Leman; Xu, Hu, Leskovec, Jegelka 2019; Morris et al. 2019). The colour of a node after k
    rounds is its feature with the multiset of the colours around it after k - 1 rounds, which is the tree of all walks
    of at most k steps from the node. By induction over r, a value that a word computes at a node from its feature in r
    rounds of asking neighbours for their values is a function of its colour after r rounds, the same function in all
    graphs: hence equal colours after k >= r rounds give equal values. A degree is asked for in one round; sums over
    walks of k steps with the degrees of their ends in k + 1; walks that pass given features in as many as there are.

    Hypotheses: both colours are after the same number of rounds, it is at least the number that the word needs, and all
    other arguments are the same. Equal multisets of colours of two graphs after k >= 1 rounds give equal numbers of
    edges and largest degrees. Isomorphic graphs have equal values of every word that is natural and speaks of no node.
    """
    local = [word for word in words if isinstance(word, Word) and word.meaning.local]
    colours = [word for word in local if word.name == "colour"]
    for one, other in combinations(colours, 2):
        if one.args[3] != other.args[3]:
            continue
        same = Eq(one, other, evaluate=False)
        for first, second in combinations(local, 2):
            places = {(first.args[1], first.args[2]), (second.args[1], second.args[2])}
            if places != {(one.args[1], one.args[2]), (other.args[1], other.args[2])} or first.name != second.name:
                continue
            if first.args[3:] == second.args[3:] and {first, second} != {one, other}:
                yield _with(same, one.args[3] - _rounds(first, kind)), first, second
    yield from _of_whole_graphs(words)


def _of_whole_graphs(words: list[Any]) -> Iterator[tuple[Boolean, Word, Word]]:
    whole = [word for word in words if isinstance(word, Word) and word.meaning.takes[:1] == ("graph",)
             and "node" not in word.meaning.takes and word.meaning.natural]  # fmt: skip
    for first, second in combinations(whole, 2):
        if first.name != second.name or first.args[2:] != second.args[2:]:
            continue
        pair = {first.args[1], second.args[1]}
        for relation in words:
            if isinstance(relation, Relation) and relation.name == "isomorphic" and set(relation.args[1:]) == pair:
                yield relation, first, second
        for one, other in combinations(
            [word for word in words if isinstance(word, Word) and word.name == "colours"], 2
        ):
            needs = {"colour_count": None, "edges": S.One, "largest_degree": S.One}.get(first.name, S.NaN)
            if {one.args[1], other.args[1]} != pair or one.args[2] != other.args[2] or needs is S.NaN:
                continue
            rounds = one.args[2] - (needs if needs is not None else first.args[2])
            if needs is not None or rounds == 0:
                yield _with(Eq(one, other, evaluate=False), rounds), first, second


def _rounds(word: Word, kind: Callable[[Basic], Kind]) -> Expr:
    """How many rounds determine a word: the number in its place, or the length of the sequence there, and some more."""
    place = word.meaning.rounds
    if place is None:
        return sympify(word.meaning.after)
    said = word.args[1 + place]
    length = kind(said).size if word.meaning.takes[place] == "sequence" else said
    return Add(length, word.meaning.after)


def _with(same: Boolean, spare: Expr) -> Boolean:
    left = expanded(spare)
    return same if left.is_Integer and left >= 0 else And(same, Ge(left, 0, evaluate=False))
