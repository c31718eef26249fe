"""Re-checks a trajectory that comes back: iterated anew in fractions, its formulas looked up on the states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import sympy as sp
from sympy import Expr, Integer, Rational, Symbol
from sympy.logic.boolalg import And, Boolean, Not, Or

from proofs_check.kernel.point import has_value_at
from proofs_check.kernel.point import truth as truth_at
from proofs_check.kernel.scene import RejectedError, Scene, joined, require, scene_of
from theory.language.functions import entry_of
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo, Decreasing, Eventually, HasPeriod, Until, is_plain
from theory.trees import decode

_MOST_STATES = 1000
Point = dict[Symbol, Fraction]


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the claim has the stated truth on the trajectory from the stated point, which is the only one if true."""
    point = {decode(symbol): decode(value) for symbol, value in certificate["point"]}
    wanted = bool(certificate["truth"])
    try:
        scene, claim = scene_of(statement)
        require(scene.discrete and scene.clock is None and not scene.almost_all, "not such a map")
        require(set(point) == set(statement.variables), "not all variables have a value")
        require(not (wanted and point), "one start does not stand for all")
        require(all(value.is_Rational for value in point.values()), "a value that is no fraction")
        require(all(truth_at(part, point) is True for part in statement.hypotheses), "the hypotheses are not satisfied")
        fixed = {symbol: Fraction(int(value.p), int(value.q)) for symbol, value in point.items()}
        return _Orbit(scene, fixed).truth(claim, 0) is wanted
    except (RejectedError, ZeroDivisionError):
        return False


class _Orbit:
    """The states of the trajectory, each once, and to which of them the last one leads."""

    def __init__(self, scene: Scene, fixed: Point) -> None:
        self.points: list[Point] = []
        values = [value_of(part, fixed) for part in scene.start]
        while (point := {**fixed, **dict(zip(scene.state, values, strict=True))}) not in self.points:
            require(len(self.points) < _MOST_STATES, "the trajectory does not come back")
            self.points.append(point)
            values = [value_of(part, point) for part in scene.rule]
        self.back = self.points.index(point)

    def truth(self, claim: Boolean, step: int) -> bool | None:
        """What is true from a state on; None where nothing is known."""
        if is_plain(claim):
            return truth_at(claim, _exact(self.points[step]))
        if isinstance(claim, (Always, Eventually)):
            ahead = {*range(step, len(self.points)), *range(self.back, len(self.points))}
            found = {self.truth(claim.args[0], later) for later in ahead}
            decisive = isinstance(claim, Eventually)
            return decisive if decisive in found else None if None in found else not decisive
        if isinstance(claim, After) and isinstance(claim.args[0], Integer):
            for _ in range(int(claim.args[0])):
                step = step + 1 if step + 1 < len(self.points) else self.back
            return self.truth(claim.args[1], step)
        if isinstance(claim, HasPeriod):
            return len(self.points) - self.back == int(claim.args[0])
        if isinstance(claim, Decreasing):
            return False if all(has_value_at(claim.args[0], _exact(point)) for point in self.points) else None
        if isinstance(claim, ConvergesTo):
            return self._limit(claim)
        if isinstance(claim, Until):
            return self._until(claim, step)
        return joined(claim, [self.truth(part, step) for part in claim.args])

    def _until(self, claim: Until, step: int) -> bool | None:
        """Each state once, in the order of time: what has not come until then never comes."""
        first, second = claim.args
        for later in (*range(step, len(self.points)), *range(self.back, step)):
            come, before = self.truth(second, later), self.truth(first, later)
            if come is not False or before is not True:
                return True if come else None if come is None or before is None else False
        return False

    def _limit(self, claim: ConvergesTo) -> bool | None:
        cycle = self.points[self.back :]
        values = {tuple(value_of(part, point) for part in claim.quantity) for point in cycle}
        targets = {tuple(value_of(part, self.points[0]) for part in point) for point in claim.points}
        if values != targets:
            return False
        return True if claim.period == 1 else None


def _exact(point: Point) -> dict[Symbol, Rational]:
    return {symbol: Rational(value.numerator, value.denominator) for symbol, value in point.items()}


def value_of(part: Expr, point: Point) -> Fraction:
    """The exact value of an expression of fractions, steps and pieces.

    >>> x = Symbol("x")
    >>> value_of(x - sp.sign(x) / 3, {x: Fraction(1, 2)})
    Fraction(1, 6)
    """
    if part in point:
        return point[part]
    if isinstance(part, Rational):
        return Fraction(int(part.p), int(part.q))
    if isinstance(part, sp.Piecewise):
        for value, condition in part.args:
            if _holds(condition, point):
                return value_of(value, point)
        raise RejectedError("no piece applies")
    values = [value_of(one, point) for one in part.args]
    if isinstance(part, sp.Add):
        return sum(values, Fraction(0))
    if isinstance(part, sp.Mul):
        return prod(values, start=Fraction(1))
    if isinstance(part, sp.Pow) and values[1].denominator == 1:
        return values[0] ** int(values[1])
    entry = entry_of(part)
    found = None if entry is None or entry.exactly is None else entry.exactly(*values)
    if found is None:
        raise RejectedError("no fraction")
    return found


_COMPARED: dict[type, Callable[[Fraction, Fraction], bool]] = {
    sp.Eq: eq, sp.Ne: ne, sp.Lt: lt, sp.Le: le, sp.Gt: gt, sp.Ge: ge,
}  # fmt: skip


def _holds(condition: Boolean, point: Point) -> bool:
    if condition in (sp.true, sp.false):
        return bool(condition == sp.true)
    if isinstance(condition, Not):
        return not _holds(condition.args[0], point)
    if isinstance(condition, (And, Or)):
        return (all if isinstance(condition, And) else any)(_holds(part, point) for part in condition.args)
    require(type(condition) in _COMPARED, "a condition of another kind")
    return _COMPARED[type(condition)](*(value_of(side, point) for side in condition.args))
