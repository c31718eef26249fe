"""The picture of a training from saddle to saddle, for any layer of Eq. (1) and any data.

From top to bottom: the loss with its plateaus and the losses of the narrow networks they belong to, the effective
width, the distance to the invariant manifolds, and the first weights of all units at each plateau.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from proofs_check.experiments.saddle_to_saddle.compiled import CompiledLayer
from proofs_check.experiments.saddle_to_saddle.depth import DEEP
from proofs_check.experiments.saddle_to_saddle.panels import SETTINGS, Rest, rests
from proofs_check.experiments.saddle_to_saddle.runs import Run, flow, flow_to_the_end
from proofs_check.experiments.saddle_to_saddle.structure import TOLERANCE, effective_width, families_of, manifold_gap
from proofs_check.report.plots.style import BLUE, GREY, INK, ORANGE, SEQUENCE, new_mosaic
from theory.saddle_to_saddle.layer import Layer
from theory.saddle_to_saddle.properties import properties
from theory.statements import Statement

_SHOWN_PLATEAUS = 5
_FRAMES = 200


def draw(statement: Statement) -> Any:
    """The picture of the training that a statement measures; None where it measures something else."""
    computed = statement.computed
    if computed is None or "panel" not in computed.arguments:
        return None
    deep = computed.name.endswith(".deep")
    setting = (DEEP if deep else SETTINGS)[computed.arguments["panel"]]()
    run = setting.run(computed.arguments["seed"])
    layer = None if deep else setting.compiled()
    return draw_run(run, setting.families, layer, title=statement.title, second_weights=not deep)


def draw_training(
    layer: Layer,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    units: int = 50,
    scale: float = 1e-6,
    seed: int = 0,
    time: float | None = None,
    title: str = "",
) -> Any:
    """Gradient flow of a layer on data from Gaussian weights of a scale, drawn; without a time until it rests.

    >>> from theory.saddle_to_saddle.architectures import ACTIVATIONS, fully_connected
    >>> layer = fully_connected(ACTIVATIONS["linear"], inputs=2, outputs=2)
    >>> figure = draw_training(layer, [[1, 0], [0, 1]], [[2, 0], [0, 1]], units=10, title="two modes")
    >>> [panel.get_ylabel() for panel in figure.axes][:3]
    ['loss', 'effective width', 'distance']
    """
    compiled = CompiledLayer(layer, inputs, targets)
    start = compiled.start(units, scale, seed=seed)
    run = flow(compiled.gradient, start, time) if time else flow_to_the_end(compiled.gradient, start)
    families = families_of(properties(layer, compiled.inputs.shape[1]))
    return draw_run(run, families, compiled, title=title)


def draw_run(
    run: Run, families: Sequence[int], layer: CompiledLayer | None, *, title: str, second_weights: bool = True
) -> Any:
    """The picture of a run that has been made."""
    if not second_weights:
        # below other layers the second weights are a whole layer; the figures of the paper show the first ones
        run = Run(run.times, run.losses, [[np.zeros((len(w[1]), 0)), w[1]] for w in run.weights])
    found = rests(run, tuple(families), layer)
    shown = [*found[: _SHOWN_PLATEAUS - 1], found[-1]] if len(found) > _SHOWN_PLATEAUS else found
    names = [f"weights {place}" for place in range(len(shown))]
    count = len(names)
    layout = [["loss"] * count] * 2 + [["width"] * count, ["gap"] * count] + [names] * 2
    figure, panels = new_mosaic(title, layout, (max(6.4, 2.0 * count), 8.0))
    end = _end(run)
    kept = _frames(run, end)
    _draw_loss(panels["loss"], run, found, end)
    widths = _draw_width(panels["width"], run, families, kept)
    _draw_gaps(panels["gap"], run, families, kept, max(1, min(3, max(widths) - 1)))
    for name in ("width", "gap"):
        panels[name].sharex(panels["loss"])
    for name in ("loss", "width"):
        panels[name].tick_params(labelbottom=False)
    panels["loss"].set_xlim(0, end)
    panels["gap"].set_xlabel("time", fontsize=9)
    for panel in panels.values():
        panel.yaxis.label.set_fontsize(9)
    _draw_weights([panels[name] for name in names], run, shown)
    figure.align_ylabels([panels[name] for name in ("loss", "width", "gap")])
    return figure


def _end(run: Run) -> float:
    """Some time after the last drop, so that a long rest does not hide what came before."""
    drops = run.drops()
    return min(float(run.times[-1]), 1.6 * float(run.times[drops[-1] + 1])) if drops else float(run.times[-1])


def _frames(run: Run, end: float) -> NDArray[np.intp]:
    inside = np.flatnonzero(run.times <= end)
    return inside[np.unique(np.linspace(0, len(inside) - 1, min(_FRAMES, len(inside))).astype(int))]


def _draw_loss(panel: Any, run: Run, found: Sequence[Rest], end: float) -> None:
    panel.plot(run.times, run.losses, color=INK, lw=1.4)
    inner = [rest for rest in found if run.times[rest.index] <= end]
    labelled: list[float] = []
    for rest in inner[1:]:
        if rest.level is not None and rest.level > 1e-6 * run.losses[0]:
            panel.axhline(rest.level, color=ORANGE, lw=1, ls="--", zorder=0)
            label = f"width-{rest.width} fixed point of ({rest.family}): {rest.level:.4g}"
            if any(abs(rest.level - other) < 0.06 * run.losses.max() for other in labelled):
                continue
            labelled.append(rest.level)
            panel.annotate(
                label, (0.96, rest.level), xycoords=("axes fraction", "data"), xytext=(0, 3), ha="right",
                textcoords="offset points", fontsize=8, color=ORANGE,
            )  # fmt: skip
    for number, rest in enumerate(found):
        moment = min(float(run.times[rest.index]), end)
        panel.plot([moment], [rest.loss], "o", color=BLUE, ms=6, clip_on=False, zorder=5)
        panel.annotate(
            "abcdefgh"[min(number, 7)], (moment, rest.loss), xytext=(0, 7), textcoords="offset points", ha="center",
            fontsize=9, fontweight="bold", color=BLUE,
        )  # fmt: skip
    panel.set_ylabel("loss")
    panel.set_ylim(bottom=-0.03 * run.losses.max(), top=1.1 * float(run.losses.max()))


def _draw_width(panel: Any, run: Run, families: Sequence[int], kept: NDArray[np.intp]) -> list[int]:
    largest = max(float(np.linalg.norm(np.hstack(weights[:2]))) for weights in run.weights)
    widths = [effective_width(run.weights[k][0], run.weights[k][1], families, largest=largest) for k in kept]
    panel.step(run.times[kept], widths, where="post", color=BLUE, lw=1.4)
    top = max(2, min(max(widths), 6))
    panel.set_ylim(-0.2, top + 0.4)
    panel.set_yticks(range(top + 1))
    panel.set_ylabel("effective width")
    return widths


def _draw_gaps(panel: Any, run: Run, families: Sequence[int], kept: NDArray[np.intp], most: int) -> None:
    # beside the manifolds below a width, the first one that holds the end of the run
    for place, width in enumerate(range(1, most + 2)):
        gaps = [manifold_gap(run.weights[k][0], run.weights[k][1], width, families) for k in kept]
        label = f"to width {width}"
        panel.semilogy(run.times[kept], np.maximum(gaps, 1e-9), color=SEQUENCE[place], lw=1.2, label=label)
    panel.axhline(TOLERANCE, color=GREY, lw=0.8, ls=":")
    panel.set_ylabel("distance")
    panel.set_ylim(top=1.5)
    panel.legend(fontsize=7, ncols=4, loc="lower right", framealpha=0.85, edgecolor="none")


def _plane(first: NDArray[np.float64]) -> tuple[Callable[[NDArray[np.float64]], NDArray[np.float64]], tuple[str, str]]:
    """Where the weights are drawn: as they are if there are two, on the main axes of the last ones if more."""
    if first.shape[1] == 2:
        return lambda rows: rows, ("$u_1$", "$u_2$")
    if first.shape[1] == 1:
        return lambda rows: np.hstack([rows, np.zeros_like(rows)]), ("$u$", "")
    axes = np.linalg.svd(first, full_matrices=False)[2][:2].T
    return lambda rows: rows @ axes, ("first axis of $u$", "second axis")


def _draw_weights(panels: Sequence[Any], run: Run, shown: Sequence[Rest]) -> None:
    onto, names = _plane(run.weights[shown[-1].index][1])
    reach = 1.15 * max(float(np.abs(onto(run.weights[rest.index][1])).max()) for rest in shown)
    for number, (panel, rest) in enumerate(zip(panels, shown, strict=True)):
        rows = onto(run.weights[rest.index][1])
        panel.axhline(0, color=GREY, lw=0.5, zorder=0)
        panel.axvline(0, color=GREY, lw=0.5, zorder=0)
        panel.plot(*rows.T, "o", color=INK, ms=3.5, alpha=0.55, mew=0)
        panel.set_xlim(-reach, reach)
        panel.set_ylim(-reach, reach)
        panel.set_aspect("equal")
        what = "start" if number == 0 else f"width {rest.width}" + (f", ({rest.family})" if rest.family else "")
        panel.set_title(f"{'abcdefgh'[min(number, 7)]}: {what}", fontsize=9, color=BLUE)
        panel.set_xlabel(names[0], fontsize=8)
        if number == 0:
            panel.set_ylabel(names[1])
        else:
            panel.tick_params(labelleft=False)


__all__ = ["draw", "draw_run", "draw_training"]
