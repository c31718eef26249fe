"""Equations that hold are proved by exact algebra, those that do not are refuted at an exact point."""

from __future__ import annotations

import pytest
from sympy import (
    And,
    Derivative,
    Eq,
    Function,
    Interval,
    Ne,
    Rational,
    S,
    Symbol,
    cos,
    cosh,
    exp,
    expand,
    log,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    tanh,
)
from sympy.logic.boolalg import Boolean
from sympy.parsing.sympy_parser import parse_expr

from proofs_check.budget import Budget
from proofs_check.engines.identity import search as identity
from proofs_check.kernel import identity as checker
from proofs_check.kernel import point
from proofs_check.kernel.theorem import Sense, accept
from proofs_check.points.exact import holds
from proofs_check.verdict import Outcome, Strength
from theory.statements import Statement
from theory.temporal import ForAll

x, y, z, n, a, b, c = symbols("x y z n a b c")
phi, psi = Function("phi"), Function("psi")

TRUE = {
    "binomial": ((), Eq((x + y) ** 7, expand((x + y) ** 7))),
    "partial fractions": ((Ne(x, 1), Ne(x, -1)), Eq(1 / (x - 1) - 1 / (x + 1), 2 / (x**2 - 1))),
    "parameters": ((Ne(a, b),), Eq((a**3 - b**3) / (a - b), a**2 + a * b + b**2)),
    "Brahmagupta": ((), Eq((a**2 + b**2) * (x**2 + y**2), (a * x - b * y) ** 2 + (a * y + b * x) ** 2)),
    "radicals": ((x > 1,), Eq(1 / (sqrt(x) + 1), (sqrt(x) - 1) / (x - 1))),
    "algebraic numbers": ((), Eq((x + sqrt(2)) * (x - sqrt(2)) * (x**2 + 2), x**4 - 4)),
    "triple angle": ((), Eq(sin(3 * x), 3 * sin(x) - 4 * sin(x) ** 3)),
    "shifted angle": ((), Eq(cos(x + pi / 3), cos(x) / 2 - sqrt(3) / 2 * sin(x))),
    "half angle": ((Ne(cos(x / 2), 0),), Eq(sin(x), 2 * tan(x / 2) / (1 + tan(x / 2) ** 2))),
    "hyperbolic": ((), Eq(cosh(x) ** 2 - sinh(x) ** 2, 1)),
    "addition of tanh": ((), Eq(tanh(2 * x), 2 * tanh(x) / (1 + tanh(x) ** 2))),
    "slope of tanh": ((), Eq(Derivative(tanh(x), x), 1 - tanh(x) ** 2)),
    "slope of softplus": ((), Eq(Derivative(log(1 + exp(x)), x), 1 / (1 + exp(-x)))),
    "logarithm of a product": ((x > 0, y > 0), Eq(log(x**2 / y), 2 * log(x) - log(y))),
    "powers": ((x > 0,), Eq(x ** (n + 2), x**2 * x**n)),
    "from equations": ((Eq(x + y, 3), Eq(x * y, 2)), Eq(x**3 + y**3, 9)),
    "several": ((Eq(a, b),), And(Eq(a**2, a * b), Eq(a - b, 0))),
    "chain rule": ((), Eq(Derivative(x * phi(x**2), x), phi(x**2) + 2 * x**2 * Derivative(phi(z), z).subs(z, x**2))),
    "product rule": ((), Eq(Derivative(phi(x) * psi(x), x),
                            Derivative(phi(x), x) * psi(x) + phi(x) * Derivative(psi(x), x))),
}  # fmt: skip

FALSE = {
    "wrong coefficient": ((), Eq((x + y) ** 2, x**2 + y**2 + 3 * x * y)),
    "wrong by a hair": ((), Eq((x + y) ** 2, x**2 + y**2 + 2 * x * y + Rational(1, 10**40))),
    "wrong angle": ((), Eq(sin(2 * x), 2 * sin(x))),
    "wrong sign": ((x > 0,), Eq(sqrt(x) * sqrt(x), -x)),
    "from equations": ((Eq(x + y, 3), Eq(x * y, 2)), Eq(x**3 + y**3, 8)),
    "one of several": ((), And(Eq(x, x + 0 * y), Eq(x * y, x + y))),
}


