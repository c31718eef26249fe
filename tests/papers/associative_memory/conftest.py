"""Independent routes for the tests: forward recursions with the whole transition matrix, in rational arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from theory.associative_memory.enumerators.recounts import projected, recursion


@pytest.fixture(scope="session", name="recursion")
def recursion_fixture() -> Callable[..., dict[str, Any]]:
    """The forward recursion, for tests that compare with it."""
    return recursion


@pytest.fixture(scope="session", name="query_key")
def query_key_fixture() -> Callable[..., Fraction]:
    """The query-key gradient by forward recursion."""
    return projected
