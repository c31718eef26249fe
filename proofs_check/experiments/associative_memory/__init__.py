"""Experiments of the associative-memory paper at the size of a processor: flows, truncations, small trained layers.

Pretrained language models are not run, and neither is the two-layer transformer with d = 256 of the figures.
"""

from __future__ import annotations

from typing import Any

from proofs_check.experiments import experiment
from proofs_check.experiments.associative_memory import layers, memory


@experiment("associative_memory.not_run")
def not_run(what: str) -> dict[str, Any]:
    """What a processor cannot repeat, said as such."""
    return {"missing": f"not run: {what}"}


__all__ = ["layers", "memory", "not_run"]
