"""Statements about whole numbers: by all residues, and by induction with sums, products, factorials and powers.

Residues: a polynomial with integer coefficients takes values at n and n + m that differ by a multiple of m, so that a
formula about remainders of such polynomials alone holds for all whole numbers if it holds for all residues; hypotheses
about remainders are part of the formula.

Induction: a relation g(n) >= 0 holds for all n from n0 on if it holds at n0 and either g(n + 1) - g(n) >= 0, or the
relation at n implies that at n + 1, for every n from n0 on. What is summed, multiplied or raised up to n stands for a
real number, of which only the next one is known: the sum plus one term, and the like. Where a sum is empty it is 0.
Products of powers, factorials and binomials may be compared by their ratios instead (`proofs_check.kernel.ratios`), and
what holds for all real numbers from some number on is looked at one by one before that.
The sum of a polynomial of degree d is one of degree d + 1. A stronger relation may be shown in the same way, of which
the conclusion is a consequence from n0 on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import lcm
from typing import Any

import sympy as sp
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, oo
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean, Or

from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.ratios import ratio_goals
from proofs_check.kernel.signed_claims import Conditions, Signed
from theory.domains import is_discrete
from theory.language.definedness import demands
from theory.statements import Statement
from theory.temporal import negation, put_at_once
from theory.trees import decode

_RELATIONS = (Eq, Ge, Gt, Le, Lt)
_MOST_RESIDUES = 20_000
_MOST_TERMS = 60
_MOST_NAMES = 12
_MOST_DEGREE = 8
MOST_SKIPPED = 12


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the argument, by residues or by induction, shows the statement."""
    claim = claim_of(statement)
    if claim is None:
        return False
    if certificate["by"] == "residues":
        return all_residues(claim)
    shown = Shown(certificate.get("obligations", ()))
    n, skipped = decode(certificate["variable"]), int(certificate["skipped"])
    if certificate["by"] in ("ratios", "real numbers"):
        return from_first(claim, n, skipped, shown, by_ratios=certificate["by"] == "ratios")
    stronger = decode(certificate["stronger"]) if "stronger" in certificate else None
    return certificate["by"] == "induction" and induction(claim, n, skipped, shown, stronger)


# -- residues --------------------------------------------------------------------------------------------------------


def all_residues(claim: Claim) -> bool:
    """Whether a formula about remainders holds for all residues of its whole numbers that satisfy such hypotheses.

    >>> n = Symbol("n")
    >>> all_residues(Claim({n: sp.S.Integers}, (), Eq(sp.Mod(n * (n + 1), 2), 0)))
    True
    """
    assumed = [part for part in claim.hypotheses if part.has(sp.Mod)]
    wanted = Or(*map(negation, assumed), claim.conclusion)
    remainders = wanted.atoms(sp.Mod)
    symbols = sorted(wanted.free_symbols, key=str)
    if not remainders or not all(is_discrete(claim.variables.get(symbol, sp.S.Reals)) for symbol in symbols):
        return False
    names = {part: Symbol(f"_{place}") for place, part in enumerate(sorted(remainders, key=str))}
    formula = wanted.xreplace(names)
    scaled = [_scaled(part, symbols) for part in names]
    if formula.free_symbols - set(names.values()) or any(one is None for one in scaled):
        return False
    known = [one for one in scaled if one is not None]
    whole = lcm(*(modulus for _, modulus, _ in known))
    if whole ** len(symbols) > _MOST_RESIDUES:
        return False
    for point in product(range(whole), repeat=len(symbols)):
        values = {}
        for name, (polynomial, modulus, scale) in zip(names.values(), known, strict=True):
            values[name] = Rational(int(polynomial(*point)) % modulus, scale)
        if formula.xreplace(values) != sp.true:
            return False
    return True


