"""Polynomial questions as the engines ask them: orbits that do not exist, and quartics that are positive."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import sympy as sp
from measure import Contestant, interleave, result

from proofs_check.budget import Budget
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.engines.polynomial.search import prove
from proofs_check.goals import Goal
from proofs_check.kernel.algebra import Conditions
from proofs_check.kernel.formulas import Sign
from proofs_check.kernel.products import contradicts
from theory import gradient_descent
from theory.polynomials import Ring

_PATIENCE = 20.0


def run(quick: bool) -> list[dict[str, Any]]:
    """Wall time, since the solvers are processes of their own; the floor is the time a question may take."""
    rounds = 3 if quick else 7
    return [_no_orbits(rounds), _squares(rounds, 4 if quick else 10)]


def _no_orbits(rounds: int) -> dict[str, Any]:
    """No 2-cycle of gradient descent on the quartic around its minimum below K = 1."""
    x, K = sp.symbols("x K")
    step = gradient_descent((x**2 - 1) ** 2 / 4, x, K).update[0]
    there = sp.expand(step)
    back = sp.cancel((step.subs(x, there) - x) / (there - x))
    sets = [(K > 0, K < 1), (sp.Rational(1, 2) < K, sp.Rational(99, 100) > K), (K > 0, sp.Rational(1, 3) > K)]
    goals = [
        Goal({x: sp.S.Reals, K: sp.S.Reals}, (*window, x > 0, there > 0, sp.Eq(back, 0)), sp.Eq(x, there))
        for window in sets
    ]
    budget = Budget.of("standard")

    def ask() -> None:
        for goal in goals:
            answer = prove(goal, budget.start())
            if answer is None or not answer.decided:
                raise RuntimeError("a question about orbits was not answered")

    contestants = {"ours": Contestant(ask, len(goals), clock=time.perf_counter)}
    return _against(0.2, "no-orbit questions", contestants, rounds)


def _squares(rounds: int, count: int) -> dict[str, Any]:
    """Quartics in three variables that are squares plus something positive, certified in exact arithmetic."""
    symbols = sp.symbols("x y z")
    ring = Ring(symbols)
    random = np.random.default_rng(0)
    monomials = [1, *symbols, *(a * b for k, a in enumerate(symbols) for b in symbols[k:])]
    quartics = []
    for _ in range(count):
        roots = [sum(int(c) * m for c, m in zip(random.integers(-3, 4, 10), monomials, strict=True)) for _ in range(4)]
        radius = 1 + sum(s**2 for s in symbols)
        quartics.append(sp.expand(sum(root**2 for root in roots) + radius**2 / 10))
    questions = [Conditions(ring, Sign(ring.polynomial(-quartic), ">=")) for quartic in quartics]

    def certify() -> None:
        for question in questions:
            found = contradiction(question, _PATIENCE)
            if found is None or not contradicts(question, found):
                raise RuntimeError("a positive quartic was not certified")

    contestants = {"ours": Contestant(certify, count, clock=time.perf_counter)}
    return _against(0.3, "positive quartics", contestants, rounds)


def _against(limit: float, name: str, contestants: dict[str, Contestant], rounds: int) -> dict[str, Any]:
    interleave(contestants, rounds)
    peer = f"{limit:g} s a question"
    contestants[peer] = Contestant(lambda: None, seconds=[limit])
    return result(name, contestants, {peer: 1.0})
