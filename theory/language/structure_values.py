"""The one table of the words about finite structures: what they take and give, how they are printed, what they mean.

Values are plain data: a graph is its features and its edges; a permutation, a sequence and a multiset are tuples; a
tree and a colour are a feature with the sorted branches. Nodes are numbered from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import Any, NamedTuple

Tree = tuple[int, tuple["Tree", ...]]


class Graph(NamedTuple):
    """A graph: the feature of every node, and its edges, each with the smaller node first.

    >>> str(Graph((1, 1, 1), ((1, 2),)))
    '3 nodes, edges 1-2'
    """

    features: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        marks = f", features {' '.join(map(str, self.features))}" if set(self.features) - {1} else ""
        listed = " ".join(f"{i}-{j}" for i, j in self.edges) or "none"
        return f"{len(self.features)} node{'s'[: len(self.features) > 1]}, edges {listed}{marks}"


class Powers(NamedTuple):
    """Operators on the features of a graph: some powers of its adjacency matrix.

    >>> str(Powers((0, 1, 2)))
    '{I, A, A^2}'
    """

    exponents: tuple[int, ...]

    def __str__(self) -> str:
        return f"{{{', '.join({0: 'I', 1: 'A'}.get(power, f'A^{power}') for power in self.exponents)}}}"


@cache
def near(graph: Graph) -> tuple[tuple[int, ...], ...]:
    """The neighbours of every node."""
    found: list[list[int]] = [[] for _ in graph.features]
    for i, j in graph.edges:
        found[i - 1].append(j)
        found[j - 1].append(i)
    return tuple(tuple(sorted(part)) for part in found)


def walks(graph: Graph, node: int, length: int) -> int:
    """How many walks of a length begin at a node.

    >>> walks(path_graph(3), 2, 2)
    2
    """
    return _walks(graph, length)[node - 1]


@cache
def _walks(graph: Graph, length: int) -> tuple[int, ...]:
    if length == 0:
        return (1,) * len(graph.features)
    shorter = _walks(graph, length - 1)
    return tuple(sum(shorter[j - 1] for j in around) for around in near(graph))


def closed_walks(graph: Graph, length: int) -> int:
    """How many walks of a length end where they begin.

    >>> closed_walks(cycle_graph(3), 3)
    6
    """
    total = 0
    for start in range(1, len(graph.features) + 1):
        at = Counter({start: 1})
        for _ in range(length):
            at = _onward(graph, at)
        total += at[start]
    return total


def _onward(graph: Graph, at: Counter[int]) -> Counter[int]:
    """How many walks end at each node after one more step."""
    following: Counter[int] = Counter()
    for node, times in at.items():
        following.update(dict.fromkeys(near(graph)[node - 1], times))
    return following


@cache
def colours_of(graph: Graph, rounds: int) -> tuple[Tree, ...]:
    """The colour of every node after rounds of refinement: its feature, and the colours around it one round before.

    >>> colours_of(path_graph(2), 1)
    ((1, ((1, ()),)), (1, ((1, ()),)))
    """
    if rounds == 0:
        return tuple((feature, ()) for feature in graph.features)
    before = colours_of(graph, rounds - 1)
    return tuple(
        (feature, tuple(sorted(before[j - 1] for j in around)))
        for feature, around in zip(graph.features, near(graph), strict=True)
    )


@cache
def _aggregated(graph: Graph, times: int, a: int, b: int, feature: int) -> tuple[Fraction, ...]:
    """The powers of D^-a A D^-b applied to the vector that is 1 at the nodes with a feature and 0 elsewhere."""
    if times == 0:
        return tuple(Fraction(mark == feature) for mark in graph.features)
    before, degrees = _aggregated(graph, times - 1, a, b, feature), [len(around) for around in near(graph)]
    shares = [
        Fraction(degree) ** -b * value if degree else value for degree, value in zip(degrees, before, strict=True)
    ]
    sums = [sum((shares[j - 1] for j in around), Fraction(0)) for around in near(graph)]
    return tuple(
        Fraction(degree) ** -a * total if degree else total for degree, total in zip(degrees, sums, strict=True)
    )


def attributed_walks(graph: Graph, node: int, features: tuple[int, ...]) -> int:
    """How many walks from a node pass nodes with these features, one after the other.

    >>> attributed_walks(Graph((1, 2, 2), ((1, 2), (1, 3))), 1, (2, 1))
    2
    """
    at = Counter({node: 1})
    for feature in features:
        at = Counter({i: times for i, times in _onward(graph, at).items() if graph.features[i - 1] == feature})
    return at.total()


def components(graph: Graph) -> int:
    """How many components a graph has.

    >>> components(disjoint(path_graph(2), path_graph(1)))
    2
    """
    left, number = set(range(1, len(graph.features) + 1)), 0
    while left:
        number += 1
        reached = [left.pop()]
        while reached:
            found = set(near(graph)[reached.pop() - 1]) & left
            left -= found
            reached += found
    return number


def permuted(graph: Graph, images: tuple[int, ...]) -> Graph:
    """The graph whose node i is called by its image.

    >>> str(permuted(path_graph(3), (2, 1, 3)))
    '3 nodes, edges 1-2 1-3'
    """
    features = [0] * len(graph.features)
    for feature, image in zip(graph.features, images, strict=True):
        features[image - 1] = feature
    edges = (sorted((images[i - 1], images[j - 1])) for i, j in graph.edges)
    return Graph(tuple(features), tuple(sorted((i, j) for i, j in edges)))


def isomorphic(first: Graph, second: Graph) -> bool:
    """Whether some permutation of the nodes makes one graph the other.

    >>> isomorphic(path_graph(3), Graph((1, 1, 1), ((1, 2), (1, 3))))
    True
    """
    if Counter(colours_of(first, 2)) != Counter(colours_of(second, 2)):
        return False
    return any(permuted(first, images) == second for images in permutations(range(1, len(first.features) + 1)))


def disjoint(first: Graph, second: Graph) -> Graph:
    """Both graphs side by side, the nodes of the second one numbered after those of the first."""
    moved = tuple((i + len(first.features), j + len(first.features)) for i, j in second.edges)
    return Graph(first.features + second.features, first.edges + moved)


def cycle_graph(nodes: int) -> Graph:
    """The cycle; with two nodes a single edge."""
    pairs = {(min(i, i % nodes + 1), max(i, i % nodes + 1)) for i in range(1, nodes + 1)}
    return Graph((1,) * nodes, tuple(sorted(pair for pair in pairs if pair[0] < pair[1])))


def path_graph(nodes: int) -> Graph:
    """The path."""
    return Graph((1,) * nodes, tuple((i, i + 1) for i in range(1, nodes)))


def complete_graph(nodes: int) -> Graph:
    """All edges."""
    return Graph((1,) * nodes, tuple(combinations(range(1, nodes + 1), 2)))


def two_steps(graph: Graph) -> Graph:
    """The graph of the nodes that are joined by an edge or by a walk of two edges."""
    reached = {(i, j) for around in near(graph) for i, j in combinations(around, 2)}
    return Graph(graph.features, tuple(sorted(reached | set(graph.edges))))


def triangles(graph: Graph) -> int:
    """How many triples of nodes are joined by three edges."""
    edges = set(graph.edges)
    nodes = range(1, len(graph.features) + 1)
    return sum({(i, j), (i, k), (j, k)} <= edges for i, j, k in combinations(nodes, 3))


def inverse(images: tuple[int, ...]) -> tuple[int, ...]:
    """The inverse permutation."""
    return tuple(images.index(i) + 1 for i in range(1, len(images) + 1))


def inversions(images: tuple[int, ...]) -> int:
    """How many pairs a permutation puts in the other order."""
    return sum(a > b for a, b in combinations(images, 2))


def levels(tree: Tree) -> list[list[Tree]]:
    """The nodes of every level."""
    found = [[tree]]
    while below := [branch for _, branches in found[-1] for branch in branches]:
        found.append(below)
    return found


def level_count(tree: Tree, level: int, feature: int) -> int:
    """How many nodes of a level have a feature."""
    every = levels(tree)
    return sum(node[0] == feature for node in every[level]) if level < len(every) else 0


def unrolled(graph: Graph, root: int, depth: int) -> Tree:
    """The tree of all walks of at most this many steps from a node: the branches of a walk are its continuations.

    >>> unrolled(path_graph(2), 1, 2)
    (1, ((1, ((1, ()),)),))
    """
    if depth == 0:
        return (graph.features[root - 1], ())
    return (graph.features[root - 1], tuple(sorted(unrolled(graph, j, depth - 1) for j in near(graph)[root - 1])))


def as_graph(tree: Tree) -> Graph:
    """A tree as a graph whose node 1 is the root.

    >>> str(as_graph((1, ((1, ()), (2, ((1, ()),))))))
    '4 nodes, edges 1-2 1-3 3-4, features 1 1 2 1'
    """
    features, edges, waiting = [tree[0]], [], [(1, tree)]
    while waiting:
        node, (_, branches) = waiting.pop()
        for branch in branches:
            features.append(branch[0])
            edges.append((node, len(features)))
            waiting.append((len(features), branch))
    return Graph(tuple(features), tuple(sorted(edges)))


def pruned(tree: Tree, depth: int) -> Tree:
    """A tree without what lies deeper."""
    return (tree[0], tuple(sorted(pruned(branch, depth - 1) for branch in tree[1])) if depth else ())


@cache
def classes(exponents: tuple[int, ...], most: int, features: int, rounds: int) -> tuple[frozenset[Tree], ...]:
    """The classes that powers of A induce on rooted graphs with degrees up to `most`: the colours that meet each.

    What powers up to k give at a root is determined by its colour after k rounds, whose tree is itself a graph.

    >>> [len(part) for part in classes((0,), 3, 2, 1)], len(classes((0, 1), 3, 2, 1))
    ([10, 10], 20)
    """
    found: dict[tuple[int, ...], set[Tree]] = {}
    for tree in colour_trees(0, most, max(rounds, *exponents), features):
        found.setdefault(_seen(tree, exponents, features), set()).add(pruned(tree, rounds))
    return tuple(frozenset(part) for part in found.values())


def _seen(tree: Tree, exponents: tuple[int, ...], features: int) -> tuple[int, ...]:
    """How many walks of each length end at each feature; of length 0, the feature of the root."""
    seen, at = [tree[0]], Counter({1: 1})
    graph = as_graph(tree) if any(exponents) else Graph((tree[0],), ())
    for length in range(1, max(exponents) + 1):
        at = _onward(graph, at)
        ends: Counter[int] = Counter()
        for node, times in at.items():
            ends[graph.features[node - 1]] += times
        seen += [ends[mark] for mark in range(1, features + 1)] if length in exponents else []
    return tuple(seen)


def shown(value: Any) -> str:
    """A structure in words a person reads.

    >>> shown((2, 1)), shown((1, ((1, ()), (2, ()))))
    ('2 1', '1[1 2]')
    """
    if isinstance(value, (Graph, Powers)) or not isinstance(value, tuple):
        return str(value)
    if len(value) == 2 and isinstance(value[1], tuple):
        return f"{value[0]}[{' '.join(map(shown, value[1]))}]" if value[1] else str(value[0])
    return " ".join(map(str, value)) or "empty"


@dataclass(frozen=True)
class Meaning:
    """A word: what it takes and gives, its LaTeX, its value, and what is known of it for every size.

    `natural`: renaming the nodes of the graph and the node arguments alike changes nothing. `rounds`: the place of
    the argument that says how often neighbours are asked, or None; so many rounds, and `after` more, of refinement
    determine the value at a node. A sequence is followed for as many steps as it is long.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    latex: str
    value: Callable[..., Any]
    natural: bool = False
    local: bool = False
    rounds: int | None = None
    after: int = 0


