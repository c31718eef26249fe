"""Statements about families of every size as statements about numbers: facts about sums, each by a rule.

A certificate lists facts and the proofs of what they need; the kernel derives what is to be proved, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import sympy as sp
from sympy import Add, Eq, Expr, Integer, Symbol, exp, log
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.ball_means import at_points
from proofs_check.kernel.indexed import Context, Names, NotIndexedError, own_demands
from proofs_check.kernel.kinds import accepted, proves, refutes
from proofs_check.kernel.written_out import at_sizes
from theory.indices import require_indices
from theory.language.ball_means import BallMean
from theory.language.definedness import demands, smooth_where
from theory.language.families import Entry, Family
from theory.statements import Statement
from theory.temporal import ForEach, is_plain
from theory.trees import decode

RELATIONS: dict[str, Callable[..., Boolean]] = {">=": sp.Ge, ">": sp.Gt, "=": Eq, "<=": sp.Le, "<": sp.Lt}
_MOST_NEW = 2
Known = tuple[Context, Boolean]
"""A formula that holds for all indices of its context."""


class NotShownError(Exception):
    """Something that a fact needs was not shown."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the facts are shown and what is left about numbers is proved, its last part by the last certificate."""
    if "points" in certificate:
        about, inside = at_points(statement, certificate["points"] == "both"), certificate["certificate"]
        return not refutes(inside) and check(about, inside)
    inner = certificate["certificate"]
    require_standard(statement)
    if "sizes" in certificate:
        sizes = {str(name): int(size) for name, size in dict(certificate["sizes"]).items()}
        return refutes(inner) and accepted(at_sizes(statement, sizes), inner)
    if refutes(inner):
        return False
    proofs: Iterator[Mapping[str, Any]] = iter(certificate["proofs"])
    desk = Desk(statement, lambda goal: proves(goal, next(proofs)))
    for fact in certificate["facts"]:
        desk.learn(fact)
    *first, last = desk.conclusions()
    return all(proves(goal, next(proofs)) for goal in first) and proves(last, inner)


def require_standard(statement: Statement) -> None:
    """Refuse sums that do not run from 1 to a size: they are read here as if they did."""
    for part in (statement.then, *statement.given):
        require_indices(part, {}, statement.variables)


