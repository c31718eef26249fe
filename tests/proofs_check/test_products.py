"""Polynomial conditions that contradict each other have exact certificates; no change and no false twin survives."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, And, Eq, Interval, Max, Ne, Rational, S, exp, log, oo, sqrt, symbols, tanh
from sympy.logic.boolalg import Boolean

import proofs_check.kernel
from proofs_check.budget import Budget
from proofs_check.engines.polynomial import search
from proofs_check.engines.polynomial.boxes import contradicted
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.engines.polynomial.lemmas import Keys
from proofs_check.evidence.replay import check as replayed
from proofs_check.goals import Goal
from proofs_check.kernel.algebra import Conditions, counterexamples
from proofs_check.kernel.claims import claim_of
from proofs_check.kernel.formulas import Sign, all_of
from proofs_check.kernel.products import Case, adds_up, check, contradicts
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.kernel.trust import strength_of
from proofs_check.verdict import Outcome, Strength
from theory.polynomials import Ring
from theory.statements import Statement
from theory.trees import encode

x, y, z, a, b = symbols("x y z a b")

motzkin = x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1
motzkin_form = x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 * z**2 + z**6
robinson = (
    x**6 + y**6 + z**6 + 3 * x**2 * y**2 * z**2
    - (x**4 * y**2 + x**2 * y**4 + x**4 * z**2 + x**2 * z**4 + y**4 * z**2 + y**2 * z**4)
)  # fmt: skip
choi_lam = 1 + x**2 * y**2 + y**2 * z**2 + z**2 * x**2 - 4 * x * y * z

IMPOSSIBLE = {
    "quartic": [(-(x**4 + y**4 + z**4 - x * y * z + x**2 - x + 1), ">=")],
    "tangent quartic": [(-((x**2 - 2) ** 2), ">")],
    "Motzkin": [(-motzkin, ">")],
    "Motzkin's form": [(-motzkin_form, ">")],
    "Robinson": [(-robinson, ">")],
    "Choi and Lam": [(-choi_lam, ">")],
    "rearrangement": [(x * y + y * z + z * x - x**2 - y**2 - z**2, ">")],
    "disc": [(1 - x**2 - y**2, ">="), (x + y - Rational(3, 2), ">")],
    "circle": [(x**2 + y**2 - 1, "="), (x * y - Rational(1, 2), ">")],
    "half-line": [(x, ">"), (3 * x - 2 - x**3, ">")],
    "not zero and zero": [(x - y, "!="), (x**2 - 2 * x * y + y**2, "=")],
    "three factors": [(x, ">"), (y, ">"), (z, ">"), (x * y * z, "<=")],
}


def conditions(parts: list[tuple[Any, str]]) -> Conditions:
    ring = Ring(tuple(sorted(set().union(*(value.free_symbols for value, _ in parts)), key=str)))
    return Conditions(ring, all_of(Sign(ring.polynomial(value), op) for value, op in parts))


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_conditions_have_a_certificate(name: str) -> None:
    question = conditions(IMPOSSIBLE[name])
    found = contradiction(question, 20)
    assert found is not None
    assert contradicts(question, found)


@pytest.mark.parametrize("value", [-motzkin + Rational(1, 10**6), 1 - x**2, -(x**2) * y**2 + x + 1, x**3])
def test_possible_conditions_have_none(value: Any) -> None:
    assert contradiction(conditions([(value, ">")]), 2) is None


quadratics = st.lists(st.integers(-3, 3), min_size=6, max_size=6).map(
    lambda c: c[0] * x**2 + c[1] * x * y + c[2] * y**2 + c[3] * x + c[4] * y + c[5]
)


@settings(max_examples=25)
@given(st.lists(quadratics, min_size=1, max_size=3), st.fractions(Rational(1, 8), 2, max_denominator=8))
def test_a_sum_of_squares_plus_a_positive_number_is_found(parts: list[Any], margin: Any) -> None:
    total = sum(part**2 for part in parts) + Rational(margin) * (1 + x**2 + y**2 + x**4 + y**4)
    question = conditions([(-total, ">=")])
    found = contradiction(question, 10)
    assert found is not None
    assert contradicts(question, found)


def test_a_strictly_positive_quartic_in_three_variables_is_quick() -> None:
    question = conditions(IMPOSSIBLE["quartic"])
    contradiction(question, 10)
    began = time.process_time()
    contradiction(question, 10)
    assert time.process_time() - began < 0.4


PLUS = Interval.open(0, oo)
TRUE: dict[str, tuple[dict[Any, Any], tuple[Boolean, ...], Boolean]] = {
    "product": ({x: S.Reals, y: S.Reals}, (x >= 1, y >= 1), x * y >= x),
    "sum of reciprocals": ({x: S.Reals, y: S.Reals}, (x > 0, y > 0), 1 / x + 1 / y >= 4 / (x + y)),
    "root": ({x: S.Reals}, (x >= 1,), sqrt(x) <= x),
    "root of a product": ({x: S.Reals, y: S.Reals}, (x > 0, y > 0), 2 * sqrt(x * y) <= x + y),
    "triangle": ({x: S.Reals, y: S.Reals}, (), Abs(x + y) <= Abs(x) + Abs(y)),
    "larger": ({x: S.Reals, y: S.Reals}, (x > y,), Eq(Max(x, y), x)),
    "both": ({x: S.Reals, y: S.Reals}, (x > 2, y > 3), And(x * y > 6, x + y > 5)),
    "equation": ({x: S.Reals, y: S.Reals}, (Eq(x + y, 1), x >= 0, y >= 0), x * y <= Rational(1, 4)),
    "circle": ({x: S.Reals, y: S.Reals}, (x**2 + y**2 <= 1,), 2 * x * y <= 1),
    "not zero": ({x: S.Reals, y: S.Reals}, (Ne(x, 0), Eq(x * y, x)), Eq(y, 1)),
    "ratio": ({a: S.Reals, b: S.Reals, x: S.Reals}, (a > 0, b > a, x > 0), a / b < (a + x) / (b + x)),
    "cube": ({x: S.Reals, y: S.Reals}, (x > y, y > 0), x**3 > y**3),
    "tangent": ({x: S.Reals}, (x > 0,), exp(x) > 1 + x),
    "logarithm": ({x: S.Reals}, (x > 1,), log(x) > 0),
    "bounded": ({x: S.Reals}, (x > 0,), tanh(x) < 1),
    "box": ({x: S.Reals, y: S.Reals}, (x >= 0, x <= 1, y >= 0, y <= 1), x**2 * y + y**2 * x <= 2),
}


def statement(name: str) -> Statement:
    variables, hypotheses, claim = TRUE[name]
    return Statement(variables=variables, given=hypotheses, then=claim)


def certificate(lemma: Statement) -> dict[str, Any]:
    tree = contradiction(counterexamples(claim_of(lemma)), 10)
    assert tree is not None
    return {"kind": "products", "tree": tree}


@pytest.fixture(scope="module")
def certified() -> dict[str, dict[str, Any]]:
    return {name: certificate(statement(name)) for name in TRUE}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_certified(name: str, certified: dict[str, Any]) -> None:
    assert check(statement(name), certified[name])


def test_a_certificate_does_not_depend_on_the_order_of_hypotheses_and_variables(certified: dict[str, Any]) -> None:
    for name, (variables, hypotheses, claim) in TRUE.items():
        turned = Statement(variables=dict(reversed(variables.items())), given=hypotheses[::-1], then=claim)
        assert check(turned, certified[name]), name


def twins() -> Iterator[tuple[str, Statement]]:
    """Statements that are false because a hypothesis is missing, or what may be equal is claimed to be less."""
    needed = {
        "product": (0, 1), "sum of reciprocals": (0, 1), "root": (0,), "larger": (0,), "both": (0, 1), "equation": (0,),
        "circle": (0,), "not zero": (0, 1), "ratio": (0, 1, 2), "cube": (0,), "tangent": (0,), "logarithm": (0,),
        "box": (1, 3),
    }  # fmt: skip
    for name, places in needed.items():
        hypotheses = TRUE[name][1]
        for place in places:
            yield name, statement(name).but(given=hypotheses[:place] + hypotheses[place + 1 :])
    strict = {"product": x * y > x, "root": sqrt(x) < x, "circle": 2 * x * y < 1, "equation": x * y < Rational(1, 4)}
    strict |= {"triangle": Abs(x + y) < Abs(x) + Abs(y), "box": x**2 * y + y**2 * x < 2}
    for name, claim in strict.items():
        yield name, statement(name).but(then=claim)
    loose = {"both": (x >= 2, y >= 3), "cube": (x >= y, y > 0), "tangent": (x >= 0,), "logarithm": (x >= 1,)}
    for name, hypotheses in loose.items():
        yield name, statement(name).but(given=hypotheses)


def test_false_twins_are_rejected_and_have_no_certificate(certified: dict[str, Any]) -> None:
    found = list(twins())
    assert len(found) >= 25
    for name, twin in found:
        assert not check(twin, certified[name]), twin
        assert contradiction(counterexamples(claim_of(twin)), 0.3) is None, twin


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the leaves of a tree are."""
    if "cases" in node:
        for k, part in enumerate(node["cases"]):
            yield from places(part, (*path, "cases", k))
    else:
        yield path


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def changes(leaf: Any) -> Iterator[Any]:
    """The leaf with one number, sign, exponent, condition or summand changed."""
    for k, part in enumerate(leaf["sums"]):
        for j, (weight, terms) in enumerate(part["squares"]):
            for other in (str(Rational(weight) + Rational(1, 7)), f"-{weight}", "0"):
                changed = copy.deepcopy(leaf)
                changed["sums"][k]["squares"][j][0] = other
                yield changed
            for i in range(len(terms)):
                for v in range(len(terms[i][0])):
                    changed = copy.deepcopy(leaf)
                    changed["sums"][k]["squares"][j][1][i][0][v] += 1
                    yield changed
        for j in range(len(part["product"])):
            for step in (1, -1):
                changed = copy.deepcopy(leaf)
                changed["sums"][k]["product"][j][1] += step
                yield changed
            changed = copy.deepcopy(leaf)
            del changed["sums"][k]["product"][j]
            yield changed
        changed = copy.deepcopy(leaf)
        del changed["sums"][k]
        yield changed
    for k, (_, terms) in enumerate(leaf["cofactors"]):
        for i in range(len(terms)):
            changed = copy.deepcopy(leaf)
            changed["cofactors"][k][1][i][1] = str(Rational(terms[i][1]) + 1)
            yield changed
        changed = copy.deepcopy(leaf)
        del changed["cofactors"][k]
        yield changed


