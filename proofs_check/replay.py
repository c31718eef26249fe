"""Replay: every stored certificate goes to the checker of its kind, which shares no code with the engine."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from sympy import Lt

from proofs_check.budget import rounds
from proofs_check.engines import ENGINES, engine
from proofs_check.ledger import Ledger, default_folder, key_of
from proofs_check.referee import REFEREE_VERSION
from proofs_check.verdict import Outcome, Verdict
from proofs_check.workers import cores
from theory.errors import LemmascopeError
from theory.library import find, premised
from theory.statements import Statement
from theory.trees import content_hash

_FEW = 8
"""Up to so many statements are replayed in this process."""


def replay(
    patterns: Sequence[str], effort: str, advance: Callable[[str], None] = lambda _id: None
) -> list[dict[str, str]]:
    """One row for each decided statement of the ledger: accepted, rejected, or what is missing to replay it."""
    ids = [entry.id for entry in find(*patterns)]
    found: dict[str, dict[str, str] | None] = {}
    for id_, row in _rows(ids, effort):
        found[id_] = row
        advance(id_)
    rows = [row for id_ in ids if (row := found[id_]) is not None]
    if not rows:
        raise LemmascopeError("nothing to replay: run `lemmascope verify` on these statements first")
    return rows


def _rows(ids: Sequence[str], effort: str) -> Iterator[tuple[str, dict[str, str] | None]]:
    folder = default_folder().resolve()
    if len(ids) <= _FEW:
        yield from ((id_, _row(id_, effort, folder)) for id_ in ids)
        return
    with ProcessPoolExecutor(cores(), mp_context=multiprocessing.get_context("forkserver")) as pool:
        waiting = {pool.submit(_row, id_, effort, folder): id_ for id_ in ids}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _row(id_: str, effort: str, folder: Path) -> dict[str, str] | None:
    statement = premised(id_)
    with Ledger(folder) as ledger:
        verdict = _stored(ledger, statement, effort)
    if verdict is None:
        return None
    asked = vacuity(statement) if verdict.outcome is Outcome.VACUOUS else statement
    result, detail = check(asked, verdict.certificate)
    return {"id": id_, "engine": verdict.engine or "", "result": result, "detail": detail}


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
