"""ReLU networks on two handwritten digits: the gradient beyond the edge, and derivatives at line-search minima.

Between kinks the loss along a line is a polynomial, so its derivatives are exact: truncated power series run through
the layers with the sign pattern of the point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_check.experiments import experiment

Array = NDArray[np.float64]
Gate = NDArray[np.bool_]
WIDTH, EPOCHS, ORDER = 16, 60, 4


@dataclass
class Perceptron:
    """A ReLU network with mean squared error; its parameters are one flat vector."""

    inputs: Array
    labels: Array
    sizes: tuple[int, ...]

    def unpack(self, parameters: Array) -> list[tuple[Array, Array]]:
        """Weights and biases of each layer."""
        layers, place = [], 0
        for fan_in, fan_out in zip(self.sizes, self.sizes[1:], strict=False):
            weights = parameters[place : place + fan_in * fan_out].reshape(fan_in, fan_out)
            place += fan_in * fan_out
            layers.append((weights, parameters[place : place + fan_out]))
            place += fan_out
        return layers

    def start(self, seed: int) -> Array:
        """Weights of variance 1 / fan-in, as is common for networks of this size; no biases."""
        random = np.random.default_rng(seed)
        parts = []
        for fan_in, fan_out in zip(self.sizes, self.sizes[1:], strict=False):
            parts += [random.uniform(-1, 1, fan_in * fan_out) / np.sqrt(fan_in), np.zeros(fan_out)]
        return np.concatenate(parts)

    def gates(self, parameters: Array) -> list[Gate]:
        """Which neurons are active on which input; the last layer always is."""
        layers = self.unpack(parameters)
        current, found = self.inputs, []
        for place, (weights, bias) in enumerate(layers):
            active = current @ weights + bias
            found.append(active > 0 if place < len(layers) - 1 else np.ones_like(active, dtype=bool))
            current = active * found[-1]
        return found

    def loss_and_gradient(self, parameters: Array, gates: list[Gate] | None = None) -> tuple[float, Array]:
        """The loss and its gradient by one backward pass, for the sign pattern of the point or a given one."""
        layers = self.unpack(parameters)
        gates = self.gates(parameters) if gates is None else gates
        values = [self.inputs]
        for (weights, bias), gate in zip(layers, gates, strict=True):
            values.append((values[-1] @ weights + bias) * gate)
        error = values[-1][:, 0] - self.labels
        back = (2 * error / len(error))[:, None]
        slopes: list[Array] = []
        for place in range(len(layers) - 1, -1, -1):
            back = back * gates[place]
            slopes = [(values[place].T @ back).ravel(), back.sum(axis=0), *slopes]
            back = back @ layers[place][0].T
        return float((error**2).mean()), np.concatenate(slopes)

    def leading(self, parameters: Array, guess: Array) -> tuple[float, Array]:
        """The leading eigenpair of the Hessian by power iteration on differences of gradients.

        The sign pattern is that of the point: a difference across a kink would be no second derivative.
        """
        vector, value = guess / np.linalg.norm(guess), 0.0
        gates = self.gates(parameters)
        for _ in range(20):
            ahead, behind = (self.loss_and_gradient(parameters + sign * 1e-5 * vector, gates)[1] for sign in (1, -1))
            image = (ahead - behind) / 2e-5
            value = float(vector @ image)
            vector = image / np.linalg.norm(image)
        return value, vector

    def along(self, parameters: Array, direction: Array) -> Array:
        """The derivatives of order 0 to 4 of the loss along a line, for the sign pattern of the point."""
        series = [self.inputs, *[np.zeros_like(self.inputs)] * ORDER]
        moves = self.unpack(direction)
        for place, (weights, bias) in enumerate(self.unpack(parameters)):
            step_weights, step_bias = moves[place]
            new = [part @ weights for part in series]
            new[0] = new[0] + bias
            new[1] = new[1] + step_bias
            for order in range(1, ORDER + 1):
                new[order] = new[order] + series[order - 1] @ step_weights
            gate = new[0] > 0 if place < len(self.sizes) - 2 else np.ones_like(new[0], dtype=bool)
            series = [part * gate for part in new]
        error = [part[:, 0] for part in series]
        error[0] = error[0] - self.labels
        squares = [
            float(np.mean(np.sum([error[i] * error[order - i] for i in range(order + 1)], axis=0)))
            for order in range(ORDER + 1)
        ]
        return np.array(squares) * np.array([1, 1, 2, 6, 24])


def _line_search(network: Perceptron, parameters: Array, slope: Array, rate: float) -> Array:
    """Definition 5: the lowest point of the segment that one step covers."""
    lengths = np.linspace(0, 1, 51)
    losses = [network.loss_and_gradient(parameters - length * rate * slope)[0] for length in lengths]
    return parameters - lengths[int(np.argmin(losses))] * rate * slope


@experiment("edge_of_stability.digits")
def digits(layers: int, rate: str, seed: int) -> dict[str, Any]:
    """Figures 3.6 to 3.8: gradient descent on the digits 0 and 1.

    Over the epochs whose sharpness exceeds 2 / eta, `cosine` is the median alignment of the gradient with the top
    eigenvector and `positive` the share of line-search minima at which 3 f'''^2 - f'' f'''' > 0 along the gradient.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        return {"missing": "the handwritten digits come with scikit-learn: pip install scikit-learn"}
    images, classes = load_digits(n_class=2, return_X_y=True)
    chosen = images[:, images.std(axis=0) >= images.std(axis=0).max() / 2] / 16
    network = Perceptron(chosen, classes.astype(float), (chosen.shape[1], *[WIDTH] * (layers - 1), 1))
    parameters, step = network.start(seed), float(Fraction(rate))
    guess = np.random.default_rng(seed + 1).standard_normal(parameters.size)
    cosines, signs = [], []
    for _ in range(EPOCHS):
        _, slope = network.loss_and_gradient(parameters)
        sharpness, guess = network.leading(parameters, guess)
        if sharpness > 2 / step:
            cosines.append(abs(float(slope @ guess)) / np.linalg.norm(slope))
            lowest = _line_search(network, parameters, slope, step)
            _, _, second, third, fourth = network.along(lowest, slope / np.linalg.norm(slope))
            signs.append(3 * third**2 - second * fourth > 0)
        parameters = parameters - step * slope
    if not cosines:
        return {"missing": f"no epoch was beyond the edge of stability at the rate {rate}"}
    return {
        "cosine": float(np.median(cosines)),
        "positive": float(np.mean(signs)),
        "cases": len(cosines),
        "coverage": f"{len(classes)} images of digits 0 and 1, {chosen.shape[1]} pixels, {EPOCHS} epochs, one start",
        "notes": ("the data are scikit-learn's handwritten digits in place of the paper's images",),
    }
