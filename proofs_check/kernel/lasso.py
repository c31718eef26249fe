"""Re-checks a trajectory that comes back: iterated anew in fractions, its formulas looked up on the states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Expr, Rational, Symbol
from sympy.core.relational import Ne, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.courses import Course
from proofs_check.kernel.intervals import UndefinedError
from proofs_check.kernel.point import chosen, has_value_at, rational
from proofs_check.kernel.point import truth as truth_at
from proofs_check.kernel.scene import RejectedError, Scene, require, scene_of, start_of
from theory.statements import Statement
from theory.temporal import ConvergesTo, HasPeriod

_MOST_STATES = 400
_LONGEST = 10**40
"""Numbers that grow beyond this are not followed: they do not come back."""
Point = Mapping[Symbol, Rational]


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the claim has the stated truth on the trajectory from the stated point, which is the only one if true."""
    wanted = bool(certificate["truth"])
    try:
        point = start_of(statement, certificate["point"])
        require(not (wanted and point), "one start does not stand for all")
        orbit, claim = returning(statement, point)
        return orbit.truth(claim) is wanted
    except (RejectedError, ZeroDivisionError):
        return False


def returning(statement: Statement, point: Mapping[Symbol, Expr]) -> tuple[Orbit, Boolean]:
    """The whole trajectory of a map from a point, and what is claimed of it; rejects what does not come back soon.

    >>> from sympy import S, sign
    >>> from theory.dynamics import Map
    >>> from theory.temporal import Always
    >>> x, a = Symbol("x"), Symbol("a")
    >>> lemma = Statement(variables={a: S.Reals}, dynamics=Map((x,), (x - sign(x),)), start={x: a}, then=Always(x < 2))
    >>> [here[x] for here in returning(lemma, {a: Rational(3, 2)})[0].points]
    [3/2, 1/2, -1/2]
    """
    scene, claim = scene_of(statement)
    require(scene.discrete and scene.clock is None and not scene.almost_all, "not such a map")
    require(all(value.is_Rational for value in point.values()), "a value that is no fraction")
    return Orbit(scene, point), claim


class Orbit(Course):
    """The states of the trajectory, each once, and to which of them the last one leads."""

    known_forever = True

    def __init__(self, scene: Scene, fixed: Point) -> None:
        self.points: list[Point] = []
        values = [_value(part, fixed) for part in scene.start]
        while (point := {**fixed, **dict(zip(scene.state, values, strict=True))}) not in self.points:
            short = all(max(abs(value.p), value.q) < _LONGEST for value in values)
            require(short and len(self.points) < _MOST_STATES, "the trajectory does not come back")
            self.points.append(point)
            values = [_value(part, point) for part in scene.rule]
        self.back = self.points.index(point)

    @property
    def period(self) -> int:
        """The least period of the cycle at the end."""
        return len(self.points) - self.back

    def later(self, step: int, steps: int) -> int:
        """Every moment is one of those of the states."""
        moment = step + steps
        return moment if moment < len(self.points) else self.back + (moment - self.back) % self.period

    def moments(self, step: int) -> Iterable[int]:
        """From a step to the last one, and those that come again."""
        return (*range(step, len(self.points)), *range(self.back, step))

    def compares(self, relation: Relational, step: int) -> bool | None:
        """In exact arithmetic."""
        return truth_at(relation, self.points[step])

    def always(self, body: Boolean, step: int) -> bool | None:
        """At each of the states that are still to come."""
        found = {self.truth(body, later) for later in self.moments(step)}
        return False if False in found else None if None in found else True

    def falls(self, quantity: Expr, step: int) -> bool | None:  # noqa: ARG002 - what comes back never falls
        """What has a value and comes back does not decrease."""
        return False if all(has_value_at(quantity, point) for point in self.points) else None

    def settles(self, claim: ConvergesTo | HasPeriod) -> bool | None:
        """A limit is taken by the quantity on the whole cycle; a cycle must be this one."""
        if isinstance(claim, HasPeriod):
            return self.period == int(claim.args[0])
        cycle = self.points[self.back :]
        values = {tuple(_value(part, point) for part in claim.quantity) for point in cycle}
        if any(all(self._differ(value, target) for target in claim.points) for value in values):
            return False
        targets = {tuple(_value(part, self.points[0]) for part in point) for point in claim.points}
        if values != targets:
            return False
        return True if claim.period == 1 else None

    def _differ(self, value: Iterable[Expr], target: Iterable[Expr]) -> bool:
        """Whether a point that comes again is certainly not a target, whose numbers need not be fractions."""
        return any(truth_at(Ne(a, b), self.points[0]) is True for a, b in zip(value, target, strict=True))


def _value(part: Expr, point: Point) -> Rational:
    """The exact value of an expression of fractions, steps and pieces."""
    try:
        found = rational(chosen(part, point), point)
    except (UndefinedError, KeyError):
        found = None
    if found is None:
        raise RejectedError("no fraction")
    return Rational(found.numerator, found.denominator)
