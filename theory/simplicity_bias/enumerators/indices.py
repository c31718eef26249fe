"""The indices a(k), b(k) of Assumption 5.1 evaluated, the symmetry group, and what a data set must satisfy."""

from __future__ import annotations

from typing import Any

from sympy import Integer, Matrix, Rational, eye

from theory.enumerators import enumerator
from theory.simplicity_bias.data import axis, group, named


def printed_cluster(k: int) -> tuple[int, int, int]:
    """Axis, sign and label of S_k by the indices as printed: a(k) = k mod 2, b(k) = 2 floor((k-1)/2) - 1."""
    a, b = k % 2, 2 * ((k - 1) // 2) - 1
    return a + 1, b, 1 - 2 * a


def corrected_cluster(k: int) -> tuple[int, int, int]:
    """The same with a(k) = (k - 1) mod 2 and b(k) = 1 - 2 floor((k-1)/2)."""
    a, b = (k - 1) % 2, 1 - 2 * ((k - 1) // 2)
    return a + 1, b, 1 - 2 * a


USED = {1: (1, 1, 1), 2: (2, 1, -1), 3: (1, -1, 1), 4: (2, -1, -1)}
"""How Appendix D uses S_1, ..., S_4: around e_1, e_2, -e_1, -e_2 with labels 1, -1, 1, -1."""


@enumerator("simplicity_bias.indices")
def indices(reading: str) -> dict[str, Any]:
    """How many of the four clusters disagree between Assumption 5.1 and their use in Appendix D.

    >>> indices("printed")["disagreements"], indices("corrected")["disagreements"]
    (4, 0)
    """
    table = printed_cluster if reading == "printed" else corrected_cluster
    found = {k: table(k) for k in USED}
    wrong = [k for k in USED if found[k] != USED[k]]
    labels = [k for k in USED if (found[k][0] == 1) != (found[k][2] == 1)]
    return {
        "disagreements": len(wrong),
        "labels": len(labels),
        "cases": 4,
        "counterexample": {f"S_{k}": f"axis {found[k][0]}, sign {found[k][1]}, label {found[k][2]}" for k in wrong},
        "coverage": "k = 1, 2, 3, 4",
    }


@enumerator("simplicity_bias.signed_angles")
def signed_angles(reading: str) -> dict[str, Any]:
    """For v_k exactly at its cluster: the largest |sin alpha_k|, with alpha_k as Proposition D.2 defines it.

    `printed`: indices of Assumption 5.1 throughout; `appendix`: v_k where Appendix D has it, the rest as printed;
    `corrected`: a(k) = (k-1) mod 2 and the angle to e_1.

    >>> [signed_angles(reading)["largest"] for reading in ("printed", "appendix", "corrected")]
    [1, 1, 0]
    """
    swap, flip = Matrix([[0, 1], [1, 0]]), Matrix([[-1, 0], [0, 1]])
    shown, largest = {}, Integer(0)
    for k, used in USED.items():
        a = (k - 1) % 2 if reading == "corrected" else k % 2
        place, sign, _ = printed_cluster(k) if reading == "printed" else used
        moved = flip ** ((k - 1) // 2) * swap**a * Matrix(axis(2, place, sign))
        target = Matrix(axis(2, 1 if reading == "corrected" else a + 1))
        sine = abs(moved[0] * target[1] - moved[1] * target[0])
        if sine > 0 or moved.dot(target) < 0:
            shown[f"k = {k}"] = f"moved to {tuple(moved)}, compared with {tuple(target)}"
        largest = max(largest, sine)
    return {"largest": largest, "wrong": len(shown), "cases": 4, "counterexample": shown, "coverage": "k = 1, 2, 3, 4"}


@enumerator("simplicity_bias.orbit_group")
def orbit_group(d: int) -> dict[str, Any]:
    """The order of the symmetry group of Assumption 5.1 and whether it contains -1.

    >>> orbit_group(3)["order"], orbit_group(2)["order"]
    (16, 8)
    """
    members = group(d)
    return {"order": len(members), "minus": int((-eye(d)).as_immutable() in members), "cases": len(members)}


@enumerator("simplicity_bias.assumptions")
def assumptions(data: str, least: str = "9/200") -> dict[str, Any]:
    """How many of the properties of Assumption 5.1 (and |x| <= 1) a data set violates; `least` is Delta.

    >>> assumptions("orbit")["violations"]
    0
    """
    chosen = named(data)
    places = dict(zip(chosen.points, chosen.labels, strict=True))
    violated = []
    for point, label in places.items():
        near = min(
            sum((one - two) ** 2 for one, two in zip(point, axis(3, place, sign), strict=True))
            for place, sign, own in USED.values()
            if own == label
        )
        if 2 * near >= 1 or sum(part**2 for part in point) > 1:
            violated.append(f"{point} is far from its cluster")
        images = [tuple(member * Matrix(point)) for member in group(3)]
        if any(image not in places for image in images):
            violated.append(f"an image of {point} is missing")
    needed = chosen.width + 2 * Rational(least)
    violated += [f"e_{k} is not regular" for k in (1, 2) if chosen.regularity(axis(3, k)) < needed]
    return {"violations": len(violated), "cases": len(places), "counterexample": {"violated": violated}}


@enumerator("simplicity_bias.start_directions")
def start_directions(reading: str) -> dict[str, Any]:
    """How many of the four neurons of the figures start in the direction of a cluster of their own sign, all different.

    `printed`: v_k = u_k e_(a(k)+1) with a(k) = k mod 2; `corrected`: v_k = |u_k| b(k) e_(a(k)+1).

    >>> start_directions("printed")["matches"], start_directions("corrected")["matches"]
    (0, 4)
    """
    signs = {1: 1, 2: -1, 3: 1, 4: -1}
    found = {}
    for k, sign in signs.items():
        place, b, _ = printed_cluster(k) if reading == "printed" else corrected_cluster(k)
        found[k] = (place, sign) if reading == "printed" else (place, b)
    good = [k for k in signs if (found[k][0] == 1) == (signs[k] == 1) and list(found.values()).count(found[k]) == 1]
    return {
        "matches": len(good),
        "cases": 4,
        "counterexample": {f"v_{k}": f"axis {place}, sign {sign}" for k, (place, sign) in found.items()},
    }
