"""Networks small enough to write out: linear layers, rectifiers and sums over neighbours, trained by Adam."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Spread = Callable[[Array], Array]
"""A symmetric linear map on the nodes, such as H -> H + A H."""


class Network:
    """A chain of layers; a width stands for a linear layer followed by a rectifier, "spread" for the sum over nodes.

    >>> net = Network(["spread", 4], inputs=2, spread=lambda H: H, seed=1)
    >>> net.predict(np.ones((3, 2))).shape
    (3,)
    """

    def __init__(self, layers: Sequence[int | str], *, inputs: int, spread: Spread, seed: int) -> None:
        chance = np.random.default_rng(seed)
        self.layers, self.spread = [*layers, 1], spread
        self.weights: list[Array] = []
        width = inputs
        for layer in self.layers:
            if not isinstance(layer, str):
                self.weights += [chance.normal(size=(width, layer)) * np.sqrt(2 / width), np.zeros(layer)]
                width = layer

    def predict(self, X: Array) -> Array:
        """One number for every node."""
        return self._forward(X)[-1][:, 0]

    def _forward(self, X: Array) -> list[Array]:
        states, k = [X], 0
        for place, layer in enumerate(self.layers):
            if isinstance(layer, str):
                states.append(self.spread(states[-1]))
                continue
            value = states[-1] @ self.weights[k] + self.weights[k + 1]
            states.append(value if place == len(self.layers) - 1 else np.maximum(value, 0))
            k += 2
        return states

    def gradients(self, X: Array, residual: Callable[[Array], Array]) -> list[Array]:
        """The derivatives of the loss whose derivative in the predictions is `residual`.

        >>> net = Network([3], inputs=2, spread=lambda H: H, seed=1)
        >>> [part.shape for part in net.gradients(np.ones((4, 2)), lambda y: y)]
        [(2, 3), (3,), (3, 1), (1,)]
        """
        states = self._forward(X)
        change = residual(states[-1][:, 0])[:, None]
        found: list[Array] = []
        k = len(self.weights)
        for place in range(len(self.layers) - 1, -1, -1):
            before, after = states[place], states[place + 1]
            if isinstance(self.layers[place], str):
                change = self.spread(change)
                continue
            if place < len(self.layers) - 1:
                change = change * (after > 0)
            k -= 2
            found = [before.T @ change, change.sum(axis=0), *found]
            change = change @ self.weights[k].T
        return found

    def train(self, X: Array, y: Array, seen: NDArray[Any], *, steps: int, rate: float) -> None:
        """Adam on the mean squared error over the seen nodes, with a rate that falls to zero along a cosine."""
        first = [np.zeros_like(part) for part in self.weights]
        second = [np.zeros_like(part) for part in self.weights]

        def residual(predicted: Array) -> Array:
            return np.where(seen, 2 * (predicted - y) / seen.sum(), 0.0)

        for step in range(1, steps + 1):
            now = rate * (1 + np.cos(np.pi * step / steps)) / 2
            for k, slope in enumerate(self.gradients(X, residual)):
                first[k] = 0.9 * first[k] + 0.1 * slope
                second[k] = 0.999 * second[k] + 0.001 * slope**2
                scale = np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8
                self.weights[k] -= now * first[k] / (1 - 0.9**step) / scale
