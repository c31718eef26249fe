"""The picture of a swing marks a stage wherever an entry or the loss turns, and refuses a start that is no U U^T."""

from __future__ import annotations

import numpy as np
import pytest

from proofs_check.report.plots.pictures import picture
from proofs_check.report.plots.swing_by import draw_swing
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.library import premised


def test_the_paper_figure_is_drawn_with_its_four_stages() -> None:
    figure = picture(premised("swing_by/figure-5"), Verdict(Outcome.OPEN))
    entries, loss, output = (next(a for a in figure.axes if wanted(a)) for wanted in (_entries, _loss, _output))
    assert [note.get_text() for note in entries.texts] == ["1", "2", "3", "4"]
    assert len(loss.lines) == 1
    start, test_point = (np.array(output.lines[place].get_xydata()[0]) for place in (1, 3))
    assert test_point == pytest.approx([1, 2])
    assert start == pytest.approx([0.02246 + 2 * 0.1111, 0.1111 + 2 * 0.5498])


def test_a_diagonal_start_has_one_descent_and_one_stage() -> None:
    figure = draw_swing([1, 2], [0.05, 0.05], [[0.02, 0], [0, 0.02]])
    assert [note.get_text() for note in figure.axes[0].texts] == ["1"]


def test_a_start_that_is_not_positive_definite_is_refused() -> None:
    with pytest.raises(LemmascopeError, match="positive definite"):
        draw_swing([1, 2], [0.05, 0.05], [[1, 2], [2, 1]])


def _entries(axes: object) -> bool:
    return axes.get_ylabel() == "Jacobian"


def _loss(axes: object) -> bool:
    return axes.get_ylabel() == "test loss"


def _output(axes: object) -> bool:
    return axes.get_ylabel() == "output 2"
