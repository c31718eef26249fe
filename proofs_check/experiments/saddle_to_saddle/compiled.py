"""A layer of Eq. (1) compiled for any number of units and any data: loss and gradient, unit by unit.

The unit map and its slopes are derived symbolically once; a kernel evaluates them for all pairs of sample and unit,
and matrix products sum over them. Layers above may follow as plain weight matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Expr, Matrix, symbols

from numerics import compile_float
from numerics.softmax_heads import softmax_gradient
from theory.errors import LemmascopeError
from theory.saddle_to_saddle.layer import Layer

Array = NDArray[np.float64]
Weights = list[Array]
"""Second weights V and first weights U, one row for each unit, then the weights of the layers above."""


@dataclass(frozen=True)
class Tail:
    """What follows the units: one matrix after another, each applied to the values below, rectified or not."""

    rectified: bool = False

    def forward(self, values: Array, weights: Weights) -> list[Array]:
        """The values at every stage, the output last."""
        stages = [values]
        for weight in weights:
            below = np.maximum(stages[-1], 0) if self.rectified else stages[-1]
            stages.append(below @ weight.T)
        return stages

    def backward(self, slope: Array, stages: list[Array], weights: Weights) -> tuple[Array, Weights]:
        """The slope of the loss in the first values, and in the weights."""
        found: Weights = []
        for weight, below in zip(reversed(weights), reversed(stages[:-1]), strict=True):
            active = np.maximum(below, 0) if self.rectified else below
            found.insert(0, slope.T @ active)
            slope = slope @ weight
            if self.rectified:
                slope = slope * (below > 0)
        return slope, found


class CompiledLayer:
    """Mean squared error and its gradient for a layer and data; `factor` is 1 in the experiments, 1/2 in the analysis.

    >>> from theory.saddle_to_saddle.architectures import ACTIVATIONS, fully_connected
    >>> layer = CompiledLayer(fully_connected(ACTIVATIONS["quadratic"], inputs=1), [[2.0]], [[3.0]])
    >>> layer.gradient([np.array([[1.0]]), np.array([[1.0]])])
    (1.0, [array([[8.]]), array([[16.]])])
    """

    def __init__(
        self,
        layer: Layer,
        inputs: ArrayLike,
        targets: ArrayLike,
        *,
        shares: ArrayLike | None = None,
        tail: Tail | None = None,
        factor: float = 1.0,
    ) -> None:
        self.layer, self.tail, self.factor = layer, tail, factor
        self.inputs, self.targets = _table(inputs, "inputs"), _table(targets, "targets")
        samples = len(self.inputs)
        if len(self.targets) != samples:
            raise LemmascopeError(f"{samples} inputs but {len(self.targets)} targets: give one row for each sample.")
        self.shares = np.full(samples, 1 / samples) if shares is None else np.asarray(shares, dtype=np.float64)
        self._compile()
        self._points = np.empty((0, 0))

    def _compile(self) -> None:
        x = symbols(f"x_1:{self.inputs.shape[1] + 1}", real=True)
        u = symbols(f"u_1:{self.layer.first + 1}", real=True)
        phi = self.layer.phi(self.layer.before(x), u)
        values = list(dict.fromkeys(entry for entry in phi if entry != 0))
        # equal entries of phi are evaluated once; `places` says where each value stands
        self.places = np.array([[[float(entry == value) for entry in row] for row in phi.tolist()] for value in values])
        self.kernel = compile_float([*values, *[value.diff(weight) for value in values for weight in u]], [*x, *u])
        self._compile_output(x, phi.rows)

    def _compile_output(self, x: Sequence[Expr], size: int) -> None:
        """The output and its slopes in the sums, where the layer has something after its units or a skip."""
        zeta = symbols(f"zeta_1:{size + 1}", real=True)
        carried = self.layer.skip(x) if self.layer.skip else [0] * size
        output = Matrix(self.layer.after([a + b for a, b in zip(zeta, carried, strict=True)]))
        self.outputs = len(output)
        plain = list(output) == list(zeta)
        slopes = output.jacobian(Matrix(zeta))
        self._output = None if plain else compile_float([*output, *slopes], [*zeta, *x])

    def start(self, units: int, scale: float, *, seed: int, above: Sequence[tuple[int, int]] = ()) -> Weights:
        """Gaussian weights for so many units, and for matrices of the layers above."""
        chance = np.random.default_rng(seed)
        shapes = [(units, self.layer.second), (units, self.layer.first), *above]
        return [scale * chance.standard_normal(shape) for shape in shapes]

    def _values(self, first: Array) -> Array:
        """phi and its slopes for all pairs: (values, samples, units)."""
        samples, units = len(self.inputs), len(first)
        read = self.inputs.shape[1]
        if self._points.shape[1] != samples * units:
            self._points = np.empty((read + self.layer.first, samples * units))
            self._points[:read] = np.repeat(self.inputs.T, units, axis=1)
            self._results = np.empty((self.kernel.results, samples * units))
        self._points[read:] = np.tile(first.T, (1, samples))
        self.kernel.fill(self._points, self._results)
        return self._results.reshape(-1, samples, units)

    def gradient(self, weights: Weights) -> tuple[float, Weights]:
        """The loss and its gradient in all weights."""
        second, first, *above = weights
        values = self._values(first)
        count = len(self.places)
        zeta = sum(value @ (second @ place.T) for value, place in zip(values, self.places, strict=False))
        output, back = self._after(zeta)
        stages = self.tail.forward(output, above) if self.tail else [output]
        error = stages[-1] - self.targets
        weighted = self.factor * self.shares[:, None] * error
        slope, slopes_above = self.tail.backward(2 * weighted, stages, above) if self.tail else (2 * weighted, [])
        if back is not None:
            slope = np.einsum("pa,pab->pb", slope, back)
        of_second = sum(value.T @ slope @ place for value, place in zip(values, self.places, strict=False))
        of_first = np.zeros_like(first)
        slopes = values[count:].reshape(count, self.layer.first, *values.shape[1:])
        for place, changes in zip(self.places, slopes, strict=True):
            pull = slope @ place @ second.T
            of_first += np.einsum("npi,pi->in", changes, pull)
        return float((weighted * error).sum()), [np.asarray(of_second), of_first, *slopes_above]

    def _after(self, zeta: Array) -> tuple[Array, Array | None]:
        if self._output is None:
            return zeta, None
        found = self._output(np.vstack([zeta.T, self.inputs.T])).T
        return found[:, : self.outputs], found[:, self.outputs :].reshape(len(zeta), self.outputs, -1)


class SoftmaxHeads(CompiledLayer):
    """Softmax heads of rank one on tokens with three entries, by the moments of the tokens instead of the unit map."""

    def _compile(self) -> None:
        self.tokens = self.inputs.reshape(len(self.inputs), -1, 3)

    def gradient(self, weights: Weights) -> tuple[float, Weights]:
        """The loss and its gradient in all weights."""
        loss, of_second, of_first = softmax_gradient(self.tokens, self.targets[:, 0], *weights)
        return loss, [of_second, of_first]


def _table(values: ArrayLike, name: str) -> Array:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or not np.isfinite(table).all():
        raise LemmascopeError(f"The {name} must be a table of finite numbers, one row for each sample.")
    return table
