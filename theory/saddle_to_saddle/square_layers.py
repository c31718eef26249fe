"""Lemma 6 where it holds: as many inputs as outputs, different positive singular values, any number of units."""

from __future__ import annotations

from itertools import pairwise

from sympy import And, Eq, Interval, Matrix, Or, Symbol, symbols
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.domains import POSITIVE
from theory.saddle_to_saddle._display import claim_on_reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.linear_fixed_points import columns
from theory.scope import own
from theory.statements import Statement

MANY = (
    "For any number of units: W stands for their sum, and the equations R W^T = 0, W^T R = 0 are sums of the equations"
    " of the single units, of which one is written out."
)


def _square(size: int) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
    """Sigma, W, the residual, and one unit, with white inputs."""
    values = symbols(f"s_1:{size + 1}")
    sigma = Matrix.diag(*values)
    product_ = Matrix(size, size, lambda row, column: Symbol(f"w_{row + 1}{column + 1}"))
    ((v, u),) = columns("a", size, size)
    return sigma, product_, sigma - product_, v, u


def _ordered(size: int) -> tuple[Boolean, ...]:
    values = symbols(f"s_1:{size + 1}")
    return tuple(larger > smaller for larger, smaller in pairwise(values))


def _positive(size: int) -> dict[Symbol, Interval]:
    return dict.fromkeys(symbols(f"s_1:{size + 1}"), POSITIVE)


@paper.statement(
    "lemma-6.corrected",
    "Two inputs and outputs, different positive singular values, any width: W is as in (40)",
    scope=own("the nearest true form of lemma-6, necessity: two outputs, two inputs, white inputs, any width"),
)
def lemma_6_corrected() -> Statement:
    sigma, product_, residual, *_ = _square(2)
    at_rest = [Eq(entry, 0) for entry in (*(residual * product_.T), *(product_.T * residual))]
    kept = [Or(Eq(product_[k, k], 0), Eq(product_[k, k], sigma[k, k])) for k in range(2)]
    off = [Eq(product_[0, 1], 0), Eq(product_[1, 0], 0)]
    return claim_on_reals(And(*off, *kept), given=(*_ordered(2), *at_rest), variables=_positive(2), notes=MANY)


ANY = "lemma-6.corrected-any"


@paper.statement(
    ANY,
    "As many inputs as outputs, any number of both: W has no entry off the diagonal",
    scope=own("the nearest true form of lemma-6, necessity: one pair of directions stands for all, white inputs"),
)
def lemma_6_any() -> Statement:
    """Two directions i, j stand for every pair; the equations between their entries are step symmetric."""
    one, other, there, back = symbols("s_i s_j w_ij w_ji")
    return claim_on_reals(
        And(Eq(there, 0), Eq(back, 0)),
        given=(one > other, Eq(one * back, other * there), Eq(other * back, one * there)),
        variables={one: POSITIVE, other: POSITIVE},
        notes=MANY,
    )


def _register_symmetric(size: int) -> None:
    @paper.step(
        ANY,
        f"symmetric-{size}",
        f"{size} directions: R W^T = 0 and W^T R = 0 give these equations",
        scope=own("a step of ours, for this number of directions"),
    )
    def symmetric() -> Statement:
        """Both products differ from their transposes only by what is linear in W."""
        sigma, product_, residual, *_ = _square(size)
        left, right = residual * product_.T, product_.T * residual
        return claim_on_reals(
            equal(
                (left - left.T, sigma * product_.T - product_ * sigma),
                (right - right.T, product_.T * sigma - sigma * product_),
            )
        )


for _size in (2, 3, 4, 5):
    _register_symmetric(_size)


@paper.step(
    ANY,
    "values",
    "On the diagonal W has a singular value or zero, and every unit is in the spans of (40)",
    scope=own("a step of ours: one direction stands for all"),
)
def step_values() -> Statement:
    """One direction stands for all: (s - w) w = 0 and (s - w) u = (s - w) v = 0."""
    value, entry, v, u = symbols("s_k w_kk v_k u_k")
    rest = value - entry
    return claim_on_reals(
        Or(Eq(entry, value), And(Eq(entry, 0), Eq(v, 0), Eq(u, 0))),
        given=(Eq(rest * entry, 0), Eq(rest * u, 0), Eq(rest * v, 0)),
        variables={value: POSITIVE},
        notes=MANY,
    )