def mutated(tree: Any) -> Iterator[Any]:
    """The tree with one leaf changed, one case missing, or two cases exchanged for one."""
    for path in places(tree):
        leaf = at(tree, path)
        if "split" in leaf:
            continue
        for other in changes(leaf):
            if not path:
                yield other
                continue
            changed = copy.deepcopy(tree)
            at(changed, path[:-1])[path[-1]] = other
            yield changed
        if path:
            changed = copy.deepcopy(tree)
            del at(changed, path[:-1])[path[-1]]
            yield changed


def test_no_change_of_a_certificate_survives(certified: dict[str, Any]) -> None:
    count = 0
    for name in TRUE:
        question = counterexamples(claim_of(statement(name)))
        for tree in mutated(certified[name]["tree"]):
            assert replayed(statement(name), {"kind": "products", "tree": tree})[0] == "rejected" or _same(
                question, tree, certified[name]["tree"]
            ), (name, tree)
            count += 1
    assert count >= 500


def _same(question: Conditions, tree: Any, original: Any) -> bool:
    """Whether a summand could go without harm: then the change is no damage."""
    return _summands(tree) < _summands(original) and contradicts(question, tree)


def _summands(tree: Any) -> int:
    return sum(len(at(tree, path).get("sums", ())) for path in places(tree))


