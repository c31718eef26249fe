"""coqc as a process with limits on what it computes and uses, in a folder of its own."""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
from math import ceil
from pathlib import Path

from proofs_check import clock
from proofs_check.budget import PATIENCE
from proofs_check.kernel.coq import prelude
from theory.errors import LemmascopeError


class OutOfPatienceError(LemmascopeError):
    """coqc was ended before it had an answer."""


def missing() -> str | None:
    """What is not installed, in one sentence."""
    return None if shutil.which("coqc") else "install coq (and libcoq-interval) for proofs checked by a kernel"


def accepts(script: str, seconds: float, memory: int = 4 << 30) -> bool:
    """Whether coqc accepts a file; OutOfPatienceError when it has not said so after computing for so many seconds.

    On a busy machine that may take ten times as long.

    >>> missing() is not None or accepts("Theorem t : 1 + 1 = 2. Proof. reflexivity. Qed.", 60)
    True
    """
    library = None if missing() is not None else prelude()
    if library is None:
        return False
    work = max(1, ceil(seconds))

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (work, work))

    with tempfile.TemporaryDirectory(prefix="lemmascope-coq-") as folder:
        (Path(folder) / "goal.v").write_text(script + "\n")
        before = _computed()
        try:
            done = subprocess.run(
                ["coqc", "-q", "-Q", str(library), "Lemmascope", "goal.v"],
                cwd=folder, capture_output=True, timeout=PATIENCE * seconds, check=False, preexec_fn=limited,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise OutOfPatienceError(f"coqc did not answer within {PATIENCE * seconds:.0f} seconds") from error
        except OSError:
            return False
        finally:
            clock.count(_computed() - before)
        if done.returncode < 0:
            raise OutOfPatienceError(f"coqc was ended by signal {-done.returncode}")
        return done.returncode == 0 and (Path(folder) / "goal.vo").exists()


def _computed() -> float:
    """Seconds that the processes which this one started and saw ending have computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