def _function(name: str, arguments: int) -> str:
    places = ", ".join(f"{{{k}}}" for k in range(arguments))
    return rf"\mathrm{{{{{name}}}}}\left({places}\right)"


_TABLE = (
    Meaning("nodes", ("graph",), "number", r"\left|V({0})\right|", lambda g: len(g.features), natural=True),
    Meaning("edges", ("graph",), "number", r"\left|E({0})\right|", lambda g: len(g.edges), natural=True),
    Meaning("degree", ("graph", "node"), "number", r"d_{{{0}}}({1})", lambda g, i: len(near(g)[i - 1]),
            natural=True, local=True, after=1),
    Meaning("feature", ("graph", "node"), "number", r"x_{{{0}}}({1})", lambda g, i: g.features[i - 1],
            natural=True, local=True),
    Meaning("adjacent", ("graph", "node", "node"), "number", r"A_{{{0}}}({1}, {2})",
            lambda g, i, j: int(j in near(g)[i - 1]), natural=True),
    Meaning("walks", ("graph", "node", "whole"), "number", r"w_{{{2}}}({0}, {1})", walks,
            natural=True, local=True, rounds=2),
    Meaning("closed_walks", ("graph", "whole"), "number", r"\operatorname{{tr}} A_{{{0}}}^{{{1}}}", closed_walks,
            natural=True),
    Meaning("triangles", ("graph",), "number", r"\triangle({0})", triangles, natural=True),
    Meaning("components", ("graph",), "number", r"\kappa({0})", components, natural=True),
    Meaning("largest_degree", ("graph",), "number", r"\Delta({0})", lambda g: max(map(len, near(g))), natural=True),
    Meaning("colour", ("graph", "node", "whole"), "colour", r"c_{{{2}}}({0}, {1})",
            lambda g, i, k: colours_of(g, k)[i - 1], natural=True, local=True, rounds=2),
    Meaning("colours", ("graph", "whole"), "multiset of colours", r"\left\{{c_{{{1}}}({0}, \cdot)\right\}}",
            lambda g, k: tuple(sorted(colours_of(g, k))), natural=True),
    Meaning("colour_count", ("graph", "whole"), "number", r"\left|c_{{{1}}}({0})\right|",
            lambda g, k: len(set(colours_of(g, k))), natural=True),
    Meaning("unrolled", ("graph", "node", "whole"), "tree", r"T_{{{2}}}({0}, {1})",
            unrolled, natural=True, local=True, rounds=2),
    Meaning("aggregated", ("graph", "node", "whole", "number", "number", "number"), "number",
            r"\left[\left(D^{{-{3}}} A D^{{-{4}}}\right)^{{{2}}} 1_{{x = {5}}}\right]_{{{0}}}({1})",
            lambda g, i, k, a, b, f: _aggregated(g, k, a, b, f)[i - 1], natural=True, local=True, rounds=2, after=1),
    Meaning("attributed_walks", ("graph", "node", "sequence"), "number", r"\left|W({0}, {1}; {2})\right|",
            attributed_walks, natural=True, local=True, rounds=2),
    Meaning("connected", ("graph",), "truth", r"{0}\text{{ is connected}}", lambda g: components(g) == 1, natural=True),
    Meaning("isomorphic", ("graph", "graph"), "truth", r"{0} \cong {1}", isomorphic),
    Meaning("permuted", ("graph", "permutation"), "graph", r"{1} {0}", permuted),
    Meaning("disjoint", ("graph", "graph"), "graph", r"{0} \sqcup {1}", disjoint),
    Meaning("two_steps", ("graph",), "graph", r"\min\left(A_{{{0}}} + A_{{{0}}}^{{2}}, 1\right)", two_steps),
    Meaning("cycle_graph", ("whole",), "graph", r"C_{{{0}}}", cycle_graph),
    Meaning("path_graph", ("whole",), "graph", r"P_{{{0}}}", path_graph),
    Meaning("complete_graph", ("whole",), "graph", r"K_{{{0}}}", complete_graph),
    Meaning("listed_graph", ("whole", "pairs", "marks"), "graph", _function("Graph", 2),
            lambda _, pairs, marks: Graph(marks, tuple(sorted(pairs)))),
    Meaning("image", ("permutation", "node"), "node", r"{0}({1})", lambda p, i: p[i - 1]),
    Meaning("inverse", ("permutation",), "permutation", r"{0}^{{-1}}", inverse),
    Meaning("composed", ("permutation", "permutation"), "permutation", r"{0} \circ {1}",
            lambda p, q: tuple(p[i - 1] for i in q)),
    Meaning("inversions", ("permutation",), "number", _function("inv", 1), inversions),
    Meaning("fixed_points", ("permutation",), "number", _function("fix", 1),
            lambda p: sum(i == k for k, i in enumerate(p, 1))),
    Meaning("parity", ("permutation",), "number", _function("sgn", 1), lambda p: (-1) ** inversions(p)),
    Meaning("entry", ("sequence", "node"), "number", r"{0}_{{{1}}}", lambda s, i: s[i - 1]),
    Meaning("occurrences", ("sequence", "number"), "number", r"\#_{{{1}}}({0})", lambda s, t: s.count(t)),
    Meaning("bigrams", ("sequence", "number", "number"), "number", r"\#_{{{1} {2}}}({0})",
            lambda s, a, b: sum(pair == (a, b) for pair in pairwise(s))),
    Meaning("distinct", ("sequence",), "number", r"\left|\left\{{{0}_{{\cdot}}\right\}}\right|", lambda s: len(set(s))),
    Meaning("rearranged", ("sequence", "permutation"), "sequence", r"{1} {0}",
            lambda s, p: tuple(s[i - 1] for i in inverse(p))),
    Meaning("multiset_of", ("sequence",), "multiset", r"\left\{{{0}_{{\cdot}}\right\}}", lambda s: tuple(sorted(s))),
    Meaning("multiplicity", ("multiset", "number"), "number", r"m_{{{0}}}({1})", lambda s, t: s.count(t)),
    Meaning("support", ("multiset",), "number", r"\left|\mathrm{{supp}}\,{0}\right|", lambda s: len(set(s))),
    Meaning("tree_nodes", ("tree",), "number", r"\left|{0}\right|", lambda t: sum(map(len, levels(t)))),
    Meaning("tree_depth", ("tree",), "number", _function("depth", 1), lambda t: len(levels(t)) - 1),
    Meaning("leaves", ("tree",), "number", _function("leaves", 1),
            lambda t: sum(not node[1] for level in levels(t) for node in level)),
    Meaning("level_count", ("tree", "whole", "number"), "number", r"\ell_{{{1},{2}}}({0})", level_count),
    Meaning("meeting_classes", ("operators", "whole", "whole", "whole", "number"), "number",
            r"\#\left\{{C \in \mathcal{{E}}_{{{1},{2}}}/{0} : C\text{{ meets at least }}{4}"
            r"\text{{ classes of depth }}{3}\right\}}",
            lambda o, m, x, rounds, least: sum(len(part) >= least for part in classes(o[0], m, x, rounds))),
    Meaning("spread_classes", ("operators", "whole", "whole", "sequence", "number"), "number",
            r"\#\left\{{C \in \mathcal{{E}}_{{{1},{2}}}/{0} : \left|W(\cdot; {3})\right|"
            r"\text{{ has at least }}{4}\text{{ values on }}C\right\}}",
            lambda o, m, x, s, least: sum(
                len({attributed_walks(as_graph(tree), 1, s) for tree in part}) >= least
                for part in classes(o[0], m, x, len(s)))),
)  # fmt: skip

