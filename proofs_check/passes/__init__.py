"""Statements with noise or families rewritten as statements about numbers that say the same."""
