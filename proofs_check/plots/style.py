"""One style for every figure: vector output, colours that stay apart for every kind of colour vision."""

from __future__ import annotations

from typing import Any

from theory.errors import LemmascopeError

INK, BLUE, ORANGE, GREY = "#1c1f24", "#0b5fa5", "#d55e00", "#8a9099"
SEQUENCE = ("#0b5fa5", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def new_figure(title: str, *, square: bool = False) -> tuple[Any, Any]:
    """A figure and its axes in the house style; draws without a screen."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise LemmascopeError("plots need the extra `report`: pip install 'lemmascope[report]'") from error
    figure = Figure(figsize=(5.4, 5.0) if square else (6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, fontsize=10, color=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.set_prop_cycle(color=SEQUENCE)
    return figure, axes


def save(figure: Any, path: Any) -> None:
    """Write the figure; the ending of the path chooses the format, and the same figure gives the same bytes."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "lemmascope", "svg.fonttype": "path"}):
        metadata = {"Date": None} if str(path).endswith(".svg") else None
        figure.savefig(path, dpi=160, metadata=metadata)
