"""Shared by all tests: Hypothesis profiles, and a home of its own for every test session's ledger and kernels."""

from __future__ import annotations

import os
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is imported: test processes share the cores

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("quick", max_examples=15, derandomize=True, **_COMMON)
settings.register_profile("standard", max_examples=100, derandomize=True, **_COMMON)
settings.register_profile("deep", max_examples=2000, **_COMMON)
settings.load_profile(os.environ.get("LEMMASCOPE_PROFILE", "quick"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked slow is part of the deep profile only: LEMMASCOPE_PROFILE=deep."""
    if os.environ.get("LEMMASCOPE_PROFILE") == "deep":
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path_factory.mktemp("home")))


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
