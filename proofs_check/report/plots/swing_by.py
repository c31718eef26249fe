"""The picture of a swing: entries of the Jacobian with the stages marked, the test loss, and the path of the output."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from proofs_check.experiments.swing_by import losses_at, symmetric_runs
from proofs_check.report.plots.style import GREY, INK, ORANGE, SEQUENCE, new_mosaic
from theory.errors import LemmascopeError
from theory.statements import Statement


def draw(statement: Statement) -> Any:
    """The picture that belongs to a run of the symmetric model, or None."""
    computed = statement.computed
    if computed is None or computed.name != "swing_by.descents":
        return None
    return draw_swing(**computed.arguments, title=statement.title)


def draw_swing(
    means: Sequence[float],
    deviations: Sequence[float],
    start: Sequence[Sequence[float]],
    until: float = 60.0,
    title: str = "",
) -> Any:
    """The run of the symmetric model from a positive definite Jacobian W(0).

    A stage ends where an off-diagonal entry or the test loss turns.

    >>> figure = draw_swing([1, 2], [0.05, 0.05], [[0.0225, 0.1111], [0.1111, 0.5498]], title="two descents")
    >>> len(figure.axes)
    3
    """

    try:
        root = np.linalg.cholesky(np.asarray(start, dtype=float))
    except np.linalg.LinAlgError as error:
        raise LemmascopeError("W(0) is not positive definite: give a symmetric start with positive minors") from error
    times, runs = symmetric_runs(means, deviations, root[None], until)
    jacobian, loss = runs[0], losses_at(runs[0], means)
    figure, panels = new_mosaic(title, [["entries", "output"], ["loss", "output"]], (8.6, 4.4))
    _draw_entries(panels["entries"], times, jacobian)
    panels["loss"].plot(times, loss, color=INK)
    panels["loss"].set_ylabel("test loss")
    panels["loss"].set_xlabel("time")
    panels["loss"].sharex(panels["entries"])
    settled = float(times[np.flatnonzero(loss > 1e-3 * loss.max())[-1]])
    turns = _turns(times, jacobian, loss)
    first = min([0.1 * settled, *(turn / 3 for turn in turns)])
    panels["entries"].set_xscale("log")
    panels["entries"].set_xlim(first, 1.2 * settled)
    ends = [first, *(turn for turn in turns if turn < settled), 1.2 * settled]
    for number, (begin, end) in enumerate(pairwise(ends), start=1):
        for name in ("entries", "loss"):
            panels[name].axvspan(begin, end, color=GREY, alpha=0.14 if number % 2 else 0.0, lw=0)
        panels["entries"].annotate(
            str(number), (float(np.sqrt(begin * end)), 1.0), xycoords=("data", "axes fraction"), ha="center", fontsize=7
        )
    _draw_output(panels["output"], jacobian, means, [int(np.searchsorted(times, end)) for end in ends[1:-1]])
    return figure


def _turns(times: Any, jacobian: Any, loss: Any) -> list[float]:
    """When an off-diagonal entry or the loss turns by more than one part in a hundred of its range."""
    size = jacobian.shape[-1]
    curves = [loss, *(jacobian[:, i, j] for i in range(size) for j in range(i + 1, size))]
    places = sorted({place for curve in curves for place in _extrema(curve)})
    apart = [place for here, place in enumerate(places) if here == 0 or place - places[here - 1] > 3]
    return [float(times[place]) for place in apart]


def _extrema(curve: Any) -> list[int]:
    least = 0.01 * float(np.ptp(curve))
    found: list[int] = []
    extreme, rising = 0, None
    for place, value in enumerate(curve):
        if (value - curve[extreme]) * (1 if rising else -1) > 0 and rising is not None:
            extreme = place
        elif abs(value - curve[extreme]) > least:
            if rising is not None:
                found.append(extreme)
            rising, extreme = value > curve[extreme], place
    return found


def _draw_entries(panel: Any, times: Any, jacobian: Any) -> None:
    size = jacobian.shape[-1]
    for i in range(size):
        for j in range(i, size):
            color = SEQUENCE[(i * size + j) % len(SEQUENCE)]
            style = {"lw": 1.6} if i == j else {"lw": 1.2, "ls": "--"}
            panel.plot(times, jacobian[:, i, j], color=color, label=f"$w_{{{i + 1}{j + 1}}}$", **style)
    panel.axhline(1, color=GREY, lw=0.6)
    panel.set_ylabel("Jacobian")
    panel.legend(fontsize=7, frameon=False, ncols=2)


def _draw_output(panel: Any, jacobian: Any, means: Sequence[float], turns: Sequence[int]) -> None:
    output = jacobian @ np.asarray(means, dtype=float)
    panel.plot(output[:, 0], output[:, 1], color=SEQUENCE[0])
    panel.plot(*output[0, :2], "o", color=INK, mfc="white", ms=5, label="start")
    panel.plot(output[turns, 0], output[turns, 1], "o", color=ORANGE, ms=4, label="end of a stage")
    panel.plot(means[0], means[1], "*", color=INK, ms=10, label="test point")
    panel.set_xlabel("output 1")
    panel.set_ylabel("output 2")
    panel.legend(fontsize=7, frameon=False)
