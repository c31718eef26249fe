"""Means over noise, through the moments, which move without chance."""

NAME = "means"
ABOUT = "the moments of a process with independent noise move by a map that is derived; another engine decides it"
RESTS_ON = ("sympy", "flint")
