"""The nearest true statement and the best constants."""
