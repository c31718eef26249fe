"""The velocities of (21)-(22) are minus the gradients of the loss, by multiprecision finite differences."""

import mpmath
import pytest
from sympy import Matrix, Rational, symbols

from theory.saddle_to_saddle.architectures import ACTIVATIONS, ARCHITECTURES, INPUTS, OUTER, fully_connected, kronecker
from theory.saddle_to_saddle.layer import state_of
from theory.saddle_to_saddle.properties import properties

POINT = [Rational(k, 5) for k in (1, 3, -2, 4, 2, -1, 6, -3, 5, -4)]


@pytest.mark.parametrize(
    "name", ["linear", "cubic", "tanh", "sigmoid", "convolution-tanh", "softmax-attention", "skipped"]
)
def test_flow_is_minus_the_finite_difference(name: str) -> None:
    layer = ARCHITECTURES[name]
    units = layer.units("ab", 2)
    outputs = len(layer.output(POINT[: INPUTS[name]], units))
    state, data = state_of(units), [(POINT[: INPUTS[name]], POINT[3 : 3 + outputs])]
    here = dict(zip((*state, *OUTER), POINT, strict=False))
    flow, loss = layer.flow(data, units), layer.loss(data, units)
    with mpmath.workdps(40):
        step = mpmath.mpf(10) ** -12
        for weight, velocity in zip(state, flow.velocity, strict=True):
            values = [
                mpmath.mpmathify(loss.subs(here | {weight: here[weight] + sign * Rational(1, 10**12)}).evalf(40))
                for sign in (1, -1)
            ]
            slope = (values[0] - values[1]) / (2 * step)
            assert abs(slope + mpmath.mpmathify(velocity.subs(here).evalf(40))) < mpmath.mpf(10) ** -15


def test_printed_velocity_agrees_with_the_derived_one() -> None:
    layer = fully_connected(ACTIVATIONS["tanh"], inputs=2)
    units = layer.units("ab", 2)
    x, y = symbols("x_1:3"), symbols("y_1:2")
    slope = layer.sum(x, units) - Matrix(y)
    here = dict(zip((*state_of(units), *x, *y), POINT, strict=False))
    printed = layer.velocity([x], units[0], [slope])
    derived = layer.flow([(x, y)], units).velocity[:3]
    for left, right in zip(printed, derived, strict=True):
        assert abs((left - right).subs(here).evalf(30)) < 1e-25


def test_kronecker_of_columns_is_the_flattened_outer_product() -> None:
    a, b = Matrix([2, 3]), Matrix([5, 7])
    assert list(kronecker(a, b)) == list(a * b.T)


@pytest.mark.parametrize(
    ("name", "zero", "homogeneous", "linear"),
    [
        ("linear", True, "reals", True),
        ("relu", True, "nonnegative", False),
        ("convolution-relu", True, "nonnegative", False),
        ("convolution-linear", True, "reals", True),
        ("quadratic", True, "", False),
        ("sigmoid", False, "", False),
        ("softmax-attention", False, "", False),
        ("linear-attention", True, "", False),
        ("merged-attention", True, "reals", True),
        ("deep-quadratic", True, "", False),
        ("skipped", True, "reals", True),
    ],
)
def test_property_table_against_random_evaluation(name: str, zero: bool, homogeneous: str, linear: bool) -> None:
    """The derived row equals what exact evaluation at several points allows."""
    layer = ARCHITECTURES[name]
    z = layer.before(POINT[: INPUTS[name]])
    u, w = POINT[4 : 4 + layer.first], POINT[6 : 6 + layer.first]

    def same(left: Matrix, right: Matrix) -> bool:
        return all(abs((a - b).evalf(30)) < 1e-20 for a, b in zip(left, right, strict=True))

    scaled = {c: same(layer.phi(z, [c * x for x in u]), c * layer.phi(z, u)) for c in (Rational(3), Rational(-3))}
    joined = same(layer.phi(z, [a + b for a, b in zip(u, w, strict=True)]), layer.phi(z, u) + layer.phi(z, w))
    row = properties(layer, INPUTS[name])
    assert (row.zero, row.homogeneous, row.linear) == (zero, homogeneous, linear)
    assert zero == same(layer.phi(z, [0] * layer.first), 0 * layer.phi(z, u))
    assert bool(homogeneous) == scaled[Rational(3)]
    assert (homogeneous == "reals") == scaled[Rational(-3)]
    assert linear <= joined
