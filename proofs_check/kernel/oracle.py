"""The word of two solvers, asked again: z3 and cvc5 must both find the conditions on a counterexample unsatisfiable.

This is the only module here that starts processes and looks at a clock. Each process is the Python of this one with a
few lines of its own; whatever goes wrong in it is no answer.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from proofs_check.kernel.algebra import claimed, counterexamples
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.smtlib import script
from proofs_check.kernel.trust import SOLVERS, rests_on
from theory.errors import LemmascopeError
from theory.statements import Statement

_SECONDS, _PATIENCE = 60, 10  # what a solver may compute, and how much longer that may take on a busy machine
_LIMITS = """
import resource
for what, most in (resource.RLIMIT_AS, 4 << 30), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_CPU, {seconds}):
    resource.setrlimit(what, (most, most))
"""

_LINES = {
    "z3": """
import sys, z3
question = sys.stdin.read()
solver = z3.SolverFor(question.split("(set-logic ", 1)[1].split(")", 1)[0])
solver.from_string(question)
print(solver.check())
""",
    "cvc5": """
import sys, cvc5
solver = cvc5.Solver(cvc5.TermManager())
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "question")
names = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    print(str(command.invoke(solver, names)).strip())
""",
}


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether both solvers say of the statement, read anew, that it has no counterexample."""
    claim = claimed(statement)
    return claim is not None and check_claim(claim, whole=bool(certificate.get("whole")))


def check_claim(claim: Claim, *, whole: bool = False) -> bool:
    """The same for a claim; with `whole`, what is a whole number counts as such."""
    try:
        question = script(counterexamples(claim), whole=whole)
    except LemmascopeError:
        return False
    rests_on(SOLVERS)
    return answers(question, _SECONDS) == dict.fromkeys(_LINES, "unsat")


def answers(question: str, seconds: int) -> dict[str, str]:
    """What the solvers say within so many seconds of computing.

    >>> lines = "(set-logic QF_NRA)(declare-const x Real)(assert (< (* x x) 0))(check-sat)"
    >>> answers(lines, 20)
    {'z3': 'unsat', 'cvc5': 'unsat'}
    """
    running: dict[str, subprocess.Popen[str]] = {}
    said: dict[str, str] = {}
    end = time.monotonic() + _PATIENCE * seconds
    try:
        for name in _LINES:
            running[name] = _started(name, question, seconds)
        for name, child in running.items():
            with suppress(subprocess.TimeoutExpired):
                word = child.communicate(timeout=max(0.0, end - time.monotonic()))[0].strip()
                if child.returncode == 0 and word in ("sat", "unsat"):
                    said[name] = word
    finally:  # also where the whole check is interrupted: nobody else knows these processes
        for child in running.values():
            child.kill()
            child.communicate()
    return said


def _started(name: str, question: str, seconds: int) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", _LIMITS.format(seconds=seconds) + _LINES[name]], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        if child.stdin is not None:
            child.stdin.write(question)
            child.stdin.close()
    except OSError:  # it ended before it read everything: no answer
        pass
    child.stdin = None
    return child
