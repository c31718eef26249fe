"""Functions of a class: true statements are proved, false ones refuted by explicit functions, forgeries rejected."""

from __future__ import annotations

import copy
import random
import sys
from dataclasses import replace
from typing import Any

import pytest
from forgeries import changed, places, require_rejections, value_at
from sympy import Abs, Eq, Expr, Interval, Not, Or, Rational, S, Symbol, oo, sqrt, symbols

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines.classes import search
from proofs_check.engines.classes.search import certificate_of
from proofs_check.kernel.classes import NotReadError, Problem, at_the_edge, between_means, either_side
from proofs_check.kernel.separable import Separable
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import (
    After,
    Always,
    AtStart,
    Constant,
    Convex,
    ConvexLipschitz,
    LemmascopeError,
    PolyakLojasiewicz,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    Statement,
    Vectors,
    exact_line_search,
    function,
    gradient_descent,
    heavy_ball,
    inner,
    nesterov,
    norm,
    proximal_point,
    subgradient_descent,
    vector,
)
from theory.trees import content_hash, decode_statement, encode, encode_statement

f, g = function("f"), function("g")
x, y, z, x0, y0, before = (vector(name) for name in ("x", "y", "z", "x0", "y0", "x_prev"))
L, mu, eta, R, M, k, c = symbols("L mu eta R M k c")
POSITIVE = Interval.open(0, oo)
TENTH, HALF = Rational(1, 10), Rational(1, 2)
POINTS = {x: Vectors(), y: Vectors()}
STRONG, CURVED = SmoothStronglyConvex(TENTH, 1), SmoothStronglyConvex(mu, L)


def claim(of: Any, then: Any, *given: Any, **more: Any) -> Statement:
    """A claim about one function at the points x, y and z, with its parameters positive."""
    used = of.free_symbols | then.free_symbols | set().union(*(part.free_symbols for part in given))
    known: dict[Any, Any] = {f: of, **POINTS, **({z: Vectors()} if z in used else {})}
    return Statement(
        variables=known | dict.fromkeys(used & {L, mu, eta, R, M}, POSITIVE), then=then, given=given, **more
    )


def run(of: Any, method: Any, then: Any, *given: Any) -> Statement:
    """A claim about a method that starts at x0."""
    used = of.free_symbols | then.free_symbols | set(method.parameters)
    used |= set().union(*(part.free_symbols for part in given))
    return Statement(
        variables={f: of, x0: Vectors()} | dict.fromkeys(used & {L, mu, eta, R, M}, POSITIVE),
        given=given,
        dynamics=method,
        start={x: x0} | ({before: x0} if before in method.state else {}),
        then=then,
    )


def gap(of: Any = x) -> Expr:
    return f(of) - f.minimum


DISTANCE = norm(x0 - f.minimiser)


def descent(steps: int, bound: Any, of: Any = None, rate: Any = 1 / L) -> Statement:
    return run(of or SmoothConvex(L), gradient_descent(f, x, rate), After(steps, gap() <= bound * DISTANCE**2))


def least_gradient(steps: int, bound: Any, of: Any = None) -> Statement:
    small = norm(f.gradient(x)) ** 2 <= bound * (f(x0) - f.minimum)
    return run(of or Smooth(L), gradient_descent(f, x, 1 / L), Or(*(After(j, small) for j in range(steps + 1))))


def momentum(steps: int, bound: Any) -> Statement:
    method = nesterov(f, x, 1 / L, (k - 1) / (k + 2), time=k)
    return run(SmoothConvex(L), method, After(steps, gap() <= bound * L * DISTANCE**2))


def proximal(steps: int, bound: Any, of: Any = None) -> Statement:
    return run(of or Convex(), proximal_point(f, x, eta), After(steps, gap() <= bound * DISTANCE**2 / eta))


def subgradients(bound: Any, of: Any = None, start: Any = 1) -> Statement:
    method = subgradient_descent(f, x, HALF)
    return run(of or ConvexLipschitz(1), method, Or(*(After(j, gap() <= bound) for j in range(4))), start >= DISTANCE)


ABOVE = f(y) >= f(x) + inner(f.gradient(x), y - x)
BELOW = f(y) <= f(x) + inner(f.gradient(x), y - x) + L * norm(y - x) ** 2 / 2
TURN = f.gradient(x) - f.gradient(y)

