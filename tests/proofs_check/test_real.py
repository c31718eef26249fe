"""True (in)equalities over the reals are proved, false ones refuted at exact points, undefined ones never proved."""

from __future__ import annotations

from random import Random

import pytest
from sympy import (
    Abs,
    And,
    Derivative,
    Eq,
    Function,
    Implies,
    Interval,
    Matrix,
    Max,
    Min,
    Ne,
    Or,
    Piecewise,
    Rational,
    S,
    Subs,
    Symbol,
    cos,
    exp,
    floor,
    log,
    pi,
    sign,
    sin,
    sqrt,
    symbols,
    tanh,
    true,
)
from sympy.parsing.sympy_parser import parse_expr

from proofs_check.budget import Budget
from proofs_check.engines.polynomial import search as real
from proofs_check.goals import Goal
from proofs_check.kernel.definite import never_negative
from proofs_check.points.exact import holds
from proofs_check.verdict import Outcome
from theory.polynomials import Ring
from theory.statements import Statement
from theory.temporal import Exists, ForAll

x, y, z, a, b, n, eta = symbols("x y z a b n eta")
phi = Function("phi")
step = x - eta * x * (x**2 - 1)
two_steps = step.subs(x, step)

TRUE = {
    "square": ((), x**2 >= 0),
    "arithmetic and geometric mean": ((x >= 0, y >= 0), sqrt(x * y) <= (x + y) / 2),
    "reciprocals": ((x > 0,), x + 1 / x >= 2),
    "Nesbitt": ((x > 0, y > 0, z > 0), x / (y + z) + y / (x + z) + z / (x + y) >= Rational(3, 2)),
    "Motzkin": ((), x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1 >= 0),
    "Schur": ((x >= 0, y >= 0, z >= 0), x * (x - y) * (x - z) + y * (y - x) * (y - z) + z * (z - x) * (z - y) >= 0),
    "triangle": ((), Abs(x + y) <= Abs(x) + Abs(y)),
    "extrema": ((), Eq(Max(x, y) + Min(x, y), x + y)),
    "root of a square": ((), Eq(sqrt(x**2), Abs(x))),
    "sign": ((), Eq(sign(x) * x, Abs(x))),
    "nested radicals": ((), Eq(sqrt(5 + 2 * sqrt(6)) - x, sqrt(2) + sqrt(3) - x)),
    "cube root": ((x > 1,), x ** Rational(1, 3) < x),
    "cases": ((x > 1,), Piecewise((x, x < 2), (x**2, True)) > 1),
    "no two-cycle": ((eta > 0, eta < 1, x > -1, x < 1, Ne(x, 0)), Ne(two_steps, x)),
    "bounded tanh": ((), And(tanh(x) < 1, tanh(x) > -1)),
    "squares of sine and cosine": ((), 2 * sin(x) * cos(x) <= 1),
    "exponential tangent": ((Ne(x, 0),), exp(x) > 1 + x),
    "logarithm tangent": ((x > 0,), log(x) <= x - 1),
    "monotone pi": ((x <= pi,), x < Rational(22, 7)),
    "floor": ((), And(floor(x) <= x, x < floor(x) + 1)),
    "implication": ((), Implies(x > 2, x**2 > 4)),
    "either sign": ((Ne(x, 0),), Or(x > 0, x < 0)),
    "largest eigenvalue": (
        (),
        x * a**2 + 2 * y * a * b + z * b**2 <= ((x + z) / 2 + sqrt((x - z) ** 2 / 4 + y**2)) * (a**2 + b**2),
    ),
    "same argument, same value": ((Eq(x, y),), Eq(phi(2 * x), phi(x + y))),
}

FALSE = {
    "open at the edge": ((), x**2 > 0),
    "reciprocals without sign": ((Ne(x, 0),), x + 1 / x >= 2),
    "Motzkin strict": ((), x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1 > 0),
    "by a hair": ((x > 0,), x + 1 / x >= 2 + Rational(1, 10**30)),
    "irrational hypothesis": ((Eq(x**2, 2), x > 0), x < Rational(1414213562, 10**9)),
    "cubic hypothesis": ((Eq(x**3, 2),), x < Rational(5, 4)),
    "two-cycle": ((eta > 1, eta < Rational(3, 2), x > 0, x < 1), Ne(two_steps, x)),
    "abs": ((), Abs(x - y) <= Abs(x) - Abs(y)),
    "missing denominator sign": ((Ne(y, 0), x > y), x / y > 1),
}

UNDEFINED = {
    "cancelled denominator": ((), Eq((x**2 - 1) / (x - 1), x + 1)),
    "root of a negative": ((), 2 * sqrt(x) <= 1 + x),
    "zero over zero": ((), Eq(x / (x + y) + y / (x + y), 1)),
    "logarithm": ((), log(x) <= x),
    "root seen before in another branch": ((Or(x ** Rational(3, 2) > 1, x < 0),), sqrt(x) >= 0),
    "slope beyond the domain": ((Ne(x, 0),), Eq(Subs(Derivative(log(z), z), z, x), 1 / x)),
    "undefined branch": ((), Piecewise((1 / (x - 3), x > 2), (0, True)) <= Abs(x) + Abs(1 / (x - 3))),
}


