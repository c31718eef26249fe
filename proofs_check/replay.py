"""Replay: every stored certificate goes to the checker of its kind, which shares no code with the engine."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Lt

from proofs_check.budget import rounds
from proofs_check.engines import ENGINES, engine
from proofs_check.ledger import Ledger, key_of
from proofs_check.referee import REFEREE_VERSION
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import find, premised
from theory.statements import Statement
from theory.trees import content_hash


def replay(patterns: Sequence[str], effort: str) -> list[dict[str, str]]:
    """One row for each decided statement of the ledger: accepted, rejected, or what is missing to replay it."""
    rows = []
    with Ledger() as ledger:
        for entry in find(*patterns):
            statement = premised(entry.id)
            verdict = _stored(ledger, statement, effort)
            if verdict is not None:
                asked = vacuity(statement) if verdict.outcome is Outcome.VACUOUS else statement
                result, detail = check(asked, verdict.certificate)
                rows.append({"id": entry.id, "engine": verdict.engine or "", "result": result, "detail": detail})
    if not rows:
        raise LemmascopeError("nothing to replay: run `lemmascope verify` on these statements first")
    return rows


def _stored(ledger: Ledger, statement: Statement, effort: str) -> Verdict | None:
    content = content_hash(statement)
    for name, version in (("witness", REFEREE_VERSION), *((name, engine(name).VERSION) for name in ENGINES)):
        for budget in rounds(effort):
            known = ledger.recall(key_of(content, name, version, budget.effort))
            if known is not None and known[0] is not None and known[0].decided:
                return known[0]
    return None


def vacuity(statement: Statement) -> Statement:
    """The claim that the hypotheses contradict each other: everything follows from them."""
    return statement.but(dynamics=None, start={}, computed=None, then=Lt(1, 0, evaluate=False))


def check(statement: Statement, certificate: Mapping[str, Any] | None) -> tuple[str, str]:
    """What the checker of the certificate's kind says: a result and a detail."""
    if certificate is None:
        return "no certificate", "the engine left nothing to re-check"
    kind = str(certificate.get("kind", "")).replace("-", "_")
    if not kind.isidentifier():
        return "rejected", "the certificate does not name its kind"
    try:
        checker = importlib.import_module(f"proofs_check.checkers.{kind}")
    except ModuleNotFoundError:
        return "rejected", f"no checker knows the kind {kind}"
    try:
        accepted = bool(checker.check(statement, certificate))
    except (LemmascopeError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        return "rejected", f"the certificate is damaged ({error})"
    if not accepted:
        return "rejected", f"by {kind}"
    remark = getattr(checker, "remark", lambda _statement: None)(statement)
    return "accepted", f"by {kind}, {remark}" if remark else f"by {kind}"
