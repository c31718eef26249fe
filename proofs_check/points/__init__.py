"""Exact points: candidate values, search, sampling, shrinking, witnesses, certified zeros."""
