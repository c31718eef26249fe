"""Counterexamples to claims of existence: a point at which a prover shows that nothing has the promised property."""

from __future__ import annotations

from itertools import islice

from sympy import And, Set, Symbol
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.cover.goals import by_parts
from proofs_check.engines.falsify.certificates import pairs
from proofs_check.goals import Goal, domains
from proofs_check.points.search import Search
from proofs_check.repair.repairs import spoken
from proofs_check.verdict import Evidence, Outcome
from theory.language.definedness import undefined_among
from theory.statements import Statement
from theory.temporal import Exists, Quantifier, is_plain, negation, substitute

NAME = "falsify"
_MOST_POINTS = 48


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Refute a statement that promises a number, or return None.

    >>> from sympy import Interval, Reals, Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> roots = Statement(variables={x: Interval(-1, 1)}, then=Exists(y, Reals, y**2 < x))
    >>> decide(roots, Budget.of("standard").start()).counterexample
    {'x': '0'}
    """

    claim = statement.conclusion
    plain = all(is_plain(part) for part in statement.hypotheses)
    bound = {part.symbol for part in claim.body.atoms(Quantifier)} if isinstance(claim, Exists) else set()
    if not isinstance(claim, Exists) or not plain or statement.almost_all or bound & set(statement.variables):
        return None
    given = {symbol: domain for symbol, domain in domains(statement).items() if symbol != claim.symbol}
    valued = map(negation, undefined_among(claim.body, given))
    search = Search(
        domains(statement),
        And(*statement.hypotheses, *valued),
        budget.until("falsify, existence"),
    )
    for point in islice(search.points(), _MOST_POINTS):
        if budget.spent:
            return None
        there = {symbol: value for symbol, value in point.items() if symbol != claim.symbol}
        domain, body = claim.domain.subs(point), substitute(claim.body, there)
        if _is_there(claim.symbol, domain, body, budget):
            continue
        verdict = by_parts(Goal.over({claim.symbol: domain}, (), negation(body)), budget.share("falsify, absence"))
        if verdict is not None and verdict.outcome is Outcome.PROVED:
            values = {symbol.name: str(value) for symbol, value in point.items()}
            place = ", ".join(f"{name} = {value}" for name, value in values.items())
            wanted = spoken(body if body.has(claim.symbol) else claim.body)
            return Evidence(
                Outcome.REFUTED, NAME, counterexample=values,
                certificate={"kind": "existence", "proof": dict(verdict.certificate or {}),
                             "point": pairs(point)},
                notes=(f"at {place} no {claim.symbol} in {domain} satisfies {wanted}: proved by {verdict.engine}",),
            )  # fmt: skip
    return None


def _is_there(symbol: Symbol, domain: Set, body: Boolean, budget: Budget) -> bool:
    """Whether what is promised is found at once, so that a proof of its absence is not looked for."""
    if not is_plain(body) or domain.is_empty:
        return False
    return Search({symbol: domain}, body, budget.until("falsify, promised number")).find() is not None