class Desk:
    """What is known of the families of a statement; `show` says whether a statement about numbers is proved."""

    def __init__(self, statement: Statement, show: Callable[[Statement], bool]) -> None:
        if statement.dynamics is not None or statement.computed is not None or statement.almost_all:
            raise NotIndexedError("families do not move here, and nothing is computed or excepted")
        self.statement, self.show = statement, show
        self.families = {u: domain for u, domain in statement.variables.items() if isinstance(u, Family)}
        self.numbers = {s: domain for s, domain in statement.variables.items() if isinstance(s, Symbol)}
        parts = (statement.then, *statement.given, *statement.variables)
        self.taken = {symbol.name for part in parts for symbol in part.atoms(Symbol)}
        self.taken |= {symbol.name for symbol in statement.stated}
        _require_plain_names(parts)
        self.meanings: dict[Symbol, Expr] = {}
        """The entries and sums for which letters were put, for those who read along."""
        self.known: list[Known] = []
        for part in statement.given:
            for context, body in _readable(part):
                valued = [*self._demanded(context, body), *(c for part in _relations(body) for c in _values_of(part))]
                if isinstance(body, Relational):
                    self.known += [(context, body), *self._demanded(context, body)]
                elif not valued:
                    self.known.append((context, body))  # a part without a value would make it true for another reason

    def learn(self, fact: Mapping[str, Any]) -> None:
        """Add a fact by one of the rules; raises where something that it needs is not shown."""
        context = _context(fact.get("context", ()))
        match fact["rule"]:
            case "termwise":
                self.known.append(self._termwise(fact, context))
            case "jensen":
                self.known.append(self._jensen(fact, context))
            case "single":
                self.known.append(self._single(fact, context))
            case "cauchy":
                self.known.append(self._cauchy(fact, context))
            case "induction":
                self.known.append(self._induction(fact))
            case _:
                raise NotIndexedError(f"no rule is called {fact['rule']}")

    def _termwise(self, fact: Mapping[str, Any], context: Context) -> Known:
        """If every summand is positive (not negative, zero), so is the sum over one or more indices.

        Sizes are positive, so that strict inequalities add up to strict ones. Linear combinations of sums, tangent
        lines (Jensen) and Lagrange's identity (Cauchy and Schwarz) are instances: the summand may use other sums.
        """
        indices, summand = _context(fact["indices"]), decode(fact["summand"])
        relation = RELATIONS[fact["relation"]]
        total = self._total(summand, context, indices)
        self._require_values(context, total)
        self._need((*context, *indices), relation(summand, 0, evaluate=False))
        return context, relation(total, 0, evaluate=False)

    def _jensen(self, fact: Mapping[str, Any], context: Context) -> Known:
        """Jensen: w_1 phi(x_1) + ... >= phi(w_1 x_1 + ...) for a convex phi on an interval that contains all x_k.

        Hypotheses: every x_k is an entry of a family whose domain is an interval; phi is smooth there and its second
        derivative is not negative; the weights are 1/n each, or not negative with sum 1. Twins: a cube is not convex
        for numbers of both signs; weights that do not add up to 1.
        """
        ((index, size),), entry, weight = _context(fact["indices"]), decode(fact["entry"]), decode(fact["weight"])
        name, phi = decode(fact["name"]), decode(fact["curve"])
        if not isinstance(entry, Entry) or not isinstance(name, Symbol) or name in self.numbers:
            raise NotIndexedError("Jensen is about the entries of a family")
        domain = self.families.get(entry.family)
        if not isinstance(domain, sp.Interval) and domain != sp.S.Reals:
            raise NotIndexedError(f"the domain {domain} of {entry.family} is no interval")
        if phi.has(Entry, sp.Sum) or name.name in self.taken or not phi.free_symbols <= {name, *self.numbers}:
            raise NotIndexedError(f"{phi} is no function of {name} alone")
        total = self._total(weight * phi.xreplace({name: entry}), context, ((index, size),))
        smooth = smooth_where([phi])
        if smooth is None:
            raise NotIndexedError(f"{phi} may not be smooth")
        convex = sp.Ge(sp.diff(phi, name, 2), 0, evaluate=False)
        for claim in (*([] if smooth == sp.true else [smooth]), convex):
            self._show(self._goal((), claim, self.known, {name: domain}))
        mean = self._total(weight * entry, context, ((index, size),))
        if weight == 1:
            return context, sp.Ge(total, size * phi.xreplace({name: mean / size}), evaluate=False)
        weights = self._total(weight, context, ((index, size),))
        self._require_values(context, weights)
        self._need((*context, (index, size)), sp.Ge(weight, 0, evaluate=False))
        self._need(context, Eq(weights, 1, evaluate=False))
        return context, sp.Ge(total, phi.xreplace({name: mean}), evaluate=False)

    def _single(self, fact: Mapping[str, Any], context: Context) -> Known:
        """A sum of numbers that are not negative is at least each one of them."""
        ((index, size),), summand = _context(fact["indices"]), decode(fact["summand"])
        total = self._total(summand, context, ((index, size),))
        self._require_values(context, total)
        self._need((*context, (index, size)), sp.Ge(summand, 0, evaluate=False))
        one = Symbol(f"{index.name}_one")
        if one in total.atoms(Symbol) or one in dict(context) or one in self.numbers:
            raise NotIndexedError(f"the index {one} is taken")
        return (*context, (one, size)), sp.Ge(total, summand.xreplace({index: one}), evaluate=False)

    def _cauchy(self, fact: Mapping[str, Any], context: Context) -> Known:
        """Cauchy and Schwarz: |f . g| <= a b where f . f <= a^2, g . g <= b^2, and a and b are not negative.

        Twin: a and b of different signs.
        """
        indices = _context(fact["indices"])
        first, second, *bounds = (decode(fact[name]) for name in ("first", "second", "a", "b"))
        for part, bound in zip((first, second), bounds, strict=True):
            if set(dict(indices)) & bound.free_symbols or bound.has(sp.Sum):
                raise NotIndexedError(f"{bound} is no bound of a sum")
            square = self._total(part**2, context, indices)
            self._require_values(context, square)
            self._need(
                context,
                sp.And(sp.Le(square, bound**2, evaluate=False), sp.Ge(bound, 0, evaluate=False), evaluate=False),
            )
        product_ = self._total(first * second, context, indices)
        return context, sp.Le(sp.Abs(product_), bounds[0] * bounds[1], evaluate=False)

    def _induction(self, fact: Mapping[str, Any]) -> Known:
        """f(1) R g(1), and g(n) + f(n + 1) R g(n + 1) for n >= 1, imply f(1) + ... + f(n) R g(n) for n >= 1.

        Hypotheses: the size is no part of f, and nothing that is assumed of the size is used for base and step. Twin: a
        hypothesis such as n >= 5 says nothing about the base.
        """
        ((index, size),), summand = _context(fact["indices"]), decode(fact["summand"])
        relation, bound = RELATIONS[fact["relation"]], decode(fact["bound"])
        if any(part.has(Entry, sp.Sum) for part in (summand, bound)) or size in summand.free_symbols:
            raise NotIndexedError("induction is for sums of numbers that depend on the index alone")
        if self.numbers.get(size) != sp.Naturals or any(
            size in domain.free_symbols for domain in self.numbers.values()
        ):
            raise NotIndexedError(f"induction needs every positive whole {size}, and nothing else bounded by it")
        if index in bound.free_symbols or index in self.numbers:
            raise NotIndexedError(f"the index {index} also means something else")
        last = summand.xreplace({index: size + 1})
        step = relation(bound + last, bound.xreplace({size: size + 1}), evaluate=False)
        base = relation(summand.xreplace({index: Integer(1)}), bound.xreplace({size: Integer(1)}), evaluate=False)
        total = self._total(summand, (), ((index, size),))
        without = [known for known in self.known if size not in known[1].atoms(Symbol) | set(dict(known[0]).values())]
        self._require_values((), total, without)
        for claim in (base, step):
            valued = demands([bound, last, summand.xreplace({index: Integer(1)})]) if claim is step else []
            self._show(self._goal((), sp.And(claim, *valued, evaluate=False) if valued else claim, without))
        return (), relation(total, bound, evaluate=False)

    def _total(self, summand: Expr, context: Context, indices: Context) -> sp.Sum:
        """The sum of a fact, whose indices must make sense and run over sizes of the statement."""
        total = sp.Sum(summand, *((index, 1, size) for index, size in indices))
        for index, size in (*context, *indices):
            if index in self.numbers or size not in self.numbers:
                raise NotIndexedError(f"the index {index} also means something else, or {size} is no size")
        _require_plain_names([total, *(index for index, _ in context)])
        require_indices(total, dict(context), self.statement.variables)
        return total

    def conclusions(self) -> list[Statement]:
        """What is left to be proved about numbers, one statement for each part of the conclusion."""
        claims = _opened(self.statement.then)
        for own, body in claims:
            for part in _relations(body):
                self._require_values(own, part)
        known = [[claim] if claim in self.known else self.known for claim in claims]  # what is given needs nothing else
        return [self._goal(own, self._with_values(body), by) for (own, body), by in zip(claims, known, strict=True)]

    def _require_values(self, context: Context, of: sp.Basic, known: list[Known] | None = None) -> None:
        """Whether every summand of every sum in an expression has a value: what cancels needs one all the same."""
        for inside, condition in self._demanded(context, of):
            self._show(self._goal(inside, condition, self.known if known is None else known))

    def _demanded(self, context: Context, of: sp.Basic) -> list[Known]:
        found: list[Known] = []
        if isinstance(of, BallMean):
            return found  # it has a value whatever is in it
        if isinstance(of, sp.Sum):
            inside = (*context, *((limit[0], limit[2]) for limit in of.limits))
            found += [(inside, condition) for condition in own_demands(of.function)]
            return found + self._demanded(inside, of.function)
        for part in of.args if of.has(sp.Sum) else ():
            found += self._demanded(context, part)
        return list(dict.fromkeys(found))

    def _with_values(self, of: Boolean) -> Boolean:
        """A formula, and that its terms have values even where sums cancel."""
        valued = [condition for part in _relations(of) for condition in _values_of(part)]
        return sp.And(of, *dict.fromkeys(valued), evaluate=False) if valued else of

    def _need(self, context: Context, condition: Boolean) -> None:
        self._show(self._goal(context, self._with_values(condition), self.known))

    def _show(self, goal: Statement) -> None:
        if not self.show(goal):
            raise NotShownError(str(goal.then))

    def _goal(
        self, context: Context, claim: Boolean, known: list[Known], more: Mapping[Symbol, sp.Set] | None = None
    ) -> Statement:
        """The claim for all indices of a context, as a statement about numbers, with what is known of these."""
        names = Names(self.taken)
        places = {index: Symbol(f"_i{place}") for place, (index, _) in enumerate(context)}
        here: Context = tuple((places[index], size) for index, size in context)
        placed_claim = _moved(claim, places)
        then = names.formula(placed_claim, here)
        if not _logarithms(then) & self._spoken_of(known, names):
            then = names.formula(_without_logarithms(placed_claim), here)
        near = {entry.indices for entry in placed_claim.atoms(Entry)}
        facts, further = list[Boolean](), list[Boolean]()
        seen = set(then.free_symbols)
        for own, body in sorted(known, key=lambda one: len(one[0])):
            choices = [[index for index, size in here if size == wanted] for _, wanted in own]
            for chosen in product(*choices):
                placed = dict(zip((index for index, _ in own), chosen, strict=True))
                moved = _moved(body, placed)
                if not _is_near(moved, near):
                    continue
                try:
                    fact = names.formula(moved, here)
                except NotIndexedError:
                    continue  # a fact that has no normal form is not used
                if not own:
                    seen |= fact.free_symbols
                (facts if fact.free_symbols & set(names.sums) <= seen else further).append(fact)
        facts += _bridging(further, seen, set(names.sums), set(names.entries))
        self.meanings |= names.entries
        self.meanings |= {name: total for name, (_, total) in (*names.sums.items(), *names.means.items())}
        facts += [sp.Le(index, size, evaluate=False) for index, size in here]
        used = _connected(then, facts)
        symbols = set().union(then.free_symbols, *(fact.free_symbols for fact in used))
        variables: dict[Symbol, sp.Set] = {}
        for symbol in sorted(symbols - set(self.statement.stated), key=str):
            variables[symbol] = (more or {}).get(symbol) or self._domain(symbol, names, here)
        constants = tuple(c for c in self.statement.constants if c.symbol in symbols)
        return Statement(then=then, variables=variables, given=tuple(dict.fromkeys(used)), constants=constants)

    def _spoken_of(self, known: list[Known], names: Names) -> set[log]:
        """The logarithms of sums in what is known: a claim about one of these keeps it."""
        found = set[log]()
        for context, body in known:
            if not context and body.has(log):
                try:
                    found |= _logarithms(names.formula(body, ()))
                except NotIndexedError:
                    continue  # a fact that has no normal form is not used
        return found

    def _domain(self, symbol: Symbol, names: Names, here: Context) -> sp.Set:
        if symbol in names.entries:
            return self.families[names.entries[symbol].family]
        if symbol in names.sums or symbol in names.means:
            return sp.S.Reals
        if symbol in dict(here):
            return sp.Naturals
        sizes = {size for u in self.families for size in u.sizes}
        if symbol in self.numbers:
            return self.numbers[symbol]
        if symbol in sizes:
            return sp.Naturals
        raise NotIndexedError(f"{symbol} is no variable")


