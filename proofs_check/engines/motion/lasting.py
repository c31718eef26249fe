"""Why the solution of a flow exists for ever."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sympy import Expr, Le, S, Tuple, diff, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError, first_success
from proofs_check.engines.motion.barrier import closed
from proofs_check.engines.motion.inductive import Invariant, well_posed
from proofs_check.engines.motion.invariants import invariants
from proofs_check.engines.motion.trajectory import Setting
from theory.language.definedness import smooth_where
from theory.temporal import Always, is_plain

_PACES = (S.Zero, S(2), S(20))
"""How fast the square of the size may grow, in units of itself and one."""


def lasts(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    """The solution exists for ever: the field is affine, or the state stays bounded, or grows at most linearly.

    On a bounded time it then stays in a compact set on which the field is smooth. With an evolution domain it may end
    by leaving that.
    """
    if setting.domain != true:
        raise UnprovedError("the trajectory may leave its domain")
    slopes = [diff(part, symbol) for part in setting.rule for symbol in setting.state]
    affine = all(part.is_polynomial(*setting.state) for part in setting.rule)
    if affine and not Tuple(*slopes).free_symbols & set(setting.state):
        return Argument("lasts", {"reason": "affine"}, tuple(well_posed(setting, [], desk, slopes)))
    body = claim.args[0] if isinstance(claim, Always) and is_plain(claim.args[0]) else None
    known = invariants(setting, body, desk)
    return first_success((partial(_lasts_within, setting, inside, desk) for inside in known), desk)


def _lasts_within(setting: Setting, known: Invariant, desk: Desk) -> Argument:
    around = (*(closed(setting, part) for part in known.parts), closed(setting, setting.assumed))
    moving = [symbol for symbol in setting.state if symbol != setting.clock]
    size = sum((symbol**2 for symbol in moving), S.Zero)
    where = smooth_where(setting.rule)
    if where is None:
        raise UnprovedError("the velocity may have kinks")
    smooth = [] if isinstance(where, BooleanTrue) else [desk.require("smooth", setting.anywhere(around, where))]
    for radius in radii(setting, around):
        bounded = setting.anywhere(around, Le(size, radius))
        if desk.proves(bounded):
            obligations = (*smooth, desk.require("bounded", bounded), *well_posed(setting, [], desk, [radius]))
            return Argument("lasts", {"reason": "bounded", "size": radius}, obligations, (known.argument,))
    for pace in _PACES:
        slow = setting.anywhere(around, Le(setting.rate(size), pace * (1 + size)))
        if desk.proves(slow):
            facts = {"reason": "linear growth", "size": pace}
            return Argument("lasts", facts, (*smooth, desk.require("growth", slow)), (known.argument,))
    raise UnprovedError("the solution may end")


def radii(setting: Setting, inside: Sequence[Boolean]) -> list[Expr]:
    """Candidate bounds on the squared size of the state: that of the start, and what the ends of a box give."""
    first = sum((value**2 for value in setting.start), S.Zero)
    ends = [side for part in inside if isinstance(part, Relational) for side in part.args
            if not side.free_symbols & set(setting.state)]  # fmt: skip
    return [first, sum((end**2 for end in ends), S.Zero) * len(setting.state)]