def _scaled(remainder: sp.Mod, symbols: list[Symbol]) -> tuple[sp.Poly, int, int] | None:
    """A remainder as that of an integer polynomial by an integer, divided by a number: (p/d) mod m = (p mod dm) / d."""
    inside, modulus = remainder.args
    if not modulus.is_Integer or modulus <= 0 or not symbols or not inside.is_polynomial(*symbols):
        return None
    polynomial = sp.Poly(inside, *symbols)
    if not all(value.is_Rational for value in polynomial.coeffs()):
        return None
    scale = lcm(*(int(value.q) for value in polynomial.coeffs()))
    return polynomial * scale, int(modulus) * scale, scale


def _valued(body: Expr, index: Symbol, low: Expr) -> list[Boolean]:
    """What a term asks to have a value for every whole index from the first on: b^(j index + i) only what b asks.

    Hypotheses: j and i are whole numbers, j is positive, and the exponent is positive at the first index.
    """
    steps = {
        part: (part.exp.coeff(index), put_at_once(part.exp, {index: low}))
        for part in body.atoms(Pow)
        if part.exp.has(index)
    }
    counted = {
        part: sp.Dummy()
        for part, (slope, least) in steps.items()
        if slope.is_Integer and least.is_Integer and slope > 0 and least > 0 and part.exp.is_polynomial(index)
        if same(part.exp, slope * (index - low) + least) and not part.base.has(index)
    }
    return demands((body.xreplace(counted), *(part.base for part in counted)))


# -- induction -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grown:
    """A part that grows with n: the name of its value, the next value, the one at a number, and what is known of it."""

    name: Symbol
    following: Expr
    at: Callable[[Integer], Expr]
    known: tuple[Boolean, ...] = ()
    needed: tuple[tuple[Boolean, tuple[Boolean, ...]], ...] = ()
    """Conditions under which it has a value, each with what may be assumed about a bound symbol."""
    perhaps: tuple[tuple[Boolean, Boolean], ...] = ()
    """What is known of it where a condition on the other variables holds."""


def induction(claim: Claim, n: Symbol, skipped: int, shown: Shown, stronger: Boolean | None = None) -> bool:
    """Whether the conclusion, one relation, follows by induction on a whole number, perhaps of a stronger relation.

    The first numbers are looked at one by one: the step is shown from the last of them on.
    """
    first = first_of(claim.variables.get(n, sp.S.Reals))
    relations = (claim.conclusion if stronger is None else stronger, claim.conclusion)
    if first is None or not 0 <= skipped <= MOST_SKIPPED:
        return False
    if not all(isinstance(one, _RELATIONS) and one.free_symbols <= {n, *claim.variables} for one in relations):
        return False
    begin, given = first + skipped, tuple(part for part in claim.hypotheses if not part.has(n))
    names = Names(n, first)
    named, wanted = (names.put(one) for one in relations)
    if not all(isinstance(one, Relational) and not one.has(ExprWithLimits) for one in (named, wanted)):
        return False
    if not names.close():
        return False
    parts = list(names.parts.values())
    if {*names.bound, *(part.name for part in parts)} & set(claim.variables):
        return False
    conditions = Conditions(shown)

    def holds(condition: Boolean, *more: Boolean) -> bool:
        symbols = {*claim.variables, *condition.free_symbols, *(s for part in more for s in part.free_symbols)}
        region = Signed(tuple(sorted(symbols, key=str)), (*given, *more), Integer(0), strict=False)
        return condition == sp.true or conditions.hold(region, [condition])

    known = (Ge(n, begin), *(fact for part in parts for fact in part.known))
    known += tuple(fact for part in parts for condition, fact in part.perhaps if holds(condition))
    if not all(holds(condition, *bound) for part in parts for condition, bound in part.needed):
        return False
    if not all(holds(condition, *known) for condition in demands((*named.args, *wanted.args))):
        return False
    firsts = [(wanted, value) for value in range(int(first), int(begin) + 1)]
    for one, value in firsts if stronger is None else [*firsts, (named, int(begin))]:
        values = {part.name: part.at(Integer(value)) for part in parts}
        if not holds(one.func(*(put_at_once(side, {n: Integer(value)}).xreplace(values) for side in one.args))):
            return False
    if stronger is not None and not holds(wanted, *known, named):
        return False
    following = {part.name: names.following[part.name] for part in parts}
    later = [put_at_once(side, {n: n + 1}).xreplace(following) for side in named.args]
    rises = 1 if isinstance(named, (Ge, Gt)) else -1
    growth = expanded(rises * ((later[0] - later[1]) - (named.lhs - named.rhs)))
    if isinstance(named, Eq) and same(growth, Integer(0)):
        return True
    if not isinstance(named, Eq) and holds(Ge(growth, 0), *known):
        return True
    return holds(named.func(*later), *known, named)


