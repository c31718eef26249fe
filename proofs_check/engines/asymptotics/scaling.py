"""Scaling laws by exact leading coefficients, and refutations of local claims at exact points of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from sympy import And, Basic, Eq, Expr, Gt, Integer, Lt, Ne, Rational, Set, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics.certificates import certificate
from proofs_check.engines.asymptotics.growth_scales import plainly
from proofs_check.engines.asymptotics.near_zero import TERMS, Setting, eventually, size_of
from proofs_check.engines.asymptotics.series import NoSeriesError, Series, expansion
from proofs_check.engines.cover.existence import simple_members
from proofs_check.engines.cover.factoring import is_zero
from proofs_check.engines.falsify.certificates import pairs
from proofs_check.kernel.gauges import NoProductsError, in_units, is_gauged
from proofs_check.kernel.oscillation import along, oscillating
from proofs_check.kernel.series import compared
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
    try:
        quantity, root = in_units(law.quantity, law.small)
    except NoProductsError:
        return None
    claimed = law.exponent * root
    others = {symbol: domain for symbol, domain in variables.items() if symbol != law.small}
    setting = Setting(others, tuple(part for part in hypotheses if not part.has(law.small)), law.small, budget)
    if not all(eventually(part, setting) for part in hypotheses if part.has(law.small)):
        return None  # what ties the small symbol to the others does not leave them fixed while it tends to 0
    if is_gauged(quantity, law.small):
        return _by_size(law, quantity, claimed, root, setting)
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


def _by_size(law: Scaling, quantity: Expr, claimed: Expr, root: int, setting: Setting) -> Evidence | None:
    """A quantity with logarithms or flat functions, by its largest product."""
    found = size_of(quantity, setting)
    if found is not None and compared(law, found[0], claimed) and setting.shown(Ne(found[1], 0)):
        note = "the largest product of powers and logarithms gives the exponent for fixed values of the other symbols"
        return Evidence(Outcome.PROVED, "asymptotics", certificate=certificate(setting), notes=(note,))
    for point in points(setting, law.quantity):
        alone = Setting({}, (), setting.small, setting.budget)
        there = size_of(quantity.subs(point), alone)
        if there is not None and not compared(law, there[0], claimed) and alone.shown(Ne(there[1], 0)):
            (flat, order, slow), lead = there
            shown = {"order": str(order / root), "coefficient": str(lead)}
            factors = f"|log {law.small}|^{-slow} exp(-{flat} / {law.small})"
            note = f"there the quantity is {lead} {law.small}^{order / root} {factors} to leading order"
            return refutation(alone, point, note, shown)
    return None


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
        found = _refuted_on_a_sequence(there, point, alone)
        if found is not None:
            return found
    return None


def _refuted_on_a_sequence(there: Boolean, point: Point, alone: Setting) -> Evidence | None:
    """The opposite at values that tend to 0, at which the sines in it have one and the same value."""
    for quarter in range(4) if oscillating(there, alone.small) else ():
        opposite = along(there, alone.small, quarter)
        if opposite is not None and eventually(plainly(opposite, alone.small), alone):
            found = refutation(alone, point, f"there the opposite holds at values of {alone.small} that tend to 0")
            return found.but(certificate={**(found.certificate or {}), "quarter": quarter})
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