MEANINGS = {meaning.name: meaning for meaning in _TABLE}
"""The words by name."""


def graphs(nodes: int, features: int = 1) -> Iterator[Graph]:
    """Every graph with the nodes 1 to n, fewest edges first.

    >>> sum(1 for _ in graphs(4))
    64
    """
    pairs = list(combinations(range(1, nodes + 1), 2))
    for marks in product(range(1, features + 1), repeat=nodes):
        for size in range(len(pairs) + 1):
            for chosen in combinations(pairs, size):
                yield Graph(marks, chosen)


def trees(least: int, most: int, depth: int, features: int) -> Iterator[Tree]:
    """Every rooted tree of a depth at most whose inner nodes have from `least` to `most` children."""
    if depth == 0:
        yield from ((feature, ()) for feature in range(1, features + 1))
        return
    below = list(trees(least, most, depth - 1, features))
    yield from _joined(below, range(least, most + 1), features)


def _joined(below: Sequence[Tree], sizes: Sequence[int], features: int) -> Iterator[Tree]:
    for size in sizes:
        for chosen in combinations_with_replacement(below, size):
            for feature in range(1, features + 1):
                yield (feature, tuple(sorted(chosen)))


def colour_trees(least: int, most: int, rounds: int, features: int) -> Iterator[Tree]:
    """One tree for every colour after some rounds in graphs with degrees from `least` to `most`.

    The tree of the walks that never turn back: its root has so many branches, other nodes one fewer.
    """
    if rounds == 0 or most == 0:
        yield from ((feature, ()) for feature in range(1, features + 1))
        return
    below = trees(max(0, least - 1), most - 1, rounds - 1, features)
    yield from _joined(list(below), range(least, most + 1), features)
