"""Finite structures: graphs, trees, sequences, permutations and multisets."""

NAME = "structures"
ABOUT = "every structure of a size listed, or every size at once by rules about names, refinement and counting"
RESTS_ON = ("sympy",)