TRUE = {
    "a convex function is above its tangents": claim(SmoothConvex(L), ABOVE),
    "a convex function is above its subtangents": claim(Convex(), f(y) >= f(x) + inner(f.subgradient(x), y - x)),
    "the descent lemma": claim(Smooth(L), BELOW),
    "the gradient is Lipschitz": claim(Smooth(L), norm(TURN) <= L * norm(x - y)),
    "cocoercivity": claim(SmoothConvex(L), L * inner(TURN, x - y) >= norm(TURN) ** 2),
    "the gradient is monotone": claim(SmoothConvex(L), inner(TURN, x - y) >= 0),
    "the gradient is strongly monotone": claim(STRONG, inner(TURN, x - y) >= norm(x - y) ** 2 / 10),
    "strong convexity": claim(STRONG, f(y) >= f(x) + inner(f.gradient(x), y - x) + norm(y - x) ** 2 / 20),
    "coercive and cocoercive at once": claim(
        STRONG, 11 * inner(TURN, x - y) >= norm(x - y) ** 2 + 10 * norm(TURN) ** 2
    ),
    "the minimum is least": claim(Smooth(L), f(x) >= f.minimum),
    "the gradient vanishes at the minimiser": claim(Smooth(L), Eq(norm(f.gradient(f.minimiser)) ** 2, 0)),
    "a large gradient means much to gain": claim(Smooth(L), norm(f.gradient(x)) ** 2 <= 2 * L * gap()),
    "quadratic growth": claim(STRONG, gap() >= norm(x - f.minimiser) ** 2 / 20),
    "strong convexity implies the inequality of Polyak and Lojasiewicz": claim(
        STRONG, norm(f.gradient(x)) ** 2 >= gap() / 5
    ),
    "Lipschitz values": claim(ConvexLipschitz(M), norm(f.subgradient(x)) <= M),
    "Jensen in the middle": claim(Convex(), f(x / 2 + y / 2) <= f(x) / 2 + f(y) / 2),
    "three slopes": claim(
        SmoothConvex(1),
        inner(f.gradient(x), y - x) + inner(f.gradient(y), z - y) + inner(f.gradient(z), x - z) <= 0,
    ),
    "three points": claim(SmoothConvex(L), f(z) <= f(y) + inner(f.gradient(x), z - y) + L * norm(z - x) ** 2 / 2),
    "the proximal map does not expand": claim(Convex(), norm(f.proximal(x, 1) - f.proximal(y, 1)) <= norm(x - y)),
    "a proximal step descends": claim(
        Convex(), f(f.proximal(x, eta)) + norm(x - f.proximal(x, eta)) ** 2 / (2 * eta) <= f(x)
    ),
    "a step written out": claim(Smooth(L), f(x - f.gradient(x) / L) <= f(x) - norm(f.gradient(x)) ** 2 / (2 * L)),
    "the gradient is strongly monotone, any constants": claim(CURVED, inner(TURN, x - y) >= mu * norm(x - y) ** 2),
    "strong convexity, any constants": claim(
        CURVED, f(y) >= f(x) + inner(f.gradient(x), y - x) + mu * norm(y - x) ** 2 / 2
    ),
    "coercive and cocoercive at once, any constants": claim(
        CURVED, (L + mu) * inner(TURN, x - y) >= mu * L * norm(x - y) ** 2 + norm(TURN) ** 2
    ),
    "quadratic growth, any constants": claim(CURVED, gap() >= mu * norm(x - f.minimiser) ** 2 / 2),
    "a large gradient, any constants": claim(CURVED, norm(f.gradient(x)) ** 2 >= 2 * mu * gap()),
    "a contraction, any constants": claim(
        CURVED, norm(x - f.gradient(x) / L - f.minimiser) ** 2 <= (1 - mu / L) ** 2 * norm(x - f.minimiser) ** 2
    ),
    "Polyak and Lojasiewicz, any constants": claim(
        PolyakLojasiewicz(mu, L), gap(x - f.gradient(x) / L) <= (1 - mu / L) * gap()
    ),
    "a short step descends, any step": claim(
        Smooth(L), f(x - eta * f.gradient(x)) <= f(x) - eta * norm(f.gradient(x)) ** 2 / 2, eta * L <= 1
    ),
    "a bounded start": run(
        SmoothConvex(L), gradient_descent(f, x, 1 / L), After(1, gap() <= L * R**2 / 6), DISTANCE <= R
    ),
    "gradient descent, 1 step": descent(1, L / 6),
    "gradient descent, 2 steps": descent(2, L / 10),
    "gradient descent, 3 steps": descent(3, L / 14),
    "gradient descent, 4 steps": descent(4, L / 18),
    "gradient descent, 5 steps": descent(5, L / 22),
    "gradient descent, a long step": descent(1, Rational(1, 8), SmoothConvex(1), Rational(3, 2)),
    "nobody moves at the start": run(
        SmoothConvex(L), gradient_descent(f, x, 1 / L), AtStart(gap() <= L * DISTANCE**2 / 2)
    ),
    "a contraction": run(
        STRONG, gradient_descent(f, x, 1), After(1, norm(x - f.minimiser) <= Rational(9, 10) * DISTANCE)
    ),
    "a contraction of values": run(STRONG, gradient_descent(f, x, 1), After(1, gap() <= Rational(81, 100) * gap(x0))),
    "two trajectories approach": claim(
        STRONG, norm(x - f.gradient(x) - (y - f.gradient(y))) <= Rational(9, 10) * norm(x - y)
    ),
    "a contraction under Polyak and Lojasiewicz": run(
        PolyakLojasiewicz(TENTH, 1), gradient_descent(f, x, 1), After(1, gap() <= Rational(9, 10) * gap(x0))
    ),
    "a small gradient, 1 step": least_gradient(1, 4 * L / 5),
    "a small gradient, 2 steps": least_gradient(2, 4 * L / 8),
    "a small gradient, 3 steps": least_gradient(3, 4 * L / 11),
    "momentum, 1 step": momentum(1, Rational(2, 12)),
    "momentum, 2 steps": momentum(2, Rational(2, 20)),
    "momentum, 3 steps": momentum(3, Rational(2, 30)),
    "proximal point, 1 step": proximal(1, Rational(1, 4)),
    "proximal point, 2 steps": proximal(2, Rational(1, 8)),
    "proximal point, 3 steps": proximal(3, Rational(1, 12)),
    "subgradients": subgradients(HALF),
    "gradient descent, 10 steps": descent(10, L / 42),
    "a descent of any length": claim(
        Smooth(L), f(x - eta * f.gradient(x)) <= f(x) - eta * (1 - eta * L / 2) * norm(f.gradient(x)) ** 2
    ),
    "values contract, any constants": run(
        CURVED, gradient_descent(f, x, 1 / L), After(1, gap() <= (1 - mu / L) * gap(x0))
    ),
    "a short step contracts, any constants": run(
        CURVED,
        gradient_descent(f, x, eta),
        After(1, norm(x - f.minimiser) ** 2 <= (1 - eta * mu) ** 2 * DISTANCE**2),
        eta * (mu + L) <= 2,
    ),
    "a gradient shrinks, any constants": run(
        CURVED,
        gradient_descent(f, x, eta),
        After(1, norm(f.gradient(x)) ** 2 <= (1 - eta * mu) ** 2 * norm(f.gradient(x0)) ** 2),
        eta * (mu + L) <= 2,
    ),
    "one curvature": claim(SmoothStronglyConvex(L, L), Eq(norm(f.gradient(x) - L * (x - f.minimiser)) ** 2, 0)),
    "Lipschitz values, from both sides": claim(ConvexLipschitz(M), Abs(f(x) - f(y)) <= M * norm(x - y)),
    "a long step contracts, any constants": run(
        CURVED,
        gradient_descent(f, x, eta),
        After(1, norm(x - f.minimiser) ** 2 <= (1 - eta * L) ** 2 * DISTANCE**2),
        eta * (mu + L) >= 2,
        mu < L,
    ),
    "a gain below a slope and a distance": claim(SmoothConvex(L), gap() <= norm(f.gradient(x)) * norm(x - f.minimiser)),
    "values and a distance": claim(ConvexLipschitz(M), gap() <= M * norm(x - f.minimiser)),
    "the remainder, from both sides": claim(
        Smooth(L), Abs(f(y) - f(x) - inner(f.gradient(x), y - x)) <= L * norm(x - y) ** 2 / 2
    ),
    "the best step": run(
        CURVED, gradient_descent(f, x, 2 / (L + mu)), After(1, norm(x - f.minimiser) <= (L - mu) / (L + mu) * DISTANCE)
    ),
    "a contraction with room to spare": claim(
        CURVED, norm(x - f.gradient(x) / L - f.minimiser) ** 2 <= (1 - mu / L) * norm(x - f.minimiser) ** 2
    ),
    "an exact line search, any constants": run(
        CURVED, exact_line_search(f, x), After(1, gap() <= ((L - mu) / (L + mu)) ** 2 * gap(x0)), mu < L
    ),
}

