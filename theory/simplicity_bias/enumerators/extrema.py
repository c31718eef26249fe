"""The critical points of G, counted: certified on the sphere for smoothed data, exact in the plane for rectifiers."""

from __future__ import annotations

from typing import Any

from sympy import Expr, Integer, Rational, cos, pi, sin

from theory.enumerators import enumerator
from theory.simplicity_bias.critical_points import CriticalSet, critical_points
from theory.simplicity_bias.data import axis, named
from theory.simplicity_bias.planar import global_extrema

KINDS = ("maximum", "minimum", "saddle")
_FINE = 2.0**-9
"""A fifth of the width of the bands: fine enough for simple zeros, and regions with g = 0 keep short rims."""


@enumerator("simplicity_bias.critical_set")
def critical_set(data: str) -> dict[str, Any]:
    """How many critical points of each kind G has, and how many global extrema are not +-e_1, +-e_2.

    `flat` is 1 where g vanishes on a whole box of directions, `open` counts what could not be told.

    >>> found = critical_set("orbit")
    >>> [found[name] for name in ("maximum", "minimum", "saddle", "elsewhere", "flat", "open")]
    [2, 2, 2, 0, 0, 0]
    """
    found = critical_points(named(data), _FINE)
    kinds = [point.kind for point in found.points]
    return {
        **{kind: kinds.count(kind) for kind in KINDS},
        "elsewhere": len(found.extrema) - len(_on_axes(found, named(data).dimension)) + int(not found.complete),
        "flat": int(bool(found.flat)),
        "open": int(bool(found.undecided)) + kinds.count("undecided"),
        "cases": found.boxes,
        "coverage": f"the whole sphere, {found.boxes} boxes, data set {data}",
        "counterexample": {
            "critical points": [str(point.exact) for point in found.points],
            "boxes with g = 0": [tuple(part.str(4) for part in box) for box in found.flat[:1]],
        },
    }


def _on_axes(found: CriticalSet, d: int) -> set[Any]:
    """The global extrema among +-e_1, +-e_2, each once."""
    axes = {axis(d, k, sign) for k in (1, 2) for sign in (1, -1)}
    return {point.exact for point in found.extrema} & axes


def single_maxima(data: str) -> bool:
    """Whether +-e_1 are the only local maxima of G, every critical point is simple, and x^1 |-> -x^1 is a symmetry.

    Then almost every start of a positive neuron climbs to one of the two, and both get the same share of the sphere.

    >>> single_maxima("orbit"), single_maxima("one point in the band")
    (True, False)
    """
    chosen, found = named(data), critical_points(named(data), _FINE)
    signed = set(zip(chosen.points, chosen.labels, strict=True))
    mirrored = {((-point[0], *point[1:]), label) for point, label in signed}
    tops = {point.exact for point in found.points if point.kind == "maximum"}
    simple = not found.flat and not found.undecided and all(point.kind in KINDS for point in found.points)
    return simple and signed == mirrored and tops == {axis(chosen.dimension, 1, s) for s in (1, -1)}


@enumerator("simplicity_bias.skewed_extrema")
def skewed_extrema(between: str) -> dict[str, Any]:
    """For two noiseless axes at an angle (in units of pi): how the global extrema differ from the printed directions.

    >>> found = skewed_extrema("1/3")
    >>> found["lacking"], found["more"]
    (0, 0)
    """
    turn = Rational(between) * pi
    other = (cos(turn), sin(turn))
    points = [(Integer(1), Integer(0)), (Integer(-1), Integer(0)), other, (-other[0], -other[1])]
    found = global_extrema(points, (1, 1, -1, -1))
    wanted = [(cos(t), sin(t)) for t in (turn - pi / 2, turn + pi / 2, pi / 2, -pi / 2)]
    hit = [any(_parallel(point.direction, one) for point in found) for one in wanted]
    known = [any(_parallel(point.direction, one) for one in wanted) for point in found]
    return {
        "lacking": hit.count(False),
        "more": known.count(False),
        "cases": len(found),
        "coverage": f"the whole circle, axes at {between} pi, plain rectifiers",
        "counterexample": {"extrema": [str(point.direction) for point in found]},
    }


def _parallel(one: tuple[Expr, Expr], two: tuple[Expr, Expr]) -> bool:
    cross = one[0] * two[1] - one[1] * two[0]
    along = one[0] * two[0] + one[1] * two[1]
    return bool(cross.equals(0)) and bool(along > 0)
