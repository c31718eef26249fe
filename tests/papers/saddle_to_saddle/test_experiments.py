"""Gradients agree with finite differences, detection with constructed cases, plateaus with exact losses."""

import time

import numpy as np
import pytest

from numerics.softmax_heads import softmax_gradient
from proofs_check.experiments import run
from proofs_check.experiments.saddle_to_saddle import data, runs
from proofs_check.experiments.saddle_to_saddle.compiled import CompiledLayer, SoftmaxHeads, Tail, Weights
from proofs_check.experiments.saddle_to_saddle.depth import DEEP, _skipping, first_layer
from proofs_check.experiments.saddle_to_saddle.panels import SETTINGS, observed
from proofs_check.experiments.saddle_to_saddle.runs import Gradient, Run, descend, flow
from proofs_check.experiments.saddle_to_saddle.softmax import fitted_to_the_mean, linear_growth
from proofs_check.experiments.saddle_to_saddle.structure import (
    effective_width,
    family,
    family_gaps,
    manifold_gap,
    narrowed,
)
from theory.saddle_to_saddle.architectures import (
    ACTIVATIONS,
    attention,
    convolution,
    fully_connected,
    polynomial_form,
    regression_head,
    skipped,
    softmax_head,
)
from theory.saddle_to_saddle.layer import Layer

ALL = (4, 5, 6, 7)


def check_gradient(gradient: Gradient, weights: Weights) -> None:
    """Central differences of the loss in every weight."""
    _, slopes = gradient(weights)
    for part, slope in zip(weights, slopes, strict=True):
        for place in np.ndindex(part.shape):
            kept = part[place]
            values = []
            for sign in (1, -1):
                part[place] = kept + sign * 1e-6
                values.append(gradient(weights)[0])
            part[place] = kept
            assert (values[0] - values[1]) / 2e-6 == pytest.approx(slope[place], abs=1e-6, rel=1e-6)


@pytest.mark.parametrize(
    ("layer", "inputs", "outputs"),
    [
        (fully_connected(ACTIVATIONS["tanh"], inputs=3, outputs=2), 3, 2),
        (convolution(ACTIVATIONS["relu"]), 4, 1),
        (convolution(ACTIVATIONS["linear"], outputs=2), 4, 2),
        (polynomial_form(3), 4, 1),
        (attention(softmax=True), 2, 2),
        (regression_head(2), 8, 1),
        (regression_head(2, merged=True, outputs=2), 8, 2),
    ],
)
def test_the_compiled_gradient_by_finite_differences(layer: Layer, inputs: int, outputs: int) -> None:
    chance = np.random.default_rng(0)
    compiled = CompiledLayer(layer, chance.standard_normal((5, inputs)), chance.standard_normal((5, outputs)))
    check_gradient(compiled.gradient, compiled.start(3, 0.7, seed=1))


@pytest.mark.parametrize("rectified", [False, True])
def test_the_gradient_with_layers_above(rectified: bool) -> None:
    chance = np.random.default_rng(2)
    layer = fully_connected(ACTIVATIONS["relu"], inputs=2, outputs=3)
    compiled = CompiledLayer(
        layer, chance.standard_normal((4, 2)), chance.standard_normal((4, 1)), tail=Tail(rectified=rectified)
    )
    check_gradient(compiled.gradient, compiled.start(3, 0.8, seed=3, above=((2, 3), (1, 2))))


@pytest.mark.parametrize("name", ["none", "one", "two"])
@pytest.mark.parametrize("rectified", [False, True])
def test_the_gradient_of_the_skipping_networks(name: str, rectified: bool) -> None:
    chance = np.random.default_rng(4)
    shapes = ((3, 2), (3, 3), (3, 3), (2, 3))
    check_gradient(_skipping(name, rectified=rectified), [0.6 * chance.standard_normal(shape) for shape in shapes])


def test_a_skip_connection_and_a_layer_after_are_part_of_the_output() -> None:
    """The layer of (18c) with numbers in place of the outer weights, against plain matrix products."""
    chance = np.random.default_rng(5)
    whole = skipped()
    layer = Layer(whole.phi, 2, 2, after=lambda z: [2 * z[0] - 3 * z[1]], skip=whole.skip)
    x, y = chance.standard_normal((6, 2)), chance.standard_normal((6, 1))
    compiled = CompiledLayer(layer, x, y)
    second, first = weights = compiled.start(4, 0.5, seed=6)
    output = (x @ first.T @ second + x) @ np.array([[2.0], [-3.0]])
    assert compiled.gradient(weights)[0] == pytest.approx(float(((output - y) ** 2).mean()))
    check_gradient(compiled.gradient, weights)


def test_compressed_data_have_the_same_loss() -> None:
    chance = np.random.default_rng(7)
    x, y = chance.standard_normal((300, 4)), chance.standard_normal((300, 1))
    layer = convolution(ACTIVATIONS["linear"])
    weights = CompiledLayer(layer, x, y).start(3, 1.0, seed=8)
    whole, small = (CompiledLayer(layer, *table).gradient(weights) for table in ((x, y), data.compressed(x, y)))
    assert whole[0] == pytest.approx(small[0])
    for left, right in zip(whole[1], small[1], strict=True):
        assert left == pytest.approx(right)


