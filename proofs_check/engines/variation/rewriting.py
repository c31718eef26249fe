"""Steps that rewrite a claim: products, comparisons of two values of one function, changes of a variable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import (
    Abs,
    Add,
    Dummy,
    Eq,
    Expr,
    Function,
    Integer,
    Max,
    Min,
    Poly,
    Pow,
    Symbol,
    acos,
    asin,
    diff,
    exp,
    expand,
    fraction,
    log,
    nan,
    oo,
    together,
    true,
    zoo,
)
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.engines.cover.factoring import factored, factors_of
from proofs_check.engines.variation.leaves import Points, is_algebraic
from proofs_check.engines.variation.shapes import exponent_of, is_hard, side_of
from proofs_check.kernel.inverse_substitutions import INVERTING
from proofs_check.kernel.signed_claims import Signed
from theory.language.functions import entry_of
from theory.trees import encode

Step = dict[str, Any]
_MOST_RELATIONS = 20
_NOWHERE = (nan, zoo, oo)


def products(claim: Signed, points: Points) -> Iterator[Step]:
    """The expression as a product, each factor with the sign that it seems to have."""
    pairs = _with_roots_joined(factors_of(claim.expression))
    if len(pairs) == 1 and pairs[0][1] == 1:
        return
    where = points.of(claim.variables, claim.given)
    factors, total = [], 1
    for base, power in pairs:
        side = side_of(base, claim, points, where)
        if side is None:
            if power % 2:
                return
            side = 0
        total *= side if power % 2 else 1
        factors.append([base, power, side])
    if total == -1 or not factors:
        return
    yield {"rule": "product", "factors": [[encode(base), power, side] for base, power, side in factors]}


def sums(claim: Signed, points: Points) -> Iterator[Step]:
    """Terms none of which seems to be negative, one that seems to be positive first."""
    terms = Add.make_args(claim.expression)
    where = points.of(claim.variables, claim.given)
    if len(terms) > 1 and where.shape[1] and all(side_of(term, claim, points, where) == 1 for term in terms):
        ordered = sorted(terms, key=lambda term: -np.min(points.values(term, claim.variables, where)[0]))
        yield {"rule": "sum", "terms": [encode(term) for term in ordered]}


def _with_roots_joined(pairs: tuple[tuple[Expr, int], ...]) -> tuple[tuple[Expr, int], ...]:
    """Factors with their numbers taken together."""
    numbers = [(base, power) for base, power in pairs if base.is_Rational]
    if not numbers:
        return pairs
    number = Integer(1)
    for base, power in numbers:
        number *= base**power
    rest = tuple((base, power) for base, power in pairs if not base.is_Rational)
    return rest if number == 1 else (*rest, (number, 1))


def comparisons(claim: Signed) -> Iterator[Step]:
    """The difference of two values of one monotone function."""
    f = claim.expression
    if isinstance(f, log):
        yield _comparison("log", Integer(1), f.args[0], Integer(1))
        return
    if not isinstance(f, Add):
        return
    yield from _exponential_alone(f)
    if len(f.args) != 2:
        return
    for first, second in (f.args, f.args[::-1]):
        scale, call = first.as_coeff_Mul()
        entry = entry_of(call)
        if entry is None or entry.turns != () or len(call.args) != 1 or scale.is_Rational is not True or scale <= 0:
            continue
        other = -second / scale
        if other.func is call.func:
            yield _comparison(entry.name, scale, call.args[0], other.args[0])
            return
        if entry.inverse is not None and not other.free_symbols and is_algebraic(other):
            inside = entry.inverse(other)
            if inside.is_real:
                yield _comparison(entry.name, scale, call.args[0], inside)
                return
    yield from _powers_compared(f)


def _exponential_alone(f: Add) -> Iterator[Step]:
    """A multiple of one exponential against something algebraic, whose logarithm it is compared with."""
    calls = [part for part in f.atoms(exp, Pow) if part.free_symbols and (isinstance(part, exp) or is_hard(part))]
    if len(calls) != 1 or len([part for part in f.args if part.has(calls[0])]) != 1:
        return
    (term,) = [part for part in f.args if part.has(calls[0])]
    scale, call = term.as_coeff_Mul()
    rest = f - term
    if call == calls[0] and rest.free_symbols and is_algebraic(rest) and scale.is_Rational:
        yield from _logarithms_compared(scale, call, rest)


def squares(claim: Signed, points: Points) -> Iterator[Step]:
    """Terms with roots on one side, squared: those that are not negative, or those that are, against all the others."""
    f = expand(claim.expression)
    terms = [part for part in Add.make_args(f) if any(_is_root(power) for power in part.atoms(Pow))]
    where = points.of(claim.variables, claim.given)
    large = Add(*[part for part in terms if side_of(part, claim, points, where) == 1])
    if large != 0:
        yield {"rule": "squared", "large": encode(large), "small": encode(large - f)}
        return
    rooted = [part for part in Add.make_args(claim.expression) if any(_is_root(power) for power in part.atoms(Pow))]
    if rooted and all(side_of(part, claim, points, where) == -1 for part in rooted):
        small = -Add(*rooted)
        yield {"rule": "squared", "large": encode(claim.expression + small), "small": encode(small)}


def _is_root(power: Pow) -> bool:
    return bool(power.free_symbols and power.exp.is_Rational and power.exp.q == 2)


def logarithms(claim: Signed, *, steep: bool) -> Iterator[Step]:
    """One exponential with a number before it against all the rest, whatever that is.

    Steep is one whose exponent is of higher degree in a variable than those of the others: no slope removes it.
    """
    f = claim.expression
    for term in f.args if isinstance(f, Add) else ():
        scale, call = term.as_coeff_Mul()
        is_alone = isinstance(call, exp) and call.free_symbols and scale.is_Rational and not (f - term).has(call)
        if is_alone and steep == _is_steep(call, f - term):
            yield from _logarithms_compared(scale, call, f - term)


def _is_steep(call: Expr, rest: Expr) -> bool:
    others = [part.args[0] for part in rest.atoms(exp)]
    for x in call.free_symbols:
        slope = diff(call.args[0], x)
        if slope.has(x) and others and not any(diff(other, x).has(x) for other in others):
            return True
    return False


def _logarithms_compared(scale: Expr, call: Expr, rest: Expr) -> Iterator[Step]:
    inside, other = exponent_of(call), log(factored(together(-rest / scale)))
    if inside is not None and not other.has(*_NOWHERE):
        yield _comparison("exp", abs(scale), *((inside, other) if scale > 0 else (other, inside)))


def exponentials(claim: Signed) -> Iterator[Step]:
    """One logarithm of exponentials against the rest, without the logarithm."""
    f = claim.expression
    calls = [part for part in f.atoms(log) if part.free_symbols]
    if not isinstance(f, Add) or len(calls) != 1 or not calls[0].has(exp):
        return
    scale, rest = f.coeff(calls[0]), f - f.coeff(calls[0]) * calls[0]
    if scale.is_Rational and scale != 0 and not rest.has(exp, calls[0]):
        sides = (calls[0], -rest / scale) if scale > 0 else (-rest / scale, calls[0])
        ends = {key: encode(side) for key, side in zip(("left", "right"), sides, strict=True)}
        yield {"rule": "raised", "scale": str(abs(scale)), **ends}


def kinks(claim: Signed) -> Iterator[Step]:
    """The innermost absolute values, maxima and minima, one at a time."""
    found = sorted(claim.expression.atoms(Abs, Max, Min), key=lambda part: (part.count_ops(), str(part)))
    for kink in found[:1]:
        yield {"rule": "kink", "kink": encode(kink)}


def isolations(claim: Signed, points: Points) -> Iterator[Step]:
    """Division by the coefficient, of one sign, of the only function in the expression."""
    f = claim.expression
    calls = [part for part in f.atoms(Function, Pow) if is_hard(part)]
    if len(calls) != 1:
        return
    name = Dummy()
    inside = expand(f.xreplace({calls[0]: name}))
    if inside.has(calls[0]) or not inside.is_polynomial(name) or Poly(inside, name).degree() != 1:
        return
    scale, rest = Poly(inside, name).all_coeffs()
    if not scale.free_symbols or not is_algebraic(scale):
        return
    side = side_of(scale, claim, points, points.of(claim.variables, claim.given))
    if side is not None:
        whole = calls[0] + together(rest / scale)
        yield {"rule": "product", "factors": [[encode(side * whole), 1, 1], [encode(side * scale), 1, 1]]}


def _powers_compared(f: Add) -> Iterator[Step]:
    """The difference of two products of powers with variable exponents, as exponentials."""
    for first, second in (f.args, f.args[::-1]):
        scale, left = first.as_coeff_Mul()
        factor, right = second.as_coeff_Mul()
        if scale > 0 > factor and any(part.has(exp) or not part.exp.is_number for part in f.atoms(Pow, exp)):
            ends = exponent_of(left), exponent_of(right)
            if ends[0] is not None and ends[1] is not None:
                yield _comparison("exp", scale, ends[0], ends[1] + log(-factor / scale))


def _comparison(name: str, scale: Expr, left: Expr, right: Expr) -> Step:
    return {"rule": "compare", "function": name, "scale": str(scale), "left": encode(left), "right": encode(right)}


def powers(claim: Signed) -> Iterator[Step]:
    """A variable under powers with variable exponents as an exponential."""
    bases = {part.base for part in claim.expression.atoms(Pow) if is_hard(part)}
    for x in claim.variables:
        if x in bases:
            yield from (_put(x, new, "exp") for new in _fresh(claim))


def substitutions(claim: Signed, *, inverses: bool) -> Iterator[Step]:
    """Changes of one variable after which inverse functions, or else logarithms, roots and large powers, are gone."""
    f = claim.expression
    for x in claim.variables:
        if f.has(x):
            for name in (_inverses if inverses else _powers)(f, x):
                yield from (_put(x, new, name) for new in _fresh(claim))


def _fresh(claim: Signed) -> list[Symbol]:
    """One name for a new variable."""
    return [name for name in map(Symbol, ("t", "t_", "u", "u_")) if name not in claim.variables][:1]


def _put(x: Symbol, new: Symbol, name: str) -> Step:
    return {"rule": "put", "variable": encode(x), "new": encode(new), "by": name}


def equations(claim: Signed) -> Iterator[Step]:
    """Given equations that are linear in a variable, solved for it."""
    for part in claim.given:
        if isinstance(part, Eq):
            above = expand(fraction(together(part.lhs - part.rhs))[0])
            for x in sorted(above.free_symbols, key=str):
                slope = diff(above, x)
                if not slope.has(x) and slope != 0:
                    value = together(-above.xreplace({x: Integer(0)}) / slope)
                    yield {"rule": "solved", "variable": encode(x), "value": encode(value)}


def projections(claim: Signed) -> Iterator[Step]:
    """The region without the variables that the expression does not have, by linear elimination."""
    kept, given = claim.expression.free_symbols, claim.given
    for y in sorted({symbol for part in given if part.free_symbols & kept for symbol in part.free_symbols}, key=str):
        if y in kept:
            continue
        rows = [(part, diff(part.gts - part.lts, y)) for part in given if isinstance(part, (Ge, Gt, Le, Lt))]
        rising = [(part, rate) for part, rate in rows if rate.is_Rational and rate > 0]
        falling = [(part, -rate) for part, rate in rows if rate.is_Rational and rate < 0]
        joined = [_joined(*one, *other) for one in rising for other in falling]
        given = tuple(dict.fromkeys((*(part for part in given if not part.has(y)), *joined)))
    if given != claim.given and len(given) <= _MOST_RELATIONS:
        yield {"rule": "weaken", "given": [encode(part) for part in given if part != true]}


def _joined(one: Boolean, rate: Expr, other: Boolean, slope: Expr) -> Boolean:
    gap = expand(slope * (one.gts - one.lts) + rate * (other.gts - other.lts))
    return (Gt if isinstance(one, (Gt, Lt)) or isinstance(other, (Gt, Lt)) else Ge)(gap, 0)


def _inverses(f: Expr, x: Symbol) -> Iterator[str]:
    yield from (name for name, change in INVERTING.items() if f.has(change.inverse(x)))
    if f.has(acos(x)) and not f.has(asin(x)):
        yield "sin"


def _powers(f: Expr, x: Symbol) -> Iterator[str]:
    powers = {part.exp for part in f.atoms(Pow) if part.base == x and part.exp.is_Rational}
    halves = {power for power in powers if not power.is_Integer}
    if halves:
        yield f"power 1/{int(np.lcm.reduce([int(power.q) for power in halves]))}"
    elif (
        powers
        and x not in f.xreplace({Pow(x, power): Symbol("_") for power in powers}).free_symbols
        and min(powers) > 1
    ):
        yield f"power {min(powers)}"
    if f.has(log(x)) and f.count_ops() < 60:
        yield "exp"
