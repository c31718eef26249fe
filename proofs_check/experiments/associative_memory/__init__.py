"""Experiments of the associative-memory paper at the size of a processor: flows, truncations, small trained layers.

Pretrained language models are not run, and neither is the two-layer transformer with d = 256 of the figures.
"""

from proofs_check.experiments.associative_memory import layers, memory

__all__ = ["layers", "memory"]
