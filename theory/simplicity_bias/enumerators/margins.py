"""Normalised margins of rectified networks on an orbit, and the directions that leave them as they are."""

from __future__ import annotations

from typing import Any

from sympy import Integer, Matrix, Rational

from theory.enumerators import enumerator
from theory.simplicity_bias.data import axis, named
from theory.simplicity_bias.enumerators.indices import USED


def network_margin(neurons: list[tuple[Any, Any]], name: str) -> Any:
    """The normalised margin of a rectified network, whose neurons are (u, v), on a data set; all exact."""
    chosen = named(name)
    margins = []
    for point, label in zip(chosen.points, chosen.labels, strict=True):
        total = Integer(0)
        for u, v in neurons:
            reach = sum(one * two for one, two in zip(v, point, strict=True))
            total += u * max(reach, Integer(0))
        margins.append(label * total)
    size = sum(u**2 + sum(part**2 for part in v) for u, v in neurons)
    return min(margins) / size


def _clusters() -> list[tuple[Any, Any]]:
    return [(Integer(label), axis(3, place, sign)) for place, sign, label in USED.values()]


@enumerator("simplicity_bias.flat_direction")
def flat_direction(case: str, step: str) -> dict[str, Any]:
    """The change of the normalised margin when weight is moved between neurons of one cluster, at m = 5.

    `split`: P_1 has two neurons with u = 3/5 and 4/5, turned by a rational rotation of half-angle tangent `step`;
    `asleep`: P_1 has one neuron and R has one, which is woken in the direction of P_1.

    >>> flat_direction("asleep", "1/1000")["drop"]
    0
    """
    turn = Rational(step)
    cosine, sine = (1 - turn**2) / (1 + turn**2), 2 * turn / (1 + turn**2)
    pair = (Rational(3, 5), Rational(4, 5)) if case == "split" else (Integer(1), Integer(0))
    turned = (cosine * pair[0] - sine * pair[1], sine * pair[0] + cosine * pair[1])
    others = _clusters()[1:]
    before, after = (
        network_margin([*[(u, tuple(u * part for part in axis(3, 1))) for u in weights], *others], "orbit of sixteen")
        for weights in (pair, turned)
    )
    moved = 2 * ((turned[0] - pair[0]) ** 2 + (turned[1] - pair[1]) ** 2)
    return {
        "drop": before - after,
        "moved": moved,
        "counterexample": {
            "u, |v| of cluster 1": str(pair), "turned to": str(turned), "margin": str(before), "case": case,
        },
        "coverage": "m = 5, orbit of (19/20, 1/10, 1/20)",
    }  # fmt: skip


@enumerator("simplicity_bias.orbit_average")
def orbit_average(data: str) -> dict[str, Any]:
    """For theta^mm on one orbit: the smallest margin, and the sum over the orbit divided by 16 and by its size.

    >>> orbit_average("orbit")["smallest"] > orbit_average("orbit")["sixteenth"]
    True
    """
    chosen = named(data)
    values = []
    for point, label in zip(chosen.points, chosen.labels, strict=True):
        total = sum(u * max(sum(s * t for s, t in zip(v, point, strict=True)), Integer(0)) for u, v in _clusters())
        values.append(label * total)
    return {
        "smallest": min(values),
        "sixteenth": sum(values) / 16,
        "mean": sum(values) / len(values),
        "cases": len(values),
        "counterexample": {"orbit": data, "points": len(values), "margin": str(min(values))},
    }


@enumerator("simplicity_bias.flat_space")
def flat_space(clusters: list[int]) -> dict[str, Any]:
    """The dimension of the set of directions near chi(theta^mm) with the same margin, by solving for it.

    Neuron j is in the cluster `clusters[j]`, or asleep near it if it is negative. Summed over an orbit and reduced by
    the margin times |theta|^2, the margins are one quadratic form h; a network with no smaller margin has h >= 0. Where
    h is negative semidefinite it is in the kernel of h, and there every margin must be equal, which is a linear system
    for the sums of squares U_k. What the kernel has beyond one scale for each U_k is flat.

    >>> flat_space([1, 2, 3, 4])["flat"], flat_space([1, 1, 2, 3, 4])["flat"], flat_space([1, 2, 3, 4, -1])["flat"]
    (0, 1, 1)
    """
    data = named("orbit of sixteen")
    best = network_margin(_clusters(), "orbit of sixteen")
    forms = [_form(data, abs(k), best) for k in clusters]
    kernel = sum(len(form.nullspace()) for form in forms)
    semidefinite = all(eigenvalue <= 0 for form in forms for eigenvalue in form.eigenvals())
    free = len(_equal_margins(data, best).nullspace()) - 1
    return {
        "flat": kernel - 4 + free,
        "semidefinite": int(semidefinite),
        "cases": len(clusters),
        "counterexample": {"clusters": clusters, "directions with the same margin": kernel - 4 + free},
        "coverage": f"{len(clusters)} neurons, orbit of (19/20, 1/10, 1/20)",
    }


def _form(data: Any, k: int, best: Any) -> Matrix:
    """The quadratic form h of one neuron (|u|, v) near the cluster k; its active points are fixed there."""
    place, sign, own = USED[k]
    total = Matrix([0, 0, 0])
    for point, label in zip(data.points, data.labels, strict=True):
        if sign * point[place - 1] > 0:
            total += own * label * Matrix(point)
    form = -len(data.points) * best * Matrix.eye(4)
    form[0, 1:] += total.T / 2
    form[1:, 0] += total / 2
    return form


def _equal_margins(data: Any, best: Any) -> Matrix:
    """Rows of the linear system for (U_1, ..., U_4): each margin is its share of the squared norm 2 sum U_k."""
    rows = []
    for point, label in zip(data.points, data.labels, strict=True):
        reach = [max(sign * point[place - 1], Integer(0)) for place, sign, _ in USED.values()]
        rows.append([label * USED[k][2] * part - 2 * best for k, part in zip(USED, reach, strict=True)])
    return Matrix(rows)
