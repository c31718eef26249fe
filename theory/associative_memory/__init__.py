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

# Where the nearest true statement has a name of its own.
paper.nearest.update(
    {
        "lemma-c.1#mu": "lemma-c.1#mu.leading",
        "lemma-c.4.ratio": "lemma-c.4.corrected",
        "lemma-c.4#difference-z": "lemma-c.4.exact",
        "lemma-c.4#sum-z": "lemma-c.4.exact",
        "lemma-c.4#z": "lemma-c.4.exact",
        "lemma-c.4#zh": "lemma-c.4.corrected",
        "lemma-c.4#displayed-z": "lemma-c.4#iteration-z",
        "theorem-4.1.attention": "theorem-4.1.corrected",
        "theorem-4.2.ratio": "theorem-4.2.corrected",
        "lemma-c.14.rate": "lemma-c.14.corrected",
        "lemma-c.1.counted": "lemma-c.1.corrected",
        "lemma-c.2.counted": "lemma-c.2.corrected",
        "theorem-4.1.long-context": "theorem-4.1.positions.corrected",
        "equation-4.7.proportional": "equation-4.7",
        "equation-c.19.token": "equation-c.19.corrected",
        "claim-4.4.4.3.uniform": "equation-c.19.corrected",
        "equation-c.20#display": "equation-c.20.corrected",
        "equation-4.4.token": "equation-4.4.corrected",
        "equation-4.4.long-context": "equation-4.4.corrected",
        "equation-4.4.trained": "equation-4.4.corrected",
        "equation-4.4.idealised": "equation-4.4.corrected",
        "theorem-4.2#c.25.trigger": "theorem-4.2#c.25.noise",
        "theorem-4.2#c.29": "theorem-4.2#c.29.leading",
        "theorem-4.2#c.31": "theorem-4.2#c.31.leading",
        "theorem-4.2#c.30": "theorem-4.2#gap.sharp",
        "theorem-4.2#c.32": "theorem-4.2.corrected",
        "theorem-4.2#gap": "theorem-4.2#gap.sharp",
        "theorem-4.2#rare-noise": "theorem-4.2#c.25.noise",
        "equation-c.37.rescaled": "equation-c.37.corrected",
        "lemma-c.14#barrier.true-flow": "lemma-c.14#barrier",
    }
)

__all__ = ["SECTIONS", "paper"]
