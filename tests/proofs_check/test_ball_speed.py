"""Compiled covers examine at least 25 times as many boxes per second as substitution into the SymPy expression."""

import time

from flint import arb
from sympy import Interval, Rational, Symbol, cos, exp, sin, tanh

from proofs_check.budget import Budget
from proofs_check.engines.cover.branch import cover
from proofs_check.kernel.formula_trees import normal_form

x, y = Symbol("x"), Symbol("y")
EXPRESSION = exp(-x * y) * sin(x + y) ** 2 + tanh(x - y) * cos(x * y) - Rational(19227, 10000)


def test_boxes_per_second():
    node = normal_form(EXPRESSION > 0)
    sides = {x: (0.0, 2.0), y: (0.0, 2.0)}
    cover(node, sides, {}, Budget.of("quick"))
    start = time.process_time()
    found = cover(node, sides, {}, Budget("measured", 20, 1, 2000).start())
    compiled = found.boxes / (time.process_time() - start)
    box = Interval(Rational(1, 4), Rational(1, 2))
    start = time.process_time()
    for k in range(20):
        middle, low = box.start + Rational(k, 200), box.start
        assert EXPRESSION.subs({x: middle, y: low}).evalf(20).is_Float
        arb(str(EXPRESSION.subs({x: low, y: middle}).evalf(20)))
    substituted = 20 / (time.process_time() - start)
    assert found.boxes > 150
    assert compiled > 25 * substituted
