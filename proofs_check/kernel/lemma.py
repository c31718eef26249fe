"""Re-checks a proof by a lemma: the lemma follows from the hypotheses, the conclusion from these and the lemma."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.kernel.claims import claim_of
from proofs_check.kernel.kinds import proves
from theory.statements import Statement
from theory.trees import decode


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether both parts are proofs, the second one with the lemma among the hypotheses."""
    claim, lemma = claim_of(statement), decode(certificate["lemma"])
    if claim is None or not lemma.free_symbols <= set(claim.variables):
        return False
    first = Statement(variables=claim.variables, given=claim.hypotheses, then=lemma)
    second = first.but(given=(*claim.hypotheses, lemma), then=claim.conclusion)
    return proves(first, certificate["first"]) and proves(second, certificate["second"])
