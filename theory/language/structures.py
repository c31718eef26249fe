"""Finite structures of every size: the sorts that a variable ranges over, and the words that speak of their members.

A variable is a plain symbol; its domain, such as `Graphs(n)`, says what it is. Words are inert: what they mean is one
table, `theory.language.structure_values`, and whether they fit together is told by `theory.language.structure_types`.
"""

from __future__ import annotations

from typing import Any

from sympy import Basic, Expr, Symbol, Tuple, sympify
from sympy.core.symbol import Str
from sympy.logic.boolalg import Boolean
from sympy.printing.printer import Printer

from theory.errors import LemmascopeError
from theory.language.spaces import Space
from theory.language.structure_values import MEANINGS, Meaning


class Structures(Space):
    """All structures of one sort; its sizes may be symbols, which are variables with a domain of their own."""

    kind = ""
    """What a member is: graph, permutation, sequence, multiset, tree, node, operators."""
    complete = True
    """Whether a list of its members at given sizes has all of them; otherwise it may refute, and proves nothing."""

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the sizes."""
        return set().union(*(part.free_symbols for part in self.args))

    def _named(self, printer: Printer, name: str) -> str:
        return rf"\mathrm{{{name}}}\left({', '.join(map(printer.doprint, self.args))}\right)"


def _size(value: Any, least: int, what: str) -> Expr:
    size = sympify(value)
    if not isinstance(size, Expr) or size.is_integer is False or (size.is_Integer and size < least):
        raise LemmascopeError(f"{what} is {value!r}: give a whole number from {least} on, or a symbol for every size")
    return size


class Graphs(Structures):
    """Graphs with the nodes 1 to n, without loops or double edges; every node may carry one of some features.

    >>> Graphs(Symbol("n")), Graphs(3, features=2)
    (Graphs(n, 1), Graphs(3, 2))
    """

    kind = "graph"

    def __new__(cls, nodes: Any, features: Any = 1) -> Graphs:
        return Basic.__new__(cls, _size(nodes, 1, "the number of nodes"), _size(features, 1, "the number of features"))

    def _latex(self, printer: Printer) -> str:
        marks = "" if self.args[1] == 1 else rf", {printer.doprint(self.args[1])}\text{{ features}}"
        return rf"\mathcal{{G}}\left({printer.doprint(self.args[0])}{marks}\right)"


class RandomGraphs(Structures):
    """Graphs with n nodes in which every edge is there with probability p, independently; only to take means over.

    >>> RandomGraphs(4, "1/2").args
    (4, 1/2)
    """

    kind = "graph"

    def __new__(cls, nodes: Any, probability: Any) -> RandomGraphs:
        chance = sympify(probability)
        if chance.is_number and not 0 <= chance <= 1:
            raise LemmascopeError(f"an edge has the probability {chance}: give a number from 0 to 1")
        return Basic.__new__(cls, _size(nodes, 1, "the number of nodes"), chance)

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "ER")


class Nodes(Structures):
    """The numbers 1 to n: the nodes of a graph, the places of a sequence, what a permutation permutes."""

    kind = "node"

    def __new__(cls, number: Any) -> Nodes:
        return Basic.__new__(cls, _size(number, 1, "the number of nodes"))

    def _latex(self, printer: Printer) -> str:
        return rf"\left\{{1, \ldots, {printer.doprint(self.args[0])}\right\}}"


class Permutations(Structures):
    """The permutations of 1 to n."""

    kind = "permutation"

    def __new__(cls, number: Any) -> Permutations:
        return Basic.__new__(cls, _size(number, 1, "the number of permuted things"))

    def _latex(self, printer: Printer) -> str:
        return rf"S_{{{printer.doprint(self.args[0])}}}"


class Sequences(Structures):
    """Sequences of a length whose entries are tokens from 1 to a number of them."""

    kind = "sequence"

    def __new__(cls, tokens: Any, length: Any) -> Sequences:
        return Basic.__new__(cls, _size(tokens, 1, "the number of tokens"), _size(length, 1, "the length"))

    def _latex(self, printer: Printer) -> str:
        tokens, length = map(printer.doprint, self.args)
        return rf"\left\{{1, \ldots, {tokens}\right\}}^{{{length}}}"


class RandomTokens(Structures):
    """Sequences whose entries are drawn independently, token k with the k-th probability; only to take means over.

    >>> RandomTokens(("1/4", "3/4"), 2).args
    ((1/4, 3/4), 2)
    """

    kind = "sequence"

    def __new__(cls, probabilities: Any, length: Any) -> RandomTokens:
        chances = Tuple(*[sympify(chance) for chance in probabilities])
        if not chances or sum(chances).expand() != 1 or any(chance.is_negative for chance in chances):
            raise LemmascopeError(f"the probabilities {tuple(chances)} of the tokens do not add up to 1")
        return Basic.__new__(cls, chances, _size(length, 1, "the length"))

    def _latex(self, printer: Printer) -> str:
        return rf"\mathrm{{Tokens}}{printer.doprint(self.args[0])}^{{{printer.doprint(self.args[1])}}}"


class Multisets(Structures):
    """Multisets of a size with members from 1 to a number of kinds."""

    kind = "multiset"

    def __new__(cls, kinds: Any, size: Any) -> Multisets:
        return Basic.__new__(cls, _size(kinds, 1, "the number of kinds"), _size(size, 0, "the size"))

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "Multisets")


class RootedTrees(Structures):
    """Rooted trees of a depth at most, in which every node has one of some features and at most so many children.

    Children have no order: trees that differ in it are the same.

    >>> RootedTrees(2, Symbol("K"), features=2)
    RootedTrees(2, K, 2)
    """

    kind = "tree"
    exactly, one_fewer = False, False
    """Whether nodes have all of the children, and whether nodes below the root have one fewer."""

    def __new__(cls, children: Any, depth: Any, features: Any = 1) -> RootedTrees:
        sizes = _size(children, 0, "the number of children"), _size(depth, 0, "the depth")
        return Basic.__new__(cls, *sizes, _size(features, 1, "the number of features"))

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "Trees")


class FullTrees(RootedTrees):
    """Rooted trees in which every node above the last level has exactly so many children."""

    exactly = True

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "FullTrees")


class Colours(RootedTrees):
    """The colours that nodes have after so many rounds of refinement, in all graphs with degrees at most m.

    The graphs may have any number of nodes; every node carries one of some features. A colour is an unrolled tree.

    >>> Colours(3, Symbol("K"), features=2)
    Colours(3, K, 2)
    """

    kind, one_fewer = "colour", True

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "Colours")


class RegularColours(Colours):
    """The colours after so many rounds of nodes around which, fewer steps away, every node has m neighbours."""

    exactly = True

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "RegularColours")


class Operators(Structures):
    """Families of equivariant operators, linear in the features, that see the graph up to so many hops around a node.

    There are infinitely many; those that are listed are the powers of A from A^0 up to one.

    >>> Operators(Symbol("K")).complete
    False
    """

    kind, complete = "operators", False

    def __new__(cls, hops: Any) -> Operators:
        return Basic.__new__(cls, _size(hops, 0, "the number of hops"))

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "LinearOperators")


class GraphOperators(Structures):
    """All equivariant operators on the features of graphs, linear or not, of any number of hops."""

    kind, complete = "operators", False

    def __new__(cls) -> GraphOperators:
        return Basic.__new__(cls)

    def _latex(self, printer: Printer) -> str:
        return self._named(printer, "Operators")


def _application(name: str | Str, arguments: tuple[Any, ...]) -> list[Basic]:
    """The name of a word and as many arguments as it takes."""
    meaning = meaning_of(str(getattr(name, "name", name)))
    given = [sympify(part) for part in arguments]
    if len(given) != len(meaning.takes):
        raise LemmascopeError(f"{meaning.name} takes {', '.join(meaning.takes)}: {len(given)} arguments are given")
    return [Str(meaning.name), *given]


class Word(Expr):
    """A term of the language about structures: a name of the table and its arguments.

    >>> Word("degree", Symbol("G"), Symbol("i"))
    degree(G, i)
    """

    is_commutative = True

    def __new__(cls, name: str | Str, *arguments: Any) -> Word:
        return Basic.__new__(cls, *_application(name, arguments))

    @property
    def name(self) -> str:
        """Which word it is."""
        return str(self.args[0].name)

    @property
    def meaning(self) -> Meaning:
        """Its row of the table."""
        return meaning_of(self.name)

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the arguments."""
        return set().union(*(part.free_symbols for part in self.args[1:]))

    def _sympystr(self, printer: Printer) -> str:
        return f"{self.name}({', '.join(map(printer.doprint, self.args[1:]))})"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        text = self.meaning.latex.format(*map(printer.doprint, self.args[1:]))
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"


