"""The exact set of parameters for which an equilibrium or a periodic orbit attracts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.balls import ball
from theory.bifurcations import Bifurcation, classify
from theory.closed_form import selected
from theory.criteria import Quantity, Role, hurwitz, jury
from theory.cycles import Element, Family
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.extension import Extension
from theory.multipliers import characteristic
from theory.notation import latex
from theory.orbits import Orbit, fixed_points
from theory.polynomials import Fraction, NotPolynomialError, Ring
from theory.regions import Ball, Cells, domain_of, horner, positive_cells, specialised
from theory.roots import signed_part
from theory.systems import Variety


@dataclass(frozen=True)
class StabilityRegion:
    """Where an orbit attracts: ``conditions`` on the parameters, and ``region`` when one parameter is left.

    ``attracts`` is the answer when no parameter is left. For a manifold of equilibria (``neutral_directions`` > 0)
    stability is meant across the manifold. For conjugate orbits without a formula the conditions are stated in the
    state variable at the orbit, and the region tells where at least one of them attracts. ``undecided`` holds
    single parameter values inside the region at which the exact decision was not made.
    """

    dynamics: Map | Flow
    orbit: Orbit
    conditions: tuple[sp.Basic, ...]
    parameter: sp.Symbol | None = None
    region: sp.Set | None = None
    attracts: bool | None = None
    bifurcations: tuple[Bifurcation, ...] = ()
    neutral_directions: int = 0
    undecided: tuple[sp.Expr, ...] = ()

    def _repr_latex_(self) -> str:
        if self.region is not None:
            return rf"$\displaystyle {latex(self.parameter)} \in {latex(self.region)}$"
        body = r" \;\wedge\; ".join(map(latex, self.conditions)) or latex(sp.true)
        return rf"$\displaystyle {body}$"


@dataclass(frozen=True)
class _Setting:
    """The field in which the stability quantities of an orbit live, and how to show and choose a branch."""

    field: Extension
    quantities: list[Quantity]
    show: Callable[[Fraction], sp.Expr | None]
    chosen: Callable[[sp.Rational, list[Ball]], list[Ball] | None]


def stability_region(
    dynamics: Map | Flow, equilibrium: Any = None, parameter: sp.Symbol | None = None
) -> StabilityRegion:
    """Exact conditions for an equilibrium (a point or an Orbit) to attract, and its bifurcations.

    With one parameter left, or one named and the others entering with known signs, the region is an exact set.

    >>> x, eta, L = sp.symbols("x eta L", positive=True)
    >>> from theory.dynamics import gradient_descent
    >>> z = sp.Symbol("z", real=True)
    >>> stability_region(gradient_descent(L * z**2 / 2, z, eta), parameter=eta).region
    Interval.open(0, 2/L)
    >>> r = sp.Symbol("r", positive=True)
    >>> logistic = Map((x,), (r * x * (1 - x),))
    >>> region = stability_region(logistic, logistic.orbits(2)[0])
    >>> region.region
    Interval.open(3, 1 + sqrt(6))
    >>> [(b.kind, b.value, b.criticality) for b in region.bifurcations][-1]
    ('flip', 1 + sqrt(6), 'supercritical')
    """
    orbit = _orbit(dynamics, equilibrium)
    parameters = dynamics.parameters
    if parameter is not None and parameter not in parameters:
        raise LemmascopeError(f"{parameter} is not a parameter of the dynamics: choose one of {parameters}")
    try:
        setting = _setting(dynamics, orbit)
    except NotPolynomialError:
        return _by_expressions(dynamics, orbit, parameter)
    conditions = _shown(setting, orbit)
    neutral = orbit.dimension
    free = [s for s in parameters if s != parameter]
    if isinstance(orbit.family, Variety):
        return StabilityRegion(dynamics, orbit, conditions, parameter, neutral_directions=neutral)
    if parameter is None and len(parameters) == 1:
        parameter, free = parameters[0], []
    if not parameters:
        return StabilityRegion(dynamics, orbit, conditions, attracts=_attracts(setting))
    if parameter is None:
        return StabilityRegion(dynamics, orbit, conditions)
    if free:
        region = linear_region(conditions, parameter)
        found = _symbolic_bifurcations(dynamics, orbit, setting, parameter, region)
        return StabilityRegion(dynamics, orbit, conditions, parameter, region, bifurcations=found)
    return _one_parameter(dynamics, orbit, setting, conditions, parameter)


def _orbit(dynamics: Map | Flow, equilibrium: Any) -> Orbit:
    if isinstance(equilibrium, Orbit):
        return equilibrium
    if equilibrium is None:
        known = fixed_points(dynamics)
        if len(known) != 1:
            raise LemmascopeError(
                f"the dynamics have {len(known)} known equilibria: pass one of fixed_points() or orbits(period)"
            )
        return known[0]
    given = equilibrium if isinstance(equilibrium, (tuple, list)) else (equilibrium,)
    point = tuple(sp.sympify(value) for value in given)
    if len(point) != dynamics.dimension:
        raise LemmascopeError(f"the point {point} has {len(point)} entries, the state has {dynamics.dimension}")
    at = dict(zip(dynamics.state, point, strict=True))
    for symbol, entry in zip(dynamics.state, dynamics.right_side, strict=True):
        rest = entry.subs(at, simultaneous=True) - (at[symbol] if isinstance(dynamics, Map) else 0)
        if sp.cancel(sp.expand(rest)) != 0:
            raise LemmascopeError(f"{point} is not an equilibrium: {symbol} moves by {rest}")
    relations = tuple(symbol - value for symbol, value in at.items())
    return Orbit(dynamics.state, 1, (point,), relations)


def _criterion(dynamics: Map | Flow) -> Callable[..., list[Quantity]]:
    return jury if isinstance(dynamics, Map) else hurwitz


def _setting(dynamics: Map | Flow, orbit: Orbit) -> _Setting:
    family = orbit.family
    if isinstance(family, Family):
        return _family_setting(dynamics, orbit, family)
    coefficients = characteristic(dynamics, orbit) or ()
    root = sp.Dummy("t")
    ring = family.ring if isinstance(family, Variety) else Ring((root, *_free_symbols(coefficients)))
    field = Extension(ring, ring.symbols[0], ring.generators[ring.symbols[0]])
    fractions = [ring.fraction(coefficient) for coefficient in coefficients]
    for _ in range(orbit.dimension):
        fractions = _deflated(fractions, ring.one if isinstance(dynamics, Map) else ring.zero)
    quantities = _criterion(dynamics)(fractions, ring.zero, ring.one)
    return _Setting(field, quantities, signed_part, lambda _, roots: roots)


def _free_symbols(expressions: Sequence[sp.Expr]) -> list[sp.Symbol]:
    return sorted(set().union(*(e.free_symbols for e in expressions)), key=lambda symbol: symbol.name)


def _deflated(coefficients: list[Fraction], root: Fraction) -> list[Fraction]:
    """Divide out a known eigenvalue: the direction along a manifold of equilibria."""
    quotient = [coefficients[0]]
    for coefficient in coefficients[1:-1]:
        quotient.append(coefficient + root * quotient[-1])
    return quotient


def _family_setting(dynamics: Map | Flow, orbit: Orbit, family: Family) -> _Setting:
    field, ring = family.field, family.field.ring
    wrapped = [Element(field, c) for c in family.characteristic(dynamics.jacobian)]
    zero, one = Element(field, ring.zero), Element(field, ring.one)
    quantities = [Quantity(q.role, q.value.value) for q in _criterion(dynamics)(wrapped, zero, one)]
    for step in family.steps:
        for symbol, value in step.items():
            if symbol.is_positive or symbol.is_negative:
                quantities.append(Quantity(Role.EXISTENCE, value if symbol.is_positive else -value))
    trace = orbit.trace if family.cycles > 1 else None
    parameter = next(iter(dynamics.parameters), None)

    def show(value: Fraction) -> sp.Expr:
        if family.cycles == 1 and field.degree > 1:
            return signed_part(family.by_trace(value))
        if field.root not in ring.symbols_in(value.numerator):
            return signed_part(value)
        if orbit.trace is not None:
            return selected(family, value, orbit.trace)
        return value.substitute({field.root: family.points.projection}).expression

    def chosen(at: sp.Rational, roots: list[Ball]) -> list[Ball] | None:
        if trace is None:
            return roots
        return _on_branch(family, trace, {} if parameter is None else {parameter: at}, roots)

    return _Setting(field, quantities, show, chosen)


def _on_branch(
    family: Family, trace: sp.Expr, values: dict[sp.Symbol, sp.Rational], roots: list[Ball]
) -> list[Ball] | None:
    """The real roots at which the quantity that tells cycles apart takes the value of the formula.

    None while the balls are too wide to tell: a real cycle has as many roots there as it has siblings.
    """
    wanted, field = ball(trace.subs(values)), family.field
    element = family.siblings[0] if len(family.siblings) == 1 else family.trace[0]
    parts = (specialised(field.ring, part, field.root, values) for part in (element.numerator, element.denominator))
    top, bottom = parts
    close = [root for root in roots if (horner(top, root) / horner(bottom, root) - wanted).contains(0)]
    return close if len(close) in (0, len(family.siblings)) else None


def _shown(setting: _Setting, orbit: Orbit) -> tuple[sp.Basic, ...]:
    """The conditions as relations, those that always hold left out, and a >= where a > is demanded anyway."""
    strict: list[sp.Basic] = []
    for quantity in setting.quantities:
        condition = sp.true if quantity.role is Role.EXISTENCE else sp.Gt(setting.show(quantity.value), 0)
        if condition is not sp.true and condition not in strict:
            strict.append(condition)
    weak = [c for c in orbit.conditions if sp.Gt(c.lhs, c.rhs) not in strict]
    return (*weak, *strict)


def _attracts(setting: _Setting) -> bool:
    dummy = sp.Dummy("p", real=True)
    ring = Ring((*setting.field.ring.symbols, dummy))
    field = Extension(ring, setting.field.root, ring.polynomial(_plain(setting.field.modulus, setting.field)))
    values = [ring.fraction(quantity.value.expression) for quantity in setting.quantities]
    return bool(positive_cells(field, values, dummy, setting.chosen).inside[0])


def _plain(polynomial: Any, field: Extension) -> sp.Expr:
    return field.ring.expression(polynomial)


def _one_parameter(
    dynamics: Map | Flow,
    orbit: Orbit,
    setting: _Setting,
    conditions: tuple[sp.Basic, ...],
    parameter: sp.Symbol,
) -> StabilityRegion:
    values = [quantity.value for quantity in setting.quantities]
    cells = positive_cells(setting.field, values, parameter, setting.chosen)
    found = []
    for place, cut in enumerate(cells.cuts):
        if cells.inside[place] != cells.inside[place + 1] and cut.value in domain_of(parameter):
            roles = {setting.quantities[k].role for k in cut.vanishing}
            found.append(
                Bifurcation("undecided", parameter, cut.value)
                if cut.branch_changes
                else classify(dynamics, orbit, parameter, cut.value, roles)
            )
    undecided = _undecided(cells, setting)
    return StabilityRegion(
        dynamics, orbit, conditions, parameter, cells.region, bifurcations=tuple(found), undecided=undecided
    )


def _undecided(cells: Cells, setting: _Setting) -> tuple[sp.Expr, ...]:
    """Cuts inside the region at which only a conjugate orbit may be critical."""
    root, ring = setting.field.root, setting.field.ring
    return tuple(
        cut.value
        for place, cut in enumerate(cells.cuts)
        if cells.inside[place]
        and cells.inside[place + 1]
        and any(root in ring.symbols_in(setting.quantities[k].value.numerator) for k in cut.vanishing)
    )


def linear_region(conditions: Sequence[sp.Basic], parameter: sp.Symbol) -> sp.Set | None:
    """The interval that conditions linear in the parameter leave, if the signs of their slopes are known.

    Conditions without the parameter are not in it: they have to hold besides.

    >>> eta, L = sp.symbols("eta L", positive=True)
    >>> linear_region([2 - L * eta > 0], eta)
    Interval.open(0, 2/L)
    """
    domain = domain_of(parameter)
    lower, upper = [domain.inf], [domain.sup]
    for condition in conditions:
        if not condition.has(parameter):
            continue
        margin = sp.expand(condition.lhs - condition.rhs)
        slope = sp.factor(sp.diff(margin, parameter))
        if slope.has(parameter) or not (slope.is_positive or slope.is_negative):
            return None
        (lower if slope.is_positive else upper).append(sp.cancel(-margin.subs(parameter, 0) / slope))
    return sp.Interval.open(sp.Max(*lower), sp.Min(*upper))


def _symbolic_bifurcations(
    dynamics: Map | Flow, orbit: Orbit, setting: _Setting, parameter: sp.Symbol, region: sp.Set | None
) -> tuple[Bifurcation, ...]:
    if not isinstance(region, sp.Interval):
        return ()
    found = []
    for value in (region.inf, region.sup):
        if value in (sp.oo, -sp.oo):
            continue
        roles = {
            quantity.role
            for quantity in setting.quantities
            if sp.cancel(sp.expand((setting.show(quantity.value) or sp.S.One).subs(parameter, value))) == 0
        }
        if roles:
            found.append(classify(dynamics, orbit, parameter, value, roles))
    return tuple(found)


def _by_expressions(dynamics: Map | Flow, orbit: Orbit, parameter: sp.Symbol | None) -> StabilityRegion:
    """Conditions with functions of the parameters that are not algebraic are stated, not reduced."""
    coefficients = characteristic(dynamics, orbit) or ()
    quantities = _criterion(dynamics)(list(coefficients), sp.S.Zero, sp.S.One)
    conditions = tuple(c for q in quantities if (c := sp.Gt(sp.expand(q.value), 0)) is not sp.true)
    return StabilityRegion(dynamics, orbit, (*orbit.conditions, *conditions), parameter)
