"""The inequalities and recursions behind the counts are decided for all sizes, and their twins come out differently."""

from __future__ import annotations

from functools import cache

import pytest
from sympy import Eq, Ge, Symbol

from proofs_check.budget import Budget
from proofs_check.engines.structures.search import decide
from proofs_check.referee.judge import verify
from proofs_check.verdict import Outcome, Verdict
from theory.graph_expressiveness import paper
from theory.language.structure_words import multiplicity
from theory.statements import Statement
from theory.temporal import Always, Scaling, negation

ENTRIES = {entry.id.partition("/")[2]: entry for entry in paper.entries if entry.is_stated}
PLAIN = """
claim-2.4.b proposition-2.2.corrected lemma-a.4.corrected lemma-a.4#ratio lemma-a.4#sums lemma-a.6#squaring
lemma-a.6#quotient equation-2.6#step proposition-2.4#a.16-step proposition-2.4#multisets
proposition-2.4#assignments.corrected proposition-2.6#subset.corrected proposition-2.7.corrected
proposition-a.3.corrected lemma-a.8.sums lemma-a.8#half lemma-a.8#room lemma-a.8#a.25
proposition-2.7#range proposition-2.7#choices.corrected proposition-a.1#product
lemma-a.9#a.33 lemma-a.9#a.34 lemma-a.9#a.35 lemma-a.9#a.36 lemma-a.9#a.37 lemma-a.9#a.38 lemma-a.9#a.39.corrected
lemma-a.9#a.40 lemma-a.9#a.41 lemma-a.9#a.42 lemma-a.9#a.43 lemma-a.9#a.44 lemma-a.9#a.45 lemma-a.9#a.46
claim-a.11.a claim-a.11.b#range proposition-2.2#a.13 lemma-a.6#different equation-2.6.longer-walk
proposition-2.4#a.15.corrected
lemma-a.7#depth-1.corrected lemma-a.8#a.26 proposition-2.7#straight
""".split()
EVERY_GRAPH = """
claim-2.3.a claim-2.4.a proposition-2.3 lemma-a.6.m-3 proposition-2.6.b proposition-2.7.a proposition-a.1.powers
""".split()
RECURSIONS = """
proposition-2.3.growth proposition-2.3#one-feature proposition-2.3#degree-two lemma-a.6#exponent lemma-a.6.growth
proposition-2.4#multisets-power proposition-2.4#tuples-power proposition-2.6#levels
proposition-2.4#base corollary-2.5.a proposition-2.6.corrected proposition-2.6#growth.corrected lemma-a.7#a.27
proposition-a.2.corrected lemma-a.6#base proposition-2.4.logarithm corollary-2.5.patterns
corollary-2.5.b lemma-a.7.corrected lemma-a.7#a.23 proposition-2.7#levels proposition-2.7#count.corrected
""".split()
REFUTED = {
    "proposition-2.2.share": {"failing": "0"},
    "proposition-2.6#growth": {"m": "2"},
    "proposition-2.7#choices": {},
    "lemma-a.9#a.39": {},
    "claim-a.11.b": {},
}
LISTED_FIRST = ["lemma-a.6", "lemma-a.7", "lemma-a.8"]
BY_A_STRUCTURE = {
    "lemma-a.4": {"n": "2", "S": "1", "T": "1 1", "a": "2"},
    "proposition-2.6": {"K": "2", "m": "4", "Omega": "{I}"},
    "proposition-2.7": {"k": "2", "m": "3", "Omega": "{I}"},
    "proposition-a.2": {"K": "2", "m": "4", "omega": "{I}"},
    "proposition-a.3": {"k": "2", "m": "3", "omega": "{I}"},
}
SCALINGS = {"proposition-2.4#order": Outcome.REFUTED, "proposition-2.4#order.corrected": Outcome.PROVED}
VACUOUS = ["lemma-a.7#two-children"]
MEASURED = {
    "lemma-a.5.frequency": Outcome.OPEN,
    "table-2.2.trained": Outcome.SAMPLED,
    "figure-2.4": Outcome.SAMPLED,
    "table-a.2.bethe": Outcome.SAMPLED,
}


@cache
def statement(name: str) -> Statement:
    return ENTRIES[name].statement()


@cache
def verdict(name: str) -> Verdict:
    return verify(statement(name))


