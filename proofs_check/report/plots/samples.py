"""Points of the hypothesis set to draw: the witness first, then points that satisfy everything given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Interval, Set, Symbol

from numerics import compile_float
from numerics.robustness import margin
from theory.statements import Statement
from theory.temporal import is_plain

_FAR = 3.0


def window(domain: Set) -> tuple[float, float]:
    """A bounded window of a domain that a picture can show; symbols in its ends are set to 1.

    >>> window(Interval(0, 2)), window(Interval.open(1, float("inf")))
    ((0.0, 2.0), (1.0, 4.0))
    """
    units = dict.fromkeys(domain.free_symbols, 1)
    ends = (end.subs(units) for end in (domain.inf, domain.sup))
    low, high = (float(end) if end.is_finite else None for end in ends)
    if low is None and high is None:
        return -_FAR, _FAR
    if low is None:
        return high - _FAR if high is not None else -_FAR, high if high is not None else _FAR
    return low, high if high is not None else low + _FAR


def draws(statement: Statement, count: int, seed: int = 0) -> dict[Symbol, NDArray[np.float64]]:
    """Random points inside the windows of the domains that satisfy the plain hypotheses in floating point."""
    random = np.random.default_rng(seed)
    symbols = list(statement.variables)
    domains = {symbol: domain.subs(statement.stated) for symbol, domain in statement.variables.items()}
    points = np.array([_uniform(random, domains[symbol], 40 * count) for symbol in symbols])
    points = points.reshape(len(symbols), 40 * count)
    relations = [part for part in statement.hypotheses if is_plain(part) and part.is_Relational]
    if relations and symbols:
        margins = compile_float([margin(relation) for relation in relations], symbols)(points)
        points = points[:, (margins >= 0).all(axis=0)]
    return {symbol: points[place, :count] for place, symbol in enumerate(symbols)}


def _uniform(random: Any, domain: Set, count: int) -> NDArray[np.float64]:
    low, high = window(domain)
    inner = 1e-3 * (high - low) if isinstance(domain, Interval) else 0.0
    return random.uniform(low + inner, high - inner, count)


def exact_point(values: Mapping[str, str] | None, symbols: list[Symbol]) -> dict[Symbol, float]:
    """The numeric coordinates of a stored witness or counterexample, where they are plain rationals."""
    from fractions import Fraction

    found = {}
    for symbol in symbols:
        try:
            found[symbol] = float(Fraction((values or {})[symbol.name]))
        except (KeyError, ValueError, ZeroDivisionError):
            continue
    return found
