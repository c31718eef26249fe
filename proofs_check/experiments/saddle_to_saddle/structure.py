"""What a set of weights is near: effective width, the families (4)-(7) of fixed points, the manifolds of Theorem 3.

All distances are relative to the norm of the weights. A quarter decides; the paper gives no number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from theory.saddle_to_saddle.properties import Properties

Array = NDArray[np.float64]
TOLERANCE = 0.25
CLAUSE_OF = {4: "i", 5: "ii", 6: "iii", 7: "iv"}
"""Families of Theorem 1 and the clauses of Theorem 3 with the same hypothesis."""


def families_of(row: Properties) -> tuple[int, ...]:
    """The families that the properties of a unit map allow, the most special first."""
    return tuple(number for number, clause in CLAUSE_OF.items() if row.applies(clause))


def tail(rows: Array, count: int) -> float:
    """The distance of a matrix to those of a smaller rank."""
    return float(np.linalg.norm(np.linalg.svd(rows, compute_uv=False)[count:])) if rows.size else 0.0


def leaders(rows: Array, count: int, gap: Callable[[Array, Array], Array]) -> NDArray[np.intp]:
    """Groups around rows far from each other: for each row the number of the nearest of them."""
    chosen = [int(np.argmax(np.linalg.norm(rows, axis=1)))]
    gaps = [gap(rows, rows[chosen[0]])]
    while len(chosen) < count:
        chosen.append(int(np.argmax(np.min(gaps, axis=0))))
        gaps.append(gap(rows, rows[chosen[-1]]))
    return np.argmin(gaps, axis=0)


def from_point(rows: Array, leader: Array) -> Array:
    """Distances to a point."""
    return np.linalg.norm(rows - leader, axis=1)


def from_ray(rows: Array, leader: Array) -> Array:
    """Distances to the ray of nonnegative multiples."""
    unit = leader / (np.linalg.norm(leader) or 1.0)
    along = np.maximum(rows @ unit, 0)
    return np.linalg.norm(rows - along[:, None] * unit, axis=1)


def _groups(rows: Array, count: int, gap: Callable[[Array, Array], Array]) -> list[NDArray[np.bool_]]:
    label = leaders(rows, count, gap)
    return [label == k for k in range(count)]


def _off_points(rows: Array) -> float:
    return float(np.linalg.norm(rows - rows.mean(axis=0))) if len(rows) else 0.0


def _off_ray(rows: Array) -> float:
    return float(np.linalg.norm(from_ray(rows, rows.sum(axis=0)))) if len(rows) else 0.0


def _small_units(theta: Array, width: int) -> float:
    sizes = np.sort(np.linalg.norm(theta, axis=1))
    return float(np.linalg.norm(sizes[: len(sizes) - width]))


def family_gaps(second: Array, first: Array, width: int) -> dict[int, float]:
    """Distances to the points of (4), (5), (6), (7) that stem from a network of the given width.

    >>> u, a = np.array([[1.0, 2.0]]), np.array([[1.0], [-2.0], [0.5]])
    >>> {number: round(gap, 2) for number, gap in family_gaps(a, a * u, 1).items()}
    {4: 0.91, 5: 0.49, 6: 0.45, 7: 0.0}
    """
    theta = np.hstack([second, first])
    equal, rays = (_groups(first, width, gap) for gap in (from_point, from_ray))
    gaps = {
        4: np.hypot.reduce([value for g in equal for value in (_off_points(first[g]), tail(second[g], 1))]),
        5: _small_units(theta, width),
        6: np.hypot.reduce([value for g in rays for value in (_off_ray(first[g]), tail(second[g], 1))]),
        7: np.hypot(tail(first, width), tail(second, width)),
    }
    return {number: float(gap / np.linalg.norm(theta)) for number, gap in gaps.items()}


def manifold_gap(second: Array, first: Array, width: int, families: Sequence[int]) -> float:
    """The distance to the nearest manifold of Theorem 3 with an effective width, for the clauses that apply."""
    theta = np.hstack([second, first])
    size = float(np.linalg.norm(theta))
    if width >= len(theta) or size == 0:
        return 0.0
    gaps = {
        4: lambda: float(np.hypot.reduce([_off_points(theta[g]) for g in _groups(theta, width, from_point)])),
        5: lambda: _small_units(theta, width),
        6: lambda: float(np.hypot.reduce([_off_ray(theta[g]) for g in _groups(theta, width, from_ray)])),
        7: lambda: tail(theta, width),
    }
    return min(gaps[number]() for number in families) / size


def effective_width(
    second: Array, first: Array, families: Sequence[int], *, largest: float, tolerance: float = TOLERANCE
) -> int:
    """The least width whose manifolds are near; 0 while all weights are small against the largest of the run."""
    theta = np.hstack([second, first])
    if np.linalg.norm(theta) < tolerance * largest:
        return 0
    for width in range(1, len(theta)):
        if manifold_gap(second, first, width, families) < tolerance:
            return width
    return len(theta)


def family(
    second: Array, first: Array, families: Sequence[int], width: int, *, tolerance: float = TOLERANCE
) -> int | None:
    """The most special of the allowed families that the weights are near, as the number of its equation.

    >>> u, a = np.array([[1.0, 2.0]]), np.array([[1.0], [2.0], [0.5]])
    >>> family(a, a * u, (4, 5, 6, 7), 1), family(-a, a * u, (4, 5), 1)
    (6, None)
    """
    gaps = family_gaps(second, first, width)
    near = [number for number in families if gaps[number] < tolerance]
    return near[0] if near else None


def narrowed(second: Array, first: Array, number: int, width: int) -> tuple[Array, Array]:
    """The narrow network of a point near a family: F.3, one unit for each group, ray or direction.

    >>> a = np.array([[1.0], [2.0]])
    >>> second, first = narrowed(a, a * np.array([[3.0, 4.0]]), 7, 1)
    >>> (second.T @ first).round(9).tolist()
    [[15.0, 20.0]]
    """
    if number == 5:
        kept = np.argsort(np.linalg.norm(np.hstack([second, first]), axis=1))[-width:]
        return second[kept], first[kept]
    if number == 7:
        _, _, directions = np.linalg.svd(first, full_matrices=False)
        return (first @ directions[:width].T).T @ second, directions[:width]
    gap = from_point if number == 4 else from_ray
    merged = []
    for group in _groups(first, width, gap):
        total = first[group].mean(axis=0)
        unit = total if number == 4 else total / (np.linalg.norm(total) or 1.0)
        shares = np.ones(group.sum()) if number == 4 else np.maximum(first[group] @ unit, 0)
        merged.append((shares @ second[group], unit))
    return np.array([v for v, _ in merged]), np.array([u for _, u in merged])


def large_units(rows: Array, part: float = TOLERANCE) -> Array:
    """The rows that count: those longer than a part of the longest."""
    size = np.linalg.norm(rows, axis=1)
    return rows[size > part * size.max()]
