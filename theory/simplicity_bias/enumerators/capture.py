"""How fast prominent neurons align, and how likely the extrema are captured."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from theory.enumerators import enumerator, recount
from theory.simplicity_bias.data import axis, largest_eigenvalue, named
from theory.simplicity_bias.enumerators.extrema import single_maxima


@enumerator("simplicity_bias.alignment")
def alignment(data: list[str]) -> dict[str, Any]:
    """The smallest exponent e over the data sets such that a generic prominent direction error is r^(e kappa*).

    The error of the sphere flow decays at the rate lambda minus the largest tangential eigenvalue of the Euclidean
    Hessian of G at the maximiser e_1; over the time T_1 = kappa* ln(1/r) / lambda that is r^(kappa* rate / lambda).

    >>> alignment(["one point in the band"])["exponent"]
    4/5
    """
    worst, shown = None, {}
    for name in data:
        chosen = named(name)
        top = axis(chosen.dimension, 1)
        if not chosen.is_critical(top):
            return {"missing": f"e_1 is not critical for the data set {name}"}
        height = chosen.value(top)
        bend = largest_eigenvalue(chosen.hessian(top)[1:, 1:])
        exponent = (height - bend) / height
        if worst is None or exponent < worst:
            worst = exponent
            shown = {
                "data": name, "points": str(chosen.points), "xi": str(chosen.width), "lambda": str(height),
                "curvature": str(bend), "exponent": str(exponent),
            }  # fmt: skip
    return {
        "exponent": worst,
        "counterexample": shown,
        "cases": len(data),
        "complete": False,
        "coverage": f"data sets in dimension 3: {', '.join(data)}",
    }


@enumerator("simplicity_bias.basin")
def basin(data: list[str]) -> dict[str, Any]:
    """The smallest share of starts (direction and sign) that reach the global extremum e_1, over the data sets.

    For points at the origin G is constant on the sphere, nothing moves, and only the start at e_1 itself reaches it.
    For one positive point on the axis the sphere flow of a positive neuron increases v.x until v is e_1. Where +-e_1
    are certified to be the only maxima, each gets half of the positive starts.

    >>> basin(["origin"])["portion"] == 0
    True
    """
    portions = {}
    for name in data:
        points = named(name).points
        if all(not any(point) for point in points):
            portions[name] = Fraction(0)
        elif len(points) == 1 and points[0][0] > 0 and not any(points[0][1:]):
            portions[name] = Fraction(1, 2)
        elif single_maxima(name):
            portions[name] = Fraction(1, 4)
        else:
            return {"missing": f"the basins of the data set {name} are not known in closed form"}
    least = min(portions, key=lambda name: portions[name])
    return {
        "portion": portions[least],
        "counterexample": {"data": least, "portion": str(portions[least]), "x": "(0, 0, 0)", "xi": "1"},
        "cases": len(data),
        "complete": len(data) == 1,
        "coverage": f"data sets in dimension 3: {', '.join(data)}",
    }


@enumerator("simplicity_bias.occupancy")
def occupancy(m: int) -> dict[str, Any]:
    """The probability that m neurons fill four cells of probability 1/4, by inclusion and exclusion, and the product.

    >>> occupancy(1)["filled"], occupancy(1)["printed"]
    (Fraction(0, 1), Fraction(1, 256))
    """
    cell = Fraction(1, 4)
    filled = sum((-1) ** k * comb(4, k) * (1 - k * cell) ** m for k in range(5))
    missed = (1 - cell) ** m
    return {"filled": Fraction(filled), "printed": (1 - missed) ** 4, "union": 1 - 4 * missed}


@recount("simplicity_bias.occupancy")
def occupancy_again(m: int) -> dict[str, Any]:
    """The same by the Markov chain of the number of filled cells."""
    chain = [Fraction(1), *[Fraction(0)] * 4]
    for _ in range(m):
        stay = [chain[k] * Fraction(k, 4) for k in range(5)]
        come = [Fraction(0), *[chain[k] * Fraction(4 - k, 4) for k in range(4)]]
        chain = [one + two for one, two in zip(stay, come, strict=True)]
    return {"filled": chain[4]}
