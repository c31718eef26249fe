"""Findings keep their outcome together with evidence that is computed here again, and mutated twins differ."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sympy import Rational, Symbol

from proofs_check import verify
from proofs_check.experiments import run
from proofs_check.verdict import Outcome, Strength
from theory.associative_memory import paper
from theory.associative_memory.memory import span
from theory.associative_memory.moments import BOUNDED, _bounded, _lemma
from theory.associative_memory.printed_moments import LEMMAS, Lemma
from theory.library import stated
from theory.statements import Statement

ENTRIES = {entry.id.partition("/")[2]: entry for entry in paper.entries}


def outcome(name: str) -> str:
    return str(verify(ENTRIES[name].statement(), effort="quick").outcome)


def test_every_statement_can_be_built() -> None:
    for entry in stated("associative_memory/claim-*", "associative_memory/lemma-c.1*"):
        assert isinstance(entry.statement(), Statement)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lemma-c.4.ratio", "refuted"),
        ("lemma-c.4.corrected", "proved"),
        ("lemma-c.9.ratio", "proved"),
        ("lemma-c.9.exact", "proved"),
        ("table-c.1", "refuted"),
        ("table-c.1.corrected", "proved"),
        ("theorem-4.1.attention", "refuted"),
        ("theorem-4.1.corrected", "proved"),
        ("equation-4.3", "proved"),
        ("equation-4.4", "refuted"),
        ("equation-4.4.corrected", "proved"),
        ("equation-c.37", "refuted"),
        ("equation-c.37.corrected", "proved"),
        ("lemma-c.14.rate", "refuted"),
        ("lemma-c.14.corrected", "proved"),
        ("claim-4.4.3.any-n", "refuted"),
        ("claim-4.4.3.any-n.corrected", "proved"),
        ("lemma-c.2.corrected", "proved"),
        ("claim-4.4.4.3.step-size.largest", "proved"),
        ("claim-4.4.4.3.step-size.large-noise", "refuted"),
        ("claim-4.4.4.3.step-size.large-noise.corrected", "proved"),
    ],
)
@pytest.mark.sampled(3)
def test_outcomes(name: str, expected: str) -> None:
    assert outcome(name) == expected


def test_second_moment_of_clusters() -> None:
    """Visits to the trigger come in clusters of geometric size; their number is nearly Poisson."""
    size, level, c = 4000, 0.5, 1
    after, start = 1 - level, 1 / size
    first, second = np.zeros(2), np.zeros(2)
    for _ in range(c * size):
        ahead = first[0]
        rows = [after, start]
        second = np.array([p * (second[0] + 1 + 2 * ahead) + (1 - p) * second[1] for p in rows])
        first = np.array([p * (first[0] + 1) + (1 - p) * first[1] for p in rows])
    printed = (-1 + 2 / level**2) / level + 1 / level**2
    corrected = (-1 + 2 / level) / level + 1 / level**2
    assert abs(second[1] / corrected - 1) < 0.01
    assert abs(second[1] / printed - 1) > 0.2


def test_noise_is_preferred_when_both_weights_are_equal(query_key: Callable[..., Fraction]) -> None:
    """Eq. (4.4) fails at N = 8, T = 24, alpha = 1/10, by running the chain forward."""
    size, noise = 8, Fraction(1, 10)
    now = [[Fraction(int(i == j)) for j in range(size + 1)] for i in range(size)]
    token, off = (query_key(size, 24, noise, now, now, place) for place in (1, size))
    assert token < off
    weaker = [[value / 10 for value in row] for row in now]
    token, off = (query_key(size, 24, noise, now, weaker, place) for place in (1, size))
    assert token > off


@pytest.mark.parametrize(("n", "smallest"), [(2, True), (3, True), (4, False), (6, False)])
def test_where_gradient_descent_puts_the_noise(n: int, smallest: bool) -> None:
    level, weights = 0.3, np.zeros((n + 1, n))
    goal = np.vstack([(1 - level) * np.eye(n), level * np.ones((1, n))])
    for _ in range(40_000):
        shares = np.exp(weights - weights.max(axis=0))
        weights -= 4.0 / n * (shares / shares.sum(axis=0) - goal)
    _, values, directions = np.linalg.svd(weights)
    place = int(np.argmax(np.abs(directions @ np.ones(n))))
    assert place == (n - 1 if smallest else 0)
    assert np.allclose(np.sort(values), np.sort(np.linalg.svd(_fitted(n, weights))[1]), atol=1e-8)


def _fitted(n: int, weights: np.ndarray) -> np.ndarray:
    noise = -weights[n, 0] / n
    signal = weights[0, 0] - weights[1, 0]
    values = {Symbol("beta_1"): Rational(signal), Symbol("beta_2"): Rational(noise)}
    return np.array(span(n).subs(values), dtype=float)


def test_long_time_constants() -> None:
    printed = run("associative_memory.log_time", {"flow": "printed", "alpha": "3/10", "time": 1e5})
    true = run("associative_memory.log_time", {"flow": "true", "alpha": "3/10", "time": 1e5})
    assert printed["product"] == pytest.approx(5 / (18 * 0.7), rel=1e-3)
    assert true["product"] == pytest.approx(4 / (3 * 0.7), rel=1e-3)
    assert printed["product"] != pytest.approx(1 / (0.7 * 3.4), rel=0.03)


@pytest.mark.parametrize("lemma", [lemma for lemma in LEMMAS if lemma.number != "c.4"], ids=lambda lemma: lemma.number)
def test_mutated_moments_are_noticed(lemma: Lemma) -> None:
    wrong = replace(lemma, leading=(*lemma.leading[:3], lemma.leading[3] * 2))
    assert str(verify(_lemma(wrong), effort="quick").outcome) == "refuted"


@pytest.mark.parametrize("number", BOUNDED)
@pytest.mark.sampled(2)
def test_relative_errors_are_bounded_for_all_lengths(number: str) -> None:
    verdict = verify(ENTRIES[f"lemma-{number}"].statement(), effort="standard")
    assert (verdict.outcome, verdict.strength) == (Outcome.PROVED, Strength.EXACT)


@pytest.mark.parametrize("number", BOUNDED)
@pytest.mark.sampled(2)
def test_a_wrong_moment_is_further_off_than_the_bound(number: str) -> None:
    lemma = next(lemma for lemma in LEMMAS if lemma.number == number)
    wrong = replace(lemma, leading=(lemma.leading[0], lemma.leading[1] * 2, *lemma.leading[2:]))
    assert str(verify(_bounded(wrong), effort="quick").outcome) == "refuted"


@pytest.mark.parametrize("level", [0.55, 0.75, 0.95])
def test_step_sizes_that_keep_the_logit_negative(level: float) -> None:
    """The least x / (p(x) - alpha) over a fine grid is at least 4, and below 1/(alpha (1 - alpha)) for much noise."""
    x = np.linspace(-40, -1e-3, 200_000)
    p = np.exp(x) / ((1 - level) / level + np.exp(x))
    largest = (x / (p - level)).min()
    assert 4 <= largest < 1 / (level * (1 - level)) - 1e-3
