"""A wrong rate is refuted; a clear violation that cannot be certified makes a statement suspect, never sampled."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sympy import Abs, Eq, Integer, Interval, Rational, S, exp, oo, symbols
from sympy.logic.boolalg import Boolean

from proofs_check import as_property_test
from proofs_check.budget import Budget
from proofs_check.engines.falsify import search as falsify
from proofs_check.engines.falsify import trajectories
from proofs_check.evidence.replay import check
from proofs_check.report.site import write_site
from proofs_check.report.terminal import headline, show, summary
from proofs_check.run.runs import exit_code
from proofs_check.verdict import Outcome, Verdict
from theory import (
    After,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    Flow,
    Map,
    Statement,
    Until,
    gradient_descent,
    gradient_flow,
)
from theory.library import find
from theory.temporal import fails_in_time

a, b, s, t, u, v, x, y, A, B, U, V, k = symbols("a b s t u v x y A B U V k")
POSITIVE = Interval.open(0, oo)
LOGISTIC = Flow((u,), (2 * u * (1 - u),), time=t)
BOX = {U: Interval(Rational(1, 4), Rational(3, 4))}


def flows(dynamics: Flow | Map, then: Boolean, start: dict, variables: dict, **more: object) -> Statement:
    return Statement(variables=variables, dynamics=dynamics, start=start, then=then, **more)


WRONG_RATES = {
    "a logistic rate at a box": flows(LOGISTIC, Always(1 - u <= (1 - U) * exp(-2 * t)), {u: U}, BOX),
    "at one start": flows(LOGISTIC, Always(1 - u <= exp(-2 * t) / 2), {u: S.Half}, {}),
    "a line": flows(LOGISTIC, Always(u >= S.Half + t), {u: S.Half}, {}),
    "growth": flows(Flow((u,), (u,), time=t), Always(u <= U * (1 + t + t**2 / 2)), {u: U}, {U: Interval(1, 2)}),
    "decay": flows(
        Flow((u,), (-k * u,), time=t), Always(u <= U * exp(-(k**2) * t)), {u: U}, {U: Interval(1, 2), k: Interval(1, 3)}
    ),
    "two states": flows(
        Flow((u, v), (v - u, -v), time=t), Always(u + v <= 2 * U * exp(-t)), {u: U, v: U}, {U: Interval(1, 2)}
    ),
    "a spring without friction": flows(
        Flow((u, v), (v, -u), time=t), Always(u**2 + v**2 <= U**2 * exp(-t / 10)), {u: U, v: S.Zero},
        {U: Interval(1, 2)},
    ),
    "a quartic loss": flows(
        gradient_flow(u**4 / 4, u, time=t), Always(u**2 <= U**2 / (1 + 3 * U**2 * t)), {u: U}, {U: Interval(1, 2)}
    ),
    "the slower direction": flows(
        gradient_flow(u**2 / 2 + 2 * v**2, (u, v), time=t), Always(u**2 + v**2 <= (U**2 + V**2) * exp(-3 * t)),
        {u: U, v: V}, {U: Interval(1, 2), V: Interval(1, 2)},
    ),
    "a velocity that knows the time": flows(
        Flow((u,), (t,), time=t), Always(u <= U + t**2 / 4), {u: U}, {U: Interval(1, 2)}
    ),
}  # fmt: skip


def judged(statement: Statement, effort: str = "quick") -> Verdict:
    falsify.prepare(statement)
    falsify.decide(statement, Budget.of("quick").start())  # what is compiled first is not timed
    verdict = falsify.decide(statement, Budget.of(effort).start())
    assert verdict is not None
    return verdict


@pytest.mark.parametrize("name", WRONG_RATES)
def test_a_wrong_rate_is_refuted_with_a_certified_time(name: str) -> None:
    verdict = judged(WRONG_RATES[name], "standard")
    assert verdict.outcome is Outcome.REFUTED, verdict.notes
    assert float(verdict.counterexample["time"]) > 0
    assert check(WRONG_RATES[name], verdict.certificate)[0] == "accepted"


@pytest.mark.parametrize("name", WRONG_RATES)
def test_a_clear_violation_that_cannot_be_certified_is_suspect(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trajectories, "confirm_violation", lambda *_, **__: None)
    verdict = judged(WRONG_RATES[name])
    assert verdict.outcome is Outcome.SUSPECT
    assert "again with more precision; it could not be certified" in verdict.notes[0]
    assert verdict.counterexample is None


FACTORS = gradient_flow((s - a * b) ** 2 / 2, (a, b))
TRUE = {
    "the logistic rate": flows(LOGISTIC, Always(1 - u <= (1 - U) * exp(-2 * U * t)), {u: U}, BOX),
    "an exact rate at all scales": flows(
        Flow((u,), (-k * u,), time=t), Always(u <= U * exp(-k * t)), {u: U}, {U: POSITIVE, k: POSITIVE}
    ),
    "balancedness": flows(
        FACTORS, Always(Eq(a**2 - b**2, A**2 - B**2)), {a: A, b: B}, {A: S.Reals, B: S.Reals, s: POSITIVE}
    ),
    "a stable manifold that rounding leaves": flows(
        Flow((x, y), (x + 3 * y, x - y)), Always(x**2 + y**2 <= U**2), {x: -U / 3, y: U / 3}, {U: POSITIVE}
    ),
    "a blow-up": flows(Flow((u,), (u**2,), time=t), Always(u >= U * (1 + U * t)), {u: U}, {U: POSITIVE}),
    "a stiff flow": flows(Flow((x, y), (y - 1000 * x, -y)), Always(x >= 0), {x: U, y: U}, {U: POSITIVE}),
    "two equal orbits of a chaotic map": flows(
        Map((x, y), (4 * x * (1 - x), 4 * y - 4 * y**2)), Always(Eq(x, y)), {x: U, y: U}, {U: Interval(0, 1)}
    ),
    "a loss that levels off": flows(gradient_flow(u**4 / 4, u), Decreasing(u), {u: U}, {U: POSITIVE}),
}


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.sampled(2)
def test_noise_makes_nothing_suspect(name: str) -> None:
    assert judged(TRUE[name], "standard").outcome is Outcome.SAMPLED


def test_a_limit_that_has_not_come_yet_is_no_violation() -> None:
    slow = flows(gradient_flow(u**4 / 4, u), ConvergesTo(u, 0), {u: U}, {U: Interval(1, 2)})
    verdict = judged(slow)
    assert verdict.outcome is Outcome.SAMPLED
    assert any(note.endswith("which a longer time may mend") for note in verdict.notes)


@pytest.mark.parametrize(
    ("claim", "shows"),
    [
        (Always(x > 0), True),
        (Always(Eventually(x > 0)), False),
        (Decreasing(x), True),
        (After(3, x > 0), True),
        (Eventually(x > 0), False),
        (~Eventually(x > 0), True),
        (Until(x > 0, x > 1), False),
        (~Until(x > 0, x > 1), True),
        (Always(x > 0) | ConvergesTo(x, 0), False),
        (Eventually(x > 1) >> Always(x > 0), True),
        (Always(x > 1) >> Always(x > 0), False),
    ],
)
def test_only_what_shows_in_finite_time_can_be_suspect(claim: Boolean, shows: bool) -> None:
    assert fails_in_time(claim) is shows


KINK = flows(Flow((u,), (Abs(u) + 1,)), Always(u <= 10), {u: U}, {U: Interval(-1, 1)})
"""False, and beyond validated integration, which knows no kinks."""


@pytest.mark.parametrize("name", ["a line", "decay", "a spring without friction"])
def test_a_property_test_fails_where_the_verdict_is_refuted(name: str) -> None:
    with pytest.raises(AssertionError, match="certifies the violation"):
        as_property_test(WRONG_RATES[name], max_examples=30)()


def test_a_property_test_fails_where_the_verdict_is_suspect() -> None:
    assert judged(KINK).outcome is Outcome.SUSPECT
    with pytest.raises(AssertionError, match="in double precision"):
        as_property_test(KINK, max_examples=30)()


@pytest.mark.parametrize("name", ["the logistic rate", "balancedness", "a stable manifold that rounding leaves"])
def test_a_property_test_passes_where_nothing_is_wrong(name: str) -> None:
    as_property_test(TRUE[name], max_examples=30)()


def test_maps_with_a_clock_are_refuted_as_before() -> None:
    slow = flows(
        Map((x,), (x / 2,), time=k), Always(x <= U * Rational(1, 3) ** k), {x: U}, {U: Interval(1, 2)}
    )  # fmt: skip
    assert judged(slow).outcome is Outcome.REFUTED
    assert judged(flows(gradient_descent(x**2 / 2, x, Integer(3)), Always(x <= 5), {x: U}, BOX)).outcome is not (
        Outcome.SAMPLED
    )


SUSPECT = Verdict(Outcome.SUSPECT, engine="falsify", cases=7, notes=("it fails from U = 1",), id="mine/lemma")


def test_a_suspect_statement_is_red_a_finding_and_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code([Verdict(Outcome.PROVED), SUSPECT]) == 1
    assert summary([SUSPECT]) == "1 statement: 1 suspect"
    assert headline(SUSPECT).style == "bold red"
    show([Verdict(Outcome.PROVED, id="mine/other"), SUSPECT])
    shown = capsys.readouterr().out
    assert shown.index("proved   mine/other") < shown.index("Findings (1)") < shown.index("suspect  mine/lemma")
    assert "it fails from U = 1" in shown
    show([SUSPECT], as_json=True)
    assert json.loads(capsys.readouterr().out)["verdicts"][0]["outcome"] == "suspect"
    assert Verdict.from_json(SUSPECT.to_json()).outcome is Outcome.SUSPECT


def test_a_suspect_statement_is_among_the_findings_of_the_site(tmp_path: Path) -> None:
    entry = find("swing_by/theorem-4.1")[0]
    write_site(tmp_path, [entry], [SUSPECT.but(id=entry.id)])
    assert "Clear violations were seen" in (tmp_path / "index.html").read_text()
    page = next((tmp_path / "swing_by").glob("theorem-4.1*.html")).read_text()
    assert 'class="badge suspect"' in page
    assert "none could be certified" in page


def test_a_suspect_statement_of_ones_own_fails(tmp_path: Path) -> None:
    (tmp_path / "lemmas_kink.py").write_text(
        "from sympy import *\nfrom theory import *\nu, U = symbols('u U')\n"
        "kink = Statement(variables={U: Interval(-1, 1)}, dynamics=Flow((u,), (Abs(u) + 1,)), start={u: U},"
        " then=Always(u <= 10))\n"
    )
    commands = (
        ["pytest", "-p", "proofs_check.run.pytest_plugin", "--disable-plugin-autoload", "-p", "no:cacheprovider", "-q"],
        ["proofs_check", "check", "lemmas_kink.py", "--effort", "quick"],
    )
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=1000,
            env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "", "LEMMASCOPE_HOME": str(tmp_path)},
        )  # fmt: skip
        assert done.returncode == 1, done.stdout + done.stderr
        assert "suspect  " in done.stdout
