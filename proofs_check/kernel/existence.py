"""Re-checks that nothing of the promised kind exists at a point, by the checker of the enclosed proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import S

from proofs_check.kernel.kinds import proves
from proofs_check.kernel.point import has_value_at, opened, read, truth
from theory.domains import is_discrete
from theory.statements import Statement
from theory.temporal import Exists, Quantifier, negation, put_at_once, substitute


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the point satisfies the hypotheses and the proof of absence there is accepted."""
    point = read(certificate["point"])
    domains, hypotheses, claim = opened(statement)
    if (
        statement.almost_all
        or statement.speaks_of_state
        or set(point) != set(domains)
        or not all(point[symbol].is_Integer for symbol in domains if is_discrete(domains[symbol]))
    ):
        return False
    if not isinstance(claim, Exists) or not all(truth(part, point) is True for part in hypotheses):
        return False
    if put_at_once(claim.domain, point) is S.EmptySet:
        return True
    outside = {symbol: value for symbol, value in point.items() if symbol != claim.symbol}
    if not has_value_at(claim.body, outside) or {part.symbol for part in claim.body.atoms(Quantifier)} & set(point):
        return False
    absent = negation(substitute(claim.body, outside))
    absence = Statement(variables={claim.symbol: put_at_once(claim.domain, point)}, then=absent)
    return proves(absence, certificate["proof"])
