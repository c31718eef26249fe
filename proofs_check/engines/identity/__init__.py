"""Equations by canonical forms."""

NAME = "identity"
ABOUT = "canonical forms over exact fields; two sides that differ are told apart at an exact point"
RESTS_ON = ("sympy", "flint")
