"""Leading coefficients for large N are the limits of the exact values, and the series arithmetic is exact."""

import pytest
from sympy import Integer, Rational, Symbol

from theory.associative_memory._paper import ALPHA, C
from theory.associative_memory.gradients import Data
from theory.associative_memory.leading import SMALL, Laurent, large_data
from theory.associative_memory.one_layer import Attention
from theory.associative_memory.query_key import FirstStep, first_step, projection
from theory.errors import LemmascopeError

LEVEL, RATIO, SIZE = Rational(1, 4), Integer(3), Integer(10) ** 9
BETA = {Symbol("beta_1"): Integer(2), Symbol("beta_2"): Integer(1)}


def large() -> Data:
    """A vocabulary so large that the powers of the eigenvalues are far below what is compared."""
    return Data(True, RATIO * SIZE, SIZE, LEVEL, (Integer(0), Integer(0)))


def assert_limit(series: Laurent, value: Rational) -> None:
    order, coefficient = series.leading
    limit = coefficient.subs({ALPHA: LEVEL, C: RATIO, Symbol("p"): Rational(1, 8), **BETA})
    assert abs(value * SIZE**order / limit - 1) < Rational(1, 10**6)


@pytest.mark.parametrize(("row", "column"), [("noise", "trigger"), ("trigger", "noise"), ("j", "j"), ("j", "k")])
def test_table_entries(row: str, column: str) -> None:
    assert_limit(large_data().entry(row, column), large().entry(row, column))
    assert_limit(large_data().variance(row, column), large().variance(row, column))


@pytest.mark.parametrize("token", ["j", "trigger", "noise"])
def test_projections_of_phase_three(token: str) -> None:
    attention = Attention(large(), *BETA.values())
    assert_limit(projection("current", token), attention.current(token))
    assert_limit(projection("previous", token), attention.previous(token))


@pytest.mark.parametrize("token", ["j", "trigger", "noise"])
def test_projections_of_the_first_step(token: str) -> None:
    assert_limit(first_step().total(token), FirstStep(large(), Rational(1, 8)).total(token))


def test_series_divide_exactly() -> None:
    series = Laurent.of(ALPHA) + SMALL
    assert ((1 / series) * series - 1).coefficient(3) == 0
    assert (1 / series).coefficient(1) == -(ALPHA**-2)


def test_series_refuse_to_guess() -> None:
    with pytest.raises(LemmascopeError, match="zero as far as it is known"):
        _ = (SMALL - SMALL).leading
    with pytest.raises(LemmascopeError, match="monomial"):
        _ = (Laurent.of(ALPHA) + 1).inverse()
