"""Scaling laws by exact leading coefficients, and refutations of local claims at exact points of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from math import lcm

from sympy import And, Basic, Dummy, Eq, Expr, Gt, Integer, Lt, Ne, Rational, Set, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics.certificates import certificate
from proofs_check.engines.asymptotics.near_zero import TERMS, Setting, eventually
from proofs_check.engines.asymptotics.series import NoSeriesError, Series, expansion
from proofs_check.engines.cover.existence import simple_members
from proofs_check.engines.cover.factoring import is_zero
from proofs_check.engines.falsify.certificates import pairs
from proofs_check.points.exact import holds
from proofs_check.points.exact import sign as exact_sign
from proofs_check.points.search import Point, Search
from proofs_check.verdict import Evidence, Outcome
from theory.language.definedness import undefined_among
from theory.temporal import Scaling, negation, substitute

_MOST_POINTS = 200
_SUSPECTS = 3


def decide(
    law: Scaling, variables: Mapping[Symbol, Set], hypotheses: tuple[Boolean, ...], budget: Budget
) -> Evidence | None:
    """Compare the exponent of a scaling law with the order of the exact series."""
    if not law.exponent.is_Rational:
        return None
    quantity, root = whole_powers(law.quantity, law.small)
    claimed = law.exponent * root
    others = {symbol: domain for symbol, domain in variables.items() if symbol != law.small}
    setting = Setting(others, tuple(part for part in hypotheses if not part.has(law.small)), law.small, budget)
    if not all(eventually(part, setting) for part in hypotheses if part.has(law.small)):
        return None  # what ties the small symbol to the others does not leave them fixed while it tends to 0
    for terms in TERMS:
        try:
            series, demands = expansion(quantity, law.small, terms, budget)
        except NoSeriesError:
            return None
        known = series.valuation + len(series.coefficients)
        if known > claimed or (known == claimed and law.sense == "at most"):
            break
    else:
        return None
    if not all(map(setting.shown, demands)):
        return None
    if _confirmed(law.sense, series, claimed, setting):
        shown = certificate(setting)
        note = "the exact leading coefficient gives the exponent for fixed values of the other symbols"
        return Evidence(Outcome.PROVED, "asymptotics", certificate=shown, notes=(note,))
    return _refuted(law, series, root, setting)


def whole_powers(quantity: Expr, small: Symbol) -> tuple[Expr, int]:
    """The quantity in terms of a root of the small symbol, so that its powers become whole."""
    powers = [part.exp for part in quantity.atoms(type(small ** Rational(1, 2))) if part.base == small]
    root = lcm(1, *[int(power.q) for power in powers if power.is_Rational])
    if root == 1:
        return quantity, 1
    positive = Dummy(positive=True)
    return quantity.subs(small, positive**root).xreplace({positive: small}), root


def _confirmed(sense: str, series: Series, claimed: Rational, setting: Setting) -> bool:
    below = [c for k, c in enumerate(series.coefficients) if series.valuation + k < claimed]
    complete = series.valuation + len(series.coefficients) >= claimed
    none_below = complete and all(setting.shown(Eq(c, 0)) for c in below if c != 0)
    if sense == "at most":
        return none_below
    place = claimed - series.valuation
    at = series.coefficients[int(place)] if place.is_Integer and 0 <= place < len(series.coefficients) else None
    if sense == "equal":
        return none_below and at is not None and setting.shown(Ne(at, 0))
    upto = [c for k, c in enumerate(series.coefficients) if series.valuation + k <= claimed and c != 0]
    return any(setting.shown(Ne(c, 0)) for c in upto)


def _refuted(law: Scaling, series: Series, root: int, setting: Setting) -> Evidence | None:
    """A point of the parameters at which the first nonzero coefficient has another order than claimed."""
    claimed = law.exponent * root
    for order, value, point in _orders(law, series, setting):
        wrong = {"at most": order < claimed, "at least": order > claimed, "equal": order != claimed}[law.sense]
        if wrong:
            shown = {"order": str(order / root), "coefficient": str(value)}
            note = f"there the quantity is {value} {setting.small}^{order / root} to leading order"
            return refutation(setting, point, note if value != 0 else "there the quantity is 0", shown)
    return None


def _orders(law: Scaling, series: Series, setting: Setting) -> Iterator[tuple[Expr, Expr, Point]]:
    """The order at points and its coefficient; last, infinity where the quantity is 0 for every small value.

    That takes long to show, so it is tried only as long as there is time.
    """
    without: list[Point] = []
    for point in points(setting, law.quantity, [Eq(c, 0) for c in series.coefficients[:2]]):
        found = _order_at(series, point)
        if found is not None:
            yield *found, point
        elif all(exact_sign(coefficient.subs(point)) == 0 for coefficient in series.coefficients):
            without.append(point)
    for point in without:
        if setting.budget.spent:
            return
        if is_zero(law.quantity.subs(point)):
            yield oo, Integer(0), point


def _order_at(series: Series, point: Point) -> tuple[Expr, Expr] | None:
    """The order at a point and its coefficient, where the signs of the coefficients can be told."""
    for k, coefficient in enumerate(series.coefficients):
        value = coefficient.subs(point)
        sign = exact_sign(value)
        if sign is None:
            return None
        if sign:
            return Integer(series.valuation + k), value
    return None


def points(setting: Setting, about: Basic, suspicions: Iterable[Boolean] = ()) -> Iterator[Point]:
    """Exact points that satisfy the hypotheses and have values: simple ones, then some under each suspicion."""
    names = list(setting.variables)
    choices = [list(islice(_members(setting.variables[name]), 4)) for name in names]
    wanted = And(*setting.hypotheses, *map(negation, undefined_among(about, names)))
    for values in islice(product(*choices), _MOST_POINTS):
        point = dict(zip(names, values, strict=True))
        if holds(wanted, point) is True:
            yield point
    for suspicion in suspicions:
        if suspicion.free_symbols and suspicion.free_symbols <= set(names) and not setting.budget.spent:
            deadline = setting.budget.until("asymptotics, points")
            yield from islice(Search(setting.variables, And(wanted, suspicion), deadline).points(), _SUSPECTS)


def _members(domain: Set) -> Iterator[Expr]:
    if domain.inf is -oo and domain.sup is oo:
        yield from map(Integer, (1, -1, 2, 0))
    else:
        yield from simple_members(domain)


def refuted_locally(body: Boolean, setting: Setting) -> Evidence | None:
    """A point of the parameters at which the opposite of a formula holds for all small values of the symbol."""
    opposite = negation(body)
    for point in points(setting, body, _suspicions(body, setting)):
        if setting.budget.spent:
            return None
        alone = Setting({}, (), setting.small, setting.budget)
        try:
            there = substitute(opposite, point)
        except TypeError:  # a root or logarithm of a negative number: no value, so no counterexample
            continue
        if eventually(there, alone):
            return refutation(alone, point, f"there the opposite holds for all small {setting.small}")
    return None


def _suspicions(body: Boolean, setting: Setting) -> Iterator[Boolean]:
    """Signs of leading coefficients: a relation fails where its own has the wrong one."""
    for relation in sorted(body.atoms(Relational), key=str):
        difference = relation.lhs - relation.rhs
        try:
            series, _ = setting.series(difference, TERMS[0])
        except NoSeriesError:
            continue
        for lead in series.coefficients[:1]:
            yield from (Gt(lead, 0), Lt(lead, 0), Eq(lead, 0))


def refutation(setting: Setting, point: Point, note: str, more: Mapping[str, str] | None = None) -> Evidence:
    """The verdict that a local claim fails at a point; the series engine adds which part of the conclusion it was."""
    shown = {symbol.name: str(value) for symbol, value in point.items()} | dict(more or {})
    left = certificate(setting) | {"point": pairs(point)}
    return Evidence(Outcome.REFUTED, engine="asymptotics", counterexample=shown, certificate=left, notes=(note,))
