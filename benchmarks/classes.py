"""First-order methods on classes of functions: an exact certificate of the tight rate, against PEPit's number."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

from measure import Contestant, result
from sympy import Rational, Symbol

from proofs_check.budget import Budget
from proofs_check.engines.classes.search import certificate_of
from theory import (
    After,
    Convex,
    SmoothConvex,
    Statement,
    Vectors,
    function,
    gradient_descent,
    nesterov,
    norm,
    proximal_point,
    vector,
)

_PEER = "PEPit"
f, x, x0, before, k = function("f"), vector("x"), vector("x0"), vector("x_prev"), Symbol("k")
METHODS: dict[str, tuple[Any, Any, Callable[[int], Rational]]] = {
    "gradient descent": (SmoothConvex(1), gradient_descent(f, x, 1), lambda n: Rational(1, 4 * n + 2)),
    "proximal point": (Convex(), proximal_point(f, x, 1), lambda n: Rational(1, 4 * n)),
    "Nesterov": (
        SmoothConvex(1), nesterov(f, x, 1, (k - 1) / (k + 2), time=k), lambda n: Rational(2, n * n + 5 * n + 6)
    ),
}  # fmt: skip


def run(quick: bool) -> list[dict[str, Any]]:
    """Processor time of both for every method and 1 to 10 steps, one after the other in the same run."""
    steps = (1, 2, 3) if quick else range(1, 11)
    return [_method(name, steps) for name in METHODS]


def _method(name: str, steps: Any) -> dict[str, Any]:
    ours, peer, missing, errors = Contestant(lambda: None), Contestant(lambda: None), {}, []
    proved: list[int] = []
    for number in steps:
        statement, bound = _claim(name, number), METHODS[name][2](number)
        began = time.process_time()
        proved += [number] if certificate_of(statement, Budget.of("deep").start()) is not None else []
        ours.seconds.append(time.process_time() - began)
        try:
            began = time.process_time()
            value = _pepit(name, number)
            peer.seconds.append(time.process_time() - began)
            errors.append(value - float(bound))
        except ImportError as error:
            missing[_PEER] = f"not installed: {error.name}"
    contestants = {"ours": ours} | ({} if missing else {_PEER: peer})
    return result(
        f"{name}, {min(steps)} to {max(steps)} steps", contestants, {_PEER: 1.0}, missing=missing,
        achieved_error={"ours": 0, _PEER: max(map(abs, errors), default=None)},
        proved=proved, slowest=max(ours.seconds), median=statistics.median(ours.seconds),
    )  # fmt: skip


def _claim(name: str, steps: int) -> Statement:
    of, method, bound = METHODS[name]
    return Statement(
        variables={f: of, x0: Vectors()},
        dynamics=method,
        start={x: x0} | ({before: x0} if before in method.state else {}),
        then=After(steps, f(x) - f.minimum <= bound(steps) * norm(x0 - f.minimiser) ** 2),
    )


def _pepit(name: str, steps: int) -> float:
    """The worst case in floating point, as the solver finds it."""
    warnings.filterwarnings("ignore")
    from PEPit import PEP
    from PEPit.functions import ConvexFunction, SmoothConvexFunction
    from PEPit.primitive_steps import proximal_step

    problem = PEP()
    is_proximal = name == "proximal point"
    g = problem.declare_function(ConvexFunction) if is_proximal else problem.declare_function(SmoothConvexFunction, L=1)
    least, start = g.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((start - least) ** 2 <= 1)
    now = last = start
    for step in range(steps):
        if is_proximal:
            now, _, _ = proximal_step(now, g, 1)
            continue
        ahead = now + ((step - 1) / (step + 2) if name == "Nesterov" else 0) * (now - last)
        now, last = ahead - g.gradient(ahead), now
    problem.set_performance_metric(g(now) - g(least))
    return float(problem.solve(verbose=0))
