"""A hard limit on how long a call may take: an engine lost in symbolic algebra is interrupted where it stands."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN = 0.1
"""Seconds until the clock is looked at again: an interrupt is lost when it meets a destructor or comes too early."""


_GRACE = 20.0
"""Seconds for which an import or a compilation may be finished before it is interrupted all the same."""

_WHOLE = ("<frozen importlib", "/numba/", "/llvmlite/")
"""Code that leaves a broken module or function behind when it is interrupted; the next interrupt may find it done."""


class OutOfTimeError(BaseException):
    """The call took too long. Not an Exception, so that no library on the way can swallow it."""


def _in_the_middle(frame: FrameType | None) -> bool:
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _WHOLE):
            return True
        frame = frame.f_back
    return False


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

    armed = True

    def interrupt(_signal: int, frame: FrameType | None) -> None:
        passed, computed = time.monotonic() - began, time.process_time() - before
        is_over = passed >= seconds or computed >= work
        if armed and is_over and not (_in_the_middle(frame) and passed < seconds + _GRACE):
            raise OutOfTimeError

    began, before = time.monotonic(), time.process_time()
    previous, hook = signal.signal(signal.SIGALRM, interrupt), sys.unraisablehook
    sys.unraisablehook = lambda lost: None if isinstance(lost.exc_value, OutOfTimeError) else hook(lost)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, min(seconds, work), _AGAIN)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        sys.unraisablehook = hook
        if outer > 0:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, outer - (time.monotonic() - began)), _AGAIN)
