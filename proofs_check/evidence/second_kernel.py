"""Coq as the second kernel: the party that is asked for a proof of its own of what is proved already."""

from __future__ import annotations

from proofs_check.budget import Budget
from proofs_check.coq import confirm as coq
from proofs_check.evidence.case import Case
from proofs_check.verdict import Verdict


def confirmed(case: Case, verdict: Verdict, budget: Budget) -> Verdict | None:
    """The decision that rests on a Coq proof, from the ledger where it is there; None where coqc accepts none.

    The time is Coq's own, because the round that decided may have been short. A coqc that was ended before it had an
    answer leaves a note with the case and nothing in the ledger.
    """
    return case.ask(
        coq.NAME, coq.VERSION, budget, lambda: coq.confirm(case.statement, verdict, budget.start()),
        late_is_answer=False,
    )  # fmt: skip
