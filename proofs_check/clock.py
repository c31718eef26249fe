"""The clock of searches: what this process computed, and what others computed for it while it waited.

Time on the wall passes faster on a busy machine; a search that ends by this clock ends with the same answer.
"""

from __future__ import annotations

import time

_waited = 0.0


def count(seconds: float) -> None:
    """Count what another process computed for this one, which waited, as work."""
    global _waited  # noqa: PLW0603 - one clock for the process, like the one of the system
    _waited += seconds


def now() -> float:
    """Seconds of work so far; only differences have a meaning.

    >>> began = now()
    >>> count(2.0)
    >>> now() - began >= 2.0
    True
    """
    return time.process_time() + _waited
