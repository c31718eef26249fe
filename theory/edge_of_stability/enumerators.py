"""Where the 2-cycle doubles its period: certified enclosures, read off as rational numbers."""

from collections.abc import Callable
from typing import Any

from sympy import Rational

from theory.cascade import flips
from theory.dynamics import Map
from theory.edge_of_stability import bilinear, quartic
from theory.edge_of_stability.one_dimensional import mu
from theory.enumerators import enumerator

_MODELS: dict[str, tuple[Callable[[], Map], tuple[float, ...]]] = {
    "quartic": (quartic.descent, (0.9,)),
    "bilinear": (bilinear.descent, (0.9, 0.8)),
}
"""The maps and where a simulation starts that suggests the enclosures."""


@enumerator("edge_of_stability.cascade")
def cascade(model: str, low: str, high: str) -> dict[str, Any]:
    """For each period that doubles in the window of K: the two ends of the enclosure of that K."""
    build, start = _MODELS[model]
    window = float(Rational(low)), float(Rational(high))
    found = flips(build().substitute({mu: 1}), quartic.K, start, window, cells=51)
    values: dict[str, Any] = {}
    for flip in found:
        values |= {f"low_{flip.period}": flip.low, f"high_{flip.period}": flip.high}
    periods = ", ".join(str(flip.period) for flip in found)
    note = f"periods {periods} double where Krawczyk's test encloses a unique orbit with multiplier -1"
    return {**values, "cases": len(found), "notes": (note,)}
