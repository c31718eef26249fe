"""Checks a series proof anew: Taylor coefficients by repeated differentiation, their signs by proofs that replay.

The engine multiplies power series; here every coefficient is a derivative at 0 divided by a factorial, so that the two
routes share nothing but the mathematics. The sign of a coefficient is taken from a stored proof that its own checker
accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import Eq, Expr, Integer, Mul, Pow, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, Implies, Not

from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import UNREADABLE, lowest, quotient
from proofs_check.kernel.gauges import NoProductsError, Size, in_units, is_gauged, largest, products
from proofs_check.kernel.oscillation import along, for_all_values, oscillating
from proofs_check.kernel.point import has_value_at, read, strictly, truth
from proofs_check.kernel.point import sign as sign_at
from proofs_check.kernel.taylor import HIGHEST, coefficients, continued, first, has_value
from theory.language.definedness import at_risk, continuity, demands, put
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Exists, ForAll, ForSmall, Scaling, is_plain, negation, put_at_once, substitute


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the local statement follows by differentiation at 0."""
    if certificate.get("kind") != "series":
        return False
    return holds(statement, certificate, Shown(stored(certificate)))


def stored(certificate: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The proofs of conditions that a certificate carries."""
    return list(certificate.get("obligations", ()))


def holds(statement: Statement, certificate: Mapping[str, Any], shown: Shown) -> bool:
    """The same, with what shows the conditions."""
    conclusion = statement.conclusion
    parts = clauses(conclusion)
    if "point" in certificate:
        point, quarter = read(certificate["point"]), certificate.get("quarter")
        return _refuted(statement, parts[certificate["part"]], point, quarter, shown)
    given = tuple(part for part in statement.hypotheses if is_plain(part))
    start = Local(dict(statement.variables), given, sp.Dummy(), shown)
    return all(_part(part, start) for part in parts)


def _refuted(statement: Statement, part: Boolean, point: dict[Symbol, Expr], quarter: int | None, shown: Shown) -> bool:
    """Whether the point satisfies the hypotheses, and the opposite of one part of the conclusion holds there.

    For all small values, or for those that tend to 0 and at which the sines have their values at so many quarters.
    """
    whole = all(value.is_Integer for symbol, value in point.items() if symbol in statement.integers)
    small = part.small if isinstance(part, Scaling) else sp.Dummy()
    near = [given for given in statement.hypotheses if given.has(small)]
    if set(point) != set(statement.variables) - {small}:
        return False
    if not whole or any(truth(given, point) is not True for given in statement.hypotheses if given not in near):
        return False
    if not has_value_at(part, point):
        return False
    there = Local({}, (), small, shown)
    if isinstance(part, Scaling):
        reached = all(_soon(substitute(given, point), there) for given in near)
        return reached and _other_order(put_at_once(part, point), there)
    if isinstance(part, ForSmall):
        opposite, there = negation(substitute(part.body, point)), replace(there, small=part.symbol)
        return _soon(opposite, there) if quarter is None else _on_a_sequence(opposite, quarter, there)
    return False


def _on_a_sequence(opposite: Boolean, quarter: int, local: Local) -> bool:
    """Whether a formula, in which all terms have values, holds where the sines in it are at so many quarters."""
    asked = [condition for part in opposite.atoms(Relational) for condition in demands(part.args)]
    moved = [along(part, local.small, quarter) if oscillating(part, local.small) else part for part in asked]
    claims = [along(opposite, local.small, quarter), *moved]
    return all(claim is not None and _soon(claim, local) for claim in claims)


@dataclass(frozen=True)
class Local:
    """Variables and hypotheses, the small symbol, and inner variables in [0, 1] with their open ends."""

    variables: Mapping[Symbol, sp.Set]
    given: tuple[Boolean, ...]
    small: Symbol
    shown: Shown
    inner: tuple[Symbol, ...] = ()
    open_ends: frozenset[tuple[Symbol, int]] = frozenset()

    def follows(self, condition: Boolean) -> bool:
        """Whether a condition holds for all values of the variables and of the inner ones in it."""
        used = [s for s in self.inner if condition.has(s)]
        variables = {**self.variables, **{s: sp.Interval(0, 1) for s in used}}
        bounds = [bound for s in used for bound in (sp.Ge(s, 0), sp.Le(s, 1))]
        return self.shown.follows(condition, variables, (*self.given, *bounds))


def _part(part: Boolean, local: Local) -> bool:
    if isinstance(part, Scaling):
        others = {symbol: domain for symbol, domain in local.variables.items() if symbol != part.small}
        given = tuple(one for one in local.given if not one.has(part.small))
        alone = replace(local, small=part.small, variables=others, given=given)
        return all(_soon(one, alone) for one in local.given if one.has(part.small)) and _scaling(part, alone)
    if isinstance(part, ForSmall):
        return part.symbol not in local.variables and _soon(part.body, replace(local, small=part.symbol))
    if isinstance(part, Exists) and isinstance(part.domain, sp.Interval) and part.domain.start == 0:
        reaches = part.domain.end is oo or (part.domain.end.is_Rational and part.domain.end > 0)
        return (
            bool(reaches) and part.symbol not in local.variables and _soon(part.body, replace(local, small=part.symbol))
        )
    return False


def _soon(body: Boolean, local: Local) -> bool:
    """Whether a formula holds for all small values."""
    if body == sp.true:
        return True
    if isinstance(body, sp.And):
        return all(_soon(part, local) for part in body.args)
    if isinstance(body, sp.Or):
        return any(_soon(part, local) for part in body.args)
    if isinstance(body, Implies):
        return _soon(sp.Or(negation(body.args[0]), body.args[1]), local)
    if isinstance(body, Not):
        return _soon(negation(body.args[0]), local)
    if isinstance(body, (ForAll, Exists)) and isinstance(body.domain, sp.Interval):
        return _quantified(body, local)
    if isinstance(body, Relational):
        sides = [condition for condition in at_risk(body) if condition != sp.true]
        return all(isinstance(side, Relational) and _single(side, local) for side in sides) and _single(body, local)
    return False


def _single(relation: Relational, local: Local) -> bool:
    """A relation in a root of the small symbol where it has roots, and whatever bounded sines do.

    Both may hide that a term has no value, so that all that is asked for a value is shown of the relation as it was.
    """
    try:
        plain, _ = in_units(relation, local.small)
    except NoProductsError:
        return False
    bounded = for_all_values(plain, local.small)
    if plain != relation or bounded is not None:
        asked = [condition for condition in demands(relation.args) if condition != sp.true]
        if not all(isinstance(condition, Relational) and _single(condition, local) for condition in asked):
            return False
    if bounded is not None:
        return all(_soon(part, local) for part in bounded)
    return _relation(plain, local) if isinstance(plain, Relational) else bool(plain == sp.true)


def _quantified(claim: ForAll | Exists, local: Local) -> bool:
    low, high, x = claim.domain.start, claim.domain.end, claim.symbol
    if low.is_infinite or high.is_infinite:
        return False
    s = Symbol(f"{x.name}'")
    if s in local.inner or s in local.variables or claim.has(s):
        return False
    ends = {(s, 0)} if claim.domain.left_open else set()
    ends |= {(s, 1)} if claim.domain.right_open else set()
    inside = replace(local, inner=(*local.inner, s), open_ends=local.open_ends | ends)
    value = low + (high - low) * s
    if isinstance(claim, ForAll):
        return _soon(put(claim.body, x, value), inside)
    if not _soon(sp.Gt(high, low), local):
        return False
    parts = clauses(claim.body)
    equations = [part for part in parts if isinstance(part, Eq) and part.has(x)]
    if not equations:
        places = [0] * (not claim.domain.left_open) + [1] * (not claim.domain.right_open)
        places += [Integer(1) / 2, *(local.small**k for k in (1, 2, 3)), *(1 - local.small**k for k in (1, 2, 3))]
        return any(_soon(substitute(claim.body, {x: low + (high - low) * place}), local) for place in places)
    if len(equations) > 1:
        return False
    gap = equations[0].lhs - equations[0].rhs
    rest = substitute(sp.And(*[part for part in parts if part != equations[0]]), {x: value})
    smooth = all(_continuous(side, x, value, inside) for side in equations[0].args)
    if not smooth:
        return False
    changes = sp.Lt(put_at_once(gap, {x: low}) * put_at_once(gap, {x: high}), 0)
    return _soon(changes, local) and _soon(rest, inside)


def _continuous(side: Expr, x: Symbol, value: Expr, inside: Local) -> bool:
    """Whether one side of an equation is continuous between the ends: by its coefficients if it is a polynomial."""
    if not side.is_polynomial(x):
        return _analytic(put_at_once(side, {x: value}), inside)
    return all(isinstance(part, Relational) and _single(part, inside) for part in demands([side]))


def _relation(body: Relational, local: Local) -> bool:
    smooth = _smooth(body.lhs - body.rhs, local)
    if smooth is None or smooth.has(sp.nan, sp.zoo, oo):
        return False
    gap = smooth
    signs = {sp.Gt: (1,), sp.Lt: (-1,), sp.Ge: (1,), sp.Le: (-1,), sp.Ne: (1, -1), Eq: ()}[body.func]
    if isinstance(body, (sp.Ge, sp.Le, Eq)) and gap.count_ops() < 400 and same(gap, Integer(0)):
        return _has_values(demands(body.args), local)
    loose = isinstance(body, (sp.Ge, sp.Le))
    return any(_strict_sign(gap, sign, local, loose) for sign in signs)


def _smooth(expression: Expr, local: Local) -> Expr | None:
    """An expression whose kinks are replaced by the branch that is taken near 0; None where that is not known."""
    kinks = [part for part in expression.atoms(sp.Abs, sp.Max, sp.Min) if part.has(local.small)]
    if not kinks:
        return expression
    inner = next(part for part in kinks if not any(one.has(sp.Abs, sp.Max, sp.Min) for one in part.args))
    values = (inner.args[0], -inner.args[0]) if isinstance(inner, sp.Abs) else inner.args
    smaller = isinstance(inner, sp.Min)
    for value in values:
        if all(_soon((sp.Le if smaller else sp.Ge)(value, other), local) for other in values if other != value):
            return _smooth(expression.xreplace({inner: value}), local)
    return None


def _gauged_sign(expression: Expr, sign: int, local: Local) -> bool:
    """The sign by the largest product of powers, logarithms and flat functions, for fixed values of the others."""
    found = None if local.inner else _size(expression, local)
    return found is not None and local.follows(sp.Gt(sign * found[1], 0))


def _size(expression: Expr, local: Local) -> tuple[Size, Expr] | None:
    """The largest product and its coefficient, numerator over denominator."""
    sizes = []
    for part in _in_lowest_terms(expression, local) or ():
        try:
            terms = products(part, local.small)
        except NoProductsError:
            return None
        found = largest(terms, lambda value: _order_and_lead(value, local), lambda value: same(value, Integer(0)))
        if found is None:
            return None
        sizes.append(found)
    if not sizes:
        return None
    (above, lead), (below, last) = sizes
    if last != 1 and not local.follows(sp.Ne(last, 0)):
        return None
    return (above[0] - below[0], above[1] - below[1], above[2] - below[2]), lead / last


def _order_and_lead(value: Expr, local: Local) -> tuple[int, Expr] | None:
    """As by differentiation, with a power of the small symbol taken out first: it may be high."""
    rest, power = value.as_coeff_exponent(local.small)
    if not power.is_Integer:
        return _leading(value, local, False)
    found = _leading(rest, local, False)
    return None if found is None else (found[0] + int(power), found[1])


def _strict_sign(expression: Expr, sign: int, local: Local, loose: bool) -> bool:
    if is_gauged(expression, local.small):
        return _gauged_sign(expression, sign, local)
    total: Expr = Integer(sign)
    single = None
    for part in Mul.make_args(expression):
        odd = isinstance(part, Pow) and part.exp.is_Integer and part.exp % 2
        found = _leading(part.base if odd else part, local, loose and not (odd and part.exp < 0))
        if found is None:
            return False
        single = found[0]
        total *= found[1]
    if local.follows(sp.Gt(total, 0)):
        return True
    if local.inner or single is None or not local.follows(sp.Ge(total, 0)):
        return False
    narrowed = replace(local, given=(*local.given, Eq(total, 0)))
    symbols = sorted(total.free_symbols & set(local.variables), key=str) if loose else []
    if any(same(put_at_once(expression, {v: Integer(0)}), Integer(0)) and narrowed.follows(Eq(v, 0)) for v in symbols):
        return True
    following = expression - total * sign * local.small**single
    return not isinstance(expression, Mul) and _strict_sign(following, sign, narrowed, loose)


def _analytic(expression: Expr, local: Local) -> bool:
    """Conditions for a power series at 0, taken strictly and at the value 0 of the small symbol."""
    conditions = continuity(expression)
    if conditions is None or any(kink.has(local.small) for kink in expression.atoms(sp.Abs, sp.Max, sp.Min)):
        return False
    return all(local.follows(put_at_once(strictly(condition), {local.small: Integer(0)})) for condition in conditions)


def _leading(part: Expr, local: Local, loose: bool) -> tuple[int, Expr] | None:
    """Order and leading coefficient of one factor, exact powers of s and 1 - s divided out."""
    parts = _regular(part, local)
    if parts is None:
        return None
    above, below = parts
    start, last = first(above, local.small), first(below, local.small)
    if start is None or last is None:
        return None
    if below != 1 and not local.follows(sp.Ne(last[1], 0)):
        return None
    lead = lowest(start[1] / last[1])
    for s in local.inner:
        for end in (0, 1):
            slope = part
            while (
                (loose or (s, end) in local.open_ends)
                and same(put_at_once(lead, {s: Integer(end)}), Integer(0))
                and same(put_at_once(slope, {s: Integer(end)}), Integer(0))
            ):
                lead, slope = lowest(lead / (s if end == 0 else 1 - s)), sp.diff(slope, s)
    return start[0] - last[0], lead


def _regular(part: Expr, local: Local) -> tuple[Expr, Expr] | None:
    """Numerator and denominator of what continues an expression, each with a Taylor series at 0."""

    def allowed(above: Expr, below: Expr, lead: Expr) -> bool:
        return _analytic(above, local) and _analytic(below, local) and local.follows(sp.Ne(lead, 0))

    found = continued(part, local.small, allowed)
    if found is None:
        return None
    whole = not found.is_rational_function() and has_value(found, local.small)
    parts = (found, Integer(1)) if whole else _in_lowest_terms(found, local)
    return parts if parts is not None and all(_analytic(one, local) for one in parts) else None


def _in_lowest_terms(expression: Expr, local: Local) -> tuple[Expr, Expr] | None:
    """Numerator and denominator; None where functions that cancel may have no values."""
    try:
        parts = quotient(expression)
    except UNREADABLE:
        return None
    shown = demands(parts)
    return parts if _has_values([one for one in demands([expression]) if one not in shown], local) else None


def _has_values(wanted: list[Boolean], local: Local) -> bool:
    """Whether conditions of functions and roots hold; of poles those are asked for that cancel."""
    rest = [one for one in wanted if not (isinstance(one, sp.Ne) and one.lhs.is_rational_function())]
    return all(isinstance(one, Relational) and _single(one, local) for one in rest if one != sp.true)


def _in_whole_powers(law: Scaling, local: Local) -> tuple[Expr, Expr] | None:
    """The quantity in a root of the small symbol and without powers of it as factors, and the power that is claimed."""
    asked = [condition for condition in demands((law.quantity,)) if condition != sp.true]
    try:
        quantity, root = in_units(law.quantity, law.small)
    except NoProductsError:
        return None
    if quantity != law.quantity and not all(isinstance(one, Relational) and _single(one, local) for one in asked):
        return None
    rest, power = quantity.as_coeff_exponent(law.small)
    return (rest, law.exponent * root - power) if power.is_Integer else (quantity, law.exponent * root)


def compared(law: Scaling, size: Size, claimed: Expr) -> bool:
    """Whether a product of powers, logarithms and flat functions is as large, for small values, as the law says."""
    power = (Fraction(0), Fraction(int(claimed.p), int(claimed.q)), Fraction(0))
    return bool({"at most": size >= power, "at least": size <= power, "equal": size == power}[law.sense])


def _other_order(law: Scaling, local: Local) -> bool:
    """Whether a quantity without parameters has another order than claimed, or is 0 altogether."""
    whole = _in_whole_powers(law, local)
    if whole is None:
        return False
    quantity, claimed = whole
    if same(quantity, Integer(0)):
        return law.sense != "at most"
    if is_gauged(quantity, law.small):
        size = _size(quantity, local)
        return size is not None and local.follows(sp.Ne(size[1], 0)) and not compared(law, size[0], claimed)
    orders = [_order(part, law.small) for part in _regular(quantity, local) or ()]
    if not orders:
        return False
    if orders[0] is None or orders[1] is None:
        return False
    found = orders[0] - orders[1]
    return bool({"at most": found < claimed, "at least": found > claimed, "equal": found != claimed}[law.sense])


def _order(part: Expr, small: Symbol) -> int | None:
    """The order of the first coefficient that is not 0, where all before it certainly are."""
    for order, value in coefficients(part, small):
        found = sign_at(value, {})
        if found is None:
            return None
        if found:
            return order
    return None


def _scaling(law: Scaling, local: Local) -> bool:
    whole = _in_whole_powers(law, local)
    if whole is None:
        return False
    quantity, claimed = whole
    if is_gauged(quantity, law.small):
        size = _size(quantity, local)
        return size is not None and local.follows(sp.Ne(size[1], 0)) and compared(law, size[0], claimed)
    parts = _regular(quantity, local)
    if parts is None:
        return False
    above, below = parts
    last = first(below, law.small)
    if last is None:
        return False
    if below != 1 and not local.follows(sp.Ne(last[1], 0)):
        return False
    lower = []
    at: Expr = Integer(0)
    for order, value in coefficients(above, law.small):
        if order - last[0] > claimed:
            break
        if order - last[0] < claimed:
            lower.append(value)
        if order - last[0] == claimed:
            at = lowest(value / last[1])
    if claimed + last[0] > HIGHEST - 1:
        return False
    vanish = all(same(value, Integer(0)) or local.follows(Eq(lowest(value), 0)) for value in lower)
    if law.sense == "at most":
        return vanish
    if law.sense == "equal":
        return vanish and local.follows(sp.Ne(at, 0))
    return any(local.follows(sp.Ne(lowest(value), 0)) for value in (*lower, at))