def from_first(claim: Claim, n: Symbol, skipped: int, shown: Shown, *, by_ratios: bool) -> bool:
    """Whether a relation holds at the first numbers, and for all real numbers from there on or by its ratios."""
    first, relation = first_of(claim.variables.get(n, sp.S.Reals)), claim.conclusion
    if first is None or not 0 <= skipped <= MOST_SKIPPED or not relation.free_symbols <= set(claim.variables):
        return False
    begin, given = first + skipped, tuple(part for part in claim.hypotheses if not part.has(n))
    plain = isinstance(relation, _RELATIONS) and not relation.has(ExprWithLimits, sp.Mod)
    goals = [*demands(relation.args), relation] if plain and skipped else None
    if by_ratios:
        goals = ratio_goals(relation, n, begin) if plain else None
    if goals is None:
        return False
    firsts = [relation.func(*(side.xreplace({n: first + k}) for side in relation.args)) for k in range(skipped + 1)]
    values = [one for k in range(skipped) for one in demands(side.xreplace({n: first + k}) for side in relation.args)]
    conditions, symbols = Conditions(shown), tuple(sorted(claim.variables, key=str))
    alone = Signed(symbols, given, Integer(0), strict=False)
    later = Signed(symbols, (*given, Ge(n, begin)), Integer(0), strict=False)
    return all(conditions.hold(alone, [one]) for one in (*values, *firsts) if one != sp.true) and all(
        conditions.hold(later, [one]) for one in goals if one != sp.true
    )


def first_of(domain: sp.Set) -> Integer | None:
    """The number with which a domain of all whole numbers from it on begins."""
    if not is_discrete(domain) or domain.sup is not oo or not domain.inf.is_Integer:
        return None
    return domain.inf if domain in (sp.S.Naturals, sp.S.Naturals0) or getattr(domain, "step", 0) == 1 else None


