"""Memory stays flat when only predicates are kept, however many steps are taken or times are passed."""

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import numpy as np, sympy as sp
from numerics import integrate, iterate
from theory.dynamics import Flow, Map
x, y, K = sp.symbols("x y K")
descent, circle = Map((x,), (x - K * (x**3 - x),)), Flow((x, y), (y, -x))
starts = np.linspace(0.01, 1, 20000)
runs = {
    "map": lambda n: iterate(descent, {x: starts}, n, parameters={K: 0.9}, watch=[x < 2], exit_early=False),
    "flow": lambda n: integrate(circle, {x: starts, y: 0.0}, n / 25, watch=[x**2 + y**2 < 2]),
}
run = runs[sys.argv[1]]
run(10)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert run(int(sys.argv[2])).watched[0].always.all()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("kind", ["map", "flow"])
@pytest.mark.sampled(2)
def test_a_hundred_times_the_steps_need_no_more_memory(kind):
    command = [sys.executable, "-c", PROGRAM, kind]
    grown = [
        int(subprocess.run([*command, str(n)], capture_output=True, text=True, check=True).stdout) for n in (50, 5000)
    ]
    assert max(grown) < 20_000  # kilobytes; all states of 5000 steps would be 800 megabytes
