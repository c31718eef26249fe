"""A few approximate trajectories, used only to discard candidates that are plainly wrong. Nothing is proved here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random

from sympy import And, Expr, Symbol, false, lambdify, true
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And as Conjunction
from sympy.logic.boolalg import Boolean, Or

from proofs_check import clock
from proofs_check.engines.motion.trajectory import Setting
from proofs_check.points.search import Search

_ARITHMETIC = (ValueError, OverflowError, ZeroDivisionError, TypeError)
_SLACK = 1e-9


@dataclass(frozen=True)
class Sample:
    """Approximate states along one trajectory, and the values of the fixed symbols."""

    fixed: dict[Symbol, float]
    states: list[tuple[float, ...]]


def samples(setting: Setting, points: int = 6, steps: int = 60, seconds: float = 1.0) -> list[Sample]:
    """Trajectories from a few points of the hypothesis set; empty when none is found quickly."""
    found = []
    for point in exact_points(setting, And(*setting.hypotheses), points, seconds):
        fixed = {symbol: float(value.evalf(20)) for symbol, value in point.items()}
        found.append(Sample(fixed, _trajectory(setting, fixed, steps)))
    return found


def exact_points(setting: Setting, formula: Boolean, count: int, seconds: float) -> list[dict[Symbol, Expr]]:
    """Up to so many exact values of the variables that satisfy a formula."""
    search = Search(setting.variables, formula, clock.now() + seconds)
    try:
        return list(islice(search.points(), count))
    except (ValueError, OverflowError):  # SymPy fails on roots of some very long integers
        return []


def function_of(expression: Expr, arguments: Sequence[Symbol]) -> Callable[..., float]:
    """A float function that answers nan where the expression is undefined."""
    compiled = lambdify(list(arguments), expression, modules="math")

    def evaluate(*values: float) -> float:
        try:
            return float(compiled(*values))
        except _ARITHMETIC:
            return math.nan

    return evaluate


def run(setting: Setting, steps: int) -> list[tuple[float, ...]]:
    """The approximate trajectory of a setting without variables; it is shorter where it leaves every bound."""
    return _trajectory(setting, {}, steps, reach=0.15)


def _trajectory(
    setting: Setting, fixed: dict[Symbol, float], steps: int, reach: float = 0.0
) -> list[tuple[float, ...]]:
    """States along a trajectory; with a reach, steps of a flow grow with its state, so that a blow-up is seen."""
    names, values = list(fixed), list(fixed.values())
    state = tuple(function_of(part, names)(*values) for part in setting.start)
    rule = [function_of(part, [*names, *setting.state]) for part in setting.rule]
    move = _one_step if setting.discrete else partial(_runge_kutta, reach=reach)
    states = [state]
    leaves = {leaf: function_of(leaf.lhs - leaf.rhs, [*names, *setting.state])
              for leaf in setting.domain.atoms(Relational)}  # fmt: skip
    for _ in range(steps):
        state = move(rule, values, state)
        if not all(math.isfinite(entry) and abs(entry) < 1e12 for entry in state):
            break
        if not _possible(setting.domain, {leaf: gap(*values, *state) for leaf, gap in leaves.items()}):
            break
        states.append(state)
    return states


def _one_step(rule: Sequence[Callable[..., float]], values: list[float], state: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(part(*values, *state) for part in rule)


def _runge_kutta(
    rule: Sequence[Callable[..., float]], values: list[float], state: tuple[float, ...], reach: float
) -> tuple[float, ...]:
    speed = _one_step(rule, values, state)
    length = reach * (1 + max(abs(entry) for entry in state)) if reach else 0.2
    size = length / (1 + max(abs(entry) for entry in speed))

    def moved(slope: tuple[float, ...], factor: float) -> tuple[float, ...]:
        return tuple(x + factor * size * v for x, v in zip(state, slope, strict=True))

    second = _one_step(rule, values, moved(speed, 0.5))
    third = _one_step(rule, values, moved(second, 0.5))
    fourth = _one_step(rule, values, moved(third, 1.0))
    mean = tuple((a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(speed, second, third, fourth, strict=True))
    return moved(mean, 1.0)


def not_excluded(setting: Setting, formulas: Iterable[Boolean], seen: Sequence[Sample]) -> list[Boolean]:
    """The formulas that no sampled state contradicts."""
    arguments = [*setting.variables, *setting.state]
    kept = []
    for formula in formulas:
        leaves = {leaf: function_of(leaf.lhs - leaf.rhs, arguments) for leaf in formula.atoms(Relational)}
        if all(
            _possible(formula, {leaf: gap(*sample.fixed.values(), *state) for leaf, gap in leaves.items()})
            for sample in seen
            for state in sample.states
        ):
            kept.append(formula)
    return kept


class Cloud:
    """Points around what was seen, on which a set that a step leaves is told apart without a proof."""

    def __init__(self, setting: Setting, seen: Sequence[Sample], each: int = 60) -> None:
        self._setting, self._arguments = setting, [*setting.variables, *setting.state]
        states = [state for sample in seen for state in sample.states]
        sides = [(min(values), max(values)) for values in zip(*states, strict=True)]
        random = Random(0)  # noqa: S311 - reproducible points, not secrets

        def near(low: float, high: float) -> float:
            room = (high - low) / 2 + 0.1 * max(abs(low), abs(high))
            return random.uniform(low - room, high + room)

        self._points = [
            (*sample.fixed.values(), *(near(*side) for side in sides)) for sample in seen for _ in range(each)
        ]

    def may_keep(self, parts: Sequence[Boolean], part: Boolean) -> bool:
        """Whether no point inside of all parts leaves one of them by a step."""
        inside, after = And(*parts, self._setting.assumed), self._setting.next(part)
        if inside in (true, false) or after in (true, false):
            return True
        gaps = {
            leaf: function_of(leaf.lhs - leaf.rhs, self._arguments)
            for leaf in (*inside.atoms(Relational), *after.atoms(Relational))
        }
        for point in self._points:
            values = {leaf: gap(*point) for leaf, gap in gaps.items()}
            if _certain(inside, values) and not _possible(after, values):
                return False
        return True


def _certain(formula: Boolean, gaps: dict[Relational, float]) -> bool:
    if isinstance(formula, Relational):
        gap = gaps[formula]
        return {Lt: gap < -_SLACK, Le: gap < -_SLACK, Gt: gap > _SLACK, Ge: gap > _SLACK, Ne: abs(gap) > _SLACK}.get(
            formula.func, False
        )
    if isinstance(formula, (Conjunction, Or)):
        return (all if isinstance(formula, Conjunction) else any)(_certain(part, gaps) for part in formula.args)
    return formula == true


def _possible(formula: Boolean, gaps: dict[Relational, float]) -> bool:
    if isinstance(formula, Relational):
        gap = gaps[formula]
        return {
            Eq: abs(gap) <= 1e-6 * (1 + abs(gap)), Ne: True, Lt: gap < _SLACK, Le: gap < _SLACK,
            Gt: gap > -_SLACK, Ge: gap > -_SLACK,
        }.get(formula.func, True) or math.isnan(gap)  # fmt: skip
    if isinstance(formula, Conjunction):
        return all(_possible(part, gaps) for part in formula.args)
    if isinstance(formula, Or):
        return any(_possible(part, gaps) for part in formula.args)
    return formula != false
