"""The referee asks with growing budgets, remembers every answer, and asks no idle engine twice."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sympy import Interval, Rational, Symbol

from proofs_check import clock
from proofs_check.budget import PATIENCE, ROUNDS, Budget
from proofs_check.engines import ENGINES, engine
from proofs_check.engines.falsify.certificates import at_point
from proofs_check.evidence import case
from proofs_check.referee import judge as referee
from proofs_check.verdict import Evidence, Outcome, Verdict
from theory.dynamics import Map
from theory.statements import Statement
from theory.temporal import Always

x = Symbol("x")
LEMMA = Statement(id="demo/lemma-1", title="A title", variables={x: Interval(0, 1)}, then=x**2 <= x)


@pytest.fixture(scope="module")
def proof() -> Mapping[str, Any]:
    """A certificate of the lemma that the kernel accepts."""
    found = engine("polynomial").decide(LEMMA, Budget.of("standard").start())
    assert found is not None
    return dict(found.certificate)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, proof: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Engines that only note who was asked with which effort; `polynomial` proves at standard effort."""
    calls: list[tuple[str, str]] = []

    def decide_for(name: str) -> object:
        def decide(statement: Statement, budget: Budget) -> Verdict | None:
            calls.append((name, budget.effort))
            if name in ("polynomial", "cover"):
                clock.count(0.15)
            proves = name == "polynomial" and budget.effort == "standard"
            return Evidence(Outcome.PROVED, engine=name, certificate=proof) if proves else None

        return decide

    stand_ins = {name: SimpleNamespace(NAME=name, VERSION=1, decide=decide_for(name)) for name in ENGINES}
    for module in (referee, case):
        monkeypatch.setattr(module, "engine", stand_ins.__getitem__)
    return calls


def test_an_engine_with_nothing_to_say_is_not_asked_again_and_a_busy_one_is(asked: list[tuple[str, str]]) -> None:
    assert referee.verify(LEMMA).outcome is Outcome.PROVED
    assert asked.count(("identity", "glance")) == 1
    assert ("identity", "standard") not in asked
    assert ("polynomial", "standard") in asked


def test_what_passes_on_the_wall_while_nothing_is_computed_costs_the_others_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[float] = []

    def waits(statement: Statement, budget: Budget) -> None:
        time.sleep(0.3)

    def notes(statement: Statement, budget: Budget) -> None:
        given.append(budget.seconds)

    parties = dict.fromkeys(ENGINES, notes) | {"identity": waits}
    stand_ins = {name: SimpleNamespace(NAME=name, VERSION=1, decide=decide) for name, decide in parties.items()}
    for module in (referee, case):
        monkeypatch.setattr(module, "engine", stand_ins.__getitem__)
    referee.verify(LEMMA, effort="quick")
    assert set(given) == {Budget.of("glance").seconds}


def test_a_second_run_asks_nobody(asked: list[tuple[str, str]], tmp_path: Path) -> None:
    first = referee.verify(LEMMA, folder=tmp_path)
    asked.clear()
    second = referee.verify(LEMMA, folder=tmp_path)
    assert asked == []
    assert second.but(seconds=0) == first.but(seconds=0)


