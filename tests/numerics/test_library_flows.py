"""Every flow of the library is integrated within a hundred tolerances of a 30-digit reference, at each tolerance."""

import inspect
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx

from numerics import compile_ball, integrate
from numerics.taylor import TaylorSystem
from theory.dynamics import Flow
from theory.library import stated

MULTIPLE = 100
ORDER, BITS, END = 40, 140, Fraction(1)


def flows(everything):
    """Each flow of numbers once, with its statement; without `everything` only modules that mention flows."""
    seen = {}
    for entry in stated():
        module = inspect.getmodule(entry.build)
        if everything or "Flow(" in inspect.getsource(module) or "gradient_flow(" in inspect.getsource(module):
            statement = entry.statement()
            if isinstance(statement.dynamics, Flow) and not statement.speaks_of_spaces:
                seen.setdefault(statement.dynamics, statement)
    return seen


def random_point(statement, rng):
    """Values of all variables up to 2 that satisfy the domains and hypotheses; far larger ones are ill-conditioned."""
    symbols = list(statement.variables)
    for _ in range(5000):
        values = [sp.Rational(rng.choice([-1, 1, 1]) * rng.randint(0, 8), rng.choice([4, 5, 20])) for _ in symbols]
        point = dict(zip(symbols, values, strict=True))
        inside = all(domain.subs(point).contains(point[s]) == True for s, domain in statement.variables.items())  # noqa: E712
        if inside and all(h.subs(point) == True for h in statement.hypotheses if h.free_symbols <= set(symbols)):  # noqa: E712
            return point
    return None


def reference(flow, start, end):
    """State and time by Taylor steps in 140-bit arithmetic; the time is short of the end where the flow blows up."""
    system, state, time = TaylorSystem(flow.state, flow.velocity), list(start), Fraction(0)
    while time < end:
        series = system.coefficients(state, ORDER)
        size = max(float(abs(c[ORDER]).upper()) for c in series)
        longest = (1e-36 / size) ** (1 / ORDER) if size > 0 else 1.0
        step = min(Fraction(int(longest * 2**40), 2**40), end - time)
        if step < 1e-9:
            break
        powers = [arb(step.numerator) ** k / arb(step.denominator) ** k for k in range(ORDER + 1)]
        state = [sum((a * b for a, b in zip(c, powers, strict=True)), arb(0)).mid() for c in series]
        time += step
    return np.array([float(s) for s in state]), float(time)


def check(flow, statement):
    point = random_point(statement, random.Random(0))  # noqa: S311
    assert point is not None, f"no admissible values for {statement.id}"
    numeric = Flow(flow.state, tuple(sp.sympify(v).subs(point) for v in flow.velocity))
    start = [sp.sympify(statement.start[s]).subs(point) for s in flow.state]
    kept, ctx.prec = ctx.prec, BITS
    try:
        exact, reached = reference(numeric, [f()[0] for f in (compile_ball([s], []) for s in start)], END)
    finally:
        ctx.prec = kept
    for relative in (1e-5, 1e-8, 1e-11):
        ours = integrate(numeric, [float(s) for s in start], float(END), relative=relative, absolute=relative)
        if reached < END:
            assert not ours.complete.any()
            assert ours.final_time[0] == pytest.approx(reached, abs=1e-4)
            continue
        assert ours.complete.all(), (statement.id, ours.faults())
        allowed = MULTIPLE * relative * (1 + np.abs(exact).max())
        assert np.abs(ours.final[:, 0] - exact).max() <= allowed, (statement.id, relative)


def autonomous(found):
    return [(flow, statement) for flow, statement in found.items() if flow.time is None]


@pytest.mark.slow
def test_the_flows_of_modules_that_write_them_out():
    found = autonomous(flows(everything=False))
    assert len(found) >= 5
    for flow, statement in found:
        check(flow, statement)


@pytest.mark.slow
def test_the_flows_of_all_statements():
    for flow, statement in autonomous(flows(everything=True)):
        check(flow, statement)
