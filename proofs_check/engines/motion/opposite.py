"""A claim is false of a point for which its opposite is proved, however long a simulation would take to see it."""

from __future__ import annotations

from dataclasses import replace

from sympy import And
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.motion.argument import Desk, UnprovedError
from proofs_check.engines.motion.formulas import prove
from proofs_check.engines.motion.sampling import exact_points
from proofs_check.engines.motion.trajectory import Setting, at_point
from proofs_check.points.exact import holds
from proofs_check.verdict import Evidence, Outcome
from theory.language.definedness import demands
from theory.temporal import is_plain, opposite_of
from theory.trees import encode

_MOST_POINTS = 2


def refute_by_opposite(setting: Setting, claim: Boolean, budget: Budget) -> Evidence | None:
    """A verdict with a point at which the opposite of the claim, or of one of its parts, is proved; or None."""
    if isinstance(claim, And):
        share = replace(budget, seconds=budget.left / len(claim.args))
        found = (refute_by_opposite(setting, part, share.start()) for part in claim.args)
        return next((verdict for verdict in found if verdict is not None), None)
    opposite = None if is_plain(claim) else opposite_of(claim)
    if opposite is None or setting.almost_all:
        return None
    desk = Desk(budget, discharge)
    for point in exact_points(
        setting, And(*setting.hypotheses), _MOST_POINTS, budget.seconds_for("motion, points of the opposite")
    ):
        whole = setting.complete(point)
        if budget.spent or not all(value.is_Rational for value in whole.values()):
            continue
        if holds(And(*setting.hypotheses, *_fixed_demands(setting, claim)), point) is not True:
            continue
        try:
            argument = prove(at_point(setting, point), opposite.subs(point), desk)
        except UnprovedError:
            continue
        certificate = {
            "kind": "induction",
            "refutation": "opposite",
            "point": [[encode(symbol), encode(value)] for symbol, value in whole.items()],
            "argument": argument.to_json(),
        }
        shown = {symbol.name: str(value) for symbol, value in whole.items()}
        note = f"from this start the opposite is proved: {opposite}"
        return Evidence(
            Outcome.REFUTED, "motion", counterexample=shown,
            certificate=certificate, notes=(note, *dict.fromkeys(argument.all_notes)),
        )  # fmt: skip
    return None


def _fixed_demands(setting: Setting, claim: Boolean) -> list[Boolean]:
    """Where what does not depend on the state has a value, said before the point is put in."""
    found = demands((claim, *setting.rule, *setting.start))
    return [part for part in found if not part.free_symbols & set(setting.state)]
