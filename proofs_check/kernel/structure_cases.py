"""One case of a claim about finite structures, computed: members of sorts, values of terms, truth of formulas."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial
from typing import Any

import sympy as sp
from sympy import Basic, Expr, Integer, Rational, Set, Symbol
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, BooleanAtom, Equivalent, Implies, Not, Or

from proofs_check.kernel.fields import expanded
from theory.language.definedness import demands
from theory.language.functions import entry_of
from theory.language.structure_values import Powers, colour_trees, graphs, trees
from theory.language.structures import (
    Colours,
    Count,
    GraphOperators,
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
from theory.statements import Statement
from theory.temporal import Exists, Quantifier, negation

Case = dict[Symbol, Any]
"""A value for some variables: a number, or a structure."""

_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    Eq: operator.eq, Ne: operator.ne, Lt: operator.lt, Le: operator.le, Gt: operator.gt, Ge: operator.ge,
}  # fmt: skip


_MOST_BITS = 100_000
_MOST_HOPS = 2
"""Up to so many hops operators are listed that may have any number of them."""


class UndecidedError(Exception):
    """A term has no value here, or none that can be computed."""


def free_numbers(statement: Statement) -> dict[Symbol, Set]:
    """The variables that are no structures and whose values are too many to be listed."""
    plain = {s: domain for s, domain in statement.variables.items() if not isinstance(domain, Structures)}
    return {symbol: domain for symbol, domain in plain.items() if domain.is_finite_set is not True}


def cases(statement: Statement, sizes: Mapping[Symbol, int] | None = None) -> Iterator[Case]:
    """Every choice of the listed numbers and of the structures; `sizes` fixes numbers of infinite domains."""
    known = dict(sizes or {})
    left = set(free_numbers(statement)) - set(known)
    sizing = set().union(*(d.free_symbols for d in statement.variables.values() if isinstance(d, Structures)))
    if left & sizing:
        raise UndecidedError(f"{min(map(str, left & sizing))} has infinitely many values")
    listed = {s: d for s, d in statement.variables.items() if d.is_finite_set is True and s not in known}
    structures = [s for s, d in statement.variables.items() if isinstance(d, Structures)]
    if any(not isinstance(value, Rational) for domain in listed.values() for value in domain):
        raise UndecidedError("some listed numbers are no fractions")
    for values in product(*[sorted(domain) for domain in listed.values()]):
        numbers = known | {symbol: _number(value) for symbol, value in zip(listed, values, strict=True)}
        yield from _chosen(statement, structures, numbers)


def _chosen(statement: Statement, structures: list[Symbol], case: Case) -> Iterator[Case]:
    if not structures:
        yield case
        return
    for member, _ in members(statement.variables[structures[0]], case):
        yield from _chosen(statement, structures[1:], case | {structures[0]: member})


def claimed(statement: Statement, case: Case) -> bool | Statement | None:
    """What is claimed in one case: True, False, a statement about the numbers that are left, None if undecided."""
    given = [truth(part, case) for part in statement.given]
    if False in given:
        return True
    then = truth(statement.conclusion, case)
    if then is True:
        return True
    if then is False and all(part is True for part in given):
        return False
    left = {symbol: domain for symbol, domain in free_numbers(statement).items() if symbol not in case}
    parts = [part for part in (*given, then) if not isinstance(part, bool)]
    if None in parts or any(part.has(Word, Relation, Total, Quantifier) for part in parts):
        return None
    if any(domain.free_symbols for domain in left.values()) or then is False:
        return None
    return Statement(variables=left, given=tuple(part for part in given if part is not True), then=then)


def members(sort: Any, case: Case) -> Iterator[tuple[Any, Any]]:
    """The members of a sort at the sizes of a case, small ones first, each with its share of the probability."""
    if isinstance(sort, (RandomGraphs, RandomTokens)):
        yield from _weighted(sort, case)
        return
    for member in listed(sort, [size(part, case) for part in sort.args]):
        yield member, 1


def listed(sort: Structures, sizes: list[int]) -> Iterator[Any]:
    """The members of a plain sort."""
    match sort:
        case Graphs():
            yield from graphs(*sizes)
        case Nodes():
            yield from range(1, sizes[0] + 1)
        case Permutations():
            yield from permutations(range(1, sizes[0] + 1))
        case Sequences():
            yield from product(range(1, sizes[0] + 1), repeat=sizes[1])
        case Multisets():
            yield from combinations_with_replacement(range(1, sizes[0] + 1), sizes[1])
        case Colours():
            yield from colour_trees(sizes[0] if sort.exactly else 0, *sizes)
        case RootedTrees():
            yield from trees(sizes[0] if sort.exactly else 0, *sizes)
        case Operators() | GraphOperators():
            yield from (Powers(tuple(range(most + 1))) for most in range((sizes or [_MOST_HOPS])[0] + 1))
        case _:
            raise UndecidedError(f"the members of {sort} cannot be listed")


def how_many(sort: Structures, sizes: list[int]) -> int:
    """The number of members, of those that are listed: choice after choice, for trees the root and its branches.

    >>> [how_many(Graphs(n), [n, 1]) for n in (1, 2, 3, 4)], how_many(Colours(3, 2), [3, 2, 1])
    ([1, 2, 8, 64], 20)
    """
    if not sort.complete:
        return sum(1 for _ in listed(sort, sizes))
    match sort:
        case Graphs() | RandomGraphs():
            nodes, features = sizes[0], sizes[1] if isinstance(sort, Graphs) else 1
            return int(2 ** (nodes * (nodes - 1) // 2) * features**nodes)
        case Nodes():
            return sizes[0]
        case Permutations():
            return factorial(sizes[0])
        case Sequences():
            return int(sizes[0] ** sizes[1])
        case Multisets():
            return comb(sizes[0] + sizes[1] - 1, sizes[1])
        case RootedTrees():
            return _trees(sort, *sizes)
    raise UndecidedError(f"the members of {sort} are not counted")


def _trees(sort: RootedTrees, children: int, depth: int, features: int) -> int:
    inner = max(0, children - 1) if sort.one_fewer else children
    number = features
    for level in range(depth):
        most = children if level == depth - 1 else inner
        if number.bit_length() * max(1, most) > _MOST_BITS:
            raise UndecidedError("there are too many trees")
        number = features * comb(number + most - sort.exactly, most)
    return number


def _weighted(sort: Structures, case: Case) -> Iterator[tuple[Any, Any]]:
    if isinstance(sort, RandomGraphs):
        nodes, chance = size(sort.args[0], case), value_of(sort.args[1], case)
        for graph in graphs(nodes):
            there = len(graph.edges)
            yield graph, chance**there * (1 - chance) ** (nodes * (nodes - 1) // 2 - there)
        return
    chances, length = [value_of(part, case) for part in sort.args[0]], size(sort.args[1], case)
    for tokens in product(range(1, len(chances) + 1), repeat=length):
        weight: Any = Fraction(1)
        for token in tokens:
            weight *= chances[token - 1]
        yield tokens, weight


def truth(formula: Basic, case: Case) -> Any:
    """True or False in a case; None if undecided; a formula where it depends on numbers that the case leaves open."""
    try:
        return _truth(formula, case)
    except UndecidedError:
        return None


def _truth(formula: Basic, case: Case) -> Any:
    if isinstance(formula, (BooleanAtom, bool)):
        return bool(formula)
    if isinstance(formula, Relational):
        left, right = (value_of(side, case) for side in formula.args)
        if isinstance(left, Expr) or isinstance(right, Expr):
            return formula.func(exact_number(left), exact_number(right), evaluate=False)
        return _COMPARE[formula.func](left, right)
    if isinstance(formula, Relation):
        return bool(_applied(formula, case))
    if isinstance(formula, Quantifier):
        some = isinstance(formula, Exists)
        if formula.domain.is_finite_set is not True and not isinstance(formula.domain, Structures):
            raise UndecidedError(f"{formula} ranges over too much")
        values = _range(formula.domain, case)
        inside = (partial(_truth, formula.body, case | {formula.symbol: value}) for value in values)
        return _joined(inside, decisive=some)
    if isinstance(formula, (And, Or)):
        return _joined((partial(_truth, part, case) for part in formula.args), decisive=isinstance(formula, Or))
    if isinstance(formula, Not):
        return _denied(_truth(formula.args[0], case))
    if isinstance(formula, Implies):
        parts = (lambda: _denied(_truth(formula.args[0], case)), lambda: _truth(formula.args[1], case))
        return _joined(parts, decisive=True)
    if isinstance(formula, Equivalent):
        found = [_truth(part, case) for part in formula.args]
        return len(set(found)) == 1 if all(isinstance(part, bool) for part in found) else Equivalent(*found)
    raise UndecidedError(f"{formula} is not read in one case")


def _denied(found: Any) -> Any:
    return not found if isinstance(found, bool) else negation(found)


def _range(domain: Set, case: Case) -> Iterator[Any]:
    if isinstance(domain, Structures):
        if not domain.complete:
            raise UndecidedError(f"the members of {domain} cannot all be listed")
        return (member for member, _ in members(domain, case))
    return map(_number, domain)


def _joined(parts: Iterable[Callable[[], Any]], *, decisive: bool) -> Any:
    """What parts joined by `or` or `and` are: one that is decisive decides, also beside others that are undecided."""
    open_parts, undecided = [], None
    for part in parts:
        try:
            found = part()
        except UndecidedError as error:
            undecided = UndecidedError(*error.args)
            continue
        if found is decisive:
            return decisive
        if not isinstance(found, bool):
            open_parts.append(found)
    if undecided is not None:
        raise undecided
    return (Or if decisive else And)(*open_parts) if open_parts else not decisive


def value_of(term: Basic, case: Case) -> Any:
    """The value of a term in a case: a fraction, a structure, or an expression in the numbers that are left open."""
    if isinstance(term, Rational):
        return Fraction(int(term.p), int(term.q))
    if isinstance(term, Symbol):
        value = case.get(term, term)
        return Fraction(value) if isinstance(value, int) else value
    if isinstance(term, Word):
        found = _applied(term, case)
        return Fraction(found) if isinstance(found, int) else found
    if isinstance(term, Total):
        return _total(term, case)
    if isinstance(term, (sp.Sum, sp.Product)):
        return _summed(term, case)
    parts = [value_of(part, case) for part in term.args]
    if isinstance(term, sp.Add):
        return _folded(operator.add, Fraction(0), parts)
    if isinstance(term, sp.Mul):
        return _folded(operator.mul, Fraction(1), parts)
    if any(isinstance(part, Expr) for part in parts):
        written = list(map(exact_number, parts))
        return term.func(*written, evaluate=False) if demands(written) else term.func(*written)
    if isinstance(term, sp.Pow):
        return _power(*parts)
    entry = entry_of(term)
    value = None if entry is None or entry.exactly is None else entry.exactly(*parts)
    if value is None:
        raise UndecidedError(f"{term} is not computed in fractions")
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > 10_000 or (base == 0 and exponent < 0):
        raise UndecidedError("a power has no rational value")
    return base**exponent.numerator


def _folded(join: Callable[[Any, Any], Any], start: Any, parts: list[Any]) -> Any:
    total = start
    for part in parts:
        mixed = isinstance(part, Expr) or isinstance(total, Expr)
        total = _joint(join, exact_number(total), exact_number(part)) if mixed else join(total, part)
    return total


def _joint(join: Callable[[Any, Any], Any], first: Expr, second: Expr) -> Expr:
    """A sum or a product in the numbers that are left open, in which nothing cancels that may have no value."""
    if not demands((first, second)):
        return join(first, second)
    return (sp.Add if join is operator.add else sp.Mul)(first, second, evaluate=False)


def _applied(term: Word | Relation, case: Case) -> Any:
    arguments: list[Any] = []
    for wanted, part in zip(term.meaning.takes, term.args[1:], strict=True):
        if wanted in ("pairs", "marks"):
            arguments.append(tuple(tuple(map(int, p)) if wanted == "pairs" else int(p) for p in part))
            continue
        value = value_of(part, case)
        if isinstance(value, Expr) or (isinstance(value, Fraction) and value.denominator != 1):
            raise UndecidedError(f"{part} is no whole number in this case")
        arguments.append(int(value) if isinstance(value, Fraction) else value)
        if wanted == "whole" and arguments[-1] < 0:
            raise UndecidedError(f"{part} is negative in this case")
    return term.meaning.value(*arguments)


def _total(term: Total, case: Case) -> Any:
    """How many, how probable, how much in the mean; the shares of all members add up to the whole."""
    if isinstance(term, Count) and term.body == sp.true:
        return Fraction(how_many(term.over, [size(part, case) for part in term.over.args]))
    kept: Any = Fraction(0)
    whole: Any = Fraction(0)
    for member, share in members(term.over, case):
        inside = case | {term.symbol: member}
        value = value_of(term.body, inside) if isinstance(term, Mean) else _truth(term.body, inside)
        if not isinstance(term, Mean):
            if not isinstance(value, bool):
                raise UndecidedError(f"{term.body} depends on more than the structure")
            value = Fraction(value)
        kept, whole = _folded(operator.add, kept, [_folded(operator.mul, Fraction(1), [value, share])]), whole + share
    if isinstance(term, Count):
        return kept
    random = isinstance(term.over, (RandomGraphs, RandomTokens))
    result = kept if random else kept / whole
    return expanded(result) if isinstance(result, Expr) else result


def _summed(term: Any, case: Case) -> Any:
    (symbol, low, high), *outer = term.limits[::-1]
    first, last = value_of(low, case), value_of(high, case)
    if any(not isinstance(end, Fraction) or end.denominator != 1 for end in (first, last)) or last - first > 10_000:
        raise UndecidedError(f"{term} has no whole limits in this case")
    if last < first - 1:
        raise UndecidedError(f"{term} runs backwards")
    body = term.func(term.function, *outer[::-1]) if outer else term.function
    terms = [value_of(body, case | {symbol: Fraction(k)}) for k in range(int(first), int(last) + 1)]
    added = isinstance(term, sp.Sum)
    return _folded(operator.add if added else operator.mul, Fraction(0 if added else 1), terms)


def size(term: Basic, case: Case) -> int:
    """A size in a case."""
    value = value_of(term, case)
    if not isinstance(value, Fraction) or value.denominator != 1:
        raise UndecidedError(f"the size {term} is not known")
    return int(value)


def exact_number(value: Any) -> Expr:
    """A fraction as SymPy has it."""
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    return Integer(value) if isinstance(value, int) else value


def _number(value: Expr) -> Fraction:
    return Fraction(int(value.p), int(value.q))
