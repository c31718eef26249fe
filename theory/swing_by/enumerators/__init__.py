"""Exact procedures of this paper, and each of them again by another route."""

from theory.swing_by.enumerators import recounts, runs

__all__ = ["recounts", "runs"]
