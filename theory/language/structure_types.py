"""Whether what is said of finite structures fits together: every word gets what it takes, a node lies in its graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sympy import Add, Basic, Expr, Integer, Interval, Poly, Product, S, Set, Sum, Symbol, Tuple
from sympy.core.relational import Eq, Ne, Relational
from sympy.logic.boolalg import Boolean

from theory.errors import LemmascopeError
from theory.language.structures import (
    Colours,
    Count,
    Graphs,
    Mean,
    Multisets,
    Nodes,
    Operators,
    Permutations,
    RandomGraphs,
    RandomTokens,
    Relation,
    RootedTrees,
    Sequences,
    Structures,
    Total,
    Word,
)

_WHOLE_GRAPHS = {"cycle_graph", "path_graph", "complete_graph", "listed_graph"}
"""The words whose number is one of nodes, of which there is at least one."""
_SAME_SIZE = {"permuted", "isomorphic", "composed", "rearranged"}
"""The words whose arguments have one size, as a node and its graph always do."""


class Kind(NamedTuple):
    """What a term is: a graph of a size, a node of that size, a number, ..."""

    name: str
    size: Expr | None = None
    letters: Expr | None = None
    """How many features or tokens there are."""


NUMBER = Kind("number")
Scope = Mapping[Symbol, Kind]


def kind_of_domain(domain: Any) -> Kind:
    """What the members of a domain are.

    >>> kind_of_domain(Graphs(3))
    Kind(name='graph', size=3, letters=1)
    """
    if isinstance(domain, Graphs):
        return Kind("graph", *domain.args)
    if isinstance(domain, RandomGraphs):
        return Kind("graph", domain.args[0], Integer(1))
    if isinstance(domain, (Nodes, Permutations)):
        return Kind(domain.kind, domain.args[0])
    if isinstance(domain, Sequences):
        return Kind("sequence", domain.args[1], domain.args[0])
    if isinstance(domain, RandomTokens):
        return Kind("sequence", domain.args[1], Integer(len(domain.args[0])))
    return Kind(domain.kind) if isinstance(domain, Structures) else NUMBER


def speaks_of_structures(parts: Iterable[Basic], domains: Iterable[Set]) -> bool:
    """Whether something is said of finite structures."""
    if any(isinstance(domain, Structures) for domain in domains):
        return True
    return any(part.has(Word, Relation, Structures) for part in parts)


def require_structures(parts: Iterable[Basic], variables: Mapping[Any, Set]) -> None:
    """Refuse words that do not fit together, in one sentence.

    >>> G, i, n = Symbol("G"), Symbol("i"), Symbol("n")
    >>> require_structures([Word("degree", G, i) < n], {G: Graphs(n), i: Nodes(n), n: S.Naturals})
    >>> require_structures([Word("degree", G, i) < n], {G: Graphs(n), i: S.Reals, n: S.Naturals})
    Traceback (most recent call last):
    theory.errors.LemmascopeError: degree(G, i) needs a node of G, and i is none: give it the domain Nodes(n)
    """
    domains = {symbol: domain for symbol, domain in variables.items() if isinstance(symbol, Symbol)}
    for symbol, domain in domains.items():
        if isinstance(domain, (RandomGraphs, RandomTokens, Colours)):
            raise LemmascopeError(
                f"{symbol} ranges over {domain}, which is not a sort of variables: take a probability or a mean over it"
            )
        if isinstance(domain, Structures):
            _require_sizes(domain, domains, f"the domain {domain} of {symbol}")
    scope = {symbol: kind_of_domain(domain) for symbol, domain in domains.items()}
    for part in parts:
        _require_formula(part, scope, domains)


def _require_sizes(sort: Structures, domains: Mapping[Symbol, Set], where: str) -> None:
    least = 0 if isinstance(sort, (RootedTrees, Multisets, Operators)) else 1
    chances = sort.args[1:] if isinstance(sort, RandomGraphs) else ()
    chances = tuple(sort.args[0]) if isinstance(sort, RandomTokens) else chances
    for chance in chances:
        _require_chance(chance, domains)
    for size in sort.args:
        if size in chances or isinstance(size, Tuple):
            continue
        _require_whole(size, least, domains, where)


def _require_whole(number: Expr, least: int, domains: Mapping[Symbol, Set], where: str) -> None:
    """Refuse a size or a number of steps that is not plainly a whole number from `least` on."""
    firsts: dict[Symbol, Expr] = {}
    for symbol in number.free_symbols:
        domain = domains.get(symbol)
        whole = isinstance(domain, Nodes) or (domain is not None and domain.is_subset(S.Naturals0))
        if domain is None or not whole:
            raise LemmascopeError(f"{symbol} in {where} is a whole number: give it the domain Naturals or Naturals0")
        firsts[symbol] = Integer(1) if isinstance(domain, Nodes) else domain.inf
    symbols = tuple(firsts)
    if not number.is_polynomial(*symbols) or number.has(Word, Total):
        raise LemmascopeError(f"{number} in {where} may be no whole number: use a variable for it")
    terms = Poly(number, *symbols).terms() if symbols else [((), number)]
    wrong = any(not value.is_Integer or (any(powers) and value < 0) for powers, value in terms)
    if wrong or number.xreplace(firsts) < least:
        raise LemmascopeError(f"{number} in {where} may be no whole number from {least} on: shift its variable")


def _require_chance(chance: Expr, domains: Mapping[Symbol, Set]) -> None:
    """A probability is a number, a variable between 0 and 1, or 1 minus one."""
    inner = chance if isinstance(chance, Symbol) else 1 - chance
    known = domains.get(inner)
    if (chance.is_number and chance.is_Rational) or (known is not None and known.is_subset(Interval(0, 1))):
        return
    raise LemmascopeError(f"{chance} is no probability: give a fraction, or a variable with the domain Interval(0, 1)")


def _require_formula(part: Basic, scope: Scope, domains: Mapping[Symbol, Set]) -> None:
    if isinstance(part, Relational):
        left, right = (kind_of(side, scope, domains) for side in part.args)
        ordered = _plain(left) == "number" or isinstance(part, (Eq, Ne))
        if _plain(left) != _plain(right) or not ordered:
            raise LemmascopeError(
                f"{part} compares a {left.name} with a {right.name}: only what is of one kind is equal,"
                " and only numbers are larger or smaller"
            )
    elif isinstance(part, Relation):
        kind_of(part, scope, domains)
    elif hasattr(part, "symbol") and isinstance(part, Boolean):
        inside = _bound(part.symbol, part.domain, part, scope, domains)
        _require_formula(part.body, *inside)
    else:
        for child in part.args:
            _require_formula(child, scope, domains)


def _plain(kind: Kind) -> str:
    return "number" if kind.name == "node" else kind.name


def _bound(
    symbol: Symbol, sort: Set, where: Basic, scope: Scope, domains: Mapping[Symbol, Set]
) -> tuple[Scope, Mapping[Symbol, Set]]:
    if symbol in scope:
        raise LemmascopeError(f"the symbol {symbol} in {where} also means something else: rename it")
    if isinstance(sort, Structures):
        _require_sizes(sort, domains, str(sort))
    return {**scope, symbol: kind_of_domain(sort)}, {**domains, symbol: sort}


def kind_of(term: Basic, scope: Scope, domains: Mapping[Symbol, Set]) -> Kind:
    """What a term is, or a sentence that says what does not fit."""
    if isinstance(term, Symbol):
        return scope.get(term, NUMBER)
    if isinstance(term, (Word, Relation)):
        return _applied(term, scope, domains)
    if isinstance(term, Total):
        return _taken_over_all(term, scope, domains)
    if isinstance(term, (Sum, Product)):
        return _summed(term, scope, domains)
    for child in term.args:
        if isinstance(child, Expr):  # a symbol is both for SymPy
            _require_number(child, term, scope, domains)
        elif isinstance(child, Boolean):
            _require_formula(child, scope, domains)
        else:
            kind_of(child, scope, domains)
    return NUMBER


def _taken_over_all(term: Total, scope: Scope, domains: Mapping[Symbol, Set]) -> Kind:
    inside = _bound(term.symbol, term.over, term, scope, domains)
    if isinstance(term, Mean):
        _require_number(term.body, term, *inside)
    else:
        _require_formula(term.body, *inside)
    if not term.over.complete:
        raise LemmascopeError(f"{term} is taken over {term.over}, which cannot be listed: take another sort")
    if isinstance(term, Count) and isinstance(term.over, (RandomGraphs, RandomTokens)):
        raise LemmascopeError(f"{term} counts random structures: count the plain sort, or take a probability")
    return NUMBER


def _summed(term: Any, scope: Scope, domains: Mapping[Symbol, Set]) -> Kind:
    inner = (scope, domains)
    for index, *limits in reversed(term.limits):
        if len(limits) != 2:
            raise LemmascopeError(f"{term} needs both ends: Sum(..., ({index}, 1, n))")
        for end in limits:
            _require_number(end, term, *inner)
        inner = _bound(index, Nodes(limits[1]) if limits[0] == 1 else S.Integers, term, *inner)
    _require_number(term.function, term, *inner)
    return NUMBER


def _require_number(term: Basic, where: Basic, scope: Scope, domains: Mapping[Symbol, Set]) -> None:
    kind = kind_of(term, scope, domains)
    if _plain(kind) != "number":
        raise LemmascopeError(f"{where} computes with {term}, which is a {kind.name} and no number: apply a word to it")


def _applied(term: Word | Relation, scope: Scope, domains: Mapping[Symbol, Set]) -> Kind:
    """The kind of a word with its arguments, whose sizes must fit."""
    sized: tuple[Basic, Kind] | None = None
    for wanted, argument in zip(term.meaning.takes, term.args[1:], strict=True):
        if wanted in ("pairs", "marks"):
            continue
        kind = kind_of(argument, scope, domains)
        if wanted in ("number", "whole"):
            _require_number(argument, term, scope, domains)
            if wanted == "whole":
                _require_whole(argument, int(term.name in _WHOLE_GRAPHS), domains, str(term))
        elif wanted == "node":
            _require_node(term, argument, kind, sized)
        elif kind.name != wanted:
            raise LemmascopeError(f"{term} needs a {wanted}: {argument} is a {kind.name}")
        elif sized is not None and term.name in _SAME_SIZE and sized[1].size != kind.size:
            raise LemmascopeError(f"{term} needs one size: {sized[1].size} of {sized[0]} and {kind.size} of {argument}")
        sized = sized or (argument, kind)
    return _result(term, sized[1] if sized else NUMBER, scope, domains)


def _require_node(term: Basic, argument: Basic, kind: Kind, sized: tuple[Basic, Kind] | None) -> None:
    whole, size = (sized[0], sized[1].size) if sized is not None else (term, None)
    if kind.name == "node" and kind.size == size:
        return
    listed = isinstance(argument, Integer) and isinstance(size, Integer) and 1 <= argument <= size
    if not listed:
        raise LemmascopeError(
            f"{term} needs a node of {whole}, and {argument} is none: give it the domain Nodes({size})"
        )


def _result(term: Word | Relation, first: Kind, scope: Scope, domains: Mapping[Symbol, Set]) -> Kind:
    gives, arguments = term.meaning.gives, term.args[1:]
    match term.name:
        case "disjoint":
            other = kind_of(arguments[1], scope, domains)
            return Kind("graph", Add(first.size, other.size), first.letters if first.letters == other.letters else None)
        case "cycle_graph" | "path_graph" | "complete_graph":
            return Kind("graph", arguments[0], Integer(1))
        case "listed_graph":
            marks: Tuple = arguments[2]
            return Kind("graph", arguments[0], Integer(max(int(mark) for mark in marks)))
        case "image":
            return Kind("node", first.size)
    return Kind(gives, first.size, first.letters) if gives in ("graph", "permutation", "sequence") else Kind(gives)
