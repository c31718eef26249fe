"""Enclosures of an expression with exp and tanh over many boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from measure import Contestant, interleave, result, seconds
from mpmath import iv

from numerics import compile_ball


def run(quick: bool) -> list[dict[str, Any]]:
    count = 300 if quick else 2000
    x, y = sp.symbols("x y")
    formula = sp.exp(-x) * sp.tanh(x * y) + y / (1 + sp.exp(-x)) - sp.tanh(y) ** 2 * x
    compiled: list[Any] = []
    spent = seconds(lambda: compiled.append(compile_ball([formula], [x, y])))
    kernel = compiled[0]
    rng = np.random.default_rng(0)
    corners = rng.uniform(0.1, 1, size=(count, 2))
    boxes = [(arb(a + 0.01, 0.01), arb(b + 0.01, 0.01)) for a, b in corners]
    tanh = lambda z: (iv.exp(2 * z) - 1) / (iv.exp(2 * z) + 1)  # noqa: E731
    lambdified = sp.lambdify((x, y), formula, [{"exp": iv.exp, "tanh": tanh}, "mpmath"])
    few, some = count // 20, count // 5

    def by_substitution() -> None:
        for a, b in corners[:few]:
            formula.subs({x: sp.AccumBounds(a, a + 0.02), y: sp.AccumBounds(b, b + 0.02)})

    def by_mpmath() -> None:
        for a, b in corners[:some]:
            lambdified(iv.mpf([a, a + 0.02]), iv.mpf([b, b + 0.02]))

    contestants = {
        "ours": Contestant(lambda: [kernel(*box) for box in boxes], count),
        "SymPy substitution": Contestant(by_substitution, few, rounds=3),
        "lambdified mpmath.iv": Contestant(by_mpmath, some),
    }
    interleave(contestants, 5)
    width = float(np.median([float(kernel(*box)[0].rad()) for box in boxes]))
    targets = {"SymPy substitution": 25.0, "lambdified mpmath.iv": 25.0}
    return [result("balls", contestants, targets, achieved_error={"median radius": width}, compile_seconds=spent)]
