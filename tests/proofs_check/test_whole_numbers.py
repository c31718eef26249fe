"""Whole numbers: residues and induction prove what is true, and nothing follows without a base, a step or a value."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Eq, Interval, Mod, Ne, Product, Range, Rational, S, Sum, Union, factorial, log, oo, sqrt, symbols

from proofs_check.budget import Budget
from proofs_check.engines.variation.leaves import Leaves, Points
from proofs_check.engines.whole.search import decide
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.kernel.whole_numbers import all_residues, induction
from theory import Statement

a, b, k, n, x = symbols("a b k n x")
N, Z = S.Naturals, S.Integers
AMPLE = Budget("standard", 20.0, 1000, 10_000)

TRUE = {
    "parity": ({n: Z}, Eq(Mod(n * (n + 1), 2), 0)),
    "binomial": ({n: Z}, Eq(Mod(n * (n + 1) / 2 * 2, 2), 0)),
    "thirds": ({n: Z}, Eq(Mod(n**3 - n, 3), 0)),
    "squares": ({a: Z, b: Z}, Ne(Mod(a**2 + b**2, 4), 3)),
    "sum": ({n: N}, Eq(Sum(k**2, (k, 1, n)), n * (n + 1) * (2 * n + 1) / 6)),
    "geometric": ({n: S.Naturals0}, Eq(Sum(3**k, (k, 0, n)), (3 ** (n + 1) - 1) / 2)),
    "inverse squares": ({n: N}, Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n),
    "harmonic": ({n: N}, Sum(1 / k, (k, 1, n)) >= log(n + 1)),
    "roots": ({n: N}, Sum(1 / sqrt(k), (k, 1, n)) >= sqrt(n)),
    "bernoulli": ({n: N, x: Interval(-1, oo)}, (1 + x) ** n >= 1 + n * x),
    "factorial": ({n: Range(4, oo)}, factorial(n) > 2**n),
    "late start": ({n: N}, 3**n >= n**3),
    "bounded inverse squares": ({n: N}, Sum(1 / k**2, (k, 1, n)) < Rational(7, 4)),
    "bounded halves": ({n: N}, Sum(k / 2**k, (k, 1, n)) < 2),
    "bounded product": ({n: N}, Product(1 + 1 / k**2, (k, 1, n)) <= 4),
    "geometric, any ratio": ({n: N, x: Interval.open(0, 1)}, Sum(x**k, (k, 1, n)) <= x / (1 - x)),
    "geometric, a ratio of any sign": (
        {n: N, x: Union(Interval.open(-oo, 1), Interval.open(1, oo))},
        Eq(Sum(x ** (k + 1), (k, 1, n)), (x**2 - x ** (n + 2)) / (1 - x)),
    ),
    "two sums": ({n: N}, Eq(Sum(k**3, (k, 1, n)), Sum(k, (k, 1, n)) ** 2)),
    "telescope": ({n: N}, Eq(Product(1 + 1 / k, (k, 1, n)), n + 1)),
}
SAME = Sum(x ** (k / 2), (k, 1, n)) + n, Sum(x ** (-k), (k, 1, n)) + n, Sum(x**k * log(x), (k, 1, n)) + n
"""Sums that have no value for every real number: halves, quotients, a logarithm beside a power."""

FALSE = {
    **{
        f"no value for every base, {place}": (
            {n: N, x: S.Reals},
            Eq(total, total - n + Sum(1, (k, 1, n)), evaluate=False),
        )
        for place, total in enumerate(SAME)
    },
    "geometric, the ratio one": ({n: N, x: S.Reals}, Eq(Sum(x**k, (k, 1, n)), (x - x ** (n + 1)) / (1 - x))),
    "parity": ({n: Z}, Eq(Mod(n * (n + 1), 4), 0)),
    "no whole number": ({x: S.Reals}, Eq(Mod(x * (x + 1), 2), 0)),
    "half": ({n: Z}, Eq(Mod(n * (n + 1) / 2, 2), 0)),
    "squares": ({a: Z, b: Z}, Ne(Mod(a**2 + b**2, 4), 2)),
    "sum, wrong at the base": ({n: N}, Eq(Sum(k, (k, 1, n)), n * (n + 1) / 2 + 1)),
    "sum, wrong in the step": ({n: N}, Eq(Sum(k, (k, 1, n)), n**2)),
    "inverse squares": ({n: N}, Sum(1 / k**2, (k, 1, n)) <= Rational(3, 2)),
    "bernoulli": ({n: N, x: Interval(-3, oo)}, (1 + x) ** n >= 1 + n * x),
    "factorial": ({n: N}, factorial(n) > 2**n),
    "late, but never": ({n: N}, 2**n >= n**4),
    "bounded inverse squares": ({n: N}, Sum(1 / k**2, (k, 1, n)) < Rational(8, 5)),
    "two sums": ({n: N}, Eq(Sum(k**3, (k, 1, n)), Sum(k, (k, 1, n)) ** 2 + n - 1)),
    "geometric, any sign": ({n: N, x: Interval.open(-1, 1)}, Sum(x**k, (k, 1, n)) <= x / (1 - x)),
    "a term without a value": ({n: N}, Sum(1 / (k - 3), (k, 1, n)) <= 100 + n),
    "strictly": ({n: N}, Sum(1 / k**2, (k, 1, n)) < 2 - 1 / n),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_proved_and_accepted(name: str) -> None:
    variables, then = TRUE[name]
    statement = Statement(variables=variables, then=then)
    verdict = decide(statement, AMPLE)
    assert verdict is not None
    assert isinstance(accept(statement, Sense.HOLDS, verdict.certificate), Theorem)


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not_proved(name: str) -> None:
    variables, then = FALSE[name]
    assert decide(Statement(variables=variables, then=then), Budget.of("quick")) is None


@pytest.mark.parametrize("other", ["sum, wrong at the base", "sum, wrong in the step", "strictly", "squares"])
def test_a_certificate_is_for_one_statement(other: str) -> None:
    for name in ("sum", "inverse squares", "squares"):
        variables, then = TRUE[name]
        verdict = decide(Statement(variables=variables, then=then), AMPLE)
        assert verdict is not None
        wrong = Statement(variables=FALSE[other][0], then=FALSE[other][1])
        assert not isinstance(accept(wrong, Sense.HOLDS, verdict.certificate), Theorem)


def test_a_bound_symbol_is_no_variable() -> None:
    """A hypothesis about k says nothing about the k that is summed over."""
    wrong: Any = Sum(1 / (k - 3), (k, 1, n)) <= 100 + n
    assert decide(Statement(variables={n: N, k: S.Reals}, given=(k > 3,), then=wrong), Budget.of("quick")) is None


@pytest.mark.parametrize(
    ("then", "stronger"),
    [
        (Sum(1 / k**2, (k, 1, n)) < Rational(3, 2), Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n),  # says too little
        (Sum(1 / k**2, (k, 1, n)) < 2, Sum(1 / k**2, (k, 1, n)) <= 1 + 1 / n),  # does not pass to the next number
        (Sum(1 / k**2, (k, 1, n)) < 2, Sum(1 / k**2, (k, 1, n)) <= 2 - 2 / n),  # false at the first number
        (Sum(1 / k**2, (k, 1, n)) < 2, Sum(1 / k**2, (k, 1, n)) <= x - 1 / n),  # speaks of something else
    ],
)
def test_a_stronger_relation_is_shown_and_says_enough(then: Any, stronger: Any) -> None:
    def shows(relation: Any) -> bool:
        return induction(Claim({n: N}, (), then), n, 0, Leaves(AMPLE.start(), Points()), relation)

    assert not shows(stronger)
    assert shows(Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n) is (then.rhs == 2)


def test_hypotheses_about_remainders_are_part_of_the_cases() -> None:
    odd, coprime = Eq(Mod(n, 2), 1), Ne(Mod(n, 3), 0)
    claim = Claim({n: S.Integers}, (odd, coprime), Eq(Mod(n**2 - 1, 24), 0))
    assert all_residues(claim)
    assert not all_residues(Claim({n: S.Integers}, (odd,), claim.conclusion))
    assert not all_residues(Claim({n: S.Integers}, (odd, Eq(Mod(n, 3), 0)), claim.conclusion))
    assert not all_residues(Claim({n: S.Reals}, (odd, coprime), claim.conclusion))
