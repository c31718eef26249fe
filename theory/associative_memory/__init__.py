"""Noise in feed-forward layers, targets in attention: noisy in-context recall and a linear associative memory.

Each module of SECTIONS is a part of the paper; the others hold the objects it speaks of.

>>> from theory.associative_memory import paper
>>> paper.entries[0].id.startswith("associative_memory/")
True
"""

import importlib

from theory.associative_memory._paper import paper

SECTIONS = (
    "first_step",
    "table",
    "ranges",
    "moments",
    "margins",
    "step_size",
    "attention",
    "targets",
    "memory",
    "long_time",
    "figures",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.associative_memory.{_section}")

__all__ = ["SECTIONS", "paper"]
