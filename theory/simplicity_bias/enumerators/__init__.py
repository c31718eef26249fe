"""Exact procedures of this paper; importing this package registers them."""

from theory.simplicity_bias.enumerators import capture, extrema, indices, margins, numbers

__all__ = ["capture", "extrema", "indices", "margins", "numbers"]