FALSE = {
    "a function below its tangents": claim(SmoothConvex(L), f(y) <= f(x) + inner(f.gradient(x), y - x)),
    "tangents without convexity": claim(Smooth(L), ABOVE),
    "the descent lemma, better": claim(
        Smooth(L), f(y) <= f(x) + inner(f.gradient(x), y - x) + L * norm(y - x) ** 2 / 3
    ),
    "cocoercivity, better": claim(SmoothConvex(L), L * inner(TURN, x - y) >= 2 * norm(TURN) ** 2),
    "cocoercivity without convexity": claim(Smooth(L), L * inner(TURN, x - y) >= norm(TURN) ** 2),
    "monotone without convexity": claim(Smooth(L), inner(TURN, x - y) >= 0),
    "quadratic growth without strong convexity": claim(SmoothConvex(L), gap() >= L * norm(x - f.minimiser) ** 2 / 2),
    "Jensen in the middle without convexity": claim(Smooth(L), f(x / 2 + y / 2) <= f(x) / 2 + f(y) / 2),
    "Lipschitz values, better": claim(ConvexLipschitz(M), 2 * norm(f.subgradient(x)) <= M),
    "gradient descent, 1 step, better": descent(1, L / 7),
    "gradient descent, 2 steps, better": descent(2, L / 11),
    "gradient descent, 5 steps, better": descent(5, L / 23),
    "gradient descent without convexity": descent(1, L / 6, Smooth(L)),
    "gradient descent with too long a step": descent(1, L / 6, rate=3 / L),
    "a contraction, better": run(
        STRONG, gradient_descent(f, x, 1), After(1, norm(x - f.minimiser) <= Rational(8, 10) * DISTANCE)
    ),
    "a contraction without strong convexity": run(
        SmoothConvex(1), gradient_descent(f, x, 1), After(1, norm(x - f.minimiser) <= Rational(9, 10) * DISTANCE)
    ),
    "a contraction with too long a step": run(
        STRONG, gradient_descent(f, x, Rational(19, 10)), After(1, gap() <= Rational(66, 100) * gap(x0))
    ),
    "Polyak and Lojasiewicz, better": run(
        PolyakLojasiewicz(TENTH, 1), gradient_descent(f, x, 1), After(1, gap() <= Rational(4, 5) * gap(x0))
    ),
    "momentum, 2 steps, better": momentum(2, Rational(1, 11)),
    "proximal point, 2 steps, better": proximal(2, Rational(1, 9)),
    "a contraction, any constants, better": claim(
        CURVED, norm(x - f.gradient(x) / L - f.minimiser) ** 2 <= (1 - mu / L) ** 3 * norm(x - f.minimiser) ** 2
    ),
    "a long step descends": claim(
        Smooth(L), f(x - eta * f.gradient(x)) <= f(x) - eta * norm(f.gradient(x)) ** 2 / 2, eta * L <= 2
    ),
    "a bound without its hypothesis": run(
        SmoothConvex(L), gradient_descent(f, x, 1 / L), After(1, gap() <= L * R**2 / 6)
    ),
    "subgradients, from further away": subgradients(HALF, start=10),
    "a long step contracts, any constants, better": run(
        CURVED,
        gradient_descent(f, x, eta),
        After(1, norm(x - f.minimiser) ** 2 <= (1 - eta * mu) ** 2 * DISTANCE**2),
        eta * L <= 2,
        mu < L,
    ),
    "values contract twice, any constants": run(
        CURVED, gradient_descent(f, x, 1 / L), After(1, gap() <= (1 - mu / L) ** 3 * gap(x0))
    ),
    "two curvatures": claim(CURVED, Eq(norm(f.gradient(x) - L * (x - f.minimiser)) ** 2, 0)),
    "a gradient in every point lies below, by Polyak and Lojasiewicz": claim(PolyakLojasiewicz(1, 4), ABOVE),
    "Lipschitz values, from both sides, better": claim(ConvexLipschitz(M), 2 * Abs(f(x) - f(y)) <= M * norm(x - y)),
    "a gain below half of a slope and a distance": claim(
        SmoothConvex(L), 2 * gap() <= norm(f.gradient(x)) * norm(x - f.minimiser) / 2
    ),
    "values and half of a distance": claim(ConvexLipschitz(M), gap() <= M * norm(x - f.minimiser) / 2),
    "values have no sign": claim(SmoothConvex(1), f(x) >= 0, f(x) >= -1),
    "heavy ball is not gradient descent": run(
        SmoothConvex(1), heavy_ball(f, x, 1, Rational(9, 10)), After(2, gap() <= DISTANCE**2 / 20)
    ),
}


