"""Limits at the ends of an interval by a small calculus: what it cannot settle has no limit here.

The variable is put as an end plus or minus t, or as plus or minus 1/t, and t falls to 0. Rational functions of t go by
their lowest terms, functions of the table by continuity or by their limits at infinity, and a product of something
that vanishes and something that grows by one fact: t^r log(u)^q tends to 0 for r > 0 and a rational u, and so does
every such product times exp(v) with a rational v that falls to minus infinity (Hardy, Orders of Infinity, chapter 1).
"""

from __future__ import annotations

import sympy as sp
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol, exp, log, oo
from sympy.core.relational import Relational

from proofs_check.kernel.cover_signs import rewritten, same
from proofs_check.kernel.fields import expanded, quotient
from proofs_check.kernel.point import sign
from theory.language.definedness import conditions_of
from theory.language.functions import entry_of
from theory.temporal import put_at_once


def limit_at(expression: Expr, x: Symbol, end: Expr, from_above: bool) -> Expr | None:
    """The limit as a variable tends to an end, finite or not, from above or from below; None where it is not known.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> limit_at(x * log(x) + y, x, Integer(0), from_above=True), limit_at(log(1 + exp(x)) - x, x, oo, False)
    (y, 0)
    >>> limit_at(x * exp(-x), x, -oo, True), limit_at(exp(x) / x, x, oo, False) is None
    (-oo, True)
    """
    small = sp.Dummy("t", positive=True)
    near = {oo: 1 / small, -oo: -1 / small}.get(end, end + small if from_above else end - small)
    forms = [expression, rewritten(expression, (x,)) if end.is_infinite else expression]
    for form in dict.fromkeys((*forms, *map(expanded, forms))):
        if not form.is_commutative or form.has(sp.nan, sp.zoo, oo):
            continue
        found = _limit(put_at_once(form, {x: near}), small)
        if found is not None:
            return found
    return None


def _limit(part: Expr, t: Symbol) -> Expr | None:
    if not part.has(t):
        return None if part.has(sp.nan, sp.zoo) else part
    rational = _as_rational(part, t)
    if rational is not None:
        return _of_rational(*rational)
    if isinstance(part, Add):
        logs = _of_logarithms(part, t)
        if logs is not None:
            value, rest = logs
            return _of_sum([value, *(_limit(one, t) for one in rest)])
        return _of_sum([_limit(one, t) for one in part.args])
    if isinstance(part, Mul):
        return _of_product(part, t)
    if isinstance(part, exp):
        inner = _limit(part.args[0], t)
        return None if inner is None else Integer(0) if inner == -oo else oo if inner == oo else exp(inner)
    if isinstance(part, Pow):
        return _of_power(part, t)
    return _of_function(part, t)


def _as_rational(part: Expr, t: Symbol) -> tuple[sp.Poly, sp.Poly] | None:
    """Numerator and denominator of a rational function of t, whose coefficients may have other symbols."""
    if part.atoms(sp.Function) and any(use.has(t) for use in part.atoms(sp.Function)):
        return None
    if any(use.has(t) and not use.exp.is_Integer for use in part.atoms(Pow)):
        return None
    above, below = quotient(part)
    if not (above.is_polynomial(t) and below.is_polynomial(t)):
        return None
    return sp.Poly(above, t), sp.Poly(below, t)


def _lowest(polynomial: sp.Poly) -> tuple[int, Expr]:
    (order,), value = polynomial.terms()[-1]
    return int(order), value


def _of_rational(above: sp.Poly, below: sp.Poly) -> Expr | None:
    if above.is_zero:
        return Integer(0)
    (upper, first), (lower, last) = _lowest(above), _lowest(below)
    if not _is_certain(last):
        return None
    if upper != lower:
        return Integer(0) if upper > lower else _infinite(first / last)
    return first / last


def _infinite(lead: Expr) -> Expr | None:
    found = None if lead.free_symbols else sign(lead, {})
    return oo if found == 1 else -oo if found == -1 else None


def _of_sum(parts: list[Expr | None]) -> Expr | None:
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    endless = {part for part in known if part in (oo, -oo)}
    if len(endless) > 1:
        return None
    return endless.pop() if endless else Add(*known)


