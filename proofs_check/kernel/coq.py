"""Re-checks a kernel proof: the stored theorem is read back, compared with the statement, and given to coqc again.

The file may hold one theorem and tactics only, and the kernel must say that it rests on the axioms of the real numbers
alone. Coq's division, root and logarithm have a value everywhere; where a statement needs them, the proof that came
before must replay too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sympy import And, true

from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.coq_terms import Reader, partial_parts, tree_of
from proofs_check.kernel.kinds import kind_of, proves
from proofs_check.kernel.trust import COQ, rests_on
from theory.statements import Statement

_SECONDS = 120.0
_FILE = re.compile(
    r"(?P<head>(?:(?:From \w+ )?Require Import [\w ]+\.\n)+)Open Scope R_scope\.\n"
    r"Theorem goal : (?P<goal>[^.]*)\.\nProof\.\n(?P<body>.*)\nQed\.\s*",
    re.DOTALL,
)
_LIBRARIES = frozenset(("Reals", "Lra", "Psatz", "Nsatz", "Interval", "Tactic"))
_TACTIC = re.compile(r"\s*[a-z({\[+*-]")
_AXIOMS = re.compile(
    r"^(ClassicalDedekindReals\.|FunctionalExtensionality\.|Classical_Prop\.classic|Eqdep\.Eq_rect_eq"
    r"|PrimInt63\.|Uint63\.|PrimFloat\.|FloatAxioms\.|FloatOps\.|Uint63Axioms\.)"
)


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the stored file states the statement and coqc accepts it without further assumptions."""
    script = str(certificate.get("script", ""))
    found = _FILE.fullmatch(script)
    claim = claim_of(statement)
    if found is None or claim is None or claim.integers:
        return False
    if not set(re.findall(r"\w+", found["head"])) <= _LIBRARIES | {"From", "Require", "Import"}:
        return False
    if not states(found["goal"], claim) or not _only_tactics(found["body"]):
        return False
    if any(partial_parts(And(*claim.hypotheses, claim.conclusion))) and not _replays(
        statement, certificate.get("proof")
    ):
        return False
    rests_on(COQ)
    return _accepted(script)


def states(text: str, claim: Claim) -> bool:
    """Whether a Coq proposition says what a claim says.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> states("forall (x_0 : R), (x_0 > 1) -> ((x_0 ^ 2) > 1)", Claim({x: S.Reals}, (x > 1,), x**2 > 1))
    True
    >>> states("forall (x_0 : R), (x_0 > 1) -> ((x_0 ^ 2) > 0)", Claim({x: S.Reals}, (x > 1,), x**2 > 1))
    False
    """
    places = {symbol: place for place, symbol in enumerate(claim.variables)}
    try:
        count, (*hypotheses, conclusion) = Reader(text).theorem()
        wanted = [tree_of(part, places) for part in claim.hypotheses if part != true]
        return count == len(places) and set(hypotheses) <= set(wanted) and conclusion == tree_of(
            claim.conclusion, places
        )  # fmt: skip
    except (ValueError, IndexError, KeyError):
        return False


def _only_tactics(body: str) -> bool:
    """Whether every sentence is a tactic: Coq's commands begin with a capital letter."""
    if "(*" in body or '"' in body:
        return False
    sentences = re.split(r"\.(?:\s+|$)", body)
    return all(_TACTIC.match(sentence) for sentence in sentences if sentence.strip())


def _replays(statement: Statement, proof: Mapping[str, Any] | None) -> bool:
    return kind_of(proof) != "coq" and proves(statement, proof)


def _accepted(script: str) -> bool:
    """Whether coqc accepts the file and names no assumption beyond those of the real numbers."""
    coqc = shutil.which("coqc")
    if coqc is None:
        return False
    with tempfile.TemporaryDirectory(prefix="lemmascope-replay-") as folder:
        (Path(folder) / "replayed.v").write_text(f"{script}\nPrint Assumptions goal.\n", encoding="utf-8")
        try:
            done = subprocess.run(
                [coqc, "-q", "replayed.v"], cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except (subprocess.TimeoutExpired, OSError):
            return False
        return done.returncode == 0 and (Path(folder) / "replayed.vo").exists() and _only_axioms_of_reals(done.stdout)


def _only_axioms_of_reals(said: str) -> bool:
    """Whether the list of assumptions that coqc printed is empty or has known names only."""
    _, _, listed = said.rpartition("Axioms:\n")
    if "Closed under the global context" in said:
        return True
    names = [line for line in listed.splitlines() if line and not line[0].isspace()]
    return "Axioms:\n" in said and bool(names) and all(_AXIOMS.match(line) for line in names)
