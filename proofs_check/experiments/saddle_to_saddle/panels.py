"""Figures 1 and 4: two-layer networks, one panel each, at the paper's widths, initial scales and learning rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sympy import Expr, cos, tanh

from proofs_check.experiments import experiment
from proofs_check.experiments.saddle_to_saddle import data
from proofs_check.experiments.saddle_to_saddle.compiled import Array, CompiledLayer, SoftmaxHeads, Tail
from proofs_check.experiments.saddle_to_saddle.runs import Run, descend, flow, rest_near
from proofs_check.experiments.saddle_to_saddle.structure import effective_width, families_of, family, narrowed
from theory.saddle_to_saddle.architectures import (
    ACTIVATIONS,
    ARCHITECTURES,
    INPUTS,
    convolution,
    fully_connected,
    polynomial_form,
    regression_head,
    softmax_head,
)
from theory.saddle_to_saddle.layer import Layer
from theory.saddle_to_saddle.properties import properties


@dataclass(frozen=True)
class Setting:
    """A layer, its data, and how it is trained."""

    layer: Layer
    data: Callable[[], tuple[Array, Array]]
    units: int
    scale: float
    rate: float = 0.0
    steps: int = 0
    every: int = 10
    end: float = 0.0
    frames: int = 400
    shares: Callable[[], Array] | None = None
    tail: Tail | None = None
    above: tuple[tuple[int, int], ...] = ()
    like: str = ""
    """The architecture with the same unit map, where the layer has many outputs."""

    def compiled(self) -> CompiledLayer:
        """Loss and gradient."""
        inputs, targets = self.data()
        if self.like == "softmax-attention":
            return SoftmaxHeads(self.layer, inputs, targets)
        shares = self.shares() if self.shares else None
        return CompiledLayer(self.layer, inputs, targets, shares=shares, tail=self.tail)

    def run(self, seed: int) -> Run:
        """Gradient descent from a Gaussian start; gradient flow where the setting has an end time."""
        compiled = self.compiled()
        start = compiled.start(self.units, self.scale, seed=seed, above=self.above)
        if self.end:
            return flow(compiled.gradient, start, self.end, frames=self.frames, accuracy=1e-5)
        return descend(compiled.gradient, start, rate=self.rate, steps=self.steps, every=self.every)

    @property
    def families(self) -> tuple[int, ...]:
        """The families of fixed points that the properties of the unit map allow."""
        if self.like:
            return families_of(properties(ARCHITECTURES[self.like], INPUTS[self.like]))
        return families_of(properties(self.layer, self.data()[0].shape[1]))


def _second_order(s: Expr) -> Expr:
    return 1 - cos(s)


def _third_order(s: Expr) -> Expr:
    return s**2 * tanh(s)


SMOOTH: dict[str, tuple[Callable[[Expr], Expr], float]] = {
    "sigmoid": (ACTIVATIONS["sigmoid"], 2.0),
    "sin": (ACTIVATIONS["sin"], 2.0),
    "tanh": (ACTIVATIONS["tanh"], 2.0),
    "second-order": (_second_order, 2.0),
    "s-tanh-s": (ACTIVATIONS["s-tanh-s"], 2.0),
    "third-order": (_third_order, 1.0),
}
"""Activations of Fig. 4 and the size of the teacher's second unit; the formulas of panels E and H are illegible."""

NODES = 12


def teacher(name: str) -> tuple[Array, Array]:
    """Fig. 4: the sum of two units with first weights (1, 0) and (0, 2) or (0, 1) on a grid of Gaussian nodes."""
    from sympy import Symbol, lambdify

    s = Symbol("s")
    activation, size = SMOOTH[name]
    f = lambdify(s, activation(s), "numpy")
    points, _ = data.gaussian_grid(NODES)
    return points, (f(points[:, 0]) + f(size * points[:, 1]))[:, None]


def _smooth(
    name: str, units: int, scale: float, steps: int = 0, every: int = 0, *, end: float = 0.0, frames: int = 0
) -> Setting:
    return Setting(
        fully_connected(SMOOTH[name][0], inputs=2),
        lambda: teacher(name),
        units,
        scale,
        0.02,
        steps,
        every,
        end,
        frames,
        shares=lambda: data.gaussian_grid(NODES)[1],
    )


def _linear() -> Setting:
    return Setting(fully_connected(ACTIVATIONS["linear"], inputs=2, outputs=2), data.linear, 50, 1e-6, 0.01, 1000)


def _convolution() -> Setting:
    return Setting(convolution(ACTIVATIONS["linear"]), data.convolution, 50, 1e-6, 0.01, 2000)


def _relu() -> Setting:
    return Setting(fully_connected(ACTIVATIONS["relu"], inputs=2), data.relu, 50, 1e-6, 0.01, 2400, 12)


def _relu_convolution() -> Setting:
    return Setting(convolution(ACTIVATIONS["relu"]), data.orthogonal_convolution, 50, 1e-6, 0.01, 2000)


def _attention(*, merged: bool) -> Setting:
    rate, every = (0.001, 5) if merged else (0.02, 2)
    name = "merged-attention" if merged else "linear-attention"
    return Setting(regression_head(3, merged=merged), data.in_context, 10, 0.005, rate, 600, every, like=name)


def _softmax() -> Setting:
    """Smaller than printed: 8 tokens and the query, 256 samples, 10 heads, scale 0.05."""
    return Setting(softmax_head(3, 9), data.tokens, 10, 0.05, 0.1, 1500, like="softmax-attention")


