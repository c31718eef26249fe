"""How hard to try: three efforts, each a budget of seconds, memory, boxes and samples."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from theory.errors import LemmascopeError

_PATIENCE = 2.0
"""How much longer than its work an engine may take on the wall."""

EFFORTS = ("quick", "standard", "deep")


@dataclass(frozen=True)
class Budget:
    """What one engine may spend on one statement.

    Time is what this process computes, so that a busy machine does not change verdicts, up to twice as long on
    the wall; `deadline` is the latter, on the monotonic clock, and `work_deadline` the former.

    >>> Budget.of("quick").seconds < Budget.of("deep").seconds
    True
    """

    effort: str
    seconds: float
    samples: int
    boxes: int
    memory: int = 2 << 30
    deadline: float = field(default=float("inf"), compare=False)
    work_deadline: float = field(default=float("inf"), compare=False)

    @classmethod
    def of(cls, effort: str) -> Budget:
        """The budget of a named effort."""
        if effort not in EFFORTS:
            raise LemmascopeError(f"effort is {', '.join(EFFORTS)}; {effort!r} is none of them")
        seconds, samples, boxes = {
            "quick": (1.0, 2_000, 5_000),
            "standard": (4.0, 20_000, 100_000),
            "deep": (60.0, 1_000_000, 2_000_000),
        }[effort]
        return cls(effort, seconds, samples, boxes)

    def start(self) -> Budget:
        """The same budget with its clock running."""
        return replace(
            self,
            deadline=time.monotonic() + _PATIENCE * self.seconds,
            work_deadline=time.process_time() + self.seconds,
        )

    @property
    def left(self) -> float:
        """Seconds left, never negative."""
        work, wall = self.work_deadline - time.process_time(), self.deadline - time.monotonic()
        return max(0.0, min(self.seconds, work, wall / _PATIENCE))

    @property
    def spent(self) -> bool:
        """Whether the time is over."""
        return self.left <= 0
