"""A limit interrupts whatever runs, but lets an import that is under way finish: half a module breaks what follows."""

from __future__ import annotations

import importlib
import signal
import sys
import time
from pathlib import Path

import pytest

from proofs_check.limits import OutOfTimeError, at_most


def forever(module: str | None = None) -> None:
    if module is not None:
        importlib.import_module(module)
    while True:
        pass


def test_a_loop_is_interrupted() -> None:
    began = time.process_time()
    with pytest.raises(OutOfTimeError), at_most(0.1):
        forever()
    assert time.process_time() - began < 5


def test_an_import_is_finished_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.3)\ntime.sleep(0.3)\nvalue = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(OutOfTimeError), at_most(0.1):
        forever("slow_to_import")
    assert sys.modules.pop("slow_to_import").value == 1


def test_an_import_costs_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = time.process_time() + 0.6
    (tmp_path / "long_to_import.py").write_text(f"import time\nwhile time.process_time() < {late}: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    with at_most(60, work=0.45):
        importlib.import_module("long_to_import")
        imported = time.process_time()
        while time.process_time() < imported + 0.2:
            pass
    assert imported >= late
    assert sys.modules.pop("long_to_import").__name__ == "long_to_import"


def test_an_inner_limit_leaves_the_outer_one_in_force() -> None:
    def limited_twice() -> None:
        with at_most(5):
            sum(range(1000))
        forever()

    began = time.process_time()
    with pytest.raises(OutOfTimeError), at_most(0.5):
        limited_twice()
    assert time.process_time() - began < 5


def test_an_alarm_of_the_caller_goes_on_where_it_was() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _frame: heard.append(number))
    try:
        signal.alarm(1000)
        for _ in range(3):
            with at_most(5), at_most(5):
                sum(range(1000))
        left = signal.alarm(0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert heard == []
    assert 900 < left <= 1000
