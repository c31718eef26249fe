"""Classics of learning dynamics: what papers on the subject cite, stated whole, in the order of a textbook.

The modules below are the chapters, or continue them; a statement is derived only when it is asked for. The print that
a scope speaks of is the classical result in its usual generality: `whole` is that generality, `case` says which size,
number of steps or loss is stated. Folklore is stated as it is said, as `claim-N.M`; its precise form stands beside it.

>>> from theory.classics import paper
>>> paper.entries[0].id
'classics/proposition-1.1'
"""

import importlib

from theory.classics._paper import paper

CHAPTERS = (
    "quadratics",
    "momentum",
    "descent",
    "rates",
    "linear_networks",
    "edge",
    "adaptive",
    "classification",
    "noise",
    "matrix_rules",
    "inequalities",
    "matrix_inequalities",
)
"""The modules in the order of the chapters; importing one registers its statements."""

for _chapter in CHAPTERS:
    importlib.import_module(f"theory.classics.{_chapter}")

__all__ = ["CHAPTERS", "paper"]
