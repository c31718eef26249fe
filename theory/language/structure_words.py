"""The words about finite structures as functions: `degree(G, i)`, `edges(G)`, `permuted(G, p)`, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theory.language.structures import about


def _word(name: str, says: str) -> Callable[..., Any]:
    def word(*arguments: Any) -> Any:
        return about(name, *arguments)

    word.__name__ = word.__qualname__ = name
    word.__doc__ = says
    return word


nodes = _word("nodes", "How many nodes a graph has.")
edges = _word("edges", "How many edges a graph has.")
degree = _word("degree", "The number of neighbours of a node.")
feature = _word("feature", "The feature of a node.")
adjacent = _word("adjacent", "1 where two nodes are joined, 0 elsewhere.")
walks = _word("walks", "How many walks of a length begin at a node.")
closed_walks = _word("closed_walks", "How many walks of a length end where they begin.")
triangles = _word("triangles", "How many triangles a graph has.")
components = _word("components", "How many components a graph has.")
largest_degree = _word("largest_degree", "The largest degree.")
colour = _word("colour", "The colour of a node after rounds of refinement.")
colours = _word("colours", "The multiset of all colours after rounds of refinement.")
colour_count = _word("colour_count", "How many colours there are after rounds of refinement.")
unrolled = _word("unrolled", "The tree of all walks of at most so many steps.")
aggregated = _word("aggregated", "The entry at a node of (D^-a A D^-b)^k times the vector of the nodes with a feature.")
attributed_walks = _word("attributed_walks", "How many walks from a node pass nodes with the features of a sequence.")
connected = _word("connected", "A graph is connected.")
isomorphic = _word("isomorphic", "Two graphs differ in the names of the nodes only.")
permuted = _word("permuted", "The graph whose node i is called p(i).")
disjoint = _word("disjoint", "Two graphs side by side.")
two_steps = _word("two_steps", "The graph of distance at most two.")
cycle_graph = _word("cycle_graph", "The cycle.")
path_graph = _word("path_graph", "The path.")
complete_graph = _word("complete_graph", "The complete graph.")
image = _word("image", "Where a permutation takes a number.")
inverse = _word("inverse", "The inverse permutation.")
composed = _word("composed", "First the second permutation, then the first.")
inversions = _word("inversions", "How many pairs come in the other order.")
fixed_points = _word("fixed_points", "How many numbers stay.")
parity = _word("parity", "1 for even permutations, -1 for odd ones.")
entry = _word("entry", "The token at a place.")
occurrences = _word("occurrences", "How often a token occurs.")
bigrams = _word("bigrams", "How often one token is followed by another.")
distinct = _word("distinct", "How many different tokens occur.")
rearranged = _word("rearranged", "The sequence whose place p(i) has the token of place i.")
multiset_of = _word("multiset_of", "The tokens without their order.")
multiplicity = _word("multiplicity", "How often a member occurs.")
support = _word("support", "How many different members there are.")
tree_nodes = _word("tree_nodes", "How many nodes a tree has.")
tree_depth = _word("tree_depth", "The depth of a tree.")
leaves = _word("leaves", "How many nodes have no children.")
meeting_classes = _word(
    "meeting_classes",
    "How many classes operators induce on rooted graphs with degrees up to m and x features that meet so many colours.",
)
spread_classes = _word(
    "spread_classes", "How many of these classes have so many different numbers of walks past features of a sequence."
)
level_count = _word("level_count", "How many nodes of a level have a feature.")
