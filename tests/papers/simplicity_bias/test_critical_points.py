"""Every critical direction of G is found once: counted by topology, met by descent from random starts, zero exactly."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Integer, Rational, nsimplify, sqrt

from theory.errors import LemmascopeError
from theory.simplicity_bias.critical_points import CriticalSet, critical_points
from theory.simplicity_bias.data import DataSet, named
from theory.simplicity_bias.planar import global_extrema, rectified_critical_points

PLACES = st.integers(-8, 8)
NODES = (np.arange(120) + 0.5) / 60 - 1


def sizes(found: CriticalSet) -> dict[str, int]:
    kinds = [point.kind for point in found.points]
    return {kind: kinds.count(kind) for kind in ("maximum", "minimum", "saddle")}


def values(data: DataSet, units: NDArray[np.float64]) -> NDArray[np.float64]:
    """G by the definition of the smoothing: an average over a fine grid of the density of one coordinate."""
    width, d = float(data.width), data.dimension
    nodes = NODES
    weights = (1 - nodes**2) ** ((d - 1) / 2)
    weights /= weights.sum()
    points, labels = np.array(data.points, dtype=float), np.array(data.labels, dtype=float)
    reach = units @ points.T
    smooth = np.maximum(reach[..., None] + width * nodes, 0) @ weights
    return np.asarray(smooth @ labels / (2 * len(points)))


@settings(deadline=None, max_examples=12)
@given(st.lists(st.tuples(PLACES, PLACES, PLACES, st.sampled_from((1, -1))), min_size=1, max_size=4))
def test_kinds_satisfy_the_count_of_the_sphere(rows: list[tuple[int, int, int, int]]) -> None:
    points = tuple(tuple(Rational(part, 16) for part in row[:3]) for row in rows)
    found = critical_points(DataSet(points, tuple(row[3] for row in rows), Integer(1)), 2.0**-6, 1500)
    if not found.flat and not found.undecided:
        number = sizes(found)
        assert sum(number.values()) == len(found.points)
        assert number["maximum"] + number["minimum"] - number["saddle"] == 2


@settings(deadline=None, max_examples=12)
@given(st.lists(st.tuples(PLACES, PLACES, st.sampled_from((1, -1))), min_size=1, max_size=5))
def test_maxima_and_minima_alternate_on_the_circle(rows: list[tuple[int, int, int]]) -> None:
    points = tuple(tuple(Rational(part, 16) for part in row[:2]) for row in rows)
    found = critical_points(DataSet(points, tuple(row[2] for row in rows), Rational(1, 2)), 2.0**-10, 1500)
    if not found.flat and not found.undecided:
        assert sizes(found)["maximum"] == sizes(found)["minimum"] >= 1


def test_climbing_from_everywhere_ends_in_the_list() -> None:
    points = ((3, 1, 0), (-1, 2, 2), (0, -2, 1), (2, 0, -2))
    data = DataSet(tuple(tuple(Rational(part, 4) for part in row) for row in points), (1, -1, 1, -1), Rational(1, 2))
    found = critical_points(data)
    assert not found.flat
    assert not found.undecided
    tops = np.array([[float(part.mid()) for part in p.direction] for p in found.points if p.kind == "maximum"])
    chance = np.random.default_rng(3)
    at = chance.standard_normal((60, 3))
    size = 0.2
    for _ in range(900):
        at /= np.linalg.norm(at, axis=1)[:, None]
        tried = at + size * chance.standard_normal(at.shape)
        tried /= np.linalg.norm(tried, axis=1)[:, None]
        at = np.where((values(data, tried) > values(data, at))[:, None], tried, at)
        size *= 0.994
    away = np.linalg.norm(at[:, None] - tops, axis=2).min(axis=1)
    assert away.max() < 0.05
    reached = {int(k) for k in np.linalg.norm(at[:, None] - tops, axis=2).argmin(axis=1)}
    assert len(reached) == len(tops)


def test_exact_directions_are_exactly_critical_and_values_match_the_average() -> None:
    data = named("orbit")
    found = critical_points(data)
    assert len(found.points) == 6
    assert all(point.exact is not None and data.is_critical(point.exact) for point in found.points)
    measured = values(data, np.array([[float(part) for part in point.exact or ()] for point in found.points]))
    assert np.abs(measured - [float(point.value.mid()) for point in found.points]).max() < 1e-4
    axes = {(s, 0, 0) for s in (1, -1)} | {(0, s, 0) for s in (1, -1)}
    assert {point.exact for point in found.extrema} == axes


def test_where_g_vanishes_on_a_region_it_is_said() -> None:
    found = critical_points(named("orbit of sixteen"), 2.0**-8)
    assert len(found.points) == 4
    assert found.flat
    pole = [box for box in found.flat if box[2].contains(1)]
    assert any(box[0].contains(0) and box[1].contains(0) for box in pole)
    assert found.complete
    assert found.rest < 0.05


def test_a_shifted_point_moves_the_maximum() -> None:
    """A twin: with one point off the axis e_1 is no longer critical."""
    points = ((Rational(1, 2), Rational(1, 10)),)
    top = [p for p in critical_points(DataSet(points, (1,), Integer(1))).points if p.kind == "maximum"]
    assert len(top) == 1
    assert not top[0].direction[1].contains(0)
    assert top[0].direction[1].contains(_tangent(points[0]))


def _tangent(point: tuple[Rational, Rational]) -> object:
    from flint import arb, fmpq

    ratio = point[1] / point[0]
    slope = arb(fmpq(ratio.p, ratio.q))
    return (slope / (1 + slope**2).sqrt()).mid()


# Plain rectifiers in the plane ---------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(PLACES, PLACES, st.sampled_from((1, -1))), min_size=2, max_size=6))
def test_rectified_extrema_match_a_fine_grid(rows: list[tuple[int, int, int]]) -> None:
    if not any(row[0] or row[1] for row in rows):
        return
    points, labels = [(Integer(row[0]), Integer(row[1])) for row in rows], [row[2] for row in rows]
    best = global_extrema(points, labels)
    grid = np.linspace(-np.pi, np.pi, 20001)
    reach = np.stack([np.cos(grid), np.sin(grid)], axis=1) @ np.array(points, dtype=float).T
    heights = np.abs(np.maximum(reach, 0) @ np.array(labels, dtype=float)) / (2 * len(rows))
    assert abs(float(abs(best[0].value)) - heights.max()) < 1e-3 * (1 + heights.max())


def test_skewed_axes_exactly() -> None:
    third = (Rational(1, 2), sqrt(3) / 2)
    skewed = [(Integer(1), Integer(0)), (Integer(-1), Integer(0)), third, (-third[0], -third[1])]
    found = global_extrema(skewed, (1, 1, -1, -1))
    assert {nsimplify(abs(point.value)) for point in found} == {sqrt(3) / 16}
    angles = sorted(float(np.arctan2(float(p.direction[1]), float(p.direction[0])) / np.pi) for p in found)
    assert np.allclose(angles, [-1 / 2, -1 / 6, 1 / 2, 5 / 6])


def test_points_at_the_origin_are_refused() -> None:
    with pytest.raises(LemmascopeError, match="origin"):
        rectified_critical_points([(Integer(0), Integer(0))], (1,))


def test_the_signs_of_slopes_decide_the_kind() -> None:
    corners = [(Integer(s), Integer(t)) for s, t in product((1, -1), repeat=2)]
    kinds = [point.kind for point in rectified_critical_points(corners, (1, 1, 1, 1))]
    assert kinds.count("maximum") == kinds.count("minimum") == 4
