"""What is false has a true neighbour, what is unproved says what a proof would need, and everything has a twin.

Measurements support and prove nothing; an exact count of some sizes proves nothing about all of them, but may refute:
then the nearest true statement is there instead. No verdict is computed here, except in the deep profile, where the
list of findings is compared with the verdicts.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from twins import DEEP, has_a_twin

from proofs_check import verify
from proofs_check.verdict import Outcome
from theory.library import has, nearest, premised, stated
from theory.statements import Statement

PAPERS = ("edge_of_stability", "saddle_to_saddle", "simplicity_bias", "associative_memory", "graph_expressiveness")
SAID = re.compile(r"proof|proves?\b|for all|decided by|not run|nearest true", re.IGNORECASE)
SLOW_TO_DERIVE = ("edge_of_stability", "saddle_to_saddle", "associative_memory")
"""Of these papers only what is measured mostly and one in seven of the others is looked at in the quick profile."""
FINDINGS = (Path(__file__).parent / "findings.txt").read_text().split()
"""The statements of these papers that came out refuted or vacuous."""


def leaves_more_to_prove(statement: Statement) -> bool:
    """Whether the statement is measured, or counted for fewer values than it speaks of."""
    computed = statement.computed
    if computed is None:
        return False
    counted = [domain for symbol, domain in statement.variables.items() if symbol.name in computed.arguments]
    return not computed.exact or any(domain.is_finite_set is not True for domain in counted)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.sampled(3)
def test_notes_say_what_a_proof_would_need_and_every_statement_has_a_twin(paper: str) -> None:
    every = 7 if paper in SLOW_TO_DERIVE and not DEEP else 1
    known = enumerate(stated(f"{paper}/*"))
    entries = [entry for place, entry in known if place % every == 0 or entry.kind in ("figure", "conjecture")]
    statements = [(entry.id, entry.statement()) for entry in entries]
    unfinished = [(id_, statement) for id_, statement in statements if leaves_more_to_prove(statement)]
    assert len(unfinished) > 5
    corrected = {id_ for id_, statement in unfinished if statement.computed.exact and has(f"{id_}.corrected")}
    silent = [id_ for id_, statement in unfinished if id_ not in corrected and not SAID.search(statement.notes)]
    assert not silent
    assert not [id_ for id_, statement in statements if not has_a_twin(statement)]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_finding_has_a_nearest_true_statement(paper: str) -> None:
    found = [id_ for id_ in FINDINGS if id_.startswith(f"{paper}/")]
    assert len(found) > 20
    neighbours = {id_: nearest(id_) for id_ in found}
    assert not [id_ for id_, other in neighbours.items() if other is None or not has(other) or other in FINDINGS]


@pytest.mark.slow
@pytest.mark.parametrize("id_", FINDINGS)
def test_findings_are_refuted_or_vacuous_and_their_neighbours_are_not(id_: str) -> None:
    false = (Outcome.REFUTED, Outcome.VACUOUS)
    assert verify(premised(id_), effort="standard").outcome in false
    assert verify(premised(nearest(id_) or ""), effort="standard").outcome not in false
