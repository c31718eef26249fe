"""Re-checks a violation along a flow by another integration: Picard boxes and Lie series, in small steps.

Nothing of the engine is used: the Taylor coefficients are Lie derivatives taken symbolically, the set is a plain box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from flint import arb, ctx
from sympy import Add, Expr, Integer, Rational, Symbol, diff
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Or

from proofs_check.kernel.fields import expanded
from proofs_check.kernel.intervals import Interval, UndefinedError, evaluate
from proofs_check.kernel.point import enclosed
from proofs_check.kernel.scene import RejectedError, Scene, require, scene_of, start_of
from theory.language.formulas import compared, joined
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo, Decreasing, is_plain, put_at_once

_ORDERS = range(6, 16)
"""How many Lie derivatives are taken: the least number, and more as long as they are short."""
_LONGEST = 60
_STEPS = 4000
_SHORTEST = arb(2) ** -50
_ROUGHEST = 1e-12
"""The largest error of one step, beside the state."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the claim certainly fails, by the stated time, on the trajectory from the stated point.

    The trajectory is followed only as long as it certainly is in the evolution domain. Where the solution without a
    domain is certainly outside at a time, it has ended by then: no later moment is reached, and it has no limit.
    """
    before = ctx.prec
    ctx.prec = 160
    try:
        scene, claim = scene_of(statement)
        require(not scene.discrete, "not a flow")
        point = start_of(statement, certificate["point"])
        require(not scene.almost_all, "one start may be an exception")
        return _fails(scene, claim, point, Rational(certificate["time"]))
    except (RejectedError, UndefinedError):
        return False
    finally:
        ctx.prec = before


def _fails(scene: Scene, claim: Boolean, point: dict[Symbol, Any], until: Rational) -> bool:
    state = list(scene.state)
    rule = [put_at_once(part, point) for part in scene.rule]
    series = [state]
    while len(series) < _ORDERS.stop and (len(series) < _ORDERS.start or _length(series[-1]) < _LONGEST):
        series.append(
            [
                expanded(Add(*(diff(c, s) * v for s, v in zip(state, rule, strict=True))) / len(series))
                for c in series[-1]
            ]
        )
    coefficients = [_Row(row, state) for row in series]
    box = [_ball(enclosed(put_at_once(value, point))) for value in scene.start]
    history = [(arb(0), box)]
    domain = scene.domain.xreplace(point)
    step = arb(2) ** -7
    now, inside, steps, end = arb(0), True, 1, None
    while now < until.p / arb(until.q) + step and steps < _STEPS and end is None:
        try:
            box, meanwhile = _next(coefficients, box, step)
        except RejectedError:  # near a blow-up only short steps stay inside of a box
            require(step > _SHORTEST, "the trajectory blows up")
            step /= 2
            continue
        now, steps = now + step, steps + 1
        inside = inside and _plain(domain, state, meanwhile) is True
        if inside:
            history.append((now, box))
        elif _plain(domain, state, box) is False:
            end = now
    return _is_false(claim.xreplace(point), state, history, arb(0), end)


def _length(row: Sequence[Expr]) -> int:
    return sum(part.count_ops() for part in row)


class _Row:
    """Expressions of the state, enclosed together on a box."""

    def __init__(self, expressions: Sequence[Expr], state: Sequence[Symbol]) -> None:
        self._expressions, self._state = expressions, state

    def __call__(self, *box: arb) -> list[arb]:
        sides = dict(zip(self._state, map(Interval.around, box), strict=True))
        return [_ball(evaluate(part, sides)) for part in self._expressions]


def _ball(side: Interval) -> arb:
    return side.low.union(side.high)


def _next(coefficients: list[Any], box: list[arb], step: arb) -> tuple[list[arb], list[arb]]:
    """Boxes around the state after a step, and around all states during the step."""
    during = arb(0).union(step)
    velocity = coefficients[1]
    rough = [b + during * v for b, v in zip(box, velocity(*box), strict=True)]
    for _ in range(30):
        wide = [r + arb(0, 1e-3) * (r - r.mid()) + arb(0, 1e-20) for r in rough]
        image = [b + during * v for b, v in zip(box, velocity(*wide), strict=True)]
        require(all(i.is_finite() for i in image), "the trajectory may leave every box")
        if all(w.contains(i) for w, i in zip(wide, image, strict=True)):
            rows = [row(*box) for row in coefficients[:-1]]
            rest = coefficients[-1](*image)
            powers = [step**order for order in range(len(coefficients))]
            small = all((r * powers[-1]).abs_upper() < _ROUGHEST * (1 + abs(b)) for r, b in zip(rest, box, strict=True))
            require(small, "the step is too long")
            after = [
                sum((row[i] * powers[order] for order, row in enumerate(rows)), arb(0)) + rest[i] * powers[-1]
                for i in range(len(box))
            ]
            return after, image
        rough = [w.union(i) for w, i in zip(wide, image, strict=True)]
    raise RejectedError("no box holds the trajectory for a step")


def _is_false(
    claim: Boolean, state: list[Symbol], history: list[tuple[arb, list[arb]]], begin: arb, end: arb | None
) -> bool:
    """Whether the claim about the trajectory from a time on is certainly false; the history may begin later.

    At the `end` the trajectory is outside of its domain.
    """
    if is_plain(claim):
        return bool(history[0][0] == begin) and _plain(claim, state, history[0][1]) is False
    if isinstance(claim, And):
        return any(_is_false(part, state, history, begin, end) for part in claim.args)
    if isinstance(claim, Or):
        return all(_is_false(part, state, history, begin, end) for part in claim.args)
    if isinstance(claim, After) and isinstance(claim.args[0], Integer | Rational):
        bound = begin + claim.args[0].p / arb(claim.args[0].q)
        if end is not None and bound >= end:
            return True
        later = [(time, box) for time, box in history if time >= bound]
        return bool(later) and _is_false(claim.args[1], state, later, bound, end)
    if isinstance(claim, ConvergesTo):
        return end is not None
    if isinstance(claim, Always) and is_plain(claim.args[0]):
        return any(_plain(claim.args[0], state, box) is False for _, box in history)
    if isinstance(claim, Decreasing):
        value = _Row([claim.args[0]], state)
        values = [value(*box)[0] for _, box in history]
        return any(later >= earlier for earlier, later in pairwise(values))
    return False


def _plain(formula: Boolean, state: list[Symbol], box: list[arb]) -> bool | None:
    if isinstance(formula, Relational):
        left, right = _Row(formula.args, state)(*box)
        return compared(formula.func, Interval.around(left - right).sign())
    return joined(formula, [_plain(part, state, box) for part in formula.args])