def test_a_summand_must_be_positive_for_certain() -> None:
    lemma = Statement(variables={x: S.Reals}, given=(x >= 0,), then=x > 0)
    given_, opposite = (k for k, _ in enumerate(Case().plus(counterexamples(claim_of(lemma)).formula).signs))
    one = ["1", [[[0], "1"]]]
    sums = [{"product": [[k, 1]], "squares": [one]} for k in (given_, opposite)]
    assert not check(lemma, {"tree": {"sums": sums, "cofactors": []}})  # x - x = 0, but neither is positive
    for wrong in ([[given_, -1]], [[given_, 0]], [[7, 1]]):
        forged = {"kind": "products", "tree": {"sums": [{"product": wrong, "squares": [one]}], "cofactors": []}}
        assert replayed(lemma, forged)[0] == "rejected"


def test_definedness_is_part_of_what_is_refuted() -> None:
    for claim in (sqrt(x) >= 0, 1 / x**2 > 0, Eq((x**2 - 1) / (x - 1), x + 1), log(x) <= x, Abs(1 / x) >= 0):
        lemma = Statement(variables={x: S.Reals}, then=claim)
        assert contradiction(counterexamples(claim_of(lemma)), 0.5) is None, claim


def strength(statement: Statement, certificate: Mapping[str, Any]) -> Strength | None:
    theorem = accept(statement, Sense.HOLDS, certificate)
    return theorem.strength if isinstance(theorem, Theorem) else None


