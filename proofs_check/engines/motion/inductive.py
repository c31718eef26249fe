"""Invariant sets of maps: a conjunction that holds at the start and is kept by every step (induction over time)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sympy import And, Expr
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError
from proofs_check.engines.motion.sampling import Cloud
from proofs_check.engines.motion.trajectory import Setting, joined
from proofs_check.goals import Goal
from theory.language.definedness import continuous_where, defined_where


@dataclass(frozen=True)
class Invariant:
    """A set that contains the whole trajectory, and why."""

    parts: tuple[Boolean, ...]
    argument: Argument

    @property
    def formula(self) -> Boolean:
        """The set as one formula."""
        return And(*self.parts)


def inductive(setting: Setting, candidates: Iterable[Boolean], desk: Desk, cloud: Cloud | None = None) -> Invariant:
    """The largest part of the candidates that holds at the start and is kept by the map, all of it together.

    Points of a cloud discard candidates for which no proof is worth trying.
    """
    meant = [meaning(setting, part, desk) for part in _once(candidates)]
    parts = [part for part in meant if part is not None and desk.proves(setting.at_start(part))]
    while True:
        kept = [part for part in parts if cloud is None or cloud.may_keep(parts, part)]
        if len(kept) == len(parts):
            kept = [part for part in parts if desk.proves(kept_by_step(setting, parts, part))]
        if len(kept) == len(parts):
            break
        parts = kept
    obligations = well_posed(setting, parts, desk, jumps=True)
    obligations += [desk.require("start", setting.at_start(part)) for part in parts]
    obligations += [desk.require("step", kept_by_step(setting, parts, part)) for part in parts]
    obligations += defined_on(setting, parts, desk)
    return Invariant(tuple(parts), Argument("invariant", {"set": parts}, tuple(obligations)))


def _once(formulas: Iterable[Boolean]) -> list[Boolean]:
    """Each formula once, however its sides are arranged."""
    found: dict[Boolean, None] = {}
    for formula in formulas:
        if not (isinstance(formula, Relational) and formula.reversed in found):
            found.setdefault(formula)
    return list(found)


def meaning(setting: Setting, formula: Boolean, desk: Desk) -> Boolean | None:
    """The formula together with the condition on the state under which it means something.

    None when that is unknown, or when it rests on a condition on the fixed symbols that the hypotheses do not give:
    a relation with an undefined side must never be derived from nothing.
    """
    where = _values(setting)(_sides(formula))
    if where is None:
        return None
    fixed = [part for part in joined(where) if not part.free_symbols & set(setting.state)]
    if not desk.proves(setting.at_start(And(*fixed))):
        return None
    return And(*(part for part in joined(where) if part not in fixed), formula)


def where_valued(setting: Setting, formula: Boolean) -> Boolean:
    """The condition under which all relations of a formula have values; raises UnprovedError where it is unknown."""
    where = _values(setting)(_sides(formula))
    if where is None:
        raise UnprovedError(f"{formula} may be undefined")
    return where


def _sides(*formulas: Boolean) -> list[Expr]:
    return [side for formula in formulas for leaf in formula.atoms(Relational) for side in leaf.args]


def _values(setting: Setting) -> Callable[[Iterable[Expr]], Boolean | None]:
    """Where expressions of the state mean something: steps of a map may jump, along a flow nothing does."""
    return defined_where if setting.discrete else continuous_where


def well_posed(
    setting: Setting, formulas: Sequence[Boolean], desk: Desk, numbers: Sequence[Expr] = (), *, jumps: bool = False
) -> list[Obligation]:
    """The obligations that the start and the fixed symbols in the formulas are defined; none when they always are.

    Where nothing is continued to a limit they may have `jumps`.
    """
    where = (_values(setting) if jumps else continuous_where)((*setting.start, *numbers, *_sides(*formulas)))
    if where is None:
        raise UnprovedError("a formula may be undefined")
    fixed = And(*(part for part in joined(where) if not part.free_symbols & set(setting.state)))
    return [] if isinstance(fixed, BooleanTrue) else [desk.require("meaning", setting.at_start(fixed))]


def kept_by_step(setting: Setting, parts: Sequence[Boolean], part: Boolean) -> Goal:
    """The goal that one step from inside the set satisfies one of its relations."""
    known = (*parts, setting.assumed, setting.next(setting.assumed))
    return setting.anywhere(known, setting.next(part))


def defined_on(
    setting: Setting, parts: Sequence[Boolean], desk: Desk, expressions: Sequence[Expr] = ()
) -> list[Obligation]:
    """The obligation that expressions, or else the map, have values on the set; none where they always have."""
    where = _values(setting)(expressions or setting.rule)
    if where is None:
        raise UnprovedError("the map may be undefined")
    if isinstance(where, BooleanTrue):
        return []
    return [desk.require("defined", setting.anywhere((*parts, setting.assumed), where))]


def defined_for(setting: Setting, steps: int, desk: Desk) -> list[Obligation]:
    """The obligation that the first steps of the map are defined; nothing when all steps are."""
    where = _values(setting)((*setting.rule, *setting.start))
    if where is None:
        raise UnprovedError("the map may be undefined")
    defined = And(*(setting.later(k).initially(where) for k in range(steps)))
    return [] if isinstance(defined, BooleanTrue) else [desk.require("defined", setting.at_start(defined))]


def k_inductive(setting: Setting, body: Boolean, depth: int, context: Invariant, desk: Desk) -> Argument:
    """The body holds at the first `depth` times, and any `depth` times in a row imply the next."""
    obligations = well_posed(setting, (body, *context.parts), desk, jumps=True)
    obligations += [desk.require("start", setting.later(k).at_start(body)) for k in range(depth)]
    known: list[Boolean] = [*context.parts]
    moved, assumed = body, setting.assumed
    for _ in range(depth):
        known += [moved, assumed]
        moved, assumed = setting.next(moved), setting.next(assumed)
    obligations.append(desk.require("step", setting.anywhere((*known, assumed), moved)))
    obligations += defined_on(setting, (body, *context.parts), desk)
    facts = {"body": body, "depth": depth, "context": context.parts}
    return Argument("k-induction", facts, tuple(obligations), (context.argument,))
