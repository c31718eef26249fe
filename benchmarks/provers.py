"""The corpus of statements with known answers, asked of this project and of z3, cvc5, coq-interval and QEPCAD alike.

Every prover gets a statement in its own language, made by the same translation, and the same time (coqc more, since it
loads its libraries anew). What cannot be said in a language (quantifiers and motion in all of them, functions in those
for polynomials) is undecided. coq-interval proves and does not refute.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import lcm
from pathlib import Path
from typing import Any

from measure import Contestant, result

from proofs_check import verify
from proofs_check.coq import process as coq
from proofs_check.coq.language import NotCoqError
from proofs_check.coq.scripts import script as coq_script
from proofs_check.engines.polynomial.processes import Race, installed
from proofs_check.goals import goal_of
from proofs_check.kernel.algebra import Conditions, UnreadableError, counterexamples
from proofs_check.kernel.claims import claim_of
from proofs_check.kernel.formulas import All, Formula, Sign
from proofs_check.kernel.smtlib import script
from proofs_check.verdict import Outcome
from theory.errors import LemmascopeError
from theory.statements import Statement

_PATIENCE = 5.0
"""Seconds on the wall for each question and prover."""
_LOADING = 10.0
"""Seconds more for coqc, which loads its libraries for every question."""
_MEMORY = 2 << 30
_EVERY = 24
"""One statement of so many is asked in a quick run."""
_QEPCAD_OPERATORS = {"=": "=", "!=": "/=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass
class Score:
    """What one prover said about the statements."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def line(self, name: str, asked: int) -> str:
        """The share that was decided and the time it took."""
        median = statistics.median(self.seconds)
        wrong = f"   WRONG: {', '.join(self.wrong)}" if self.wrong else ""
        share = f"{self.right / asked:7.1%} of {asked} decided"
        return f"    {name:14s} {share}, {median:6.2f} s median, {sum(self.seconds):7.1f} s in all{wrong}"


def run(quick: bool) -> list[dict[str, Any]]:
    """Every statement is put to all provers before the next one, so that a busy machine is unfair to all alike."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "quality"))
    import corpus

    cases = [(f"true/{name}", one, True) for name, one in corpus.TRUE.items()]
    cases += [(f"false/{name}", one, False) for name, one in corpus.FALSE.items()]
    cases = cases[:: _EVERY if quick else 1]
    provers, missing = _provers()
    scores = {name: Score() for name in provers}
    for name, statement, truth in cases:
        for prover, ask in provers.items():
            began = time.perf_counter()
            answer = ask(statement)
            scores[prover].seconds.append(time.perf_counter() - began)
            scores[prover].right += answer is truth
            scores[prover].wrong += [name] if answer is (not truth) else []
    contestants = {name: Contestant(lambda: None, seconds=score.seconds) for name, score in scores.items()}
    decided = {name: {"right": score.right, "wrong": score.wrong} for name, score in scores.items()}
    lines = [score.line(name, len(cases)) for name, score in scores.items()]
    return [result("corpus of statements", contestants, {}, missing=missing, decided=decided, lines=lines)]


def _provers() -> tuple[dict[str, Callable[[Statement], bool | None]], dict[str, str]]:
    found: dict[str, Callable[[Statement], bool | None]] = {"ours": _ours}
    missing = {}
    for name in ("z3", "cvc5"):
        if name in installed():
            found[name] = lambda statement, solver=name: _solver(statement, solver)
        else:
            missing[name] = "not installed"
    if coq.missing() is None:
        found["coq-interval"] = _coq_interval
    else:
        missing["coq-interval"] = str(coq.missing())
    if shutil.which("qepcad"):
        found["QEPCAD"] = _qepcad
    else:
        missing["QEPCAD"] = "not installed"
    return found, missing


def _ours(statement: Statement) -> bool | None:
    return {Outcome.PROVED: True, Outcome.REFUTED: False}.get(verify(statement, effort="quick").outcome)


def _conditions(statement: Statement) -> Conditions | None:
    """What a counterexample satisfies, in polynomials; None where the statement has no such form."""
    try:
        claim = claim_of(statement)
        return None if claim is None or statement.almost_all else counterexamples(claim)
    except (UnreadableError, LemmascopeError):
        return None


def _meaning(conditions: Conditions, possible: bool | None) -> bool | None:
    """The truth of the statement, from whether a counterexample of its polynomial form is possible."""
    return None if possible is None or (possible and not conditions.exact) else not possible


def _solver(statement: Statement, name: str) -> bool | None:
    conditions = _conditions(statement)
    if conditions is None:
        return None
    with Race({name: script(conditions, whole=True)}, _PATIENCE, _MEMORY) as race:
        answer = race.wait(_PATIENCE, lambda answers: name in answers).get(name, {}).get("answer")
    return _meaning(conditions, {"sat": True, "unsat": False}.get(str(answer)))


def _coq_interval(statement: Statement) -> bool | None:
    goal = goal_of(statement)
    try:
        return (goal is not None and coq.accepts(coq_script(goal, "interval"), _LOADING + _PATIENCE)) or None
    except (NotCoqError, coq.OutOfPatienceError, LemmascopeError):
        return None


def _qepcad(statement: Statement) -> bool | None:
    conditions = _conditions(statement)
    if conditions is None or conditions.whole or not conditions.ring.symbols:
        return None
    names = [f"v{place}" for place in range(len(conditions.ring.symbols))]
    prefix = "".join(f"(E {name})" for name in names)
    question = f"[]\n({','.join(names)})\n0\n{prefix}[ {_infix(conditions.formula, names)} ].\nfinish\n"
    try:
        done = subprocess.run(
            ["qepcad", "+N8000000"], input=question, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    words = done.stdout.split("An equivalent quantifier-free formula:")[-1].split()
    return _meaning(conditions, {"TRUE": True, "FALSE": False}.get(words[0] if words else ""))


def _infix(formula: Formula, names: list[str]) -> str:
    if isinstance(formula, Sign):
        scale = lcm(*(int(number.q) for number in formula.value.coeffs()))
        terms = []
        for powers, number in formula.value.terms():
            factors = [f"{name}^{power}" for name, power in zip(names, powers, strict=True) if power]
            terms.append(" ".join([f"({int(number * scale)})", *factors]))
        return f"{' + '.join(terms) or '0'} {_QEPCAD_OPERATORS[formula.op]} 0"
    if not formula.parts:
        return "0 = 0" if isinstance(formula, All) else "0 = 1"
    return "[" + (" /\\ " if isinstance(formula, All) else " \\/ ").join(_infix(p, names) for p in formula.parts) + "]"
