"""Of two claims that contradict each other at most one is proved, and what is proved is not refuted."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import contradictions

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import discharge
from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError
from proofs_check.engines.motion.formulas import prove
from proofs_check.engines.motion.refutation import refute
from proofs_check.engines.motion.trajectory import setting_of
from proofs_check.goals import Goal
from proofs_check.verdict import Verdict
from theory.statements import Statement

DEEP = os.environ.get("LEMMASCOPE_PROFILE") == "deep"
COUNT = 5000 if DEEP else 500
SECONDS = (1.0, 2.0) if DEEP else (0.1, 0.3)
"""For the first claim of a pair, and for the other one, which is asked only where the first is proved."""


Provers = Callable[[Goal, Budget], Verdict | None]


def without_solvers(goal: Goal, budget: Budget) -> Verdict | None:
    """What the provers inside of this process say: starting others takes longer than most of the proofs."""
    verdicts = (engine(name).prove(goal, budget) for name in ("identity", "cover"))
    return next((verdict for verdict in verdicts if verdict is not None and verdict.decided), None)


def desk(seconds: float, provers: Provers) -> Desk:
    return Desk(replace(Budget.of("quick"), seconds=seconds).start(), provers)


def proof(statement: Statement, seconds: float, provers: Provers) -> Argument | None:
    found = setting_of(statement)
    assert found is not None
    try:
        return prove(*found, desk(seconds, provers))
    except UnprovedError:
        return None


def is_refuted(statement: Statement, seconds: float) -> bool:
    found = setting_of(statement)
    assert found is not None
    return refute(*found, desk(seconds, without_solvers), range(3)) is not None


def test_no_two_contradictory_claims_are_proved(score: Callable[[str], None]) -> None:
    asked: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    wrong = []
    for pair in contradictions.pairs(Random(2026), COUNT):  # noqa: S311 - nothing secret
        one = proof(pair.one, SECONDS[0], discharge if DEEP else without_solvers)
        asked[pair.conflict] += 1
        decided[pair.conflict] += one is not None
        if one is None:
            continue
        if proof(pair.other, SECONDS[1], discharge) is not None:
            wrong.append((pair.conflict, "both are proved", pair.one, pair.other))
        if is_refuted(pair.one, SECONDS[0]):
            wrong.append((pair.conflict, "proved and refuted", pair.one))
    assert not wrong
    assert decided.total() > COUNT / 10
    shares = ", ".join(f"{name} {decided[name]} of {count}" for name, count in asked.items())
    score(f"contradictory pairs, one side proved: {decided.total()} of {COUNT} ({shares})")
