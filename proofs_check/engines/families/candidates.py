"""Facts about sums that are worth a try: equations added up with weights, signs, comparisons term by term, Cauchy and
Schwarz, tangents, induction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count, permutations
from typing import Any

from sympy import (
    Abs,
    Add,
    Dummy,
    Eq,
    Expr,
    Ge,
    Gt,
    Interval,
    Le,
    Lt,
    Mul,
    Pow,
    S,
    Sum,
    Symbol,
    diff,
    exp,
    log,
    powsimp,
    sqrt,
    together,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, Implies, Not, Or

from proofs_check.kernel.indexed import Context, Names, NotIndexedError, outermost
from theory.language.families import Entry, Family
from theory.statements import Statement
from theory.temporal import ForEach
from theory.trees import encode

Fact = dict[str, Any]
_MOST_PAIRS, _MOST_GIVEN = 12, 4


@dataclass(frozen=True)
class Total:
    """A sum over one index in a context of others."""

    context: Context
    index: Symbol
    size: Symbol
    summand: Expr

    @property
    def whole(self) -> Sum:
        """The sum itself."""
        return Sum(self.summand, (self.index, 1, self.size))


def contexts(of: Boolean, outside: Context = ()) -> Iterator[tuple[Context, Relational]]:
    """The relations of a formula, each with the indices that it is about."""
    if isinstance(of, ForEach):
        yield from contexts(of.body, (*outside, (of.symbol, of.size)))
    elif isinstance(of, Relational):
        yield outside, of
    else:
        for part in of.args:
            if isinstance(part, Boolean):
                yield from contexts(part, outside)


def readings(relation: Relational) -> list[Relational]:
    """A relation between numbers that are sums: without the logarithm or the absolute value around one of them."""
    for place, side in enumerate(relation.args):
        other = relation.args[1 - place]
        if isinstance(side, log) and side.has(Sum):
            inside, rest = [side.args[0]], exp(other)
        elif isinstance(side, Abs) and side.has(Sum):
            inside, rest = [side.args[0], -side.args[0]], other
        else:
            continue
        pairs = [(part, rest) if place == 0 else (rest, part) for part in inside]
        return [relation.func(*pair, evaluate=False) for pair in pairs]
    return [relation]


class Search:
    """The sums of a statement in normal form, and candidates for facts about them, group by group."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        parts = (statement.then, *statement.given, *statement.variables)
        self.taken = {symbol.name for part in parts for symbol in part.atoms(Symbol)}
        self.claims = list(contexts(statement.then))
        self.totals: list[Total] = []
        self.seen: set[tuple[Context, Sum]] = set()
        for context, relation in (*self.claims, *(c for part in statement.given for c in contexts(part))):
            for side in relation.args:
                self._collect(context, side)

    def _fresh(self, stem: str) -> Symbol:
        name = next(name for k in count() if (name := f"{stem}{k or ''}") not in self.taken)
        self.taken.add(name)
        return Symbol(name)

    def _collect(self, context: Context, of: Expr) -> None:
        names = Names(())
        try:
            names.number(of, context)
        except NotIndexedError:
            names = Names(())
        for _, total in names.sums.values():
            self._add(context, total)
        for part in of.atoms(Sum):
            inside = (*context, *((limit[0], limit[2]) for limit in part.limits))
            if part.function.has(Sum):
                self._collect(inside, part.function)

    def _add(self, context: Context, total: Sum) -> None:
        if len(total.limits) != 1:
            return
        bound, _, size = total.limits[0]
        own = tuple(pair for pair in context if pair[0] in total.free_symbols)
        if (own, total) in self.seen:
            return
        self.seen.add((own, total))
        inside = [limit[0] for part in total.function.atoms(Sum) for limit in part.limits]
        new = {name: self._fresh("q") for name in (bound, *sorted(inside, key=str))}
        self.totals.append(Total(own, new[bound], size, total.function.xreplace(new)))

    def combinations(self) -> Iterator[Fact]:
        """Equations that are given for every index, times a number of that index, added up."""
        weights = sorted((of for of in self.statement.variables if isinstance(of, Family)), key=str)
        for part in self.statement.given:
            for context, relation in contexts(part) if not part.has(Implies, Or, Not) else ():
                for index, size in context if isinstance(relation, Eq) else ():
                    rest = tuple(pair for pair in context if pair[0] != index)
                    summand = relation.lhs - relation.rhs
                    yield from (
                        _fact(rest, ((index, size),), weight[index] * summand, "=")
                        for weight in weights
                        if weight.sizes == (size,)
                    )

    def zeros(self) -> Iterator[Fact]:
        """Sums of the conclusion of which every term has a factor that is given to be zero."""
        given = [
            relation for part in self.statement.given if isinstance(part, ForEach) for _, relation in contexts(part)
        ]
        gone = {
            part.lhs.family for part in given if isinstance(part, Eq) and isinstance(part.lhs, Entry) and part.rhs == 0
        }
        for context, claim in self.claims:
            for total in sorted(claim.atoms(Sum), key=str):
                if any(isinstance(f, Entry) and f.family in gone for f in Mul.make_args(total.function)):
                    own = tuple(pair for pair in context if pair[0] in total.free_symbols)
                    yield _fact(own, tuple((limit[0], limit[2]) for limit in total.limits), total.function, "=")

    def signs(self) -> Iterator[Fact]:
        """Sums whose terms have one sign."""
        for total in self.totals:
            yield [
                _termwise(total, total.summand, ">"),
                _termwise(total, total.summand, ">="),
                _termwise(total, -total.summand, ">="),
            ]  # type: ignore[misc]

    def comparisons(self) -> Iterator[Fact]:
        """The conclusion term by term, where it is linear in sums over one index."""
        for context, relation in [(context, reading) for context, claim in self.claims for reading in readings(claim)]:
            names = Names(())
            sides = relation.args if isinstance(relation, (Ge, Gt, Eq)) else relation.args[::-1]
            try:
                gap = names.number(sides[0] - sides[1], context).expand()
            except NotIndexedError:
                continue
            sign = {Ge: ">=", Le: ">=", Gt: ">", Lt: ">", Eq: "="}.get(type(relation))
            singles = {name: total for name, (_, total) in names.sums.items() if len(total.limits) == 1}
            if sign is None or len(singles) < len(names.sums):
                continue
            for size in {total.limits[0][2] for total in singles.values()}:
                chosen = {name: total for name, total in singles.items() if total.limits[0][2] == size}
                yield from self._linear(context, gap, chosen, size, sign, singles)

    def _linear(
        self, context: Context, gap: Expr, chosen: dict[Symbol, Sum], size: Symbol, sign: str, every: dict[Symbol, Sum]
    ) -> Iterator[Fact]:
        if any(diff(gap, a, b) != 0 for a in chosen for b in chosen):
            return
        index = self._fresh("q")
        rest = gap.xreplace(dict.fromkeys(chosen, S.Zero))
        others = {name: total for name, total in every.items() if name not in chosen}
        summand = together(rest / size).xreplace(others)
        for name, total in chosen.items():
            inside = {limit[0]: self._fresh("q") for part in total.function.atoms(Sum) for limit in part.limits}
            term = total.function.xreplace({**inside, total.limits[0][0]: index})
            summand += diff(gap, name).xreplace(others) * term
        yield _fact(context, ((index, size),), summand, sign)
        for weights, total in self._totals_given(size, index):
            other = (rest / total).xreplace(others) * weights
            yield _fact(context, ((index, size),), summand - together(rest / size).xreplace(others) + other, sign)
        if sign != "=" and (tangent := self._tangent(summand, size, index)) is not None:
            yield _fact(context, ((index, size),), tangent, sign)

    def _tangent(self, summand: Expr, size: Symbol, index: Symbol) -> Expr | None:
        """A summand plus multiples of what is given to add up to zero, so that equal entries are a critical point.

        Gibbs: p log(p/q) is compared with p - q, as both add up to one.
        """
        totals = dict(self._totals_given(size, index))
        letters = {entry: Dummy() for entry in sorted(summand.atoms(Entry), key=str)}
        if not letters or not letters.keys() <= totals.keys():
            return None
        named, equal = summand.xreplace(letters), {letters[entry]: totals[entry] / size for entry in letters}
        slopes = {entry: diff(named, letter).xreplace(equal) for entry, letter in letters.items()}
        if any(slope.has(S.NaN, S.ComplexInfinity) for slope in slopes.values()):
            return None
        return summand - Add(*(slope * (entry - totals[entry] / size) for entry, slope in slopes.items()))

    def _totals_given(self, size: Symbol, index: Symbol) -> Iterator[tuple[Expr, Expr]]:
        """Summands whose sum is given as a number."""
        for part in self.statement.given:
            if isinstance(part, Eq) and isinstance(part.lhs, Sum) and not part.rhs.has(Sum) and part.rhs != 0:
                limits = part.lhs.limits
                if len(limits) == 1 and limits[0][2] == size:
                    yield part.lhs.function.xreplace({limits[0][0]: index}), part.rhs

    def single_terms(self) -> Iterator[Fact]:
        """Every sum against one of its terms, where a claim is about single indices."""
        for total in self.totals if any(context for context, _ in self.claims) else ():
            yield _termwise(total, total.summand, ">=") | {"rule": "single"}

    def products(self) -> Iterator[Fact]:
        """Cauchy and Schwarz among sums that are there: (sum h)^2 <= (sum F)(sum G) where h^2 = F G."""
        for total in (*self.totals, *self._ones()):
            same = [t for t in self.totals if t.size == total.size and set(t.context) <= set(total.context)]
            at = dict.fromkeys([*(t.summand.xreplace({t.index: total.index}) for t in same), S.One])
            pairs = [(f, g) for f, g in combinations(at, 2) if powsimp(f * g / _plain_square(total.summand)) == 1]
            yield from (self._lagrange(total, f, g) for f, g in pairs[:_MOST_PAIRS])

    def ranges(self) -> Iterator[Fact]:
        """What squares of bounded entries are below: (u - a)(b - u) is not negative for a <= u <= b."""
        for total in self.totals:
            for entry in sorted(total.summand.atoms(Entry), key=str):
                domain = self.statement.variables.get(entry.family)
                if total.index not in entry.indices or not total.summand.has(entry**2):
                    continue
                if isinstance(domain, Interval) and domain.start.is_finite and domain.end.is_finite:
                    yield _termwise(total, ((entry - domain.start) * (domain.end - entry)).expand(), ">=")

    def tangents(self) -> Iterator[Fact]:
        """Sums with logarithms or exponentials plus two plain ones, term by term."""
        curved = [total for total in self.totals if not total.context and total.summand.has(log, exp)]
        plain = [total for total in self.totals if not total.context and not total.summand.has(log, exp)]
        for total in curved:
            given = [own.summand.xreplace({own.index: total.index}) for own in plain if own.size == total.size]
            for one, other in permutations(given[:_MOST_GIVEN], 2):
                for sign in (1, -1):
                    yield _termwise(total, sign * total.summand - one + other, ">=")

    def sums_of_products(self) -> Iterator[Fact]:
        """A sum of products is at most the product of the sums: each g is at most all of them, times f, added up."""
        for total in self.totals:
            for f, g in _factors_of(total.summand):
                bound = (self._fresh("q"), 1, total.size)
                every = Sum(g.xreplace({total.index: bound[0]}), bound)
                single = Total(total.context, bound[0], total.size, every.function)
                yield _termwise(single, single.summand, ">=") | {"rule": "single"}
                yield _termwise(total, f * every - total.summand, ">=")
                yield _termwise(total, f, ">=")

    def products_of_halves(self) -> Iterator[Fact]:
        """Cauchy and Schwarz for a sum of products, with the sums of the squares of the two factors."""
        for total in self.totals:
            yield from (self._lagrange(total, f, g) for f, g in _halves_of(total.summand))

    def _ones(self) -> list[Total]:
        """The number of terms, as a sum of ones."""
        return [Total((), self._fresh("q"), size, S.One) for size in {total.size for total in self.totals}]

    def _lagrange(self, total: Total, f: Expr, g: Expr) -> Fact:
        other = self._fresh("q")
        swap = {total.index: other}
        summand = f * g.xreplace(swap) + g * f.xreplace(swap) - 2 * total.summand * total.summand.xreplace(swap)
        return _fact(total.context, ((total.index, total.size), (other, total.size)), summand, ">=")

    def lengths(self) -> Iterator[Fact]:
        """Bounds of inner products of rows whose lengths are given."""
        for total in self.totals:
            factors = Mul.make_args(total.summand)
            if len(factors) != 2 or not all(isinstance(factor, Entry) for factor in factors):
                continue
            bounds = [self._length(factor, total) for factor in factors]
            if all(bound is not None for bound in bounds):
                yield _fact(total.context, ((total.index, total.size),), S.One, ">=") | {
                    "rule": "cauchy",
                    **{
                        name: encode(of)
                        for name, of in zip(("first", "second", "a", "b"), (*factors, *bounds), strict=True)
                    },
                }

    def _length(self, row: Entry, total: Total) -> Expr | None:
        """A given bound of the length of a row of a family, over an index."""
        place = row.indices.index(total.index)
        for part in self.statement.given:
            for context, relation in contexts(part):
                square = relation.lhs
                if not isinstance(relation, (Eq, Le)) or not isinstance(square, Sum) or len(square.limits) != 1:
                    continue
                base = square.function.base if isinstance(square.function, Pow) and square.function.exp == 2 else None
                if (
                    not isinstance(base, Entry)
                    or base.family != row.family
                    or base.indices[place] != square.limits[0][0]
                ):
                    continue
                length = sqrt(relation.rhs).xreplace(dict(zip(base.indices, row.indices, strict=True)))
                length = length.replace(lambda one: isinstance(one, Pow) and one.exp == S.Half, _root)
                if not length.has(Sum) and {index for index, _ in context} <= set(base.indices):
                    return length
        return None

    def averages(self) -> Iterator[Fact]:
        """The conclusion term by term, where it is linear in sums over one size, as they are written."""
        for context, claim in self.claims:
            for relation in readings(claim):
                sides = relation.args if isinstance(relation, (Ge, Gt, Eq)) else relation.args[::-1]
                gap = sides[0] - sides[1]
                totals = {total: Symbol(f"t{place}") for place, total in enumerate(outermost(gap))}
                if not all(isinstance(of, Sum) and len(of.limits) == 1 for of in totals):
                    continue
                sizes = {total.limits[0][2] for total in totals}
                plain = gap.xreplace(totals)
                slopes = {total: diff(plain, name) for total, name in totals.items()}
                if len(sizes) != 1 or any(slope.has(*totals.values()) for slope in slopes.values()):
                    continue
                (size,), index = sizes, self._fresh("q")
                share = S.One if any(slope.has(size) for slope in slopes.values()) else 1 / size
                summand = share * plain.xreplace(dict.fromkeys(totals.values(), S.Zero))
                for total, slope in slopes.items():
                    summand += share * size * slope * total.function.xreplace({total.limits[0][0]: index})
                yield _fact(context, ((index, size),), summand, "=" if isinstance(relation, Eq) else ">=")

    def outer_products(self) -> Iterator[Fact]:
        """Cauchy and Schwarz inside a sum, added up over the indices outside."""
        for total in self.totals:
            for f, g in _halves_of(total.summand) if total.context else ():
                bound = [(total.index, 1, total.size)]
                summand = Sum(f, *bound) * Sum(g, *bound) - total.whole**2
                yield _fact((), total.context, summand, ">=")

    def convexity(self) -> Iterator[Fact]:
        """Jensen, for functions of one entry that bend up or down."""
        for total in self.totals:
            for entry in sorted(total.summand.atoms(Entry), key=str):
                if total.index not in entry.indices or entry == total.summand:
                    continue
                if entry.family not in self.statement.variables:
                    continue  # a point of a ball, over which a mean is taken
                yield from self._jensen(total, entry)

    def _jensen(self, total: Total, entry: Entry) -> Iterator[Fact]:
        weight, curve = total.summand.as_independent(entry, as_Add=False)
        if not weight.has(total.index):
            weight, curve = S.One, total.summand
        name = self._fresh("t")
        phi = curve.xreplace({entry: name})
        for side in (phi, -phi):
            yield _fact(total.context, ((total.index, total.size),), S.One, ">=") | {
                "rule": "jensen",
                "entry": encode(entry),
                "weight": encode(weight),
                "name": encode(name),
                "curve": encode(side),
            }

    def inductions(self) -> Iterator[Fact]:
        """The conclusion as a bound on one sum of numbers, by induction over its length."""
        for context, relation in self.claims:
            names = Names(())
            try:
                gap = names.number(relation.lhs - relation.rhs, context).expand()
            except NotIndexedError:
                continue
            if len(names.sums) != 1 or context:
                continue
            ((name, (_, total)),) = names.sums.items()
            slope = diff(gap, name)
            if slope.has(name) or not slope.is_number or total.function.has(Entry) or len(total.limits) != 1:
                continue
            bound = (-gap.xreplace({name: S.Zero}) / slope).expand()
            flipped = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "="}
            sign = {Ge: ">=", Le: "<=", Gt: ">", Lt: "<", Eq: "="}[type(relation)]
            index = self._fresh("q")
            summand = total.function.xreplace({total.limits[0][0]: index})
            yield _fact((), ((index, total.limits[0][2]),), summand, sign if slope > 0 else flipped[sign]) | {
                "rule": "induction",
                "bound": encode(bound),
            }


