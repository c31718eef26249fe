"""Generated property tests are an instrument: nine of ten false statements fail theirs, and no true one does.

The quick run looks at a sample of the corpus, the deep one at all of it and at the refuted entries of the library.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import corpus
import motion_corpus
import pytest
from sympy import Eq, Interval, Rational, S, symbols
from sympy.core.relational import Relational

from proofs_check import Outcome, Verdict, as_property_test, verify
from proofs_check.run import property_tests
from theory import Always, ConvergesTo, Decreasing, Map, Statement, gradient_descent, sign_descent
from theory.errors import LemmascopeError
from theory.library import find, has, premised

DEEP = os.environ.get("LEMMASCOPE_PROFILE") == "deep"
EVERY = 1 if DEEP else 40
LEAST = 0.9

x, x0, eta, a, b = symbols("x x0 eta a b")
THIN = {
    "a circle": Statement(variables={a: S.Reals, b: S.Reals}, given=(Eq(a**2 + b**2, 1),), then=a + b <= 1),
    "a sum": Statement(
        variables={a: Interval(0, 1), b: Interval(0, 1)}, given=(Eq(a + b, 1),), then=a * b <= Rational(6, 25)
    ),
    "a chain": Statement(
        variables={a: S.Reals, b: S.Reals, x: S.Reals}, given=(a > 0, a < b, b < x, x < Rational(1, 10**6)),
        then=x - a < b,
    ),
    "one step of descent": Statement(
        variables={x0: Interval(-2, 2), eta: Interval(0, Rational(5, 2))}, start={x: x0},
        dynamics=gradient_descent(x**2 / 2, x, eta), then=Always(x**2 <= x0**2),
    ),
    "the sign of a slope": Statement(
        variables={x0: Interval(0, 1)}, start={x: x0}, dynamics=sign_descent(x**2, x, Rational(1, 10)),
        then=Always(x >= -Rational(1, 20)),
    ),
}  # fmt: skip
"""False, on thin sets or along trajectories: to be found by drawing alone."""


def outcome(statement: Statement) -> str:
    """What the test of a statement does: passes, fails, or is refused."""
    try:
        test = as_property_test(statement)
    except LemmascopeError:
        return "refused"
    try:
        test()
    except AssertionError:
        return "fails"
    return "passes"


def score(statements: dict[str, Statement], kind: str) -> tuple[list[str], list[str]]:
    """The names of those that fail and of those that pass, printed with their number."""
    found = {name: outcome(statement) for name, statement in statements.items()}
    failing, passing = ([name for name in found if found[name] == way] for way in ("fails", "passes"))
    print(f"property tests of {kind} statements: {len(failing)} fail, {len(passing)} pass: {', '.join(passing)}")
    return failing, passing


def sample(statements: dict[str, Statement]) -> dict[str, Statement]:
    """Every so many of the statements."""
    return {name: statements[name] for name in list(statements)[::EVERY]}


def test_false_statements_of_the_corpus_fail():
    failing, passing = score(sample(corpus.FALSE), "false")
    assert len(failing) >= LEAST * (len(failing) + len(passing))


def test_true_statements_of_the_corpus_pass():
    failing, _ = score(sample(corpus.TRUE), "true")
    assert failing == []


@pytest.mark.parametrize("name", ["growth from nothing", "in the end below zero"])
def test_what_only_a_verdict_refutes_fails_too(name):
    """The counterexample of a verdict is shown with what goes wrong there, outside of the drawing."""
    assert outcome(motion_corpus.FALSE[name]) == "fails"


@pytest.mark.parametrize("name", THIN)
def test_drawing_alone_finds_counterexamples_on_thin_sets(name, monkeypatch):
    monkeypatch.setattr(property_tests, "judge", lambda _case: Verdict(Outcome.OPEN))
    with pytest.raises(AssertionError):
        as_property_test(THIN[name])()


def refuted() -> Iterable[str]:
    """Entries of the library that have a correction, and speak of inequalities, equations or trajectories."""
    for entry in find():
        if entry.is_stated and has(f"{entry.id}.corrected"):
            statement = premised(entry.id)
            if statement.computed is None and (statement.dynamics is not None or statement.then.atoms(Relational)):
                yield entry.id


@pytest.mark.skipif(not DEEP, reason="hundreds of statements: part of the deep profile")
def test_refuted_statements_of_the_library_fail_and_their_corrections_pass():
    ids = list(refuted())
    failing, passing = score({id_: premised(id_) for id_ in ids}, "refuted")
    assert len(failing) >= LEAST * (len(failing) + len(passing))
    wrong, _ = score({f"{id_}.corrected": premised(f"{id_}.corrected") for id_ in ids}, "corrected")
    assert [id_ for id_ in wrong if verify(premised(id_)).outcome is Outcome.PROVED] == []


AT_ODDS = {
    "decrease at rest": Statement(
        variables={x0: Interval(0, 1)}, start={x: x0}, dynamics=Map((x,), (x / 2,)), then=Decreasing(x)
    ),
    "a limit at the border": Statement(
        variables={x0: Interval(-1, 1), a: Interval.Lopen(-1, 1)}, start={x: x0}, dynamics=Map((x,), (a * x,)),
        then=ConvergesTo(x, 0),
    ),
    "a strict bound": Statement(
        variables={x0: Interval.open(0, 1)}, start={x: x0}, dynamics=Map((x,), (x / 2,)), then=Always(x < x0)
    ),
    "a true limit": Statement(
        variables={x0: Interval(-1, 1)}, start={x: x0}, dynamics=Map((x,), (x / 2,)), then=ConvergesTo(x, 0)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AT_ODDS)
def test_a_verdict_and_the_property_test_agree(name):
    decided = verify(AT_ODDS[name], effort="quick").outcome
    assert decided in (Outcome.PROVED, Outcome.REFUTED)
    assert outcome(AT_ODDS[name]) == ("passes" if decided is Outcome.PROVED else "fails")