def _is_near(of: Boolean, near: set[tuple[Symbol, ...]]) -> bool:
    """Whether a fact speaks of entries with indices that the claim has: others are rarely of use, and many."""
    chosen = {tuple(index for index in entry.indices) for entry in of.atoms(Entry)}
    free = {indices for indices in chosen if all(index.name.startswith("_i") for index in indices)}
    return not near or free <= near


def _logarithms(of: Boolean) -> set[log]:
    return {part for part in of.atoms(log) if any(symbol.name.startswith("S_") for symbol in part.free_symbols)}


def _without_logarithms(of: Boolean) -> Boolean:
    """log X <= b says that X > 0 and X <= exp b, and exp a <= exp b that a <= b; so for all relations and sides."""
    if not isinstance(of, Relational):
        return of.func(*map(_without_logarithms, of.args), evaluate=False) if isinstance(of, sp.And) else of
    for place, side in enumerate(of.args):
        if isinstance(side, log) and side.has(sp.Sum):
            other = of.args[1 - place]
            sides = (side.args[0], exp(other)) if place == 0 else (exp(other), side.args[0])
            valued = [sp.Gt(side.args[0], 0, evaluate=False), *own_demands(other)]
            return sp.And(of.func(*sides, evaluate=False), *valued, evaluate=False)
    powers = _exponents(of.lhs - of.rhs)
    if powers is not None and not isinstance(of, (Eq, sp.Ne)):
        return of.func(*powers, evaluate=False)
    return of


