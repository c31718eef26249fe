"""Re-checks that nothing of the promised kind exists at a point, by the checker of the enclosed proof."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from proofs_check.checkers.point import read, truth
from theory.statements import Statement
from theory.temporal import Exists, negation, substitute


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the point satisfies the hypotheses and the proof of absence there is accepted."""
    point = read(certificate["point"])
    if not all(point[symbol].is_Integer for symbol in statement.integers):
        return False
    claim = statement.conclusion
    if not isinstance(claim, Exists) or not all(truth(part, point) is True for part in statement.hypotheses):
        return False
    proof = certificate["proof"]
    kind = str(proof["kind"]).replace("-", "_")
    if not kind.isidentifier():
        return False
    checker = importlib.import_module(f"proofs_check.checkers.{kind}")
    absent = negation(substitute(claim.body, point))
    absence = Statement(variables={claim.symbol: claim.domain.subs(point)}, then=absent)
    return bool(checker.check(absence, proof))