SLOW = {"a gradient shrinks, any constants"}
"""What takes a few seconds, more than the standard effort gives."""


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved_exactly(name: str) -> None:
    verdict = verify(TRUE[name], effort="deep" if name in SLOW else "standard")
    assert (str(verdict.outcome), str(verdict.strength), verdict.trust) == ("proved", "exact", ())
    assert verdict.witness, "a function that the hypotheses allow is shown"


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_by_a_function(name: str) -> None:
    verdict = verify(FALSE[name])
    assert (str(verdict.outcome), str(verdict.strength)) == ("refuted", "exact")
    assert "derivative" in (verdict.counterexample or {})["f"]


STRONGER = {
    "the class": ("tangents without convexity", "a convex function is above its tangents"),
    "the class of a method": ("gradient descent without convexity", "gradient descent, 1 step"),
    "the constant": ("gradient descent, 2 steps, better", "gradient descent, 2 steps"),
    "the step": ("gradient descent with too long a step", "gradient descent, 1 step"),
    "strong convexity": ("a contraction without strong convexity", "a contraction"),
    "the start": ("a bound without its hypothesis", "a bounded start"),
    "the rate": ("a contraction, better", "a contraction"),
    "convexity of a chord": ("Jensen in the middle without convexity", "Jensen in the middle"),
    "cocoercivity": ("cocoercivity without convexity", "cocoercivity"),
    "a hypothesis of the parameters": ("a long step descends", "a short step descends, any step"),
    "where mu = L": ("two curvatures", "one curvature"),
    "the rate of the values": ("values contract twice, any constants", "values contract, any constants"),
    "both sides": ("Lipschitz values, from both sides, better", "Lipschitz values, from both sides"),
    "the factor of a norm": ("values and half of a distance", "values and a distance"),
    "the factor of two norms": ("a gain below half of a slope and a distance", "a gain below a slope and a distance"),
    "the exponent": ("a contraction, any constants, better", "a contraction, any constants"),
}


