"""What happens on the border of stability: the type of a bifurcation, and its criticality from the normal form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp

from theory.balls import PRECISIONS, ball, exact_sign
from theory.criteria import Role
from theory.cycles import Element, Family
from theory.jets import Jet, jet_along
from theory.normal_forms import RealNormalForm, first_lyapunov_coefficient, real_normal_form
from theory.notation import latex
from theory.orbits import Orbit
from theory.polynomials import Fraction, NotPolynomialError, Ring

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map


@dataclass(frozen=True)
class Bifurcation:
    """A border of stability at ``parameter = value``.

    ``criticality`` is "supercritical" (what is born attracts), "subcritical" (it repels), "degenerate", or None
    when it is undecided or has no meaning; ``coefficient`` is the normal form coefficient when it is rational.
    """

    kind: str
    parameter: sp.Symbol
    value: sp.Expr
    criticality: str | None = None
    coefficient: sp.Expr | None = None

    def _repr_latex_(self) -> str:
        how = "" if self.criticality is None else f"{self.criticality} "
        return rf"$\text{{{how}{self.kind} at }} {latex(self.parameter)} = {latex(self.value)}$"


@dataclass(frozen=True)
class _Border:
    """One border point: which orbit of which dynamics meets it."""

    dynamics: Map | Flow
    orbit: Orbit
    parameter: sp.Symbol
    value: sp.Expr

    def name(self, kind: str, criticality: str | None = None, coefficient: sp.Expr | None = None) -> Bifurcation:
        return Bifurcation(kind, self.parameter, self.value, criticality, coefficient)


def classify(dynamics: Map | Flow, orbit: Orbit, parameter: sp.Symbol, value: sp.Expr, roles: set[Role]) -> Bifurcation:
    """The bifurcation at a parameter value where the quantities of the given roles vanish.

    >>> from theory.dynamics import Flow
    >>> x, mu = sp.symbols("x mu", real=True)
    >>> flow = Flow((x,), (mu * x - x**3,))
    >>> classify(flow, flow.fixed_points()[-1], mu, sp.S.Zero, {Role.EIGENVALUE_ONE})
    Bifurcation(kind='pitchfork', parameter=mu, value=0, criticality='supercritical', coefficient=-1)
    """
    border = _Border(dynamics, orbit, parameter, value)
    critical = roles - {Role.INNER, Role.EXISTENCE}
    if Role.EIGENVALUE_ONE in critical and _halves(border):
        # It is born here from an orbit of half its period, and it attracts where it exists.
        return border.name("flip", "supercritical")
    if len(critical) > 1:
        return border.name("several at once")
    if Role.EIGENVALUE_MINUS_ONE in critical:
        return _flip(border)
    if Role.COMPLEX_PAIR in critical:
        return _pair(border)
    if Role.EIGENVALUE_ONE in critical:
        return _eigenvalue_one(border)
    return border.name("leaves its domain")


def _flip(border: _Border) -> Bifurcation:
    form, sign = _real_form(border, -1)
    if form is None:
        return border.name("flip")
    how = {1: "supercritical", -1: "subcritical", 0: "degenerate", None: None}[sign(form.cubic)]
    return border.name("flip", how, _rational(form.cubic))


def _eigenvalue_one(border: _Border) -> Bifurcation:
    form, sign = _real_form(border, 1)
    if form is None:
        return border.name("fold" if _drifts(border) else "fold or branching")
    drift, quadratic, cubic = sign(form.drift), sign(form.quadratic), sign(form.cubic)
    if drift is None or (drift == 0 and quadratic is None):
        return border.name("fold or branching")
    if drift != 0:
        return border.name("degenerate fold" if quadratic == 0 else "fold", None, _rational(form.quadratic))
    if quadratic != 0:
        return border.name("transcritical", None, _rational(form.quadratic))
    how = {1: "subcritical", -1: "supercritical", 0: "degenerate", None: None}[cubic]
    return border.name("pitchfork", how, _rational(form.cubic))


def _pair(border: _Border) -> Bifurcation:
    discrete = border.dynamics.discrete
    kind = "Neimark-Sacker" if discrete else "Hopf"
    if border.dynamics.dimension != 2:
        return border.name(kind)
    for precision in PRECISIONS:
        with flint.ctx.workprec(precision):
            jet = _ball_jet(border)
            coefficient = None if jet is None else first_lyapunov_coefficient(jet, discrete)
            if coefficient is None:
                break
            if coefficient > 0 or coefficient < 0:
                return border.name(kind, "subcritical" if coefficient > 0 else "supercritical")
    return border.name(kind)


Sign = Callable[[Any], int | None]


def _real_form(border: _Border, multiplier: int) -> tuple[RealNormalForm | None, Sign]:
    """The normal form over rational functions when the point is rational, otherwise in balls."""
    discrete = border.dynamics.discrete
    try:
        jet, ring = _rational_jet(border)
    except (NotPolynomialError, ZeroDivisionError):
        return _ball_form(border, multiplier)
    one = ring.one
    resonant = one if discrete else ring.zero
    critical = resonant if multiplier == 1 else -one
    form = real_normal_form(jet, critical, resonant, one, lambda number: not number.is_zero)
    return form, lambda number: exact_sign(number.expression)


def _ball_form(border: _Border, multiplier: int) -> tuple[RealNormalForm | None, Sign]:
    def sign(number: Any) -> int | None:
        return 1 if number.real > 0 else -1 if number.real < 0 else None

    one = flint.acb(1)
    resonant = one if border.dynamics.discrete else flint.acb(0)
    critical = resonant if multiplier == 1 else -one
    form = None
    for precision in PRECISIONS:
        with flint.ctx.workprec(precision):
            jet = _ball_jet(border)
            if jet is None:
                return None, sign
            form = real_normal_form(jet, critical, resonant, one, lambda number: not number.contains(0))
            if form is not None and sign(form.cubic) is not None:
                break
    return form, sign


def _rational_jet(border: _Border) -> tuple[Jet, Ring]:
    dynamics, parameter, value = border.dynamics, border.parameter, border.value
    if border.orbit.points is None:
        raise NotPolynomialError("the orbit has no points")
    others = tuple(s for s in dynamics.parameters if s != parameter)
    ring = Ring((*dynamics.state, parameter, *others))
    fixed = ring.fraction(value)
    evaluators = []
    for point in border.orbit.points:
        at = {s: ring.fraction(x.subs(parameter, value)) for s, x in zip(dynamics.state, point, strict=True)}
        evaluators.append(_at(ring, at | {parameter: fixed}))
    return jet_along(dynamics, parameter, evaluators, ring.zero), ring


def _at(ring: Ring, values: dict[sp.Symbol, Fraction]) -> Callable[[sp.Expr], Fraction]:
    exact = {symbol: fraction.expression for symbol, fraction in values.items()}

    def evaluate(expression: sp.Expr) -> Fraction:
        try:
            return ring.fraction(expression).substitute(values)
        except NotPolynomialError:
            return ring.fraction(expression.subs(exact, simultaneous=True))

    return evaluate


def _ball_jet(border: _Border) -> Jet | None:
    if border.orbit.points is None:
        return None
    here = ball(border.value)
    if here is None:
        return None
    evaluators = []
    for point in border.orbit.points:
        values = {border.parameter: here}
        for symbol, entry in zip(border.dynamics.state, point, strict=True):
            number = ball(entry.subs(border.parameter, border.value))
            if number is None:
                return None
            values[symbol] = number
        evaluators.append(lambda expression, values=values: ball(expression, values))
    try:
        return jet_along(border.dynamics, border.parameter, evaluators, flint.acb(0))
    except TypeError:
        return None


def _halves(border: _Border) -> bool:
    """Whether the orbit falls onto one of half its period at the border."""
    family, period = border.orbit.family, border.orbit.period
    if not isinstance(family, Family) or period % 2:
        return False
    gap = [family.steps[period // 2][s] - family.steps[0][s] for s in border.orbit.state]
    return all(_norm_vanishes(border, family, element) for element in gap)


def _drifts(border: _Border) -> bool:
    """Whether the parameter pushes the whole family along in one dimension, as it does at a fold."""
    family = border.orbit.family
    if not isinstance(family, Family) or border.dynamics.dimension != 1:
        return False
    field, ring = family.field, family.field.ring
    evaluators = [
        lambda expression, step=step: Element(field, field.evaluate(ring.fraction(expression), step))
        for step in family.steps
    ]
    jet = jet_along(border.dynamics, border.parameter, evaluators, Element(field, ring.zero))
    return not _norm_vanishes(border, family, jet.drift[0].value)


def _norm_vanishes(border: _Border, family: Family, element: Fraction) -> bool:
    if element.is_zero:
        return True
    norm = family.field.ring.expression(family.field.norm(element))
    return exact_sign(norm.subs(border.parameter, border.value)) == 0


def _rational(number: Any) -> sp.Expr | None:
    return number.factored if isinstance(number, Fraction) else None
