"""Training of fully connected networks: what each unit needs is derived symbolically, the sums are matrix products.

The activation, its derivative and the derivative of the loss come from SymPy and are compiled like every other
formula; any width, depth and number of samples goes through the same few lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from numerics.applied_rules import AppliedRule
from numerics.ensemble import Status
from numerics.float_kernel import FloatKernel, compile_float
from numerics.random_numbers import uniform
from theory import rules
from theory.errors import LemmascopeError
from theory.rules import Rule

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Weights = list[NDArray[np.float64]]

UNIT, PREDICTION, TARGET = sp.symbols("unit prediction target", real=True)
RATE = sp.Symbol("learning_rate")


@dataclass(frozen=True)
class Network:
    """Widths from inputs to outputs, an activation in UNIT, and a loss of one output in PREDICTION and TARGET.

    The total loss is the mean over samples of the sum over outputs; the last layer is linear.

    >>> network = Network((2, 3, 1), sp.tanh(UNIT))
    >>> [w.shape for w in network.random_weights(seed=1, scale=0.1)]
    [(3, 2), (1, 3)]
    """

    widths: tuple[int, ...]
    activation: sp.Basic
    loss: sp.Basic = (PREDICTION - TARGET) ** 2 / 2

    def __post_init__(self) -> None:
        if len(self.widths) < 2 or min(self.widths) < 1:
            raise LemmascopeError(f"widths={self.widths} is no network: give at least inputs and outputs.")
        if not self.activation.free_symbols <= {UNIT}:
            raise LemmascopeError(f"The activation {self.activation} must be a formula in UNIT only.")
        if not self.loss.free_symbols <= {PREDICTION, TARGET}:
            raise LemmascopeError(f"The loss {self.loss} must be a formula in PREDICTION and TARGET only.")

    @cached_property
    def unit_kernel(self) -> FloatKernel:
        """The activation and its derivative."""
        slope = sp.diff(self.activation, UNIT).doit()
        return compile_float([self.activation, slope], [UNIT])

    @cached_property
    def loss_kernel(self) -> FloatKernel:
        """The loss and its derivative."""
        return compile_float([self.loss, sp.diff(self.loss, PREDICTION)], [PREDICTION, TARGET])

    def random_weights(self, *, seed: int, scale: float) -> Weights:
        """Weights from the counter-based generator, uniform in [-scale, scale]."""
        weights = []
        for layer, (below, above) in enumerate(zip(self.widths, self.widths[1:], strict=False)):
            numbers = [uniform(seed, layer, i, 0) for i in range(above * below)]
            weights.append(scale * (2 * np.array(numbers).reshape(above, below) - 1))
        return weights


class Trainer:
    """Loss and gradient on a data set, with all buffers allocated once."""

    def __init__(self, network: Network, inputs: ArrayLike, targets: ArrayLike) -> None:
        self.network = network
        self.inputs = np.ascontiguousarray(np.asarray(inputs, dtype=np.float64).T)
        self.targets = np.ascontiguousarray(np.atleast_2d(np.asarray(targets, dtype=np.float64).T))
        samples = self.inputs.shape[1] if self.inputs.ndim == 2 else -1
        if self.inputs.shape != (network.widths[0], samples) or self.targets.shape != (network.widths[-1], samples):
            raise LemmascopeError(
                f"Inputs {np.shape(inputs)} and targets {np.shape(targets)} do not fit widths {network.widths}: "
                "give arrays (samples, inputs) and (samples, outputs)."
            )
        if not (np.isfinite(self.inputs).all() and np.isfinite(self.targets).all()):
            raise LemmascopeError("The data holds nan or infinite values: remove these samples.")
        self._samples_first = np.ascontiguousarray(self.inputs.T)
        self._buffers: dict[tuple[str, int, int], NDArray[np.float64]] = {}

    @property
    def samples(self) -> int:
        """The number of samples."""
        return int(self.inputs.shape[1])

    def _buffer(self, name: str, rows: int, columns: int) -> NDArray[np.float64]:
        key = (name, rows, columns)
        if key not in self._buffers:
            self._buffers[key] = np.empty((rows, columns))
        return self._buffers[key]

    def gradient(self, weights: Weights, chosen: NDArray[np.int64] | None = None) -> tuple[float, Weights]:
        """The mean loss over the chosen samples (all by default) and its gradient for every layer."""
        x = self.inputs if chosen is None else np.ascontiguousarray(self.inputs[:, chosen])
        y = self.targets if chosen is None else np.ascontiguousarray(self.targets[:, chosen])
        count = x.shape[1]
        activations, slopes = [x], []
        for layer, weight in enumerate(weights[:-1]):
            units = weight.shape[0]
            z = np.matmul(weight, activations[-1], out=self._buffer(f"z{layer}", units, count))
            both = self._buffer(f"unit{layer}", 2, units * count)
            self.network.unit_kernel.fill(z.reshape(1, -1), both)
            activations.append(both[0].reshape(units, count))
            slopes.append(both[1].reshape(units, count))
        outputs = weights[-1].shape[0]
        pair = self._buffer("pair", 2, outputs * count)
        np.matmul(weights[-1], activations[-1], out=pair[0].reshape(outputs, count))
        pair[1] = y.reshape(-1)
        values = self._buffer("loss", 2, outputs * count)
        self.network.loss_kernel.fill(pair, values)
        delta = values[1].reshape(outputs, count) / count
        gradients = [delta @ activations[-1].T]
        for layer in range(len(weights) - 2, -1, -1):
            back = self._buffer(f"back{layer}", weights[layer].shape[0], count)
            # with one output the product is an outer one, which the BLAS does badly
            product = np.multiply if delta.shape[0] == 1 else np.matmul
            product(weights[layer + 1].T, delta, out=back)
            delta = np.multiply(back, slopes[layer], out=back)
            gradients.append(delta @ (activations[layer].T if layer or chosen is not None else self._samples_first))
        return float(values[0].sum() / count), gradients[::-1]


@dataclass(frozen=True)
class Training:
    """Weights at the end, the loss before each step (or at each time), and how it ended."""

    weights: Weights
    losses: NDArray[np.float64]
    status: Status
    last_step: int


def train(
    trainer: Trainer,
    weights: Weights,
    steps: int,
    *,
    learning_rate: float | Sequence[float] | sp.Basic | None = None,
    rule: Rule | None = None,
    batch: int | None = None,
    momentum: float = 0.0,
    weight_decay: float = 0.0,
    seed: int = 0,
) -> Training:
    """Training by gradient descent, with momentum and a schedule, or by any rule of `theory.rules`.

    learning_rate: a number, one number for each step, or a formula in one symbol, the step.
    rule: in the place of learning rate, momentum and weight decay.
    batch: how many samples each step draws, by the counter-based generator; all samples without it.

    >>> trainer = Trainer(Network((1, 1), UNIT), [[1.0], [2.0]], [[2.0], [4.0]])
    >>> train(trainer, [np.zeros((1, 1))], 100, learning_rate=0.3).weights[0].round(6).tolist()
    [[2.0]]
    >>> from theory import rules
    >>> k = sp.Symbol("k")
    >>> adam = rules.adam(sp.Rational(1, 10), time=k)
    >>> train(trainer, [np.zeros((1, 1))], 1, rule=adam).weights[0].round(6).tolist()
    [[0.1]]
    """
    if (rule is None) is (learning_rate is None):
        raise LemmascopeError("Give either a learning rate or a rule.")
    if batch is not None and not 1 <= batch <= trainer.samples:
        raise LemmascopeError(f"batch={batch} must lie between 1 and the number of samples, {trainer.samples}.")
    rates = np.zeros(steps) if learning_rate is None else _rates(learning_rate, steps)
    applied = AppliedRule(rule or _descent(momentum, weight_decay), weights, (RATE,))
    losses = np.full(steps, np.nan)
    for step in range(steps):
        chosen = None
        if batch is not None:
            chosen = np.array([int(uniform(seed, 0, step, i) * trainer.samples) for i in range(batch)])
        with np.errstate(over="ignore", invalid="ignore"):
            losses[step], gradient = trainer.gradient(applied.weights, chosen)
            if applied.looks_ahead:
                gradient = trainer.gradient(applied.ahead(step, rates[step]), chosen)[1]
        if not np.isfinite(losses[step]):
            return Training(applied.weights, losses, Status.DIVERGED, step)
        applied.step(gradient, step, rates[step])
    return Training(applied.weights, losses, Status.FINISHED, steps)


def _descent(momentum: float, weight_decay: float) -> Rule:
    decay = sp.Rational(weight_decay)
    if momentum == 0:
        return rules.descent(RATE, weight_decay=decay)
    return rules.momentum(RATE, sp.Rational(momentum), weight_decay=decay)


def _rates(learning_rate: float | Sequence[float] | sp.Basic, steps: int) -> NDArray[np.float64]:
    if isinstance(learning_rate, sp.Basic) and learning_rate.free_symbols:
        if len(learning_rate.free_symbols) != 1:
            raise LemmascopeError(f"The schedule {learning_rate} must be a formula in one symbol, the step.")
        kernel = compile_float([learning_rate], list(learning_rate.free_symbols))
        rates = kernel(np.arange(steps, dtype=np.float64)[None])[0]
    else:
        given: Any = float(learning_rate) if isinstance(learning_rate, sp.Basic) else learning_rate
        rates = np.broadcast_to(np.asarray(given, dtype=np.float64), (steps,))
    if not np.isfinite(rates).all():
        raise LemmascopeError(f"The learning rate is not finite at step {int(np.flatnonzero(~np.isfinite(rates))[0])}.")
    return rates


def train_flow(trainer: Trainer, weights: Weights, times: ArrayLike, *, relative: float = 1e-8) -> Training:
    """Gradient flow of the full loss from time 0 through the given times (8th-order adaptive steps)."""
    from scipy.integrate import solve_ivp

    shapes = [w.shape for w in weights]
    splits = np.cumsum([w.size for w in weights])[:-1]

    def unpack(flat: NDArray[np.float64]) -> Weights:
        return [part.reshape(shape) for part, shape in zip(np.split(flat, splits), shapes, strict=True)]

    def velocity(_: float, flat: NDArray[np.float64]) -> NDArray[np.float64]:
        return -np.concatenate([g.ravel() for g in trainer.gradient(unpack(flat))[1]])

    wanted = np.asarray(times, dtype=np.float64)
    start = np.concatenate([np.asarray(w, dtype=np.float64).ravel() for w in weights])
    scale = float(np.abs(start).max()) or 1.0
    solution = solve_ivp(
        velocity, (0.0, float(wanted[-1])), start, method="DOP853", rtol=relative, atol=relative * scale, t_eval=wanted
    )
    losses = np.array([trainer.gradient(unpack(column))[0] for column in solution.y.T])
    status = Status.FINISHED if solution.success else Status.SINGULAR
    return Training(unpack(solution.y[:, -1]), losses, status, int(solution.nfev))
