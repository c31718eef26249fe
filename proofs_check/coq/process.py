"""coqc as a process with time and memory limits, in a folder of its own."""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

from proofs_check.kernel.coq import prelude
from theory.errors import LemmascopeError


class OutOfPatienceError(LemmascopeError):
    """coqc was ended before it had an answer."""


def missing() -> str | None:
    """What is not installed, in one sentence."""
    return None if shutil.which("coqc") else "install coq (and libcoq-interval) for proofs checked by a kernel"


def accepts(script: str, seconds: float, memory: int = 4 << 30) -> bool:
    """Whether coqc accepts a file; OutOfPatienceError when it has not said so in time.

    >>> missing() is not None or accepts("Theorem t : 1 + 1 = 2. Proof. reflexivity. Qed.", 60)
    True
    """
    library = None if missing() is not None else prelude()
    if library is None:
        return False
    with tempfile.TemporaryDirectory(prefix="lemmascope-coq-") as folder:
        (Path(folder) / "goal.v").write_text(script + "\n")
        try:
            done = subprocess.run(
                ["coqc", "-q", "-Q", str(library), "Lemmascope", "goal.v"],
                cwd=folder, capture_output=True, timeout=seconds, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise OutOfPatienceError(f"coqc did not answer within {seconds:.0f} seconds") from error
        except OSError:
            return False
        if done.returncode < 0:
            raise OutOfPatienceError(f"coqc was ended by signal {-done.returncode}")
        return done.returncode == 0 and (Path(folder) / "goal.vo").exists()
