"""Section 2: one layer of H units inside a network, Eq. (1), and the gradient flow of each unit, Eqs. (21)-(22).

A unit map takes the processed input z and the unit's first weights u and yields the matrix phi; the layer sums
phi(z; u_i) v_i over its units. Everything else, the loss and the flow, is derived from that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sympy import Abs, Expr, Function, Integer, Matrix, Rational, Subs, Symbol, exp, eye, sin, symbols, tanh, zeros
from sympy.core.function import AppliedUndef

from theory.dynamics import Flow, gradient_flow

Vector = Sequence[Expr]
Unit = tuple[Matrix, tuple[Expr, ...]]
"""Second weights v (a column) and first weights u of one unit."""

UnitMap = Callable[[Vector, Vector], Matrix]
Sample = tuple[Vector, Vector]
"""Input and target."""


HALF = Rational(1, 2)


def same(values: Vector) -> Vector:
    """Processing that changes nothing."""
    return values


@dataclass(frozen=True)
class Layer:
    """A layer of Eq. (1): the unit map, the numbers of first and second weights, and what comes before and after.

    >>> linear = fully_connected(lambda s: s, inputs=1)
    >>> x, y = symbols("x y")
    >>> flow = linear.flow([((x,), (y,))], linear.units("ab", 1))
    >>> flow.state
    (v_a1, u_a1)
    >>> flow.velocity[0].factor()
    -u_a1*x*(u_a1*v_a1*x - y)
    """

    phi: UnitMap
    first: int
    second: int
    before: Callable[[Vector], Vector] = same
    after: Callable[[Vector], Vector] = same

    def units(self, names: str, count: int) -> list[Unit]:
        """Units with weights of their own: v_a1, ..., u_a1, ... for the name a."""
        return [
            (
                Matrix(symbols(f"v_{name}1:{self.second + 1}")),
                symbols(f"u_{name}1:{self.first + 1}"),
            )
            for name in names[:count]
        ]

    def sum(self, inputs: Vector, units: Sequence[Unit]) -> Matrix:
        """zeta, the sum over the units."""
        z = self.before(inputs)
        rows = self.phi(z, units[0][1]).rows
        return sum((self.phi(z, u) * v for v, u in units), zeros(rows, 1))

    def output(self, inputs: Vector, units: Sequence[Unit]) -> Vector:
        """The network's output."""
        return self.after(list(self.sum(inputs, units)))

    def loss(self, data: Sequence[Sample], units: Sequence[Unit], weight: Expr = HALF) -> Expr:
        """The squared error, averaged over the samples; the experiments use the weight 1, the analysis 1/2."""
        total = sum(
            (target - value) ** 2
            for inputs, targets in data
            for target, value in zip(targets, self.output(inputs, units), strict=True)
        )
        return weight * total / Integer(len(data))

    def flow(self, data: Sequence[Sample], units: Sequence[Unit], weight: Expr = HALF) -> Flow:
        """Gradient flow of the squared error, unit by unit."""
        return gradient_flow(self.loss(data, units, weight), state_of(units))

    def slopes_of_phi(self, z: Vector, u: Vector) -> list[Matrix]:
        """The derivative of phi with respect to each first weight."""
        marks = symbols(f"xi_1:{self.first + 1}")
        plain = self.phi(z, marks)
        return [plain.diff(mark).applyfunc(lambda entry: _at(entry, marks, u)) for mark in marks]

    def velocity(self, inputs: Sequence[Vector], unit: Unit, slopes: Sequence[Matrix]) -> list[Expr]:
        """What (21) and (22) print for one unit, when the slopes dl/dzeta of the samples are given."""
        v, u = unit
        share = -Integer(1) / len(inputs)
        of_v = zeros(self.second, 1)
        of_u = [Integer(0)] * self.first
        for x, slope in zip(inputs, slopes, strict=True):
            z = self.before(x)
            of_v += share * self.phi(z, u).T * slope
            for n, change in enumerate(self.slopes_of_phi(z, u)):
                of_u[n] += share * (v.T * change.T * slope)[0]
        return [*of_v, *of_u]


