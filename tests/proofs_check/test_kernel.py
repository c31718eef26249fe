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
    log,
    oo,
    pi,
    sqrt,
    symbols,
)

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.coq import confirm as kernel
from proofs_check.coq import process
from proofs_check.coq.language import Names, proposition, theorem
from proofs_check.coq.scripts import TACTICS, script
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.goals import goal_of
from proofs_check.kernel import coq
from proofs_check.kernel.algebra import counterexamples
from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.theorem import Sense, accept
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
    lemma = statement(given, claim)
    found = kernel.confirm(lemma, Verdict(Outcome.PROVED), LONG.start())
    assert accept(lemma, Sense.HOLDS, found.certificate).strength is Strength.COQ


@needs_coq
def test_squares_are_carried_over_and_replayed():
    motzkin = statement((), x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1 >= 0)
    verdict = kernel.confirm(motzkin, Verdict(Outcome.PROVED, certificate=squares(motzkin)), LONG.start())
    assert verdict.certificate["tactic"] == "products"
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


WITHOUT_VALUE = [
    ((), sqrt(x) >= 0), ((), x**-2 >= 0), ((x >= 0,), 1 / x >= 0), ((), log(x) <= Abs(x)),
    ((x < 2,), sqrt(x - 1) >= 0), ((x >= 0, y >= 0), x / y >= 0), ((), Or(x / (x**2 - 1) >= 0, x < 5)),
]  # fmt: skip


@pytest.mark.parametrize("claim", WITHOUT_VALUE)
def test_a_theorem_that_does_not_conclude_that_there_is_a_value_is_not_the_statement(claim):
    goal = goal_of(statement(*claim))
    stated = Claim(goal.variables, goal.hypotheses, goal.conclusion)
    text = theorem(goal, Names(goal))
    assert coq.states(text, stated)
    bare = text.rpartition("-> ")[0] + f"-> ({proposition(goal.conclusion, Names(goal))})"
    bare = (
        bare
        if goal.hypotheses
        else f"forall ({' '.join(Names(goal))} : R), ({proposition(goal.conclusion, Names(goal))})"
    )
    assert not coq.states(bare, stated)


@needs_coq
@pytest.mark.parametrize("claim", [((), sqrt(x) >= 0), ((x >= 0,), 1 / x >= 0)])
def test_where_coq_gives_a_value_and_mathematics_does_not_nothing_is_confirmed(claim):
    assert kernel.confirm(statement(*claim), Verdict(Outcome.PROVED), LONG.start()) is None


@needs_coq
def test_a_proof_of_values_and_conclusion_needs_no_other_proof():
    defined = statement((), sqrt(x) >= 0).but(variables={x: Interval(0, oo)})
    stored = kernel.confirm(defined, Verdict(Outcome.PROVED), LONG.start()).certificate
    assert stored["proof"] is None
    assert coq.check(defined, stored)


