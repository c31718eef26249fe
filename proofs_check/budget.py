"""How hard to try: three efforts, each a budget of seconds, memory, boxes and samples."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from proofs_check import clock
from proofs_check.shares import SHARES
from theory.errors import LemmascopeError

PATIENCE = 10.0
"""How much longer than its work an engine may take on the wall."""

_SIZES = {
    "glance": (0.7, 1_500, 20_000),
    "quick": (1.0, 2_000, 20_000),
    "standard": (2.0, 20_000, 100_000),
    "deep": (60.0, 1_000_000, 2_000_000),
}
"""Seconds, samples and boxes of each round; nobody asks for a glance, but every effort begins with one."""

ROUNDS = tuple(_SIZES)
EFFORTS = ROUNDS[1:]


@dataclass(frozen=True)
class Budget:
    """What one engine may spend on one statement.

    Time is what this process or a solver for it computes, so that a busy machine does not change verdicts, up to
    ten times as long on the wall; `deadline` is the latter, on the monotonic clock, and `work_deadline` the former.

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
        if effort not in ROUNDS:
            raise LemmascopeError(f"effort is {', '.join(EFFORTS)}; {effort!r} is none of them")
        return cls(effort, *_SIZES[effort])

    def start(self) -> Budget:
        """The same budget with its clock running."""
        return replace(
            self,
            deadline=time.monotonic() + PATIENCE * self.seconds,
            work_deadline=clock.now() + self.seconds,
        )

    @property
    def left(self) -> float:
        """Seconds left, never negative."""
        work, wall = self.work_deadline - clock.now(), self.deadline - time.monotonic()
        return max(0.0, min(self.seconds, work, wall / PATIENCE))

    @property
    def running(self) -> Budget:
        """The same budget, its clock started unless it runs already."""
        return self if self.deadline < float("inf") else self.start()

    def seconds_for(self, name: str) -> float:
        """Seconds that a share of the table may take now.

        >>> Budget("quick", 8.0, 1, 1).seconds_for("identity, cofactors")
        2.0
        """
        share = SHARES[name]
        return max(share.least, share.kept * self.seconds, min(share.most, share.part * self.left))

    def until(self, name: str) -> float:
        """The moment, on the clock of searches, at which a share that begins now ends."""
        return clock.now() + self.seconds_for(name)

    def share(self, name: str) -> Budget:
        """A budget of its own for a share of the table, with its clock running."""
        return replace(self, seconds=self.seconds_for(name)).start()

    @property
    def spent(self) -> bool:
        """Whether the time is over."""
        return self.left <= 0


def rounds(effort: str) -> list[Budget]:
    """The budgets with which the engines are asked in turn: nearly everything that can be decided is so at a glance.

    >>> [budget.effort for budget in rounds("deep")]
    ['glance', 'standard', 'deep']
    """
    between = ["standard"] if effort == "deep" else []
    return [Budget.of(name) for name in ("glance", *between, effort)]
