"""Re-checks a kernel proof: the theorem is stated anew from the statement, and coqc decides.

The certificate names a tactic and carries numbers; no Coq text is read from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs_check.coq.process import accepts
from proofs_check.coq.scripts import TACTICS, script
from proofs_check.goals import goal_of
from theory.statements import Statement

_SECONDS = 120.0


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether coqc accepts the statement with the named tactic."""
    goal, tactic = goal_of(statement), certificate["tactic"]
    if goal is None or tactic not in TACTICS:
        return False
    return accepts(script(goal, tactic, certificate["squares"]), _SECONDS)