def test_families_of_constructed_weights() -> None:
    factors = np.linspace(-1, 1, 20)[:, None]
    v, u = np.array([[2.0]]), np.array([[2.0, 3.0]])
    assert family(factors * v, factors * u, ALL, 1) == 7
    assert family(np.abs(factors) * v, np.abs(factors) * u, ALL, 1) == 6
    assert family(factors, np.repeat(u, 20, axis=0), ALL, 1) == 4
    single = np.full((20, 3), 1e-4)
    single[4] = 1
    assert family(single[:, :1], single[:, 1:], ALL, 1) == 5
    assert family_gaps(factors * v, factors * u, 1)[6] > 0.3


def test_effective_width_counts_ranks_rays_and_units() -> None:
    chance = np.random.default_rng(9)
    mixing, rows = chance.standard_normal((30, 2)), chance.standard_normal((2, 5))
    low = mixing @ rows
    size = float(np.linalg.norm(low))
    assert effective_width(low[:, :2], low[:, 2:], (7,), largest=size) == 2
    rays = np.abs(mixing[:, :1]) * rows[np.arange(30) % 2]
    assert effective_width(rays[:, :2], rays[:, 2:], (6,), largest=float(np.linalg.norm(rays))) == 2
    assert effective_width(low[:, :2], low[:, 2:], (7,), largest=100 * size) == 0
    assert manifold_gap(low[:, :2], low[:, 2:], 1, (7,)) > manifold_gap(low[:, :2], low[:, 2:], 2, (7,))


@pytest.mark.parametrize("number", [4, 5, 6, 7])
def test_the_narrow_network_computes_the_same(number: int) -> None:
    """F.3 on exact points of each family, for a unit map with the property that the family needs."""
    v, u = np.array([[1.5]]), np.array([[1.0, -2.0]])
    shares = np.array([[0.5], [1.0], [2.0]])
    second, first = {
        4: (shares * v, np.repeat(u, 3, axis=0)),
        5: (np.array([[0.0], [1.0], [0.0]]) * v, np.array([[0.0], [1.0], [0.0]]) * u),
        6: (shares * v, shares * u),
        7: (shares * v, -shares * u),
    }[number]
    name = {4: "tanh", 5: "quadratic", 6: "relu", 7: "linear"}[number]
    layer = CompiledLayer(fully_connected(ACTIVATIONS[name], inputs=2), [[1.0, 0.5], [-1.0, 0.3]], [[1.0], [2.0]])
    assert layer.gradient([second, first])[0] == pytest.approx(
        layer.gradient(list(narrowed(second, first, number, 1)))[0]
    )


def test_drops_need_a_real_fall() -> None:
    times = np.linspace(0, 60, 601)
    curve = 3 - 1 / (1 + np.exp(15 - times)) - 1 / (1 + np.exp(45 - times)) - 1e-4 * np.tanh(times - 30)
    run_ = Run(times, curve, [])
    assert [round(times[k]) for k in run_.drops()] == [15, 45]
    assert len(run_.plateaus()) == 3


def test_the_plateau_of_the_linear_panel_has_the_exact_rank_one_loss() -> None:
    """Brute force over directions of the output, each with its least squares fit."""
    found, rests = observed("linear", 1)
    x, y = data.linear()
    best = np.inf
    for angle in np.linspace(0, np.pi, 721):
        direction = np.array([np.cos(angle), np.sin(angle)])
        fitted, *_ = np.linalg.lstsq(x, y @ direction, rcond=None)
        best = min(best, float(((y - np.outer(x @ fitted, direction)) ** 2).sum(axis=1).mean()))
    assert rests[1].level == pytest.approx(best, rel=1e-4)
    assert found.losses[rests[1].index] == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize(("name", "exact"), [("relu", 1 / 2), ("relu-convolution", 2 / 5)])
def test_plateau_levels_with_rational_values(name: str, exact: float) -> None:
    _, rests = observed(name, 1)
    assert rests[1].level == pytest.approx(exact, rel=1e-6)
    assert rests[1].loss == pytest.approx(exact, rel=0.01)


def test_gradient_flow_follows_the_logistic_solution() -> None:
    """One unit with v = u: w = v u solves w' = 4 w (s - w) for the loss without the factor 1/2."""
    layer = CompiledLayer(fully_connected(ACTIVATIONS["linear"], inputs=1), [[1.0]], [[2.0]])
    start = 0.1
    found = flow(layer.gradient, [np.full((1, 1), start), np.full((1, 1), start)], 2.0, frames=20, accuracy=1e-9)
    w0 = start**2
    exact = 2 / (1 + (2 / w0 - 1) * np.exp(-8 * found.times))
    assert np.array([float(v[0, 0] * u[0, 0]) for v, u in found.weights]) == pytest.approx(exact, rel=1e-6)


