"""A training rule on arrays: the formulas of `theory.rules`, compiled once and applied to every weight of a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from numerics.float_kernel import compile_float
from theory.errors import LemmascopeError
from theory.rules import SLOPE, WEIGHT, Rule, newton_schulz_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class AppliedRule:
    """Weights under a rule, with what it remembers of each of them.

    All weights stand in one flat array and the layers are views of it, so a step is one call of a compiled kernel.

    >>> from theory import rules
    >>> applied = AppliedRule(rules.momentum(sp.Rational(1, 2), sp.Rational(1, 4)), [np.ones((1, 1))])
    >>> for step in range(2):
    ...     applied.step([applied.weights[0]], step)
    >>> applied.weights[0].tolist()
    [[0.125]]
    """

    def __init__(self, rule: Rule, weights: Sequence[Array], given: Sequence[sp.Symbol] = ()) -> None:
        unknown = [symbol for symbol in rule.parameters if symbol not in given]
        if unknown:
            raise LemmascopeError(f"The rule has the symbols {unknown}: put numbers in before it is run.")
        self.rule = rule
        self._shapes = [np.shape(w) for w in weights]
        self._splits = np.cumsum([np.size(w) for w in weights])[:-1]
        clock = () if rule.time is None else (rule.time,)
        kept, shared = [m.symbol for m in rule.memory], [part.symbol for part in rule.shared]
        self._arguments = [WEIGHT, *kept, *clock, *given, SLOPE, *shared]
        self._clock = 1 + len(kept) if clock else None
        self._given = slice(1 + len(kept) + len(clock), 1 + len(kept) + len(clock) + len(given))
        flat = np.concatenate([np.asarray(w, dtype=np.float64).ravel() for w in weights])
        self._table = np.zeros((len(self._arguments), flat.size))
        self._table[0] = flat
        start = compile_float([m.start for m in rule.memory] or [WEIGHT], [WEIGHT])(flat[None])
        self._table[1 : 1 + len(kept)] = start[: len(kept)]
        self._next = np.zeros((1 + len(kept), flat.size))
        self._advance = compile_float([rule.moved, *(m.becomes for m in rule.memory)], self._arguments)
        self._ahead = compile_float([rule.slope_at], self._arguments) if self.looks_ahead else None
        self._parts = [compile_float([part.of], self._arguments) for part in rule.shared]

    @property
    def looks_ahead(self) -> bool:
        """Whether the gradient is wanted at another point than the weights."""
        return self.rule.slope_at != WEIGHT

    @property
    def weights(self) -> list[Array]:
        """The weights of every layer, now."""
        return self._layers(self._table[0].copy())

    def ahead(self, step: int, *given: float) -> list[Array]:
        """Where the rule wants the gradient at this step."""
        self._fill(step, given)
        if self._ahead is None:
            return self.weights
        return self._layers(self._ahead(self._table)[0])

    def step(self, gradient: Sequence[Array], step: int, *given: float) -> None:
        """Move the weights, given the gradient of every layer, the number of the step and the values of symbols."""
        self._fill(step, given)
        first = len(self._arguments) - len(self._parts)
        np.concatenate([part.ravel() for part in gradient], out=self._table[first - 1])
        for place, (part, kernel) in enumerate(zip(self.rule.shared, self._parts, strict=True)):
            entries = kernel(self._table)[0]
            if part.kind == "norm":
                self._table[first + place] = np.linalg.norm(entries)
                continue
            numbers = [float(value) for value in part.coefficients]
            added = float(part.epsilon)
            turned = [_orthogonalised(layer, numbers, part.iterations, added) for layer in self._layers(entries)]
            self._table[first + place] = np.concatenate([layer.ravel() for layer in turned])
        self._advance.fill(self._table, self._next)
        self._table[: len(self._next)] = self._next

    def _fill(self, step: int, given: Sequence[float]) -> None:
        if self._clock is not None:
            self._table[self._clock] = step
        for place, value in zip(range(self._given.start, self._given.stop), given, strict=True):
            self._table[place] = value

    def _layers(self, flat: Array) -> list[Array]:
        parts = np.split(flat, self._splits)
        return [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)]


def _orthogonalised(layer: Array, coefficients: Sequence[float], iterations: int, epsilon: float) -> Array:
    turned = np.atleast_2d(layer) / (np.linalg.norm(layer) + epsilon)
    for _ in range(iterations):
        turned = newton_schulz_step(turned, coefficients)
    return np.asarray(turned).reshape(layer.shape)
