"""What holds for all small positive values of a symbol, from the leading coefficients of exact power series.

For fixed values of the outer variables an analytic function has the sign of its leading coefficient near 0. A variable
that is quantified inside must be treated uniformly: it is charted to [0, 1], and the leading coefficient, after exact
powers of s and 1 - s are divided out, must keep its sign on the closed interval; by compactness the remainder is then
uniformly smaller. All sign conditions on coefficients are obligations for the provers of plain goals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import (
    And,
    Expr,
    I,
    Integer,
    Interval,
    Mul,
    Pow,
    Set,
    Symbol,
    cancel,
    false,
    fraction,
    nan,
    oo,
    together,
    true,
    zoo,
)
from sympy.core.relational import Eq, Ge, Gt, Le, Relational
from sympy.logic.boolalg import Boolean, Implies, Not, Or

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics.series import NoSeriesError, Series, expansion
from proofs_check.engines.cover.factoring import is_zero
from proofs_check.engines.discharge import discharge
from proofs_check.goals import Goal
from proofs_check.kernel.gauges import NoProductsError, Size, is_gauged, largest, products
from proofs_check.kernel.oscillation import for_all_values
from proofs_check.verdict import Outcome
from theory.language.definedness import at_risk, continuity, put
from theory.language.definedness import demands as asked_for_values
from theory.language.formulas import SIGNS, clauses
from theory.temporal import Exists, ForAll, negation, substitute

TERMS = (6, 12, 24)
_FEW_TERMS = (1, 2, TERMS[0])
"""Enough to know that there is a series: what it demands are leading coefficients."""
_MOST_POWERS = 16
_MOST_TO_EXPAND = 400


@dataclass(frozen=True)
class Setting:
    """Outer variables with hypotheses, the small symbol, and the inner variables that range over [0, 1]."""

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    small: Symbol
    budget: Budget
    uniform: tuple[Symbol, ...] = ()
    open_ends: frozenset[tuple[Symbol, int]] = frozenset()
    obligations: list[dict[str, Any]] = field(default_factory=list, compare=False)
    expanded: dict[tuple[Expr, int], Any] = field(default_factory=dict, compare=False)

    def series(self, expression: Expr, terms: int) -> tuple[Series, tuple[Boolean, ...]]:
        """The expansion in the small symbol, computed once."""
        key = (expression, terms)
        if key not in self.expanded:
            try:
                self.expanded[key] = expansion(expression, self.small, terms, self.budget)
            except NoSeriesError as error:
                self.expanded[key] = error
        found = self.expanded[key]
        if isinstance(found, NoSeriesError):
            raise found
        return found

    def shown(self, condition: Boolean) -> bool:
        """Whether a condition on the coefficients follows from the hypotheses; records how."""
        if condition == true:
            return True
        if condition == false or self.budget.spent:
            return False
        variables = {**self.variables, **{s: Interval(0, 1) for s in self.uniform if condition.has(s)}}
        extra = [h for s in self.uniform if condition.has(s) for h in (Ge(s, 0), Le(s, 1))]
        goal = Goal(variables, (*self.hypotheses, *extra), condition)
        verdict = discharge(goal, self.budget)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return False
        self.obligations.append({"condition": condition, "goal": goal, "verdict": verdict})
        return True


def eventually(body: Boolean, setting: Setting) -> bool:
    """Whether a formula holds for all small positive values of the symbol, uniformly in the inner variables."""
    if body in (true, false):
        return bool(body == true)
    if isinstance(body, And):
        return all(eventually(part, setting) for part in body.args)
    if isinstance(body, Or):
        return any(eventually(part, setting) for part in body.args)
    if isinstance(body, (Implies, Not)):
        return eventually(_without_implication(body), setting)
    if isinstance(body, ForAll):
        return _for_all(body, setting)
    if isinstance(body, Exists):
        return _exists(body, setting)
    if isinstance(body, Relational):
        bounded = for_all_values(body, setting.small)
        if bounded is not None:
            return all(eventually(part, setting) for part in bounded)
        wanted = SIGNS.get(body.func)
        defined = all(_defined(condition, setting) for condition in at_risk(body))
        return wanted is not None and defined and _sign_is(body.lhs - body.rhs, wanted, setting)
    return False


def _defined(condition: Boolean, setting: Setting) -> bool:
    if not isinstance(condition, Relational):
        return bool(condition == true)
    return _sign_is(condition.lhs - condition.rhs, SIGNS[condition.func], setting)


def _without_implication(body: Boolean) -> Boolean:
    if isinstance(body, Implies):
        return Or(negation(body.args[0]), body.args[1])
    return negation(body.args[0])


def charted(quantified: ForAll | Exists, setting: Setting) -> tuple[Symbol, Expr, Setting] | None:
    """The bound symbol as low + (high - low) s with s in [0, 1], once high > low is shown for small values."""
    domain = quantified.domain
    if not isinstance(domain, Interval) or not (
        domain.start.is_finite is not False and domain.end.is_finite is not False
    ):
        return None
    s = Symbol(f"{quantified.symbol.name}'")
    if s in setting.uniform or s in setting.variables or quantified.has(s):
        return None
    ends = {(s, 0)} if domain.left_open else set()
    ends |= {(s, 1)} if domain.right_open else set()
    inner = replace(setting, uniform=(*setting.uniform, s), open_ends=setting.open_ends | ends)
    value = domain.start + (domain.end - domain.start) * s
    return s, value, inner


def _for_all(claim: ForAll, setting: Setting) -> bool:
    found = charted(claim, setting)
    if found is None:
        return False
    _, value, inner = found
    return eventually(put(claim.body, claim.symbol, value), inner)


def _exists(claim: Exists, setting: Setting) -> bool:
    """By a simple member of the interval, or by a change of sign between its ends."""
    found = charted(claim, setting)
    if found is None:
        return False
    _, value, inner = found
    low, high = claim.domain.start, claim.domain.end
    if not eventually(Gt(high, low), setting):
        return False
    parts = clauses(claim.body)
    equations = [part for part in parts if isinstance(part, Eq) and part.has(claim.symbol)]
    if not equations:
        return any(
            eventually(substitute(claim.body, {claim.symbol: place}), setting) for place in _members(claim, setting)
        )
    if len(equations) > 1:
        return False
    difference = equations[0].lhs - equations[0].rhs
    rest = [part for part in parts if part != equations[0]]
    first, last = difference.subs(claim.symbol, low), difference.subs(claim.symbol, high)
    if not has_sign(first * last, -1, setting):
        return False
    smooth = replace(inner, open_ends=setting.open_ends)
    regular = all(_regular(side.subs(claim.symbol, value), smooth) for side in equations[0].args)
    return regular and eventually(substitute(And(*rest), {claim.symbol: value}), inner) if rest else regular


def _members(claim: Exists, setting: Setting) -> Iterator[Expr]:
    """Simple members of an interval: its ends where they belong to it, its middle, and places close to the ends."""
    low, high = claim.domain.start, claim.domain.end
    if not claim.domain.left_open:
        yield low
    if not claim.domain.right_open:
        yield high
    yield (low + high) / 2
    for power in (1, 2, 3):
        yield low + (high - low) * setting.small**power
        yield high - (high - low) * setting.small**power


def _regular(expression: Expr, setting: Setting) -> bool:
    """Continuity in the inner variables: a polynomial needs coefficients with values, others what their series need."""
    if all(expression.is_polynomial(s) for s in setting.uniform):
        return all(_defined(condition, setting) for condition in asked_for_values((expression,)))
    for terms in _FEW_TERMS:
        try:
            _, needed = setting.series(expression, terms)
        except NoSeriesError:
            continue
        return all(setting.shown(demand) for demand in needed)
    return False


def _sign_is(expression: Expr, wanted: Collection[int], setting: Setting) -> bool:
    if expression.has(nan, zoo, oo, I):
        return False
    if expression.count_ops() < _MOST_TO_EXPAND and is_zero(expression):
        return 0 in wanted
    return any(has_sign(expression, sign, setting, 0 in wanted) for sign in wanted if sign)


def has_sign(expression: Expr, sign: int, setting: Setting, or_zero: bool = False) -> bool:
    """Whether an expression has a sign for all small positive values of the symbol; strictly, unless `or_zero`."""
    if is_gauged(expression, setting.small):
        return _gauged(expression, sign, setting)
    first = Integer(1)
    rest: tuple[Expr, ...] = ()
    factors = _factors(expression)
    for factor, inverted in factors:
        found = _lead(factor, setting, or_zero and not inverted)
        if found is None:
            return False
        first, rest = first * found[0], found[1:]
    ahead = (first, *rest) if len(factors) == 1 else (first,)
    return _leading(ahead, sign, setting) or (or_zero and _vanishing(expression, first, sign, setting))


def _gauged(expression: Expr, sign: int, setting: Setting) -> bool:
    """Whether an expression with log(e) or exp(-1/e) has a sign, for fixed values of everything else."""
    found = None if setting.uniform else size_of(expression, setting)
    return found is not None and setting.shown(Gt(sign * found[1], 0))


def size_of(expression: Expr, setting: Setting) -> tuple[Size, Expr] | None:
    """The largest product of powers, logarithms and flat functions, and its coefficient."""
    sizes = []
    for part in fraction(together(expression)):
        try:
            terms = products(part, setting.small)
        except NoProductsError:
            return None
        found = largest(terms, lambda coefficient: _order_and_lead(coefficient, setting), is_zero)
        if found is None:
            return None
        sizes.append(found)
    (above, lead), (below, last) = sizes
    return (above[0] - below[0], above[1] - below[1], above[2] - below[2]), lead / last


def _order_and_lead(coefficient: Expr, setting: Setting) -> tuple[int, Expr] | None:
    for terms in TERMS:
        try:
            series, demands = setting.series(coefficient, terms)
        except NoSeriesError:
            return None
        if series.coefficients:
            shown = not any(c.has(I) for c in series.coefficients) and all(map(setting.shown, demands))
            return (series.valuation, series.coefficients[0]) if shown else None
    return None


def _lead(expression: Expr, setting: Setting, or_zero: bool) -> tuple[Expr, ...] | None:
    """The leading coefficients of one factor, its demands shown and positive powers divided out."""
    if not expression.has(setting.small):
        defined = continuity(expression)
        known = defined is not None and all(map(setting.shown, defined))
        return _without_powers(expression, Series(0, (expression,)), setting, or_zero) if known else None
    for terms in TERMS:
        try:
            series, demands = setting.series(expression, terms)
        except NoSeriesError:
            return None
        if series.coefficients:
            shown = not any(c.has(I) for c in series.coefficients) and all(map(setting.shown, demands))
            return _without_powers(expression, series, setting, or_zero) if shown else None
    return None


def _vanishing(expression: Expr, first: Expr, sign: int, setting: Setting) -> bool:
    """The leading coefficient is nonnegative, and where it vanishes the whole expression does."""
    if setting.uniform or not setting.shown(Ge(first * sign, 0)):
        return False
    where = replace(setting, hypotheses=(*setting.hypotheses, Eq(first, 0)))
    return any(
        is_zero(expression.subs(symbol, 0)) and where.shown(Eq(symbol, 0))
        for symbol in sorted(first.free_symbols & set(setting.variables), key=str)
    )


def _factors(expression: Expr) -> list[tuple[Expr, bool]]:
    """Factors that together have the sign of the expression, and whether one stands in a denominator."""
    parts = []
    for part in Mul.make_args(expression):
        odd = isinstance(part, Pow) and part.exp.is_Integer and part.exp % 2
        parts.append((part.base, bool(part.exp < 0)) if odd else (part, False))
    return parts


def _without_powers(expression: Expr, series: Series, setting: Setting, or_zero: bool) -> tuple[Expr, ...]:
    """The leading coefficients after division by exact powers of s and 1 - s; these are positive inside.

    The division is exact for the whole function, not only for its leading coefficient.
    """
    first, *rest = series.coefficients
    for s in setting.uniform:
        for end in (0, 1):
            if not (or_zero or (s, end) in setting.open_ends) or not is_zero(first.subs(s, end)):
                continue
            reduced, power = _divided(first, s, end)
            if not _divides(expression, s, end, power, setting):
                continue
            first, rest = reduced, []
    return (first, *rest)


def _divided(first: Expr, s: Symbol, end: int) -> tuple[Expr, int]:
    """A coefficient without its powers of the distance from an end, and how many there were."""
    distance = s if end == 0 else 1 - s
    for power in range(_MOST_POWERS):
        if not is_zero(first.subs(s, end)):
            return first, power
        first = cancel(first / distance)
    return first, _MOST_POWERS


def _divides(expression: Expr, s: Symbol, end: int, power: int, setting: Setting) -> bool:
    """Whether a power of the distance from an end divides the whole function: its series there starts no earlier."""
    try:
        series, demands = expansion(expression.subs(s, 1 - s) if end else expression, s, power, setting.budget)
    except NoSeriesError:
        return False
    return series.valuation >= power and all(eventually(demand, setting) for demand in demands)


def _leading(coefficients: tuple[Expr, ...], sign: int, setting: Setting) -> bool:
    """The first coefficient has the sign; pointwise, it may vanish where the next one has it."""
    first = coefficients[0] * sign
    if setting.shown(Gt(first, 0)):
        return True
    if setting.uniform or len(coefficients) < 2:
        return False
    if not setting.shown(Ge(first, 0)):
        return False
    narrowed = replace(setting, hypotheses=(*setting.hypotheses, Eq(first, 0)))
    return _leading(coefficients[1:], sign, narrowed)
