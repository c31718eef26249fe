"""Theorem 4.1 and Appendix D as printed, for every d: what moves is the model, and what is false fails at d = 2."""

import pytest
from sympy import Matrix, Symbol, expand

from proofs_check import verify
from proofs_check.budget import Budget
from proofs_check.engines.falsify import examples
from proofs_check.kernel.theorem import Rejection, Sense, accept
from proofs_check.kernel.written_out import at_sizes
from proofs_check.points.exact import holds
from theory.library import entry
from theory.swing_by import every_dimension as every
from theory.swing_by import model
from theory.temporal import Always, ForEach

WHOLE = (
    *("theorem-4.1", "corollary-d.1", "lemma-d.1", "lemma-d.2", "lemma-d.3", "lemma-d.4", "lemma-d.5", "corollary-d.2"),
    *("lemma-d.6", "lemma-d.7", "lemma-d.8"),
)


def statement(number):
    return entry(f"swing_by/{number}").statement()


@pytest.mark.parametrize("d", [2, 3])
def test_the_family_moves_like_the_printed_matrix(d):
    """Written out at a size, (D.3) is (D.2), computed with SymPy's matrices."""
    about = at_sizes(every.assertion(), {"d": d, "h": d})
    names = Matrix(d, d, lambda i, j: Symbol(f"W_{min(i, j) + 1}_{max(i, j) + 1}"))
    mirrored = {Symbol(f"W_{i + 1}_{j + 1}"): names[i, j] for i in range(d) for j in range(d)}
    printed = names + model.eta * model.printed_velocity(names, model.second_moment(d))
    for symbol, update in zip(about.dynamics.state, about.dynamics.update, strict=True):
        _, row, column = symbol.name.split("_")
        assert expand(update.xreplace(mirrored) - printed[int(row) - 1, int(column) - 1]) == 0


def test_the_one_layer_family_moves_like_its_gradient_flow():
    about, flow = at_sizes(statement("theorem-4.1"), {"d": 2}), model.one_layer(2)
    names = dict(zip(flow.state, about.dynamics.state, strict=True))
    for moved, derived in zip(about.dynamics.velocity, flow.velocity, strict=True):
        assert expand(moved - derived.xreplace(names)) == 0


@pytest.mark.parametrize("d", [2, 3])
def test_the_noise_of_a_family_is_the_printed_one(d):
    about = at_sizes(every.along(Always(every.every(every.noise() <= 1))), {"d": d, "h": d})
    said = {relation.lhs for relation in about.then.args[0].args}
    W = Matrix(d, d, lambda i, j: Symbol(f"W_{i + 1}_{j + 1}"))
    printed = {expand(model.noise(W, i, j)) for i in range(1, d + 1) for j in range(1, d + 1)}
    assert {expand(term) for term in said} == printed - {0}  # 0 <= 1 says nothing


@pytest.mark.parametrize("number", WHOLE)
def test_a_whole_statement_is_about_every_dimension_and_about_all_times(number):
    about = statement(number)
    assert about.scope.kind == "whole"
    assert about.speaks_of_families
    assert about.dynamics is not None
    assert about.then.has(Always, ForEach)


def test_the_example_satisfies_every_assumption():
    (example,) = every.assertion().examples
    about = at_sizes(every.assertion(), {"d": 2, "h": 2})
    assert all(holds(part, {s: v for s, v in example.items() if s.name not in "dh"}) for part in about.hypotheses)


@pytest.mark.parametrize("number", ["corollary-d.1", "lemma-d.3", "lemma-d.5"])
def test_it_fails_at_the_example_and_the_kernel_follows_the_run(number):
    about = statement(number)
    found = examples.decide(about, Budget.of("quick").start())
    assert found.counterexample["d"] == "2"
    assert not isinstance(accept(about, Sense.FAILS, found.certificate), Rejection)


def test_a_twin_that_the_run_keeps_is_not_refuted_there():
    """Beyond -1 no diagonal entry gets in 20,000 steps: a certificate of the false lemma is none of the twin."""
    about, i, W = statement("lemma-d.5"), every.i, every.W
    found = examples.decide(about, Budget.of("quick").start())
    twin = about.but(then=Always(ForEach(i, every.d, W[i, i] >= -1)))
    assert isinstance(accept(twin, Sense.FAILS, found.certificate), Rejection)


def test_the_closed_form_is_false_for_fewer_signals_than_directions():
    verdict = verify(statement("theorem-4.1"), effort="quick")
    assert verdict.outcome == "refuted"
    d, s = int(verdict.counterexample["d"]), int(verdict.counterexample["s"])
    assert s < d
