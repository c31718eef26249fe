"""Whether a side condition of an argument holds: by a stored proof of it, at a number, by solvers or by bisection.

A stored proof counts only when its own checker accepts it, it shows the very condition, and it assumes nothing else.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flint import arb, ctx, fmpq
from sympy import And, Expr, Set, Symbol, true
from sympy import Interval as Domain
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.checkers import real
from proofs_check.checkers.cover_signs import same
from proofs_check.checkers.intervals import Interval, UndefinedError, evaluate
from proofs_check.checkers.point import truth
from proofs_check.goals import Goal
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.trees import decode

_MOST_BOXES = 4000
_ALLOWED = {Eq: {0}, Ne: {-1, 1}, Gt: {1}, Ge: {0, 1}, Lt: {-1}, Le: {-1, 0}}


class Shown:
    """Conditions that stored proofs show, each replayed at most once."""

    def __init__(self, stored: Iterable[Mapping[str, Any]]) -> None:
        self._proofs = [
            (decode(item["condition"]), frozenset(map(decode, item["given"])), item["certificate"]) for item in stored
        ]
        self._accepted: dict[tuple[int, Boolean], bool] = {}
        self._asked: dict[tuple[Boolean, frozenset[Boolean]], bool] = {}

    def follows(self, condition: Boolean, variables: Mapping[Symbol, Set], given: Sequence[Boolean]) -> bool:
        """Whether a condition holds for all values of the variables that satisfy what is given."""
        if condition == true or condition in given:
            return True
        if not condition.free_symbols:
            return truth(condition, {}) is True
        key = (condition, frozenset(given))
        if key not in self._asked:
            self._asked[key] = self._stored(condition, variables, frozenset(given)) or self._anew(
                Goal(variables, tuple(given), condition)
            )
        return self._asked[key]

    def _stored(self, condition: Boolean, variables: Mapping[Symbol, Set], given: frozenset[Boolean]) -> bool:
        return any(
            assumed <= given and _says(shown, condition) and self._replays(place, variables)
            for place, (shown, assumed, _) in enumerate(self._proofs)
        )

    def _replays(self, place: int, variables: Mapping[Symbol, Set]) -> bool:
        shown, assumed, certificate = self._proofs[place]
        if (place, shown) not in self._accepted:
            kind = str((certificate or {}).get("kind", "")).replace("-", "_")
            try:
                checker = importlib.import_module(f"proofs_check.checkers.{kind}") if kind.isidentifier() else None
                goal = Statement(variables=variables, given=tuple(assumed), then=shown)
                self._accepted[place, shown] = checker is not None and bool(checker.check(goal, certificate))
            except (LemmascopeError, ModuleNotFoundError):
                self._accepted[place, shown] = False
        return self._accepted[place, shown]

    def _anew(self, goal: Goal) -> bool:
        return bisected(goal) or real.check_goal(goal)


def _says(shown: Boolean, wanted: Boolean) -> bool:
    """Whether two relations to 0 are the same up to a positive number as a factor."""
    if shown == wanted:
        return True
    if not isinstance(shown, Relational) or shown.func is not wanted.func:
        return False
    return same(shown.lhs - shown.rhs, wanted.lhs - wanted.rhs)


def bisected(goal: Goal) -> bool:
    """Whether intervals show a relation on a bounded box of few sides, cut into halves as often as it takes.

    >>> from sympy import exp
    >>> x = Symbol("x")
    >>> bisected(Goal({x: Domain(0, 1)}, (), exp(x) < 3))
    True
    """
    parts = And.make_args(goal.conclusion)
    used = sorted(goal.conclusion.free_symbols, key=str)
    if not all(type(part) in _ALLOWED for part in parts) or len(used) > 2:
        return False
    domains = {symbol: goal.variables.get(symbol, true) for symbol in used}
    if not all(type(domain) is Domain for domain in domains.values()):
        return False
    start = {symbol: (domain.start, domain.end) for symbol, domain in domains.items()}
    if not all(end.is_Rational for ends in start.values() for end in ends):
        return False
    previous = ctx.prec
    ctx.prec = 64
    try:
        return all(_by_halves(part.lhs - part.rhs, _ALLOWED[type(part)], start) for part in parts)
    finally:
        ctx.prec = previous


def _by_halves(difference: Expr, allowed: set[int], start: dict[Symbol, tuple[Expr, Expr]]) -> bool:
    pending, seen = [start], 0
    while pending:
        box = pending.pop()
        seen += 1
        try:
            signs = evaluate(difference, {symbol: _between(*ends) for symbol, ends in box.items()}).sign()
        except UndefinedError:
            signs = {-1, 0, 1}
        if signs <= allowed:
            continue
        if not signs & allowed or seen > _MOST_BOXES:
            return False
        widest = max(box, key=lambda symbol: box[symbol][1] - box[symbol][0])
        low, high = box[widest]
        middle = (low + high) / 2
        pending += [{**box, widest: (low, middle)}, {**box, widest: (middle, high)}]
    return True


def _between(low: Expr, high: Expr) -> Interval:
    ends = [arb(fmpq(int(end.p), int(end.q))) for end in (low, high)]
    return Interval(ends[0].lower(), ends[1].upper())
