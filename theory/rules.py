"""Training rules, each defined once: what becomes of one weight, given its slope, its memory and the step.

A `Rule` is formulas. `theory.optimisers` puts the gradient of a loss into them and gets a Map; the training code of
`numerics` compiles the same formulas and runs them on arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy as sp

from theory.errors import LemmascopeError
from theory.scalars import scalar

WEIGHT, SLOPE = sp.Symbol("weight", real=True), sp.Symbol("slope", real=True)
"""One weight, and the derivative of the loss with respect to it."""

NORM, DIRECTION = sp.Symbol("slope_norm", nonnegative=True), sp.Symbol("direction", real=True)
"""The Euclidean norm of all slopes, and the entry of an orthogonalised matrix."""

CUBIC = (sp.Rational(3, 2), sp.Rational(-1, 2), sp.S.Zero)
"""Newton-Schulz coefficients that converge to an orthogonal matrix."""

QUINTIC = (sp.Rational(34445, 10000), sp.Rational(-4775, 1000), sp.Rational(20315, 10000))
"""Steeper coefficients, used by Muon: singular values end in a band around one."""

BETA1, BETA2, LION_BETA2, MUON_MOMENTUM = map(sp.Rational, ("9/10", "999/1000", "99/100", "95/100"))
ADAM_EPSILON, ADAGRAD_EPSILON, MUON_EPSILON = (sp.Rational(1, 10**digits) for digits in (8, 10, 7))
"""What the common implementations take unless told otherwise."""


@dataclass(frozen=True)
class Memory:
    """A number kept for each weight from step to step."""

    name: str
    becomes: sp.Expr
    start: sp.Expr = sp.S.Zero

    @property
    def symbol(self) -> sp.Symbol:
        """What stands for it in the formulas of a rule."""
        return remembered(self.name)


@dataclass(frozen=True)
class Shared:
    """A quantity that takes more than one weight: the norm of all entries, or the orthogonalised matrix of them."""

    symbol: sp.Symbol
    kind: Literal["norm", "orthogonal"]
    of: sp.Expr
    coefficients: tuple[sp.Expr, ...] = CUBIC
    iterations: int = 1
    epsilon: sp.Expr = sp.S.Zero
    """Added to the norm by which a matrix is divided before it is orthogonalised."""


@dataclass(frozen=True)
class Rule:
    """One step of training: the new weight and memory as formulas in WEIGHT, SLOPE, the old memory and the step.

    ``slope_at`` is where the gradient is taken, ``shared`` what has to be computed from all weights together, ``time``
    the step counter, which is 0 at the first step.

    >>> eta, beta = sp.symbols("eta beta")
    >>> rule = momentum(eta, beta)
    >>> rule.moved
    beta*(weight - weight_prev) - eta*slope + weight
    """

    moved: sp.Expr
    memory: tuple[Memory, ...] = ()
    slope_at: sp.Expr = WEIGHT
    shared: tuple[Shared, ...] = ()
    time: sp.Symbol | None = None

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """The symbols that are neither weight, slope, memory, shared nor the step."""
        own = {WEIGHT, SLOPE, self.time, *(kept.symbol for kept in self.memory), *(part.symbol for part in self.shared)}
        formulas = (self.moved, self.slope_at, *(m.becomes for m in self.memory), *(part.of for part in self.shared))
        used = set().union(*(formula.free_symbols for formula in formulas))
        return tuple(sorted(used - own, key=lambda symbol: symbol.name))


def remembered(name: str) -> sp.Symbol:
    """The symbol of a memory."""
    return sp.Symbol(f"weight_{name}", real=True)


def newton_schulz_step(matrix: Any, coefficients: Sequence[Any]) -> Any:
    """One Newton-Schulz iteration a X + b (X X^T) X + c (X X^T)^2 X, for SymPy matrices and for arrays.

    >>> newton_schulz_step(sp.Matrix([[sp.Symbol("s")]]), CUBIC)
    Matrix([[-s**3/2 + 3*s/2]])
    """
    first, second, third = coefficients
    square = matrix @ matrix.T
    turned = square @ matrix
    result = matrix * first + turned * second
    return result if third == 0 else result + square @ turned * third


def descent(
    learning_rate: Any, *, weight_decay: Any = 0, decoupled_decay: Any = 0, time: sp.Symbol | None = None
) -> Rule:
    """Gradient descent."""
    rate, slope = scalar(learning_rate, "learning rate"), _slope(WEIGHT, weight_decay)
    return _decayed(Rule(WEIGHT - rate * slope, time=time), rate, decoupled_decay)


def momentum(
    learning_rate: Any,
    momentum: Any,
    *,
    look_ahead: bool = False,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """Polyak's heavy ball; with ``look_ahead`` Nesterov's method, whose slope is taken where momentum alone leads."""
    rate, beta = scalar(learning_rate, "learning rate"), scalar(momentum, "momentum")
    before = Memory("prev", WEIGHT, WEIGHT)
    carried = beta * (WEIGHT - before.symbol)
    slope_at = WEIGHT + carried if look_ahead else WEIGHT
    moved = WEIGHT - rate * _slope(slope_at, weight_decay) + carried
    return _decayed(Rule(moved, (before,), slope_at, time=time), rate, decoupled_decay)


def sign(learning_rate: Any, *, weight_decay: Any = 0, decoupled_decay: Any = 0, time: sp.Symbol | None = None) -> Rule:
    """Every weight moves by the learning rate against the sign of its slope."""
    rate = scalar(learning_rate, "learning rate")
    return _decayed(Rule(WEIGHT - rate * sp.sign(_slope(WEIGHT, weight_decay)), time=time), rate, decoupled_decay)


def normalised(
    learning_rate: Any,
    *,
    epsilon: Any = 0,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """A step of the length of the learning rate against the gradient; undefined where the gradient is zero."""
    rate, slope = scalar(learning_rate, "learning rate"), _slope(WEIGHT, weight_decay)
    moved = WEIGHT - rate * slope / (NORM + scalar(epsilon, "epsilon"))
    return _decayed(Rule(moved, shared=(Shared(NORM, "norm", slope),), time=time), rate, decoupled_decay)


def clipped(
    learning_rate: Any,
    threshold: Any,
    *,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """Gradient descent with a gradient that is shortened to the threshold where it is longer."""
    rate, most = scalar(learning_rate, "learning rate"), scalar(threshold, "threshold")
    slope = _slope(WEIGHT, weight_decay)
    moved = WEIGHT - rate * slope * most / sp.Max(most, NORM)
    return _decayed(Rule(moved, shared=(Shared(NORM, "norm", slope),), time=time), rate, decoupled_decay)


def adagrad(
    learning_rate: Any,
    *,
    epsilon: Any = ADAGRAD_EPSILON,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """Slopes divided by the root of the sum of all earlier squares and its own."""
    rate, slope = scalar(learning_rate, "learning rate"), _slope(WEIGHT, weight_decay)
    squares = Memory("v", remembered("v") + slope**2)
    moved = WEIGHT - rate * slope / (sp.sqrt(squares.becomes) + scalar(epsilon, "epsilon"))
    return _decayed(Rule(moved, (squares,), time=time), rate, decoupled_decay)


def adam(
    learning_rate: Any,
    beta1: Any = BETA1,
    beta2: Any = BETA2,
    *,
    epsilon: Any = ADAM_EPSILON,
    bias_correction: bool = True,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """Averages of slopes over the root of averages of squares; the correction of their bias needs the step ``time``."""
    if bias_correction and time is None:
        raise LemmascopeError(
            "the bias correction of Adam needs the step: name it, time=k, or take bias_correction=False (late steps)"
        )
    rate, slope = scalar(learning_rate, "learning rate"), _slope(WEIGHT, weight_decay)
    first, second = scalar(beta1, "beta1"), scalar(beta2, "beta2")
    mean = Memory("m", first * remembered("m") + (1 - first) * slope)
    square = Memory("v", second * remembered("v") + (1 - second) * slope**2)
    steps = (time + 1) if bias_correction and time is not None else sp.oo
    unbiased = [
        kept.becomes / (1 - beta**steps) if bias_correction else kept.becomes
        for kept, beta in ((mean, first), (square, second))
    ]
    moved = WEIGHT - rate * unbiased[0] / (sp.sqrt(unbiased[1]) + scalar(epsilon, "epsilon"))
    return _decayed(Rule(moved, (mean, square), time=time), rate, decoupled_decay)


def lion(
    learning_rate: Any,
    beta1: Any = BETA1,
    beta2: Any = LION_BETA2,
    *,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """The sign of one average of slopes; another average is remembered."""
    rate, slope = scalar(learning_rate, "learning rate"), _slope(WEIGHT, weight_decay)
    first, second = scalar(beta1, "beta1"), scalar(beta2, "beta2")
    mean = Memory("m", second * remembered("m") + (1 - second) * slope)
    moved = WEIGHT - rate * sp.sign(first * mean.symbol + (1 - first) * slope)
    return _decayed(Rule(moved, (mean,), time=time), rate, decoupled_decay)


def muon(
    learning_rate: Any,
    momentum: Any = MUON_MOMENTUM,
    *,
    coefficients: Sequence[Any] = QUINTIC,
    iterations: int = 5,
    epsilon: Any = MUON_EPSILON,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Rule:
    """Momentum of each weight matrix, normalised and orthogonalised by Newton-Schulz iterations."""
    rate, slope = scalar(learning_rate, "learning rate"), _slope(WEIGHT, weight_decay)
    kept = Memory("m", scalar(momentum, "momentum") * remembered("m") + slope)
    numbers = tuple(scalar(value, "coefficient") for value in coefficients)
    if len(numbers) != 3 or not isinstance(iterations, int) or iterations < 1:
        raise LemmascopeError("Newton-Schulz needs three coefficients a, b, c and at least one iteration")
    direction = Shared(DIRECTION, "orthogonal", kept.becomes, numbers, iterations, scalar(epsilon, "epsilon"))
    return _decayed(Rule(WEIGHT - rate * DIRECTION, (kept,), shared=(direction,), time=time), rate, decoupled_decay)


def _slope(at: sp.Expr, weight_decay: Any) -> sp.Expr:
    """The slope of the loss with weight decay in it."""
    return SLOPE + scalar(weight_decay, "weight decay") * at


def _decayed(rule: Rule, rate: sp.Expr, decay: Any) -> Rule:
    """The rule with weight decay beside the gradient instead of in it."""
    return replace(rule, moved=rule.moved - rate * scalar(decay, "decoupled decay") * WEIGHT)