def _plain_square(of: Expr) -> Expr:
    """The square of a term, where that of an absolute value is one of what is inside."""
    return Mul(*(part.args[0] ** 2 if isinstance(part, Abs) else part**2 for part in Mul.make_args(of)))


def _factors_of(summand: Expr) -> list[tuple[Expr, Expr]]:
    """Two factors of a summand, of which a square has two absolute values."""
    factors = Mul.make_args(summand)
    if len(factors) == 2 and all(factor.has(Entry) for factor in factors):
        return [(factors[0], factors[1])]
    if isinstance(summand, Pow) and summand.exp.is_Integer and summand.exp % 2 == 0 and isinstance(summand.base, Entry):
        root = summand.base ** (summand.exp / 2)
        return [(root, root)] if summand.exp % 4 == 0 else [(Abs(root), Abs(root)), (root, root)]
    return []


def _root(of: Pow) -> Expr:
    """The root of a square, of a number that is not negative."""
    return of.base.base if isinstance(of.base, Pow) and of.base.exp == 2 else of


def _halves_of(summand: Expr) -> list[tuple[Expr, Expr]]:
    """The squares of two factors whose product a summand is."""
    factors = Mul.make_args(summand)
    if len(factors) == 2 and all(factor.has(Entry) for factor in factors):
        return [(factors[0] ** 2, factors[1] ** 2)]
    return []


def _termwise(total: Total, summand: Expr, sign: str) -> Fact:
    return _fact(total.context, ((total.index, total.size),), summand, sign)


def _fact(context: Context, indices: Context, summand: Expr, sign: str) -> Fact:
    return {
        "rule": "termwise",
        "context": [[encode(index), encode(size)] for index, size in context],
        "indices": [[encode(index), encode(size)] for index, size in indices],
        "summand": encode(summand),
        "relation": sign,
    }
