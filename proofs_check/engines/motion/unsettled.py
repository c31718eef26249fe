"""Why no trajectory of a statement tends to a point: it keeps a distance, or it tends to another one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from sympy import And, Expr, Ge, Gt, Ne, Or, Rational, S, Tuple
from sympy.logic.boolalg import Boolean

from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError
from proofs_check.engines.motion.convergence import settled_orbits
from proofs_check.engines.motion.inductive import well_posed
from proofs_check.engines.motion.sampling import function_of, samples
from proofs_check.engines.motion.trajectory import Setting
from theory.temporal import Always, ConvergesTo

_Prove = Callable[[Setting, Boolean, Desk], Argument]

_PARTS = (0.9, 0.25)
"""Of the least squared distance that was seen."""


def without_limit(setting: Setting, claim: ConvergesTo, desk: Desk, prove: _Prove) -> Argument:
    """An argument that the claim is false of every trajectory; raises UnprovedError when none is found."""
    if claim.period != 1 or claim.points[0].free_symbols & set(setting.state):
        raise UnprovedError("not a single point at rest")
    distance = sum(((part - value) ** 2 for part, value in zip(claim.quantity, claim.points[0], strict=True)), S.Zero)
    for bound in _bounds(setting, distance, desk):
        positive = setting.at_start(Gt(bound, 0))
        if not desk.proves(positive):
            continue
        try:
            kept = prove(setting, Always(Ge(distance, bound)), desk)
        except UnprovedError:
            if desk.budget.spent:
                raise
            continue
        return Argument("no-limit", {"bound": bound}, (desk.require("apart", positive),), (kept,))
    return _elsewhere(setting, claim, desk, prove)


def _bounds(setting: Setting, distance: Expr, desk: Desk) -> Iterator[Expr]:
    """The distance at the start, and numbers below all that was seen."""
    yield setting.initially(distance)
    found = samples(setting, seconds=desk.budget.seconds_for("motion, trajectories kept away"))
    names = sorted(distance.free_symbols, key=str)
    value = function_of(distance, names)
    seen = [
        value(*({**sample.fixed, **dict(zip(setting.state, state, strict=True))}[name] for name in names))
        for sample in found
        for state in sample.states
    ]
    least = min(seen, default=0.0)
    if not math.isnan(least) and least > 0:
        for part in _PARTS:
            fraction = Fraction(part * least).limit_denominator(64)
            if fraction:
                yield Rational(fraction.numerator, fraction.denominator)


def _elsewhere(setting: Setting, claim: ConvergesTo, desk: Desk, prove: _Prove) -> Argument:
    for orbit in settled_orbits(setting, (1,)):
        rest = dict(zip(setting.state, orbit.points[0], strict=True))
        point = Tuple(*(part.subs(rest, simultaneous=True) for part in claim.quantity))
        other = setting.at_start(Or(*(Ne(a, b) for a, b in zip(point, claim.points[0], strict=True))))
        if point.free_symbols & set(setting.state) or not desk.proves(other):
            continue
        try:
            argument = prove(setting, ConvergesTo(claim.quantity, tuple(point)), desk)
        except UnprovedError:
            if desk.budget.spent:
                raise
            continue
        fixed = And(*(Ge((a - b) ** 2, 0) for a, b in zip(point, claim.points[0], strict=True)))
        obligations = (desk.require("another point", other), *well_posed(setting, [fixed], desk))
        return Argument("no-limit", {"point": list(point)}, obligations, (argument,))
    raise UnprovedError("nothing keeps it from its limit")
