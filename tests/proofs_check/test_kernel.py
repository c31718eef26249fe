"""What was proved is accepted by Coq's kernel, what is false is not, and without Coq nothing is lost."""

from __future__ import annotations

from random import Random

import pytest
from sympy import (
    Abs,
    And,
    E,
    Eq,
    Equivalent,
    Implies,
    Interval,
    Max,
    Ne,
    Or,
    Rational,
    S,
    exp,
    expand,
    oo,
    pi,
    sqrt,
    symbols,
)

from proofs_check.budget import Budget
from proofs_check.checkers import coq
from proofs_check.checkers.algebra import counterexamples
from proofs_check.checkers.claims import Claim, claim_of
from proofs_check.coq import confirm as kernel
from proofs_check.coq import process
from proofs_check.coq.language import Names, theorem
from proofs_check.engines.polynomial import search as real
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.goals import goal_of
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.statements import Statement

x, y, n = symbols("x y n")
LONG = Budget("deep", 90.0, 1, 1)
needs_coq = pytest.mark.skipif(process.missing() is not None, reason="coq is not installed")


def statement(given, claim):
    free = sorted(And(*given, claim).free_symbols, key=str)
    return Statement(id="test", variables=dict.fromkeys(free, S.Reals), given=given, then=claim)


def squares(lemma):
    return {"kind": "products", "tree": contradiction(counterexamples(claim_of(lemma)), 5)}


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
    assert verdict.strength is Strength.COQ


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
    assert not coq.check(lemma, {"kind": "coq", "script": kernel.export(lemma, Verdict(Outcome.PROVED))})


@needs_coq
def test_the_stored_theorem_must_be_the_statement_and_the_rest_tactics():
    lemma = statement((x > 1,), x**2 > 1)
    stored = kernel.confirm(lemma, Verdict(Outcome.PROVED), LONG.start()).certificate
    assert coq.check(lemma, stored)
    assert not coq.check(lemma.but(given=()), stored)
    assert not coq.check(lemma.but(then=x**2 > 2), stored)
    for old, new in {
        "Qed.": "Admitted.",
        "Proof.\n": "Proof.\nAdmitted.\nTheorem other : True.\nProof.\n",
        "Open Scope R_scope.": "Open Scope R_scope.\nAxiom false : False.",
        "Require Import Reals": "Require Import Cheating Reals",
        "(x_0 > 1) ->": "(x_0 > 1) -> (x_0 > 2) ->",
    }.items():
        assert old in stored["script"]
        assert not coq.check(lemma, {**stored, "script": stored["script"].replace(old, new)})


@needs_coq
def test_where_coq_gives_a_value_and_mathematics_does_not_the_first_proof_must_replay():
    lemma = statement((), sqrt(x) >= 0)
    stored = kernel.confirm(lemma, Verdict(Outcome.PROVED), LONG.start()).certificate
    assert not coq.check(lemma, stored)
    defined = lemma.but(variables={x: Interval(0, oo)})
    verdict = real.decide(defined, LONG.start())
    assert coq.check(defined, kernel.confirm(defined, verdict, LONG.start()).certificate)


TEXTS = {
    "a1 - a2 - a1 ^ 2 / a2 >= - a1 ^ 2": x - y - x**2 / y >= -(x**2),
    "(/ (a1 ^ 2) < Rmax a1 (Rmax a2 1))": x**-2 < Max(x, y, 1),
    "sqrt (a1) ^ 3 <> exp 1 \\/ (Rabs a2 <= PI /\\ a1 <> a2)": Or(
        Ne(x ** Rational(3, 2), E), And(Abs(y) <= pi, Ne(x, y))
    ),
    "(a1 > 0 <-> a2 > 0)": Equivalent(x > 0, y > 0),
    "a1 > 0 /\\ a2 > 0 \\/ a1 < 0": Or(And(x > 0, y > 0), x < 0),
}


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_read_with_the_precedence_of_coq(text):
    claim = Claim({x: S.Reals, y: S.Reals}, (), TEXTS[text])
    assert coq.states(f"forall (a1 a2 : R), {text}", claim)
    assert not coq.states(f"forall (a2 a1 : R), {text}", claim) or TEXTS[text].has(Equivalent)


@pytest.mark.parametrize(
    "text",
    [
        "x_0 ^ 2 >= 0",
        "forall (x_0 : R), x_0 ^ 2 >= 0 x_0",
        "forall (x_0 x_0 : R), x_0 ^ 2 >= 0",
        "forall (x_0 : R), (x_0 ^ 2 >= 0",
        "forall (x_0 : nat), x_0 ^ 2 >= 0",
        "forall (x_0 : R), (0 < 0) -> x_0 ^ 2 >= 0",
        "forall (x_0 : R), x_0 ^ 2 >= 0 \\/ True",
        "forall (sqrt : R), sqrt ^ 2 >= 0",
        "",
    ],
)
def test_other_texts_are_refused(text):
    assert not coq.states(text, Claim({x: S.Reals}, (), x**2 >= 0))


def test_what_is_printed_is_read_back_as_the_statement():
    random = Random(4)  # noqa: S311 - reproducible statements
    pieces = [x, y, x**2, 1 / y, sqrt(x), exp(x), Abs(x - y), Max(x, y), Rational(-3, 7), x ** Rational(-3, 2), pi * y]
    for _ in range(60):
        one, two, three = (random.choice(pieces) * random.choice(pieces) - random.choice(pieces) for _ in range(3))
        goal = goal_of(statement((one <= 2, Ne(x, y)), Or(two > three, Implies(x > 0, one < three))))
        text = theorem(goal, Names(goal))
        claim = Claim(goal.variables, goal.hypotheses, goal.conclusion)
        assert coq.states(text, claim), text
        changed = Claim(goal.variables, goal.hypotheses, Or(two > three + 1, Implies(x > 0, one < three)))
        assert not coq.states(text, changed)
