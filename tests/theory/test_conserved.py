"""Conservation and invariance are decided exactly, both ways, and the search finds every generator of low degree."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.dynamics import Flow, Map, gradient_descent, gradient_flow, matrix
from theory.errors import LemmascopeError

u, v, w = sp.symbols("u v w", real=True)
a, b, eta = sp.symbols("a b eta", positive=True)


def test_balancedness_is_conserved_by_the_flow_and_not_by_descent() -> None:
    flow = gradient_flow((u * v - 1) ** 2, (u, v))
    assert flow.conserves(u**2 - v**2)
    descent = gradient_descent((u * v - 1) ** 2, (u, v), eta)
    broken = descent.conserves(u**2 - v**2)
    assert broken.holds is False
    assert broken.residual.subs(broken.witness) != 0


def test_the_witness_obeys_the_assumptions() -> None:
    p = sp.Symbol("p", positive=True)
    broken = Flow((p,), (p,)).conserves(p)
    assert broken.witness[p] > 0


def test_transcendental_quantities() -> None:
    x, y = sp.symbols("x y", positive=True)
    prey = Flow((x, y), (x * (1 - y), y * (x - 1)))
    assert prey.conserves(x - sp.log(x) + y - sp.log(y))
    assert prey.conserves(x + sp.exp(-y)).holds is False
    pendulum = Flow((u, v), (v, -sp.sin(u)))
    assert pendulum.conserves(v**2 / 2 - sp.cos(u))


def test_the_search_finds_generators_and_no_products() -> None:
    flow = gradient_flow((u * v * w - 1) ** 2, (u, v, w))
    found = flow.conserved_quantities(4)
    assert len(found) == 2
    assert all(flow.conserves(quantity) for quantity in found)
    assert sp.Matrix([[sp.diff(q, s) for s in (u, v, w)] for q in found]).rank() == 2


def test_the_search_with_parameters_and_for_maps() -> None:
    (energy,) = Flow((u, v), (a * v, -b * u)).conserved_quantities(2)
    assert sp.cancel(energy / (b * u**2 + a * v**2)).is_number
    rotation = Map((u, v), ((3 * u - 4 * v) / 5, (4 * u + 3 * v) / 5))
    assert rotation.conserved_quantities(2) == (u**2 + v**2,)
    assert Map((u,), (2 * u,)).conserved_quantities(3) == ()


def test_the_search_finds_the_conservation_laws_of_a_linear_network() -> None:
    first, second = matrix("A", 2, 1), matrix("B", 1, 2)
    error = (second * first)[0] - 1
    flow = gradient_flow(error**2, (first, second))
    found = flow.conserved_quantities(2)
    laws = first * first.T - second.T * second
    assert all(flow.conserves(quantity) for quantity in found)
    assert all(flow.conserves(law) for law in set(laws))
    rank = sp.Matrix(
        [[sp.Poly(q, *flow.state).coeff_monomial(m) for m in _monomials(flow.state)] for q in found]
    ).rank()
    more = sp.Matrix(
        [[sp.Poly(q, *flow.state).coeff_monomial(m) for m in _monomials(flow.state)] for q in (*found, *set(laws))]
    ).rank()
    assert rank == more == len(found)


def _monomials(state: tuple[sp.Symbol, ...]) -> list[sp.Expr]:
    return [p * q for i, p in enumerate(state) for q in state[i:]]


def test_invariant_sets() -> None:
    descent = gradient_descent((u * v - a) ** 2 / 2, (u, v), eta)
    assert descent.preserves(sp.Eq(u, v))
    assert descent.preserves([u, v])
    assert descent.preserves(u * v - a)
    broken = descent.preserves(sp.Eq(u, 2 * v))
    assert broken.holds is False
    assert broken.witness is not None
    assert gradient_flow((u * v - 1) ** 2, (u, v)).preserves(sp.Eq(u**2 - v**2, 3))


def test_a_double_equation_is_not_wrongly_refuted() -> None:
    # (u - v)**2 describes the same line as u - v.
    assert Map((u, v), (u + v, 2 * v)).preserves((u - v) ** 2).holds is not False


def test_inequalities_and_foreign_quantities_are_refused() -> None:
    flow = gradient_flow(u**2, u)
    with pytest.raises(LemmascopeError, match="Always"):
        flow.preserves(u > 0)
    with pytest.raises(LemmascopeError, match="state"):
        flow.conserves(w**2)


UNDEFINED = {
    "a quotient of zeros": (Map((u, v), (u / v, v)), [u, v]),
    "a flow with a pole on the set": (Flow((u, v), (u / v, 1)), u),
    "a pole in another component": (Map((u, v), (u, 1 / v)), u),
    "a pole at one point of a line": (Map((u, v), (u, v / (v - 2))), u),
    "a pole that cancels": (Map((u,), (sp.Mul(u * (u - 1), 1 / (u - 1), evaluate=False),)), u - 1),
    "a flow with a pole on a circle": (Flow((u, v), (-v / (u + v), u / (u + v))), u**2 + v**2 - 1),
    "a pole inside a quotient": (Map((u, v), (u / (1 + 1 / v), v)), u),
    "a parameter that divides": (Map((u,), (u / w,)), u),
    "a logarithm in another component": (Flow((u, v), (u, sp.log(v))), u),
    "a root in another component": (Map((u, v), (u, sp.sqrt(v))), u),
    "a relation that loses its value": (Map((u, v), (u, v - 1)), u / v),
    "a flow along which the relation loses its value": (Flow((u, v), (0, -1)), u / v),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_no_set_is_preserved_on_which_the_dynamics_have_no_value(case: str) -> None:
    dynamics, relations = UNDEFINED[case]
    assert dynamics.preserves(relations).holds is None


p, q = sp.symbols("p q", positive=True)
DEFINED = {
    "a pole away from the set": (Map((u, v), (u / (1 + u), v / 2)), u),
    "a positive divisor": (Map((u, v), (u / (1 + v**2), v)), u),
    "a divisor without real zeros": (Flow((u, v), (u / (v**2 + v + 1), 1)), u),
    "a constant divisor on a circle": (Flow((u, v), (-v / (2 + u**2 + v**2), u / (2 + u**2 + v**2))), u**2 + v**2 - 1),
    "a divisor whose zeros miss the circle": (Flow((u, v), (-v / (2 - u), u / (2 - u))), u**2 + v**2 - 1),
    "positive states": (Map((p, q), (p**2 / (p + q), q**2 / (p + q))), sp.Eq(p, q)),
    "a positive parameter": (Map((u,), (u / a,)), u),
    "the pole of the relation itself": (Map((u, v), (u / 2, 3 * v)), u / v),
    "a total function in another component": (Flow((u, v), (u, sp.exp(v) + sp.Abs(v))), u),
    "a logarithm of a positive state": (Flow((u, p), (u, -p * sp.log(p))), u),
    "symbols without assumptions": (
        Map(sp.symbols("x y"), (sp.Symbol("x") / (1 + sp.Symbol("y") ** 2), 0)),
        sp.Symbol("x"),
    ),
}


@pytest.mark.parametrize("case", DEFINED)
def test_sets_away_from_the_poles_are_preserved(case: str) -> None:
    dynamics, relations = DEFINED[case]
    assert dynamics.preserves(relations).holds is True


def test_a_point_without_an_image_is_no_witness_that_leaves() -> None:
    pole = Map((u, v), (u + 1 / (u - 1), v))
    assert pole.preserves(sp.Eq(u, 1)).holds is None
    left = Map((u, v), (u + 1 / v, v)).preserves(u)
    assert left.holds is False
    assert sp.Symbol("v", real=True) not in left.witness


JUMPS = {
    "pieces": sp.Piecewise((1, u < 0), (2, True)),
    "a ramp and a line": sp.Piecewise((u, u < 0), (u + 1, True)) - u,
    "a pole in a function": sp.atan(u) + sp.atan(1 / u),
    "a function with poles in another": sp.atan(sp.tan(u)) - u,
    "a sum with a pole inside": sp.atan(u - 1) + sp.atan(1 / (u - 1)),
    "a tower": sp.exp(sp.atan(u) + sp.atan(1 / u)),
}


@pytest.mark.parametrize("name", JUMPS)
def test_what_jumps_is_not_conserved_because_its_derivative_is_zero(name: str) -> None:
    assert Flow((u,), (sp.S.One,)).conserves(JUMPS[name]).holds is not True


def test_a_quotient_without_a_value_somewhere_is_conserved_where_it_has_one() -> None:
    assert Flow((u, v), (u, v)).conserves(u / v)
    assert Flow((u, v), (-v, u)).conserves(sp.sqrt(u**2 + v**2))
