"""The exact set of parameters for which an equilibrium or a periodic orbit attracts.

Multipliers strictly inside the unit circle (or the left half-plane) attract; on the border the higher terms decide, in
one dimension here, in more by the normal form, and what they do not decide is said to be undecided.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp

from theory.balls import ball, exact_sign
from theory.bifurcations import Bifurcation, classify
from theory.borders import attracts_on_the_border
from theory.closed_form import selected
from theory.criteria import Quantity, Role, hurwitz, jury
from theory.cycles import Element, Family
from theory.errors import LemmascopeError
from theory.extension import Extension
from theory.multipliers import characteristic
from theory.neutral import attracts
from theory.notation import latex
from theory.orbits import Orbit, fixed_points, require_autonomous
from theory.polynomials import Fraction, NotPolynomialError, Ring
from theory.regions import Ball, Cells, domain_of, horner, positive_cells, real_root_balls, specialised
from theory.roots import signed_part
from theory.systems import Variety

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map

_PRECISION = 1024


@dataclass(frozen=True)
class StabilityRegion:
    """Where an orbit attracts: ``conditions`` on the parameters, and ``region`` when one parameter is left.

    The conditions are those of linear stability, strict inequalities. The region also holds the parameters at which a
    multiplier is neutral and the higher terms attract: it is closed at such an end and open at one that does not
    attract. ``undecided`` holds the single parameter values, inside the region or at its ends, at which the decision
    was not made, as for degenerate normal forms; the region leaves out those at its ends.
    ``attracts`` is the answer when no parameter is left, None where it is undecided. For a manifold of equilibria
    (``neutral_directions`` > 0) stability is meant across the manifold. For conjugate orbits without a formula the
    conditions are stated in the state variable at the orbit, and the region tells where at least one of them attracts.
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

    With one parameter left, or one named and the others entering with known signs, the region is an exact set but for
    the parameters listed as undecided.

    >>> x, eta, L = sp.symbols("x eta L", positive=True)
    >>> from theory.dynamics import Map, gradient_descent
    >>> z = sp.Symbol("z", real=True)
    >>> stability_region(gradient_descent(L * z**2 / 2, z, eta), parameter=eta).region
    Interval.open(0, 2/L)
    >>> r = sp.Symbol("r", positive=True)
    >>> logistic = Map((x,), (r * x * (1 - x),))
    >>> region = stability_region(logistic, logistic.orbits(2)[0])
    >>> region.region
    Interval.Lopen(3, 1 + sqrt(6))
    >>> [(b.kind, b.value, b.criticality) for b in region.bifurcations][-1]
    ('flip', 1 + sqrt(6), 'supercritical')
    """
    require_autonomous(dynamics)
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
        return StabilityRegion(dynamics, orbit, conditions, attracts=_attracts(dynamics, orbit, setting))
    if parameter is None:
        return StabilityRegion(dynamics, orbit, conditions)
    if free:
        region = linear_region(conditions, parameter)
        if region is sp.S.EmptySet:
            return StabilityRegion(dynamics, orbit, conditions, parameter, region)
        found = _symbolic_bifurcations(dynamics, orbit, setting, parameter, region)
        ends = [(b.value, False, None) for b in found]
        region, undecided = _with_ends(dynamics, orbit, setting, region, ends, parameter)
        return StabilityRegion(dynamics, orbit, conditions, parameter, region, bifurcations=found, undecided=undecided)
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
        rest = entry.subs(at, simultaneous=True) - (at[symbol] if dynamics.discrete else 0)
        if sp.cancel(sp.expand(rest)) != 0:
            raise LemmascopeError(f"{point} is not an equilibrium: {symbol} moves by {rest}")
    relations = tuple(symbol - value for symbol, value in at.items())
    return Orbit(dynamics.state, 1, (point,), relations)


def _criterion(dynamics: Map | Flow) -> Callable[..., list[Quantity]]:
    return jury if dynamics.discrete else hurwitz


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
        fractions = _deflated(fractions, ring.one if dynamics.discrete else ring.zero)
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


def _attracts(dynamics: Map | Flow, orbit: Orbit, setting: _Setting) -> bool | None:
    dummy = sp.Dummy("p", real=True)
    ring = Ring((*setting.field.ring.symbols, dummy))
    field = Extension(ring, setting.field.root, ring.polynomial(_plain(setting.field.modulus, setting.field)))
    values = [ring.fraction(quantity.value.expression) for quantity in setting.quantities]
    if positive_cells(field, values, dummy, setting.chosen).inside[0]:
        return True
    decided = _by_higher_terms(dynamics, orbit, {})
    if decided is not None:
        return decided
    return False if _repels(setting) else _by_normal_form(dynamics, orbit, setting, dummy, sp.S.Zero)


def _repels(setting: _Setting) -> bool:
    """Whether a quantity is certainly negative on every real branch: without a multiplier outside none is."""
    with flint.ctx.workprec(_PRECISION):
        ring, root = setting.field.ring, setting.field.root
        branches = setting.chosen(sp.S.Zero, real_root_balls(specialised(ring, setting.field.modulus, root, {})))
        if branches is None:
            return False
        parts = [(q.value.numerator, q.value.denominator) for q in setting.quantities]
        pairs = [[specialised(ring, part, root, {}) for part in pair] for pair in parts]
        return all(any(horner(top, at) / horner(below, at) < 0 for top, below in pairs) for at in branches)


def _by_higher_terms(
    dynamics: Map | Flow, orbit: Orbit, values: dict[sp.Symbol, sp.Expr], multiplier: int | None = None
) -> bool | None:
    """Whether the orbit attracts at a parameter value where it may be neutral; False where there is no such orbit."""
    if dynamics.dimension != 1 or orbit.dimension:
        return None
    if orbit.points is None:
        return _some_attracts(dynamics, orbit, values)
    points = [point[0].subs(values) for point in orbit.points]
    if any(point.has(sp.zoo, sp.nan, sp.oo, -sp.oo) for point in points):
        return False
    if any(exact_sign(one - other) == 0 for one, other in itertools.combinations(points, 2)):
        return False
    fixed = dynamics.substitute(values) if values else dynamics
    return attracts(fixed, points, multiplier)


def _by_normal_form(
    dynamics: Map | Flow, orbit: Orbit, setting: _Setting, parameter: sp.Symbol, value: sp.Expr
) -> bool | None:
    """The same in more than one dimension, for an equilibrium with a formula."""
    if dynamics.dimension == 1 or orbit.dimension or setting.field.degree > 1:
        return None
    quantities = [(quantity.role, quantity.value.expression) for quantity in setting.quantities]
    if any(setting.field.root in part.free_symbols for _, part in quantities):
        return None
    return attracts_on_the_border(dynamics, orbit, quantities, parameter, value)


def _some_attracts(dynamics: Map | Flow, orbit: Orbit, values: dict[sp.Symbol, sp.Expr]) -> bool | None:
    """The same for the only conjugate equilibria of the dynamics, which are named anew at rational parameters."""
    known = all(value.is_Rational for value in values.values()) and bool(values)
    if orbit.period != 1 or not known or len(fixed_points(dynamics)) != 1:
        return None
    found = fixed_points(dynamics.substitute(values))
    if not found.complete or any(other.points is None for other in found):
        return None
    decided = [attracts(dynamics.substitute(values), [other.points[0][0]]) for other in found if other.points]
    return True if True in decided else None if None in decided else False


def _with_ends(
    dynamics: Map | Flow,
    orbit: Orbit,
    setting: _Setting,
    region: sp.Set | None,
    borders: Sequence[tuple[sp.Expr, bool, int | None]],
    parameter: sp.Symbol,
) -> tuple[sp.Set | None, tuple[sp.Expr, ...]]:
    """The region with the borders at which the orbit attracts, and those at which that is undecided.

    A border comes with whether the orbit may appear or escape there, so that it may not exist, and with the multiplier.
    """
    undecided = []
    for value, appears, multiplier in borders:
        decided = _by_higher_terms(dynamics, orbit, {parameter: value}, multiplier)
        if decided is None:
            decided = _by_normal_form(dynamics, orbit, setting, parameter, value)
        if decided and region is not None:
            region = sp.Union(region, sp.FiniteSet(value))
        if decided is None and not (appears and orbit.points is None):
            undecided.append(value)
    return region, tuple(undecided)


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
    inside = _undecided(cells, setting)
    if any(value.is_zero for value in values):
        region, undecided = _always_neutral(dynamics, orbit, setting, parameter)
    else:
        domain = domain_of(parameter)
        borders = [
            (cut.value, cut.branch_changes, _multiplier(dynamics, {setting.quantities[k].role for k in cut.vanishing}))
            for cut in cells.cuts
            if cut.vanishing and cut.value in domain
        ]
        region, undecided = _with_ends(dynamics, orbit, setting, cells.region, borders, parameter)
        inside = tuple(value for value in inside if value not in {border[0] for border in borders})
    undecided = tuple(dict.fromkeys((*inside, *undecided)))
    return StabilityRegion(
        dynamics, orbit, conditions, parameter, region, bifurcations=tuple(found), undecided=undecided
    )


def _multiplier(dynamics: Map | Flow, roles: set[Role]) -> int | None:
    """The multiplier of a cycle of a map of one dimension at which the quantities of one such role vanish."""
    known = {Role.EIGENVALUE_ONE: 1, Role.EIGENVALUE_MINUS_ONE: -1}
    return known.get(next(iter(roles))) if dynamics.discrete and len(roles) == 1 else None


def _always_neutral(
    dynamics: Map | Flow, orbit: Orbit, setting: _Setting, parameter: sp.Symbol
) -> tuple[sp.Set | None, tuple[sp.Expr, ...]]:
    """The region of an orbit that is neutral for every parameter: what the higher terms say, or unknown."""
    others = [quantity.value for quantity in setting.quantities if not quantity.value.is_zero]
    cells = positive_cells(setting.field, others, parameter, setting.chosen)
    if cells.region is sp.S.EmptySet:
        return cells.region, ()
    decided = _by_higher_terms(dynamics, orbit, {})
    return (cells.region if decided else sp.S.EmptySet if decided is False else None), ()


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

    Conditions without the parameter are not in it: they have to hold besides; one that is false leaves nothing.

    >>> eta, L = sp.symbols("eta L", positive=True)
    >>> linear_region([2 - L * eta > 0], eta), linear_region([sp.false], eta)
    (Interval.open(0, 2/L), EmptySet)
    """
    if sp.false in conditions:
        return sp.S.EmptySet
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
