"""A statement of every size at several sizes in one figure: how far it is from failing at drawn points of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import true

from numerics.robustness import Compiled
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.spaces import at_size, size_symbols
from proofs_check.passes.sizes import at_one_size, sizes_of
from proofs_check.report.plots.samples import draws
from proofs_check.report.plots.style import INK, SEQUENCE, caption, math, new_figure
from theory.errors import LemmascopeError
from theory.statements import Statement

_SIZES, _POINTS = (1, 2, 3, 4), 400


def several_sizes(statement: Statement) -> Any:
    """For every small size the margins of drawn points, sorted: where a curve is below zero the statement fails.

    >>> from theory import Vectors, inner, norm, vector
    >>> u, v = vector("u"), vector("v")
    >>> schwarz = Statement(variables={u: Vectors(), v: Vectors()}, then=inner(u, v) <= norm(u) * norm(v))
    >>> [line.get_label() for line in several_sizes(schwarz).axes[0].lines[:2]]
    ['$d = 1$', '$d = 2$']
    """
    figure, axes = new_figure(caption(statement))
    for colour, (label, about) in zip(SEQUENCE, _at_sizes(statement), strict=False):
        known = _margins(about)
        if known.size:
            axes.plot(np.linspace(0, 100, known.size), known, color=colour, label=math(label))
    if not axes.lines:
        raise LemmascopeError(f"{statement.id or 'the statement'} has no picture: no point of its hypotheses was drawn")
    axes.axhline(0, color=INK, lw=0.8)
    axes.set_xlabel("percent of the drawn points, the worst first")
    axes.set_ylabel("margin (holds above 0)")
    axes.legend(fontsize=8, frameon=False)
    return figure


def at_a_size(statement: Statement, size: int = 2) -> Statement:
    """A statement about vectors and matrices, entry by entry, with every size that it leaves open the same."""
    try:
        return at_size(statement, dict.fromkeys(size_symbols(statement), size)).about_numbers
    except NotTranslatedError as error:
        why = f"it cannot be written out entry by entry: {error}"
        raise LemmascopeError(f"{statement.id or 'the statement'} has no picture: {why}") from error


def _at_sizes(statement: Statement) -> Iterator[tuple[str, Statement]]:
    names = sizes_of(statement) if statement.speaks_of_families else size_symbols(statement)
    for size in _SIZES if names else _SIZES[:1]:
        try:
            if statement.speaks_of_families:
                about = at_one_size(statement, dict.fromkeys(names, size))
            else:
                about = at_a_size(statement, size)
        except LemmascopeError:
            continue
        yield " = ".join([*(name.lstrip("_") for name in names), str(size)]), about


def _margins(about: Statement) -> Any:
    columns = draws(about.but(id="drawn"), _POINTS)
    points = np.array([columns[symbol] for symbol in about.variables])
    if about.conclusion == true or not points.size:
        return np.zeros(0)
    values = Compiled((about.conclusion,), tuple(about.variables)).robustness(about.conclusion, points)
    return np.sort(values[np.isfinite(values)])
