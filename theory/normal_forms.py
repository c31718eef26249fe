"""Normal form coefficients of a critical orbit, by projection on its critical eigenvectors."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import flint

from theory.jets import Jet, Number, Vector, adjugate, dot, solve


@dataclass(frozen=True)
class RealNormalForm:
    """The centre manifold of a simple critical multiplier 1 or -1 (Map) or eigenvalue 0 (Flow)."""

    drift: Number
    quadratic: Number
    cubic: Number


def real_normal_form(
    jet: Jet, critical: Number, resonant: Number, one: Number, is_nonzero: Callable[[Number], bool]
) -> RealNormalForm | None:
    """Drift, quadratic and cubic coefficient of the motion along the critical direction.

    ``critical`` is the critical eigenvalue; ``resonant`` is the one at which its square acts (1 for maps, 0 for
    flows). With multiplier -1 the cubic coefficient decides a flip. None when no eigenvector is certain.

    >>> from fractions import Fraction as Q
    >>> jet = Jet(1, {(0, 0): Q(-1), (0, 0, 0): Q(2), (0, 0, 0, 0): Q(6)}, [Q(0)], Q(0))
    >>> real_normal_form(jet, Q(-1), Q(1), Q(1), bool).cubic
    Fraction(2, 1)
    """
    zero = jet.zero
    vectors = _eigenvectors(_shifted(jet, critical), zero, one, is_nonzero)
    if vectors is None:
        return None
    right, left = vectors
    forcing = jet.apply(right, right)
    quadratic = dot(left, forcing, zero)
    matrix = _shifted(jet, resonant)
    if critical is resonant:
        # The critical part is no answer of the stable directions; its projector makes the matrix invertible.
        forcing = [f - r * quadratic for f, r in zip(forcing, right, strict=True)]
        matrix = [[m + r * l for m, l in zip(row, left, strict=True)] for row, r in zip(matrix, right, strict=True)]
    response = [-entry for entry in solve(matrix, forcing, zero, one)]
    two = one + one
    six = two + two + two
    cubic = dot(left, jet.apply(right, right, right), zero) / six + dot(left, jet.apply(right, response), zero) / two
    return RealNormalForm(dot(left, jet.drift, zero), quadratic / two, cubic)


def _shifted(jet: Jet, eigenvalue: Number) -> list[Vector]:
    return [
        [entry - eigenvalue if i == j else entry for j, entry in enumerate(row)] for i, row in enumerate(jet.linear)
    ]


def _eigenvectors(
    singular: list[Vector], zero: Number, one: Number, is_nonzero: Callable[[Number], bool]
) -> tuple[Vector, Vector] | None:
    """The adjugate of a matrix with a simple kernel is a column of the kernel times a row of the cokernel."""
    product = adjugate(singular, zero, one)
    size = range(len(product))
    for i, j in itertools.product(size, repeat=2):
        right, left = [product[k][j] for k in size], product[i]
        scale = dot(left, right, zero)
        if is_nonzero(product[i][j]) and is_nonzero(scale):
            return right, [entry / scale for entry in left]
    return None


def first_lyapunov_coefficient(jet: Jet, discrete: bool) -> Number | None:
    """A ball with the sign of the first Lyapunov coefficient of a critical complex pair in the plane.

    None at the strong resonances, where another normal form would be needed.
    """
    zero, one = flint.acb(0), flint.acb(1)
    (a, b), (c, d) = jet.linear
    half = (a + d) / 2
    eigenvalue = half + flint.acb(0, 1) * (a * d - b * c - half * half).sqrt()
    if discrete and ((eigenvalue**4 - 1).contains(0) or (eigenvalue**3 - 1).contains(0)):
        return None
    # A complex pair needs b*c < 0, so these eigenvectors never vanish.
    right, left = [b, eigenvalue - a], [c, eigenvalue - a]
    scale = dot(left, right, zero)
    left = [entry / scale for entry in left]
    conjugate = [flint.acb(entry.real, -entry.imag) for entry in right]

    def response(shift: Number, forcing: Vector) -> Vector:
        return [-entry for entry in solve(_shifted(jet, shift), forcing, zero, one)]

    neutral, doubled = (one, eigenvalue * eigenvalue) if discrete else (zero, 2 * eigenvalue)
    mean = response(neutral, jet.apply(right, conjugate))
    double = response(doubled, jet.apply(right, right))
    total = (
        dot(left, jet.apply(right, right, conjugate), zero)
        + 2 * dot(left, jet.apply(right, mean), zero)
        + dot(left, jet.apply(conjugate, double), zero)
    )
    return (total / eigenvalue if discrete else total).real
