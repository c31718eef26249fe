"""One style for every figure: vector output, colours that stay apart for every kind of colour vision."""

from __future__ import annotations

import warnings
from functools import lru_cache
from textwrap import fill
from typing import Any

from proofs_check.report.symbols_in_text import Symbols, symbols_in
from theory.errors import LemmascopeError
from theory.notation import latex
from theory.statements import Statement

INK, BLUE, ORANGE, GREY = "#1c1f24", "#0b5fa5", "#d55e00", "#8a9099"
SEQUENCE = ("#0b5fa5", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def new_figure(title: str, *, square: bool = False, rows: int = 1, projection: str | None = None) -> tuple[Any, Any]:
    """A figure and its axes in the house style (several under each other if `rows` says so); draws without a screen."""
    size = (5.4, 5.0) if square else (6.4, 3.6 if projection else 4.0 + 2.4 * (rows - 1))
    figure = _figure(size)
    axes = figure.subplots(rows, sharex=rows > 1, subplot_kw={"projection": projection})
    _dress(figure)
    (figure.suptitle if rows > 1 or projection else axes.set_title)(title, fontsize=10, color=INK)
    return figure, axes


def new_mosaic(title: str, layout: list[list[str]], size: tuple[float, float]) -> tuple[Any, dict[str, Any]]:
    """A figure with named panels in the house style, laid out like the letters of a mosaic."""
    figure = _figure(size)
    panels = figure.subplot_mosaic(layout)
    _dress(figure)
    figure.suptitle(title, fontsize=10, color=INK)
    return figure, panels


def _figure(size: tuple[float, float]) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise LemmascopeError("plots need the extra `report`: pip install 'lemmascope[report]'") from error
    return Figure(figsize=size, layout="constrained")


def _dress(figure: Any) -> None:
    for panel in figure.axes:
        for side in {"top", "right"} & set(panel.spines):
            panel.spines[side].set_visible(False)
        panel.tick_params(labelsize=8)
        panel.set_prop_cycle(color=SEQUENCE)


def caption(statement: Statement, *, square: bool = False) -> str:
    """The title of a statement with its mathematics set, broken into lines that fit above its figure."""
    rows = fill(statement.title or statement.id, 62 if square else 84).split("\n")
    return "\n".join(map(titled, rows))


def titled(text: str) -> str:
    r"""Running text in which symbols are set; a dollar sign that opens no formula is one.

    >>> titled("kappa and x_0 grow"), titled("50 $ more")
    ('$\\kappa$ and $x_{0}$ grow', '50 \\$ more')
    """
    parts = "".join(
        math(part.latex) if isinstance(part, Symbols) else part.replace("$", r"\$") for part in symbols_in(text)
    )
    return parts if _is_set(parts) else text.replace("$", r"\$")


def math(formula: Any) -> str:
    r"""A formula, or LaTeX, as matplotlib sets it; what it cannot set is written plainly.

    >>> math(r"x^{2}"), math(r"\begin{aligned}x\end{aligned}")
    ('$x^{2}$', '\\begin{aligned}x\\end{aligned}')
    """
    written = formula if isinstance(formula, str) else latex(formula)
    shown = f"${written}$"
    plain = written if isinstance(formula, str) else str(formula)
    return shown if _is_set(shown) else plain.replace("$", r"\$")


@lru_cache(maxsize=512)
def _is_set(text: str) -> bool:
    """Whether matplotlib can set a text."""
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("agg").parse(text)
    except ValueError:
        return False
    return True


def save(figure: Any, path: Any) -> None:
    """Write the figure; the ending of the path chooses the format, and the same figure gives the same bytes."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "lemmascope", "svg.fonttype": "path"}), warnings.catch_warnings():
        # said on a busy machine of a legend that avoids the data, which is worth the wait
        warnings.filterwarnings("ignore", message='Creating legend with loc="best"')
        metadata = {"Date": None} if str(path).endswith(".svg") else None
        figure.savefig(path, dpi=160, metadata=metadata)
