"""Sets of states that turn with the flow: a midpoint, the image of the first box, and a rotated error box.

A box of balls would be wrapped in a larger box at every step; here the first uncertainty is carried by a matrix and
the errors of the steps are kept in an orthonormal frame (Lohner's method), so that a rotation does not blow them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from flint import arb, arb_mat

Ball: TypeAlias = Any
Matrix: TypeAlias = Any


def column(values: Sequence[Ball]) -> Matrix:
    """A column of balls."""
    return arb_mat(len(values), 1, list(values))


def identity(size: int) -> Matrix:
    """The identity."""
    return arb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])


def midpoints(matrix: Matrix) -> Matrix:
    """The exact midpoints of the entries."""
    return arb_mat(matrix.nrows(), matrix.ncols(), [entry.mid() for entry in matrix.entries()])


def _frame(matrix: Matrix, errors: Matrix) -> Matrix:
    """An almost orthonormal matrix whose first directions follow the largest errors."""
    size = matrix.nrows()
    numbers = np.array([float(e.mid()) for e in matrix.entries()]).reshape(size, size)
    sizes = np.array([float(e.abs_upper()) for e in errors.entries()])
    order = np.argsort(-sizes * np.linalg.norm(numbers, axis=0), kind="stable")
    frame = np.linalg.qr(numbers[:, order])[0] if np.isfinite(numbers).all() else np.eye(size)
    return arb_mat(size, size, [float(v) for v in frame.ravel()])


@dataclass(frozen=True)
class TurnedSet:
    """The set {middle + spread first + frame error} with ball columns first and error."""

    middle: Matrix
    spread: Matrix
    first: Matrix
    frame: Matrix
    error: Matrix

    @classmethod
    def box(cls, balls: Sequence[Ball]) -> TurnedSet:
        """The set of an axis-parallel box.

        >>> TurnedSet.box([arb(1), arb(2, 0.5)]).hull()[1].contains(arb(2.25))
        True
        """
        size = len(balls)
        middle = column([b.mid() for b in balls])
        return cls(
            middle, identity(size), column([b - b.mid() for b in balls]), identity(size), column([arb(0)] * size)
        )

    def hull(self) -> list[Ball]:
        """The smallest box of balls around the set."""
        return list((self.middle + self.spread * self.first + self.frame * self.error).entries())

    def image(self, of_middle: Sequence[Ball], derivative: Matrix) -> TurnedSet:
        """The image under a map, given the map at the midpoint and its derivative over the hull."""
        value = column(of_middle)
        middle = midpoints(value)
        spread = derivative * self.spread
        turned = derivative * self.frame
        straight = midpoints(spread)
        frame = _frame(turned, self.error)
        back = frame.inv()
        rest = (value - middle) + (spread - straight) * self.first
        error = back * rest + (back * turned) * self.error
        return TurnedSet(middle, straight, self.first, frame, error)