def proof_of(statement: Statement) -> dict[str, Any]:
    return copy.deepcopy(dict(verify(statement).certificate or {}))


@pytest.mark.parametrize("dropped", STRONGER)
def test_a_proof_is_none_of_its_false_twin(dropped: str) -> None:
    twin, holds = STRONGER[dropped]
    certificate = proof_of(TRUE[holds])
    assert isinstance(accept(TRUE[holds], Sense.HOLDS, certificate), Theorem)
    assert isinstance(accept(FALSE[twin], Sense.HOLDS, certificate), Rejection)


@pytest.mark.parametrize("name", ["cocoercivity", "gradient descent, 3 steps", "momentum, 2 steps", "subgradients"])
def test_no_inequality_of_a_proof_can_be_left_out(name: str) -> None:
    certificate = proof_of(TRUE[name])
    for place in range(len(certificate["proofs"][0]["multipliers"])):
        forged = copy.deepcopy(certificate)
        del forged["proofs"][0]["multipliers"][place]
        assert isinstance(accept(TRUE[name], Sense.HOLDS, forged), Rejection)


FORGED = (
    *("cocoercivity", "gradient descent, 2 steps", "gradient descent, 3 steps", "a contraction of values"),
    *("a small gradient, 2 steps", "momentum, 3 steps", "proximal point, 3 steps", "the descent lemma"),
    *("a contraction, any constants", "the gradient is strongly monotone, any constants"),
)


