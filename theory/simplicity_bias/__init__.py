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
    "every_size",
    "growth",
    "closeness",
    "clusters",
    "extrema",
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
paper.nearest.update(
    {
        "theorem-4.1.direction": "theorem-4.1.corrected",
        "proposition-b.2.profile": "proposition-b.2.corrected",
        "lemma-5.3.orbit": "lemma-5.3.corrected",
        "proposition-d.2.aligned": "proposition-d.2.corrected",
        "proposition-5.8.m-5": "proposition-5.8.corrected",
        "lemma-5.5.proportions": "lemma-5.5.corrected",
    }
)

__all__ = ["SECTIONS", "paper"]
