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
    ("power_sums", {"n": [1, 2, 3, 4, 5], "least": [1], "exponent": ["above", "at n = 2"]}),
]


@pytest.mark.parametrize(("name", "grid"), GRIDS, ids=[name for name, _ in GRIDS])
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
