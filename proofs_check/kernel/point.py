"""Re-checks a counterexample at a point: rationals exactly, the rest in intervals of growing precision.

Nothing is taken from the engines: quantifiers are opened anew, the formula is walked as it was written, and a number
is only called zero when it is rational or its minimal polynomial says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpz_poly
from sympy import CRootOf, Expr, Lambda, Symbol, minimal_polynomial
from sympy.core.relational import Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not

from proofs_check.kernel.derivatives import carried_out
from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from theory.domains import is_discrete, membership
from theory.language.definedness import continuity, undefined
from theory.language.formulas import compared, joined
from theory.language.functions import entry_of, rough
from theory.statements import Statement
from theory.temporal import Exists, ForAll, negation, put_at_once
from theory.trees import decode

Point = Mapping[Symbol, Expr]

_PRECISIONS = (64, 256, 1024, 4096)
_LARGEST_POWER = 10_000
_MOST_TERMS = 2_000


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the point of the certificate satisfies every hypothesis and violates the conclusion."""
    point = read(certificate["point"])
    domains, wanted, conclusion = opened(statement)
    if statement.speaks_of_state or not set(point) <= set(domains):
        return False
    if statement.uses and certificate.get("functions"):
        return False  # what an earlier step says of all points is a hypothesis about one of them
    for name, symbols, value in certificate.get("functions", ()):
        stand_in = Lambda(tuple(map(decode, symbols)), decode(value))
        if not _is_smooth(stand_in):
            return False
        wanted, conclusion = [_put(part, name, stand_in) for part in wanted], _put(conclusion, name, stand_in)
    if statement.almost_all:
        wanted = [openly(part, set(statement.almost_all)) for part in wanted]
        conclusion = negation(openly(negation(conclusion), set(statement.almost_all)))
    whole = all(point[symbol].is_Integer for symbol, domain in domains.items() if is_discrete(domain))
    return whole and all(truth(part, point) is True for part in wanted) and truth(conclusion, point) is False


def opened(statement: Statement) -> tuple[dict[Symbol, sp.Set], list[Boolean], Boolean]:
    """All variables, hypotheses and the conclusion, without the quantifiers that only add variables."""
    wanted: list[Boolean] = []
    domains = dict(statement.variables)
    for part in statement.hypotheses:
        inside, body = _opened(part, Exists, domains)
        wanted += [*inside, body]
    inside, conclusion = _opened(statement.conclusion, ForAll, domains)
    return domains, [*wanted, *inside], conclusion


def read(pairs: Any) -> dict[Symbol, Expr]:
    """The point that certificate data describe."""
    return {decode(symbol): decode(value) for symbol, value in pairs}


def _opened(
    formula: Boolean, kind: type[Exists | ForAll], domains: dict[Symbol, sp.Set]
) -> tuple[list[Boolean], Boolean]:
    """The body below a prefix of quantifiers, whose symbols get a prime for each time they were used before."""
    inside: list[Boolean] = []
    while isinstance(formula, kind):
        symbol = formula.symbol
        while symbol in domains:
            symbol = Symbol(f"{symbol.name}'")
        domains[symbol] = formula.domain
        inside.append(membership(symbol, formula.domain))
        formula = formula.body.xreplace({formula.symbol: symbol})
    return inside, formula


def openly(formula: Boolean, symbols: set[Symbol]) -> Boolean:
    """A formula that, where it holds, also holds nearby: only strict relations of continuous functions do.

    >>> x = Symbol("x")
    >>> openly(x >= 0, {x})
    x > 0
    """
    if not formula.free_symbols & symbols:
        return formula
    if isinstance(formula, (Not, Implies, Equivalent)):
        return openly(formula.to_nnf(simplify=False), symbols)
    if isinstance(formula, Relational):
        strict = {Le: Lt, Ge: Gt, Lt: Lt, Gt: Gt, Ne: Ne}.get(formula.func)
        where = [continuity(side) for side in formula.args]
        if strict is None or None in where:
            return sp.false
        inner = [strictly(condition) for side in where for condition in side or ()]
        return And(strict(*formula.args, evaluate=False), *inner)
    return formula.func(*[openly(part, symbols) for part in formula.args])


def strictly(condition: Relational) -> Relational:
    """A condition without its edge."""
    return {Le: Lt, Ge: Gt}.get(condition.func, condition.func)(*condition.args)


