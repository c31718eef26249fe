"""Sums over indices in a normal form: numbers that stand for entries and for sums of products of entries.

Sums are opened, products of sums become sums over more indices, Kronecker deltas are used up, what does not depend on
an index is taken out, what falls into parts without a common index is a product, and bound indices are renamed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count, permutations
from operator import itemgetter

from sympy import Add, Basic, Dummy, Expr, KroneckerDelta, Mul, Pow, S, Sum, Symbol, exp, expand
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.language.ball_means import BallMean
from theory.language.definedness import demands
from theory.language.families import Entry
from theory.temporal import ForEach

Context = tuple[tuple[Symbol, Symbol], ...]
"""Indices and how far they run."""

_MOST_INDICES = 5
_MOST_TERMS = 400


class NotIndexedError(Exception):
    """Something about indices has no normal form here; the message says what."""


class Names:
    """Numbers for entries and sums; equal sums have one name, whatever their indices are called."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = frozenset(taken)
        self.entries: dict[Symbol, Entry] = {}
        self.sums: dict[Symbol, tuple[str, Sum]] = {}
        self.means: dict[Symbol, tuple[str, BallMean]] = {}

    def formula(self, of: Boolean, context: Context) -> Boolean:
        """A formula about numbers."""
        if isinstance(of, Relational):
            return of.func(*(self.number(side, context) for side in of.args), evaluate=False)
        if isinstance(of, ForEach) or not of.args:
            raise NotIndexedError(f"{of} is no formula about single entries")
        return of.func(*(self.formula(part, context) for part in of.args))

    def number(self, of: Expr, context: Context) -> Expr:
        """A number in which entries and sums have names."""
        if isinstance(of, Entry):
            return self._entry(of)
        if isinstance(of, Sum):
            return self._sum(of, context)
        if isinstance(of, BallMean):
            return self._mean(of)
        if isinstance(of, KroneckerDelta):
            raise NotIndexedError(f"{of} compares two indices that are not summed over")
        if not of.args or not of.has(Entry, Sum, KroneckerDelta, BallMean):
            return of
        return of.func(*(self.number(part, context) for part in of.args))

    def _mean(self, of: BallMean) -> Symbol:
        """A number for a mean over a ball, of which nothing more is known here than that equal ones are equal."""
        inside = _inside_named(of)
        found = str(inside), inside
        name = Symbol("E_" + hashlib.sha256(found[0].encode()).hexdigest()[:10])
        if name.name in self.taken or self.means.setdefault(name, found) != found:
            raise NotIndexedError(f"the name {name} is taken")
        return name

    def _entry(self, of: Entry) -> Symbol:
        name = Symbol(f"{of.family.name}_{'_'.join(index.name for index in of.indices)}")
        if name.name in self.taken or self.entries.setdefault(name, of) != of:
            raise NotIndexedError(f"the name {name} is taken: rename a variable")
        return name

    def _sum(self, of: Sum, context: Context) -> Expr:
        sizes = dict(context)
        bound = {limit[0]: limit[2] for limit in of.limits}
        total: Expr = S.Zero
        for indices, factors in self._terms(of.function, bound, sizes):
            total += self._product(indices, factors, context)
        return total

    def _terms(
        self, of: Expr, bound: Mapping[Symbol, Symbol], sizes: Mapping[Symbol, Symbol]
    ) -> list[tuple[dict[Symbol, Symbol], list[Expr]]]:
        """A summand as a sum of products over indices, without sums inside that depend on them and without deltas."""
        done: list[tuple[dict[Symbol, Symbol], list[Expr]]] = []
        todo = [(dict(bound), of)]
        while todo:
            indices, rest = todo.pop()
            for term in Add.make_args(_expanded(rest)):
                factors, opened = list(Mul.make_args(term)), dict(indices)
                place = next((p for p, factor in enumerate(factors) if _opens(factor, indices)), None)
                if place is not None:
                    factor = factors.pop(place)
                    base, power = (factor.base, int(factor.exp)) if isinstance(factor, Pow) else (factor, 1)
                    for _ in range(power):
                        inside, more = _renamed(base, {*opened, *sizes, *_symbols(factors)})
                        opened |= more
                        factors.append(inside)
                    todo.append((opened, Mul(*factors)))
                else:
                    done.append(_without_deltas(opened, factors, sizes))
                if len(done) + len(todo) > _MOST_TERMS or len(opened) > _MOST_INDICES:
                    raise NotIndexedError("a sum has too many terms or indices for a normal form")
        return [item for item in done if item[1] != [S.Zero]]

    def _product(self, indices: Mapping[Symbol, Symbol], factors: list[Expr], context: Context) -> Expr:
        """A sum of one product: what has no index comes out, and parts without a common index are apart."""
        coefficient: Expr = S.One
        dependent: list[Expr] = []
        for factor in factors:
            for part in _split(factor, indices):
                if _symbols([part]) & set(indices):
                    dependent.append(part)
                else:
                    coefficient *= self.number(part, context)
        left = set(indices)
        while left:
            group, members = {min(left, key=str)}, list[Expr]()
            while True:
                more = [part for part in dependent if _symbols([part]) & group and part not in members]
                if not more:
                    break
                members += more
                group |= set().union(*(_symbols([part]) & set(indices) for part in more))
            left -= group
            repeated = [part for part in dependent if _symbols([part]) & group]
            coefficient *= (
                self._name({k: indices[k] for k in group}, Mul(*repeated))
                if repeated
                else Mul(*(indices[k] for k in group))
            )
        return coefficient

    def _name(self, indices: Mapping[Symbol, Symbol], summand: Expr) -> Symbol:
        found = _in_best_order(tuple(sorted(indices.items(), key=str)), summand)
        name = Symbol("S_" + hashlib.sha256(found[0].encode()).hexdigest()[:10])
        if name.name in self.taken or self.sums.setdefault(name, found) != found:
            raise NotIndexedError(f"the name {name} is taken")
        return name


