"""Collections are read from the user's files without executing them, and absence is said with what to do."""

from __future__ import annotations

import pickle
from collections import defaultdict
from pathlib import Path

import pytest

from proofs_check.budget import Budget
from proofs_check.engines.enumerate.search import decide
from proofs_check.verdict import Outcome
from theory.enumerators import enumerate_exactly
from theory.errors import LemmascopeError
from theory.graph_expressiveness.collections import absent, load_graphs
from theory.graph_expressiveness.graphs import Graph, complete_bipartite, cycle
from theory.library import find


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEMMASCOPE_DATA", str(tmp_path))
    return tmp_path


def test_absence_is_said_and_the_table_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEMMASCOPE_DATA", raising=False)
    assert "ind.cora.graph" in absent("cora")
    (entry,) = find("graph_expressiveness/table-2.1.cora")
    verdict = decide(entry.statement(), Budget.of("quick").start())
    assert verdict is not None
    assert verdict.outcome is Outcome.OPEN
    assert "LEMMASCOPE_DATA" in verdict.notes[0]
    with pytest.raises(LemmascopeError, match="not here"):
        load_graphs("cora")


@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
@pytest.mark.parametrize("kind", [dict, lambda lists: defaultdict(list, lists)])
def test_pickled_mappings_of_lists_are_read(folder: Path, protocol: int, kind: type) -> None:
    lists = {i: list(near) for i, near in enumerate(complete_bipartite(3, 4).neighbours)}
    lists[0] = [*lists[0], *lists[0]]
    (folder / "ind.cora.graph").write_bytes(pickle.dumps(kind(lists), protocol=protocol))
    assert load_graphs("cora") == [complete_bipartite(3, 4)]


def test_nothing_in_a_file_is_executed(folder: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (str(folder / "trapped"),)

    (folder / "ind.cora.graph").write_bytes(pickle.dumps({0: [Trap()]}))
    with pytest.raises(LemmascopeError, match=r"not read|damaged"):
        load_graphs("cora")
    (folder / "ind.cora.graph").write_bytes(b"no pickle at all")
    with pytest.raises(LemmascopeError, match=r"not read|damaged"):
        load_graphs("cora")
    assert not (folder / "trapped").exists()


def test_self_loops_of_a_file_are_kept_and_tell_nodes_apart(folder: Path) -> None:
    ring = {i: list(near) for i, near in enumerate(cycle(6).neighbours)}
    ring[0] = [*ring[0], 0, 0]
    (folder / "ind.citeseer.graph").write_bytes(pickle.dumps(ring))
    (folder / "ring.edges").write_text("0 0\n" + "\n".join(f"{i} {j}" for i, j in cycle(6).edges))
    (folder / "LOOP_A.txt").write_text("1, 1\n" + "\n".join(f"{i + 1}, {j + 1}" for i, j in cycle(6).edges))
    (folder / "LOOP_graph_indicator.txt").write_text("1\n" * 6)
    (looped,) = load_graphs("citeseer")
    assert looped.degrees == (3, 2, 2, 2, 2, 2)
    assert load_graphs("ring") == load_graphs("LOOP") == [looped]
    assert (looped + looped).degrees == 2 * looped.degrees
    found = enumerate_exactly("graph_expressiveness.node_classes", {"collection": "citeseer", "K": 2})
    # without the loop all six nodes are alike; with it they differ by their distance from node 0, seen to depth two
    assert (found["networks"], found["walks"]) == (3, 3)


def test_edge_lists_and_indicator_files_are_read(folder: Path) -> None:
    (folder / "ring.edges").write_text("7 8\n8 9\n9 7\n8 7\n")
    assert load_graphs("ring") == [cycle(3)]
    inside = folder / "MANY"
    inside.mkdir()
    (inside / "MANY_A.txt").write_text("1, 2\n2, 1\n4, 5\n5, 4\n")
    (inside / "MANY_graph_indicator.txt").write_text("1\n1\n2\n2\n2\n")
    assert load_graphs("MANY") == [Graph.of(2, [(0, 1)]), Graph.of(3, [(1, 2)])]
    (folder / "bad.edges").write_text("1 2 three\n")
    with pytest.raises(LemmascopeError, match="damaged"):
        load_graphs("bad")


def test_the_table_is_decided_when_the_graph_is_there(folder: Path) -> None:
    (folder / "ind.cora.graph").write_bytes(pickle.dumps({i: list(near) for i, near in enumerate(cycle(9).neighbours)}))
    (entry,) = find("graph_expressiveness/table-2.1.cora")
    verdict = decide(entry.statement(), Budget.of("quick").start())
    assert verdict is not None
    assert verdict.outcome is Outcome.REFUTED
    assert (verdict.counterexample or {})["networks"] == "1"


def test_the_bundled_collections_hold_the_known_pairs() -> None:
    found = enumerate_exactly("graph_expressiveness.graph_classes", {"collection": "bundled_small", "K": 2})
    # Refinement joins hexagon with triangles and K_3,3 with the prism; walk counts join the 14-node pair as well.
    assert (found["graphs"], found["networks"], found["walks"]) == (40, 38, 37)
    (club,) = load_graphs("bundled_club")
    assert (club.order, len(club.edges), max(club.degrees)) == (34, 78, 17)
