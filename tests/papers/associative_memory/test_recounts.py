"""What decides statements of this paper is computed again by forward recursions and in whole numbers."""

from __future__ import annotations

from typing import Any

import pytest

from theory.enumerators import enumerate_exactly, recount_exactly

CASES: list[tuple[str, dict[str, Any]]] = [
    ("query_key", {"N": 4, "T": 9, "noise": "1/3", "rho": "1/10", "matrix": "idealised"}),
    ("query_key", {"N": 4, "T": 9, "noise": "1/3", "rho": "2", "matrix": "trained"}),
    *[
        ("reach", {"row": row, "column": column, "vocabulary": 6, "noise": "1/2", "T": T})
        for row, column in (("j", "noise"), ("j", "trigger"), ("noise", "noise"), ("j", "k"), ("trigger", "trigger"))
        for T in (4, 9, 10)
    ],
]


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_both_routes_agree(name: str, arguments: dict[str, Any]) -> None:
    first = enumerate_exactly(f"associative_memory.{name}", arguments)
    again = recount_exactly(f"associative_memory.{name}", arguments)
    assert again
    assert {key: first[key] for key in again} == again


BOUNDS: list[tuple[str, dict[str, Any]]] = [
    *[
        ("feed_forward_bound", {"vocabulary": 10, "mean": mean, "m": m})
        for mean in ("printed", "exact")
        for m in (100, 1000)
    ],
    *[
        ("attention_bound", {"vocabulary": 8, "length": 16, "mean": mean, "m": m})
        for mean in ("printed", "exact")
        for m in (100, 10**8)
    ],
]


@pytest.mark.parametrize(("name", "arguments"), BOUNDS)
def test_both_routes_see_the_same_violations(name: str, arguments: dict[str, Any]) -> None:
    full = {"noise": "1/2", "delta": "1/10", **arguments}
    first = enumerate_exactly(f"associative_memory.{name}", full)
    violated = first.get("holds") == 0
    assert recount_exactly(f"associative_memory.{name}", full) == ({"holds": 0} if violated else {})
