"""The picture of a data set shows |G|, marks its true extrema, and draws neurons larger where their norm is larger."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from sympy import Integer, Rational

from proofs_check.report.plots.directions import Motion, data_set, draw_directions, heights
from proofs_check.report.plots.simplicity_bias import draw
from proofs_check.report.plots.style import save
from theory.errors import LemmascopeError
from theory.library import find
from theory.simplicity_bias.data import DataSet, named

CROSS = data_set(np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]]), np.array([1.0, 1, -1, -1]))
TURNING = Motion(
    (0, 1, 2), np.array([[[0.1, 0.1], [0.1, -0.1]], [[0.4, 0.1], [0.1, -0.4]], [[2.0, 0], [0, -1]]]), np.array([1, -1])
)


def test_heights_agree_with_the_exact_values() -> None:
    data = named("orbit")
    third = (Rational(1, 3), Rational(2, 3), Rational(2, 3))
    assert heights(data, np.array([[float(part) for part in third]]))[0] == pytest.approx(float(data.value(third)))
    assert heights(CROSS, np.array([[1.0, 0], [0, 1]])) == pytest.approx([1 / 8, -1 / 8])


def test_circle_marks_the_extrema_and_sizes_follow_norms(tmp_path: Path) -> None:
    figure = draw_directions(CROSS, TURNING, "cross")
    top, below = figure.axes
    marks = sorted(float(part.get_offsets()[0][0]) for part in top.collections if len(part.get_offsets()) == 1)
    assert marks == pytest.approx([-np.pi / 2, 0, np.pi / 2, np.pi])
    dots = [part for part in below.collections if len(part.get_offsets()) == 3]
    assert len(dots) == 2
    for part in dots:
        areas = part.get_sizes()
        assert areas[0] < areas[1] < areas[2]
    assert dots[0].get_sizes()[2] == pytest.approx(4 * dots[1].get_sizes()[2])
    save(figure, tmp_path / "cross.svg")
    assert "<image" not in (tmp_path / "cross.svg").read_text(encoding="utf-8")


def test_sphere_is_drawn_with_its_saddles() -> None:
    motion = Motion((0, 1), np.array([[[0.1, 0, 0.1]], [[1.0, 0, 0]]]), np.array([1]))
    figure = draw_directions(named("orbit"), motion)
    heights_of_marks = sorted(
        float(places[0, 1])
        for part in figure.axes[0].collections
        if isinstance(part, PathCollection) and len(places := np.asarray(part.get_offsets())) == 1
    )
    assert heights_of_marks == pytest.approx([-np.pi / 2, 0, 0, 0, 0, np.pi / 2])


def test_what_cannot_be_drawn_is_refused() -> None:
    four = DataSet(((Integer(1),) * 4,), (1,), Integer(1))
    with pytest.raises(LemmascopeError, match="circle"):
        draw_directions(four)
    with pytest.raises(LemmascopeError, match="inner weights"):
        draw_directions(named("orbit"), TURNING)


def test_figures_of_the_paper_have_pictures_and_theorems_without_directions_have_none() -> None:
    figure = draw(find("simplicity_bias/theorem-4.1.a")[0].statement())
    assert figure.axes[0].name == "mollweide"
    assert draw(find("simplicity_bias/lemma-b.6.b")[0].statement()) is None
