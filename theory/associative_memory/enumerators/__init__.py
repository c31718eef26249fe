"""Exact procedures of this paper, and those that decide something once more by another route."""

from theory.associative_memory.enumerators import procedures, recounts

__all__ = ["procedures", "recounts"]