def test_changed_proofs_are_rejected() -> None:
    how, tried = random.Random(5), 0  # noqa: S311 - not for cryptography
    for name in FORGED:
        certificate = proof_of(TRUE[name])
        problem = Problem(TRUE[name])
        for path in places(certificate):
            if path[-1] == 0 and "multipliers" in path and not problem.known[value_at(certificate, path)][0]:
                continue
            forged = changed(certificate, path, how)
            assert isinstance(accept(TRUE[name], Sense.HOLDS, forged), Rejection), (name, path)
            tried += 1
    assert tried >= 400


NO_MEANS = {
    "a strict claim": claim(ConvexLipschitz(M), gap() < M * norm(x - f.minimiser)),
    "a norm on the smaller side": claim(ConvexLipschitz(M), M * norm(x - f.minimiser) <= gap()),
    "a factor of unknown sign": Statement(
        variables={f: ConvexLipschitz(1), x: Vectors(), c: S.Reals}, then=gap() <= c * norm(x - f.minimiser)
    ),
    "a negative factor": claim(ConvexLipschitz(M), gap() <= -M * norm(x - f.minimiser)),
    "a denial": Statement(
        variables={f: ConvexLipschitz(1), x: Vectors()}, then=Not(gap() <= norm(x - f.minimiser), evaluate=False)
    ),
}


@pytest.mark.parametrize("name", NO_MEANS)
def test_a_norm_is_no_mean_outside_of_the_hypotheses(name: str) -> None:
    with pytest.raises(NotReadError):
        Problem(between_means(NO_MEANS[name]))
    assert str(verify(NO_MEANS[name]).outcome) != "proved"


def test_alternatives_have_numbers_of_their_own() -> None:
    """For each t one of two may hold without one of them holding for all t: they must not share theirs."""
    either = Or(gap() <= norm(x - f.minimiser) / 2, gap(y) <= norm(y - f.minimiser) / 3, evaluate=False)
    softened = between_means(claim(ConvexLipschitz(1), either))
    assert len([s for s in softened.variables if isinstance(s, Symbol)]) == 2


def test_four_hundred_changed_proofs_with_means_show_no_twin() -> None:
    pairs = ("the factor of a norm", "the factor of two norms")
    assert sum(
        require_rejections(TRUE[STRONGER[pair][1]], FALSE[STRONGER[pair][0]], pair, tries=200) for pair in pairs
    ) == 400  # fmt: skip


def test_a_claim_is_proved_on_either_side_of_a_border() -> None:
    """Two steps of any length up to 1, shorter and longer than a half."""
    bound = DISTANCE**2 / (8 * eta + 2)
    two = run(SmoothConvex(1), gradient_descent(f, x, eta), After(2, gap() <= bound), eta <= 1)
    budget = replace(Budget.of("standard"), seconds=30.0).start()
    halves = [certificate_of(side, budget) for side in either_side(two, 2 * eta - 1)]
    assert None not in halves
    certificate = {"kind": "classes", "border": encode(2 * eta - 1), "proofs": halves}
    assert isinstance(accept(two, Sense.HOLDS, certificate), Theorem)
    low, high = certificate["proofs"]
    forgeries = [{"proofs": [high, low]}, {"proofs": [low]}, {"proofs": [low, high, low]}, {"proofs": [low, low]}]
    forgeries += [{"border": encode(border)} for border in (eta - 2, 1 / eta - 1, sqrt(eta) - 1, mu - 1)]
    forgeries.append({"proofs": [low, {"kind": "classes", "functions": {"f": [[[], [["1", "0"]]]]}}]})
    for forged in forgeries:
        assert isinstance(accept(two, Sense.HOLDS, certificate | forged), Rejection), forged
    assert isinstance(accept(two.but(given=()), Sense.HOLDS, certificate), Rejection)


def test_the_edge_of_a_class_is_told_apart_from_its_inside() -> None:
    """mu < L and mu = L are two proofs; neither does for the other, and there is no edge of another class."""
    contracts = TRUE["a short step contracts, any constants"]
    certificate = proof_of(contracts)
    inside, edge = certificate["proofs"]
    assert certificate["edge"] == "f"
    below, equal = at_the_edge(contracts, "f")
    assert (below.given[-1], equal.variables[f]) == (mu < L, SmoothStronglyConvex(L, L))
    for forged in ([inside, inside], [edge, edge], [edge, inside], [inside]):
        assert isinstance(accept(contracts, Sense.HOLDS, certificate | {"proofs": forged}), Rejection)
    for other in ("g", "", None):
        assert isinstance(accept(contracts, Sense.HOLDS, certificate | {"edge": other}), Rejection)
    for name in ("Polyak and Lojasiewicz, any constants", "values contract, any constants"):
        assert isinstance(accept(TRUE[name], Sense.HOLDS, certificate), Rejection)
    with pytest.raises(NotReadError, match="strongly convex"):  # mu may be larger than L there
        at_the_edge(TRUE["Polyak and Lojasiewicz, any constants"], "f")
    with pytest.raises(NotReadError, match="no value"):
        at_the_edge(contracts.but(given=(1 / (L - mu) > eta,)), "f")


