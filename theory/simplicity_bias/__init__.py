"""Simplicity bias of two-layer networks beyond linearly separable data: objects, statements and proof steps.

Each module below is a part of the paper; a statement is derived only when it is asked for.

>>> from theory.simplicity_bias import paper
>>> paper.key
'simplicity_bias'
"""

import importlib

from theory.simplicity_bias._paper import paper

SECTIONS = (
    "network",
    "alignment",
    "rates",
    "smoothing",
    "coupling",
    "growth",
    "closeness",
    "clusters",
    "capture",
    "four_neurons",
    "accuracy",
    "margins",
    "mirrored",
    "figures",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.simplicity_bias.{_section}")

# Where the nearest true statement has a name of its own.
paper.nearest.update({"lemma-5.5.proportions": "lemma-5.5.corrected"})

__all__ = ["SECTIONS", "paper"]
