"""Graph networks against graph-augmented perceptrons: what each tells apart, counted on graphs, walks and trees.

Each module of SECTIONS is a part of the paper; the others hold the finite objects it speaks of.

>>> from theory.graph_expressiveness import paper
>>> paper.entries[0].id
'graph_expressiveness/claim-2.3.a'
"""

import importlib

from theory.graph_expressiveness._paper import paper

SECTIONS = (
    "isomorphism_tests",
    "random_graphs",
    "network_classes",
    "walk_classes",
    "level_counts",
    "attributed_walks",
    "equivariance",
    "walk_pair",
    "tables",
)
"""The modules in the order of the paper; importing one registers its statements."""

for _section in SECTIONS:
    importlib.import_module(f"theory.graph_expressiveness.{_section}")

# Where the nearest true statement has a name of its own.
paper.nearest.update(
    {
        "proposition-2.2.share": "proposition-2.2.corrected",
        "proposition-2.6.identity": "proposition-2.6.corrected",
        "proposition-2.7.identity": "proposition-2.7.corrected",
        "proposition-a.2.aggregation": "proposition-a.2.corrected",
        "proposition-a.3.aggregation": "proposition-a.3.corrected",
        "lemma-a.4.small": "lemma-a.4.corrected",
        "lemma-a.4#sharp": "lemma-a.4.corrected",
        "proposition-2.4#bound": "proposition-2.4#assignments.corrected",
        "lemma-a.7#two-children": "proposition-2.6#growth.corrected",
        "proposition-a.2#symmetry": "proposition-a.2.corrected",
        "lemma-a.9.reading-b": "lemma-a.9",
        "claim-a.11.b": "claim-a.11.b#range",
    }
)

__all__ = ["SECTIONS", "paper"]
