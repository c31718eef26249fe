"""Certificates as arguments that a person reads: one writer for each kind, nothing that the kernel did not see."""