def test_a_function_that_gains_little_is_not_of_the_class_of_polyak_and_lojasiewicz() -> None:
    dented = Separable.of(
        [[["-3/2", "-1", "1", "3/2"], [["4", "3"], ["-2", "-6"], ["4", "0"], ["-2", "6"], ["4", "-3"]]]]
    )
    assert dented.is_in(PolyakLojasiewicz(1, 4), [1, 4])
    assert not dented.is_in(PolyakLojasiewicz(2, 4), [2, 4]), "it gains less"
    assert not dented.is_in(PolyakLojasiewicz(1, 3), [1, 3]), "it is not so smooth"
    flat = Separable.of([[["-1", "1"], [["0", "-4"], ["4", "0"], ["0", "4"]]]])
    assert not flat.is_in(PolyakLojasiewicz(1, 4), [1, 4]), "its gradient is bounded"
    two_wells = Separable.of([[["-1", "1"], [["4", "8"], ["-4", "0"], ["4", "-8"]]]])
    assert not two_wells.is_in(PolyakLojasiewicz(Rational(1, 100), 4), [Rational(1, 100), 4]), "flat between two wells"


def test_negative_multipliers_are_rejected_even_where_the_sum_is_right() -> None:
    claimed = claim(SmoothConvex(1), f(y) <= f(x) + inner(f.gradient(x), y - x))
    forged = {"weights": ["1"], "multipliers": [], "squares": []}
    for place in range(1, 7):
        proof = forged | {"multipliers": [[place, "-1/2"]]}
        assert isinstance(accept(claimed, Sense.HOLDS, {"kind": "classes", "proofs": [proof]}), Rejection)
    square = {"kind": "classes", "proofs": [{"weights": ["0"], "multipliers": [], "squares": []}]}
    assert isinstance(accept(claimed, Sense.HOLDS, square), Rejection)


def test_a_weight_that_may_vanish_and_a_multiplier_with_a_pole_are_rejected() -> None:
    claimed = claim(CURVED, f(y) >= f(x) + inner(f.gradient(x), y - x) + mu * norm(y - x) ** 2 / 2)
    certificate = proof_of(claimed)
    assert isinstance(accept(claimed, Sense.HOLDS, certificate), Theorem)
    (proof,) = certificate["proofs"]
    ((place, number),) = proof["multipliers"]
    for factor, is_sound in ((L + mu, True), (L - mu, False), (1 / (L - mu), False), (mu - L, False)):
        scaled = {
            "weights": [encode(factor)],
            "multipliers": [[place, encode(factor * Rational(number))]],
            "squares": [],
        }
        answer = accept(claimed, Sense.HOLDS, {"kind": "classes", "proofs": [scaled]})
        assert isinstance(answer, Theorem) is is_sound


def test_a_function_outside_its_class_refutes_nothing() -> None:
    name = "gradient descent, 2 steps, better"
    certificate = proof_of(FALSE[name])
    assert isinstance(accept(FALSE[name], Sense.FAILS, certificate), Theorem)
    assert isinstance(accept(TRUE["gradient descent, 2 steps"], Sense.FAILS, certificate), Rejection)
    for lines in ([["5", "0"]], [["-1", "0"]]):
        forged = certificate | {"functions": {"f": [[[], lines]]}}
        assert isinstance(accept(FALSE[name], Sense.FAILS, forged), Rejection)
    kinked = certificate | {"functions": {"f": [[["0"], [["0", "-1"], ["0", "1"]]]]}}
    assert isinstance(accept(FALSE[name], Sense.FAILS, kinked), Rejection)
    negative = certificate | {"numbers": {"L": "-1"}}
    assert isinstance(accept(FALSE[name], Sense.FAILS, negative), Rejection)
    flat = certificate | {"dimension": 2}
    assert isinstance(accept(FALSE[name], Sense.FAILS, flat), Rejection)