def test_what_no_certificate_shows_is_the_word_of_two_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Goal({x: S.Reals, y: S.Reals}, (x > 0, y > 0), 1 / x + 1 / y > 0)
    lemma = Statement(variables=goal.variables, given=goal.hypotheses, then=goal.conclusion)
    assert strength(lemma, search.prove(goal, Budget.of("quick")).certificate) is Strength.EXACT
    monkeypatch.setattr(search, "contradiction", lambda *_, **__: None)
    verdict = search.prove(goal, Budget.of("standard"))
    assert verdict.outcome is Outcome.PROVED
    assert strength(lemma, verdict.certificate) is Strength.ORACLE
    assert replayed(lemma.but(given=(x > 0,)), verdict.certificate)[0] == "rejected"


def test_one_solver_is_not_enough_for_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs_check.kernel import oracle

    lemma = Statement(variables={x: S.Reals}, then=x**2 >= 0)
    assert oracle.check(lemma, {"kind": "oracle"})
    for silent in ("z3", "cvc5"):
        monkeypatch.setattr(oracle, "_LINES", {**oracle._LINES, silent: "print('unknown')"})
        assert not oracle.check(lemma, {"kind": "oracle"})
        monkeypatch.undo()


def test_a_proof_is_as_strong_as_its_weakest_part() -> None:
    lemma, goal = x > 2, Statement(variables={x: S.Reals}, given=(x > 3,), then=x**2 > 4)
    first, second = goal.but(then=lemma), goal.but(given=(x > 3, lemma))
    exact = {"kind": "lemma", "lemma": encode(lemma), "first": certificate(first), "second": certificate(second)}
    assert strength(goal, exact) is Strength.EXACT
    assert strength(goal, {**exact, "first": {"kind": "oracle"}}) is Strength.ORACLE
    assert [strength_of(trust) for trust in ((), ("flint",), ("flint", "z3+cvc5"))] == ["exact", "enclosed", "oracle"]


