"""Memory stays flat when only predicates are kept, however many steps are taken."""

import subprocess
import sys

PROGRAM = """
import resource, sys
import numpy as np, sympy as sp
from numerics import iterate
from theory.dynamics import Map
x, K = sp.symbols("x K")
descent = Map((x,), (x - K * (x**3 - x),))
steps = int(sys.argv[1])
starts = np.linspace(0.01, 1, 20000)
run = lambda n: iterate(descent, {x: starts}, n, parameters={K: 0.9}, watch=[x < 2], exit_early=False)
run(10)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert run(steps).watched[0].always.all()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_hundred_times_the_steps_need_no_more_memory():
    grown = [
        int(subprocess.run([sys.executable, "-c", PROGRAM, str(n)], capture_output=True, text=True, check=True).stdout)
        for n in (50, 5000)
    ]
    assert max(grown) < 20_000  # kilobytes; all states of 5000 steps would be 800 megabytes
