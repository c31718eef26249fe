"""Invariant sets of flows: no trajectory leaves through any of the surfaces that bound the set.

Four reasons why the relation `gap >= 0` (or `> 0`, or `= 0`) is kept, L being the derivative along the flow:

- "darboux":   L gap = factor * gap identically, so the sign of the gap never changes;
- "growth":    L gap >= factor * gap inside the set, so that a positive gap stays positive (Gronwall);
- "boundary":  L gap > 0 wherever the gap is 0 on the closed set, so that it cannot be crossed;
- "tangent":   L gap >= 0 wherever the gap is 0, and its gradient is not zero there (Nagumo, with uniqueness of
               solutions); only relations that are strict and kept for one of the reasons above may be used here.

At the first time of leaving the set the state lies in its closure, and the relation that fails contradicts its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sympy import And, Eq, Expr, Ge, Gt, Le, Lt, Ne, Or, Poly, S, Symbol, diff, div
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError
from proofs_check.engines.motion.candidates import conjuncts
from proofs_check.engines.motion.inductive import Invariant, meaning, well_posed
from proofs_check.engines.motion.smoothness import smooth_where
from proofs_check.engines.motion.trajectory import Setting
from proofs_check.goals import Goal


def confined(setting: Setting, candidates: Iterable[Boolean], desk: Desk) -> Invariant:
    """The largest part of the candidates that the flow keeps, with a reason for every relation."""
    meant = [meaning(setting, part, desk) for part in dict.fromkeys(candidates)]
    flat = dict.fromkeys(leaf for part in meant if part is not None for leaf in conjuncts(part))
    parts = [part for part in flat if _is_usable(part) and desk.proves(setting.at_start(part))]
    while True:
        reasons = _reasons(setting, parts, desk)
        if all(part in reasons for part in parts):
            break
        parts = [part for part in parts if part in reasons]
    obligations = well_posed(setting, parts, desk, [reasons[part][1] for part in parts])
    obligations += [desk.require("start", setting.at_start(part)) for part in parts]
    obligations += _smooth(setting, parts, desk)
    obligations += [item for part in parts for item in reasons[part][2]]
    facts = {"set": parts, "reasons": [[*reasons[part][:2]] for part in parts]}
    return Invariant(tuple(parts), Argument("barrier", facts, tuple(obligations)))


Reason = tuple[str, Expr, list[Obligation]]


def gap_of(relation: Relational) -> Expr:
    """What is nonnegative, positive, zero or nonzero on the relation.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> gap_of(x < y)
    -x + y
    """
    return relation.rhs - relation.lhs if isinstance(relation, (Lt, Le)) else relation.lhs - relation.rhs


def closed(formula: Boolean) -> Boolean:
    """A closed set that contains the formula's: strict relations are relaxed, all that is no relation or != dropped.

    >>> x = Symbol("x")
    >>> closed((x > 0) & (x < 1))
    (x >= 0) & (x <= 1)
    """
    if isinstance(formula, (Gt, Lt)):
        return Ge(*formula.args) if isinstance(formula, Gt) else Le(*formula.args)
    if isinstance(formula, (And, Or)):
        return formula.func(*(closed(part) for part in formula.args))
    return formula if isinstance(formula, (Eq, Ge, Le)) else S.true


def interior(formula: Boolean) -> Boolean:
    """An open set inside of the formula's, where its sides are continuous: nothing is left of an equation.

    >>> x = Symbol("x")
    >>> interior((x >= 0) & (x < 1))
    (x > 0) & (x < 1)
    """
    if isinstance(formula, (Ge, Le)):
        return Gt(*formula.args) if isinstance(formula, Ge) else Lt(*formula.args)
    if isinstance(formula, (And, Or)):
        return formula.func(*(interior(part) for part in formula.args))
    return formula if isinstance(formula, (Gt, Lt, Ne)) else S.false


def _is_usable(part: Boolean) -> bool:
    return isinstance(part, (Eq, Ne, Gt, Lt, Ge, Le))


def _smooth(setting: Setting, parts: Sequence[Boolean], desk: Desk) -> list[Obligation]:
    """Solutions are unique where the velocity is smooth; the gaps must be differentiable on the closed set."""
    where = smooth_where((*setting.rule, *(gap_of(part) for part in parts)))
    if where is None:
        raise UnprovedError("the velocity may have kinks")
    if isinstance(where, BooleanTrue):
        return []
    return [desk.require("smooth", setting.anywhere((*(closed(part) for part in parts), setting.assumed), where))]


def _reasons(setting: Setting, parts: Sequence[Boolean], desk: Desk) -> dict[Boolean, Reason]:
    found: dict[Boolean, Reason] = {}
    for part in parts:
        reason = _direct_reason(setting, parts, part, desk)
        if reason is not None:
            found[part] = reason
    known = [part for part in found if isinstance(part, (Gt, Lt, Ne))]
    for part in parts:
        if part not in found and (reason := _tangent(setting, known, part, desk)) is not None:
            found[part] = reason
    return found


def _direct_reason(setting: Setting, parts: Sequence[Boolean], part: Relational, desk: Desk) -> Reason | None:
    gap = gap_of(part)
    rate = setting.rate(gap)
    factor = quotient(rate, gap, setting.state)
    identical = setting.anywhere((), Eq(rate, factor * gap))
    if desk.proves(identical):
        return "darboux", factor, [desk.require("darboux", identical)]
    if isinstance(part, (Eq, Ne)):
        return None
    if isinstance(part, (Gt, Lt)):
        for pace in dict.fromkeys((S.Zero, factor)):
            grows = setting.anywhere((*parts, setting.assumed), Ge(rate, pace * gap))
            if desk.proves(grows):
                return "growth", pace, [desk.require("growth", grows)]
    crossing = boundary(setting, [closed(other) for other in parts if other != part], gap, Gt(rate, 0))
    return ("boundary", S.Zero, [desk.require("boundary", crossing)]) if desk.proves(crossing) else None


def boundary(setting: Setting, others: Sequence[Boolean], gap: Expr, conclusion: Boolean) -> Goal:
    """The goal about the states where the gap is zero."""
    return setting.anywhere((*others, closed(setting.assumed), Eq(gap, 0)), conclusion)


def _tangent(setting: Setting, known: Sequence[Boolean], part: Relational, desk: Desk) -> Reason | None:
    if isinstance(part, (Eq, Ne)):
        return None
    gap = gap_of(part)
    steepness = sum((diff(gap, symbol) ** 2 for symbol in setting.state), S.Zero)
    crossing = setting.anywhere((*known, Eq(gap, 0)), And(Ge(setting.rate(gap), 0), Gt(steepness, 0)))
    return ("tangent", S.Zero, [desk.require("tangent", crossing)]) if desk.proves(crossing) else None


def quotient(rate: Expr, gap: Expr, state: Sequence[Symbol]) -> Expr:
    """The polynomial quotient of two expressions in the state, or 0 when they are no polynomials.

    >>> x = Symbol("x")
    >>> quotient(-x**3, x, [x])
    -x**2
    """
    try:
        Poly(rate, *state), Poly(gap, *state)
        if not gap.free_symbols & set(state):
            return S.Zero
        return div(rate, gap, *state)[0]
    except PolynomialError:
        return S.Zero
