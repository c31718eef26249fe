"""Certified runs are certified again by another route: matrices in whole numbers instead of entries in balls."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from theory.enumerators import enumerate_exactly, recount_exactly
from theory.fixed_point import Scale, minus
from theory.swing_by.figures import START_8
from theory.swing_by.instances import INSTANCES

SHORT = [
    ("corollary-d.1", "pair", "printed", 13_500),
    ("lemma-d.3", "pair, rank one", "weights", 18_200),
    ("lemma-d.5", "pair", "printed", 2_000),
    ("lemma-d.8", "triple", "printed", 500),
]


@pytest.mark.parametrize(("claim", "instance", "dynamics", "steps"), SHORT)
@pytest.mark.sampled(2)
def test_both_routes_see_the_same_violations(claim: str, instance: str, dynamics: str, steps: int) -> None:
    arguments = {"claim": claim, "instances": [instance], "dynamics": dynamics, "steps": steps}
    again = recount_exactly("swing_by.run", arguments)
    assert again == {"violations": enumerate_exactly("swing_by.run", arguments)["violations"]}


@pytest.mark.parametrize("instance", list(INSTANCES))
def test_both_routes_find_the_instance_admissible(instance: str) -> None:
    arguments = {"instance": instance}
    again = recount_exactly("swing_by.admissible", arguments)
    assert again == {"all": enumerate_exactly("swing_by.admissible", arguments)["all"]}


@pytest.mark.parametrize("steps", [200, 1200])
def test_both_routes_count_the_same_descents(steps: int) -> None:
    arguments = {"means": ["1", "3/2", "11/5"], "deviations": ["1/20"] * 3, "step": "1/50", "steps": steps}
    first = enumerate_exactly("swing_by.certified_descents", {"weights": START_8, **arguments})
    again = recount_exactly("swing_by.certified_descents", {"weights": START_8, **arguments})
    assert again == {key: first[key] for key in ("descents", "final_below")}


def test_whole_number_arithmetic_encloses() -> None:
    scale = Scale(200)
    third = scale.of(Fraction(1, 3))
    middle, radius = minus(scale.times(third, third), scale.of(Fraction(1, 9)))
    assert abs(middle) <= radius < 10
    middle, radius = scale.exp(Fraction(3, 4))
    assert abs(middle / 2**200 - exp(0.75)) < 1e-15
    assert radius < 2**12
