"""Finite counts of the paper: the input-output maps of a linear network's fixed points, by index set."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

from theory.enumerators import enumerator, recount


@enumerator("saddle_to_saddle.maps")
def maps(singular_values: Sequence[int], width: int) -> Mapping[str, Any]:
    """How many different maps of rank `width` the index sets of that size yield, white inputs and diagonal target.

    >>> maps([3, 2, 1], 2)["count"], maps([2, 1, 0], 2)["count"]
    (3, 1)
    """
    size = len(singular_values)
    found = {
        tuple(value if place in chosen else 0 for place, value in enumerate(singular_values))
        for chosen in combinations(range(size), width)
    }
    of_rank = [entries for entries in found if sum(entry != 0 for entry in entries) == width]
    lost = sorted(found - set(of_rank))
    result: dict[str, Any] = {"count": len(of_rank), "choices": comb(size, width), "cases": len(found)}
    if lost:
        result["counterexample"] = {"map": f"diag{lost[0]}", "rank": str(sum(entry != 0 for entry in lost[0]))}
    return result


@recount("saddle_to_saddle.maps")
def maps_again(singular_values: Sequence[int], width: int) -> Mapping[str, Any]:
    """A map has full rank exactly when all its singular values are positive."""
    positive = sum(value > 0 for value in singular_values)
    return {"count": comb(positive, width), "choices": comb(len(singular_values), width)}
