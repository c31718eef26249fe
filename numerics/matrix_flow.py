"""A Flow of whole matrices, for states too large to be written out symbol by symbol."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from theory.errors import LemmascopeError


@dataclass(frozen=True)
class MatrixFlow:
    """dX/dt = velocity with MatrixSymbol states; matrix products stay matrix products.

    >>> X = sp.MatrixSymbol("X", 20, 20)
    >>> MatrixFlow((X,), (X - X * X.T * X,)).parameters
    ()
    """

    state: tuple[sp.MatrixSymbol, ...]
    velocity: tuple[sp.MatrixExpr, ...]
    time: sp.Symbol | None = None

    def __post_init__(self) -> None:
        shapes = [(s.shape, v.shape) for s, v in zip(self.state, self.velocity, strict=False)]
        if len(self.state) != len(self.velocity) or any(a != b for a, b in shapes):
            raise LemmascopeError(f"Each state matrix needs a velocity of its own shape, but the shapes are {shapes}.")

    @cached_property
    def parameters(self) -> tuple[sp.Basic, ...]:
        """The free symbols that are neither state nor time, sorted by name."""
        free: set[sp.Basic] = set().union(*(v.free_symbols for v in self.velocity))
        return tuple(sorted(free - set(self.state) - {self.time}, key=str))