def test_a_hundred_units_reach_the_last_plateau_quickly() -> None:
    """Ten inputs, five outputs, singular values 5/2, ..., 1/2: six plateaus, the last one at zero loss."""
    inputs = np.sqrt(10.0) * np.eye(10)
    targets = inputs[:, :5] * np.arange(5, 0, -1) / 2
    begin = time.process_time()
    layer = CompiledLayer(fully_connected(ACTIVATIONS["linear"], inputs=10, outputs=5), inputs, targets, factor=0.5)
    found = descend(layer.gradient, layer.start(100, 1e-12, seed=0), rate=0.1, steps=800, every=2)
    assert time.process_time() - begin < 5
    assert len(found.plateaus()) == 6
    assert found.losses[-1] < 1e-6


def test_every_panel_and_deep_panel_can_be_built() -> None:
    for settings in (SETTINGS, DEEP):
        for build in settings.values():
            assert set(build().families) <= set(ALL)


def test_quadrature_and_integration_agree() -> None:
    found = run("saddle_to_saddle.quadrature", {"seed": 3})
    assert found["gap"] < 1e-8
    assert found["slope"] == pytest.approx(1, abs=0.01)


def test_cubic_units_at_the_printed_scale() -> None:
    """The first plateau has the exact loss of one unit: E(x_1^3 + x_2^3 - w x_1^3)^2 at w = 1 on the same samples."""
    assert SETTINGS["cubic"]().scale == 0.005
    _, found = observed("cubic", 0)
    assert [rest.width for rest in found] == [0, 1, 2]
    assert found[1].family == 5
    assert found[1].loss == pytest.approx(found[1].level, rel=1e-4)
    assert found[-1].loss < 1e-6


def test_implicit_and_explicit_steps_follow_the_same_path(monkeypatch: pytest.MonkeyPatch) -> None:
    layer = SETTINGS["cubic"]().compiled()
    start = layer.start(3, 0.2, seed=0)
    implicit = flow(layer.gradient, start, 4.0, frames=40, accuracy=1e-9)
    monkeypatch.setattr(runs, "FEW", 0)
    explicit = flow(layer.gradient, start, 4.0, frames=40, accuracy=1e-9)
    assert implicit.losses == pytest.approx(explicit.losses, rel=1e-4, abs=1e-6)


def test_softmax_heads_by_the_general_layer() -> None:
    """The moments of the tokens give what the derived unit map gives."""
    tokens, targets = data.tokens(3, context=4, samples=7)
    general = CompiledLayer(softmax_head(3, 5), tokens, targets)
    weights = general.start(6, 0.8, seed=2)
    loss, slopes = general.gradient(weights)
    again, *others = softmax_gradient(tokens.reshape(7, 5, 3), targets[:, 0], *weights)
    assert again == pytest.approx(loss)
    for slope, other in zip(slopes, others, strict=True):
        assert other == pytest.approx(slope)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("panel", "factor", "longer", "printed", "smaller"),
    [("relu-convolution", 0.4, 2.5, (4, 2), (8, 7)), ("quadratic", 0.1, 100.0, (3, 2), (7, 6))],
)
def test_how_many_of_eight_starts_show_figure_5(
    panel: str, factor: float, longer: float, printed: tuple[int, int], smaller: tuple[int, int]
) -> None:
    """Starts whose first plateau has width one, and those among them with width two at the end."""
    for arguments, stated in (({}, printed), ({"factor": factor, "longer": longer}, smaller)):
        found = [first_layer(panel, seed, **arguments) for seed in range(8)]
        alone = [rest for rest in found if rest[1].width == 1]
        assert (len(alone), sum(rest[-1].width == 2 for rest in alone)) == stated


def test_the_linear_phase_of_softmax_heads_is_their_gradient_at_small_weights() -> None:
    """Key and query of one head: differences of the compiled gradient give the matrix of the linear flow."""
    inputs, targets = data.tokens(1, context=5, samples=40)
    layer = SoftmaxHeads(softmax_head(3, 6), inputs, targets)
    together, _ = fitted_to_the_mean(layer.tokens, targets[:, 0])
    matrix, small = linear_growth(layer.tokens, targets[:, 0], 4), 1e-6
    for place in range(6):
        first = np.zeros((4, 6))
        first[2, place] = small
        _, (_, slopes) = layer.gradient([np.tile(together / 4, (4, 1)), first])
        assert -slopes[2] / small == pytest.approx(matrix[:, place], abs=1e-5)


@pytest.mark.slow
def test_softmax_attention_at_the_printed_size() -> None:
    """50 heads, 32 tokens, 8192 samples, scale 10^-6: one head leaves the others, the loss rests, then falls again."""
    found = run("saddle_to_saddle.softmax", {"samples": 8192, "seed": 0, "time": 80.0})
    assert (found["large"], found["plateau_width"], found["final_width"]) == (1, 2, 3)
    assert found["steps"] > 40000
    assert found["first_loss"] > 1.9
    assert found["loss"] < 0.3
