"""What was proved is accepted by Coq's kernel, what is false is not, and without Coq nothing is lost."""

from __future__ import annotations

import pytest
from sympy import Abs, And, Eq, Ne, Rational, S, exp, expand, sqrt, symbols

from proofs_check.algebra.systems import systems_of
from proofs_check.budget import Budget
from proofs_check.checkers import coq
from proofs_check.coq import process
from proofs_check.engines import kernel
from proofs_check.goals import goal_of
from proofs_check.sos.positivstellensatz import contradiction
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.statements import Statement

x, y, n = symbols("x y n")
LONG = Budget("deep", 90.0, 1, 1)
needs_coq = pytest.mark.skipif(process.missing() is not None, reason="coq is not installed")


def statement(given, claim):
    free = sorted(And(*given, claim).free_symbols, key=str)
    return Statement(id="test", variables=dict.fromkeys(free, S.Reals), given=given, then=claim)


def squares(lemma):
    system = systems_of(goal_of(lemma))[0]
    symbols_ = [str(symbol) for symbol in system.ring.symbols]
    found = contradiction(system.ring, system.constraint, 5)
    return {"kind": "sos", "symbols": symbols_, "origins": {}, "branches": found}


@needs_coq
@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ((x > 1,), x**2 > 1),
        ((), Abs(x + y) <= Abs(x) + Abs(y)),
        ((x > 0,), x + 1 / x >= 2),
        ((x >= 0,), sqrt(x) <= (1 + x) / 2),
        ((), Eq((x + y) ** 3, expand((x + y) ** 3))),
        ((Ne(x, y),), Eq((x**2 - y**2) / (x - y), x + y)),
    ],
)
def test_proved_statements_pass_the_kernel(given, claim):
    verdict = kernel.confirm(statement(given, claim), Verdict(Outcome.PROVED), LONG.start())
    assert verdict.strength is Strength.KERNEL


@needs_coq
def test_squares_are_carried_over_and_replayed():
    motzkin = statement((), x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1 >= 0)
    verdict = kernel.confirm(motzkin, Verdict(Outcome.PROVED, certificate=squares(motzkin)), LONG.start())
    assert verdict.certificate["tactic"] == "squares"
    assert coq.check(motzkin, verdict.certificate)
    assert not coq.check(motzkin.but(then=motzkin.then.lhs >= Rational(1, 100)), verdict.certificate)


@needs_coq
def test_transcendental_bounds_pass_by_intervals():
    lemma = statement((x >= 0, x <= 1), exp(x) - 1 - x - x**2 / 2 <= Rational(22, 100))
    verdict = kernel.confirm(lemma, Verdict(Outcome.PROVED), LONG.start())
    if verdict is None:
        assert not process.accepts("From Interval Require Import Tactic.", 60)
    else:
        assert verdict.certificate["tactic"] == "interval"


@needs_coq
def test_a_false_statement_does_not_pass():
    assert kernel.confirm(statement((), x**2 > 0), Verdict(Outcome.PROVED), LONG.start()) is None


def test_only_proved_statements_are_exported():
    lemma = statement((), x**2 >= 0)
    assert kernel.export(lemma, Verdict(Outcome.OPEN)) is None
    assert "Theorem goal" in kernel.export(lemma, Verdict(Outcome.PROVED))


def test_without_coq_nothing_is_claimed(monkeypatch):
    monkeypatch.setattr(process.shutil, "which", lambda _: None)
    assert "install coq" in kernel.missing()
    lemma = statement((), x**2 >= 0)
    assert kernel.confirm(lemma, Verdict(Outcome.PROVED), LONG.start()) is None
    assert kernel.decide(lemma, Budget.of("quick")) is None
    assert not coq.check(lemma, {"kind": "coq", "tactic": "nra", "squares": None})


def test_a_certificate_names_a_tactic_and_carries_no_text():
    lemma = statement((), x**2 >= 0)
    assert not coq.check(lemma, {"kind": "coq", "tactic": "admit. Qed. (*", "squares": None})
