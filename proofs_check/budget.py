"""How hard to try: three efforts, each a budget of seconds, memory, boxes and samples."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from theory.errors import LemmascopeError

EFFORTS = ("quick", "standard", "deep")


@dataclass(frozen=True)
class Budget:
    """What one engine may spend on one statement. `deadline` is on the monotonic clock.

    >>> Budget.of("quick").seconds < Budget.of("deep").seconds
    True
    """

    effort: str
    seconds: float
    samples: int
    boxes: int
    memory: int = 2 << 30
    deadline: float = field(default=float("inf"), compare=False)

    @classmethod
    def of(cls, effort: str) -> Budget:
        """The budget of a named effort."""
        if effort not in EFFORTS:
            raise LemmascopeError(f"effort is {', '.join(EFFORTS)}; {effort!r} is none of them")
        seconds, samples, boxes = {
            "quick": (1.0, 2_000, 5_000),
            "standard": (6.0, 20_000, 100_000),
            "deep": (60.0, 1_000_000, 2_000_000),
        }[effort]
        return cls(effort, seconds, samples, boxes)

    def start(self) -> Budget:
        """The same budget with its clock running."""
        return Budget(self.effort, self.seconds, self.samples, self.boxes, self.memory, time.monotonic() + self.seconds)

    @property
    def left(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, min(self.seconds, self.deadline - time.monotonic()))

    @property
    def spent(self) -> bool:
        """Whether the time is over."""
        return self.left <= 0