class Names:
    """Names for what grows with n: sums, products, factorials and powers up to n, from a first number on."""

    def __init__(self, n: Symbol, first: Integer) -> None:
        self.n, self.first = n, first
        self.parts: dict[Any, Grown] = {}
        self.following: dict[Symbol, Expr] = {}
        self.bound: set[Symbol] = set()

    def put(self, formula: Any) -> Any:
        """A formula or a term with names for its growing parts; None where one of them is of another kind."""
        values: dict[Expr, Expr] = {}
        for part in set(self._growing(formula)):
            value = self._value(part)
            if value is None:
                return None
            values[part] = value
        return formula.xreplace(values)

    def close(self) -> bool:
        """Name what grows in the next values as well."""
        for _ in range(_MOST_NAMES):
            waiting = [part for part in self.parts.values() if part.name not in self.following]
            if not waiting:
                return True
            value = self.put(waiting[0].following)
            if value is None or value.has(ExprWithLimits):
                return False
            self.following[waiting[0].name] = value
        return False

    def _growing(self, part: Any) -> Iterator[Expr]:
        is_power = isinstance(part, Pow) and part.exp.has(self.n) and not part.base.has(self.n)
        if part.has(self.n) and (isinstance(part, (ExprWithLimits, sp.factorial)) or is_power):
            yield part
            return
        for inner in part.args:
            yield from self._growing(inner)

    def _value(self, part: Expr) -> Expr | None:
        if isinstance(part, (sp.Sum, sp.Product)):
            return self._accumulated(part)
        if isinstance(part, sp.factorial):
            return self._factorial(part.args[0] - self.n)
        return self._power(part)

    def _factorial(self, shift: Expr) -> Expr | None:
        """(n + i)! as a multiple of the name of n!, where both are factorials of numbers that are not negative."""
        if not shift.is_Integer or abs(shift) > _MOST_NAMES or self.first < 0 or self.first + shift < 0:
            return None
        name = self._new()
        grown = Grown(name, name * (self.n + 1), sp.factorial, (Ge(name, 1),))
        up = Mul(*[self.n + step for step in range(1, int(shift) + 1)])
        down = Mul(*[self.n + step for step in range(int(shift) + 1, 1)])
        return self.parts.setdefault(sp.factorial, grown).name * up / down

    def _new(self) -> Symbol:
        return Symbol(f"_{len(self.parts)}")

    def _power(self, power: Pow) -> Expr | None:
        """b^(j n + i) as b^i times the name of b^(j n): the exponent is whole and never negative."""
        base, slope = power.base, expanded(power.exp).coeff(self.n)
        rest = expanded(power.exp - slope * self.n)
        if slope.is_negative and base != 0:
            base, slope, rest = 1 / base, -slope, -rest
        positive = base.is_Rational and base > 0
        if not (slope.is_Integer and rest.is_Integer and slope > 0 and self.first >= 0):
            return None
        if not base.is_Rational and (rest < 0 or (self.first == 0 and rest == 0)):
            return None
        name = self._new()
        facts = (Gt(name, 0),) if positive else ()
        needed = tuple((condition, ()) for condition in demands((base,)))
        perhaps = () if base.is_Rational else ((Gt(base, 0), Gt(name, 0)),)
        grown = Grown(name, name * base**slope, lambda n: base ** (slope * n), facts, needed, perhaps)
        return self.parts.setdefault((base, slope), grown).name * base**rest if base != 0 else None

    def _accumulated(self, part: sp.Sum | sp.Product) -> Expr | None:
        """A sum or a product from a number up to n plus a number, of terms without n and sums in them."""
        body = part.function
        if len(part.limits) != 1 or body.has(self.n) or body.has(ExprWithLimits):
            return None
        index, low, high = part.limits[0]
        self.bound.add(index)
        shift = high - self.n
        if not (low.is_Integer and shift.is_Integer) or not low - 1 <= self.first + shift <= low + _MOST_TERMS:
            return None
        join = Add if isinstance(part, sp.Sum) else Mul

        def at(n: Integer) -> Expr:
            return join(*[put_at_once(body, {index: Integer(value)}) for value in range(int(low), int(n + shift) + 1)])

        name = self._new()
        needed = tuple((condition, (Ge(index, low),)) for condition in _valued(body, index, low))
        following = put_at_once(body, {index: self.n + 1 + shift})
        grown = Grown(name, join(name, following), at, self._closed(part, name, following, at), needed)
        return self.parts.setdefault(part, grown).name

    def _closed(
        self, part: sp.Sum | sp.Product, name: Symbol, following: Expr, at: Callable[[Integer], Expr]
    ) -> tuple[Boolean, ...]:
        """The value of a sum of a polynomial: the polynomial that begins and grows as it does."""
        if not isinstance(part, sp.Sum) or not following.is_polynomial(self.n) or following.free_symbols != {self.n}:
            return ()
        degree = sp.Poly(following, self.n).degree()
        if degree > _MOST_DEGREE:
            return ()
        places = [self.first + step for step in range(int(degree) + 2)]
        value = sp.interpolate([(place, at(place)) for place in places], self.n)
        grows = same(put_at_once(value, {self.n: self.n + 1}) - value, following)
        return (Eq(name, value),) if grows and same(put_at_once(value, {self.n: self.first}), at(self.first)) else ()