class Relation(Boolean):
    """What is said of structures by a name of the table.

    >>> Relation("isomorphic", Symbol("G"), Symbol("H"))
    isomorphic(G, H)
    """

    def __new__(cls, name: str | Str, *arguments: Any) -> Relation:
        return Basic.__new__(cls, *_application(name, arguments))

    name, meaning, free_symbols = Word.name, Word.meaning, Word.free_symbols

    def _sympystr(self, printer: Printer) -> str:
        return f"{self.name}({', '.join(map(printer.doprint, self.args[1:]))})"

    def _latex(self, printer: Printer) -> str:
        return self.meaning.latex.format(*map(printer.doprint, self.args[1:]))


class Total(Expr):
    """What is taken over all members of a sort: how many there are, a probability, a mean; the symbol is bound."""

    is_commutative = True

    def __new__(cls, symbol: Symbol, over: Structures, body: Any) -> Total:
        if not isinstance(over, Structures):
            raise LemmascopeError(f"{over!r} is no sort of structures: write Graphs(n), Permutations(n), ...")
        said = sympify(body)
        if (cls is Mean) is not isinstance(said, Expr):
            raise LemmascopeError(
                f"{said} is no {'number: a mean is of one' if cls is Mean else 'formula: count those'}"
            )
        return Basic.__new__(cls, symbol, over, said)

    @property
    def symbol(self) -> Symbol:
        """The bound symbol."""
        return self.args[0]

    @property
    def over(self) -> Structures:
        """The sort."""
        return self.args[1]

    @property
    def body(self) -> Basic:
        """What is counted or averaged."""
        return self.args[2]

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the sort and the body, without the bound one."""
        return self.over.free_symbols | (self.body.free_symbols - {self.symbol})

    def _eval_subs(self, old: Basic, new: Basic) -> Basic | None:  # noqa: ARG002 - SymPy's protocol
        return self if old == self.symbol else None


class Count(Total):
    """How many members of a sort satisfy a formula."""

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        symbol, over, body = map(printer.doprint, self.args)
        text = rf"\left|{over}\right|" if self.body == True else rf"\#\left\{{{symbol} \in {over} : {body}\right\}}"  # noqa: E712
        return text if exp is None else rf"{text}^{{{exp}}}"


class Probability(Total):
    """The probability of a formula for a random member of a sort; all members are equally likely in the plain sorts."""

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        symbol, over, body = map(printer.doprint, self.args)
        text = rf"\mathbb{{P}}_{{{symbol} \sim {over}}}\left[{body}\right]"
        return text if exp is None else rf"{text}^{{{exp}}}"


class Mean(Total):
    """The mean of a number for a random member of a sort."""

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        symbol, over, body = map(printer.doprint, self.args)
        text = rf"\mathbb{{E}}_{{{symbol} \sim {over}}}\left[{body}\right]"
        return text if exp is None else rf"{text}^{{{exp}}}"


def meaning_of(name: str) -> Meaning:
    """The row of the table of a word."""
    if name not in MEANINGS:
        raise LemmascopeError(f"no word about structures is called {name}: there are {', '.join(sorted(MEANINGS))}")
    return MEANINGS[name]


def about(name: str, *arguments: Any) -> Any:
    """A word of the table applied to structures: `about("degree", G, i)`; every word is also a function of its name.

    >>> about("edges", Symbol("G"))
    edges(G)
    """
    return (Relation if meaning_of(name).gives == "truth" else Word)(name, *arguments)


def graph(nodes: int, *edges: tuple[int, int], features: tuple[int, ...] = ()) -> Word:
    """One graph, edge by edge.

    >>> graph(3, (1, 2), (2, 3))
    listed_graph(3, ((1, 2), (2, 3)), (1, 1, 1))
    """
    for edge in edges:
        if len(set(edge)) != 2 or not all(1 <= node <= nodes for node in edge):
            raise LemmascopeError(f"{edge} is no edge of a graph with the nodes 1 to {nodes}")
    marks = features or (1,) * nodes
    if len(marks) != nodes:
        raise LemmascopeError(f"{nodes} nodes have {nodes} features, not {len(marks)}")
    return Word("listed_graph", nodes, Tuple(*[Tuple(*sorted(edge)) for edge in edges]), Tuple(*marks))


def number_of(first: Any, over: Structures | None = None, formula: Any = True) -> Count:
    """How many structures a sort has, or how many of them satisfy a formula.

    >>> G, n = Symbol("G"), Symbol("n")
    >>> number_of(Graphs(n)).free_symbols, number_of(G, Graphs(n), about("connected", G)).free_symbols
    ({n}, {n})
    """
    return Count(Symbol("_each"), first, formula) if over is None else Count(first, over, formula)


def probability(symbol: Symbol, over: Structures, formula: Any) -> Probability:
    """The probability that a random member of the sort satisfies a formula."""
    return Probability(symbol, over, formula)


def mean(symbol: Symbol, over: Structures, term: Any) -> Mean:
    """The mean of a number over the random members of the sort."""
    return Mean(symbol, over, term)


SORTS = (
    Graphs, RandomGraphs, Nodes, Permutations, Sequences, RandomTokens, Multisets, RootedTrees, FullTrees, Colours,
    RegularColours, Operators, GraphOperators,
)  # fmt: skip
WORDS = (*SORTS, Count, Probability, Mean)
"""What is stored by the name of its class; words of the table are stored by their own names."""
