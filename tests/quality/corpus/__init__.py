"""Statements with known answers, by kind: TRUE and FALSE say which they are."""

from corpus import (
    learning_inequalities,
    one_variable,
    quantified,
    several_variables,
    symmetric_polynomials,
    whole_numbers,
)
from corpus.textbook import FALSE, TRUE

__all__ = [
    "FALSE",
    "TRUE",
    "learning_inequalities",
    "one_variable",
    "quantified",
    "several_variables",
    "symmetric_polynomials",
    "whole_numbers",
]
