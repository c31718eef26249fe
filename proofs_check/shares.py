"""Who may take how much of the time: the one table of shares, read by `Budget.seconds_for` and `Budget.share`."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

WALL = 10.25
"""How much longer than its budget an engine may take on the wall before it is interrupted."""

WORK = 1.5
"""How much more than its budget an engine may compute before it is interrupted."""

ROUND = 1.25
"""How much time all engines together may take in one round, in budgets of one."""

LEAST = 0.4
"""What every engine gets in a round, in budgets of one, however much the others took."""

CHECKING = 120.0
"""Seconds after which the kernel is interrupted: such evidence decides nothing."""


class Share(NamedTuple):
    """A part of the time that is left, in seconds at most and at least, or at least a part of the whole budget.

    What is at least something is taken also where the time is over: a last look, or what others used up before.
    """

    part: float = 1.0
    most: float = inf
    least: float = 0.0
    kept: float = 0.0


SHARES = {
    # the referee
    "witness": Share(most=1.0),
    "examples": Share(least=20.0),
    # sub-goals, for whoever has them
    "prover that is not the last": Share(1 / 2),
    "obligations of a series": Share(kept=1 / 2),
    # identity
    "identity, by polynomials": Share(kept=1 / 2),
    "identity, cofactors": Share(1 / 4, most=2.0),
    "identity, counterexample": Share(1 / 3, most=1.0),
    # polynomial
    "polynomial, certificates at once": Share(most=0.2),
    "polynomial, one combination": Share(most=0.1),
    "polynomial, solvers alone": Share(most=0.3),
    "polynomial, certificates": Share(1 / 2, least=0.4),
    "polynomial, forms": Share(1 / 3, least=0.5),
    "polynomial, solvers": Share(kept=1 / 2),
    # cover
    "cover, crossing": Share(1 / 2),
    "cover, half of a range": Share(1 / 2),
    "cover, all at once": Share(1 / 4),
    "cover, corners": Share(1 / 2),
    "cover, one form": Share(0.3),
    "cover, before a split": Share(0.3),
    "cover, one plain part": Share(1 / 2, most=0.3),
    "cover, one parameter": Share(1 / 2, most=0.9),
    # asymptotics
    "asymptotics, points": Share(1 / 4, most=0.5),
    # motion
    "motion, refutation at once": Share(1 / 3, most=3.0),
    "motion, opposite": Share(least=1.0),
    "motion, departure": Share(1 / 2),
    "motion, points of the opposite": Share(0.0, least=0.5),
    "motion, least obligation": Share(0.0, least=0.2),
    "motion, departing points": Share(1 / 4, most=0.7),
    "motion, unstable points": Share(1 / 2, most=2.0),
    "motion, one program": Share(1 / 4, most=1.0),
    "motion, trajectories": Share(1 / 4, most=1.0),
    "motion, trajectories kept away": Share(1 / 4, most=1.0),
    "motion, trajectories below a bound": Share(1 / 4, most=1.0),
    "motion, trajectories of the line": Share(1 / 3, most=2.5),
    # other engines
    "spaces, proof": Share(0.8),
    "spaces, squares": Share(1 / 4),
    "spaces, in numbers": Share(1 / 3, least=0.2),
    "means, proof of the moments": Share(0.7, least=0.2),
    "means, another engine": Share(0.85, least=0.2),
    "families, proof": Share(0.75),
    "families, one condition": Share(most=0.4),
    "families, what is left": Share(most=0.6),
    "families, one size": Share(most=0.3),
    "structures, a first look": Share(1 / 6, most=1.0),
    "structures, every size": Share(1 / 2, least=0.2),
    "structures, recursion": Share(1 / 3, least=0.2, most=0.6),
    "structures, what is left": Share(most=0.5),
    "variation, one proof": Share(most=0.25),
    "variation, draw": Share(most=0.05),
    "barriers, one program": Share(1 / 4, most=1.0),
    "barriers, Darboux": Share(1 / 4, most=0.5),
    "barriers, starts": Share(most=0.3),
    "classes, one function": Share(most=0.7),
    # falsify
    "falsify, glance": Share(most=0.2),
    "falsify, existence": Share(1 / 3),
    "falsify, absence": Share(1 / 3),
    "falsify, promised number": Share(1 / 20, most=0.05),
    "falsify, nearer point": Share(0.0, least=1.0),
    "falsify, zero": Share(least=0.5),
    "falsify, draw": Share(1 / 6),
    "falsify, exact point": Share(1 / 4),
    "falsify, shrink": Share(1 / 3),
    "falsify, climb": Share(1 / 4),
    "falsify, shrink hints": Share(0.6),
    "falsify, shrink a close call": Share(0.2),
    "falsify, no value": Share(1 / 8),
    "falsify, first runs": Share(1 / 6),
    "falsify, first look": Share(1 / 12),
    "falsify, simple starts": Share(1 / 10),
    "falsify, long trajectories": Share(1 / 4),
    "falsify, last chance": Share(least=1.0),
    "falsify, simpler start": Share(1 / 3),
    # points
    "points, witness": Share(0.3),
    "points, scale of a variable": Share(1 / 10),
    "points, one bound": Share(1 / 4),
    # repair
    "repair, first look": Share(1 / 10),
    "repair, one stage": Share(1 / 2),
    "repair, thresholds": Share(1 / 6),
    "repair, constants": Share(1 / 5),
    "repair, one proof": Share(1 / 4, most=3.0),
    "repair, one long proof": Share(0.4, most=3.0),
    "repair, sharper bound": Share(1 / 4),
}
"""Shares by name; each name is used in one module."""
