"""The gradient that trains a network is the one SymPy derives for the whole loss, at any depth."""

import numpy as np
import pytest
import sympy as sp

from numerics import PREDICTION, TARGET, UNIT, Network, Status, Trainer, train, train_flow
from theory.errors import LemmascopeError

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("widths", [(2, 3, 1), (2, 2, 2, 2)])
@pytest.mark.parametrize("activation", [sp.tanh(UNIT), sp.Max(UNIT, 0), UNIT])
@pytest.mark.sampled(2)
def test_the_gradient_is_that_of_the_loss_written_out(widths, activation):
    network = Network(widths, activation)
    inputs, targets = RNG.normal(size=(4, widths[0])), RNG.normal(size=(4, widths[-1]))
    weights = network.random_weights(seed=3, scale=0.9)
    symbols = [sp.Matrix(*w.shape, sp.symbols(f"w{k}_:{w.size}", real=True)) for k, w in enumerate(weights)]
    loss = 0
    for sample, target in zip(inputs, targets, strict=True):
        layer = sp.Matrix(sample)
        for matrix in symbols[:-1]:
            layer = (matrix * layer).applyfunc(lambda z: activation.subs(UNIT, z))
        layer = symbols[-1] * layer
        loss += sum((p - t) ** 2 for p, t in zip(layer, target, strict=True)) / 8
    values = {s: v for m, w in zip(symbols, weights, strict=True) for s, v in zip(m, w.ravel(), strict=True)}
    ours, gradient = Trainer(network, inputs, targets).gradient(weights)
    assert ours == pytest.approx(float(loss.subs(values)))
    for matrix, g in zip(symbols, gradient, strict=True):
        expected = [float(sp.diff(loss, s).subs(values).doit()) for s in matrix]
        assert g.ravel() == pytest.approx(expected)


def test_descent_flow_schedule_momentum_and_batches_reach_the_least_squares_solution():
    inputs = RNG.normal(size=(50, 3))
    targets = inputs @ np.array([[1.0], [-2.0], [0.5]])
    trainer, start = Trainer(Network((3, 1), UNIT), inputs, targets), [np.zeros((1, 3))]
    n = sp.Symbol("n")
    runs = [
        train(trainer, start, 400, learning_rate=0.3),
        train(trainer, start, 400, learning_rate=0.5 / (1 + n / 100)),
        train(trainer, start, 400, learning_rate=0.1, momentum=0.9),
        train(trainer, start, 2000, learning_rate=0.05, batch=10, seed=1),
        train_flow(trainer, start, [10.0, 60.0]),
    ]
    for run in runs:
        assert run.status == Status.FINISHED
        assert run.weights[0][0] == pytest.approx([1.0, -2.0, 0.5], abs=1e-4)


def test_batches_repeat_with_the_seed_and_divergence_is_a_status():
    trainer = Trainer(Network((1, 4, 1), sp.tanh(UNIT)), RNG.normal(size=(20, 1)), RNG.normal(size=(20, 1)))
    start = trainer.network.random_weights(seed=0, scale=0.5)
    one = train(trainer, start, 30, learning_rate=0.1, batch=5, seed=9)
    two = train(trainer, start, 30, learning_rate=0.1, batch=5, seed=9)
    np.testing.assert_array_equal(one.losses, two.losses)
    wild = Trainer(Network((1, 1, 1), UNIT), [[1.0]], [[1.0]])
    assert train(wild, [np.ones((1, 1)) * 3] * 2, 100, learning_rate=5.0).status == Status.DIVERGED


def test_other_losses_are_derived_too():
    logistic = sp.log(1 + sp.exp(-TARGET * PREDICTION))
    trainer = Trainer(Network((1, 1), UNIT, logistic), [[1.0], [2.0]], [[1.0], [-1.0]])
    value, gradient = trainer.gradient([np.array([[0.3]])])
    assert value == pytest.approx((np.log1p(np.exp(-0.3)) + np.log1p(np.exp(0.6))) / 2)
    assert gradient[0][0, 0] == pytest.approx((-1 / (1 + np.exp(0.3)) + 2 / (1 + np.exp(-0.6))) / 2)


def test_bad_networks_and_data_are_refused():
    with pytest.raises(LemmascopeError, match="no network"):
        Network((3,), UNIT)
    with pytest.raises(LemmascopeError, match="UNIT only"):
        Network((1, 1), sp.Symbol("q"))
    with pytest.raises(LemmascopeError, match="do not fit"):
        Trainer(Network((2, 1), UNIT), [[1.0]], [[1.0]])
    with pytest.raises(LemmascopeError, match="nan"):
        Trainer(Network((1, 1), UNIT), [[np.nan]], [[1.0]])
    trainer = Trainer(Network((1, 1), UNIT), [[1.0]], [[1.0]])
    with pytest.raises(LemmascopeError, match="batch=3"):
        train(trainer, [np.zeros((1, 1))], 1, learning_rate=1, batch=3)
