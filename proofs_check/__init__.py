"""Verdicts on statements: engines, evidence, reports and the command line."""
