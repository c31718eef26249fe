"""What can never be proved as it is stated says in its notes what a proof would need, or why nothing is computed.

Measurements support and prove nothing; an exact count of some sizes proves nothing about all of them, but may refute:
then the nearest true statement is there instead.
"""

from __future__ import annotations

import re

import pytest

from theory.library import find
from theory.statements import Statement

PAPERS = ("saddle_to_saddle", "simplicity_bias", "associative_memory", "graph_expressiveness")
SAID = re.compile(r"proof|proves?\b|for all|decided by|not run|nearest true", re.IGNORECASE)


def leaves_more_to_prove(statement: Statement) -> bool:
    """Whether the statement is measured, or counted for fewer values than it speaks of."""
    computed = statement.computed
    if computed is None:
        return False
    counted = [domain for symbol, domain in statement.variables.items() if symbol.name in computed.arguments]
    return not computed.exact or any(domain.is_finite_set is not True for domain in counted)


@pytest.mark.parametrize("paper", PAPERS)
def test_notes_say_what_a_proof_would_need(paper: str) -> None:
    statements = [(entry.id, entry.statement()) for entry in find(f"{paper}/*")]
    unfinished = [(id_, statement) for id_, statement in statements if leaves_more_to_prove(statement)]
    assert len(unfinished) > 10
    ids = {id_ for id_, _ in statements}
    corrected = {id_ for id_, statement in unfinished if statement.computed.exact and f"{id_}.corrected" in ids}
    silent = [id_ for id_, statement in unfinished if id_ not in corrected and not SAID.search(statement.notes)]
    assert not silent
