"""Whole numbers: remainders by all residues, and induction."""

NAME = "whole"
ABOUT = "whole numbers: remainders for every residue, and induction with the next term of a sum, product or power"
RESTS_ON = ("sympy",)
