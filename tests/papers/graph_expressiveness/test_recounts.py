"""What the exact procedures count is counted again by independent procedures."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from theory.enumerators import enumerate_exactly, recount_exactly

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
    ("refinement_bounds", {"n": [2, 3], "deepest": [2], "extra": [0, 1]}),
    ("walk_expansion", {"n": [2, 3], "longest": [2], "end": ["power", "plain"]}),
    ("smaller_pairs", {"n": [1, 2, 3, 4]}),
    ("neighbour_degrees", {}),
    ("node_classes", {"collection": ["bundled_club"], "K": [1, 2, 5]}),
    ("graph_classes", {"collection": ["bundled_small"], "K": [1, 2, 3]}),
    ("printed_differences", {"K": [1, 2, 5], "table": [0, 1, 2]}),
    ("power_sums", {"n": [1, 2, 3, 4, 5], "least": [1], "exponent": ["above", "at n = 2"]}),
]


@pytest.mark.parametrize(("name", "grid"), GRIDS, ids=[f"{name}-{place}" for place, (name, _) in enumerate(GRIDS)])
def test_both_routes_agree(name: str, grid: dict[str, list[Any]]) -> None:
    compared = 0
    for values in product(*grid.values()):
        arguments = dict(zip(grid, values, strict=True))
        first = enumerate_exactly(f"graph_expressiveness.{name}", arguments)
        again = recount_exactly(f"graph_expressiveness.{name}", arguments)
        assert again is not None
        assert {key: first[key] for key in again} == again
        compared += len(again)
    assert compared > 0
