"""Saddle-to-saddle dynamics across architectures: the layer, its embedded fixed points, its manifolds, its time scales.

Each module below is a section of the paper; a statement is derived only when it is asked for.

>>> from theory.saddle_to_saddle import paper
>>> paper.entries[0].id
'saddle_to_saddle/claim-2.linear'
"""

import importlib

from theory.saddle_to_saddle._paper import paper

SECTIONS = (
    "properties",
    "every_width",
    "embedding",
    "narrow_networks",
    "manifolds",
    "instances",
    "directions",
    "near_saddles",
    "linear_fixed_points",
    "square_layers",
    "quadratic",
    "unit_separation",
    "blow_up",
    "figures",
    "levels",
    "conjectures",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.saddle_to_saddle.{_section}")

# Where the nearest true statement has a name of its own.
paper.nearest.update({"lemma-6.two-units": "lemma-6.corrected"})

__all__ = ["SECTIONS", "paper"]
