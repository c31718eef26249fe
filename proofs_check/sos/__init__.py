"""Sums of squares with rational certificates: found in floating point, made exact, checked exactly."""