def _at(entry: Expr, marks: tuple[Symbol, ...], point: Vector) -> Expr:
    values = dict(zip(marks, point, strict=True))
    named = len(set(point)) == len(point) and all(isinstance(value, Symbol) for value in point)
    if named or not entry.has(AppliedUndef):
        return entry.xreplace(values) if named else entry.subs(values, simultaneous=True)
    return Subs(entry, marks, tuple(point))


def state_of(units: Sequence[Unit]) -> tuple[Symbol, ...]:
    """All weights, unit by unit, second weights first."""
    return tuple(weight for v, u in units for weight in (*v, *u))


# Unit maps ----------------------------------------------------------------------------------------------------------


def relu(s: Expr) -> Expr:
    """max(s, 0), written so that positive factors come out by themselves."""
    return (s + Abs(s)) / 2


ACTIVATIONS: dict[str, Callable[[Expr], Expr]] = {
    "linear": same,
    "quadratic": lambda s: s**2,
    "cubic": lambda s: s**3,
    "relu": relu,
    "tanh": tanh,
    "sin": sin,
    "sigmoid": lambda s: 1 / (1 + exp(-s)),
    "s-tanh-s": lambda s: s * tanh(s),
}


def fully_connected(activation: Callable[[Expr], Expr], *, inputs: int, outputs: int = 1) -> Layer:
    """Neurons sigma(u.z), the same for every output."""

    def phi(z: Vector, u: Vector) -> Matrix:
        return activation(sum(a * b for a, b in zip(u, z, strict=True))) * eye(outputs)

    return Layer(phi, inputs, outputs)


def convolution(activation: Callable[[Expr], Expr]) -> Layer:
    """Kernels of size 2 and stride 2 on four inputs, Eqs. (66) and (68)."""

    def phi(z: Vector, u: Vector) -> Matrix:
        return Matrix([[activation(u[0] * z[k] + u[1] * z[k + 1]) for k in (0, 2)]])

    return Layer(phi, 2, 2)


def attention(*, softmax: bool) -> Layer:
    """One head on two scalar tokens, Eq. (2): key and query are numbers k and q."""

    def phi(z: Vector, u: Vector) -> Matrix:
        key, query = u
        scores = Matrix(2, 2, lambda row, column: z[row] * query * key * z[column])
        if softmax:
            powers = scores.applyfunc(exp)
            scores = Matrix(2, 2, lambda row, column: powers[row, column] / sum(powers[row, :]))
        return scores * Matrix(list(z))

    return Layer(phi, 2, 1)


def linear_in_weights(inputs: int, outputs: int = 1) -> Layer:
    """Every unit map that is linear in u: phi = (a.u) I with coefficients a that depend on the sample only."""
    return fully_connected(same, inputs=inputs, outputs=outputs)


def abstract(first: int, second: int = 1) -> Layer:
    """An undefined unit map; the input of a sample is its number, and each number has a function of its own.

    >>> abstract(1).phi((Integer(2),), (Symbol("u"),))
    Matrix([[phi_2(u)]])
    """

    def phi(z: Vector, u: Vector) -> Matrix:
        return Function(f"phi_{z[0]}")(*u) * eye(second)

    return Layer(phi, first, second)


ARCHITECTURES: dict[str, Layer] = {
    **{name: fully_connected(activation, inputs=2) for name, activation in ACTIVATIONS.items()},
    "convolution-linear": convolution(ACTIVATIONS["linear"]),
    "convolution-relu": convolution(relu),
    "convolution-tanh": convolution(tanh),
    "softmax-attention": attention(softmax=True),
    "linear-attention": attention(softmax=False),
}
"""The architectures that the paper names, at their smallest sizes."""


def kronecker(left: Matrix, right: Matrix) -> Matrix:
    """The Kronecker product of two matrices.

    >>> kronecker(Matrix([1, 2]), Matrix([1, 3])).T
    Matrix([[1, 3, 2, 6]])
    """
    return Matrix.vstack(*[Matrix.hstack(*[entry * right for entry in left.row(i)]) for i in range(left.rows)])


__all__ = [
    "ACTIVATIONS",
    "ARCHITECTURES",
    "Layer",
    "Sample",
    "Unit",
    "Vector",
    "abstract",
    "attention",
    "convolution",
    "fully_connected",
    "kronecker",
    "linear_in_weights",
    "relu",
    "state_of",
]
