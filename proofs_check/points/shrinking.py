"""A counterexample that a person can read: small rationals, and violated with room rather than by a hair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sympy import And, Expr, Or, Pow, Product, Rational, Sum, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean

from proofs_check import clock
from proofs_check.goals import Goal
from proofs_check.points.candidate_values import nicest
from proofs_check.points.exact import holds
from proofs_check.points.rationals import cost, near
from proofs_check.points.search import Point, Search
from theory.temporal import negation

Hint = Mapping[Symbol, float]

_NICE_SECONDS = 0.5
_FAR = 10_000
_HUGE = 1000
_LONGEST = 10**200
"""Numbers beyond it are shown by their first digits."""

_SIMPLE = [Rational(n, d) for n, d in ((1, 1), (0, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2), (3, 1), (-3, 1),
                                       (1, 4), (3, 2), (1, 10), (10, 1))]  # fmt: skip


def with_room(formula: Boolean, room: Expr) -> Boolean:
    """The formula with every inequality satisfied by at least the given amount.

    >>> x = Symbol("x")
    >>> with_room((x > 1) | (x <= 0), Rational(1, 10))
    (x <= -1/10) | (x > 11/10)
    """
    if isinstance(formula, (And, Or)):
        return formula.func(*[with_room(part, room) for part in formula.args])
    if isinstance(formula, (Lt, Le)):
        return formula.func(formula.lhs, formula.rhs - room)
    if isinstance(formula, (Gt, Ge)):
        return formula.func(formula.lhs, formula.rhs + room)
    return formula


def shrink(goal: Goal, hints: Sequence[tuple[Hint, float]], deadline: float) -> Point | None:
    """A simple exact counterexample near one of the hints (points with the amount of their violation), or None.

    >>> from sympy import Reals
    >>> x = Symbol("x")
    >>> shrink(Goal({x: Reals}, (x > 0,), x**2 > x), [({x: 0.4837213}, 0.2)], clock.now() + 5)
    {x: 1/2}
    """
    violation = negation(goal.conclusion)
    for room in _rooms(max((amount for _, amount in hints), default=0.0)):
        roomy = Goal(goal.variables, goal.hypotheses, negation(with_room(violation, room)))
        soon = min(deadline, clock.now() + _NICE_SECONDS)
        point = Search(roomy.variables, roomy.refutation, soon).find()
        if point is None:
            near_hints = [hint for hint, _ in hints]
            point = Search(roomy.variables, roomy.refutation, deadline, near_hints).find()
        if point is not None:
            return plainer(roomy, point, deadline)
        if clock.now() > deadline:
            return None
    return None


def _rooms(amount: float) -> list[Expr]:
    """Half of the violation but at most 1/10, a tenth of that, and none."""
    if not 0 < amount < float("inf"):
        return [Rational(0)]
    sizes = [near(min(Fraction(amount) / 2, Fraction(1, 10)) / parts, 0.3) for parts in (1, 10)]
    return [*[Rational(size.numerator, size.denominator) for size in sizes], Rational(0)]


def plainer(goal: Goal, point: Point, deadline: float = float("inf")) -> Point:
    """The point with one coordinate after the other replaced by a simpler number while the goal still fails.

    >>> from sympy import Reals, symbols
    >>> x, y = symbols("x y")
    >>> plainer(Goal({x: Reals, y: Reals}, (x > 0,), y > 7), {x: Rational(355, 113), y: Rational(-41, 3)})
    {x: 1, y: 1}
    """
    for symbol, value in point.items():
        for simple in _simpler(value, integer=symbol in goal.integers):
            if clock.now() > deadline:
                return point
            if holds(goal.refutation, changed := {**point, symbol: simple}) is True:
                point = changed
                break
    return nearer(goal, point, deadline)


def nearer(goal: Goal, point: Point, deadline: float) -> Point:
    """The point with its huge coordinates, which may only be huge together, brought down by one power of ten.

    >>> from sympy import Reals, symbols
    >>> x, y = symbols("x y")
    >>> goal = Goal({x: Reals, y: Reals}, (x < y, y < 2 * x), y < x + 1)
    >>> nearer(goal, {x: Rational(10**9), y: Rational(11 * 10**8)}, float("inf"))
    {x: 10, y: 11}
    """
    huge = [symbol for symbol, value in point.items() if value.is_Rational and abs(value) > _HUGE]
    if len(huge) < 2 or not set(huge).isdisjoint(goal.integers):
        return point
    for power in reversed(range(1, len(str(int(max(abs(point[symbol]) for symbol in huge)))))):
        changed = {**point, **{symbol: point[symbol] / 10**power for symbol in huge}}
        if clock.now() > deadline:
            break
        if holds(goal.refutation, changed) is True:
            return changed
    return point


def _simpler(value: Expr, *, integer: bool) -> list[Expr]:
    if not value.is_Rational:
        return []
    exact = Fraction(int(value.p), int(value.q))
    rounded = [near(exact, tolerance) for tolerance in (0.9, 0.5, 0.2, 0.05, 0.01, 1e-3)]
    known = {*_SIMPLE, *(Rational(number.numerator, number.denominator) for number in rounded)}
    return [number for number in nicest(list(known)) if cost(number) < cost(value) and (number.q == 1 or not integer)]


def sentence(goal: Goal, point: Mapping[Symbol, Expr]) -> str:
    """What goes wrong at a counterexample.

    >>> from sympy import Reals
    >>> x = Symbol("x")
    >>> sentence(Goal({x: Reals}, (x > 0,), x**2 > x), {x: Rational(1, 2)})
    'x = 1/2 satisfies the hypotheses, but x**2 = 1/4 is not > x = 1/2'
    """
    place = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
    verb = "satisfies" if len(point) < 2 else "satisfy"
    for relation in _violated(goal.conclusion, point):
        left, right = (_described(side, point) for side in relation.args)
        return f"{place} {verb} the hypotheses, but {left} is not {relation.rel_op} {right}"
    return f"{place} {verb} the hypotheses, but not the conclusion"


def _violated(formula: Boolean, point: Mapping[Symbol, Expr]) -> list[Relational]:
    if isinstance(formula, Relational):
        return [formula] if holds(formula, point) is False else []
    if isinstance(formula, And):
        return [relation for part in formula.args for relation in _violated(part, point)]
    return []


def _described(side: Expr, point: Mapping[Symbol, Expr]) -> str:
    is_far = any(value.is_Integer and abs(value) > _FAR for value in point.values())
    if is_far and (side.has(Sum, Product) or any(power.exp.free_symbols for power in side.atoms(Pow))):
        return str(side)  # SymPy would write out as many digits or terms as there are
    value = side.subs(dict(point))
    if value.is_Rational and max(abs(value.p), value.q) > _LONGEST:
        return f"{value.evalf(8)}"
    shown = str(value) if len(str(value)) <= 24 else f"{value.evalf(8)}"
    return shown if side == value else f"{side} = {shown}" if len(str(side)) <= 60 else shown
