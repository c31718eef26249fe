"""Local statements: exact power series in a small symbol, with the conditions under which they converge."""