def statement(given, claim, domain=S.Reals):
    free = sorted(And(*given, claim).free_symbols - {z}, key=str)
    return Statement(id="test", variables=dict.fromkeys(free, domain), given=given, then=claim)


@pytest.mark.parametrize("name", TRUE)
def test_true_equations_are_proved_and_re_checked(name):
    lemma = statement(*TRUE[name])
    verdict = identity.decide(lemma, Budget.of("standard"))
    assert verdict.outcome is Outcome.PROVED
    assert accept(lemma, Sense.HOLDS, verdict.certificate).strength in (Strength.EXACT, Strength.ENCLOSED)


@pytest.mark.parametrize("name", FALSE)
def test_false_equations_fail_at_an_exact_point_of_the_hypotheses(name):
    given, claim = FALSE[name]
    verdict = identity.decide(statement(given, claim), Budget.of("standard"))
    assert verdict.outcome is Outcome.REFUTED
    point = {Symbol(key): parse_expr(value) for key, value in verdict.counterexample.items()}
    assert holds(And(*given), point) is True
    assert holds(claim, point) is False


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ((), Eq((x**2 - 1) / (x - 1), x + 1)),
        ((x > 0,), Eq(1 / (sqrt(x) + 1), (sqrt(x) - 1) / (x - 1))),
        ((), Eq(log(x**2), 2 * log(x))),
        ((), Eq(x ** (n + 1), x * x**n)),
        ((), Eq(Derivative(log(x), x), 1 / x)),
        ((), Eq(Derivative(x ** Rational(3, 2), x), 3 * sqrt(x) / 2)),
    ],
)
def test_an_equation_that_is_undefined_somewhere_is_not_proved(given, claim):
    verdict = identity.decide(statement(given, claim), Budget.of("quick"))
    assert verdict is None or verdict.outcome is not Outcome.PROVED


def homogeneous(degree):
    positive = Interval.open(0, oo)
    return ForAll(c, positive, ForAll(z, S.Reals, Eq(phi(c * z), c**degree * phi(z))))


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_euler_s_relation_follows_from_homogeneity(degree):
    claim = Eq(x * Derivative(phi(x), x), degree * phi(x))
    lemma = Statement(id="euler", variables={x: S.Reals}, given=(homogeneous(degree),), then=claim)
    assert identity.decide(lemma, Budget.of("standard")).outcome is Outcome.PROVED
    wrong = lemma.but(then=Eq(x * Derivative(phi(x), x), (degree + 1) * phi(x)))
    assert identity.decide(wrong, Budget.of("standard")) is None


def test_a_claim_about_every_function_is_refuted_by_a_simple_one():
    lemma = Statement(id="any", variables={x: S.Reals}, then=Eq(Derivative(phi(x**2), x), 2 * x * phi(x)))
    assert "phi" in identity.decide(lemma, Budget.of("standard")).counterexample


def test_a_changed_combination_is_rejected():
    lemma = statement(*TRUE["from equations"])
    certificate = identity.decide(lemma, Budget.of("standard")).certificate
    cofactors = certificate["combinations"][0]["cofactors"]
    certificate["combinations"][0]["cofactors"] = cofactors[::-1]
    assert not checker.check(lemma, certificate)
    assert not checker.check(lemma.but(then=Eq(x**3 + y**3, 10)), certificate)


@pytest.mark.parametrize(
    "claim",
    [
        Ne(x * phi(y) + (1 - x) * phi(y), phi(y)),
        Ne(2 * psi(x, y), psi(x, y) + psi(x, y) + 0 * x, evaluate=False),
        phi(x) * phi(y) <= 0,
        psi(x, y) >= psi(y, x),
        Eq(psi(x, y) + psi(y, x), 2 * psi(x, x)),
    ],
    ids=str,
)
def test_what_no_or_not_every_function_does_is_refuted_with_a_simple_one(claim: Boolean) -> None:
    lemma = statement((), claim)
    verdict = identity.decide(lemma, Budget.of("standard"))
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert point.check(lemma, verdict.certificate)


def test_what_some_functions_do_is_not_proved_of_all() -> None:
    assert identity.decide(statement((), phi(x) ** 2 >= 0), Budget.of("quick")) is None
