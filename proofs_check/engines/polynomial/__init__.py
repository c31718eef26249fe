"""Polynomial, rational and radical formulas over the reals: certificates and solvers."""

NAME = "polynomial"
ABOUT = "products of hypotheses and squares that contradict the negation, in rationals; else two solvers that agree"
RESTS_ON = ("sympy", "flint", "z3", "cvc5")
