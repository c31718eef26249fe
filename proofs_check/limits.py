"""A hard limit on how long a call may take: an engine lost in symbolic algebra is interrupted where it stands."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

_TICK = 0.1
"""Seconds after which the clock is looked at, again and again: an interrupt is lost when it meets a destructor."""

_GRACE = 30.0
"""Seconds that imports and compilations, which are done once, may take without being counted."""

_WHOLE = ("<frozen importlib", "/numba/", "/llvmlite/")
"""The code that imports and compiles; interrupted, it would leave a broken module or function behind."""


class OutOfTimeError(BaseException):
    """The call took too long. Not an Exception, so that no library on the way can swallow it."""


def _in_the_middle(frame: FrameType | None) -> bool:
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _WHOLE):
            return True
        frame = frame.f_back
    return False


@dataclass
class _Clock:
    """What is left of two limits, on the wall and in computing; what was excused counts for neither."""

    seconds: float
    work: float
    is_armed: bool = True
    excused: float = 0.0

    def __post_init__(self) -> None:
        self.wall, self.computed = time.monotonic(), time.process_time()

    def tick(self, _signal: int, frame: FrameType | None) -> None:
        """Count what has passed since the last tick, unless it was spent in an import or a compilation."""
        passed, computed = time.monotonic() - self.wall, time.process_time() - self.computed
        self.wall, self.computed = self.wall + passed, self.computed + computed
        if _in_the_middle(frame) and self.excused < _GRACE:
            self.excused += passed
            return
        self.seconds, self.work = self.seconds - passed, self.work - computed
        if self.is_armed and (self.seconds <= 0 or self.work <= 0):
            raise OutOfTimeError


@contextmanager
def at_most(seconds: float, work: float = float("inf")) -> Iterator[None]:
    """Raise OutOfTimeError in the block after so many seconds, or so many of computing, whichever is first.

    Without effect outside the main thread.

    >>> with at_most(0.05):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    proofs_check.limits.OutOfTimeError
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    clock = _Clock(seconds, work)
    previous, hook = signal.signal(signal.SIGALRM, clock.tick), sys.unraisablehook
    sys.unraisablehook = lambda lost: None if isinstance(lost.exc_value, OutOfTimeError) else hook(lost)
    began = time.monotonic()
    outer, interval = signal.setitimer(signal.ITIMER_REAL, min(seconds, work, _TICK), _TICK)
    try:
        yield
    finally:
        clock.is_armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        sys.unraisablehook = hook
        if outer > 0:  # a limit around this one, or an alarm of the caller's own, goes on where it was
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - began), 1e-3), interval)
