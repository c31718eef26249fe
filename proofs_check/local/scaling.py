"""Scaling laws by exact leading coefficients, and refutations of local claims at exact points of the parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from math import lcm

from sympy import And, Dummy, Eq, Expr, Integer, Ne, Rational, Set, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.cover.existence import simple_members
from proofs_check.exact import holds
from proofs_check.exact import sign as exact_sign
from proofs_check.local.eventually import TERMS, Setting, eventually
from proofs_check.local.series import NoSeriesError, Series, expansion
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.temporal import Scaling, is_plain

_MOST_POINTS = 200


def decide(
    law: Scaling, variables: Mapping[Symbol, Set], hypotheses: tuple[Boolean, ...], budget: Budget
) -> Verdict | None:
    """Compare the exponent of a scaling law with the order of the exact series."""
    from proofs_check.local.certificates import certificate

    if not law.exponent.is_Rational:
        return None
    quantity, root = whole_powers(law.quantity, law.small)
    claimed = law.exponent * root
    setting = Setting(variables, hypotheses, law.small, budget)
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
        strengths = {item["verdict"].strength for item in setting.obligations}
        strength = Strength.ENCLOSED if Strength.ENCLOSED in strengths else Strength.EXACT
        note = "the exact leading coefficient gives the exponent for fixed values of the other symbols"
        return Verdict(Outcome.PROVED, strength, "series", certificate=certificate(setting), notes=(note,))
    return _refuted(law.sense, series, claimed, root, setting)


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


def _refuted(sense: str, series: Series, claimed: Rational, root: int, setting: Setting) -> Verdict | None:
    """A point of the parameters at which the first nonzero coefficient has another order than claimed."""
    for point in points(setting.variables, setting.hypotheses):
        found = _order_at(series, point)
        if found is None:
            continue
        order, value = found
        wrong = {"at most": order < claimed, "at least": order > claimed, "equal": order != claimed}[sense]
        if wrong:
            shown = {s.name: str(v) for s, v in point.items()}
            shown |= {"order": str(Rational(order, root)), "coefficient": str(value)}
            note = f"there the quantity is {value} {setting.small}^{Rational(order, root)} to leading order"
            return Verdict(Outcome.REFUTED, engine="series", counterexample=shown, notes=(note,))
    return None


def _order_at(series: Series, point: dict[Symbol, Expr]) -> tuple[int, Expr] | None:
    for k, coefficient in enumerate(series.coefficients):
        value = coefficient.subs(point)
        sign = exact_sign(value)
        if sign is None:
            return None
        if sign:
            return series.valuation + k, value
    return None


def points(variables: Mapping[Symbol, Set], hypotheses: tuple[Boolean, ...]) -> Iterator[dict[Symbol, Expr]]:
    """Simple exact points that satisfy the hypotheses."""
    names = list(variables)
    choices = [list(islice(_members(variables[name]), 4)) for name in names]
    for values in islice(product(*choices), _MOST_POINTS):
        point = dict(zip(names, values, strict=True))
        if holds(And(*hypotheses), point) is True:
            yield point


def _members(domain: Set) -> Iterator[Expr]:
    if domain.inf is -oo and domain.sup is oo:
        yield from map(Integer, (1, -1, 2, 0))
    else:
        yield from simple_members(domain)


def refuted_locally(body: Boolean, setting: Setting) -> Verdict | None:
    """A point of the parameters at which a relation fails for all small values of the symbol."""
    if not is_plain(body) or not isinstance(body, Relational):
        return None
    for point in points(setting.variables, setting.hypotheses):
        if setting.budget.spent:
            return None
        there = body.negated.subs(point)
        alone = Setting({}, (), setting.small, setting.budget)

        if eventually(there, alone):
            shown = {s.name: str(v) for s, v in point.items()}
            note = f"there the opposite holds for all small {setting.small}"
            return Verdict(Outcome.REFUTED, engine="series", counterexample=shown, notes=(note,))
    return None