def test_a_counterexample_lives_in_the_size_that_is_asked_for() -> None:
    wide = Statement(variables={f: SmoothConvex(1), x: Vectors(3)}, then=f(x) <= f.minimum)
    assert str(verify(wide).outcome) != "proved"
    certificate = verify(Statement(variables={f: SmoothConvex(1), x: Vectors()}, then=f(x) <= f.minimum)).certificate
    assert isinstance(accept(wide, Sense.FAILS, certificate), Rejection)


def test_the_tight_constant_is_found() -> None:
    loose = Statement(
        variables={f: SmoothConvex(1), x0: Vectors()}, dynamics=gradient_descent(f, x, 1), start={x: x0},
        then=After(1, gap() <= c * DISTANCE**2), constants=(Constant(c, Rational(1, 5), best="smallest"),),
    )  # fmt: skip
    sharp = verify(loose).sharp or {}
    assert sharp["c"]["best"] == "1/6"


@pytest.mark.parametrize(
    "name", ["gradient descent, 2 steps", "momentum, 1 step", "subgradients", "proximal point, 1 step"]
)
def test_a_statement_is_stored_and_read_back(name: str) -> None:
    statement = TRUE[name]
    again = decode_statement(encode_statement(statement))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()


def test_the_words_are_printed() -> None:
    printed = TRUE["gradient descent, 2 steps"].latex()
    for part in (r"\nabla f\left(x\right)", r"\min f", r"\arg\min f", r"\mathrm{SmoothConvex}\left(L\right)"):
        assert part in printed


REFUSED = {
    "a class without its constants": (SmoothConvex, "write SmoothConvex\\(L\\)"),
    "a class with too many constants": (lambda: Convex(1), "write Convex\\(\\)"),
    "a negative constant": (lambda: Smooth(-1), "not positive"),
    "constants in the wrong order": (lambda: SmoothStronglyConvex(2, 1), "at most L"),
    "a constant of unknown sign": (
        lambda: Statement(variables={f: Smooth(L), x: Vectors(), L: S.Reals}, then=f(x) >= 0), "must be positive"),
    "a constant without a domain": (
        lambda: Statement(variables={f: Smooth(L), x: Vectors()}, then=f(x) >= 0), "has no domain"),
    "a gradient without smoothness": (lambda: claim(Convex(), norm(f.gradient(x)) <= 1), "f.subgradient\\(x\\)"),
    "a subgradient of a smooth function": (lambda: claim(Smooth(1), norm(f.subgradient(x)) <= 1), "f.gradient\\(x\\)"),
    "a function without a class": (lambda: Statement(variables=POINTS, then=f(x) >= 0), "has no class"),
    "a function in a set of numbers": (
        lambda: Statement(variables={f: S.Reals, **POINTS}, then=f(x) >= 0), "is a function"),
    "a number as a point": (lambda: f(3), "needs vectors"),
    "a proximal point without convexity": (lambda: claim(Smooth(1), f(f.proximal(x, 1)) >= 0), "convex class"),
    "a proximal step of unknown sign": (lambda: claim(Convex(), f(f.proximal(x, -1)) >= 0), "must be positive"),
    "a method on numbers": (lambda: gradient_descent(f, Symbol("u"), 1), "vector\\('x'\\)"),
    "a loss that is not differentiable": (lambda: gradient_descent(norm(x), x, 1), "squared norms"),
    "a Jacobian in every dimension": (lambda: gradient_descent(f, x, 1).jacobian, "no Jacobian"),
    "a name that is none": (lambda: function("2f"), "needs a name"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense_is_refused_in_words(name: str) -> None:
    write, said = REFUSED[name]
    with pytest.raises(LemmascopeError, match=said):
        write()


def test_what_is_not_about_finitely_many_points_stays_open() -> None:
    verdict = verify(run(SmoothConvex(1), gradient_descent(f, x, 1), Always(gap() >= 0)))
    assert str(verdict.outcome) == "open"
    assert any("finitely many points" in note for note in verdict.notes)


def test_a_missing_solver_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "clarabel", None)
    assert search.missing() == "install clarabel (`pip install lemmascope[sos]`): proofs about function classes need it"
    assert str(verify(FALSE["cocoercivity, better"], fresh=True).outcome) == "refuted"
