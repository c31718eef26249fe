"""Shared by all tests: Hypothesis profiles, and a home of its own for every test session's ledger and kernels."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is imported: test processes share the cores

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("quick", max_examples=15, derandomize=True, **_COMMON)
settings.register_profile("standard", max_examples=100, derandomize=True, **_COMMON)
settings.register_profile("deep", max_examples=2000, **_COMMON)
_HOMES = count()
settings.load_profile(os.environ.get("LEMMASCOPE_PROFILE", "quick"))
gc.set_threshold(50_000, 20, 20)  # formulas are many small objects that stay; to look for garbage among them takes long


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked slow, and all but some of the cases marked sampled, is part of the deep profile only."""
    if os.environ.get("LEMMASCOPE_PROFILE") == "deep":
        return
    cases: Counter[tuple[Path, str]] = Counter()
    kept, left = [], []
    for item in items:
        sampled, is_slow = item.get_closest_marker("sampled"), item.get_closest_marker("slow") is not None
        if sampled is not None and not is_slow:
            test = (item.path, item.nodeid.partition("[")[0])
            is_slow = cases[test] % sampled.args[0] != 0
            cases[test] += 1
        (left if is_slow else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home for each test; it is a name until something is kept there, as making a folder takes longer than a test."""
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"))


@pytest.fixture
def score(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Says a number that is shown at the end of the run, whichever process ran the test."""
    return lambda text: record_property("score", text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The scores of the soundness suite."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for report in reports:
        for name, text in report.user_properties:
            if name == "score" and report.when == "call":
                terminalreporter.write_line(text)
