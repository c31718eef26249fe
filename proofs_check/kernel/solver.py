"""Solvers asked by a checker: one process for each question, which says one word.

The process is the Python of this one with a few lines of its own; whatever goes wrong in it is no answer.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time

_LIMITS = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
"""

_LINES = {
    "z3": """
import sys, z3
solver = z3.SolverFor(sys.argv[1])
solver.from_string(sys.stdin.read())
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


def answers(question: str, logic: str, seconds: float, patience: float) -> list[str]:
    """What the solvers say within so many seconds; after the first answer the others have only some patience.

    >>> lines = "(set-logic QF_NRA)(declare-const x Real)(assert (< (* x x) 0))(check-sat)"
    >>> set(answers(lines, "QF_NRA", 20, 20))
    {'unsat'}
    """
    running = [_started(name, question, logic) for name in _LINES if importlib.util.find_spec(name) is not None]
    said: list[str] = []
    began = time.monotonic()
    end = began + seconds
    while running and time.monotonic() < end:
        for child in [child for child in running if child.poll() is not None]:
            running.remove(child)
            word = child.communicate()[0].strip()
            if child.returncode == 0 and word in ("sat", "unsat"):
                said.append(word)
                end = min(end, max(began + patience, time.monotonic()))
        time.sleep(0.005)
    for child in running:
        child.kill()
        child.communicate()
    return said


def _started(name: str, question: str, logic: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", _LIMITS + _LINES[name], logic], text=True,
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
