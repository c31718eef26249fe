"""Invariant sets of flows: no trajectory leaves through any of the surfaces that bound the set.

Five reasons why the relation `gap >= 0` (or `> 0`, or `= 0`) is kept, L being the derivative along the flow:

- "darboux":   L gap = factor * gap identically, so the sign of the gap never changes;
- "growth":    L gap >= factor * gap inside the set, so that a positive gap stays positive (Gronwall);
- "comparison": L gap >= factor * gap wherever the state is known to be, so that a gap that is not negative stays so;
- "boundary":  L gap > 0 wherever the gap is 0 on the closed set, so that it cannot be crossed;
- "tangent":   L gap >= 0 wherever the gap is 0, and its gradient is not zero there (Nagumo, with uniqueness of
               solutions); only relations that are strict and kept for one of the reasons above may be used here.

At the first time of leaving the set the state lies in its closure, and the relation that fails contradicts its reason.
Relations whose sides are not continuous everywhere say nothing about the closure: they are proved in a second round,
where those of the first are known to hold at every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sympy import And, Eq, Expr, Ge, Gt, Le, Lt, Ne, Or, Poly, S, Symbol, diff, div, exp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError
from proofs_check.engines.motion.candidates import conjuncts
from proofs_check.engines.motion.inductive import Invariant, meaning, well_posed
from proofs_check.engines.motion.trajectory import Setting, joined
from proofs_check.goals import Goal
from theory.language.definedness import continuous_where, smooth_where


def confined(setting: Setting, candidates: Iterable[Boolean], desk: Desk, known: Invariant | None = None) -> Invariant:
    """The largest part of the candidates that the flow keeps, with a reason for every relation.

    What is known to be kept is assumed in the setting.
    """
    meant = [meaning(setting, part, desk) for part in dict.fromkeys(candidates)]
    flat = dict.fromkeys(leaf for part in meant if part is not None for leaf in conjuncts(part))
    parts = [part for part in flat if _is_usable(part) and desk.proves(setting.at_start(part))]
    first = _confined(setting, [part for part in parts if _is_everywhere(setting, part)], desk, known)
    later = setting.assuming(first.formula)
    rest = [part for part in parts if not _is_everywhere(setting, part) and _is_smooth(later, part, desk)]
    second = _confined(later, rest, desk, first) if rest else first
    return _compared(
        setting.assuming(second.formula), [part for part in parts if part not in second.parts], second, desk
    )


def _compared(setting: Setting, parts: Sequence[Boolean], known: Invariant, desk: Desk) -> Invariant:
    """Weak relations whose gap is compared with an exponential where the state is known to be, whatever its sign."""
    reasons: dict[Boolean, Reason] = {}
    for part in parts:
        gap = gap_of(part)
        where = smooth_where((*setting.rule, gap))
        if not isinstance(part, (Ge, Le)) or where is None or not desk.proves(_known_there(setting, where)):
            continue
        for pace in _paces(setting, gap):
            compared = _known_there(setting, Ge(setting.rate(gap), pace * gap))
            if continuous_where((pace,)) == S.true and desk.proves(compared):
                smooth = (
                    [] if isinstance(where, BooleanTrue) else [desk.require("smooth", _known_there(setting, where))]
                )
                reasons[part] = ("comparison", pace, [*smooth, desk.require("comparison", compared)])
                break
    if not reasons:
        return known
    kept = list(reasons)
    obligations = well_posed(setting, kept, desk, [reasons[part][1] for part in kept])
    obligations += [desk.require("start", setting.at_start(part)) for part in kept]
    obligations += [item for part in kept for item in reasons[part][2]]
    facts = {"set": kept, "reasons": [[*reasons[part][:2]] for part in kept]}
    return Invariant((*known.parts, *kept), Argument("barrier", facts, tuple(obligations), (known.argument,)))


def _known_there(setting: Setting, conclusion: Boolean) -> Goal:
    return setting.anywhere((setting.assumed,), conclusion)


def _paces(setting: Setting, gap: Expr) -> list[Expr]:
    """Rates of decay: those of the exponentials of the clock in the gap, and the quotient of polynomials."""
    clock = setting.clock
    found = [] if clock is None else [diff(part.args[0], clock) for part in gap.atoms(exp) if part.has(clock)]
    return [pace for pace in dict.fromkeys((*found, quotient(setting.rate(gap), gap, setting.state), S.Zero))
            if pace != 0 or not found]  # fmt: skip


def _is_smooth(setting: Setting, part: Boolean, desk: Desk) -> bool:
    where = smooth_where((gap_of(part),))
    return where is not None and desk.proves(setting.anywhere((setting.assumed,), where))


def _is_everywhere(setting: Setting, part: Boolean) -> bool:
    """Whether both sides are continuous at every state."""
    where = continuous_where(part.args)
    return where is not None and not any(leaf.free_symbols & set(setting.state) for leaf in joined(where))


def _confined(setting: Setting, parts: list[Boolean], desk: Desk, first: Invariant | None = None) -> Invariant:
    """The relations that are kept, those of the first round among them."""
    before = [] if first is None else [part for part in first.parts if isinstance(part, (Gt, Lt, Ne))]
    while True:
        reasons = _reasons(setting, parts, before, desk)
        if all(part in reasons for part in parts):
            break
        parts = [part for part in parts if part in reasons]
    return kept_by(setting, {part: reasons[part] for part in parts}, desk, first)


Reason = tuple[str, Expr, list[Obligation]]
"""Its name, a factor, and what was proved."""


def kept_by(setting: Setting, reasons: Mapping[Boolean, Reason], desk: Desk, first: Invariant | None) -> Invariant:
    """The set of relations that hold at the start and are kept, each for its reason; those of a first round hold."""
    parts = list(reasons)
    obligations = well_posed(setting, parts, desk, [reasons[part][1] for part in parts])
    obligations += [desk.require("start", setting.at_start(part)) for part in parts]
    obligations += _smooth(setting, parts, desk)
    obligations += [item for part in parts for item in reasons[part][2]]
    facts = {"set": parts, "reasons": [[*reasons[part][:2]] for part in parts]}
    if first is None:
        return Invariant(tuple(parts), Argument("barrier", facts, tuple(obligations)))
    return Invariant((*first.parts, *parts), Argument("barrier", facts, tuple(obligations), (first.argument,)))


def by_darboux(setting: Setting, part: Relational, cofactor: Expr, desk: Desk) -> Reason:
    """The sign of the gap never changes: its derivative is a multiple of it."""
    gap = gap_of(part)
    identical = setting.anywhere((setting.assumed,), Eq(setting.rate(gap), cofactor * gap))
    return "darboux", cofactor, [desk.require("darboux", identical)]


def not_crossed(setting: Setting, parts: Sequence[Boolean], part: Relational) -> Goal:
    """The goal that the gap of a relation grows wherever it is zero on the closed set of all parts."""
    gap = gap_of(part)
    others = [closed(setting, other) for other in parts if other != part]
    return setting.anywhere((*others, setting.assumed, Eq(gap, 0)), Gt(setting.rate(gap), 0))


def gap_of(relation: Relational) -> Expr:
    """What is nonnegative, positive, zero or nonzero on the relation.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> gap_of(x < y)
    -x + y
    """
    return relation.rhs - relation.lhs if isinstance(relation, (Lt, Le)) else relation.lhs - relation.rhs


def closed(setting: Setting, formula: Boolean) -> Boolean:
    """A closed set that contains the formula's: strict relations are relaxed, != and what may jump is dropped.

    A weak relation is closed only where both sides are continuous, at every state: `sign(x) >= 1` is an open set, and
    `1/x >= 1` has a limit point at which it says nothing.

    >>> from sympy import sign
    >>> x = Symbol("x")
    >>> line = Setting(True, (x,), (x / 2,), (S.One,), {}, ())
    >>> closed(line, (x > 0) & (x < 1) & (sign(x) >= 1) & (1 / x >= 1))
    (x >= 0) & (x <= 1)
    """
    if isinstance(formula, (And, Or)):
        return formula.func(*(closed(setting, part) for part in formula.args))
    if not isinstance(formula, (Eq, Ge, Le, Gt, Lt)) or not _is_everywhere(setting, formula):
        return S.true
    if isinstance(formula, (Gt, Lt)):
        return Ge(*formula.args) if isinstance(formula, Gt) else Le(*formula.args)
    return formula


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
    around = (*(closed(setting, part) for part in parts), setting.assumed)
    return [desk.require("smooth", setting.anywhere(around, where))]


def _reasons(
    setting: Setting, parts: Sequence[Boolean], before: Sequence[Boolean], desk: Desk
) -> dict[Boolean, Reason]:
    found: dict[Boolean, Reason] = {}
    for part in parts:
        reason = _direct_reason(setting, parts, part, desk)
        if reason is not None:
            found[part] = reason
    known = [*before, *(part for part in found if isinstance(part, (Gt, Lt, Ne)))]
    for part in parts:
        if part not in found and (reason := _tangent(setting, known, part, desk)) is not None:
            found[part] = reason
    return found


def _direct_reason(setting: Setting, parts: Sequence[Boolean], part: Relational, desk: Desk) -> Reason | None:
    gap = gap_of(part)
    rate = setting.rate(gap)
    factor = quotient(rate, gap, setting.state)
    for exact in dict.fromkeys((factor, *_paces(setting, gap))):
        identical = setting.anywhere((setting.assumed,), Eq(rate, exact * gap))
        if desk.proves(identical):
            return "darboux", exact, [desk.require("darboux", identical)]
    if isinstance(part, (Eq, Ne)):
        return None
    if isinstance(part, (Gt, Lt)):
        for pace in dict.fromkeys((S.Zero, factor)):
            grows = setting.anywhere((*parts, setting.assumed), Ge(rate, pace * gap))
            if desk.proves(grows):
                return "growth", pace, [desk.require("growth", grows)]
    crossing = not_crossed(setting, parts, part)
    return ("boundary", S.Zero, [desk.require("boundary", crossing)]) if desk.proves(crossing) else None


def _tangent(setting: Setting, known: Sequence[Boolean], part: Relational, desk: Desk) -> Reason | None:
    if isinstance(part, (Eq, Ne)):
        return None
    gap = gap_of(part)
    steepness = sum((diff(gap, symbol) ** 2 for symbol in setting.state), S.Zero)
    crossing = setting.anywhere((*known, Eq(gap, 0)), And(Ge(setting.rate(gap), 0), Gt(steepness, 0)))
    return ("tangent", S.Zero, [desk.require("tangent", crossing)]) if desk.proves(crossing) else None


def quotient(rate: Expr, gap: Expr, state: Sequence[Symbol]) -> Expr:
    """The polynomial quotient of two expressions in the state, or 0 when they are no polynomials.

    The symbols of the gap come first: what is left does not depend on them if it can be helped.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> quotient(-x**3, x, [x]), quotient(y - x, 1 - y, [x, y])
    (-x**2, -1)
    """
    try:
        Poly(rate, *state), Poly(gap, *state)
        if not gap.free_symbols & set(state):
            return S.Zero
        return div(rate, gap, *sorted(state, key=lambda symbol: symbol not in gap.free_symbols))[0]
    except PolynomialError:
        return S.Zero
