"""Claims about finite structures of every size as claims about numbers: names of nodes, bounds, refinement, counting.

Each rule is a theorem about all structures; what is left is a statement about numbers, or a recursion of numbers, which
the other checkers decide. A rule that does not apply is silent: nothing here refutes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from typing import Any

import sympy as sp
from sympy import Add, Eq, Expr, Integer, Mul, Pow, Rational, Symbol, oo
from sympy.core.relational import Lt, Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from proofs_check.kernel.structure_facts import bounds, determined
from theory.language.structure_types import Kind, Scope, kind_of, kind_of_domain
from theory.language.structures import (
    Count,
    Graphs,
    Multisets,
    Permutations,
    Relation,
    Sequences,
    Structures,
    Total,
    Word,
)
from theory.statements import Statement
from theory.temporal import ForAll, Quantifier


class NotReducedError(Exception):
    """No rule makes a claim about numbers of it."""


def about_numbers(statement: Statement) -> Statement:
    """A statement about numbers from which the one about structures of every size follows.

    Theorem. Let every term about structures be replaced by a term of the same value (`_same`), and every term that is
    left by a new variable, the same for the same term, for which facts hold that are true of the term in all
    structures (`bounds`, `determined`). If the statement about numbers holds, so does the one about structures: each
    case of the latter gives values to the variables for which the facts are true. Colours, graphs and other things that
    are no numbers are replaced by whole numbers, equal for equal things: finitely many things can be numbered. A
    hypothesis that no rule replaces is not used.
    """
    variables = dict(statement.variables)
    conclusion = statement.conclusion
    while isinstance(conclusion, ForAll):
        variables[conclusion.symbol] = conclusion.domain
        conclusion = conclusion.body
    scope = {symbol: kind_of_domain(domain) for symbol, domain in variables.items()}
    desk = _Desk(scope, variables)
    then, given = desk.replaced(conclusion), []
    for part in statement.given:
        with suppress(NotReducedError):
            given.append(desk.replaced(part))
    numbers: dict[Symbol, sp.Set] = {}
    for symbol, domain in variables.items():
        kind = scope[symbol]
        if kind.name == "number":
            numbers[symbol] = domain
        elif kind.name == "node":
            numbers[symbol] = sp.Range(1, oo)
            given.append(desk.replaced(sp.Le(symbol, kind.size, evaluate=False)))
    facts = [part for part in desk.facts() if part != sp.true]
    if then in (sp.S.true, sp.S.false):
        then = Eq(0, 0, evaluate=False) if then == sp.true else Lt(1, 0, evaluate=False)
    return Statement(variables=numbers | desk.domains, given=(*(p for p in given if p != sp.true), *facts), then=then)


class _Desk:
    """The terms that were replaced, and what is known of them."""

    def __init__(self, scope: Scope, domains: Mapping[Symbol, sp.Set]) -> None:
        self.scope, self.variables = scope, domains
        self.names: dict[sp.Basic, Symbol] = {}
        self.domains: dict[Symbol, sp.Set] = {}

    def replaced(self, part: sp.Basic) -> Any:
        """A formula or a number without words about structures."""
        if isinstance(part, Relational):
            left, right = (self._side(side) for side in part.args)
            certain = isinstance(part, Eq) and left == right and isinstance(left, (Symbol, Rational))
            return sp.true if certain else part.func(left, right, evaluate=False)
        if isinstance(part, Relation):
            if part.name == "connected":
                return self.replaced(Eq(Word("components", part.args[1]), 1, evaluate=False))
            return Eq(self._named(_same(part, self._kind), sp.FiniteSet(0, 1)), 1, evaluate=False)
        if isinstance(part, Quantifier) or not isinstance(part, (Boolean, BooleanAtom)):
            raise NotReducedError(f"{part} is not replaced")
        return part.func(*map(self.replaced, part.args)) if part.args else part

    def _side(self, side: sp.Basic) -> Expr:
        return self._number(_same(side, self._kind))

    def _number(self, term: sp.Basic) -> Any:
        if isinstance(term, Word) or (isinstance(term, Symbol) and self._kind(term).name not in ("number", "node")):
            return self._named(term, _range_of(term, self._kind))
        if isinstance(term, (sp.Sum, Total, Structures, Relation, Quantifier)):
            raise NotReducedError(f"{term} is not replaced")
        return _as_written(term, map(self._number, term.args)) if term.has(Word, sp.Sum, Total) else term

    def _kind(self, term: sp.Basic) -> Kind:
        return kind_of(term, self.scope, self.variables)

    def _named(self, term: sp.Basic, domain: sp.Set) -> Symbol:
        if term not in self.names:
            taken = {symbol.name for symbol in (*self.variables, *self.domains)}
            name = next(name for k in count(1) if (name := f"v{k}") not in taken)
            self.names[term] = Symbol(name)
            self.domains[self.names[term]] = domain
        return self.names[term]

    def facts(self) -> Iterator[Boolean]:
        """Everything known of the replaced terms; the bounds of a term may bring in further terms, once."""
        first = list(self.names)
        for fact in [fact for term in first if isinstance(term, Word) for fact in bounds(term, self._kind)]:
            yield self.replaced(fact)
        words = [term for term in self.names if isinstance(term, (Word, Relation))]
        for condition, one, other in determined(words, self._kind):
            yield sp.Implies(self.replaced(condition), Eq(self._side(one), self._side(other), evaluate=False))


def _range_of(term: sp.Basic, kind: Callable[[sp.Basic], Kind]) -> sp.Set:
    if not isinstance(term, Word) or kind(term).name not in ("number", "node"):
        return sp.S.Integers
    return sp.S.Reals if term.name == "aggregated" else sp.S.Integers


def _same(term: Any, kind: Callable[[sp.Basic], Kind]) -> Any:
    """A term of the same value in all structures, nearer to the graphs themselves.

    Theorems: what does not depend on the names of the nodes is the same for a renamed graph and the nodes of the same
    new names (`natural`: w(pG, i) = w(G, p^-1 i)); degrees add up to twice the edges; walks of length 0 and 1; closed
    walks of length 0 to 3 (n, 0, two for each edge, six for each triangle); side by side, numbers of nodes, edges,
    triangles, components and closed walks add up; how many members the plain sorts have.
    """
    if not isinstance(term, sp.Basic) or not term.has(Word, Relation, Total):
        return term
    if isinstance(term, Count):
        return _counted(term)
    if isinstance(term, sp.Sum):
        return _added(term, kind)
    if isinstance(term, Total):
        return term
    if not isinstance(term, (Word, Relation)):
        return _as_written(term, (_same(part, kind) for part in term.args))
    term = term.func(term.args[0], *(_same(part, kind) for part in term.args[1:]))
    for rule in (_renamed, _defined, _side_by_side):
        found = rule(term, kind)
        if found is not None and found != term:
            return _same(found, kind)
    return term


def _as_written(term: sp.Basic, parts: Iterable[sp.Basic]) -> sp.Basic:
    """A term with other parts, in which nothing cancels: a quotient of equal numbers has no value where they are 0."""
    return term.func(*parts, evaluate=False) if isinstance(term, (Add, Mul, Pow)) else term.func(*parts)


def _is(term: Any, name: str) -> bool:
    return isinstance(term, Word) and term.name == name


def _renamed(term: Word, _kind: Any) -> Any:
    """Renaming: permutations act, and words that are natural do not see names."""
    first, *rest = term.args[1:]
    if term.name in ("image", "inverse", "composed"):
        return _multiplied(term.name, first, *rest)
    if term.name in ("permuted", "rearranged"):
        if _is(rest[0], "composed"):
            return Word(term.name, Word(term.name, first, rest[0].args[2]), rest[0].args[1])
        return first.args[1] if _is(first, term.name) and _are_inverse(first.args[2], rest[0]) else None
    if term.meaning.natural and _is(first, "permuted"):
        back = Word("inverse", first.args[2])
        moved = [
            Word("image", back, part) if wanted == "node" else part
            for wanted, part in zip(term.meaning.takes[1:], rest, strict=True)
        ]
        return term.func(term.args[0], first.args[1], *moved)
    if not _is(first, "rearranged"):
        return None
    if term.name == "entry":
        return Word("entry", first.args[1], Word("image", Word("inverse", first.args[2]), rest[0]))
    return Word(term.name, first.args[1], *rest) if term.name in ("occurrences", "distinct", "multiset_of") else None


def _multiplied(name: str, first: sp.Basic, *rest: sp.Basic) -> Any:
    """Permutations are composed to the right, and inverses go to the letters."""
    if name == "image" and _is(first, "composed"):
        return Word("image", first.args[1], Word("image", first.args[2], *rest))
    if name == "image" and _is(rest[0], "image") and _are_inverse(first, rest[0].args[1]):
        return rest[0].args[2]
    if name == "inverse" and _is(first, "inverse"):
        return first.args[1]
    if name == "inverse" and _is(first, "composed"):
        return Word("composed", Word("inverse", first.args[2]), Word("inverse", first.args[1]))
    if name == "composed" and _is(first, "composed"):
        return Word("composed", first.args[1], Word("composed", first.args[2], *rest))
    return None


def _are_inverse(one: sp.Basic, other: sp.Basic) -> bool:
    return one == Word("inverse", other) or other == Word("inverse", one)


def _defined(term: Word, kind: Callable[[sp.Basic], Kind]) -> Any:
    """What some words are for special arguments."""
    first, *rest = term.args[1:]
    match term.name, tuple(rest):
        case "nodes", ():
            return kind(first).size
        case "walks", (_, length) if length == 0:
            return sp.S.One
        case "walks", (node, length) if length == 1:
            return Word("degree", first, node)
        case "adjacent", (one, other) if one == other:
            return sp.S.Zero
        case "adjacent", (one, other) if str(one) > str(other):
            return Word("adjacent", first, other, one)
        case "closed_walks", (length,) if length in (0, 1, 2, 3):
            by_length = kind(first).size, sp.S.Zero, 2 * Word("edges", first), 6 * Word("triangles", first)
            return by_length[int(length)]
        case "multiplicity", (token,) if _is(first, "multiset_of"):
            return Word("occurrences", first.args[1], token)
        case "support", () if _is(first, "multiset_of"):
            return Word("distinct", first.args[1])
        case "feature", (_,) if kind(first).letters == 1:
            return sp.S.One
        case "unrolled", (node, depth):
            return Word("colour", first, node, depth)  # both are the tree of the walks, see `determined`
    return None


def _side_by_side(term: Word, _kind: Any) -> Any:
    first: Any = term.args[1]
    if term.name in ("edges", "triangles", "components", "closed_walks") and _is(first, "disjoint"):
        return Word(term.name, first.args[1], *term.args[2:]) + Word(term.name, first.args[2], *term.args[2:])
    return None


def _added(term: sp.Sum, kind: Callable[[sp.Basic], Kind]) -> Any:
    """Degrees of all nodes add up to twice the edges, occurrences of all tokens to the length; sums are linear."""
    ((index, low, high),) = term.limits if len(term.limits) == 1 else ((None, None, None),)
    counts = isinstance(high, Symbol) or (isinstance(high, Integer) and high >= 1)
    if index is None or low != 1 or not counts:
        raise NotReducedError(f"{term} is not replaced")
    added: list[Expr] = []
    for part in Add.make_args(term.function):
        coefficient, rest = part.as_independent(index)
        whole = high if rest == 1 else _whole_of(rest, index, high, kind)
        if whole is None:
            raise NotReducedError(f"{term} is not replaced")
        added.append(Mul(_same(coefficient, kind), _same(whole, kind), evaluate=False))
    return Add(*added, evaluate=False)


def _whole_of(rest: Expr, index: Symbol, high: Expr, kind: Callable[[sp.Basic], Kind]) -> Expr | None:
    if not isinstance(rest, Word) or index in rest.args[1].free_symbols:
        return None
    over = rest.args[1]
    graph = kind(over)
    by_node = rest.name == "degree" or (rest.name == "walks" and rest.args[3] == 1)
    if by_node and rest.args[2] == index and graph.size == high:
        return 2 * Word("edges", over)
    if rest.name == "adjacent" and graph.size == high and rest.args[2:].count(index) == 1:
        return Word("degree", over, next(part for part in rest.args[2:] if part != index))
    if rest.name == "occurrences" and rest.args[2] == index and graph.letters == high:
        return graph.size
    return None


def _counted(term: Count) -> Expr:
    """How many members a plain sort has: one choice after the other."""
    if term.body != sp.true:
        return term
    match term.over:
        case Graphs(args=(nodes, features)):
            return Pow(2, nodes * (nodes - 1) / 2) * Pow(features, nodes)
        case Permutations(args=(number,)):
            return sp.factorial(number)
        case Sequences(args=(tokens, length)):
            return Pow(tokens, length)
        case Multisets(args=(kinds, size)):
            return sp.binomial(kinds + size - 1, size)
    return term
