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
    "evolution",
    "equilibria",
    "assumptions",
    "upper_growth",
    "lower_growth",
    "diagonal_lemmas",
    "suppression_lemmas",
    "stages",
    "outcomes",
    "order",
    "figures",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.swing_by.{_section}")

# Where the nearest true statement has a name of its own.
paper.nearest.update(
    {
        "equation-2.1": "equation-4.1",
        "equation-c.13.c": "equation-c.13",
        "theorem-4.1#c.21.a": "theorem-4.1.corrected",
        "claim-4.1.growth-limit.a": "claim-4.1.growth-limit",
        "claim-4.1.monotone.b": "claim-4.1.monotone.corrected",
        "claim-4.2.sign-noise": "claim-4.2.sign-noise.a",
        "claim-4.2.psd-map": "claim-4.2.psd-descent",
        "claim-4.2.test-loss": "claim-4.2.training",
        "assumption-d.1.room": "assumption-d.1.a",
        "assumption-d.5.order": "assumption-d.5.b",
        "assumption-d.5.a": "assumption-d.5.b",
        "claim-4.2.s8": "assumption-d.5.b",
        "corollary-d.1.a": "corollary-d.1.corrected",
        "lemma-d.1#d.13.reading-b": "lemma-d.1#d.13.corrected",
        "lemma-d.1#earlier-d.22": "lemma-d.1#earlier-d.22.a",
        "lemma-d.3.a": "lemma-d.3.corrected",
        "lemma-d.3.b": "lemma-d.3.corrected",
        "lemma-d.3.c": "lemma-d.3.corrected",
        "lemma-d.5.b": "lemma-d.5.corrected",
        "lemma-d.5.c": "lemma-d.5.corrected",
        "lemma-d.5#d.46": "lemma-d.5#d.46.b.corrected",
        "lemma-d.5#d.46.a": "lemma-d.5#d.46.a.reading-b",
        "lemma-d.5#d.47.reading-b": "lemma-d.5#d.47",
        "lemma-d.5#d.49.reading-b": "lemma-d.5#d.49",
        "lemma-d.7#d.56.a": "lemma-d.7.corrected",
        "lemma-d.8": "lemma-d.7.corrected",
        "claim-4.2.s1.reading-b": "claim-4.2.s1",
        "claim-4.2.s4.a": "claim-4.2.s4",
        "claim-4.2.s5.reading-a": "claim-4.2.s5.reading-b",
        "claim-4.2.s5.b": "claim-4.2.s5.a",
        "claim-4.2.s6": "claim-4.2.s10.a",
        "claim-4.2.s9": "claim-4.2.s7.a",
        "equation-b.2": "equation-b.2.b",
        "claim-e.2.signs": "claim-e.2.signs.a",
        "figure-8.b": "assumption-d.5.b",
        "figure-9.a": "assumption-d.5.b",
    }
)

__all__ = ["SECTIONS", "paper"]
