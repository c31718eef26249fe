"""Findings of this paper re-evaluated by hand, and twins of its statements that must come out differently."""

import pytest
from sympy import Rational, S, Symbol, exp, sqrt

from proofs_check import verify
from proofs_check.verdict import Outcome
from theory.library import find, premised
from theory.swing_by import paper


def statement(number):
    return premised(f"swing_by/{number}")


def outcome(given):
    return verify(given, effort="quick").outcome


def test_every_id_is_built_and_has_a_title():
    for entry in (entry for entry in paper.entries if entry.is_stated):
        assert entry.title
        assert not entry.is_stated or entry.statement().then is not None


REFUTED = [
    "theorem-4.1.d-2",
    "equation-4.3",
    "equation-d.1",
    "equation-d.2",
    "claim-4.1.noise-bound",
    "corollary-d.1.a",
    "lemma-d.1#d.17",
    "lemma-d.4#d.45",
    "lemma-d.5#d.52",
    "lemma-d.7#d.60",
    "lemma-d.8#d.72.a",
    "claim-4.2.s8",
]


@pytest.mark.parametrize("number", REFUTED)
@pytest.mark.sampled(3)
def test_a_refutation_carries_a_point_at_which_the_hypotheses_hold_and_the_conclusion_fails(number):
    given = statement(number)
    verdict = verify(given, effort="quick")
    assert verdict.outcome is Outcome.REFUTED
    point = {symbol: Rational(verdict.counterexample[symbol.name]) for symbol in given.variables}
    assert all(bool(part.subs(point)) for part in given.hypotheses)
    assert not bool(given.conclusion.subs(point))


TWINS = [
    ("equation-4.3.corrected", lambda s: s.but(then=s.then.subs(S(2), S(3)))),
    (
        "claim-4.1.noise-bound.corrected",
        lambda s: s.but(given=(*s.given, Symbol("v_11") < 0), then=s.then.lhs <= Symbol("v_11")),
    ),
    ("assumption-d.3.redundant", lambda s: s.but(given=(), then=s.then)),
    ("lemma-d.4#d.42", lambda s: s.but(given=s.given[1:])),
    ("lemma-d.5#d.47", lambda s: s.but(then=s.then.lhs <= 2 * s.then.rhs)),
    ("lemma-d.6#d.55", lambda s: s.but(then=s.then.lhs >= 1 - 1 / Symbol("K"))),
    ("lemma-d.7#d.66", lambda s: s.but(then=100 * s.then.lhs <= 1)),
    ("lemma-d.8#d.79", lambda s: s.but(given=s.given[1:])),
    ("claim-4.2.s2.b", lambda s: s.but(then=s.then.subs(S(3), S(2)))),
    ("equation-b.2.b", lambda s: s.but(then=s.then.rhs <= s.then.lhs)),
]


@pytest.mark.parametrize(("number", "change"), TWINS)
@pytest.mark.sampled(2)
def test_a_proved_statement_has_a_false_twin(number, change):
    given = statement(number)
    assert outcome(given) is Outcome.PROVED
    assert outcome(change(given)) is Outcome.REFUTED


def test_the_order_of_section_4_contradicts_assumption_d5():
    for number in ("assumption-d.5.a", "assumption-d.1.room"):
        assert verify(statement(number), effort="standard").outcome is Outcome.VACUOUS


def test_the_exponential_inequality_fails_left_of_zero_and_holds_on_the_range_that_is_used():
    s, z = sqrt(Rational(10, 11)), Rational(-1, 100)
    assert 1 + s * z < exp(s**2 * z)
    assert 1 + s / 90 > exp(s**2 / 90)


def test_all_catalogued_lemmas_have_their_displayed_steps():
    tags = {entry.id.partition("#")[2] for entry in find("swing_by") if "#" in entry.id}
    joined = {
        17: "d.17",
        23: "d.23",
        36: "d.36",
        47: "d.47",
        52: "d.52",
        60: "d.60",
        63: "d.63",
        75: "d.75",
        81: "d.81",
    }
    assert set(joined.values()) <= tags
