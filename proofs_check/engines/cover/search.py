"""Transcendental inequalities by branch and bound in ball arithmetic, also on unbounded and half-open domains.

"proved" means that the whole hypothesis set, in exact charts, is cut into boxes on each of which a sign argument in
rigorous arithmetic rules a counterexample out; the boxes and arguments are the certificate. "refuted" carries an
exact point that satisfies the hypotheses and violates the conclusion.
"""

from __future__ import annotations

from proofs_check.budget import Budget
from proofs_check.engines.cover.goals import prove_formula
from proofs_check.engines.falsify.certificates import unless_excepted
from proofs_check.goals import Goal
from proofs_check.verdict import Evidence
from theory.domains import is_discrete
from theory.statements import Statement

VERSION = 12


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a statement of relations, connectives and quantifiers over numbers."""
    if statement.computed is not None or statement.dynamics is not None:
        return None
    running = budget.start()
    integers = {v for v, domain in statement.variables.items() if is_discrete(domain)}
    verdict = prove_formula(dict(statement.variables), statement.hypotheses, statement.conclusion, integers, running)
    return unless_excepted(statement, verdict)


def prove(goal: Goal, budget: Budget) -> Evidence | None:
    """Prove a plain goal, or refute it with a counterexample.

    >>> from sympy import Interval, Symbol, exp, oo
    >>> x = Symbol("x")
    >>> goal = Goal.over({x: Interval.open(0, oo)}, (), exp(x) > 1 + x + x**2 / 2)
    >>> prove(goal, Budget.of("quick")).outcome
    <Outcome.PROVED: 'proved'>
    """
    return prove_formula(dict(goal.variables), goal.hypotheses, goal.conclusion, set(goal.integers), budget.start())
