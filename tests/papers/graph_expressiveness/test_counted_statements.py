"""Every counted statement has its outcome for its stated reason, replays, and comes out differently when negated."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from proofs_check.budget import Budget
from proofs_check.engines.enumerate.search import decide
from proofs_check.kernel.enumerate import check
from proofs_check.verdict import Outcome, Verdict
from theory.graph_expressiveness import paper
from theory.statements import Computation, Statement
from theory.temporal import negation

ENTRIES = {entry.id.partition("/")[2]: entry for entry in paper.entries if entry.is_stated}
PROVED = """
proposition-2.1 proposition-2.1#figure-2.1 proposition-2.1#degrees proposition-2.1#smaller remark-hexagon#words
remark-hexagon.corrected proposition-2.2#small-orders figure-2.2 figure-2.3 figure-2.3#all lemma-a.9 lemma-a.9#a.28
table-2.1.bundled table-a.1.bundled claim-2.6.a claim-a.3.a lemma-a.4#counted proposition-2.3#bound lemma-a.6#counted
proposition-2.4#multisets-counted proposition-2.4#assignments-counted claim-2.5.a.depth-two
proposition-2.6#levels-counted proposition-2.6#powers lemma-a.8#counted proposition-2.7#ranges-counted claim-a.2.a
proposition-2.2#a.13-counted lemma-a.6#base-counted lemma-a.6#legitimate.corrected lemma-a.6#different-counted
equation-2.6#counted proposition-2.4#counted proposition-2.4#a.15-counted corollary-2.5#counted corollary-2.5.b#counted
proposition-2.6.b#fewer-rounds.corrected lemma-a.7#counted lemma-a.7#depth-0 lemma-a.7#depth-1-counted
lemma-a.7#a.23-counted lemma-a.8#a.26-counted proposition-2.7#levels-counted proposition-2.7#count-counted
""".split()
SAMPLED = """
table-2.2 claim-2.3.a.small claim-2.4.a.small proposition-2.2#a.10 proposition-2.2#a.12 proposition-2.3#recursion
claim-a.4.a proposition-2.4#a.16 proposition-2.6.b.small proposition-2.6#a.18 lemma-a.7.small proposition-2.7.a.small
proposition-a.1.small proposition-a.2#a.2.corrected proposition-a.2#a.3.corrected
""".split()
REFUTED: dict[str, dict[str, str]] = {
    "remark-hexagon": {"separated": "0", "row sums of the hexagon": "[3, 3, 3, 3, 3, 3]"},
    "lemma-a.4.small": {"n": "2", "first multiset": "(0,)", "second multiset": "(0, 0)"},
    "lemma-a.4#sharp": {"first multiset": "(1,)", "second multiset": "(2, 2)", "sum": "1"},
    "lemma-a.6#legitimate": {"K": "3", "legitimate": "64", "different": "256"},
    "proposition-2.4#a.15": {"graph": "3 nodes, edges 0-2 1-2, features (0, 0, 1)", "left": "1", "right": "2"},
    "proposition-2.4#assignments": {"N": "1", "S": "1", "tuples": "2"},
    "proposition-2.4#bound": {"m": "2", "k": "1", "single": "6"},
    "proposition-2.6.identity": {"K": "2", "classes": "2", "operators": "identity"},
    "proposition-2.6.b#fewer-rounds": {"K": "1", "first": "node 0 of 3 nodes, edges 0-2"},
    "proposition-2.6#subset": {"m": "3", "K": "2", "degree": "4"},
    "lemma-a.7#depth-1": {"zeros per level": "(0, 0)", "trees": "0"},
    "proposition-2.7.identity": {"K": "2", "classes": "2"},
    "proposition-2.7#count": {"features": "(0, 0)", "root": "0", "marked": "0", "walks": "1"},
    "proposition-a.2.aggregation": {"met": "1"},
    "proposition-a.2#symmetry": {"m": "2", "K": "2", "kept": "2", "swaps": "7"},
    "proposition-a.2#a.2": {"operator": "A (X o A X)", "permutation": "(0, 2, 1, 3, 4, 5, 6)"},
    "proposition-a.2#a.3": {"root_unequal": "168"},
    "proposition-a.3.aggregation": {"values": "1"},
    "lemma-a.9.reading-b": {"A.30": "first false for walks of length 3"},
}
OPEN = [name for name in ENTRIES if name.startswith(("table-2.1.", "table-a.1.")) and not name.endswith("bundled")]


@cache
def statement(name: str) -> Statement:
    return ENTRIES[name].statement()


@cache
def verdict(name: str) -> Verdict:
    return decided(statement(name))


def decided(claim: Statement) -> Verdict:
    found = decide(claim, Budget.of("deep").start())
    assert found is not None
    return found


def only_at(claim: Statement, point: dict[str, Any]) -> Statement:
    """The same claim with the procedure asked for a single case."""
    computed = claim.computed
    assert computed is not None
    names = {symbol.name for symbol in claim.variables}
    chosen = {name: int(value) for name, value in point.items() if name in names and name in computed.arguments}
    return claim.but(computed=Computation(computed.name, {**computed.arguments, **chosen}, computed.yields))


def test_every_exactly_counted_statement_is_here() -> None:
    counted = {name for name in ENTRIES if (computed := statement(name).computed) is not None and computed.exact}
    assert counted == {*PROVED, *SAMPLED, *REFUTED, *OPEN}


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.sampled(3)
def test_proved_and_replayed(name: str) -> None:
    assert verdict(name).outcome is Outcome.PROVED
    assert check(statement(name), verdict(name).certificate or {})


@pytest.mark.parametrize("name", SAMPLED)
def test_sampled_with_its_coverage(name: str) -> None:
    assert verdict(name).outcome is Outcome.SAMPLED
    assert verdict(name).coverage
    assert (verdict(name).cases or 0) > 0


@pytest.mark.parametrize("name", REFUTED)
def test_refuted_for_the_stated_reason_and_replayed(name: str) -> None:
    assert verdict(name).outcome is Outcome.REFUTED
    assert dict(verdict(name).counterexample or {}).items() >= REFUTED[name].items()
    assert check(statement(name), verdict(name).certificate or {})


@pytest.mark.parametrize("name", [*PROVED, *SAMPLED])
def test_the_negation_of_a_true_claim_is_refuted(name: str) -> None:
    twin = statement(name).but(then=negation(statement(name).then))
    assert decided(twin).outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", REFUTED)
def test_the_negation_of_a_false_claim_holds_at_the_counterexample(name: str) -> None:
    rows = (verdict(name).certificate or {})["rows"]
    twin = statement(name).but(then=negation(statement(name).then))
    assert decided(only_at(twin, rows[0]["point"])).outcome in (Outcome.PROVED, Outcome.SAMPLED)


@pytest.mark.parametrize("name", OPEN)
def test_tables_without_their_files_stay_open(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEMMASCOPE_DATA", raising=False)
    found = decided(statement(name))
    assert found.outcome is Outcome.OPEN
    assert "LEMMASCOPE_DATA" in found.notes[0]
