"""Counterexamples to claims of existence: a point at which a prover shows that nothing has the promised property."""

from __future__ import annotations

import time
from itertools import islice

from sympy import And, false, true

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.falsify.certificates import pairs
from proofs_check.goals import Goal, domains
from proofs_check.points.search import Search
from proofs_check.repair.repairs import spoken
from proofs_check.verdict import Outcome, Verdict
from theory.language.definedness import undefined_among
from theory.statements import Statement
from theory.temporal import Exists, is_plain, negation

NAME = "falsify"
_MOST_POINTS = 24


def decide(statement: Statement, budget: Budget) -> Verdict | None:
    """Refute a statement that promises a number, or return None.

    >>> from sympy import Interval, Reals, Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> roots = Statement(variables={x: Interval(-1, 1)}, then=Exists(y, Reals, y**2 < x))
    >>> decide(roots, Budget.of("standard").start()).counterexample
    {'x': '0'}
    """

    claim = statement.conclusion
    plain = all(is_plain(part) for part in statement.hypotheses)
    if not isinstance(claim, Exists) or not is_plain(claim.body) or not plain or statement.almost_all:
        return None
    given = {symbol: domain for symbol, domain in domains(statement).items() if symbol != claim.symbol}
    valued = map(negation, undefined_among(claim.body, given))
    search = Search(domains(statement), And(*statement.hypotheses, *valued), time.monotonic() + budget.left / 3)
    for point in islice(search.points(), _MOST_POINTS):
        if budget.spent:
            return None
        there = {symbol: value for symbol, value in point.items() if symbol != claim.symbol}
        domain, body = claim.domain.subs(point), claim.body.subs(there)
        verdict = discharge(Goal.over({claim.symbol: domain}, (), negation(body)), budget)
        if verdict is not None and verdict.outcome is Outcome.PROVED:
            values = {symbol.name: str(value) for symbol, value in point.items()}
            place = ", ".join(f"{name} = {value}" for name, value in values.items())
            wanted = spoken(claim.body if body in (true, false) else body)
            return Verdict(
                Outcome.REFUTED, verdict.strength, NAME, counterexample=values,
                certificate={"kind": "existence", "proof": dict(verdict.certificate or {}),
                             "point": pairs(point)},
                notes=(f"at {place} no {claim.symbol} in {domain} satisfies {wanted}: proved by {verdict.engine}",),
            )  # fmt: skip
    return None