GENUINE = """Require Import Reals Lra Psatz.
Open Scope R_scope.
Theorem goal : forall (x_0 : R), ((x_0 ^ 2) < 0).
Proof.
{body}
Qed."""
BODIES = """
- Axiom bad : False. nra.
+ Axiom bad : False. nra.
* Axiom bad : False. nra.
-- Axiom bad : False. nra.
{{ Axiom bad : False. }} nra.
{{ nra. }}
- nra.
1: {{ Axiom bad : False. nra. }}
1: nra.
all: Axiom bad : False. nra.
+ Print Assumptions I. nra.
- Print Assumptions I. nra.
Axiom bad : False. nra.
Axioms bad : False. nra.
Parameter bad : False. nra.
Parameters bad : False. nra.
Conjecture bad : False. nra.
Variable bad : False. nra.
Hypothesis bad : False. nra.
Context (bad : False). nra.
Admitted. Theorem other : True. exact I.
Abort. Axiom goal : False. Theorem other : True. exact I.
Admit Obligations. nra.
Unset Guard Checking. nra.
Unset Positivity Checking. nra.
Unset Universe Checking. nra.
Set Printing All. nra.
Local Unset Guard Checking. nra.
Global Unset Guard Checking. nra.
#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n. nra.
#[global] Axiom bad : False. nra.
Time Axiom bad : False. nra.
Fail Axiom bad : False. nra.
Redirect "out" Axiom bad : False. nra.
Timeout 5 Axiom bad : False. nra.
Load cheat. nra.
Require Import Cheat. nra.
From Cheat Require Import All. nra.
Declare ML Module "cheat". nra.
Notation "x < y" := (x = x) : R_scope. nra.
Notation lt := le. nra.
Ltac nra := admit. nra.
Ltac lra := give_up. lra.
Ltac2 nra () := (). nra.
Tactic Notation "nra" := admit. nra.
Module M. Axiom bad : False. End M. nra.
Section S. Variable bad : False. End S. nra.
Instance bad : False. nra.
Coercion bad : R >-> R. nra.
Canonical bad := 0. nra.
Open Scope nat_scope. nra.
Definition goal : False := bad. nra.
Qed. Axiom bad : False. Theorem other : True. exact I.
Defined. Theorem other : True. exact I.
Save goal. nra.
Next Obligation. nra.
Proof using All. nra.
Show. nra.
Drop. nra.
Cd "/". nra.
Extraction "x" goal. nra.
idtac "Closed under the global context". nra.
idtac "Axioms:". nra.
(* nra. *) nra.
intros (* Qed. *); nra.
admit.
give_up.
intros; admit.
intros; give_up.
exact bad.
apply bad.
destruct bad.
intros; exfalso; exact (bad I).
refine ?[x].
intros; abstract nra.
let a := constr:(bad) in exact a.
match goal with |- _ => admit end.
ltac:(admit).
ltac1:(admit).
shelve.
Unshelve. nra.
try pose proof (sqrt_pos x_0 ltac:(admit)).
pose proof (exp_pos x_0 ltac:(give_up)).
pose proof (bad x_0).
pose proof (sqrt_pos x_0). Axiom bad : False.
intros; repeat split; nra. Axiom bad : False.
intros; repeat split; nra.Axiom bad : False.
assert (C0 : False) by admit.
assert (C0 : 0 < 0) by admit.
assert (C0 : 0 < bad.lie) by lra.
apply (fun H => bad H) in Q0.
intros; repeat split; first [lra | admit].
lra ; Axiom bad : False.
nra
""".replace("{{", "{").replace("}}", "}").strip().splitlines()  # fmt: skip
FILES = {
    "another library": ("Require Import Reals Lra Psatz", "Require Import Reals Lra Psatz Cheat"),
    "another library in the place of one": ("Require Import Reals Lra Psatz", "Require Import Reals Lra Classical"),
    "libraries from elsewhere": ("Require Import Reals", "From Cheat Require Import Reals"),
    "no library": ("Require Import Reals Lra Psatz.\n", ""),
    "a line before": ("Require", "Axiom bad : False.\nRequire"),
    "a line between": ("Open Scope", "Axiom bad : False.\nOpen Scope"),
    "another scope": ("R_scope", "nat_scope"),
    "a second scope": ("Open Scope R_scope.", "Open Scope R_scope. Open Scope nat_scope."),
    "another name": ("Theorem goal", "Theorem other"),
    "an axiom in its place": ("Theorem goal", "Axiom goal"),
    "a definition before": ("Theorem goal", "Definition R := nat.\nTheorem goal"),
    "an admitted proof": ("Qed.", "Admitted."),
    "an abandoned proof": ("Qed.", "Abort."),
    "something behind": ("Qed.", "Qed.\nAxiom bad : False."),
    "a print behind": ("Qed.", "Qed.\nPrint Assumptions I."),
    "a proof term": ("Proof.", "Proof bad."),
    "another statement": ("< 0", "< 1"),
    "a hypothesis": ("forall (x_0 : R), ", "forall (x_0 : R), (0 > 1) -> "),
    "another type": (": R)", ": nat)"),
    "a comment in the statement": ("((x_0 ^ 2) < 0)", "((x_0 ^ 2) < 0) (* )"),
    "a scope in the statement": ("((x_0 ^ 2) < 0)", "((x_0 ^ 2) < 0)%nat"),
    "a letter that is not Latin": ("x_0", "\u03c7_0"),
    "a space that is none": ("Proof.\n", "Proof.\u00a0\n"),
    "a carriage return": ("Proof.\n", "Proof.\r\n"),
    "a null": ("Proof.\n", "Proof.\n\x00"),
}
NEGATIVE = Statement(id="false", variables={x: S.Reals}, then=x**2 < 0)


@pytest.mark.parametrize("body", BODIES)
def test_a_proof_with_a_sentence_that_no_proof_of_ours_has_is_rejected_before_coq_is_asked(body, monkeypatch):
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    assert coq.check(NEGATIVE, {"kind": "coq", "script": GENUINE.format(body="intros; repeat split; nra.")})
    assert not coq.check(NEGATIVE, {"kind": "coq", "script": GENUINE.format(body=body)})
    assert not coq.check(
        NEGATIVE, {"kind": "coq", "script": GENUINE.format(body="intros; repeat split; nra.\n" + body)}
    )


@pytest.mark.parametrize("change", FILES)
def test_a_file_with_anything_else_in_it_is_rejected_before_coq_is_asked(change, monkeypatch):
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    old, new = FILES[change]
    genuine = GENUINE.format(body="intros; repeat split; nra.")
    assert old in genuine
    assert not coq.check(NEGATIVE, {"kind": "coq", "script": genuine.replace(old, new, 1)})


