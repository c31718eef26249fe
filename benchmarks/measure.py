"""Interleaved timing: every contestant runs once a round, so that a busy machine is unfair to all alike.

Import this before NumPy and JAX: every contestant gets one thread, and processor time is what is compared.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")


@dataclass
class Contestant:
    """Something to time; `units` says how many units of work one call does.

    The clock is the processor time of the calling thread; what works in threads of its own needs process_time.
    """

    run: Callable[[], Any]
    units: float = 1.0
    rounds: int | None = None
    clock: Callable[[], float] = time.thread_time
    seconds: list[float] = field(default_factory=list)

    @property
    def per_unit(self) -> float:
        return statistics.median(self.seconds) / self.units


def interleave(contestants: dict[str, Contestant], rounds: int) -> None:
    for contestant in contestants.values():
        contestant.run()
    for number in range(rounds):
        for contestant in contestants.values():
            if contestant.rounds is None or number < contestant.rounds:
                begin = contestant.clock()
                contestant.run()
                contestant.seconds.append(contestant.clock() - begin)


def seconds(run: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    begin = clock()
    run()
    return clock() - begin


def peak_memory() -> float:
    """Megabytes at the highest point of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def result(
    name: str,
    contestants: dict[str, Contestant],
    targets: dict[str, float],
    *,
    achieved_error: Any = None,
    compile_seconds: float | None = None,
    missing: dict[str, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    ours = contestants["ours"].per_unit
    ratios = {peer: round(c.per_unit / ours, 3) for peer, c in contestants.items() if peer != "ours"}
    return {
        "name": name,
        "speedup_over": {**ratios, **{peer: None for peer in targets if peer not in ratios}},
        "target": targets,
        "achieved_error": achieved_error,
        "compile_seconds": compile_seconds,
        "missing": missing or {},
        "peak_memory": round(peak_memory(), 1),
        "seconds_per_unit": {peer: c.per_unit for peer, c in contestants.items()},
        **more,
    }


def tolerance_for(error_at: Callable[[float], float], wanted: float, ladder: list[float]) -> tuple[float, float]:
    """The loosest tolerance that achieves the wanted error, and the error it achieves."""
    found = (ladder[-1], float("nan"))
    for tolerance in ladder:
        error = error_at(tolerance)
        found = (tolerance, error)
        if error <= wanted:
            break
    return found


def in_new_process(script: str, *arguments: str) -> Any:
    """What a script beside this file prints as JSON."""
    command = [sys.executable, str(Path(__file__).parent / script), *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