def _exponents(gap: Expr) -> tuple[Expr, Expr] | None:
    """The exponents of a difference of two exponentials, which has their order."""
    terms = Add.make_args(gap)
    plus = [term.args[0] for term in terms if isinstance(term, exp)]
    minus = [(-term).args[0] for term in terms if isinstance(-term, exp)]
    return (plus[0], minus[0]) if len(terms) == 2 and len(plus) == len(minus) == 1 else None


def _relations(of: Boolean) -> list[Relational]:
    return sorted(of.atoms(Relational), key=str)


def _require_plain_names(parts: Iterable[sp.Basic]) -> None:
    """Names that begin with an underscore are for the indices that the kernel chooses."""
    for part in parts:
        for symbol in part.atoms(Symbol):
            if symbol.name.startswith("_"):
                raise NotIndexedError(f"the name {symbol} begins with an underscore: rename it")


def _values_of(of: Relational) -> list[Boolean]:
    return [condition for side in of.args for condition in own_demands(side)]


def _moved(of: Boolean, places: Mapping[Symbol, Symbol]) -> Boolean:
    """A formula about indices that the kernel chose, whose names nothing is bound to."""
    if isinstance(of, Relational):
        return of.func(*(_moved_term(side, places) for side in of.args), evaluate=False)
    return of.func(*(_moved(part, places) for part in of.args)) if of.args else of