def _put(formula: Boolean, name: str, stand_in: Lambda) -> Boolean:
    return formula.replace(sp.Function(name), stand_in)


def _is_smooth(function: Lambda) -> bool:
    """Whether it is a function of its own arguments alone that has all derivatives everywhere."""
    return not function.free_symbols and not function.expr.has(*rough()) and continuity(function.expr) == []


def truth(formula: Boolean, point: Point) -> bool | None:
    """Three-valued truth of a plain formula at a point.

    >>> x = Symbol("x")
    >>> truth((x > 1) & (x < 3), {x: sp.Integer(2)}), truth(sp.Eq(x**2, 2), {x: sp.sqrt(2)})
    (True, True)
    """
    if isinstance(formula, Relational):
        return _compared(formula, point)
    return joined(formula, [truth(part, point) for part in formula.args])


def has_value_at(formula: sp.Basic, point: Point) -> bool:
    """Whether the point leaves every part of a formula or an expression its value, as far as the point decides that.

    >>> x, y = sp.symbols("x y")
    >>> has_value_at(sp.log(x) ** 2 > y, {x: sp.Integer(-1)}), has_value_at(sp.log(y) > x, {x: sp.Integer(-1)})
    (False, True)
    """
    places = [place for part in formula.atoms(Relational) or {formula} for place in undefined(part)]
    return all(truth(place, point) is False for place in places if place.free_symbols <= set(point))


def _compared(relation: Relational, point: Point) -> bool | None:
    left, right = relation.args
    if relation.has(sp.Derivative, sp.Subs):
        if any(truth(place, point) is not False for place in undefined(relation)):
            return None
        left, right = carried_out(left), carried_out(right)
    found = sign(left, point, right)
    return None if found is None else compared(relation.func, {found})


def sign(expression: Expr, point: Point, minus: Expr = sp.S.Zero) -> int | None:
    """The sign of a difference at a point: -1, 0 or 1; None where it is undefined or cannot be told.

    >>> x = Symbol("x")
    >>> sign(sp.exp(x), {x: sp.Integer(1)}, sp.Rational(19, 7)), sign(1 / x, {x: sp.Integer(0)})
    (1, None)
    """
    try:
        left, right = chosen(expression, point), chosen(minus, point)
        exactly = rational(left, point), rational(right, point)
        if exactly[0] is not None and exactly[1] is not None:
            return (exactly[0] > exactly[1]) - (exactly[0] < exactly[1])
        return _enclosed_sign(left, right, point)
    except (UndefinedError, ZeroDivisionError, KeyError):
        return None


def _enclosed_sign(left: Expr, right: Expr, point: Point) -> int | None:
    previous = ctx.prec
    try:
        for precision in _PRECISIONS:
            ctx.prec = precision
            signs = _signs(left, right, point)
            if len(signs) == 1:
                return signs.pop()
    finally:
        ctx.prec = previous
    return 0 if signs and _is_zero(put_at_once(left - right, point)) else None


def _signs(left: Expr, right: Expr, point: Point) -> set[int]:
    """The signs that a difference may have at the current precision; none where it may be undefined."""
    try:
        sides = {symbol: enclosed(value) for symbol, value in point.items()}
        both = evaluate(left, sides), evaluate(right, sides)
    except UndefinedError:
        return set()
    bounded = all(end.is_finite() for side in both for end in (side.low, side.high))
    return (both[0] - both[1]).sign() if bounded else set()


def enclosed(number: Expr) -> Interval:
    """An interval around an exact number at the current precision."""
    if not isinstance(number, CRootOf):
        places = {root: Symbol(f"root {k}") for k, root in enumerate(number.atoms(CRootOf))}
        return evaluate(number.xreplace(places), {name: enclosed(root) for root, name in places.items()})
    polynomial = fmpz_poly([int(c) for c in reversed(number.poly.all_coeffs())])
    reals = sorted((root.real for root, _ in polynomial.complex_roots() if root.imag.is_zero()), key=arb.mid)
    return Interval.around(reals[number.index])


