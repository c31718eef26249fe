"""Section 2 and Appendix B: the layers that the paper names, each as an instance of Eq. (1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product
from math import factorial

from sympy import Abs, Expr, Function, Integer, Matrix, Symbol, exp, eye, prod, sin, symbols, tanh, zeros

from theory.saddle_to_saddle.layer import Layer, Vector, same


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


def dot(a: Vector, b: Vector) -> Expr:
    """The sum of products."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Integer(0))


# One layer ----------------------------------------------------------------------------------------------------------


def fully_connected(activation: Callable[[Expr], Expr], *, inputs: int, outputs: int = 1) -> Layer:
    """Neurons sigma(u.z), the same for every output.

    >>> fully_connected(tanh, inputs=1).phi((Symbol("z"),), (Symbol("u"),))
    Matrix([[tanh(u*z)]])
    """

    def phi(z: Vector, u: Vector) -> Matrix:
        return activation(dot(u, z)) * eye(outputs)

    return Layer(phi, inputs, outputs)


def linear_in_weights(inputs: int, outputs: int = 1) -> Layer:
    """Every unit map that is linear in u: phi = (a.u) I with coefficients a that depend on the sample only."""
    return fully_connected(same, inputs=inputs, outputs=outputs)


def convolution(activation: Callable[[Expr], Expr], *, outputs: int = 1) -> Layer:
    """Kernels of size 2 and stride 2 on four inputs, Eqs. (66) and (68); second weights for each place and output."""

    def phi(z: Vector, u: Vector) -> Matrix:
        places = [activation(u[0] * z[k] + u[1] * z[k + 1]) for k in (0, 2)]
        return Matrix.hstack(*[place * eye(outputs) for place in places])

    return Layer(phi, 2, 2 * outputs)


def monomials(degree: int, inputs: int) -> list[tuple[int, ...]]:
    """The index sets of the products of a degree.

    >>> monomials(2, 2)
    [(0, 0), (0, 1), (1, 1)]
    """
    return list(combinations_with_replacement(range(inputs), degree))


def polynomial_form(degree: int, inputs: int = 2, *, outputs: int = 1) -> Layer:
    """Units (u.x)^degree as a form in u, Eq. (13) for degree 2; the inputs are the products of the entries of x.

    >>> polynomial_form(2).phi(symbols("z_1:4"), symbols("u_1:3"))
    Matrix([[u_1**2*z_1 + 2*u_1*u_2*z_2 + u_2**2*z_3]])
    """
    terms = monomials(degree, inputs)
    shares = [Integer(factorial(degree)) / prod(factorial(term.count(k)) for k in set(term)) for term in terms]

    def phi(z: Vector, u: Vector) -> Matrix:
        parts = [c * x * prod(u[k] for k in term) for c, x, term in zip(shares, z, terms, strict=True)]
        return sum(parts, Integer(0)) * eye(outputs)

    return Layer(phi, inputs, outputs)


# Attention ----------------------------------------------------------------------------------------------------------


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


def merged_attention() -> Layer:
    """The same linear head with one number in the place of key times query."""

    def phi(z: Vector, u: Vector) -> Matrix:
        return Matrix(2, 2, lambda row, column: z[row] * u[0] * z[column]) * Matrix(list(z))

    return Layer(phi, 1, 1)


def regression_head(size: int, *, merged: bool = False, outputs: int = 1) -> Layer:
    """A rank-1 head of (69) at the query: sum of v_a S_ab k_b q_c x_c; the inputs are the products S_ab x_c.

    Merged, a matrix with entries A_bc stands in the place of k_b q_c. The second weights are the rows of V that the
    outputs read.
    """
    places = list(product(range(size), repeat=3))

    def phi(z: Vector, u: Vector) -> Matrix:
        row = zeros(1, size)
        for (a, b, c), entry in zip(places, z, strict=True):
            row[a] += entry * (u[size * b + c] if merged else u[b] * u[size + c])
        return Matrix(outputs, outputs * size, lambda k, j: row[j % size] if j // size == k else Integer(0))

    return Layer(phi, size**2 if merged else 2 * size, outputs * size)


def softmax_head(size: int, tokens: int) -> Layer:
    """A rank-1 softmax head at the query, the last token: v times the tokens averaged with the weights of its scores.

    The inputs are the tokens, one after the other.
    """

    def phi(z: Vector, u: Vector) -> Matrix:
        rows = [list(z)[size * n : size * (n + 1)] for n in range(tokens)]
        asked = dot(u[size:], rows[-1])
        powers = [exp(asked * dot(u[:size], row)) for row in rows]
        total = sum(powers, Integer(0))
        return Matrix([[sum(p * row[a] for p, row in zip(powers, rows, strict=True)) / total for a in range(size)]])

    return Layer(phi, 2 * size, size)


# Deeper networks, Appendix B.2 and B.3 ------------------------------------------------------------------------------

OUTER: Sequence[Symbol] = symbols("w_1:3")
"""Weights of the layers around the one in question; the statements hold for all their values."""


def _weighed(values: Vector) -> Vector:
    return [dot(OUTER, values)]


def _mixed(values: Vector) -> Vector:
    """W x + x: a layer that a connection skips, before the layer in question."""
    return [value + weight * value for value, weight in zip(values, OUTER, strict=True)]


def deep(activation: Callable[[Expr], Expr]) -> Layer:
    """A first hidden layer below another linear one, Fig. 5."""
    inner = fully_connected(activation, inputs=2, outputs=2)
    return Layer(inner.phi, inner.first, inner.second, after=_weighed)


def behind_skip() -> Layer:
    """The third layer of (18b): what it receives has gone through a connection that skips one layer."""
    inner = linear_in_weights(2, 1)
    return Layer(inner.phi, inner.first, inner.second, before=_mixed)


def skipped() -> Layer:
    """The second and third layers of (18c), which a connection skips."""
    inner = linear_in_weights(2, 2)
    return Layer(inner.phi, inner.first, inner.second, after=_weighed, skip=same)


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
    "merged-attention": merged_attention(),
    "deep-linear": deep(ACTIVATIONS["linear"]),
    "deep-quadratic": deep(ACTIVATIONS["quadratic"]),
    "behind-skip": behind_skip(),
    "skipped": skipped(),
}
"""The architectures that the paper names, at their smallest sizes."""

INPUTS: dict[str, int] = {name: 4 if name.startswith("convolution") else 2 for name in ARCHITECTURES}
"""How many numbers each of them reads."""


def kronecker(left: Matrix, right: Matrix) -> Matrix:
    """The Kronecker product of two matrices.

    >>> kronecker(Matrix([1, 2]), Matrix([1, 3])).T
    Matrix([[1, 3, 2, 6]])
    """
    return Matrix.vstack(*[Matrix.hstack(*[entry * right for entry in left.row(i)]) for i in range(left.rows)])


__all__ = [
    "ACTIVATIONS",
    "ARCHITECTURES",
    "INPUTS",
    "OUTER",
    "abstract",
    "attention",
    "behind_skip",
    "convolution",
    "deep",
    "dot",
    "fully_connected",
    "kronecker",
    "linear_in_weights",
    "merged_attention",
    "monomials",
    "polynomial_form",
    "regression_head",
    "relu",
    "skipped",
    "softmax_head",
]
