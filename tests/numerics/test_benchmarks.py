"""The benchmark command lists its workloads and prints results in the agreed shape."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

RUN = [sys.executable, str(Path(__file__).parents[2] / "benchmarks" / "run.py")]


def test_the_workloads_are_listed_and_unknown_ones_refused():
    listed = subprocess.run([*RUN, "--list"], capture_output=True, text=True, check=True).stdout.split()
    assert listed == [
        "maps",
        "flows",
        "plateaus",
        "training",
        "symbolic",
        "balls",
        "property-tests",
        "proofs",
        "classes",
        "provers",
    ]
    unknown = subprocess.run([*RUN, "nothing"], capture_output=True, text=True, check=False)
    assert unknown.returncode == 2
    assert "There is no workload nothing" in unknown.stderr


def test_a_quick_run_prints_ratios_and_targets():
    printed = subprocess.run([*RUN, "balls", "--quick", "--json"], capture_output=True, text=True, check=True).stdout
    (entry,) = json.loads(printed)["results"]
    assert {"name", "speedup_over", "target", "achieved_error", "compile_seconds", "peak_memory"} <= entry.keys()
    assert entry["target"] == {"SymPy substitution": 25.0, "lambdified mpmath.iv": 25.0}
    assert entry["speedup_over"]["lambdified mpmath.iv"] > 5


def test_a_peer_that_is_not_installed_is_named_and_not_dropped():
    specification = importlib.util.spec_from_file_location("benchmarks_run", RUN[1])
    run = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(run)
    entry = {
        "name": "flows",
        "compile_seconds": 0.1,
        "peak_memory": 1.0,
        "speedup_over": {"numbalsoda dop853": None, "diffrax": 30.0},
        "target": {"numbalsoda dop853": 6.0, "diffrax": 25.0},
        "missing": {"numbalsoda dop853": "not installed: numbalsoda"},
    }
    printed = run.table([entry])
    assert "peer missing   floor 6 x" in printed
    assert "numbalsoda dop853 was left out: not installed: numbalsoda" in printed
    assert "30 x   floor 25 x   met" in printed
