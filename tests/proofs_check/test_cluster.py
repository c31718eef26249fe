"""The same run on a Dask cluster: `--on` gives the same verdicts, and a scheduler that is not there is one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofs_check.run.cli import main

distributed = pytest.importorskip("distributed", reason="needs the extra `cluster`")

FILE = """
from sympy import Interval, Symbol
from theory import Statement
x = Symbol("x")
good = Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)
bad = Statement(variables={x: Interval(0, 2)}, then=x**2 <= x)
"""


@pytest.mark.filterwarnings("ignore")
def test_verdicts_come_from_the_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_cluster.py"
    path.write_text(FILE)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        code = main(["check", str(path), "--effort", "quick", "--json", "--on", cluster.scheduler_address])
    outcomes = {row["id"]: row["outcome"] for row in json.loads(capsys.readouterr().out)["verdicts"]}
    assert code == 1
    assert outcomes == {"lemmas_cluster/good": "proved", "lemmas_cluster/bad": "refuted"}


@pytest.mark.filterwarnings("ignore")
def test_a_missing_scheduler_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lemmas_cluster.py"
    path.write_text(FILE)
    assert main(["check", str(path), "--on", "tcp://127.0.0.1:9"]) == 2
    assert "no Dask scheduler answers" in capsys.readouterr().err