def test_fresh_asks_again_and_a_changed_engine_is_asked_again(
    asked: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee.verify(LEMMA, folder=tmp_path)
    asked.clear()
    referee.verify(LEMMA, folder=tmp_path, fresh=True)
    assert ("polynomial", "standard") in asked
    asked.clear()
    referee.engine("polynomial").VERSION = 2
    referee.verify(LEMMA, folder=tmp_path)
    assert {name for name, _ in asked} == {"polynomial"}


def test_the_verdict_carries_what_the_statement_is_called(asked: list[tuple[str, str]]) -> None:
    verdict = referee.verify(LEMMA)
    assert (verdict.id, verdict.kind, verdict.title) == ("demo/lemma-1", "lemma", "A title")
    assert verdict.witness is not None


def test_a_budget_runs_out_by_work_or_on_the_wall() -> None:
    began, short = time.process_time(), Budget("quick", 0.05, 1, 1).start()
    assert 0 < short.left <= 0.05
    while time.process_time() < began + 0.06:
        pass
    assert short.spent
    waiting = Budget("quick", 0.05, 1, 1).start()
    time.sleep(PATIENCE * 0.05 + 0.01)
    assert waiting.spent


def test_an_engine_that_does_not_stop_is_interrupted_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, proof: Mapping[str, Any]
) -> None:
    def endless(statement: Statement, budget: Budget) -> Verdict | None:
        while True:
            with suppress(Exception):
                sum(range(1000))

    def proves(statement: Statement, budget: Budget) -> Verdict | None:
        return Evidence(Outcome.PROVED, engine="cover", certificate=proof)

    parties = {name: (lambda statement, budget: None) for name in ENGINES} | {
        "polynomial": endless,
        "cover": proves,
    }
    stand_ins = {name: SimpleNamespace(NAME=name, VERSION=1, decide=decide) for name, decide in parties.items()}
    for module in (referee, case):
        monkeypatch.setattr(module, "engine", stand_ins.__getitem__)
    verdict = referee.verify(LEMMA, effort="quick")
    assert verdict.outcome is Outcome.PROVED
    assert "the engine polynomial did not stop in time; the others went on" in verdict.notes


def test_a_closed_relation_is_left_to_the_engines() -> None:
    from sympy import Rational, exp, symbols

    from theory.statements import Constant

    c, y = symbols("c y")
    statement = Statement(
        variables={y: Interval(0, 1)}, constants=(Constant(c, Rational(27, 10), best="largest"),), then=c < exp(1)
    )
    assert statement.conclusion.args == (Rational(27, 10), exp(1))
    verdict = referee.verify(statement)
    assert verdict.outcome is Outcome.PROVED
    assert referee.verify(statement.but(then=c > exp(1))).outcome is Outcome.REFUTED


def test_a_proved_step_says_which_steps_it_assumes() -> None:
    x = Symbol("x")
    step = Statement(id="demo/lemma-1#2", variables={x: Interval(0, 1)}, given=(x >= 0,), then=x**2 <= x, uses=("1",))
    assert "assumes what step 1 of the proof states" in referee.verify(step, effort="quick").notes
    assert not any("assumes" in note for note in referee.verify(step.but(uses=()), effort="quick").notes)


def test_a_counterexample_that_the_checker_rejects_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(statement: Statement, _budget: Budget) -> Evidence:
        certificate = at_point({x: Rational(1, 2)})
        return Evidence(Outcome.REFUTED, "identity", counterexample={"x": "1/2"}, certificate=certificate)

    monkeypatch.setattr("proofs_check.engines.identity.search.decide", wrong)
    verdict = referee.verify(LEMMA)
    assert verdict.outcome is Outcome.PROVED
    assert any("the kernel does not accept the evidence of the engine identity" in note for note in verdict.notes)


@pytest.mark.parametrize("effort", ["quick", "standard", "deep"])
def test_a_proof_that_the_kernel_rejects_is_dropped_at_every_effort(
    monkeypatch: pytest.MonkeyPatch, effort: str
) -> None:
    def wrong(statement: Statement, _budget: Budget) -> Evidence:
        certificate = {"kind": "identity", "combinations": []}
        return Evidence(Outcome.PROVED, "identity", certificate=certificate)

    monkeypatch.setattr("proofs_check.engines.identity.search.decide", wrong)
    monkeypatch.setattr("proofs_check.coq.confirm.confirm", lambda *_: None)
    verdict = referee.verify(LEMMA, effort=effort)
    assert (verdict.outcome, verdict.engine) == (Outcome.PROVED, "polynomial")
    assert any("the kernel does not accept the evidence of the engine identity" in note for note in verdict.notes)


@pytest.mark.parametrize("effort", ROUNDS)
@pytest.mark.parametrize("name", ["enclosure", "falsify", "motion"])
def test_every_round_is_known_to_the_engines_of_trajectories(name: str, effort: str) -> None:
    halving = Statement(
        dynamics=Map((x,), (x / 2,)),
        start={x: Symbol("a")},
        variables={Symbol("a"): Interval(0, 1)},
        then=Always(x <= 1),
    )
    verdict = engine(name).decide(halving, replace(Budget.of(effort), seconds=0.1).start())
    assert verdict is None or verdict.outcome is not Outcome.REFUTED
