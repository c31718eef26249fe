"""|G| on the circle or the sphere with its extrema, and the directions of neurons moving over it, sized by their norms.

>>> from theory.simplicity_bias.data import named
>>> figure = draw_directions(named("one point in the band"))
>>> [axes.name for axes in figure.axes][0]
'mollweide'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Rational

import numerics
from proofs_check.report.plots.style import BLUE, GREY, INK, ORANGE, new_figure
from theory.errors import LemmascopeError
from theory.simplicity_bias.activation import c, profile
from theory.simplicity_bias.critical_points import critical_points
from theory.simplicity_bias.data import DataSet
from theory.simplicity_bias.planar import rectified_critical_points

Array = NDArray[np.float64]

_LARGEST = 130.0
_SMALLEST = 2.0
"""Areas of the markers of the largest and the smallest neuron, in points squared."""


@dataclass(frozen=True)
class Motion:
    """Neurons at increasing times: weights (times, neurons, dimension) and the sign of each neuron."""

    times: Sequence[float] | Array
    weights: Array
    signs: Array
    clock: str = "time"

    @property
    def angles(self) -> Array:
        """The angle of each neuron in the plane of the first two coordinates."""
        return np.arctan2(self.weights[..., 1], self.weights[..., 0])

    @property
    def areas(self) -> Array:
        """The area of each marker: proportional to the squared norm, but never too small to be seen."""
        norms = np.linalg.norm(self.weights, axis=2)
        return np.asarray(np.maximum(_LARGEST * (norms / norms.max()) ** 2, _SMALLEST))


@dataclass(frozen=True)
class _Extremum:
    unit: Array
    value: float
    kind: str
    largest: bool


def draw_directions(data: DataSet, motion: Motion | None = None, title: str = "") -> Any:
    """The picture of a data set in two or three dimensions, with neurons if there are any.

    A width of zero means plain rectifiers, in the plane only. The extrema are exact or certified, not read off a grid.
    """
    if data.dimension not in (2, 3) or (data.dimension == 3 and data.width == 0):
        raise LemmascopeError("directions can be drawn on the circle, or on the sphere for a smoothed activation")
    if motion is not None and motion.weights.shape[2] != data.dimension:
        raise LemmascopeError(f"the neurons must have {data.dimension} inner weights each, as the data have")
    name = title or "|G| and the directions of the neurons"
    return _circle(data, motion, name) if data.dimension == 2 else _sphere(data, motion, name)


def data_set(points: Array, labels: Array, width: float = 0.0) -> DataSet:
    """Floating-point data, taken exactly.

    >>> data_set(np.array([[0.5, 0.0]]), np.array([1.0])).points
    ((1/2, 0),)
    """
    rows = tuple(tuple(Rational(float(part)) for part in row) for row in points)
    return DataSet(rows, tuple(int(label) for label in labels), Rational(float(width)))


def heights(data: DataSet, units: Array) -> Array:
    """G at many unit vectors, one in each row.

    >>> round(float(heights(data_set(np.array([[0.5, 0.0]]), np.array([1.0])), np.array([[1.0, 0.0]]))[0]), 3)
    0.25
    """
    points = np.array([[float(part) for part in row] for row in data.points])
    reach, labels = units @ points.T, np.array(data.labels, dtype=float)
    if data.width == 0:
        return np.asarray(np.maximum(reach, 0) @ labels / (2 * len(points)))

    width = float(data.width)
    ratios = reach / width
    inside = numerics.compile_float([profile(data.dimension)], [c])(np.clip(ratios, -1, 1).reshape(1, -1))[0]
    values = np.where(np.abs(ratios) < 1, inside.reshape(ratios.shape), np.maximum(ratios, 0))
    return np.asarray(width * values @ labels / (2 * len(points)))


def _extrema(data: DataSet) -> list[_Extremum]:
    """Critical points that are maxima, minima or saddles; the largest |G| among them is marked."""
    if data.width == 0:
        rows = [(point[0], point[1]) for point in data.points]
        listed = [
            (np.array([float(part) for part in found.direction]), float(found.value), found.kind)
            for found in rectified_critical_points(rows, data.labels)
        ]
    else:
        listed = [
            (np.array([float(part.mid()) for part in found.direction]), float(found.value.mid()), found.kind)
            for found in critical_points(data).points
        ]
    top = max((abs(value) for _, value, _ in listed), default=0.0)
    return [
        _Extremum(at / np.linalg.norm(at), value, kind, abs(value) > (1 - 1e-9) * top)
        for at, value, kind in listed
        if kind in _MARKERS
    ]


_MANY = 5_000
"""Marks beyond which they are one image inside the vector drawing: a browser should not choke on them."""

_MARKERS = {"maximum": "^", "minimum": "v", "saddle": "x"}


def _mark(axes: Any, places: dict[str, Any], extremum: _Extremum, **options: Any) -> None:
    """A filled triangle where |G| is largest, a hollow one at other extrema, a cross at saddles."""
    face = INK if extremum.largest or extremum.kind == "saddle" else "white"
    axes.scatter(
        [places["x"]], [places["y"]], marker=_MARKERS[extremum.kind], s=46, facecolor=face, zorder=5,
        edgecolor=None if extremum.kind == "saddle" else INK, **options,
    )  # fmt: skip


def _key(axes: Any, extrema: list[_Extremum], motion: Motion | None, **options: Any) -> None:
    """What the marks mean, only those that are there."""
    shown = []
    for kind, largest in (
        ("maximum", True),
        ("minimum", True),
        ("maximum", False),
        ("minimum", False),
        ("saddle", False),
    ):
        if any((one.kind, one.largest) == (kind, largest) for one in extrema):
            face = INK if largest or kind == "saddle" else "white"
            name = f"{kind} of G" + (", |G| largest" if largest else "")
            shown.append(axes.scatter([], [], marker=_MARKERS[kind], s=40, facecolor=face, label=name,
                                      edgecolor=None if kind == "saddle" else INK))  # fmt: skip
    for sign, colour in ((1, BLUE), (-1, ORANGE)):
        if motion is not None and (motion.signs == sign).any():
            shown.append(axes.scatter([], [], s=36, color=colour, label=f"neurons with u {'>' if sign > 0 else '<'} 0"))
    axes.legend(handles=shown, fontsize=8, frameon=False, **options)


def _circle(data: DataSet, motion: Motion | None, title: str) -> Any:
    figure, panels = new_figure(title, rows=2 if motion is not None else 1)
    top = panels[0] if motion is not None else panels
    grid = np.linspace(-np.pi, np.pi, 1441)
    values = heights(data, np.stack([np.cos(grid), np.sin(grid)], axis=1))
    for sign, colour in ((1, BLUE), (-1, ORANGE)):
        top.plot(grid, np.where(sign * values >= 0, np.abs(values), np.nan), color=colour, lw=1.6)
    extrema = _extrema(data)
    for one in extrema:
        _mark(top, {"x": np.arctan2(one.unit[1], one.unit[0]), "y": abs(one.value)}, one, clip_on=False)
    top.set_ylabel("|G|")
    top.set_ylim(bottom=0)
    top.margins(x=0.02)
    _key(top, extrema, motion, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    if motion is not None:
        _over_time(panels[1], motion, extrema)
    lowest = panels[1] if motion is not None else panels
    lowest.set_xticks(np.linspace(-np.pi, np.pi, 9), ["-π", "-3π/4", "-π/2", "-π/4", "0", "π/4", "π/2", "3π/4", "π"])
    lowest.set_xlabel("direction")
    return figure


def _over_time(axes: Any, motion: Motion, extrema: list[_Extremum]) -> None:
    for one in extrema:
        if one.largest:
            axes.axvline(np.arctan2(one.unit[1], one.unit[0]), color=GREY, lw=0.8, ls=":", zorder=0)
    times = np.asarray(motion.times, dtype=float)
    for sign, colour in ((1, BLUE), (-1, ORANGE)):
        chosen = motion.signs == sign
        angles = motion.angles[:, chosen]
        x, y = _connected(angles.T, np.broadcast_to(times, angles.T.shape))
        axes.plot(x, y, color=colour, lw=0.6, alpha=0.35, rasterized=angles.size > _MANY)
        axes.scatter(angles, np.broadcast_to(times[:, None], angles.shape), s=motion.areas[:, chosen], color=colour,
                     alpha=0.5, lw=0, rasterized=angles.size > _MANY)  # fmt: skip
    positive = times[times > 0]
    if len(positive) and times.max() > 50 * positive.min():
        axes.set_yscale("symlog", base=2, linthresh=positive.min())
    axes.set_ylabel(motion.clock)
    axes.margins(x=0.02)


def _sphere(data: DataSet, motion: Motion | None, title: str) -> Any:
    figure, axes = new_figure(title, projection="mollweide")
    extrema = _extrema(data)
    turn = _cut([one.unit for one in extrema if one.largest])
    across, up = np.meshgrid(np.linspace(-np.pi, np.pi, 241), np.linspace(-np.pi / 2, np.pi / 2, 121))
    units = np.stack([np.cos(up) * np.cos(across + turn), np.cos(up) * np.sin(across + turn), np.sin(up)], axis=-1)
    values = np.abs(heights(data, units.reshape(-1, 3))).reshape(across.shape)
    shown = axes.pcolormesh(
        across, up, values, cmap="Greys", vmin=0.0, vmax=1.8 * values.max() or 1.0, shading="gouraud", rasterized=True
    )
    for one in extrema:
        x, y = _place(one.unit, turn)
        _mark(axes, {"x": x, "y": y}, one)
    if motion is not None:
        _paths(axes, motion, turn)
    axes.set_xticklabels([])
    axes.set_yticklabels([])
    axes.grid(color=GREY, lw=0.3, alpha=0.5)
    figure.colorbar(shown, ax=axes, label="|G|", shrink=0.7)
    _key(axes, extrema, motion, loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2)
    return figure


def _cut(units: list[Array]) -> float:
    """The longitude of the middle of the map for which the extrema are farthest from its rim."""
    places = np.array([np.arctan2(unit[1], unit[0]) for unit in units if np.hypot(unit[0], unit[1]) > 1e-6])
    if not len(places):
        return 0.0
    rims = np.linspace(-np.pi, np.pi, 73)
    away = np.abs(np.angle(np.exp(1j * (places[:, None] - rims)))).min(axis=0)
    return float(rims[int(away.argmax())] - np.pi)


def _place(unit: Array, turn: float) -> tuple[Any, Any]:
    longitude = np.angle(np.exp(1j * (np.arctan2(unit[..., 1], unit[..., 0]) - turn)))
    return longitude, np.arcsin(np.clip(unit[..., 2] / np.linalg.norm(unit, axis=-1), -1, 1))


def _paths(axes: Any, motion: Motion, turn: float) -> None:
    for sign, colour in ((1, BLUE), (-1, ORANGE)):
        chosen = motion.signs == sign
        x, y = _place(motion.weights[:, chosen], turn)
        axes.plot(*_connected(x.T, y.T), color=colour, lw=1.0, alpha=0.8, rasterized=x.size > _MANY)
        axes.scatter(
            x, y, s=motion.areas[:, chosen], color=colour, alpha=0.45, lw=0, zorder=4, rasterized=x.size > _MANY
        )


def _connected(x: Array, y: Array) -> tuple[Array, Array]:
    """One line through each row, broken where it passes the rim of the map and between the rows."""
    across: list[Array] = []
    up: list[Array] = []
    gap = np.array([np.nan])
    for one, two in zip(x, y, strict=True):
        jumps = np.flatnonzero(np.abs(np.diff(one)) > np.pi) + 1
        across += [np.insert(one, jumps, np.nan), gap]
        up += [np.insert(two, jumps, np.nan), gap]
    return np.concatenate([*across, gap]), np.concatenate([*up, gap])