def test_every_other_statement_is_here() -> None:
    others = {name for name in ENTRIES if (found := statement(name).computed) is None or not found.exact}
    assert others == {
        *PLAIN,
        *EVERY_GRAPH,
        *RECURSIONS,
        *REFUTED,
        *BY_A_STRUCTURE,
        *LISTED_FIRST,
        *SCALINGS,
        *VACUOUS,
        *MEASURED,
    }


@pytest.mark.parametrize("name", [*PLAIN, *EVERY_GRAPH, *RECURSIONS])
@pytest.mark.sampled(5)
def test_proved_for_all_sizes(name: str) -> None:
    assert verdict(name).outcome is Outcome.PROVED


@pytest.mark.parametrize("name", EVERY_GRAPH)
def test_claims_about_all_graphs_are_proved_by_a_rule_and_not_by_a_list(name: str) -> None:
    assert (verdict(name).certificate or {})["rule"] in ("every size", "recursion")


@pytest.mark.parametrize("name", [*PLAIN, *EVERY_GRAPH])
@pytest.mark.sampled(3)
def test_the_negation_of_a_proved_relation_is_not_proved(name: str) -> None:
    twin = statement(name).but(then=negation(statement(name).then))
    assert verify(twin, effort="quick").outcome not in (Outcome.PROVED, Outcome.SAMPLED)


@pytest.mark.parametrize("name", RECURSIONS)
@pytest.mark.sampled(3)
def test_the_opposite_of_a_proved_recursion_is_refuted(name: str) -> None:
    twin = statement(name).but(then=Always(negation(statement(name).then.args[0])))
    assert verify(twin).outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", REFUTED)
@pytest.mark.sampled(2)
def test_refuted_at_a_point_that_satisfies_the_hypotheses(name: str) -> None:
    found = verdict(name)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.counterexample or {}).items() >= REFUTED[name].items()


@pytest.mark.parametrize("name", BY_A_STRUCTURE)
def test_refuted_for_all_sizes_by_the_smallest_structure(name: str) -> None:
    found = verdict(name)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.counterexample or {}).items() >= BY_A_STRUCTURE[name].items()


def test_weaker_forms_of_the_refuted_statements_are_not_refuted() -> None:
    """Without zeros sums of powers differ; as many classes as features are there for the identity, too."""
    lemma = statement("lemma-a.4")
    positive = [Eq(multiplicity(Symbol(name), 1), 0, evaluate=False) for name in ("S", "T")]
    twins = [lemma.but(given=(*lemma.given, *positive))]
    for name in ("proposition-2.6", "proposition-a.2"):
        first = next(iter(statement(name).then.atoms(Ge)))
        twins.append(statement(name).but(then=first.lhs >= 2))
    for twin in twins:
        found = decide(twin, Budget.of("glance"))
        assert found is None or found.outcome is Outcome.SAMPLED


@pytest.mark.parametrize("name", LISTED_FIRST)
def test_counted_for_the_first_sizes_and_false_by_one_more(name: str) -> None:
    found = decide(statement(name), Budget.of("quick"))
    assert found is not None
    assert found.outcome is Outcome.SAMPLED
    assert str(found.coverage).startswith("all structures with ")
    bound, given = statement(name).then, statement(name).given
    if isinstance(bound, Ge):
        changed = statement(name).but(then=bound.lhs >= 50 * bound.rhs)
    else:
        changed = statement(name).but(given=(given[0], Symbol("q") >= Symbol("h"), given[2]))
    twin = decide(changed, Budget.of("quick"))
    assert twin is not None
    assert twin.outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", SCALINGS)
def test_orders_of_growth_are_decided_by_leading_coefficients(name: str) -> None:
    assert verdict(name).outcome is SCALINGS[name]
    law = statement(name).then
    assert isinstance(law, Scaling)
    exponent = -3 if SCALINGS[name] is Outcome.REFUTED else -2
    assert (
        verify(statement(name).but(then=Scaling(law.quantity, law.small, exponent, law.sense))).outcome
        is not (SCALINGS[name])
    )


def test_two_children_leave_no_admissible_level_counts() -> None:
    (name,) = VACUOUS
    assert verdict(name).outcome is Outcome.VACUOUS


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.sampled(2)
def test_measurements_decide_nothing(name: str) -> None:
    assert verdict(name).outcome is MEASURED[name]
    assert (verdict(name).cases or 0) > 0
    twin = statement(name).but(then=negation(statement(name).then))
    assert verify(twin).outcome is {Outcome.OPEN: Outcome.SAMPLED, Outcome.SAMPLED: Outcome.OPEN}[MEASURED[name]]