def chosen(expression: Expr, point: Point) -> Expr:
    """The expression with what the point settles put in: branches, steps, sums written out; otherwise as written.

    >>> k, n = sp.symbols("k n")
    >>> chosen(sp.Sum(k**2, (k, 1, n)) - sp.Heaviside(n), {n: sp.Integer(3)})
    -1*1 + (1 + 4 + 9)
    """
    if not expression.has(*_SETTLED) and not any(map(_is_root, expression.atoms(sp.Pow))):
        return expression
    if _is_root(expression) and sign(expression.base, point) == 0:  # intervals never tell whether zero is negative
        return sp.S.Zero
    if isinstance(expression, sp.Piecewise):
        for branch, condition in expression.args:
            holds = truth(condition, point)
            if holds is None:
                break
            if holds:
                return chosen(branch, point)
        raise UndefinedError
    if isinstance(expression, sp.Heaviside):
        found = sign(expression.args[0], point)
        if found is None:
            raise UndefinedError
        return (sp.S.Zero, expression.args[1], sp.S.One)[found + 1]
    if isinstance(expression, (sp.Sum, sp.Product)):
        kind = sp.Add if isinstance(expression, sp.Sum) else sp.Mul
        return kind(*[chosen(term, point) for term in _terms(expression, point)], evaluate=False)
    if isinstance(expression, (sp.floor, sp.ceiling)) and has_value_at(expression, point):
        inner = put_at_once(expression.args[0], point)
        if inner.is_Rational:  # intervals never tell on which side of a whole number a root of it lies
            return expression.func(inner)
    real = isinstance(expression, sp.LambertW) and expression.args[1:] in ((), (0,), (-1,))
    if real and put_at_once(expression.args[0], point) == -sp.exp(-1):
        return sp.S.NegativeOne  # where both real branches end
    parts = [chosen(part, point) for part in expression.args]
    written = isinstance(expression, (sp.Add, sp.Mul, sp.Pow))
    return expression.func(*parts, evaluate=False) if written else expression.func(*parts)


def _is_root(expression: Expr) -> bool:
    return (
        isinstance(expression, sp.Pow) and expression.exp.is_Rational and expression.exp.q > 1 and expression.exp.p > 0
    )


_SETTLED = (sp.Piecewise, sp.Heaviside, sp.Sum, sp.Product, sp.LambertW, sp.floor, sp.ceiling)


def _terms(series: sp.Sum | sp.Product, point: Point) -> list[Expr]:
    """The terms of a sum or product between whole numbers."""
    *inner, (symbol, low, high) = series.limits
    first, last = rational(low, point), rational(high, point)
    if first is None or last is None or not first.denominator == last.denominator == 1:
        raise UndefinedError
    if not -1 <= last - first < _MOST_TERMS:
        raise UndefinedError
    body = series.func(series.function, *inner) if inner else series.function
    return [put_at_once(body, {symbol: sp.Integer(int(value))}) for value in range(int(first), int(last) + 1)]


def rational(expression: Expr, point: Point) -> Fraction | None:
    """The value in fractions, None where it is no rational expression of rational numbers.

    >>> x = Symbol("x")
    >>> rational(x**2 / 3, {x: sp.Rational(1, 2)}), rational(sp.sqrt(x), {x: sp.Rational(1, 2)})
    (Fraction(1, 12), None)
    """
    if isinstance(expression, Symbol):
        expression = point[expression]
    if isinstance(expression, sp.Rational):
        return Fraction(int(expression.p), int(expression.q))
    if isinstance(expression, sp.Pow):
        return _rational_power(expression, point)
    entry = entry_of(expression)
    exactly = None if entry is None else entry.exactly
    if exactly is None and not isinstance(expression, (sp.Add, sp.Mul)):
        return None
    known: list[Fraction] = []
    for part in expression.args:
        value = rational(part, point)
        if value is None:
            return None
        known.append(value)
    if exactly is None:
        return sum(known, Fraction(0)) if isinstance(expression, sp.Add) else prod(known, start=Fraction(1))
    return exactly(*known)


def _rational_power(power: Expr, point: Point) -> Fraction | None:
    base, exponent = rational(power.base, point), rational(power.exp, point)
    if base is None or exponent is None or exponent.denominator != 1 or abs(exponent) > _LARGEST_POWER:
        return None
    return base**exponent.numerator


def _is_zero(number: Expr) -> bool:
    unknown = Symbol("unknown")
    if number.is_Rational or number.is_algebraic is not True:
        return bool(number == 0)
    try:
        return bool(minimal_polynomial(number, unknown) == unknown)
    except (sp.polys.polyerrors.NotAlgebraic, NotImplementedError):
        return False
