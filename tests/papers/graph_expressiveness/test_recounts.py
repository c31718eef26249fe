"""What the exact procedures count for the library is counted again, all of it, by independent procedures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from theory.enumerators import enumerate_exactly, recount_exactly
from theory.graph_expressiveness.edge_growth import graph_count, grown_graphs, labelled_copies
from theory.graph_expressiveness.graphs import graphs_of_order
from theory.library import stated
from theory.statements import Statement

GRIDS: list[tuple[str, dict[str, list[Any]]]] = [
    ("separating_pairs", {}),
    ("pair_walks", {"seventh": [[1, 14], [1, 13]]}),
    ("hexagon", {"operator": ["min(A^2, 1)", "min(A + A^2, 1)", "A entry-wise times A^2"]}),
    ("class_numbers", {"m": [2, 3], "K": [1, 2], "alphabet": [1, 2]}),
    ("tuples", {"N": [1, 2, 3], "S": [0, 1, 4]}),
    ("degree_multisets", {"m": [1, 2, 3, 4], "k": [1, 2, 5]}),
    ("trees_with_levels", {"m": [3, 4], "K": [2], "least_first": [0, 1]}),
    ("level_walks", {"m": [2, 3], "K": [1, 2, 3, 4]}),
    ("level_swaps", {"m": [2, 3], "K": [1, 2]}),
    ("degree_test", {"n": [1, 2, 3, 4]}),
    ("common_tree", {}),
    ("constructed_trees", {"m": [2, 3], "K": [1, 2]}),
    ("constructed_trees", {"m": [3], "K": [3]}),
    ("feature_classes", {"m": [2], "K": [1, 2], "alphabet": [1, 2], "before": [0, 1], "after": [0, 2]}),
    ("power_classes", {"m": [2, 3], "k": [1], "alphabet": [1], "before": [0], "after": [2]}),
    ("family_classes", {"K": [1, 2], "m": [2], "family": ["identity", "last power", "powers"]}),
    ("preset_classes", {"m": [2, 3], "K": [1]}),
    ("full_tree_degree", {"m": [3, 4], "K": [2, 3], "arity_below": [0, 1]}),
    ("base_trees", {"m": [3, 4], "K": [0, 1], "zeros": [[0], [1, 2], [0, 1, 2]]}),
    ("completions", {"m": [3, 4], "K": [2]}),
    ("figure_trees", {}),
    ("branch_walks", {"m": [2, 3], "k": [2]}),
    ("branch_ranges", {"m": [3, 4], "k": [2, 3]}),
    ("network_as_operator", {"K": [1, 2], "m": [2, 3]}),
    ("level_permutations", {"m": [2], "K": [1, 2], "kind": ["exchange", "automorphism"]}),
    ("refinement_bounds", {"n": [2, 3], "deepest": [2], "extra": [0, 1], "last_degree": [False, True]}),
    ("walk_expansion", {"n": [2, 3], "longest": [2], "end": ["power", "plain"]}),
    ("smaller_pairs", {"n": [1, 2, 3, 4]}),
    ("neighbour_degrees", {}),
    ("node_classes", {"collection": ["bundled_club"], "K": [1, 2, 5]}),
    ("graph_classes", {"collection": ["bundled_small"], "K": [1, 2, 3]}),
    ("printed_differences", {"K": [1, 2, 5], "table": [0, 1, 2]}),
    ("power_sums", {"n": [1, 2, 3, 4, 5], "least": [1], "exponent": ["above", "at n = 2"]}),
]


def _unequal(first: dict[str, Any], again: dict[str, Any], names: Iterable[str]) -> list[str]:
    """The names of the values that differ; 2**(a - 1)/2**a and 1/2 do not."""
    return [name for name in names if (first[name] - again[name]).expand() != 0]


@pytest.mark.parametrize(("name", "grid"), GRIDS, ids=[f"{name}-{place}" for place, (name, _) in enumerate(GRIDS)])
@pytest.mark.sampled(3)
def test_both_routes_agree(name: str, grid: dict[str, list[Any]]) -> None:
    compared = 0
    for values in product(*grid.values()):
        arguments = dict(zip(grid, values, strict=True))
        first = enumerate_exactly(f"graph_expressiveness.{name}", arguments)
        again = recount_exactly(f"graph_expressiveness.{name}", arguments)
        assert again is not None
        assert not _unequal(first, again, again)
        compared += len(again)
    assert compared > 0


def _questions(statement: Statement) -> list[dict[str, Any]]:
    """The arguments with which the library asks for a statement's numbers."""
    if statement.computed is None or not statement.computed.exact:
        return []
    arguments = dict(statement.computed.arguments)
    asked = [symbol.name for symbol in statement.variables if symbol.name in arguments]
    values = [arguments[name] if isinstance(arguments[name], (list, tuple)) else [arguments[name]] for name in asked]
    return [{**arguments, **dict(zip(asked, chosen, strict=True))} for chosen in product(*values)]


ASKED: dict[str, list[tuple[dict[str, Any], tuple[str, ...]]]] = {}
for entry in stated("graph_expressiveness/*"):
    stated = entry.statement()
    for question in _questions(stated):
        ASKED.setdefault(stated.computed.name, []).append((question, stated.computed.yields))

PATIENT = {
    "smaller_pairs",
    "degree_test",
    "walk_expansion",
    "refinement_bounds",
    "walk_regression",
    "trees_with_levels",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name.partition(".")[2] in PATIENT else []) for name in ASKED],
)
@pytest.mark.sampled(3)
def test_every_number_of_the_library_is_counted_twice(name: str) -> None:
    known = set()
    for arguments, yields in ASKED[name]:
        key = json.dumps([arguments, yields], sort_keys=True, default=str)
        first = enumerate_exactly(name, arguments)
        if key in known or "missing" in first:
            continue
        known.add(key)
        again = recount_exactly(name, arguments)
        assert again is not None
        assert set(yields) <= set(again), arguments
        assert not _unequal(first, again, yields), arguments


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6])
def test_edges_and_nodes_grow_the_same_graphs(order: int) -> None:
    assert len(graphs_of_order(order)) == len(grown_graphs(order)) == graph_count(order)
    assert sum(map(labelled_copies, grown_graphs(order))) == 2 ** (order * (order - 1) // 2)
