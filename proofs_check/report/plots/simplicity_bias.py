"""The pictures of the simplicity-bias paper: where |G| is large, and how neurons get there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from proofs_check.experiments.simplicity_bias.figures import four_neuron_course, skewed_course
from proofs_check.experiments.simplicity_bias.networks import RATE, Neurons, xor
from proofs_check.report.plots.directions import Motion, data_set, draw_directions
from theory.simplicity_bias.data import named
from theory.statements import Statement


def draw(statement: Statement) -> Any:
    """The picture that belongs to a computation of this paper, or None."""
    if statement.computed is None:
        return None
    name = statement.computed.name.partition(".")[2]
    scene = _SCENES.get(name)
    return None if scene is None else scene(statement.title, **statement.computed.arguments)


def _four_neurons(title: str, start: list[str]) -> Any:

    course = four_neuron_course(start, range(0, 2**15 + 1, 2**11))
    motion = Motion(course.epochs, course.inner, np.sign(course.outer[0]), "epoch")
    return draw_directions(data_set(course.points, course.labels), motion, title)


def _skewed(title: str, between: str, seed: int) -> Any:

    course = skewed_course(between, seed, [0, *(2**k for k in range(4, 14))])
    motion = Motion(course.epochs, course.inner, np.sign(course.outer[-1]), "epoch")
    return draw_directions(data_set(course.points, course.labels), motion, title)


def _alignment(title: str, kappa: int) -> Any:
    """Neurons from all over the sphere, of the scale r^(1 + kappa) for r = 1/10, up to T_1 and a little beyond."""

    chance = np.random.default_rng(0)
    start = Neurons.of(np.tile([1.0, -1.0], 8) * 0.1 ** (1 + kappa), chance.standard_normal((16, 3)))
    times = np.concatenate([np.linspace(0, 10, 21), np.linspace(12, 1.5 * kappa * np.log(10) / RATE, 12)])
    weights = np.array([state.v for state in xor().path(start, times)])
    return draw_directions(named("orbit"), Motion(times, weights, start.signs), title)


def _critical(title: str, data: str) -> Any:
    return draw_directions(named(data), title=title)


_SCENES: dict[str, Callable[..., Any]] = {
    "four_neuron_training": _four_neurons,
    "skewed_xor": _skewed,
    "alignment_slopes": _alignment,
    "critical_set": _critical,
}
