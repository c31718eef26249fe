"""Swing-by dynamics in concept learning: the identity mapping task, its linear models, statements and proof steps.

Each module below is a section of the paper; a statement is derived only when it is asked for.

>>> from theory.swing_by import paper
>>> paper.entries[0].id
'swing_by/equation-2.1'
"""

import importlib

from theory.swing_by._paper import paper

SECTIONS = (
    "task",
    "one_layer",
    "two_layer",
    "equilibria",
    "assumptions",
    "upper_growth",
    "lower_growth",
    "diagonal_lemmas",
    "suppression_lemmas",
    "stages",
    "order",
    "figures",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.swing_by.{_section}")

__all__ = ["SECTIONS", "paper"]
