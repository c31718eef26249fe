"""A survey gives each point once, goes on after an interruption, and survives a killed worker of a Dask cluster."""

import json
import os
import signal
import threading
import time

import pytest
import sympy as sp

from numerics import survey
from numerics.surveys import Progress
from theory.errors import LemmascopeError


def test_a_grid_is_surveyed_in_order_on_several_cores_and_on_one():
    def product(a, b):
        return a * b

    many = survey(product, {"a": range(20), "b": [1, 10]}, workers=2)
    one = survey(product, {"a": range(20), "b": [1, 10]}, workers=1)
    assert many.values == one.values == tuple(a * b for a in range(20) for b in (1, 10))
    assert many.points[3] == {"a": 1, "b": 10}
    assert many.where(lambda v: v == 190) == [{"a": 19, "b": 10}]


def test_an_interrupted_survey_computes_only_what_is_missing(tmp_path):
    store, calls = tmp_path / "survey.jsonl", []

    def fragile(a):
        calls.append(a)
        if a == 5 and len(calls) < 7:
            raise KeyboardInterrupt
        return a**2

    with pytest.raises(KeyboardInterrupt):
        survey(fragile, {"a": range(10)}, store=store, workers=1)
    with store.open("a") as stream:
        stream.write('{"key": "cut sho')
    again = survey(fragile, {"a": range(10)}, store=store, workers=1)
    assert again.values == tuple(a**2 for a in range(10))
    assert again.computed == 5
    assert calls == [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]
    assert survey(fragile, {"a": range(10)}, store=store, workers=1).computed == 0
    keys = [json.loads(line)["key"] for line in store.read_text().splitlines() if line.endswith("}")]
    assert len(keys) == len(set(keys)) == 10


def test_random_designs_repeat_with_their_seed_and_stay_in_bounds():
    first = survey(lambda u: u, {"u": (2, 3)}, samples=50, seed=4, workers=1)
    second = survey(lambda u: u, {"u": (2, 3)}, samples=50, seed=4, workers=1)
    assert first.values == second.values
    assert all(2 < v < 3 for v in first.values)
    assert len(set(first.values)) == 50


def test_progress_counts_up_and_estimates_the_time_left():
    seen: list[Progress] = []
    survey(lambda a: sp.Rational(1, a), {"a": [1, 2, 3]}, workers=1, progress=seen.append)
    assert [p.done for p in seen] == [1, 2, 3]
    assert seen[-1].seconds_left == 0
    assert seen[0].total == 3


def test_exact_values_are_stored_exactly(tmp_path):
    store = tmp_path / "exact.jsonl"
    result = survey(lambda a: sp.sqrt(a) + 0, {"a": [sp.Rational(1, 2), 4]}, store=store, workers=1)
    assert result.values == ("sqrt(2)/2", 2)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: survey(abs, {}), "empty"),
        (lambda: survey(abs, {"a": []}), "no values"),
        (lambda: survey(abs, {"a": (0, float("inf"))}, samples=3), "finite bounds"),
        (lambda: survey(lambda a: object(), {"a": [1]}, workers=1), "cannot store"),
        (lambda: survey(abs, {"a": [1]}, workers=0), "workers=0"),
    ],
)
def test_bad_designs_are_refused(call, says):
    with pytest.raises(LemmascopeError, match=says):
        call()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_a_killed_dask_worker_loses_and_duplicates_nothing(tmp_path):
    distributed = pytest.importorskip("distributed")
    store = tmp_path / "cluster.jsonl"

    def slow_square(a):
        import time as clock

        clock.sleep(0.05)
        return a * a

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]

        def kill_one_soon():
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and (not store.exists() or store.read_text().count("\n") < 10):
                time.sleep(0.01)
            os.kill(pids[0], signal.SIGKILL)

        killer = threading.Thread(target=kill_one_soon)
        killer.start()
        result = survey(slow_square, {"a": range(100)}, store=store, on=cluster.scheduler_address)
        killer.join()
    assert result.values == tuple(a * a for a in range(100))
    assert result.computed == 100
    lines = [json.loads(line) for line in store.read_text().splitlines()]
    assert len(lines) == len({line["key"] for line in lines}) == 100
    assert survey(slow_square, {"a": range(100)}, store=store, workers=1).computed == 0