def test_a_lemma_is_used_only_when_it_is_shown() -> None:
    lemma, goal = x > 2, Statement(variables={x: S.Reals}, given=(x > 3,), then=x**2 > 4)
    first, second = goal.but(then=lemma), goal.but(given=(x > 3, lemma))
    parts = {"first": certificate(first), "second": certificate(second)}
    joined = {"kind": "lemma", "lemma": encode(lemma), **parts}
    assert replayed(goal, joined)[0] == "accepted"
    assert replayed(goal, {**joined, "lemma": encode(x > 4)})[0] == "rejected"
    assert replayed(goal.but(given=()), joined)[0] == "rejected"


def test_only_the_oracle_starts_processes_or_looks_at_a_clock() -> None:
    folder = Path(proofs_check.kernel.__file__).parent
    allowed = {"oracle.py", "coq.py"}
    for path in folder.glob("*.py"):
        names = {
            alias.name.split(".")[0]
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in ([ast.alias(node.module or "")] if isinstance(node, ast.ImportFrom) else node.names)
        }
        assert path.name in allowed or not names & {"subprocess", "time", "multiprocessing", "scipy"}, path.name


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ((x > 1,), Eq(sqrt((x - 1) / x), sqrt(x - 1) / sqrt(x))),
        ((x >= 0, y >= 0), Eq(sqrt(x * y), sqrt(x) * sqrt(y))),
        ((x >= 0, y >= 0, Eq(x**3, 8 * y**3)), Eq(x, 2 * y)),
        ((x > 0, y > 0, z > 0, a > 0), x * y * z * a > 0),
    ],
)
def test_equal_powers_and_signs_of_monomials_are_exact(given, claim):
    statement = Statement(variables=dict.fromkeys((x, y, z, a), S.Reals), given=given, then=claim)
    conditions = counterexamples(claim_of(statement))
    tree = contradiction(conditions, 20)
    assert tree is not None
    assert contradicts(conditions, tree)


@pytest.mark.parametrize(
    ("given", "claim"),
    [
        ((x >= 0, Eq(x**2, y**2)), Eq(x, y)),
        ((x >= 0, y >= 0, Eq(x**2, y**3)), Eq(x, y)),
        ((x > 0, y > 0, z >= 0), x * y * z > 0),
        ((x > 0, y > 0), x * y * z >= 0),
    ],
)
def test_what_lacks_a_sign_or_an_equation_is_not_closed(given, claim):
    statement = Statement(variables=dict.fromkeys((x, y, z), S.Reals), given=given, then=claim)
    assert contradiction(counterexamples(claim_of(statement)), 0.5) is None


BOXED = [(x, ">="), (1 - 2 * x, ">="), (3 * y - 6, ">"), (4 - z, ">=")]
"""x in [0, 1/2], y > 2, z <= 4."""


@pytest.mark.parametrize(
    ("value", "closed"),
    [
        (x**5 * y - y**7 - (4 - z) ** 3, True),  # two bounds, one from below, one from above
        (x**3 - x, True),
        (x**2 - x + Rational(1, 4), False),  # at x = 0
        (x**2 * y - y / 8, False),
        (x * y - 1, False),
        ((x - Rational(1, 4)) ** 2 * y - y, True),
        (a * y - 3 * y**2, False),  # a has no bounds
    ],
    ids=str,
)
def test_a_condition_against_the_bounds_of_its_symbols(value: Any, closed: bool) -> None:
    ring = Ring((x, y, z, a))
    signs = [Sign(ring.polynomial(p), op) for p, op in [*BOXED, (value, ">")]]
    leaves = list(contradicted(ring, signs, Keys()))
    assert bool(leaves) is closed
    for leaf in leaves:
        assert adds_up(ring, signs, leaf)
        wrong = copy.deepcopy(leaf)
        wrong["sums"][-1]["squares"][0][0] = str(1 + int(wrong["sums"][-1]["squares"][0][0].split("/")[0]))
        assert not adds_up(ring, signs, wrong)
        wider = [Sign(sign.value + (place == 1), sign.op) for place, sign in enumerate(signs)]
        assert not adds_up(ring, wider, leaf) or not value.has(x)