def _moved_term(of: sp.Basic, places: Mapping[Symbol, Symbol]) -> sp.Basic:
    if isinstance(of, sp.Sum):
        inside = _moved_term(of.function, {k: v for k, v in places.items() if k not in of.variables})
        return sp.Sum(inside, *of.limits)
    if isinstance(of, Symbol):
        return places.get(of, of)
    return of.func(*(_moved_term(part, places) for part in of.args)) if of.args and not isinstance(of, Family) else of


def _opened(of: Boolean) -> list[Known]:
    """A formula as formulas for all indices of contexts."""
    if isinstance(of, ForEach):
        return [(((of.symbol, of.size), *context), body) for context, body in _opened(of.body)]
    if isinstance(of, sp.And):
        return [known for part in of.args for known in _opened(part)]
    if not is_plain(of) or of.has(ForEach):
        raise NotIndexedError(f"{of} is no formula for all indices")
    return [((), of)]


def _readable(of: Boolean) -> list[Known]:
    """The same of a hypothesis; one that cannot be read so is not used."""
    try:
        return _opened(of)
    except NotIndexedError:
        return []


def _context(pairs: Any) -> Context:
    found = tuple((decode(index), decode(size)) for index, size in pairs)
    if not all(isinstance(part, Symbol) for pair in found for part in pair):
        raise NotIndexedError("an index or a size is no symbol")
    if len({index for index, _ in found}) < len(found):
        raise NotIndexedError("an index stands twice")
    return found


def _bridging(facts: list[Boolean], seen: set[sp.Basic], sums: set[Symbol], entries: set[Symbol]) -> list[Boolean]:
    """Facts that join what is spoken of with one or two sums more, and what is known of these alone."""
    reached = set(seen)
    for fact in facts:
        if fact.free_symbols & (sums | entries) & seen and len(fact.free_symbols & sums - seen) <= _MOST_NEW:
            reached |= fact.free_symbols
    return [fact for fact in facts if fact.free_symbols & sums <= reached]


def _connected(then: Boolean, facts: list[Boolean]) -> list[Boolean]:
    """The facts that speak of what the claim speaks of, directly or through others."""
    seen, used = set(then.free_symbols), list[Boolean]()
    rest = [fact for fact in facts if fact != sp.true]
    while True:
        more = [fact for fact in rest if fact.free_symbols & seen or not fact.free_symbols]
        if not more:
            return used
        used += more
        rest = [fact for fact in rest if fact not in more]
        seen |= set().union(*(fact.free_symbols for fact in more))
