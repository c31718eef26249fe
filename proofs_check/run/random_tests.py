"""Means in property tests: what the map of the moments says is compared with a seeded ensemble."""

from __future__ import annotations

from typing import Any

from sympy import Expr, MatrixSymbol, Symbol

from numerics.noise import means_along, value_of
from proofs_check.passes.noise import without_noise
from proofs_check.points.search import Point
from theory.language.means import Expectation
from theory.statements import Statement
from theory.temporal import Always

_PATHS, _STEPS, _SEED = 4000, 2, 0
CONFIDENCE = 8.0
"""Standard errors that a mean of the ensemble may be off: beyond, chance alone is less likely than 1 in 10^14."""


def compare_with_ensemble(statement: Statement, point: Point) -> None:
    """Whether the means of a seeded ensemble are those that the moments give, for the first steps."""
    __tracebackhide__ = True
    dynamics = statement.dynamics
    if dynamics is None or dynamics.time is not None or any(isinstance(s, MatrixSymbol) for s in statement.variables):
        return
    means = sorted(statement.then.atoms(Expectation), key=str)
    if any(mean.free_symbols & set(dynamics.state) == set() for mean in means):
        return
    numbers: dict[Symbol, Any] = {symbol: float(value) for symbol, value in {**point, **statement.stated}.items()}
    start = {symbol: float(value_of(value, numbers)) for symbol, value in statement.start.items()}
    update = dict(zip(dynamics.state, dynamics.right_side, strict=True))
    sampled = means_along(
        start, update, statement.noise, [mean.args[0] for mean in means], numbers,
        steps=_STEPS, shape=(_PATHS, 1), seed=_SEED,
    )  # fmt: skip
    for place, mean in enumerate(means):
        for step, exact in enumerate(_exactly(statement, mean, point)):
            found, error = sampled[step][place]
            if abs(found - float(exact)) > CONFIDENCE * error + 1e-9 * (1 + abs(float(exact))):
                raise AssertionError(
                    f"{mean} after {step} steps is {float(exact):.6g} by its moments, but {found:.6g} +- {error:.2g} in"
                    f" an ensemble of {_PATHS} with seed {_SEED}"
                )


def _exactly(statement: Statement, mean: Expectation, point: Point) -> list[Expr]:
    """A mean after the first steps, from the map of the moments."""
    about = without_noise(statement.but(then=Always(mean <= 0)))
    if about.dynamics is None:
        return []
    rules = dict(zip(about.dynamics.state, about.dynamics.right_side, strict=True))
    read, known = about.then.args[0].lhs, {**point, **statement.stated}
    state = {symbol: start.subs(known) for symbol, start in about.start.items()}
    values = []
    for _ in range(_STEPS + 1):
        values.append(read.subs({**known, **state}))
        now = {**known, **state}
        state = {symbol: rule.subs(now) for symbol, rule in rules.items()}
    return values
