"""Finite computations, carried out."""

NAME = "enumerate"
ABOUT = "every case of a finite question counted exactly, or a numerical experiment that only measures"
RESTS_ON = ("sympy", "flint")