SETTINGS: dict[str, Callable[[], Setting]] = {
    "linear": _linear,
    "linear-convolution": _convolution,
    "relu": _relu,
    "relu-convolution": _relu_convolution,
    "linear-attention": lambda: _attention(merged=False),
    "merged-attention": lambda: _attention(merged=True),
    "softmax-attention": _softmax,
    "quadratic": lambda: Setting(polynomial_form(2), lambda: data.power_sum(2), 10, 0.005, 0.04, 2000, 5),
    "cubic": lambda: Setting(polynomial_form(3), lambda: data.power_sum(3), 10, 0.005, end=6000.0, frames=1200),
    "sigmoid": lambda: _smooth("sigmoid", 50, 1e-6, 1500, 10),
    "sin": lambda: _smooth("sin", 50, 1e-6, 3000, 10),
    "tanh": lambda: _smooth("tanh", 50, 1e-6, 3000, 10),
    "second-order": lambda: _smooth("second-order", 10, 0.005, end=1000.0, frames=2000),
    "s-tanh-s": lambda: _smooth("s-tanh-s", 10, 0.005, end=80.0, frames=400),
    "third-order": lambda: _smooth("third-order", 10, 0.005, end=40000.0, frames=2000),
}
"""The panels by name."""


@dataclass(frozen=True)
class Rest:
    """A plateau: when, its loss, effective width, family, and the loss of the fixed point of the narrow network."""

    index: int
    loss: float
    width: int
    family: int | None
    level: float | None


@cache
def observed(panel: str, seed: int) -> tuple[Run, list[Rest]]:
    """The run of a panel and what is detected at its plateaus."""
    setting = SETTINGS[panel]()
    run = setting.run(seed)
    return run, rests(run, setting.families, setting.compiled() if setting.tail is None else None)


def rests(run: Run, families: tuple[int, ...], layer: CompiledLayer | None) -> list[Rest]:
    """Effective width, family and level at every plateau; levels need the layer without layers above."""
    largest = max(float(np.linalg.norm(np.hstack(weights[:2]))) for weights in run.weights)
    found = []
    for index in run.plateaus():
        second, first = run.weights[index][:2]
        width = effective_width(second, first, families, largest=largest)
        inside = 0 < width < len(first)
        number = family(second, first, families, width) if inside else None
        level = None
        # with many effective units there is no narrow network to compare with
        if number and layer and width <= 4:
            level, _ = rest_near(layer.gradient, list(narrowed(second, first, number, width)))
        found.append(Rest(index, float(run.losses[index]), width, number, level))
    return found


@experiment("saddle_to_saddle.panel")
def panel(panel: str, seed: int, others: int = 0) -> Mapping[str, Any]:
    """Width, family and level at the first plateau after a drop, width and loss at the end."""
    run, found = observed(panel, seed)
    first, last = found[1], found[-1]
    alike = [observed(panel, seed + 1 + k)[1] for k in range(others)]
    same = sum(other[1].width == first.width and other[-1].width == last.width for other in alike)
    result = {
        "plateau_width": first.width,
        "final_width": last.width,
        "family": first.family or 0,
        "plateaus": len(found) - 2,
        "loss": last.loss,
        "coverage": f"one run of {panel}, seed {seed}; plateau at frame {first.index} of {len(run.losses)}"
        + (f"; {same} of {others} other starts have the same widths" if others else ""),
    }
    # a loss of zero has no relative distance
    return result | ({"level": abs(first.loss / first.level - 1)} if first.level and first.level > 1e-9 else {})


@experiment("saddle_to_saddle.starts")
def starts(panel: str, starts: int) -> Mapping[str, Any]:
    """From how many of the first starts one unit is large on the first plateau, as in (5), and two at the end."""
    found = [observed(panel, seed)[1] for seed in range(starts)]
    shown = [seed for seed, rest in enumerate(found) if (rest[1].width, rest[1].family, rest[-1].width) == (1, 5, 2)]
    return {
        "shown": len(shown),
        "cases": starts,
        "coverage": f"the starts 0 to {starts - 1} of {panel}; shown by {shown}",
    }


@experiment("saddle_to_saddle.escape")
def escape(seed: int) -> Mapping[str, Any]:
    """A quadratic network with one unit at its width-1 minimum, one perturbed, the others zero."""
    layer = SETTINGS["quadratic"]().compiled()
    start = layer.start(4, 1e-2, seed=seed)
    start[0][2:], start[1][2:] = 0.0, 0.0
    # the residual is a positive form, so a unit with v < 0 would shrink, see proposition-5.definite
    start[0][1] = np.abs(start[0][1])
    _, (second, first) = rest_near(layer.gradient, [np.ones((1, 1)), np.array([[1.0, 0.0]])])
    start[0][0], start[1][0] = second[0], first[0]
    run = descend(layer.gradient, start, rate=0.02, steps=6000, every=20)
    found = rests(run, families_of(properties(layer.layer, 3)), layer)
    return {"first": found[0].width, "width": found[-1].width, "loss": found[-1].loss}


def second_singular_value(matrix: Array) -> float:
    """The second singular value relative to the first."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return float(values[1] / values[0])


@experiment("saddle_to_saddle.alignment")
def alignment(panel: str, seed: int) -> Mapping[str, Any]:
    """Second over first singular value of the first weights after a tenth of the loss is gone, and at the end."""
    run, _ = observed(panel, seed)
    early = int(np.argmax(run.losses < 0.9 * run.losses[0]))
    return {"early": second_singular_value(run.weights[early][1]), "late": second_singular_value(run.weights[-1][1])}


__all__ = ["SETTINGS", "Rest", "Setting", "observed", "rests"]
