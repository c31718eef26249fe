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

__all__ = ["SECTIONS", "paper"]
