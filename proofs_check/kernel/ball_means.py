"""Means over the unit ball as means over finitely many of its points, however many and whichever.

Theorem. Let the conclusion be made of equations and weak inequalities whose sides are continuous functions of means
E f_1(z), ..., E f_r(z) over the uniform law on the unit ball, with f_1, ..., f_r bounded and measurable. If it holds
with (f_i(z_1) + ... + f_i(z_K)) / K in place of every E f_i(z), for every K and all points z_1, ..., z_K of the ball,
then it holds for the means.

Proof. Fix the sizes and all other numbers: then there are finitely many means. Draw z_1, z_2, ... independently and
uniformly. By the strong law of large numbers all averages tend to their means with probability one, so there is a
sequence of points for which they do; the sides are continuous, and weak inequalities and equations pass to the limit.
With (f_i(z_k) + f_i(-z_k)) / 2 in place of f_i(z_k) the same is true, since z and -z have one law.

Hypotheses that speak of means are left out, so that more is shown. Twins: [weak] a strict inequality may become an
equation in the limit; [continuous] sign(E z_1) is zero, of the averages it need not be; [of the ball] points outside.
"""

from __future__ import annotations

from itertools import count

from sympy import Abs, Add, And, Basic, Eq, Expr, Ge, Le, Max, Min, Mul, Pow, S, Sum, Symbol, exp
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.indexed import NotIndexedError
from theory.language.ball_means import BallMean
from theory.language.families import Entry, Family, family
from theory.statements import Statement
from theory.temporal import ForEach

_CONTINUOUS = (Add, Mul, Max, Min, Abs, Sum, exp)


def at_points(statement: Statement, both: bool) -> Statement:
    """The statement about averages over points of the ball, or over points and their opposites."""
    if statement.dynamics is not None or statement.computed is not None or statement.almost_all or statement.noise:
        raise NotIndexedError("means over a ball are of numbers that stand still")
    require_weak(statement.then)
    given = [part for part in statement.given if not part.has(BallMean)]
    taken = {symbol.name for part in (statement.then, *given, *statement.variables) for symbol in part.atoms(Symbol)}
    taken |= {u.name for u in statement.variables if isinstance(u, Family)}
    taken |= {constant.symbol.name for constant in statement.constants}
    taken |= {u.name for u in statement.then.atoms(Family)}
    number, place, index = (_fresh(stem, taken) for stem in ("K", "l", "k"))
    points = {
        mean.drawn: family(_fresh(mean.drawn.name, taken).name, number, mean.drawn.sizes[0])
        for mean in sorted(statement.then.atoms(BallMean), key=str)
    }
    inside = [
        ForEach(place, number, Le(Sum(of[place, index] ** 2, (index, 1, of.sizes[1])), 1, evaluate=False))
        for of in points.values()
    ]
    return Statement(
        then=_averaged(statement.then, points, place, both), given=(*given, *inside),
        variables={**statement.variables, **dict.fromkeys(points.values(), S.Reals)}, constants=statement.constants,
    )  # fmt: skip


def require_weak(of: Boolean) -> None:
    """Refuse conclusions that do not pass to the limit."""
    if isinstance(of, And):
        for part in of.args:
            require_weak(part)
    elif isinstance(of, ForEach):
        require_weak(of.body)
    elif isinstance(of, (Eq, Ge, Le)):
        if not all(map(_is_continuous, of.args)):
            raise NotIndexedError(f"the sides of {of} are not known to be continuous in the means")
    else:
        raise NotIndexedError(f"{of} is no equation or weak inequality")


def _is_continuous(of: Expr) -> bool:
    """Whether a side is a continuous function of the means in it."""
    if not of.has(BallMean) or isinstance(of, BallMean):
        return True
    if isinstance(of, Pow):
        return bool(of.exp.is_Integer and of.exp.is_positive) and _is_continuous(of.base)
    return isinstance(of, _CONTINUOUS) and all(map(_is_continuous, of.args))


def _averaged(of: Basic, points: dict[Family, Family], place: Symbol, both: bool) -> Basic:
    if isinstance(of, BallMean):
        chosen = points[of.drawn]
        here = {entry: chosen[place, *entry.indices] for entry in of.number.atoms(Entry) if entry.family == of.drawn}
        value = of.number.xreplace(here)
        if both:
            value = (value + of.number.xreplace({entry: -point for entry, point in here.items()})) / 2
        return Sum(value, (place, 1, chosen.sizes[0])) / chosen.sizes[0]
    if not of.has(BallMean):
        return of
    parts = [_averaged(part, points, place, both) for part in of.args]
    return of.func(*parts, evaluate=False) if isinstance(of, (Eq, Ge, Le)) else of.func(*parts)


def _fresh(stem: str, taken: set[str]) -> Symbol:
    name = next(name for k in count() if (name := f"{stem}{k or ''}") not in taken)
    taken.add(name)
    return Symbol(name)