def _of_logarithms(total: Add, t: Symbol) -> tuple[Expr, list[Expr]] | None:
    """The limit of the multiples of logarithms in a sum, and its other terms; None where the former do not cancel.

    For a rational u = a t^k (1 + o(1)) with a > 0 the difference of log(u) and k log(t) tends to log(a).
    """
    value, order, rest, count = Integer(0), Integer(0), [], 0
    for term in total.args:
        scale, call = term.as_independent(t, as_Add=False)
        rational = _as_rational(call.args[0], t) if isinstance(call, log) else None
        if rational is None or rational[0].is_zero:
            rest.append(term)
            continue
        (upper, first), (lower, last) = map(_lowest, rational)
        if not (_is_certain(first) and _is_certain(last)) or sign(first / last, {}) != 1:
            return None
        value, order, count = value + scale * log(first / last), order + scale * (upper - lower), count + 1
    return (value, rest) if count > 1 and same(order, Integer(0)) else None


def _of_product(product: Mul, t: Symbol) -> Expr | None:
    limits = [_limit(one, t) for one in product.args]
    known = [one for one in limits if one is not None]
    if len(known) == len(limits):
        endless = [one for one in known if one in (oo, -oo)]
        if not endless:
            return Mul(*known)
        if not any(one == 0 for one in known):
            rest = Mul(*[one for one in known if one not in endless])
            return _infinite(rest * (-1) ** sum(one == -oo for one in endless))
    return Integer(0) if _vanishes(product, t) else None


def _vanishes(product: Mul, t: Symbol) -> bool:
    """Whether positive powers of t, or an exponential that falls beyond all powers, outweigh logarithms and poles."""
    order, falls = Rational(0), False
    for part in product.args:
        if isinstance(part, exp) and part.has(t):
            inside = _as_rational(part.args[0], t)
            value = None if inside is None else _of_rational(*inside)
            if value is None or value == oo:
                return False
            falls = falls or value == -oo
            continue
        base, power = part.as_base_exp()
        rational = _as_rational(base, t)
        if rational is not None and power.is_Rational and not rational[0].is_zero:
            (upper, first), (lower, last) = map(_lowest, rational)
            if not _is_certain(last) or (power < 0 and not _is_certain(first)):
                return False
            order += power * (upper - lower)
        elif isinstance(base, log) and power.is_Rational and power > 0 and _is_tame(base.args[0], t):
            continue
        else:
            value = _limit(part, t)
            if value is None or value in (oo, -oo):
                return False
    return falls or order > 0


def _is_tame(argument: Expr, t: Symbol) -> bool:
    """Whether an argument of a logarithm lies between two powers of t times constants."""
    rational = _as_rational(argument, t)
    if rational is None or rational[0].is_zero:
        return False
    return all(_is_certain(value) for _, value in map(_lowest, rational))


def _is_certain(lead: Expr) -> bool:
    """Whether a lowest coefficient is a number and not 0."""
    return not lead.free_symbols and sign(lead, {}) in (1, -1)


def _of_power(power: Pow, t: Symbol) -> Expr | None:
    exponent = power.exp
    if not exponent.is_Rational:
        return _limit(exp(exponent * log(power.base), evaluate=False), t)
    inner = _limit(power.base, t)
    if inner is None:
        return None
    if inner == oo:
        return oo if exponent > 0 else Integer(0)
    if inner == -oo:
        if not exponent.is_Integer:
            return None
        return Integer(0) if exponent < 0 else oo if exponent % 2 == 0 else -oo
    if exponent.is_Integer and exponent > 0:
        return inner**exponent
    found = None if inner.free_symbols else sign(inner, {})
    if found == 0:
        if exponent > 0:
            return Integer(0)
        return oo if not exponent.is_Integer or exponent % 2 == 0 else None
    allowed = found == 1 or (found == -1 and exponent.is_Integer)
    return inner**exponent if allowed else None


def _of_function(part: Expr, t: Symbol) -> Expr | None:
    entry = entry_of(part)
    if entry is None or entry.roughness or len(part.args) != 1:
        return None
    inner = _limit(part.args[0], t)
    if inner is None:
        return None
    if inner in (oo, -oo):
        return entry.limits[int(inner == oo)]
    if isinstance(part, log) and not inner.free_symbols and sign(inner, {}) == 0:
        return -oo
    value = part.func(inner, evaluate=False)
    if not entry.is_total and not all(_holds_strictly(condition) for condition in conditions_of(value) or (None,)):
        return None
    return part.func(inner)


def _holds_strictly(condition: Relational | None) -> bool:
    """Whether a condition without symbols holds with room, so that it holds nearby as well."""
    if condition is None:
        return False
    if not isinstance(condition, Relational):
        return bool(condition)
    found = None if condition.free_symbols else sign(condition.lhs - condition.rhs, {})
    allowed = {">": (1,), ">=": (1,), "<": (-1,), "<=": (-1,), "!=": (1, -1)}.get(condition.rel_op, ())
    return found in allowed
