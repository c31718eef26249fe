"""Learning rates that change with the step: formulas in the step counter, which is 0 at the first step."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.scalars import scalar


def warmup(time: sp.Symbol, peak: Any, steps: Any) -> sp.Expr:
    """A linear rise to the peak in so many steps, then constant.

    >>> k = sp.Symbol("k")
    >>> [warmup(k, 1, 4).subs(k, step) for step in (0, 1, 3, 9)]
    [1/4, 1/2, 1, 1]
    """
    return scalar(peak, "peak") * sp.Min(1, (time + 1) / scalar(steps, "number of steps"))


def cosine_decay(time: sp.Symbol, peak: Any, steps: Any, floor: Any = 0) -> sp.Expr:
    """Half a period of a cosine from the peak to the floor, then constant.

    >>> k = sp.Symbol("k")
    >>> [cosine_decay(k, 1, 4).subs(k, step) for step in (0, 2, 4, 7)]
    [1, 1/2, 0, 0]
    """
    top, bottom = scalar(peak, "peak"), scalar(floor, "floor")
    share = sp.Min(1, time / scalar(steps, "number of steps"))
    return bottom + (top - bottom) * (1 + sp.cos(sp.pi * share)) / 2


def power_decay(time: sp.Symbol, first: Any, exponent: Any, scale: Any = 1) -> sp.Expr:
    """The first rate times a power (1 + k / scale)^(-exponent) of the step.

    >>> k, eta = sp.symbols("k eta")
    >>> power_decay(k, eta, sp.S.Half)
    eta/sqrt(k + 1)
    """
    return scalar(first, "first rate") * (1 + time / scalar(scale, "scale")) ** -scalar(exponent, "exponent")


def step_decay(time: sp.Symbol, first: Any, factor: Any, steps: Any) -> sp.Expr:
    """The first rate, multiplied by a factor after every so many steps.

    >>> k = sp.Symbol("k")
    >>> [step_decay(k, 1, sp.S.Half, 3).subs(k, step) for step in (0, 2, 3, 6)]
    [1, 1, 1/2, 1/4]
    """
    return scalar(first, "first rate") * scalar(factor, "factor") ** sp.floor(time / scalar(steps, "number of steps"))
