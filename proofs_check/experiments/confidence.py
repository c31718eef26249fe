"""Confidence bounds for probabilities that were estimated by simulation."""

from __future__ import annotations


def clopper_pearson(successes: int, trials: int, confidence: float = 0.99) -> tuple[float, float]:
    """The exact binomial confidence interval for a probability.

    >>> [round(bound, 3) for bound in clopper_pearson(0, 100)]
    [0.0, 0.052]
    """
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    lower = 0.0 if successes == 0 else float(beta.ppf(tail, successes, trials - successes + 1))
    upper = 1.0 if successes == trials else float(beta.ppf(1 - tail, successes + 1, trials - successes))
    return lower, upper


def hoeffding(mean: float, trials: int, confidence: float = 0.99, *, width: float = 1.0) -> tuple[float, float]:
    """An interval for the mean of independent values that lie in an interval of the given width.

    >>> [round(bound, 3) for bound in hoeffding(0.5, 10_000)]
    [0.484, 0.516]
    """
    from math import log, sqrt

    radius = width * sqrt(log(2 / (1 - confidence)) / (2 * trials))
    return mean - radius, mean + radius