SAID = "assumptions of the replayed theorem\n{}\nend of the assumptions\n"
REAL = "ClassicalDedekindReals.sig_forall_dec\n  : forall P : nat -> Prop, P"


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        (SAID.format("Closed under the global context"), True),
        (SAID.format(f"Axioms:\n{REAL}"), True),
        (SAID.format(f"Axioms:\n{REAL}\nClassical_Prop.classic : forall P : Prop, P"), True),
        (SAID.format(f"Axioms:\n{REAL}\nbad : False"), False),
        (SAID.format(f"Axioms:\nbad : False\n{REAL}"), False),
        (SAID.format("Axioms:\nreplayed.ClassicalDedekindReals.bad : False"), False),
        (SAID.format("Closed under the global context\nAxioms:\nbad : False"), False),
        (SAID.format("Axioms:"), False),
        (SAID.format(f"Axioms:\n{REAL}\nTheory: Type hierarchy is collapsed (logic is inconsistent)"), False),
        (SAID.format(""), False),
        ("Closed under the global context\n" + SAID.format("Axioms:\nbad : False"), False),
        (SAID.format("Axioms:\nbad : False") + "Closed under the global context\n", False),
        ("Closed under the global context\n", False),
        ("", False),
    ],
)
def test_only_the_axioms_of_the_reals_are_accepted_and_only_between_the_marks(said, accepted):
    assert coq._only_axioms_of_reals(said) is accepted


@needs_coq
def test_a_known_sentence_that_proves_nothing_is_rejected_by_coq():
    assert not coq.check(NEGATIVE, {"kind": "coq", "script": GENUINE.format(body="intros; repeat split; nra.")})
    assert not coq._accepted("Axiom goal : forall x : nat, x = x.", "Require Import Reals.\n", "forall x : R, x = x")
    assert not coq._accepted("Axiom goal : 1 = 2.", "Require Import Reals.\n", "1 = 2")


def test_every_sentence_that_is_written_is_known_to_the_checker():
    for given, claim in [
        ((), Eq((x + y) ** 2, x**2 + 2 * x * y + y**2)), ((x > 0,), x + 1 / x >= 2), ((x >= 0,), sqrt(x) <= 1 + x),
        ((x >= 0, x <= 1), exp(x) * y <= 3 * y), ((), Abs(x) >= x), ((x > 0, y > 0), Eq(log(x), y + exp(1 / x))),
        ((x > 0,), x ** Rational(-3, 2) > 0), ((), 1 / (1 + exp(x)) < 1 + Max(x, y)),
    ]:  # fmt: skip
        goal = goal_of(statement(given, claim))
        for tactic in set(TACTICS) - {"products"}:
            body = script(goal, tactic).partition("Proof.\n")[2].removesuffix("\nQed.")
            assert coq._only_known_sentences(body), body
    motzkin = statement((), x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1 >= 0)
    text = script(goal_of(motzkin), "products", squares(motzkin))
    assert coq._only_known_sentences(text.partition("Proof.\n")[2].removesuffix("\nQed."))


def test_the_kernel_has_time_of_its_own_and_a_time_out_is_not_remembered(monkeypatch, tmp_path):
    given_time = []

    def late(_text, seconds, _memory):
        given_time.append(seconds)
        raise process.OutOfPatienceError("coqc did not answer within 60 seconds")

    monkeypatch.setattr(kernel, "missing", lambda: None)
    monkeypatch.setattr(kernel, "accepts", late)
    lemma = statement((x > 1,), x**2 > 1)
    for _ in range(2):
        verdict = verify(lemma, effort="deep", folder=tmp_path)
        assert verdict.outcome is Outcome.PROVED
        assert verdict.strength is not Strength.COQ
        assert any("coqc did not answer" in note for note in verdict.notes)
    assert len(given_time) >= 4
    assert given_time[0] > 30
    assert max(given_time[len(given_time) // 2 :]) > 30
    monkeypatch.setattr(kernel, "accepts", lambda *_: True)
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    assert verify(lemma, effort="deep", folder=tmp_path).strength is Strength.COQ
    monkeypatch.setattr(kernel, "accepts", late)
    assert verify(lemma, effort="deep", folder=tmp_path).strength is Strength.COQ


def test_a_refusal_of_every_script_is_remembered(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(kernel, "missing", lambda: None)
    monkeypatch.setattr(kernel, "accepts", lambda *_: asked.append(1) or False)
    lemma = statement((x > 1,), x**2 > 1)
    assert verify(lemma, effort="deep", folder=tmp_path).strength is not Strength.COQ
    count = len(asked)
    assert count > 0
    assert verify(lemma, effort="deep", folder=tmp_path).strength is not Strength.COQ
    assert len(asked) == count


@needs_coq
def test_coqc_that_is_late_or_killed_has_not_refused():
    with pytest.raises(process.OutOfPatienceError, match="did not answer"):
        process.accepts("Require Import Reals Lra Psatz.", 0.01)


TEXTS = {
    "a2 <> 0 /\\ a1 - a2 - a1 ^ 2 / a2 >= - a1 ^ 2": x - y - x**2 / y >= -(x**2),
    "(/ (a1 ^ 2) < Rmax a1 (Rmax a2 1)) /\\ a1 <> 0": x**-2 < Max(x, y, 1),
    "a1 >= 0 /\\ (sqrt (a1) ^ 3 <> exp 1 \\/ (Rabs a2 <= PI /\\ a1 <> a2))": Or(
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
