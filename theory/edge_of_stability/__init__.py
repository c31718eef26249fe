"""Beyond the edge of stability by two-step gradient updates: the chapter's losses, statements and proof steps.

Each module below is a section of the paper; a statement is derived only when it is asked for.

>>> from theory.edge_of_stability import paper
>>> paper.entries[0].id
'edge_of_stability/definition-1'
"""

import importlib

from theory.edge_of_stability._paper import paper

SECTIONS = (
    "one_dimensional",
    "higher_order",
    "regression",
    "quartic",
    "bilinear",
    "positivity",
    "relu_neuron",
    "relu_stage_one",
    "relu_table",
    "relu_basin",
    "relu_alignment",
    "relu_join",
    "factorisation",
    "factorisation_orbit",
    "factorisation_boundary",
    "manifolds",
    "figures",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.edge_of_stability.{_section}")

__all__ = ["SECTIONS", "paper"]