@lru_cache(maxsize=4096)
def _in_best_order(indices: Context, summand: Expr) -> tuple[str, Sum]:
    """A sum with its indices renamed, in the order in which its text is least: the text of all sums that are equal.

    A sum inside a function stays there, as one more thing that depends on the indices, under names of its own.
    """
    if summand.has(KroneckerDelta):
        raise NotIndexedError(f"{summand} compares indices inside a function: it has no normal form")
    if any(symbol.name.startswith(("_b", "_in")) for symbol in summand.atoms(Symbol)):
        raise NotIndexedError(f"{summand} has an index with a name of the normal form: rename it")
    return _least(_inside_named(summand), indices, "_b")


def _least(summand: Expr, indices: Context, stem: str) -> tuple[str, Sum]:
    """The sum over the indices, in the order and with the names on the stem that make its text least."""
    found = []
    for order in permutations(indices):
        new = {index: Symbol(f"{stem}{place}") for place, (index, _) in enumerate(order)}
        renamed = Sum(summand.xreplace(new), *((new[index], 1, size) for index, size in order))
        found.append((str(renamed), renamed))
    if not found:
        raise NotIndexedError("a sum over nothing")
    return min(found, key=itemgetter(0))


def _inside_named(of: Expr, depth: int = 0) -> Expr:
    """An expression with the indices that its sums bind renamed; the names tell how deep a sum stands in others."""
    if isinstance(of, Sum):
        limits = tuple((limit[0], limit[2]) for limit in of.limits)
        return _least(_inside_named(of.function, depth + 1), limits, f"_in{depth}_")[1]
    return of.func(*(_inside_named(part, depth) for part in of.args)) if of.has(Sum) else of


def own_demands(of: Expr) -> list[Boolean]:
    """What an expression needs to have a value, with the sums in it taken as numbers."""
    stand_ins = {part: Dummy() for part in (*outermost(of), *of.atoms(KroneckerDelta))}
    back = {stand_in: total for total, stand_in in stand_ins.items()}
    found = demands([of.xreplace(stand_ins)])
    return [c.func(*(side.xreplace(back) for side in c.args), evaluate=False) if c.args else c for c in found]


def outermost(of: Basic) -> list[Sum | BallMean]:
    """The sums and means of an expression that stand in no other one."""
    if isinstance(of, (Sum, BallMean)):
        return [of]
    return [total for part in of.args for total in outermost(part)]


def _expanded(of: Expr) -> Expr:
    """A sum of products: products and whole powers of sums are multiplied out, the insides of functions are not."""
    while True:
        opened = Add(*(_once(Mul(*map(_once, Mul.make_args(term)))) for term in Add.make_args(of)))
        if opened == of:
            return of
        of = opened


def _once(of: Expr) -> Expr:
    return expand(of, power_base=False, power_exp=False, log=False, deep=False)


def _symbols(parts: Iterable[Basic]) -> set[Basic]:
    return set().union(*(part.free_symbols for part in parts))


def _opens(factor: Expr, indices: Mapping[Symbol, Symbol]) -> bool:
    """Whether a factor is a sum, or a power of one, that depends on an index, or a product of sums to be expanded."""
    power = isinstance(factor, Pow) and factor.exp.is_Integer and factor.exp.is_positive
    base = factor.base if power else factor
    return isinstance(base, Sum) and bool(base.free_symbols & set(indices))


def _renamed(of: Sum, used: set[Basic]) -> tuple[Expr, dict[Symbol, Symbol]]:
    names = (Symbol(f"_s{place}") for place in count())
    free = (name for name in names if name not in used | of.atoms(Symbol))
    new = {limit[0]: next(free) for limit in of.limits}
    return of.function.xreplace(new), {new[limit[0]]: limit[2] for limit in of.limits}


def _without_deltas(
    indices: dict[Symbol, Symbol], factors: list[Expr], sizes: Mapping[Symbol, Symbol]
) -> tuple[dict[Symbol, Symbol], list[Expr]]:
    """A Kronecker delta in a sum puts one index for another; both run equally far."""
    while True:
        delta = next((f for f in factors if isinstance(f.base if isinstance(f, Pow) else f, KroneckerDelta)), None)
        if delta is None:
            return indices, factors
        first, second = (delta.base if isinstance(delta, Pow) else delta).args
        gone, kept = (first, second) if first in indices else (second, first)
        if isinstance(delta, Pow) and not (delta.exp.is_Integer and delta.exp.is_positive):
            raise NotIndexedError(f"{delta} is no power of a delta")
        if gone not in indices or indices[gone] != {**sizes, **indices}.get(kept):
            raise NotIndexedError(f"{delta} compares indices that do not run equally far")
        rest = Mul(*(factor for factor in factors if factor is not delta)).xreplace({gone: kept})
        indices = {index: size for index, size in indices.items() if index != gone}
        factors = list(Mul.make_args(rest))


def _split(factor: Expr, indices: Mapping[Symbol, Symbol]) -> list[Expr]:
    """An exponential of a sum as a product, one for each set of indices."""
    if not isinstance(factor, exp):
        return [factor]
    parts: dict[frozenset[Basic], Expr] = {}
    for term in Add.make_args(_expanded(factor.args[0])):
        key = frozenset(term.free_symbols & set(indices))
        parts[key] = parts.get(key, S.Zero) + term
    return [exp(part) for part in parts.values()]
