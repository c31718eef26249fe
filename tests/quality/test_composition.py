"""Steps are joined soundly: each rule with a true use and false twins, and nothing is proved by way of what is not."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import And, Eq, Equivalent, Implies, Interval, Lt, Not, Or, S, cos, log, symbols

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines.chaining.search import decide
from proofs_check.engines.discharge import Proving, load
from proofs_check.kernel.chaining import holds
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from proofs_check.kernel.trust import Strength
from proofs_check.referee.composition import settled
from proofs_check.verdict import Outcome, Verdict
from theory import Always, Constant, ConvergesTo, Eventually, Flow, HasPeriod, Map, Statement, Until
from theory.proofs import with_premises
from theory.trees import encode

x, y, z, a, x0, K = symbols("x y z a x0 K")
A, B, C = Always(x > 0), ConvergesTo(x, 1), HasPeriod(2)
LINE: dict[str, Any] = {
    "variables": {x0: S.Reals, K: Interval.open(0, 1)},
    "dynamics": Map((x,), (x - K * x * (x**2 - 1),)),
    "start": {x: x0},
}


def theorem(*given: Any, then: Any) -> Theorem | Rejection | None:
    load()
    statement = Statement(**LINE, given=given, then=then)
    found = decide(statement, Budget.of("standard"))
    return None if found is None else accept(statement, Sense.HOLDS, found.certificate)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ((A, Implies(A, B)), B),
        ((A, B, Implies(And(A, B), C)), C),
        ((A, Implies(Or(A, B), C)), C),
        ((A, Equivalent(B, A)), B),
        ((Or(A, B), Implies(A, C), Implies(B, C)), C),
        ((Or(A, B), Not(A)), B),
        ((Or(A, B), Implies(A, C)), Or(B, C)),
        ((And(A, B),), And(B, A)),
        ((A,), Always(x**3 > 0)),
        ((A, Always(x < 2)), Always(x * (2 - x) > 0)),
        ((A, K > 0), Always(K * x > 0)),
        ((A, Implies(Always(x > -1), B)), B),
    ],
)
def test_what_follows_is_accepted(given: Any, then: Any) -> None:
    assert isinstance(theorem(*given, then=then), Theorem)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ((B, Implies(A, B)), A),
        ((A, Implies(And(A, B), C)), C),
        ((Implies(A, B), Implies(Not(A), B)), B),
        ((Implies(A, C), Not(C)), Not(A)),
        ((Or(A, B), Implies(A, C)), C),
        ((Or(A, B), Not(A)), C),
        ((Eventually(x > 0),), A),
        ((Eventually(A),), A),
        ((Until(x > 0, x > 1),), A),
        ((x0 > 0, Or(A, B)), Always(x0 + x > 0)),
        ((A,), Always(x > 1)),
        ((A,), Always(Eq(log(x - 1), log(x - 1), evaluate=False))),
        ((Always(x > -1), Implies(Always(log(x) > -5), B)), B),
    ],
)
def test_what_does_not_follow_is_not(given: Any, then: Any) -> None:
    load()
    statement = Statement(**LINE, given=given, then=then)
    assert not holds(statement, Proving(Budget.of("quick").start()))


def test_a_part_may_come_from_another_kind_of_proof_but_not_from_a_forged_one() -> None:
    start = {x0: Interval.open(0, 1), K: Interval.open(0, S(1) / 2)}
    statement = Statement(**{**LINE, "variables": start}, given=(B,), then=And(A, B))
    found = decide(statement, Budget.of("deep"))
    assert found is not None
    assert isinstance(accept(statement, Sense.HOLDS, found.certificate), Theorem)
    lemma = {**found.certificate["lemmas"][0], "then": encode(Always(x > 1))}
    forged = statement.but(then=And(Always(x > 1), B))
    assert isinstance(accept(forged, Sense.HOLDS, {**found.certificate, "lemmas": [lemma]}), Rejection)
    assert isinstance(accept(forged, Sense.HOLDS, {**found.certificate, "lemmas": []}), Rejection)


def test_a_premise_takes_no_place_away_where_it_has_no_value() -> None:
    bound = Statement(variables={z: S.Reals}, then=cos(z) <= 1)
    real = Statement(variables={x: S.Reals}, then=cos(log(x)) < 2, uses=("1",))
    assert verify(with_premises(real, [bound]), effort="quick").outcome is not Outcome.PROVED
    positive = real.but(variables={x: Interval.open(0, S.Infinity)})
    assert verify(with_premises(positive, [bound]), effort="quick").outcome is Outcome.PROVED


def test_a_premise_does_not_say_that_its_domain_has_members() -> None:
    inside = Statement(variables={a: S.Reals, z: Interval.open(0, a)}, then=z <= a)
    goal = Statement(variables={a: S.Reals}, then=a > 0, uses=("1",))
    assert verify(with_premises(goal, [inside]), effort="quick").outcome is Outcome.REFUTED


def test_a_step_about_numbers_speaks_of_every_moment() -> None:
    bound = Statement(variables={x: Interval.open(0, S.Infinity)}, then=x**2 + 1 >= 2 * x)
    goal = Statement(**LINE, given=(A,), then=Always(x**2 >= 2 * x - 1), uses=("1",))
    assert with_premises(goal, [bound]).given[1] == Always(Implies(Lt(0, x), x**2 + 1 >= 2 * x))


def with_value(value: int) -> dict[str, Any]:
    return {"constants": (Constant(K, value, best="largest"),)}


UNIT = {x0: Interval(0, 1)}
OTHERWISE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a flow": ({"dynamics": Flow((x,), (-K * x,)), **with_value(1)}, with_value(-1)),
    "a variable": (
        {"dynamics": Flow((x,), (-K * x,)), **with_value(1)}, {"constants": (), "variables": UNIT | {K: S.Reals}}
    ),
    "a map": ({"dynamics": Map((x,), (K * x,)), **with_value(1)}, with_value(2)),
    "a start": ({"dynamics": Flow((x,), (-x,)), "start": {x: K}, **with_value(1)}, with_value(2)),
    "a domain": ({"dynamics": Flow((x,), (x0,), domain=x <= K), **with_value(1)}, with_value(2)),
    "a variable of the step": (
        {"dynamics": Flow((x,), (-K * x,)), "variables": UNIT | {K: Interval(1, 2)}},
        {"variables": UNIT, **with_value(-1)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_constant_may_have_another_value_in_a_later_step(name: str) -> None:
    first, other = OTHERWISE[name]
    step = Statement(**{"variables": UNIT, "start": {x: x0}, "then": Always(x <= 1), **first})
    later = with_premises(step.but(**other, uses=("1",)), [step])
    assert Always(x <= 1) not in later.given
    assert Always(x <= 1) in with_premises(step.but(then=Always(x <= 2), uses=("1",)), [step]).given


def test_what_holds_for_one_value_of_a_constant_is_refuted_for_another() -> None:
    first, other = OTHERWISE["a flow"]
    step = Statement(**{"variables": UNIT, "start": {x: x0}, "then": Always(x <= 1), **first})
    assert verify(step, effort="quick").outcome is Outcome.PROVED
    later = with_premises(step.but(**other, uses=("1",)), [step])
    assert verify(later, effort="quick").outcome is Outcome.REFUTED


def test_the_domain_of_a_variable_of_a_step_says_nothing_of_a_constant() -> None:
    step = Statement(variables={z: Interval(0, 1), K: Interval(2, 3)}, then=z * K <= 3)
    goal = Statement(variables={z: Interval(0, 1)}, then=z <= K, uses=("1",), **with_value(0))
    assert verify(with_premises(goal, [step]), effort="quick").outcome is Outcome.REFUTED


STEP = "edge_of_stability/theorem-3.1#b.6"
FIRST = "edge_of_stability/theorem-3.1#t1"
WHOLE = "edge_of_stability/definition-4.corrected"
PARTS = {f"{WHOLE}#{tag}": Verdict(Outcome.PROVED, Strength.EXACT, id=f"{WHOLE}#{tag}") for tag in ("curve", "below")}
JOINED = Verdict(Outcome.PROVED, Strength.EXACT, id=WHOLE, trust=("step curve", "step below"))


def test_a_statement_is_proved_by_its_proof_with_the_trust_of_all_parts() -> None:
    weak = Verdict(Outcome.PROVED, Strength.ORACLE, id=f"{WHOLE}#below", trust=("z3+cvc5",))
    answer = settled(JOINED, {**PARTS, weak.id: weak})
    assert (answer.outcome, answer.strength) == (Outcome.PROVED, Strength.ORACLE)
    assert answer.trust == ("step curve", "step below", "z3+cvc5")


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.PROVED])
def test_a_gap_in_its_proof_leaves_a_statement_open_and_is_named(outcome: Outcome) -> None:
    failed = PARTS[f"{WHOLE}#below"].but(outcome=outcome)
    answer = settled(JOINED, {**PARTS, failed.id: failed})
    assert (answer.outcome, answer.strength) == (Outcome.OPEN, None)
    assert any(note.startswith("rests on below, which is ") for note in answer.notes)


def test_a_step_that_rests_on_a_false_one_says_so_and_carries_nothing_further() -> None:
    false = Verdict(Outcome.REFUTED, Strength.EXACT, id=FIRST)
    step = Verdict(Outcome.PROVED, Strength.EXACT, id=STEP, trust=("step t1",))
    last = Verdict(Outcome.PROVED, Strength.EXACT, id="edge_of_stability/theorem-3.1#t5", trust=("step b.6",))
    assert "rests on t1, which is false" in settled(step, {FIRST: false}).notes
    assert "rests on b.6, which is proved only from what is not" in settled(last, {FIRST: false, STEP: step}).notes


def test_nothing_is_proved_by_way_of_itself() -> None:
    circle = Verdict(Outcome.PROVED, Strength.EXACT, id=STEP, trust=("step t1",))
    back = Verdict(Outcome.PROVED, Strength.EXACT, id=FIRST, trust=("step b.6",))
    assert not any("proved by its proof" in note for note in settled(circle, {STEP: circle, FIRST: back}).notes)
