"""Polynomial, rational and radical formulas over the reals: certificates and solvers."""

NAME = "polynomial"
ABOUT = "two independent solvers on the negation, or a certificate checked in rationals"
RESTS_ON = ("sympy", "flint", "z3", "cvc5")
