"""The picture shows, for any layer and data, the measured loss, width, distances and weights."""

import numpy as np
import pytest

from proofs_check.report.plots.pictures import picture
from proofs_check.report.plots.saddle_to_saddle import draw, draw_training
from proofs_check.verdict import Outcome, Verdict
from theory.library import find
from theory.saddle_to_saddle.architectures import ACTIVATIONS, fully_connected
from theory.statements import Statement


def stated(name: str) -> Statement:
    (entry,) = find(f"saddle_to_saddle/{name}")
    return entry.statement()


def test_a_figure_of_the_paper_has_its_picture() -> None:
    statement = stated("figure-1.g")
    figure = picture(statement, Verdict(id=statement.id, outcome=Outcome.OPEN))
    panels = figure.axes
    assert [panel.get_ylabel() for panel in panels[:3]] == ["loss", "effective width", "distance"]
    widths = panels[1].get_lines()[0].get_ydata()
    assert (widths[0], widths[-1]) == (0, 2)
    assert [panel.get_title() for panel in panels[3:]] == ["a: start", "b: width 1, (5)", "c: width 2, (5)"]


def test_layers_above_and_other_measurements() -> None:
    assert len(draw(stated("figure-5.f")).axes) == 6
    assert draw(stated("table-1")) is None


@pytest.mark.parametrize(("name", "inputs"), [("quadratic", 3), ("relu", 1)])
def test_any_layer_and_data(name: str, inputs: int) -> None:
    chance = np.random.default_rng(0)
    x = chance.standard_normal((12, inputs))
    layer = fully_connected(ACTIVATIONS[name], inputs=inputs)
    figure = draw_training(layer, x, x[:, 0] ** 2 + 1.0, units=6, scale=0.05, time=20.0, title="mine")
    loss = figure.axes[0].get_lines()[0].get_ydata()
    assert loss[-1] < loss[0]
    shown = [line for panel in figure.axes[3:] for line in panel.get_lines() if len(line.get_xdata()) == 6]
    assert len(shown) == len(figure.axes) - 3
