"""Vectors and matrices of every size, through statements about numbers."""

NAME = "spaces"
ABOUT = "a theorem turns vectors and matrices of every size into numbers; another engine decides what is left"
RESTS_ON = ("sympy", "flint")