def ask(given, claim):
    free = sorted(And(*given, claim).free_symbols, key=str)
    return real.prove(Goal.over(dict.fromkeys(free, S.Reals), given, claim), Budget.of("deep"))


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_proved(name):
    verdict = ask(*TRUE[name])
    assert verdict.outcome is Outcome.PROVED
    assert verdict.certificate["kind"] in ("products", "oracle")


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted_at_an_exact_point(name):
    given, claim = FALSE[name]
    verdict = ask(given, claim)
    assert verdict.outcome is Outcome.REFUTED
    point = {Symbol(key): parse_expr(value) for key, value in verdict.counterexample.items()}
    assert holds(And(*given), point) is True
    assert holds(claim, point) is False


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_conclusion_that_is_undefined_somewhere_is_not_proved(name):
    verdict = ask(*UNDEFINED[name])
    assert verdict is None or verdict.outcome is not Outcome.PROVED


def test_a_quadratic_polynomial_is_never_negative_exactly_where_its_matrix_says_so():
    random = Random(5)  # noqa: S311 - reproducible draws, not secrets
    ring, sure = Ring((x, y)), 0
    for _ in range(300):
        rows = Matrix(3, 3, lambda i, j: random.randint(-2, 2) if i != j else random.randint(0, 3))
        rows = rows + rows.T
        quadratic = (Matrix([[1, x, y]]) * rows * Matrix([1, x, y]))[0].expand()
        assert never_negative(ring.polynomial(quadratic)) == rows.is_positive_semidefinite
        sure += never_negative(ring.polynomial(quadratic))
    assert 20 < sure < 280
    assert not never_negative(ring.polynomial(x**4 + x**3 + y**2))


def test_a_hypothesis_counts_only_where_it_is_defined():
    assert ask((1 / x > 0,), x > 0).outcome is Outcome.PROVED
    assert ask((sqrt(x) >= 0,), x >= 0).outcome is Outcome.PROVED
    assert ask((Or(1 / x > 0, Eq(x, 0)),), x > 0).outcome is Outcome.REFUTED


def test_integer_variables():
    assert real.prove(Goal.over({n: S.Integers}, (n > 0,), n >= 1), Budget.of("standard")).outcome is Outcome.PROVED
    assert real.prove(Goal.over({n: S.Integers}, (), Ne(2 * n, 1)), Budget.of("standard")).outcome is Outcome.PROVED
    verdict = real.prove(Goal.over({n: S.Integers}, (n > 1,), n**2 > 7), Budget.of("standard"))
    assert verdict.counterexample == {"n": "2"}


def test_contradictory_hypotheses_prove_falsity_and_a_solution_is_a_witness():
    contradictory = Goal({x: S.Reals}, (x > 1, x**2 < 1), ~true)
    assert real.prove(contradictory, Budget.of("quick")).outcome is Outcome.PROVED
    assert real.prove(Goal({x: S.Reals}, (x > 1,), ~true), Budget.of("quick")).counterexample == {"x": "2"}


def test_unknown_functions_are_not_guessed():
    assert ask((), phi(x) ** 2 >= 0).outcome is Outcome.PROVED
    assert ask((), phi(x) >= 0) is None
    assert ask((x > 0,), Function("psi")(x) > phi(x)) is None


def test_quantifiers_that_only_add_variables():
    given = Exists(y, S.Reals, Eq(x, y**2))
    lemma = Statement(id="q", variables={x: S.Reals}, given=(given,), then=ForAll(y, Interval(0, 1), x + y >= 0))
    assert real.decide(lemma, Budget.of("quick")).outcome is Outcome.PROVED
    assert real.decide(lemma.but(given=()), Budget.of("quick")).outcome is Outcome.REFUTED


def test_what_is_defined_everywhere_is_not_said_to_be_undefined():
    goal = Goal({x: S.Reals}, (), sqrt(x**2 + 1) >= 1)
    assert real.where_defined(goal, Budget.of("standard").start()).outcome is Outcome.PROVED
    goal = Goal({x: S.Reals}, (), sqrt(x**3 + 1) >= 0)
    assert real.where_defined(goal, Budget.of("standard").start()).outcome is Outcome.OPEN


def test_an_undefined_conclusion_is_said_to_be_so():
    lemma = Statement(id="u", variables={x: S.Reals}, then=Eq((x**2 - 1) / (x - 1), x + 1))
    verdict = real.decide(lemma, Budget.of("quick"))
    assert verdict.outcome is Outcome.OPEN
    assert "defined" in verdict.notes[0]
